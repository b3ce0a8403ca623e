// A result by itself, for whoever looks on: a film, a wall of tables. Nothing on it can be tapped.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { numbers } from "../draw/own.js";
import { tally } from "../draw/symbol.js";
import { dieLabel, setOfSymbol, typeTitle } from "../dice.js";
import { labelSaid } from "../said.js";
import { headlineWords, outcomeWord, say, symbolWord } from "../strings.js";
import { rowsOf } from "./dice.js";
import { isShort } from "../table/kind.js";
import { symbolsLeft } from "./net.js";

/** The colour of a result: `"good" | "bad" | "ink"`. @param {Pick<AnyRoll, "sure" | "succeeded"> | null} roll */
export const toneOf = (roll) => (!roll || !roll.sure || roll.succeeded === null ? "ink" : roll.succeeded ? "good" : "bad");

/** What is wrong with dice that are other than the call's: `short` is how many of each type are missing, less than 0 where there are too many. @param {Counts} short */
export function wrongWords(short) {
  const counts = Object.values(short);
  const sum = counts.reduce((total, count) => total + count, 0);
  const isOneWay = counts.every((count) => count > 0 === sum > 0);
  return !isOneWay ? say("wrongDice") : sum > 0 ? say("tooFew", { n: sum }) : say("tooMany", { n: -sum });
}

/** What is said largest: a word, or a total with its word beside it. What is in doubt is no result yet. @param {CameTo & { sure: boolean, short?: Counts }} roll @returns {{ text: string, beside: string }} */
export function largest(roll) {
  if (!roll.sure) return { text: say("beingAsked"), beside: "" };
  if (isShort(roll)) return { text: wrongWords(roll.short ?? {}), beside: "" };
  const total = roll.net.total;
  if (roll.awaits && total !== undefined) return { text: String(total), beside: say("soFar") };
  return total === undefined ? { text: headlineWords(roll), beside: "" } : { text: String(total), beside: outcomeWord(roll) };
}

/** What a roll came to. @param {CameTo} roll */
export function cameTo(roll) {
  const { text, beside } = largest({ ...roll, sure: true }); // whether it is, the table says
  if (roll.awaits && roll.net.total !== undefined) return say("now.soFar", { n: roll.net.total });
  return [text, beside].filter(Boolean).join(" ");
}

/** A headline that knows how many letters it has, so that its style can make it fit. @param {string} text */
export const word = (text, tag = "") => html`<span class=${`word ${tag}`} ${numbers({ "--letters": Math.max(4, [...text].length) })}>${text}</span>`;

/** The symbols that are left, or none where the headline says the same, as of Force dice: "2 light, 1 dark". @param {AnyRoll} roll */
function unsaidSymbols(roll) {
  const left = symbolsLeft(roll);
  return left.map(([name, count]) => `${count} ${symbolWord(name, count)}`).join(", ") === headlineWords(roll) ? [] : left;
}

/** The symbols that are left, each with its number, and their names for the ear. @param {AnyRoll} roll */
export function marks(roll) {
  const left = unsaidSymbols(roll);
  if (left.length === 0) return nothing;
  return html`<span class="marks"><span aria-hidden="true">${tally(setOfSymbol, left)}</span><span class="hidden">${left.map(([name, count]) => symbolWord(name, count, true)).join(", ")}</span></span>`;
}

/** The dice as they lie: what helps above, what hinders below. With `asks` a die in doubt has a question mark for a face. @param {LyingDie[]} dice */
export function drawnDice(dice, { asks = false } = {}) {
  if (dice.length === 0) return nothing;
  const rows = rowsOf(dice.map((one) => ({ status: "sure", ...one })));
  const isAsked = (/** @type {{ status?: string }} */ one) => asks && one.status !== undefined && one.status !== "sure";
  const label = (/** @type {{ type: string, face: string[], status?: string }} */ one) =>
    isAsked(one) ? `${typeTitle(one.type)}: ${say(`status.${one.status}`)}` : dieLabel(one);
  return html`<span class="dice-rows" role="img" aria-label=${rows.flat().map(label).join(", ")}>${rows.map(
    (row) =>
      html`<span class="dice-row">${row.map(
        (one) => html`<span class="die" data-status=${one.status} data-rule=${one.rule || nothing}>
    ${die(one.kind, isAsked(one) ? null : one.face, { body: one.kind.any_colour ? one.colour : "" })}${isAsked(one) ? html`<b class="asked">?</b>` : nothing}${one.count > 1 ? html`<b class="times">×${one.count}</b>` : nothing}</span>`,
      )}</span>`,
  )}</span>`;
}

/** Who rolled, and what for. @param {{ by: string, label: string }} roll */
export const forWhom = ({ by, label }) =>
  html`${by ? html`<b>${by}</b>` : nothing}${by && label ? html`<span class="dot"> · </span>` : nothing}${labelSaid(label)}`;
