/**
 * A search tree, root at the left: nodes open and close, pruned branches are dashed, and values can be hidden
 * and let up again from the leaves.
 *
 * All values are shown as the side sees them that moves at the root; the server gives each from its own side.
 */

import { PALETTE } from "./board.js";
import { button, element, fill, labelled, shape } from "./elements.js";
import { columnName } from "./notation.js";
import { shortNumber, signed, text } from "./text.js";

/**
 * @typedef {object} TreeNode - as docs/tree.md has it
 * @property {number | null} column
 * @property {"inner" | "leaf" | "end" | "table" | "pruned"} kind
 * @property {number | null} value
 * @property {number | null} points
 * @property {number | null} plies_to_end
 * @property {"exact" | "at least" | "at most" | null} bound
 * @property {number} visits
 * @property {boolean} games
 * @property {boolean} best
 * @property {boolean} cropped
 * @property {TreeNode[]} children
 *
 * @typedef {{node: TreeNode, depth: number, path: number[], y: number, parent: Placed | null, pruned: number[] | null}} Placed
 */

const [BOX, GAP, ROW, HEAD] = [118, 24, 32, 4];
const MOST_BELOW = 4 * ROW; // of a parent beside its first child: it stays in sight, however many are open
const MOST_OPENED = 400; // nodes that one press opens

