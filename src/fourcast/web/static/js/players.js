/** Who plays: for each side a person, a level, or any agent, and how long it may think. */

import { HUMAN } from "./address.js";
import { chooseAgent } from "./agent_dialog.js";
import { agentsOn, settings } from "./api.js";
import { disc } from "./board.js";
import { choice, element, fill, shape } from "./elements.js";
import { limitText, readLimit } from "./notation.js";
import { text } from "./text.js";

const OTHER = "other agent";
const TIMES = ["100ms", "500ms", "1s", "2s", "5s", "10s", "30s"];

/**
 * A player's disc, small.
 *
 * @param {0 | 1} player
 * @returns {SVGElement}
 */
export function badge(player) {
  return shape("svg.badge", { viewBox: "-44 -44 88 88", "aria-hidden": "true" }, disc(player, 42));
}

/**
 * What to call a player: its level where it is one, else its spec.
 *
 * @param {string} spec
 * @param {{agent: string, label_key: string}[]} suggested
 */
export function playerName(spec, suggested = []) {
  if (spec === HUMAN) return text.you;
  const level = suggested.find((each) => each.agent === spec);
  return level ? (text.levels[level.label_key] ?? level.label_key) : spec;
}

/** The card that says who plays. */
export class PlayersCard {
  /**
   * @param {import("./session.js").Session} session
   * @param {{humans?: boolean}} [options] - whether people may play
   */
  constructor(session, { humans = true } = {}) {
    this.session = session;
    this.humans = humans;
    this.sides = [element("div.player"), element("div.player")];
    this.root = element(
      "section.card.players",
      { "aria-label": text.players.title },
      this.sides,
    );
    session.addEventListener("change", (/** @type {any} */ event) => {
      if (["game", "players"].includes(event.detail.change)) this.show();
      this.mark();
    });
    this.show();
  }

  /** Draws it anew, for this board's agents. */
  async show() {
    const { board, slip } = this.session.question;
    const here = `${board} ${slip}`;
    this.wanted = here;
    const [{ agents, suggested }, caps] = await Promise.all([
      agentsOn(board, slip).catch(() => ({ agents: [], suggested: [] })),
      settings().catch(() => ({})),
    ]);
    if (this.wanted !== here) return;
    this.agents = agents;
    this.suggested = suggested;
    const focused = document.activeElement?.id;
    for (const player of /** @type {(0 | 1)[]} */ ([0, 1])) this.#showSide(player, caps.seconds ?? Infinity);
    if (focused) document.getElementById(focused)?.focus();
    this.mark();
  }

  /** Marks the side that is to move. */
  mark() {
    const { position } = this.session;
    this.sides.forEach((side, player) => side.classList.toggle("to-move", !position.outcome && position.turn === player));
  }

  /** @param {0 | 1} player @param {number} mostSeconds */
  #showSide(player, mostSeconds) {
    const { state } = this.session;
    const spec = state.players[player];
    const side = text.sides[player];
    if (state.stored) {
      fill(this.sides[player], badge(player), element("span.side", {}, side), element("span.stored-name", {}, spec));
      return;
    }
    const levels = this.suggested.map((each) => ({ value: each.agent, words: text.levels[each.label_key] ?? each.label_key }));
    const known = spec === HUMAN || levels.some((level) => level.value === spec);
    const who = choice(
      [
        ...(this.humans || spec === HUMAN ? [{ value: HUMAN, words: text.players.human }] : []),
        ...levels,
        ...(known ? [] : [{ value: spec, words: spec }]),
        { value: OTHER, words: text.players.other },
      ],
      spec,
      (value) => this.#choose(player, value, who),
      { id: `player-${player}`, "aria-label": text.players.who(side) },
    );
    const limit = state.limits[player];
    const times = TIMES.filter((time) => (readLimit(time)?.seconds ?? 0) <= mostSeconds);
    const time = choice(
      [...times, ...(times.includes(limit) ? [] : [limit])].map((value) => ({ value, words: limitWords(value) })),
      limit,
      (value) => this.#set("limits", player, value),
      { id: `limit-${player}`, "aria-label": text.players.time(side), disabled: spec === HUMAN },
    );
    fill(this.sides[player], badge(player), element("span.side", {}, side), who, time);
  }

  /** @param {0 | 1} player @param {string} value @param {HTMLSelectElement} select */
  #choose(player, value, select) {
    const { state } = this.session;
    if (value !== OTHER) {
      const level = this.suggested.find((each) => each.agent === value);
      const own = limitText(level?.limit);
      if (own && own !== state.limits[player]) this.#setBoth(player, value, own);
      else this.#set("players", player, value);
      return;
    }
    select.value = state.players[player];
    const asked = {
      ...this.session.question,
      title: text.agentDialog.title(text.sides[player]),
      spec: state.players[player] === HUMAN ? "negamax" : state.players[player],
      limit: state.limits[player],
    };
    chooseAgent(asked, (spec, limit) => this.#setBoth(player, spec, limit));
  }

  /** @param {0 | 1} player @param {string} spec @param {string} limit */
  #setBoth(player, spec, limit) {
    const { players, limits } = this.session.state;
    this.session.change({ players: swapped(players, player, spec), limits: swapped(limits, player, limit) });
  }

  /** @param {"players" | "limits"} what @param {0 | 1} player @param {string} value */
  #set(what, player, value) {
    this.session.change({ [what]: swapped(this.session.state[what], player, value) });
  }
}

/** @param {string} limit @returns {string} a time in seconds; other limits as they are written */
function limitWords(limit) {
  const { seconds, ...others } = readLimit(limit) ?? {};
  return seconds && !Object.keys(others).length ? text.seconds(seconds) : limit;
}

/** @param {[string, string]} pair @param {0 | 1} index @param {string} value @returns {[string, string]} */
function swapped(pair, index, value) {
  return index ? [pair[0], value] : [value, pair[1]];
}
