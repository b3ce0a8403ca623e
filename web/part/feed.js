// The last rolls of the session, newest first.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { tally } from "../draw/symbol.js";
import { icon } from "../draw/icon.js";
import { setOfSymbol } from "../dice.js";
import { labelSaid } from "../said.js";
import { ageWords, outcomeWord, say } from "../strings.js";
import { symbolsLeft } from "./net.js";

const MOST = 8;

/** Rows of past rolls, without the one that is shown large. `act.past(id)` opens one. @param {State} state @param {{ shown: string | null | undefined, now: number, act: { past: (id: string) => void } }} seen */
export function feed(state, { shown, now, act }) {
  const past = state.history.filter((roll) => roll.id !== shown).slice(0, MOST);
  if (past.length === 0) return nothing;
  return html`<ol id="feed" class="feed" aria-label=${say("feed")}>${repeat(
    past,
    (/** @type {BriefRoll} */ roll) => roll.id,
    (/** @type {BriefRoll} */ roll) => feedRow(roll, now, act),
  )}</ol>`;
}

/** Rows without room stand in a column beside the window: nobody can reach them. */
export function leaveOutRows() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#feed > li"))) row.toggleAttribute("data-out", row.offsetLeft > 0);
}

/** A tap opens the roll; who taps the one beside it is a step away. A roll of nobody is told by what it was for, else by its age. @param {BriefRoll} roll @param {number} now @param {{ past: (id: string) => void }} act */
function feedRow(roll, now, act) {
  return html`<li><button type="button" class="past-roll" data-roll=${roll.id} @click=${() => act.past(roll.id)}>
    ${roll.by ? html`<b>${roll.by}</b>` : nothing}
    <span class="for may-cut" ?data-alone=${!roll.by}>${labelSaid(roll.label) || (roll.by ? "" : ageWords(now - roll.at))}</span>
    <span class="came">${cameTo(roll)}${roll.sure ? nothing : html`<b data-tone="doubt" title=${say("status.unsure")}>?</b>`}</span>
  </button></li>`;
}

/** The best throw of the evening, of those that are meant. @param {State} state @param {(roll: any) => boolean} [isMeant] */
export function bestThrow({ history, session }, isMeant = () => true) {
  const merit = (/** @type {any} */ roll) => roll.net.total ?? (roll.net.success ?? 0) + (roll.net.advantage ?? 0) + 2 * (roll.net.triumph ?? 0);
  const [best] = history
    .filter((/** @type {any} */ roll) => roll.sure && roll.by && roll.succeeded !== false && roll.session === session.number && isMeant(roll))
    .sort((one, other) => merit(other) - merit(one));
  return best;
}

/** That throw in a line. @param {State} state @param {(roll: any) => boolean} [isMeant] */
export function bestThrowLine(state, isMeant) {
  const best = bestThrow(state, isMeant);
  return best
    ? html`<p class="best-throw"><span>${say("over.best")}</span><b>${best.by}</b><span class="may-cut">${labelSaid(best.label)}</span><span class="came">${cameTo(best)}</span></p>`
    : nothing;
}

/** The symbols of a result, without those that its word says. @param {{ net: Counts }} roll */
export const symbolsOf = (roll) =>
  roll.net.total === undefined
    ? tally(
        setOfSymbol,
        symbolsLeft(roll).filter((/** @type {[string, number]} */ [name]) => name !== "failure"),
      )
    : html`<b>${roll.net.total}</b>`;

/** The result of a past roll in one short piece. @param {Pick<Roll, "net" | "succeeded" | "outcome" | "headline">} roll */
export function cameTo(roll) {
  const left = symbolsLeft(roll);
  const failed = roll.succeeded === false;
  const word = outcomeWord(roll);
  if (roll.net.total !== undefined)
    return html`<b>${roll.net.total}</b><span class="came-mark" data-tone=${failed ? "bad" : "good"}>${word ? html`${icon(failed ? "x" : "check")}<span class="hidden">${word}</span>` : nothing}</span>`;
  const isDrawn = left.some((/** @type {[string, number]} */ [name]) => name === "failure");
  return html`${failed ? html`<span data-tone="bad">${isDrawn ? nothing : icon("x")}<span class="hidden">${say("outcomes.failure")}</span></span>` : nothing}${tally(setOfSymbol, left)}${left.length === 0 && !failed ? html`<span>${word || roll.headline}</span>` : nothing}`;
}
