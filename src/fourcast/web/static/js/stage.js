/**
 * The board with what belongs to it: scores above, a button over every column, names below.
 *
 * The buttons are real ones: they can be tabbed to, and a screen reader says what is in the column and, when
 * scores are shown, what it is worth.
 */

import { Board, drawingSize } from "./board.js";
import { element, fill } from "./elements.js";
import { columnName } from "./notation.js";
import { text } from "./text.js";

/**
 * @typedef {object} Worth - what a column is worth, in words
 * @property {string} short - a word or a number
 * @property {string} [more] - below it
 * @property {string} long - for the button's label
 * @property {"good" | "even" | "bad"} tone
 * @property {boolean} best
 */

/** The board's place on the page. */
export class Stage {
  /**
   * @param {(column: number) => void} choose - told which column was clicked
   * @param {{small?: boolean}} [options]
   */
  constructor(choose, { small = false } = {}) {
    this.choose = choose;
    /** @type {import("./board.js").Marks} */
    this.marks = {};
    this.hovered = /** @type {number | null} */ (null);
    this.enabled = false;
    this.active = 0; // the column that Tab and the arrows know
    this.scores = element("div.scores", { "aria-hidden": "true" });
    this.columns = element("div.columns", { role: "group", "aria-label": text.columns });
    this.names = element("div.names", { "aria-hidden": "true" });
    this.frame = element("div.frame");
    this.root = element(small ? "div.stage.small" : "div.stage", {}, small ? null : this.scores, this.frame, this.names);
    this.columns.addEventListener("pointerleave", () => this.#hover(null));
    this.columns.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#arrow(event));
  }

  /**
   * Draws a position.
   *
   * @param {import("./game.js").Position} position
   * @param {{falls?: boolean, enabled?: boolean}} [options] - whether a new disc falls; whether columns can be chosen
   */
  show(position, { falls = false, enabled = false } = {}) {
    this.position = position;
    if (this.board?.geometry !== position.geometry) this.#lay(position.geometry);
    this.enabled = enabled;
    this.root.classList.toggle("waits", !enabled);
    this.root.dataset.turn = String(position.turn);
    this.draw({ falls });
    this.#label();
  }

  /** @param {Partial<import("./board.js").Marks>} marks - what is drawn with the position from now on */
  mark(marks) {
    this.marks = { ...this.marks, ...marks };
    this.draw();
  }

  /** @param {{falls?: boolean}} [options] */
  draw(options) {
    if (!this.position) return;
    const held = this.enabled && this.hovered !== null && this.position.open.includes(this.hovered) ? this.hovered : null;
    this.board?.show(this.position, { ...this.marks, preview: held }, options);
  }

  /** @param {(Worth | null)[] | null} worths - by column; null shows none */
  showWorths(worths) {
    this.worths = worths;
    fill(
      this.scores,
      this.buttons.map((_, column) => {
        const worth = worths?.[column];
        if (!worth) return element("span.score");
        return element(
          `span.score.${worth.tone}${worth.best ? ".best" : ""}`,
          { title: worth.long },
          element("b", {}, worth.short),
          element("i", {}, worth.more ?? ""),
        );
      }),
    );
    this.#label();
  }

  /** @param {boolean} busy - whether scores are being looked for */
  set waiting(busy) {
    this.scores.classList.toggle("waiting", busy);
  }

  /** Puts the keyboard on the column that was last chosen. */
  focus() {
    this.buttons[this.active]?.focus();
  }

  /** @param {import("./game.js").Geometry} geometry */
  #lay(geometry) {
    this.board = new Board(geometry);
    this.active = Math.floor((geometry.columns - 1) / 2);
    this.hovered = null;
    const { width, height } = drawingSize(geometry);
    this.root.style.setProperty("--columns", String(geometry.columns));
    this.root.style.setProperty("--ratio", String(width / height));
    this.root.classList.toggle("wide", geometry.columns > 9);
    /** @type {HTMLButtonElement[]} */
    this.buttons = Array.from({ length: geometry.columns }, (_, column) =>
      element("button.column", {
        type: "button",
        "data-column": column,
        on: {
          click: () => this.choose(column),
          pointerenter: (/** @type {PointerEvent} */ event) => event.pointerType !== "touch" && this.#hover(column),
          focus: () => {
            this.active = column;
            this.#rove();
            if (this.buttons[column].matches(":focus-visible")) this.#hover(column);
          },
          blur: () => this.#hover(null),
        },
      }),
    );
    fill(this.columns, this.buttons);
    fill(this.frame, this.board.svg, this.columns);
    fill(this.names, this.buttons.map((_, column) => element("span", {}, columnName(column))));
    this.#rove();
    this.showWorths(null);
  }

  #rove() {
    this.buttons.forEach((button, column) => button.setAttribute("tabindex", column === this.active ? "0" : "-1"));
  }

  /** @param {number | null} column */
  #hover(column) {
    if (this.hovered === column) return;
    this.hovered = column;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const count = this.buttons.length;
    this.buttons[(this.active + step + count) % count].focus();
  }

  #label() {
    if (!this.position) return;
    const { rows } = this.position.geometry;
    this.buttons.forEach((button, column) => {
      const free = rows - this.position.stacks[column].length;
      button.setAttribute("aria-label", text.columnLabel(columnName(column), free, this.worths?.[column]?.long));
      button.setAttribute("aria-disabled", String(!this.enabled || !free));
    });
  }
}
