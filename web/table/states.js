// The left side of the table screen, one function a state: who, headline, what is left, and what can be tapped next.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { demoRow, isDemoStart, nextRollButton } from "../demo.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { dieLabel, dieType } from "../dice.js";
import { ageWords, headlineWords, manyOf, outcomeWord, say, sayOr, symbolWord } from "../strings.js";
import { face, gauges, gaugesOf, reacting, roundMarks, statesOf, throwsOf, undrawnOf } from "../part/card.js";
import { appliedLine, applyCard } from "../part/apply.js";
import { choosePerson } from "../part/choose.js";
import { isLaid, laidLine, listed, oddsRow } from "../part/call.js";
import { contestNow } from "../part/contest.js";
import { attacksAgain } from "../part/next.js";
import { actWords, headOf, whoseOf } from "../part/now.js";
import { inOrder, leftOf, spendButtons, offered } from "../part/spends.js";
import { mayTake, nextSlot, personOf, partWords, placeWords, rankShown, roundWords, seat, slotName } from "../part/turns.js";
import { labelSaid, plainSaid } from "../said.js";
import { avatar, rollLine, whoLine } from "../part/who.js";
import { answerDrawn, answersTo, answerWords, asksWords, whyAsked } from "../part/doubt.js";
import { headline } from "../part/headline.js";
import { placesView, soFarLine } from "../part/hand.js";
import { host } from "./host.js";
import { isByFaces, netRow, symbolsLeft } from "../part/net.js";
import { bestThrowLine } from "../part/feed.js";
import { wrongWords } from "../part/plate.js";
import { lyingRow, poolRow, sidesOf } from "../part/dice.js";
import { crop } from "../part/tray.js";
import { actsOf, applyAct, litAct, quietActs } from "./acts.js";
import { thenCards, thrownWords } from "./initiative.js";
import { acting, doubtCount, doubtOf, isOpen, keyOf, missingOf } from "./kind.js";

const isLarge = matchMedia("(min-width: 1280px) and (min-height: 760px)"); // there is room for a second row of spends
const MOST_TAKERS = 6;
const MOST_LARGE = 2; // kinds of symbols in one row

/** Each takes what `view` of page.js gathered: `{ state, ui, now, act, find, question, kind }`. @type {Record<string, (seen: Doubted) => Drawn>} */
export const STATES = { connecting, host, waiting, rolling, hidden, result, past, doubt, awaits, wrong, asked, turn, fallen, won, over };

/** What each state says largest. @type {Record<string, (seen: Doubted) => Drawn>} */
const HEADLINES = {
  connecting: () => headline(say("connecting")),
  waiting: () => headline(say("idleHeadline")),
  rolling: (seen) => (seen.state.asked ? HEADLINES.asked(seen) : headline(say("rolling"))),
  hidden: () => headline(say("hiddenHeadline")),
  result: ({ state }) => resultWords(state.roll),
  past: ({ state }) => (isOpen(state.roll) ? headline(say("whichFace")) : resultWords(state.roll)),
  doubt: ({ state, ui }) => headline(asksWords(state.roll, doubtOf(state, ui))),
  awaits: ({ state }) => soFar(state.roll),
  wrong: ({ state }) => headline(wrongWords(state.roll.short)),
  asked: ({ state }) =>
    headline(
      state.asked?.player ? say(throwsNow(state) ? "fight.nowThrows" : "rolls", { who: calledName(state), n: manyOf(called(state)) }) : say("idleHeadline"),
    ),
  turn: ({ state }) => headline(headOf(state, "table")),
  fallen: ({ state }) => headline(headOf(state, "table")),
  won: ({ state }) => headline(headOf(state, "table")),
  over: ({ state }) => headline(headOf(state, "table")),
};

const headlineOf = (/** @type {TableSeen} */ seen) => HEADLINES[seen.kind](/** @type {Doubted} */ (seen));

/** The who line with the headline below it. @param {TableSeen} seen @param {HeadLine} line */
const head = (seen, line) =>
  html`<div class="head">${whoLine({ face: faceOfName(line.who, seen), order: seen.state ? orderLine(seen.state) : "", ...line, trouble: seen.state?.trouble ?? [], lost: seen.ui.lostAt, isDemo: seen.ui.isDemo, playsItself: seen.ui.playsItself, act: seen.act })}${headlineOf(seen)}</div>`;

