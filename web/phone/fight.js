// The tab of a fight: who takes part, who throws for the order, then whose turn it is. All of it is made of cards.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { symbol } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { rollOf } from "../part/now.js";
import { vitals, chosenChip, face, isOut, row } from "../part/card.js";
import { askFirst, closeSheet } from "../part/sheet.js";
import { mayTake, personOf, partWords, placeWords, rankShown, roundWords, seat, slotName } from "../part/turns.js";
import { say, sayOr } from "../strings.js";
import { change } from "../talk.js";
import { undoChange } from "../undo.js";
import { NEW_DRAFT } from "./draft.js";
import { drag, freedom, moveTo } from "./drag.js";

/** @type {Slot["side"][]} */
const SIDES = ["player", "npc"];
/** @type {Record<string, number>} */
const MOST_OF = { dice: 12, pips: 2, movement: 1 }; // of a rank that is tapped
const MOST_NUMBER = 30;

/** Whether initiative is thrown now, also while a throw for it is not settled. @param {State} state */
const isThrown = ({ contest }) => Boolean(contest?.initiative && !contest.done);

/** What a fight is called now: its round and turn, or how many have thrown; null where none goes on. @param {Pick<PhoneSeen, "state">} seen */
export function fightTitle({ state }) {
  const { initiative, contest } = state;
  const [title, more] = isThrown(state)
    ? [
        say("fight.initiative"),
        say("fight.thrown", { n: initiative.slots.length, of: initiative.slots.length + (contest?.waiting.length ?? 0) + (state.asked ? 0 : 1) }),
      ]
    : [roundWords(initiative), placeWords(initiative)];
  return isThrown(state) || initiative.slots.length > 0 ? html`<h2>${title}</h2><span class="quiet turn-count">${more}</span>` : null;
}

/** Who throws for the order, or the order; null where no fight goes on. @param {PhoneSeen} seen */
export const fightView = (seen) => (isThrown(seen.state) ? throwing(seen) : seen.state.initiative.slots.length > 0 ? order(seen) : null);

const isHero = (/** @type {Person} */ person) => person.kind === "player";
const here = (/** @type {Pick<PhoneSeen, "ui" | "game">} */ { ui, game }) => ui.people.filter((one) => one.game === game.name);

/** "3 of 4 standing" of a group that stands */
const standing = (/** @type {Pick<Person, "kind" | "left" | "members">} */ { kind, left, members }) =>
  kind === "group" && left > 0 ? say("fight.standing", { n: left, of: members }) : "";

/** Whom a fight is begun with: all who can act, without those who were left out. @param {PhoneSeen} seen */
const wanted = (seen) => here(seen).filter((one) => !isOut(one, seen.game) && !seen.ui.leftOut.includes(one.id));

/** Who takes part, and what they throw. @param {PhoneSeen} seen */
function beginSheet(seen) {
  const { ui, act, game } = seen;
  const people = here(seen);
  const [heroes, others] = [people.filter(isHero), people.filter((one) => !isHero(one))];
  const chosen = wanted(seen);
  const chips = (/** @type {Person[]} */ some) => some.map((one) => chosenChip(one, { game, isChosen: chosen.includes(one), act: () => act.leaveOut(one) }));
  const names = game.characters.initiative;
  const setting = (
    /** @type {string} */ name,
    /** @type {string} */ sign,
    /** @type {string} */ text,
    /** @type {string} */ more,
    /** @type {string} */ value,
  ) =>
    html`<button type="button" class="open-row two" id=${`fight-${name}`} @click=${() => act.sheet(`fight.${name}`)}>${icon(sign)}<span><b>${text}</b><small>${more}</small></span><span class="quiet">${value}</span>${icon("chevron-right")}</button>`;
  return {
    title: say("fight.begin"),
    body: html`<p class="quiet">${say(people.length > 0 ? "fight.who" : "fight.nobody")}</p>
    ${heroes.length > 0 ? html`<h3>${say("fight.heroes")}</h3><div class="chips">${chips(heroes)}</div>` : nothing}
    <h3>${say("cast.against")}</h3><div class="chips">${chips(others)}<button type="button" class="chip outlined" id="fight-add" @click=${() => act.newPerson("person")}>${icon("plus")}${say("fight.somebody")}</button></div>
    <div>${names.length > 1 ? setting("skill", "zap", say("fight.throws"), skillWords(ui.fightSkill, names), ui.fightSkill || say("fight.usual")) : nothing}
      ${names.length > 0 ? setting("dice", "dices", say("fight.othersDice"), say(ui.byTable ? "fight.byTableMore" : "fight.inTrayMore"), say(ui.byTable ? "fight.byTable" : "fight.inTray")) : nothing}</div>
    <div class="foot-acts">${chosen.length > 0 ? html`<button type="button" class="primary large" id="fight-call" @click=${() => act.callFight(chosen)}>${icon("dices")} ${say(names.length > 0 ? "fight.everyone" : "fight.begin")}</button>` : nothing}
      <button type="button" class="large" id="fight-by-hand" @click=${() => act.sheet("fight.add")}>${say("fight.byHand")}</button></div>`,
  };
}

