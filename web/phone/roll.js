// The composer of a call: who, skill, done. Its dice are its controls; what is called is drawn, with its odds, before it is asked.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { symbol } from "../draw/symbol.js";
import { dieType, setOfSymbol } from "../dice.js";
import { holding, row, smallDice, throwsOf, upright } from "../part/card.js";
import { byPlace, eachOf, numbered } from "../part/dice.js";
import { segments } from "../part/segments.js";
import { manyOf, say, symbolWord } from "../strings.js";
import { chipsOf } from "./call-sheets.js";
import {
  actorOf,
  actors,
  addedDie,
  chosenOf,
  codeDie,
  difficultyOf,
  everybody,
  fieldOf,
  hasDice,
  hasOwnDifficulty,
  isSeveral,
  showsPoints,
  turnedOf,
  upgradedDie,
} from "./draft.js";
import { joinRow } from "./joins.js";

const MOST_BANDS = 5; // difficulties that stand as segments
const MOST_SHARED = 8; // skills of several
const ACTIONS = [1, 2, 3, 4];
const FIRST_DIFFICULTY = 10;
const FIRST_CODE = "3D";

/** @typedef {{ name: string, skill?: string, ask?: Answers, isSkill?: boolean }} Known a skill or weapon of somebody */

/** Draw it: who may be called and, once somebody is tapped, all of the call. @param {PhoneSeen} seen */
export function composer(seen) {
  const {
    ui: { draft, preview },
    act,
    game,
  } = seen;
  const actor = actorOf(seen);
  if (draft.isEmpty) return whoRow(seen);
  return html`${whoRow(seen)}
    ${actor ? skillRow(seen, actor) : nothing}
    ${draft.table ? html`<p class="quiet">${say("roll.forTable", { name: draft.table })}</p>` : nothing}
    ${upgradedDie(game, false) ? symbolPool(seen, actor) : fieldOf(game, "code") ? codePool(seen, actor) : nothing}
    ${isSeveral(draft) ? nothing : joinRow(preview?.joins ?? [], draft.ticked, (ticked) => act.draft({ ticked }))}${chipRow(seen, actor)}`;
}

/** What calls it, with the odds; nothing before there is something to call. @param {PhoneSeen} seen */
export function callBar(seen) {
  const {
    ui: { draft, preview, refused, isAsking },
    act,
  } = seen;
  if (draft.isEmpty || !(refused || mayAsk(seen))) return nothing;
  const actor = actorOf(seen);
  const why = preview?.refused?.why; // the table would refuse it, unless the game master overrules that
  const success = preview?.chances.find((one) => one.name === "success")?.chance;
  const symbols = (preview?.chances ?? []).filter((one) => one.name !== "success" && one.chance > 0 && setOfSymbol(one.name)).slice(0, 3);
  return html`<div class="ask-bar">
    ${
      refused
        ? html`<p class="quiet" id="refused" role="status">${
            /** @type {string[]} */ ([refused.what, refused.hint].filter(Boolean)).map((one) => (/[.?!]$/.test(one) ? one : `${one}.`)).join(" ")
          }</p>`
        : nothing
    }
    ${why ? html`<p id="stands" role="status"><b data-tone="bad">${why}</b></p>` : nothing}
    ${symbols.length > 0 ? html`<p class="odds-symbols">${symbols.map((one) => html`<span class="odds-symbol" title=${symbolWord(one.name)}>${symbol(setOfSymbol(one.name), one.name)}<b><span class="hidden">${symbolWord(one.name)} </span>${whole(one.chance)}</b></span>`)}</p>` : nothing}
    ${
      mayAsk(seen)
        ? html`<button type="button" class="primary large" id="ask-now" data-act="call" ?disabled=${isAsking} @click=${() => act.ask({ overrules: Boolean(why) })}><span>${why ? say("roll.anyway", { who: actor?.name ?? "", n: manyOf(actor) }) : askWords(seen, actor)}</span>
      <b class="odds-large" aria-live="polite">${isSeveral(draft) ? say("roll.oneByOne") : success === undefined ? nothing : html`${whole(success)} %`}</b></button>`
        : nothing
    }</div>`;
}

