// Sheets: what lies behind a button, over the page.

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { symbol } from "../draw/symbol.js";
import { token } from "../draw/token.js";
import { dieLabel, dieType, setOfSymbol } from "../dice.js";
import { die } from "../draw/die.js";
import { whole } from "../draw/percent.js";
import { closeLayer, isLayer, openLayer } from "../layers.js";
import { inPlace } from "./dice.js";
import { crop } from "./tray.js";
import { say, troubleLine } from "../strings.js";
import { change } from "../talk.js";

const dialog = () => /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
const SWIPE_PX = 70;

/**
 * Open the sheet with a title and a template. With `done` it closes by that button, else by a cross. One of the same `name` is drawn anew.
 * @param {Drawing} title @param {Drawing} body @param {{ done?: string, name?: string, whenEnded?: (value?: any) => void }} [options]
 */
export const openSheet = (title, body, { done = "", ...options } = {}) =>
  show(
    "",
    html`<div class="grip" @pointerdown=${pulled}></div><header><h2 id="sheet-title">${title}</h2>${
      done
        ? html`<button type="button" class="raised done" @click=${() => closeSheet()}>${done}</button>`
        : html`<button type="button" class="close" aria-label=${say("close")} @click=${() => closeSheet()}>${icon("x")}</button>`
    }</header>${body}`,
    options,
  );

/** Whether the sheet of this name is open. @param {string} name */
export const isShown = (name) => isLayer(dialog(), name);

/**
 * Open the sheet over the whole page: a cross at the left, what finishes at the right, and no title in sight.
 * @param {Drawing} title @param {Drawing} body
 * @param {{ finish?: Drawing, back?: (() => void) | null, name?: string, look?: string, whenEnded?: (value?: any) => void }} [options]
 */
export const openPage = (title, body, { finish = nothing, back = null, ...options } = {}) =>
  show(
    "page",
    html`<header class="page-head"><button type="button" class="icon-button close" aria-label=${say(back ? "back" : "close")} @click=${back ?? (() => closeSheet())}>${icon(back ? "chevron-left" : "x")}</button>
    <h2 id="sheet-title" class="hidden">${title}</h2>${finish}</header>${body}`,
    options,
  );

/**
 * Open the sheet of a kind, as its style sheet knows it.
 * @param {string} kind @param {Drawing} content @param {{ name?: string, look?: string, whenEnded?: (value?: any) => void }} [options]
 */
export function show(kind, content, { name = "", look = "", whenEnded } = {}) {
  const node = dialog();
  return openLayer(node, {
    name,
    whenEnded,
    draw: () => {
      Object.assign(node.dataset, { kind, name, look });
      if (look === "picture") node.dataset.theme = "dark";
      else delete node.dataset.theme;
      node.onclick = (event) => {
        if (event.target === node) closeSheet();
      };
      render(content, node);
    },
  });
}

/** A pull downwards closes the sheet. @param {PointerEvent} event */
function pulled({ clientY: from }) {
  addEventListener("pointerup", ({ clientY }) => clientY - from > SWIPE_PX && closeSheet(), { once: true });
}

/** Close the sheet, with an answer where somebody waits for one. @param {unknown} [value] */
export const closeSheet = (value) => closeLayer(dialog(), value);

/**
 * How a roll came about: its sentence, each step, and each die with its picture and how it was read. `more` stands below.
 * @param {Roll | WholeRoll | Told["RollTold"]} roll @param {{ steps: Told["Step"][], spends: Offer[] }} told @param {string | null} chance @param {Drawing} [more]
 */
export function showWorkedOut(roll, { steps, spends }, chance, more = nothing) {
  openSheet(
    say("steps"),
    html`<p>${roll.sentence}${chance ? html` <small>${chance}</small>` : nothing}</p>
    ${steps.length > 0 ? html`<ol class="step-list">${steps.map((step) => html`<li>${step.text}</li>`)}</ol>` : nothing}
    ${roll.dice.length > 0 ? html`<h3>${say("howRead")}</h3><ul class="read-list">${inPlace(roll.dice).map((one) => readLine(roll, one))}</ul>` : nothing}
    ${spends.length > 0 ? html`<h3>${say("spends")}</h3>${spendList(spends)}` : nothing}${more}`,
  );
}

