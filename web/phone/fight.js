// The tab of a fight: who takes part, who throws for the order, then whose turn it is. All of it is made of cards.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { symbol } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { chosenChip, face, isOut, row, smallDice, throwsOf } from "../part/card.js";
import { askFirst, closeSheet } from "../part/sheet.js";
import { nextSlot, personOf, partWords, placeWords, rankShown, roundWords, seat, slotName, turnEnd } from "../part/turns.js";
import { manyOf, say, sayOr } from "../strings.js";
import { change } from "../talk.js";
import { undoChange } from "../undo.js";
import { drag, freedom, moveTo } from "./drag.js";
import { mineOf } from "./me.js";

const SIDES = ["player", "npc"];
const MOST_OF = { dice: 12, pips: 2, movement: 1 }; // of a rank that is tapped
const MOST_NUMBER = 30;

/** Draw the tab. */
export function fightTab(seen) {
  const { state } = seen;
  if (state.contest?.initiative && state.asked?.contest === state.contest.id) return throwing(seen);
  return state.initiative.slots.length > 0 ? order(seen) : before(seen);
}

const isHero = (person) => person.kind === "player";
const here = ({ ui, game }) => ui.people.filter((one) => one.game === game.name);

/** "3 of 4 standing" of a group that stands */
const standing = ({ kind, left, members }) => (kind === "group" && left > 0 ? say("fight.standing", { n: left, of: members }) : "");

/** Whom a fight is begun with: all who can act, without those who were left out. */
const wanted = (seen) => here(seen).filter((one) => !isOut(one, seen.game) && !seen.ui.leftOut.includes(one.id));

function before(seen) {
  const { ui, act, game, isMaster } = seen;
  const people = here(seen);
  const [heroes, others] = [people.filter(isHero), people.filter((one) => !isHero(one))];
  const title = html`<div class="title-row"><h2>${say("tab.fight")}</h2></div>`;
  if (!isMaster) return html`${title}<p class="quiet">${say("orderNone")}</p>`;
  if (people.length === 0)
    return html`${title}<p class="quiet">${say("fight.nobody")}</p><button type="button" class="open-row" id="fight-cast" @click=${act.toCast}>${icon("users-round")}<b>${say("tab.cast")}</b>${icon("chevron-right")}</button>`;
  const chosen = wanted(seen);
  const chips = (some) => some.map((one) => chosenChip(one, { game, isChosen: chosen.includes(one), act: () => act.leaveOut(one) }));
  const names = game.characters.initiative;
  const setting = (name, sign, text, more, value) =>
    html`<button type="button" class="open-row two" id=${`fight-${name}`} @click=${() => act.sheet(`fight.${name}`)}>${icon(sign)}<span><b>${text}</b><small>${more}</small></span><span class="quiet">${value}</span>${icon("chevron-right")}</button>`;
  return html`${title}<p class="quiet">${say("fight.who")}</p>
    ${heroes.length > 0 ? html`<h3>${say("fight.heroes")}</h3><div class="chips">${chips(heroes)}</div>` : nothing}
    <h3>${say("cast.against")}</h3><div class="chips">${chips(others)}<button type="button" class="chip outlined" id="fight-add" @click=${() => act.newPerson("person")}>${icon("plus")}${say("fight.somebody")}</button></div>
    <div>${names.length > 1 ? setting("skill", "zap", say("fight.throws"), skillWords(ui.fightSkill, names), ui.fightSkill || say("fight.usual")) : nothing}
      ${names.length > 0 ? setting("dice", "dices", say("fight.othersDice"), say(ui.byTable ? "fight.byTableMore" : "fight.inTrayMore"), say(ui.byTable ? "fight.byTable" : "fight.inTray")) : nothing}</div>
    <div class="foot-acts"><button type="button" class="primary large" id="fight-call" ?disabled=${chosen.length === 0} @click=${() => act.callFight(chosen)}>${icon("dices")} ${say(names.length > 0 ? "fight.everyone" : "fight.begin")}</button>
      <button type="button" class="large" id="fight-by-hand" @click=${() => act.sheet("fight.add")}>${say("fight.byHand")}</button></div>`;
}

const skillWords = (chosen, names) => (chosen ? sayOr(`fight.when.${chosen.toLowerCase()}`, chosen) : say("fight.usualMore", { names: names.join(", ") }));

