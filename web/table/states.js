// The left side of the table screen, one function a state: who, headline, what is left, and what can be tapped next.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { demoRow } from "../demo.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { token } from "../draw/token.js";
import { symbol } from "../draw/symbol.js";
import { dieLabel, dieType, setOfSymbol, typeTitle } from "../dice.js";
import { ageWords, faceWords, headlineWords, outcomeWord, say, sayOr, symbolWord } from "../strings.js";
import { plainSaid } from "../said.js";
import { avatar, OLD_S, rollLine, whoLine } from "../part/who.js";
import { headline } from "../part/headline.js";
import { facesRow, netRow, symbolsLeft } from "../part/net.js";
import { symbolsOf } from "../part/feed.js";
import { poolRow } from "../part/dice.js";
import { crop } from "../part/tray.js";
import { acting, doubtCount, isOpen, keyOf, kindAtRest } from "./kind.js";

const MOST_ANSWERS = 3;

/** Each takes what `view` of page.js gathered: `{ state, ui, now, act, find, kind }`. */
export const STATES = { connecting, waiting, rolling, hidden, result, past, doubt, awaits, wrong, asked, turn };

/** What each state says largest. */
const HEADLINES = {
  connecting: () => headline(say("connecting")),
  waiting: () => headline(say("idleHeadline")),
  rolling: (seen) => html`<div class="dim">${seen.ui.isLongRoll ? headline(say("rolling")) : headlineOf({ ...seen, kind: kindAtRest(seen.state, seen.ui, seen.now) })}</div>`,
  hidden: () => headline(say("hiddenHeadline")),
  result: ({ state }) => resultWords(state.roll),
  past: ({ state }) => (isOpen(state.roll) ? headline(say("whichFace")) : resultWords(state.roll)),
  doubt: ({ find }) => headline(find.list === "dice" ? say("whichFace") : say("whatIsIt")),
  awaits: ({ state }) => soFar(state.roll),
  wrong: ({ state }) => headline(wrongWords(Object.entries(state.roll.short))),
  asked: ({ state }) => headline(state.asked.player ? say("rolls", { who: state.asked.player.split(" ")[0] }) : say("idleHeadline")),
  turn: ({ state }) => headline(turnWords(acting(state))),
};

const headlineOf = (seen) => HEADLINES[seen.kind](seen);

/** The who line with the headline below it. */
const head = (seen, line) => html`<div class="head">${whoLine({ ...line, trouble: seen.state?.trouble ?? [], lost: seen.ui.lostAt, isDemo: seen.ui.isDemo, act: seen.act })}${headlineOf(seen)}</div>`;

function connecting(seen) {
  return html`${head(seen, { who: "", what: "" })}`;
}

function waiting(seen) {
  const { state, act } = seen;
  return html`${head(seen, { who: "", what: state.game_title, right: orderLine(state) })}
    <p class="say">${state.phase === "by_hand" ? say("idleByHand") : state.phase === "no_camera" ? say("idleNoCamera") : say("idleSentence")}</p>
    <div class="room"></div>
    ${seen.ui.mayChange ? (seen.ui.isDemo ? demoRow(act) : html`<div class="surfaces">${surface(say("byHand"), say("byHandMore"), act.byHand)}</div>`) : nothing}`;
}

function rolling(seen) {
  const { state } = seen;
  const line = state.asked ? askLine(state.asked) : { who: "", what: state.game_title, right: orderLine(state) };
  return html`${head(seen, line)}<div class="room"></div>`;
}

function hidden(seen) {
  return html`${head(seen, { who: "", what: say("hiddenSentence") })}<div class="room"></div>`;
}

function result(seen) {
  const { state, now, act, ui } = seen;
  const roll = state.roll;
  const line = rollLine(roll, now);
  return html`${head(seen, { ...line, right: (now - roll.at < OLD_S && chanceHad(roll, ui)) || line.right || orderLine(state) })}
    ${netRow(roll, ui)}
    ${roll.choices.length > 0 && ui.mayChange ? choices(roll, act) : roll.sure && roll.sets_pool && ui.mayChange && state.destiny_flips ? useDestiny(state, act) : bought(seen)}
    ${ui.isDemo && ui.mayChange && roll.choices.length === 0 ? demoRow(act) : nothing}
    ${spoken(roll)}`;
}