/** @param {Pick<Roll, "dice" | "suspects" | "picture" | "width" | "height">} roll @param {Told["RollDie"] & { index: number }} one */
function readLine(roll, one) {
  const kind = dieType(one.type);
  return html`<li>${roll.picture && one.center ? html`<span class="read-picture">${crop(roll, { list: "dice", index: one.index })}</span>` : nothing}
    <span class="read-die">${die(kind, one.face, { body: kind.any_colour ? one.colour : "" })}</span><span>${dieLabel(one)}</span><small>${howRead(one)}</small></li>`;
}

/** @param {Told["RollDie"]} one */
function howRead(one) {
  if (one.rule) return `${say(`rule.${one.rule}`)} ${say("rule.byRule")}`;
  if (one.original) return say("wasRead", { face: dieLabel(one.original) });
  if (one.told || !one.center) return say("source.manual");
  return one.status === "sure" ? say("readSure", { percent: whole(one.confidence) }) : say(`status.${one.status}`);
}

/** @param {Offer[]} spends */
function spendList(spends) {
  const price = (/** @type {Told["ShownPrice"]} */ { of, count }, /** @type {string} */ whole) =>
    html`<span class="price">${setOfSymbol(of) ? Array.from({ length: count }, () => symbol(setOfSymbol(of), of)) : whole}</span>`;
  return html`<ul class="spend-list">${spends.map(
    (spend) => html`<li>
    <span class="prices" role="img" aria-label=${spend.price}>${spend.prices.map((one, n) => html`${n > 0 ? html`<small>${say("or")}</small>` : nothing}${price(one, spend.price)}`)}</span>
    <span>${spend.title}${spend.by === "gm" ? html` <small>${say("byMaster")}</small>` : nothing}</span></li>`,
  )}</ul>`;
}

/** What is wrong, in the three parts of an error. What stays until somebody has seen it has a button for whoever `maySee` it. @param {Trouble[]} trouble @param {boolean} maySee */
export function showTrouble(trouble, maySee) {
  const see = async (/** @type {Trouble} */ { id }) => {
    const others = trouble.filter((one) => one.id !== id);
    if (!(await change("/api/troubles/seen", { trouble: id }, { withId: false }))) return;
    if (others.length > 0) showTrouble(others, maySee);
    else closeSheet();
  };
  const button = (/** @type {Trouble} */ one) =>
    html`<button type="button" class="seen" @click=${() => see(one)}>${icon("check")}${say("troubleSeen")}</button>`;
  openSheet(
    say("troubleTitle"),
    html`<ul class="trouble-list">${trouble.map((one) => html`<li><b>${troubleLine(one)}</b>${one.where ? html`<small>${one.where}</small>` : nothing}<span>${one.hint}</span>${maySee && one.id ? button(one) : nothing}</li>`)}</ul>`,
  );
}

/** Add points to the pool or take them away. It stays open and follows the table. @param {Pick<State, "destiny" | "destiny_names">} state */
export function showPool(state) {
  const names = state.destiny_names;
  const row = (/** @type {Side} */ side) => {
    const act = (/** @type {Told["Do"]} */ what) => () => change("/api/destiny", { do: what, side }).then((next) => next && showPool(next));
    const name = names[side];
    return html`<li data-side=${side}>${token(side)}<b>${name}</b>
      <button type="button" class="remove" aria-label=${say("remove", { name })} ?disabled=${state.destiny[side] === 0} @click=${act("remove")}>−</button>
      <span class="count" aria-live="polite">${state.destiny[side]}</span>
      <button type="button" class="add" aria-label=${say("add", { name })} @click=${act("add")}>+</button></li>`;
  };
  openSheet(say("poolTitle", { pool: names.pool }), html`<ul class="pool-list">${/** @type {Side[]} */ (["light", "dark"]).map(row)}</ul>`, { name: "pool" });
}

/** Ask before something is done; resolves to whether it was said. @param {string} question @param {string} button @returns {Promise<boolean>} */
export const askFirst = (question, button) =>
  new Promise((resolve) =>
    openSheet(
      question,
      html`<div class="acts"><button type="button" @click=${() => closeSheet(false)}>${say("keepIt")}</button><button type="button" class="primary" @click=${() => closeSheet(true)}>${button}</button></div>`,
      { whenEnded: (isSaid) => resolve(Boolean(isSaid)) },
    ),
  );
