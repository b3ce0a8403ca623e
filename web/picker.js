// Choosing faces in a dialog: correct one die, or enter a whole roll by hand.

import { byId, newId } from "./dom.js";
import { allSets, dieLabel, dieShape, dieType, loadSets, typeTitle } from "./dice.js";
import { faceWords, say } from "./strings.js";
import { change, get, rollAddress, trySend } from "./talk.js";
import { showError } from "./toast.js";
import { closeLayer, openLayer } from "./layers.js";
import { createHand, forCall, forRest, forThrow, handView, placesView, soFarLine, wasEntered } from "./part/hand.js";
import { askFirst } from "./part/sheet.js";
import { crop } from "./part/tray.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

/** @type {Game[]} */
let games = [];
/** @type {() => Drawn} */
let view = () => nothing;
const dialog = /** @type {HTMLDialogElement} */ (byId("picker"));

const nobody = () => {};
const close = () => closeLayer(dialog);

dialog.addEventListener("click", (event) => event.target === dialog && close());

/** Open the dialog with what `next` draws; every choice draws it anew. @param {() => Drawn} next */
function open(next, whenEnded = nobody) {
  view = next;
  dialog.toggleAttribute("data-hand", whenEnded !== nobody);
  openLayer(dialog, { draw, whenEnded });
}

const draw = () => render(view(), dialog);

/** @typedef {{ beside?: Drawn, under?: Drawn, ruled?: boolean }} Frame */
/** @typedef {{ type: string, face: string[] }} Lies */

/**
 * What every picker has. `beside` stands before the cross, `ruled` says that a rule is at work, which leaves the faces alone.
 * @param {string} title @param {Drawn} body @param {Frame} [more]
 */
const frame = (title, body, { beside = nothing, under = nothing, ruled = false } = {}) => {
  dialog.toggleAttribute("data-ruled", ruled);
  return html`<header><h2 id="picker-title">${title}</h2>${beside}<button type="button" class="close" aria-label=${say("close")} @click=${() => close()}>×</button></header>${under}${body}`;
};

/** Let a person say what a find of `roll`, one of its dice or of what could not be read, is. @param {Roll | WholeRoll} roll @param {Find} find */
export async function pickCorrection(roll, find) {
  /** @type {Rule | ""} */
  let rule = "";
  const ruled = (/** @type {Partial<Lies>} */ told) =>
    change(rollAddress(roll, `/dice/${find.index}/rule`), { rule: rule || "turned", version: roll.version, ...told });
  const choose = async (/** @type {Rule | ""} */ how) => {
    rule = how;
    draw();
    if (rule === "away" && (await ruled({}))) close(); // a rule takes it away at once
  };
  const isWhole = find.list === "dice" && roll.sure && !roll.awaits;
  await pickFind(
    roll,
    find,
    async (told) => (rule && "face" in told ? Boolean(await ruled({ face: told.face })) : settle(roll, find, told)),
    () => ({ ruled: Boolean(rule), under: isWhole ? ruleRow(rule, choose) : nothing }),
  );
}

/** @typedef {Told["RuleDie"]["rule"]} Rule */
/** @type {(Rule | "")[]} */
const RULES = ["", "turned", "again", "away"];

/** What a tap on a face says: that the die lies so, or that a rule turns it or has it thrown again. @param {Rule | ""} rule @param {(how: Rule | "") => void} choose */
const ruleRow = (rule, choose) =>
  html`<div class="segments rules" role="group" aria-label=${say("rule.how")}>${RULES.map(
    (one) =>
      html`<button type="button" data-rule=${one || "correct"} aria-pressed=${String(one === rule)} @click=${() => choose(one)}>${say(`rule.${one || "correct"}`)}</button>`,
  )}</div>`;

/**
 * Let a person choose how a find of `roll` lies; `tell` gets `{ type, face }` or `{ nothing: true }` and says whether that is done. `more` is what the frame has.
 * @param {Pick<Roll, "dice" | "suspects" | "picture" | "width" | "height" | "game">} roll @param {Find} find @param {(told: Lies | { nothing: true }) => boolean | Promise<boolean>} tell @param {() => Frame} [more]
 */
export async function pickFind(roll, find, tell, more = () => ({})) {
  if (!(await ready())) return;
  const die = find.list === "dice" ? roll.dice[find.index] : null;
  let type = die?.type ?? firstType(roll.game);
  let isTelling = false;
  const choose = async (/** @type {Lies | { nothing: true }} */ told) => {
    if (isTelling) return;
    isTelling = true;
    if (await tell(told)) close();
    isTelling = false;
  };
  const chooseType = (/** @type {string} */ name) => {
    type = name;
    draw();
  };
  const none = html`<button type="button" class="other" @click=${() => choose({ nothing: true })}>${say("noDie")}</button>`;
  const title = find.list === "dice" ? say("correctTitle", { n: find.index + 1 }) : say("suspectTitle");
  open(() =>
    frame(
      title,
      html`<div class="beside"><div class="crop-box">${crop(roll, find)}</div>${faces(type, die, (face) => choose({ type, face }))}</div>${typeRow(roll.game, type, chooseType)}`,
      { beside: none, ...more() },
    ),
  );
}

/** Let a person choose a die that lies nowhere in a picture. @param {string} game @param {(told: Lies) => void} whenFace */
export async function pickFace(game, whenFace) {
  if (!(await ready())) return;
  let type = firstType(game);
  const choose = (/** @type {string[]} */ face) => {
    close();
    whenFace({ type, face });
  };
  const chooseType = (/** @type {string} */ name) => {
    type = name;
    draw();
  };
  open(() => frame(say("chooseDie"), html`${faces(type, null, choose)}${typeRow(game, type, chooseType)}`));
}

