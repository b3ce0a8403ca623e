// The card of somebody: one drawing in four sizes, for every place that shows a person. The rim of the face is the health.

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { SIGNS, icon } from "../draw/icon.js";
import { numbers } from "../draw/own.js";
import { diamond, pip } from "../draw/token.js";
import { dieType } from "../dice.js";
import { byPlace } from "./dice.js";
import { plainSaid } from "../said.js";
import { initial, say, sayOr } from "../strings.js";

export const COLOURS = ["brick", "plum", "teal", "moss", "ochre", "indigo", "rose", "slate"];
export const EMBLEMS = [
  "rocket",
  "wrench",
  "sword",
  "wand-sparkles",
  "heart-pulse",
  "paw-print",
  "skull",
  "bot",
  "key",
  "compass",
  "star",
  "shield",
  "venetian-mask",
  "crosshair",
  "leaf",
  "book-open",
];

const MOST_DICE = 6; // what would be longer says its number
const BAD_FROM = 0.75; // of a limit
const GAP = 4; // of 100, between the segments of a rim
const SHORT_TRACK = 2; // a track of so many steps is a switch, no health
const LONG_NAME = 16; // letters, from which a name gets narrower
const MOST_FIGURES = 12;
const MOST_POINTS = 8;
const MOST_GAUGES = 2; // of a row
const HOLD_MS = 450;
const REPEAT_MS = 130;
const ROUND = "M50 4.5 A45.5 45.5 0 0 1 50 95.5 A45.5 45.5 0 0 1 50 4.5";
const SQUARE = "M50 4.5 H72 A23.5 23.5 0 0 1 95.5 28 V72 A23.5 23.5 0 0 1 72 95.5 H28 A23.5 23.5 0 0 1 4.5 72 V28 A23.5 23.5 0 0 1 28 4.5 Z";

const isHero = (/** @type {Anybody} */ person) => person.kind === "player";

/** The colour of somebody's face: the chosen one, else one that stays the same for the name. @param {Anybody} person */
function colourOf(person) {
  if (person.colour) return person.colour;
  if (!isHero(person)) return "slate";
  return COLOURS[[...person.name].reduce((sum, letter) => sum + Number(letter.codePointAt(0)), 0) % (COLOURS.length - 1)];
}

/** The next colour that nobody of `people` has; opponents begin at the other end. @param {Anybody[]} people @param {string} kind */
export function freeColour(people, kind) {
  const order = kind === "player" ? COLOURS : [...COLOURS].reverse();
  return order.find((colour) => !people.some((one) => colourOf(one) === colour)) ?? order[people.length % order.length];
}

/**
 * The trackers that a person shows: what the game gives its kind, and what else it has.
 * `part` is how much of it is filled, 0 to 1; `isBad` that it is nearly over.
 * @param {Anybody} person @param {Game} game @returns {Gauge[]}
 */
export function gaugesOf(person, game) {
  const names = [...new Set([...(game.characters.trackers[person.kind] ?? []), ...Object.keys(person.trackers ?? {})])];
  return names.flatMap((name) => {
    const tracker = game.trackers.find((one) => one.name === name && one.scope === "character");
    if (!tracker) return [];
    const { value = tracker.default, most = null } = person.trackers?.[name] ?? {};
    const steps = tracker.steps.length > SHORT_TRACK ? tracker.steps.length - 1 : 0;
    const limit = most === null || person.kind !== "group" ? most : most * (person.members ?? 1);
    const full = steps || limit;
    const part = full ? Math.min(1, value / full) : 0;
    const words = tracker.steps.length > 0 ? capital(tracker.steps[value].replaceAll("_", " ")) : String(value);
    return [{ tracker, value, most, limit, steps, part, words, isOver: limit !== null && value > limit, isBad: !tracker.counts_left && part >= BAD_FROM }];
  });
}

