// The order of a fight: whose a slot is, and what it is ordered by.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { tally } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { said } from "../said.js";
import { say, symbolWord } from "../strings.js";

/** Whose a slot is, as far as somebody of the scene is meant. @template {{ id: string }} One @param {Slot} slot @param {One[]} people @returns {One | null} */
export const personOf = (slot, people) => people.find((one) => one.id === slot.acts) ?? null;

/** Whose a slot is: of whoever has it, or most likely takes it. @param {Slot} slot @param {{ id: string, name: string }[]} people */
export const slotName = (slot, people) => slot.who || personOf(slot, people)?.name || say(`slotOf.${slot.side}`);

const CODE = ["dice", "pips"]; // numbers of a rank that are written as one

/** @param {number[]} rank @param {string[]} numbers */
function codeOf(rank, numbers) {
  const [dice, pips] = CODE.map((name) => rank[numbers.indexOf(name)] ?? 0);
  return dice > 0 ? `${dice}D${pips > 0 ? `+${pips}` : ""}` : "";
}

/** The numbers that a slot is ordered by, as symbols where a set draws them; zeros are left out. @param {Slot} slot @param {Initiative} initiative */
export function rankShown({ rank }, { numbers }) {
  if (!numbers.some(setOfSymbol))
    return [codeOf(rank, numbers), ...numbers.map((name, n) => (CODE.includes(name) || !rank[n] || (name === "actions" && rank[n] < 2) ? "" : rank[n]))]
      .filter(Boolean)
      .join(" · ");
  const shown = numbers.map((name, n) => /** @type {[string, number]} */ ([name, rank[n] ?? 0])).filter(([name, count]) => setOfSymbol(name) && count > 0);
  return shown.length > 0
    ? tally(setOfSymbol, shown)
    : rank.length > 0
      ? html`<b aria-hidden="true">0</b><span class="hidden"> ${symbolWord(numbers.find(setOfSymbol) ?? "", 0, true)}</span>`
      : nothing;
}

/** "Round 2: Oskara", or nothing where no fight goes on. @param {Pick<State, "people" | "initiative">} state */
export function turnNow({ people, initiative: { slots, current, round } }) {
  const slot = slots.find((one) => one.id === current);
  return slot ? say("turnNow", { round, who: slotName(slot, people) }) : "";
}

/** Which slot acts after the one of now, as the now's own act says it; of one that nobody has taken, the order. @param {Pick<State, "initiative" | "people" | "now">} state */
export function nextSlot({ initiative: { slots, current }, people, now }) {
  const next = [now.act, ...now.also].find((one) => one?.values.next)?.values.next;
  return (
    slots.find((slot) => next && (slot.acts === next || slot.who === next)) ??
    slots.find((slot) => slot.id !== current && !slot.done && !personOf(slot, people)?.out)
  );
}

/** Whether a player's turn may be somebody's: whoever has acted in this round takes no other. @param {Pick<Person, "name"> & { out?: unknown }} one @param {Initiative} initiative */
export const mayTake = (one, { slots }) => !one.out && !slots.some((slot) => slot.done && slot.who === one.name);

/** What ends the turn that is shown, once, however many devices send it. @param {Initiative} initiative @returns {Sends<"/api/initiative">} */
export const turnEnd = ({ current, round, segment }) => ({ do: "next", slot: current ?? "", round, segment });

export const roundWords = (/** @type {Initiative} */ { round }) => say("orderRound", { n: round });

/** What is done in this part of the round, where it has parts. @param {Initiative} initiative */
export const partWords = ({ title, words }) => (title ? said(words?.title, title) : "");

/** "turn 3 of 6" @param {Initiative} initiative */
export const placeWords = ({ slots, current }) => (current ? say("turnOf", { n: slots.findIndex((slot) => slot.id === current) + 1, of: slots.length }) : "");

/** A seat that nobody has taken. */
export const seat = () => html`<svg class="seat" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="45"></circle></svg>`;
