// Dice in rows, and the order in which they stand on every page.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { dieLabel, dieName, dieType } from "../dice.js";
import { say } from "../strings.js";

const SIZES = ["d20", "d12", "d100", "d10", "d8", "d6", "d4"];
const MOST = 16; // of more than these, equal faces are one die with their number

const numberOn = (/** @type {{ face?: string[] | null }} */ { face }) => Number(face?.[0]) || 0;

/**
 * How dice stand, on every page: what helps, then what hinders; a die that is told from its likes first, then the biggest solid; of
 * like ones the highest number.
 * @param {{ type: string, face?: string[] | null }} one @param {{ type: string, face?: string[] | null }} other
 */
export function byPlace(one, other) {
  const [a, b] = [dieType(one.type), dieType(other.type)];
  return (
    Number(a.hinders ?? false) - Number(b.hinders ?? false) ||
    Number(!a.variant_of) - Number(!b.variant_of) ||
    SIZES.indexOf(a.solid) - SIZES.indexOf(b.solid) ||
    one.type.localeCompare(other.type) ||
    numberOn(other) - numberOn(one)
  );
}

/** Dice in that order, what helps and what hinders apart; no side is empty. @template {{ type: string }} One @param {One[]} dice */
export function sided(dice) {
  const sorted = [...dice].sort(byPlace);
  return [false, true].map((hinders) => sorted.filter((one) => Boolean(dieType(one.type).hinders) === hinders)).filter((side) => side.length > 0);
}

/** Dice in that order, each with its place in a roll. @template {{ type: string, face: string[] }} One @param {One[]} dice */
export const inPlace = (dice) => dice.map((one, index) => ({ ...one, index })).sort(byPlace);

/** Each of some dice by itself, without a face. @param {Counts} dice */
export const eachOf = (dice) =>
  Object.entries(dice).flatMap(([type, count]) => Array.from({ length: Math.max(0, count) }, () => ({ type, face: /** @type {string[] | null} */ (null) })));

/** The dice as `{ type, face, index, count }`, each with its `kind`. @template {LyingDie} One @param {One[]} dice @returns {(One & DrawnDie)[]} */
export function drawnOf(dice) {
  const drawn = dice.map((one, index) => ({ ...one, kind: dieType(one.type), index, count: 1 }));
  return drawn.length > MOST ? merge(drawn) : drawn;
}

/** Return the dice as `{ type, face, index, count }` in rows, the helping ones first. @template {LyingDie} One @param {One[]} dice */
export const rowsOf = (dice) => sided(drawnOf(dice));

/** @template {LyingDie} One @param {(One & DrawnDie)[]} dice */
function merge(dice) {
  /** @type {Map<string, One & DrawnDie>} */
  const found = new Map();
  for (const one of dice) {
    const key = `${one.type}:${one.face.join("+")}:${one.status}:${one.rule ?? ""}`;
    const known = found.get(key);
    if (known && one.status === "sure") known.count += 1;
    else found.set(one.status === "sure" ? key : `${key}:${one.index}`, one);
  }
  return [...found.values()];
}

/** The dice of a roll as buttons that correct them. @param {AnyRoll} roll @param {number | null} question @param {{ find: (find: Find) => void }} act */
export function diceRows(roll, question, act) {
  return html`<div id="dice" class="dice-rows" role="group" aria-label=${say("dice")}>
    ${rowsOf(roll.dice).map(
      (row) =>
        html`<div class="dice-row" ?data-many=${row.length > 3}>${repeat(
          row,
          (one) => one.index,
          (one) => rollDie(one, question, act),
        )}</div>`,
    )}
  </div>`;
}

/**
 * A die of a roll as the button that corrects it; it stands `isApart` from the one before, and `hop` is drawn over it.
 * @param {LyingDie & DrawnDie} one @param {number | null} question @param {{ find: (find: Find) => void } | undefined} act @param {{ isApart?: boolean, hop?: Drawing }} [options]
 */
