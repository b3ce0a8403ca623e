// A player's own call: it is called at once, as usual, for all to see, and changed where it stands. Nobody stops more than the own throw.

import { flipButtons } from "../part/call.js";
import { choosePerson } from "../part/choose.js";
import { closeSheet } from "../part/sheet.js";
import { labelSaid } from "../said.js";
import { say } from "../strings.js";
import { newId } from "../dom.js";
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
  /** @type {Promise<unknown>} */
  let sent = Promise.resolve(); // the answer to what was sent last: what is tapped meanwhile comes after it
  /** @template T @param {() => T} next */
  const inTurn = (next) => {
    const answered = sent.then(next);
    sent = answered;
    return answered;
  };
  let isChanging = false;
  const ask = (/** @type {Draft} */ draft, id = newId()) => {
    const seen = { ...page.seen(), ui: { ...store.ui, draft } };
    const isUsual = fieldOf(seen.game, "band") && !hasOwnDifficulty(seen) && Object.keys(draft.ask).length === 0;
    const body = bodyOf(isUsual ? { ...seen, ui: { ...seen.ui, draft: { ...draft, ask: USUAL_BAND } } } : seen);
    return change("/api/ask", { id, ...body, odds_for: "all" });
  };
  const act = {
    /** A player's own skill or weapon is called at once; a turn that any player may take is taken with it. @param {NonNullable<Mine>} person @param {Throwable} one @param {boolean} isSkill @param {Partial<Draft>} [more] */
    async rollMine(person, one, isSkill, more = {}) {
      const { slots, current } = store.state.initiative;
      const slot = slots.find((other) => other.id === current);
      const isFree = slot && !slot.who && slot.side === "player" && !slots.some((other) => other.acts === person.id);
      if (isFree && !(await change("/api/initiative", { do: "claim", slot: slot.id, who: person.name }))) return null;
      return inTurn(async () => {
        const called = await ask({ ...NEW_DRAFT, who: person.key ?? person.id, ...skillOf(person, { ...one, isSkill }), ...more });
        if (called?.asked) store.set({ called: [called.asked.id], changing: null });
        return called;
      });
    },
    /** My weapon at somebody else. @param {NonNullable<Mine>} person @param {Told["Weapon"]} weapon */
    async aimMine(person, weapon) {
      const to = await choosePerson(say("call.target"), targetsOf(page.seen(), person));
      if (to) act.rollMine(person, weapon, false, { against: to });
    },
    /** Taps that come before the answer to the first one go together, after it. @param {Partial<Draft>} part */
    changeMine(part) {
      const { id, draft } = wantedOf(page.seen());
      store.set({ called: [...store.ui.called, newId()], changing: { ...draft, ...part }, changedAt: null });
      if (isChanging) return;
      isChanging = true;
      inTurn(async () => {
        let told = null;
        for (let changes = id; store.ui.changing && changes !== last(store.ui.called); ) {
          const next = last(store.ui.called);
          told = await ask({ ...store.ui.changing, changes }, next);
          changes = next;
          if (!told) store.set({ changing: null });
        }
        if (told) store.set(told.revision <= store.state.revision ? { changing: null } : { changedAt: told.revision });
        isChanging = false;
      });
    },
    /** @returns {Promise<unknown>} */
    async stopCall() {
      closeSheet();
      await sent;
      const { asked, contest } = store.state;
      if (!asked?.contest || contest?.id !== asked.contest) return change("/api/ask", {});
      const [mine, ...others] = [...contest.waiting].sort((a, b) => Number(b.who === asked.who) - Number(a.who === asked.who));
      return page.act.skipThrow([mine, ...others]);
    },
  };
  return act;
}

const last = (/** @type {string[]} */ list) => list[list.length - 1];

/** The open call and its id, as they are once what was tapped on this phone has arrived. @param {PhoneSeen} seen */
function wantedOf(seen) {
  const { called, changing } = seen.ui;
  const asked = /** @type {Call} */ (seen.state.asked); // what is changed is called
  return changing && called.includes(asked.id) ? { id: last(called), draft: changing } : { id: asked.id, draft: draftOf(asked, seen) };
}

/** What of a call is changed: points that join it; of an own one what it is against; and that it is not thrown. @param {PhoneSeen} seen */
export function myCallSheet(seen) {
  const { state, ui, act, game } = seen;
  const { asked, call } = state;
  if (!asked || !call) return null;
  const { draft } = wantedOf(seen);
  const now = { ...seen, ui: { ...ui, draft } };
  const fields = game.form.filter(
    (one) => !one.setting && (["difficulty", "band"].includes(one.name) ? !hasOwnDifficulty(now) : Boolean(draft.weapon) && isRange(one.name)),
  );
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    act.changeMine({ ask: { ...draft.ask, ...(["difficulty", "band"].includes(name) && { difficulty: undefined, band: undefined }), [name]: value } });
  return {
    title: labelSaid(asked.label) || say("roll.change"),
    body: html`${flipButtons({ ...state, call: { ...call, flips: call.flips.filter((one) => one.side === "light") } }, { mayFlip: () => true, flip: act.flip })}
    ${ui.called.includes(asked.id) ? html`${chosenTarget(now, (/** @type {string} */ against) => act.changeMine({ against, lastTotal: "" }))}${fieldRows(fields, draft.ask, set, { all: game.form })}${joinRow(asked.joins ?? [], draft.ticked, (/** @type {string[]} */ ticked) => act.changeMine({ ticked }))}` : nothing}
    <button type="button" class="large" id="call-stop" @click=${act.stopCall}>${say("askStop")}</button>`,
  };
}
