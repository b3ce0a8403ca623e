// A player's own tab: my last result and what it buys, my card, and what I can do. A tap on a skill calls it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { token } from "../draw/token.js";
import { icon } from "../draw/icon.js";
import { face, full, row } from "../part/card.js";
import { onlyFirst } from "../part/dice.js";
import { said } from "../said.js";
import { say } from "../strings.js";
import { largest, marks, toneOf } from "../part/plate.js";
import { careButtons } from "./acts.js";
import { actors } from "./draft.js";
import { turnNow } from "../part/turns.js";
import { isOfNow } from "../table/kind.js";
import { doings, hasStrip, rowOf, spendRow } from "./result.js";

const MOST_TOKENS = 8;

export const mineOf = (seen) => actors(seen).find((one) => (seen.ui.person ? one.id === seen.ui.person : one.name === seen.me()));

/** Draw the tab. */
export function meTab(seen) {
  const { state, me, act, mayChange, game } = seen;
  const mine = mineOf(seen);
  const last = state.history.find((one) => one.by && one.by === me() && isOfNow(state, one));
  const roll = last && !(last.id === state.roll?.id && hasStrip(seen)) ? last : null; // a result is there once
  const head = html`${roll ? myResult(seen, roll) : !last && mine?.id && mayChange ? html`<p class="you-are-in">${icon("circle-check")}<span><b>${say("me.in")}</b><small>${say("me.inMore")}</small></span></p>` : nothing}`;
  const turn = turnNow(state.initiative);
  if (!mine?.id)
    return html`${mine ? html`<div class="me-head">${face(mine)}<h2>${mine.name}</h2></div>` : nothing}${head}${turn ? html`<p class="quiet">${turn}</p>` : nothing}${mayChange ? whoAmI(seen) : nothing}${light(seen)}`;
  return html`${full(
    { ...mine, role: turn ? "" : mine.role },
    {
      game,
      mayChange,
      state: html`${head}${carriedLine(mine, state)}`,
      below: light(seen),
      cares: mayChange ? careButtons(caresOf(mine, seen), seen) : [],
      whose: turn,
      act: mayChange
        ? {
            roll: (one, isSkill) => act.rollMine(mine, one, isSkill),
            tracker: (one, by) => act.tracker(mine, one, by),
            more: () => act.morePerson(mine),
            states: () => act.states(mine),
            endState: (one) => act.endState(mine, one),
          }
        : {},
    },
  )}`;
}

/** What betters me, and what I can throw for others. */
const caresOf = (mine, { ui: { people } }) =>
  people.flatMap((whom) =>
    (whom.cares ?? [])
      .filter((one) => (one.act || !one.by ? whom.id === mine.id : one.call.who === mine.id))
      .map((one) => ({ ...one, whom, shown: whom.id === mine.id ? one.by : whom.name })),
  );

function myResult(seen, roll) {
  return html`<section class="my-result" aria-label=${say("me.last")} data-tone-of=${toneOf(roll)}><p class="big" data-outcome=${toneOf(roll)}>${largest(roll).text} <span class="beside-total">${largest(roll).beside}</span></p>${marks(roll)}<p class="quiet">${roll.label}</p>${rowOf(roll)}${doings(seen, roll)}${spendRow(seen, roll)}</section>`;
}

/** The characters of the scene, to say which is mine. */
function whoAmI({ ui, act, game, role }) {
  const heroes = ui.people.filter((one) => one.kind === "player" && one.game === game.name);
  const title = html`<div class="title-row"><h2>${say("join.who")}</h2></div>`;
  if (role !== "player") return html`${title}<a class="open-row" href="/pair">${icon("smartphone")}<b>${say("pair.title")}</b>${icon("chevron-right")}</a>`;
  return html`${title}<ul class="person-list">${heroes.map((one) => html`<li>${row(one, { game, state: one.phone ? say("join.taken") : one.role, below: nothing, act: () => act.iAm(one) })}</li>`)}</ul>
    <a class="open-row" href="/pair">${icon("user-plus")}<b>${say("join.somebody")}</b>${icon("chevron-right")}</a>`;
}

function carriedLine(mine, state) {
  const carried = state.people.find((one) => one.id === mine.id)?.carried ?? [];
  return carried.length === 0
    ? nothing
    : html`<p class="quiet carried-line">${carried.map((one) => say("me.from", { what: said(one.said, one.words), who: one.giver || "–" })).join(", ")}</p>`;
}

/** Light points of the pool: a tap spends one. Players have no dark ones. */
function light({ state, act, mayChange, game }) {
  if (!game.pool_flips || state.destiny.light + state.destiny.dark === 0) return nothing;
  const count = state.destiny.light;
  return html`<section id="points" class="my-points" aria-label=${state.destiny_names.pool}><b>${state.destiny_names.pool}</b>
    <span class="tokens" data-side="light">${Array.from({ length: Math.min(count, MOST_TOKENS) }, (_, n) => html`<button type="button" class="token" aria-hidden=${onlyFirst(n).hidden} tabindex=${onlyFirst(n).tab} aria-label=${say("spend", { name: state.destiny_names.light })} ?disabled=${!mayChange} @click=${() => act.flip("light")}>${token("light")}</button>`)}
      ${count > MOST_TOKENS ? html`<b>× ${count}</b>` : nothing}<span class="hidden count">${count}</span></span></section>`;
}
