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
import { say, symbolWord } from "../strings.js";
import { actorOf, actors, addedDie, chosenOf, difficultyOf, everybody, fieldOf, hasOwnDifficulty, lastCommand, lastTotal, targetsOf, upgradedDie } from "./draft.js";
import { face, smallDice, throwsOf } from "./pieces.js";
import { attackLine, whatIf } from "./what-if.js";

const PLACES = 5; // difficulties that are drawn, from easy to formidable; the others are in the form
const FEW = 4; // so many purposes stand as segments
const ACTIONS = [1, 2, 3, 4];
const FIRST_DIFFICULTY = 10;
const LEAST_SHOWN = 0.0005; // of the chances at both ends of the bars

/** Draw the tab. */
export function rollTab(seen) {
  const { ui: { draft }, state, act, isMaster } = seen;
  const actor = actorOf(seen);
  return html`<div class="title-row"><h2>${say("roll.title")}</h2>
      ${isMaster ? html`<label class="switch">${say("hidden")}<input type="checkbox" role="switch" id="ask-hidden" .checked=${draft.hidden} @change=${(event) => act.draft({ hidden: event.target.checked })}></label>` : nothing}</div>
    ${whoRow(seen)}
    ${severalRow(seen, actor)}
    ${fewPurposes(seen)}
    ${actor ? skillRow(seen, actor) : html`<p class="quiet">${say("roll.chooseWho")}</p>`}
    <div class="for-line">${manyPurposes(seen)}<input id="ask-label" type="text" maxlength="60" autocomplete="off" list="labels" aria-label=${say("whatFor")} placeholder=${say("whatFor")} .value=${draft.label} @input=${(event) => act.draft({ label: event.target.value })}>
      <datalist id="labels">${labels(state).map((one) => html`<option value=${one}></option>`)}</datalist></div>
    ${draft.table ? html`<p class="quiet">${say("roll.forTable", { name: draft.table })}</p>` : nothing}
    ${draft.weapon || draft.against || draft.lastTotal ? targetRow(seen, actor) : nothing}
    ${resistRow(seen)}
    ${fieldOf(seen.game, "upgrade_ability") ? symbolPool(seen) : fieldOf(seen.game, "code") ? codePool(seen) : nothing}
    ${seen.ui.refused ? html`<p class="quiet" id="refused" role="status">${[seen.ui.refused.what, seen.ui.refused.hint].filter(Boolean).map((one) => (/[.?!]$/.test(one) ? one : `${one}.`)).join(" ")}</p>` : nothing}
    ${attackLine(seen.ui.preview?.attack)}
    ${seen.ui.preview || seen.state.call?.odds?.success !== undefined ? whatIf(seen) : nothing}
    ${drawer(seen, actor)}
    <div class="ask-bar">${oddsLine(seen)}${callBar(seen)}
      <button type="button" class="primary" id="ask-now" ?disabled=${!actor && isMaster} @click=${act.ask}>${askWords(seen, actor)}</button></div>`;
}

function askWords({ ui: { draft } }, actor) {
  if (draft.others.length > 0 && !draft.isHelp) return say("roll.askSeveral", { n: draft.others.length + 1 });
  return actor ? say("askWho", { who: actor.name }) : say("askIt");
}

/** The last things that rolls were for. */
const labels = (state) => [...new Set(state.history.map((roll) => roll.label).filter(Boolean))].slice(0, 5);

