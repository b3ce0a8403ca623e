// Choosing faces: correct one die, or enter a whole roll by hand.

import { byId, el, newId } from "./dom.js";
import { allSets, dieDrawing, dieIcon, dieLabel, dieType, loadSets, typeTitle } from "./dice.js";
import { faceWords, say } from "./strings.js";
import { change, errorOf, get, trySend } from "./talk.js";
import { showError } from "./toast.js";
import { askFirst } from "./part/sheet.js";
import { crop } from "./part/tray.js";
import { render } from "./vendor/lit-html/lit-html.js";

let games = [];
const dialog = byId("picker");

dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

/** Let a person say what a find of `roll`, one of its dice or of what could not be read, is. */
export async function pickCorrection(roll, find) {
  let rule = "";
  const address = `/api/rolls/${encodeURIComponent(roll.id)}/dice/${find.index}/rule`;
  const ruled = (told) => change(address, { rule, version: roll.version, ...told });
  if (!(await pickFind(roll, find, (told) => (rule ? ruled({ face: told.face }) : settle(roll, find, told))))) return;
  dialog.querySelector("header .close").before(nothingButton(roll, find, () => dialog.close()));
  if (find.list === "dice" && roll.sure && !roll.awaits)
    dialog.querySelector("header").after(
      ruleRow((how) => {
        rule = how;
        if (rule === "away") ruled({}).then((isDone) => isDone && dialog.close());
      }),
    );
}

const RULES = ["", "turned", "again", "away"];

/** What a tap on a face says: that the die lies so, or that a rule turns it or has it thrown again; a rule takes it away at once. */
function ruleRow(whenRule) {
  const box = el("div", { class: "segments rules", role: "group", "aria-label": say("rule.how") });
  box.append(
    ...RULES.map((rule) =>
      el("button", {
        type: "button",
        "data-rule": rule || "correct",
        "aria-pressed": String(rule === ""),
        text: say(`rule.${rule || "correct"}`),
        onclick: () => {
          for (const other of box.children) other.setAttribute("aria-pressed", String(other.getAttribute("data-rule") === (rule || "correct")));
          dialog.toggleAttribute("data-ruled", Boolean(rule));
          whenRule(rule);
        },
      }),
    ),
  );
  return box;
}

/** Let a person choose how a find of `roll` lies; `tell` gets `{ type, face }` and says whether that is done. Return whether it is open. */
export async function pickFind(roll, find, tell) {
  if (!(await ready())) return false;
  const die = roll[find.list][find.index];
  let type = die.type ?? firstType(roll.game);
  const faces = el("div", { class: "faces" });
  const types = typeRow(roll.game, type, (chosen) => showFaces(chosen));
  const showFaces = (chosen) => {
    type = chosen;
    drawFaces(faces, type, die, async (face) => {
      if (await tell({ type, face })) dialog.close();
    });
  };
  showFaces(type);
  const title = find.list === "dice" ? say("correctTitle", { n: find.index + 1 }) : say("suspectTitle");
  open(title, el("div", { class: "beside" }, cropOf(roll, find), faces), types);
  return true;
}

/** Let a person choose a die that lies nowhere in a picture. */
export async function pickFace(game, whenFace) {
  if (!(await ready())) return;
  const faces = el("div", { class: "faces" });
  const showFaces = (type) =>
    drawFaces(faces, type, null, (face) => {
      dialog.close();
      whenFace({ type, face });
    });
  const first = firstType(game);
  showFaces(first);
  open(say("chooseDie"), faces, typeRow(game, first, showFaces));
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

/** A button that says that a find is no die; `whenDone` is called once that is so. */
function nothingButton(roll, find, whenDone) {
  const settled = async () => {
    button.disabled = true;
    if (await settle(roll, find, { nothing: true })) whenDone();
    button.disabled = false;
  };
  const button = el("button", { type: "button", class: "other", text: say("noDie"), onclick: settled });
  return button;
}

function cropOf(roll, find) {
  const box = el("div", { class: "crop-box" });
  render(crop(roll, find), box);
  return box;
}

/** Let a person enter a roll: tap a die, tap its face, and so on. `asked` is what the table waits for. */
export function pickRoll(game, asked = null) {
  const label = el("input", {
    type: "text",
    id: "for-whom",
    maxlength: 60,
    autocomplete: "off",
    placeholder: say("forWhomField"),
    "aria-label": say("forWhomField"),
  });
  return pickDice({
    title: say("handTitle"),
    game,
    wanted: asked?.tray?.dice,
    extra: asked ? null : label,
    isTyped: !asked,
    send: (dice) => change("/api/rolls", asked ? { dice, uses_ask: true } : { dice, label: label.value.trim() }),
  });
}

/** Let a person add what is missing of a roll that was called otherwise: it is entered anew for its call, with its dice filled in. */
export function pickRest(roll, brought) {
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
    wanted,
    given: roll.dice.map(({ type, face }) => ({ type, face })),
    send: async (dice) => (await change("/api/undo", { change: brought })) && change("/api/rolls", { dice, uses_ask: true }),
  });
}

