// The tab of everybody in the scene: who they are and how they are. A row opens the card in full.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { tell } from "../aloud.js";
import { isDie } from "../dice.js";
import { icon } from "../draw/icon.js";
import { capital, full, gaugeAfter, gaugesOf, row, smallDice, statesOf, stepper } from "../part/card.js";
import { bringIn } from "../part/ready.js";
import { askFirst, closeSheet, isShown } from "../part/sheet.js";
import { plainSaid, said } from "../said.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { actButtons, careButtons } from "./acts.js";
import { editPerson, keptPerson, newPerson, readyCards } from "./person.js";

const FOLD_FROM = 12; // so many in the scene stand open

/** Draw the tab. */
export function castTab(seen) {
  const { ui, act, game, mayChange } = seen;
  const here = ui.people.filter((one) => one.game === game.name);
  const [heroes, others] = [here.filter((one) => one.kind === "player"), here.filter((one) => one.kind !== "player")];
  return html`<div class="title-row"><h2>${say("tab.cast")}</h2>${mayChange ? html`<button type="button" class="icon-button raised" id="add-person" aria-label=${say("cast.new")} @click=${() => act.newPerson("player")}>${icon("plus")}</button>` : nothing}</div>
    ${heroes.length === 0 && mayChange ? nobody(seen) : nothing}
    ${list(heroes, seen)}
    ${others.length > 0 ? html`<h3>${say("cast.against")}</h3>` : nothing}${list(others, seen)}
    ${here.length === 0 ? nothing : actButtons(seen, null)}`;
}

/** Before anybody is there: four heroes to bring in, and the ways to make one's own. */
function nobody({ game, act }) {
  return html`<p class="quiet">${say("cast.nobody")}</p>${readyCards(game, act.bringIn)}
    <button type="button" class="open-row two" id="make-own" @click=${() => act.newPerson("player")}>${icon("user-plus")}<span><b>${say("cast.makeOwn")}</b><small>${say("cast.makeOwnMore")}</small></span>${icon("chevron-right")}</button>
    <button type="button" class="open-row" id="make-others" @click=${() => act.newPerson("group")}>${icon("users-round")}<b>${say("cast.others")}</b>${icon("chevron-right")}</button>
    <button type="button" class="primary large" id="bring-all" @click=${() => act.bringIn(...game.ready.heroes)}>${say("cast.bringAll")}</button>`;
}

function list(people, seen) {
  if (people.length === 0) return nothing;
  const rows = (some) =>
    html`<ul class="person-list">${repeat(
      some,
      (one) => one.id,
      (one) =>
        html`<li data-person=${one.name}>${row(one, { game: seen.game, state: stateOf(one, seen), right: carriedDice(one, seen), act: () => seen.act.openPerson(one.id) })}</li>`,
    )}</ul>`;
  const rest = people.slice(FOLD_FROM);
  return html`${rows(people.slice(0, FOLD_FROM))}${rest.length === 0 ? nothing : html`<details><summary>${say("moreOf", { n: rest.length })}</summary>${rows(rest)}</details>`}`;
}