/** Whether there is something to ask for: a skill, a weapon, dice, a table, or a purpose that throws dice of its own. @param {PhoneSeen} seen */
export function mayAsk({ ui: { draft } }) {
  return Boolean(draft.skill || draft.weapon || draft.table || hasDice(draft.ask) || draft.ask.purpose);
}

/** @param {PhoneSeen} seen @param {Actor | null} actor */
function askWords(seen, actor) {
  const { draft } = seen.ui;
  if (isSeveral(draft)) return draft.skill ? say("roll.allRoll", { what: draft.skill }) : say("roll.severalRoll", { n: draft.others.length + 1 });
  if (!actor) return say("roll.anyoneRolls");
  if (draft.weapon) return say("roll.fires", { who: actor.name, what: draft.weapon, n: manyOf(actor) });
  return draft.skill ? say("roll.does", { who: actor.name, what: draft.skill, n: manyOf(actor) }) : say("rolls", { who: actor.name, n: manyOf(actor) });
}

/** @param {PhoneSeen} seen */
function whoRow(seen) {
  const {
    ui: { draft },
    act,
    game,
  } = seen;
  const all = actors(seen);
  const isAll = isSeveral(draft);
  const choice = (/** @type {Actor} */ one) => upright(one, { game, isChosen: draft.who === one.key && !isAll, act: () => act.chooseWho(one.key) });
  return html`<div class="who-row" role="group" aria-label=${say("whoRolls")}>${repeat(all, (one) => one.key, choice)}
    ${everybody(seen).length > 1 ? html`<button type="button" class="upright" id="who-all" aria-pressed=${String(isAll)} @click=${act.everybody}><span class="dashed-face">${icon("users-round")}</span><span class="may-cut">${say("roll.everybody")}</span></button>` : nothing}
    ${all.length === 0 || (!draft.who && !draft.isEmpty) ? html`<button type="button" class="upright" id="who-anyone" aria-pressed=${String(!draft.who && !draft.isEmpty)} @click=${() => act.chooseWho("")}><span class="dashed-face">${icon("dices")}</span><span class="may-cut">${say("roll.anyone")}</span></button>` : nothing}
    ${all.length === 0 ? html`<button type="button" class="upright" id="who-add" @click=${act.toCast}><span class="dashed-face plain">${icon("plus")}</span><span class="may-cut">${say("roll.add")}</span></button><p class="quiet nobody-yet">${say("roll.nobody")}</p>` : nothing}</div>`;
}

/** What is used, as chips: of one the own weapons and skills, what was used last first; of several what most of them have. @param {PhoneSeen} seen @param {Actor} actor */
function skillRow(seen, actor) {
  const {
    ui: { draft, used },
    act,
  } = seen;
  const isAll = isSeveral(draft);
  const last = used[actor.key] ?? [];
  const place = (/** @type {Known} */ one) => (last.includes(one.name) ? last.indexOf(one.name) : last.length);
  /** @type {Known[]} */
  const mine = [...actor.weapons, ...actor.skills.map((one) => ({ ...one, isSkill: true }))];
  const shown = isAll ? shared(chosenOf(seen), draft.skill) : mine.map((one, n) => ({ ...one, n })).sort((a, b) => place(a) - place(b) || a.n - b.n);
  const dice = (/** @type {Known} */ one) =>
    throwsOf(actor, /** @type {SkillTold} */ (one.isSkill ? one : (actor.skills.find((skill) => skill.name === one.skill) ?? { name: "", ask: {} })));
  return html`<div class="skill-row" role="group" aria-label=${say("roll.skill")}>
    ${repeat(
      shown,
      (one) => `${one.isSkill} ${one.name}`,
      (
        one,
      ) => html`<button type="button" class="chip skill" data-skill=${one.name} ?data-weapon=${!one.isSkill} aria-pressed=${String((one.isSkill ? draft.skill : draft.weapon) === one.name)} @click=${(
        /** @type {Happened<HTMLButtonElement>} */ { currentTarget },
      ) => {
        currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" }); // one that was half in sight
        act.chooseSkill(/** @type {{ name: string, isSkill: boolean }} */ (one));
      }}>
      ${one.isSkill ? nothing : icon("crosshair")}<span>${one.name}</span>${isAll ? nothing : dice(one)}</button>`,
    )}
    ${isAll ? html`<button type="button" class="chip skill" id="any-skill" @click=${() => act.sheet("any")}>${say("roll.any")}</button>` : nothing}
    ${mine.length === 0 && !isAll ? html`<button type="button" class="chip outlined" @click=${() => actor.id && act.edit(/** @type {Person} */ (actor))}>${icon("plus")}${say("people.addSkill")}</button>` : nothing}
    ${isAll ? nothing : html`<button type="button" class="chip skill other-dice" aria-pressed=${String(draft.isOther)} @click=${act.otherDice}>${say("roll.otherDice")}</button>`}</div>
    ${isAll ? severalRows(seen) : nothing}`;
}

