// The tab that calls a roll: who, skill, done. What is called is drawn, with its odds, before it is asked.

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { symbol } from "../draw/symbol.js";
import { diamond, token } from "../draw/token.js";
import { dieType, setOfSymbol } from "../dice.js";
import { pointsLeft } from "../part/call.js";
import { face, smallDice, throwsOf, upright } from "../part/card.js";
import { numbered } from "../part/dice.js";
import { segments } from "../part/segments.js";
import { manyOf, say, symbolWord } from "../strings.js";
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
  showsPoints,
  upgradedDie,
} from "./draft.js";

import { chipsOf } from "./call-sheets.js";

const PLACES = 5; // difficulties that are drawn, from easy to formidable
const FEW = 4; // so many purposes stand as segments
const ACTIONS = [1, 2, 3, 4];
const FIRST_DIFFICULTY = 10;
const FIRST_CODE = "3D";
const LEAST_SHOWN = 0.0005; // of the chances at both ends of the bars

/** Draw the tab. */
export function rollTab(seen) {
  const {
    ui: { draft, preview, refused },
    state,
    act,
    game,
  } = seen;
  const actor = actorOf(seen);
  return html`<div class="title-row"><h2>${say("tab.roll")}</h2>
      <label class="switch">${say("hidden")}<input type="checkbox" role="switch" id="ask-hidden" .checked=${draft.hidden} @change=${(event) => act.draft({ hidden: event.target.checked })}></label></div>
    ${whoRow(seen)}
    ${fewPurposes(seen)}
    ${actor ? skillRow(seen, actor) : nothing}
    <div class="for-line"><input id="ask-label" type="text" maxlength="60" autocomplete="off" list="labels" aria-label=${say("whatFor")} placeholder=${say("roll.whatFor")} .value=${draft.label} @input=${(event) => act.draft({ label: event.target.value })}>
      <datalist id="labels">${labels(state).map((one) => html`<option value=${one}></option>`)}</datalist></div>
    ${draft.table ? html`<p class="quiet">${say("roll.forTable", { name: draft.table })}</p>` : nothing}
    ${upgradedDie(game, false) ? symbolPool(seen, actor) : fieldOf(game, "code") ? codePool(seen, actor) : nothing}
    ${chipRow(seen, actor)}
    ${attackLine(preview?.attack)}
    <div class="ask-bar" ?data-stands=${Boolean(stands(seen))}>${
      refused
        ? html`<p class="quiet" id="refused" role="status">${[refused.what, refused.hint]
            .filter(Boolean)
            .map((one) => (/[.?!]$/.test(one) ? one : `${one}.`))
            .join(" ")}</p>`
        : nothing
    }
    ${stands(seen) ? html`<div class="line-row" id="stands" role="status"><b data-tone="bad">${stands(seen).why}</b><button type="button" id="overrule" @click=${() => act.draft({ overrules: true })}>${say("roll.anyway", { who: actor?.name ?? "", n: manyOf(actor) })}</button></div>` : nothing}
      ${oddsLine(seen)}
      <button type="button" class="primary large" id="ask-now" ?disabled=${seen.ui.isAsking || !mayAsk(seen) || stands(seen)} @click=${act.ask}>${askWords(seen, actor)}</button></div>`;
}

/** Why the table would refuse the call unless the game master overrules it: somebody is out, or a power was used up. */
const stands = ({ ui: { draft, preview } }) => (draft.overrules ? null : (preview?.refused ?? null));

/** Whether there is something to ask for: a skill, a weapon, dice, a table, or a purpose that throws dice of its own. */
function mayAsk({ ui: { draft } }) {
  return Boolean(draft.skill || draft.weapon || draft.table || hasDice(draft.ask) || draft.ask.purpose);
}

