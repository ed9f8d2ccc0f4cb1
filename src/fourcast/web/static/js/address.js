/**
 * The address of the page is the game: `/?board=6x7x4&moves=4453&slip=0.2&aims=4456&first=human&...`.
 *
 * What is as it usually is, is left out. `aims` is there only with slip, `ply` only where the game is looked
 * at before its last move.
 */

import { STANDARD, boardError, playable } from "./game.js";
import { boardName, movesText, readBoard, readLimit, readMoves } from "./notation.js";

/**
 * @typedef {object} GameState - all that an address says
 * @property {import("./game.js").Geometry} geometry
 * @property {number} slip
 * @property {import("./game.js").Move[]} moves
 * @property {number} ply - how many of the moves are on the board
 * @property {[string, string]} players - "human" or an agent's spec
 * @property {[string, string]} limits - what each may spend on a move
 * @property {string | null} stored - the id of a stored game
 */

export const HUMAN = "human";
export const USUAL_LIMIT = "1s";

/**
 * @param {URLSearchParams} query
 * @param {[string, string]} [usual] - the players where the address names none
 * @returns {GameState}
 */
export function readAddress(query, usual = [HUMAN, HUMAN]) {
  const asked = readBoard(query.get("board") ?? "");
  const geometry = asked && !boardError(asked) ? asked : { ...STANDARD };
  const slip = readSlip(query.get("slip") ?? "0") ?? 0;
  const columns = playable(geometry, readMoves(query.get("moves") ?? "", geometry));
  const aims = readMoves(query.get("aims") ?? "", geometry);
  const moves = columns.map((column, index) => ({ aim: slip ? (aims[index] ?? column) : column, column }));
  const ply = query.has("ply") ? Number(query.get("ply")) : moves.length;
  const limit = readable(query.get("limit")) ?? USUAL_LIMIT;
  return {
    geometry,
    slip,
    moves,
    ply: Number.isInteger(ply) && ply >= 0 ? Math.min(ply, moves.length) : moves.length,
    players: [query.get("first") || usual[0], query.get("second") || usual[1]],
    limits: [readable(query.get("first_limit")) ?? limit, readable(query.get("second_limit")) ?? limit],
    stored: query.get("game"),
  };
}

/**
 * Whether an address says something that cannot be read, or played, and that is left out therefore.
 *
 * @param {URLSearchParams} query
 * @param {GameState} state - what was read of it
 * @returns {boolean}
 */
export function isCutShort(query, { geometry, moves }) {
  const given = (/** @type {string} */ name) => query.get(name)?.replace(/\s/g, "") ?? "";
  const board = given("board") && readBoard(given("board"));
  return (
    board === null ||
    (board !== "" && boardName(board) !== boardName(geometry)) ||
    given("moves").length > moves.length ||
    readSlip(given("slip") || "0") === null ||
    ["limit", "first_limit", "second_limit"].some((name) => given(name) && !readable(query.get(name)))
  );
}

/**
 * @param {GameState} state
 * @returns {URLSearchParams}
 */
export function writeAddress(state) {
  const query = new URLSearchParams();
  query.set("board", boardName(state.geometry));
  if (state.slip) query.set("slip", String(state.slip));
  query.set("moves", movesText(state.moves.map((move) => move.column)));
  if (state.slip && state.moves.length) query.set("aims", movesText(state.moves.map((move) => move.aim)));
  if (state.ply < state.moves.length) query.set("ply", String(state.ply));
  query.set("first", state.players[0]);
  query.set("second", state.players[1]);
  const [first, second] = state.limits;
  if (first === second) {
    if (first !== USUAL_LIMIT) query.set("limit", first);
  } else {
    query.set("first_limit", first);
    query.set("second_limit", second);
  }
  if (state.stored) query.set("game", state.stored);
  return query;
}

/** @param {URLSearchParams} query @returns {string} with the characters left readable that an address may hold */
export function addressText(query) {
  return `?${query}`.replaceAll("%3A", ":").replaceAll("%3D", "=").replaceAll("%2C", ",");
}

/** @param {string} text @returns {number | null} a number in [0, 1), or null */
export function readSlip(text) {
  const slip = Number(text);
  return text.trim() && slip >= 0 && slip < 1 ? slip : null;
}

/** @param {string | null} limit */
function readable(limit) {
  return limit && readLimit(limit) ? limit : null;
}
