// The game master's first tab: the card of the now with the acts that lead on, then what else may be called or begun.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { diamond, token } from "../draw/token.js";
import { pointsLeft } from "../part/call.js";
import { face, throwsOf } from "../part/card.js";
import { poolRow } from "../part/dice.js";
import { actButton, actWords, nextWords, rollOf } from "../part/now.js";
import { symbolsLeft } from "../part/net.js";
import { leftOf } from "../part/spends.js";
import { labelSaid } from "../said.js";
import { manyOf, say } from "../strings.js";
import { isOneMore } from "./calling.js";
import { fightTitle, fightView, givesTurn } from "./fight.js";
import { applyHands, done, doubt, harm, masterCard, more, net, rolling, spends, standing, wrong } from "./now-card.js";
import { rowOf } from "./result.js";
import { callBar, composer, mayAsk } from "./roll.js";

/** Draw the tab: the card of the now, then the order of a fight, or what else may be called or begun. @param {PhoneSeen} seen */
export function nowTab(seen) {
  const { state, ui, act } = seen;
  const { draft } = ui;
  const fight = fightView(seen);
  const view = VIEWS[state.now.name];
  const isBrief = ["result", "over"].includes(state.now.name) && !fight; // the next call is what matters
  const roll = isBrief ? rollOf(state) : undefined;
  const isComposing = draft.isOneMore || (fight ? Boolean(draft.who || draft.isAnyone || draft.table) : isBrief || !view || !draft.isEmpty);
  const pass = state.now.also.find((one) => one.key === "pass");
  const words = state.called.length > 0 ? say("now.called") : view && !isBrief ? "" : say("now.notCalled");
  const isReady = !fight && isComposing && mayAsk(seen);
  const more = isReady ? "now.more" : fight && !BUSY.includes(state.now.name) ? "fight.more" : "";
  return html`<div class="title-row" ?data-ready=${isReady}>${fightTitle(seen) ?? html`<h2>${say("tabNow")}</h2><span class="quiet turn-count">${words}</span>`}
    ${more ? html`<span class="title-acts"><button type="button" class="icon-button" id=${more.replace(".", "-")} aria-label=${`${fight ? say("fight.initiative") : say("tabNow")}: ${say("person.more")}`} @click=${() => act.sheet(more)}>${icon("ellipsis")}</button></span>` : nothing}</div>
    ${view ? masterCard(seen, html`${isBrief ? html`${roll ? outcome(seen, roll) : nothing}${lit(state, state.now.act)}${quietRow(state, state.now.also)}` : view(seen)}${later(seen)}`, roll ? html`<div class="now-small">${net(seen, roll)}</div>` : nothing) : standing(seen)}
    ${isComposing ? html`${isOneMore(seen) ? oneMore(seen) : nothing}${composer(seen)}` : nothing}
    ${fight ?? (isReady ? nothing : beginnings(seen, isComposing ? undefined : line("one-more", "dices", say("now.oneMore"), waitsWords(seen), act.callAnybody)))}
    ${pass ? html`<div class="foot-acts">${actButton(pass, { words: `${actWords(state, pass)}. ${nextWords(state, pass)}`, kind: "large" })}</div>` : nothing}
    ${isComposing ? callBar(seen) : nothing}`;
}

const BUSY = ["doubt", "wrong", "more", "rolling", "apply", "step", "fallen"]; // nobody moves the order before that is done

/** Above what comes after the open call. */
const oneMore = (/** @type {PhoneSeen} */ seen) => html`<h2 class="one-more">${say("now.oneMore")}<small>${waitsWords(seen)}</small></h2>`;

/** @param {PhoneSeen} seen */
function waitsWords({ state: { asked }, ui }) {
  const who = ui.people.find((one) => one.id === asked?.who);
  return asked ? say("now.waits", { who: asked.player || say("roll.anyone"), n: who ? manyOf(who) : 1 }) : "";
}

/** What may begin beside a call, or in its place. @param {PhoneSeen} seen @param {Drawing} [first] */
function beginnings({ state, act, game, ui }, first = anyone({ ui, act })) {
  const names = game.characters.initiative;
  const nobody = !ui.people.some((one) => one.game === game.name);
  return html`<div>${first}
    ${nobody && game.ready.heroes.length > 0 ? line("now-bring-all", "users-round", say("cast.bringAll"), game.ready.heroes.map((one) => one.name).join(", "), () => act.bringIn(...game.ready.heroes)) : nothing}
    ${line("fight-begins", "swords", say("fight.begins"), say(names.length > 0 ? "fight.everyone" : "fight.byHand"), () => act.sheet("fight.begin"))}
    ${game.pool_ask ? line("throw-pool", "coins", say("sessionPool", { pool: state.destiny_names.pool }), say("host.oneEach"), act.throwPool) : nothing}</div>`;
}

