// Luck and fairness, in plain words first.

import { faceShapes, typeTitle } from "../dice.js";
import { plainSaid } from "../said.js";
import { faceWords, say } from "../strings.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

const MOST_ERRORS = 3; // of the bar; who is further off stands at its end

/**
 * All of it, of all evenings or of this one.
 * @param {{ ui: { isLuckNow: boolean, luck: { luck: Told["Luck"][], fairness: Told["Fairness"][] } | null }, act: any }} seen
 */
export function luckView({ ui, act }) {
  return html`<label class="check"><input type="checkbox" .checked=${ui.isLuckNow} @change=${(/** @type {any} */ event) => act.luckNow(event.target.checked)}>${say("onlySession")}</label>
    ${ui.luck === null ? nothing : ui.luck.fairness.length === 0 ? html`<p>${say("statisticsNone")}</p>` : html`${lucky(ui.luck.luck)}${fair(ui.luck.fairness)}`}`;
}

/** @param {Told["Luck"][]} luck */
const lucky = (luck) =>
  html`<section class="card"><h2>${say("luckTitle")}</h2><p class="quiet">${say("luckHint")}</p><ul class="luck">${luck.map(
    (one) =>
      html`<li><span><b>${one.player || say("nobodyNamed")}</b><small>${say("luckLine", { of: plainSaid(one.of), n: one.dice, total: one.total, expected: one.expected })}</small></span>${gauge(one.standard_errors)}<b class="luck-word">${one.sentence}</b></li>`,
  )}</ul></section>`;

/** A bar from unlucky to lucky with its middle marked; within the first standard error all is as expected. @param {number} errors */
function gauge(errors) {
  const at = 50 + (46 * Math.max(-MOST_ERRORS, Math.min(MOST_ERRORS, errors))) / MOST_ERRORS;
  return html`<svg class="luck-bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" x="0" y="3" width="100" height="6" rx="3"></rect><rect class="usual" x=${50 - 46 / MOST_ERRORS} y="3" width=${92 / MOST_ERRORS} height="6"></rect><rect class="mark" x=${at - 1.5} y="0" width="3" height="12" rx="1.5"></rect></svg>`;
}

/** @param {Told["Fairness"][]} fairness */
const fair = (fairness) =>
  html`<section class="card"><h2>${say("fairTitle")}</h2>${fairness.map(
    (one) =>
      html`<details><summary>${typeTitle(one.type)}: ${one.sentence}</summary><table class="faces-table">${one.p === null ? nothing : html`<caption>χ² = ${one.chi_square}, p = ${one.p.toPrecision(2)}</caption>`}
      <thead><tr>${["face", "came", "usual"].map((name) => html`<th scope="col">${say(name)}</th>`)}</tr></thead>
      <tbody>${one.faces.map((face) => html`<tr><th scope="row">${faceShapes(one.type, face.face)}<span> ${faceWords(face.face)}</span></th><td>${face.count}</td><td>${face.expected}</td></tr>`)}</tbody></table></details>`,
  )}</section>`;