function connecting(/** @type {TableSeen} */ seen) {
  return html`${head(seen, { who: "", what: "" })}`;
}

function waiting(/** @type {TableSeen} */ seen) {
  const { state, act, ui } = seen;
  if (ui.hand)
    return html`${head(seen, { who: "", what: state.game_title })}${placesView(ui.hand)}${ui.hand.isEmpty() ? html`<p class="say">${say("hand.tap")}</p>${castRow(seen)}` : html`${soFarLine(ui.hand)}<div class="room"></div>`}`;
  return html`${head(seen, { who: "", what: state.game_title })}
    <p class="say">${state.phase === "by_hand" ? say("idleByHand") : state.phase === "no_camera" ? say("idleNoCamera") : say("idleSentence")}</p>
    ${castRow(seen)}
    ${ui.mayChange && ui.isDemo ? demoRow(act) : nothing}`;
}

/** Who is at the table, in a row. @param {TableSeen} seen */
function castRow(seen) {
  const here = seen.state.people.filter((one) => one.kind === "player" && one.game === seen.state.game);
  return html`<div class="cast-row">${here.slice(0, MOST_TAKERS).map((one) => html`<span class="cast-one">${faceOfName(one.name, seen)}<b class="may-cut">${one.name}</b></span>`)}</div>`;
}

function rolling(/** @type {TableSeen} */ seen) {
  const { state } = seen;
  return state.asked ? asked(seen) : html`${head(seen, { who: "", what: state.game_title })}${castRow(seen)}`;
}

function hidden(/** @type {TableSeen} */ seen) {
  return html`${head(seen, { who: "", what: say("hiddenSentence") })}${castRow(seen)}`;
}

function result(/** @type {Rolled} */ seen) {
  const { state, now, act, ui } = seen;
  const roll = state.roll;
  const line = rollLine(roll, now);
  const below = bought(seen);
  const isAlone = below === null || (state.now.name !== "apply" && !ui.spends?.list.length && !isByFaces(roll) && symbolsLeft(roll).length <= MOST_LARGE);
  return html`${head(seen, { ...line, right: chanceHad(roll, ui) || line.right })}
    ${netRow(roll, { ...ui, question: seen.question, act, isRoomy: isAlone && !(ui.isDemo && ui.mayChange && isLarge.matches) })}
    ${below ?? html`<div class="room"></div>`}
    ${ui.isDemo && ui.mayChange && state.now.name !== "more" && isLarge.matches ? demoRow(act) : nothing}
    ${spoken(roll)}`;
}

/** A roll of before, with the way back and on through the others. @param {Rolled} seen */
function past(seen) {
  const { state, now, act } = seen;
  const { roll, history } = state;
  const at = history.findIndex((one) => one.id === roll.id);
  const line = rollLine(roll, now);
  const step = (/** @type {number} */ to, /** @type {string} */ title, /** @type {boolean} */ isNext) =>
    html`<button type="button" class="surface past-step" ?disabled=${!history[to]} @click=${() => act.past(history[to].id)}>${isNext ? nothing : icon("chevron-left")}<b>${title}</b>${isNext ? icon("chevron-right") : nothing}</button>`;
  return html`${head(seen, { ...line, order: "", what: labelSaid(roll.label) || (roll.by ? "" : say("pastRoll")), right: [isOpen(roll) ? say("status.unsure") : "", line.right || ageWords(now - roll.at)].filter(Boolean).join(" · ") })}
    ${netRow(roll, { question: seen.question, act })}
    <div class="room"></div>
    <button type="button" class="spends" id="worked-out" @click=${() => act.workedOut(roll)}><span class="label">${say("steps")}</span><span class="first may-cut">${roll.sentence}</span><span class="more">${icon("chevron-right")}</span></button>
    <div class="surfaces steps-row">${step(at + 1, say("earlierRoll"), false)}${step(at - 1, say("laterRoll"), true)}<button type="button" class="surface primary" id="back-to-now" @click=${act.toNow}><b>${say("toNow")}</b></button></div>
    ${spoken(roll)}`;
}

