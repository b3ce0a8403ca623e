// The call that is being put together on a phone: who, what, against whom; and the body that asks for it.

import { allSets, dieType, isDie } from "../dice.js";
import { recall, remember } from "../memory.js";

export const NEW_DRAFT = {
  who: "",
  isAnyone: false,
  changes: "", // the id of the open call that this is made of
  isEmpty: false, // a call was made, and nobody was tapped for another
  isOneMore: false, // another call is wanted, and nobody was tapped for it yet
  skill: "",
  weapon: "",
  crew: /** @type {string | null} */ (null), // who of a thing's crew rolls: by themselves the first who can, "" for the thing itself
  damage: false,
  isOther: false,
  against: "",
  isGuess: false, // the target is a likely one
  againstSkill: "",
  targets: /** @type {string[] | null} */ (null),
  lastTotal: "",
  table: "",
  label: "",
  ask: /** @type {Answers} */ ({}),
  hidden: false,
  ticked: /** @type {string[]} */ ([]), // what joins though it does not by itself
  others: /** @type {string[]} */ ([]),
  isHelp: false,
  ledBy: "",
  contest: "",
};
const RECENT_S = 180; // a total that is older was rolled for something else

/** @type {Record<string, string>} */
const USUAL = { choice: "average" }; // until somebody chose a difficulty on this phone

/** Those who may be asked: the players first, then who else is in the scene. A player without a character has a name alone. @param {Drafting} seen @returns {Actor[]} */
export function actors({ state, ui, game }) {
  const here = ui.people.filter((one) => one.game === game.name);
  const [players, others] = [here.filter((one) => one.kind === "player"), here.filter((one) => one.kind !== "player")];
  const known = new Set(players.map((one) => one.name));
  /** @type {Actor[]} */
  const bare = state.players
    .filter((one) => !known.has(one.name))
    .map((one) => ({ id: "", key: `player:${one.name}`, name: one.name, kind: "player", skills: [], weapons: [], trackers: {}, dice: {} }));
  return [...players, ...bare, ...others].map((one) => ({ key: one.id, ...one }));
}

/** @param {Drafting} seen */
export const actorOf = (seen) => actors(seen).find((one) => one.key === seen.ui.draft.who) ?? null;

/** Those of a thing's crew who are here, in the order in which they were chosen. @param {Pick<Person, "crew"> | Rolling | null} thing @param {Person[]} people */
export const crewOf = (thing, people) => (thing?.crew ?? []).flatMap((id) => people.find((one) => one.id === id) ?? []);

/** Who of a thing's crew rolls the call; undefined where the thing itself does, or who was chosen. @param {Drafting} seen @param {Rolling | null} actor */
export function roller(seen, actor) {
  const crew = crewOf(actor, seen.ui.people);
  const { crew: chosen } = seen.ui.draft;
  return isSeveral(seen.ui.draft) ? undefined : chosen === null ? crew.find((one) => !one.out) : crew.find((one) => one.id === chosen);
}

/** All who are chosen, the one who rolls first or leads before the others. @param {Drafting} seen */
export const chosenOf = (seen) => [seen.ui.draft.who, ...seen.ui.draft.others].flatMap((key) => actors(seen).find((one) => one.key === key) ?? []);

/** The players, who are chosen together by one tap. @param {Drafting} seen */
export const everybody = (seen) => actors(seen).filter((one) => one.kind === "player");

/** The roll by which somebody of the same side has just taken command, where the game wants one before others help. @param {Drafting} seen */
export function lastCommand(seen) {
  const names = seen.game.characters.commands.map((one) => one.toLowerCase());
  const actor = actorOf(seen);
  const friends = seen.ui.people.filter((one) => actor && sideOf(one) === sideOf(actor)).map((one) => one.id);
  const isFresh = (/** @type {BriefRoll} */ roll) => roll.sure && !roll.hidden && seen.state.time - roll.at < RECENT_S;
  return seen.state.history.find((roll) => isFresh(roll) && names.includes(roll.label.toLowerCase()) && (!roll.who || friends.includes(roll.who))) ?? null;
}

/** @param {string} name @param {boolean} hinders */
const isOnSide = (name, hinders) => isDie(name) && Boolean(dieType(name).hinders) === hinders;

/** The die that the game's form adds to a side one by one, where it has one. @param {Game} game @param {boolean} hinders */
export const addedDie = (game, hinders) =>
  game.form.find((field) => field.kind === "number" && isOnSide(field.name, hinders) && !game.characters.skill_fields.includes(field.name))?.name;

