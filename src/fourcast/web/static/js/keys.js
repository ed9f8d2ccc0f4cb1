/** Playing by keyboard alone. */

import { showHelp } from "./help.js";
import { columnNamed } from "./notation.js";

/**
 * @typedef {object} Actions - what keys do
 * @property {(column: number) => void} drop
 * @property {Record<string, () => void>} named - by the key's name: letters, "," "." Home End Escape
 * @property {() => number} columns - how many there are; so many letters name columns
 */

const FIELDS = "input:not([type=checkbox]):not([type=range]), select, textarea, dialog";

/**
 * Listens to the whole page, but for fields that take keys themselves.
 *
 * @param {Actions} actions
 */
export function listenToKeys({ drop, named, columns }) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.altKey || event.metaKey || target.closest(FIELDS)) return;
    if (document.querySelector("dialog[open]")) return;
    const act = actionOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  });

  /** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
  function actionOf(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey) return key === "z" ? named[event.shiftKey ? "r" : "u"] : key === "y" ? named.r : undefined;
    if (key === "?") return showHelp;
    if ((key === "Home" || key === "End") && /** @type {Element} */ (event.target).matches("input")) return undefined;
    const column = columnNamed(key);
    if (!event.shiftKey && column >= 0 && column < columns()) return () => drop(column);
    return named[key];
  }
}