/** How likely success was, where the call of a roll showed it. @param {number | null} chance */
export const oddsWere = (chance) => (chance === null ? "" : say("oddsWere", { percent: whole(chance) }));

const chanceHad = (/** @type {AnyRoll} */ roll, /** @type {TableUi} */ ui) => (ui.had?.key === keyOf(roll) ? oddsWere(ui.had.chance) : "");

const chanceLeft = (/** @type {AnyRoll} */ roll, /** @type {TableUi} */ ui) =>
  ui.had?.key === keyOf(roll) && ui.had.fromHere !== null ? html` <b>${whole(ui.had.fromHere)} %</b> ${say("toSucceed")}.` : nothing;

/** The words of a result: one, or a total with its word beside it. @param {AnyRoll} roll */
function resultWords(roll) {
  if (roll.dice.length === 0) return headline(say("emptyTray"));
  const total = roll.net.total;
  if (total === undefined) return headline(headlineWords(roll));
  const word = outcomeWord(roll);
  const [tone, of] = Object.entries(roll.moods).at(-1) ?? [];
  if (roll.table) return headline(String(total), { beside: "", below: roll.row || say("tables.noRow", { name: roll.table }) });
  return headline(String(total), { beside: word, second: of ? capital(plainSaid(of.replaceAll("_", " "))) : "", tone, below: marginOf(roll) });
}

const capital = (/** @type {string} */ text) => text.slice(0, 1).toUpperCase() + text.slice(1);

function marginOf(/** @type {AnyRoll} */ roll) {
  const wanted = roll.difficulty;
  if (wanted === null || roll.succeeded === null) return "";
  const margin = roll.net.total - wanted;
  if (margin === 0) return roll.succeeded ? say("meets", { wanted }) : say("moreThan", { wanted });
  return margin > 0 ? say("over", { n: margin, wanted }) : say("under", { n: -margin, wanted });
}

/** What the roll does to somebody, and what can be tapped next: the act that leads on, spends, throws. What finds no room is behind "more". @param {Rolled} seen */
function bought(seen) {
  const { state, ui, act } = seen;
  const { roll, now } = state;
  const isHit = now.name === "apply";
  const spends = ui.spends?.id === roll.id && now.name !== "more" && now.name !== "pool" ? inOrder(offered(ui.spends.list), roll) : [];
  const line = isHit ? applyCard(seen, { apply: applyAct(seen), also: quietActs(seen, "apply_either") }) : appliedLine(seen);
  const most = isLarge.matches && !ui.isDemo && !isHit ? 6 : 3;
  const isShort = ui.isDemo && !isLarge.matches && now.name !== "more"; // a demo's own buttons have a row below where there is room
  const { lit } = actsOf(seen);
  const first = isHit || !lit ? [] : [litAct(seen)];
  const quiet = isHit ? quietActs(seen, "apply", "next_unhurt", "leave") : quietActs(seen);
  const lead = isShort ? [...first, ...quiet.slice(0, most - 1 - first.length), nextRollButton(act)] : [...first, ...quiet]; // one row
  const again = ui.isMaster && !isHit ? againTiles(seen, roll).slice(0, Math.max(0, most - lead.length)) : [];
  const room = Math.max(0, most - lead.length - again.length);
  const isLabelled = spends.length > 0 && (line === nothing || (isLarge.matches && !isHit));
  const hasMore = spends.length > room;
  const shown = spends.slice(0, Math.max(0, !isLabelled && hasMore ? room - 1 : room));
  const more = say("moreOf", { n: spends.length - shown.length });
  if (spends.length === 0 && lead.length === 0 && again.length === 0) return line === nothing ? null : html`<div class="room"></div>${line}`;
  const points = isHit || now.name === "spend" ? symbolsLeft(roll).filter(([name]) => name !== "success" && name !== "failure" && leftOf(roll, name) > 0) : [];
  const what = points.length > 2 ? say("symbolsLeft") : points.map(([name]) => symbolWord(name, leftOf(roll, name), true)).join(", ");

  return html`<div class="room"></div>${line}
    ${isLabelled ? html`<div class="spends-label"><span>${points.length > 0 ? say("spendThem", { what }) : say("nextStep")}</span><button type="button" class="link" id="spends" @click=${() => act.spends(!hasMore)}>${hasMore ? more : say("spend.what")}${icon("chevron-right")}</button></div>` : nothing}
    <div class="surfaces spend-row" data-tiles=${shown.length + lead.length + again.length}>${now.name === "step" ? lead : nothing}${spendButtons(roll, shown, act)}${!isLabelled && hasMore && room > 0 ? html`<button type="button" class="surface" id="spends" @click=${() => act.spends(false)}><b>${points.length > 0 && shown.length === 0 ? say("spendThem", { what }) : more}</b></button>` : nothing}${again}${now.name === "step" ? nothing : lead}</div>`;
}

