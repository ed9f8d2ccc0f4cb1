/** The balance of a game, move by move, drawn as a curve: above the middle the first player is ahead. */

import { PALETTE } from "./board.js";
import { element, fill, shape } from "./elements.js";
import { text } from "./text.js";

/**
 * @typedef {object} Point
 * @property {number} ply
 * @property {number} balance - from -1 (the second player has won) to 1 (the first has)
 * @property {string} words
 * @property {string | null} judgement - of the move that was made there
 */

const [WIDTH, HEIGHT, SIDE] = [320, 128, 10];

/** The curve, its marks, and a slider below that moves through the game. */
export class Chart {
  /** @param {(ply: number) => void} jump - told which ply to show */
  constructor(jump) {
    this.jump = jump;
    this.svg = shape("svg.chart", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text.review.chart });
    this.slider = element("input.plies", {
      type: "range",
      min: 0,
      value: 0,
      "aria-label": text.review.ply,
      on: { input: (/** @type {any} */ event) => jump(Number(event.target.value)) },
    });
    this.svg.addEventListener("click", (/** @type {MouseEvent} */ event) => this.#click(event));
    this.root = element(
      "div.chart-box",
      {},
      element("span.pole.first", { "aria-hidden": "true" }, text.review.ahead(text.sides[0])),
      this.svg,
      element("span.pole.second", { "aria-hidden": "true" }, text.review.ahead(text.sides[1])),
      this.slider,
    );
    this.last = 1;
  }

  /**
   * @param {Point[]} points - those that are known
   * @param {number} last - the last ply of the game
   * @param {number} ply - the one that is shown
   */
  show(points, last, ply) {
    this.last = Math.max(last, 1);
    this.slider.max = String(last);
    this.slider.value = String(ply);
    this.slider.disabled = !last;
    const here = points.find((point) => point.ply === ply);
    this.slider.setAttribute("aria-valuetext", text.review.at(ply, here?.words ?? ""));
    const middle = HEIGHT / 2;
    const at = points.map((point) => ({ ...point, x: this.#x(point.ply), y: middle - point.balance * (middle - 20) }));
    const line = at.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const area = at.length ? `${line}L${at[at.length - 1].x} ${middle}L${at[0].x} ${middle}Z` : "";
    fill(
      this.svg,
      shape("clipPath", { id: "chart-above" }, shape("rect", { x: 0, y: 0, width: WIDTH, height: middle })),
      shape("clipPath", { id: "chart-below" }, shape("rect", { x: 0, y: middle, width: WIDTH, height: middle })),
      shape("path", { d: area, fill: PALETTE.discs[0].face, "clip-path": "url(#chart-above)", opacity: 0.75 }),
      shape("path", { d: area, fill: PALETTE.discs[1].face, "clip-path": "url(#chart-below)", opacity: 0.75 }),
      shape("path.middle", { d: `M${SIDE} ${middle}H${WIDTH - SIDE}` }),
      shape("path.now", { d: `M${this.#x(ply)} 4V${HEIGHT - 4}` }),
      shape("path.curve", { d: line }),
      at.filter((point) => point.judgement).map((point) => this.#fault(point)),
    );
  }

  /** @param {Point & {x: number, y: number}} point */
  #fault({ x, y, ply, judgement }) {
    const above = y <= HEIGHT / 2;
    return shape(
      `g.fault.${judgement}`,
      { "data-ply": ply, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      shape("circle", { r: 5.5 }),
      shape("text", { y: above ? -9 : 18, "text-anchor": "middle" }, text.review.marks[judgement ?? ""] ?? ""),
    );
  }

  /** @param {number} ply */
  #x(ply) {
    return SIDE + (ply / this.last) * (WIDTH - 2 * SIDE);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const fault = /** @type {Element} */ (event.target).closest(".fault");
    if (fault instanceof SVGElement) {
      this.jump(Number(fault.dataset.ply));
      return;
    }
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    this.jump(Math.round(((x - SIDE) / (WIDTH - 2 * SIDE)) * this.last));
  }
}
