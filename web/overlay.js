// A transparent page for a film of the table: the newest result, for a while.

import { byId, el, whenChanged } from "./dom.js";
import { loadSets, setOfSymbol, symbolShape, symbolWord } from "./dice.js";
import { words } from "./strings.js";
import { follow } from "./talk.js";

const asked = Number(new URLSearchParams(location.search).get("seconds"));
const SHOWN_SECONDS = asked > 0 ? asked : 20;
let clockAhead = 0;
let roll = null;

const draw = whenChanged((shown) => {
  const box = byId("overlay");
  box.replaceChildren();
  if (!shown) return;
  const net = Object.entries(shown.net).filter(([name, count]) => count > 0 && words.symbols[name]);
  box.append(el("div", { class: "plate", "data-outcome": shown.succeeded === null ? "plain" : shown.succeeded ? "good" : "bad" },
    el("p", { class: "quiet", text: words.forWhom(shown.by, shown.label) }),
    el("p", { class: "big", text: shown.headline + (shown.sure ? "" : " ?") }),
    el("ul", {}, ...net.map(([name, count]) => el("li", { "data-symbol": name }, symbolShape(setOfSymbol(name) ?? "narrative", name), el("b", { text: count }), symbolWord(name, count))))));
});

function refresh() {
  const age = Date.now() / 1000 + clockAhead - (roll?.at ?? 0);
  const shown = roll && age < SHOWN_SECONDS ? roll : null;
  draw([shown?.id, shown?.version], shown);
}

await loadSets().catch(() => {});
follow({
  whenState: (state) => {
    clockAhead = state.now - Date.now() / 1000;
    roll = state.roll?.hidden ? null : state.roll; // a film shows no secret, also in the game master's browser
    document.body.dataset.ready = "";
    refresh();
  },
  whenPanel: () => {},
  whenLink: (found) => document.body.toggleAttribute("data-lost", !found),
});
setInterval(refresh, 1000);