/** The same attack once more, where the game counts the actions of a round. @param {Rolled} seen @param {AnyRoll} roll */
function againTiles({ ui, act }, roll) {
  const call = ui.had?.key === keyOf(roll) ? ui.had.call : null;
  return attacksAgain({ games: ui.games }, roll, call).map(
    (one) =>
      html`<button type="button" class="surface next-throw" data-next=${one.name} @click=${() => act.call(one.body)}><b>${one.title}</b><span>${one.more}</span></button>`,
  );
}

/** @param {Doubted} seen */
function doubt(seen) {
  const { state, find, act, ui } = seen;
  const roll = state.roll;
  const isDie = find.list === "dice";
  const one = isDie ? roll.dice[find.index] : null;
  const count = doubtCount(roll);
  const answers = answersTo(roll, find);
  const isOfDice = one?.doubt === "colour"; // the pictures of the dice are the answers
  const cards = answers.map(
    (
      answer,
    ) => html`<button type="button" class="answer choice" ?disabled=${!ui.mayChange} aria-label=${dieLabel(answer)} @click=${() => act.settle(roll, { list: "dice", index: answer.index }, { type: answer.type, face: answer.face })}>
    <span class="answer-die">${answerDrawn(roll, find, answer)}</span>${answerWords(one, answer)}</button>`,
  );
  return html`${head(seen, { ...rollLine(roll, seen.now), must: count > 1 ? say("doubtsLeft", { n: count }) : "" })}
    <div class="ask-line"><p class="say" data-tone=${ui.isDemo ? "ask" : nothing}>${ui.isDemo ? say("photo.tapFace") : whyAsked(roll, find)}</p>
      ${
        isOfDice
          ? html`<button type="button" class="link other" ?disabled=${!ui.mayChange} @click=${() => act.settle(roll, find, { type: one.type, face: one.face })}>${say("noneOfThem")}</button>`
          : isDie && ui.mayChange
            ? html`<button type="button" class="link other" @click=${() => act.find(find)}>${say("otherFace")}${icon("chevron-right")}</button>`
            : nothing
      }</div>
    ${
      isOfDice
        ? html`<div class="which" id="doubt">${cards}</div>`
        : html`<div class="question" id="doubt">
      ${crop(roll, find)}
      <div class="answers">
        ${cards}
        ${isDie ? nothing : html`<button type="button" class="answer" ?disabled=${!ui.mayChange} @click=${() => act.find(find)}><span class="answer-word">${say("chooseDie")}</span></button>`}
        ${!one || one.doubt === "faint" ? html`<button type="button" class="answer plain" ?disabled=${!ui.mayChange} @click=${() => act.settle(roll, find, { nothing: true })}><span class="answer-word">${say("noDie")}</span></button>` : nothing}
      </div>
    </div>`
    }
    ${spoken(roll)}`;
}

