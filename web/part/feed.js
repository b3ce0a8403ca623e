// The last rolls of the session, newest first.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { tally } from "../draw/symbol.js";
import { icon } from "../draw/icon.js";
import { setOfSymbol } from "../dice.js";
import { ageWords, outcomeWord, say } from "../strings.js";
import { symbolsLeft } from "./net.js";

const MOST = 8;

/** Rows of past rolls, without the one that is shown large. `act.past(id)` opens one. */
export function feed(state, { shown, now, act }) {
  const past = state.history.filter((roll) => roll.id !== shown).slice(0, MOST);
  if (past.length === 0) return nothing;
  return html`<ol id="feed" class="feed" aria-label=${say("feed")}>${repeat(
    past,
    (roll) => roll.id,
    (roll) => feedRow(roll, now, act),
  )}</ol>`;
}

/** A tap opens the roll; who taps the one beside it is a step away. A roll of nobody is told by what it was for, else by its age. */
function feedRow(roll, now, act) {
  return html`<li><button type="button" class="past-roll" data-roll=${roll.id} @click=${() => act.past(roll.id)}>
    ${roll.by ? html`<b>${roll.by}</b>` : nothing}
    <span class="for may-cut" ?data-alone=${!roll.by}>${roll.label || (roll.by ? "" : ageWords(now - roll.at))}</span>
    <span class="came">${cameTo(roll)}${roll.sure ? nothing : html`<b data-tone="doubt" title=${say("status.unsure")}>?</b>`}</span>
  </button></li>`;
}

/** The symbols of a result, without those that its word says. */
export const symbolsOf = (roll) =>
  roll.net.total === undefined
    ? tally(
        setOfSymbol,
        symbolsLeft(roll).filter(([name]) => name !== "failure"),
      )
    : html`<b>${roll.net.total}</b>`;

/** The result of a past roll in one short piece. */
export function cameTo(roll) {
  const left = symbolsLeft(roll);
  const failed = roll.succeeded === false;
  const word = outcomeWord(roll);
  if (roll.net.total !== undefined)
    return html`<b>${roll.net.total}</b><span class="came-mark" data-tone=${failed ? "bad" : "good"}>${word ? html`${icon(failed ? "x" : "check")}<span class="hidden">${word}</span>` : nothing}</span>`;
  const isDrawn = left.some(([name]) => name === "failure");
  return html`${failed ? html`<span data-tone="bad">${isDrawn ? nothing : icon("x")}<span class="hidden">${say("outcomes.failure")}</span></span>` : nothing}${tally(setOfSymbol, left)}${left.length === 0 && !failed ? html`<span>${word || roll.headline}</span>` : nothing}`;
}
