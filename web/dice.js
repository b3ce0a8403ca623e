// The dice sets of this table and how their dice and symbols are drawn.

import { el, svg } from "./dom.js";
import { words, faceWords, symbolWord } from "./strings.js";
import { get } from "./talk.js";

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
      types.set(type.name, { ...type, set: set.name, drawn: set.drawings, distinct: [...seen.values()] });
    }
  }
}

export const allSets = () => sets;

/** Return what is known of a die type. */
export function dieType(name) {
  return types.get(name) ?? { name, title: name, solid: "d6", body: "#888888", ink: "#ffffff", distinct: [] };
}

/** The type's name as it stands in a narrow place: "Pip die" is "Pip". */
export const typeTitle = (name) => dieType(name).title ?? name;

const SOLIDS = {
  d4: "50,8 94,88 6,88",
  d6: "14,14 86,14 86,86 14,86",
  d8: "50,4 92,50 50,96 8,50",
  d10: "50,4 94,42 82,74 50,96 18,74 6,42",
  d12: "50,4 95,37 78,92 22,92 5,37",
  d20: "50,3 92,26 92,74 50,97 8,74 8,26",
};

/** A small drawing of a die in its own colour and outline. */
export function dieIcon(name) {
  const type = dieType(name);
  return svg(
    "svg",
    { class: "die-icon", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("polygon", { points: SOLIDS[type.solid] ?? SOLIDS.d6, fill: type.body }),
  );
}

/** One symbol as a shape in the colour of its meaning, or as its letter where there is no drawing. */
export function symbolShape(set, name) {
  const known = words.symbols[name];
  const drawn = types.size === 0 || allSets().find((one) => one.name === set)?.drawings.includes(name) !== false;
  if (!set || !drawn) return el("span", { class: "symbol-text", "aria-hidden": "true", text: known?.letter ?? name });
  const shape = el("span", { class: "symbol", "data-symbol": name, "aria-hidden": "true" });
  const picture = `url("/symbols/${encodeURIComponent(set)}/${encodeURIComponent(name)}.svg")`;
  shape.style.setProperty("-webkit-mask-image", picture);
  shape.style.setProperty("mask-image", picture);
  return shape;
}

/** The symbols of a face side by side; a blank is an empty circle. */
export function faceShapes(typeName, face) {
  const row = el("span", { class: "face", "aria-hidden": "true" });
  if (face.length === 0) row.append(el("span", { class: "symbol-blank" }));
  for (const name of face) row.append(symbolShape(dieType(typeName).set, name));
  return row;
}

/** A die's label: "Ability: success + advantage". */
export const dieLabel = (die) => words.dieLabel(typeTitle(die.type), faceWords(die.face));

/** Which set draws this symbol. */
export const setOfSymbol = (name) => allSets().find((set) => set.types.some((type) => type.faces.some((face) => face.includes(name))))?.name;

export { faceWords, symbolWord };
