// A die that the reader was not sure of: shown large, settled with one tap.

import { byId, el, whenChanged } from "./dom.js";
import { faceShapes, typeTitle } from "./dice.js";
import { faceWords, words } from "./strings.js";
import { change } from "./talk.js";
import { dieCrop } from "./tray.js";

const MOST = 3;

/** Ask about the unsure die of `state`, if there is one; `whenOther(index)` opens the whole list of faces. */
export function showDoubt(state, whenOther) {
  const asked = state.roll && state.question !== null && state.question !== undefined;
  document.body.toggleAttribute("data-doubt", Boolean(asked));
  draw(asked && [state.roll.id, state.roll.version, state.question], asked ? state.roll : null, state.question, whenOther);
}

/** Send a correction of one die of a roll. */
export function correct(roll, index, { type, face }) {
  return change(`/api/rolls/${encodeURIComponent(roll.id)}/dice/${index}`, { type, face, version: roll.version });
}

const draw = whenChanged((roll, index, whenOther) => {
  const box = byId("doubt");
  box.hidden = !roll;
  box.replaceChildren();
  if (!roll) return;
  const die = roll.dice[index];
  const ask = words.doubtAsks[die.status === "cocked" ? "cocked" : (die.doubt ?? "face")];
  const choices = el("div", { class: "choices" });
  for (const choice of likeliest(die)) choices.append(choiceButton(roll, index, choice, choice.type !== die.type));
  choices.append(el("button", { type: "button", class: "other", text: words.other, onclick: () => whenOther(index) }));
  box.append(
    el("h2", { text: ask(index + 1, typeTitle(die.type)) }),
    el("div", { class: "question" }, dieCrop(roll, index), choices),
  );
});

function choiceButton(roll, index, choice, otherType) {
  const text = otherType ? words.dieLabel(typeTitle(choice.type), faceWords(choice.face)) : faceWords(choice.face);
  const button = el(
    "button",
    {
      type: "button",
      class: "choice",
      onclick: async () => {
        button.disabled = true;
        await correct(roll, index, choice);
        button.disabled = false;
      },
    },
    faceShapes(choice.type, choice.face),
    el("span", { class: "label", text }),
  );
  return button;
}

/** The reading itself and its alternatives, likeliest first, each face once. */
function likeliest(die) {
  const all = [die, ...die.alternatives].sort((a, b) => b.confidence - a.confidence);
  const once = new Map(all.reverse().map((one) => [`${one.type}:${[...one.face].sort().join("+")}`, one]));
  return [...once.values()].sort((a, b) => b.confidence - a.confidence).slice(0, MOST);
}
