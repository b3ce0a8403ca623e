// Ready heroes and weapons, as the table takes them.

import { newId } from "../dom.js";
import { change } from "../talk.js";

/** A ready hero, skill or weapon without the words that only a page needs. */
export const plain = ({ words: _words, dice: _dice, ...rest }) => rest;

/** @returns {any} */
export const heroBody = (hero) => ({ ...plain(hero), kind: "player", skills: hero.skills.map(plain), weapons: hero.weapons.map(plain) });

/** Bring in ready heroes of a game; who is there already stays one. */
export async function bringIn(heroes, people, game) {
  for (const hero of heroes) {
    if (people.some((one) => one.game === game && one.name === hero.name)) continue;
    if (!(await change("/api/people", { do: "add", person: { ...heroBody(hero), id: newId(), game } }))) return;
  }
}
