/** What every page has: the name, the way to the other pages, light or dark, help. */

import { disc } from "./board.js";
import { button, element, fill, shape } from "./elements.js";
import { showHelp } from "./help.js";
import { text } from "./text.js";

const ADDRESSES = { play: "/", watch: "/watch", tree: "/tree", leaderboard: "/leaderboard" };

/**
 * Puts the header above the page.
 *
 * @param {keyof typeof ADDRESSES | "missing"} here - which page this is
 * @returns {(query: string) => void} tells the links that keep a game (play, watch, tree) which one it is
 */
export function putHeader(here) {
  document.documentElement.lang = text.language;
  document.title = text.titles[here];
  const links = Object.entries(ADDRESSES).map(([page, address]) =>
    element("a", { href: address, "aria-current": page === here ? "page" : null, "data-page": page }, /** @type {any} */ (text.pages)[page]),
  );
  const header = document.querySelector("header");
  if (header) {
    fill(
      header,
      element("a.skip", { href: "#main" }, text.skip),
      element("a.brand", { href: "/" }, brandMark(), element("span", {}, text.name)),
      element("nav", { "aria-label": text.name }, links),
      element("div.tools", {}, themeButton(), button("?", showHelp, { look: "icon", "aria-label": text.help.open, title: text.help.open, id: "help" })),
    );
  }
  return (query) => {
    for (const link of links) {
      const page = link.dataset.page;
      if (page !== "play" && page !== "tree") continue;
      link.setAttribute("href", `${ADDRESSES[page]}${page === here ? query : withoutPlayers(query)}`);
    }
  };
}

/** A game as it stands: whoever goes on with it elsewhere chooses who plays. @param {string} query @returns {string} */
function withoutPlayers(query) {
  const rest = new URLSearchParams(query);
  for (const name of ["first", "second", "limit", "first_limit", "second_limit", "game"]) rest.delete(name);
  return `?${rest}`;
}

/** @returns {SVGElement} */
function brandMark() {
  const places = [
    [0, -26, -26],
    [1, 26, -26],
    [1, -26, 26],
    [0, 26, 26],
  ];
  return shape(
    "svg.mark",
    { viewBox: "-56 -56 112 112", "aria-hidden": "true" },
    shape("rect", { x: -56, y: -56, width: 112, height: 112, rx: 26, fill: "#33427c" }),
    places.map(([player, x, y]) => shape("g", { transform: `translate(${x} ${y})` }, disc(/** @type {0 | 1} */ (player), 21))),
  );
}

/** @returns {HTMLButtonElement} */
function themeButton() {
  const root = document.documentElement;
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const icon = shape(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    shape("circle", { cx: 12, cy: 12, r: 9, fill: "none", stroke: "currentColor", "stroke-width": 2 }),
    shape("path", { d: "M12 3a9 9 0 0 1 0 18Z", fill: "currentColor" }),
  );
  const made = button("", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    say();
  }, { look: "icon", id: "theme" });
  made.append(icon);
  const say = () => {
    made.setAttribute("aria-pressed", String(isDark()));
    made.setAttribute("aria-label", text.theme.dark);
    made.setAttribute("title", isDark() ? text.theme.light : text.theme.dark);
  };
  say();
  return made;
}