/** Let a person enter the throw that a roll waits for. */
export function pickThrow(roll) {
  return pickDice({
    title: roll.awaits.sentence,
    game: roll.game,
    wanted: roll.awaits.dice,
    send: (dice) => change(`/api/rolls/${encodeURIComponent(roll.id)}/throws`, { dice, version: roll.version }),
  });
}

async function pickDice({ title, game, wanted = {}, given = [], extra = null, isTyped = false, send }) {
  if (!(await ready())) return;
  const dice = [...given];
  const faces = el("div", { class: "faces" });
  const chosen = el("ul", { class: "chosen", "aria-label": say("chosen"), "aria-live": "polite" });
  const save = el("button", { type: "button", class: "primary", onclick: () => enter() });
  const next = () => Object.entries(wanted).find(([type, count]) => dice.filter((die) => die.type === type).length < count)?.[0];
  const showFaces = (name) => {
    drawFaces(faces, name, null, (face) => {
      dice.push({ type: name, face });
      showChosen();
      const after = next();
      if (after && after !== name) types.querySelector(`[data-type="${CSS.escape(after)}"]`)?.click();
    });
  };
  const showChosen = () => {
    chosen.replaceChildren(
      ...dice.map((die, index) =>
        chosenDie(die, () => {
          dice.splice(index, 1);
          showChosen();
        }),
      ),
    );
    if (dice.length === 0) chosen.append(el("li", { class: "none", text: say("chosenNone") }));
    chosen.scrollLeft = chosen.scrollWidth;
    save.textContent = say("save", { n: dice.length });
    save.disabled = dice.length === 0;
  };
  const enter = async () => {
    save.disabled = true;
    if (await send(dice)) dialog.close();
    else save.disabled = false;
  };
  const typed = !isTyped
    ? null
    : poolInput(game, (found) => {
        wanted = found;
        const now = next();
        if (now) types.querySelector(`[data-type="${CSS.escape(now)}"]`)?.click();
      });
  const start = next() ?? given[0]?.type ?? firstType(game);
  const types = typeRow(game, start, showFaces);
  showFaces(start);
  showChosen();
  open(title, types, faces, el("div", { class: "finish" }, chosen, typed, extra, save));
}

/** A line for the pool that was thrown, as people write it; `whenRead` gets its dice, so that each is chosen in its turn. */
function poolInput(game, whenRead) {
  const { name, form } = games.find((one) => one.name === game) ?? games[0];
  const field = form.find((one) => !one.setting && (one.typed || one.kind === "code"));
  if (!field) return null;
  const read = async () => {
    if (!input.value.trim()) return;
    const answer = await trySend("/api/odds", { game: name, ask: { [field.name]: input.value.trim() } });
    if (answer.status === 200) whenRead(answer.found.dice);
    else showError(errorOf(answer));
  };
  const hint = say(field.typed ? "poolHint" : "codeHint");
  const input = el("input", {
    type: "text",
    class: "pool-text",
    maxlength: 60,
    autocomplete: "off",
    autocapitalize: "none",
    placeholder: hint,
    "aria-label": field.title,
    onchange: read,
  });
  return input;
}

function chosenDie(die, whenRemoved) {
  const text = say("removeDie", { label: dieLabel(die) });
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", class: "die", "aria-label": text, title: text, onclick: whenRemoved },
      dieDrawing(die.type, die.face),
      el("span", { class: "cross", "aria-hidden": "true", text: "×" }),
    ),
  );
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

function typeRow(game, current, whenType) {
  const row = el("div", { class: "types", role: "group", "aria-label": say("chooseType") });
  for (const set of setsFor(game)) {
    const group = el("div", { class: "set", role: "group", "aria-label": set.title });
    for (const type of set.types) {
      const button = el(
        "button",
        {
          type: "button",
          class: "type",
          "data-type": type.name,
          "aria-pressed": String(type.name === current),
          onclick: () => {
            for (const other of row.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
            whenType(type.name);
          },
        },
        dieIcon(type.name),
        el("span", { text: type.title }),
      );
      group.append(button);
    }
    row.append(group);
  }
  return row;
}

function drawFaces(box, type, now, whenFace) {
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", say("chooseFace", { title: typeTitle(type) }));
  const same = (face) => now && now.type === type && [...face].sort().join() === [...now.face].sort().join();
  box.replaceChildren(
    ...dieType(type).distinct.map((face) =>
      el(
        "button",
        { type: "button", class: "choice", "aria-current": same(face) ? "true" : null, onclick: () => whenFace(face) },
        dieDrawing(type, face),
        el("span", { class: "label", text: faceWords(face) }),
      ),
    ),
  );
}

function open(title, ...parts) {
  dialog.removeAttribute("data-ruled");
  dialog.replaceChildren(
    el(
      "header",
      {},
      el("h2", { id: "picker-title", text: title }),
      el("button", { type: "button", class: "close", "aria-label": say("close"), text: "×", onclick: () => dialog.close() }),
    ),
    ...parts,
  );
  if (!dialog.open) dialog.showModal();
}
