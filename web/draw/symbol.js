// The symbols of the dice sets, as shapes that take the colour of the text around them.

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { ANSWER_MS } from "../talk.js";

const SVG = "http://www.w3.org/2000/svg";
const known = new Set();
/** @param {string} set @param {string} symbol */
const nameOf = (set, symbol) => `symbol-${set}-${symbol}`;

/** Load the drawings of a set into the page, once; a drawing that does not load is written as its name. @param {string} set @param {string[]} names */
export async function loadSymbols(set, names) {
  await Promise.all(names.filter((name) => !known.has(nameOf(set, name))).map((name) => loadSymbol(set, name)));
}

/** @param {string} set @param {string} name */
async function loadSymbol(set, name) {
  const answer = await fetch(`/symbols/${encodeURIComponent(set)}/${encodeURIComponent(name)}.svg`, { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) return;
  const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  if (drawing.nodeName !== "svg") return;
  const symbol = newSymbol(nameOf(set, name), drawing.getAttribute("viewBox") ?? "0 0 100 100");
  for (const shape of drawing.querySelectorAll("path, circle, ellipse, rect, polygon, line, polyline")) {
    const copy = document.importNode(shape, true);
    for (const { name: key } of [...copy.attributes]) if (key === "style" || key.startsWith("on")) copy.removeAttribute(key);
    symbol.append(copy);
  }
  known.add(symbol.id);
}

/** Make a place for a drawing that is used by its id. @param {string} id */
export function newSymbol(id, viewBox = "0 0 100 100") {
  const symbol = document.createElementNS(SVG, "symbol");
  symbol.id = id;
  symbol.setAttribute("viewBox", viewBox);
  sprite().append(symbol);
  return symbol;
}

function sprite() {
  /** @type {Element | null} */
  let box = document.getElementById("symbols");
  if (!box) {
    box = document.createElementNS(SVG, "svg");
    box.id = "symbols";
    box.setAttribute("aria-hidden", "true");
    box.classList.add("sprite");
    document.body.append(box);
  }
  return box;
}

/** Whether this symbol has a drawing that is loaded. @param {string} set @param {string} name */
export const isDrawn = (set, name) => known.has(nameOf(set, name));

/** One symbol within an SVG drawing: a square of `size` round `x`, `y`. @param {string} set @param {string} name @param {number} x @param {number} y @param {number} size @param {string} ink */
export function symbolAt(set, name, x, y, size, ink) {
  if (!isDrawn(set, name)) {
    const text = size * (name.length > 2 ? 1.6 / name.length : 0.8);
    return svg`<text class="numeral" x=${x} y=${y + text * 0.36} font-size=${text} text-anchor="middle" fill=${ink}>${name}</text>`;
  }
  return svg`<use href=${`#${nameOf(set, name)}`} x=${x - size / 2} y=${y - size / 2} width=${size} height=${size} fill=${ink} color=${ink}></use>`;
}

/** One symbol by itself, in the colour of its meaning. @param {string | undefined} set @param {string} name */
export function symbol(set, name) {
  if (!set || !isDrawn(set, name)) return html`<b class="symbol-name" data-symbol=${name} aria-hidden="true">${name}</b>`;
  return html`<svg class="glyph" data-symbol=${name} viewBox="0 0 100 100" aria-hidden="true"><use href=${`#${nameOf(set, name)}`} width="100" height="100"></use></svg>`;
}

/** Symbols with their numbers in a row: "2 advantages" as the symbol and 2. @param {(name: string) => string | undefined} setOf @param {[string, number][]} counts */
export function tally(setOf, counts) {
  const found = counts.filter(([, count]) => count > 0);
  return found.length === 0 ? nothing : found.map(([name, count]) => html`<span class="tally">${symbol(setOf(name), name)}<b>${count}</b></span>`);
}