/** The die of a side that the game's form upgrades and downgrades, where it has one. @param {Game} game @param {boolean} hinders */
export const upgradedDie = (game, hinders) => Object.keys(game.upgrades).find((name) => isOnSide(name, hinders));

/** What a tap makes of a die: its better one or, of that, the plain one; undefined where it has none. @param {Game} game @param {string} name */
export const turnedOf = (game, name) => game.upgrades[name] ?? Object.keys(game.upgrades).find((one) => game.upgrades[one] === name);

/** Whether several roll, one after the other. @param {Draft} draft */
export const isSeveral = ({ others, isHelp }) => others.length > 0 && !isHelp;

/** The die of a game's codes: of its first set, the one that is no variant of another. @param {Game} game */
export const codeDie = (game) =>
  /** @type {DieType} */ (/** @type {DieSet} */ (allSets().find((one) => one.name === game.dice_sets[0])).types.find((one) => !one.variant_of)).name;

/** Whether a die shows points of the pool, which neither help nor hinder. @param {string} name */
export const showsPoints = (name) =>
  dieType(name)
    .distinct.flat()
    .some((one) => one === "light" || one === "dark");

/** Whether answers name dice of their own. @param {Answers} ask */
export const hasDice = (ask) =>
  Boolean(ask.code) ||
  Object.entries(ask).some(
    ([name, value]) =>
      (name === "dice" && Object.keys(value ?? {}).length > 0) || (typeof value === "number" && value > 0 && isDie(name) && !dieType(name).hinders),
  );

/** The field of the game's form, or undefined. @param {Game} game @param {string} name */
export const fieldOf = (game, name) => game.form.find((field) => field.name === name);

const sideOf = (/** @type {Pick<Anybody, "kind">} */ person) => (person.kind === "player" ? "player" : "other");

/** The people of the other side, who are attacked; then all others; last those who are out. @param {Drafting} seen @param {Rolling | null} [actor] */
export function targetsOf(seen, actor) {
  const others = seen.ui.people.filter((one) => one.game === seen.game.name && one.id !== actor?.id);
  const place = (/** @type {Person} */ one) => (one.out ? 2 : 0) + (actor && sideOf(one) === sideOf(actor) ? 1 : 0);
  return others.sort((one, other) => place(one) - place(other)); // of `filter`, so that nothing else is sorted
}

/** Whom somebody attacks who has just been chosen: who has just reacted, whom the last attack was at, or the first of the other side. @param {Drafting} seen @param {Rolling} actor */
export function usualTarget(seen, actor) {
  const foes = targetsOf(seen, actor).filter((one) => !one.out && sideOf(one) !== sideOf(actor));
  const { history } = seen.state;
  const reacted = foes.find((one) => Object.values(/** @type {Round | null} */ (one.round)?.reactions ?? {}).includes(history[0]?.id));
  const last = history.find((roll) => roll.against && foes.some((one) => one.id === roll.against));
  return reacted?.id ?? last?.against ?? foes[0]?.id ?? "";
}

/** A total that somebody else has just rolled, such as a dodge: an attack may have to beat it. @param {Drafting} seen @param {Rolling | null} [actor] */
export function lastTotal(seen, actor) {
  const [roll] = seen.state.history;
  const isFresh = roll && roll.sure && !roll.awaits && !roll.hidden && roll.game === seen.game.name && seen.state.time - roll.at < RECENT_S;
  if (!isFresh || !fieldOf(seen.game, "reaction_total") || roll.net.total === undefined || !roll.who || roll.who === actor?.id) return null;
  const isPlain = !roll.weapon && (roll.ask.purpose ?? "check") === "check";
  return isPlain ? roll : null;
}

const key = (/** @type {Game} */ game) => `difficulty.${game.name}`;

/** The difficulty that was chosen last in this game, as answers. @param {Game} game @returns {Answers} */
export function difficultyOf(game) {
  try {
    const kept = JSON.parse(recall(key(game)) ?? "null");
    if (kept) return kept;
  } catch {
    // it was written by another version
  }
  const usual = USUAL[fieldOf(game, "difficulty")?.kind ?? ""];
  return usual ? { difficulty: usual } : {};
}

/** @param {Game} game @param {Answers} answers */
export const keepDifficulty = (game, answers) => remember(key(game), JSON.stringify(answers));

