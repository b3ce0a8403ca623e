// Trackers that the game declares: numbers and tracks, for each player or for the table.

import { el, whenChanged } from "./dom.js";
import { say } from "./strings.js";
import { change } from "./talk.js";

/** Build the trackers; `owners(state)` names whose are shown. */
export function buildTrackers(box, { games, owners }) {
  const draw = whenChanged((state) => {
    const game = games.find((one) => one.name === state.game);
    // the pool of light and dark points has its own place
    const trackers = (game?.trackers ?? []).filter((one) => !(one.scope === "table" && ["light", "dark"].includes(one.name)));
    const shared = trackers.filter((one) => one.scope === "table");
    const own = trackers.filter((one) => one.scope !== "table");
    const cards = [
      shared.length > 0 && card(say("tableOwn"), "", shared, state),
      ...(own.length > 0 ? owners(state).map((name) => card(name, name, own, state)) : []),
    ].filter(Boolean);
    box.replaceChildren(...(cards.length > 0 ? [el("h2", { text: say("trackers") }), ...cards] : []));
  });
  return (state) => draw([state.trackers, state.players, state.game, owners(state)], state);
}

function card(title, owner, trackers, state) {
  return el("section", { class: "card" }, el("h3", { text: title }), el("ul", { class: "trackers" }, ...trackers.map((tracker) => {
    const found = state.trackers.find((one) => one.game === state.game && one.name === tracker.name && one.owner === owner);
    const value = found ? found.value : tracker.default;
    const shown = tracker.steps.length > 0 ? tracker.steps[value].replaceAll("_", " ") : String(value);
    const act = (count) => change("/api/trackers", { name: tracker.name, owner, count });
    return el("li", { title: [tracker.help, tracker.resets].filter(Boolean).join(" ") },
      el("span", { class: "grow", text: tracker.title }),
      el("button", { type: "button", text: "\u2212", "aria-label": say("trackerLess", { title: tracker.title }), disabled: value <= tracker.least, onclick: () => act(-1) }),
      el("output", { text: shown }),
      el("button", { type: "button", text: "+", "aria-label": say("trackerMore", { title: tracker.title }), disabled: value >= tracker.most, onclick: () => act(1) }));
  })));
}
