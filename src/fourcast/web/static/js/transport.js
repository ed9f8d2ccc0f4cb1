/** Watching: play, pause, one step, and how fast. */

import { button, choice, element, labelled } from "./elements.js";
import { text } from "./text.js";

const PACES = { slow: 2500, normal: 1100, fast: 400, fastest: 0 };

/** The row of buttons below the board while no person plays. */
export class Transport {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./thinking.js").Thinking} thinking
   */
  constructor(session, thinking) {
    this.session = session;
    this.thinking = thinking;
    this.pace = PACES.normal;
    /** @type {ReturnType<typeof setTimeout> | undefined} until the next stored move is shown */
    this.timer = undefined;
    this.playButton = button(text.watch.play, () => this.toggle(), { look: "main", "data-transport": "play" });
    const speed = choice(
      Object.keys(PACES).map((value) => ({ value, words: /** @type {any} */ (text.watch.speeds)[value] })),
      "normal",
      (value) => {
        this.pace = PACES[/** @type {keyof typeof PACES} */ (value)];
        this.#keepPace();
        this.#schedule();
      },
      { id: "speed" },
    );
    this.root = element(
      "div.transport",
      { role: "group", "aria-label": text.watch.transport },
      this.playButton,
      button(text.watch.step, () => this.step(), { "data-transport": "step" }),
      labelled(text.watch.speed, speed),
    );
    session.addEventListener("change", () => this.show());
    thinking.addEventListener("change", () => this.show());
    this.show();
  }

  /** Whether there is something to watch. */
  get offered() {
    return !this.session.hasHuman;
  }

  /** Whether moves come by themselves. */
  get playing() {
    return this.offered && !this.session.paused && !this.#ended;
  }

  get #ended() {
    const { session } = this;
    return session.atEnd && (Boolean(session.state.stored) || session.position.outcome !== null);
  }

  /** Plays, or pauses; at the end it starts over. */
  toggle() {
    const { session } = this;
    if (this.playing) session.paused = true;
    else {
      session.paused = false;
      if (this.#ended) session.jump(0);
    }
    this.thinking.consider();
    this.show();
  }

  /** One move, and no more. */
  step() {
    const { session } = this;
    session.paused = true;
    if (!session.atEnd) session.jump(session.state.ply + 1);
    else if (!this.#ended) this.thinking.consider({ once: true });
    this.show();
  }

  /** Draws it anew, and sees to the next move. */
  show() {
    this.root.hidden = !this.offered;
    this.playButton.textContent = this.playing ? text.watch.pause : text.watch.play;
    this.#keepPace();
    this.#schedule();
  }

  #keepPace() {
    if (this.offered) this.thinking.pace = this.pace;
    else this.thinking.pace = 420;
  }

  /** Moves that are known already come by the clock. */
  #schedule() {
    clearTimeout(this.timer);
    if (!this.playing || this.session.atEnd) return;
    this.timer = setTimeout(() => this.session.jump(this.session.state.ply + 1), Math.max(this.pace, 60));
  }
}
