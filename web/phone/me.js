// A player's page: the card of the now, the order of a fight, then my own card with what I can do. A tap on a skill calls it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { token } from "../draw/token.js";
import { icon } from "../draw/icon.js";
import { body, face, isOut, reacting, row } from "../part/card.js";
import { isOrdering } from "../part/now.js";
import { personOf, placeWords, roundWords, seat, slotName } from "../part/turns.js";
import { labelSaid } from "../said.js";
import { say } from "../strings.js";
import { careButtons } from "./acts.js";
import { fightView } from "./fight.js";
import { crewOf } from "./draft.js";
import { mineOf, othersOf } from "./mine.js";
import { caresOf, fillsPage, nowCard, unspent } from "./now-card.js";
import { sleptCard } from "./notice.js";
import { details, spendRow } from "./result.js";

const MOST_TOKENS = 5;

/** Draw the page. @param {PhoneSeen} seen */
export function mePage(seen) {
  const mine = mineOf(seen);
  const slept = sleptCard(seen, mine);
  return html`${slept === nothing ? nowCard(seen, mine) : slept}${orderRow(seen)}${fillsPage(seen, mine) ? nothing : mine?.id ? own(seen, /** @type {Person} */ (mine)) : html`${seen.mayChange ? whoAmI(seen) : nothing}${light(seen)}`}`;
}

/** @param {PhoneSeen} seen @param {Person} mine */
function own(seen, mine) {
  const { state, act, game, mayChange } = seen;
  return body(reacting(mine, state.history), {
    game,
    mayChange,
    state: unspent(seen, mine),
    below: light(seen),
    aboard: seen.ui.people.filter((one) => one.game === game.name && crewOf(one, [mine]).length > 0),
    cares: mayChange ? careButtons(caresOf(mine, seen), seen) : [],
    act: mayChange
      ? {
          roll: (one, isSkill) => act.rollMine(mine, one, isSkill),
          rollAboard: (thing, one) => act.rollMine(mine, one, false, { who: thing.id, crew: mine.id }),
          tracker: (one, by) => act.tracker(mine, one, by),
          states: () => act.states(mine),
          endState: (one) => act.endState(mine, one),
        }
      : {},
  });
}

/** Who I am and how the fight stands, for the head. @param {PhoneSeen} seen @param {Mine} mine */
export function stateWords(seen, mine) {
  const { state, game } = seen;
  const { initiative } = state;
  const others = othersOf(seen).map((one) => one.name);
  const slot = isOrdering(state) ? null : initiative.slots.find((one) => one.id === initiative.current);
  const turn = slot ? `${roundWords(initiative)}, ${slot.acts && slot.acts === mine?.id ? say("now.inTurn") : placeWords(initiative)}` : "";
  return html`${mine?.id && isOut(mine, game) ? html`<b data-tone="bad">${say("person.down")}</b> ` : nothing}${[mine?.role, others.length > 0 ? say("me.with", { who: others.join(", ") }) : "", turn].filter(Boolean).join(". ")}`;
}

/** The order of a fight as faces, whose turn it is lit; a tap opens it. @param {PhoneSeen} seen */
function orderRow({ state, ui, act, game }) {
  const { slots, current } = state.initiative;
  if (slots.length === 0) return nothing;
  return html`<button type="button" class="order-row" id="open-order" aria-label=${say("fight.initiative")} @click=${() => act.sheet("order")}>${slots.map(
    (slot) => {
      const person = personOf(slot, ui.people);
      return html`<span class="order-one" ?data-guess=${!slot.who} ?data-current=${slot.id === current && !isOrdering(state)} ?data-done=${slot.done}>${person ? face(person, { game, isDown: isOut(person, game) }) : slot.who ? face({ name: slot.who, kind: "player" }, { rim: "never" }) : seat()}<small>${slotName(slot, ui.people)}</small></span>`;
    },
  )}</button>`;
}

/** What lies behind the card and the order. @type {Sheets} */
export const MY_SHEETS = {
  order: (seen) => ({ title: say("fight.initiative"), body: fightView(seen) ?? nothing }),
  roll: (seen) => ofRoll(seen, seen.state.now.roll, details),
  unspent: (seen) => ofRoll(seen, seen.state.history.find((one) => one.who && one.who === mineOf(seen)?.id)?.id, spendRow),
};

/** @param {PhoneSeen} seen @param {string | null | undefined} id @param {(seen: PhoneSeen, roll: Roll | BriefRoll) => Drawing} view */
function ofRoll(seen, id, view) {
  const roll = [seen.state.roll, ...seen.state.history].find((one) => one?.id === id);
  return roll && { title: labelSaid(roll.label) || say("lastRoll"), body: view(seen, roll) };
}

/** The characters of the scene, to say which is mine. @param {PhoneSeen} seen */
function whoAmI({ ui, act, game, role }) {
  const heroes = ui.people.filter((one) => one.kind === "player" && one.game === game.name);
  const title = html`<div class="title-row"><h2>${say("join.who")}</h2></div>`;
  if (role !== "player") return html`${title}<a class="open-row" href="/pair">${icon("smartphone")}<b>${say("pair.title")}</b>${icon("chevron-right")}</a>`;
  return html`${title}<ul class="person-list">${heroes.map((one) => html`<li>${row(one, { game, state: one.phone ? say("join.taken") : one.role, below: nothing, act: () => act.iAm(one) })}</li>`)}</ul>
    <a class="open-row" href="/pair">${icon("user-plus")}<b>${say("join.somebody")}</b>${icon("chevron-right")}</a>`;
}

/** Light points of the pool: a tap spends one. Players have no dark ones. @param {PhoneSeen} seen */
function light({ state, act, mayChange, game }) {
  if (!game.pool_flips || state.destiny.light + state.destiny.dark === 0) return nothing;
  const names = state.destiny_names;
  const count = state.destiny.light;
  return html`<section id="points" class="my-points" aria-label=${names.pool}><span class="quiet">${names.pool}, ${say("points", { n: count, name: names.light })}</span>
    ${count > 0 ? html`<button type="button" class="tokens" data-side="light" aria-label=${say("spend", { name: names.light })} ?disabled=${!mayChange} @click=${() => act.flip("light")}>${Array.from({ length: Math.min(count, MOST_TOKENS) }, () => html`<span class="token">${token("light")}</span>`)}</button>` : nothing}<span class="hidden count">${count}</span></section>`;
}