function askWords(seen, actor) {
  const { draft } = seen.ui;
  if (!mayAsk(seen)) return say(actor && !draft.isOther ? "roll.chooseSkill" : "roll.chooseDice");
  if (draft.others.length > 0 && !draft.isHelp) return say("roll.severalRoll", { n: draft.others.length + 1 });
  if (!actor) return say("roll.anyoneRolls");
  if (draft.weapon) return say("roll.fires", { who: actor.name, what: draft.weapon, n: manyOf(actor) });
  return draft.skill ? say("roll.does", { who: actor.name, what: draft.skill, n: manyOf(actor) }) : say("rolls", { who: actor.name, n: manyOf(actor) });
}

/** The last things that rolls were for. */
const labels = (state) => [...new Set(state.history.map((roll) => roll.label).filter(Boolean))].slice(0, 5);

function whoRow(seen) {
  const {
    ui: { draft },
    act,
    game,
  } = seen;
  const all = actors(seen);
  const heroes = everybody(seen);
  const choice = (one) => upright(one, { game, isChosen: [draft.who, ...draft.others].includes(one.key), act: () => act.chooseWho(one.key) });
  return html`<div class="who-row" role="group" aria-label=${say("whoRolls")}>${repeat(all, (one) => one.key, choice)}
    ${heroes.length > 1 ? html`<button type="button" class="upright" id="who-all" aria-pressed=${String(draft.others.length > 0 && !draft.isHelp)} @click=${act.everybody}><span class="dashed-face">${icon("users-round")}</span><span class="may-cut">${say("roll.everybody")}</span></button>` : nothing}
    <button type="button" class="upright" id="who-anyone" aria-pressed=${String(!draft.who)} @click=${() => act.chooseWho("")}><span class="dashed-face">${icon("dices")}</span><span class="may-cut">${say("roll.anyone")}</span></button>
    ${all.length === 0 ? html`<button type="button" class="upright" id="who-add" @click=${act.toCast}><span class="dashed-face plain">${icon("plus")}</span><span class="may-cut">${say("roll.add")}</span></button><p class="quiet nobody-yet">${say("roll.nobody")}</p>` : nothing}</div>`;
}

function skillRow(seen, actor) {
  const {
    ui: { draft, used },
    act,
  } = seen;
  const chosen = chosenOf(seen).filter((one) => one.id);
  const isSeveral = draft.others.length > 0;
  const has = (one, name) => one.skills.some((skill) => skill.name === name);
  const own = (isSeveral ? (chosen[0] ?? actor) : actor).skills.filter((one) =>
    chosen.every((other) => !isSeveral || has(other, one.name) || (draft.isHelp && other.key !== draft.who)),
  );
  const skills = [...(isSeveral ? [] : actor.weapons), ...own.map((one) => ({ ...one, isSkill: true }))];
  const last = used[actor.key] ?? [];
  const place = (one) => (last.includes(one.name) ? last.indexOf(one.name) : last.length);
  const sorted = skills
    .map((one, n) => [one, n])
    .sort(([a, n], [b, m]) => place(a) - place(b) || n - m)
    .map(([one]) => one);
  const dice = (one) => (one.isSkill ? throwsOf(actor, one) : throwsOf(actor, actor.skills.find((skill) => skill.name === one.skill) ?? { name: "", ask: {} }));
  return html`<div class="skill-row" role="group" aria-label=${say("roll.skill")}>
    ${repeat(
      sorted,
      (one) => `${one.isSkill} ${one.name}`,
      (
        one,
      ) => html`<button type="button" class="chip skill" data-skill=${one.name} ?data-weapon=${!one.isSkill} aria-pressed=${String((one.isSkill ? draft.skill : draft.weapon) === one.name)} @click=${({
        currentTarget,
      }) => {
        currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" }); // one that was half in sight
        act.chooseSkill(one);
      }}>
      ${one.isSkill ? nothing : icon("crosshair")}<span>${one.name}</span>${dice(one)}</button>`,
    )}
    ${isSeveral && chosen.length > 0 && own.length === 0 ? html`<span class="quiet row-name">${say("roll.noneShared")}</span>` : nothing}
    ${skills.length === 0 && !isSeveral ? html`<button type="button" class="chip outlined" @click=${() => actor.id && act.edit(actor)}>${icon("plus")}${say("people.addSkill")}</button>` : nothing}
    <button type="button" class="chip skill other-dice" aria-pressed=${String(draft.isOther)} @click=${act.otherDice}>${say("roll.otherDice")}</button></div>`;
}

