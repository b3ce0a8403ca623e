// The throws that a roll calls for: to resist, for damage, for what a limit or a purchase asks.

import { say } from "../strings.js";
import { followCall, followsOf } from "./apply.js";

/** Return `{ name, title, body }` of each throw that comes next after `roll`, the newest; the likeliest last. */
export function nextThrows(seen, roll) {
  const { isMaster, me } = seen;
  if (!isMaster && me() !== roll.by) return [];
  const follows = followsOf(roll).map((follow) => ({ name: "follow", title: follow.words, body: followCall({ ...seen.state, roll }, follow) }));
  return [...damageThrows(seen, roll), ...follows];
}

/**
 * After a hit: what the target resists with, and the damage; once that is rolled, the damage against its total.
 * `games` and `people` are as the table tells them, `more` of an answer what is thrown.
 */
export function damageThrows({ state, ui: { people }, games }, roll) {
  const { resists, damage_fields } = games.find((one) => one.name === roll.game)?.characters ?? {};
  const before = state.history[state.history.findIndex((one) => one.id === roll.id) + 1];
  const isAfter = resists && before && roll.label === resists && isHit(before) && before.against === roll.who;
  const shot = isHit(roll) ? roll : isAfter ? before : null;
  if (!shot || !damage_fields?.length) return [];
  const shooter = people.find((one) => one.id === shot.who);
  const target = people.find((one) => one.id === shot.against);
  const weapon = shooter?.weapons.find((one) => one.name === shot.weapon);
  if (!weapon || Object.keys(weapon.damage).length === 0) return [];
  const against = isAfter ? { last_total: roll.id } : shot.against;
  const found = [{ name: "damage", title: say("next.damage", { weapon: weapon.name }), more: [weapon.name, weapon.damage.code].filter(Boolean).join(" "), body: { who: shooter.id, weapon: weapon.name, damage: true, against, label: say("next.damage", { weapon: weapon.name }) } }];
  const skill = isAfter ? null : target?.skills.find((one) => one.name === resists);
  if (skill) found.unshift({ name: "resist", title: say("next.resist", { who: target.name, skill: resists }), more: skill.ask.code ?? "", body: { who: target.id, skill: resists } });
  return found;
}

const isHit = (roll) => Boolean(roll.weapon && roll.succeeded);

/** The same attack once more, where the game counts the actions of a round: `call` is how the roll was called. */
export function attackAgain({ state, games }, roll, call) {
  const counted = games.find((one) => one.name === roll.game)?.form.find((field) => field.name === "actions");
  if (!call || !roll.weapon || !counted) return null;
  const actions = Math.max(actionsOf(roll), attackNumber(state.history, roll) + 1);
  if (actions > counted.most) return null;
  return { name: "again", title: say("next.again"), more: say("next.actions", { n: actions }), body: { ...call, ask: { ...call.ask, actions } } };
}

const actionsOf = (roll) => roll.ask.actions ?? 1;

/** Which attack of its round a roll was: as many as were declared, or one more than before where it was made again. */
function attackNumber(history, roll) {
  const isSame = (one) => ["who", "weapon", "against", "label"].every((key) => one[key] === roll[key]) && one.ask.purpose === roll.ask.purpose;
  const own = history.slice(history.findIndex((one) => one.id === roll.id)).filter(isSame).map(actionsOf);
  const declared = own[0];
  const other = own.findIndex((actions) => actions !== declared);
  const inARow = other < 0 ? own.length : other;
  return inARow === 1 && own[other] === declared - 1 ? declared : ((inARow - 1) % declared) + 1;
}
