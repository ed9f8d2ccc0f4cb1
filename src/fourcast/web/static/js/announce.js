/** Words for those who hear the page: said politely, one after the other. */

import { element } from "./elements.js";

const region = element("div.unseen", { role: "status", "aria-live": "polite", id: "announcements" });
document.body.append(region); // before there is anything to say: what is there at first is not read out

/** @param {string} words */
export function announce(words) {
  region.textContent = words;
}