/** @param {string} chosen @param {string[]} names */
const skillWords = (chosen, names) => (chosen ? sayOr(`fight.when.${chosen.toLowerCase()}`, chosen) : say("fight.usualMore", { names: names.join(", ") }));

/** Initiative is thrown: who has, who does now, who comes next. @param {PhoneSeen} seen */
function throwing(seen) {
  const { state, ui, act, game, isMaster } = seen;
  const { asked, initiative } = state;
  const contest = /** @type {Contest} */ (state.contest);
  const find = (/** @type {string} */ id) => ui.people.find((one) => one.id === id);
  const roll = rollOf(state);
  const again = roll?.contest === contest.id && !initiative.slots.some((slot) => slot.roll === roll.id) ? [{ who: roll.who, name: roll.by }] : [];
  const first = (/** @type {Told["EntrantTold"]} */ { who, name }) => Boolean(asked) && (who ? who === asked?.who : name === asked?.player);
  const waiting = [...again, ...[...contest.waiting].sort((a, b) => Number(first(b)) - Number(first(a)))];
  const done = initiative.slots;
  const line = (
    /** @type {Person | null | undefined} */ person,
    /** @type {string} */ name,
    /** @type {Drawing} */ place,
    /** @type {Drawing} */ right,
    /** @type {boolean} */ isNow,
    /** @type {(() => void) | null} */ press,
  ) =>
    html`<li class="turn-row" ?data-current=${isNow}><span class="place">${place}</span>${person ? row(person, { game, state: standing(person), below: nothing, right, act: press }) : html`<b class="may-cut">${name}</b>${right}`}</li>`;
  return html`<ol class="turn-list" id="throws">${repeat(
    done,
    (slot) => slot.id,
    (slot) =>
      line(
        personOf(slot, ui.people),
        slotName(slot, ui.people),
        icon("check"),
        slot.roll
          ? html`<span class="rank">${rankShown(slot, initiative)}</span>`
          : html`<span class="quiet" title=${say("fight.thrownByTable")}>${icon("eye-off")}<span class="hidden">${say("fight.thrownByTable")}</span></span>`,
        false,
        null,
      ),
  )}
      ${repeat(
        waiting,
        (one) => one.who || one.name,
        (one, n) =>
          line(
            find(one.who),
            one.name,
            n === 0 ? icon("chevron-right") : "",
            html`<span class=${n === 0 ? "is-now" : "quiet"}>${say(n === 0 ? "fight.now" : n === 1 ? "fight.next" : "contest.waits")}</span>${isMaster && asked && n > 0 ? html`<span class="hidden"> ${say("fight.callFirst")}</span>` : nothing}`,
            n === 0,
            isMaster && asked && n > 0 ? () => act.callFirst(one) : null,
          ),
      )}</ol>`;
}

/** The order, a row each. @param {PhoneSeen} seen */
function order(seen) {
  const { initiative } = seen.state;
  return html`${partWords(initiative) ? html`<p class="quiet part-words">${partWords(initiative)}</p>` : nothing}
    <ol class="turn-list" id="order">${repeat(
      initiative.slots,
      (slot) => slot.id,
      (slot, place) => turnRow(slot, place, seen),
    )}</ol>`;
}

/** How somebody is: "Wounds 5 of 12", "3 of 4 standing" @param {Person} person @param {Game} game */
function health(person, game) {
  const [one] = vitals(person, game);
  if (person.kind === "group" || !one) return standing(person);
  if (one.value === 0) return say("fight.unhurt");
  return one.limit === null ? one.words : say("fight.hurt", { title: one.tracker.title, n: one.value, most: one.limit });
}