/** Initiative is thrown: who has, who does now, who comes next. */
function throwing(seen) {
  const { state, ui, act, game, isMaster, mayChange } = seen;
  const { contest, asked, call, initiative } = state;
  const find = (id) => ui.people.find((one) => one.id === id);
  const now = find(asked.who);
  const waiting = [...contest.waiting].sort((a, b) => Number(b.who === asked.who) - Number(a.who === asked.who));
  const done = initiative.slots;
  const line = (person, name, place, right, isNow, press) =>
    html`<li class="turn-row" ?data-current=${isNow}><span class="place">${place}</span>${person ? row(person, { game, state: standing(person), below: nothing, right, act: press }) : html`<b class="may-cut">${name}</b>${right}`}</li>`;
  return html`<div class="title-row"><h2>${say("fight.initiative")}</h2><span class="quiet">${say("fight.thrown", { n: done.length, of: done.length + waiting.length })}</span></div>
    <div class="throws-now" id="throws-now">${now ? face(now, { game }) : seat()}<div><h3 class="may-cut">${say("fight.nowThrows", { who: asked.player, n: manyOf(now) })}</h3><p>${call ? smallDice(call.dice) : nothing}<span class="quiet">${asked.skill}</span></p></div></div>
    <ol class="turn-list">${repeat(
      done,
      (slot) => slot.id,
      (slot) =>
        line(
          personOf(slot, ui.people),
          slotName(slot),
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
            html`<span class=${n === 0 ? "is-now" : "quiet"}>${say(n === 0 ? "fight.now" : n === 1 ? "fight.next" : "contest.waits")}</span>${isMaster && n > 0 ? html`<span class="hidden"> ${say("fight.callFirst")}</span>` : nothing}`,
            n === 0,
            isMaster && n > 0 ? () => act.callFirst(one) : null,
          ),
      )}</ol>
    ${mayChange ? html`<div class="foot-acts two">${isMaster ? html`<button type="button" class="large" id="fight-skip" @click=${() => act.skipThrow(waiting)}><span class="may-cut">${say("fight.skip", { who: asked.player })}</span></button>` : nothing}<button type="button" class="large" id="fight-enter" @click=${act.byHand}>${say("fight.enter")}</button></div>` : nothing}`;
}

/** The order: rows of cards, the one of now with what can be thrown. */
function order(seen) {
  const { state, act, isMaster, ui } = seen;
  const { initiative } = state;
  const next = nextSlot(initiative, ui.people);
  return html`<div class="title-row"><h2>${roundWords(initiative)}</h2><span class="quiet turn-count">${placeWords(initiative)}</span>${isMaster ? html`<span class="title-acts"><button type="button" class="icon-button" id="fight-add" aria-label=${say("orderAdd")} @click=${() => act.sheet("fight.add")}>${icon("plus")}</button><button type="button" class="icon-button" id="fight-more" aria-label=${`${say("fight.initiative")}: ${say("person.more")}`} @click=${() => act.sheet("fight.more")}>${icon("ellipsis")}</button></span>` : nothing}</div>
    ${partWords(initiative) ? html`<p class="quiet part-words">${partWords(initiative)}</p>` : nothing}
    <ol class="turn-list" id="order">${repeat(
      initiative.slots,
      (slot) => slot.id,
      (slot, place) => turnRow(slot, place, seen),
    )}</ol>
    ${
      isMaster
        ? html`<button type="button" class="open-row two" id="fight-end" @click=${act.endFight}>${icon("flag")}<span><b>${say("orderClear")}</b><small>${say("fight.endMore")}</small></span>${icon("chevron-right")}</button>
      <div class="foot-acts"><button type="button" class="primary large" id="fight-next" @click=${act.nextTurn}><span class="may-cut">${next ? say("fight.nextIs", { who: slotName(next) }) : say("fight.nextPart")}</span></button></div>`
        : nothing
    }`;
}

