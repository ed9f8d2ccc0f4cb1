// Light or dark, as it was last chosen; before anything is drawn, so that nothing flashes.
(() => {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