function whoRow(seen) {
  const { ui: { draft }, act, isMaster, me } = seen;
  const shown = actors(seen).filter((one) => isMaster || one.name === me());
  if (!isMaster && shown.length === 1) return nothing; // a player's phone rolls for one
  const players = everybody(seen);
  const choice = (one) => html`<button type="button" class="who-choice" data-who=${one.name} aria-pressed=${[draft.who, ...draft.others].includes(one.key) ? "true" : "false"} @click=${() => act.chooseWho(one.key)}>
    ${face(one)}<span class="may-cut">${one.name}</span></button>`;
  const all = html`<button type="button" class="who-choice" id="who-all" aria-pressed=${draft.others.length > 0 ? "true" : "false"} @click=${act.everybody}>
    <span class="face-mark" data-kind="player" aria-hidden="true">${icon("users-round")}</span><span class="may-cut">${say("roll.everybody")}</span></button>`;
  return html`<div class="who-row" role="group" aria-label=${say("whoRolls")}>${repeat(shown.filter((one) => one.kind === "player"), (one) => one.key, choice)}
    ${isMaster && players.length > 1 ? all : nothing}${repeat(shown.filter((one) => one.kind !== "player"), (one) => one.key, choice)}</div>`;
}

/** Several who are chosen: each rolls, or one leads and the others help, where the rules say what that is worth. */
function severalRow(seen, actor) {
  const { ui: { draft }, act, game } = seen;
  if (draft.others.length === 0 || !game.characters.can_help || !actor?.id) return nothing;
  const command = lastCommand(seen);
  return html`${segments(say("roll.several"), [[false, say("roll.each")], [true, say("roll.oneLeads")]], draft.isHelp, act.isHelp)}
    ${draft.isHelp ? html`<div class="target-row" role="group" aria-label=${say("roll.leads")}><span class="row-name">${say("roll.leads")}</span>
      ${chosenOf(seen).filter((one) => one.id).map((one) => html`<button type="button" class="chip leader" aria-pressed=${one.key === draft.who ? "true" : "false"} @click=${() => act.leads(one.key)}>${one.name}</button>`)}
      ${command ? html`<button type="button" class="chip" aria-pressed=${draft.ledBy === command.id ? "true" : "false"} @click=${() => act.draft({ ledBy: draft.ledBy === command.id ? "" : command.id })}>${say("roll.lastTotal", { who: command.by, what: command.label, n: command.net.total })}</button>` : nothing}</div>` : nothing}`;
}

function skillRow(seen, actor) {
  const { ui: { draft, used }, act } = seen;
  const chosen = chosenOf(seen).filter((one) => one.id);
  const isSeveral = draft.others.length > 0;
  const has = (one, name) => one.skills.some((skill) => skill.name === name);
  const own = (isSeveral ? (chosen[0] ?? actor) : actor).skills.filter((one) => chosen.every((other) => !isSeveral || has(other, one.name) || (draft.isHelp && other.key !== draft.who)));
  const skills = [...own.map((one) => ({ ...one, isSkill: true })), ...(isSeveral ? [] : actor.weapons)];
  const last = used[actor.key] ?? [];
  const place = (one) => (last.includes(one.name) ? last.indexOf(one.name) : last.length);
  const sorted = skills.map((one, n) => [one, n]).sort(([a, n], [b, m]) => place(a) - place(b) || n - m).map(([one]) => one);
  return html`<div class="skill-row" role="group" aria-label=${say("roll.skill")}>
    ${repeat(sorted, (one) => one.name, (one) => html`<button type="button" class="chip skill" data-skill=${one.name} aria-pressed=${(one.isSkill ? draft.skill : draft.weapon) === one.name ? "true" : "false"} @click=${() => act.chooseSkill(one)}>
      <span>${one.name}</span>${one.isSkill ? throwsOf(actor, one) : icon("swords")}</button>`)}
    ${isSeveral && chosen.length > 0 && own.length === 0 ? html`<span class="quiet row-name">${say("roll.noneShared")}</span>` : nothing}
    <button type="button" class="chip skill other-dice" aria-pressed=${draft.isOther ? "true" : "false"} @click=${act.otherDice}>${say("roll.otherDice")}</button></div>`;
}