function turnRow(slot, place, seen) {
  const { state, ui, act, game, isMaster, mayChange } = seen;
  const { initiative } = state;
  const isNow = slot.id === initiative.current;
  const person = personOf(slot, ui.people);
  const mine = mineOf(seen);
  const isFree = !slot.who && slot.side === "player";
  const range = freedom(initiative, place);
  const to = (target) => target >= range[0] && target <= range[1] && target !== place && act.turn({ do: "move", ...moveTo(initiative, place, target) });
  const keyed = (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    to(place + by);
  };
  const handle =
    isMaster && range[0] < range[1]
      ? html`<button type="button" class="icon-button drag" aria-label=${say("orderMove", { who: slotName(slot) })} @keydown=${keyed} @pointerdown=${(event) => drag(event, place, range, to)}>${icon("grip-vertical")}</button>`
      : html`<span class="no-drag"></span>`;
  const rank = html`<span class="rank">${rankShown(slot, initiative)}</span>`;
  const note = isNow ? say("orderNow") : slot.done ? say("orderDone") : "";
  const who = person
    ? row(person, { game, state: standing(person), below: nothing, right: rank, act: isMaster ? () => act.openPerson(person.id) : null })
    : html`<button type="button" class="person-row" data-who="" ?disabled=${!isMaster} @click=${() => act.giveTurn(slot)}>${slot.who ? face({ name: slot.who, kind: slot.side === "player" ? "player" : "person" }, { rim: "never" }) : seat()}<span class="person-what"><b class="may-cut">${slotName(slot)}</b></span><span class="person-right">${rank}</span></button>`;
  const takes = mayChange && !isMaster && isFree && !slot.done && mine;
  const acts = isNow && person && (isMaster || mine?.id === person.id);
  return html`<li class="turn-row" aria-current=${isNow ? "true" : nothing} ?data-current=${isNow} ?data-done=${slot.done} data-slot=${slot.id}><span class="place" role="img" aria-label=${note || String(place + 1)}>${isNow ? icon("chevron-right") : slot.done ? icon("check") : place + 1}</span>${who}${handle}
    ${takes ? html`<div class="turn-acts"><button type="button" class="chip" data-act="take" @click=${() => act.turn({ do: "claim", slot: slot.id, who: mine.name })}>${icon("hand")}${say("fight.take")}</button></div>` : nothing}
    ${acts ? html`<div class="turn-acts">${[...person.weapons, ...person.skills.map((one) => ({ ...one, isSkill: true }))].map((one) => html`<button type="button" class="chip turn-skill" data-skill=${one.name} @click=${() => (isMaster ? act.rollWith(person, one, Boolean(one.isSkill)) : act.rollMine(person, one, Boolean(one.isSkill)))}>${one.isSkill ? nothing : icon("crosshair")}<span>${one.name}</span>${throwsOf(person, one.isSkill ? one : (person.skills.find((skill) => skill.name === one.skill) ?? { name: "", ask: {} }))}</button>`)}</div>` : nothing}</li>`;
}

const choice = (id, title, more, isChosen, press, sign = "") =>
  html`<button type="button" class="open-row two" data-choice=${id} aria-pressed=${isChosen === null ? nothing : String(isChosen)} @click=${press}>${sign ? icon(sign) : html`<span></span>`}<span><b>${title}</b>${more ? html`<small>${more}</small>` : nothing}</span>${isChosen ? icon("check") : nothing}</button>`;

/** What lies behind the rows and buttons of the tab. */
export const FIGHT_SHEETS = { "fight.skill": skillSheet, "fight.dice": diceSheet, "fight.add": addSheet, "fight.more": moreSheet, "fight.give": giveSheet };

function skillSheet({ ui, act, game }) {
  const names = game.characters.initiative;
  return {
    title: say("fight.throws"),
    body: html`<div>${["", ...names].map((one) => choice(one || "usual", one || say("fight.usual"), skillWords(one, names), ui.fightSkill === one, () => act.fight({ fightSkill: one })))}</div>`,
  };
}

function diceSheet({ ui, act }) {
  return {
    title: say("fight.othersDice"),
    body: html`<div>${[false, true].map((byTable) => choice(byTable ? "table" : "tray", say(byTable ? "fight.byTable" : "fight.inTray"), say(byTable ? "fight.byTableMore" : "fight.inTrayMore"), ui.byTable === byTable, () => act.fight({ byTable })))}</div>`,
  };
}

