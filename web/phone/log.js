// The tab of the evening: who, what for, what came of it and what it did; a tap opens the roll and how it was worked out.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { dieType } from "../dice.js";
import { byPlace } from "../part/dice.js";
import { luckView } from "../part/luck.js";
import { cameTo } from "../part/feed.js";
import { priceShown } from "../part/spends.js";
import { labelSaid, said } from "../said.js";
import { clock, say } from "../strings.js";
import { undoSign } from "../undo.js";
import { loadChanges } from "./learn.js";

/**
 * What the tab begins with.
 * @type {{ logOf: string, logWhat: string, changes: { list: Told["HistoryLine"][], before: number | null }, unfolded: Record<string, boolean>, isLuckNow: boolean, luck: { luck: Told["Luck"][], fairness: Told["Fairness"][] } | null }}
 */
export const NEW_LOG = { logOf: "", logWhat: "rolls", changes: { list: [], before: null }, unfolded: {}, isLuckNow: false, luck: null };

/** What the tab does. `page` tells what is seen now and follows. @param {PhonePage} page */
export function logActs(page) {
  const { store } = page;
  const learnWith = (/** @type {Partial<PhoneUi>} */ part) => {
    store.set(part);
    page.learn(store.state);
  };
  return {
    logOf: (/** @type {string} */ name) => store.set({ logOf: store.ui.logOf === name ? "" : name }),
    logWhat: (/** @type {string} */ what) => learnWith({ logWhat: what }),
    olderChanges: () => loadChanges(page, store.ui.changes.before).catch(() => null),
    unfold: (/** @type {string} */ name, /** @type {boolean} */ isOpen) => learnWith({ unfolded: { ...store.ui.unfolded, [name]: isOpen } }),
    luckNow: (/** @type {boolean} */ isLuckNow) => learnWith({ isLuckNow }),
  };
}

/** The tab of a page: its own list, then all changes and luck, which are read once somebody opens them. @param {(seen: PhoneSeen) => Drawing} list */
export const logTab = (list) => ({
  name: "log",
  title: say("tab.log"),
  icon: "scroll-text",
  view: (/** @type {PhoneSeen} */ seen) =>
    html`<div class="part">${list(seen)}</div>${folded(seen, "changes", () => changes(seen.ui.changes.list, seen))}${folded(seen, "luck", () => luckView(seen))}`,
});

/** @param {PhoneSeen} seen @param {string} name @param {() => Drawing} view */
const folded = ({ ui, act }, name, view) =>
  html`<details ?open=${ui.unfolded[name]} @toggle=${(/** @type {Happened<HTMLDetailsElement>} */ event) => act.unfold(name, event.target.open)}><summary>${say(`log.${name}`)}</summary><div class="part">${ui.unfolded[name] ? view() : nothing}</div></details>`;

/** What of the evening is shown: rolls, or the changes of these kinds. @type {Record<string, string[]>} */
const KINDS = { rolls: [], points: ["destiny"], effects: ["effect", "spend", "tracker", "people", "act"] };

/** The rolls or changes of the evening; whose and what can be chosen. @param {PhoneSeen} seen */
export function everyRoll(seen) {
  const { state, ui, act } = seen;
  const names = [
    ...new Set([...state.history.map((roll) => roll.by), ...ui.people.filter((one) => one.game === seen.game.name).map((one) => one.name)].filter(Boolean)),
  ];
  const of = names.includes(ui.logOf) ? ui.logOf : "";
  return html`<div class="title-row"><h2>${say("tab.log")}</h2><a class="button" href="/api/history?format=csv" download="tableside.csv">${say("log.csv")}</a></div>
    <div class="segments" role="group" aria-label=${say("log.what")}>${Object.keys(KINDS).map((name) => html`<button type="button" data-what=${name} aria-pressed=${name === ui.logWhat ? "true" : "false"} @click=${() => act.logWhat(name)}>${say(`log.${name}`)}</button>`)}</div>
    ${names.length > 1 ? html`<div class="chips-row" role="group" aria-label=${say("log.of")}>${names.map((name) => html`<button type="button" class="chip" aria-pressed=${name === of ? "true" : "false"} @click=${() => act.logOf(name)}><span class="may-cut">${name}</span></button>`)}</div>` : nothing}
    ${
      ui.logWhat === "rolls"
        ? rolls(
            state.history.filter((roll) => !of || roll.by === of),
            seen,
          )
        : html`<div id="log-changes">${changes(
            seen.ui.changes.list.filter((one) => KINDS[ui.logWhat].includes(one.kind) && (!of || one.by === of || one.sentence.includes(of))),
            seen,
          )}</div>`
    }`;
}

