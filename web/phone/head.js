// What stands above every tab: undo and what may be entered, whose phone this is, the call, the newest roll and the ranking of several.

import { byId, setText } from "../dom.js";
import { icon } from "../draw/icon.js";
import { contestNow, ranking } from "../part/contest.js";
import { recallHere } from "../memory.js";
import { say, undoWhat } from "../strings.js";
import { change } from "../talk.js";
import { undoLast } from "../undo.js";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { photographButton } from "./photograph.js";
import { hasStrip, resultStrip } from "./result.js";
import { callStrip } from "./roll.js";

const isScreen = Boolean(recallHere("screen")); // this window was the table's screen
document.body.toggleAttribute("data-screen", isScreen);

/** Draw it into its places on the page. */
export function drawHead(seen) {
  const { mayChange } = seen;
  render(mayChange ? tools(seen) : html`<a id="to-pair" class="button" href="/pair">${say("goPair")}</a>`, byId("tools"));
  setText(byId("who"), seen.me() || say(`roles.${seen.role}`));
  render(html`${callStrip(seen)}${hasStrip(seen) ? resultStrip(seen) : nothing}${contestStrip(seen)}`, byId("now"));
}

function tools(seen) {
  const { act, isMaster } = seen;
  const { undo, now } = seen.state;
  return html`${isScreen ? html`<a class="button icon-button" id="to-screen" href="/" aria-label=${say("toScreen")} title=${say("toScreen")}>${icon("monitor")}</a>` : nothing}
    <button type="button" class="icon-button" id="undo" ?disabled=${!undo} aria-label=${undo ? `${say("undo")}: ${undoWhat(undo)}` : say("undo")} title=${undo ? undoWhat(undo) : say("undo")} @click=${() => undo && undoLast(undo, now, { isMine: !isMaster })}>${icon("undo-2")}</button>
    ${isMaster ? html`<button type="button" class="icon-button" id="redo" aria-label=${say("redo")} title=${say("redo")} @click=${() => change("/api/redo")}>${icon("redo-2")}</button>` : nothing}
    ${isMaster ? html`<span id="photograph-dice">${photographButton(seen, "icon-button", html`${icon("camera")}<span class="hidden">${say("photo.take")}</span>`)}</span>` : nothing}
    <button type="button" class="icon-button" id="by-hand" aria-label=${say("byHand")} title=${say("byHand")} @click=${act.byHand}>${icon("pencil")}</button>`;
}

/** The ranking of a roll by several. */
function contestStrip({ state, ui, act, mayChange }) {
  const contest = contestNow(state);
  const isRead = contest?.done && ui.dismissed === state.roll?.id;
  return contest && !contest.initiative && !isRead
    ? ranking(contest, { asked: state.asked, call: mayChange ? (one) => act.call({ contest: contest.id, who: one.who || one.name }) : null })
    : nothing;
}
