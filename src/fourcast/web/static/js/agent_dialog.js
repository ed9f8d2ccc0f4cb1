/** Choosing any agent that the server has, with its options, as a form and as it is written. */

import { agentsOn } from "./api.js";
import { faultLine, openDialog } from "./dialog.js";
import { choice, element, fill, labelled } from "./elements.js";
import { readLimit } from "./notation.js";
import { text } from "./text.js";

/** @typedef {{name: string, default: unknown, takes: string, help: string}} Option */

/**
 * @param {string} spec - like alphabeta:depth=6
 * @returns {{name: string, options: Map<string, string>}}
 */
export function readSpec(spec) {
  const [name, rest = ""] = split(spec.trim(), ":");
  const pairs = rest.split(",").filter(Boolean).map((part) => split(part, "="));
  return { name, options: new Map(pairs.map(([option, value]) => (value === undefined ? ["", option] : [option.trim(), value.trim()]))) };
}

/** @param {string} name @param {Map<string, string>} options @returns {string} */
export function writeSpec(name, options) {
  const parts = [...options].filter(([, value]) => value !== "").map(([option, value]) => (option ? `${option}=${value}` : value));
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

/**
 * Asks for an agent.
 *
 * @param {{board: string, slip: number, title: string, spec: string, limit: string | null}} asked - what to begin
 *     with; without a limit none is asked for
 * @param {(spec: string, limit: string) => void} use - told what was chosen
 */
export async function chooseAgent({ board, slip, title, spec, limit }, use) {
  const { agents } = await agentsOn(board, slip);
  const known = new Map(agents.map((agent) => [agent.name, agent]));
  const begin = known.has(readSpec(spec).name) ? spec : (agents.find((agent) => agent.plays)?.name ?? "");
  const words = element("p.note");
  const options = element("div.options");
  const fault = faultLine();
  const specField = element("input", { value: begin, spellcheck: "false", autocomplete: "off", on: { input: () => follow() } });
  const limitField = element("input", { value: limit ?? "", spellcheck: "false", autocomplete: "off" });
  const names = choice(
    agents.map((agent) => ({ value: agent.name, words: agent.name, disabled: !agent.plays })),
    readSpec(begin).name,
    (name) => {
      specField.value = name;
      follow();
    },
  );

  /** Shows what belongs to the agent that is written in the field. */
  function follow() {
    const { name, options: given } = readSpec(specField.value);
    const agent = known.get(name);
    fill(fault, agent ? (agent.plays ? "" : agent.why) : text.agentDialog.unknown(name));
    if (!agent) return;
    names.value = name;
    fill(words, agent.summary);
    const set = (/** @type {string} */ option, /** @type {string} */ value) => {
      const all = readSpec(specField.value).options;
      if (value === "") all.delete(option);
      else all.set(option, value);
      specField.value = writeSpec(name, all);
    };
    fill(
      options,
      agent.options.length
        ? agent.options.map((/** @type {Option} */ option) => optionField(option, given.get(option.name) ?? "", set))
        : element("p.note", {}, text.agentDialog.noOptions),
    );
  }

  follow();
  const say = text.agentDialog;
  openDialog(
    title,
    [
      labelled(say.choose, names),
      words,
      element("details.agent-options", { open: readSpec(begin).options.size > 0 }, element("summary", {}, say.options), options),
      labelled(say.spec, specField, say.specHelp),
      ...(limit === null ? [] : [labelled(say.limit, limitField, say.limitHelp)]),
      fault,
    ],
    {
      words: say.use,
      press: () => {
        const agent = known.get(readSpec(specField.value).name);
        if (!agent?.plays) return false;
        if (limit !== null && !readLimit(limitField.value)) {
          fill(fault, say.badLimit);
          return false;
        }
        use(specField.value.trim(), limitField.value.trim());
        return true;
      },
    },
  );
}

/**
 * @param {Option} option
 * @param {string} given
 * @param {(option: string, value: string) => void} set
 * @returns {HTMLElement}
 */
function optionField(option, given, set) {
  const usual = option.default === null || option.default === undefined ? "" : String(option.default);
  const among = wordsAmong(option.takes, usual);
  const field = among
    ? choice(
        among.map((value) => ({ value: value === usual ? "" : value, words: value })),
        given,
        (value) => set(option.name, value),
      )
    : element("input", {
        value: given,
        placeholder: usual && text.agentDialog.usual(usual),
        spellcheck: "false",
        on: { input: (/** @type {any} */ event) => set(option.name, event.target.value.trim()) },
      });
  const takes = among || !option.takes ? "" : ` (${option.takes})`;
  return labelled(option.name, field, `${option.help}${takes}`);
}

/**
 * The words that an option may be, of "windows, power or lines"; null if it takes something else.
 *
 * @param {string} takes
 * @param {string} usual
 * @returns {string[] | null}
 */
function wordsAmong(takes, usual) {
  const words = takes.split(/, | or /);
  const plain = words.length > 1 && words.every((word) => /^[\w-]+$/.test(word));
  return plain && words.includes(usual) ? words : null;
}

/** @param {string} whole @param {string} at @returns {[string, string?]} */
function split(whole, at) {
  const place = whole.indexOf(at);
  return place < 0 ? [whole] : [whole.slice(0, place), whole.slice(place + 1)];
}
