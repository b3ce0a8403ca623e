// What a roll does to somebody: one card, and one tap that applies it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { plainSaid, said } from "../said.js";
import { say, sayOr } from "../strings.js";
import { change, rollAddress } from "../talk.js";
import { face, gaugesOf } from "./card.js";
import { choosePerson } from "./choose.js";

const RESISTS = ["threshold", "soak"]; // answers of a call that say what the target withstands

/** What an effect, or what follows from one, is called in the language of this page. @param {{ words: string, said: Said }} one */
const wordsOf = (one) => said(one.said, one.words);

/** Whether nobody applied an effect yet, nor another one of those of which people choose one. Those of the table apply by themselves. @param {AnyRoll} roll @param {Effect} effect @param {number} index */
const isOpen = (roll, effect, index) =>
  effect.on !== "table" && !(roll.applied ?? []).some((done) => done.effect === index || (effect.either && roll.effects[done.effect]?.either));

/** What was applied, with what came of it; a throw that it calls for is an act. @param {NonNullable<AnyRoll["applied"]>[number]} done */
export const doneWords = (done) => [done, ...done.follows.filter((one) => !one.ask)].map(wordsOf).join(", ");

/** What was applied last, with what came of it, or nothing. @param {Rolled} seen */
export function appliedLine({ state: { roll, people }, ui, act }) {
  const done = (roll.applied ?? []).at(-1);
  if (!done) return nothing;
  const name = people.find((one) => one.id === done.to)?.name ?? "";
  return html`<button type="button" class="hurt" id="applied" ?disabled=${!ui.mayChange} @click=${() => act.applyTo(roll, done.effect)}><span class="may-cut">${icon("check")} ${name}: ${doneWords(done)}</span></button>`;
}

/**
 * Whom a hit concerns, what it does, and the button `apply` that does it; `also` stands beside it.
 * @param {Rolled} seen @param {{ apply: Drawing, also?: Drawing }} buttons
 */
export function applyCard({ state, ui, act }, { apply, also = nothing }) {
  const { roll, people, now } = state;
  const index = Number(now.act?.request?.body.effect ?? nextOf(roll));
  const effect = roll.effects[index];
  const target = people.find((one) => one.id === now.act?.values.to);
  const game = target && ui.games.find((one) => one.name === target.game);
  const gauge = target && game && gaugesOf(target, game).find((one) => one.tracker.name === effect?.tracker);
  const isEither = now.act?.key === "choose_effect";
  return html`<div class="apply-card" id="consequence">
    <button type="button" class="hurt" ?disabled=${!ui.mayChange} @click=${() => act.applyTo(roll, index)}>
      ${target && game ? face(target, { game, isDown: Boolean(target.out) }) : nothing}
      <span class="hurt-words"><b class="hurt-name may-cut">${target?.name ?? say("applyTo")}</b>
      ${isEither ? nothing : html`<span class="may-cut"><b>${effect ? wordsOf(effect) : ""}</b>${resists(roll) ? html`, <small>${resists(roll)}</small>` : nothing}</span>`}
      ${gauge ? html`<span class="hurt-change may-cut">${changeShown(target, effect, game.trackers)}</span>` : nothing}</span></button>
    ${apply}${also}</div>`;
}

const resists = (/** @type {AnyRoll} */ roll) =>
  roll.against
    ? RESISTS.filter((name) => roll.ask[name])
        .map((name) => sayOr(`resists.${name}`, "", { n: roll.ask[name] }))
        .join(", ")
    : "";

/** "wounds 3 > 10 of 12", "winded > fatigued, staggered". @param {BriefPerson | Person} person @param {Effect} effect @param {Tracker[]} trackers */
export function changeShown(person, effect, trackers) {
  const gauge = person.trackers[effect.tracker];
  const tracker = trackers.find((one) => one.name === effect.tracker);
  const arrow = html` ${icon("chevron-right")}<span class="hidden"> ${say("becomes")} </span>`;
  if (!gauge || !tracker) return html`<b>${wordsOf(effect)}</b>`;
  if (tracker.kind === "track") return html`${plainSaid(tracker.steps[gauge.value] ?? "")}${arrow}<b>${wordsOf(effect)}</b>`;
  const after = typeof effect.change === "object" ? effect.change.set : Math.max(tracker.least, gauge.value + effect.change);
  return html`${tracker.title} <span class="hidden"> </span>${gauge.value}${arrow}<b>${gauge.most === null ? after : say("valueOf", { n: after, most: gauge.most * person.members })}</b>`;
}

/** The effect of a roll that is next to be applied, by its place. @param {AnyRoll} roll */
const nextOf = (roll) => roll.effects.findIndex((one, n) => isOpen(roll, one, n));

/** Apply what is next of a roll to whom somebody says. @param {{ roll: AnyRoll, people: BriefPerson[] }} state */
export const applyNext = (state) => applyTo(state, nextOf(state.roll));

/** Ask whom an effect of a roll concerns, and apply it. @param {{ roll: AnyRoll, people: BriefPerson[] }} state @param {number} index */
export async function applyTo({ roll, people }, index) {
  const to = await choosePerson(
    say("applyTo"),
    people.filter((one) => one.game === roll.game),
  );
  if (to) await change(rollAddress(roll, "/apply"), { effect: index, to });
}
