/** Agents at the board: asks the server for their moves, shows how far the search has come, and stops it. */

import { ApiError, patiently, pause, post, stream, wasAborted } from "./api.js";
import { button, element, fill } from "./elements.js";
import { readLimit } from "./notation.js";
import { duration, shortNumber, text } from "./text.js";

const SETTLE = 420; // milliseconds in which the disc before has fallen

/** Moves for the agents of a session. */
export class Thinking extends EventTarget {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    super();
    this.session = session;
    /** The least time between two moves, in milliseconds. */
    this.pace = SETTLE;
    /** @type {AbortController | null} the search that runs */
    this.running = null;
    this.id = "";
    this.error = "";
    this.figures = ["depth", "nodes", "rate", "time"].map((name) => ({
      name,
      value: element("dd", { "data-figure": name }, "–"),
    }));
    this.agentName = element("span.thinker");
    this.stopButton = button(text.controls.stop, () => this.stop(), { look: "quiet", disabled: true });
    this.root = element(
      "section.card.thinking",
      { "aria-label": text.thinking.title },
      element("div.card-head", {}, element("h2", {}, text.thinking.title), this.agentName, this.stopButton),
      element(
        "dl.figures",
        {},
        this.figures.map(({ name, value }) =>
          element("div", {}, element("dt", {}, /** @type {any} */ (text.thinking)[name]), value),
        ),
      ),
    );
    session.addEventListener("change", () => {
      this.#offer();
      this.consider();
    });
    this.#offer();
  }

  /** There is nothing to see where no agent plays. */
  #offer() {
    this.root.hidden = Boolean(this.session.state.stored) || [0, 1].every((player) => this.session.isHuman(player));
  }

  /** Whether an agent thinks. */
  get busy() {
    return this.running !== null;
  }

  /**
   * Gives up what is searched, and lets the agent move whose turn it is.
   *
   * @param {{once?: boolean}} [options] - `once` lets it move although the game is paused
   */
  consider({ once = false } = {}) {
    this.running?.abort();
    this.running = null;
    this.error = "";
    const { session } = this;
    const due = session.atEnd && !session.state.stored && !session.position.outcome && !session.humanToMove;
    if (due && (once || !session.paused)) this.#move();
    else this.#show(null);
  }

  /** Stops the search; the agent plays the best it has found. */
  async stop() {
    if (!this.running || !this.id) return;
    this.stopButton.disabled = true;
    await post("/stop", { id: this.id }).catch(() => this.running?.abort());
  }

  async #move() {
    const { session } = this;
    const search = new AbortController();
    this.running = search;
    const player = session.position.turn;
    const agent = session.state.players[player];
    const question = { ...session.question, agent, limit: readLimit(session.state.limits[player]) ?? {} };
    const begun = performance.now();
    this.#show({ seconds: 0 }, agent);
    this.dispatchEvent(new Event("change"));
    try {
      const busy = (/** @type {number} */ seconds) =>
        this.dispatchEvent(new CustomEvent("busy", { detail: text.thinking.busy(seconds) }));
      const analysis = await patiently(() => this.#analyze(question, search.signal), search.signal, busy);
      await pause(this.pace - (performance.now() - begun), search.signal);
      if (this.running !== search) return;
      this.running = null;
      this.#show(analysis, agent);
      this.dispatchEvent(new CustomEvent("analysis", { detail: { analysis, question } }));
      session.drop(analysis.column, "agent");
    } catch (error) {
      if (wasAborted(error) || this.running !== search) return;
      this.running = null;
      this.error = error instanceof ApiError ? text.errors.agent(error.message) : String(error);
      this.#show(null);
      this.dispatchEvent(new Event("change"));
    }
  }

  /**
   * @param {object} question
   * @param {AbortSignal} signal
   * @returns {Promise<import("./api.js").Analysis>}
   */
  async #analyze(question, signal) {
    for await (const { event, data } of stream("/analyze/stream", question, signal)) {
      if (event === "begun") {
        this.id = data.id;
        this.stopButton.disabled = false;
      } else if (event === "progress") this.#show(data, /** @type {any} */ (question).agent);
      else if (event === "analysis") return data;
    }
    throw new ApiError(0, "Unreachable", text.errors.network);
  }

  /** @param {any} progress - null keeps the figures of the last search @param {string} [agent] */
  #show(progress, agent) {
    this.root.classList.toggle("running", this.busy);
    if (!this.busy) {
      this.stopButton.disabled = true;
      this.id = "";
    }
    if (agent !== undefined) fill(this.agentName, agent);
    if (!progress) return;
    if (progress.preparing || progress.waiting) {
      const words = progress.preparing ? text.thinking.preparing : text.thinking.waiting;
      this.dispatchEvent(new CustomEvent("busy", { detail: words }));
      return;
    }
    const { depth, nodes, simulations, seconds } = progress;
    const count = nodes || simulations || null;
    const rate = progress.nodes_per_second ?? (seconds ? (count ?? 0) / seconds : null);
    const shown = {
      depth: depth ? String(depth) : "–",
      nodes: shortNumber(count),
      rate: rate ? shortNumber(rate) : "–",
      time: duration(seconds),
    };
    for (const { name, value } of this.figures) value.textContent = /** @type {any} */ (shown)[name];
  }
}
