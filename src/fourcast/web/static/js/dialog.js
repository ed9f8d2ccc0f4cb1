/** Dialogs: a title, what is in them, a row of buttons. */

import { button, element, freshId } from "./elements.js";
import { text } from "./text.js";

/**
 * Opens a dialog, which is gone once it is closed.
 *
 * @param {string} title
 * @param {Node[]} content
 * @param {{words: string, press: () => boolean | void} | null} [action] - the button that does something; it
 *     keeps the dialog open by returning false
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, action = null) {
  // What is only to be read begins at its top; where something is to be done, Enter does it. A tall dialog
  // would begin at its end with that, and is scrolled up again.
  const heading = element("h2", { id: freshId(), tabindex: action ? null : "-1", autofocus: !action }, title);
  const act = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!action || action.press() !== false) dialog.close();
  };
  const buttons = action
    ? [button(text.cancel, () => dialog.close(), { look: "quiet" }), element("button.main", { type: "submit", autofocus: true }, action.words)]
    : [element("button.main", { type: "submit" }, text.close)];
  const dialog = element(
    "dialog",
    { "aria-labelledby": heading.id },
    element("form", { method: "dialog", novalidate: true, on: { submit: act } }, heading, ...content, element("div.dialog-buttons", {}, buttons)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
  return dialog;
}

/** @returns {HTMLElement} a line that is read out when something is wrong in a dialog */
export function faultLine() {
  return element("p.fault", { role: "alert" });
}
