// What a demo adds to a page: recorded rolls come by themselves until somebody is there, and then when they are asked for.

import { html } from "./vendor/lit-html/lit-html.js";
import { icon } from "./draw/icon.js";
import { face } from "./part/card.js";
import { showMasterHere } from "./part/phones.js";
import { closeSheet, openSheet } from "./part/sheet.js";
import { say } from "./strings.js";
import { send } from "./talk.js";

const TELL_MS = 15_000; // a demo goes on by itself where it heard nothing for a minute

/** Tell the table that somebody is there, and go on saying so with each touch. `when` is called at the end of each: what is under a finger stays until it is lifted. */
export function noticeTouch(when = () => {}) {
  let told = -TELL_MS;
  const tell = (/** @type {Event} */ { timeStamp }) => {
    if (timeStamp - told < TELL_MS) return;
    told = timeStamp;
    send("/api/demo", { do: "hold" });
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, tell, { capture: true });
  for (const kind of ["click", "keyup"]) addEventListener(kind, when, { capture: true });
}

/** Throw the next recorded roll. */
export const nextRoll = () => send("/api/demo", { do: "next" });

/** The button among what can be bought. @param {{ nextRoll: () => void, anotherGame: () => void, tryMaster: () => void }} act */
export const nextRollButton = (act) =>
  html`<button type="button" class="surface primary" data-demo="next" @click=${act.nextRoll}><b>${say("nextRoll")}</b></button>`;

/** The buttons of a demo. @param {{ nextRoll: () => void, anotherGame: () => void, tryMaster: () => void }} act */
export function demoRow(act) {
  return html`<div class="surfaces demo-row">
    ${nextRollButton(act)}
    <button type="button" class="surface" data-demo="another" @click=${act.anotherGame}><b>${say("anotherGame")}</b></button>
    <button type="button" class="surface" data-demo="master" @click=${act.tryMaster}><b>${say("tryMaster")}</b></button>
  </div>`;
}

/** Whether nobody has thrown yet: the page says what to tap, and who is there. @param {{ state: Shown, ui: TableUi }} what */
export const isDemoStart = ({ state, ui }) => ui.isDemo && state.history.length === 0 && Boolean(state.call);

/** Who is there, and where else to look: the fight that goes on, and the game master's page. @param {{ state: Shown, ui: TableUi, act: TableAct }} what */
export function demoScene({ state, ui, act }) {
  const here = state.people.filter((one) => one.game === state.game);
  const game = ui.games.find((one) => one.name === state.game);
  return html`<div class="demo-scene"><p class="demo-faces" role="img" aria-label=${here.map((one) => one.name).join(", ")}>${game ? here.map((one) => face(one, { game })) : ""}</p>
    <div class="surfaces"><button type="button" class="surface" data-demo="fight" @click=${act.showFight}>${icon("swords")}<b>${say("tab.fight")}</b></button><button type="button" class="surface" data-demo="master" @click=${act.tryMaster}>${icon("smartphone")}<b>${say("roles.gm")}</b></button></div></div>`;
}

/** The same over any state, where there is no room for them. @param {TableAct} act */
export function showDemo(act) {
  const then = (/** @type {(() => Promise<{ do: string; } | null>) | (() => Promise<void>)} */ next) => () => {
    closeSheet();
    next();
  };
  openSheet(
    say("demo"),
    html`<p>${say("demoMore")}</p>${demoRow({ nextRoll: then(act.nextRoll), anotherGame: act.anotherGame, tryMaster: then(act.tryMaster) })}`,
  );
}

/** Open the game master's page on this machine in a window of its own, paired if it was not before. */
export async function tryMaster() {
  const me = await fetch("/api/me").then((answer) => answer.json()); // as which this browser is paired, be this page the screen
  if (me.role === "gm") window.open("/gm");
  else await showMasterHere((address) => window.open(address));
}
