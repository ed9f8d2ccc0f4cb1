/** Learning from mistakes: each position where a move gave something away is shown again, to find a better one. */

import { analyze, worthOf } from "./analysis.js";
import { button, element, fill } from "./elements.js";
import { columnName } from "./notation.js";
import { text } from "./text.js";

/** @typedef {import("./review.js").Verdict} Verdict */

const [SLOWER, LOST] = [3, 0.15]; // what a move may give away before a review has a word for it

/**
 * Whether a review would have nothing to say of a column.
 *
 * @param {import("./api.js").Analysis} found
 * @param {number} column
 */
export function isGood({ scores, values }, column) {
  const known = scores ?? values ?? [];
  const own = known[column] ?? null;
  const best = Math.max(...known.filter((each) => each !== null).map(Number));
  if (own === null || best - own >= (scores ? SLOWER : LOST)) return false;
  return !scores || Math.sign(own) === Math.sign(best);
}

/** The puzzles, one after the other; while they last, the board's columns are answers. */
export class Puzzle {
  /**
   * @param {import("./session.js").Session} session
   * @param {() => void} changed - told when puzzles begin, go on or end
   */
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    /** @type {Verdict[]} */
    this.faults = [];
    this.number = 0;
    this.solved = false;
    this.count = element("span.count");
    this.task = element("p.task");
    this.reply = element("p.reply", { "aria-live": "polite" });
    this.nextButton = button(text.puzzle.next, () => this.next(), { look: "main.small" });
    this.showButton = button(text.puzzle.show, () => this.#reveal(), { look: "small" });
    this.root = element(
      "section.card.puzzle",
      { "aria-label": text.puzzle.title, hidden: true },
      element("div.card-head", {}, element("h2", {}, text.puzzle.title), this.count),
      this.task,
      this.reply,
      element("div.buttons", {}, this.showButton, this.nextButton, button(text.puzzle.leave, () => this.leave(), { look: "quiet.small" })),
    );
  }

  /** Whether a puzzle is on the board. */
  get active() {
    return this.faults.length > 0;
  }

  /** @param {Verdict[]} faults */
  begin(faults) {
    this.faults = faults;
    this.number = -1;
    this.returnTo = this.session.state.ply;
    this.next();
    this.root.scrollIntoView({ block: "nearest" });
  }

  /** Goes on to the next one. */
  next() {
    this.number += 1;
    const fault = this.faults[this.number];
    if (!fault) {
      this.leave();
      return;
    }
    this.solved = false;
    this.session.jump(fault.ply);
    fill(this.count, text.puzzle.count(this.number + 1, this.faults.length));
    fill(this.task, text.puzzle.task(text.sides[fault.ply % 2], columnName(fault.column ?? 0)));
    fill(this.reply);
    this.#show();
  }

  /**
   * An answer.
   *
   * @param {number} column
   */
  async answer(column) {
    const fault = this.faults[this.number];
    const { position, question } = this.session;
    if (!position.legal.includes(column)) return;
    const name = columnName(column);
    const found = await analyze(question, new AbortController().signal).catch(() => null);
    if (fault !== this.faults[this.number]) return;
    const worth = (found && worthOf(position, found, column)?.long) ?? "";
    const right = fault.best.includes(column) || (found !== null && isGood(found, column));
    this.solved ||= right;
    fill(this.reply, right ? text.puzzle.right(name, worth) : text.puzzle.wrong(name, worth));
    this.reply.classList.toggle("right", right);
    this.#show();
  }

  /** Back to the game as it was. */
  leave() {
    this.faults = [];
    this.#show();
    if (this.returnTo !== undefined) this.session.jump(this.returnTo);
  }

  /** The game was looked at elsewhere: no more puzzles, and no way back. */
  abandon() {
    this.returnTo = undefined;
    this.leave();
  }

  #reveal() {
    const fault = this.faults[this.number];
    this.solved = true;
    fill(this.reply, text.puzzle.answer(fault.best.map(columnName).join(", ")));
    this.reply.classList.add("right");
    this.#show();
  }

  #show() {
    this.root.hidden = !this.active;
    this.nextButton.disabled = !this.solved;
    this.showButton.disabled = this.solved;
    if (!this.solved) this.reply.classList.remove("right");
    this.changed();
  }
}
