// The newest roll on a phone: a strip on top of every tab, with what may be done about it; a tap opens all of it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { symbol } from "../draw/symbol.js";
import { dieLabel, dieType, setOfSymbol } from "../dice.js";
import { isOpen, likeliest } from "../part/apply.js";
import { ruleWords } from "../part/dice.js";
import { answerCard, likeliest as likeliestFaces, whyAsked } from "../part/doubt.js";
import { listed } from "../part/call.js";
import { largest, toneOf, unsaidSymbols, wantedWords } from "../part/plate.js";
import { inOrder, priceShown } from "../part/spends.js";
import { said } from "../said.js";
import { say, sayOr, symbolWord } from "../strings.js";
import { nextThrows } from "../part/next.js";
import { doubtOf, isOfNow, isOtherPool } from "../table/kind.js";

const SWIPE_PX = 60;
const FIRST_SPENDS = 3;

/** Whether the newest roll stands on top: a player sees the own one on the own page, and any other while it is in doubt. */
export const hasStrip = ({ state, ui, isMaster, me }) => isMaster || !me() || (Boolean(state.roll) && doubtOf(state, ui) !== null);

/** Draw the strip. */
export function resultStrip(seen) {
  const { state, ui, act } = seen;
  const roll = state.roll && { ...state.roll, sure: doubtOf(state, ui) === null }; // a doubt whose every answer comes to the same asks nothing
  if (!roll) return state.hidden ? html`<p class="big quiet-big">${say("hiddenHeadline")}</p>` : nothing;
  if ((ui.dismissed === roll.id || !isOfNow(state, roll)) && roll.sure) return nothing;
  const { text, beside } = roll.sure ? largest(roll) : { text: say(doubtOf(state, ui).list === "dice" ? "whichFace" : "whatIsIt"), beside: "" };
  return html`<div class="strip" ?data-initiative=${state.contest?.initiative && roll.contest === state.contest.id} data-tone-of=${toneOf(roll)} @pointerdown=${(event) => swiped(event, () => act.dismiss(roll))}>
      <button type="button" class="strip-head" aria-expanded=${ui.isOpen ? "true" : "false"} aria-label=${`${say("tabNow")}: ${roll.sentence}`} @click=${act.open}>
        <span class="big" data-outcome=${toneOf(roll)} data-tone=${roll.sure ? nothing : "doubt"}>${text}${beside ? html`<span class="beside-total"> ${beside}</span>` : nothing}</span>
        <span class="strip-right">${roll.sure ? netRow(roll) : nothing}<span class="quiet may-cut">${[roll.by, roll.label, roll.hidden && say("hiddenMark")].filter(Boolean).join(", ")}</span></span></button>
      <button type="button" class="strip-close" aria-label=${say("close")} @click=${() => act.dismiss(roll)}>${icon("x")}</button></div>
    ${rowOf(roll)}
    ${doings(seen, roll)}
    ${ui.isOpen ? details(seen, roll) : roll.sure ? nothing : html`<div class="strip-more">${diceOf(seen, roll)}</div>`}`;
}

/** What the total means in the group's own table, where it was thrown for one. */
export const rowOf = (roll) =>
  roll.table && roll.net.total !== undefined ? html`<p class="row-words">${roll.row || say("tables.noRow", { name: roll.table })}</p>` : nothing;

/** A swipe to the side takes the strip away until the next result. */
function swiped(event, then) {
  const { clientX: from, pointerId } = event;
  const ends = new AbortController();
  const end = (last) => {
    if (last.pointerId !== pointerId) return;
    ends.abort();
    if (last.type === "pointerup" && Math.abs(last.clientX - from) > SWIPE_PX) {
      const noClick = (click) => click.stopImmediatePropagation();
      addEventListener("click", noClick, { capture: true, once: true });
      setTimeout(() => {
        removeEventListener("click", noClick, { capture: true });
        then();
      });
    }
  };
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: ends.signal });
}

