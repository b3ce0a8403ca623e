// The tab of everybody in the scene: who they are and how they are. A row opens the card in full.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { tell } from "../aloud.js";
import { isDie } from "../dice.js";
import { icon } from "../draw/icon.js";
import { capital, full, gaugeAfter, gaugesOf, keyOf, row, smallDice, statesOf, stepper, upright } from "../part/card.js";
import { bringIn, opponentsLeft } from "../part/ready.js";
import { askFirst, closeSheet, isShown } from "../part/sheet.js";
import { plainSaid } from "../said.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { actButtons, careButtons } from "./acts.js";
import { joinsWords } from "./joins.js";
import { editPerson, keptPerson, newPerson, readyCards } from "./person.js";

/** @typedef {Anybody & { id: string }} Somebody */

const FOLD_FROM = 12; // so many in the scene stand open

/** Draw the tab. @param {PhoneSeen} seen */
export function castTab(seen) {
  const { ui, act, game, mayChange } = seen;
  const here = ui.people.filter((one) => one.game === game.name);
  const [heroes, others] = [here.filter((one) => one.kind === "player"), here.filter((one) => one.kind !== "player")];
  const ready = mayChange ? opponentsLeft(game, ui.people) : [];
  return html`<div class="title-row"><h2>${say("tab.cast")}</h2>${mayChange ? html`<button type="button" class="icon-button raised" id="add-person" aria-label=${say("cast.new")} @click=${() => act.newPerson("player")}>${icon("plus")}</button>` : nothing}</div>
    ${heroes.length === 0 && mayChange ? nobody(seen) : nothing}
    ${list(heroes, seen)}
    ${others.length + ready.length > 0 ? html`<h3>${say("cast.against")}</h3>` : nothing}${list(others, seen)}
    ${ready.length > 0 ? html`<div class="ready-others" role="group" aria-label=${say("cast.against")}>${ready.map((one) => upright(one, { game, isChosen: false, act: () => act.bringIn(one) }))}</div>` : nothing}
    ${here.length === 0 ? nothing : actButtons(seen, null)}`;
}

/** Before anybody is there: four heroes to bring in, and the ways to make one's own. @param {PhoneSeen} seen */
function nobody({ game, act }) {
  return html`<p class="quiet">${say("cast.nobody")}</p>${readyCards(game, act.bringIn)}
    <button type="button" class="open-row two" id="make-own" @click=${() => act.newPerson("player")}>${icon("user-plus")}<span><b>${say("cast.makeOwn")}</b><small>${say("cast.makeOwnMore")}</small></span>${icon("chevron-right")}</button>
    <button type="button" class="open-row" id="make-others" @click=${() => act.newPerson("group")}>${icon("users-round")}<b>${say("cast.others")}</b>${icon("chevron-right")}</button>
    <button type="button" class="primary large" id="bring-all" @click=${() => act.bringIn(...game.ready.heroes)}>${say("cast.bringAll")}</button>`;
}

/** @param {Person[]} people @param {PhoneSeen} seen */
function list(people, seen) {
  if (people.length === 0) return nothing;
  const rows = (/** @type {Person[]} */ some) =>
    html`<ul class="person-list">${repeat(
      some,
      (one) => one.id,
      (one) =>
        html`<li data-person=${one.name}>${row(one, { game: seen.game, state: stateOf(one), right: onceDice(one), act: () => seen.act.openPerson(one.id) })}</li>`,
    )}</ul>`;
  const rest = people.slice(FOLD_FROM);
  return html`${rows(people.slice(0, FOLD_FROM))}${rest.length === 0 ? nothing : html`<details><summary>${say("moreOf", { n: rest.length })}</summary>${rows(rest)}</details>`}`;
}

/** What somebody is and is in. @param {Person} person */
function stateOf(person) {
  return [person.role, person.kind === "group" ? say("people.groupOf", { n: person.members, left: person.left }) : ""].filter(Boolean).join(", ");
}

/** The dice that wait for this one's next roll. @param {Person} person */
function onceDice(person) {
  /** @type {Counts} */
  const found = {};
  for (const one of (person.states ?? []).filter((state) => state.once && !state.for_allies)) {
    for (const [name, count] of Object.entries(one.ask)) if (isDie(name)) found[name] = (found[name] ?? 0) + /** @type {number} */ (count);
  }
  return Object.keys(found).length > 0 ? smallDice(found) : nothing;
}

