// A player's own call: it is called at once, as usual, for all to see, and changed where it stands. Nobody stops more than the own throw.

import { flipButtons } from "../part/call.js";
import { choosePerson } from "../part/choose.js";
import { closeSheet } from "../part/sheet.js";
import { labelSaid } from "../said.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { chosenTarget, isRange } from "./call-sheets.js";
import { bodyOf, draftOf, fieldOf, hasOwnDifficulty, NEW_DRAFT, targetsOf } from "./draft.js";
import { fieldRows } from "./fields.js";
import { joinRow } from "./joins.js";

const USUAL_BAND = { band: "moderate" };

/** @typedef {Told["Skill"] | Told["Weapon"]} Throwable */

/**
 * What a player does about a call. `page` tells what is seen now and follows; `skillOf` what a call of a skill or weapon begins with.
 * @param {PhonePage} page @param {(person: NonNullable<Mine>, one: Throwable & { isSkill: boolean }) => Partial<Draft>} skillOf
 */
export function ownCallActs(page, skillOf) {
  const { store } = page;
  /** @type {{ id: string, draft: Draft } | null} */
  let changed = null; // what the state does not tell yet: a second tap goes on from there
  const ask = async (/** @type {Draft} */ draft) => {
    const seen = { ...page.seen(), ui: { ...store.ui, draft } };
    const isUsual = fieldOf(seen.game, "band") && !hasOwnDifficulty(seen) && Object.keys(draft.ask).length === 0;
    const body = bodyOf(isUsual ? { ...seen, ui: { ...seen.ui, draft: { ...draft, ask: USUAL_BAND } } } : seen);
    const called = await change("/api/ask", { ...body, odds_for: "all" });
    if (called?.asked) store.set({ called: called.asked.id });
    return called;
  };
  const act = {
    /** A player's own skill or weapon is called at once; a turn that any player may take is taken with it. @param {NonNullable<Mine>} person @param {Throwable} one @param {boolean} isSkill @param {Partial<Draft>} [more] */
    async rollMine(person, one, isSkill, more = {}) {
      const { slots, current } = store.state.initiative;
      const slot = slots.find((other) => other.id === current);
      const isFree = slot && !slot.who && slot.side === "player" && !slots.some((other) => other.acts === person.id);
      if (isFree && !(await change("/api/initiative", { do: "claim", slot: slot.id, who: person.name }))) return null;
      return ask({ ...NEW_DRAFT, who: person.key ?? person.id, ...skillOf(person, { ...one, isSkill }), ...more });
    },
    /** My weapon at somebody else. @param {NonNullable<Mine>} person @param {Told["Weapon"]} weapon */
    async aimMine(person, weapon) {
      const to = await choosePerson(say("call.target"), targetsOf(page.seen(), person));
      if (to) act.rollMine(person, weapon, false, { against: to });
    },
    async changeMine(/** @type {Partial<Draft>} */ part) {
      const asked = /** @type {Call} */ (store.state.asked); // what is changed is called
      const before = changed?.id === asked.id ? { ...changed.draft, changes: "" } : draftOf(asked, page.seen());
      const mine = { id: asked.id, draft: { ...before, ...part } };
      changed = mine;
      if (!(await ask(mine.draft)) && changed === mine) changed = null;
    },
    /** @returns {Promise<unknown>} */
    stopCall() {
      const { asked, contest } = store.state;
      closeSheet();
      if (!asked?.contest || contest?.id !== asked.contest) return change("/api/ask", {});
      const [mine, ...others] = [...contest.waiting].sort((a, b) => Number(b.who === asked.who) - Number(a.who === asked.who));
      return page.act.skipThrow([mine, ...others]);
    },
  };
  return act;
}

/** What of a call is changed: points that join it; of an own one what it is against; and that it is not thrown. @param {PhoneSeen} seen */
export function myCallSheet(seen) {
  const { state, ui, act, game } = seen;
  const { asked, call } = state;
  if (!asked || !call) return null;
  const draft = draftOf(asked, seen);
  const now = { ...seen, ui: { ...ui, draft } };
  const fields = game.form.filter(
    (one) => !one.setting && (["difficulty", "band"].includes(one.name) ? !hasOwnDifficulty(now) : Boolean(draft.weapon) && isRange(one.name)),
  );
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    act.changeMine({ ask: { ...draft.ask, ...(["difficulty", "band"].includes(name) && { difficulty: undefined, band: undefined }), [name]: value } });
  return {
    title: labelSaid(asked.label) || say("roll.change"),
    body: html`${flipButtons({ ...state, call: { ...call, flips: call.flips.filter((one) => one.side === "light") } }, { mayFlip: () => true, flip: act.flip })}
    ${ui.called === asked.id ? html`${chosenTarget(now, (/** @type {string} */ against) => act.changeMine({ against, lastTotal: "" }))}${fieldRows(fields, draft.ask, set, { all: game.form })}${joinRow(asked.joins ?? [], draft.ticked, (/** @type {string[]} */ ticked) => act.changeMine({ ticked }))}` : nothing}
    <button type="button" class="large" id="call-stop" @click=${act.stopCall}>${say("askStop")}</button>`,
  };
}
