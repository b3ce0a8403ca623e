// The hall as a function of what the broker told: a wall of tiles, or one table for itself.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { keep, numbers } from "../draw/own.js";
import { token } from "../draw/token.js";
import { labelSaid } from "../said.js";
import { ageWords, poolCounts, say, sayOr } from "../strings.js";
import { cameTo } from "./feed.js";
import { headline } from "./headline.js";
import { isByFaces, netRow } from "./net.js";
import { drawnDice, forWhom, largest, marks, toneOf, word } from "./plate.js";

const OLD_S = 120;
/** @type {Side[]} */
const SIDES = ["light", "dark"];

/** Draw the page: `tables` as the broker told them, `chosen` the one of `/hall/NAME`, `columns` of the wall. @param {HallSeen} seen */
export function view({ tables, chosen, link, isHere, columns, now }) {
  const lost = !isHere
    ? say("hall.noTable")
    : link.broker && !link.up
      ? [say("hall.noLink"), link.trouble?.what, link.trouble?.hint].filter(Boolean).join(" ")
      : "";
  const bar = html`<div id="lost" role="alert" ?hidden=${!lost}>${lost}</div>`;
  if (!chosen) return html`${bar}${wall(tables, { link, columns, now })}`;
  const table = tables.find((one) => one.id === chosen);
  return html`${bar}${table ? one(table, now) : html`${top(chosen, "", true)}<main class="empty"><p>${link.broker ? say("hall.unknown", { name: chosen }) : say("hall.noBroker")}</p></main>`}`;
}

const top = (/** @type {string} */ title, /** @type {string} */ count, withBack = false) =>
  html`<header id="top"><h1 id="title">${title}</h1><p id="count">${count}</p>${withBack ? back() : nothing}</header>`;
const back = () => html`<a id="back" class="tool" href=${`/hall${location.search}`}>${icon("undo-2")}<span>${say("hall.back")}</span></a>`;
const ageOf = (/** @type {HallTable} */ table, /** @type {number} */ now) => (table.age === null ? null : table.age + (now - table.heard) / 1000);

/** @param {HallTable} table @param {number} now */
function notes(table, now) {
  const seconds = ageOf(table, now);
  return { offline: table.online ? "" : say("hall.offline"), age: seconds === null ? "" : ageWords(seconds), isOld: seconds !== null && seconds > OLD_S };
}

/** @param {HallTable[]} tables @param {Pick<HallSeen, "link" | "columns" | "now">} how */
function wall(tables, { link, columns, now }) {
  const online = tables.filter((each) => each.online).length;
  const count = tables.length > 0 ? say(online === tables.length ? "hall.count" : "hall.countOnline", { n: tables.length, online }) : "";
  if (tables.length === 0)
    return html`${top(say("hall.title"), count)}<main class="empty"><p>${link.broker ? say("hall.none") : say("hall.noBroker")}</p></main>`;
  const tile = (/** @type {HallTable} */ table) => {
    const note = notes(table, now);
    return html`<li>${keep([table.revision, note.offline, note.age, note.isOld].join(), () => tileOf(table, note))}</li>`;
  };
  return html`${top(say("hall.title"), count)}<main id="hall"><ul class="wall" ${numbers({ "--columns": columns })}>${repeat(tables, (table) => table.id, tile)}</ul></main>`;
}

/** What stands largest for a table: its result, that it is hidden or in doubt, or that there is none yet. @param {HallTable} table */
function wordOf(table) {
  if (table.hidden) return { text: say("hall.hidden"), beside: "" };
  if (!table.result) return { text: say("hall.nothing"), beside: "" };
  return largest(table.result);
}

const shownOf = (/** @type {HallTable} */ table) => (table.hidden ? null : table.result);
const toneIn = (/** @type {HallTable} */ table) => (shownOf(table) ? toneOf(table.result) : "none");

