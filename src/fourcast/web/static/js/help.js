/** The help: the rules in short, and every key. */

import { openDialog } from "./dialog.js";
import { element } from "./elements.js";
import { text } from "./text.js";

/** Opens it, unless a dialog is open already. */
export function showHelp() {
  if (document.querySelector("dialog[open]")) return;
  const say = text.help;
  openDialog(say.title, [
    element(
      "dl.keys",
      {},
      say.keys.map(([key, meaning]) => element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, meaning))),
    ),
    element("p.note", {}, say.wide),
    element("h3", {}, say.rulesTitle),
    element("p", {}, say.rules),
    element("p", {}, say.slip),
    element("p", {}, say.marks),
  ]).classList.add("help");
}
