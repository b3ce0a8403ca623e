// What joins a call by itself, and what does not and may be ticked.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { capital } from "../part/card.js";
import { plainSaid } from "../said.js";
import { say } from "../strings.js";

/** What joins by itself, each with what is to be remembered of it. @param {Told["Joining"][]} [joins] */
export function joinWords(joins = []) {
  const own = joins.filter((one) => one.on && !one.ticked);
  return own.length === 0
    ? nothing
    : html`<p class="quiet joins">${own.map((one, n) => html`${n ? ", " : nothing}<b>${capital(plainSaid(one.name))}</b>${one.words ? ` (${plainSaid(one.words)})` : nothing}`)}</p>`;
}

/** The same, and what does not join by itself as chips. `tick(keys)` takes the keys of all that are ticked. @param {Told["Joining"][]} joins @param {string[]} ticked @param {(keys: string[]) => void} tick */
export function joinRow(joins, ticked, tick) {
  const others = joins.filter((one) => !one.on || one.ticked);
  const press = (/** @type {string} */ key) => tick(ticked.includes(key) ? ticked.filter((one) => one !== key) : [...ticked, key]);
  return html`${joinWords(joins)}${
    others.length === 0
      ? nothing
      : html`<div class="chips" role="group" aria-label=${say("roll.joins")}>${others.map(
          (one) =>
            html`<button type="button" class="chip" data-joins=${one.key} aria-pressed=${String(ticked.includes(one.key))} @click=${() => press(one.key)}>${icon(ticked.includes(one.key) ? "check" : "plus")}<span class="may-cut">${capital(plainSaid(one.name))}</span></button>`,
        )}</div>`
  }`;
}

/** What answers join the calls, and those against this one, by the titles of the form. @param {{ ask: Answers, damage?: Answers, against?: Answers, near?: Answers, afar?: Answers }} lasting @param {Game} game */
export function joinsWords({ ask, damage = {}, against = {}, near = {}, afar = {} }, game) {
  const title = (/** @type {string} */ name) => game.form.find((field) => field.name === name)?.title ?? name;
  const words = (/** @type {Answers} */ answers) =>
    Object.entries(answers)
      .map(([name, value]) => (value === true ? title(name) : `${title(name)} ${plainSaid(String(value).replaceAll("_", " "))}`))
      .join(", ");
  const met = Object.entries({ against, near, afar }).filter(([, answers]) => Object.keys(answers).length > 0);
  const hurts = Object.keys(damage).length > 0 && say("talent.damage", { title: words(damage) });
  return [words(ask), hurts, ...met.map(([name, answers]) => say(`met.${name}`, { what: words(answers) }))].filter(Boolean).join("; ");
}