/** A roll of before, with the way back and on through the others. */
function past(seen) {
  const { state, now, act, ui } = seen;
  const { roll, history } = state;
  const at = history.findIndex((one) => one.id === roll.id);
  const line = rollLine(roll, now);
  const step = (to, title, isNext) => html`<button type="button" class="surface step" ?disabled=${!history[to]} @click=${() => act.past(history[to].id)}>${isNext ? nothing : icon("back")}<b>${title}</b>${isNext ? icon("more") : nothing}</button>`;
  return html`${head(seen, { ...line, what: roll.label || (roll.by ? "" : say("pastRoll")), right: [isOpen(roll) ? say("status.unsure") : "", line.right || ageWords(now - roll.at)].filter(Boolean).join(" · ") })}
    ${netRow(roll)}
    <div class="room"></div>
    <button type="button" class="spends" id="worked-out" @click=${() => act.workedOut(roll, chanceHad(roll, ui))}><span class="label">${say("steps")}</span><span class="first may-cut">${roll.sentence}</span><span class="more">${icon("more")}</span></button>
    <div class="surfaces steps-row">${step(at + 1, say("earlierRoll"), false)}${step(at - 1, say("laterRoll"), true)}<button type="button" class="surface primary" id="back-to-now" @click=${act.toNow}><b>${say("toNow")}</b></button></div>
    ${spoken(roll)}`;
}

/** How likely success was, where the call of this roll showed it. */
const chanceHad = (roll, ui) => (ui.had?.key === keyOf(roll) && ui.had.chance !== null ? say("oddsWere", { percent: whole(ui.had.chance) }) : "");

const chanceLeft = (roll, ui) => (ui.had?.key === keyOf(roll) && ui.had.fromHere !== null ? html` <b>${whole(ui.had.fromHere)} %</b> ${say("toSucceed")}.` : nothing);