/** A tree that can be explored. */
export class TreeView {
  /**
   * @param {TreeNode} root
   * @param {import("./game.js").Position} position - at the root
   * @param {(path: number[]) => void} point - told which line of moves is looked at
   */
  constructor(root, position, point) {
    this.tree = root;
    this.position = position;
    this.point = point;
    /** @type {Set<TreeNode>} */
    this.opened = new Set();
    this.depth = depthOf(root);
    this.known = 0; // values are shown from this ply down
    this.focused = root;
    this.heads = element("div.tree-heads", { "aria-hidden": "true" });
    this.svg = shape("svg.tree", { role: "tree", "aria-label": text.tree.title });
    this.svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: this.depth,
      value: 0,
      on: { input: () => this.know(Number(this.slider.value)) },
    });
    this.flowWords = element("output");
    this.root = element(
      "div.tree-view",
      {},
      element(
        "div.tree-tools",
        {},
        button(text.tree.expandAll, () => this.openAll(), { look: "small" }),
        button(text.tree.collapse, () => this.openBest(), { look: "small" }),
        button(text.tree.flowPlay, () => this.flow(), { look: "small", "data-action": "flow" }),
        labelled(text.tree.flow, this.slider),
        this.flowWords,
      ),
      element("div.tree-scroll", {}, this.heads, this.svg),
    );
    this.openBest();
    const refuted = root.children.find((child) => !child.best && child.children.some((each) => each.kind === "pruned"));
    if (refuted) this.#toggle(refuted, { focus: false }); // one that shows what pruning is
  }

  /** Opens the root and the best line. */
  openBest() {
    this.opened.clear();
    for (let node = /** @type {TreeNode | undefined} */ (this.tree); node?.children.length; node = node.children.find((child) => child.best)) {
      this.opened.add(node);
    }
    this.draw();
  }

  /** Opens as many nodes as can be looked at, ply by ply. */
  openAll() {
    let [level, count] = [[this.tree], 0];
    while (level.length && count < MOST_OPENED) {
      for (const node of level) if (node.children.length && count < MOST_OPENED) count += this.opened.add(node) && node.children.length;
      level = level.flatMap((node) => (this.opened.has(node) ? node.children : []));
    }
    this.draw();
  }

  /** @param {number} ply - values of nodes above it are hidden, but for leaves */
  know(ply) {
    this.known = ply;
    this.slider.value = String(ply);
    this.draw();
  }

  /** Hides all values but those of the leaves, and lets them up ply by ply. */
  flow() {
    clearInterval(this.flowing);
    this.know(this.depth);
    this.flowing = setInterval(() => {
      if (this.known > 0) this.know(this.known - 1);
      if (this.known === 0) clearInterval(this.flowing);
    }, 900);
  }

  /** Draws it anew. */
  draw() {
    const placed = this.#place();
    const plies = Math.max(...placed.map((each) => each.depth)) + 1;
    const rows = Math.max(...placed.map((each) => each.y));
    const [width, height] = [plies * (BOX + GAP) - GAP + 2, HEAD + rows + ROW];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(height));
    this.placed = placed;
    this.heads.style.width = `${width}px`;
    fill(this.heads, Array.from({ length: plies }, (_, ply) => element("span", {}, this.#heading(ply))));
    fill(
      this.svg,
      shape("g", { "aria-hidden": "true" }, placed.filter((each) => each.parent).map((each) => this.#edge(each))),
      placed.map((each) => this.#box(each)),
    );
    fill(this.flowWords, text.tree.flowPly(this.known));
  }

  /** Lays out what is open: a row for every node without children, parents beside theirs. */
  #place() {
    /** @type {Placed[]} */
    const placed = [];
    let next = ROW / 2;
    const visit = (/** @type {TreeNode} */ node, /** @type {number} */ depth, /** @type {number[]} */ path, /** @type {Placed | null} */ parent) => {
      /** @type {Placed} */
      const own = { node, depth, path, y: 0, parent, pruned: null };
      placed.push(own);
      const children = this.opened.has(node) ? node.children : [];
      const seen = children.filter((child) => child.kind !== "pruned");
      const pruned = children.filter((child) => child.kind === "pruned").map((child) => child.column ?? 0);
      const below = seen.map((child) => visit(child, depth + 1, [...path, child.column ?? 0], own));
      if (pruned.length) {
        const bundle = children.find((child) => child.kind === "pruned") ?? node;
        const made = { node: bundle, depth: depth + 1, path, y: next, parent: own, pruned };
        next += ROW;
        placed.push(made);
        below.push(made);
      }
      if (below.length) own.y = Math.min((below[0].y + below[below.length - 1].y) / 2, below[0].y + MOST_BELOW);
      else {
        own.y = next;
        next += ROW;
      }
      return own;
    };
    visit(this.tree, 0, [], null);
    return placed;
  }

  /** Who chooses at a ply, and what. @param {number} ply @returns {string} */
  #heading(ply) {
    const side = text.sides[(this.position.turn + ply) % 2];
    const last = ply === this.depth;
    return last && ply ? "" : text.tree.heading(side, ply % 2 === 0);
  }

  /** @param {Placed} each */
  #edge({ node, depth, y, parent, pruned }) {
    const [x1, y1, x2, y2] = [(depth - 1) * (BOX + GAP) + BOX, HEAD + (parent?.y ?? 0), depth * (BOX + GAP), HEAD + y];
    const middle = (x1 + x2) / 2;
    const known = depth - 1 >= this.known;
    const look = pruned ? ".pruned" : node.best && known ? ".best" : "";
    return shape(`path.edge${look}`, { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` });
  }

  /** @param {Placed} each */
  #box(each) {
    const { node, depth, y, pruned } = each;
    const [x, top] = [depth * (BOX + GAP), HEAD + y - 13];
    const label = pruned ? text.tree.pruned(pruned.map(columnName)) : this.#label(each);
    const opens = !pruned && node.children.length > 0;
    const box = shape(
      `g.node.${pruned ? "pruned" : node.kind}${node.best && !pruned ? ".best" : ""}${depth >= this.known || !opens ? "" : ".unknown"}`,
      {
        role: "treeitem",
        tabindex: node === this.focused && !pruned ? "0" : "-1",
        transform: `translate(${x} ${top})`,
        "aria-level": depth + 1,
        "aria-expanded": opens ? String(this.opened.has(node)) : null,
        "aria-selected": "false",
        "aria-label": label,
        "data-path": pruned ? null : each.path.map(columnName).join(""),
        on: pruned
          ? {}
          : {
              click: () => this.#toggle(node),
              focus: () => this.point(each.path),
              pointerenter: () => this.point(each.path),
              pointerleave: () => this.point([]),
            },
      },
      shape("title", {}, label),
      shape("rect", { width: BOX, height: 26, rx: 8 }),
      pruned ? shape("text.words", { x: 10, y: 18 }, label) : this.#face(each, opens),
    );
    return box;
  }

  /** What is written in a box. @param {Placed} each @param {boolean} opens */
  #face({ node, depth }, opens) {
    const parts = [];
    if (node.column !== null) {
      const { face, mark } = PALETTE.discs[(this.position.turn + depth - 1) % 2];
      parts.push(
        shape("circle", { cx: 14, cy: 13, r: 9, fill: face }),
        shape("text.move", { x: 14, y: 17, "text-anchor": "middle", fill: mark }, columnName(node.column)),
      );
    }
    const words = depth >= this.known || !opens ? this.#worth(node, depth) : "?";
    parts.push(shape("text.words", { x: node.column === null ? 10 : 28, y: 18 }, words));
    if (node.visits > 1) parts.push(shape("text.visits", { x: BOX - (opens ? 18 : 6), y: 17, "text-anchor": "end" }, shortNumber(node.visits)));
    if (opens) parts.push(shape("path.opener", { d: this.opened.has(node) ? `M${BOX - 13} 11l4 4 4-4` : `M${BOX - 11} 9l4 4-4 4` }));
    else if (node.cropped) parts.push(shape("text.visits", { x: BOX - 6, y: 13, "text-anchor": "end" }, "…"));
    return parts;
  }

  /** A node's worth to the side that moves at the root. @param {TreeNode} node @param {number} depth @returns {string} */
  #worth(node, depth) {
    const sign = depth % 2 ? -1 : 1;
    const { value, points } = node;
    if (node.kind === "end") {
      if (!value) return text.tree.drawn;
      return text.tree.won(text.sides[(this.position.turn + depth + (value > 0 ? 0 : 1)) % 2]);
    }
    if (value === null) return "–";
    let bound = node.bound === "at least" ? 1 : node.bound === "at most" ? -1 : 0;
    bound *= sign;
    const before = bound > 0 ? `${text.tree.atLeast} ` : bound < 0 ? `${text.tree.atMost} ` : "";
    if (node.plies_to_end !== null && value) return before + text.tree.decided(sign * value > 0, Math.ceil(node.plies_to_end / 2));
    return before + (points === null ? signed(sign * value) : signed(sign * points, Number.isInteger(points) ? 0 : 1));
  }

  /** @param {Placed} each */
  #label({ node, depth }) {
    const where = node.column === null ? text.tree.root : text.column(columnName(node.column));
    return text.tree.node(where, this.#worth(node, depth), node.visits, node.games) + (node.best ? `, ${text.tree.legend.best}` : "");
  }

  /** @param {TreeNode} node @param {{focus?: boolean}} [options] */
  #toggle(node, { focus = true } = {}) {
    if (focus) this.focused = node;
    if (node.children.length) {
      if (this.opened.has(node)) this.opened.delete(node);
      else this.opened.add(node);
    }
    this.draw();
    if (focus) this.svg.querySelector("[tabindex='0']")?.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const nodes = (this.placed ?? []).filter((each) => !each.pruned);
    const at = nodes.findIndex((each) => each.node === this.focused);
    const here = nodes[at];
    if (!here) return;
    const open = this.opened.has(here.node) && here.node.children.length > 0;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => this.#focus(nodes[at + 1]),
      ArrowUp: () => this.#focus(nodes[at - 1]),
      ArrowRight: () => (open || !here.node.children.length ? this.#focus(nodes[at + 1]) : this.#toggle(here.node)),
      ArrowLeft: () => (open ? this.#toggle(here.node) : this.#focus(nodes.find((each) => each === here.parent))),
      Enter: () => this.#toggle(here.node),
      " ": () => this.#toggle(here.node),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  /** @param {Placed | undefined} each */
  #focus(each) {
    if (!each) return;
    this.focused = each.node;
    this.draw();
    this.svg.querySelector("[tabindex='0']")?.focus();
  }
}

/** @param {TreeNode} node @returns {number} the plies of moves below it */
function depthOf(node) {
  return node.children.length ? 1 + Math.max(...node.children.map(depthOf)) : 0;
}
