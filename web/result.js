// The result: outcome word, net symbols, one sentence, and how far they can be trusted.

import { byId, el, setText, whenChanged } from "./dom.js";
import { dieType, faceShapes, setOfSymbol, symbolShape } from "./dice.js";
import { ageWords, symbolWord, words } from "./strings.js";

const OLD_SECONDS = 60;
const NARRATIVE = ["triumph", "success", "advantage", "light", "despair", "failure", "threat", "dark"];
const MOST_FACES = 10;
const FEWEST_COLUMNS = 3;
const MOST_COLUMNS = 5;

/** Draw the result of `state`. */
export function showResult(state) {
  const roll = state.roll;
  const result = byId("result");
  const unsure = Boolean(roll) && !roll.sure;
  result.dataset.outcome = roll ? tone(roll) : "idle";
  result.toggleAttribute("data-unsure", unsure);
  result.toggleAttribute("data-earlier", Boolean(roll) && (state.phase === "moving" || state.phase === "hand"));

  setText(byId("headline"), roll ? (roll.headline || roll.outcome) + (unsure ? "\u2009?" : "") : noRoll(state)[0]);
  setText(byId("sentence"), roll ? roll.sentence : noRoll(state)[1]);
  setText(byId("phase"), words.phase[state.phase] ?? state.phase);
  byId("phase").dataset.phase = state.phase;
  result.toggleAttribute("data-waits", Boolean(roll?.awaits));
  result.toggleAttribute("data-open", (roll?.choices ?? []).length > 0);
  const from = roll ? [words.forWhom(roll.by, roll.label), words.source[roll.source] ?? ""] : [state.game_title ?? ""];
  setText(byId("source"), from.filter(Boolean).join(" · "));

  const note = byId("note");
  note.hidden = !unsure;
  if (unsure) setText(note, state.question === null ? words.suspectNote : words.settleFirst(state.question + 1));
  drawNet(roll && [roll.net, roll.dice.map((die) => [die.type, die.face])], roll);
  drawTrouble(state.trouble, state.trouble);
  fitHeadline();
}

function noRoll(state) {
  if (state.hidden) return [words.hiddenHeadline, words.hiddenSentence];
  if (state.phase === "by_hand") return [words.idleHeadline, words.idleByHand];
  return [words.idleHeadline, state.phase === "no_camera" ? words.idleNoCamera : words.idleSentence];
}

function tone(roll) {
  if (roll.succeeded === true) return "good";
  if (roll.succeeded === false) return "bad";
  return "plain";
}

const drawNet = whenChanged((roll) => {
  const list = byId("net");
  list.replaceChildren();
  if (!roll) return;
  const found = NARRATIVE.filter((name) => roll.net[name] > 0);
  list.style.setProperty("--columns", Math.max(FEWEST_COLUMNS, found.length));
  for (const name of found) list.append(netItem(name, roll.net[name]));
  if (found.length > 0 || roll.dice.some((die) => NARRATIVE.some((name) => die.face.includes(name)))) return;
  const faces = roll.dice.filter((die) => die.face.length > 0);
  list.style.setProperty("--columns", Math.min(MOST_COLUMNS, Math.max(FEWEST_COLUMNS, faces.length)));
  for (const die of faces.slice(0, MOST_FACES)) list.append(faceItem(die));
});

function netItem(name, count) {
  const set = setOfSymbol(name) ?? "narrative";
  return el(
    "li",
    { class: "net-item", "data-symbol": name },
    el("span", { class: "amount", "aria-hidden": "true" }, symbolShape(set, name), el("span", { class: "count", text: count })),
    el(
      "span",
      { class: "name", "aria-hidden": "true" },
      el("b", { text: words.symbols[name].letter }),
      el("span", { class: "word", text: symbolWord(name, count) }),
    ),
    el("span", { class: "hidden", text: symbolWord(name, count, true) }),
  );
}

function faceItem(die) {
  const type = dieType(die.type);
  const item = el("li", { class: "face-item", "data-type": die.type }, faceShapes(die.type, die.face));
  item.append(el("span", { class: "hidden", text: `${type.title}: ${die.face.join(" ")}` }));
  if (type.variant_of || type.any_colour === false) item.append(el("span", { class: "name", text: type.title }));
  return item;
}

const drawTrouble = whenChanged((trouble) => {
  byId("trouble").replaceChildren(
    ...trouble.map((one) =>
      el(
        "li",
        {},
        el("strong", { text: one.what }),
        one.where && el("span", { class: "where", text: one.where }),
        one.hint && el("span", { text: one.hint }),
      ),
    ),
  );
});

/** Say how old the result is; called every few seconds. */
export function showAge(roll, now) {
  const seconds = roll ? Math.max(0, now - roll.at) : 0;
  byId("result").toggleAttribute("data-old", seconds > OLD_SECONDS);
  setText(byId("age"), roll ? ageWords(seconds) : "");
}

/** Shrink a long outcome word until it fits on its line; the style sheet's size is the largest. */
export function fitHeadline() {
  const headline = byId("headline");
  headline.style.fontSize = "";
  const room = headline.clientWidth;
  const needed = headline.scrollWidth;
  if (needed > room && room > 0) {
    const size = Number.parseFloat(getComputedStyle(headline).fontSize);
    headline.style.fontSize = `${Math.floor((size * room) / needed) - 1}px`;
  }
}
