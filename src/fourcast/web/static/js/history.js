/**
 * The address bar follows the game. Back and forward go through what a person did; agents' answers take the
 * place of the entry before, so that going back never lands where an agent would move at once.
 */

import { addressText, readAddress, writeAddress } from "./address.js";

/**
 * @param {import("./session.js").Session} session
 * @param {[string, string]} usual - the players where an address names none
 * @param {(query: string) => void} moved - told the query of the address
 */
export function keepAddress(session, usual, moved) {
  const write = (/** @type {boolean} */ push) => {
    const query = addressText(writeAddress(session.state));
    moved(query);
    if (query === location.search) return;
    history[push ? "pushState" : "replaceState"](null, "", query);
  };
  session.addEventListener("change", (/** @type {any} */ event) => {
    const { by, change } = event.detail;
    if (by === "address") moved(location.search);
    else write(by === "human" && (change !== "jump" || session.hasHuman));
  });
  addEventListener("popstate", () => session.load(readAddress(new URLSearchParams(location.search), usual)));
  write(false);
}
