// Choosing faces: correct one die, or enter a whole roll by hand.

import { byId, newId } from "./dom.js";
import { allSets, dieLabel, dieShape, dieType, loadSets, typeTitle } from "./dice.js";
import { faceWords, say } from "./strings.js";
import { recallHere, rememberHere } from "./memory.js";
import { change, errorOf, get, trySend } from "./talk.js";
import { showError } from "./toast.js";
import { closeLayer, openLayer } from "./layers.js";
import { askFirst } from "./part/sheet.js";
import { crop } from "./part/tray.js";
import { undoChange } from "./undo.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

let games = [];
let view = () => nothing;
const dialog = /** @type {HTMLDialogElement} */ (byId("picker"));
const KEPT = `entered ${location.pathname}`;

const close = () => closeLayer(dialog);

dialog.addEventListener("click", (event) => event.target === dialog && close());

/** Open the dialog with what `next` draws; every choice draws it anew. */
function open(next) {
  view = next;
  const drawFirst = () => {
    render(nothing, dialog); // what was typed before is gone
    draw();
  };
  openLayer(dialog, { draw: drawFirst, whenEnded: () => rememberHere(KEPT, null) });
}

const draw = () => render(view(), dialog);

/** What every picker has. `beside` stands before the cross, `ruled` says that a rule is at work, which leaves the faces alone. */
const frame = (title, body, { beside = nothing, under = nothing, ruled = false } = {}) => {
  dialog.toggleAttribute("data-ruled", ruled);
  return html`<header><h2 id="picker-title">${title}</h2>${beside}<button type="button" class="close" aria-label=${say("close")} @click=${() => close()}>×</button></header>${under}${body}`;
};

/** Let a person say what a find of `roll`, one of its dice or of what could not be read, is. */
export async function pickCorrection(roll, find) {
  let rule = "";
  const address = `/api/rolls/${encodeURIComponent(roll.id)}/dice/${find.index}/rule`;
  const ruled = (told) => change(address, { rule, version: roll.version, ...told });
  const choose = async (how) => {
    rule = how;
    draw();
    if (rule === "away" && (await ruled({}))) close(); // a rule takes it away at once
  };
  const isWhole = find.list === "dice" && roll.sure && !roll.awaits;
  await pickFind(
    roll,
    find,
    (told) => (rule ? ruled({ face: told.face }) : settle(roll, find, told)),
    () => ({ ruled: Boolean(rule), beside: nothingButton(roll, find), under: isWhole ? ruleRow(rule, choose) : nothing }),
  );
}

const RULES = ["", "turned", "again", "away"];

/** What a tap on a face says: that the die lies so, or that a rule turns it or has it thrown again. */
const ruleRow = (rule, choose) =>
  html`<div class="segments rules" role="group" aria-label=${say("rule.how")}>${RULES.map(
    (one) =>
      html`<button type="button" data-rule=${one || "correct"} aria-pressed=${String(one === rule)} @click=${() => choose(one)}>${say(`rule.${one || "correct"}`)}</button>`,
  )}</div>`;

/** A button that says that a find is no die. */
function nothingButton(roll, find) {
  const settled = async ({ currentTarget: button }) => {
    button.disabled = true;
    if (await settle(roll, find, { nothing: true })) close();
    button.disabled = false;
  };
  return html`<button type="button" class="other" @click=${settled}>${say("noDie")}</button>`;
}

/** Let a person choose how a find of `roll` lies; `tell` gets `{ type, face }` and says whether that is done. `more` is what the frame has. */
export async function pickFind(roll, find, tell, more = () => ({})) {
  if (!(await ready())) return;
  const die = roll[find.list][find.index];
  let type = die.type ?? firstType(roll.game);
  const choose = async (face) => {
    if (await tell({ type, face })) close();
  };
  const chooseType = (name) => {
    type = name;
    draw();
  };
  const title = find.list === "dice" ? say("correctTitle", { n: find.index + 1 }) : say("suspectTitle");
  open(() =>
    frame(
      title,
      html`<div class="beside"><div class="crop-box">${crop(roll, find)}</div>${faces(type, die, choose)}</div>${typeRow(roll.game, type, chooseType)}`,
      more(),
    ),
  );
}

