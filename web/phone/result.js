// All of a roll on a phone: its sentence, its dice, what it may buy, and what may be changed about it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { symbol } from "../draw/symbol.js";
import { dieLabel, dieType, setOfSymbol } from "../dice.js";
import { inPlace, ruleWords } from "../part/dice.js";
import { inOrder, priceShown } from "../part/spends.js";
import { say, sayOr, symbolWord } from "../strings.js";
import { isOtherPool } from "../table/kind.js";
import { isOfPhone } from "./mine.js";

const FIRST_SPENDS = 3;

/** What the total means in the group's own table, where it was thrown for one. */
const rowWords = (/** @type {AnyRoll} */ roll) => (roll.table && roll.net.total !== undefined ? roll.row || say("tables.noRow", { name: roll.table }) : "");

export const rowOf = (/** @type {AnyRoll} */ roll) => (rowWords(roll) ? html`<p class="row-words">${rowWords(roll)}</p>` : nothing);

/** Answers to what the dice leave open. @param {AnyRoll} roll @param {PhoneAct} act @param {string} style */
const choices = (roll, act, style) =>
  (roll.choices ?? []).map(
    (choice) => html`<button type="button" class=${style} @click=${() => act.adjust(roll, { ask: choice.ask })}>${choice.title}</button>`,
  );

/** All of a roll: its sentence, its dice to correct, what it may buy, and what may be changed about it. @param {PhoneSeen} seen @param {Roll | BriefRoll} roll */
export function details(seen, roll) {
  const { state, act, isMaster, mayChange, games } = seen;
  const game = games.find((one) => one.name === roll.game);
  return html`<div class="strip-more"><p>${roll.sentence}</p>
    ${diceOf(seen, roll)}
    ${mayChange && !roll.awaits ? choices(roll, act, "primary") : nothing}
    ${isOtherPool(roll, state) && roll.sure && mayChange && isMaster ? html`<button type="button" class="primary use-destiny" @click=${() => act.usePool(roll)}>${say("useAsDestiny", { pool: state.destiny_names.pool, light: roll.sets_pool?.light, dark: roll.sets_pool?.dark })}</button>` : nothing}
    ${spendRow(seen, roll)}
    ${mayChange ? bonusSymbols(seen, roll, game) : nothing}
    <div class="acts">${isMaster ? html`<button type="button" @click=${() => act.adjust(roll, { hidden: !roll.hidden })}>${roll.hidden ? say("showToAll") : say("hideIt")}</button>` : nothing}
      ${mayChange ? html`<button type="button" class="change-call" @click=${() => act.changeRoll(roll)}>${say("result.changeCall")}</button>` : nothing}
      <button type="button" @click=${() => act.workedOut(roll)}>${say("steps")}</button></div></div>`;
}

/** The dice, to correct; of a roll in doubt they stand there by themselves, with the one in question ringed. @param {PhoneSeen} seen @param {Roll | BriefRoll} roll */
const diceOf = (seen, roll) =>
  html`<ol class="dice-row" aria-label=${say("dice")}>${inPlace(roll.dice).map((one) => rollDie(one, one.index, seen, roll))}</ol>`;

/** @param {LyingDie} one @param {number} index @param {PhoneSeen} seen @param {Roll | BriefRoll} roll */
function rollDie(one, index, { state, mayChange, act }, roll) {
  const kind = dieType(one.type);
  const drawing = die(kind, one.face, { title: mayChange ? "" : dieLabel(one), body: kind.any_colour ? one.colour : "" });
  if (!mayChange) return html`<li class="die"><span class="die-box">${drawing}</span></li>`;
  return html`<li><button type="button" class="die" data-status=${one.status} data-rule=${one.rule || nothing} ?data-question=${index === state.question} title=${dieLabel(one)} aria-label=${`${index + 1}. ${dieLabel(one)}${one.status === "sure" ? "" : ` (${say(`status.${one.status}`)})`}${ruleWords(one)}`} @click=${() => act.correct(roll, index)}><span class="die-box">${drawing}</span></button></li>`;
}

