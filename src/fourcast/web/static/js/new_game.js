/** A new game, on any board. */

import { readSlip } from "./address.js";
import { agentsOn, settings } from "./api.js";
import { faultLine, openDialog } from "./dialog.js";
import { button, element, fill, labelled } from "./elements.js";
import { boardError } from "./game.js";
import { boardName, limitText, readBoard } from "./notation.js";
import { text } from "./text.js";

/**
 * Asks for the board, and begins.
 *
 * @param {import("./session.js").Session} session
 */
export async function askNewGame(session) {
  const caps = await settings().catch(() => ({}));
  const { geometry, slip } = session.state;
  const say = text.newGame;
  const numbers = Object.fromEntries(
    ["rows", "columns", "connect"].map((name) => [
      name,
      element("input", {
        type: "number",
        inputmode: "numeric",
        name,
        min: name === "connect" ? 3 : 1,
        max: name === "columns" ? 35 : 64,
        value: /** @type {any} */ (geometry)[name],
        on: { input: () => check() },
      }),
    ]),
  );
  const slipField = element("input", {
    type: "number",
    inputmode: "decimal",
    name: "slip",
    min: 0,
    max: 0.99,
    step: 0.05,
    value: slip,
    on: { input: () => check() },
  });
  const fault = faultLine();
  const presets = Object.entries(say.presets).map(([board, words]) =>
    button(
      `${words} ${board}`,
      () => {
        Object.entries(readBoard(board) ?? {}).forEach(([name, value]) => (numbers[name].value = String(value)));
        check();
      },
      { look: "chip", "data-board": board },
    ),
  );

  const asked = () => ({
    rows: Number(numbers.rows.value),
    columns: Number(numbers.columns.value),
    connect: Number(numbers.connect.value),
  });

  /** @returns {boolean} whether this can be played */
  function check() {
    const wrong = boardError(asked(), caps.cells ?? Infinity);
    const name = boardName(asked());
    presets.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.board === name)));
    const words = wrong ? /** @type {any} */ (text.boardErrors)[wrong] : readSlip(slipField.value) === null ? say.badSlip : "";
    fill(fault, words);
    return !words;
  }

  check();
  openDialog(
    say.title,
    [
      element("div.chips", { role: "group", "aria-label": say.board }, presets),
      element("div.row", {}, labelled(say.rows, numbers.rows), labelled(say.columns, numbers.columns), labelled(say.connect, numbers.connect)),
      labelled(say.slip, slipField, say.slipHelp),
      fault,
    ],
    {
      words: say.start,
      press: () => {
        if (!check()) return false;
        startGame(session, asked(), readSlip(slipField.value) ?? 0);
        return true;
      },
    },
  );
}

/**
 * Begins on a board; who played at a level goes on at the same level of that board.
 *
 * @param {import("./session.js").Session} session
 * @param {import("./game.js").Geometry} geometry
 * @param {number} slip
 */
async function startGame(session, geometry, slip) {
  const { players, limits, slip: before } = session.state;
  const changes = { geometry, slip, moves: [], ply: 0, stored: null };
  try {
    const [here, there] = await Promise.all([agentsOn(session.board, before), agentsOn(boardName(geometry), slip)]);
    const levels = players.map((spec, player) => {
      const key = here.suggested.find((level) => level.agent === spec)?.label_key;
      const level = there.suggested.find((each) => each.label_key === key);
      return level ? [level.agent, limitText(level.limit) || limits[player]] : [spec, limits[player]];
    });
    session.change({ ...changes, players: [levels[0][0], levels[1][0]], limits: [levels[0][1], levels[1][1]] });
  } catch {
    session.change(changes); // the server says what is wrong when it is asked for a move
  }
}
