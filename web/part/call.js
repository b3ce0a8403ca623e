// The open call: its dice with what lies in the tray of them, its odds, and what a point would make of it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { whole } from "../draw/percent.js";
import { symbol } from "../draw/symbol.js";
import { diamond, token } from "../draw/token.js";
import { setOfSymbol, typeTitle } from "../dice.js";
import { say, symbolWord } from "../strings.js";

/** @typedef {Record<string, number>} Dice */

/** @param {Dice} dice */
const sum = (dice) => Object.values(dice).reduce((total, count) => total + count, 0);
/** "1 boost, 2 setback" @param {Dice} dice */
export const listed = (dice) =>
  Object.entries(dice)
    .map(([type, n]) => say("diceOf", { n, title: typeTitle(type) }))
    .join(", ");

/** Whether dice lie in the tray that were laid for the call. @param {Told["OpenCall"]} call */
export const isLaid = (call) => sum(call.laid) > 0;

/** "5 of 7 in the tray. Missing: 1 boost, 1 setback" @param {Told["OpenCall"]} call */
export function laidLine(call) {
  const right = sum(call.dice) - sum(call.missing);
  return html`<b>${say("laid", { n: right, of: sum(call.dice) })}</b>
    ${sum(call.missing) > 0 ? html`<span data-tone="ask">${say("laidMissing", { what: listed(call.missing) })}</span>` : nothing}
    ${sum(call.extra) > 0 ? html`<span data-tone="doubt">${say("laidExtra", { what: listed(call.extra) })}</span>` : nothing}`;
}

/** The chances of a call: success large, what else may come by its symbol, or a `hint` in place of that. @param {{ odds: Record<string, number> }} call */
export function oddsRow({ odds }, hint = "") {
  if (odds.success === undefined) return nothing;
  const others = Object.entries(odds).filter(([name, chance]) => name !== "success" && chance > 0 && setOfSymbol(name));
  return html`<div class="odds chance" ?data-many=${others.length > 3 && !hint}>
    <b class="large">${whole(odds.success)}<small>%</small></b><span class="to">${say("toSucceed")}</span>
    ${hint ? html`<b class="hint">${hint}</b>` : others.map(([name, chance]) => html`<span class="odd">${symbol(setOfSymbol(name), name)}<span><b>${whole(chance)} %</b><small>${symbolWord(name)}</small></span></span>`)}
  </div>`;
}

/** What is left of a side's points: of the pool, or of who acts where each has points of their own. @param {Pick<State, "destiny" | "points">} state @param {Side} side */
export const pointsLeft = ({ destiny, points }, side) => (points ? (points[side] ?? 0) : destiny[side]);

/** A point that joins the call, a button for each side; a tap spends it, and the call changes in the same act. @param {Pick<State, "call" | "destiny" | "points" | "destiny_names">} state @param {{ mayFlip: (side: Side) => boolean, flip: (side: Side) => void }} act */
export function flipButtons(state, { mayFlip, flip }) {
  const flips = /** @type {{ side: Side, odds: Counts }[]} */ (state.call?.flips ?? []).filter(({ side }) => pointsLeft(state, side) > 0);
  if (flips.length === 0) return nothing;
  const name = (/** @type {Side} */ side) => state.destiny_names[side];
  const isTold = flips.some((one) => one.odds.success !== undefined);
  return html`<div class="flips"><p>${isTold ? say("onePointMakes") : say("onePointJoins")}</p><div class="surfaces">${flips.map(({ side, odds }) => {
    const told = odds.success === undefined ? name(side) : `${whole(odds.success)} %`;
    return html`<button type="button" class="surface flip" data-side=${side} ?disabled=${!mayFlip(side) || pointsLeft(state, side) < 1} aria-label=${`${say("spend", { name: name(side) })}: ${told}`} @click=${() => flip(side)}>${state.points ? diamond(side) : token(side)}<b>${told}</b></button>`;
  })}</div></div>`;
}
