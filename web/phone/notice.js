// What a player's phone notices: that it is wanted, which it says by a buzz and by its page, and what came while it slept.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { recall, remember } from "../memory.js";
import { face, gaugeAfter, statesOf, vitals } from "../part/card.js";
import { headOf } from "../part/now.js";
import { cameTo } from "../part/plate.js";
import { labelSaid } from "../said.js";
import { say } from "../strings.js";
import { isMine, mineOf } from "./mine.js";

/** @type {Record<string, VibratePattern>} */
const BUZZES = { throw: 200, initiative: 200, turn: 200, doubt: [150, 100, 150], wrong: [150, 100, 150] };
const ASLEEP_MS = 30_000;
const WAKES_MS = 5_000; // so soon the newest state is here
const MOST_LINES = 3;

export const buzzes = () => recall("buzz") !== "off";
export const chooseBuzz = (/** @type {boolean} */ isWanted) => remember("buzz", isWanted ? null : "off");

/** What is noticed with each state. `page` tells what is seen now and follows. @param {PhonePage} page */
export function notices(page) {
  const { store } = page;
  /** @type {number | null} */
  let last = null;
  let left = 0;
  /** @type {Omit<Slept, "until"> | null} */
  let before = null;

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      left = Date.now();
      before = store.state && remembered(page.seen());
    } else if (before && Date.now() - left > ASLEEP_MS) {
      const slept = { ...before, until: Infinity };
      store.set({ slept });
      setTimeout(() => store.ui.slept === slept && store.set({ slept: { ...slept, until: store.state.time } }), WAKES_MS);
    }
  });

  return (/** @type {PhoneSeen} */ seen) => {
    const { name, number } = seen.state.now;
    const isFirst = last === null;
    if (last === number) return;
    last = number;
    if (isFirst || !isMine(seen, mineOf(seen)) || !BUZZES[name]) return;
    if (buzzes()) navigator.vibrate?.(BUZZES[name]);
    page.tabs.choose("me");
  };
}

/** What of now will be compared with what is found later. @param {PhoneSeen} seen */
function remembered(seen) {
  const mine = mineOf(seen);
  return { rolls: seen.state.history.map((one) => one.id), gauges: gaugesOf(seen, mine), states: lastingOf(seen, mine).map((one) => one.name) };
}

const gaugesOf = (/** @type {PhoneSeen} */ { game }, /** @type {Mine} */ mine) =>
  Object.fromEntries(mine?.id ? vitals(mine, game).map((one) => [one.tracker.name, one.value]) : []);
const lastingOf = (/** @type {PhoneSeen} */ { game }, /** @type {Mine} */ mine) => (mine?.id ? statesOf(mine, game) : []);

/** What came while this phone slept: three lines, own harm first; until it was seen, or this phone is wanted. @param {PhoneSeen} seen @param {Mine} mine */
export function sleptCard(seen, mine) {
  const { ui, state, act } = seen;
  if (!ui.slept || isMine(seen, mine)) return nothing;
  const lines = sleptLines(seen, mine, ui.slept);
  if (lines.length === 0) return nothing;
  return html`<section class="now-card" id="slept"><p><b>${say("slept.title")}</b></p><ul>${lines.map(({ sign, what, more }) => html`<li class="now-target">${sign}<span class="two-lines"><b>${what}</b><small>${more}</small></span></li>`)}</ul>
    <button type="button" class="act-lit" id="slept-seen" @click=${act.wakeUp}><span><b>${say("slept.show", { what: headOf(state, "other") })}</b></span></button></section>`;
}

/** @param {PhoneSeen} seen @param {Mine} mine @param {Slept} slept */
function sleptLines(seen, mine, { rolls, gauges, states, until }) {
  const { state, ui, game } = seen;
  const news = state.history.filter((one) => !rolls.includes(one.id) && one.at <= until && one.sure);
  const who = (/** @type {string} */ id) => ui.people.find((one) => one.id === id);
  const signOf = (/** @type {BriefRoll} */ roll) => {
    const person = who(roll.who);
    return person ? face(person, { game }) : icon("dices");
  };
  const hurts = mine?.id ? news.filter((roll) => roll.who !== mine.id && roll.applied?.some((one) => one.to === mine.id)) : [];
  const worse = mine?.id ? vitals(mine, game).filter((one) => !one.tracker.counts_left && one.value > (gauges[one.tracker.name] ?? 0)) : [];
  const gaugeWords = mine ? worse.map((one) => gaugeAfter(mine, game, one, 0)).join(", ") : "";
  const told = (/** @type {BriefRoll} */ roll) => [roll.by, cameTo(roll)].filter(Boolean).join(": ");
  return [
    ...hurts.slice(0, 1).map((roll) => ({ sign: signOf(roll), what: told(roll), more: gaugeWords || labelSaid(roll.label) })),
    ...(mine && hurts.length === 0 && gaugeWords ? [{ sign: face(mine, { game }), what: gaugeWords, more: "" }] : []),
    ...lastingOf(seen, mine)
      .filter((one) => !states.includes(one.name))
      .map((one) => ({ sign: icon("star"), what: one.title, more: one.until })),
    ...news.filter((roll) => !hurts.includes(roll)).map((roll) => ({ sign: signOf(roll), what: told(roll), more: labelSaid(roll.label) })),
  ].slice(0, MOST_LINES);
}
