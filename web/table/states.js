// The left side of the table screen, one function a state: who, headline, what is left, and what can be tapped next.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { demoRow, isDemoStart, nextRollButton } from "../demo.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { token } from "../draw/token.js";
import { dieLabel, dieType, typeTitle } from "../dice.js";
import { ageWords, faceWords, headlineWords, manyOf, outcomeWord, say, sayOr, symbolWord } from "../strings.js";
import { face, gauges, gaugesOf, reacting, roundMarks, statesOf, throwsOf } from "../part/card.js";
import { consequence, hasConsequence } from "../part/apply.js";
import { isLaid, laidLine, listed, oddsRow } from "../part/call.js";
import { attacksAgain, damageThrows } from "../part/next.js";
import { inOrder, leftOf, spendButtons } from "../part/spends.js";
import { nextSlot, personOf, partWords, placeWords, rankShown, roundWords, seat, slotName } from "../part/turns.js";
import { plainSaid, said } from "../said.js";
import { avatar, OLD_S, rollLine, whoLine } from "../part/who.js";
import { likeliest, whyAsked } from "../part/doubt.js";
import { headline } from "../part/headline.js";
import { host } from "./host.js";
import { netRow, symbolsLeft } from "../part/net.js";
import { symbolsOf } from "../part/feed.js";
import { wantedWords, wrongWords } from "../part/plate.js";
import { poolRow, sidesOf } from "../part/dice.js";
import { crop } from "../part/tray.js";
import { acting, doubtCount, doubtOf, isOpen, isOtherPool, keyOf, kindAtRest } from "./kind.js";

const isLarge = matchMedia("(min-width: 1280px) and (min-height: 760px)"); // there is room for a second row of spends
const MOST_TAKERS = 6;

/** Each takes what `view` of page.js gathered: `{ state, ui, now, act, find, question, kind }`. */
export const STATES = { connecting, host, waiting, rolling, hidden, result, past, doubt, awaits, wrong, asked, turn };

/** What each state says largest. */
const HEADLINES = {
  connecting: () => headline(say("connecting")),
  waiting: () => headline(say("idleHeadline")),
  host: () => headline(say("host.welcome")),
  rolling: (seen) =>
    html`<div class="dim">${seen.ui.isLongRoll ? headline(say("rolling")) : headlineOf({ ...seen, kind: kindAtRest(seen.state, seen.ui, seen.now) })}</div>`,
  hidden: () => headline(say("hiddenHeadline")),
  result: ({ state }) => resultWords(state.roll),
  past: ({ state }) => (isOpen(state.roll) ? headline(say("whichFace")) : resultWords(state.roll)),
  doubt: ({ state, ui }) => headline(doubtWords(state.roll, doubtOf(state, ui))),
  awaits: ({ state }) => soFar(state.roll),
  wrong: ({ state }) => headline(wrongWords(state.roll.short)),
  asked: ({ state }) => headline(state.asked.player ? say("rolls", { who: calledName(state), n: manyOf(called(state)) }) : say("idleHeadline")),
  turn: ({ state }) => headline(turnWords(acting(state), state)),
};

const headlineOf = (seen) => HEADLINES[seen.kind](seen);

/** The who line with the headline below it. */
const head = (seen, line) =>
  html`<div class="head">${whoLine({ face: faceOfName(line.who, seen), order: seen.state ? orderLine(seen.state) : "", ...line, trouble: seen.state?.trouble ?? [], lost: seen.ui.lostAt, isDemo: seen.ui.isDemo, playsItself: seen.ui.playsItself, act: seen.act })}${headlineOf(seen)}</div>`;

function connecting(seen) {
  return html`${head(seen, { who: "", what: "" })}`;
}

