// What the games say, in the language of this page. A text comes with its English pattern and the values in it; the
// table of the language holds the same pattern in its own words. What the table does not know stays English.

import { filled, language, patternOf } from "./strings.js";

// Texts without values have no pattern of their own: they are looked up as they are.
const PLAIN = ["title", "help", "resets", "pool", "light", "dark", "game_title", "bars_of", "headline", "sentence", "what", "hint", "advice"];
const LISTS = ["steps"];
const OWN = new Set(["words", "session"]); // the session's title is what people wrote

/** A text without values in the language of this page, or as it is. @param {string} text @returns {string} */
export const plainSaid = (text) => patternOf(text) ?? text;

/** What a call or roll is for, in the language of this page: what the table called it, beside what people wrote. @param {string} [label] */
export const labelSaid = (label = "") => label.split(": ").map(plainSaid).join(": ");

/**
 * A text by its `{ key, values }`; `text` is its English form.
 * @param {Said | null | undefined} told @param {string} text @returns {string}
 */
export function said(told, text) {
  const pattern = told ? patternOf(told.key) : undefined;
  return told && pattern !== undefined ? filled(pattern, told.values ?? {}, valueSaid) : text;
}

/** The values of a text of this page, each in its language. @param {Record<string, any> | null | undefined} values */
export const valuesSaid = (values) => Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, valueSaid(value)]));

/** @param {any} value @returns {string} */
const valueSaid = (value) => (typeof value === "object" && value !== null ? said(value, value.text) : plainSaid(String(value)));

/**
 * Put what the table tells into the language of this page, in place: every text that comes with its words.
 * @template T @param {T} told @returns {T}
 */
export function localised(told) {
  if (language() !== "en") visit(told);
  return told;
}

/** What an error says, on an English page too: what the table calls by a name is called by its title. @param {Partial<Fault> & { words?: Record<string, Said> }} error @returns {Partial<Fault>} */
export function errorSaid(error) {
  const parts = language() === "en" ? Object.entries(error.words ?? {}).map(([name, one]) => [name, titled(one)]) : [];
  return { ...error, ...Object.fromEntries(parts) };
}

/** @param {any} value @returns {string} */
const titled = (value) => (typeof value === "object" && value !== null ? filled(value.key, value.values ?? {}, titled) : String(value));

/** @param {any} node */
function visit(node) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    node.forEach(visit);
    return;
  }
  for (const name of PLAIN) if (typeof node[name] === "string") node[name] = plainSaid(node[name]);
  for (const name of LISTS) {
    if (Array.isArray(node[name]) && typeof node[name][0] === "string")
      node[name] = node[name].map((/** @type {string} */ one) => plainSaid(one.replaceAll("_", " ")));
  }
  const worded = typeof node.words === "object" && node.words !== null ? node.words : {};
  if (typeof node.words === "string" && node.said) node.words = said(node.said, node.words); // of effects and what follows
  for (const [name, one] of Object.entries(worded)) if (typeof node[name] === "string") node[name] = said(one, node[name]);
  for (const [name, one] of Object.entries(node)) if (!OWN.has(name)) visit(one);
}
