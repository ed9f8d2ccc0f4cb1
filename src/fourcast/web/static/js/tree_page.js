/** The page for teaching: two searches on one position, their trees and their figures side by side. */

import { addressText, readAddress } from "./address.js";
import { chooseAgent } from "./agent_dialog.js";
import { agentsOn, patiently, settings, stream, wasAborted } from "./api.js";
import { breakable, button, choice, element, fill, labelled } from "./elements.js";
import { Position, playable } from "./game.js";
import { putHeader } from "./header.js";
import { listenToKeys } from "./keys.js";
import { boardName, columnName, movesText, readMoves } from "./notation.js";
import { Stage } from "./stage.js";
import { duration, number, signed, text } from "./text.js";
import { TreeView } from "./tree_view.js";

/** Searches to begin with, by the agent's name. @type {Record<string, string>} */
const OFFERED = {
  alphabeta: "alphabeta:depth=4",
  minimax: "minimax:depth=4",
  negamax: "negamax:depth=5",
  mcts: "mcts:simulations=1000",
  expectimax: "expectimax:depth=3",
};
const OTHER = "other agent";
const SECONDS = 5;

const followLinks = putHeader("tree");
const say = text.tree;
const stage = new Stage(drop, { small: true });
const movesField = element("input", { spellcheck: "false", autocomplete: "off", name: "moves" });
const searchButton = button(say.search, search, { look: "main", "data-action": "search" });
const compared = element("div.compared");
const panes = [pane(0), pane(1)];
const pickers = [element("div.picker"), element("div.picker")];
let state = readState();
let position = new Position(state.geometry, state.columns);
/** @type {AbortController | undefined} */
let running;

const plies = choice(
  [1, 2, 3, 4, 5, 6].map((value) => ({ value: String(value), words: String(value) })),
  String(state.plies),
  (value) => change({ plies: Number(value) }),
);
document.querySelector("#main")?.replaceChildren(
  element("div.page-head", {}, element("h1", {}, say.title), element("p.note", {}, say.intro)),
  element(
    "div.tree-setting",
    {},
    element("section.card.tree-position", { "aria-label": say.position }, stage.root),
    element(
      "section.card.tree-ask",
      { "aria-label": say.search },
      element("form.set-up", { on: { submit: setUp } }, labelled(say.position, movesField, say.positionHelp), button(text.controls.undo, undo)),
      element("div.row", {}, ...pickers, labelled(say.plies, plies)),
      searchButton,
      compared,
    ),
  ),
  element("div.panes", {}, panes.map((each) => each.root)),
  legend(),
);
listenToKeys({ drop, columns: () => state.geometry.columns, named: { u: undo } });
addEventListener("popstate", () => {
  state = readState();
  begin();
});
begin();

/** Shows what the address says, and has it searched. */
function begin() {
  show();
  offerAgents().then(search, (error) => panes[0].say(error instanceof Error ? error.message : String(error)));
}

/** @returns {any} what the address says */
function readState() {
  const query = new URLSearchParams(location.search);
  const game = readAddress(query);
  return {
    geometry: game.geometry,
    slip: game.slip,
    columns: game.moves.slice(0, game.ply).map((move) => move.column),
    agents: [query.get("agent") || (game.slip ? OFFERED.expectimax : OFFERED.alphabeta), query.get("other") ?? (game.slip ? OFFERED.mcts : OFFERED.minimax)],
    plies: Math.min(6, Math.max(1, Number(query.get("plies")) || 3)),
  };
}

/** @param {object} changes */
function change(changes) {
  state = { ...state, ...changes };
  const query = new URLSearchParams({ board: boardName(state.geometry), moves: movesText(state.columns) });
  if (state.slip) query.set("slip", state.slip);
  query.set("agent", state.agents[0]);
  query.set("other", state.agents[1]);
  query.set("plies", state.plies);
  history.pushState(null, "", addressText(query));
  show();
  search();
}

/** Draws the position. */
function show() {
  position = new Position(state.geometry, state.columns);
  stage.marks = {};
  stage.show(position, { enabled: !position.outcome });
  movesField.value = movesText(state.columns);
  plies.value = String(state.plies);
  const query = new URLSearchParams({ board: boardName(state.geometry), moves: movesText(state.columns) });
  if (state.slip) query.set("slip", state.slip);
  followLinks(`?${query}`);
}

/** @param {number} column */
function drop(column) {
  if (position.legal.includes(column)) change({ columns: [...state.columns, column] });
}

function undo() {
  if (state.columns.length) change({ columns: state.columns.slice(0, -1) });
}

/** @param {Event} event */
function setUp(event) {
  event.preventDefault();
  change({ columns: playable(state.geometry, readMoves(movesField.value, state.geometry)) });
}

