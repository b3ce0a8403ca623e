// What is next, as the table says it (`now` of a state): its words, its colour and its acts, for each place that shows it. No page has a rule of its own.

import { typeTitle } from "../dice.js";
import { valuesSaid } from "../said.js";
import { manyOf, say } from "../strings.js";
import { change } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { asksWords } from "./doubt.js";
import { cameTo, toneOf, wrongWords } from "./plate.js";
import { personOf } from "./turns.js";

const THROWS = { table: "rolls", master: "fight.nowThrows", mine: "now.mine", named: "now.theirs", other: "fight.nowThrows" };
const ACTS = { table: "turn.acts", master: "turn.acts", mine: "now.myTurn", named: "turn.acts", other: "turn.acts" };
/** @typedef {string | ((roll: AnyRoll, now: State["now"]) => string)} Head */
const all = (/** @type {Head} */ words) => ({ table: words, master: words, mine: words, other: words });
/** The words of each now at each place: keys of texts, or what finds the text in a roll. @type {Record<string, Record<string, Head>>} */
const HEADS = {
  setup: { ...all((_roll, now) => say(`host.step.${stepOf(now)}`)), mine: "me.in", other: "me.in" },
  idle: { ...all("now.tap"), table: "idleHeadline" },
  pool: THROWS,
  throw: THROWS,
  initiative: THROWS,
  rolling: { ...all("now.laid"), table: "rolls", other: "fight.nowThrows" },
  doubt: { ...all((roll) => asksWords(roll)), other: "now.unclear" },
  wrong: { ...all((roll) => wrongWords(roll.short)), other: "now.throwsAgain" },
  more: { ...all("now.soFar"), other: "now.throwsOn" },
  apply: all(cameTo),
  step: { ...all(cameTo), mine: "now.mine", named: "now.theirs" },
  spend: all(cameTo),
  result: all(cameTo),
  turn: ACTS,
  turn_done: ACTS,
  fallen: { ...all("now.down"), mine: "now.youDown" },
  won: { ...all("now.won"), table: "now.allDown" },
  over: all("now.over"),
};
const ASK = ["pool", "throw", "initiative", "rolling", "more", "step", "turn", "turn_done"];
/** @type {Record<string, string>} */
const TONES = { ...Object.fromEntries(ASK.map((name) => [name, "ask"])), doubt: "doubt", wrong: "doubt", fallen: "bad", won: "good" };

/** Which of its three steps the set-up of a table is at. @param {Pick<Told["ShownNow"], "act">} now */
export const stepOf = ({ act }) => STEPS[act?.key ?? ""];
/** @type {Record<string, number>} */
const STEPS = { choose_dice: 1, bring_in: 2, phones: 2, begin: 3 };

/** The roll that the now is about, the only one that is big anywhere; null where it is about none. @param {Pick<Shown, "now" | "roll" | "history">} state @returns {AnyRoll | null} */
export const rollOf = ({ now, roll, history }) => (now.roll ? [roll, ...history].find((one) => one?.id === now.roll) : null) ?? null;

/** The same where it is not the newest, and the state tells of it in brief alone; its whole is asked for, anew as soon as any of it changes. @param {Pick<Shown, "now" | "roll" | "history">} state */
export const briefOf = (state) => (state.now.roll === state.roll?.id ? null : rollOf(state));

/** What the now is about: its roll, or its call; null where it is about neither. @param {Shown} state */
export const aboutOf = (state) => rollOf(state) ?? (state.now.call ? state.asked : null);

/** Whether the order of a fight is still thrown for. @param {Shown} state */
export const isOrdering = (state) => Boolean(state.contest?.initiative && aboutOf(state)?.contest === state.contest.id);

/** Whose the now is: `{ name, kind }`, with all that a state tells of somebody of the scene. A player may have a name alone. @param {Shown} state @returns {Anybody & { id: string }} */
export const whoseOf = (state) =>
  state.people.find((one) => one.id === ((state.now.name === "fallen" && rollOf(state)?.applied?.at(-1)?.to) || state.now.whose)) ?? {
    id: "",
    kind: "player",
    ...ofTurn(state),
    ...((state.asked?.player || rollOf(state)?.by) && { name: state.asked?.player || rollOf(state)?.by }),
  };

/** Whose the turn is that is on: `{ name, kind }`, no name where any player may take it. @param {Shown} state @returns {{ name: string, kind?: Told["PersonKind"] }} */
function ofTurn({ now, people, initiative }) {
  const slot = now.name.startsWith("turn") ? initiative.slots.find((one) => one.id === initiative.current) : null;
  if (!slot) return { name: "" };
  return { kind: personOf(slot, people)?.kind ?? "player", name: slot.who || (slot.side === "npc" ? say("slotOf.npc") : "") };
}

