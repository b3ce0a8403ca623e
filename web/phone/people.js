// The tab of everybody and everything in the scene: how they are, what they can do, and how they are changed.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { isDie } from "../dice.js";
import { icon } from "../draw/icon.js";
import { said } from "../said.js";
import { say } from "../strings.js";
import { actButtons } from "./acts.js";
import { face, gauge, gaugesOf, smallDice, steppers, throwsOf } from "./pieces.js";

const MOST_GAUGES = 2; // of a row that is closed
const MOST_FIGURES = 12;
const COPIES = [1, 2, 3, 4, 5];

/** Draw the tab. */
export function peopleTab(seen) {
  const { ui, act, game } = seen;
  const here = ui.people.filter((one) => one.game === game.name);
  const [players, others] = [here.filter((one) => one.kind === "player"), here.filter((one) => one.kind !== "player")];
  return html`<div class="title-row"><h2>${say("tab.people")}</h2><button type="button" class="icon-button" id="add-person" aria-label=${say("people.add")} @click=${() => act.edit(null)}>${icon("plus")}</button></div>
    ${here.length === 0 ? html`<p class="quiet">${say("people.none")}</p>` : nothing}
    ${here.length === 0 ? nothing : actButtons(seen, null)}
    ${list(players, seen)}${list(others, seen)}
    <details class="people-more"><summary>${say("people.files")}</summary><div class="acts">
      <button type="button" id="export-people" ?disabled=${here.length === 0} @click=${() => act.exportPeople(here)}>${say("people.export")}</button>
      <label class="file-button">${say("people.import")}<input type="file" id="import-people" accept=".json,application/json" @change=${(event) => act.importPeople(event.target)}></label></div>
      <p class="quiet">${say("people.sameName")}</p></details>`;
}

const list = (people, seen) => (people.length === 0 ? nothing : html`<ul class="person-list">${repeat(people, (one) => one.id, (one) => personRow(one, seen))}</ul>`);

function personRow(person, seen) {
  const { ui, act, game } = seen;
  const isOpen = ui.opened === person.id;
  const gauges = gaugesOf(person, game);
  const shown = gauges.filter((one) => one.limit !== null || one.value > 0).sort((a, b) => Number(b.limit !== null) - Number(a.limit !== null)).slice(0, MOST_GAUGES);
  return html`<li class="person" data-person=${person.name}><button type="button" class="person-head" aria-expanded=${isOpen ? "true" : "false"} @click=${() => act.openPerson(person.id)}>
      ${face(person)}<span class="person-what"><b>${person.name}</b><span class="person-state">${stateLine(person, gauges, seen)}</span></span>
      ${person.kind === "group" ? figures(person) : nothing}<span class="person-carried">${carriedDice(person, seen)}</span>
      ${isOpen ? nothing : html`<span class="gauges">${shown.map(gauge)}</span>`}</button>
    ${isOpen ? personMore(person, gauges, seen) : nothing}</li>`;
}

function stateLine(person, gauges, { state }) {
  const over = gauges.filter((one) => one.isOver).map((one) => html`<b data-tone="bad">${say("people.over", { title: one.tracker.title })}</b>`);
  const carried = state.people.find((one) => one.id === person.id)?.carried ?? [];
  const words = [
    person.kind === "group" ? say("people.groupOf", { n: person.members, left: person.left }) : "",
    ...gauges.filter((one) => one.tracker.steps.length > 0 && one.value > 0).map((one) => one.words),
    ...carried.map((one) => said(one.said, one.words)),
    person.notes.split("\n")[0],
  ].filter(Boolean);
  return html`${over}${over.length > 0 && words.length > 0 ? ", " : nothing}${words.join(", ")}`;
}

const figures = (group) => html`<span class="figures" role="img" aria-label=${say("people.groupOf", { n: group.members, left: group.left })}>${Array.from({ length: Math.min(MOST_FIGURES, group.members) }, (_, n) => html`<svg class="figure" ?data-fallen=${n >= group.left} viewBox="0 0 20 24" aria-hidden="true"><circle cx="10" cy="6" r="5"></circle><path d="M1 23 C1 14 5 12.5 10 12.5 C15 12.5 19 14 19 23 Z"></path></svg>`)}</span>`;

/** The dice that were carried to this one's next roll. */
function carriedDice(person, { state }) {
  const found = {};
  for (const one of state.people.find((other) => other.id === person.id)?.carried ?? []) {
    for (const [name, count] of Object.entries(one.ask)) if (isDie(name)) found[name] = (found[name] ?? 0) + count;
  }
  return Object.keys(found).length > 0 ? smallDice(found) : nothing;
}

function personMore(person, gauges, seen) {
  const { act, ui, game } = seen;
  const defences = Object.entries(person.defences).map(([name, value]) => `${game.form.find((one) => one.name === name)?.title ?? name} ${[value].flat().join(", ")}`);
  return html`<div class="person-more">
    ${steppers(gauges, (one, by) => act.tracker(person, one, by))}
    ${person.skills.length + person.weapons.length > 0 ? html`<div class="chips">${person.skills.map((one) => html`<button type="button" class="chip" @click=${() => act.rollWith(person, one, true)}><span>${one.name}</span>${throwsOf(person, one)}</button>`)}
      ${person.weapons.map((one) => html`<button type="button" class="chip" @click=${() => act.rollWith(person, one, false)}><span>${one.name}</span>${icon("swords")}</button>`)}</div>` : nothing}
    ${actButtons(seen, person)}
    ${defences.length > 0 ? html`<p class="quiet">${defences.join(" · ")}</p>` : nothing}
    ${person.notes ? html`<p class="notes">${person.notes}</p>` : nothing}
    <div class="acts"><button type="button" class="edit-person" @click=${() => act.edit(person)}>${say("people.edit")}</button>
      <button type="button" class="copy-person" aria-expanded=${ui.copying === person.id ? "true" : "false"} @click=${() => act.copying(person.id)}>${say("people.copy")}</button>
      <button type="button" class="remove-person" @click=${() => act.removePerson(person)}>${say("people.remove")}</button></div>
    ${ui.copying === person.id ? html`<div class="segments" role="group" aria-label=${say("people.copies")}>${COPIES.map((n) => html`<button type="button" aria-label=${say("people.copyTimes", { n })} @click=${() => act.copy(person, n)}>+${n}</button>`)}</div>` : nothing}</div>`;
}
