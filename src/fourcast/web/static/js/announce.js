/** Words for those who hear the page: said politely, one after the other. */

import { element } from "./elements.js";

const region = element("div.unseen", { role: "status", "aria-live": "polite", id: "announcements" });

/** @param {string} words */
export function announce(words) {
  if (!region.isConnected) document.body.append(region);
  region.textContent = words;
}
