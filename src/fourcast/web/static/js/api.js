/** The server, as the page knows it: questions and answers in JSON, and answers that come bit by bit. */

import { text } from "./text.js";

/**
 * What an analysis says; see docs/api.md. Columns are 0-based, scores and values those of the side to move.
 *
 * @typedef {object} Analysis
 * @property {number} column
 * @property {number | null} score
 * @property {number | null} value
 * @property {(number | null)[] | null} scores
 * @property {(number | null)[] | null} values
 * @property {number[]} pv
 * @property {number} plies_to_end
 * @property {boolean} exact
 * @property {number} nodes
 * @property {number} cutoffs
 * @property {number} table_hits
 * @property {number} leaves
 * @property {number} simulations
 * @property {number} depth
 * @property {number} seconds
 * @property {string | null} agent
 * @property {any} [tree]
 */

const MOST_TRIES = 6; // while the server is busy

/** The server's word that something cannot be done. */
export class ApiError extends Error {
  /**
   * @param {number} status - of the answer; 0 if there was none
   * @param {string} kind - the name of what is wrong
   * @param {string} message - one line for people
   * @param {number} [retryAfter] - seconds after which to ask again
   */
  constructor(status, kind, message, retryAfter = 0) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /** Whether it may be asked again in a while. */
  get isBusy() {
    return this.status === 429 || this.kind === "Busy";
  }
}

/**
 * @param {string} path - below /api, with its query
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
  return (await ask(path, { signal })).json();
}

/**
 * @param {string} path - below /api
 * @param {object} question
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, question, signal) {
  return (await ask(path, asPost(question, signal))).json();
}

/**
 * Asks, and hands on one event after another. Ends with the stream; aborting it stops the work on the server.
 *
 * @param {string} path - below /api
 * @param {object} question
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<{event: string, data: any}>}
 */
export async function* stream(path, question, signal) {
  const answer = await ask(path, asPost(question, signal));
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(unreachable);
      if (done) return;
      const blocks = (rest + value.replaceAll("\r\n", "\n")).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const found = readEvent(block);
        if (found?.event === "error") throw errorOf(200, found.data);
        if (found) yield found;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Asks again while the server is busy, some times.
 *
 * @template Answer
 * @param {() => Promise<Answer>} question
 * @param {AbortSignal} signal
 * @param {(seconds: number) => void} [waits] - told before each wait
 * @returns {Promise<Answer>}
 */
export async function patiently(question, signal, waits) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isBusy || attempt === MOST_TRIES) throw error;
      const seconds = error.retryAfter || 1;
      waits?.(seconds);
      await pause(1000 * seconds, signal);
    }
  }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal - ends it early, with an AbortError
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.max(0, milliseconds));
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("given up", "AbortError"));
    });
  });
}

/**
 * @param {unknown} error
 * @returns {boolean} whether it only says that we gave up on a question ourselves
 */
export function wasAborted(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/**
 * An answer that does not change while the page is open; asked for once.
 *
 * @param {string} path
 * @returns {Promise<any>}
 */
export function getOnce(path) {
  let answer = kept.get(path);
  if (!answer) {
    answer = get(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
  }
  return answer;
}

/** @returns {Promise<any>} the server's caps */
export const settings = () => getOnce("/settings");

/**
 * @param {string} board
 * @param {number} slip
 * @returns {Promise<{agents: any[], suggested: any[]}>} who plays there
 */
export const agentsOn = (board, slip) => getOnce(`/agents?board=${board}&slip=${slip}`);

/** @param {object} question @param {AbortSignal} [signal] @returns {RequestInit} */
function asPost(question, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal };
}

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
async function ask(path, request) {
  const answer = await fetch(`/api${path}`, request).catch(unreachable);
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null);
  throw errorOf(answer.status, body, Number(answer.headers.get("Retry-After")) || 0);
}

/**
 * @param {unknown} error - why nothing came, or no more
 * @returns {never}
 */
function unreachable(error) {
  if (wasAborted(error)) throw error;
  throw new ApiError(0, "Unreachable", text.errors.network);
}

/** @param {number} status @param {any} body @param {number} [retryAfter] */
function errorOf(status, body, retryAfter) {
  const said = body?.error ?? body ?? {};
  return new ApiError(status, said.kind ?? "Error", said.message ?? `HTTP ${status}`, retryAfter);
}

/** @param {string} block @returns {{event: string, data: any} | null} */
function readEvent(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}