/** The skills that most of some people have, with the chosen one. @param {Actor[]} people @param {string} chosen @returns {Known[]} */
function shared(people, chosen) {
  const names = people.flatMap((one) => one.skills.map((skill) => skill.name));
  const count = (/** @type {string} */ name) => names.filter((one) => one === name).length;
  const most = [...new Set(names)].sort((a, b) => count(b) - count(a)).slice(0, MOST_SHARED);
  return [...new Set([...(chosen ? [chosen] : []), ...most])].map((name) => ({ name, isSkill: true }));
}

/** Who of several is called, with what each throws; a tap leaves somebody out. */
/** @param {PhoneSeen} seen */
function severalRows(seen) {
  const {
    ui: { draft, preview },
    act,
    game,
  } = seen;
  const thrown = (/** @type {Actor} */ one) => preview?.each?.find((other) => (other.who || other.player) === (one.id || one.name));
  return html`<ul class="person-list" id="several">${chosenOf(seen).map((one) => {
    const each = thrown(one);
    const state = each?.untrained ? say("roll.noRank") : each ? draft.skill : "";
    const own = Object.fromEntries(Object.entries(each?.dice ?? {}).filter(([name]) => !dieType(name).hinders));
    return html`<li>${row(one, { game, state, below: nothing, right: each?.code ? html`<b class="code">${each.code}</b>` : smallDice(own), act: () => act.chooseAlso(one.key) })}</li>`;
  })}</ul>`;
}

/** Dice that are thrown, each by itself. @param {Counts} dice @param {boolean} hinders */
const diceOf = (dice, hinders) =>
  eachOf(dice)
    .sort(byPlace)
    .map((one) => one.type)
    .filter((name) => Boolean(dieType(name).hinders) === hinders);

const smallDie = (/** @type {string} */ name) => html`<span class="small-die">${die(dieType(name), null)}</span>`;

/** What helps and what hinders, each die a button that turns it, and a dashed place for one more. @param {PhoneSeen} seen @param {Actor | null} actor */
function symbolPool(seen, actor) {
  const {
    ui: { preview, draft },
    act,
    game,
  } = seen;
  const { choices } = /** @type {Field} */ (fieldOf(game, "difficulty"));
  const isOwn = hasOwnDifficulty(seen) && draft.ask.difficulty === undefined;
  const told = isOwn ? null : (draft.ask.difficulty ?? difficultyOf(game).difficulty);
  const at = choices.findIndex((one) => one.name === told);
  const against = preview ? diceOf(preview.dice, true) : Array.from({ length: Math.max(0, at) }, () => /** @type {string} */ (upgradedDie(game, true)));
  const level = isOwn ? against.filter((name) => turnedOf(game, name)).length : at;
  const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ words) =>
    html`<button type="button" class="step" aria-label=${words} ?disabled=${!choices[level + by]} @click=${() => act.difficulty({ difficulty: choices[level + by].name })}>${icon(sign)}</button>`;
  const upgrades = /** @type {Counts} */ (draft.ask)[`upgrade_${upgradedDie(game, true)}`] ?? 0;
  const named = [isOwn ? "" : choices[at]?.title, upgrades > 0 ? say("roll.upgradedTimes", { n: upgrades }) : ""].filter(Boolean).join(", ");
  const isFree = !actor || draft.isOther;
  const own = diceOf(preview?.dice ?? {}, false);
  const more = (/** @type {boolean} */ hinders) => {
    const name = addedDie(game, hinders);
    return name && (!isFree || hinders)
      ? html`<button type="button" class="pool-die place" data-add=${name} aria-label=${say("roll.oneMore", { what: dieType(name).title })} @click=${() => act.add(name, 1)}>${die(dieType(name), null, { missing: true })}<b aria-hidden="true">+</b></button>`
      : nothing;
  };
  // What is tapped again stays where it is: a die that came to lie under the finger would be turned by the second tap.
  const inRow = (/** @type {string[]} */ names, /** @type {unknown} */ steps) =>
    html`<div class="side-row"><div class="pool-dice">${dieButtons(names, seen)}</div><span class="steps">${steps}</span></div>`;
  const helps = html`<section class="side" aria-label=${say("roll.for")}><h2>${say("roll.for")}<small>${isFree ? say("roll.tapToAdd") : own.length > 0 ? say("roll.tapToTurn") : nothing}</small></h2>
      ${isFree ? freeDice(seen) : nothing}
      ${inRow(own, more(false))}</section>`;
  return html`<div class="sides">${isSeveral(draft) ? nothing : helps}
    <section class="side" aria-label=${say("roll.againstDice")}><h2>${say("roll.againstDice")}<small id="difficulty-name">${named}</small></h2>
      ${inRow(against, html`${more(true)}${step(-1, "minus", say("roll.lessDifficult"))}${step(1, "plus", say("roll.moreDifficult"))}`)}</section></div>`;
}

