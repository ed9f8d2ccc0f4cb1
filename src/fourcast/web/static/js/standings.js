/** The tables of a tournament: standings with ratings and their intervals, and who took how much from whom. */

import { element, shape } from "./elements.js";
import { signed, text } from "./text.js";

const [WIDTH, HEIGHT] = [180, 22];

/**
 * @typedef {{wins: number, draws: number, losses: number}} Tally
 * @typedef {{name: string, rank: number, points: number, games: number, share: number | null, first: Tally, second: Tally}} Standing
 * @typedef {{name: string, elo: number, interval: (number | null)[], unbounded: "above" | "below" | null}} Rating - `unbounded`
 *     if it took every point or none: how far it stands off is a guess
 */

/**
 * The standings, with a rating beside each agent.
 *
 * @param {Standing[]} agents
 * @param {Rating[]} ratings
 * @returns {HTMLElement}
 */
export function standingsTable(agents, ratings) {
  const { heads } = text.leaderboard;
  const scale = scaleOf(ratings);
  const named = new Map(ratings.map((rating) => [rating.name, rating]));
  const columns = [heads.rank, heads.agent, heads.elo, heads.interval, heads.points, heads.games, heads.share, heads.first, heads.second];
  return element(
    "table.standings",
    {},
    element("thead", {}, element("tr", {}, columns.map((head) => element("th", { scope: "col" }, head)))),
    element(
      "tbody",
      {},
      agents.map((agent) => {
        const rating = named.get(agent.name);
        return element(
          "tr",
          {},
          element("td.number", {}, agent.rank),
          element("th", { scope: "row" }, agent.name),
          element("td.number", {}, rating ? eloText(rating) : "–"),
          element("td", {}, rating ? whisker(rating, scale) : "–"),
          element("td.number", {}, agent.points),
          element("td.number", {}, agent.games),
          element("td.number", {}, agent.share === null ? "–" : `${(100 * agent.share).toFixed(0)}%`),
          element("td.number", {}, tallyText(agent.first)),
          element("td.number", {}, tallyText(agent.second)),
        );
      }),
    ),
  );
}

/**
 * Who took how much from whom.
 *
 * @param {string[]} names - in the order of rows and columns
 * @param {(number | null)[][]} points
 * @returns {HTMLElement}
 */
export function crosstable(names, points) {
  return element(
    "table.crosstable",
    {},
    element(
      "thead",
      {},
      element("tr", {}, element("th", { scope: "col" }, text.leaderboard.heads.agent), names.map((name, index) => element("th", { scope: "col", title: name, "aria-label": name }, index + 1))),
    ),
    element(
      "tbody",
      {},
      names.map((name, row) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, `${row + 1}. ${name}`),
          names.map((_, column) => crossCell(points[row][column], points[column][row], row === column)),
        ),
      ),
    ),
  );
}

/** @param {number | null} taken @param {number | null} given @param {boolean} self */
function crossCell(taken, given, self) {
  if (self || taken === null) return element(self ? "td.self" : "td.number", {}, self ? "" : "–");
  const all = taken + (given ?? 0);
  const step = all ? Math.round((4 * taken) / all) : 2; // five shades from lost to won
  return element(`td.number.share-${step}`, {}, taken);
}

/** @param {Rating} rating */
function eloText({ elo, unbounded }) {
  const before = unbounded === "above" ? ">" : unbounded === "below" ? "<" : "";
  return element("span", { title: before ? text.leaderboard.unbounded : null }, `${before}${signed(elo, 0)}`);
}

/** @param {Tally} tally */
function tallyText({ wins, draws, losses }) {
  return element("span", { title: text.leaderboard.record }, `${wins}–${draws}–${losses}`);
}

/** @param {Rating[]} ratings @returns {[number, number]} from the lowest to the highest that is drawn */
function scaleOf(ratings) {
  const ends = ratings.flatMap(({ elo, interval }) => [elo, ...interval.filter((end) => end !== null).map(Number)]);
  if (!ends.length) return [-1, 1];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return high > low ? [low, high] : [low - 1, high + 1];
}

/** @param {Rating} rating @param {[number, number]} scale @returns {SVGElement} */
function whisker({ elo, interval }, [least, most]) {
  const x = (/** @type {number} */ value) => 8 + ((value - least) / (most - least)) * (WIDTH - 16);
  const [low, high] = [interval[0] ?? least, interval[1] ?? most];
  const words = text.leaderboard.rating(signed(elo, 0), interval[0] === null ? "−∞" : signed(low, 0), interval[1] === null ? "∞" : signed(high, 0));
  const middle = HEIGHT / 2;
  return shape(
    "svg.whisker",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
    shape("title", {}, words),
    shape("path.axis", { d: `M0 ${middle}H${WIDTH}` }),
    least < 0 && most > 0 ? shape("path.zero", { d: `M${x(0)} 2V${HEIGHT - 2}` }) : null,
    shape("path.range", { d: `M${x(low)} ${middle}H${x(high)}M${x(low)} 6V${HEIGHT - 6}M${x(high)} 6V${HEIGHT - 6}` }),
    shape("circle.point", { cx: x(elo), cy: middle, r: 4.5 }),
  );
}