/** Dice that nobody of the scene is called for. @param {Pick<PhoneSeen, "ui" | "act">} seen */
const anyone = ({ ui: { draft, people }, act }) =>
  people.length > 0 && (draft.who || draft.isEmpty) ? line("who-anyone", "dices", say("roll.anyone"), say("roll.otherDice"), act.callAnyone) : nothing;

/** What lies behind the dots of a call. @type {Sheets} */
export const NOW_SHEETS = {
  "now.more": (seen) => ({ title: say("tabNow"), body: beginnings(seen) }),
};

/** @param {string} id @param {string} sign @param {Drawing} title @param {Drawing} more @param {() => unknown} press */
const line = (id, sign, title, more, press) =>
  html`<button type="button" class="open-row two" id=${id} @click=${press}>${icon(sign)}<span><b>${title}</b><small>${more}</small></span>${icon("chevron-right")}</button>`;

/** Acts that stand beside each other, each sent as it is. @param {State} state @param {NowAct[]} list @param {Hands} [hands] */
const quiet = (state, list, hands = {}) => list.map((one) => actButton(one, { words: actWords(state, one), hands }));

/** What leads on. @param {State} state @param {NowAct | null} one @param {{ hands?: Hands }} [options] */
const lit = (state, one, options = {}) => (one ? actButton(one, { words: actWords(state, one), isLit: true, ...options }) : nothing);

/** What is called: its dice, and the points that may join it. @param {PhoneSeen} seen */
function called(seen) {
  const { state, act } = seen;
  const { call, now } = state;
  const flips = /** @type {(Told["Flip"] & { side: Side })[]} */ (call?.flips ?? []).filter((one) => pointsLeft(state, one.side) > 0);
  return html`${call ? poolRow(call.dice, call.missing) : nothing}
    ${flips.length > 0 ? html`<div class="also call-flips">${flips.map((one) => html`<button type="button" class="flip" data-side=${one.side} aria-label=${say("spend", { name: state.destiny_names[one.side] })} @click=${() => act.flip(one.side)}><span class="flip-token">${state.points ? diamond(one.side) : token(one.side)}</span><b>${one.odds.success === undefined ? state.destiny_names[one.side] : `${whole(one.odds.success)} %`}</b></button>`)}</div>` : nothing}
    <div class="also">${now.name === "throw" ? html`<button type="button" class="act-quiet" id="call-change" @click=${act.changeCall}><b>${say("roll.change")}</b></button>` : nothing}<button type="button" class="act-quiet" id="dice-by-hand" @click=${act.byHand}><b>${say("byHand")}</b></button>${quiet(state, now.also)}</div>`;
}

/** Who throws later: the cross takes that call off, and of several a tap calls first. Who throws for the order is a row of it. @param {PhoneSeen} seen */
function later({ state, ui, game, act }) {
  const { asked, called, contest } = state;
  const list = called.filter((one) => one.id !== asked?.id && !(contest?.initiative && one.contest === contest.id));
  if (list.length === 0) return nothing;
  const who = (/** @type {Told["Called"]} */ one) => {
    const person = ui.people.find((other) => other.id === one.who) ?? { name: one.name, kind: "player" };
    return html`${face(person, { game, rim: "hurt" })}<span class="two-lines"><b class="may-cut">${one.name}</b><small class="may-cut">${labelSaid(one.label)}</small></span>`;
  };
  return html`<ul class="waiting">${repeat(
    list,
    (one) => one.id,
    (one) =>
      html`<li class="line-row" data-call=${one.id}>${one.contest ? html`<button type="button" class="waits" aria-label=${`${one.name}: ${say("fight.callFirst")}`} @click=${() => act.callFirst(one)}>${who(one)}</button>` : html`<span class="waits">${who(one)}</span>`}<button type="button" class="icon-button" aria-label=${say("fight.skip", { who: one.name })} @click=${() => act.takeOff(one.id)}>${icon("x")}</button></li>`,
  )}</ul>`;
}

/** What a roll came to, what the master may buy of it, and the way on. @param {PhoneSeen} seen */
function result(seen) {
  const { state } = seen;
  const roll = /** @type {AnyRoll} */ (rollOf(state));
  return html`${cameOf(seen, roll)}${lit(state, state.now.act)}${quietRow(state, state.now.also)}`;
}

/** @param {State} state @param {NowAct[]} list @param {Hands} [hands] */
const quietRow = (state, list, hands = {}) => (list.length > 0 ? html`<div class="also">${quiet(state, list, hands)}</div>` : nothing);