function awaits(/** @type {Rolled} */ seen) {
  const roll = seen.state.roll;
  const line = rollLine(roll, seen.now);
  const wanted = roll.difficulty;
  const { awaits: throws } = roll;
  const [type = ""] = Object.keys(throws?.dice ?? {});
  const { act } = seen.state.now;
  return html`${head(seen, { ...line, right: line.right || (wanted === null ? "" : say("difficultyIs", { n: wanted })) })}
    ${netRow(roll, { ...seen.ui, question: seen.question, act: seen.act })}
    <div class="prompt" id="next" data-act=${act?.key ?? nothing}>
      ${seen.ui.hand ? placesView(seen.ui.hand) : html`<span class="prompt-die">${die(dieType(type), null)}</span>`}
      <div><p class="second" data-tone="ask">${act ? actWords(seen.state, act) : nothing}</p><p>${throws ? sayOr(`awaitWhy.${throws.name}`, throws.sentence) : nothing}${chanceLeft(roll, seen.ui)}</p></div>
    </div>
    ${seen.ui.hand ? html`<div class="surfaces">${quietActs(seen)}</div>` : nothing}
    ${spoken(roll)}`;
}

function soFar(/** @type {AnyRoll} */ roll) {
  const wanted = roll.difficulty;
  const total = roll.net.total;
  if (total === undefined) return headline(headlineWords(roll));
  return headline(String(total), { beside: say("soFar"), below: wanted !== null && total < wanted ? say("moreAreEnough", { n: wanted - total }) : "" });
}

function wrong(/** @type {Rolled} */ seen) {
  const { state, ui } = seen;
  const roll = state.roll;
  const wanted = missingOf(roll);
  const missing = Object.values(wanted).reduce((sum, n) => sum + n, 0);
  const extra = Object.entries(roll.short)
    .filter(([, count]) => count < 0)
    .map(([type, count]) => /** @type {[string, number]} */ ([type, -count]));
  if (ui.hand) return html`${head(seen, rollLine(roll, seen.now))}${placesView(ui.hand)}<div class="room"></div>${spoken(roll)}`;
  const contest = contestNow(state);
  return html`${head(seen, { ...rollLine(roll, seen.now), ...(contest?.initiative && { order: "", right: thrownWords(contest, true) }) })}
    <div class="asked-dice" ?data-beside=${roll.dice.length + missing < 4}>${lyingRow(roll, wanted)}
    <p class="say">${missing > 0 ? html`<span>${say("laidMissing", { what: listed(wanted) })}.</span> ` : nothing}${extra.length > 0 ? html`<span>${say("laidExtra", { what: listed(Object.fromEntries(extra)) })}.</span> ` : nothing}<span>${say("wrong.nothingCounted")}</span></p></div>
    <div class="room"></div>
    <div class="surfaces wrong-acts">${litAct(seen)}${quietActs(seen)}</div>
    ${spoken(roll)}`;
}

function asked(/** @type {TableSeen} */ seen) {
  const { asked: ask, call } = seen.state;
  const dice = call?.dice ?? {};
  const laid = call && isLaid(call);
  const sides = sidesOf(dice, laid ? call.missing : {});
  const isDemo = seen.ui.isDemo && seen.ui.mayChange;
  const { hand } = seen.ui;
  const contest = throwsNow(seen.state) ? contestNow(seen.state) : null;
  const after = (seen.state.now.waiting ?? []).map((id) => seen.state.people.find((one) => one.id === id)?.name).filter(Boolean);
  const line = contest
    ? { who: "", what: html`<b>${say("initiative.title")}</b> ${ask?.skill || ""}`, order: "", right: thrownWords(contest) }
    : {
        who: ask?.player ?? "",
        what: labelSaid(ask?.label ?? ""),
        right: after.length > 0 ? say("now.then", { who: after.slice(0, 2).join(", ") }) : call?.wanted ? say("difficultyIs", { n: call.wanted }) : "",
      };
  if (hand)
    return html`<div class="asked-state" id="asked">${head(seen, line)}
    ${placesView(hand)}<div class="room"></div>
    ${hand.total() === null ? (call ? oddsRow(call) : nothing) : soFarLine(hand, call?.wanted)}
    <p id="sentence" class="hidden">${ask?.tray?.sentence ?? ""}</p></div>`;
  return html`<div class="asked-state" id="asked" ?data-odds=${Boolean(call)} ?data-demo=${isDemo}>${head(seen, line)}
    <div class="asked-dice" ?data-beside=${Boolean(contest) && sides.flat().length < 4} ?data-many=${sides.some((side) => side.length > 5)} data-sides=${sides.length}>${ask?.tray ? poolRow(dice, laid ? call.missing : {}) : nothing}${isDemoStart(seen) ? nothing : html`<p class="say may-cut laid">${laid ? laidLine(call) : ask?.tray ? html`<span>${say("throwDice", { n: ask.tray.count })}</span>${contest ? html` <span>${say("initiative.highest")}</span>` : nothing}` : say("idleSentence")}</p>`}</div>
    <div class="room"></div>
    ${contest ? thenCards(contest, seen) : call ? oddsRow(call, isDemoStart(seen) ? say("demo.tapThrow") : "") : nothing}
    ${isDemo ? html`<div class="surfaces demo-row"><button type="button" class="surface primary demo-throw" data-demo="next" @click=${seen.act.nextRoll}>${icon("dices")}<b>${say("demo.throw")}</b></button>${isDemoStart(seen) ? nothing : html`<button type="button" class="surface" data-demo="master" @click=${seen.act.tryMaster}><b>${say("tryMaster")}</b></button>`}</div>` : nothing}
    <p id="sentence" class="hidden">${ask?.tray?.sentence ?? ""}</p></div>`;
}

