// Changing what a finished roll was for: its answers are rows to tap, and what is another now scores it anew.

import { closeSheet, openSheet } from "../part/sheet.js";
import { say } from "../strings.js";
import { html } from "../vendor/lit-html/lit-html.js";
import { fieldRows } from "./fields.js";

const FIRST = ["purpose", "difficulty", "band", "soak", "threshold", "against", "reaction_total"]; // what is called wrongly most often
const FEW = 8; // so many rows stand open
const MOST_LABEL = 60;

/** Open the answers of `roll`; `save(change)` resolves to whether it was taken. @param {Pick<Roll, "ask" | "label">} roll @param {Game} game @param {(change: { ask: Answers, label?: string }) => Promise<unknown>} save */
export function changeCallOf(roll, game, save) {
  const fields = game.form.filter((field) => !field.setting);
  const place = (/** @type {Field} */ { name }) =>
    FIRST.includes(name) ? FIRST.indexOf(name) : roll.ask[name] !== undefined ? FIRST.length : FIRST.length + 1;
  const sorted = fields
    .map((field, n) => /** @type {const} */ ([field, n]))
    .sort(([a, n], [b, m]) => place(a) - place(b) || n - m)
    .map(([field]) => field);
  /** @type {Answers} */
  let answers = { ...roll.ask };
  let label = roll.label;
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    answers = { ...answers, [name]: value };
    draw();
  };
  const finish = async () => {
    const isOther = (/** @type {string} */ name) => JSON.stringify(answers[name]) !== JSON.stringify(roll.ask[name]);
    const ask = Object.fromEntries(
      Object.keys(answers)
        .filter(isOther)
        .map((name) => [name, answers[name] ?? null]),
    );
    const isNamed = label.trim() !== roll.label;
    const isChanged = isNamed || Object.keys(ask).length > 0;
    if (!isChanged || (await save({ ask, ...(isNamed && { label: label.trim() }) }))) closeSheet();
  };
  const draw = () =>
    openSheet(
      say("result.changeCall"),
      html`<div id="roll-call" class="call-answers"><label class="line-row">${say("whatFor")}<input type="text" id="roll-label" maxlength=${MOST_LABEL} autocomplete="off" .value=${label} @input=${(
        /** @type {Happened} */ event,
      ) => {
        label = event.target.value;
      }}></label>
    ${fieldRows(sorted.slice(0, FEW), answers, set, { all: fields })}<details><summary>${say("more")}</summary>${fieldRows(sorted.slice(FEW), answers, set, { all: fields })}</details>
    <button type="button" class="primary large" id="score-anew" @click=${finish}>${say("result.scoreAnew")}</button></div>`,
      { name: "recall" },
    );
  draw();
}
