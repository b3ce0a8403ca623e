// Changing what a finished roll was for: its answers stand in a form, and what is another now scores it anew.

import { el } from "../dom.js";
import { buildForm } from "../form.js";
import { openSheet } from "../part/sheet.js";
import { say } from "../strings.js";
import { html } from "../vendor/lit-html/lit-html.js";

const FIRST = ["purpose", "difficulty", "band", "soak", "threshold", "against", "reaction_total"]; // what is called wrongly most often
const MOST_LABEL = 60;

/** Open the form for `roll`; `save(change)` resolves to whether it was taken. */
export function changeCallOf(roll, game, save) {
  const fields = game.form.filter((field) => !field.setting);
  const place = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : roll.ask[name] !== undefined ? FIRST.length : FIRST.length + 1);
  const built = buildForm(fields.map((field, n) => [field, n]).sort(([a, n], [b, m]) => place(a) - place(b) || n - m).map(([field]) => field), roll.ask);
  const asked = built.read();
  const label = el("input", { type: "text", id: "roll-label", maxlength: MOST_LABEL, autocomplete: "off", value: roll.label });
  const form = el("form", { class: "editor", id: "roll-call" }, el("label", { class: "row" }, say("whatFor"), label), built.node,
    el("div", { class: "acts" }, el("button", { type: "submit", class: "primary", text: say("result.scoreAnew") })));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const now = built.read();
    const isOther = (name) => JSON.stringify(now[name]) !== JSON.stringify(asked[name]);
    const ask = Object.fromEntries([...new Set([...Object.keys(asked), ...Object.keys(now)])].filter(isOther).map((name) => [name, now[name] ?? null]));
    const isNamed = label.value.trim() !== roll.label;
    const isChanged = isNamed || Object.keys(ask).length > 0;
    if (!isChanged || (await save({ ask, ...(isNamed && { label: label.value.trim() }) }))) document.getElementById("sheet").close();
  });
  openSheet(say("result.changeCall"), html`${form}`);
}