/** @param {Slot} slot @param {number} place @param {PhoneSeen} seen */
function turnRow(slot, place, seen) {
  const { state, ui, act, game, isMaster } = seen;
  const { initiative } = state;
  const isNow = slot.id === initiative.current;
  const person = personOf(slot, ui.people);
  const range = freedom(initiative, place);
  const to = (/** @type {number} */ target) =>
    target >= range[0] && target <= range[1] && target !== place && act.turn({ do: "move", ...moveTo(initiative, place, target) });
  const keyed = (/** @type {KeyboardEvent} */ event) => {
    const by = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 })[event.key];
    if (!by) return;
    event.preventDefault();
    to(place + by);
  };
  const handle =
    isMaster && ui.isMoving && range[0] < range[1]
      ? html`<button type="button" class="icon-button drag" aria-label=${say("orderMove", { who: slotName(slot, ui.people) })} @keydown=${keyed} @pointerdown=${(/** @type {PointerEvent & { currentTarget: HTMLElement }} */ event) => drag(event, place, range, to)}>${icon("grip-vertical")}</button>`
      : nothing;
  const rank = isNow
    ? html`<span class="is-now">${say(state.asked ? "fight.isThrowing" : "fight.isNow")}</span>`
    : html`<span class="rank">${rankShown(slot, initiative)}</span>`;
  const note = isNow ? say("orderNow") : slot.done ? say("orderDone") : "";
  const who = person
    ? row(person, {
        game,
        state: health(person, game),
        below: nothing,
        right: rank,
        act: isMaster ? () => (slot.who ? act.openPerson(person.id) : act.giveTurn(slot)) : null,
      })
    : html`<button type="button" class="person-row" data-who="" ?disabled=${!isMaster} @click=${() => act.giveTurn(slot)}>${slot.who ? face({ name: slot.who, kind: slot.side === "player" ? "player" : "person" }, { rim: "never" }) : seat()}<span class="person-what"><b class="may-cut">${slotName(slot, ui.people)}</b></span><span class="person-right">${rank}</span></button>`;
  return html`<li class="turn-row" aria-current=${isNow ? "true" : nothing} ?data-current=${isNow} ?data-done=${slot.done} ?data-guess=${!slot.who} data-slot=${slot.id}><span class="place" role="img" aria-label=${note || String(place + 1)}>${isNow ? icon("chevron-right") : slot.done ? icon("check") : place + 1}</span>${who}${handle}</li>`;
}

/** @param {string} id @param {string} title @param {string} more @param {boolean | null} isChosen @param {() => void} press @param {string} [sign] */
const choice = (id, title, more, isChosen, press, sign = "") =>
  html`<button type="button" class="open-row two" data-choice=${id} aria-pressed=${isChosen === null ? nothing : String(isChosen)} @click=${press}>${sign ? icon(sign) : html`<span></span>`}<span><b>${title}</b>${more ? html`<small>${more}</small>` : nothing}</span>${isChosen ? icon("check") : nothing}</button>`;

/** What lies behind the rows and buttons of the tab. */
export const FIGHT_SHEETS = {
  "fight.begin": beginSheet,
  "fight.skill": skillSheet,
  "fight.dice": diceSheet,
  "fight.add": addSheet,
  "fight.more": moreSheet,
  "fight.give": giveSheet,
};

/** @param {PhoneSeen} seen @returns {Sheet} */
function skillSheet({ ui, act, game }) {
  const names = game.characters.initiative;
  return {
    title: say("fight.throws"),
    body: html`<div>${["", ...names].map((one) => choice(one || "usual", one || say("fight.usual"), skillWords(one, names), ui.fightSkill === one, () => act.settleFight({ fightSkill: one })))}</div>`,
  };
}

/** @param {PhoneSeen} seen @returns {Sheet} */
function diceSheet({ ui, act }) {
  return {
    title: say("fight.othersDice"),
    body: html`<div>${[false, true].map((byTable) => choice(byTable ? "table" : "tray", say(byTable ? "fight.byTable" : "fight.inTray"), say(byTable ? "fight.byTableMore" : "fight.inTrayMore"), ui.byTable === byTable, () => act.settleFight({ byTable })))}</div>`,
  };
}