/** A few purposes stand as segments. */
function fewPurposes({ game, ui: { draft, preview }, act }) {
  const field = fieldOf(game, "purpose");
  if (!field || field.choices.length > FEW) return nothing;
  const now = draft.ask.purpose ?? preview?.answers?.purpose ?? field.default;
  return segments(
    field.title,
    field.choices.map((one) => [one.name, one.title]),
    now,
    (name) => act.answer({ purpose: name === field.default ? undefined : name }),
  );
}

/** Dice that are thrown, each once; the biggest solid first. */
function diceOf(dice, hinders) {
  const size = (name) => Number(dieType(name).solid.slice(1));
  return Object.keys(dice)
    .filter((name) => Boolean(dieType(name).hinders) === hinders)
    .sort((a, b) => size(b) - size(a))
    .flatMap((name) => Array.from({ length: dice[name] }, () => name));
}

const smallDie = (name) => html`<span class="small-die">${die(dieType(name), null)}</span>`;

function symbolPool(seen, actor) {
  const {
    ui: { preview, draft },
    act,
    game,
  } = seen;
  const dice = preview?.dice ?? {};
  const against = diceOf(dice, true);
  const isMain = (name) => dieType(name).solid !== "d6";
  const told = against.filter(isMain);
  const difficulty = fieldOf(game, "difficulty");
  const own = hasOwnDifficulty(seen) && draft.ask.difficulty === undefined;
  const now = own ? null : (draft.ask.difficulty ?? difficultyOf(game).difficulty);
  const main =
    preview || own
      ? told
      : Array.from(
          {
            length: Math.max(
              0,
              difficulty.choices.findIndex((one) => one.name === now),
            ),
          },
          () => "difficulty",
        );
  const upgrades = draft.ask[`upgrade_${upgradedDie(game, true)}`] ?? 0;
  const named = [difficulty.choices.find((one) => one.name === now)?.title ?? "", upgrades > 0 ? say("roll.upgradedTimes", { n: upgrades }) : ""]
    .filter(Boolean)
    .join(", ");
  const more = (name, words, sign) =>
    html`<button type="button" class="more-dice" data-add=${name} aria-label=${/^(up|down)grade_/.test(name) && !isFree ? `${words}, ${say(name.endsWith(worse) ? "roll.againstDice" : "roll.for")}` : nothing} @click=${() => act.add(name, 1)}>${sign}<span>${words}</span></button>`;
  const plain = (name) =>
    html`<button type="button" class="more-dice tall" data-add=${name} @click=${() => act.addDie(name)}>${smallDie(name)}<span>${dieType(name).title}</span></button>`;
  const [added, upgraded] = [addedDie(game, false), upgradedDie(game, false)];
  const [hindering, worse] = [addedDie(game, true), upgradedDie(game, true)];
  const isFree = !actor || draft.isOther;
  const freeDice =
    fieldOf(game, "dice")
      ?.choices.map((one) => one.name)
      .filter((name) => dieType(name).set === dieType(upgraded).set) ?? [];
  const places = Array.from(
    { length: Math.max(PLACES, main.length) },
    (_, n) =>
      html`<button type="button" class="pool-die place" data-place=${n + 1} aria-label=${difficulty.choices[n + 1]?.title ?? say("roll.difficulty")} aria-pressed=${String(difficulty.choices[n + 1]?.name === now)} ?disabled=${n >= PLACES} @click=${() => difficulty.choices[n + 1].name !== now && act.difficulty({ difficulty: difficulty.choices[n + 1].name })}>${die(dieType(main[n] ?? "difficulty"), null, { missing: n >= main.length })}</button>`,
  );
  return html`<div class="sides"><section class="side" aria-label=${say("roll.for")}><h3>${say("roll.for")}<small>${preview?.carried ? say("roll.carried", { n: preview.carried }) : isFree ? say("roll.tapToAdd") : nothing}</small></h3>
      ${
        isFree
          ? html`<div class="more-row">${freeDice
              .filter((name) => !dieType(name).hinders && !showsPoints(name))
              .sort((a, b) => Number(b === upgraded) - Number(a === upgraded) || Number(dieType(b).solid.slice(1)) - Number(dieType(a).solid.slice(1)))
              .map(plain)}</div>`
          : nothing
      }
      <div class="pool-dice">${dieButtons(diceOf(dice, false), seen)}</div>
      ${isFree ? nothing : html`<div class="more-row">${upgraded ? more(`upgrade_${upgraded}`, say("roll.upgrade"), icon("chevron-up")) : nothing}${added ? more(added, dieType(added).title, smallDie(added)) : nothing}${upgraded ? more(`downgrade_${upgraded}`, say("roll.downgrade"), icon("chevron-down")) : nothing}</div>`}</section>
    <section class="side" aria-label=${say("roll.againstDice")}><h3>${say("roll.againstDice")}<small id="difficulty-name">${named}</small></h3>
      <div class="pool-dice"><button type="button" class="simple" id="simple" aria-pressed=${String(difficulty.choices[0].name === now)} @click=${() => difficulty.choices[0].name !== now && act.difficulty({ difficulty: difficulty.choices[0].name })}>${difficulty.choices[0].title}</button>${places}
        ${dieButtons(
          against.filter((name) => !isMain(name)),
          seen,
        )}</div>
      <div class="more-row">${worse ? more(`upgrade_${worse}`, isFree ? dieType(game.upgrades[worse]).title : say("roll.upgrade"), isFree ? smallDie(game.upgrades[worse]) : icon("chevron-up")) : nothing}${hindering ? more(hindering, dieType(hindering).title, smallDie(hindering)) : nothing}${worse && !isFree ? more(`downgrade_${worse}`, say("roll.downgrade"), icon("chevron-down")) : nothing}</div></section></div>`;
}

