// The theme, as the system says until somebody chooses. Contrast follows the system.

import { recall, remember } from "./memory.js";

const system = matchMedia("(prefers-color-scheme: dark)");

let usual = "auto";

/** Apply what is remembered, now and whenever the system changes; `fallback` is what holds until somebody chooses. */
export function startTheme(fallback = "auto") {
  usual = fallback;
  system.addEventListener("change", applyTheme);
  addEventListener("storage", applyTheme); // the other half of a two-sided screen
  applyTheme();
}

export const theme = () => recall("theme") ?? usual;

/** Choose `"light"`, `"dark"` or `"auto"`. @param {string} chosen */
export function chooseTheme(chosen) {
  remember("theme", chosen === usual ? null : chosen);
  applyTheme();
}

function applyTheme() {
  const chosen = theme();
  document.documentElement.dataset.theme = chosen === "auto" ? (system.matches ? "dark" : "light") : chosen;
}
