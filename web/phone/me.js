// A player's own tab: my last result and what it buys, how I am, light points, and what I can do.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { diamond, token } from "../draw/token.js";
import { said } from "../said.js";
import { say } from "../strings.js";
import { largest, marks, toneOf } from "../part/plate.js";
import { actors } from "./draft.js";
import { face, gaugesOf, steppers, throwsOf } from "./pieces.js";
import { doings, rowOf, spendRow } from "./result.js";

const MOST_TOKENS = 8;

/** Draw the tab. */
export function meTab(seen) {
  const { state, me, act, mayChange, ui } = seen;
  const actor = actors(seen).find((one) => one.name === me());
  const roll = state.history.find((one) => one.by && one.by === me());
  const isAbove = roll && roll.id === state.roll?.id && ui.dismissed !== roll.id; // the strip shows it already
  return html`<div class="me-head">${actor ? face(actor) : nothing}<h2>${me() || say("playerTitle")}</h2><p class="quiet">${turnLine(state)}</p></div>
    ${mayChange ? html`<label class="row" ?hidden=${Boolean(actor) && actor.name === seen.paired}>${say("whoAmI")}<select id="i-am" @change=${(event) => act.iAm(event.target.value)}>
      <option value="" ?selected=${!me()}>${say("nobodyNamed")}</option>${names(seen).map((name) => html`<option value=${name} ?selected=${name === me()}>${name}</option>`)}</select></label>` : nothing}
    ${roll && !isAbove ? html`<section class="my-result" aria-label=${say("me.last")} data-tone-of=${toneOf(roll)}><p class="big" data-outcome=${toneOf(roll)}>${largest(roll).text}</p>${marks(roll)}<p class="quiet">${roll.label}</p>${rowOf(roll)}</section>` : nothing}
    ${roll && !isAbove ? doings(seen, roll) : nothing}
    ${roll ? spendRow(seen, roll) : nothing}
    ${actor?.id ? steppers(gaugesOf(actor, seen.game), (one, by) => act.tracker(actor, one, by), mayChange) : nothing}
    ${points(seen, actor)}
    ${actor && actor.skills.length + actor.weapons.length > 0 && mayChange ? html`<section class="my-skills"><h3>${say("me.askToRoll")}<small>${carried(actor, state)}</small></h3><ul>
      ${actor.skills.map((one) => html`<li><button type="button" class="skill-line" data-skill=${one.name} @click=${() => act.rollWith(actor, one, true)}><span>${one.name}</span>${throwsOf(actor, one)}</button></li>`)}
      ${actor.weapons.map((one) => html`<li><button type="button" class="skill-line" data-skill=${one.name} @click=${() => act.rollWith(actor, one, false)}><span>${one.name}</span></button></li>`)}</ul></section>` : nothing}`;
}

const names = ({ state, ui, game }) => [...new Set([...ui.people.filter((one) => one.kind === "player" && one.game === game.name).map((one) => one.name), ...state.players.map((one) => one.name)])];

function turnLine({ initiative }) {
  const slot = initiative.slots.find((one) => one.id === initiative.current);
  return slot ? say("turnNow", { round: initiative.round, who: slot.who || say(`slotOf.${slot.side}`) }) : "";
}

const carried = (actor, state) => (state.people.find((one) => one.id === actor.id)?.carried ?? []).map((one) => say("me.from", { what: said(one.said, one.words), who: one.giver || "–" })).join(", ");

/** Light points; a tap on one upgrades the call that is open, or flips it. Players have no dark ones. */
function points(seen, actor) {
  const { state, act, mayChange, game } = seen;
  const own = game.characters.points.light;
  const count = game.pool_flips ? state.destiny.light : (actor?.trackers?.[own]?.value ?? 0);
  if (!game.pool_flips && !own) return nothing;
  const isOpen = Boolean(state.call) && state.call.flips.some((one) => one.side === "light");
  const title = game.pool_flips ? state.destiny_names.pool : game.trackers.find((one) => one.name === own)?.title;
  const may = mayChange && (game.pool_flips || isOpen);
  return html`<section id="points" class="my-points" aria-label=${title}><b>${title}</b>
    <span class="tokens" data-side="light">${Array.from({ length: Math.min(count, MOST_TOKENS) }, () => html`<button type="button" class="token" aria-label=${say("spend", { name: state.destiny_names.light })} ?disabled=${!may} @click=${() => act.flip("light")}>${game.pool_flips ? token("light") : diamond("light")}</button>`)}
      ${count > MOST_TOKENS ? html`<b>× ${count}</b>` : nothing}<span class="hidden count">${count}</span></span>
    <small class="quiet">${count > 0 && may ? (isOpen ? say("me.tapOneNow") : say("me.tapOne")) : nothing}</small></section>`;
}