/** Whose turn it is, or most likely is: the card of one, or of each who may take it. @param {TableSeen} seen */
function turn(seen) {
  const { state, act, ui } = seen;
  const slot = acting(state);
  const { slots } = state.initiative;
  const person = wholePerson(seen, slot);
  const isFree = slot && !slot.who && slot.side === "player" ? slot : null;
  const open = person ? null : isFree;
  const next = nextSlot(state);
  const acted = slots.filter((one) => one.done && one.who);
  const offered = open ? takers(state).slice(0, MOST_TAKERS) : [];
  return html`${head(seen, { who: "", what: html`<b>${roundWords(state.initiative)}</b> ${[placeWords(state.initiative), partWords(state.initiative)].filter(Boolean).join(" · ")}`, order: open ? "" : next ? say("fight.nextIs", { who: slotName(next, state.people) }) : "" })}
    ${
      open
        ? html`<div class="turns" ?data-many=${offered.length + Number(ui.mayChange) > 5}>${offered.map((one) => turnTaker(one, seen, open))}
        ${ui.mayChange ? html`<button type="button" class="surface turn-taker outlined" id="nobody" @click=${act.nextTurn}>${icon("chevron-right")}<span><b>${say("turn.nobody")}</b><small>${say("turn.pass")}</small></span></button>` : nothing}</div>`
        : person
          ? turnCard(person, seen)
          : html`<div class="room"></div>`
    }
    ${open && acted.length > 0 ? html`<p class="acted may-cut">${say("hasActed")}${acted.map((one) => html`${faceOf(one, seen)}<span>${one.who}</span>`)}</p>` : html`<div class="room"></div>`}
    ${open || !ui.mayChange ? nothing : html`<div class="surfaces turn-throws">${state.now.act?.key === "attack" ? nothing : litAct(seen)}${person ? throwsOfTurn(person, seen) : nothing}${isFree ? html`<button type="button" class="act-quiet" id="turn-other" @click=${() => someoneElse(seen, isFree)}><b>${say("join.somebody")}</b></button>` : nothing}${quietActs(seen)}</div>`}`;
}

/** Ask who else takes a player's turn. @param {TableSeen} seen @param {Slot} slot */
async function someoneElse({ state, act }, slot) {
  const all = takers(state).map((one) => ({ id: one.name, name: one.name }));
  const name = await choosePerson(say("whoActs"), all);
  if (name) act.takeTurn(slot, name);
}

/** Who is down, and what that calls for. @param {Rolled} seen */
function fallen(seen) {
  const { state } = seen;
  const { roll } = state;
  const person = whoseOf(state);
  const line = rollLine(roll, seen.now);
  return html`${head(seen, line)}${person.id ? turnCard(person, seen) : nothing}<div class="room"></div>
    <div class="surfaces wrong-acts">${litAct(seen)}${quietActs(seen)}</div>${spoken(roll)}`;
}

