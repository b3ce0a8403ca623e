// The throws that a roll calls for: to resist, for damage, for what a limit or a purchase asks.

import { followCall, followsOf } from "../part/apply.js";
import { say } from "../strings.js";

/** Return `{ name, title, body }` of each throw that comes next after `roll`, the newest; the likeliest last. */
export function nextThrows(seen, roll) {
  const { isMaster, me } = seen;
  if (!isMaster && me() !== roll.by) return [];
  const follows = followsOf(roll).map((follow) => ({ name: "follow", title: follow.words, body: followCall({ ...seen.state, roll }, follow) }));
  return [...damage(seen, roll), ...follows];
}

/** After a hit: what the target resists with, and the damage; once that is rolled, the damage against its total. */
function damage({ state, ui, games }, roll) {
  const { resists, damage_fields } = games.find((one) => one.name === roll.game)?.characters ?? {};
  const before = state.history[state.history.findIndex((one) => one.id === roll.id) + 1];
  const isAfter = resists && before && roll.label === resists && isHit(before) && before.against === roll.who;
  const shot = isHit(roll) ? roll : isAfter ? before : null;
  if (!shot || !damage_fields?.length) return [];
  const shooter = ui.people.find((one) => one.id === shot.who);
  const target = ui.people.find((one) => one.id === shot.against);
  const weapon = shooter?.weapons.find((one) => one.name === shot.weapon);
  if (!weapon || Object.keys(weapon.damage).length === 0) return [];
  const against = isAfter ? { last_total: roll.id } : shot.against;
  const found = [{ name: "damage", title: say("next.damage", { weapon: weapon.name }), body: { who: shooter.id, weapon: weapon.name, damage: true, against, label: say("next.damage", { weapon: weapon.name }) } }];
  if (!isAfter && target?.skills.some((one) => one.name === resists)) found.unshift({ name: "resist", title: say("next.resist", { who: target.name, skill: resists }), body: { who: target.id, skill: resists } });
  return found;
}

const isHit = (roll) => Boolean(roll.weapon && roll.succeeded);