function netRow(roll) {
  const left = unsaidSymbols(roll);
  return left.length === 0
    ? nothing
    : html`<span class="net-row">${left.map(([name, count]) => html`<span class="net-one" data-symbol=${name}>${symbol(setOfSymbol(name), name)}<b>${count}</b><span class="hidden">${symbolWord(name, count)}</span></span>`)}</span>`;
}

/** What a result does and calls for: apply it, throw for it, take it as it lies. */
export function doings(seen, roll) {
  if (!seen.mayChange) return nothing;
  if (roll.id === seen.state.roll?.id && doubtOf(seen.state, seen.ui)) return asked(seen, roll);
  return html`${awaited(seen, roll)}${applies(seen, roll)}${throwsNext(seen, roll)}${wrongPool(seen, roll)}`;
}

/** What is in doubt: why, and the faces that it may be, each with what it would come to; a tap settles it. */
function asked({ state, ui, act }, roll) {
  const find = doubtOf(state, ui);
  const one = roll[find.list][find.index];
  const isDie = find.list === "dice" && one.doubt !== "colour"; // which die differs by colour is a tap on the die
  return html`<div class="do-panel" data-tone-of="doubt"><p>${whyAsked(find, one)}</p>
    ${isDie ? html`<div class="answer-cards" id="doubt">${likeliestFaces(one, find.answers).map((answer) => answerCard(answer, { press: () => act.settle(roll, find, { type: answer.type, face: answer.face }) }))}</div>` : nothing}
    ${find.list === "dice" && one.doubt !== "faint" ? nothing : html`<button type="button" class="do" @click=${() => act.settle(roll, find, { nothing: true })}>${say("noDie")}</button>`}</div>`;
}

/** What is to be thrown yet, and the ways on without the tray. */
const awaited = ({ act }, roll) =>
  roll.awaits
    ? html`<div class="do-panel" data-tone-of="ask"><b data-tone="ask">${wantedWords(roll)}</b><div class="apply-row"><button type="button" class="do" id="enter-throw" @click=${() => act.enterThrow(roll)}>${say("enterThrow")}</button>${choices(roll, act, "do")}</div></div>`
    : nothing;

/** Answers to what the dice leave open. */
const choices = (roll, act, style) =>
  (roll.choices ?? []).map(
    (choice) => html`<button type="button" class=${style} @click=${() => act.adjust(roll, { ask: choice.ask })}>${choice.title}</button>`,
  );

const isWrong = (roll) => Object.values(roll.short ?? {}).some((count) => count !== 0);

function wrongPool({ act }, roll) {
  if (!isWrong(roll)) return nothing;
  const of = (sign) =>
    Object.fromEntries(
      Object.entries(roll.short)
        .filter(([, n]) => sign * n > 0)
        .map(([type, n]) => [type, Math.abs(n)]),
    );
  const [missing, extra] = [listed(of(1)), listed(of(-1))];
  const words = [missing && say("laidMissing", { what: missing }), extra && say("laidExtra", { what: extra })].filter(Boolean).join(". ");
  return html`<div class="do-panel" data-tone-of="doubt"><p>${words}</p><button type="button" class="do primary" @click=${() => act.take(roll)}>${say("result.take")}</button></div>`;
}

