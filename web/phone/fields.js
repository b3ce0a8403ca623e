// Answers of a game's form as rows to tap: a number with - and +, a switch, a choice of a few. A field is asked only with some answers of others.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { dieType, isDie, typeTitle } from "../dice.js";
import { say } from "../strings.js";
import { codeBy } from "./rating.js";

const FEW = 4; // so many choices stand as segments

/** Whether a field is asked with these answers. @param {Field} field @param {Answers} answers @param {Field[]} fields @returns {boolean} */
export function isAsked(field, answers, fields) {
  return Object.entries(field.only ?? {}).every(([name, wanted]) => {
    const other = fields.find((one) => one.name === name);
    return !other || (isAsked(other, answers, fields) && wanted.includes(/** @type {string} */ (answers[name] ?? other.default)));
  });
}

/**
 * The rows of some `fields` with their `answers`; `change(name, value)` keeps one, undefined to leave it to the game. `known`
 * are answers that come from elsewhere, such as a weapon's.
 * @param {Field[]} fields @param {Answers} answers @param {(name: string, value: unknown) => unknown} change @param {{ known?: Answers, all?: Field[] }} [further]
 */
export function fieldRows(fields, answers, change, { known = {}, all = fields } = {}) {
  const seen = { ...known, ...answers };
  const asked = fields.filter((field) => isAsked(field, seen, all));
  return html`<ul class="fields">${repeat(
    asked,
    (field) => field.name,
    (field) =>
      html`<li data-field=${field.name}>${ROWS[field.kind](field, seen[field.name], (value) => change(field.name, value), known[field.name] !== undefined)}${field.help ? html`<small>${field.help}</small>` : nothing}</li>`,
  )}</ul>`;
}

/** @typedef {(value: unknown) => unknown} Change */
/** Each kind of field with what is answered, what keeps another answer, and whether it is known from elsewhere. @type {Record<Told["Kind"], (field: Field, value: unknown, change: Change, isKnown: boolean) => Drawn>} */
const ROWS = { number, flag, choice, choices, code, pool, faces };

/** @param {Drawing} title @param {Drawing} right */
const line = (title, right) => html`<div class="line-row"><span>${title}</span>${right}</div>`;

/** @param {string} title @param {number | undefined} value @param {{ least: number, most: number, act: (by: number) => void, shown?: Drawing }} how */
function steps(title, value, { least, most, act, shown = value }) {
  return html`<span class="number-steps"><button type="button" class="step" aria-label=${say("trackerLess", { title })} ?disabled=${value !== undefined && value <= least} @click=${() => act(-1)}>${icon("minus")}</button><output class="code-number">${shown ?? "–"}</output>
    <button type="button" class="step" aria-label=${say("trackerMore", { title })} ?disabled=${value !== undefined && value >= most} @click=${() => act(1)}>${icon("plus")}</button></span>`;
}

/** @param {Field} field @param {unknown} value @param {Change} change */
function number(field, value, change) {
  const least = field.least ?? 0;
  const from = /** @type {number | null} */ (value ?? field.default ?? null);
  const most = field.most ?? 999;
  return line(
    field.title,
    steps(field.title, /** @type {number | undefined} */ (value ?? undefined), {
      least,
      most,
      shown: from,
      act: (by) => change(from === null ? Math.max(least, by > 0 ? 1 : 0) : Math.min(most, Math.max(least, from + by))),
    }),
  );
}

/** @param {Field} field @param {unknown} value @param {Change} change */
function flag(field, value, change) {
  const now = value ?? field.default ?? false;
  return html`<label class="line-row switch"><span>${field.title}</span><input type="checkbox" role="switch" .checked=${now} @change=${(/** @type {Happened} */ event) => change(event.target.checked === Boolean(field.default) ? undefined : event.target.checked)}></label>`;
}

/** @param {Field} field @param {unknown} value @param {Change} change @param {boolean} isKnown */
function choice(field, value, change, isKnown) {
  const now = /** @type {string | null} */ (value ?? field.default ?? null);
  const isOpen = now === null || (value !== undefined && (field.default ?? null) === null && !isKnown);
  /** @type {Named[]} */
  const list = isOpen ? [{ name: null, title: say("notGiven") }, ...field.choices] : field.choices;
  const set = (/** @type {string | null} */ name) => change(name === (field.default ?? null) ? undefined : name);
  const further = list.filter((one) => FURTHER.test(one.name ?? ""));
  if (further.length > FEW) return stepped(field, list, further, now, set);
  if (list.length <= FEW)
    return html`<p class="field-title">${field.title}</p><div class="segments" role="group" aria-label=${field.title}>${list.map((one) => html`<button type="button" data-choice=${one.name ?? ""} aria-pressed=${String(one.name === now)} @click=${() => set(one.name)}>${one.title}</button>`)}</div>`;
  return html`<p class="field-title">${field.title}</p><div class="chips" role="group" aria-label=${field.title}>${list.map((one) => html`<button type="button" class="chip" data-choice=${one.name ?? ""} aria-pressed=${String(one.name === now)} @click=${() => set(one.name)}>${one.title}</button>`)}</div>`;
}

