// The card of the now on a player's phone: what it is for, the headline, what is to be seen of it, and its acts. It changes in place.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { symbol } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { applyNext, changeShown, doneWords } from "../part/apply.js";
import { listed } from "../part/call.js";
import { face, throwsOf } from "../part/card.js";
import { lyingRow, poolRow } from "../part/dice.js";
import { question } from "../part/doubt.js";
import { bestThrowLine } from "../part/feed.js";
import { headline } from "../part/headline.js";
import { liveOver } from "../part/live.js";
import { isByFaces, symbolsLeft } from "../part/net.js";
import { aboutOf, actButton, actWords, headOf, nextWords, rollOf, toneOfNow, whoseOf } from "../part/now.js";
import { contestNow, ranking } from "../part/contest.js";
import { cameTo, drawnDice, toneOf } from "../part/plate.js";
import { leftOf } from "../part/spends.js";
import { mayTake } from "../part/turns.js";
import { crop, NO_CAMERA } from "../part/tray.js";
import { labelSaid, said } from "../said.js";
import { say, symbolWord, undoWhat } from "../strings.js";
import { doubtOf, keyOf, missingOf } from "../table/kind.js";
import { undoLast } from "../undo.js";
import { careButtons } from "./acts.js";
import { withstands } from "./call-sheets.js";
import { joinWords } from "./joins.js";
import { isMine } from "./mine.js";
import { mayPhotograph, photographButton } from "./photograph.js";
import { rowOf, spendRow } from "./result.js";

const THROWS = ["pool", "throw", "initiative", "step"];
const LINKED = ["rolling", "more", "apply", "step"]; // whose quiet acts stand at the foot
const FILLS = [...THROWS, "rolling", "doubt", "wrong", "more", "apply"]; // the page where they are mine; what may be spent does in a fight

/** Whether the card of the now takes the page, down to the order. @param {PhoneSeen} seen @param {Mine} mine */
export const fillsPage = (seen, mine) =>
  seen.mayChange && isMine(seen, mine) && (FILLS.includes(seen.state.now.name) || (seen.state.now.name === "spend" && seen.state.initiative.slots.length > 0));

/** The card as the game master has it: with the face, `beside` the headline and `body` below it. @param {PhoneSeen} seen @param {Drawing} body @param {Drawing} [beside] */
export function masterCard(seen, body, beside = nothing) {
  const { state, ui, game } = seen;
  const who = ui.people.find((one) => one.id === (rollOf(state)?.who || state.now.whose));
  return html`<section class="now-card" id="now-card" data-name=${state.now.name} data-tone=${toneOfNow(state)} data-mine>
    <div class="now-head">${who ? face(who, { game }) : nothing}<div><p class="now-line">${state.now.name === "turn" ? say("now.tapAct") : lineOf(seen, null, true)}${rollOf(state)?.hidden ? html` · ${say("hiddenMark")}` : nothing}</p>${headline(headOf(state, "master"))}</div>${beside}</div>${body}${standing(seen)}</section>`;
}

/** Draw the card. @param {PhoneSeen} seen @param {Mine} mine */
export function nowCard(seen, mine) {
  const { state } = seen;
  const { name } = state.now;
  const isOwn = isMine(seen, mine);
  const other = isOwn ? seen.ui.people.find((one) => one.id === whoseOf(state).id && one.id !== mine?.id) : null; // one more of this phone
  const body = (isOwn && seen.mayChange ? OWN[name] : OTHERS[name])?.(seen, other ?? mine) ?? nothing;
  const line = lineOf(seen, mine, isOwn);
  const place = isOwn && (whoseOf(state).name || !THROWS.includes(name)) ? (other ? "named" : "mine") : "other";
  return html`<section class="now-card" id="now-card" data-name=${name} data-tone=${toneOfNow(state)} ?data-mine=${isOwn} ?data-fills=${fillsPage(seen, mine)}>
    ${!isOwn && name === "apply" && mine?.id && mine.id === state.now.act?.values.to ? harm(seen, /** @type {AnyRoll} */ (rollOf(state))) : nothing}${other || line ? html`<p class="now-line">${other ? face(other, { game: seen.game }) : nothing}<span>${line}</span></p>` : nothing}${headline(headOf(state, place))}${body}${standing(seen)}${foot(seen, isOwn)}</section>`;
}

/** How a roll by several stands. @param {PhoneSeen} seen */
export function standing({ state }) {
  const contest = contestNow(state);
  return contest && !contest.initiative && (!state.now.roll || rollOf(state)?.contest === contest.id)
    ? ranking(contest, { asked: state.asked, call: null })
    : nothing;
}