function waiting(seen) {
  const { state, act } = seen;
  return html`${head(seen, { who: "", what: state.game_title })}
    <p class="say">${state.phase === "by_hand" ? say("idleByHand") : state.phase === "no_camera" ? say("idleNoCamera") : say("idleSentence")}</p>
    <div class="room"></div>
    ${seen.ui.mayChange ? (seen.ui.isDemo ? demoRow(act) : html`<div class="surfaces">${surface(say("byHand"), say("byHandMore"), act.byHand)}</div>`) : nothing}`;
}

function rolling(seen) {
  const { state } = seen;
  const line = state.asked ? askLine(state.asked) : { who: "", what: state.game_title };
  return html`${head(seen, line)}<div class="room"></div>`;
}

function hidden(seen) {
  return html`${head(seen, { who: "", what: say("hiddenSentence") })}<div class="room"></div>`;
}

function result(seen) {
  const { state, now, act, ui } = seen;
  const roll = state.roll;
  const line = rollLine(roll, now);
  const below =
    roll.choices.length > 0 && ui.mayChange
      ? choices(roll, act)
      : roll.sure && ui.mayChange && isOtherPool(roll, state)
        ? useDestiny(state, act)
        : bought(seen);
  return html`${head(seen, { ...line, right: (now - roll.at < OLD_S && chanceHad(roll, ui)) || line.right })}
    ${netRow(roll, { ...ui, question: seen.question, act, isRoomy: below === null && !(ui.isDemo && ui.mayChange && isLarge.matches) })}
    ${below ?? html`<div class="room"></div>`}
    ${ui.isDemo && ui.mayChange && roll.choices.length === 0 && isLarge.matches ? demoRow(act) : nothing}
    ${spoken(roll)}`;
}

/** A roll of before, with the way back and on through the others. */
function past(seen) {
  const { state, now, act } = seen;
  const { roll, history } = state;
  const at = history.findIndex((one) => one.id === roll.id);
  const line = rollLine(roll, now);
  const step = (to, title, isNext) =>
    html`<button type="button" class="surface past-step" ?disabled=${!history[to]} @click=${() => act.past(history[to].id)}>${isNext ? nothing : icon("chevron-left")}<b>${title}</b>${isNext ? icon("chevron-right") : nothing}</button>`;
  return html`${head(seen, { ...line, order: "", what: roll.label || (roll.by ? "" : say("pastRoll")), right: [isOpen(roll) ? say("status.unsure") : "", line.right || ageWords(now - roll.at)].filter(Boolean).join(" · ") })}
    ${netRow(roll, { question: seen.question, act })}
    <div class="room"></div>
    <button type="button" class="spends" id="worked-out" @click=${() => act.workedOut(roll)}><span class="label">${say("steps")}</span><span class="first may-cut">${roll.sentence}</span><span class="more">${icon("chevron-right")}</span></button>
    <div class="surfaces steps-row">${step(at + 1, say("earlierRoll"), false)}${step(at - 1, say("laterRoll"), true)}<button type="button" class="surface primary" id="back-to-now" @click=${act.toNow}><b>${say("toNow")}</b></button></div>
    ${spoken(roll)}`;
}

/** How likely success was, where the call of a roll showed it. */
export const oddsWere = (chance) => ((chance ?? null) === null ? "" : say("oddsWere", { percent: whole(chance) }));

const chanceHad = (roll, ui) => (ui.had?.key === keyOf(roll) ? oddsWere(ui.had.chance) : "");

const chanceLeft = (roll, ui) =>
  ui.had?.key === keyOf(roll) && ui.had.fromHere !== null ? html` <b>${whole(ui.had.fromHere)} %</b> ${say("toSucceed")}.` : nothing;

