/** How boards, moves, limits and positions are written. */

/** @typedef {import("./game.js").Geometry} Geometry */

const NAMES = "123456789abcdefghijklmnopqrstuvwxyz";
const UNITS = { ms: 0.001, s: 1, min: 60 };

/** @param {number} column @returns {string} what players call it: 0 is "1", 9 is "a" */
export function columnName(column) {
  return NAMES[column] ?? String(column + 1);
}

/** @param {string} name @returns {number} the column of that name, -1 if there is none */
export function columnNamed(name) {
  return name.length === 1 ? NAMES.indexOf(name.toLowerCase()) : -1;
}

/** @param {readonly number[]} columns @returns {string} */
export function movesText(columns) {
  return columns.map(columnName).join("");
}

/**
 * The columns that a move string names, up to the first that is none of this board.
 *
 * @param {string} text
 * @param {Geometry} geometry
 * @returns {number[]}
 */
export function readMoves(text, geometry) {
  const columns = [];
  for (const character of text.replace(/\s/g, "")) {
    const column = columnNamed(character);
    if (column < 0 || column >= geometry.columns) break;
    columns.push(column);
  }
  return columns;
}

/** @param {Geometry} geometry @returns {string} like 6x7x4 */
export function boardName({ rows, columns, connect }) {
  return `${rows}x${columns}x${connect}`;
}

/** @param {string} text @returns {Geometry | null} null if it is no board */
export function readBoard(text) {
  const written = /^\s*(\d{1,3})x(\d{1,3})x(\d{1,3})\s*$/i.exec(text);
  if (!written) return null;
  const [rows, columns, connect] = written.slice(1).map(Number);
  return { rows, columns, connect };
}

/**
 * A limit as it is typed (`500ms`, `depth=6`, `1s,nodes=1000`), as the server takes it.
 *
 * @param {string} text
 * @returns {Record<string, number> | null} null if it cannot be read
 */
export function readLimit(text) {
  /** @type {Record<string, number>} */
  const limit = {};
  for (const part of text.split(",")) {
    const timed = /^\s*(\d*\.?\d+)(ms|s|min)\s*$/i.exec(part);
    const counted = /^\s*(depth|nodes|simulations)\s*=\s*(\d+)\s*$/.exec(part);
    const seconds = /^\s*seconds\s*=\s*(\d*\.?\d+)\s*$/.exec(part);
    if (timed) limit.seconds = Number(timed[1]) * UNITS[/** @type {"s"} */ (timed[2].toLowerCase())];
    else if (seconds) limit.seconds = Number(seconds[1]);
    else if (counted) limit[counted[1]] = Number(counted[2]);
    else return null;
  }
  return Object.values(limit).every((amount) => amount > 0) ? limit : null;
}

/** @param {Record<string, number | null> | null | undefined} limit @returns {string} what `readLimit` reads back */
export function limitText(limit) {
  return Object.entries(limit ?? {})
    .filter(([, amount]) => amount)
    .map(([name, amount]) => (name === "seconds" ? `${amount}s` : `${name}=${amount}`))
    .join(",");
}

/** @param {import("./game.js").Position} position @returns {string} the board as text, X first and O second */
export function boardText(position) {
  const { rows, columns } = position.geometry;
  const across = Array.from({ length: columns }, (_, column) => column);
  const lines = [];
  for (let row = rows - 1; row >= 0; row -= 1) {
    const cells = across.map((column) => "XO"[position.owner(row, column) ?? 2] ?? ".");
    lines.push(` | ${cells.join(" ")} |`);
  }
  lines.push(` +${"-".repeat(2 * columns + 1)}+`, `   ${across.map(columnName).join(" ")}`);
  return lines.join("\n");
}
