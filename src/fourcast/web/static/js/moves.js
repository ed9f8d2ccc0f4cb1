/** The list of moves; each is a button that shows the position after it. */

import { element, fill } from "./elements.js";
import { columnName } from "./notation.js";
import { text } from "./text.js";

/** The card with the moves. */
export class MovesCard {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** @type {Map<number, string>} judgements by the ply of the position before the move */
    this.judgements = new Map();
    this.list = element("ol.moves");
    this.root = element(
      "section.card",
      { "aria-label": text.moves.title },
      element("div.card-head", {}, element("h2", {}, text.moves.title)),
      this.list,
    );
    session.addEventListener("change", () => this.show());
    this.show();
  }

  /** Draws it anew. */
  show() {
    const { moves, ply } = this.session.state;
    if (!moves.length) {
      fill(this.list, element("li.none", {}, this.session.hasHuman ? text.moves.none : text.moves.noneYet));
      return;
    }
    const items = moves.map(({ aim, column }, index) => {
      const judgement = this.judgements.get(index) ?? "";
      const landed = columnName(column);
      const mark = judgement ? text.review.marks[judgement] : "";
      const label = text.moves.label(index + 1, text.sides[index % 2], columnName(aim), landed);
      const words = aim === column ? landed : `${columnName(aim)}→${landed}`;
      return element(
        `li.${index % 2 ? "second" : "first"}`,
        {},
        element(
          "button",
          {
            type: "button",
            class: judgement || null,
            "aria-label": judgement ? `${label}, ${text.review.judgements[judgement]}` : label,
            "aria-current": index + 1 === ply ? "step" : null,
            "data-later": index >= ply,
            on: { click: () => this.session.jump(index + 1) },
          },
          words,
          mark ? element("sup", {}, mark) : null,
        ),
      );
    });
    fill(this.list, items);
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  /** @param {Map<number, string>} judgements */
  judge(judgements) {
    this.judgements = judgements;
    this.show();
  }
}