/** One panel for each effect that nobody has got yet: the likeliest one first, all others behind one tap. */
function applies(seen, roll) {
  const { ui, act, isMaster } = seen;
  if (!isMaster && seen.me() !== roll.by) return nothing;
  const done = roll.applied ?? [];
  const people = ui.people.filter((one) => one.game === roll.game);
  const open = (roll.effects ?? []).map((effect, index) => ({ effect, index })).filter(({ effect, index }) => isOpen(roll, effect, index));
  const name = (id) => ui.people.find((one) => one.id === id)?.name ?? "";
  return html`${done.map((one) => html`<p class="applied">${icon("check")}<span>${name(one.to)}: ${said(one.said, one.words)}${one.follows.map((follow) => html`<b data-tone="bad"> ${said(follow.said, follow.words)}</b>`)}</span></p>`)}
    ${
      people.length === 0
        ? nothing
        : open.map(({ effect, index }) => {
            const likeliest = targetOf(roll, effect, people, seen.state);
            const others = people.filter((one) => one.id !== likeliest?.id);
            const isAsked = ui.someoneElse === `${roll.id}:${index}` || !likeliest;
            return html`<div class="do-panel" data-tone-of="good"><div class="apply-row">
        ${likeliest ? html`<button type="button" class="do apply" data-to=${likeliest.name} @click=${() => act.apply(roll, index, likeliest.id)}><b>${say("result.apply", { who: likeliest.name, what: said(effect.said, effect.words) })}</b>${defenceLine(likeliest, seen)}</button>` : html`<b>${said(effect.said, effect.words)}</b>`}
        ${likeliest && others.length > 0 ? html`<button type="button" class="do someone-else" aria-expanded=${isAsked ? "true" : "false"} @click=${() => act.someoneElse(`${roll.id}:${index}`)}>${say("result.someoneElse")}</button>` : nothing}</div>
        ${isAsked ? html`<div class="others">${others.map((one) => html`<button type="button" class="chip" data-to=${one.name} @click=${() => act.apply(roll, index, one.id)}>${one.name}</button>`)}</div>` : nothing}</div>`;
          })
    }`;
}

/** What of the target counts: its soak, as the game calls it. */
function defenceLine(person, { game }) {
  const words = Object.entries(person.defences ?? {}).flatMap(([name, value]) => {
    const field = game.form.find((one) => one.name === name && one.kind === "number");
    return field ? [sayOr(`resists.${name}`, `${field.title} ${value}`, { n: value })] : [];
  });
  return words.length > 0 ? html`<span>${words.slice(0, 2).join(", ")}</span>` : nothing;
}

/** Whom an effect is for: the likeliest one, else the first of the other side. */
function targetOf(roll, effect, people, state) {
  const likely = likeliest({ ...state, roll }, effect);
  const by = people.find((one) => one.id === roll.who);
  if (likely || effect.on === "roller") return people.find((one) => one.id === likely?.id) ?? null;
  return people.find((one) => one.id !== by?.id && (one.kind === "player") !== (by?.kind === "player")) ?? null;
}

function throwsNext(seen, roll) {
  const list = nextThrows(seen, roll);
  return list.length === 0
    ? nothing
    : html`<div class="do-panel" data-tone-of="ask"><div class="apply-row">${list.map((one, n) => html`<button type="button" class="do ${n === list.length - 1 ? "primary" : ""}" data-next=${one.name} @click=${() => seen.act.call(one.body)}>${one.title}</button>`)}</div></div>`;
}

function details(seen, roll) {
  const { state, act, isMaster, mayChange, games } = seen;
  const game = games.find((one) => one.name === roll.game);
  return html`<div class="strip-more"><p>${roll.sentence}</p>
    ${diceOf(seen, roll)}
    ${mayChange && !roll.awaits ? choices(roll, act, "primary") : nothing}
    ${isOtherPool(roll, state) && roll.sure && mayChange && isMaster ? html`<button type="button" class="primary use-destiny" @click=${() => act.usePool(roll)}>${say("useAsDestiny", { pool: state.destiny_names.pool, light: roll.sets_pool.light, dark: roll.sets_pool.dark })}</button>` : nothing}
    ${spendRow(seen, roll)}
    ${mayChange ? bonusSymbols(seen, roll, game) : nothing}
    <div class="acts">${isMaster ? html`<button type="button" @click=${() => act.adjust(roll, { hidden: !roll.hidden })}>${roll.hidden ? say("showToAll") : say("hideIt")}</button>` : nothing}
      ${mayChange ? html`<button type="button" class="change-call" @click=${() => act.changeRoll(roll)}>${say("result.changeCall")}</button>` : nothing}
      <button type="button" @click=${() => act.workedOut(roll)}>${say("steps")}</button></div></div>`;
}

/** The dice, to correct; of a roll in doubt they stand there by themselves, with the one in question ringed. */
const diceOf = (seen, roll) => html`<ol class="dice-row" aria-label=${say("dice")}>${roll.dice.map((one, index) => rollDie(one, index, seen, roll))}</ol>`;