/** The words of a result: one, or a total with its word beside it. */
function resultWords(roll) {
  if (roll.dice.length === 0) return headline(say("emptyTray"));
  const total = roll.net.total;
  if (total === undefined) return headline(headlineWords(roll));
  const word = outcomeWord(roll);
  const [tone, of] = Object.entries(roll.moods).at(-1) ?? [];
  return headline(String(total), { beside: word, second: of ? capital(plainSaid(of.replaceAll("_", " "))) : "", tone, below: marginOf(roll) });
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

function marginOf(roll) {
  const wanted = roll.difficulty;
  if (wanted === null || roll.succeeded === null) return "";
  const margin = roll.net.total - wanted;
  if (margin === 0) return roll.succeeded ? say("meets", { wanted }) : say("moreThan", { wanted });
  return margin > 0 ? say("over", { n: margin, wanted }) : say("under", { n: -margin, wanted });
}

/** What the symbols may buy: a list behind one button until it can be recorded. */
function bought(seen) {
  const { state, ui, act } = seen;
  const found = ui.spends?.key === keyOf(state.roll) ? ui.spends.list : [];
  const points = symbolsLeft(state.roll).filter(([name]) => name !== "success" && name !== "failure");
  if (found.length === 0 || points.length === 0) return html`<div class="room"></div>`;
  const what = points.length > 2 ? say("symbolsLeft") : points.map(([name, count]) => symbolWord(name, count, true)).join(", ");
  return html`<div class="room"></div><button type="button" class="spends" id="spends" @click=${act.spends}>
    <span class="label">${say("spendThem", { what })}</span><span class="first may-cut">${found[0].title}</span><span class="more">${found.length > 1 ? say("moreOf", { n: found.length - 1 }) : nothing}${icon("more")}</span>
  </button>`;
}

/** Answers to what the dice leave open, such as which of two is the tens. */
function choices(roll, act) {
  return html`<div class="surfaces choices">${roll.choices.map((one) => html`<button type="button" class="surface primary choice" @click=${() => act.choose(roll, one.ask)}><b>${one.title}</b></button>`)}</div>`;
}

function useDestiny(state, act) {
  const { light, dark } = state.roll.sets_pool;
  return html`<div class="room"></div><div class="surfaces"><button type="button" class="surface primary use-destiny" @click=${act.useDestiny}>
    <span class="token-pair">${token("light")}<b>${light}</b>${token("dark")}<b>${dark}</b></span><span>${say("useAsPool", { pool: state.destiny_names.pool })}</span></button></div>`;
}

function doubt(seen) {
  const { state, find, act, ui } = seen;
  const roll = state.roll;
  const one = roll[find.list][find.index];
  const isDie = find.list === "dice";
  const count = doubtCount(roll);
  const line = rollLine(roll, seen.now);
  const why = say(`doubtWhy.${!isDie ? "suspect" : one.status === "cocked" ? "cocked" : (one.doubt ?? "face")}`, { title: isDie ? typeTitle(one.type) : "" });
  const answers = isDie ? likeliest(one, find.answers) : [];
  return html`${head(seen, { ...line, right: count > 1 ? say("doubtsLeft", { n: count }) : line.right })}
    <div class="ask-line"><p class="say">${why}</p>
      ${isDie && ui.mayChange ? html`<button type="button" class="link other" @click=${() => act.find(find)}>${say("otherFace")}${icon("more")}</button>` : nothing}</div>
    <div class="question" id="doubt">
      ${crop(roll, find)}
      <div class="answers">
        ${answers.map((answer) => answerButton(roll, find, answer, one, seen))}
        ${isDie ? nothing : html`<button type="button" class="answer" ?disabled=${!ui.mayChange} @click=${() => act.find(find)}><span class="answer-word">${say("chooseDie")}</span></button>`}
        ${!isDie || one.doubt === "faint" ? html`<button type="button" class="answer plain" ?disabled=${!ui.mayChange} @click=${() => act.settle(roll, find, { nothing: true })}><span class="answer-word">${say("noDie")}</span></button>` : nothing}
      </div>
    </div>
    ${spoken(roll)}`;
}

/** The reading itself and its alternatives, likeliest first, each face once, with what each would come to where that is known. */
function likeliest(one, told) {
  const all = [one, ...one.alternatives].sort((a, b) => b.confidence - a.confidence);
  const once = new Map();
  for (const each of all) {
    const key = `${each.type}:${[...each.face].sort().join("+")}`;
    if (!once.has(key)) once.set(key, { type: each.type, face: each.face, outcome: told?.find((found) => found.type === each.type && [...found.face].sort().join("+") === [...each.face].sort().join("+"))?.outcome });
  }
  return [...once.values()].slice(0, MOST_ANSWERS);
}

function answerButton(roll, find, answer, one, { ui, act }) {
  const type = dieType(answer.type);
  const word = answer.type === one.type ? faceWords(answer.face) : dieLabel(answer);
  return html`<button type="button" class="answer choice" ?disabled=${!ui.mayChange} aria-label=${word} @click=${() => act.settle(roll, find, { type: answer.type, face: answer.face })}>
    <span class="answer-die">${die(type, answer.face)}</span>
    ${answer.outcome ? html`<span class="answer-word">${outcomeWord(answer.outcome) || answer.outcome.headline}</span><span class="came">${symbolsOf(answer.outcome)}</span>` : html`<span class="answer-word">${word}</span>`}
  </button>`;
}

function awaits(seen) {
  const roll = seen.state.roll;
  const line = rollLine(roll, seen.now);
  const wanted = roll.difficulty;
  const [type, count] = Object.entries(roll.awaits.dice)[0];
  return html`${head(seen, { ...line, right: line.right || (wanted === null ? "" : say("difficultyIs", { n: wanted })) })}
    ${roll.net.total === undefined ? netRow(roll) : facesRow(roll, seen.ui)}
    <div class="prompt" id="next">
      <span class="prompt-die">${die(dieType(type), null)}</span>
      <div><p class="second" data-tone="ask">${say(roll.awaits.name.endsWith("again") ? "throwAgainOf" : "throwMore", { n: count, title: typeTitle(type) })}</p><p>${sayOr(`awaitWhy.${roll.awaits.name}`, roll.awaits.sentence)}${chanceLeft(roll, seen.ui)}</p></div>
    </div>
    ${spoken(roll)}`;
}

function soFar(roll) {
  const wanted = roll.difficulty;
  const total = roll.net.total;
  if (total === undefined) return headline(headlineWords(roll));
  return headline(String(total), { beside: say("soFar"), below: wanted !== null && total < wanted ? say("moreAreEnough", { n: wanted - total }) : "" });
}

function wrong(seen) {
  const { state, act, ui } = seen;
  const roll = state.roll;
  const entries = Object.entries(roll.short);
  const missing = entries.filter(([, count]) => count > 0);
  const wanted = { ...countTypes(roll.dice) };
  for (const [type, count] of missing) wanted[type] = (wanted[type] ?? 0) + count;
  return html`${head(seen, rollLine(roll, seen.now))}
    ${poolRow(wanted, Object.fromEntries(missing))}
    <p class="say">${entries.map(([type, count]) => say(count > 0 ? "missing" : "extra", { n: Math.abs(count), title: typeTitle(type) })).join(" ")}</p>
    ${ui.mayChange ? html`<div class="surfaces">${surface(say("byHand"), say("wrongByHand"), act.byHand)}${surface(say("throwAgain"), say("wrongAgain"), act.undo)}</div>` : nothing}
    ${spoken(roll)}`;
}

function wrongWords(entries) {
  const sum = entries.reduce((total, [, count]) => total + count, 0);
  return sum > 0 ? say("tooFew", { n: sum }) : sum < 0 ? say("tooMany", { n: -sum }) : say("wrongDice");
}

function countTypes(dice) {
  const found = {};
  for (const one of dice) found[one.type] = (found[one.type] ?? 0) + 1;
  return found;
}

function askLine(asked) {
  return { who: asked.player, what: asked.label, right: "" };
}

function asked(seen) {
  const { state, ui } = seen;
  const ask = state.asked;
  const odds = ui.odds?.id === ask.id ? ui.odds.found : null;
  const chance = (name) => odds?.chances.find((one) => one.name === name)?.chance;
  return html`<div class="asked-state" id="asked">${head(seen, { ...askLine(ask), right: orderLine(state) })}
    ${ask.tray ? poolRow(ask.tray.dice) : nothing}
    <p class="say">${ask.tray ? say("throwDice", { n: ask.tray.count }) : say("idleSentence")}</p>
    <div class="room"></div>
    ${chance("success") === undefined ? nothing : html`<div class="odds chance">
      <b class="large">${whole(chance("success"))}<small>%</small></b><span class="to">${say("toSucceed")}</span>
      ${odds.chances.filter((one) => one.name !== "success" && one.chance > 0 && setOfSymbol(one.name)).map(({ name }) => html`<span class="odd">${symbol(setOfSymbol(name), name)}<span><b>${whole(chance(name))} %</b><small>${symbolWord(name)}</small></span></span>`)}
    </div>`}
    <p id="sentence" class="hidden" aria-live="polite">${ask.tray?.sentence ?? ""}</p></div>`;
}

function turn(seen) {
  const { state, act, ui } = seen;
  const slot = acting(state);
  const players = state.players.filter((one) => !state.initiative.slots.some((other) => other.who === one.name && other.done));
  const open = !slot.who;
  return html`${head(seen, { who: "", what: html`<b>${say("orderRound", { n: state.initiative.round })}</b>`, right: orderPlace(state) })}
    <p class="say">${open ? say(`slotOpen.${slot.side}`) : say("actsNow")}</p>
    ${ui.mayChange ? html`<div class="turns">${open && slot.side === "player"
      ? players.slice(0, 6).map((one) => html`<button type="button" class="surface turn-taker" @click=${() => act.takeTurn(slot, one.name)}>${avatar(one.name)}<b>${one.name}</b></button>`)
      : html`<button type="button" class="surface primary" @click=${act.nextTurn}>${say("orderNext")}</button>`}</div>` : nothing}
    <div class="room"></div>`;
}

const turnWords = (slot) => slot.who.split(" ")[0] || (slot.side === "player" ? say("whoActs") : say(`slotOf.${slot.side}`));

/** Whose turn it is, in one line. */
function orderLine(state) {
  const slot = acting(state);
  return slot ? say("turnNow", { round: state.initiative.round, who: slot.who || say(`slotOf.${slot.side}`) }) : "";
}

function orderPlace(state) {
  const at = state.initiative.slots.findIndex((slot) => slot.id === state.initiative.current);
  return say("turnOf", { n: at + 1, of: state.initiative.slots.length });
}

/** The order of turns, in place of the tray. */
export function orderList(state) {
  return html`<ol class="order">${state.initiative.slots.map((slot, n) => html`<li ?data-current=${slot.id === state.initiative.current} ?data-done=${slot.done}>
    <span class="place">${slot.id === state.initiative.current ? icon("more") : slot.done ? icon("done") : n + 1}</span>
    <b class="may-cut">${slot.who || say(`slotOf.${slot.side}`)}</b><span class="came">${(slot.rank ?? []).join(" · ")}</span></li>`)}</ol>`;
}

const spoken = (roll) => html`<p id="sentence" class="hidden" aria-live="polite">${roll.sentence}</p>`;

function surface(title, more, act) {
  return html`<button type="button" class="surface" @click=${act}><b>${title}</b>${more ? html`<span>${more}</span>` : nothing}</button>`;
}
