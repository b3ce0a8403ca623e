// Which mood a result has: its game says so, with what of the result brings it.

import { dieType } from "../dice.js";

/** Return `[]`, `["triumph"]`, `["despair"]` or both, in the order in which they are shown. @param {Pick<AnyRoll, "sure" | "awaits" | "moods"> | null} roll */
export const moodsOf = (roll) => (roll?.sure && !roll.awaits ? Object.keys(roll.moods) : []);

/** The die that brought a mood: the one that shows its symbol, else the one that is told from its likes, such as the Wild Die. @param {Roll | WholeRoll} roll @param {string} mood */
export function dieOfMood(roll, mood) {
  return roll.dice.find((one) => one.face.includes(roll.moods[mood])) ?? roll.dice.find((one) => dieType(one.type).variant_of);
}

/** Whether a die is to be thrown once more because of what it showed. @param {Pick<AnyRoll, "sure" | "awaits"> | null} roll */
export const throwsAgain = (roll) => Boolean(roll?.sure && roll.awaits?.name.endsWith("again"));