/** The dice that a call without a skill is put together of. @param {PhoneSeen} seen */
function freeDice({ game, act }) {
  const upgraded = /** @type {string} */ (upgradedDie(game, false));
  const names = fieldOf(game, "dice")?.choices.map((one) => one.name) ?? [];
  return html`<div class="more-row">${names
    .filter((name) => dieType(name).set === dieType(upgraded).set && !dieType(name).hinders && !showsPoints(name))
    .sort((a, b) => Number(b === upgraded) - Number(a === upgraded) || Number(dieType(b).solid.slice(1)) - Number(dieType(a).solid.slice(1)))
    .map(
      (name) =>
        html`<button type="button" class="more-dice tall" data-add=${name} @click=${() => act.addDie(name)}>${smallDie(name)}<span>${dieType(name).title}</span></button>`,
    )}</div>`;
}

/** Dice, each a button: a tap turns it into its better or worse one and back, holding it takes it away. @param {string[]} names @param {PhoneSeen} seen */
function dieButtons(names, { act, game }) {
  const labels = numbered(names.map((name) => dieType(name).title));
  return names.map(
    (name, n) =>
      html`<button type="button" class="pool-die" data-die=${name} aria-label=${`${labels[n]}. ${say(turnedOf(game, name) ? "roll.turn" : "roll.takeAway")}`} title=${dieType(name).title} aria-keyshortcuts="Delete" @click=${() => act.turnDie(name)}
      @pointerdown=${(/** @type {Happened<HTMLButtonElement>} */ event) => holding(event, () => act.takeAway(name), { isOnce: true })} @contextmenu=${(/** @type {Event} */ event) => event.preventDefault()} @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Delete" && act.takeAway(name)}>${die(dieType(name), null)}</button>`,
  );
}