/** Nobody of the other side stands. @param {TableSeen} seen */
function won(seen) {
  return html`${head(seen, { who: "", what: html`<b>${roundWords(seen.state.initiative)}</b>`, order: "" })}${castRow(seen)}
    <div class="surfaces wrong-acts">${litAct(seen)}${quietActs(seen)}</div>`;
}

/** The session has ended: who was there, and the best throw. @param {TableSeen} seen */
function over(seen) {
  const { state } = seen;
  return html`${head(seen, { who: "", what: html`<b>${state.session.title || state.game_title}</b>` })}${castRow(seen)}
    ${bestThrowLine(state)}
    <div class="surfaces wrong-acts">${litAct(seen)}${quietActs(seen)}</div>`;
}

const MOST_THROWS = 3;

/** Whose turn it is, with skills and weapons where the page has asked for them. @param {TableSeen} seen @param {Slot | undefined} slot */
function wholePerson({ state, ui }, slot) {
  const brief = (slot && personOf(slot, state.people)) ?? state.people.find((one) => one.id === state.now.whose);
  const whole = brief && ui.people.find((one) => one.id === brief.id);
  return brief && reacting({ skills: [], weapons: [], dice: {}, ...whole, ...brief }, state.history);
}

const gameOf = (/** @type {{ ui: TableUi }} */ { ui }, /** @type {{ game?: string }} */ person) => ui.games.find((one) => one.name === person.game);

/** The face of somebody of the scene, or null. @param {string} name @param {TableSeen} seen */
function faceOfName(name, seen) {
  const person = seen.state?.people.find((one) => one.name === name && one.game === seen.state.game);
  const game = person && gameOf(seen, person);
  return game ? face(person, { game, isDown: Boolean(person.out) }) : null;
}

function faceOf(/** @type {Slot} */ slot, /** @type {TableSeen} */ seen) {
  const person = personOf(slot, seen.state.people);
  const game = person && gameOf(seen, person);
  return person && game ? face(person, { game, isDown: Boolean(person.out) }) : avatar(slotName(slot, seen.state.people));
}

/** The one who acts: face, gauges, states and what is left to do in the round. @param {Anybody} person @param {TableSeen} seen */
function turnCard(person, seen) {
  const game = gameOf(seen, person);
  return game
    ? html`<div class="turn-card">${face(person, { game, isDown: Boolean(person.out) })}<div>${gauges(person, game)}<p class="turn-states may-cut">${roundMarks(person)}${undrawnOf(person, game).map((one) => html`<span>${one.title}</span>`)}</p></div></div>`
    : nothing;
}

/** Weapons first, then skills: a tap calls. @param {Pick<Person, "id" | "dice" | "weapons" | "skills">} person @param {TableSeen} seen */
const throwsOfTurn = (person, seen) =>
  [
    ...person.weapons.map((one) => ({ one, weapon: one.name, skill: person.skills.find((skill) => skill.name === one.skill) })),
    ...person.skills.map((one) => ({ one, weapon: "", skill: one })),
  ]
    .slice(0, isLarge.matches ? MOST_THROWS : MOST_THROWS - 1)
    .map(({ one, weapon, skill }) =>
      weapon && isLit(weapon, seen)
        ? litAct(seen, { more: targetWords(seen) })
        : html`<button type="button" class="surface turn-throw" data-skill=${one.name} @click=${() => seen.act.call({ who: person.id, ...(weapon ? { weapon } : { skill: one.name }) })}><b>${weapon ? icon("crosshair") : nothing}<span class="may-cut">${one.name}</span></b>${skill ? throwsOf(person, skill) : nothing}</button>`,
    );

const isLit = (/** @type {string} */ weapon, /** @type {TableSeen} */ { state: { now } }) => now.act?.key === "attack" && now.act.values.weapon === weapon;

/** Whom the lit attack is against. @param {TableSeen} seen */
function targetWords({ state: { now, people } }) {
  const target = people.find((one) => one.id === now.act?.values.to);
  return target ? say("now.at", { who: target.name }) : "";
}

/** Who may take a player's turn: the characters of the game, else the players. @param {Shown} shown */
function takers({ people, players, initiative }) {
  const characters = people.filter((one) => one.kind === "player" && one.game === initiative.game);
  const all = characters.length > 0 ? characters : players;
  return all.filter((one) => mayTake(one, initiative));
}