/** Offers the agents that keep a tree. */
async function offerAgents() {
  const board = boardName(state.geometry);
  const { agents } = await agentsOn(board, state.slip);
  const able = agents.filter((agent) => agent.plays && agent.tree && agent.name in OFFERED).map((agent) => OFFERED[agent.name]);
  pickers.forEach((picker, index) => {
    const chosen = state.agents[index];
    const values = [...(index ? [""] : []), ...able];
    const select = choice(
      [...values, ...(values.includes(chosen) ? [] : [chosen]), OTHER].map((value) => ({
        value,
        words: value === OTHER ? text.players.other : value || say.noAgent,
      })),
      chosen,
      (value) => {
        const use = (/** @type {string} */ spec) => {
          change({ agents: state.agents.map((/** @type {string} */ each, /** @type {number} */ at) => (at === index ? spec : each)) });
          offerAgents();
        };
        if (value !== OTHER) return use(value);
        select.value = chosen;
        return chooseAgent({ board, slip: state.slip, title: say.agentA, spec: chosen || OFFERED.alphabeta, limit: null }, use);
      },
      { "data-agent": index },
    );
    fill(picker, labelled(index ? say.agentB : say.agentA, select));
  });
}

/** Has both agents look at the position. */
async function search() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  if (position.outcome) {
    panes.forEach((each) => each.say(text.analysis.over));
    fill(compared);
    return;
  }
  searchButton.disabled = true;
  const caps = await settings().catch(() => ({}));
  const limit = { seconds: Math.min(SECONDS, caps.seconds ?? SECONDS) };
  const question = { board: boardName(state.geometry), moves: movesText(state.columns), slip: state.slip, limit, tree: state.plies };
  const found = [];
  for (const [index, agent] of state.agents.entries()) {
    panes[index].root.hidden = !agent;
    if (!agent) continue;
    panes[index].say(say.searching);
    try {
      const analysis = await patiently(() => look({ ...question, agent }, signal, panes[index].say), signal);
      found.push({ agent, analysis });
      panes[index].show(agent, analysis);
    } catch (error) {
      if (wasAborted(error)) return;
      panes[index].say(error instanceof Error ? error.message : String(error));
    }
  }
  searchButton.disabled = false;
  compare(found);
}

/**
 * @param {object} question
 * @param {AbortSignal} signal
 * @param {(words: string) => void} tell - told why it takes a while
 * @returns {Promise<any>} the analysis
 */
async function look(question, signal, tell) {
  for await (const { event, data } of stream("/analyze/stream", question, signal)) {
    if (event === "analysis") return data;
    if (data.preparing) tell(text.thinking.preparing);
    else if (data.waiting) tell(text.thinking.waiting);
    else tell(say.searching);
  }
  throw new Error(text.errors.network);
}

/** @param {{agent: string, analysis: any}[]} found */
function compare(found) {
  if (!found.length) {
    fill(compared);
    return;
  }
  const count = (/** @type {string} */ name) => (/** @type {any} */ analysis) => (analysis[name] ? number(analysis[name]) : "–");
  /** @type {[string, (analysis: any) => string][]} */
  const rows = [
    [say.rows.column, (analysis) => columnName(analysis.column)],
    [say.rows.value, (analysis) => (analysis.value === null ? "–" : signed(analysis.value))],
    [say.rows.nodes, count("nodes")],
    [say.rows.leaves, count("leaves")],
    [say.rows.cutoffs, count("cutoffs")],
    [say.rows.simulations, count("simulations")],
    [say.rows.tableHits, count("table_hits")],
    [say.rows.depth, count("depth")],
    [say.rows.seconds, (analysis) => duration(analysis.seconds)],
  ];
  fill(
    compared,
    element(
      "table.figures-table",
      { "aria-label": say.compare },
      element("thead", {}, element("tr", {}, element("td"), found.map(({ agent }) => element("th", { scope: "col" }, breakable(agent))))),
      element(
        "tbody",
        {},
        rows
          .filter(([, of]) => found.some(({ analysis }) => of(analysis) !== "–"))
          .map(([name, of]) => element("tr", {}, element("th", { scope: "row" }, name), found.map(({ analysis }) => element("td.number", {}, of(analysis))))),
      ),
    ),
  );
}

/** @param {number} index */
function pane(index) {
  const content = element("div");
  const title = element("h2");
  const root = element("section.card.pane", { "data-pane": index }, element("div.card-head", {}, title), content);
  return {
    root,
    say: (/** @type {string} */ words) => fill(content, element("p.note", {}, words)),
    show: (/** @type {string} */ agent, /** @type {any} */ analysis) => {
      fill(title, agent);
      root.setAttribute("aria-label", agent);
      if (!analysis.tree?.children.length) {
        fill(content, element("p.note", {}, say.none));
        return;
      }
      const view = new TreeView(analysis.tree, position, (path) => stage.mark({ ghosts: path.map((column) => ({ column })) }));
      fill(content, element("p.note", {}, say.viewpoint(text.sides[position.turn])), view.root);
    },
  };
}

/** @returns {HTMLElement} */
function legend() {
  const kinds = /** @type {(keyof typeof say.legend)[]} */ (Object.keys(say.legend));
  return element("ul.tree-legend", {}, kinds.map((kind) => element("li", {}, element(`span.swatch.${kind}`), say.legend[kind])));
}