/** Whom it is made against: people of the scene, and the total that one of them has just rolled. */
function targetRow(seen, actor) {
  const { ui: { draft }, act } = seen;
  const total = lastTotal(seen, actor);
  return html`<div class="target-row" role="group" aria-label=${say("roll.against")}><span class="row-name">${say("roll.at")}</span>
    ${total ? html`<button type="button" class="chip last-total" aria-pressed=${draft.lastTotal === total.id ? "true" : "false"} @click=${() => act.draft({ lastTotal: draft.lastTotal === total.id ? "" : total.id, against: "" })}>${say("roll.lastTotal", { who: total.by, what: total.label, n: total.net.total })}</button>` : nothing}
    ${repeat(targetsOf(seen, actor), (one) => one.id, (one) => html`<button type="button" class="chip target" aria-pressed=${(draft.targets ?? [draft.against]).includes(one.id) ? "true" : "false"} @click=${() => act.draft(aimed(draft, one.id))}>${one.name}</button>`)}
    ${draft.against ? html`<button type="button" class="chip" id="several-targets" aria-pressed=${draft.targets ? "true" : "false"} @click=${() => act.draft({ targets: draft.targets ? null : [draft.against], lastTotal: "" })}>${say("roll.severalTargets")}</button>` : nothing}</div>`;
}

/** What the other side resists a check with. Without a choice the game names a skill, where its rules do. */
function resistRow(seen) {
  const { ui: { draft, people }, act, game } = seen;
  const skills = people.find((one) => one.id === draft.against)?.skills ?? [];
  if (!game.characters.can_resist || !draft.skill || draft.targets || draft.lastTotal || skills.length === 0) return nothing;
  return html`<div class="target-row" role="group" aria-label=${say("roll.resistsWith")}><span class="row-name">${say("roll.resistsWith")}</span>
    ${repeat(skills, (one) => one.name, (one) => html`<button type="button" class="chip resisting" data-skill=${one.name} aria-pressed=${draft.againstSkill === one.name ? "true" : "false"} @click=${() => act.draft({ againstSkill: draft.againstSkill === one.name ? "" : one.name })}>${one.name}</button>`)}</div>`;
}

/** What of the draft another target changes: the one whom it is against, or one of several. */
function aimed({ against, targets }, id) {
  if (targets === null) return { against: against === id ? "" : id, againstSkill: "", lastTotal: "" };
  const now = targets.includes(id) ? targets.filter((one) => one !== id) : [...targets, id];
  return { targets: now.length > 0 ? now : null, against: now[0] ?? "", againstSkill: "", lastTotal: "" };
}

/** The purpose of the call that is put together, of those that the game knows. */
function purposeOf({ game, ui: { draft, preview }, act }) {
  const field = fieldOf(game, "purpose");
  const now = field && (draft.ask.purpose ?? preview?.answers?.purpose ?? field.default);
  return { field, now, choose: (name) => act.answer({ purpose: name === field.default ? undefined : name }) };
}

/** A few purposes stand as segments. */
function fewPurposes(seen) {
  const { field, now, choose } = purposeOf(seen);
  return field && field.choices.length <= FEW ? segments(field.title, field.choices.map((one) => [one.name, one.title]), now, choose) : nothing;
}

/** Many that ask for answers of their own are a list; to choose one opens what it asks. */
function manyPurposes(seen) {
  const { field, now, choose } = purposeOf(seen);
  if (!field || field.choices.length <= FEW || !seen.game.form.some((one) => one.only?.purpose)) return nothing;
  const chosen = (event) => {
    choose(event.target.value);
    seen.act.drawer(true);
  };
  return html`<select id="ask-purpose" aria-label=${field.title} @change=${chosen}>${field.choices.map((one) => html`<option value=${one.name} ?selected=${one.name === now}>${one.title}</option>`)}</select>`;
}

const segments = (title, list, now, choose) => html`<div class="segments" role="group" aria-label=${title}>${list.map(([value, text]) =>
  html`<button type="button" aria-pressed=${value === now ? "true" : "false"} @click=${() => choose(value)}>${text}</button>`)}</div>`;

