// The newest roll on a phone: result, doubt, symbols to add, what it may buy and how it came about.

import { byId, el, whenChanged } from "./dom.js";
import { dieDrawing, dieLabel, setOfSymbol, symbolShape, symbolWord } from "./dice.js";
import { largest, toneOf } from "./part/plate.js";
import { pickCorrection, pickRoll, pickThrow } from "./picker.js";
import { say, sayOr } from "./strings.js";
import { change, get } from "./talk.js";
import { undoLast } from "./undo.js";

/** Build the card; the function that is returned draws a state. */
export function buildRollCard(box, { games, isMaster, mayChange }) {
  const draw = whenChanged((state) => {
    box.replaceChildren(el("h2", { id: "now-title", text: say("tabNow") }));
    const roll = state.roll;
    if (roll) box.append(...view(roll, state));
    else box.append(el("p", { class: "big", text: state.hidden ? say("hiddenHeadline") : say("noRoll") }));
    if (mayChange) {
      box.append(el("div", { class: "acts" },
        el("button", { type: "button", text: say("byHand"), onclick: () => pickRoll(state.game) }),
        state.phase !== "by_hand" && el("button", { type: "button", text: say("readAgain"), onclick: () => change("/api/read", {}, { withId: false }) }),
        el("button", { type: "button", text: say("undo"), onclick: () => (isMaster && state.undo ? undoLast(state.undo, state.now) : change("/api/undo")) }),
        isMaster && el("button", { type: "button", text: say("redo"), onclick: () => change("/api/redo") })));
    }
  });

  function view(roll, state) {
    const game = games.find((one) => one.name === roll.game);
    return [
      el("p", { class: "quiet" }, [[roll.by, roll.label].filter(Boolean).join(": "), roll.source !== "camera" && say(`source.${roll.source}`), roll.hidden && say("hiddenMark")].filter(Boolean).join(" · ")),
      headline(roll),
      netRow(roll),
      el("p", { "aria-live": "polite", text: roll.sentence }),
      diceRow(roll, state, mayChange),
      roll.awaits && mayChange && el("button", { type: "button", class: "primary", text: `${say("enterThrow")}: ${roll.awaits.sentence}`, onclick: () => pickThrow(roll) }),
      ...(mayChange ? choiceButtons(roll) : []),
      mayChange && symbols(roll, game),
      isMaster && el("div", { class: "acts" },
        el("button", { type: "button", text: roll.hidden ? say("showToAll") : say("hideIt"), onclick: () => adjust(roll, { hidden: !roll.hidden }) })),
      details(roll),
    ].filter(Boolean);
  }

  return (state) => draw([state.roll, state.hidden, state.game, state.question, state.undo?.number], state);
}

const adjust = (roll, what) => change(`/api/rolls/${encodeURIComponent(roll.id)}`, { version: roll.version, ...what });

function headline(roll) {
  const { text, beside } = largest(roll);
  return el("p", { class: "big", "data-outcome": toneOf(roll) }, text, beside && el("span", { class: "beside-total", text: ` ${beside}` }));
}

function netRow(roll) {
  const found = Object.entries(roll.net).filter(([name, count]) => count > 0 && sayOr(`symbol.${name}`, "", { n: count }));
  return el("ul", { class: "net-row" }, ...found.map(([name, count]) =>
    el("li", { "data-symbol": name }, symbolShape(setOfSymbol(name), name), el("b", { text: count }), symbolWord(name, count))));
}

function diceRow(roll, state, mayChange) {
  return el("ol", { class: "dice-row", "aria-label": say("dice") }, ...roll.dice.map((die, index) => {
    const parts = [dieDrawing(die.type, die.face), el("span", { class: "hidden", text: dieLabel(die) })];
    if (!mayChange) return el("li", { class: "die" }, ...parts);
    return el("li", {}, el("button", {
      type: "button", class: "die", "data-status": die.status, "data-question": index === state.question, title: dieLabel(die),
      onclick: () => pickCorrection(roll, { list: "dice", index }),
    }, ...parts));
  }));
}

/** One button more and one less for each symbol that the game's form lets people add. */
function symbols(roll, game) {
  const fields = (game?.form ?? []).filter((field) => field.kind === "number" && sayOr(`symbol.${field.name}`, "", { n: 1 }));
  if (fields.length === 0) return null;
  return el("details", { class: "symbols" }, el("summary", { text: say("addSymbols") }), el("ul", {}, ...fields.map((field) => {
    const now = roll.ask[field.name] ?? 0;
    const what = say(`a.${field.name}`);
    const set = (count) => adjust(roll, { ask: { [field.name]: count } });
    return el("li", { "data-symbol": field.name },
      el("button", { type: "button", "aria-label": say("removeSymbol", { what }), text: "\u2212", disabled: now <= field.least, onclick: () => set(now - 1) }),
      symbolShape(setOfSymbol(field.name), field.name),
      el("span", { text: `${now} ${symbolWord(field.name, now)}` }),
      el("button", { type: "button", "aria-label": say("addSymbol", { what }), text: "+", disabled: now >= field.most, onclick: () => set(now + 1) }));
  })));
}

/** What the roll may buy and how it came about: asked for only when somebody opens it. */
function details(roll) {
  const list = el("div", {});
  const box = el("details", { class: "spends" }, el("summary", { text: say("spends") }), list);
  box.addEventListener("toggle", async () => {
    if (!box.open || list.hasChildNodes()) return;
    try {
      const address = `/api/rolls/${encodeURIComponent(roll.id)}`;
      const [spends, { steps }] = await Promise.all([get(`${address}/spends`), get(address)]);
      const buys = spends.map((spend) => el("li", {}, el("b", { text: spend.price }), ` ${spend.title}`, spend.by === "gm" && ` (${say("byMaster")})`));
      list.append(buys.length > 0 ? el("ul", {}, ...buys) : el("p", { text: say("spendsNone") }), el("h3", { text: say("steps") }),
        el("ol", {}, ...steps.map((step) => el("li", {}, step.text))));
    } catch {
      list.append(el("p", { text: say("notReached") }));
    }
  });
  return box;
}

/** A button for each answer to what the dice leave open. */
export function choiceButtons(roll) {
  return (roll?.choices ?? []).map((choice) =>
    el("button", { type: "button", class: "primary", text: choice.title, onclick: () => adjust(roll, { ask: choice.ask }) }));
}

/** The button that makes a throw the pool, where the game says that it is one for it. */
export function destinyButton(state) {
  const { roll } = state;
  if (!state.destiny_flips || !roll?.sure || !roll.sets_pool) return null;
  return el("button", {
    type: "button", class: "primary use-destiny", text: say("useAsDestiny", { pool: state.destiny_names.pool, ...roll.sets_pool }),
    onclick: () => change("/api/destiny", { do: "set", from_roll: roll.id }),
  });
}

export const nowBox = () => byId("now");
