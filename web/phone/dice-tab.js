// A player's dice: what is called, and the ways to give them without the tray: by photograph or by hand.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { poolRow } from "../part/dice.js";
import { say } from "../strings.js";
import { mayPhotograph, photographButton } from "./photograph.js";

/** Draw the tab. */
export function diceTab(seen) {
  const { state, ui, act } = seen;
  return html`<div class="title-row"><h2>${say("tab.dice")}</h2></div>
    ${state.call ? html`<p class="quiet">${say("dice.called")}</p>${poolRow(state.call.dice, state.call.missing)}` : html`<p class="quiet">${say("dice.nothingCalled")}</p>`}
    ${mayPhotograph(seen) ? nothing : html`<p class="quiet">${say(`photo.not.${state.setup.photographs}`)}</p>`}
    ${photographButton(seen, "large", html`${icon("camera")} ${ui.isReading ? say("photo.sending") : say("photo.take")}`)}
    <button type="button" class="primary large" id="dice-by-hand" @click=${act.byHand}>${icon("pencil")} ${say("byHand")}</button>`;
}