/** The words of a result: one, or a total with its word beside it. */
function resultWords(roll) {
  if (roll.dice.length === 0) return headline(say("emptyTray"));
  const total = roll.net.total;
  if (total === undefined) return headline(headlineWords(roll));
  const word = outcomeWord(roll);
  const [tone, of] = Object.entries(roll.moods).at(-1) ?? [];
  if (roll.table) return headline(String(total), { beside: "", below: roll.row || say("tables.noRow", { name: roll.table }) });
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

/** What the roll does to somebody, and what can be tapped next: throws, spends, the end of the turn. What finds no room is behind "more". */
function bought(seen) {
  const { state, ui, act } = seen;
  const { roll } = state;
  const spends = ui.spends?.id === roll.id ? inOrder(ui.spends.list, roll) : [];
  const hurts = hasConsequence(state);
  const line = hurts ? consequence(state, { mayChange: ui.mayChange, trackers: trackersOf(ui, roll.game), call: act.call }) : nothing;
  const most = isLarge.matches && !ui.isDemo ? 6 : 3;
  const isShort = ui.isDemo && !isLarge.matches; // a demo's own buttons have a row below where there is room
  const end = !ui.mayChange || ui.isPlayer ? nothing : isShort ? nextRollButton(act) : endOfTurn(seen);
  const free = most - (end === nothing ? 0 : 1);
  const throws = ui.isMaster ? nextTiles(seen, roll, hurts).slice(0, Math.max(0, free)) : [];
  const room = free - throws.length;
  const hasMore = spends.length > Math.max(0, room);
  const shown = spends.slice(0, Math.max(0, hurts && hasMore ? room - 1 : room));
  const more = say("moreOf", { n: spends.length - shown.length });
  const isMoreTile = hurts && hasMore && room > 0;
  if (spends.length === 0 && throws.length === 0 && end === nothing) return line === nothing ? null : html`<div class="room"></div>${line}`;
  const points = throws.length > 0 ? [] : symbolsLeft(roll).filter(([name]) => name !== "success" && name !== "failure" && leftOf(roll, name) > 0);
  const what = points.length > 2 ? say("symbolsLeft") : points.map(([name]) => symbolWord(name, leftOf(roll, name), true)).join(", ");
  return html`<div class="room"></div>${line}
    ${hurts ? nothing : html`<div class="spends-label"><span>${points.length > 0 && spends.length > 0 ? say("spendThem", { what }) : say("nextStep")}</span>${spends.length > 0 ? html`<button type="button" class="link" id="spends" @click=${() => act.spends(!hasMore)}>${hasMore ? more : say("spend.what")}${icon("chevron-right")}</button>` : nothing}</div>`}
    <div class="surfaces spend-row">${throws}${spendButtons(roll, shown, act)}${isMoreTile ? html`<button type="button" class="surface" id="spends" @click=${() => act.spends(false)}><b>${more}</b></button>` : nothing}${end}</div>`;
}

/** The throws that come next, the likeliest first: damage, what the target resists with, the same attack once more. */
function nextTiles({ state, ui, act }, roll, hurts) {
  const seen = { state, ui, games: ui.games };
  const call = ui.had?.key === keyOf(roll) ? ui.had.call : null;
  const found = [...damageThrows(seen, roll).reverse(), ...attacksAgain(seen, roll, call)];
  return found.map(
    (
      one,
      n,
    ) => html`<button type="button" class="surface next-throw ${n === 0 && one.name === "damage" && !hurts ? "primary" : ""}" data-next=${one.name} @click=${() => act.call(one.body)}>
    <b>${one.name === "damage" ? say("next.roll") : one.title}</b>${one.more ? html`<span>${one.more}</span>` : nothing}</button>`,
  );
}

/** In a fight: the button that ends the turn, and who is next. */
function endOfTurn({ state, act }) {
  if (!acting(state) || throwsNow(state)) return nothing;
  const { round } = state.initiative;
  const next = nextSlot(state.initiative, state.people);
  return html`<button type="button" class="surface" id="end-turn" @click=${act.nextTurn}><b>${say("endTurn")}</b><span>${next ? say("isNext", { who: nameOf(next) }) : say("orderRound", { n: round + 1 })}</span></button>`;
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

const oddType = (one) => one.alternatives.find((other) => dieType(other.type).variant_of === one.type)?.type;

function doubtWords(roll, find) {
  if (find.list !== "dice") return say("whatIsIt");
  const one = roll.dice[find.index];
  return one.doubt === "colour" ? say("whichDie", { title: typeTitle(oddType(one)) }) : say("whichFace");
}

/** Which die differs by colour: all that it may be, to tap. */
function whichDie(seen) {
  const { state, find, act, ui } = seen;
  const roll = state.roll;
  const asked = roll.dice[find.index];
  const type = oddType(asked);
  const line = rollLine(roll, seen.now);
  const mayBe = roll.dice.map((one, index) => ({ one, index })).filter(({ one }) => one.type === asked.type && (one.throw ?? 0) === (asked.throw ?? 0));
  return html`${head(seen, line)}
    <div class="ask-line"><p class="say">${say("doubtWhy.colour")}</p>
      <button type="button" class="link other" ?disabled=${!ui.mayChange} @click=${() => act.settle(roll, find, { type: asked.type, face: asked.face })}>${say("noneOfThem")}</button></div>
    <div class="which" id="doubt">${mayBe.map(
      ({
        one,
        index,
      }) => html`<button type="button" class="answer choice" ?disabled=${!ui.mayChange} aria-label=${dieLabel(one)} @click=${() => act.settle(roll, { list: "dice", index }, { type, face: one.face })}>
      ${crop(roll, { list: "dice", index })}</button>`,
    )}</div>
    ${spoken(roll)}`;
}

function doubt(seen) {
  const { state, find, act, ui } = seen;
  if (find.list === "dice" && state.roll.dice[find.index].doubt === "colour") return whichDie(seen);
  const roll = state.roll;
  const one = roll[find.list][find.index];
  const isDie = find.list === "dice";
  const count = doubtCount(roll);
  const line = rollLine(roll, seen.now);
  const answers = isDie ? likeliest(one, find.answers) : [];
  return html`${head(seen, { ...line, must: count > 1 ? say("doubtsLeft", { n: count }) : "" })}
    <div class="ask-line"><p class="say" data-tone=${ui.isDemo ? "ask" : nothing}>${ui.isDemo ? say("photo.tapFace") : whyAsked(find, one)}</p>
      ${isDie && ui.mayChange ? html`<button type="button" class="link other" @click=${() => act.find(find)}>${say("otherFace")}${icon("chevron-right")}</button>` : nothing}</div>
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

function answerButton(roll, find, answer, one, { ui, act }) {
  const type = dieType(answer.type);
  const word = answer.type === one.type ? faceWords(answer.face) : dieLabel(answer);
  return html`<button type="button" class="answer choice" ?disabled=${!ui.mayChange} aria-label=${word} @click=${() => act.settle(roll, find, { type: answer.type, face: answer.face })}>
    <span class="answer-die">${die(type, answer.face)}</span>
    ${answer.outcome ? html`<span class="answer-word">${outcomeWord(answer.outcome) || answer.outcome.headline}</span>${outcomeWord(answer.outcome) || answer.outcome.net.total === undefined ? html`<span class="came">${symbolsOf(answer.outcome)}</span>` : nothing}` : html`<span class="answer-word">${word}</span>`}
  </button>`;
}

function awaits(seen) {
  const roll = seen.state.roll;
  const line = rollLine(roll, seen.now);
  const wanted = roll.difficulty;
  const [type] = Object.keys(roll.awaits.dice);
  return html`${head(seen, { ...line, right: line.right || (wanted === null ? "" : say("difficultyIs", { n: wanted })) })}
    ${netRow(roll, { ...seen.ui, question: seen.question, act: seen.act })}
    <div class="prompt" id="next">
      <span class="prompt-die">${die(dieType(type), null)}</span>
      <div><p class="second" data-tone="ask">${wantedWords(roll)}</p><p>${sayOr(`awaitWhy.${roll.awaits.name}`, roll.awaits.sentence)}${chanceLeft(roll, seen.ui)}</p></div>
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
  const extra = entries.filter(([, count]) => count < 0).map(([type, count]) => [type, -count]);
  const canAgain = ui.had?.key === keyOf(roll) && ui.had.change !== null;
  const wanted = { ...countTypes(roll.dice) };
  for (const [type, count] of missing) wanted[type] = (wanted[type] ?? 0) + count;
  return html`${head(seen, rollLine(roll, seen.now))}
    ${poolRow(wanted, Object.fromEntries(missing))}
    <p class="say">${missing.length > 0 ? html`${say("laidMissing", { what: listed(Object.fromEntries(missing)) })}. ` : nothing}${extra.length > 0 ? html`${say("laidExtra", { what: listed(Object.fromEntries(extra)) })}.` : nothing}</p>
    ${
      ui.mayChange
        ? html`<div class="surfaces wrong-acts"><button type="button" class="surface primary" id="take" ?disabled=${roll.dice.length === 0} @click=${() => act.take(roll)}><b>${say("takeIt")}</b><span>${say("takeItMore")}</span></button>
      ${canAgain ? html`${surface(say("addByHand"), say("wrongByHand"), () => act.addByHand(roll))}${surface(say("throwAgain"), say("wrongAgain"), act.throwAgain)}` : nothing}</div>`
        : nothing
    }
    ${spoken(roll)}`;
}

function countTypes(dice) {
  const found = {};
  for (const one of dice) found[one.type] = (found[one.type] ?? 0) + 1;
  return found;
}

function askLine(asked) {
  return { who: asked.player, what: asked.label, right: asked.by && asked.by !== asked.player ? say("askedBy", { who: asked.by }) : "" };
}

function asked(seen) {
  const { asked: ask, call } = seen.state;
  const dice = call?.dice ?? {};
  const laid = call && isLaid(call);
  const sides = sidesOf(dice, laid ? call.missing : {});
  const isDemo = seen.ui.isDemo && seen.ui.mayChange;
  return html`<div class="asked-state" id="asked" ?data-odds=${Boolean(call)} ?data-demo=${isDemo}>${head(seen, { ...askLine(ask), ...(throwsNow(seen.state) && { order: "" }) })}
    <div class="asked-dice" ?data-many=${sides.some((side) => side.length > 5)} data-sides=${sides.length}>${ask.tray ? poolRow(dice, laid ? call.missing : {}) : nothing}${isDemoStart(seen) ? nothing : html`<p class="say may-cut laid">${laid ? laidLine(call) : ask.tray ? say("throwDice", { n: ask.tray.count }) : say("idleSentence")}</p>`}</div>
    <div class="room"></div>
    ${call ? oddsRow(call, isDemoStart(seen) ? say("demo.tapThrow") : "") : nothing}
    ${isDemo ? html`<div class="surfaces demo-row"><button type="button" class="surface primary demo-throw" data-demo="next" @click=${seen.act.nextRoll}>${icon("dices")}<b>${say("demo.throw")}</b></button>${isDemoStart(seen) ? nothing : html`<button type="button" class="surface" data-demo="master" @click=${seen.act.tryMaster}><b>${say("tryMaster")}</b></button>`}</div>` : nothing}
    <p id="sentence" class="hidden">${ask.tray?.sentence ?? ""}</p></div>`;
}

/** Whose turn it is: the card of one, or of each who may take it. */
function turn(seen) {
  const { state, act, ui } = seen;
  const slot = acting(state);
  const { slots } = state.initiative;
  const person = wholePerson(seen, slot);
  const isOpen = !slot.who && slot.side === "player";
  const next = nextSlot(state.initiative, state.people);
  const acted = slots.filter((one) => one.done && one.who);
  const offered = isOpen ? takers(state).slice(0, MOST_TAKERS) : [];
  return html`${head(seen, { who: "", what: html`<b>${roundWords(state.initiative)}</b> ${[placeWords(state.initiative), partWords(state.initiative)].filter(Boolean).join(" · ")}`, order: isOpen ? say("turn.players") : next ? say("fight.nextIs", { who: slotName(next) }) : "" })}
    ${
      isOpen
        ? html`<div class="turns" ?data-many=${offered.length + Number(ui.mayChange) > 5}>${offered.map((one) => turnTaker(one, seen, slot))}
        ${ui.mayChange ? html`<button type="button" class="surface turn-taker outlined" id="nobody" @click=${act.nextTurn}>${icon("chevron-right")}<span><b>${say("turn.nobody")}</b><small>${say("turn.pass")}</small></span></button>` : nothing}</div>`
        : person
          ? turnCard(person, seen)
          : html`<div class="room"></div>`
    }
    ${isOpen && acted.length > 0 ? html`<p class="acted may-cut">${say("hasActed")}${acted.map((one) => html`${faceOf(one, seen)}<span>${one.who}</span>`)}</p>` : html`<div class="room"></div>`}
    ${isOpen || !ui.mayChange ? nothing : html`<div class="surfaces turn-throws">${person ? throwsOfTurn(person, act) : nothing}<button type="button" class="surface primary" id="next-turn" @click=${act.nextTurn}><b>${say("orderNext")}</b></button></div>`}`;
}

const MOST_THROWS = 3;

/** Whose slot it is, with skills and weapons where the page has asked for them. */
function wholePerson({ state, ui }, slot) {
  const brief = personOf(slot, state.people);
  const whole = brief && ui.people.find((one) => one.id === brief.id);
  return brief && reacting({ skills: [], weapons: [], dice: {}, ...whole, ...brief, carried: [] }, state.history);
}

const gameOf = ({ ui }, person) => ui.games.find((one) => one.name === person.game);

/** The face of somebody of the scene, or null. */
function faceOfName(name, seen) {
  const person = seen.state?.people.find((one) => one.name === name && one.game === seen.state.game);
  const game = person && gameOf(seen, person);
  return game ? face(person, { game, isDown: Boolean(person.out) }) : null;
}

function faceOf(slot, seen) {
  const person = personOf(slot, seen.state.people);
  const game = person && gameOf(seen, person);
  return person && game ? face(person, { game, isDown: Boolean(person.out) }) : avatar(slot.who || slotName(slot));
}

/** The one who acts: face, gauges, states and what is left to do in the round. */
function turnCard(person, seen) {
  const game = gameOf(seen, person);
  return game
    ? html`<div class="turn-card">${face(person, { game, isDown: Boolean(person.out) })}<div>${gauges(person, game)}<p class="turn-states may-cut">${roundMarks(person)}${statesOf(person, game).map((one) => html`<span>${one.title}</span>`)}</p></div></div>`
    : nothing;
}

/** Weapons first, then skills: a tap calls. */
const throwsOfTurn = (person, act) =>
  [
    ...person.weapons.map((one) => ({ one, body: { weapon: one.name }, skill: person.skills.find((skill) => skill.name === one.skill) })),
    ...person.skills.map((one) => ({ one, body: { skill: one.name }, skill: one })),
  ]
    .slice(0, isLarge.matches ? MOST_THROWS : MOST_THROWS - 1)
    .map(
      ({ one, body, skill }) =>
        html`<button type="button" class="surface turn-throw" data-skill=${one.name} @click=${() => act.call({ who: person.id, ...body })}><b>${body.weapon ? icon("crosshair") : nothing}<span class="may-cut">${one.name}</span></b>${skill ? throwsOf(person, skill) : nothing}</button>`,
    );

/** Who may take a player's turn: the characters of the game, else the players, without those who had theirs or are out. */
function takers({ people, players, initiative }) {
  const characters = people.filter((one) => one.kind === "player" && one.game === initiative.game);
  const all = characters.length > 0 ? characters : players;
  return all.filter((one) => !one.out && !initiative.slots.some((slot) => slot.who === one.name && slot.done));
}

function turnTaker(one, seen, slot) {
  const { ui, act } = seen;
  const game = one.game && gameOf(seen, one);
  const gauge = game ? gaugesOf(one, game).find((found) => found.limit !== null || found.steps > 0) : null;
  const more = gauge
    ? `${gauge.limit === null ? gauge.words : say("gaugeOf", { n: gauge.value, most: gauge.limit })} ${gauge.steps > 0 ? "" : gauge.tracker.title.toLowerCase()}`
    : "";
  return html`<button type="button" class="surface turn-taker" data-who=${one.name} ?disabled=${!ui.mayChange} @click=${() => act.takeTurn(slot, one.name)}>${game ? face(one, { game }) : avatar(one.name)}<span><b class="may-cut">${one.name}</b>${more ? html`<small ?data-bad=${gauge.isBad}>${more}</small>` : nothing}</span></button>`;
}

const nameOf = (slot) => slot.who.split(" ")[0] || say(`slotOf.${slot.side}`);

function turnWords(slot, state) {
  if (!slot.who && slot.side === "player") return say("whoActs");
  return say("turn.acts", { who: nameOf(slot), n: manyOf(personOf(slot, state.people)) });
}

/** Who is called. */
const called = ({ asked, people }) => people.find((one) => one.id === asked.who);
const calledName = ({ asked }) => asked.player.split(" ")[0];

/** Whether the order is still being thrown for. */
const throwsNow = ({ contest, asked }) => Boolean(contest?.initiative && asked?.contest === contest.id);

/** Whose turn it is, or who throws for it, in one line. */
function orderLine(state) {
  if (throwsNow(state)) return say("fight.nowThrows", { who: calledName(state), n: manyOf(called(state)) });
  const slot = acting(state);
  return slot ? say("turnNow", { round: state.initiative.round, who: nameOf(slot) }) : "";
}

const MOST_ROWS = 6; // of the order, at once
const BEFORE = 2; // the one of now

/** The order of turns, in place of the tray: two before, the one of now, three after. */
export function orderList(seen) {
  const { state } = seen;
  const { slots, current } = state.initiative;
  const at = slots.findIndex((slot) => slot.id === current);
  const first = Math.max(0, Math.min(at - BEFORE, slots.length - MOST_ROWS));
  return html`<ol class="order">${slots.slice(first, first + MOST_ROWS).map((slot, n) => orderRow(slot, first + n + 1, seen))}</ol>`;
}

function orderRow(slot, place, seen) {
  const { state } = seen;
  const isNow = slot.id === state.initiative.current;
  const person = personOf(slot, state.people);
  const game = person && gameOf(seen, person);
  const shown = person && game ? reacting(person, state.history) : null;
  const words = shown
    ? [shown.kind === "group" ? say("fight.standing", { n: shown.left, of: shown.members }) : "", ...statesOf(shown, game).map((one) => one.title)].filter(
        Boolean,
      )
    : [];
  return html`<li ?data-current=${isNow} ?data-done=${slot.done}><span class="place">${isNow ? icon("chevron-right") : slot.done ? icon("check") : place}</span>
    ${shown ? face(shown, { game, isDown: Boolean(shown.out) }) : slot.who ? avatar(slot.who) : seat()}
    <span class="order-who"><b class="may-cut">${slotName(slot)}</b>${words.length > 0 ? html`<small class="may-cut">${words.join(", ")}</small>` : nothing}${shown ? roundMarks(shown) : nothing}</span>
    ${shown?.out ? html`<span class="order-out may-cut">${said(shown.out.words?.why, shown.out.why)}</span>` : html`<span class="came">${rankShown(slot, state.initiative)}</span>`}</li>`;
}

/** The trackers of a game say what the changes of a character's are called. */
const trackersOf = (ui, game) => ui.games.find((one) => one.name === game)?.trackers ?? [];

const spoken = (roll) => html`<p id="sentence" class="hidden">${roll.sentence}</p>`;

function surface(title, more, act) {
  return html`<button type="button" class="surface" @click=${act}><b>${title}</b>${more ? html`<span>${more}</span>` : nothing}</button>`;
}