export const capital = (/** @type {string} */ text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The gauge that is the rim: the first track, or number with a limit, that hurts. @param {Gauge[]} gauges */
const healthOf = (gauges) => gauges.find((one) => !one.tracker.counts_left && (one.steps > 0 || one.limit !== null));

/** What is always shown of somebody: the health, and what has a limit of their own. @param {Gauge[]} gauges */
const vital = (gauges) => gauges.filter((one) => one === healthOf(gauges) || one.limit !== null);

/** Those gauges of somebody. @param {Anybody} person @param {Game} game */
export const vitals = (person, game) => vital(gaugesOf(person, game));

/** Why somebody takes part no more, or an empty text. @param {Anybody} person @param {Gauge[]} gauges */
function whyOut(person, gauges) {
  if (person.out) return person.out.why;
  if (person.kind === "group" && person.left === 0) return say("person.down");
  const health = healthOf(gauges);
  return health && person.out === undefined && (health.steps > 0 ? health.value === health.steps : health.isOver) ? say("person.down") : "";
}

/** What tells a state from others of somebody. @param {Lasting} state */
export const keyOf = (state) => state.id || state.name;

/** What somebody has declared and done in the round, as their game names it. @param {Anybody} person */
const roundOf = (person) => /** @type {Round | null | undefined} */ (person.round);

/** What a reaction came to, as far as the rolls of now tell. @param {Anybody} person @param {Lasting} state */
const totalsOf = (person, state) =>
  (roundOf(person)?.totals ?? []).filter(([kind]) => state.roll && kind === state.name.toLowerCase()).map(([, total]) => total);

/** How long a state lasts: until it is used, where it is for the next call; one of a later round begins with that. @param {Lasting} lasting */
const untilOf = ({ until, once, later }) => (later ? say("until.later") : once ? say("until.used") : until ? say(`until.${until}`) : "");

const LASTS = ["turn", "round"]; // what a tracker that begins anew so soon says is of now

/**
 * What lasts on somebody, each `{ name, title, until, state, gauge }`: states, and trackers that are no health: switches that are
 * on, and counts of now or that join calls.
 * @param {Anybody} person @param {Game} game @returns {LastingShown[]}
 */
export function statesOf(person, game) {
  const gauges = gaugesOf(person, game);
  const out = whyOut(person, gauges).toLowerCase();
  const [vitals, points] = [vital(gauges), Object.values(game.characters.points)];
  const tells = (/** @type {{ tracker: Tracker, value: number }} */ { tracker, value }) =>
    value > tracker.default &&
    !tracker.counts_left &&
    (tracker.steps.length > 0 || LASTS.includes(tracker.resets) || game.characters.joining.includes(tracker.name));
  const tracked = gauges.filter((one) => !vitals.includes(one) && !points.includes(one.tracker.name) && tells(one) && one.words.toLowerCase() !== out);
  return [
    ...(person.states ?? []).map((state) => ({
      name: keyOf(state),
      title: [plainSaid(state.name), ...Object.values({ ...state.ask, ...state.afar }).filter((value) => Number(value) > 1), ...totalsOf(person, state)].join(
        " ",
      ),
      until: [state.giver && say("state.from", { who: state.giver }), untilOf(state)].filter(Boolean).join(", "),
      isDrawn: !state.until || Boolean(state.roll) || game.characters.declares.some((name) => name in state.ask),
      state,
      gauge: null,
    })),
    ...tracked.map((gauge) => ({
      name: gauge.tracker.name,
      title: gauge.tracker.steps.length > 0 ? gauge.words : `${gauge.tracker.title} ${gauge.value}`,
      until: LASTS.includes(gauge.tracker.resets) ? say(`until.${gauge.tracker.resets}`) : "",
      isDrawn: false,
      state: null,
      gauge,
    })),
  ];
}

/** What lasts on somebody besides what the marks of the round show. @param {Anybody} person @param {Game} game */
export const undrawnOf = (person, game) => statesOf(person, game).filter((one) => !one.isDrawn);

/** With what the reactions of the round came to, as the rolls of now tell. @template {Anybody} One @param {One} person @param {BriefRoll[]} history @returns {One} */
export function reacting(person, history) {
  const reactions = Object.entries(roundOf(person)?.reactions ?? {});
  const totals = reactions.flatMap(([kind, id]) => history.filter((roll) => roll.id === id).map((roll) => [kind, roll.net.total]));
  return reactions.length === 0 ? person : { ...person, round: { ...person.round, totals } };
}

/** What somebody has declared for the round, what of it is done and what holds: actions as squares, the Force Point, reactions. @param {Anybody} person */
export function roundMarks(person) {
  const round = roundOf(person);
  const of = Math.max(round?.actions ?? 0, round?.done ?? 0);
  if (!round || !(of > 1 || round.force_point || round.totals)) return nothing; // one action is what everybody has
  return html`<span class="round-marks"><span class="action-marks" role="img" aria-label=${say("fight.actionsDone", { n: round.done ?? 0, of })}>${Array.from({ length: of }, (_, n) => html`<i ?data-filled=${n < (round.done ?? 0)}></i>`)}</span>
    ${round.force_point ? html`<span class="point" role="img" aria-label=${say("fight.forceHolds")}>${diamond("light")}</span>` : nothing}
    ${(round.totals ?? []).map(([kind, total]) => html`<span class="reaction">${icon("shield")}<span class="hidden">${sayOr(`reaction.${kind}`, kind)} </span><b>${total}</b></span>`)}</span>`;
}

/** Whether somebody takes part no more. @param {Anybody} person @param {Game} game */
export const isOut = (person, game) => Boolean(whyOut(person, gaugesOf(person, game)));

/** A chip of somebody who is chosen or not. @param {Anybody} person @param {{ game: Game, isChosen: boolean, act: () => void }} how */
export const chosenChip = (person, { game, isChosen, act }) =>
  html`<button type="button" class="chip person-chip" data-who=${person.name} aria-pressed=${String(isChosen)} @click=${act}>${face(person, { game, isDown: isOut(person, game) })}<span class="may-cut">${person.name}</span></button>`;

/** The face. Without a game, or before anything hurts where `rim` is "hurt", it has no rim. @param {Anybody} person @param {{ game?: Game | null, rim?: "always" | "hurt" | "never", isDown?: boolean }} [how] */
export function face(person, { game = null, rim = "always", isDown = false } = {}) {
  const health = game ? healthOf(gaugesOf(person, game)) : null;
  const isPlain = !health || (rim === "hurt" && health.value === 0) || rim === "never";
  const shape = isHero(person) ? svg`<circle cx="50" cy="50" r="38"></circle>` : svg`<rect x="12" y="12" width="76" height="76" rx="20"></rect>`;
  const count = person.kind === "group" ? (person.left ?? person.members) : 0;
  return html`<svg class="face-drawing" viewBox=${isPlain && !count ? "12 12 76 76" : "0 0 100 100"} data-colour=${colourOf(person)} ?data-down=${isDown} aria-hidden="true">
    <g class="face-disc">${shape}</g>${isPlain ? nothing : rimOf(health, isHero(person) ? ROUND : SQUARE)}
    ${
      person.emblem
        ? svg`<svg class="icon" x="28" y="28" width="44" height="44" viewBox="0 0 24 24"><use href=${`${SIGNS}#${person.emblem}`}></use></svg>`
        : svg`<text class="face-letter" x="50" y="65" text-anchor="middle">${initial(person.name)}</text>`
    }
    ${isDown ? svg`<path class="face-down" d="M24 24 L76 76"></path>` : nothing}
    ${count ? svg`<circle class="face-count" cx="79" cy="79" r="19"></circle><text class="face-number" x="79" y="88" text-anchor="middle">${count}</text>` : nothing}</svg>`;
}

/** @param {Gauge} gauge @param {string} path */
function rimOf({ part, steps, value, isBad }, path) {
  if (steps === 0)
    return svg`<path class="rim" d=${path} pathLength="100"></path>${part > 0 ? svg`<path class="rim filled" ?data-bad=${isBad} d=${path} pathLength="100" stroke-dasharray=${`${100 * part} 100`}></path>` : nothing}`;
  const length = 100 / steps;
  return Array.from(
    { length: steps },
    (_, n) =>
      svg`<path class=${n < value ? "rim filled" : "rim"} ?data-bad=${isBad && n < value} d=${path} pathLength="100" stroke-dasharray=${`${length - GAP} 100`} stroke-dashoffset=${-(n * length + GAP / 2)}></path>`,
  );
}

/** Dice without faces, small. @param {Counts} dice */
export function smallDice(dice) {
  const found = Object.entries(dice)
    .map(([type, count]) => ({ type, kind: dieType(type), count }))
    .sort(byPlace);
  return html`<span class="small-dice" role="img" aria-label=${found.map((one) => `${one.count} ${one.kind.title}`).join(", ")}>${found.map(
    ({ kind, count }) =>
      count > MOST_DICE
        ? html`<b>${count}</b><span class="small-die">${die(kind, null)}</span>`
        : Array.from({ length: count }, () => html`<span class="small-die">${die(kind, null)}</span>`),
  )}</span>`;
}

const codeOf = (/** @type {Told["Skill"]} */ { ask }) => (ask.code ? html`<b class="code">${ask.code}</b>` : null);

/** The dice of a skill, which the table tells by its name in English where that is a word of the game. @param {Pick<Anybody, "dice">} person @param {SkillTold} skill */
const diceOf = (person, skill) => person.dice?.[skill.words?.name.key ?? skill.name] ?? {};

/** What a skill throws: its code as it is written, else its dice. @param {Pick<Anybody, "dice">} person @param {SkillTold} skill */
export const throwsOf = (person, skill) => codeOf(skill) || smallDice(diceOf(person, skill));

/** Both, where there is room. @param {Anybody} person @param {SkillTold} skill */
const throwsWide = (person, skill) => html`<span class="throws">${codeOf(skill) ?? nothing}${smallDice(diceOf(person, skill))}</span>`;

/** Whether the points of a game lie in a pool of the table, and are not each one's own. @param {Game} game */
export const hasPool = (game) => Object.keys(game.characters.points).length === 0;

/** Upright: face above the name. @param {Anybody} person @param {{ game: Game, isChosen: boolean, act: () => void }} how */
export const upright = (
  person,
  { game, isChosen, act },
) => html`<button type="button" class="upright" data-who=${person.name} aria-pressed=${String(isChosen)} @click=${act}>
  ${face(person, { game, isDown: isOut(person, game) })}<span class="may-cut">${person.name}</span></button>`;

/**
 * The row: face, name, state, gauges; `right` is the one thing at its end, `below` stands in place of the gauges.
 * @param {Anybody} person
 * @param {{ game: Game, state?: string, right?: Drawing, act?: (() => void) | null, isChosen?: boolean | null, below?: Drawing }} options
 */
export function row(person, { game, state = "", right = nothing, act = null, isChosen = null, below = null }) {
  const gauges = gaugesOf(person, game);
  const out = whyOut(person, gauges);
  const shown = vital(gauges).slice(0, MOST_GAUGES);
  const bad =
    out ||
    shown
      .filter((one) => one.isOver)
      .map((one) => say("people.over", { title: one.tracker.title }))
      .join(", ");
  const words = new Set([bad, ...undrawnOf(person, game).map((one) => one.title), state].filter(Boolean)); // the health may say why one is out
  const inner = html`${face(person, { game, isDown: Boolean(out) })}<span class="person-what"><b class="may-cut">${person.name}</b><span class="person-state may-cut" ?data-bad=${Boolean(bad)}>${[...words].join(", ")}</span>${roundMarks(person)}</span>
    <span class="person-right">${person.kind === "group" ? figures(person) : nothing}${right}</span>${below ?? html`<span class="gauges">${shown.map(gauge)}</span>`}`;
  return act
    ? html`<button type="button" class="person-row" data-who=${person.name} aria-pressed=${isChosen === null ? nothing : String(isChosen)} @click=${act}>${inner}</button>`
    : html`<div class="person-row" data-who=${person.name}>${inner}</div>`;
}

/**
 * A row of those who may be chosen, with a check where somebody is.
 * @param {Anybody} person @param {boolean} isChosen @param {() => void} act @param {{ game: Game, state?: string }} options
 */
export const choiceRow = (person, isChosen, act, { game, state = person.role }) =>
  html`<li>${row(person, { game, state, below: nothing, right: isChosen ? icon("check") : nothing, isChosen, act })}</li>`;

const figures = (/** @type {Anybody} */ group) =>
  html`<span class="figures" role="img" aria-label=${say("people.groupOf", { n: group.members, left: group.left })}>${Array.from({ length: Math.min(MOST_FIGURES, group.members ?? 0) }, (_, n) => figure(n >= (group.left ?? 0)))}</span>`;

/** One of a group, who stands or has fallen. @param {boolean} isFallen */
export const figure = (isFallen) =>
  html`<svg class="figure" ?data-fallen=${isFallen} viewBox="0 0 20 24" aria-hidden="true"><circle cx="10" cy="6" r="5"></circle><path d="M1 23 C1 14 5 12.5 10 12.5 C15 12.5 19 14 19 23 Z"></path></svg>`;

/** A bar with its number: "5 of 12", or its step in words. @param {Gauge} one */
function gauge(one) {
  return html`<span class="gauge" ?data-bad=${one.isBad}><span class="gauge-name may-cut">${one.tracker.title}</span><b>${valueOf(one)}</b>${bar(one)}</span>`;
}

const valueOf = (/** @type {Gauge} */ one) => (one.limit === null ? one.words : say("gaugeOf", { n: one.value, most: one.limit }));

/** What a gauge of somebody says after a step, such as "Wounds: 5 of 12". @param {Anybody} person @param {Game} game @param {Gauge} gauge @param {number} by */
export function gaugeAfter(person, game, { tracker: { name, title }, value }, by) {
  const stepped = { ...person, trackers: { ...person.trackers, [name]: { most: null, ...person.trackers?.[name], value: value + by } } };
  const one = gaugesOf(stepped, game).find((other) => other.tracker.name === name);
  return one ? `${title}: ${valueOf(one)}` : "";
}

/** The gauges of somebody that are always shown. @param {Anybody} person @param {Game} game */
export const gauges = (person, game) => html`<span class="gauges">${vitals(person, game).slice(0, MOST_GAUGES).map(gauge)}</span>`;

/** The bar alone, in segments where it is a track. @param {Gauge} gauge */
function bar({ limit, steps, value, part }) {
  if (steps > 0) return html`<span class="gauge-steps">${Array.from({ length: steps }, (_, n) => html`<i ?data-filled=${n < value}></i>`)}</span>`;
  return limit === null ? nothing : html`<span class="gauge-bar" ${numbers({ "--part": `${100 * part}%` })}></span>`;
}

/**
 * The card: name, role, some skills with their dice. `beside` stands at the right, such as whose it is.
 * @param {Person | Hero} person
 * @param {{ game: Game, act: () => void, most?: number, beside?: Drawing, isTaken?: boolean, isChosen?: boolean | null }} options
 */
export function card(person, { game, act, most = 3, beside = nothing, isTaken = false, isChosen = null }) {
  return html`<button type="button" class="person-card" data-who=${person.name} ?data-taken=${isTaken} aria-pressed=${isChosen === null ? nothing : String(isChosen)} @click=${act}>
    ${face(person, { game, rim: "hurt" })}<span class="card-name"><b class="may-cut">${person.name}</b><small class="may-cut">${person.role ?? ""}</small></span>${beside}
    <span class="card-skills">${person.skills.slice(0, most).map((skill) => html`<span class="card-skill"><span class="may-cut">${skill.name}</span>${throwsOf(person, skill)}</span>`)}
      ${person.skills.length === 0 ? html`<span class="card-skill quiet">${say("person.noSkills")}</span>` : nothing}</span></button>`;
}

/**
 * The card in full. `act` may have roll(skill, isSkill), tracker(gauge, by), states(), endState(one), more(), edit(), copy(); what it
 * lacks is not offered. What is thrown stands before `cares`, the buttons of what betters somebody.
 * @param {Person} person
 * @param {FullOptions & { whose?: string }} options
 */
export function full(person, options) {
  const { game, whose = "", act = {} } = options;
  const out = whyOut(person, gaugesOf(person, game));
  const line = [person.role, whose, ...(person.kind === "group" ? [say("people.groupOf", { n: person.members, left: person.left })] : [])]
    .filter(Boolean)
    .join(", ");
  return body(person, {
    ...options,
    head: html`<header class="full-head">${face(person, { game, isDown: Boolean(out) })}<div><h2 class="may-cut" ?data-long=${person.name.length > LONG_NAME}>${person.name}</h2><p class="quiet may-cut">${out ? html`<b data-tone="bad">${out}</b> ` : nothing}${line}</p></div>
      ${act.more ? html`<button type="button" class="icon-button raised" id="card-more" aria-label=${say("person.more")} @click=${act.more}>${icon("ellipsis")}</button>` : nothing}</header>`,
  });
}

/** The same below a `head` of its own; `aboard` are the things of whose crew somebody is. @param {Person} person @param {FullOptions & { head?: Drawing, state?: Drawing, below?: Drawing, aboard?: Person[] }} options */
export function body(person, { game, head = nothing, state = null, act = {}, mayChange = true, below = null, cares = [], aboard = [] }) {
  const { roll, rollAboard } = act;
  const points = Object.values(game.characters.points);
  const health = vitals(person, game).filter((one) => !points.includes(one.tracker.name));
  return html`<article class="person-full" data-who=${person.name}>${head}
    ${state ?? nothing}${lasting(person, game, act)}
    <ul class="steppers">${repeat(
      health,
      (one) => one.tracker.name,
      (one) => stepper(one, act.tracker, mayChange),
    )}</ul>${below ?? nothing}
    ${person.weapons.map((one) => weaponLine(person, one, roll && (() => roll(one, false))))}
    ${aboard.map((thing) => thing.weapons.map((one) => weaponLine(person, one, rollAboard && (() => rollAboard(thing, one)), thing.name)))}
    ${
      person.skills.length === 0
        ? html`<p class="quiet no-skills">${say("person.noSkills")}</p>`
        : html`<ul class="skill-lines">${repeat(
            person.skills,
            (one) => one.name,
            (one) => html`<li>${line2(one.name, throwsWide(person, one), roll && (() => roll(one, true)))}</li>`,
          )}</ul>`
    }
    ${pointsOf(person, game)}${defencesOf(person, game)}
    ${act.states || cares.length > 0 ? html`<div class="chips">${cares}${act.states ? html`<button type="button" class="chip outlined" id="add-state" @click=${act.states}>${icon("plus")}${say("state.add")}</button>` : nothing}</div>` : nothing}
    ${
      act.edit || act.copy
        ? html`<div class="full-acts">${act.edit ? html`<button type="button" class="edit-person" @click=${act.edit}>${icon("pencil")} ${say("people.edit")}</button>` : nothing}
      ${act.copy ? html`<button type="button" class="copy-person" @click=${act.copy}>${icon("copy")} <span class="may-cut">${say("person.copyAs", { name: nextName(person.name, act.names ?? []) })}</span></button>` : nothing}</div>`
        : nothing
    }</article>`;
}

/** What lasts on somebody, as chips that a tap takes off, with what the round holds. @param {Anybody} person @param {Game} game @param {CardActs} act */
function lasting(person, game, act) {
  const { endState } = act;
  const shown = endState ? statesOf(person, game) : undrawnOf(person, game);
  const isOfRound = (person.states ?? []).some((one) => one.until === "round");
  const marks = endState ? nothing : roundMarks(person); // else each is a chip
  if (shown.length === 0 && marks === nothing) return nothing;
  return html`<div class="chips lasting">${marks}${shown.map((one) => {
    const inner = html`<span>${one.title}</span>${one.until ? html`<small>${one.until}</small>` : nothing}`;
    return endState && (one.gauge || one.state?.until)
      ? html`<button type="button" class="chip state" data-state=${one.name} aria-label=${say("state.end", { title: one.title })} @click=${() => endState(one)}>${inner}${icon("x")}</button>`
      : html`<span class="chip state">${inner}</span>`;
  })}${act.newRound && isOfRound ? html`<button type="button" class="chip outlined" id="new-round" @click=${act.newRound}>${icon("chevron-right")}${say("state.newRound")}</button>` : nothing}</div>`;
}

const line2 = (/** @type {string} */ name, /** @type {Drawing} */ right, /** @type {(() => void) | undefined} */ act) =>
  act
    ? html`<button type="button" class="skill-line" data-skill=${name} @click=${act}><span>${name}</span>${right}</button>`
    : html`<p class="skill-line" data-skill=${name}><span>${name}</span>${right}</p>`;

/** A weapon with what it does, and what is thrown with it; one of a thing says `of` which. @param {Person} person @param {Told["Weapon"]} one @param {(() => void) | undefined} act */
function weaponLine(person, one, act, of = "") {
  const hurt = one.damage?.code ?? one.ask.damage ?? one.ask.weapon ?? "";
  const skill = person.skills.find((other) => other.name === one.skill);
  const inner = html`${icon("crosshair")}<span class="two-lines"><b class="may-cut">${one.name}</b><small>${[of, hurt === "" || typeof hurt === "object" ? "" : say("person.damage", { n: String(hurt).replaceAll("_", " ") })].filter(Boolean).join(", ")}</small></span>${skill ? throwsOf(person, skill) : nothing}`;
  return act
    ? html`<button type="button" class="weapon-line" data-skill=${one.name} @click=${act}>${inner}</button>`
    : html`<p class="weapon-line">${inner}</p>`;
}

/** The points that somebody has of their own: character points as pips, those of the Force as diamonds. @param {Anybody} person @param {Game} game */
function pointsOf(person, game) {
  const { light, character } = game.characters.points;
  const count = (/** @type {string} */ name) => person.trackers?.[name]?.value ?? 0;
  if (!light || person.kind !== "player") return nothing;
  const drawn = (/** @type {number} */ n, /** @type {Drawn} */ drawing) =>
    n > MOST_POINTS ? html`${drawing}<b>× ${n}</b>` : Array.from({ length: n }, () => html`<span class="point">${drawing}</span>`);
  const title = (/** @type {string} */ name) => game.trackers.find((one) => one.name === name)?.title ?? name;
  return html`<p class="card-points">${character ? html`<span role="img" aria-label=${`${title(character)}: ${count(character)}`}>${drawn(count(character), pip())}</span><small>${title(character)}</small>` : nothing}
    <span role="img" aria-label=${`${title(light)}: ${count(light)}`}>${drawn(count(light), diamond("light"))}</span><small>${title(light)}</small></p>`;
}

/** Defences in numbers; lists stand in the editor. @param {Anybody} person @param {Game} game */
function defencesOf(person, game) {
  const shown = Object.entries(person.defences ?? {}).filter(([, value]) => typeof value === "number");
  const title = (/** @type {string} */ name) => game.form.find((one) => one.name === name)?.title ?? name;
  return shown.length === 0
    ? nothing
    : html`<p class="card-defences">${shown.map(([name, value]) => html`<span>${sayOr(`defence.${name}`, title(name))} <b>${value}</b></span>`)}</p>`;
}

/** What a copy is called: "Vex 2", the first that nobody has. @param {string} name @param {string[]} names */
function nextName(name, names) {
  const stem = /^(.*\S) \d+$/.exec(name)?.[1] ?? name;
  for (let n = 2; ; n += 1) if (!names.includes(`${stem} ${n}`)) return `${stem} ${n}`;
}

/** A gauge with - and +; `change(gauge, by)` changes it, also again and again while the button is held. @param {Gauge} one @param {((gauge: Gauge, by: number) => void) | undefined} change @param {boolean} mayChange */
export function stepper(one, change, mayChange) {
  const { tracker, value } = one;
  const step = (/** @type {number} */ by, /** @type {string} */ label, /** @type {string} */ sign, /** @type {boolean} */ isEnd) =>
    html`<button type="button" class="step" aria-label=${label} ?disabled=${isEnd} @click=${() => change?.(one, by)} @pointerdown=${(/** @type {Happened<HTMLButtonElement>} */ event) => holding(event, () => change?.(one, by))} @contextmenu=${(/** @type {Happened} */ event) => event.preventDefault()}>${icon(sign)}</button>`;
  return html`<li class="stepper" ?data-bad=${one.isBad} title=${[tracker.help, tracker.resets].filter(Boolean).join(" ")}>${gauge(one)}
    ${mayChange && change ? html`${step(-1, say("trackerLess", { title: tracker.title }), "minus", value <= tracker.least)}${step(1, say("trackerMore", { title: tracker.title }), "plus", value >= tracker.most)}` : nothing}</li>`;
}

/** Act once a button was held for a while, and again and again until it is let go, unless that `isOnce`; no click follows. @param {Happened<HTMLButtonElement>} event @param {() => void} act */
export function holding(event, act, { isOnce = false } = {}) {
  const node = event.currentTarget;
  const ends = new AbortController();
  let timer = setTimeout(function again() {
    node.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
    act();
    timer = isOnce ? 0 : setInterval(() => (node.disabled ? stop() : act()), REPEAT_MS);
  }, HOLD_MS);
  const stop = () => {
    clearTimeout(timer);
    clearInterval(timer);
    ends.abort();
  };
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) addEventListener(name, stop, { signal: ends.signal, capture: true });
}
