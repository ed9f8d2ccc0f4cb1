/** Taking the game elsewhere: its address, its moves, its board as text or as a picture; and setting one up. */

import { announce } from "./announce.js";
import { boardFile } from "./board.js";
import { button, element, fill, labelled } from "./elements.js";
import { playable } from "./game.js";
import { boardText, columnNamed, movesText } from "./notation.js";
import { text } from "./text.js";

/** The card with the ways to share. */
export class ShareCard {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    const say = text.share;
    this.words = element("p.note.copied", { role: "status" });
    this.field = element("input", { spellcheck: "false", autocomplete: "off", name: "moves" });
    const form = element(
      "form.set-up",
      { on: { submit: (/** @type {Event} */ event) => this.#setUp(event) } },
      labelled(say.setUp, this.field),
      element("button", { type: "submit" }, say.load),
    );
    this.root = element(
      "section.card.share",
      { "aria-label": say.title },
      element("div.card-head", {}, element("h2", {}, say.title)),
      element(
        "div.buttons",
        {},
        button(say.link, () => this.#copy(location.href, say.things.link), { "data-share": "link" }),
        button(say.moves, () => this.#copy(movesText(session.position.columns), say.things.moves), { "data-share": "moves" }),
        button(say.board, () => this.#copy(boardText(session.position), say.things.board), { "data-share": "board" }),
        button(say.svg, () => this.#download(), { "data-share": "svg" }),
      ),
      form,
      this.words,
    );
    session.addEventListener("change", () => this.show());
    this.show();
  }

  /** Draws it anew. */
  show() {
    this.field.value = movesText(this.session.position.columns);
    fill(this.words);
  }

  /** @param {string} what @param {string} name */
  async #copy(what, name) {
    const done = await navigator.clipboard?.writeText(what).then(
      () => true,
      () => false,
    );
    const words = done ? text.share.copied(name) : text.share.failed;
    fill(this.words, words);
    announce(words);
  }

  #download() {
    const file = new Blob([boardFile(this.session.position)], { type: "image/svg+xml" });
    const address = URL.createObjectURL(file);
    element("a", { href: address, download: text.share.file }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** @param {Event} event */
  #setUp(event) {
    event.preventDefault();
    const { geometry } = this.session.state;
    const names = [...this.field.value.replace(/\s/g, "")];
    const columns = names.map(columnNamed);
    const good = playable(geometry, columns);
    if (good.length < columns.length) {
      const words = text.share.badMove(names[good.length], good.length + 1);
      fill(this.words, words);
      announce(words);
      return;
    }
    const moves = columns.map((column) => ({ aim: column, column }));
    this.session.change({ moves, ply: moves.length, stored: null });
  }
}
