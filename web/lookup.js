// Reference data of the games, and the tables of the group: a word finds the rows that have it.

import { showBack } from "./back.js";
import { byId } from "./dom.js";
import { plainSaid } from "./said.js";
import { createStore } from "./store.js";
import { say } from "./strings.js";
import { get, untilFound } from "./talk.js";
import { startTheme } from "./theme.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

const params = new URLSearchParams(location.search);
/** @typedef {Omit<Told["GameSheet"], "name" | "source" | "game_title">} Sheet */
/** @type {Store<{ sheets: Sheet[] | null, games: Game[], game: string, words: string }>} */
const store = createStore({ sheets: null, games: [], game: "", words: params.get("words") ?? "" }, draw);

function draw() {
  render(view(store.ui), byId("lookup"));
}

/** Return what of the sheets has all these words: a sheet whole by its title, else the rows that have them. @param {Sheet[]} sheets @param {string} words */
function matching(sheets, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return sheets
    .map((sheet) => {
      const left = wanted.filter((word) => !sheet.title.toLowerCase().includes(word));
      return { ...sheet, rows: sheet.rows.filter((row) => left.every((word) => row.join(" ").toLowerCase().includes(word))) };
    })
    .filter((sheet) => sheet.rows.length > 0);
}

/** @param {typeof store.ui} ui */
function view({ sheets, games, game, words }) {
  const shown =
    sheets === null
      ? []
      : matching(
          sheets.filter((one) => !game || !one.game || one.game === game),
          words,
        );
  return html`<form class="search" role="search" @submit=${(/** @type {Happened} */ event) => event.preventDefault()}>
      <input type="search" id="words" aria-label=${say("lookup.words")} placeholder=${say("lookup.words")} .value=${words} @input=${(/** @type {Happened} */ event) => store.set({ words: event.target.value })}>
      <select id="game" aria-label=${say("game")} @change=${(/** @type {Happened} */ event) => store.set({ game: event.target.value })}>
        <option value="">${say("lookup.allGames")}</option>${games.map((one) => html`<option value=${one.name} ?selected=${one.name === game}>${one.title}</option>`)}</select>
    </form>
    ${shown.map(sheetView)}
    ${sheets !== null && shown.length === 0 ? html`<p class="quiet" role="status">${say("lookup.nothing")}</p>` : nothing}`;
}

const sheetView = (/** @type {Sheet} */ sheet) => html`<section class="sheet" aria-label=${sheet.title}><h2>${sheet.title}</h2>
  ${sheet.help ? html`<p class="quiet">${sheet.help}</p>` : nothing}
  <div class="sheet-table" tabindex="0" role="group" aria-label=${sheet.title}><table><thead><tr>${sheet.columns.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
    <tbody>${sheet.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></section>`;

/** A table of the group as a sheet: what the dice show, and what that means. @param {Told["OwnTable"]} what */
const ownSheet = ({ name, dice, rows }) => ({
  game: "",
  title: name,
  help: "",
  columns: [dice, say("lookup.means")],
  rows: rows.map((row) => [row.from === row.to ? `${row.from}` : `${row.from}–${row.to}`, row.words]),
});

const worded = (/** @type {Told["GameSheet"]} */ sheet) => ({
  ...sheet,
  columns: sheet.columns.map(plainSaid),
  rows: sheet.rows.map((row) => row.map(plainSaid)),
});

document.title = byId("title").textContent = say("tonight.reference");
showBack();
startTheme();
const [sheets, tables, games, state] = await untilFound(() => Promise.all([get("/api/lookup"), get("/api/tables"), get("/api/games"), get("/api/state")]));
const known = new Set(sheets.map((sheet) => sheet.game));
const asked = params.get("game") ?? state.game;
store.set({ sheets: [...sheets.map(worded), ...tables.map(ownSheet)], games: games.filter((one) => known.has(one.name)), game: known.has(asked) ? asked : "" });
document.body.dataset.ready = "";