/** A place by hand: who, and the rank by taps, or from the last roll. */
function addSheet(seen) {
  const { state, ui, act, game } = seen;
  const { numbers, slots } = state.initiative;
  const free = here(seen).filter((one) => !slots.some((slot) => slot.acts === one.id));
  const { who, side, rank } = ui.place;
  const person = free.find((one) => one.id === who);
  const last = state.roll?.sure && !state.roll.hidden ? state.roll : null;
  const sideNow = person ? (isHero(person) ? "player" : "npc") : side;
  const body = { do: "add", side: sideNow, ...(person && { who: person.name }) };
  const set = (n, value) => act.place({ rank: numbers.map((_, at) => (at === n ? value : (rank[at] ?? 0))) });
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
      <button type="button" class="large" id="place-roll" ?disabled=${!last} @click=${() => act.addPlace({ ...body, roll: last.id })}>${say("orderRoll")}</button></div>`,
  };
}

/** All else of the order: the turn before, waiting, which side is first, who leaves. */
function moreSheet({ state, act }) {
  const { initiative } = state;
  const { slots, back } = initiative;
  const waits = slots.filter((slot) => !slot.done).length > 1;
  return {
    title: roundWords(initiative),
    body: html`<div>${back === null ? nothing : choice("back", say("fight.back"), say("fight.backMore"), null, () => act.backTurn(back), "undo-2")}
    ${waits ? choice("delay", say("orderDelay"), say("fight.delayMore"), null, () => act.turnDone({ do: "delay" }), "hourglass") : nothing}
    ${initiative.sides_choose ? SIDES.map((side) => choice(`first-${side}`, say(`orderFirst.${side}`), "", initiative.players_first === (side === "player"), () => act.turnDone({ do: "first", side }), "users-round")) : nothing}</div>
    <h3>${say("fight.leaves")}</h3><ul class="leave-list">${slots.map((slot) => html`<li class="line-row"><span class="may-cut">${slotName(slot)}</span>${initiative.by_side && slot.who && slot.side === "player" ? html`<button type="button" class="slot-free" aria-label=${`${say("slotFree")}: ${slotName(slot)}`} @click=${() => act.turn({ do: "claim", slot: slot.id, who: "" })}>${say("slotFree")}</button>` : nothing}<button type="button" class="icon-button slot-remove" aria-label=${say("fight.remove", { who: slotName(slot) })} @click=${() => act.turn({ do: "remove", slot: slot.id })}>${icon("x")}</button></li>`)}</ul>`,
  };
}

/** Who takes a turn of the players: those who had none come first. */
function giveSheet(seen) {
  const { ui, act, game, state } = seen;
  const had = (one) => state.initiative.slots.some((slot) => slot.acts === one.id);
  const heroes = here(seen)
    .filter(isHero)
    .sort((a, b) => Number(had(a)) - Number(had(b)));
  return {
    title: say("whoActs"),
    body: html`<ul class="person-list">${heroes.map((one) => html`<li>${row(one, { game, state: had(one) ? say("orderDone") : one.role, below: nothing, act: () => act.turnDone({ do: "claim", slot: ui.givenSlot, who: one.name }) })}</li>`)}</ul>`,
  };
}

const NO_PLACE = { who: "", side: "npc", rank: [] };

/** What the tab begins with. */
export const NEW_FIGHT = { leftOut: [], fightSkill: "", byTable: false, place: NO_PLACE, givenSlot: "" };

/** What the tab does. `page` tells what is seen now and follows. */
export function fightActs(page) {
  const { store } = page;
  const turn = (body) => change("/api/initiative", body);
  const act = {
    fight: (part) => store.set(part),
    leaveOut: (person) =>
      store.set({ leftOut: store.ui.leftOut.includes(person.id) ? store.ui.leftOut.filter((id) => id !== person.id) : [...store.ui.leftOut, person.id] }),
    callFight(people) {
      const { fightSkill, byTable } = store.ui;
      return turn({ do: "call", who: people.map((one) => one.id), ...(fightSkill && { skill: fightSkill }), ...(byTable && { by_table: true }) });
    },
    /** Who joins later is called as all others were, and has a place by the throw. */
    async callLater(person) {
      if (!(await act.callFight([person]))) return;
      store.set({ place: { ...NO_PLACE, side: store.ui.place.side } });
      closeSheet();
    },
    callFirst: (one) => change("/api/ask", { contest: store.state.contest.id, who: one.who || one.name }),
    /** The one who is called has no place; whoever waits is called next. */
    skipThrow([, next, ...rest]) {
      const named = (one) => one.who || one.name;
      return change("/api/ask", next ? { contest: store.state.contest.id, who: named(next), others: (rest.length > 0 ? rest : [next]).map(named) } : {}); // nobody named would be all who wait
    },
    turn,
    async turnDone(body) {
      if (await turn(body)) closeSheet();
    },
    nextTurn: () => turn(turnEnd(store.state.initiative)),
    async backTurn(number) {
      if (await undoChange(number)) closeSheet();
    },
    async endFight() {
      if (await askFirst(say("fight.endAsk"), say("orderClear"))) turn({ do: "clear" });
    },
    giveTurn: (slot) => page.act.sheet("fight.give", { givenSlot: slot.id }),
    place: (part) => store.set({ place: { ...store.ui.place, ...part } }),
    async addPlace(body) {
      if (await turn(body)) store.set({ place: { ...NO_PLACE, side: store.ui.place.side } });
    },
  };
  return act;
}