/** The headline at a place: `"table"`, `"master"`, `"mine"` (a phone of whose now it is; `"named"` one of several there) or `"other"`. @param {Shown} state @param {string} place */
export function headOf(state, place) {
  const roll = rollOf(state);
  if (state.now.name === "pool" && roll) return cameTo(roll);
  const heads = HEADS[state.now.name];
  const words = heads[place] ?? heads.mine;
  if (typeof words === "function") return words(/** @type {AnyRoll} */ (roll), state.now); // what finds its text in a roll is of a now that has one
  const { dice, missing } = state.call ?? { dice: {}, missing: {} };
  const sum = (/** @type {Counts} */ counts) => Object.values(counts).reduce((total, n) => total + n, 0);
  const whose = whoseOf(state);
  const who = place === "table" ? { ...whose, name: whose.name.split(" ")[0] } : whose; // large, so it is short
  const [of, left] = [sum(dice), sum(missing)];
  const total = roll?.net.total;
  if (words === "now.soFar" && total === undefined) return say(SO_FAR[place] ?? "now.throwsOn", { who: who.name, n: manyOf(who) });
  return say(who.name ? words : (NOBODYS[words] ?? words), {
    who: who.name,
    n: words === "now.laid" ? of - left : words === "now.soFar" ? total : manyOf(who),
    of,
  });
}

/** @type {Record<string, string>} */
const SO_FAR = { mine: "now.mine", named: "now.theirs" };
/** @type {Record<string, string>} */
const NOBODYS = { rolls: "roll.anyoneRolls", "fight.nowThrows": "roll.anyoneRolls", "turn.acts": "turn.players" };

/** The accent of a now: `"good" | "bad" | "ask" | "doubt" | "ink"`. @param {Shown} state */
export function toneOfNow(state) {
  const roll = rollOf(state);
  return TONES[state.now.name] ?? toneOf(roll && { ...roll, sure: true });
}

/** Say on the root of a page which now it shows. @param {State} state */
export function markRoot({ now }) {
  Object.assign(document.documentElement.dataset, { now: now.name, number: String(now.number) });
}

/** Somebody whom an act names by the id, or by the name where it is nobody of the scene. @param {Pick<State, "people">} state @param {unknown} who */
const called = ({ people }, who) => people.find((one) => one.id === who) ?? { name: String(who ?? ""), kind: "player" };

/** What an act is called; whoever's turn it is ends it as their own. @param {Pick<State, "people">} state @param {NowAct} act */
export function actWords(state, { key, values }, { isMine = false } = {}) {
  const { who, next, all: isForAll, die, n, what, weapon, skill, light, dark, game } = valuesSaid(values);
  if (key === "next" && isForAll) return say("fight.allDeclared");
  if (key === "next" && isMine) return say("act.end_turn");
  if (key === "next" && !next) return say("fight.nextPart");
  if (key === "add_dice" && !die) return say("act.add_several", { n });
  if (key === "apply_next" && !next) return say("act.apply_turn");
  const [one, following] = [called(state, who), called(state, next)];
  return say(`act.${key}`, {
    who: one.name,
    next: following.name,
    die: die ? typeTitle(die) : "",
    n: n ?? manyOf(one),
    what,
    weapon,
    skill,
    light,
    dark,
    game,
  });
}

/** Who is next after an act, as a line below it. @param {Pick<State, "people">} state @param {NowAct} act */
export const nextWords = (state, { values }) =>
  values?.next ? say("now.isNext", { who: called(state, values.next).name, n: manyOf(called(state, values.next)) }) : "";

/** Do an act: what the table wants for it is sent as it is; what is done here, such as a throw of real dice, is one of `hands`, by its key. @param {NowAct} one @param {Hands} [hands] */
const doAct = (one, hands = {}) => (one.request ? change(one.request.path, one.request.body) : hands[one.key]?.());

/**
 * The button of an act; the lit one is the only one that says which it is. `right` stands at its end, `more` below its words.
 * @param {NowAct} one @param {{ words: Drawing, hands?: Hands, isLit?: boolean, kind?: string, right?: Drawing, more?: Drawing }} options
 */
export const actButton = (one, { words, hands = {}, isLit = false, kind = isLit ? "act-lit" : "act-quiet", right = nothing, more = nothing }) =>
  html`<button type="button" class=${kind} data-act=${isLit ? one.key : nothing} data-also=${isLit ? nothing : one.key} ?data-wide=${right !== nothing} ?disabled=${!one.request && !hands[one.key]} @click=${() => doAct(one, hands)}><span><b>${words}</b>${more ? html`<small>${more}</small>` : nothing}</span>${right === nothing ? nothing : html`<span class="act-right">${right}</span>`}</button>`;