/** What it is for: the skill or weapon, at whom; or who is meant. @param {PhoneSeen} seen @param {Mine | null} mine @param {boolean} isOwn */
function lineOf({ state, ui }, mine, isOwn) {
  const { now, asked } = state;
  const about = aboutOf(state);
  const target = ui.people.find((one) => one.id === (about?.against || null));
  const next = now.waiting[0] === mine?.id && !isOwn ? say("now.youAreNext") : "";
  const chance = !isOwn && about === asked ? state.call?.odds.success : undefined; // a card of one's own says it larger
  if (about)
    return html`<b>${labelSaid(about.label)}</b> ${target ? say("now.at", { who: target.name }) : nothing}${chance === undefined ? nothing : html` · ${whole(chance)} %`}${next ? html` · <b>${next}</b>` : nothing}`;
  if (isOwn && now.name === "turn") return say("now.tapThrows");
  if (now.name === "setup") return say("me.inMore");
  return now.name === "idle" ? say("dice.nothingCalled") : next;
}

/** What betters me, and what I can throw for others. @param {NonNullable<Mine>} mine @param {Pick<PhoneSeen, "ui">} seen @returns {Care[]} */
export const caresOf = (mine, { ui: { people } }) =>
  people.flatMap((whom) =>
    (whom.cares ?? [])
      .filter((one) => (one.act || !one.by ? whom.id === mine.id : one.call?.who === mine.id))
      .map((one) => ({ ...one, whom, shown: whom.id === mine.id ? one.by : whom.name })),
  );

/** The ways to give dice: by photograph, lit where it is what leads on, and by hand. @param {PhoneSeen} seen @param {string} key @param {() => unknown} byHand */
function ways(seen, key, byHand, words = "") {
  const { ui, state } = seen;
  const may = mayPhotograph(seen);
  const hand = html`<button type="button" class=${key && !may ? "act-lit" : "act-quiet"} id="dice-by-hand" data-act=${key && !may ? key : nothing} @click=${byHand}>${icon("pencil")}<b>${say("byHand")}</b></button>`;
  const inside = html`${icon("camera")}<b>${ui.isReading ? say("photo.sending") : words || say(key ? "photo.take" : "now.photograph")}</b>`;
  return html`<div class="now-ways" ?data-lit=${Boolean(key)}>${may ? photographButton(seen, key ? "act-lit" : "act-quiet", inside, key) : html`<p class="quiet">${say(`photo.not.${state.setup.photographs}`)}</p>`}${hand}</div>`;
}

const loose = (/** @type {PhoneSeen} */ seen) => (seen.mayChange ? ways(seen, "", seen.act.byHand) : nothing);

/** @param {PhoneSeen} seen */
function throwing(seen) {
  const { state, act } = seen;
  const { call, now } = state;
  return html`${call ? poolRow(call.dice) : nothing}${call ? odds(call) : nothing}${targetRow(seen, state.asked?.against)}${joinWords(state.asked?.joins)}
    <div class="now-acts">${ways(seen, now.act?.key ?? "", act.byHand)}<p class="now-hint">${NO_CAMERA.has(state.phase) ? nothing : html`<span>${say("now.orTray")}</span>`}<button type="button" class="link-button" id="call-change" @click=${() => act.sheet("call.mine")}>${say("roll.change")}</button></p></div>`;
}

/** @param {Told["OpenCall"]} call */
function odds({ odds: { success, ...others } }) {
  if (success === undefined) return nothing;
  return html`<p class="now-odds"><b>${whole(success)} %</b>${Object.entries(others)
    .filter(([name, chance]) => chance > 0 && setOfSymbol(name))
    .map(([name, chance]) => html`<span>${symbol(setOfSymbol(name), name)}<span class="hidden">${symbolWord(name)} </span>${whole(chance)}</span>`)}</p>`;
}

/** Whom it is at, with what of them counts. @param {PhoneSeen} seen @param {string | undefined} id */
function targetRow({ ui, game }, id) {
  const target = ui.people.find((one) => one.id === id);
  return target
    ? html`<div class="now-target">${face(target, { game })}<span class="two-lines"><b>${target.name}</b><small>${withstands(target, game)}</small></span></div>`
    : nothing;
}

