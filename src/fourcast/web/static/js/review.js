/** Looking back on a game: how the balance went, which moves gave something away, and puzzles made of them. */

import { announce } from "./announce.js";
import { patiently, stream, wasAborted } from "./api.js";
import { Chart } from "./chart.js";
import { button, element, fill } from "./elements.js";
import { Position, movesToWin } from "./game.js";
import { columnName, movesText } from "./notation.js";
import { text } from "./text.js";

/**
 * What the server says of one position of the game.
 *
 * @typedef {object} Verdict
 * @property {number} ply
 * @property {number | null} score
 * @property {number | null} value
 * @property {number[]} best
 * @property {number | null} column - that was played there
 * @property {number | null} loss
 * @property {"inaccuracy" | "mistake" | "blunder" | null} judgement
 * @property {string} words
 */

const SECONDS = 0.4; // for each position

/** The card with the chart and what was found. */
export class ReviewCard {
  /**
   * @param {import("./session.js").Session} session
   * @param {(faults: Verdict[]) => void} learn - begins the puzzles
   */
  constructor(session, learn) {
    this.session = session;
    /** @type {Verdict[]} of the game that was last reviewed, by ply */
    this.verdicts = [];
    /** @type {number[]} that game's columns, and what was aimed at */
    this.columns = [];
    /** @type {number[]} */
    this.aims = [];
    this.chart = new Chart((ply) => session.jump(ply));
    this.startButton = button(text.review.start, () => this.start(), { look: "main.small" });
    this.learnButton = button(text.review.learn, () => learn(this.faults), { look: "small", hidden: true });
    this.words = element("p.note");
    this.list = element("ul.faults");
    this.root = element(
      "section.card.review",
      { "aria-label": text.review.title },
      element("div.card-head", {}, element("h2", {}, text.review.title), this.startButton),
      this.chart.root,
      this.words,
      this.list,
      this.learnButton,
    );
    session.addEventListener("change", (/** @type {any} */ event) => {
      if (event.detail.change === "game") this.running?.abort();
      this.show();
    });
    this.show();
  }

  /** The moves that were worse than others, of people where any play. @returns {Verdict[]} */
  get faults() {
    const { session } = this;
    return this.known.filter(
      ({ ply, judgement }) => judgement && (!session.hasHuman || session.isHuman(ply % 2)),
    );
  }

  /** What is known of the game as it is now: of the positions that it shares with the one reviewed. */
  get known() {
    const { moves } = this.session.state;
    const parted = moves.findIndex((move, ply) => move.column !== this.columns[ply] || move.aim !== this.aims[ply]);
    const shared = parted < 0 ? moves.length : parted;
    return this.verdicts
      .filter(({ ply }) => ply <= shared)
      .map((verdict) => (verdict.ply < shared ? verdict : { ...verdict, judgement: null }));
  }

  /** Has the server look at every position of the game. */
  async start() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const { session } = this;
    const { moves, slip } = session.state;
    this.columns = moves.map((move) => move.column);
    this.aims = moves.map((move) => move.aim);
    this.startButton.disabled = true;
    const question = {
      board: session.board,
      moves: movesText(this.columns),
      slip,
      ...(slip ? { aims: movesText(this.aims) } : {}),
      limit: { seconds: SECONDS },
    };
    try {
      await patiently(() => this.#read(question, running.signal), running.signal, (seconds) => fill(this.words, text.thinking.busy(seconds)));
    } catch (error) {
      if (!wasAborted(error)) fill(this.words, error instanceof Error ? error.message : String(error));
      return;
    } finally {
      if (this.running === running) {
        this.running = undefined;
        this.startButton.disabled = false;
      }
    }
    this.show();
    announce(this.words.textContent ?? "");
    this.root.dispatchEvent(new Event("reviewed"));
  }

  /** @param {any} question @param {AbortSignal} signal */
  async #read(question, signal) {
    this.verdicts = [];
    for await (const { event, data } of stream("/review", question, signal)) {
      if (event !== "ply") continue;
      this.verdicts.push(data);
      fill(this.words, text.review.progress(this.verdicts.length, this.columns.length + 1));
      this.show({ words: false });
    }
  }

  /** Draws it anew. @param {{words?: boolean}} [options] */
  show({ words = true } = {}) {
    const { moves, ply } = this.session.state;
    const known = this.known;
    this.chart.show(known.map((verdict) => this.#point(verdict)), moves.length, ply);
    this.startButton.textContent = known.length > 1 ? text.review.again : text.review.start;
    this.startButton.disabled = Boolean(this.running) || !moves.length;
    this.root.dispatchEvent(
      new CustomEvent("judged", { detail: new Map(known.flatMap((each) => (each.judgement ? [[each.ply, each.judgement]] : []))) }),
    );
    const faults = this.faults;
    this.learnButton.hidden = !faults.length || Boolean(this.running);
    if (words && !this.running) {
      const { found: ours, foundYours, faultless, faultlessYours } = text.review;
      const one = [0, 1].filter((player) => this.session.isHuman(player)).length === 1;
      const found = faults.length ? (one ? foundYours : ours)(faults.length) : one ? faultlessYours : faultless;
      fill(this.words, known.length > 1 ? found : text.review.empty);
    }
    fill(
      this.list,
      known
        .filter((verdict) => verdict.judgement)
        .map(({ ply: at, judgement, column }) => {
          const label = text.review.fault(text.review.judgements[judgement ?? ""], at + 1, text.sides[at % 2], columnName(column ?? 0));
          return element(
            "li",
            {},
            button(label, () => this.session.jump(at), { look: `fault-link.${judgement}`, "aria-current": at === ply ? "step" : null }),
          );
        }),
    );
  }

  /** @param {Verdict} verdict @returns {import("./chart.js").Point} */
  #point(verdict) {
    const { geometry } = this.session.state;
    const { ply, score, value, judgement } = verdict;
    const position = new Position(geometry, this.columns.slice(0, ply));
    const sign = ply % 2 ? -1 : 1;
    const { outcome } = position;
    let balance = sign * (value ?? 0);
    let words = verdict.words ?? "";
    if (outcome) {
      balance = outcome.winner === null ? 0 : outcome.winner ? -1 : 1;
      words = outcome.winner === null ? text.draw : text.wins(text.sides[outcome.winner]);
    } else if (score !== null && score !== undefined) {
      const most = Math.ceil((geometry.rows * geometry.columns) / 2);
      balance = score ? sign * Math.sign(score) * (0.45 + (0.55 * Math.abs(score)) / most) : 0;
      words = text.verdict(text.sides[position.turn], score, movesToWin(position, score));
    }
    return { ply, balance: Math.max(-1, Math.min(1, balance)), words, judgement };
  }
}
