// What the address of a page asks for, checked: /overlay?size=150&at=top-left. What is wrong is said, and the usual taken.

import { say } from "./strings.js";

/** @template T @typedef {{ usual: T, read: (text: string) => T | undefined, fault: (where: string, name: string) => string }} Asked */

/** A number of a range. @param {number} usual @param {{ least: number, most: number, words?: Record<string, number> }} range @returns {Asked<number>} */
export const number = (usual, { least, most, words = {} }) => ({
  usual,
  read: (text) => words[text] ?? (text.trim() !== "" && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
  fault: (where, name) => say("address.number", { where, least, most, write: [usual, ...Object.keys(words)].map((one) => `${name}=${one}`) }),
});

/** One of some words. @template {string | null} T @param {T} usual @param {string[]} words @returns {Asked<string | T>} */
export const choice = (usual, words) => ({
  usual,
  read: (text) => (words.includes(text) ? text : undefined),
  fault: (where) => say("address.choice", { where, known: words }),
});

/** Some of these words, with commas between; without any it is nothing. @param {string[]} usual @param {string[]} words @returns {Asked<string[]>} */
export const some = (usual, words) => ({
  usual,
  read: (text) => {
    const found = text.split(",").filter(Boolean);
    return found.every((one) => words.includes(one)) ? found : undefined;
  },
  fault: (where) => say("address.some", { where, known: words }),
});

/** A colour in hexadecimal digits, with two more for how solid it is, or `none`. @param {string | null} usual @returns {Asked<string | null>} */
export const colour = (usual) => ({
  usual,
  read: (text) => (text === "none" ? "transparent" : /^#?([0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) ? `#${text.replace("#", "")}` : undefined),
  fault: (where) => say("address.colour", { where }),
});

/**
 * Read an address by a table of what it may ask for. Return `{ asked, faults }`: a value for each name, and what is wrong in words.
 * @template {Record<string, Asked<unknown>>} T @param {string} search @param {T} known
 */
export function readAddress(search, known) {
  const asked = /** @type {{ [Name in keyof T]: T[Name]["usual"] }} */ (Object.fromEntries(Object.entries(known).map(([name, { usual }]) => [name, usual])));
  /** @type {string[]} */
  const faults = [];
  for (const [name, text] of new URLSearchParams(search)) {
    const where = `${name}=${text}`;
    if (!Object.hasOwn(known, name)) {
      faults.push(say("address.unknown", { where, known: Object.keys(known) }));
      continue;
    }
    const value = known[name].read(text);
    if (value === undefined) faults.push(known[name].fault(where, name));
    else asked[/** @type {keyof T} */ (name)] = value;
  }
  return { asked, faults };
}
