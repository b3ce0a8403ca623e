// The words of this page. A language is one file in words/, which the server finds: "pages" has what the pages say by a key,
// "table" what the table says by its English pattern. A pattern has places for values:
//   {name}       the value        {^name}  with a capital letter     {_name}  in small letters
//   {~name}      French "de" before the value: "d’Oskara", "de Vex"
//   {n:die|dice} the form for a number, in the order of the plural categories of the language (one, other)
// and, in what the table says, {*name} for a list of sentences and {=name} for what people wrote.

import { recall } from "./memory.js";

export const LANGUAGES = JSON.parse(document.documentElement.dataset.languages ?? "{}");

/** The language of this page: as asked in the address, as chosen here, as the browser likes it, or English. */
export function language() {
  const wanted = [new URLSearchParams(location.search).get("lang"), recall("language"), ...navigator.languages];
  return wanted.map((one) => one?.slice(0, 2)).find((one) => Object.hasOwn(LANGUAGES, one ?? "")) ?? "en";
}

document.documentElement.lang = language();
const spoken = await (await fetch(new URL(`./words/${language()}.json`, import.meta.url))).json(); // pages wait: no other language flashes
document.documentElement.toggleAttribute("data-began", true); // each module of the page and its words are here (see again.js)
/** @param {Record<string, string> | undefined} table @param {string} key @returns {string | undefined} */
const own = (table, key) => (table && Object.hasOwn(table, key) ? table[key] : undefined);

/** The pattern of this language for an English one of the table, if there is one. @param {string} english */
export const patternOf = (english) => own(spoken.table, english);

/** Say what the page has to say by its key. @param {any} key @param {Record<string, any>} [values] @returns {string} */
export const say = (key, values) => sayOr(key, key, values);

/** Say it, or `otherwise` where nothing is known by that key. @param {string} key @param {string} otherwise @param {Record<string, any>} values */
export function sayOr(key, otherwise, values = {}) {
  const pattern = own(spoken.pages, key);
  return pattern === undefined ? otherwise : filled(pattern, values);
}

const PLACE = /\{([\^_*=~]?)(\w+)(?::([^{}]*))?\}/g;
const VOWEL = /^[aeiouyàâäéèêëîïôöùûüœæ]/i;
const rules = new Intl.PluralRules(language());
/** @type {string[]} */
const categories = ["zero", "one", "two", "few", "many", "other"].filter((one) => rules.resolvedOptions().pluralCategories.some((other) => other === one));

/**
 * A pattern with its values; `shown` makes text of a value.
 * @param {string} pattern @param {any} values @param {(value: any) => string} [shown]
 */
export function filled(pattern, values, shown = String) {
  return pattern.replace(PLACE, (_, mark, name, list) => {
    const value = values[name];
    if (list !== undefined) {
      const forms = list.split("|");
      return forms[Math.min(categories.indexOf(rules.select(Number(value))), forms.length - 1)];
    }
    if (mark === "=") return value;
    const text = Array.isArray(value) ? value.map(shown).join(mark === "*" ? " " : ", ") : shown(value);
    if (mark === "_") return text.toLowerCase();
    if (mark === "~") return VOWEL.test(text) ? `d’${text}` : `de ${text}`;
    return mark === "^" ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
  });
}

/** How many somebody is for a sentence: a group, such as Scouts, are several. @param {{ kind: string } | null | undefined} person */
export const manyOf = (person) => (person?.kind === "group" ? 2 : 1);

/** The letter that stands for a name. @param {string} name */
export const initial = (name) => [...name.trim()][0]?.toUpperCase() ?? "";

/** The language as this browser's country writes numbers and times, such as 17:40 in British English. */
const regional = navigator.languages.find((one) => one.slice(0, 2) === language()) ?? language();
const ago = new Intl.RelativeTimeFormat(regional, { style: "short" });

