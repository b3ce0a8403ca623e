// The throws that a roll calls for: to resist, for damage, for what a limit or a purchase asks.

import { manyOf, say } from "../strings.js";
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
  const { resists, thing_resists, damage_fields } = games.find((one) => one.name === roll.game)?.characters ?? {};
  const before = state.history[state.history.findIndex((one) => one.id === roll.id) + 1];
  const isAfter = resists && before && [resists, thing_resists].includes(roll.label) && isHit(before) && before.against === roll.who;
  const shot = isHit(roll) ? roll : isAfter ? before : null;
  if (!shot || !damage_fields?.length) return [];
  const shooter = people.find((one) => one.id === shot.who);
  const target = people.find((one) => one.id === shot.against);
  const weapon = shooter?.weapons.find((one) => one.name === shot.weapon);
  if (!weapon || Object.keys(weapon.damage).length === 0) return [];
  const against = isAfter ? { last_total: roll.id } : shot.against;
  /** @type {any[]} */
  const found = [
    {
      name: "damage",
      title: say("next.damage", { weapon: weapon.name }),
      more: [weapon.name, weapon.damage.code].filter(Boolean).join(" "),
      body: { who: shooter.id, weapon: weapon.name, damage: true, against, label: say("next.damage", { weapon: weapon.name }) },
    },
  ];
  const withstands = target?.kind === "thing" ? thing_resists : resists;
  const skill = isAfter ? null : target?.skills.find((one) => one.name === withstands);
  if (skill)
    found.unshift({
      name: "resist",
      title: say("next.resist", { who: target.name, skill: withstands, n: manyOf(target) }),
      more: skill.ask.code ?? "",
      body: { who: target.id, skill: withstands },
    });
  return found;
}

const isHit = (roll) => Boolean(roll.weapon && roll.succeeded);

/**
 * The same attack once more, where the game counts the actions of a round: as many as were declared, or one more.
 * Nobody tells the table whether all that were declared are done, so both are offered. `call` is how the roll was called.
 */
export function attacksAgain({ games }, roll, call) {
  const counted = games.find((one) => one.name === roll.game)?.form.find((field) => field.name === "actions");
  if (!call?.weapon || call.damage || !counted) return [];
  const declared = roll.ask.actions ?? 1;
  return [declared, declared + 1]
    .filter((actions) => actions > 1 && actions <= counted.most)
    .map((actions) => ({
      name: "again",
      title: say("next.again"),
      more: say("next.actions", { n: actions }),
      body: { ...call, ask: { ...call.ask, actions } },
    }));
}
