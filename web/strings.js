// The words of the chosen language. A language is one table in words/; this file chooses it.

import { ENGLISH } from "./words/english.js";
import { GERMAN } from "./words/german.js";
import { recall } from "./memory.js";

export const LANGUAGES = { en: ENGLISH, de: GERMAN };

/** The language of this page: as asked in the address, as chosen here, as the browser likes it, or English. */
export function language() {
  const wanted = [new URLSearchParams(location.search).get("lang"), recall("language"), ...navigator.languages];
  return wanted.map((one) => one?.slice(0, 2)).find((one) => Object.hasOwn(LANGUAGES, one ?? "")) ?? "en";
}

export const words = LANGUAGES[language()];
document.documentElement.lang = language();

/** Say how long ago something was. */
export function ageWords(seconds) {
  if (seconds < 60) return words.justNow;
  if (seconds < 3600) return words.minutesAgo(Math.floor(seconds / 60));
  if (seconds < 86400) return words.hoursAgo(Math.floor(seconds / 3600));
  return words.daysAgo(Math.floor(seconds / 86400));
}

/** Say a symbol: `"2 advantages"`, `"advantages"` without its number. */
export function symbolWord(name, count = 1, withNumber = false) {
  const known = words.symbols[name];
  const word = known ? (count === 1 ? known.one : known.many) : name;
  return withNumber && count !== 1 ? `${count} ${word}` : word;
}

/** Say a face: `"blank"`, `"2 threats"`, `"success + advantage"`. */
export function faceWords(face) {
  if (face.length === 0) return words.blank;
  const counts = new Map();
  for (const name of face) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => symbolWord(name, n, true)).join(" + ");
}

const WORDS_OF = { success: "success", failure: "failure" };

/** The word for how a roll ended, or nothing where it is no check. */
export function outcomeWord(roll) {
  if (roll.succeeded === null || roll.succeeded === undefined) return "";
  return words.outcomes[WORDS_OF[roll.outcome] ?? (roll.succeeded ? "success" : "failure")];
}

/** What the screen shows largest of a roll without a total. */
export function headlineWords(roll) {
  const said = roll.headline || "";
  return said.toLowerCase() === roll.outcome ? outcomeWord(roll) || said : said;
}

const OF_CAMERA = new Set(["camera", "setup"]);

/** What is wrong, as one short line. */
export function troubleLine({ part, what }) {
  return (OF_CAMERA.has(part) && words.troubles[what]) || `${words.troubleParts[part] ?? part}: ${what}`;
}