/** A place by hand: who, and the rank by taps, or from the last roll. @param {PhoneSeen} seen @returns {Sheet} */
function addSheet(seen) {
  const { state, ui, act, game } = seen;
  const { numbers, slots } = state.initiative;
  const free = here(seen).filter((one) => !slots.some((slot) => slot.acts === one.id));
  const { who, side, rank } = ui.place;
  const person = free.find((one) => one.id === who);
  const last = state.roll?.sure && !state.roll.hidden ? state.roll : null;
  const sideNow = person ? (isHero(person) ? "player" : "npc") : side;
  /** @type {Sends<"/api/initiative">} */
  const body = { do: "add", side: sideNow, ...(person && { who: person.name }) };
  const set = (/** @type {number} */ n, /** @type {number} */ value) => act.place({ rank: numbers.map((_, at) => (at === n ? value : (rank[at] ?? 0))) });
  return {
    title: say("orderAdd"),
    body: html`<div class="chips">${free.map((one) => chosenChip(one, { game, isChosen: one === person, act: () => act.place({ who: one.id }) }))}</div>
    <div class="segments" role="group" aria-label=${say("orderSide")}>${SIDES.map((value) => html`<button type="button" data-side=${value} aria-pressed=${String(!person && side === value)} @click=${() => act.place({ who: "", side: value })}>${say(`slotOf.${value}`)}</button>`)}</div>
    <div class="rank-lines">${numbers.map(
      (
        name,
        n,
      ) => html`<div class="line-row" data-number=${name}><span class="rank-name">${setOfSymbol(name) ? symbol(setOfSymbol(name), name) : nothing} ${sayOr(`orderNumbers.${name}`, name)}</span>
      <span class="number-steps"><button type="button" class="step" aria-label=${say("trackerLess", { title: sayOr(`orderNumbers.${name}`, name) })} ?disabled=${!(rank[n] > 0)} @click=${() => set(n, rank[n] - 1)}>${icon("minus")}</button><output class="code-number">${rank[n] ?? 0}</output><button type="button" class="step" aria-label=${say("trackerMore", { title: sayOr(`orderNumbers.${name}`, name) })} ?disabled=${(rank[n] ?? 0) >= (MOST_OF[name] ?? MOST_NUMBER)} @click=${() => set(n, (rank[n] ?? 0) + 1)}>${icon("plus")}</button></span></div>`,
    )}</div>
    <div class="foot-acts">${person ? html`<button type="button" class="primary large" id="place-call" @click=${() => act.callLater(person)}>${icon("dices")} <span class="may-cut">${say("fight.callOne", { who: person.name })}</span></button>` : nothing}
      <button type="button" class=${person ? "large" : "primary large"} id="place-add" @click=${() => act.addPlace({ ...body, rank: numbers.map((_, n) => rank[n] ?? 0) })}>${say("fight.place", { who: person?.name ?? say(`slotOf.${side}`) })}</button>
      <button type="button" class="large" id="place-roll" ?disabled=${!last} @click=${() => last && act.addPlace({ ...body, roll: last.id })}>${say("orderRoll")}</button></div>`,
  };
}

/** All else of the order: the turn before, waiting, which side is first, who leaves. @param {PhoneSeen} seen @returns {Sheet} */
function moreSheet({ state, act, ui }) {
  const { initiative } = state;
  const { slots, back } = initiative;
  const waits = slots.filter((slot) => !slot.done).length > 1;
  return {
    title: roundWords(initiative),
    body: html`<div>${back === null ? nothing : choice("back", say("fight.back"), say("fight.backMore"), null, () => act.backTurn(back), "undo-2")}
    ${waits ? choice("delay", say("orderDelay"), say("fight.delayMore"), null, () => act.turnDone({ do: "delay" }), "hourglass") : nothing}
    ${choice("other", say("now.oneMore"), "", null, act.callAnybody, "dices")}
    ${choice("move", say(ui.isMoving ? "fight.moved" : "fight.move"), "", null, act.moves, "grip-vertical")}
    ${choice("add", say("orderAdd"), "", null, () => act.sheet("fight.add"), "plus")}
    ${initiative.sides_choose ? SIDES.map((side) => choice(`first-${side}`, say(`orderFirst.${side}`), "", initiative.players_first === (side === "player"), () => act.turnDone({ do: "first", side }), "users-round")) : nothing}
    ${choice("end", say("orderClear"), say("fight.endMore"), null, act.endFight, "flag")}</div>
    <h3>${say("fight.leaves")}</h3><ul class="leave-list">${slots.map((slot) => html`<li class="line-row"><span class="may-cut">${slotName(slot, ui.people)}</span>${initiative.by_side && slot.who && slot.side === "player" ? html`<button type="button" class="slot-free" aria-label=${`${say("slotFree")}: ${slotName(slot, ui.people)}`} @click=${() => act.turn({ do: "claim", slot: slot.id, who: "" })}>${say("slotFree")}</button>` : nothing}<button type="button" class="icon-button slot-remove" aria-label=${say("fight.remove", { who: slotName(slot, ui.people) })} @click=${() => act.turn({ do: "remove", slot: slot.id })}>${icon("x")}</button></li>`)}</ul>`,
  };
}