/** Symbols that talents and gear add, one more and one less. @param {PhoneSeen} seen @param {Roll | BriefRoll} roll @param {Game | undefined} game */
function bonusSymbols({ act }, roll, game) {
  const fields = (game?.form ?? []).filter((field) => field.kind === "number" && sayOr(`symbol.${field.name}`, "", { n: 1 }));
  if (fields.length === 0) return nothing;
  return html`<details class="symbols"><summary>${say("addSymbols")}</summary><ul>${fields.map((field) => {
    const now = /** @type {Counts} */ (roll.ask)[field.name] ?? 0;
    const what = say(`a.${field.name}`);
    const set = (/** @type {number} */ count) => act.adjust(roll, { ask: { [field.name]: count } });
    return html`<li data-symbol=${field.name}><button type="button" class="step" aria-label=${say("removeSymbol", { what })} ?disabled=${now <= (field.least ?? 0)} @click=${() => set(now - 1)}>−</button>
      ${symbol(setOfSymbol(field.name), field.name)}<span>${now} ${symbolWord(field.name, now)}</span>
      <button type="button" class="step" aria-label=${say("addSymbol", { what })} ?disabled=${now >= (field.most ?? Infinity)} @click=${() => set(now + 1)}>+</button></li>`;
  })}</ul></details>`;
}

/**
 * What a roll may buy, as buttons: what was bought and the best of the rest first; behind one tap all of them, with what each does.
 * @param {PhoneSeen} seen @param {AnyRoll} roll @param {{ isOpen?: boolean, isMasters?: boolean }} [options] `isOpen`: what it can still buy alone; `isMasters`: what the game master alone buys
 */
export function spendRow(seen, roll, { isOpen = false, isMasters = false } = {}) {
  const { ui, act, isMaster, mayChange } = seen;
  const list = (ui.spends[`${roll.id}:${roll.version}`] ?? []).filter(
    (one) => (isMaster || one.by !== "gm") && (!isOpen || one.affordable) && (!isMasters || one.by === "gm"),
  );
  if (list.length === 0) return nothing;
  const may = mayChange && (isMaster || (roll.who ? isOfPhone(seen, roll.who) : seen.me() === roll.by));
  const rank = (/** @type {Offer} */ one) => (one.bought > 0 ? 0 : one.affordable ? 1 : 2);
  const sorted = inOrder(list, roll).sort((a, b) => rank(a) - rank(b));
  const first = Math.max(FIRST_SPENDS, sorted.filter((one) => one.bought > 0).length);
  const isAll = ui.allSpends === roll.id;
  const left = Math.max(0, sorted.length - first);
  const isShort = list.some((one) => one.title !== one.short);
  return html`<ul class="buy-row" ?data-told=${isAll && isShort} aria-label=${say("spends")}>${repeat(
    isAll ? sorted : sorted.slice(0, first),
    (one) => one.name,
    (
      one,
    ) => html`<li><button type="button" class="buy" data-spend=${one.name} ?data-bought=${one.bought > 0} ?disabled=${!may || !one.affordable} @click=${() => act.buy(roll, one)}>
    <span class="buy-price">${one.bought > 0 ? html`${icon("check")}<small>${say("result.bought", { n: one.bought })}</small>` : prices(one)}</span><span>${one.short}</span>${isAll && one.title !== one.short ? html`<small class="buy-told">${one.title}</small>` : nothing}</button></li>`,
  )}</ul>
    ${left > 0 || isShort ? html`<button type="button" class="more-spends" aria-expanded=${isAll ? "true" : "false"} @click=${() => act.allSpends(roll)}>${isAll ? say("result.lessSpends") : left > 0 ? say("result.moreSpends", { n: left }) : say("spend.what")}</button>` : nothing}`;
}

const prices = (/** @type {Offer} */ one) =>
  one.prices.map((price, n) => html`${n > 0 ? html`<small>${say("or")}</small>` : nothing}${priceShown(price, one.price)}`);
