// Errors in three parts, shown for a while at the bottom of the screen.

import { byId, el } from "./dom.js";
import { say } from "./strings.js";

const SHOWN_MS = 8_000;
const MOST = 3;

export function showError({ what, where = "", hint = "" }) {
  const toast = el(
    "div",
    { class: "toast" },
    el("div", {}, el("strong", { text: what }), where && el("small", { text: where }), hint && el("span", { text: hint })),
    el("button", { type: "button", "aria-label": say("close"), text: "×", onclick: () => toast.remove() }),
  );
  const toasts = byId("toasts");
  [...toasts.children].find((one) => one.textContent === toast.textContent)?.remove(); // said once
  toasts.append(toast);
  while (toasts.children.length > MOST) toasts.firstChild.remove();
  toasts.hidePopover?.();
  toasts.showPopover?.(); // again, so that it lies over a dialog that opened meanwhile
  setTimeout(() => toast.remove(), SHOWN_MS);
}
