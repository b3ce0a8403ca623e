// Errors in three parts, shown for a while at the bottom of the screen.

import { byId } from "./dom.js";
import { say } from "./strings.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

const SHOWN_MS = 8_000;
const MOST = 3;

/** @param {{ what: unknown, where?: unknown, hint?: unknown }} error */
export function showError({ what, where = "", hint = "" }) {
  const toast = Object.assign(document.createElement("div"), { className: "toast" });
  render(
    html`<div><strong>${what}</strong>${where ? html`<small>${where}</small>` : nothing}${hint ? html`<span>${hint}</span>` : nothing}</div><button type="button" aria-label=${say("close")} @click=${() => toast.remove()}>×</button>`,
    toast,
  );
  const toasts = byId("toasts");
  [...toasts.children].find((one) => one.textContent === toast.textContent)?.remove(); // said once
  toasts.append(toast);
  while (toasts.children.length > MOST) toasts.firstChild?.remove();
  if (toasts.showPopover) {
    toasts.hidePopover();
    toasts.showPopover(); // again, so that it lies over a dialog that opened meanwhile
  } else (document.querySelector("dialog[open]") ?? document.body).append(toasts); // browsers before popover: inside what lies over all
  setTimeout(() => toast.remove(), SHOWN_MS);
}
