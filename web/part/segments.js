// A few that are chosen from, side by side. A tap on the chosen one changes nothing.

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * @param {string} title @param {[any, string][]} list values with their words
 * @param {any} now @param {(value: any) => void} choose @param {string} [id]
 */
export const segments = (title, list, now, choose, id = "") =>
  html`<span class="segments" id=${id || nothing} role="group" aria-label=${title}>${list.map(([value, text]) => html`<button type="button" data-value=${value} aria-pressed=${String(value === now)} @click=${() => value !== now && choose(value)}>${text}</button>`)}</span>`;