/** @param {Anybody | Told["PlayerTold"]} person @param {TableSeen} seen @param {Slot} slot */
function turnTaker(person, seen, slot) {
  const { ui, act } = seen;
  const one = "kind" in person ? person : null;
  const game = one && gameOf(seen, one);
  const gauge = one && game ? gaugesOf(one, game).find((found) => found.limit !== null || found.steps > 0) : null;
  const more = gauge
    ? `${gauge.limit === null ? gauge.words : say("gaugeOf", { n: gauge.value, most: gauge.limit })} ${gauge.steps > 0 ? "" : gauge.tracker.title.toLowerCase()}`
    : "";
  return html`<button type="button" class="surface turn-taker" data-who=${person.name} ?disabled=${!ui.mayChange} @click=${() => act.takeTurn(slot, person.name)}>${one && game ? face(one, { game }) : avatar(person.name)}<span><b class="may-cut">${person.name}</b>${more ? html`<small ?data-bad=${gauge?.isBad}>${more}</small>` : nothing}</span></button>`;
}

const nameOf = (/** @type {Slot} */ slot) => slot.who.split(" ")[0] || say(`slotOf.${slot.side}`);

/** Who is called. @param {Shown} shown */
const called = ({ asked, people }) => people.find((one) => one.id === asked?.who);
const calledName = (/** @type {Shown} */ { asked }) => asked?.player.split(" ")[0] ?? "";

/** Whether the order is still being thrown for. @param {Shown} shown */
const throwsNow = ({ contest, asked }) => Boolean(contest?.initiative && asked?.contest === contest.id);

/** Whose turn it is, or who throws for it, in one line. @param {Shown} state */
function orderLine(state) {
  if (throwsNow(state)) return say("fight.nowThrows", { who: calledName(state), n: manyOf(called(state)) });
  const slot = acting(state);
  return slot ? say("turnNow", { round: state.initiative.round, who: nameOf(slot) }) : "";
}

const MOST_ROWS = 6; // of the order, at once
const BEFORE = 2; // the one of now

/** The order of turns, in place of the tray: two before, the one of now, three after. @param {Pick<TableSeen, "state" | "ui">} seen */
export function orderList(seen) {
  const { state } = seen;
  const { slots, current } = state.initiative;
  const at = slots.findIndex((slot) => slot.id === current);
  const first = Math.max(0, Math.min(at - BEFORE, slots.length - MOST_ROWS));
  return html`<ol class="order">${slots.slice(first, first + MOST_ROWS).map((slot, n) => orderRow(slot, first + n + 1, seen))}</ol>`;
}

/** @param {Slot} slot @param {number} place @param {Pick<TableSeen, "state" | "ui">} seen */
function orderRow(slot, place, seen) {
  const { state } = seen;
  const isNow = slot.id === state.initiative.current;
  const person = personOf(slot, state.people);
  const game = person && gameOf(seen, person);
  const shown = person && game ? reacting(person, state.history) : null;
  const words =
    shown && game
      ? [shown.kind === "group" ? say("fight.standing", { n: shown.left, of: shown.members }) : "", ...statesOf(shown, game).map((one) => one.title)].filter(
          Boolean,
        )
      : [];
  return html`<li ?data-current=${isNow} ?data-done=${slot.done} ?data-guess=${!slot.who}><span class="place">${isNow ? icon("chevron-right") : slot.done ? icon("check") : place}</span>
    ${shown ? face(shown, { game, isDown: Boolean(shown.out) }) : slot.who ? avatar(slot.who) : seat()}
    <span class="order-who"><b class="may-cut">${slotName(slot, state.people)}</b>${words.length > 0 ? html`<small class="may-cut">${words.join(", ")}</small>` : nothing}${shown ? roundMarks(shown) : nothing}</span>
    ${shown?.out ? html`<span class="order-out may-cut">${shown.out.why}</span>` : html`<span class="came">${rankShown(slot, state.initiative)}</span>`}</li>`;
}

const spoken = (/** @type {AnyRoll} */ roll) => html`<p id="sentence" class="hidden">${roll.sentence}</p>`;