/** Whether the difficulty of before does not count: an attack and what is opposed have their own, a reaction is one. @param {Drafting} seen */
export function hasOwnDifficulty(seen) {
  const {
    ui: { draft },
    game,
  } = seen;
  const purpose = draft.ask.purpose ?? fieldOf(game, "purpose")?.default;
  const ask = { ...actorOf(seen)?.skills.find((one) => one.name === draft.skill)?.ask, ...draft.ask };
  const { reactions, reaction_ask } = game.characters;
  const isReaction =
    reactions.some((one) => one.toLowerCase() === draft.skill.toLowerCase()) ||
    Object.entries(reaction_ask).some(([name, answers]) => answers.includes(ask[name]));
  return Boolean(isReaction || draft.weapon || draft.against || draft.lastTotal || (purpose && purpose !== "check"));
}

/** Whether a pool was told with what is against it. @param {Answers} ask */
const hasWholePool = ({ dice }) => typeof dice === "string" || Object.keys(dice ?? {}).some((name) => dieType(name).hinders);

/**
 * What is asked, as the table takes it; `who` is the name of the player of this phone where no character is chosen.
 * @param {Drafting} seen @returns {Sent<Told["CallRoll"]> & Sent<Told["OddsBody"]>}
 */
export function bodyOf(seen) {
  const {
    ui: { draft },
    game,
  } = seen;
  const actor = actorOf(seen);
  const isSet = ["difficulty", "band"].some((name) => draft.ask[name] !== undefined);
  const usual = hasOwnDifficulty(seen) || isSet || hasWholePool(draft.ask) ? {} : difficultyOf(game);
  const others = chosenOf(seen).slice(1);
  const crew = draft.skill || draft.weapon ? roller(seen, actor) : undefined;
  const several = draft.isHelp
    ? { helpers: others.map((one) => one.id).filter(Boolean), ...(draft.ledBy && { led_by: draft.ledBy }) }
    : { others: others.map((one) => one.id || one.name) };
  const isOne = draft.targets === null || draft.targets.length === 0;
  const against = draft.lastTotal ? { last_total: draft.lastTotal } : isOne && draft.against;
  return {
    ...(crew && actor ? { who: crew.id, aboard: actor.id } : actor?.id ? { who: actor.id } : { game: game.name, player: actor?.name ?? "" }),
    ...(draft.skill && { skill: draft.skill }),
    ...(draft.weapon && { weapon: draft.weapon, ...(draft.damage && { damage: true }) }),
    ...(against && { against }),
    ...(isOne && !draft.lastTotal && draft.against && draft.againstSkill && { against_skill: draft.againstSkill }),
    ...(!isOne && !draft.lastTotal && { targets: draft.targets ?? [] }),
    ...(draft.table && { table: draft.table }),
    ask: { ...usual, ...draft.ask },
    ...(draft.label.trim() && { label: draft.label.trim() }),
    ...(draft.hidden && { hidden: true }),
    ...(draft.ticked.length > 0 && { ticked: draft.ticked }),
    ...(others.length > 0 && several),
    ...(draft.contest && { contest: draft.contest }),
    ...(draft.changes && { changes: draft.changes }),
  };
}

/** The draft of a call that stands, to be changed. @param {Call} asked @param {Pick<PhoneSeen, "state">} seen @returns {Draft} */
export function draftOf(asked, { state }) {
  const who = asked.aboard || asked.who || (asked.player ? `player:${asked.player}` : "");
  const isOwnLabel = asked.label && asked.label !== asked.skill && asked.label !== asked.weapon;
  return {
    ...NEW_DRAFT,
    changes: asked.id,
    who: who || (state.players[0] ? `player:${state.players[0].name}` : ""),
    skill: asked.skill ?? "",
    weapon: asked.weapon ?? "",
    crew: asked.aboard ? asked.who : "",
    damage: Boolean(asked.damage),
    isOther: !asked.skill && !asked.weapon,
    against: asked.last_total ? "" : (asked.against ?? ""),
    againstSkill: asked.against_skill ?? "",
    targets: asked.targets ?? null,
    lastTotal: asked.last_total ?? "",
    table: asked.table ?? "",
    label: isOwnLabel ? asked.label : "",
    ask: asked.given ?? {},
    hidden: asked.hidden,
    ticked: asked.ticked ?? [],
    ...severalOf(asked, state),
  };
}

/** The others of a call that stands: who still waits, or who help. @param {Call} asked @param {State} state @returns {Partial<Draft>} */
function severalOf(asked, { contest }) {
  if (asked.helpers) return { others: asked.helpers, isHelp: true, ledBy: asked.led_by ?? "" };
  if (!asked.contest || contest?.id !== asked.contest) return {};
  return { contest: contest.id, others: contest.waiting.filter((one) => one.name !== asked.player).map((one) => one.who || `player:${one.name}`) };
}
