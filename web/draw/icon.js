// The signs beside words, of Lucide.

import { html } from "../vendor/lit-html/lit-html.js";

/**
 * One sign by its name in Lucide; the sprite holds those that the pages use.
 * @param {string} name
 */
export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href=${`/vendor/lucide/sprite.svg#${name}`}></use></svg>`;
