/**
 * The rules: boards of any size, positions, lines, and where a disc lands that may slip.
 *
 * Columns and rows are 0-based here; row 0 is at the bottom. Player 0 moves first.
 */

/**
 * @typedef {{rows: number, columns: number, connect: number}} Geometry
 * @typedef {{winner: 0 | 1 | null, cells: [number, number][]}} Outcome - cells are [row, column]
 * @typedef {{aim: number, column: number}} Move - where a disc was meant to go, and where it fell
 */

export const STANDARD = Object.freeze({ rows: 6, columns: 7, connect: 4 });
export const MOST_BITS = 128;
export const MOST_COLUMNS = 35;
export const LEAST_CONNECT = 3;

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** A position, which never changes: `play` gives the next one. */
export class Position {
  /**
   * @param {Geometry} geometry
   * @param {readonly number[]} [columns] - the columns played so far; each must be open
   */
  constructor(geometry, columns = []) {
    this.geometry = geometry;
    this.columns = columns;
    /** @type {(0 | 1)[][]} by column, from the bottom up */
    this.stacks = Array.from({ length: geometry.columns }, () => []);
    columns.forEach((column, ply) => this.stacks[column].push(/** @type {0 | 1} */ (ply % 2)));
  }

  /** How many discs have been dropped. */
  get ply() {
    return this.columns.length;
  }

  /** Who moves next: 0 or 1. @returns {0 | 1} */
  get turn() {
    return /** @type {0 | 1} */ (this.ply % 2);
  }

  /** The columns that can be played; none once the game is over. @returns {number[]} */
  get legal() {
    if (this.outcome) return [];
    return this.open;
  }

  /** The columns with room in them. @returns {number[]} */
  get open() {
    return this.stacks.flatMap((stack, column) => (stack.length < this.geometry.rows ? [column] : []));
  }

  /**
   * Whose disc is in a cell; null for none.
   *
   * @param {number} row
   * @param {number} column
   * @returns {0 | 1 | null}
   */
  owner(row, column) {
    return this.stacks[column]?.[row] ?? null;
  }

  /** @param {number} column @returns {number} the row that a disc dropped there comes to lie in */
  landingRow(column) {
    return this.stacks[column].length;
  }

  /** @param {number} column @returns {Position} */
  play(column) {
    return new Position(this.geometry, [...this.columns, column]);
  }

  /** How the game ended; null while it goes on. @returns {Outcome | null} */
  get outcome() {
    if (this.found === undefined) this.found = this.#findOutcome();
    return this.found;
  }

  /** @returns {Outcome | null} */
  #findOutcome() {
    const last = this.columns.at(-1);
    if (last !== undefined) {
      const cells = this.#linesThrough(this.stacks[last].length - 1, last);
      if (cells.length) return { winner: /** @type {0 | 1} */ ((this.ply - 1) % 2), cells };
    }
    return this.open.length ? null : { winner: null, cells: [] };
  }

  /**
   * The cells of all lines that hold this cell's disc.
   *
   * @param {number} row
   * @param {number} column
   * @returns {[number, number][]}
   */
  #linesThrough(row, column) {
    const owner = this.owner(row, column);
    /** @type {Map<string, [number, number]>} */
    const cells = new Map();
    for (const [up, right] of DIRECTIONS) {
      /** @type {[number, number][]} */
      const run = [[row, column]];
      for (const way of [1, -1]) {
        let [r, c] = [row + way * up, column + way * right];
        while (r >= 0 && this.owner(r, c) === owner) {
          run.push([r, c]);
          [r, c] = [r + way * up, c + way * right];
        }
      }
      if (run.length >= this.geometry.connect) for (const cell of run) cells.set(cell.join(), cell);
    }
    return [...cells.values()];
  }
}

/**
 * What is wrong with a board, as a key of `text.boardErrors`; null if it can be played.
 *
 * @param {Geometry} geometry
 * @param {number} [mostCells] - the largest board that is served
 * @returns {string | null}
 */
export function boardError({ rows, columns, connect }, mostCells = Infinity) {
  if (![rows, columns, connect].every((number) => Number.isInteger(number) && number > 0)) return "numbers";
  if (connect < LEAST_CONNECT) return "short";
  if (connect > Math.max(rows, columns)) return "long";
  if (columns > MOST_COLUMNS) return "wide";
  if (columns * (rows + 1) > MOST_BITS || rows * columns > mostCells) return "large";
  return null;
}

/**
 * Where a disc lands: where it was aimed, or with chance `slip` in one of the other open columns, each
 * equally likely. With one open column left, no disc slips.
 *
 * @param {Position} position
 * @param {number} aim
 * @param {number} slip
 * @param {() => number} [random] - numbers in [0, 1)
 * @returns {number}
 */
export function land(position, aim, slip, random = Math.random) {
  const others = position.open.filter((column) => column !== aim);
  if (!slip || !others.length) return aim;
  const chance = random();
  if (chance >= slip) return aim;
  return others[Math.min(Math.floor((chance / slip) * others.length), others.length - 1)];
}

/**
 * The columns as far as they can be played one after the other; what follows a wrong one is left out.
 *
 * @param {Geometry} geometry
 * @param {number[]} columns
 * @returns {number[]}
 */
export function playable(geometry, columns) {
  let position = new Position(geometry);
  for (const column of columns) {
    if (!position.legal.includes(column)) break;
    position = position.play(column);
  }
  return [...position.columns];
}

/**
 * How many more discs an exact score says will be dropped.
 *
 * @param {Position} position
 * @param {number} score - from the side to move
 * @returns {number}
 */
export function pliesToEnd(position, score) {
  const { geometry, ply, turn } = position;
  const cells = geometry.rows * geometry.columns;
  if (score === 0) return cells - ply;
  const winner = score > 0 ? turn : 1 - turn;
  const own = Math.floor((cells + 1 - winner) / 2);
  return 2 * (own - Math.abs(score)) + winner + 1 - ply;
}

/**
 * In how many moves of the winner an exact score ends the game; 0 for a draw.
 *
 * @param {Position} position
 * @param {number} score - from the side to move
 * @returns {number}
 */
export function movesToWin(position, score) {
  return score === 0 ? 0 : Math.ceil(pliesToEnd(position, score) / 2);
}