/** Dice that can be turned into others, each a button. @param {string[]} names */
function dieButtons(names, { act }) {
  const labels = numbered(names.map((name) => dieType(name).title));
  return names.map(
    (name, n) =>
      html`<button type="button" class="pool-die" aria-label=${labels[n]} title=${dieType(name).title} @click=${() => act.dieMenu(name)}>${die(dieType(name), null)}</button>`,
  );
}

function codePool(seen, actor) {
  const {
    ui: { preview, draft },
    act,
    game,
  } = seen;
  const answers = preview?.answers ?? {};
  const dice = diceOf(preview?.dice ?? {}, false);
  const actions = answers.actions ?? draft.ask.actions ?? 1;
  const bands = fieldOf(game, "band");
  const isSet = draft.ask.difficulty !== undefined || draft.ask.band !== undefined;
  const now = isSet ? draft.ask : { ...(hasOwnDifficulty(seen) ? {} : difficultyOf(game)), ...answers };
  const total = now.band ? null : (now.difficulty ?? null);
  const shown = total ?? preview?.difficulty ?? null; // what a word comes to, as the table works it out
  const step = (by) => act.difficulty({ difficulty: Number.isInteger(shown) ? shown + by : FIRST_DIFFICULTY });
  const code = answers.code ?? draft.ask.code ?? "";
  const isFree = !actor || draft.isOther;
  const pips = answers.pips ?? 0;
  const more = (by) => (isFree ? act.code(by, code || (by > 0 ? "0D" : FIRST_CODE)) : act.answer({ pips: pips + by || undefined }));
  const lost = Math.max(0, Number(/^(\d+)D/.exec(code)?.[1] ?? 0) - dice.length);
  const rest = /\+(\d)$/.exec(code)?.[1];
  const five = (bands?.choices ?? []).slice(0, PLACES);
  const isMet = (one) => now.difficulty === undefined && (answers.reaction_total === undefined || one.number === shown); // else that number counts
  const isLit = (one) => one.name === now.band && isMet(one);
  return html`<div class="code-row"><b class="code-large">${code || "–"}${pips && !isFree ? html`<small>${pips > 0 ? `+${pips}` : pips}</small>` : nothing}</b>
      <span class="steps"><button type="button" class="step" id="less-pips" aria-label=${say("roll.lessPips")} @click=${() => more(-1)}>${icon("minus")}</button><button type="button" class="step" id="more-pips" aria-label=${say("roll.morePips")} @click=${() => more(1)}>${icon("plus")}</button></span></div>
    <div class="pool-dice code-dice">${dice.map((name) => html`<span class="pool-die">${die(dieType(name), null)}</span>`)}${Array.from({ length: lost }, () => html`<span class="pool-die">${die(dieType(codeDie(game)), null, { missing: true })}</span>`)}${rest ? html`<span class="plus">${say("pips", { n: Number(rest) })}</span>` : nothing}</div>
    <section class="side"><h3>${fieldOf(game, "actions").title}<small>${say("roll.actionsCost")}</small></h3>
      ${segments(
        fieldOf(game, "actions").title,
        ACTIONS.map((n) => [n, String(n)]),
        actions,
        (n) => act.answer({ actions: n === 1 ? undefined : n }),
      )}</section>
    <section class="side"><h3>${say("roll.difficulty")}<small>${five.find(isLit)?.title.split(",")[0] ?? ""}</small></h3><div class="band-row">
      <button type="button" class="step" aria-label=${say("roll.lessDifficult")} @click=${() => step(-1)}>${icon("minus")}</button><output class="number">${shown ?? "–"}</output><button type="button" class="step" aria-label=${say("roll.moreDifficult")} @click=${() => step(1)}>${icon("plus")}</button>
      <div class="segments bands" role="group" aria-label=${say("roll.difficulty")}>${five.map((one) => html`<button type="button" class="band" data-band=${one.name} title=${one.title} aria-label=${one.title} aria-pressed=${String(isLit(one))} @click=${() => !isLit(one) && act.difficulty({ band: one.name })}>${one.number ?? one.title}</button>`)}</div></div></section>`;
}

