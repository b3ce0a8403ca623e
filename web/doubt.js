// A die that the reader was not sure of, or something that it could not read: shown large, settled with a tap.

import { byId, el, whenChanged } from "./dom.js";
import { faceShapes, typeTitle } from "./dice.js";
import { faceWords, words } from "./strings.js";
import { change } from "./talk.js";
import { dieCrop } from "./tray.js";

const MOST = 3;

/**
 * Ask about the unsure die of `state`, or else about the first thing that could not be read. A find is
 * `{ list, index }`, of the roll's `dice` or `suspects`; `whenOther(find)` opens the whole list of faces.
 */
export function showDoubt(state, whenOther) {
  const roll = state.roll;
  const list = (state.question ?? null) !== null ? "dice" : "suspects";
  const find = { list, index: list === "dice" ? state.question : 0 };
  const asked = Boolean(roll?.[list]?.[find.index]);
  document.body.toggleAttribute("data-doubt", asked);
  draw(asked && [roll.id, roll.version, find], asked ? roll : null, find, whenOther);
}

/** Say what a find of a roll is: `{ type, face }`, or `{ nothing: true }` where there is no die. */
export function settle(roll, { list, index }, told) {
  return change(`/api/rolls/${encodeURIComponent(roll.id)}/${list}/${index}`, { ...told, version: roll.version });
}

/** A button that says that a find is no die; `whenDone` is called once that is so. */
export function nothingButton(roll, find, whenDone = () => {}) {
  const settled = async () => (await settle(roll, find, { nothing: true })) && whenDone();
  return busyButton({ class: "other", text: words.noDie }, settled);
}

const draw = whenChanged((roll, find, whenOther) => {
  const box = byId("doubt");
  box.hidden = !roll;
  box.replaceChildren();
  if (!roll) return;
  const die = roll[find.list][find.index];
  const isDie = find.list === "dice";
  const ask = words.doubtAsks[!isDie ? "suspect" : die.status === "cocked" ? "cocked" : (die.doubt ?? "face")];
  const choices = el("div", { class: "choices" });
  if (isDie) for (const choice of likeliest(die)) choices.append(choiceButton(roll, find, choice, choice.type !== die.type));
  const other = isDie ? words.other : words.chooseDie;
  choices.append(el("button", { type: "button", class: "other", text: other, onclick: () => whenOther(find) }));
  if (!isDie || die.doubt === "faint") choices.append(nothingButton(roll, find));
  box.append(
    el("h2", { text: ask(find.index + 1, isDie ? typeTitle(die.type) : "") }),
    el("div", { class: "question" }, dieCrop(roll, find), choices),
  );
});

function choiceButton(roll, find, choice, otherType) {
  const text = otherType ? words.dieLabel(typeTitle(choice.type), faceWords(choice.face)) : faceWords(choice.face);
  const told = { type: choice.type, face: choice.face };
  const parts = [faceShapes(choice.type, choice.face), el("span", { class: "label", text })];
  return busyButton({ class: "choice" }, () => settle(roll, find, told), ...parts);
}

function busyButton(options, act, ...parts) {
  const onclick = async () => {
    button.disabled = true;
    await act();
    button.disabled = false;
  };
  const button = el("button", { type: "button", ...options, onclick }, ...parts);
  return button;
}

/** The reading itself and its alternatives, likeliest first, each face once. */
function likeliest(die) {
  const all = [die, ...die.alternatives].sort((a, b) => b.confidence - a.confidence);
  const once = new Map(all.reverse().map((one) => [`${one.type}:${[...one.face].sort().join("+")}`, one]));
  return [...once.values()].sort((a, b) => b.confidence - a.confidence).slice(0, MOST);
}
