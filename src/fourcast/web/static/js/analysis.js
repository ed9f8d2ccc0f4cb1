/** What the columns of a position are worth: exact scores where they can be had, else an agent's values. */

import { announce } from "./announce.js";
import { agentsOn, patiently, post, settings, wasAborted } from "./api.js";
import { choice, element, fill, labelled } from "./elements.js";
import { movesToWin } from "./game.js";
import { columnName } from "./notation.js";
import { signed, text } from "./text.js";

/**
 * @typedef {import("./game.js").Position} Position
 * @typedef {import("./api.js").Analysis} Analysis
 */

const SECONDS = { solver: 2, agent: 1 };
const LONG = 1000 * (SECONDS.solver + SECONDS.agent) + 500; // milliseconds after which something else takes its time
const MOST_KEPT = 400;

/** Answers that were had already, by question. @type {Map<string, Analysis>} */
const kept = new Map();

/**
 * The worth of every column: by the solver, or where it cannot say, by an agent that can.
 *
 * @param {{board: string, moves: string, slip: number}} question
 * @param {AbortSignal} signal
 * @param {string} [judge] - an agent to ask instead
 * @param {(seconds: number) => void} [waits] - told when the server is busy
 * @returns {Promise<Analysis>}
 */
export async function analyze(question, signal, judge = "", waits) {
  const key = JSON.stringify([question, judge]);
  const known = kept.get(key);
  if (known) return known;
  const most = (await settings()).seconds ?? Infinity;
  const ask = (/** @type {string | null} */ agent) => {
    const limit = { seconds: Math.min(agent === null ? SECONDS.solver : SECONDS.agent, most) };
    return patiently(() => post("/analyze", { ...question, agent, limit }, signal), signal, waits);
  };
  let analysis = null;
  if (!judge && !question.slip) analysis = await ask(null);
  if (!analysis?.exact) analysis = await ask(judge || (await judgeFor(question.board, question.slip)));
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
  kept.set(key, analysis);
  return analysis;
}

/**
 * An agent that has a value for every column of this board.
 *
 * @param {string} board
 * @param {number} slip
 * @returns {Promise<string>}
 */
export async function judgeFor(board, slip) {
  const { agents } = await agentsOn(board, slip);
  const wanted = slip ? ["expectimax", "mcts", "montecarlo"] : ["negamax", "alphabeta", "mcts"];
  const found = wanted.map((name) => agents.find((agent) => agent.name === name && agent.plays)).find(Boolean);
  const agent = found ?? agents.find((each) => each.plays);
  const everyColumn = agent.options.some((/** @type {any} */ option) => option.name === "values");
  return everyColumn ? `${agent.name}:values=all` : agent.name;
}

/**
 * What an analysis says of a column in words; null if nothing.
 *
 * @param {Position} position
 * @param {Analysis} analysis
 * @param {number} column
 * @returns {import("./stage.js").Worth | null}
 */
export function worthOf(position, analysis, column) {
  if (!position.legal.includes(column)) return null;
  const best = isBest(analysis, column);
  const score = analysis.scores?.[column];
  if (score !== null && score !== undefined) {
    const moves = movesToWin(position, score);
    return {
      short: text.worth.short(score),
      more: score ? text.worth.within(moves) : "",
      long: text.worth.long(score, moves) + (best ? `, ${text.analysis.bestMark}` : ""),
      tone: score > 0 ? "good" : score < 0 ? "bad" : "even",
      best,
    };
  }
  const value = analysis.values?.[column];
  if (value === null || value === undefined) return best ? bare() : null;
  return {
    short: signed(value).replace("0.", "."),
    long: text.worth.value(value) + (best ? `, ${text.analysis.bestMark}` : ""),
    tone: value > 0.06 ? "good" : value < -0.06 ? "bad" : "even",
    best,
  };
}

/** @returns {import("./stage.js").Worth} for the column of an agent that has no values */
function bare() {
  return { short: "●", long: text.analysis.bestMark, tone: "even", best: true };
}

