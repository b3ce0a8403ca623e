// The dice sets of this table and how their dice and symbols are drawn.

import { die } from "./draw/die.js";
import { loadSymbols, symbol } from "./draw/symbol.js";
import { say, faceWords } from "./strings.js";
import { get } from "./talk.js";
import { html } from "./vendor/lit-html/lit-html.js";

let sets = [];
const types = new Map();

/** Load the dice sets; until then types are called by their plain names. */
export async function loadSets() {
  const found = await get("/api/sets");
  sets = Array.isArray(found) ? found : found.sets;
  types.clear();
  for (const set of sets) {
    for (const type of set.types) {
      const seen = new Map(type.faces.map((face) => [[...face].sort().join("+"), face]));
      types.set(type.name, { ...type, set: set.name, whole_face: set.whole_face, distinct: [...seen.values()] });
    }
  }
  await Promise.all(sets.map((set) => loadSymbols(set.name, set.drawings)));
}

export const allSets = () => sets;

/** Return what is known of a die type. */
export function dieType(name) {
  return types.get(name) ?? { name, title: name, solid: "d6", body: "#888888", ink: "#ffffff", set: "", distinct: [] };
}

/** Whether there is a die of this name. */
export const isDie = (name) => types.has(name);

export const typeTitle = (name) => dieType(name).title;

/** A die of this type that shows `face`, or none where that is null. */
export const dieShape = (name, face = null) => html`<span class="die-box" aria-hidden="true">${die(dieType(name), face)}</span>`;

/** The symbols of a face side by side; a blank is an empty circle. */
export const faceShapes = (typeName, face) =>
  html`<span class="face" aria-hidden="true">${face.length === 0 ? html`<span class="symbol-blank"></span>` : face.map((name) => html`<span class="symbol">${symbol(dieType(typeName).set, name)}</span>`)}</span>`;

/** A die's label: "Ability: success + advantage". */
export const dieLabel = (die) => say("dieLabel", { title: typeTitle(die.type), face: faceWords(die.face) });

/** Which set draws this symbol. */
export const setOfSymbol = (name) => allSets().find((set) => set.types.some((type) => type.faces.some((face) => face.includes(name))))?.name;

export { faceWords };