/** Who takes a turn of the players: those who have none come first. @param {PhoneSeen} seen @param {string} slot */
function givenTo(seen, slot) {
  const { act, game, state } = seen;
  const has = (/** @type {Person} */ one) => state.initiative.slots.some((other) => other.acts === one.id);
  const heroes = here(seen)
    .filter((one) => isHero(one) && mayTake(one, state.initiative))
    .sort((a, b) => Number(has(a)) - Number(has(b)));
  return html`<ul class="person-list">${heroes.map((one) => html`<li>${row(one, { game, state: one.role, below: nothing, act: () => act.turnDone({ do: "claim", slot, who: one.name }) })}</li>`)}</ul>`;
}

/** @param {PhoneSeen} seen @returns {Sheet} */
function giveSheet(seen) {
  return { title: say("whoActs"), body: givenTo(seen, seen.ui.givenSlot) };
}

/** Who may take the turn that is on, where it is nobody's yet. @param {PhoneSeen} seen */
export const givesTurn = (seen) => givenTo(seen, /** @type {string} */ (seen.state.initiative.current));

/** @type {{ who: string, side: Slot["side"], rank: number[] }} */
const NO_PLACE = { who: "", side: "npc", rank: [] };

/**
 * What the tab begins with.
 * @type {{ leftOut: string[], fightSkill: string, byTable: boolean, place: typeof NO_PLACE, givenSlot: string, isMoving: boolean }}
 */
export const NEW_FIGHT = { leftOut: [], fightSkill: "", byTable: false, place: NO_PLACE, givenSlot: "", isMoving: false };

/** What the tab does. `page` tells what is seen now and follows. @param {PhonePage} page */
export function fightActs(page) {
  const { store } = page;
  const turn = (/** @type {Sends<"/api/initiative">} */ body) => change("/api/initiative", body);
  const act = {
    settleFight: (/** @type {Partial<PhoneUi>} */ part) => page.act.sheet("fight.begin", part),
    leaveOut: (/** @type {{ id: string }} */ person) =>
      store.set({ leftOut: store.ui.leftOut.includes(person.id) ? store.ui.leftOut.filter((id) => id !== person.id) : [...store.ui.leftOut, person.id] }),
    /** @param {{ id: string }[]} people */
    async callFight(people) {
      const { fightSkill, byTable } = store.ui;
      const isCalled = await turn({
        do: "call",
        who: people.map((one) => one.id),
        ...(fightSkill && { skill: fightSkill }),
        ...(byTable && { by_table: true }),
      });
      if (isCalled) closeSheet();
      if (isCalled) store.set({ draft: { ...NEW_DRAFT, isEmpty: true } }); // what was put together was no part of the fight
      return isCalled;
    },
    /** Who joins later is called as all others were, and has a place by the throw. @param {{ id: string }} person */
    async callLater(person) {
      if (await act.callFight([person])) store.set({ place: { ...NO_PLACE, side: store.ui.place.side } });
    },
    /** @param {Told["EntrantTold"]} one */
    async callFirst({ who, name }) {
      const { contest } = store.state;
      if (contest) await change("/api/ask", { contest: contest.id, who: who || name });
    },
    /** The one who is called has no place; whoever waits is called next. @param {Told["EntrantTold"][]} waiting */
    skipThrow([, next, ...rest]) {
      const { contest } = store.state;
      const named = (/** @type {Told["EntrantTold"]} */ one) => one.who || one.name;
      return change("/api/ask", next && contest ? { contest: contest.id, who: named(next), others: (rest.length > 0 ? rest : [next]).map(named) } : {}); // nobody named would be all who wait
    },
    turn,
    /** @param {Sends<"/api/initiative">} body */
    async turnDone(body) {
      if (await turn(body)) closeSheet();
    },
    /** Let the rows be moved, or no more. */
    moves() {
      store.set({ isMoving: !store.ui.isMoving });
      closeSheet();
    },
    takeOff: (/** @type {string} */ id) => change("/api/now/pass", { name: "throw", call: id }),
    /** @param {number} number */
    async backTurn(number) {
      if (await undoChange(number)) closeSheet();
    },
    async endFight() {
      if (await askFirst(say("fight.endAsk"), say("orderClear"))) turn({ do: "clear" });
    },
    giveTurn: (/** @type {Slot} */ slot) => page.act.sheet("fight.give", { givenSlot: slot.id }),
    place: (/** @type {Partial<typeof NO_PLACE>} */ part) => store.set({ place: { ...store.ui.place, ...part } }),
    /** @param {Sends<"/api/initiative">} body */
    async addPlace(body) {
      if (await turn(body)) store.set({ place: { ...NO_PLACE, side: store.ui.place.side } });
    },
  };
  return act;
}