/** What somebody is and is in. */
function stateOf(person, { state }) {
  const carried = state.people.find((one) => one.id === person.id)?.carried ?? [];
  return [
    person.role,
    person.kind === "group" ? say("people.groupOf", { n: person.members, left: person.left }) : "",
    ...carried.map((one) => said(one.said, one.words)),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The dice that were carried to this one's next roll. */
function carriedDice(person, { state }) {
  const found = {};
  for (const one of state.people.find((other) => other.id === person.id)?.carried ?? []) {
    for (const [name, count] of Object.entries(one.ask)) if (isDie(name)) found[name] = (found[name] ?? 0) + count;
  }
  return Object.keys(found).length > 0 ? smallDice(found) : nothing;
}

/** What the tab does. `page` tells what is seen now and follows. */
export function castActs(page) {
  const { store } = page;
  const tracker = async (person, one, by) => {
    const told = gaugeAfter(person, page.seen().game, one, by);
    const done = await change("/api/people", { do: "change", person: { id: person.id, trackers: { [one.tracker.name]: { change: by } } } });
    if (done) tell(told);
    return done;
  };
  const edit = (person) => {
    const { game, ui } = page.seen();
    editPerson(person, {
      game,
      people: ui.people,
      save: async (forms, isNew) => {
        for (const form of forms) if (!(await change("/api/people", { do: isNew ? "add" : "change", person: form }))) return false;
        return true;
      },
    });
  };
  const act = {
    tracker,
    /** Bring in ready heroes; who is there already stays one. */
    bringIn(...heroes) {
      const { ui, game } = page.seen();
      return bringIn(heroes, ui.people, game.name);
    },
    newPerson: (kind) =>
      edit(
        newPerson(
          page.seen().game,
          page.seen().ui.people.filter((one) => one.game === page.seen().game.name),
          kind,
        ),
      ),
    edit: (person) => edit({ ...person, left: undefined }),
    /** Go on where the page was left. */
    editKept() {
      const kept = keptPerson();
      if (kept && kept.game === page.seen().game.name) edit(kept);
    },
    openPerson: (id) => page.act.sheet("person", { opened: id }),
    /** Put on and take off what lasts on somebody. */
    states: (person) => page.act.sheet("states", { opened: person.id }),
    morePerson: (person) => page.act.sheet("person.more", { opened: person.id }),
    /** A second tap before the table answers begins with what the first one said. */
    setState(person, state, { isOver = false } = {}) {
      const lasting = new Map(person.states.map((one) => [one.name, one])).set(state.name, state);
      if (isOver) lasting.delete(state.name);
      store.set({ people: store.ui.people.map((one) => (one.id === person.id ? { ...one, states: [...lasting.values()] } : one)) });
      if (isShown("states")) page.act.sheet("states"); // at once: the next tap goes on from here
      return change("/api/people", { do: "change", person: { id: person.id, ...(isOver ? { ends: [state.name] } : { begins: [state] }) } });
    },
    endState(person, one) {
      if (one.gauge) return tracker(person, one.gauge, one.gauge.tracker.default - one.gauge.value);
      return act.setState(person, one.state, { isOver: true });
    },
    /** Better somebody: do it, or ask for its throw. */
    async care(one) {
      if (await (one.act ? change("/api/acts", { act: one.act, who: one.whom.id }) : page.seen().act.call(one.call))) if (!one.act) closeSheet();
    },
    copy: (person) => change("/api/people", { do: "copy", person: { id: person.id }, count: 1 }),
    async removePerson(person) {
      if (await askFirst(say("people.removeAsk", { name: person.name }), say("people.remove")))
        change("/api/people", { do: "remove", person: { id: person.id } });
    },
  };
  return act;
}

const UNTIL = ["turn", "next", "round", "scene"];
const SWITCH = 2; // steps of a tracker that is on or off

/** What may last on somebody: what the game has ready, what is on already, and its switches. Each on or off by a tap, with how long. */
function stateChoices(person, { game, act }) {
  const on = new Map(person.states.map((one) => [one.name, one]));
  const known = new Map([...game.ready.states.map((one) => [one.name, one]), ...on]);
  const switches = gaugesOf(person, game).filter((one) => one.tracker.steps.length === SWITCH);
  const held = statesOf(person, game);
  const line = (name, title, more, isOn, press) =>
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

/** What answers join the calls, and those against this one, by the titles of the form. */
function joinsWords({ ask, against, near = {}, afar = {} }, game) {
  const title = (name) => game.form.find((field) => field.name === name)?.title ?? name;
  const words = (answers) =>
    Object.entries(answers)
      .map(([name, value]) => (value === true ? title(name) : `${title(name)} ${plainSaid(String(value).replaceAll("_", " "))}`))
      .join(", ");
  const met = Object.entries({ against, near, afar }).filter(([, answers]) => Object.keys(answers).length > 0);
  return [words(ask), ...met.map(([name, answers]) => say(`met.${name}`, { what: words(answers) }))].filter(Boolean).join("; ");
}

/** What is seldom wanted of somebody: all gauges, notes, acts, and away with them. */
function moreOf(person, seen) {
  const { act, game, mayChange } = seen;
  return html`<ul class="steppers">${gaugesOf(person, game).map((one) => stepper(one, (gauge, by) => act.tracker(person, gauge, by), mayChange))}</ul>
    ${person.notes ? html`<p class="notes">${person.notes}</p>` : nothing}${actButtons(seen, person)}
    <div class="acts"><button type="button" class="remove-person" @click=${() => act.removePerson(person)}>${icon("trash-2")} ${say("people.remove")}</button></div>`;
}

const ofOpened = (draw) => (seen) => {
  const person = seen.ui.people.find((one) => one.id === seen.ui.opened);
  return person && draw(person, seen);
};
/** The sheets of whoever is opened. */
export const CAST_SHEETS = {
  person: ofOpened((person, seen) => ({ title: say("person.card"), body: fullOf(person, seen) })),
  "person.more": ofOpened((person, seen) => ({ title: person.name, body: moreOf(person, seen) })),
  states: ofOpened((person, seen) => ({ title: person.name, body: stateChoices(person, seen) })),
};

function fullOf(person, seen) {
  const { game, act, mayChange } = seen;
  const roll = (one, isSkill) => {
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
          edit: () => act.edit(person),
          copy: () => act.copy(person),
        }
      : {},
  });
}
