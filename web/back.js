// The way back from a page that others lead to: a table's screen has no browser's button for it.

import { byId } from "./dom.js";
import { icon } from "./draw/icon.js";
import { say } from "./strings.js";
import { render } from "./vendor/lit-html/lit-html.js";

/** Draw it; it leads to where this page was opened from, else to the table. */
export function showBack() {
  const back = byId("way-back");
  back.setAttribute("aria-label", say("back"));
  render(icon("chevron-left"), back);
  back.addEventListener("click", (event) => {
    if (!(/** @type {any} */ (globalThis).navigation?.canGoBack)) return;
    event.preventDefault();
    history.back();
  });
}
