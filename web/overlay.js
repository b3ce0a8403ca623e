// A transparent page for a film of the table: the newest result, for a while.

import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { loadSets } from "./dice.js";
import { drawnDice, forWhom, largest, marks, toneOf, word } from "./part/plate.js";
import { createStore } from "./store.js";
import { follow } from "./talk.js";

const TICK_MS = 1_000;
const asked = Number(new URLSearchParams(location.search).get("seconds"));
const SHOWN_SECONDS = asked > 0 ? asked : 20;

let clockAhead = 0; // the table's clock less ours, in seconds
const store = createStore({}, draw);

/** The plate of a roll, or nothing where none is shown. */
function view(roll) {
  if (!roll) return nothing;
  const said = largest(roll);
  return html`<div class="plate" data-accent=${toneOf(roll)}>
    <div class="said">
      <p class="for">${forWhom(roll)}</p>
      <p class="headline">${word(said.text)}${said.beside ? word(said.beside, "second") : nothing}</p>
      ${marks(roll)}
    </div>
    ${drawnDice(roll.dice)}
  </div>`;
}

function draw({ state }) {
  const age = Date.now() / 1000 + clockAhead - (state?.roll?.at ?? 0);
  const shown = state?.roll && !state.roll.hidden && age < SHOWN_SECONDS ? state.roll : null; // no secret, also in the game master's browser
  render(view(shown), document.getElementById("overlay"));
}

await loadSets().catch(() => {});
follow({
  whenState: (state) => {
    clockAhead = state.now - Date.now() / 1000;
    store.setState(state);
    document.body.dataset.ready = "";
  },
  whenPanel: () => {},
  whenLink: (found) => document.body.toggleAttribute("data-lost", !found),
});
setInterval(store.redraw, TICK_MS);
