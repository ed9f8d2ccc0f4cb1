/** The page of a tournament: standings, ratings, crosstable, games. */

import { get } from "./api.js";
import { choice, element, fill, labelled } from "./elements.js";
import { putHeader } from "./header.js";
import { listenToKeys } from "./keys.js";
import { crosstable, standingsTable } from "./standings.js";
import { GamesTable, runName } from "./stored_games.js";
import { text } from "./text.js";

putHeader("leaderboard");
listenToKeys({ drop: () => {}, columns: () => 0, named: {} });

const main = /** @type {HTMLElement} */ (document.querySelector("#main"));
const content = element("div.leaderboard");
const picker = element("div.picker");
let wanted = "";
fill(main, element("div.page-head", {}, element("h1", {}, text.leaderboard.title), picker), content);
load();

/** Fetches the runs, and shows the one that the address names, or the first. */
async function load() {
  try {
    const { runs } = await get("/runs");
    if (!runs.length) {
      showNothing();
      return;
    }
    const asked = new URLSearchParams(location.search).get("run");
    const chosen = runs.find((/** @type {any} */ run) => String(run.id) === asked) ?? runs[0];
    const select = choice(
      runs.map((/** @type {any} */ run) => ({ value: String(run.id), words: runName(run) })),
      String(chosen.id),
      (id) => {
        history.pushState(null, "", `?run=${encodeURIComponent(id)}`);
        show(runs.find((/** @type {any} */ run) => String(run.id) === id)).catch(tell);
      },
    );
    fill(picker, labelled(text.watch.run, select));
    addEventListener("popstate", load, { once: true });
    await show(chosen);
  } catch (error) {
    tell(error);
  }
}

/** @param {unknown} error - why there is nothing to show */
function tell(error) {
  fill(content, element("p.note", {}, error instanceof Error ? error.message : String(error)));
}

/** @param {any} run */
async function show(run) {
  wanted = run.id;
  const { standings, ratings } = await get(`/runs/${encodeURIComponent(run.id)}`);
  if (wanted !== run.id) return; // another was chosen meanwhile
  const names = standings.agents.map((/** @type {any} */ agent) => agent.name);
  const say = text.leaderboard;
  const rated = ratings?.agents ?? [];
  const notes = [(ratings?.groups ?? 1) > 1 ? say.groups : "", rated.some((/** @type {any} */ each) => each.unbounded) ? say.unboundedHelp : ""];
  fill(
    content,
    section(say.standings, standingsTable(standings.agents, rated), notes.filter(Boolean).join(" ")),
    standings.crosstable?.length ? section(say.crosstable, crosstable(names, standings.crosstable), say.crosstableHelp) : null,
    element("section.card", { "aria-label": say.games }, element("div.card-head", {}, element("h2", {}, say.games)), new GamesTable({ ...run, agents: names }).root),
  );
}

/** @param {string} title @param {HTMLElement} table @param {string} note */
function section(title, table, note) {
  return element(
    "section.card",
    { "aria-label": title },
    element("div.card-head", {}, element("h2", {}, title)),
    element("div.scroll", { tabindex: "0", role: "region", "aria-label": title }, table),
    note ? element("p.note", {}, note) : null,
  );
}

function showNothing() {
  const say = text.leaderboard;
  fill(
    content,
    element("section.card.empty", {}, element("h2", {}, say.none), element("p", {}, say.noneHelp), element("code", {}, say.command)),
  );
}