const CONFLICT = 409;

/**
 * Say what a find of a roll is: `{ type, face }`, or `{ nothing: true }` where there is no die. Return whether it was done.
 *
 * Where somebody else was first with the same die, a person says whether it is changed all the same.
 * @param {Roll | WholeRoll} roll @param {Find} find @param {Lies | { nothing: true }} told
 */
export async function settle(roll, find, told) {
  const tell = (/** @type {number} */ version) => {
    const body = { id: newId(), ...told, version };
    return find.list === "dice" ? trySend(rollAddress(roll, `/dice/${find.index}`), body) : trySend(rollAddress(roll, `/suspects/${find.index}`), body);
  };
  let answer = await tell(roll.version);
  if (answer.status === CONFLICT) {
    const now = await get("/api/state")
      .then((state) => state.roll)
      .catch(() => null);
    if (now?.id === roll.id && isSame(now, roll, find)) {
      if (!(await askFirst(say("changedAnyway", { what: answer.error?.what, label: dieLabel(now.dice[find.index]) }), say("change")))) return false;
      answer = await tell(now.version);
    }
  }
  if (answer.error) showError(answer.error);
  return !answer.error;
}

/** Whether a find is still the same die at the same place. @param {Roll} now @param {Roll | WholeRoll} before @param {Find} find */
function isSame(now, before, { list, index }) {
  return list === "dice" && JSON.stringify(now.dice[index]?.center) === JSON.stringify(before.dice[index].center) && now.dice.length === before.dice.length;
}

/** Go on with what was being entered when the page was left, where the table still waits for it. @param {State} state */
export function pickAgain(state) {
  if (dialog.open) return;
  const { roll } = state;
  const found = [forCall(state), roll?.awaits && forThrow(roll, roll.awaits)].find((one) => one && wasEntered(one.key));
  if (found) pickDice(found, state.call);
}

/** Let a person enter the roll that is called, or one that nobody called. @param {State} state */
export const pickRoll = (state) => pickDice(forCall(state), state.call);

/** Let a person enter the throw that a roll waits for. @param {AnyRoll} roll */
export const pickThrow = (roll) => roll.awaits && pickDice(forThrow(roll, roll.awaits));

/** Let a person add what is missing of a roll that was called otherwise. @param {AnyRoll} roll */
export const pickRest = (roll) => pickDice(forRest(roll));

/** @type {((state: State) => unknown) | null} */
let followed = null;

/** Dice that are entered for a call go with it: they are others once it is changed, and over once it is. @param {State} state */
export const followCall = (state) => followed?.(state);

/** @param {Entered} what @param {Told["OpenCall"] | null} call */
async function pickDice(what, call = null) {
  if (!(await ready())) return;
  const hand = createHand({ ...what, games: () => games, changed: draw, done: close });
  const follow = (/** @type {State} */ state) => {
    call = state.call;
    if (hand.seen().isSending) return;
    if (hand.follow(forCall(state))) draw();
    else close();
  };
  open(
    () =>
      html`<header><h2 id="picker-title">${what.title ?? say("chosen")}</h2><button type="button" class="close" aria-label=${say("close")} @click=${close}>×</button></header>
      ${placesView(hand)}${soFarLine(hand, call?.wanted)}${handView(hand)}`,
    () => {
      hand.end();
      followed = null;
    },
  );
  if (what.same) followed = follow;
}

async function ready() {
  try {
    if (allSets().length === 0) await loadSets();
    if (games.length === 0) games = await get("/api/games");
    return allSets().length > 0;
  } catch {
    showError({ what: say("noSets"), hint: say("notReachedHint") });
    return false;
  }
}

/** The dice sets, those of the game first. @param {string} game */
function setsFor(game) {
  const own = games.find((one) => one.name === game)?.dice_sets ?? [];
  const place = (/** @type {DieSet} */ set) => (own.includes(set.name) ? own.indexOf(set.name) : own.length);
  return [...allSets()].sort((one, other) => place(one) - place(other));
}

/** The first die type that suits the table's game. @param {string} game */
const firstType = (game) => setsFor(game)[0].types[0].name;

const typeRow = (/** @type {string} */ game, /** @type {string} */ current, /** @type {(name: string) => void} */ choose) =>
  html`<div class="types" role="group" aria-label=${say("chooseType")}>${setsFor(game).map(
    (set) =>
      html`<div class="set" role="group" aria-label=${set.title}>${set.types.map(
        (type) =>
          html`<button type="button" class="type" data-type=${type.name} aria-pressed=${String(type.name === current)} @click=${() => choose(type.name)}>${dieShape(type.name)}<span>${type.title}</span></button>`,
      )}</div>`,
  )}</div>`;

/** All faces of a type; the one that a die shows now is marked. @param {string} type @param {Lies | null} now @param {(face: string[]) => unknown} choose */
function faces(type, now, choose) {
  const same = (/** @type {string[]} */ face) => now?.type === type && [...face].sort().join() === [...now.face].sort().join();
  return html`<div class="faces" role="group" aria-label=${say("chooseFace", { title: typeTitle(type) })}>${dieType(type).distinct.map(
    (face) =>
      html`<button type="button" class="choice" aria-current=${same(face) ? "true" : nothing} @click=${() => choose(face)}>${dieShape(type, face)}<span class="label">${faceWords(face)}</span></button>`,
  )}</div>`;
}