/** What a total means in a table, and what was done with it. @param {PhoneSeen} seen @param {AnyRoll} roll */
const outcome = (seen, roll) => html`${rowOf(roll)}${done(seen, roll)}`;

/** Its symbols or dice; who has a phone spends there what is theirs. @param {PhoneSeen} seen @param {AnyRoll} roll */
function cameOf(seen, roll) {
  const phone = seen.ui.people.find((one) => one.id === roll.who)?.phone;
  return html`<div class="now-came">${net(seen, roll)}${phone && symbolsLeft(roll).some(([name]) => leftOf(roll, name) > 0) ? html`<p class="quiet">${say("now.spendThere", { who: roll.by })}</p>` : nothing}</div>
    ${outcome(seen, roll)}${spends(seen, roll, { isMasters: phone })}`;
}

/** What it does, to whom, and the way on in one tap; another target by one more. @param {PhoneSeen} seen */
function apply(seen) {
  const { state, act } = seen;
  const { now } = state;
  const roll = /** @type {AnyRoll} */ (rollOf(state));
  const lead = /** @type {NowAct} */ (now.then ?? now.act);
  const hands = applyHands(state, roll);
  return html`${cameOf(seen, roll)}${harm(seen, roll, () => (lead.request ? act.applyTo(lead.request) : hands.apply()))}${lit(state, lead, { hands })}
    <div class="also">${now.then ? actButton(/** @type {NowAct} */ (now.act), { words: say("now.applyOnly"), hands }) : nothing}${quiet(state, now.also)}</div>`;
}

/** What has to be thrown now, or who has fallen: the act that leads on and the quiet ones. @param {PhoneSeen} seen */
const further = (seen) => {
  const { state } = seen;
  const roll = rollOf(state);
  return html`${roll ? html`<div class="now-small">${net(seen, roll)}</div>${done(seen, roll)}` : nothing}${lit(state, state.now.act)}${quietRow(state, state.now.also)}`;
};

/** Whose turn it is: the likeliest attack, lit; the skills, each called by a tap; another target, or something else. @param {PhoneSeen} seen */
function turn(seen) {
  const { state, ui, act } = seen;
  const { now } = state;
  const person = ui.people.find((one) => one.id === now.whose);
  if (!person) return givesTurn(seen);
  const { weapon: name, to } = now.act?.values ?? {};
  const weapon = now.act?.request && person.weapons.find((one) => one.name === name);
  const target = ui.people.find((one) => one.id === to);
  const skill = weapon && person.skills.find((one) => one.name === weapon.skill);
  const odds = ui.turnOdds?.number === now.number ? ui.turnOdds : null;
  const others = /** @type {(Told["Skill"] & { isSkill?: boolean })[]} */ ([
    ...person.weapons.filter((one) => one !== weapon),
    ...person.skills.map((one) => ({ ...one, isSkill: true })),
  ]);
  return html`${weapon ? html`<button type="button" class="act-lit" data-act=${now.act?.key} data-wide @click=${() => act.call(/** @type {NowAct & { request: Told["Request"] }} */ (now.act).request.body)}><span><b>${name}</b><small>${target ? say("now.at", { who: target.name }) : nothing}</small></span><span class="act-right">${skill ? throwsOf(person, skill) : nothing}${odds?.success === undefined ? nothing : html`<b class="act-odds">${whole(odds.success)} %</b>`}</span></button>` : now.act?.request ? lit(state, now.act) : nothing}
    <div class="chips-row">${others.map((one) => html`<button type="button" class="chip turn-skill" data-skill=${one.name} @click=${() => act.rollNow(person, one, Boolean(one.isSkill))}>${one.isSkill ? nothing : icon("crosshair")}<span>${one.name}</span></button>`)}</div>
    <div class="also">${weapon ? html`<button type="button" class="act-quiet" id="turn-target" @click=${() => act.aimAnew(person, weapon)}>${target ? face(target) : nothing}<b>${say("call.target")}</b></button>` : nothing}<button type="button" class="act-quiet" id="turn-other" @click=${() => act.chooseWho(person.id)}><b>${say("now.somethingElse")}</b></button></div>`;
}

/** What of each now the game master sees and does; of all others, the composer. @type {Record<string, ((seen: PhoneSeen) => Drawing) | undefined>} */
const VIEWS = {
  pool: (seen) => (seen.state.call ? called(seen) : further(seen)),
  throw: called,
  initiative: called,
  rolling: (seen) => html`${rolling(seen)}${quietRow(seen.state, seen.state.now.also)}`,
  doubt,
  wrong,
  more: (seen) => html`${more(seen)}${quietRow(seen.state, seen.state.now.also)}`,
  apply,
  step: further,
  spend: result,
  result,
  over: further,
  turn,
  turn_done: further,
  fallen: further,
  won: further,
};
