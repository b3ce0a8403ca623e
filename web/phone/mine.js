// What of the table is this phone's: who it plays, and whether what is next is theirs.

import { rollOf, whoseOf } from "../part/now.js";
import { actors } from "./draft.js";

const ANYBODYS = ["throw", "pool", "rolling", "doubt", "wrong", "more"];

/** Whom this phone plays: the card that the table says it has, or who it is by its own name alone. @param {PhoneSeen} seen @returns {Actor | undefined} */
export const mineOf = (seen) => actors(seen).find((one) => one.id === seen.ui.person && (one.id || one.name === seen.me()));

/** The others of this phone. @param {Pick<PhoneSeen, "ui" | "game">} seen */
export const othersOf = ({ ui, game }) => ui.people.filter((one) => ui.also.includes(one.id) && one.id !== ui.person && one.game === game.name);

/** Whether somebody is of this phone. @param {PhoneSeen} seen @param {string} id @param {Mine} [mine] */
export const isOfPhone = (seen, id, mine = mineOf(seen)) => id === mine?.id || seen.ui.also.includes(id);

/** Whether the now is mine: I throw, act or answer, or my roll is what came of it. Dice that nobody is called for are everybody's. @param {PhoneSeen} seen @param {Mine} mine */
export function isMine(seen, mine) {
  const { now } = seen.state;
  const whose = whoseOf(seen.state);
  const roll = /** @type {AnyRoll} */ (rollOf(seen.state));
  const isMe = (/** @type {string} */ name) => name === seen.me() || name === seen.paired; // a phone without a card has its own name
  if (now.name === "result") return roll.who ? isOfPhone(seen, roll.who, mine) : Boolean(roll.by) && isMe(roll.by);
  if (whose.id) return isOfPhone(seen, whose.id, mine);
  if (!now.call && !now.roll) return false;
  return whose.name ? isMe(whose.name) : ANYBODYS.includes(now.name);
}
