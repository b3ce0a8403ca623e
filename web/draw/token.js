// Points. Of the pool: light is a lit ivory disc, dark a black one with a rim. Fill tells them apart, not hue.

import { svg, html } from "../vendor/lit-html/lit-html.js";

const LIGHT = svg`<circle cx="50" cy="50" r="49" fill="#f1ead6" fill-opacity=".16"></circle><circle class="token-rim" cx="50" cy="50" r="41" fill="#f1ead6"></circle>
  <circle cx="50" cy="50" r="30" fill="#fbf7ea" stroke="#b9ae8c" stroke-width="2.5"></circle>`;
const DARK = svg`<circle cx="50" cy="50" r="41" fill="#0a0c10" stroke="#7b8494" stroke-width="3.5"></circle>
  <circle cx="50" cy="50" r="29" fill="#14181f" stroke="#3a424e" stroke-width="2.5"></circle>`;

/** @param {string} side */
export const token = (side) => html`<svg class="token-drawing" viewBox="0 0 100 100" aria-hidden="true">${side === "light" ? LIGHT : DARK}</svg>`;

/** A character point: a die with one pip. */
export const pip = () =>
  html`<svg class="point-drawing" viewBox="0 0 100 100" aria-hidden="true"><rect class="token-rim" x="14" y="14" width="72" height="72" rx="18" fill="#f1ead6"></rect><circle cx="50" cy="50" r="12" fill="#14181f"></circle></svg>`;

/** A point that a character has of its own, such as a Force Point: a diamond, lit or dark. @param {string} side */
export const diamond = (side) =>
  html`<svg class="token-drawing" viewBox="0 0 100 100" aria-hidden="true">${
    side === "light"
      ? svg`<path class="token-rim" d="M50 8 L92 50 L50 92 L8 50 Z" fill="#f1ead6"></path><path d="M50 32 L68 50 L50 68 L32 50 Z" fill="#14181f"></path>`
      : svg`<path d="M50 8 L92 50 L50 92 L8 50 Z" fill="#0a0c10" stroke="#7b8494" stroke-width="5"></path>`
  }</svg>`;
