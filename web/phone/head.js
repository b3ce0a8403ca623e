// What stands on top: on the game master's page undo and what may be entered; on a player's the own face and the ways to the evening's
// log and to Tonight.

import { byId } from "../dom.js";
import { icon } from "../draw/icon.js";
import { face } from "../part/card.js";
import { recallHere } from "../memory.js";
import { say, undoWhat } from "../strings.js";
import { change } from "../talk.js";
import { undoLast } from "../undo.js";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { stateWords } from "./me.js";
import { mineOf, othersOf } from "./mine.js";
import { fillsPage } from "./now-card.js";
import { photographButton } from "./photograph.js";

const isScreen = Boolean(recallHere("screen")); // this window was the table's screen
document.body.toggleAttribute("data-screen", isScreen);
/** @type {Record<string, string>} */
const PLACES = { log: "scroll-text", tonight: "moon-star" };

/** Draw it into its places on the page. @param {PhoneSeen} seen */
export function drawHead(seen) {
  if (!seen.isMaster) return render(myHead(seen), byId("now"));
  render(tools(seen), byId("tools"));
}

const toScreen = () =>
  isScreen
    ? html`<a class="button icon-button" id="to-screen" href="/" aria-label=${say("toScreen")} title=${say("toScreen")}>${icon("monitor")}</a>`
    : nothing;

/** My face, name and state, or who this is; then the signs of Log and Tonight, which a second tap leaves. @param {PhoneSeen} seen */
function myHead(seen) {
  const { act, game, mayChange, place } = seen;
  const mine = mineOf(seen);
  const drawing = mine && face(mine, mine.id ? { game } : {});
  const sign = (/** @type {string} */ name) =>
    html`<button type="button" class="icon-button" id=${`to-${name}`} aria-pressed=${String(place === name)} aria-label=${say(`tab.${name}`)} title=${say(`tab.${name}`)} @click=${() => act.toPlace(place === name ? "me" : name)}>${icon(PLACES[name])}</button>`;
  return html`<div class="my-head">${mine?.id && mayChange && !fillsPage(seen, mine) ? html`<button type="button" class="face-button" id="card-more" aria-label=${`${mine.name}: ${say("person.more")}`} @click=${() => act.morePerson(mine)}>${drawing}</button>` : (drawing ?? nothing)}
    ${othersOf(seen)
      .slice(0, 1)
      .map(
        (/** @type {Person} */ one) =>
          html`<button type="button" class="face-button small" id="to-other" aria-label=${one.name} title=${one.name} @click=${() => act.toOther(one)}>${face(one, { game })}</button>`,
      )}<div class="two-lines"><h2 class="may-cut" >${mine?.name || seen.me() || say(`roles.${seen.role}`)}</h2><p class="quiet">${stateWords(seen, mine)}</p></div>
    ${mayChange ? nothing : html`<a id="to-pair" class="button" href="/pair">${say("goPair")}</a>`}${toScreen()}${Object.keys(PLACES).map(sign)}</div>`;
}

/** @param {PhoneSeen} seen */
function tools(seen) {
  const { act } = seen;
  const { undo, time } = seen.state;
  return html`${toScreen()}
    <button type="button" class="icon-button" id="undo" ?disabled=${!undo} aria-label=${undo ? `${say("undo")}: ${undoWhat(undo)}` : say("undo")} title=${undo ? undoWhat(undo) : say("undo")} @click=${() => undo && undoLast(undo, time)}>${icon("undo-2")}</button>
    <button type="button" class="icon-button" id="redo" aria-label=${say("redo")} title=${say("redo")} @click=${() => change("/api/redo")}>${icon("redo-2")}</button>
    <span id="photograph-dice">${photographButton(seen, "icon-button", html`${icon("camera")}<span class="hidden">${say("photo.take")}</span>`)}</span>
    <button type="button" class="icon-button" id="by-hand" aria-label=${say("byHand")} title=${say("byHand")} @click=${act.byHand}>${icon("pencil")}</button>`;
}