function rollDie(one, index, { state, mayChange, act }, roll) {
  const kind = dieType(one.type);
  const drawing = die(kind, one.face, { title: mayChange ? "" : dieLabel(one), body: kind.any_colour ? one.colour : "" });
  if (!mayChange) return html`<li class="die"><span class="die-box">${drawing}</span></li>`;
  return html`<li><button type="button" class="die" data-status=${one.status} data-rule=${one.rule || nothing} ?data-question=${index === state.question} title=${dieLabel(one)} aria-label=${`${index + 1}. ${dieLabel(one)}${one.status === "sure" ? "" : ` (${say(`status.${one.status}`)})`}${ruleWords(one)}`} @click=${() => act.correct(roll, index)}><span class="die-box">${drawing}</span></button></li>`;
}

/** Symbols that talents and gear add, one more and one less. */
function bonusSymbols({ act }, roll, game) {
  const fields = (game?.form ?? []).filter((field) => field.kind === "number" && sayOr(`symbol.${field.name}`, "", { n: 1 }));
  if (fields.length === 0) return nothing;
  return html`<details class="symbols"><summary>${say("addSymbols")}</summary><ul>${fields.map((field) => {
    const now = roll.ask[field.name] ?? 0;
    const what = say(`a.${field.name}`);
    const set = (count) => act.adjust(roll, { ask: { [field.name]: count } });
    return html`<li data-symbol=${field.name}><button type="button" class="step" aria-label=${say("removeSymbol", { what })} ?disabled=${now <= field.least} @click=${() => set(now - 1)}>−</button>
      ${symbol(setOfSymbol(field.name), field.name)}<span>${now} ${symbolWord(field.name, now)}</span>
      <button type="button" class="step" aria-label=${say("addSymbol", { what })} ?disabled=${now >= field.most} @click=${() => set(now + 1)}>+</button></li>`;
  })}</ul></details>`;
}

/** What a roll may buy, as buttons: what was bought and the best of the rest first; behind one tap all of them, with what each does. */
export function spendRow(seen, roll) {
  const { ui, act, isMaster, mayChange } = seen;
  const list = (ui.spends[`${roll.id}:${roll.version}`] ?? []).filter((one) => isMaster || one.by !== "gm");
  if (list.length === 0) return nothing;
  const may = mayChange && (isMaster || seen.me() === roll.by);
  const rank = (one) => (one.bought > 0 ? 0 : one.affordable ? 1 : 2);
  const sorted = inOrder(list, roll).sort((a, b) => rank(a) - rank(b));
  const first = Math.max(FIRST_SPENDS, sorted.filter((one) => one.bought > 0).length);
  const isAll = ui.allSpends === roll.id;
  const left = Math.max(0, sorted.length - first);
  const isShort = list.some((one) => one.title !== one.short);
  return html`<ul class="buy-row" ?data-told=${isAll && isShort} aria-label=${say("spends")}>${repeat(
    isAll ? sorted : sorted.slice(0, first),
    (one) => one.name,
    (
      one,
    ) => html`<li><button type="button" class="buy" data-spend=${one.name} ?data-bought=${one.bought > 0} ?disabled=${!may || !one.affordable} @click=${() => act.buy(roll, one)}>
    <span class="buy-price">${one.bought > 0 ? html`${icon("check")}<small>${say("result.bought", { n: one.bought })}</small>` : prices(one)}</span><span>${one.short}</span>${isAll && one.title !== one.short ? html`<small class="buy-told">${one.title}</small>` : nothing}</button></li>`,
  )}</ul>
    ${left > 0 || isShort ? html`<button type="button" class="more-spends" aria-expanded=${isAll ? "true" : "false"} @click=${() => act.allSpends(roll)}>${isAll ? say("result.lessSpends") : left > 0 ? say("result.moreSpends", { n: left }) : say("spend.what")}</button>` : nothing}`;
}

const prices = (one) => one.prices.map((price, n) => html`${n > 0 ? html`<small>${say("or")}</small>` : nothing}${priceShown(price, one.price)}`);