/** Dice that are thrown, each once; the biggest solid first. */
function diceOf(dice, hinders) {
  const size = (name) => Number(dieType(name).solid.slice(1));
  return Object.keys(dice).filter((name) => Boolean(dieType(name).hinders) === hinders).sort((a, b) => size(b) - size(a)).flatMap((name) => Array.from({ length: dice[name] }, () => name));
}

function symbolPool(seen) {
  const { ui: { preview }, act, game } = seen;
  const dice = preview?.dice ?? {};
  const against = diceOf(dice, true);
  const isMain = (name) => dieType(name).solid !== "d6";
  const main = against.filter(isMain);
  const difficulty = fieldOf(game, "difficulty");
  const now = hasOwnDifficulty(seen) ? null : seen.ui.draft.ask.difficulty ?? difficultyOf(game).difficulty;
  const named = difficulty.choices.find((one) => one.name === now)?.title ?? "";
  const more = (name, words, sign) => html`<button type="button" class="more-dice" data-add=${name} @click=${() => act.add(name, 1)}>${sign}<span>${words}</span></button>`;
  const moreRow = (hinders) => {
    const [added, upgraded] = [addedDie(game, hinders), upgradedDie(game, hinders)];
    return html`<div class="more-row">${upgraded ? more(`upgrade_${upgraded}`, say("roll.upgrade"), icon("chevron-up")) : nothing}${added ? more(added, dieType(added).title, html`<span class="mark-die">${die(dieType(added), null)}</span>`) : nothing}${upgraded ? more(`downgrade_${upgraded}`, say("roll.downgrade"), icon("chevron-down")) : nothing}</div>`;
  };
  return html`<div class="sides"><section class="side" aria-label=${say("roll.for")}><h3>${say("roll.for")}<small>${preview?.carried ? say("roll.carried", { n: preview.carried }) : nothing}</small></h3>
      <div class="pool-dice">${diceOf(dice, false).map((name) => dieButton(name, seen))}</div>
      ${moreRow(false)}</section>
    <section class="side" aria-label=${say("roll.againstDice")}><h3>${say("roll.againstDice")}<small>${named}</small></h3>
      <div class="pool-dice">${Array.from({ length: Math.max(PLACES, main.length) }, (_, n) => html`<button type="button" class="pool-die place" data-place=${n + 1} aria-label=${difficulty.choices[n + 1]?.title ?? say("roll.difficulty")} aria-pressed=${difficulty.choices[n + 1]?.name === now ? "true" : "false"} ?disabled=${n >= PLACES} @click=${() => act.difficulty({ difficulty: difficulty.choices[difficulty.choices[n + 1].name === now ? 0 : n + 1].name })}>${die(dieType(main[n] ?? "difficulty"), null, { missing: n >= main.length })}</button>`)}
        ${against.filter((name) => !isMain(name)).map((name) => dieButton(name, seen))}</div>
      ${moreRow(true)}</section></div>`;
}

const dieButton = (name, { act }) => html`<button type="button" class="pool-die" aria-label=${dieType(name).title} title=${dieType(name).title} @click=${() => act.dieMenu(name)}>${die(dieType(name), null)}</button>`;

