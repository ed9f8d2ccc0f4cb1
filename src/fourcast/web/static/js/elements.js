/**
 * Making elements of the page, HTML and SVG, in one call each.
 *
 * Nothing here writes markup or `style` attributes: the page runs under a policy that forbids both.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, unknown> & {on?: Record<string, (event: any) => void>}} Attributes
 */

/**
 * An HTML element.
 *
 * @param {string} tag - its name, with classes after dots: `button.quiet`
 * @param {Attributes} [attributes] - `on` holds listeners; true sets an attribute, false and null leave it out
 * @param {...(Child | Child[])} children - what it holds
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return furnish(document.createElement(name), classes, attributes, children);
}

/**
 * An SVG element; arguments as those of `element`.
 *
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function shape(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return furnish(document.createElementNS(SVG, name), classes, attributes, children);
}

/**
 * Takes out what an element holds, and puts these in.
 *
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/**
 * A button with words on it.
 *
 * @param {string} words - what it says
 * @param {() => void} press - what it does
 * @param {Attributes & {look?: string}} [attributes] - `look` names its classes, parted by dots
 * @returns {HTMLButtonElement}
 */
export function button(words, press, { look = "", ...attributes } = {}) {
  return element(look ? `button.${look}` : "button", { type: "button", on: { click: press }, ...attributes }, words);
}

/**
 * A field with its label.
 *
 * @param {string} words - the label
 * @param {HTMLElement} field - an input or a select; it is given an id if it has none
 * @param {string} [help] - a line below it
 * @returns {HTMLElement}
 */
export function labelled(words, field, help) {
  field.id ||= freshId();
  const note = help ? element("small.note", { id: `${field.id}-note` }, help) : null;
  if (note) field.setAttribute("aria-describedby", note.id);
  return element("div.field", {}, element("label", { for: field.id }, words), field, note);
}

/**
 * A choice among some.
 *
 * @param {{value: string, words: string, disabled?: boolean}[]} choices
 * @param {string} chosen - the value that is chosen
 * @param {(value: string) => void} choose - told of another choice
 * @param {Attributes} [attributes]
 * @returns {HTMLSelectElement}
 */
export function choice(choices, chosen, choose, attributes = {}) {
  const select = element(
    "select",
    { on: { change: (/** @type {any} */ event) => choose(event.target.value) }, ...attributes },
    choices.map(({ value, words, disabled }) =>
      element("option", { value, disabled, selected: value === chosen }, words),
    ),
  );
  return select;
}

/**
 * An agent's spec that goes on in another line where it has to, after the name or an option.
 *
 * @param {string} spec
 * @returns {Child[]}
 */
export function breakable(spec) {
  return spec.split(/(?<=[:,])/).flatMap((part, index) => (index ? [element("wbr"), part] : [part]));
}

let ids = 0;

/** @returns {string} an id that no other element has */
export function freshId() {
  ids += 1;
  return `part-${ids}`;
}

/**
 * @param {any} made
 * @param {string[]} classes
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function furnish(made, classes, attributes, children) {
  if (classes.length) made.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(/** @type {any} */ (value))) made.addEventListener(event, listener);
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...present(children));
  return made;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {any} */ (
    children
      .flat()
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (child instanceof Node ? child : String(child)))
  );
}
