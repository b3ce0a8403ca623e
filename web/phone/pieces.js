// Small pieces that the tabs of a phone share.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { numbers } from "../draw/own.js";
import { die } from "../draw/die.js";
import { dieType } from "../dice.js";
import { initial, say } from "../strings.js";

const MOST_DICE = 6; // a chip that would be longer says the number
const FIRST_TRACKERS = 3; // in the game's order; the others are behind one tap

/** The round mark of a player, the square one of everybody and everything else. */
export const face = (person) => html`<span class="face-mark" data-kind=${person.kind === "player" ? "player" : "other"} aria-hidden="true">${initial(person.name)}</span>`;

/** Dice without faces, small, the helping ones first. */
export function smallDice(dice) {
  const found = Object.entries(dice).map(([name, count]) => ({ kind: dieType(name), count })).sort((a, b) => Number(a.kind.hinders ?? false) - Number(b.kind.hinders ?? false) || b.kind.solid.length - a.kind.solid.length || b.kind.solid.localeCompare(a.kind.solid));
  return html`<span class="small-dice" role="img" aria-label=${found.map((one) => `${one.count} ${one.kind.title}`).join(", ")}>${found.map(({ kind, count }) =>
    count > MOST_DICE ? html`<b>${count}</b><span class="small-die">${die(kind, null)}</span>` : Array.from({ length: count }, () => html`<span class="small-die">${die(kind, null)}</span>`))}</span>`;
}

/** What a skill throws: its code as it is written, else its dice. */
export const throwsOf = (person, skill) => (skill.ask.code ? html`<b class="code">${skill.ask.code}</b>` : smallDice(person.dice?.[skill.name] ?? {}));

/** The trackers that a person shows: what the game gives its kind, and what else it has. */
export function gaugesOf(person, game) {
  const names = [...new Set([...(game.characters.trackers[person.kind] ?? []), ...Object.keys(person.trackers)])];
  return names.flatMap((name) => {
    const tracker = game.trackers.find((one) => one.name === name && one.scope === "character");
    if (!tracker) return [];
    const { value = tracker.default, most = null } = person.trackers[name] ?? {};
    const limit = most === null || person.kind !== "group" ? most : most * person.members;
    return [{ tracker, value, most, limit, isOver: limit !== null && value > limit, words: tracker.steps.length > 0 ? stepWords(tracker, value) : String(value) }];
  });
}

const stepWords = (tracker, value) => tracker.steps[value].replaceAll("_", " ");

/** A bar with its number: "5 of 12". */
export function gauge({ tracker, value, limit, isOver, words }) {
  return html`<span class="gauge" ?data-over=${isOver}><span class="gauge-name may-cut">${tracker.title}</span><b>${limit === null ? words : say("gaugeOf", { n: value, most: limit })}</b>
    ${limit === null ? nothing : bar(value, limit)}</span>`;
}

export const bar = (value, most) => html`<span class="gauge-bar" ${numbers({ "--part": `${Math.min(100, (100 * value) / Math.max(1, most))}%` })}></span>`;

/** Somebody's trackers with - and +: `act(one, by)` changes one. What is shut away still says what is other than usual. */
export function steppers(gauges, act, mayChange = true) {
  const list = (some) => html`<ul class="steppers">${some.map((one) => stepper(one, (by) => act(one, by), mayChange))}</ul>`;
  const [first, rest] = [gauges.slice(0, FIRST_TRACKERS), gauges.slice(FIRST_TRACKERS)];
  const unusual = rest.filter(({ tracker, value }) => value !== tracker.default).map((one) => `${one.tracker.title} ${one.words}`);
  return html`${list(first)}${rest.length === 0 ? nothing : html`<details class="more-trackers"><summary><span>${[say("moreOf", { n: rest.length }), ...unusual].join(", ")}</span></summary>${list(rest)}</details>`}`;
}

/** A tracker with - and +. `act(by)` changes it. */
function stepper(one, act, mayChange) {
  const { tracker, value, limit, words } = one;
  return html`<li class="stepper" ?data-over=${one.isOver} title=${[tracker.help, tracker.resets].filter(Boolean).join(" ")}><span class="grow">${tracker.title}</span>
    ${limit === null ? nothing : bar(value, limit)}
    <output>${limit === null ? words : html`<b>${value}</b> <small>${say("ofMost", { n: limit })}</small>`}</output>
    ${mayChange ? html`<button type="button" class="step" aria-label=${say("trackerLess", { title: tracker.title })} ?disabled=${value <= tracker.least} @click=${() => act(-1)}>−</button>
    <button type="button" class="step" aria-label=${say("trackerMore", { title: tracker.title })} ?disabled=${value >= tracker.most} @click=${() => act(1)}>+</button>` : nothing}</li>`;
}
