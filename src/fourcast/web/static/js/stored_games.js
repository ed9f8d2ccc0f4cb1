/** The games of the server's store: which runs there are, and the games of one of them, to replay. */

import { get } from "./api.js";
import { button, choice, element, fill, labelled } from "./elements.js";
import { day, text } from "./text.js";

/**
 * What a run is called.
 *
 * @param {{kind: string, board: string, slip: number, games: number, begun: number, agents?: string[]}} run
 * @returns {string}
 */
export function runName(run) {
  const board = run.slip ? text.watch.boardWithSlip(run.board, run.slip) : run.board;
  return text.watch.runName(run.kind, board, run.games, day(run.begun));
}

/** The games of a run, page by page. */
export class GamesTable {
  /** @param {{id: string, agents?: string[]}} run */
  constructor(run) {
    this.run = run;
    this.page = 1;
    this.agent = "";
    this.body = element("tbody");
    this.where = element("span.page");
    this.earlier = button("‹", () => this.turn(-1), { look: "icon", "aria-label": text.watch.earlier });
    this.later = button("›", () => this.turn(1), { look: "icon", "aria-label": text.watch.later });
    const { heads } = text.watch;
    const agents = run.agents ?? [];
    const filter = choice(
      [{ value: "", words: text.watch.allAgents }, ...agents.map((value) => ({ value, words: value }))],
      "",
      (value) => {
        this.agent = value;
        this.page = 1;
        this.load();
      },
    );
    this.root = element(
      "div.games",
      {},
      agents.length ? labelled(text.watch.agent, filter) : null,
      element(
        "div.scroll",
        { tabindex: "0", role: "region", "aria-label": text.watch.stored },
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element("tr", {}, [heads.first, heads.second, heads.result, heads.plies, text.watch.replay].map((head) => element("th", { scope: "col" }, head))),
          ),
          this.body,
        ),
      ),
      element("div.pages", {}, this.earlier, this.where, this.later),
    );
    this.load();
  }

  /** @param {number} step */
  turn(step) {
    this.page += step;
    this.load();
  }

  /** Fetches the page that is wanted. */
  async load() {
    const query = new URLSearchParams({ page: String(this.page) });
    if (this.agent) query.set("agent", this.agent);
    this.wanted = String(query);
    try {
      const { games, pages } = await get(`/runs/${encodeURIComponent(this.run.id)}/games?${query}`);
      if (this.wanted !== String(query)) return; // another page was asked for meanwhile
      fill(this.body, games.map(gameRow));
      fill(this.where, text.watch.pageOf(this.page, Math.max(pages, 1)));
      this.earlier.disabled = this.page <= 1;
      this.later.disabled = this.page >= pages;
    } catch (error) {
      fill(this.where, error instanceof Error ? error.message : String(error));
    }
  }
}

/** @param {any} game @returns {HTMLElement} */
function gameRow(game) {
  return element(
    "tr",
    {},
    element("td", { title: game.first }, game.first),
    element("td", { title: game.second }, game.second),
    element("td.result", {}, game.result),
    element("td.number", {}, game.plies),
    element(
      "td",
      {},
      element(
        "a.replay",
        { href: `/watch?game=${encodeURIComponent(game.id)}`, "aria-label": text.watch.replayLabel(game.first, game.second) },
        text.watch.replay,
      ),
    ),
  );
}

/** The card on the page for watching. */
export class StoredGamesCard {
  /** @param {string | null} game - the id of the one that is replayed, whose run is shown first */
  constructor(game) {
    this.first = game?.replace(/-[^-]*$/, "");
    this.content = element("div", {}, element("p.note", {}, text.analysis.waiting));
    this.root = element(
      "section.card.stored",
      { "aria-label": text.watch.stored },
      element("div.card-head", {}, element("h2", {}, text.watch.stored)),
      this.content,
    );
    this.load();
  }

  /** Fetches the runs that there are. */
  async load() {
    try {
      const { runs } = await get("/runs");
      if (!runs.length) {
        fill(this.content, element("p.note", {}, text.watch.noStore));
        return;
      }
      const games = element("div");
      const show = (/** @type {string} */ id) => {
        const run = runs.find((/** @type {any} */ each) => String(each.id) === id);
        fill(games, new GamesTable(run).root);
      };
      const first = runs.find((/** @type {any} */ run) => String(run.id) === this.first) ?? runs[0];
      const picker = choice(
        runs.map((/** @type {any} */ run) => ({ value: String(run.id), words: runName(run) })),
        String(first.id),
        show,
      );
      fill(this.content, labelled(text.watch.run, picker), games);
      show(String(first.id));
    } catch (error) {
      fill(this.content, element("p.note", {}, error instanceof Error ? error.message : String(error)));
    }
  }
}
