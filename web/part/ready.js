// Ready heroes, opponents and weapons, as the table takes them.

import { newId } from "../dom.js";
import { plainSaid } from "../said.js";
import { change } from "../talk.js";

/** A ready hero, skill or weapon without the words that only a page needs. @param {Record<string, any>} ready */
export const plain = ({ words: _words, dice: _dice, ...rest }) => rest;

/** Somebody ready, who is in the scene from then on. @param {Told["ShownHero"]} one @returns {any} */
export const heroBody = (one) => ({
  ...plain(one),
  skills: one.skills.map(plain),
  weapons: one.weapons.map(plain),
  states: one.states.map((state) => ({ ...state, name: plainSaid(state.name), words: plainSaid(state.words), skills: (state.skills ?? []).map(plainSaid) })),
});

/** Whether somebody ready is there. @param {Told["ShownHero"]} one @param {BriefPerson[]} people @param {string} game */
const isThere = (one, people, game) => people.some((other) => other.game === game && other.name === one.name);

/** The opponents of a game who are not there yet. @param {Game} game @param {BriefPerson[]} people */
export const opponentsLeft = (game, people) => game.ready.opponents.filter((one) => !isThere(one, people, game.name));

/**
 * Bring in ready ones of a game, in one change; who is there already stays one.
 * @param {Told["ShownHero"][]} heroes @param {BriefPerson[]} people @param {string} game
 */
export async function bringIn(heroes, people, game) {
  const [person, ...others] = heroes.filter((hero) => !isThere(hero, people, game)).map((hero) => ({ ...heroBody(hero), id: newId(), game }));
  if (person) await change("/api/people", { do: "add", person, others });
}
