/** The page with the board: playing (`/`) and watching (`/watch`) are the same game, with other players at first. */

import { HUMAN, isCutShort, readAddress } from "./address.js";
import { AnalysisCard, analyze, worthOf } from "./analysis.js";
import { announce } from "./announce.js";
import { agentsOn, get } from "./api.js";
import { controlsRow, StatusLine } from "./controls.js";
import { element } from "./elements.js";
import { STANDARD } from "./game.js";
import { putHeader } from "./header.js";
import { keepAddress } from "./history.js";
import { listenToKeys } from "./keys.js";
import { MovesCard } from "./moves.js";
import { askNewGame } from "./new_game.js";
import { boardName, columnName, readBoard, readMoves } from "./notation.js";
import { PlayersCard } from "./players.js";
import { Puzzle } from "./puzzle.js";
import { ReviewCard } from "./review.js";
import { Session } from "./session.js";
import { ShareCard } from "./share.js";
import { Stage } from "./stage.js";
import { StoredGamesCard } from "./stored_games.js";
import { text } from "./text.js";
import { Thinking } from "./thinking.js";
import { Transport } from "./transport.js";

const watching = document.body.dataset.page === "watch";
const followLinks = putHeader(watching ? "watch" : "play");
const query = new URLSearchParams(location.search);
const usual = usualPlayers(readAddress(query));

const session = new Session(readAddress(query, usual));
session.paused = watching;
const thinking = new Thinking(session);
const stage = new Stage(choose);
const status = new StatusLine(session, thinking);
const controls = controlsRow(session, { newGame: () => askNewGame(session), hint });
const transport = new Transport(session, thinking);
const players = new PlayersCard(session, { humans: !watching });
const moves = new MovesCard(session);
const puzzle = new Puzzle(session, show);
const review = new ReviewCard(session, (faults) => puzzle.begin(faults));
const analysis = new AnalysisCard(session, stage);
const share = new ShareCard(session);
const stored = watching ? new StoredGamesCard(session.state.stored) : null;

stage.root.prepend(status.root);
document.querySelector("#main")?.replaceChildren(
  element("h1.unseen", {}, watching ? text.titles.watch : text.titles.play),
  element("div.board-side", {}, stage.root, puzzle.root, transport.root, controls.root),
  element(
    "div.side-cards",
    {},
    players.root,
    thinking.root,
    stored?.root,
    analysis.root,
    review.root,
    moves.root,
    share.root,
  ),
);

review.root.addEventListener("judged", (/** @type {any} */ event) => moves.judge(event.detail));
thinking.addEventListener("change", () => status.show());
thinking.addEventListener("busy", (/** @type {any} */ event) => status.show(event.detail));
session.addEventListener("change", (/** @type {any} */ event) => {
  const { change } = event.detail;
  if (puzzle.active && session.state.ply !== puzzle.faults[puzzle.number]?.ply) puzzle.abandon();
  show({ falls: change === "drop" || (change === "jump" && transport.playing) });
  if (change === "drop") sayMove();
});
keepAddress(session, usual, followLinks);
listenToKeys({
  drop: choose,
  columns: () => session.state.geometry.columns,
  named: {
    u: () => session.undo(),
    r: () => session.redo(),
    h: hint,
    n: () => askNewGame(session),
    s: () => analysis.scores.flip(),
    t: () => analysis.threats.flip(),
    p: () => transport.offered && transport.toggle(),
    ",": () => session.jump(session.state.ply - 1),
    ".": () => session.jump(session.state.ply + 1),
    Home: () => session.jump(0),
    End: () => session.jump(session.state.moves.length),
    Escape: () => (thinking.busy ? thinking.stop() : puzzle.active && puzzle.leave()),
  },
});

begin();

/** Shows what there is, then fetches what the address only names. */
async function begin() {
  show();
  performance.mark("board"); // for who measures how soon it is there
  analysis.refresh();
  let note = isCutShort(query, session.state) ? text.errors.cutShort : "";
  if (note) announce(note);
  if (session.state.stored) note = await replay(session.state.stored);
  else thinking.consider();
  const { suggested } = await agentsOn(session.board, session.state.slip).catch(() => ({ suggested: [] }));
  status.suggested = suggested;
  status.show(note);
}

/**
 * Who plays where the address does not say: on the page for watching two agents, else a human and an easy one,
 * as the server suggests for such a board.
 *
 * @param {import("./address.js").GameState} game
 * @returns {[string, string]}
 */
function usualPlayers({ geometry, slip }) {
  if (watching) return slip ? ["mcts", "expectimax"] : ["mcts", "negamax"];
  if (slip) return [HUMAN, "random:guard=2"];
  return [HUMAN, boardName(geometry) === boardName(STANDARD) ? "perfect:level=3" : "negamax:level=3"];
}

/** Draws the board and what belongs to it. @param {{falls?: boolean}} [options] */
function show({ falls = false } = {}) {
  const last = session.lastMove;
  stage.marks.hint = null;
  stage.marks.slip = last && last.aim !== last.column ? last : null;
  stage.show(session.position, { falls, enabled: session.humanToMove || puzzle.active });
  controls.show();
  status.show();
}

/** A column was clicked or typed. @param {number} column */
function choose(column) {
  if (puzzle.active) puzzle.answer(column);
  else if (!session.humanToMove) announce(session.position.outcome ? status.show() : text.notYourTurn);
  else if (!session.drop(column, "human")) announce(text.columnFull(columnName(column)));
}

/** Says what happened, for those who cannot see it. */
function sayMove() {
  const { position } = session;
  const last = session.lastMove;
  if (!last) return;
  const side = text.sides[(position.ply + 1) % 2];
  const slip = last.aim === last.column ? "" : `${text.slipped(side, columnName(last.aim), columnName(last.column))}. `;
  const row = position.stacks[last.column].length;
  announce(`${slip}${text.dropped(side, columnName(last.column), row)} ${status.show()}.`);
}

/** Points at a good column. */
async function hint() {
  if (session.position.outcome) return;
  const { position, question } = session;
  status.show(text.hinting);
  try {
    const found = await analyze(question, new AbortController().signal);
    if (session.position !== position) return;
    const words = text.hint(columnName(found.column), worthOf(position, found, found.column)?.long ?? "");
    stage.mark({ hint: found.column });
    status.show(words);
    announce(words);
  } catch (error) {
    status.show(error instanceof Error ? error.message : String(error));
  }
}

/** Shows a stored game from its beginning. @param {string} id @returns {Promise<string>} what is to be said of it */
async function replay(id) {
  try {
    const record = await get(`/games/${encodeURIComponent(id)}`);
    const geometry = readBoard(record.board);
    if (!geometry) return "";
    const opening = readMoves(record.opening, geometry).map((column) => ({ aim: column, column }));
    const aims = readMoves(record.aimed, geometry);
    const landed = readMoves(record.landed, geometry).map((column, index) => ({ aim: aims[index] ?? column, column }));
    const all = [...opening, ...landed];
    session.paused = true;
    session.load({
      geometry,
      slip: record.slip,
      moves: all,
      ply: query.has("ply") ? Math.min(Number(query.get("ply")) || 0, all.length) : 0,
      players: [record.first, record.second],
      limits: session.state.limits,
      stored: id,
    });
    return ["line", "full"].includes(record.ending) ? "" : text.watch.ended(record.ending);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