/** @param {PhoneSeen} seen */
export function rolling(seen) {
  const { call } = seen.state;
  return html`${call ? poolRow(call.dice, call.missing) : nothing}<p><b>${call ? say("laidMissing", { what: listed(call.missing) }) : nothing}</b></p>
    <div class="now-tray">${liveOver()}</div>`;
}

/** @param {PhoneSeen} seen */
export function doubt(seen) {
  const { state, ui, act } = seen;
  const { roll } = state;
  const find = doubtOf(state, ui);
  if (!roll || !find) return nothing;
  return html`${/** @type {Partial<Told["RollDie"]>} */ (roll[find.list][find.index]).doubt === "colour" ? nothing : html`<div class="now-crop">${crop(roll, find)}</div>`}${question(roll, find, { settle: (of, told) => act.settle(roll, of, told), other: (of) => act.correctFind(roll, of) })}`;
}

/** @param {PhoneSeen} seen */
export function wrong(seen) {
  const { state, act } = seen;
  const roll = /** @type {AnyRoll} */ (rollOf(state));
  const { now } = state;
  const hands = { add_dice: () => act.enterRest(roll) };
  return html`${lyingRow(roll, missingOf(roll))}<div class="now-acts">${lit(seen)}${now.also.filter((one) => one.request || one.key in hands).map((one) => actButton(one, { words: actWords(state, one), hands }))}</div>`; // dice are taken out of a tray, not by a button
}

/** The lit act, which leads on. @param {PhoneSeen} seen @param {{ hands?: Hands, isMine?: boolean, more?: Drawing }} [how] */
function lit({ state }, { hands = {}, isMine = true, more = "" } = {}) {
  const { act } = state.now;
  return act ? actButton(act, { words: actWords(state, act, { isMine }), hands, isLit: true, more }) : nothing;
}

/** @param {PhoneSeen} seen */
export function more(seen) {
  const { state, act } = seen;
  const roll = /** @type {AnyRoll} */ (rollOf(state));
  const { now } = state;
  return html`${roll.awaits ? poolRow(roll.awaits.dice) : nothing}${net(seen, roll)}
    <div class="now-acts">${now.act ? ways(seen, now.act.key, () => act.enterThrow(roll), actWords(state, now.act)) : nothing}</div>`;
}

/** What a roll comes to: its symbols that are left large, or its dice where it has a total. A tap opens all of it. @param {PhoneSeen} seen @param {AnyRoll} roll */
export function net({ act }, roll) {
  const shown = isByFaces(roll)
    ? html`<span class="now-faces">${drawnDice(roll.dice)}</span>`
    : symbolsLeft(roll).map(([name, count]) => {
        const left = leftOf(roll, name);
        return html`<span class="now-symbol" data-symbol=${name}>${symbol(setOfSymbol(name), name)}<b>${left}</b><span class="hidden"> ${symbolWord(name, left)}</span>${left < count ? html`<small>${say("spend.leftOf", { what: count })}</small>` : nothing}</span>`;
      });
  return html`<button type="button" class="now-net" id="roll-more" title=${say("steps")} @click=${() => act.sheet("roll")}>${shown}<span class="hidden">${say("steps")}</span></button>`;
}

/** Whom it hurts, and how; `press` takes another one. @param {PhoneSeen} seen @param {AnyRoll} roll @param {(() => unknown) | null} [press] */
export function harm({ ui, game, state: { now } }, roll, press = null) {
  const effect = roll.effects?.[/** @type {number} */ (now.act?.request?.body.effect ?? 0)];
  const target = ui.people.find((one) => one.id === now.act?.values.to);
  if (!effect) return nothing;
  const change = press
    ? [said(effect.said, effect.words), target && withstands(target, game)].filter(Boolean).join(", ")
    : target
      ? changeShown(target, effect, game.trackers)
      : said(effect.said, effect.words);
  const words = html`${target ? face(target, { game }) : nothing}<span class="two-lines"><b>${target?.name ?? say("applyTo")}</b><small>${change}</small></span>`;
  return press
    ? html`<button type="button" class="now-target someone-else" @click=${press}>${words}${icon("chevron-down")}</button>`
    : html`<div class="now-target">${words}</div>`;
}

/** Where the table does not know whom it hurts, a person says it. @param {State} state @param {AnyRoll} roll @returns {Hands} */
export const applyHands = (state, roll) => ({ apply: () => applyNext({ ...state, roll }), choose_effect: () => applyNext({ ...state, roll }) });

