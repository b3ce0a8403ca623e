// The tab of the evening: who, what for, what came of it; a tap opens the roll and how it was worked out.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { dieType } from "../dice.js";
import { cameTo } from "../part/feed.js";
import { say } from "../strings.js";

/** The rolls of all, of whom can be chosen. */
export function logTab(seen) {
  const { state, ui, act } = seen;
  const names = [...new Set(state.history.map((roll) => roll.by).filter(Boolean))];
  const shown = ui.logOf && names.includes(ui.logOf) ? state.history.filter((roll) => roll.by === ui.logOf) : state.history;
  return html`<div class="title-row"><h2>${say("tab.log")}</h2><a class="button" href="/api/history?format=csv" download="tableside.csv">${say("log.csv")}</a></div>
    ${names.length > 1 ? html`<div class="chips" role="group" aria-label=${say("log.of")}>${names.map((name) => html`<button type="button" class="chip" aria-pressed=${name === ui.logOf ? "true" : "false"} @click=${() => act.logOf(name)}>${name}</button>`)}</div>` : nothing}
    ${rolls(shown, seen)}`;
}

/** The rolls of this phone's player. */
export const myRollsTab = (seen) => html`<div class="title-row"><h2>${say("tab.myRolls")}</h2></div>${rolls(seen.state.history.filter((roll) => !seen.me() || roll.by === seen.me()), seen)}`;

function rolls(list, { act }) {
  if (list.length === 0) return html`<p class="quiet">${say("noRoll")}</p>`;
  return html`<ol class="rolls">${repeat(list, (roll) => roll.id, (roll) => html`<li><button type="button" class="roll-line" @click=${() => act.workedOut(roll)}>
    <time>${clock(roll.at)}</time><span class="may-cut"><b>${roll.by || "–"}</b> ${roll.label}</span><span class="came">${cameTo(roll)}</span>
    <span class="roll-dice" aria-hidden="true">${roll.dice.map((one) => html`<span class="small-die">${die(dieType(one.type), one.face, { body: dieType(one.type).any_colour ? one.colour : "" })}</span>`)}</span></button></li>`)}</ol>`;
}

const clock = (at) => new Date(at * 1000).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