/** Let a person choose a die that lies nowhere in a picture. */
export async function pickFace(game, whenFace) {
  if (!(await ready())) return;
  let type = firstType(game);
  const choose = (face) => {
    close();
    whenFace({ type, face });
  };
  const chooseType = (name) => {
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
 */
export async function settle(roll, find, told) {
  const address = `/api/rolls/${encodeURIComponent(roll.id)}/${find.list}/${find.index}`;
  const tell = (version) => trySend(address, { id: newId(), ...told, version });
  let answer = await tell(roll.version);
  if (answer.status === CONFLICT) {
    const now = await get("/api/state")
      .then((state) => state.roll)
      .catch(() => null);
    if (now?.id === roll.id && isSame(now, roll, find)) {
      if (!(await askFirst(say("changedAnyway", { what: errorOf(answer).what, label: dieLabel(now[find.list][find.index]) }), say("change")))) return false;
      answer = await tell(now.version);
    }
  }
  const isDone = answer.status >= 200 && answer.status < 300;
  if (!isDone) showError(errorOf(answer));
  return isDone;
}

/** Whether a find is still the same die at the same place. */
function isSame(now, before, { list, index }) {
  return list === "dice" && JSON.stringify(now.dice[index]?.center) === JSON.stringify(before.dice[index].center) && now.dice.length === before.dice.length;
}

/** Go on with what was being entered when the page was left, where the table still waits for it. */
export function pickAgain(state) {
  const kept = recallHere(KEPT);
  if (!kept || dialog.open) return;
  const { roll, asked, game } = state;
  if (kept.what === "roll" && kept.id === (asked?.id ?? "")) pickRoll(game, asked, kept);
  else if (kept.what === "throw" && roll?.awaits && kept.id === roll.id) pickThrow(roll, kept);
  else if (kept.what === "rest" && kept.id === roll?.id) pickRest(roll, kept.brought, kept);
  else rememberHere(KEPT, null);
}

/** Let a person enter a roll: tap a die, tap its face, and so on. `asked` is what the table waits for, `kept` what was entered before. */
export function pickRoll(game, asked = null, kept = {}) {
  const label = (keep) =>
    html`<input type="text" id="for-whom" maxlength="60" autocomplete="off" placeholder=${say("forWhomField")} aria-label=${say("forWhomField")} .value=${kept.label ?? ""} @input=${({ target }) => keep({ label: target.value })}>`;
  return pickDice({
    title: say("handTitle"),
    game,
    kept: { what: "roll", id: asked?.id ?? "", wanted: asked?.tray?.dice, ...kept },
    extra: asked ? () => nothing : label,
    isTyped: !asked,
    send: (dice) => change("/api/rolls", asked ? { dice, uses_ask: true } : { dice, label: byId("for-whom").value.trim() }),
  });
}

/** Let a person add what is missing of a roll that was called otherwise: it is entered anew for its call, with its dice filled in. */
export function pickRest(roll, brought, kept = {}) {
  const missing = Object.entries(roll.short).filter(([, count]) => count > 0);
  const wanted = Object.fromEntries(
    [...roll.dice.map((die) => die.type), ...missing.map(([type]) => type)].map((type) => [
      type,
      roll.dice.filter((die) => die.type === type).length + Math.max(0, roll.short[type] ?? 0),
    ]),
  );
  return pickDice({
    title: say("addByHand"),
    game: roll.game,
    kept: { what: "rest", id: roll.id, brought, wanted, dice: roll.dice.map(({ type, face }) => ({ type, face })), ...kept },
    send: async (dice) => (await undoChange(brought)) && change("/api/rolls", { dice, uses_ask: true }),
  });
}

/** Let a person enter the throw that a roll waits for. */
export function pickThrow(roll, kept = {}) {
  return pickDice({
    title: roll.awaits.sentence,
    game: roll.game,
    kept: { what: "throw", id: roll.id, wanted: roll.awaits.dice, ...kept },
    send: (dice) => change(`/api/rolls/${encodeURIComponent(roll.id)}/throws`, { dice, version: roll.version }),
  });
}

/** @param {any} picked */
async function pickDice({ title, game, kept, extra = (_keep) => nothing, isTyped = false, send }) {
  if (!(await ready())) return;
  let { wanted = {}, dice = [] } = kept;
  let isSending = false;
  const next = () => Object.entries(wanted).find(([type, count]) => dice.filter((die) => die.type === type).length < count)?.[0];
  let type = next() ?? dice.at(-1)?.type ?? firstType(game);
  const keep = (part) => {
    kept = { ...kept, ...part };
    rememberHere(KEPT, kept);
  };
  const set = (now) => {
    dice = now;
    keep({ dice });
    draw();
    const chosen = dialog.querySelector(".chosen");
    chosen.scrollLeft = chosen.scrollWidth;
  };
  const choose = (face) => {
    dice = [...dice, { type, face }];
    type = next() ?? type;
    set(dice);
  };
  const chooseType = (name) => {
    type = name;
    draw();
  };
  const read = (found) => {
    wanted = found;
    keep({ wanted });
    chooseType(next() ?? type);
  };
  const enter = async () => {
    isSending = true;
    draw();
    const isDone = await send(dice);
    isSending = false;
    if (isDone) close();
    else draw();
  };
  const dieLine = (die) => {
    const text = say("removeDie", { label: dieLabel(die) });
    return html`<li><button type="button" class="die" aria-label=${text} title=${text} @click=${() => set(dice.filter((one) => one !== die))}>${dieShape(die.type, die.face)}<span class="cross" aria-hidden="true">×</span></button></li>`;
  };
  open(() =>
    frame(
      title,
      html`${typeRow(game, type, chooseType)}${faces(type, null, choose)}<div class="finish">
      <ul class="chosen" aria-label=${say("chosen")} aria-live="polite">${dice.length === 0 ? html`<li class="none">${say("chosenNone")}</li>` : dice.map(dieLine)}</ul>
      ${isTyped ? poolInput(game, read) : nothing}${extra(keep)}
      <button type="button" class="primary" ?disabled=${isSending || dice.length === 0} @click=${enter}>${say("save", { n: dice.length })}</button></div>`,
    ),
  );
}

/** A line for the pool that was thrown, as people write it; `whenRead` gets its dice, so that each is chosen in its turn. */
function poolInput(game, whenRead) {
  const { name, form } = games.find((one) => one.name === game) ?? games[0];
  const field = form.find((one) => !one.setting && (one.typed || one.kind === "code"));
  if (!field) return nothing;
  const read = async ({ target: { value } }) => {
    if (!value.trim()) return;
    const answer = await trySend("/api/odds", { game: name, ask: { [field.name]: value.trim() } });
    if (answer.status === 200) whenRead(answer.found.dice);
    else showError(errorOf(answer));
  };
  const hint = say(field.typed ? "poolHint" : "codeHint");
  return html`<input type="text" class="pool-text" maxlength="60" autocomplete="off" autocapitalize="none" placeholder=${hint} aria-label=${field.title} @change=${read}>`;
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

/** The dice sets, those of the game first. */
function setsFor(game) {
  const own = games.find((one) => one.name === game)?.dice_sets ?? [];
  const place = (set) => (own.includes(set.name) ? own.indexOf(set.name) : own.length);
  return [...allSets()].sort((one, other) => place(one) - place(other));
}

/** The first die type that suits the table's game. */
const firstType = (game) => setsFor(game)[0].types[0].name;

const typeRow = (game, current, choose) =>
  html`<div class="types" role="group" aria-label=${say("chooseType")}>${setsFor(game).map(
    (set) =>
      html`<div class="set" role="group" aria-label=${set.title}>${set.types.map(
        (type) =>
          html`<button type="button" class="type" data-type=${type.name} aria-pressed=${String(type.name === current)} @click=${() => choose(type.name)}>${dieShape(type.name)}<span>${type.title}</span></button>`,
      )}</div>`,
  )}</div>`;

/** All faces of a type; the one that a die shows now is marked. */
function faces(type, now, choose) {
  const same = (face) => now?.type === type && [...face].sort().join() === [...now.face].sort().join();
  return html`<div class="faces" role="group" aria-label=${say("chooseFace", { title: typeTitle(type) })}>${dieType(type).distinct.map(
    (face) =>
      html`<button type="button" class="choice" aria-current=${same(face) ? "true" : nothing} @click=${() => choose(face)}>${dieShape(type, face)}<span class="label">${faceWords(face)}</span></button>`,
  )}</div>`;
}