/** What the tab does. `page` tells what is seen now and follows. @param {PhonePage} page */
export function castActs(page) {
  const { store } = page;
  const tracker = async (/** @type {Somebody} */ person, /** @type {Gauge} */ one, /** @type {number} */ by) => {
    const told = gaugeAfter(person, page.seen().game, one, by);
    const done = await change("/api/people", { do: "change", person: { id: person.id, trackers: { [one.tracker.name]: { change: by } } } });
    if (done) tell(told);
    return done;
  };
  const edit = (/** @type {DraftPerson} */ person) => {
    const { game, ui } = page.seen();
    editPerson(person, {
      game,
      people: ui.people,
      save: async (/** @type {DraftPerson[]} */ forms, /** @type {boolean} */ isNew) => {
        const [person, ...others] = forms;
        return Boolean(await change("/api/people", isNew ? { do: "add", person, others } : { do: "change", person }));
      },
    });
  };
  const act = {
    tracker,
    /** Bring in ready heroes; who is there already stays one. @param {Hero[]} heroes */
    bringIn(...heroes) {
      const { ui, game } = page.seen();
      return bringIn(heroes, ui.people, game.name);
    },
    newPerson: (/** @type {Told["PersonKind"]} */ kind) =>
      edit(
        /** @type {DraftPerson} */ (
          newPerson(
            page.seen().game,
            page.seen().ui.people.filter((one) => one.game === page.seen().game.name),
            kind,
          )
        ),
      ),
    edit: (/** @type {Person} */ person) => edit(Object.assign({ ...person }, { left: undefined })),
    /** Go on where the page was left. */
    editKept() {
      const kept = keptPerson();
      if (kept && kept.game === page.seen().game.name) edit(kept);
    },
    openPerson: (/** @type {string} */ id) => page.act.sheet("person", { opened: id }),
    /** Put on and take off what lasts on somebody. */
    states: (/** @type {{ id: string }} */ person) => page.act.sheet("states", { opened: person.id }),
    morePerson: (/** @type {{ id: string }} */ person) => page.act.sheet("person.more", { opened: person.id }),
    /** A second tap before the table answers begins with what the first one said. @param {{ id: string, states?: Lasting[] }} person @param {Lasting} state */
    setState(person, state, { isOver = false } = {}) {
      const lasting = new Map((person.states ?? []).map((one) => [keyOf(one), one])).set(keyOf(state), state);
      if (isOver) lasting.delete(keyOf(state));
      store.set({ people: store.ui.people.map((one) => (one.id === person.id ? { ...one, states: [...lasting.values()] } : one)) });
      if (isShown("states")) page.act.sheet("states"); // at once: the next tap goes on from here
      return change("/api/people", { do: "change", person: { id: person.id, ...(isOver ? { ends: [keyOf(state)] } : { begins: [state] }) } });
    },
    /** @param {Somebody} person @param {LastingShown} one */
    endState(person, one) {
      if (one.gauge) return tracker(person, one.gauge, one.gauge.tracker.default - one.gauge.value);
      return one.state && act.setState(person, one.state, { isOver: true });
    },
    /** Better somebody: do it, or ask for its throw. @param {Care} one */
    async care(one) {
      if (await (one.act ? change("/api/acts", { act: one.act, who: one.whom.id }) : page.seen().act.call(/** @type {Sends<"/api/ask">} */ (one.call))))
        if (!one.act) closeSheet();
    },
    newRound: () => change("/api/acts", { act: "round" }),
    copy: (/** @type {{ id: string }} */ person) => change("/api/people", { do: "copy", person: { id: person.id }, count: 1 }),
    /** @param {Person} person */
    async removePerson(person) {
      if (await askFirst(say("people.removeAsk", { name: person.name }), say("people.remove")))
        change("/api/people", { do: "remove", person: { id: person.id } });
    },
  };
  return act;
}

/** @type {Lasting["until"][]} */
const UNTIL = ["turn", "next", "round", "next_round", "scene", "evening"];
const SWITCH = 2; // steps of a tracker that is on or off

