// Which mood a result has. Its net says so, whatever the game.

import { dieType } from "../dice.js";

/** The moods in the order in which they are shown, and what of a result brings them. */
const BROUGHT_BY = { triumph: ["triumph"], despair: ["despair", "complication"] };
const MOODS = Object.keys(BROUGHT_BY);

/** Return `[]`, `["triumph"]`, `["despair"]` or both, in the order in which they are shown. */
export function moodsOf(roll) {
  if (!roll?.sure || roll.awaits) return [];
  return MOODS.filter((mood) => BROUGHT_BY[mood].some((name) => roll.net[name] > 0));
}

/** The die that brought a mood: the one that shows its symbol, else the one that is told from its likes, such as the Wild Die. */
export function dieOfMood(roll, mood) {
  return roll.dice.find((one) => one.face.some((name) => BROUGHT_BY[mood].includes(name))) ?? roll.dice.find((one) => dieType(one.type).variant_of);
}

/** Whether a die is to be thrown once more because of what it showed. */
export const throwsAgain = (roll) => Boolean(roll?.sure && roll.awaits?.name.endsWith("again"));