/** @param {PhoneSeen} seen @param {Actor | null} actor */
function codePool(seen, actor) {
  const {
    ui: { preview, draft },
    act,
    game,
    state,
  } = seen;
  const answers = preview?.answers ?? {};
  const dice = diceOf(preview?.dice ?? {}, false);
  const actions = /** @type {Field} */ (fieldOf(game, "actions"));
  const isSet = draft.ask.difficulty !== undefined || draft.ask.band !== undefined;
  const now = isSet ? draft.ask : { ...(hasOwnDifficulty(seen) ? {} : difficultyOf(game)), ...answers };
  const shown = (now.band ? null : now.difficulty) ?? preview?.difficulty ?? null; // what a word comes to, as the table works it out
  const step = (/** @type {number} */ by) => act.difficulty({ difficulty: Number.isInteger(shown) ? /** @type {number} */ (shown) + by : FIRST_DIFFICULTY });
  const code = /** @type {string} */ (answers.code ?? draft.ask.code ?? "");
  const isFree = !actor || draft.isOther;
  const pips = /** @type {Counts} */ (answers).pips ?? 0;
  const more = (/** @type {number} */ by) => (isFree ? act.code(by, code || (by > 0 ? "0D" : FIRST_CODE)) : act.answer({ pips: pips + by || undefined }));
  const lost = Math.max(0, Number(/^(\d+)D/.exec(code)?.[1] ?? 0) - dice.length);
  const rest = /\+(\d)$/.exec(code)?.[1];
  const bands = (fieldOf(game, "band")?.choices ?? []).filter((one) => Number.isInteger(one.number));
  const isLit = (/** @type {Told["ShownChoice"]} */ one) => one.number === shown;
  const met = bands.filter((one) => /** @type {number} */ (one.number) <= /** @type {number} */ (shown)).at(-1);
  const own = html`<div class="code-row"><b class="code-large">${code || "–"}${pips && !isFree ? html`<small>${pips > 0 ? `+${pips}` : pips}</small>` : nothing}</b>
      <span class="steps"><button type="button" class="step" id="less-pips" aria-label=${say("roll.lessPips")} @click=${() => more(-1)}>${icon("minus")}</button><button type="button" class="step" id="more-pips" aria-label=${say("roll.morePips")} @click=${() => more(1)}>${icon("plus")}</button></span></div>
    <div class="pool-dice code-dice">${dice.map((name) => html`<span class="pool-die">${die(dieType(name), null)}</span>`)}${Array.from({ length: lost }, () => html`<span class="pool-die">${die(dieType(codeDie(game)), null, { missing: true })}</span>`)}${rest ? html`<span class="plus">${say("pips", { n: Number(rest) })}</span>` : nothing}</div>`;
  return html`<div class="sides">${isSeveral(draft) ? nothing : html`<section class="side">${own}</section>`}
    ${
      state.initiative.slots.length > 0
        ? html`<section class="side"><h2>${actions.title}<small>${say("roll.actionsCost")}</small></h2>
      ${segments(
        actions.title,
        ACTIONS.map((n) => [n, String(n)]),
        answers.actions ?? draft.ask.actions ?? 1,
        (n) => act.answer({ actions: n === 1 ? undefined : n }),
      )}</section>`
        : nothing
    }
    <section class="side"><h2>${say("roll.difficulty")}<small id="difficulty-name">${Number.isInteger(shown) ? [say("roll.orMore", { n: shown }), met?.title.split(",")[0]].filter(Boolean).join(", ") : nothing}</small></h2>
      <div class="band-row"><button type="button" class="step" aria-label=${say("roll.lessDifficult")} @click=${() => step(-1)}>${icon("minus")}</button><output class="number">${shown ?? "–"}</output><button type="button" class="step" aria-label=${say("roll.moreDifficult")} @click=${() => step(1)}>${icon("plus")}</button>
      <div class="segments bands" role="group" aria-label=${say("roll.difficulty")}>${bands.slice(0, MOST_BANDS).map((one) => html`<button type="button" class="band" data-band=${one.name} title=${one.title} aria-label=${one.title} aria-pressed=${String(isLit(one))} @click=${() => !isLit(one) && act.difficulty({ band: one.name })}>${one.number}</button>`)}</div></div></section></div>`;
}

/** Everything else: chips, each with a small sheet of its own; those with a value are lit, a guess has a dashed rim. @param {PhoneSeen} seen @param {Actor | null} actor */
const chipRow = (seen, actor) =>
  html`<div class="chip-row" role="group" aria-label=${say("roll.more")}>${repeat(
    chipsOf(seen, actor),
    (one) => one.name,
    (one) =>
      html`<button type="button" class="chip call-chip" id=${one.id ?? nothing} data-chip=${one.name} ?data-set=${one.isSet} ?data-guess=${one.isGuess} aria-label=${one.label ?? nothing} aria-pressed=${one.press ? String(one.isSet) : nothing} @click=${() => (one.press ? one.press() : seen.act.sheet(one.name))}>${one.sign}${one.title ? html`<span class="may-cut">${one.title}</span>` : nothing}</button>`,
  )}</div>`;