/** @param {Analysis} analysis @param {number} column */
function isBest(analysis, column) {
  const { scores } = analysis;
  if (scores) return scores[column] === Math.max(...scores.filter((score) => score !== null).map(Number));
  return analysis.column === column;
}

/**
 * What an analysis says of the whole position.
 *
 * @param {Position} position
 * @param {Analysis} analysis
 * @returns {string}
 */
export function verdictOf(position, analysis) {
  const side = text.sides[position.turn];
  if (analysis.score !== null && analysis.score !== undefined) {
    return text.verdict(side, analysis.score, movesToWin(position, analysis.score));
  }
  return analysis.value === null ? text.analysis.best(columnName(analysis.column)) : text.estimate(side, analysis.value);
}

/** The card that shows scores, threats and the best line. */
export class AnalysisCard {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./stage.js").Stage} stage
   */
  constructor(session, stage) {
    this.session = session;
    this.stage = stage;
    this.judge = "";
    this.scores = toggle(text.analysis.scores, "scores", () => this.refresh({ aloud: true }));
    this.threats = toggle(text.analysis.threats, "threats", () => this.refresh({ aloud: true }));
    this.verdict = element("p.verdict");
    this.line = element("div.line");
    this.cells = element("span.unseen");
    this.legend = element("p.note.legend", {}, text.analysis.legend, this.cells);
    this.judges = element("div.judges");
    this.root = element(
      "section.card.analysis",
      { "aria-label": text.analysis.title },
      element(
        "div.card-head",
        {},
        element("h2", {}, text.analysis.title),
        element("div.toggles", {}, this.scores.root, this.threats.root),
      ),
      this.verdict,
      this.line,
      this.legend,
      this.judges,
    );
    session.addEventListener("change", () => this.refresh());
    this.#offerJudges();
  }

  /**
   * Asks anew what has to be shown, and gives up what was asked before.
   *
   * @param {{aloud?: boolean}} [options] - whether what is found is said to those who cannot see it
   */
  async refresh({ aloud = false } = {}) {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { session, stage } = this;
    const { position, question } = session;
    this.legend.hidden = !this.threats.on;
    this.judges.hidden = !this.scores.on;
    if (this.board !== `${question.board} ${question.slip}`) this.#offerJudges();
    stage.mark({ ghosts: [], threats: this.threats.on ? (stage.marks.threats ?? []) : [] });
    try {
      await Promise.all([this.#showThreats(asking.signal), this.#showScores(position, question, asking.signal)]);
      if (!aloud || asking.signal.aborted) return;
      const said = [this.scores.on ? this.verdict.textContent : "", this.threats.on ? this.cells.textContent : ""];
      announce(said.filter(Boolean).join(" "));
    } catch (error) {
      if (wasAborted(error)) return;
      stage.waiting = false;
      stage.showWorths(null);
      fill(this.verdict, error instanceof Error ? error.message : String(error));
      fill(this.line);
    }
  }

  /** @param {AbortSignal} signal */
  async #showThreats(signal) {
    if (!this.threats.on) return;
    const { threats } = await post("/position", this.session.question, signal);
    const shown = this.session.position.outcome ? [] : threats;
    this.stage.mark({ threats: shown });
    fill(this.cells, text.threats(shown.map(cellWords)));
  }

  /** @param {Position} position @param {any} question @param {AbortSignal} signal */
  async #showScores(position, question, signal) {
    const { stage } = this;
    if (!this.scores.on || position.outcome) {
      stage.waiting = false;
      stage.showWorths(null);
      fill(this.verdict, position.outcome ? text.analysis.over : text.analysis.hidden);
      fill(this.line);
      return;
    }
    stage.waiting = true;
    this.root.classList.add("stale");
    if (!this.line.childNodes.length) fill(this.verdict, text.analysis.waiting);
    const late = setTimeout(() => signal.aborted || fill(this.verdict, text.analysis.waitingLong), LONG);
    const busy = (/** @type {number} */ seconds) => fill(this.verdict, text.thinking.busy(seconds));
    const analysis = await analyze(question, signal, this.judge, busy).finally(() => clearTimeout(late));
    if (signal.aborted) return;
    this.root.classList.remove("stale");
    stage.waiting = false;
    stage.showWorths(position.stacks.map((_, column) => worthOf(position, analysis, column)));
    fill(
      this.verdict,
      element("b", {}, verdictOf(position, analysis)),
      " ",
      element("span.by", {}, analysis.scores ? text.analysis.exact : text.analysis.by(analysis.agent ?? this.judge)),
    );
    this.#showLine(position, analysis.pv);
    await this.#lengthenLine(position, question, analysis, signal);
  }

