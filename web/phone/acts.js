// What is done without dice: a rest, an order, a round that passes. What there is, the game says.

import { icon } from "../draw/icon.js";
import { closeSheet, openSheet } from "../part/sheet.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { fieldRows } from "./fields.js";

/** The acts of somebody, or with nobody those that pass for all, as buttons. @param {PhoneSeen} seen @param {Person | null} person */
export function actButtons(seen, person) {
  const { game, isMaster } = seen;
  const list = game.characters.acts.filter((one) =>
    person ? !one.for_all && (one.kinds.length === 0 || one.kinds.includes(person.kind)) : one.for_all && isMaster,
  );
  return list.length === 0
    ? nothing
    : html`<div class="chips acts-list">${list.map((one) => html`<button type="button" class="chip act" data-act=${one.name} @click=${() => doAct(one, person)}>${one.title}</button>`)}</div>`;
}

/** What may better somebody now, as buttons: what is done, or the throw that is asked for. @param {Care[]} cares @param {Pick<PhoneSeen, "act">} seen */
export const careButtons = (cares, { act }) =>
  cares.map(
    (one) =>
      html`<button type="button" class="chip care" data-care=${one.words} data-of=${one.by ?? one.whom.name} @click=${() => act.care(one)}>${icon("heart-pulse")}<span>${[one.words, one.shown].filter(Boolean).join(": ")}</span></button>`,
  );

/** Do it, after what it asks has been answered. @param {Told["ShownAct"]} one @param {Person | null} person */
function doAct(one, person) {
  const send = (/** @type {Sends<"/api/acts">} */ more) => change("/api/acts", { act: one.name, ...(person && { who: person.id }), ...more });
  if (one.form.length === 0 && !one.with_skill) return send({});
  /** @type {Answers} */
  let ask = {};
  let skill = person?.skills[0]?.name ?? "";
  const set = (/** @type {{ ask?: Answers, skill?: string }} */ part) => {
    ({ ask = ask, skill = skill } = part);
    draw();
  };
  const finish = async () => {
    if (await send({ ask, ...(one.with_skill && { skill }) })) closeSheet();
  };
  const draw = () =>
    openSheet(
      person ? say("acts.of", { name: person.name }) : one.title,
      html`${one.help ? html`<p class="quiet">${one.help}</p>` : nothing}
    ${one.with_skill ? html`<p class="field-title">${say("roll.skill")}</p><div class="chips" id="act-skill">${(person?.skills ?? []).map((known) => html`<button type="button" class="chip" data-skill=${known.name} aria-pressed=${String(known.name === skill)} @click=${() => set({ skill: known.name })}>${known.name}</button>`)}</div>` : nothing}
    ${fieldRows(one.form, ask, (name, value) => set({ ask: { ...ask, [name]: value } }))}
    <button type="button" class="primary large" id="do-act" @click=${finish}>${one.title}</button>`,
      { name: "act" },
    );
  draw();
}