/** The time of day, hours and minutes, of a moment in milliseconds since 1970. @param {number} ms */
export const clock = (ms) => new Date(ms).toLocaleTimeString(regional, { hour: "2-digit", minute: "2-digit" });

/** Say how long ago something was. @param {number} seconds */
export function ageWords(seconds) {
  if (seconds < 60) return say("justNow");
  if (seconds < 3600) return ago.format(-Math.floor(seconds / 60), "minute");
  return seconds < 86400 ? ago.format(-Math.floor(seconds / 3600), "hour") : ago.format(-Math.floor(seconds / 86400), "day");
}

/** Say a symbol: `"2 advantages"`, `"advantages"` without its number. @param {string} name */
export function symbolWord(name, count = 1, withNumber = false) {
  const word = sayOr(`symbol.${name}`, name, { n: count });
  return withNumber && count !== 1 ? `${count} ${word}` : word;
}

/** Say a face: `"blank"`, `"2 threats"`, `"success + advantage"`. @param {string[]} face */
export function faceWords(face) {
  if (face.length === 0) return say("blank");
  const counts = new Map();
  for (const name of face) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => symbolWord(name, n, true)).join(" + ");
}

/** @type {Record<string, string>} */
const WORDS_OF = { success: "success", failure: "failure" };

/** The word for how a roll ended, or nothing where it is no check. @param {{ succeeded: boolean | null | undefined, outcome: string }} roll */
export function outcomeWord(roll) {
  if (roll.succeeded === null || roll.succeeded === undefined) return "";
  return say(`outcomes.${WORDS_OF[roll.outcome] ?? (roll.succeeded ? "success" : "failure")}`);
}

/** What the screen shows largest of a roll without a total. @param {{ headline: string, succeeded: boolean | null | undefined, outcome: string }} roll */
export function headlineWords(roll) {
  const head = roll.headline || "";
  return head.toLowerCase() === roll.outcome ? outcomeWord(roll) || head : head;
}

/** How many points of each kind are in a pool. @param {{ light: number, dark: number }} pool @param {Told["PoolNames"]} names */
export const poolCounts = ({ light, dark }, names) => say("poolCounts", { light, dark, lightName: names.light, darkName: names.dark });

/** Since when a session runs or that it has ended, and with how many rolls. @param {State} state */
export const sessionWords = ({ session: { at, ended }, history }) =>
  [
    ended ? say("tonight.ended", { time: clock(1000 * ended) }) : at ? say("tonight.since", { time: clock(1000 * at) }) : "",
    say("tonight.rolls", { n: history.length }),
  ]
    .filter(Boolean)
    .join(", ");

/** Whether there is a session to end; else one may begin. @param {State} state */
export const isSession = ({ session, history }) => !session.ended && (session.number > 0 || history.length > 0);

/** The number and title of an evening. @param {State} state */
export const sessionTitle = ({ session: { number: n, title }, history }) =>
  say(n ? (title ? "sessionTitled" : "sessionNumber") : history.length > 0 ? "session" : "sessionNone", { n, title });

/** What an undo takes back, such as "8 wounds to Troopers". @param {Told["UndoTold"]} undo */
export const undoWhat = ({ sentence }) => sentence;

/** Where something went wrong, in the words of this page: "roll 8f3a.." is this roll. What has no word here stays: such as a name; an address of the API says nothing to people. @param {string} where */
export const whereWords = (where) => (where.startsWith("/api/") ? "" : sayOr(`where.${where.replace(/^(roll|game|change|die|tracker) .+$/, "$1")}`, where));

const OF_CAMERA = new Set(["camera", "setup"]);

/** What is wrong, as one short line. @param {Trouble} trouble */
export function troubleLine({ part, what, words }) {
  const line = OF_CAMERA.has(part) ? sayOr(`troubles.${words?.what?.key ?? what}`, "") : "";
  return line || `${sayOr(`troubleParts.${part}`, part)}: ${what}`;
}
