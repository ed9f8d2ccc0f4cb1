/** The buttons below the board, and the line above it that says how things stand. */

import { button, element, fill, shape } from "./elements.js";
import { columnName } from "./notation.js";
import { badge, playerName } from "./players.js";
import { text } from "./text.js";

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
};

/**
 * @param {import("./session.js").Session} session
 * @param {{newGame: () => void, hint: () => void}} actions
 * @returns {{root: HTMLElement, show: () => void}}
 */
export function controlsRow(session, { newGame, hint }) {
  const say = text.controls;
  const steps = {
    first: iconButton("first", say.first, () => session.jump(0)),
    previous: iconButton("previous", say.previous, () => session.jump(session.state.ply - 1)),
    next: iconButton("next", say.next, () => session.jump(session.state.ply + 1)),
    last: iconButton("last", say.last, () => session.jump(session.state.moves.length)),
  };
  const undo = button(say.undo, () => session.undo(), { "data-action": "undo" });
  const redo = button(say.redo, () => session.redo(), { "data-action": "redo" });
  const hintButton = button(say.hint, hint, { "data-action": "hint" });
  const root = element(
    "div.controls",
    { role: "group", "aria-label": say.group },
    button(say.newGame, newGame, { look: "main", "data-action": "new" }),
    undo,
    redo,
    hintButton,
    element("span.steppers", {}, Object.values(steps)),
  );
  const show = () => {
    const { ply } = session.state;
    undo.disabled = session.undoPly === null;
    redo.disabled = session.redoPly === null;
    undo.hidden = redo.hidden = !session.hasHuman;
    hintButton.disabled = session.position.outcome !== null;
    steps.first.disabled = steps.previous.disabled = ply === 0;
    steps.next.disabled = steps.last.disabled = session.atEnd;
  };
  return { root, show };
}

/** The line that says whose turn it is, or how the game ended. */
export class StatusLine {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./thinking.js").Thinking} thinking
   */
  constructor(session, thinking) {
    this.session = session;
    this.thinking = thinking;
    this.note = "";
    this.words = element("p.words");
    this.more = element("p.more");
    this.badge = element("span.whose");
    this.button = button(text.playFromHere, () => session.playFromHere(), { look: "small", hidden: true, "data-action": "from-here" });
    this.retry = button(text.errors.retry, () => thinking.consider(), { look: "small", hidden: true });
    this.root = element("div.status", {}, this.badge, element("div.say", {}, this.words, this.more), this.button, this.retry);
  }

  /**
   * Says how things stand.
   *
   * @param {string} [note] - a second line, till the next change
   * @returns {string} the words
   */
  show(note = "") {
    const { session, thinking } = this;
    const { position, state } = session;
    const { outcome, turn } = position;
    const seen = outcome ? outcome.winner : turn;
    fill(this.badge, seen === null ? null : badge(/** @type {0 | 1} */ (seen)));
    const words = this.#words();
    fill(this.words, words);
    this.root.classList.toggle("over", outcome !== null);
    this.root.classList.toggle("busy", thinking.busy);
    fill(this.more, thinking.error || note || this.#aside());
    this.more.classList.toggle("wrong", Boolean(thinking.error));
    const waits = !session.atEnd && !session.humanToMove && !outcome && !state.stored;
    this.button.hidden = !(waits && session.hasHuman);
    this.retry.hidden = !thinking.error;
    return words;
  }

  #words() {
    const { session, thinking } = this;
    const { position, state } = session;
    const { outcome, turn } = position;
    if (outcome) {
      if (outcome.winner === null) return text.draw;
      const [won, lost] = [session.isHuman(outcome.winner), session.isHuman(1 - outcome.winner)];
      return won && !lost ? text.youWin : lost && !won ? text.youLose : text.wins(text.sides[outcome.winner]);
    }
    const side = text.sides[turn];
    if (thinking.busy) return text.thinks(side, playerName(state.players[turn], this.suggested));
    const alone = session.isHuman(turn) && !session.isHuman(1 - turn);
    return alone ? text.yourTurn : text.turnOf(side);
  }

  #aside() {
    const { session } = this;
    const { state, position } = session;
    const last = session.lastMove;
    if (last && last.aim !== last.column) {
      return text.slipped(text.sides[(position.ply + 1) % 2], columnName(last.aim), columnName(last.column));
    }
    if (!session.atEnd) return text.viewing(state.ply, state.moves.length);
    if (position.outcome) return text.lasted(state.ply);
    const { rows, columns, connect } = state.geometry;
    return text.game(state.ply, rows, columns, connect, state.slip);
  }
}

/**
 * @param {keyof typeof ICONS} name
 * @param {string} words
 * @param {() => void} press
 */
function iconButton(name, words, press) {
  const made = button("", press, { look: "icon", "aria-label": words, title: words, "data-action": name });
  made.append(shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path.icon-path", { d: ICONS[name] })));
  return made;
}
