// The edge of the page in the colours of a result's moods: it shines in the moment, and stays as a hairline.

import { html, nothing } from "../vendor/lit-html/lit-html.js";

/**
 * `moods` are those of the result that is shown, `shining` those that have their moment now.
 * @param {string[]} moods @param {string[]} shining
 */
export function edge(moods, shining) {
  if (moods.length === 0) return nothing;
  const shown = shining.length > 0 ? shining : moods;
  return html`<div class="edge" id="edge" data-moods=${shown.join(" ")} ?data-shining=${shining.length > 0} aria-hidden="true"><div class="shine"></div></div>
    <div class="veil" id="veil" aria-hidden="true"></div>`;
}
