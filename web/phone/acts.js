// What is done without dice: a rest, an order, a round that passes. What there is, the game says.

import { el } from "../dom.js";
import { buildForm } from "../form.js";
import { openSheet } from "../part/sheet.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";

/** The acts of somebody, or with nobody those that pass for all, as buttons. */
export function actButtons(seen, person) {
  const { game, act, isMaster } = seen;
  const list = game.characters.acts.filter((one) => (person ? !one.for_all && (one.kinds.length === 0 || one.kinds.includes(person.kind)) : one.for_all && isMaster));
  return list.length === 0 ? nothing : html`<div class="chips acts-list">${list.map((one) => html`<button type="button" class="chip act" data-act=${one.name} @click=${() => act.doAct(one, person)}>${one.title}</button>`)}</div>`;
}

/** Do it, after what it asks has been answered. */
export function doAct(one, person) {
  const send = (more) => change("/api/acts", { act: one.name, ...(person && { who: person.id }), ...more });
  if (one.form.length === 0 && !one.with_skill) return send({});
  const built = buildForm(one.form, {});
  const skill = el("select", { id: "act-skill" }, ...(person?.skills ?? []).map((known) => el("option", { value: known.name, text: known.name })));
  const form = el("form", { class: "editor" },
    one.help && el("p", { class: "quiet", text: one.help }),
    one.with_skill && el("label", { class: "row" }, say("roll.skill"), skill),
    built.node, el("div", { class: "acts" }, el("button", { type: "submit", class: "primary", id: "do-act", text: one.title })));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await send({ ask: built.read(), ...(one.with_skill && { skill: skill.value }) })) document.getElementById("sheet").close();
  });
  openSheet(person ? say("acts.of", { name: person.name }) : one.title, html`${form}`);
}
