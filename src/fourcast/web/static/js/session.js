/**
 * The game on the page: its moves, which of them are on the board, who plays. All parts of the page watch it.
 *
 * Moves that were taken back stay, until another is made instead: the address keeps them too.
 */

import { HUMAN } from "./address.js";
import { Position, land } from "./game.js";
import { boardName, movesText } from "./notation.js";

/**
 * @typedef {import("./address.js").GameState} GameState
 * @typedef {"drop" | "jump" | "game" | "players"} Change - a disc fell; another ply is looked at; all is
 *     another; somebody else plays
 */

/** A game that can be played, taken back and looked through. */
export class Session extends EventTarget {
  /** @param {GameState} state */
  constructor(state) {
    super();
    this.state = state;
    /** Whether agents wait before they move. */
    this.paused = false;
    this.#settle();
  }

  /** The position that is looked at. @returns {Position} */
  get position() {
    return this.seen;
  }

  /** What the server calls this game: board, moves up to here, slip. */
  get question() {
    return {
      board: boardName(this.state.geometry),
      moves: movesText(this.seen.columns),
      slip: this.state.slip,
    };
  }

  /** @returns {string} the board's name */
  get board() {
    return boardName(this.state.geometry);
  }

  /** Whether the last move is on the board. */
  get atEnd() {
    return this.state.ply === this.state.moves.length;
  }

  /** Whether a person moves next. */
  get humanToMove() {
    return !this.position.outcome && this.isHuman(this.position.turn);
  }

  /** Whether a person plays at all. */
  get hasHuman() {
    return !this.state.stored && this.state.players.includes(HUMAN);
  }

  /** @param {number} player @returns {boolean} */
  isHuman(player) {
    return !this.state.stored && this.state.players[player] === HUMAN;
  }

  /** The last disc on the board. @returns {import("./game.js").Move | null} */
  get lastMove() {
    return this.state.moves[this.state.ply - 1] ?? null;
  }

  /**
   * Drops a disc; with slip it may land elsewhere. What was taken back before is gone.
   *
   * @param {number} aim
   * @param {string} by - who does it: "human" or "agent"
   * @returns {boolean} whether it could be dropped
   */
  drop(aim, by) {
    if (!this.position.legal.includes(aim)) return false;
    const column = land(this.position, aim, this.state.slip);
    const moves = [...this.state.moves.slice(0, this.state.ply), { aim, column }];
    this.#become({ ...this.state, moves, ply: moves.length, stored: null }, "drop", by);
    return true;
  }

  /** @param {number} ply - how many of the moves shall be on the board */
  jump(ply) {
    const within = Math.max(0, Math.min(ply, this.state.moves.length));
    if (within !== this.state.ply) this.#become({ ...this.state, ply: within }, "jump");
  }

  /** The ply that undo goes back to: where a person last moved; null if there is none. @returns {number | null} */
  get undoPly() {
    return this.#turnOfHuman(this.state.ply - 1, -1);
  }

  /** The ply that redo goes on to; null if there is none. @returns {number | null} */
  get redoPly() {
    const { ply, moves } = this.state;
    if (ply >= moves.length) return null;
    return this.#turnOfHuman(ply + 1, 1) ?? moves.length;
  }

  /** Takes back the last move; against an agent, its answer with it. */
  undo() {
    if (this.undoPly !== null) this.jump(this.undoPly);
  }

  /** Makes again what was taken back. */
  redo() {
    if (this.redoPly !== null) this.jump(this.redoPly);
  }

  /** Forgets the moves after this position. */
  playFromHere() {
    this.#become({ ...this.state, moves: this.state.moves.slice(0, this.state.ply), stored: null }, "game");
  }

  /** @param {Partial<GameState>} changes - another game, or other players */
  change(changes) {
    const next = { ...this.state, ...changes };
    const same = next.moves === this.state.moves && next.geometry === this.state.geometry && next.slip === this.state.slip;
    this.#become(next, same && !("ply" in changes) ? "players" : "game");
  }

  /** @param {GameState} state - what an address says; nothing is written into the history */
  load(state) {
    this.#become(state, "game", "address");
  }

  /**
   * @param {number} from
   * @param {1 | -1} way
   * @returns {number | null} the next ply that way at which a person moves, or any at all if none plays
   */
  #turnOfHuman(from, way) {
    for (let ply = from; ply >= 0 && ply <= this.state.moves.length; ply += way) {
      if (!this.hasHuman || this.isHuman(ply % 2)) return ply;
    }
    return null;
  }

  /** @param {GameState} state @param {Change} change @param {string} [by] */
  #become(state, change, by = "human") {
    const before = this.seen;
    this.state = state;
    this.#settle();
    this.dispatchEvent(new CustomEvent("change", { detail: { change, by, before } }));
  }

  #settle() {
    const columns = this.state.moves.slice(0, this.state.ply).map((move) => move.column);
    this.seen = new Position(this.state.geometry, columns);
  }
}
