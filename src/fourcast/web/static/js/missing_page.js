/** What is shown where there is nothing: a word, and the way back to the board. */

import { element, fill } from "./elements.js";
import { putHeader } from "./header.js";
import { listenToKeys } from "./keys.js";
import { text } from "./text.js";

putHeader("missing");
listenToKeys({ drop: () => {}, columns: () => 0, named: {} });

const main = /** @type {HTMLElement} */ (document.querySelector("#main"));
fill(
  main,
  element(
    "section.card.empty",
    {},
    element("h1", {}, text.missing.title),
    element("p", {}, text.missing.help),
    element("a", { href: "/" }, text.missing.back),
  ),
);
