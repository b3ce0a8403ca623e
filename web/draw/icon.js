// The signs beside words, of Lucide.

import { html } from "../vendor/lit-html/lit-html.js";

/** Where the signs are drawn. */
export const SIGNS = new URL("../vendor/lucide/sprite.svg", import.meta.url).pathname;

/**
 * One sign by its name in Lucide; the sprite holds those that the pages use.
 * @param {string} name
 */
export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href=${`${SIGNS}#${name}`}></use></svg>`;
