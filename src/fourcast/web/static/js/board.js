/**
 * The board as inline SVG: a back wall, discs, and a front with holes before them, so that discs fall behind it.
 *
 * Colours are attributes, not style sheets, so that a drawing that is saved looks the same.
 */

import { shape } from "./elements.js";
import { columnName } from "./notation.js";
import { text } from "./text.js";

/**
 * @typedef {import("./game.js").Position} Position
 * @typedef {{player: 0 | 1, row: number, column: number, odd: boolean, playable: boolean}} Threat
 * @typedef {{column: number, number?: number}} Ghost - a disc of a line to come
 * @typedef {object} Marks
 * @property {Ghost[]} [ghosts] - discs to come, dropped in turn after the position's own
 * @property {Threat[]} [threats]
 * @property {number | null} [hint] - a column to point at
 * @property {number | null} [preview] - the column that a disc is held over
 * @property {{aim: number, column: number} | null} [slip] - the last disc's aim, if it fell elsewhere
 */

export const CELL = 100;
export const EDGE = 14;
const RADIUS = 41;
const HOLD = 88; // room above the board for a disc that is held over it

export const PALETTE = {
  front: "#33427c",
  frontEdge: "#26325f",
  frontShine: "#4a5c9e",
  wall: "#141b38",
  rim: "#212b55",
  won: "#ffffff",
  names: "#6b7086",
  discs: [
    { face: "#f6b436", side: "#c98410", mark: "#5a3600", name: "first" },
    { face: "#86a8ff", side: "#4d73d9", mark: "#10215c", name: "second" },
  ],
};

/** @param {import("./game.js").Geometry} geometry @returns {{width: number, height: number}} in units of the drawing */
export function drawingSize({ rows, columns }) {
  return { width: columns * CELL + 2 * EDGE, height: HOLD + rows * CELL + 2 * EDGE };
}

/**
 * A disc with its player's mark, round (0, 0).
 *
 * @param {0 | 1} player
 * @param {number} [radius]
 * @returns {SVGGElement}
 */
export function disc(player, radius = RADIUS) {
  const { face, side, mark, name } = PALETTE.discs[player];
  const [inner, arm] = [radius * 0.44, radius * 0.3];
  const sign =
    player === 0
      ? shape("path", {
          d: `M${-arm} ${-arm}L${arm} ${arm}M${-arm} ${arm}L${arm} ${-arm}`,
          stroke: mark,
          "stroke-width": radius * 0.2,
          "stroke-linecap": "round",
        })
      : shape("circle", { r: inner * 0.86, fill: "none", stroke: mark, "stroke-width": radius * 0.2 });
  return shape(
    `g.disc.${name}`,
    {},
    shape("circle", { r: radius, fill: side }),
    shape("circle", { r: radius * 0.86, cy: -radius * 0.03, fill: face }),
    shape("circle", { r: radius * 0.7, fill: "none", stroke: side, "stroke-width": radius * 0.05, opacity: 0.55 }),
    sign,
  );
}

/** A drawing of a position, which follows the game. */
export class Board {
  /** @param {import("./game.js").Geometry} geometry */
  constructor(geometry) {
    this.geometry = geometry;
    const { width, height } = drawingSize(geometry);
    this.title = shape("title");
    this.above = shape("g.above");
    this.discs = shape("g.discs");
    this.over = shape("g.over");
    this.svg = shape(
      "svg.board",
      { viewBox: `0 0 ${width} ${height}`, role: "img", xmlns: "http://www.w3.org/2000/svg" },
      this.title,
      shape("rect", { x: 4, y: HOLD + 4, width: width - 8, height: height - HOLD - 8, rx: 22, fill: PALETTE.wall }),
      this.discs,
      this.#front(width, height),
      this.above,
      this.over,
    );
    /** @type {number[]} what is drawn */
    this.drawn = [];
  }

  /** @param {number} column */
  x(column) {
    return EDGE + column * CELL + CELL / 2;
  }

  /** @param {number} row */
  y(row) {
    return HOLD + EDGE + (this.geometry.rows - 1 - row) * CELL + CELL / 2;
  }