/** @param {PhoneSeen} seen */
function apply(seen) {
  const { state } = seen;
  const roll = /** @type {AnyRoll} */ (rollOf(state));
  return html`${net(seen, roll)}${harm(seen, roll)}<div class="now-acts">${lit(seen, { hands: applyHands(state, roll) })}</div>${done(seen, roll)}${spends(seen, roll)}`;
}

/** What was applied and bought, a row each. @param {PhoneSeen} seen @param {AnyRoll} roll */
export function done({ ui }, roll) {
  const name = (/** @type {string} */ id) => ui.people.find((one) => one.id === id)?.name ?? "";
  return html`${(roll.applied ?? []).map((one) => html`<p class="now-done">${icon("check")}<span>${name(one.to)}: ${doneWords(one)}</span></p>`)}${(roll.bought ?? []).map((one) => html`<p class="now-done">${icon("check")}<span>${said(one.said, one.words)}${one.to ? `: ${name(one.to)}` : nothing}</span></p>`)}`;
}

/** The symbols of a roll that still buy something, each with how many are left. @param {PhoneSeen} seen @param {AnyRoll} roll @param {{ isMasters?: boolean }} [how] @returns {[string, number][]} */
function toSpend({ ui }, roll, { isMasters = false } = {}) {
  const offers = (ui.spends[keyOf(roll)] ?? []).filter((one) => one.affordable && (one.by === "gm") === isMasters);
  const pays = new Set(offers.flatMap((one) => one.prices.map((price) => price.of)));
  return symbolsLeft(roll).flatMap(([name]) => (pays.has(name) && leftOf(roll, name) > 0 ? [[name, leftOf(roll, name)]] : []));
}

/** What its symbols buy: three as cards, all behind one tap. @param {PhoneSeen} seen @param {AnyRoll} roll @param {{ isMasters?: boolean }} [how] */
export function spends(seen, roll, { isMasters = false } = {}) {
  const cards = spendRow(seen, roll, { isOpen: true, isMasters });
  if (cards === nothing) return nothing;
  const left = toSpend(seen, roll, { isMasters });
  return html`<div class="now-spends">${left.length > 0 ? html`<p><b>${left.map(([name, n]) => symbolWord(name, n, true)).join(", ")}</b> ${say("now.toSpend")}</p>` : nothing}${cards}</div>`;
}

/** The headline is about the further throw: below it, what the roll that calls for it came to. @param {PhoneSeen} seen @param {Mine} mine */
function step(seen, mine) {
  const roll = /** @type {AnyRoll} */ (rollOf(seen.state));
  const by = roll.who === mine?.id || !roll.by ? "" : `${roll.by}: `;
  return html`<p class="now-came" data-tone=${toneOf(roll)}>${by}<b>${cameTo(roll)}</b></p>${net(seen, roll)}<div class="now-acts">${lit(seen)}</div>`;
}

/** @param {PhoneSeen} seen @param {Mine} mine */
function result(seen, mine) {
  const { state } = seen;
  const roll = /** @type {AnyRoll} */ (rollOf(state));
  const isMyTurn = state.initiative.slots.some((one) => one.id === state.initiative.current && one.acts === mine?.id);
  return html`${net(seen, roll)}${rowOf(roll)}${done(seen, roll)}${spends(seen, roll)}
    ${state.now.act ? html`<div class="now-acts">${lit(seen, { isMine: isMyTurn, more: isMyTurn ? nextWords(state, state.now.act) : "" })}</div>` : loose(seen)}`;
}

/** Somebody else's result. */
function after(/** @type {PhoneSeen} */ seen) {
  const roll = /** @type {AnyRoll} */ (rollOf(seen.state));
  const { act, name } = seen.state.now;
  if (name === "step" && act) return html`<div class="now-small">${net(seen, roll)}</div><p>${say("initiative.then")}: <b>${actWords(seen.state, act)}</b></p>`;
  return html`<div class="now-small">${net(seen, roll)}</div>${rowOf(roll)}${seen.state.initiative.slots.length > 0 ? nothing : loose(seen)}`;
}

const chance = (/** @type {PhoneUi["turnOdds"]} */ odds, /** @type {State["now"]} */ { number }) =>
  odds?.number === number && odds.success !== undefined ? html`<b class="act-odds">${whole(odds.success)} %</b>` : nothing;

