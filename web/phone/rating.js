// How well somebody does something, set by tapping dice: in symbols or as a dice code, as the game's form asks it.

import { html } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { dieType } from "../dice.js";
import { say } from "../strings.js";
import { codeDie, fieldOf, upgradedDie } from "./draft.js";

/** @typedef {{ count: number, upgraded: number, isTurned: boolean }} DiceRating */

const PLACES = { dice: 5, code: 7 };
const PIPS = 3; // of a die, in a code
const FIRST = { dice: 2, code: 3 };

/** The two numbers of the form that rate a skill, or null where it is a code. @param {Game} game */
export function ratedBy(game) {
  const names = game.characters.skill_fields;
  if (fieldOf(game, "code")) return null;
  const found = names.filter((name) => fieldOf(game, name)?.kind === "number").slice(0, 2);
  return found.length === 2 ? found : null;
}

/** The answers of a skill that somebody has just begun with; `known` is what the game's own skill brings. @param {Game} game @param {Answers} [known] @returns {Answers} */
export function firstRating(game, known = {}) {
  const names = ratedBy(game);
  const rest = Object.fromEntries(Object.entries(known).filter(([name]) => name !== "code" && !names?.includes(name)));
  return names ? { ...rest, [names[0]]: FIRST.dice } : { ...rest, code: `${FIRST.code}D` };
}

/** The dice of a rating in symbols: all of them, and those of them that are upgraded. @param {Answers} ask @param {string[]} names @returns {DiceRating} */
function diceOf(ask, [low, high]) {
  const counts = /** @type {Counts} */ (ask);
  const [one, other] = [counts[low] ?? 0, counts[high] ?? 0];
  return { count: Math.max(one, other), upgraded: Math.min(one, other), isTurned: other > one };
}

/** Answers of so many dice; which of the two numbers is the larger stays as it was. @param {Answers} ask @param {string[]} names @param {DiceRating} rating */
function answersOf(ask, [low, high], { count, upgraded, isTurned }) {
  const [one, other] = isTurned ? [upgraded, count] : [count, upgraded];
  return { ...ask, [low]: one, [high]: other };
}

/** What a tap on a place makes of a rating: an empty one sets so many dice, a plain die upgrades it and all before it, an upgraded one takes that back from there on. @param {DiceRating} rating @param {number} place @returns {DiceRating} */
function tapped({ count, upgraded, isTurned }, place) {
  if (place >= count) return { count: place + 1, upgraded, isTurned };
  return { count, upgraded: place >= upgraded ? place + 1 : place, isTurned };
}

/** Draw the rating of a skill; `change(ask)` keeps another one. @param {Game} game @param {Told["Skill"]} skill @param {(ask: Answers) => void} change */
export function rating(game, skill, change) {
  const names = ratedBy(game);
  return names ? inDice(game, skill, names, change) : inCode(game, skill, change);
}

/** @param {Game} game @param {Told["Skill"]} skill @param {string[]} names @param {(ask: Answers) => void} change */
function inDice(game, skill, names, change) {
  const now = diceOf(skill.ask, names);
  const plain = upgradedDie(game, false) ?? "";
  const better = game.upgrades[plain];
  const places = Math.max(PLACES.dice, now.count);
  const label = (/** @type {number} */ n) =>
    say(n < now.upgraded ? "rate.upgraded" : n < now.count ? "rate.plain" : "rate.empty", { n: n + 1, name: skill.name });
  return html`<span class="rating" role="group" aria-label=${skill.name}>${Array.from(
    { length: places },
    (
      _,
      n,
    ) => html`<button type="button" class="rate-place" data-place=${n + 1} data-is=${n < now.upgraded ? "upgraded" : n < now.count ? "plain" : "empty"} aria-label=${label(n)}
    @click=${() => change(answersOf(skill.ask, names, tapped(now, n)))}>${die(dieType(n < now.upgraded ? better : plain), null, { missing: n >= now.count })}</button>`,
  )}</span>`;
}

const readCode = (/** @type {string} */ code = "0D") => {
  const [, dice = "0", pips = "0"] = /^(\d+)D(?:\+(\d+))?$/i.exec(code) ?? [];
  return PIPS * Number(dice) + Number(pips);
};

/** So many pips as a dice code: "4D+1". @param {number} pips */
const writeCode = (pips) => `${Math.floor(pips / PIPS)}D${pips % PIPS ? `+${pips % PIPS}` : ""}`;

/** A dice code that is so many pips more. @param {string | undefined} code @param {number} by */
export const codeBy = (code, by) => writeCode(Math.max(PIPS, readCode(code) + by));

/** @param {Game} game @param {Told["Skill"]} skill @param {(ask: Answers) => void} change */
function inCode(game, skill, change) {
  const code = /** @type {string | undefined} */ (skill.ask.code) ?? "0D";
  const count = Math.floor(readCode(code) / PIPS);
  const set = (/** @type {string} */ next) => change({ ...skill.ask, code: next });
  return html`<span class="rating-code" role="group" aria-label=${skill.name}><button type="button" class="step" aria-label=${say("roll.lessPips")} @click=${() => set(codeBy(code, -1))}>${icon("minus")}</button><b class="code-number">${code}</b>
    <button type="button" class="step" aria-label=${say("roll.morePips")} @click=${() => set(codeBy(code, 1))}>${icon("plus")}</button></span>
    <span class="rating small">${Array.from({ length: Math.max(PLACES.code, count) }, (_, n) => html`<button type="button" class="rate-place" data-place=${n + 1} aria-label=${say("rate.empty", { n: n + 1, name: skill.name })} @click=${() => set(`${n + 1}D`)}>${die(dieType(codeDie(game)), null, { missing: n >= count })}</button>`)}</span>`;
}

/** Whether what rates a skill is shown in one line with its name. */
export const isOneLine = (/** @type {Game} */ game) => ratedBy(game) !== null;
