// What a roll does to somebody: one line, and one tap that applies it. What follows from it is offered in the same place.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { plainSaid, said } from "../said.js";
import { say, sayOr } from "../strings.js";
import { change } from "../talk.js";
import { choosePerson } from "./choose.js";

const PERCENTILE = ["percentile", "critical"]; // purposes of a call for which the percentile pair is thrown
const RESISTS = ["threshold", "soak"]; // answers of a call that say what the target withstands

/** What an effect, or what follows from one, is called in the language of this page. */
const wordsOf = (one) => said(one.said, one.words);

/** Whom an effect most likely concerns: whom the roll was against, else the last target who is still here. */
export function likeliest(state, effect) {
  const { roll, history, people } = state;
  const here = (id) => people.find((one) => one.id === id && one.game === roll.game);
  if (effect.on === "roller") return here(roll.who);
  const before = history.filter((one) => one.id !== roll.id && one.who !== one.against).map((one) => one.applied?.at(-1)?.to || one.against);
  return [roll.against, ...before].map(here).find((one) => one && one.id !== roll.who);
}

/** Whether nobody applied an effect yet, nor another one of those of which people choose one. Those of the table apply by themselves. */
export const isOpen = (roll, effect, index) =>
  effect.on !== "table" && !(roll.applied ?? []).some((done) => done.effect === index || (effect.either && roll.effects[done.effect]?.either));

/** What is next of a roll's effects: `{ index, effect }` that is open, or null. */
function nextEffect(roll) {
  const index = (roll.effects ?? []).findIndex((one, n) => isOpen(roll, one, n));
  return index < 0 ? null : { index, effect: roll.effects[index] };
}

/** The throws that purchases and effects call for, with whom each concerns. */
export function followsOf(roll) {
  return [
    ...(roll.bought ?? []).filter((one) => one.follow).map((one) => ({ ...one.follow, against: roll.against })),
    ...(roll.applied ?? []).flatMap((one) => one.follows.filter((follow) => follow.ask).map((follow) => ({ ...follow, against: one.to }))),
  ];
}

const followOf = (roll) => followsOf(roll).at(-1) ?? null;

/** Whether a roll has a line of consequences. */
export const hasConsequence = ({ roll, people }) => people.length > 0 && Boolean(nextEffect(roll) || (roll.applied ?? []).length > 0 || followOf(roll));

/** The line and its button. `trackers` are those of the roll's game, where they are known; `call` calls the throw that follows. */
export function consequence(state, { mayChange, trackers = [], call }) {
  const { roll, people } = state;
  const named = (id) => people.find((one) => one.id === id)?.name ?? "";
  const next = nextEffect(roll);
  const follow = followOf(roll);
  const choices = (roll.effects ?? []).map((effect, index) => ({ effect, index })).filter(({ effect, index }) => effect.either && isOpen(roll, effect, index));
  const chooser = choices.length > 1 ? likeliest(state, choices[0].effect) : null;
  if (chooser)
    return html`<div class="consequence" id="consequence"><span class="hurt"><span class="may-cut">${chooser.name}</span></span>
      ${mayChange ? choices.map(({ effect, index }) => html`<button type="button" class="surface apply" data-effect=${index} @click=${() => apply(roll, index, chooser.id)}><b>${wordsOf(effect)}</b></button>`) : nothing}</div>`;
  if (next) {
    const target = likeliest(state, next.effect);
    return html`<div class="consequence" id="consequence">
      <button type="button" class="hurt" ?disabled=${!mayChange} @click=${() => applyTo(state, next.index)}>
        <span class="may-cut">${target ? [target.name, resists(roll)].filter(Boolean).join(", ") : say("applyTo")}</span>
        <span class="may-cut">${target ? changeShown(target, next.effect, trackers) : html`<b>${wordsOf(next.effect)}</b>`}</span></button>
      ${mayChange ? html`<button type="button" class="surface primary apply" @click=${() => (target ? apply(roll, next.index, target.id) : applyTo(state, next.index))}><b>${say("apply")}</b></button>` : nothing}
    </div>`;
  }
  const done = (roll.applied ?? []).at(-1);
  return html`<div class="consequence" id="consequence" data-applied>
    <button type="button" class="hurt" ?disabled=${!mayChange || !done} @click=${() => applyTo(state, done.effect)}>
      ${done ? html`<span class="may-cut">${icon("check")} ${named(done.to)}: ${wordsOf(done)}</span>` : nothing}
      <span class="may-cut">${(done?.follows ?? [])
        .map(wordsOf)
        .filter((words) => !follow || words !== wordsOf(follow))
        .join(", ")}</span></button>
    ${follow && mayChange ? html`<button type="button" class="surface primary follow" @click=${() => call(followCall(state, follow))}><b>${wordsOf(follow)}</b></button>` : nothing}
  </div>`;
}

const resists = (roll) =>
  roll.against
    ? RESISTS.filter((name) => roll.ask[name])
        .map((name) => sayOr(`resists.${name}`, "", { n: roll.ask[name] }))
        .join(", ")
    : "";

/** "wounds 3 > 10 of 12", "winded > fatigued, staggered". */
function changeShown(person, effect, trackers) {
  const gauge = person.trackers[effect.tracker];
  const tracker = trackers.find((one) => one.name === effect.tracker);
  const arrow = html` ${icon("chevron-right")}<span class="hidden"> ${say("becomes")} </span>`;
  if (!gauge || !tracker) return html`<b>${wordsOf(effect)}</b>`;
  if (tracker.kind === "track") return html`${plainSaid(tracker.steps[gauge.value] ?? "")}${arrow}<b>${wordsOf(effect)}</b>`;
  const after = typeof effect.change === "object" ? effect.change.set : Math.max(tracker.least, gauge.value + effect.change);
  return html`${tracker.title} <span class="hidden"> </span>${gauge.value}${arrow}<b>${gauge.most === null ? after : say("valueOf", { n: after, most: gauge.most * person.members })}</b>`;
}

const apply = (roll, index, to) => change(`/api/rolls/${encodeURIComponent(roll.id)}/apply`, { effect: index, to });

/** Ask whom it concerns, and apply it. */
async function applyTo({ roll, people }, index) {
  const to = await choosePerson(
    say("applyTo"),
    people.filter((one) => one.game === roll.game),
  );
  if (to) await apply(roll, index, to);
}

/** The call of the throw that follows; where the group keeps a single table of that kind, it tells what the throw means. */
export function followCall({ roll, people, tables }, follow) {
  const { ask, against } = follow;
  const whom = people.find((one) => one.id === against)?.name;
  const own = tables.filter((one) => one.dice === "d100");
  const label = [wordsOf(follow), whom].filter(Boolean).join(": ");
  // an injury is thrown by who brought it, anything else by whom it is about
  if (!PERCENTILE.includes(ask.purpose)) return { game: roll.game, player: whom ?? roll.by, ask, label };
  return { game: roll.game, player: roll.by, ask, label, ...(against && { against }), ...(own.length === 1 && { table: own[0].name }) };
}