/** My turn: the weapon of before, another target, or pass. @param {PhoneSeen} seen @param {Mine} whose */
function turn(seen, whose) {
  const mine = /** @type {NonNullable<Mine>} */ (whose); // a turn is somebody's
  const { state, ui, act } = seen;
  const { now } = state;
  const { weapon: name, to } = now.act?.values ?? {};
  const weapon = mine.weapons?.find((one) => one.name === name);
  const target = ui.people.find((one) => one.id === to);
  const skill = weapon && mine.skills.find((one) => one.name === weapon.skill);
  return html`${now.act?.key === "next" ? lit(seen) : now.act?.request ? actButton(now.act, { words: html`<b>${name}</b>`, more: html`${target ? say("now.at", { who: target.name }) : nothing}`, isLit: true, right: html`${skill ? throwsOf(mine, skill) : nothing}${chance(ui.turnOdds, now)}` }) : nothing}
    <div class="also">${target ? html`<button type="button" class="act-quiet" id="turn-target" @click=${() => act.aimMine(mine, /** @type {Told["Weapon"]} */ (weapon))}>${face(target)}<b>${say("call.target")}</b></button>` : nothing}${now.also.map((one) => actButton(one, { words: actWords(state, one) }))}</div>`;
}

/** A turn that any player may take. @param {PhoneSeen} seen @param {Mine} mine */
function free({ state, act, mayChange }, mine) {
  const slot = state.initiative.slots.find((one) => one.id === state.initiative.current);
  if (!mayChange || !mine || !slot || slot.who || slot.side !== "player" || !mayTake(mine, state.initiative)) return nothing;
  const isLit = !whoseOf(state).id; // where somebody has it most likely, theirs is the act that leads on
  return html`<button type="button" class=${isLit ? "act-lit" : "act-quiet"} data-act=${isLit ? "claim" : nothing} data-also=${isLit ? nothing : "claim"} @click=${() => act.turn({ do: "claim", slot: slot.id, who: mine.name })}><span><b>${say("fight.take")}</b></span></button>`;
}

/** What of a now is to be seen and done where it is mine, and elsewhere. @type {Record<string, (seen: PhoneSeen, mine: Mine) => Drawing>} */
const OWN = {
  pool: throwing,
  throw: throwing,
  initiative: throwing,
  rolling,
  doubt,
  wrong,
  more,
  apply,
  step,
  spend: result,
  result,
  turn,
  idle: loose,
  setup: loose,
  fallen: (seen, mine) => html`<div class="chips">${careButtons(caresOf(/** @type {NonNullable<Mine>} */ (mine), seen), seen)}</div>`,
};
/** @param {PhoneSeen} seen @param {Mine} mine */
const over = (seen, mine) => html`${bestThrowLine(seen.state, (roll) => roll.who === mine?.id)}${loose(seen)}`;
/** @type {typeof OWN} */
const OTHERS = { idle: loose, setup: loose, over, turn: free, step: after, apply: after, result: after, spend: after };

const UNDONE_OTHERWISE = ["pool", "throw", "initiative", "rolling", "doubt", "wrong", "turn"]; // where they are mine: stopped, answered, thrown again

/** The quiet acts of some, and what of this now is taken back. @param {PhoneSeen} seen @param {boolean} isOwn */
function foot({ state, mayChange }, isOwn) {
  const { now, time } = state;
  const also = isOwn && LINKED.includes(now.name) ? now.also : [];
  const points = state.undo?.what === "destiny" && !now.roll ? state.undo : null; // they move no now, and a tap may slip
  const undo = (isOwn && UNDONE_OTHERWISE.includes(now.name) ? null : now.undo) ?? points;
  if (!mayChange || (also.length === 0 && !undo)) return nothing;
  return html`<p class="now-links">${also.map((one) => actButton(one, { words: actWords(state, one), kind: "link-button" }))}${undo ? html`<button type="button" class="link-button" id="undo" @click=${() => undoLast(undo, time, { isMine: true })}>${say("now.undo", { what: undoWhat(undo) })}</button>` : nothing}</p>`;
}

/** What of my last roll is not spent, as long as nothing new of mine came: one row, which opens all of it. @param {PhoneSeen} seen @param {NonNullable<Mine>} mine */
export function unspent(seen, mine) {
  const { state, act } = seen;
  const roll = state.history.find((one) => one.who === mine.id);
  if (!roll || roll.id === state.now.roll || state.session.ended) return nothing;
  const left = toSpend(seen, roll);
  return left.length > 0
    ? html`<button type="button" class="open-row" id="unspent" @click=${() => act.sheet("unspent")}><span class="tally">${left.map(([name, n]) => html`${symbol(setOfSymbol(name), name)}<b>${n}</b>`)}</span><span class="may-cut">${labelSaid(roll.label)}</span>${icon("chevron-right")}</button>`
    : nothing;
}