/** What may last on somebody: what the game has ready, what is on already, and its switches. Each on or off by a tap, with how long. @param {Person} person @param {PhoneSeen} seen */
function stateChoices(person, { game, act }) {
  const on = new Map(person.states.map((one) => [keyOf(one), one]));
  const known = new Map([...game.ready.states.map((one) => /** @type {const} */ ([one.name, one])), ...[...on].filter(([, one]) => one.until)]);
  const switches = gaugesOf(person, game).filter((one) => one.tracker.steps.length === SWITCH);
  const held = statesOf(person, game);
  const line = (
    /** @type {string} */ name,
    /** @type {string} */ title,
    /** @type {string} */ more,
    /** @type {boolean} */ isOn,
    /** @type {() => void} */ press,
  ) =>
    html`<button type="button" class="open-row two" data-state=${name} aria-pressed=${String(isOn)} @click=${press}>${icon(isOn ? "circle-check" : "circle-plus")}<span><b>${title}</b><small>${more}</small></span>${isOn ? icon("check") : nothing}</button>`;
  return html`<ul class="state-choices">${[...known.values()].map((one) => {
    const mine = on.get(one.name);
    return html`<li>${line(one.name, plainSaid(one.name), plainSaid(one.words) || joinsWords(one, game), Boolean(mine), () => act.setState(person, one, { isOver: Boolean(mine) }))}
      ${
        mine
          ? html`<div class="segments" role="group" aria-label=${say("state.howLong")}>${UNTIL.map(
              (until) =>
                html`<button type="button" data-until=${until} aria-pressed=${String(until === mine.until)} @click=${() =>
                  until !== mine.until && act.setState(person, { ...mine, until })}>${say(`until.${until}`)}</button>`,
            )}</div>`
          : nothing
      }</li>`;
  })}${switches.map((gauge) => html`<li>${line(gauge.tracker.name, capital(plainSaid(gauge.tracker.steps[1].replaceAll("_", " "))), gauge.tracker.title, held.some((one) => one.gauge?.tracker.name === gauge.tracker.name) || gauge.value > 0, () => act.tracker(person, gauge, gauge.value > 0 ? -gauge.value : 1))}</li>`)}</ul>`;
}

/** What is seldom wanted of somebody: all gauges, notes, acts, and away with them. @param {Person} person @param {PhoneSeen} seen */
function moreOf(person, seen) {
  const { act, game, mayChange } = seen;
  return html`<ul class="steppers">${gaugesOf(person, game).map((one) => stepper(one, (gauge, by) => act.tracker(person, gauge, by), mayChange))}</ul>
    ${person.notes ? html`<p class="notes">${person.notes}</p>` : nothing}${actButtons(seen, person)}
    <div class="acts"><button type="button" class="remove-person" @click=${() => act.removePerson(person)}>${icon("trash-2")} ${say("people.remove")}</button></div>`;
}

const ofOpened = (/** @type {(person: Person, seen: PhoneSeen) => Sheet} */ draw) => (/** @type {PhoneSeen} */ seen) => {
  const person = seen.ui.people.find((one) => one.id === seen.ui.opened);
  return person && draw(person, seen);
};
/** The sheets of whoever is opened. */
export const CAST_SHEETS = {
  person: ofOpened((person, seen) => ({ title: say("person.card"), body: fullOf(person, seen) })),
  "person.more": ofOpened((person, seen) => ({ title: person.name, body: moreOf(person, seen) })),
  states: ofOpened((person, seen) => ({ title: person.name, body: stateChoices(person, seen) })),
};

/** @param {Person} person @param {PhoneSeen} seen */
function fullOf(person, seen) {
  const { game, act, mayChange } = seen;
  const roll = (/** @type {Told["Skill"] | Told["Weapon"]} */ one, /** @type {boolean} */ isSkill) => {
    closeSheet();
    act.rollWith(person, one, isSkill);
  };
  return full(person, {
    game,
    mayChange,
    cares: mayChange
      ? careButtons(
          (person.cares ?? []).map((one) => ({ ...one, whom: person, shown: one.by })),
          seen,
        )
      : [],
    whose: person.phone ? say("person.hasPhone") : "",
    act: mayChange
      ? {
          roll,
          tracker: (one, by) => act.tracker(person, one, by),
          more: () => act.morePerson(person),
          names: seen.ui.people.map((one) => one.name),
          states: () => act.states(person),
          endState: (one) => act.endState(person, one),
          newRound: seen.isMaster && seen.state.initiative.slots.length === 0 ? act.newRound : null, // an order passes its rounds by itself
          edit: () => act.edit(person),
          copy: () => act.copy(person),
        }
      : {},
  });
}