/** @param {HallTable} table @param {ReturnType<typeof notes>} notes */
function tileOf(table, { offline, age, isOld }) {
  const result = shownOf(table);
  const first = wordOf(table);
  return html`<a class="tile" href=${`/hall/${table.id}${location.search}`} data-table=${table.id} data-accent=${toneIn(table)} ?data-old=${isOld} ?data-offline=${Boolean(offline)}>
    <span class="line"><b class="name may-cut">${table.name || table.id}</b><span class="age" ?data-offline=${Boolean(offline)}>${offline || age}</span></span>
    ${word(first.text + (first.beside ? ` ${first.beside}` : ""))}
    <span class="for may-cut">${result ? forWhom(result) : nothing}</span>
    ${result ? html`<span class="lying">${drawnDice(result.dice)}</span>` : nothing}
    <span class="line foot">${result ? marks(result) : nothing}${poolOf(table)}</span>
  </a>`;
}

/** @param {HallTable} table */
function poolOf(table) {
  return html`<span class="points"><span class="hidden">${poolCounts(table.destiny, table.destiny_names)}</span>
    ${SIDES.map((side) => html`<span class="point" aria-hidden="true">${token(side)}<b>${table.destiny[side]}</b></span>`)}</span>`;
}

/** @param {HallTable} table @param {number} now */
function one(table, now) {
  const result = shownOf(table);
  const { offline, age, isOld } = notes(table, now);
  const first = wordOf(table);
  const before = table.recent.filter((past) => table.hidden || past.id !== result?.id);
  const doubt = result && !result.sure ? say("hall.unsure") : "";
  return html`<main id="stage" class="one" data-kind=${result ? "result" : "waiting"} data-accent=${toneIn(table)} ?data-old=${isOld}>
      <section class="left" aria-labelledby="headline">
        <div class="head"><div class="who"><p class="who-what may-cut"><b id="title">${table.name || table.id}</b><span class="dot"> · </span>${table.game}</p>
          <p class="right">${offline ? html`<b class="offline">${offline}</b> ` : nothing}<span class="age">${[doubt || sayOr(`phase.${table.phase}`, ""), age].filter(Boolean).join(" · ")}</span></p></div>
          ${headline(first.text, { beside: first.beside || null })}</div>
        ${result && (result.by || result.label) ? html`<p class="say for may-cut">${forWhom(result)}</p>` : nothing}
        ${result && !isByFaces(result) ? netRow(result) : nothing}
        ${table.trouble.map((trouble) => html`<p class="trouble">${icon("triangle-alert")}<span>${say("hall.trouble", { what: trouble.what })}</span></p>`)}
        <p class="sentence hidden" aria-live="polite">${result?.sentence ?? ""}</p>
        <div class="room"></div>
      </section>
      <section class="right"><div class="beside-tray">
        ${result ? html`<div class="lying">${drawnDice(result.dice)}</div>` : nothing}
        ${before.length > 0 ? html`<h2>${say("hall.before")}</h2><ol class="feed">${before.map((past) => html`<li><span class="past-roll"><b>${past.by || "–"}</b><span class="for may-cut">${labelSaid(past.label)}</span><span class="came">${cameTo(past)}</span></span></li>`)}</ol>` : nothing}
      </div></section>
    </main>
    <footer class="bar" id="bar"><div class="pool">${SIDES.map((side) => html`<span class="tokens">${tokens(table.destiny[side], side)}</span>`)}
      <span class="pool-words"><b>${table.destiny_names.pool}</b><span>${poolCounts(table.destiny, table.destiny_names)}</span></span></div>${back()}</footer>`;
}

const MOST_TOKENS = 8;

/** @param {number} count @param {Side} side */
function tokens(count, side) {
  if (count === 0) return nothing;
  const shown = count > MOST_TOKENS ? 1 : count;
  return html`${Array.from({ length: shown }, () => html`<span class="token">${token(side)}</span>`)}${count > MOST_TOKENS ? html`<b class="times">× ${count}</b>` : nothing}`;
}
