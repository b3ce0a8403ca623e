// The dialog that asks what a die shows: symbols that are known, a number, or a new symbol. A picture that is wrong is a tap to drop.

import { html, render } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { openLayer } from "../layers.js";
import { symbol } from "../draw/symbol.js";
import { say, symbolWord } from "../strings.js";
import { picture } from "./faces.js";

const MOST_SHOWN = 6;

/** A name as sets and symbols have it: small letters, digits, - and _. @param {string} text */
export const plain = (text) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

/** @typedef {{ face: string[] } | { drop: string[] }} Named */

/**
 * Ask, and resolve to `{face}`, `{drop: ids}`, or null where it was closed.
 * @param {{ dice: string[], symbols: string[], draft: Told["Draft"], palette: Told["SetSymbols"][] }} asked @returns {Promise<Named | null>}
 */
export function openNamer({ dice, symbols, draft, palette }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("namer"));
  const choices = choicesOf(draft, palette);
  let chosen = [...symbols];
  return new Promise((resolve) => {
    const done = (/** @type {Named | null} */ answer) => layer.close(answer);
    const choose = (/** @type {string[]} */ names) => () => {
      chosen = names;
      draw();
    };
    const add = (/** @type {string} */ name) => () => choose([...chosen.filter((one) => !/^\d+$/.test(one)), name])();
    const fresh = (/** @type {Submitted<"name">} */ event) => {
      event.preventDefault();
      const name = plain(event.currentTarget.elements.name.value);
      event.currentTarget.reset();
      if (name) add(name)();
    };
    const draw = () =>
      render(
        view({ dice, chosen, choices, isNamed: symbols.length > 0 || draft.faces.some((one) => one.dice.includes(dice[0])) }, { done, choose, add, fresh }),
        dialog,
      );
    const layer = openLayer(dialog, { draw, whenEnded: (answer) => resolve(answer ?? null) });
  });
}

/** What may be chosen: numbers up to the sides, the symbols of this die, and those of all other dice. @param {Told["Draft"]} draft @param {Told["SetSymbols"][]} palette */
function choicesOf(draft, palette) {
  /** @type {Map<string, string>} */
  const known = new Map();
  for (const one of palette) for (const name of one.symbols) if (!/^\d+$/.test(name) && !known.has(name)) known.set(name, one.set);
  const own = [...new Set(draft.faces.flatMap((one) => one.face))].filter((one) => !/^\d+$/.test(one) && !known.has(one));
  const first = draft.solid === "d10" ? 0 : 1;
  return { numbers: Array.from({ length: draft.sides }, (_, n) => String(n + first)), own, known };
}

/**
 * @param {{ dice: string[], chosen: string[], choices: ReturnType<typeof choicesOf>, isNamed: boolean }} asked
 * @param {{ done: (answer: Named | null) => void, choose: (names: string[]) => () => void, add: (name: string) => () => void, fresh: (event: Submitted<"name">) => void }} act
 */
function view({ dice, chosen, choices, isNamed }, act) {
  return html`<header><h2 id="namer-title">${say("teach.name")}</h2><button type="button" class="close" aria-label=${say("close")} @click=${() => act.done(null)}>${icon("x")}</button></header>
    <div class="beside">
      <div><div id="namer-crops">${dice.slice(0, MOST_SHOWN).map((id) => html`<button type="button" class="crop" aria-label=${say("teach.dropIt")} @click=${() => act.done({ drop: [id] })}>${picture(id)}<span class="cross">${icon("x")}</span></button>`)}</div>
        <p class="quiet">${say("teach.dropHint")}</p></div>
      <div id="namer-choice">
        <h3>${say("teach.number")}</h3>
        <div class="palette">${choices.numbers.map((n) => html`<button type="button" class="number" @click=${act.choose([n])}>${n}</button>`)}</div>
        <h3>${say("teach.symbol")}</h3>
        <div class="palette">${choices.own.map((name) => html`<button type="button" @click=${act.add(name)}>${name}</button>`)}
          ${[...choices.known].map(([name, set]) => html`<button type="button" @click=${act.add(name)}>${symbol(set, name)}<span>${symbolWord(name)}</span></button>`)}</div>
        <form class="new-symbol" @submit=${act.fresh}><input name="name" aria-label=${say("teach.newName")} placeholder=${say("teach.newName")} maxlength="30" autocapitalize="none"><button>${say("teach.add")}</button></form>
      </div>
    </div>
    <div class="finish"><div class="chosen" id="chosen">${
      chosen.length === 0
        ? html`<span class="none">${say("teach.chosenNone")}</span>`
        : chosen.map(
            (name, at) => html`<button type="button" @click=${act.choose(chosen.filter((_, n) => n !== at))}>${symbolWord(name)} ${icon("x")}</button>`,
          )
    }</div>
      <button type="button" id="leave-out" @click=${() => act.done({ drop: dice })}>${say("teach.leaveOut")}</button>
      <button type="button" id="take" class="primary" @click=${() => act.done({ face: chosen })}>${isNamed ? say("teach.save") : say("teach.take")}</button></div>`;
}
