// A player's dice: what is called, and the ways to give them without the tray: by photograph or by hand.

import { html } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { poolRow } from "../part/dice.js";
import { say } from "../strings.js";

/** Draw the tab. */
export function diceTab(seen) {
  const { state, ui, act, mayChange } = seen;
  return html`<div class="title-row"><h2>${say("tab.dice")}</h2></div>
    ${state.call ? html`<p class="quiet">${say("dice.called")}</p>${poolRow(state.call.dice, state.call.missing)}` : html`<p class="quiet">${say("dice.nothingCalled")}</p>`}
    <label class="file-button large" ?data-busy=${ui.isReading}>${icon("camera")} ${ui.isReading ? say("photo.sending") : say("photo.take")}
      <input type="file" id="photograph" accept="image/*" capture="environment" ?disabled=${!mayChange || ui.isReading} @change=${(event) => act.photograph(event.target)}></label>
    <button type="button" class="primary large" id="dice-by-hand" @click=${act.byHand}>${icon("pencil")} ${say("byHand")}</button>`;
}