/** Everything else: chips, each with a small sheet of its own; those with a value are lit. */
function chipRow(seen, actor) {
  const { act } = seen;
  const shown = chipsOf(seen, actor);
  return shown.length === 0
    ? nothing
    : html`<div class="chip-row" role="group" aria-label=${say("roll.more")}>${repeat(
        shown,
        (one) => one.name,
        (one) =>
          html`<button type="button" class="chip call-chip" data-chip=${one.name} ?data-set=${one.isSet} aria-label=${one.label ?? nothing} aria-pressed=${one.press ? String(one.isSet) : nothing} ?disabled=${one.isDisabled} @click=${() => (one.press ? one.press() : act.sheet(one.name))}>${one.sign}${one.title ? html`<span class="may-cut">${one.title}</span>` : nothing}</button>`,
      )}</div>`;
}

/** How likely it is, as the table works it out, and who sees that. */
function oddsLine({ ui: { preview, oddsFor }, act }) {
  const chances = preview?.chances ?? [];
  const success = chances.find((one) => one.name === "success")?.chance;
  const symbols = chances.filter((one) => one.name !== "success" && one.chance > 0 && setOfSymbol(one.name)).slice(0, 3);
  const isSeen = oddsFor === "all";
  const isDrawn = symbols.length === 0 && (preview?.bars ?? []).length > 2;
  return html`<div class="odds-line" aria-live="polite" ?hidden=${!preview}>
    ${success === undefined ? html`<b class="odds-large none">–</b>` : html`<b class="odds-large">${whole(success)}<small>%</small></b>`}
    ${symbols.length > 0 ? html`<span class="odds-symbols">${symbols.map((one) => html`<span class="odds-symbol" title=${symbolWord(one.name)}>${symbol(setOfSymbol(one.name), one.name)}<b><span class="hidden">${symbolWord(one.name)} </span>${whole(one.chance)}</b></span>`)}</span>` : isDrawn ? bars(preview) : nothing}
    <button type="button" class="eye" id="odds-eye" aria-pressed=${String(isSeen)} aria-label=${say(isSeen ? "roll.allSee" : "roll.onlyMe")} @click=${() => act.oddsFor(isSeen ? "gm" : "all")}>${icon(isSeen ? "eye" : "eye-off")}${isDrawn ? nothing : html`<span>${say(isSeen ? "roll.allSee" : "roll.onlyMe")}</span>`}</button></div>`;
}