export function rollDie(one, question, act, { isApart = false, hop = nothing } = {}) {
  const extra = one.status === "sure" ? "" : ` (${say(`status.${one.status}`)})`;
  const was = one.original ? `, ${say("wasRead", { face: dieLabel(one.original) })}` : "";
  const text = `${one.index + 1}. ${dieLabel(one)}${extra}${was}${ruleWords(one)}. ${say("tapToCorrect")}`;
  return html`<button type="button" class="die" data-status=${one.status} data-rule=${one.rule || nothing} ?data-question=${one.index === question} ?data-apart=${isApart} title=${dieLabel(one)} aria-label=${text} @click=${() => act?.find({ list: "dice", index: one.index })}>
    ${die(one.kind, one.face, { body: one.kind.any_colour ? one.colour : "" })}${one.count > 1 ? html`<b class="times">×${one.count}</b>` : nothing}${hop}
  </button>`;
}

/** Labels of things that lie side by side: those that are alike get a number, for whoever does not see where they lie. @param {string[]} labels */
export const numbered = (labels) =>
  labels.map((label, n) => {
    const alike = (/** @type {string[]} */ list) => list.filter((one) => one === label).length;
    return alike(labels) > 1 ? `${label}, ${alike(labels.slice(0, n + 1))}` : label;
  });

/** One of several buttons that do the same: only the first is told to who cannot see them. @param {number} n */
export const onlyFirst = (n) => ({ hidden: n > 0 ? "true" : nothing, tab: n > 0 ? "-1" : nothing });

/** What a rule has done to a die, to be said after it. @param {{ rule?: string }} die */
export const ruleWords = ({ rule }) => (rule ? `, ${say(`rule.${rule}`)} ${say("rule.byRule")}` : "");

/** Dice to throw, what helps and what hinders: `wanted` is types with counts, `missing` those that are not there yet. @param {Counts} wanted @param {Counts} [missing] */
export function sidesOf(wanted, missing = {}) {
  const dice = Object.entries(wanted).flatMap(([name, count]) => {
    const gone = Math.max(0, missing[name] ?? 0);
    return Array.from({ length: Math.max(0, count) }, (_, n) => ({ kind: dieType(name), type: name, isMissing: n >= count - gone }));
  });
  return sided(dice);
}

/** The same dice, drawn without faces. @param {Counts} wanted @param {Counts} [missing] */
export const poolRow = (wanted, missing = {}) => row(sidesOf(wanted, missing), poolWords(wanted));

/** The dice of a roll as they lie, with the places of those that are missing. @param {AnyRoll} roll @param {Counts} [missing] */
export function lyingRow(roll, missing = {}) {
  const lying = /** @type {{ type: string, face: string[] | null }[]} */ (roll.dice);
  const sides = sided([...lying.map(({ type, face }) => ({ type, face })), ...eachOf(missing)]).map((side) =>
    side.map((one) => ({ ...one, kind: dieType(one.type), isMissing: !one.face })),
  );
  return row(
    sides,
    sides
      .flat()
      .map((one) => (one.face ? dieLabel({ ...one, face: one.face }) : say("hand.empty", { die: dieName(one.type) })))
      .join(", "),
  );
}

/** @param {{ kind: KnownDie, face?: string[] | null, isMissing: boolean }[][]} sides @param {string} words */
const row = (sides, words) =>
  html`<div class="pool-row" data-count=${sides.flat().length} ?data-wraps=${sides.length === 1 && sides[0].length > 8} role="img" aria-label=${words}>
    ${sides.map((side) => html`<span class="pool-side">${side.map((one) => html`<span class="pool-die">${die(one.kind, one.face ?? null, { missing: one.isMissing })}</span>`)}</span>`)}
  </div>`;

/** A pool in words, for who cannot see it: "2 Ability, 1 Boost". @param {Counts} wanted */
const poolWords = (wanted) =>
  Object.entries(wanted)
    .map(([name, count]) => `${count} ${dieType(name).title}`)
    .join(", ");
