// What a roll comes to, in symbols; where a game has totals, the dice themselves.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { symbol } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { say, symbolWord } from "../strings.js";
import { byPlace, drawnOf, rollDie } from "./dice.js";

const NO_WORDS_FROM = 5;
const WORDS_BELOW_FROM = 3;

/**
 * The symbols that are left, or that none is, or the dice, of which `act.find` corrects one. `counted` is how much of each symbol
 * is shown while they count up, `question` the die in question.
 * @param {AnyRoll} roll
 * @param {{ counted?: number, isHopping?: boolean, question?: number | null, isRoomy?: boolean, act?: { find: (find: Find) => void } }} [options]
 */
export function netRow(roll, { counted = 1, isHopping = false, question = null, isRoomy = false, act } = {}) {
  const left = symbolsLeft(roll);
  if (left.length > 0) {
    const layout = left.length >= NO_WORDS_FROM ? "bare" : left.length >= WORDS_BELOW_FROM ? "below" : "beside";
    return html`<ul id="net" class="net" data-count=${left.length} data-layout=${layout} ?data-roomy=${isRoomy}>${left.map(([name, count]) => netItem(name, count, layout, counted))}</ul>`;
  }
  if (!isByFaces(roll)) return html`<p id="net" class="net none" ?data-roomy=${isRoomy}>${say("noneLeft")}</p>`;
  if (!isInNet(roll)) return html`<div id="net" class="net pips-alone">${pipsOf(roll)}</div>`;
  return facesRow(roll, { isHopping, question, isRoomy, act });
}

/** The symbols of a roll with their counts, in the order in which the game says them. @param {{ net: Counts }} roll */
export const symbolsLeft = (roll) => Object.entries(roll.net).filter(([name, count]) => count > 0 && setOfSymbol(name));

/** @param {string} name @param {number} count @param {string} layout @param {number} counted */
function netItem(name, count, layout, counted) {
  return html`<li class="net-item" data-symbol=${name}>
    ${symbol(setOfSymbol(name), name)}<b class="count" aria-hidden="true">${Math.round(count * counted)}</b>
    ${layout === "bare" ? nothing : html`<span class="word" aria-hidden="true">${symbolWord(name, count)}</span>`}
    <span class="hidden">${symbolWord(name, count, true)}</span>
  </li>`;
}

/** Whether a roll comes to no symbols: the faces of its dice are shown in their place. @param {{ net: Counts }} roll */
export const isByFaces = (roll) => !Object.keys(roll.net).some(setOfSymbol);

/** Whether the dice of a roll stand at what it comes to, beside their picture or those that are still thrown; else they have the picture's room. @param {AnyRoll} roll */
export const isInNet = (roll) => isByFaces(roll) && Boolean(roll.picture || roll.awaits);

const pipsOf = (/** @type {AnyRoll} */ { pips }) => (pips ? html`<b class="plus">${say(pips > 0 ? "pips" : "pipsLess", { n: Math.abs(pips) })}</b>` : nothing);

/**
 * The dice of a roll with their faces; a variant such as the Wild Die first and set off. The last of it hops where it is thrown once more.
 * @param {AnyRoll} roll @param {{ isHopping: boolean, question: number | null, isRoomy: boolean, act?: { find: (find: Find) => void } }} how
 */
function facesRow(roll, { isHopping, question, isRoomy, act }) {
  const sorted = drawnOf(roll.dice).sort(byPlace);
  const first = sorted.filter((one) => one.kind.variant_of);
  const hop = (/** @type {(typeof sorted)[0]} */ one) => html`<span class="hop" aria-hidden="true">${die(one.kind, one.face, { body: bodyOf(one) })}</span>`;
  return html`<div id="net" class="net net-faces" ?data-roomy=${isRoomy}><div id="dice" class="dice-row" role="group" aria-label=${say("dice")}>
    ${repeat(
      sorted,
      (one) => one.index,
      (one, n) => rollDie(one, question, act, { isApart: n === first.length && n > 0, hop: isHopping && n === first.length - 1 ? hop(one) : nothing }),
    )}</div>
    ${pipsOf(roll)}
  </div>`;
}

const bodyOf = (/** @type {LyingDie & DrawnDie} */ one) => (one.kind.any_colour ? one.colour : "");