/** The chance of each total; those that succeed are in ink: so many of the highest as have the chance of success together. */
function bars({ bars: all, chances }) {
  const success = chances.find((one) => one.name === "success")?.chance ?? 1;
  const sums = all.map((_, n) => all.slice(n).reduce((sum, one) => sum + one.chance, 0));
  const enough = new Set(all.filter((_, n) => sums[n] <= success + LEAST_SHOWN).map((one) => one.name));
  const seldom = (one) => one.chance < LEAST_SHOWN;
  const list = all.slice(
    all.findIndex((one) => !seldom(one)),
    all.findLastIndex((one) => !seldom(one)) + 1,
  );
  const most = Math.max(...list.map((one) => one.chance));
  const width = 100 / list.length;
  return svg`<svg class="odds-bars" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">${list.map((one, n) => {
    const height = (40 * one.chance) / most;
    return svg`<rect x=${n * width} y=${40 - height} width=${width * 0.75} height=${height} ?data-enough=${enough.has(one.name)}></rect>`;
  })}</svg>`;
}

/** A whole attack: that it hits, that it does something, and that it does more than the least. */
function attackLine(attack) {
  if (!attack) return nothing;
  const half = LEAST_SHOWN * 10;
  return html`<div class="attack-line"><p><b>${whole(attack.hits)} %</b> ${say("attack.hits")}</p><p><b>${whole(attack.hurts)} %</b> ${say("attack.hurts")}</p>
    <ul class="attack-ends">${attack.ends
      .slice(1)
      .filter((one) => one.at_least >= half)
      .map(
        (one) => html`<li><span>${one === attack.ends.at(-1) ? one.name : say("attack.orMore", { what: one.name })}</span><b>${whole(one.at_least)} %</b></li>`,
      )}</ul></div>`;
}

/** The call that is open, with what a point would make of it. */
export function callStrip({ state, act, mayChange, isMaster, ui, game }) {
  const isInitiative = Boolean(state.contest?.initiative && state.asked?.contest === state.contest.id); // the fight's own tab shows it
  const { asked, call } = state;
  if (!asked || !call) return nothing;
  const wanted = Object.values(call.dice).reduce((sum, n) => sum + n, 0);
  const missing = Object.values(call.missing).reduce((sum, n) => sum + n, 0);
  const isLaid = Object.keys(call.laid).length > 0;
  const title = [asked.player, call.for].filter(Boolean).join(", ") || say("roll.anyoneRolls");
  const who = ui.people.find((one) => one.id === asked.who);
  const sides = call.flips.filter((one) => (isMaster || one.side === "light") && pointsLeft(state, one.side) > 0);
  return html`<div class="call-strip" id="call" ?data-initiative=${isInitiative}>${who ? face(who, { game }) : nothing}<p class="call-what"><b class="may-cut">${title}</b>${isLaid ? html`<span class="may-cut">${say("laid", { n: wanted - missing, of: wanted })}</span>` : smallDice(call.dice)}</p>
    ${
      mayChange
        ? html`<span class="call-acts">${isMaster ? html`<button type="button" class="call-act" id="call-change" @click=${act.changeCall}>${say("roll.change")}</button>` : nothing}<button type="button" class="call-act" id="call-stop" @click=${act.stopCall}>${say("askStop")}</button></span>
      ${sides.length > 0 ? html`<span class="call-flips">${sides.map((one) => html`<button type="button" class="flip" data-side=${one.side} aria-label=${say("spend", { name: state.destiny_names[one.side] })} @click=${() => act.flip(one.side)}><span class="flip-token">${state.points ? diamond(one.side) : token(one.side)}</span><b>${one.odds.success === undefined ? state.destiny_names[one.side] : `${whole(one.odds.success)} %`}</b></button>`)}</span>` : nothing}`
        : nothing
    }</div>`;
}