  /**
   * The opening book knows scores, and its lines end where it does: how they go on is asked afterwards.
   *
   * @param {Position} position
   * @param {any} question
   * @param {Analysis} analysis
   * @param {AbortSignal} signal
   */
  async #lengthenLine(position, question, analysis, signal) {
    const { pv, exact, plies_to_end: plies } = analysis;
    if (!exact || !pv.length || pv.length >= plies) return;
    const there = { ...question, moves: question.moves + pv.map(columnName).join("") };
    try {
      const rest = await analyze(there, signal);
      if (!signal.aborted && rest.exact) this.#showLine(position, [...pv, ...rest.pv]);
    } catch {
      // the line stays as long as it was
    }
  }

  /** @param {Position} position @param {number[]} pv */
  #showLine(position, pv) {
    const point = (/** @type {number} */ count) =>
      this.stage.mark({ ghosts: pv.slice(0, count).map((column) => ({ column })) });
    const steps = pv.slice(0, 24).map((column, index) =>
      element(
        `button.step.${(position.ply + index) % 2 ? "second" : "first"}`,
        {
          type: "button",
          "aria-label": `${index + 1}: ${text.column(columnName(column))}`,
          on: {
            pointerenter: () => point(index + 1),
            focus: () => point(index + 1),
            click: () => point(index + 1),
            blur: () => point(0),
          },
        },
        columnName(column),
      ),
    );
    const list = element("div.steps", { on: { pointerleave: () => point(0) } }, steps);
    fill(this.line, element("span.label", { title: text.analysis.lineHelp }, text.analysis.line), steps.length ? list : text.analysis.noLine);
  }

  async #offerJudges() {
    const { board, slip } = this.session.question;
    this.board = `${board} ${slip}`;
    const { agents } = await agentsOn(board, slip).catch(() => ({ agents: [] }));
    const able = agents.filter((agent) => agent.plays && agent.options.some((/** @type {any} */ each) => each.name === "values"));
    const values = ["", ...able.map((agent) => `${agent.name}:values=all`), ...(agents.some((each) => each.name === "mcts" && each.plays) ? ["mcts"] : [])];
    if (!values.includes(this.judge)) this.judge = "";
    const picker = choice(
      values.map((value) => ({ value, words: value || text.analysis.auto })),
      this.judge,
      (value) => {
        this.judge = value;
        this.refresh();
      },
    );
    fill(this.judges, labelled(text.analysis.judge, picker));
  }
}

/** @param {import("./board.js").Threat} threat @returns {string} */
function cellWords({ player, column, row, odd, playable }) {
  return text.threat(text.sides[player], columnName(column), row + 1, odd, playable);
}

/**
 * A switch that stays as it was left.
 *
 * @param {string} words
 * @param {string} name - under which it is kept
 * @param {() => void} change
 */
function toggle(words, name, change) {
  const input = element("input", { type: "checkbox", role: "switch", "data-toggle": name });
  input.checked = localStorage.getItem(name) === "on";
  const flip = () => {
    localStorage.setItem(name, input.checked ? "on" : "off");
    change();
  };
  input.addEventListener("change", flip);
  return {
    root: element("label.switch", {}, input, element("span", {}, words)),
    get on() {
      return input.checked;
    },
    flip() {
      input.checked = !input.checked;
      flip();
    },
  };
}