/** The rolls of this phone's player. @param {PhoneSeen} seen */
export const myRolls = (seen) =>
  html`<div class="title-row"><h2>${say("tab.myRolls")}</h2></div>${rolls(
    seen.state.history.filter((roll) => !seen.me() || roll.by === seen.me()),
    seen,
  )}`;

/** The evening and the game of a roll, as a line above those of it. @param {BriefRoll} roll @param {PhoneSeen} seen */
const partOf = ({ session: n, game }, { games }) =>
  [n ? say("sessionNumber", { n }) : "", games.find((one) => one.name === game)?.title ?? ""].filter(Boolean).join(", ");

/** @param {BriefRoll[]} list @param {PhoneSeen} seen */
function rolls(list, seen) {
  if (list.length === 0) return html`<p class="quiet">${say("noRoll")}</p>`;
  const parts = list.map((roll) => partOf(roll, seen));
  const isMixed = new Set(parts).size > 1;
  return html`<ol class="rolls">${repeat(
    list,
    (roll) => roll.id,
    (
      roll,
      n,
    ) => html`${isMixed && parts[n] !== parts[n - 1] ? html`<li class="rolls-of quiet">${parts[n]}</li>` : nothing}<li><button type="button" class="roll-line" @click=${() => seen.act.workedOut(roll)}>
    <time>${clock(1000 * roll.at)}</time><span class="roll-what"><b>${roll.by || "–"}</b> ${[labelSaid(roll.label), nameOf(roll.against, seen)].filter(Boolean).join(" › ")}</span><span class="came">${cameTo(roll)}</span>
    <span class="roll-dice" aria-hidden="true">${[...roll.dice].sort(byPlace).map((one) => html`<span class="small-die">${die(dieType(one.type), one.face)}</span>`)}</span>
    ${after(roll, seen)}</button></li>`,
  )}</ol>`;
}

/** @param {string} id @param {PhoneSeen} seen */
const nameOf = (id, { ui }) => ui.people.find((one) => one.id === id)?.name ?? "";

/** What became of a roll: the row of a table, what it bought and whom it did what to. @param {BriefRoll} roll @param {PhoneSeen} seen */
function after(roll, seen) {
  const { row, bought = [], applied = [] } = roll;
  if (!row && bought.length + applied.length === 0) return nothing;
  return html`<span class="roll-after">${row ? html`<span>${row}</span>` : nothing}
    ${bought.map((one) => html`<span class="spent">${priceShown(one, String(one.count))} ${said(one.said, one.words)}${nameOf(one.to, seen) ? ` › ${nameOf(one.to, seen)}` : nothing}</span>`)}
    ${applied.map((one) => html`<span class="was-applied">${icon("check")} ${nameOf(one.to, seen)}: ${said(one.said, one.words)}</span>`)}</span>`;
}

/** Changes, newest first; what was taken back is crossed out. @param {Told["HistoryLine"][]} shown @param {PhoneSeen} seen */
function changes(shown, { ui, act }) {
  const { list, before } = ui.changes;
  const gone = new Set();
  for (const one of list) {
    if (gone.has(one.number)) continue;
    for (const number of [one.undoes, ...one.with_it]) gone.add(number);
  }
  return html`${shown.length === 0 ? html`<p class="quiet">${say("historyNone")}</p>` : nothing}
    <ol class="history" aria-live="off">${repeat(
      shown,
      (one) => one.number,
      (one) =>
        html`<li ?data-gone=${gone.has(one.number)}><time datetime=${new Date(1000 * one.at).toISOString()}>${clock(1000 * one.at)}</time><span>${[one.sentence, one.by].filter(Boolean).join(" · ")}</span>${one.may_undo ? undoSign(one) : nothing}</li>`,
    )}</ol>
    ${before ? html`<button type="button" @click=${act.olderChanges}>${say("older")}</button>` : nothing}`;
}