  /**
   * Draws a position.
   *
   * @param {Position} position
   * @param {Marks} [marks]
   * @param {{falls?: boolean}} [options] - whether a disc that is new falls into its place
   */
  show(position, marks = {}, { falls = false } = {}) {
    const columns = position.columns;
    const fresh = columns.length === this.drawn.length + 1 && this.drawn.every((column, ply) => column === columns[ply]);
    this.drawn = [...columns];
    const won = new Set((position.outcome?.cells ?? []).map(String));
    const heights = this.geometry.columns ? Array(this.geometry.columns).fill(0) : [];
    const placed = columns.map((column, ply) => {
      const row = heights[column]++;
      const last = ply === columns.length - 1;
      const made = disc(/** @type {0 | 1} */ (ply % 2));
      if (won.size && !won.has(`${row},${column}`)) made.setAttribute("opacity", "0.62");
      const place = shape("g", { transform: `translate(${this.x(column)} ${this.y(row)})` }, made);
      if (last && fresh && falls) this.#fall(made, row);
      return place;
    });
    this.discs.replaceChildren(...placed);
    this.over.replaceChildren(...this.#lineMarks(position), ...this.#threatMarks(marks.ghosts?.length ? [] : (marks.threats ?? [])), ...this.#ghosts(position, marks.ghosts ?? []));
    this.above.replaceChildren(...this.#aboveMarks(position, marks));
    const { outcome, turn, ply } = position;
    const state = !outcome
      ? text.toMove(text.sides[turn])
      : outcome.winner === null
        ? text.draw
        : text.wins(text.sides[outcome.winner]);
    this.title.textContent = text.boardTitle(ply, state);
  }

  /** @param {number} width @param {number} height @returns {SVGGElement} the front, with a hole for every cell */
  #front(width, height) {
    const { rows, columns } = this.geometry;
    const [top, right, bottom, corner] = [HOLD, width, height, 26];
    let path =
      `M${corner} ${top}H${right - corner}Q${right} ${top} ${right} ${top + corner}V${bottom - corner}` +
      `Q${right} ${bottom} ${right - corner} ${bottom}H${corner}Q0 ${bottom} 0 ${bottom - corner}V${top + corner}Q0 ${top} ${corner} ${top}Z`;
    const [rims, shines] = [[], []];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const [x, y] = [this.x(column), this.y(row)];
        path += `M${x - RADIUS} ${y}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0Z`;
        rims.push(`M${x - RADIUS} ${y}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0`);
        shines.push(`M${x - 33} ${y + 30}a${RADIUS + 3.5} ${RADIUS + 3.5} 0 0 0 66 0`);
      }
    }
    return shape(
      "g.front",
      {},
      shape("path", { d: path, fill: PALETTE.front, "fill-rule": "evenodd" }),
      shape("path", { d: rims.join(""), fill: "none", stroke: PALETTE.frontEdge, "stroke-width": 5 }),
      shape("path", { d: shines.join(""), fill: "none", stroke: PALETTE.frontShine, "stroke-width": 2.5, "stroke-linecap": "round" }),
      shape("path", {
        d: `M${corner} ${top + 3}H${right - corner}`,
        stroke: PALETTE.frontShine,
        "stroke-width": 4,
        "stroke-linecap": "round",
      }),
    );
  }

  /** @param {SVGGElement} made @param {number} row */
  #fall(made, row) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const rows = this.geometry.rows - row;
    const from = -(rows * CELL + HOLD / 2 - CELL / 2 + EDGE);
    made.animate(
      [
        { transform: `translateY(${from}px)`, easing: "cubic-bezier(.45,0,.85,.6)" },
        { transform: "translateY(0)", offset: 0.78, easing: "ease-out" },
        { transform: "translateY(-9px)", offset: 0.88, easing: "ease-in" },
        { transform: "translateY(0)" },
      ],
      { duration: 190 + 38 * rows },
    );
  }

  /** @param {Position} position */
  #lineMarks(position) {
    const cells = position.outcome?.cells ?? [];
    const marks = cells.map(([row, column]) =>
      shape("circle.won", {
        cx: this.x(column),
        cy: this.y(row),
        r: RADIUS - 1,
        fill: "none",
        stroke: PALETTE.won,
        "stroke-width": 7,
      }),
    );
    const last = position.columns.at(-1);
    if (!cells.length && last !== undefined) {
      const row = position.stacks[last].length - 1;
      const at = { cx: this.x(last), cy: this.y(row), r: RADIUS + 1, fill: "none", stroke: PALETTE.won };
      marks.push(shape("circle.last", { ...at, "stroke-width": 3, opacity: 0.85 }));
    }
    return marks;
  }

  /** @param {Threat[]} threats */
  #threatMarks(threats) {
    const cells = new Map();
    for (const threat of threats) {
      const key = `${threat.row},${threat.column}`;
      cells.set(key, [...(cells.get(key) ?? []), threat]);
    }
    return [...cells.values()].flatMap((both) =>
      both.map((/** @type {Threat} */ threat, /** @type {number} */ index) => {
        const x = this.x(threat.column) + (both.length > 1 ? (index ? 19 : -19) : 0);
        const size = both.length > 1 ? 15 : 20;
        const colour = PALETTE.discs[threat.player].face;
        const d = threat.odd
          ? `M0 ${-size}L${size} ${size * 0.8}H${-size}Z`
          : `M${-size * 0.85} ${-size * 0.85}H${size * 0.85}V${size * 0.85}H${-size * 0.85}Z`;
        return shape("path.threat", {
          d,
          transform: `translate(${x} ${this.y(threat.row)})`,
          fill: threat.playable ? colour : "none",
          stroke: colour,
          "stroke-width": 6,
          "stroke-linejoin": "round",
        });
      }),
    );
  }

  /** @param {Position} position @param {Ghost[]} ghosts */
  #ghosts(position, ghosts) {
    const heights = position.stacks.map((stack) => stack.length);
    return ghosts.map((ghost, index) => {
      const player = /** @type {0 | 1} */ ((position.ply + index) % 2);
      const row = heights[ghost.column]++;
      const { face, mark } = PALETTE.discs[player];
      return shape(
        "g.ghost",
        { transform: `translate(${this.x(ghost.column)} ${this.y(row)})` },
        shape("circle", { r: RADIUS - 4, fill: face, opacity: 0.82, stroke: face, "stroke-width": 3, "stroke-dasharray": "9 7" }),
        shape(
          "text",
          { "text-anchor": "middle", y: 13, "font-size": 38, "font-weight": 700, fill: mark, "font-family": "sans-serif" },
          index + 1,
        ),
      );
    });
  }

  /** @param {Position} position @param {Marks} marks */
  #aboveMarks(position, { hint = null, preview = null, slip = null }) {
    const made = [];
    const y = HOLD / 2 - 2;
    if (slip) {
      const player = /** @type {0 | 1} */ ((position.ply + 1) % 2);
      const [from, to] = [this.x(slip.aim), this.x(slip.column)];
      const way = Math.sign(to - from);
      const colour = "currentColor";
      made.push(
        shape("circle.aimed", { cx: from, cy: y, r: 26, fill: "none", stroke: PALETTE.discs[player].side, "stroke-width": 6, "stroke-dasharray": "8 7" }),
        shape("path.slip", {
          d: `M${from + way * 32} ${y}H${to - way * 8}M${to - way * 26} ${y - 14}L${to - way * 6} ${y}L${to - way * 26} ${y + 14}`,
          fill: "none",
          stroke: colour,
          "stroke-width": 6,
          "stroke-linecap": "round",
          "stroke-linejoin": "round",
        }),
      );
    }
    if (preview !== null && !position.outcome) {
      const held = disc(position.turn);
      made.push(shape("g.preview", { transform: `translate(${this.x(preview)} ${y})` }, held));
      if (position.open.includes(preview)) {
        const at = { cx: this.x(preview), cy: this.y(position.landingRow(preview)), r: RADIUS - 6, fill: "none" };
        made.push(
          shape("circle.landing", { ...at, stroke: PALETTE.discs[position.turn].face, "stroke-width": 4, "stroke-dasharray": "6 9", opacity: 0.8 }),
        );
      }
    }
    if (hint !== null && hint !== preview) {
      made.push(
        shape("path.hint", {
          d: "M-24 -20H24L0 24Z",
          transform: `translate(${this.x(hint)} ${y})`,
          fill: PALETTE.discs[position.turn].face,
          stroke: PALETTE.discs[position.turn].mark,
          "stroke-width": 5,
          "stroke-linejoin": "round",
        }),
      );
    }
    return made;
  }
}

/**
 * A drawing to save: the board with its column names, as a file's text.
 *
 * @param {Position} position
 * @returns {string}
 */
export function boardFile(position) {
  const board = new Board(position.geometry);
  board.show(position);
  const { width, height } = drawingSize(position.geometry);
  const below = 44;
  board.svg.setAttribute("viewBox", `0 ${HOLD - 12} ${width} ${height - HOLD + 12 + below}`);
  board.svg.setAttribute("width", String(Math.round(width / 2)));
  board.svg.setAttribute("height", String(Math.round((height - HOLD + 12 + below) / 2)));
  for (let column = 0; column < position.geometry.columns; column += 1) {
    board.svg.append(
      shape(
        "text",
        { x: board.x(column), y: height + 34, "text-anchor": "middle", "font-size": 30, "font-family": "sans-serif", fill: PALETTE.names },
        columnName(column),
      ),
    );
  }
  return new XMLSerializer().serializeToString(board.svg);
}
