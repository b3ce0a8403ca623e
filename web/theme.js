// Light or dark, as the system says until somebody chooses.

import { setText } from "./dom.js";
import { words } from "./strings.js";

const KEY = "tableside.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden; the page still works
  }
}

function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // as above
  }
}

/** Apply the remembered theme and let `button` change it. */
export function startTheme(button) {
  let chosen = remembered();
  const show = () => {
    const theme = chosen === "dark" || chosen === "light" ? chosen : system.matches ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    const other = theme === "dark" ? words.light : words.dark;
    setText(button, theme === "dark" ? "☀\uFE0E" : "☾\uFE0E");
    button.setAttribute("aria-label", other);
    button.title = other;
    return theme;
  };
  button.addEventListener("click", () => {
    chosen = show() === "dark" ? "light" : "dark";
    remember(chosen);
    show();
  });
  system.addEventListener("change", show);
  show();
}