function codePool(seen) {
  const { ui: { preview, draft }, act, game } = seen;
  const answers = preview?.answers ?? {};
  const dice = preview?.dice ?? {};
  const actions = answers.actions ?? 1;
  const bands = fieldOf(game, "band");
  const kept = hasOwnDifficulty(seen) ? {} : difficultyOf(game);
  const isSet = draft.ask.difficulty !== undefined || draft.ask.band !== undefined;
  const now = isSet ? draft.ask : { ...kept, ...answers };
  const total = now.band ? null : (now.difficulty ?? null);
  const shown = total ?? preview?.difficulty ?? null; // what a word comes to, as the table works it out
  const step = (by) => act.difficulty({ difficulty: Number.isInteger(shown) ? shown + by : FIRST_DIFFICULTY });
  const pips = answers.pips ?? 0;
  const [, dice0 = "0", pips0 = ""] = /^(\d+)D(.*)$/.exec(answers.code ?? "") ?? [];
  const wholeDice = (by) => act.answer({ code: `${Number(dice0) + by}D${pips0}` });
  return html`<div class="code-row"><b class="code-large">${answers.code ?? "–"}</b>
      <div class="pool-dice">${diceOf(dice, false).map((name) => html`<span class="pool-die">${die(dieType(name), null)}</span>`)}</div>
      <span class="steps"><button type="button" class="step" aria-label=${say("roll.lessDice")} ?disabled=${Number(dice0) < 2} @click=${() => wholeDice(-1)}>−D</button>
      <button type="button" class="step" aria-label=${say("roll.lessPips")} @click=${() => act.answer({ pips: pips - 1 })}>−</button>${pips ? html`<b class="code">${pips > 0 ? `+${pips}` : pips}</b>` : nothing}
      <button type="button" class="step" aria-label=${say("roll.morePips")} @click=${() => act.answer({ pips: pips + 1 })}>+</button>
      <button type="button" class="step" aria-label=${say("roll.moreDice")} @click=${() => wholeDice(1)}>+D</button></span></div>
    <div class="sides"><section class="side"><h3>${fieldOf(game, "actions").title}<small>${say("roll.actionsCost")}</small></h3>
      ${segments(fieldOf(game, "actions").title, ACTIONS.map((n) => [n, String(n)]), actions, (n) => act.answer({ actions: n === 1 ? undefined : n }))}</section>
    <section class="side"><h3>${say("roll.difficulty")}</h3><div class="band-row">
      <button type="button" class="step" aria-label=${say("roll.lessDifficult")} @click=${() => step(-1)}>−</button><output class="number">${shown ?? "–"}</output><button type="button" class="step" aria-label=${say("roll.moreDifficult")} @click=${() => step(1)}>+</button>
      <div class="bands">${(bands?.choices ?? []).map((one) => html`<button type="button" class="chip band" aria-pressed=${now.band === one.name ? "true" : "false"} @click=${() => act.difficulty(now.band === one.name ? {} : { band: one.name })}>${one.title.split(",")[0]}</button>`)}</div></div></section></div>
    ${pointRow(seen, answers)}`;
}

/** A point that the code doubles with, of the one who acts. */
function pointRow(seen, answers) {
  const { game, act } = seen;
  const field = fieldOf(game, "force_point");
  const name = game.characters.points.light;
  const actor = actorOf(seen);
  if (!field || !name || !actor?.id) return nothing;
  const has = actor.trackers[name]?.value ?? 0;
  return html`<div class="more-row"><button type="button" class="more-dice" aria-pressed=${answers.force_point ? "true" : "false"} ?disabled=${has === 0 && !answers.force_point} @click=${() => act.answer({ force_point: answers.force_point ? undefined : true })}>
    <span>${field.title}</span><b>${say("roll.pointsLeft", { n: has })}</b></button></div>`;
}

/** How likely it is, as the table works it out. */
function oddsLine({ ui: { preview } }) {
  const chances = preview?.chances ?? [];
  const success = chances.find((one) => one.name === "success")?.chance;
  const symbols = chances.filter((one) => one.name !== "success" && one.chance > 0 && setOfSymbol(one.name));
  return html`<div class="odds-line" aria-live="polite" ?hidden=${!preview}>
    ${success === undefined ? html`<b class="odds-large none">–</b>` : html`<b class="odds-large">${whole(success)}<small>%</small></b><span class="to">${say("toSucceed")}</span>`}
    ${symbols.length > 0 ? html`<span class="odds-symbols">${symbols.map((one) => html`<span class="odds-symbol" title=${symbolWord(one.name)}>${symbol(setOfSymbol(one.name), one.name)}<b><span class="hidden">${symbolWord(one.name)} </span>${whole(one.chance)} %</b></span>`)}</span>`
      : (preview?.bars ?? []).length > 2 ? bars(preview) : nothing}</div>`;
}

