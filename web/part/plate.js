// A result by itself, for whoever looks on: a film, a wall of tables. Nothing on it can be tapped.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { numbers } from "../draw/own.js";
import { tally } from "../draw/symbol.js";
import { dieLabel, setOfSymbol, typeTitle } from "../dice.js";
import { headlineWords, outcomeWord, say, symbolWord } from "../strings.js";
import { rowsOf } from "./dice.js";
import { isShort } from "../table/kind.js";
import { symbolsLeft } from "./net.js";

/** The colour of a result: `"good" | "bad" | "ink"`. */
export const toneOf = (roll) => (!roll || !roll.sure || roll.succeeded === null ? "ink" : roll.succeeded ? "good" : "bad");

/** What is wrong with dice that are other than the call's: `short` is how many of each type are missing, less than 0 where there are too many. */
export function wrongWords(short) {
  const sum = Object.values(short).reduce((total, count) => total + count, 0);
  return sum > 0 ? say("tooFew", { n: sum }) : sum < 0 ? say("tooMany", { n: -sum }) : say("wrongDice");
}

/** What is said largest: a word, or a total with its word beside it. What is in doubt is no result yet. */
export function largest(roll) {
  if (!roll.sure) return { text: say("beingAsked"), beside: "" };
  if (isShort(roll)) return { text: wrongWords(roll.short), beside: "" };
  const total = roll.net.total;
  if (roll.awaits && total !== undefined) return { text: String(total), beside: say("soFar") };
  return total === undefined ? { text: headlineWords(roll), beside: "" } : { text: String(total), beside: outcomeWord(roll) };
}

/** What a roll that is not over wants thrown. */
export function wantedWords({ awaits: { name, dice } }) {
  const [[type, n]] = Object.entries(dice);
  return say(name.endsWith("again") ? "throwAgainOf" : "throwMore", { n, title: typeTitle(type) });
}

/** A headline that knows how many letters it has, so that its style can make it fit. */
export const word = (text, tag = "") => html`<span class=${`word ${tag}`} ${numbers({ "--letters": Math.max(4, [...text].length) })}>${text}</span>`;

/** The symbols that are left, or none where the headline says the same, as of Force dice: "2 light, 1 dark". */
export function unsaidSymbols(roll) {
  const left = symbolsLeft(roll);
  return left.map(([name, count]) => `${count} ${symbolWord(name, count)}`).join(", ") === headlineWords(roll) ? [] : left;
}

/** The symbols that are left, each with its number, and their names for the ear. */
export function marks(roll) {
  const left = unsaidSymbols(roll);
  if (left.length === 0) return nothing;
  return html`<span class="marks"><span aria-hidden="true">${tally(setOfSymbol, left)}</span><span class="hidden">${left.map(([name, count]) => symbolWord(name, count, true)).join(", ")}</span></span>`;
}

/** The dice as they lie: what helps above, what hinders below. With `asks` a die in doubt has a question mark for a face. */
export function drawnDice(dice, { asks = false } = {}) {
  if (dice.length === 0) return nothing;
  const rows = rowsOf(dice.map((one) => ({ status: "sure", ...one })));
  const isAsked = (one) => asks && one.status && one.status !== "sure";
  const label = (one) => (isAsked(one) ? `${typeTitle(one.type)}: ${say(`status.${one.status}`)}` : dieLabel(one));
  return html`<span class="dice-rows" role="img" aria-label=${dice.map(label).join(", ")}>${rows.map(
    (row) =>
      html`<span class="dice-row">${row.map(
        (one) => html`<span class="die" data-status=${one.status} data-rule=${one.rule || nothing}>
    ${die(one.kind, isAsked(one) ? null : one.face, { body: one.kind.any_colour ? one.colour : "" })}${isAsked(one) ? html`<b class="asked">?</b>` : nothing}${one.count > 1 ? html`<b class="times">×${one.count}</b>` : nothing}</span>`,
      )}</span>`,
  )}</span>`;
}

/** Who rolled, and what for. */
export const forWhom = ({ by, label }) => html`${by ? html`<b>${by}</b>` : nothing}${by && label ? html`<span class="dot"> · </span>` : nothing}${label}`;
