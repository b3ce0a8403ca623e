// The dice sets of this table and how their dice and symbols are drawn.

import { die } from "./draw/die.js";
import { loadSymbols, symbol } from "./draw/symbol.js";
import { say, sayOr, faceWords } from "./strings.js";
import { get } from "./talk.js";
import { html } from "./vendor/lit-html/lit-html.js";

/** @type {DieSet[]} */
let sets = [];
/** @type {Map<string, KnownDie>} */
const types = new Map();

/** Load the dice sets; until then types are called by their plain names. */
export async function loadSets() {
  sets = await get("/api/sets");
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

/** Return what is known of a die type. @param {string} name @returns {KnownDie} */
export function dieType(name) {
  return types.get(name) ?? { name, title: name, solid: "d6", body: "#888888", ink: "#ffffff", set: "", distinct: [] };
}

/** Whether there is a die of this name. @param {string} name */
export const isDie = (name) => types.has(name);

/** @param {string} name */
export const typeTitle = (name) => dieType(name).title;

/** What people call a die: "Green die". @param {string} name */
export const dieName = (name) => sayOr(`dieName.${name}`, typeTitle(name));

/** A die of this type that shows `face`, or none where that is null. @param {string} name @param {string[] | null} face */
export const dieShape = (name, face = null) => html`<span class="die-box" aria-hidden="true">${die(dieType(name), face)}</span>`;

/** The symbols of a face side by side; a blank is an empty circle. @param {string} typeName @param {string[]} face */
export const faceShapes = (typeName, face) =>
  html`<span class="face" aria-hidden="true">${face.length === 0 ? html`<span class="symbol-blank"></span>` : face.map((name) => html`<span class="symbol">${symbol(dieType(typeName).set, name)}</span>`)}</span>`;

/** A die's label: "Ability: success + advantage". @param {{ type: string, face: string[] }} die */
export const dieLabel = (die) => say("dieLabel", { title: typeTitle(die.type), face: faceWords(die.face) });

/** Which set draws this symbol. @param {string} name */
export const setOfSymbol = (name) => allSets().find((set) => set.types.some((type) => type.faces.some((face) => face.includes(name))))?.name;

export { faceWords };