/** The chance of each total; those that succeed are in ink: so many of the highest as have the chance of success together. */
function bars({ bars: all, chances }) {
  const success = chances.find((one) => one.name === "success")?.chance ?? 1;
  const sums = all.map((_, n) => all.slice(n).reduce((sum, one) => sum + one.chance, 0));
  const enough = new Set(all.filter((_, n) => sums[n] <= success + LEAST_SHOWN).map((one) => one.name));
  const seldom = (one) => one.chance < LEAST_SHOWN;
  const list = all.slice(all.findIndex((one) => !seldom(one)), all.findLastIndex((one) => !seldom(one)) + 1);
  const most = Math.max(...list.map((one) => one.chance));
  const width = 100 / list.length;
  return svg`<svg class="odds-bars" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">${list.map((one, n) => {
    const height = (40 * one.chance) / most;
    return svg`<rect x=${n * width} y=${40 - height} width=${width * 0.75} height=${height} ?data-enough=${enough.has(one.name)}></rect>`;
  })}</svg>`;
}

/** The rest of the game's form. */
function drawer(seen, actor) {
  const { ui, act } = seen;
  return html`<details class="drawer" .open=${ui.isDrawerOpen} @toggle=${(event) => act.drawer(event.target.open)}><summary>${say("roll.drawer")}</summary>
    ${ui.isDrawerOpen ? html`<div class="drawer-body">${ui.draft.weapon || ui.draft.against || ui.draft.lastTotal ? nothing : targetRow(seen, actor)}${act.form()}
      ${seen.isMaster ? html`<label class="row">${say("oddsFor")}<select id="ask-odds" @change=${(event) => act.oddsFor(event.target.value)}>${["all", "gm", "nobody"].map((value) => html`<option value=${value} ?selected=${value === ui.oddsFor}>${say(`oddsWho.${value}`)}</option>`)}</select></label>` : nothing}</div>` : nothing}</details>`;
}

/** The call that is open, with what a point would make of it. */
function callBar({ state, act, mayChange, isMaster }) {
  const { asked, call } = state;
  if (!asked || !call) return nothing;
  const wanted = Object.values(call.dice).reduce((sum, n) => sum + n, 0);
  const missing = Object.values(call.missing).reduce((sum, n) => sum + n, 0);
  const isLaid = Object.keys(call.laid).length > 0;
  const title = [asked.player, call.for].filter(Boolean).join(": ") || say("nobodyNamed");
  const sides = call.flips.filter((one) => (isMaster || one.side === "light") && pointsLeft(state, one.side) > 0);
  return html`<div class="call" id="call"><div class="call-row"><p class="may-cut"><b>${title}</b>${isLaid ? say("roll.laid", { n: wanted - missing, of: wanted }) : nothing}</p>${smallDice(call.dice)}</div>
    ${mayChange ? html`<div class="call-row">
      ${sides.map((one) => html`<button type="button" class="flip" data-side=${one.side} aria-label=${say("spend", { name: state.destiny_names[one.side] })} @click=${() => act.flip(one.side)}><span class="flip-token">${state.points ? diamond(one.side) : token(one.side)}</span>${one.odds.success === undefined ? nothing : html`<b>${whole(one.odds.success)} %</b>`}</button>`)}
      <button type="button" class="call-act" id="call-change" @click=${act.changeCall}>${say("roll.change")}</button><button type="button" class="call-act" id="call-stop" @click=${act.stopCall}>${say("askStop")}</button></div>` : nothing}</div>`;
}
