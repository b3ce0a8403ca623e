// A point of the pool: light is a lit ivory disc, dark a black one with a rim. Fill tells them apart, not hue.

import { svg, html } from "../vendor/lit-html/lit-html.js";

const LIGHT = svg`<circle cx="50" cy="50" r="49" fill="#f1ead6" fill-opacity=".16"></circle><circle class="token-rim" cx="50" cy="50" r="41" fill="#f1ead6"></circle>
  <circle cx="50" cy="50" r="30" fill="#fbf7ea" stroke="#b9ae8c" stroke-width="2.5"></circle>`;
const DARK = svg`<circle cx="50" cy="50" r="41" fill="#0a0c10" stroke="#7b8494" stroke-width="3.5"></circle>
  <circle cx="50" cy="50" r="29" fill="#14181f" stroke="#3a424e" stroke-width="2.5"></circle>`;

export const token = (side) => html`<svg class="token-drawing" viewBox="0 0 100 100" aria-hidden="true">${side === "light" ? LIGHT : DARK}</svg>`;