const FURTHER = /^(.+)\+(\d+)$/; // "heroic+20": so much beyond another choice

/** @typedef {{ name: string | null, title: string }} Named */
/** A choice that goes on in even steps: its named ones as chips, and - and + beyond the last of these. @param {Field} field @param {Named[]} list @param {Named[]} further @param {string | null} now @param {(name: string | null) => void} set */
function stepped(field, list, further, now, set) {
  const [, base, size] = FURTHER.exec(further[0].name ?? "") ?? [];
  const [, , beyond = "0"] = FURTHER.exec(now ?? "") ?? [];
  const named = list.filter((one) => !further.includes(one));
  const to = (/** @type {number} */ by) => set(Number(beyond) + by > 0 ? `${base}+${Number(beyond) + by}` : base);
  const title = named.find((one) => one.name === base)?.title ?? base;
  const isOn = now === base || Number(beyond) > 0;
  return html`<p class="field-title">${field.title}</p><div class="chips" role="group" aria-label=${field.title}>${named.map((one) => html`<button type="button" class="chip" data-choice=${one.name ?? ""} aria-pressed=${String(one.name === now || (one.name === base && isOn))} @click=${() => set(one.name)}>${one.title}</button>`)}</div>
    ${isOn ? line(title, steps(title, Number(beyond), { least: 0, most: Number(size) * further.length, shown: `+${beyond}`, act: (by) => to(by * Number(size)) })) : nothing}`;
}

/** @param {Field} field @param {unknown} value @param {Change} change */
function choices(field, value, change) {
  const now = /** @type {string[]} */ (value ?? []);
  const toggled = (/** @type {string} */ name) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name]);
  const set = (/** @type {string[]} */ list) => change(list.length > 0 ? list : undefined);
  return html`<p class="field-title">${field.title}</p><div class="chips" role="group" aria-label=${field.title}>${field.choices.map((one) => html`<button type="button" class="chip" data-choice=${one.name} aria-pressed=${String(now.includes(one.name))} @click=${() => set(toggled(one.name))}>${now.includes(one.name) ? icon("check") : nothing}${one.title}</button>`)}</div>`;
}

/** @param {Field} field @param {unknown} value @param {Change} change */
function code(field, value, change) {
  const now = /** @type {string} */ (value ?? field.default ?? "");
  const text = html`<input type="text" class="code-text" aria-label=${field.title} placeholder=${say("codeHint")} .value=${now} autocapitalize="characters" autocomplete="off" @change=${(/** @type {Happened} */ event) => change(event.target.value.trim() || undefined)}>`;
  return line(
    field.title,
    html`<span class="number-steps"><button type="button" class="step" aria-label=${say("trackerLess", { title: field.title })} ?disabled=${!now} @click=${() => change(codeBy(now, -1))}>${icon("minus")}</button>${text}
    <button type="button" class="step" aria-label=${say("trackerMore", { title: field.title })} @click=${() => change(codeBy(now || "0D", 1))}>${icon("plus")}</button></span>`,
  );
}

/** Dice, or numbers by names; a game that reads a pool as people write it takes that, too. @param {Field} field @param {unknown} value @param {Change} change */
function pool(field, value, change) {
  const isText = typeof value === "string";
  const usual = /** @type {Counts} */ (field.default ?? {});
  const now = isText ? {} : { ...usual, .../** @type {Counts} */ (value) };
  const set = (/** @type {string} */ name, /** @type {number} */ count) => {
    /** @type {Counts} */
    const next = { ...now, [name]: count };
    for (const [key, n] of Object.entries(next)) if (!n && !usual[key]) delete next[key];
    change(Object.keys(next).length > 0 ? next : undefined);
  };
  const title = (/** @type {Told["ShownChoice"]} */ one) => (typeTitle(one.name) === one.name ? one.title : typeTitle(one.name));
  return html`<p class="field-title">${field.title}</p>${field.typed ? html`<input type="text" class="pool-text" placeholder=${say("poolHint")} aria-label=${field.title} .value=${isText ? value : ""} autocapitalize="none" autocomplete="off" @change=${(/** @type {Happened} */ event) => change(event.target.value.trim() || undefined)}>` : nothing}
    ${field.choices.map((one) => html`<div class="line-row" data-choice=${one.name}><span class="named-die">${isDie(one.name) ? html`<span class="small-die">${die(dieType(one.name), null)}</span>` : nothing}${title(one)}</span>${steps(title(one), now[one.name] ?? 0, { least: 0, most: field.most ?? 99, act: (by) => set(one.name, Math.max(0, (now[one.name] ?? 0) + by)) })}</div>`)}`;
}

/** @param {Field} field @param {unknown} value @param {Change} change */
function faces(field, value, change) {
  return line(
    field.title,
    html`<input type="text" placeholder=${say("facesHint")} aria-label=${field.title} .value=${/** @type {number[]} */ (value ?? []).join(", ")} @change=${(
      /** @type {Happened} */ event,
    ) => {
      const found = event.target.value
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(Number);
      change(found.length > 0 ? found : undefined);
    }}>`,
  );
}
