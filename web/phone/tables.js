// Tables of the group's own, such as injuries or encounters: looked at and thrown for, written by typing or from a CSV file.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { closeSheet, openSheet } from "../part/sheet.js";
import { showError } from "../toast.js";
import { say } from "../strings.js";
import { change } from "../talk.js";
import { actors } from "./draft.js";
import { rowsOf, rowWords, tableOfFile, typedRows } from "./rows.js";

const DICE = ["d100", "d10", "1D", "2D"];
const LARGE = 50; // a table that reaches so far is changed by tens
const MOST_NAME = 60;

/** Draw all tables, of which one may be open. @param {PhoneSeen} seen */
export function tablesPart(seen) {
  const { state, act, isMaster } = seen;
  return html`<section class="card own-tables" aria-labelledby="tables-title"><div class="title-row"><h2 id="tables-title">${say("tables.title")}</h2>
      ${isMaster ? html`<button type="button" class="icon-button" id="add-table" aria-label=${say("tables.add")} @click=${() => act.editTable(null)}>${icon("plus")}</button>` : nothing}</div>
    ${state.tables.length === 0 ? html`<p class="quiet">${say("tables.none")}</p>` : nothing}
    <ul class="table-list">${repeat(
      state.tables,
      (one) => one.name,
      (one) => tableRow(one, seen),
    )}</ul>
    ${isMaster ? html`<div class="acts"><label class="file-button">${say("tables.import")}<input type="file" id="import-table" accept=".csv,.txt,text/csv,text/plain" @change=${(/** @type {Happened} */ event) => act.importTable(event.target)}></label></div>` : nothing}</section>`;
}

/** What is thrown, as people write it: "d100" or "2D". */
const diceWords = (/** @type {string} */ dice) => {
  const sides = /^[dw](\d+)$/i.exec(dice)?.[1];
  return sides ? say("tables.sided", { n: sides }) : dice;
};

/** @param {Told["TableTold"]} table @param {PhoneSeen} seen */
function tableRow({ name, dice }, seen) {
  const { ui, act } = seen;
  const isOpen = ui.openTable === name;
  const whole = ui.tables.find((one) => one.name === name);
  return html`<li class="own-table" data-table=${name}><button type="button" class="skill-line" aria-expanded=${isOpen ? "true" : "false"} @click=${() => act.openTable(name)}><span>${name}</span><b class="code">${diceWords(dice)}</b></button>
    ${isOpen && whole ? tableMore(whole, seen) : nothing}</li>`;
}

/** @param {Told["OwnTable"]} table @param {PhoneSeen} seen */
function tableMore(table, seen) {
  const { state, act, isMaster, mayChange } = seen;
  return html`<div class="table-more">
    ${mayChange ? throwRow(table, seen) : nothing}
    ${state.asked?.table === table.name ? html`<div class="call call-row table-call"><p><b>${[state.asked.player, table.name].filter(Boolean).join(": ")}</b></p>${mayChange ? html`<button type="button" @click=${act.stopCall}>${say("askStop")}</button>` : nothing}</div>` : nothing}
    <ol class="row-list">${table.rows.map((row) => html`<li ?data-now=${state.roll?.table === table.name && state.roll.row === row.words}><b>${rowWords(row)}</b><span>${row.words}</span></li>`)}</ol>
    ${
      isMaster
        ? html`<div class="acts"><button type="button" class="edit-table" @click=${() => act.editTable(table)}>${say("tables.edit")}</button>
      <button type="button" class="remove-table" @click=${() => act.removeTable(table)}>${say("tables.remove")}</button></div>`
        : nothing
    }</div>`;
}

/** Who throws, what is added, and the call. @param {Told["OwnTable"]} table @param {PhoneSeen} seen */
function throwRow(table, seen) {
  const { ui, act, isMaster, me } = seen;
  const by = Math.max(...table.rows.map((row) => row.to)) >= LARGE ? 10 : 1;
  const add = (/** @type {number} */ count) => act.addToTable(ui.addedToTable + count);
  const who = actors(seen);
  return html`${
    isMaster
      ? html`<label class="row">${say("whoRolls")}<select class="table-who" @change=${(/** @type {Happened} */ event) => act.chooseWho(event.target.value)}><option value="" ?selected=${!ui.draft.who}>${say("nobodyNamed")}</option>
      ${who.map((one) => html`<option value=${one.key} ?selected=${one.key === ui.draft.who}>${one.name}</option>`)}</select></label>`
      : nothing
  }
    <div class="row"><span id="table-added">${say("tables.added")}</span><span class="added"><button type="button" class="step" aria-label=${say("tables.less", { n: by })} @click=${() => add(-by)}>−</button>
      <input type="number" inputmode="numeric" aria-labelledby="table-added" min="-999" max="999" .value=${String(ui.addedToTable)} @change=${(/** @type {Happened} */ event) => act.addToTable(Number(event.target.value) || 0)}>
      <button type="button" class="step" aria-label=${say("tables.more", { n: by })} @click=${() => add(by)}>+</button></span></div>
    <button type="button" class="primary throw-table" @click=${() => act.throwTable(table, isMaster ? ui.draft.who : who.find((one) => one.name === me())?.key)}>${say("tables.throw", { dice: throwWords(table, ui.addedToTable) })}</button>`;
}

const throwWords = (/** @type {Told["OwnTable"]} */ { dice }, /** @type {number} */ added) =>
  [diceWords(dice), added ? `${added < 0 ? "−" : "+"} ${Math.abs(added)}` : ""].filter(Boolean).join(" ");

/** What the tables do. `page` tells what is seen now and follows. @param {PhonePage} page */
export function tableActs(page) {
  const { store } = page;
  const act = {
    openTable(/** @type {string} */ name) {
      store.set({ openTable: store.ui.openTable === name ? "" : name, addedToTable: 0 });
      page.learn(store.state);
    },
    addToTable: (/** @type {number} */ count) => store.set({ addedToTable: count }),
    throwTable(/** @type {Told["OwnTable"]} */ table, /** @type {string | undefined} */ who) {
      const actor = actors(page.seen()).find((one) => one.key === who);
      page.act.call({ table: table.name, added: store.ui.addedToTable, ...(actor && (actor.id ? { who: actor.id } : { player: actor.name })) });
    },
    editTable: (/** @type {Partial<Told["OwnTable"]> | null} */ table, isNew = !table) =>
      editTable(table, {
        isNew,
        names: store.state.tables.map((one) => one.name),
        save: async (/** @type {Sends<"/api/tables"> & { name: string }} */ told) => {
          if (!(await change("/api/tables", told))) return false;
          if (store.ui.openTable !== told.name) act.openTable(told.name);
          setTimeout(() => page.act.sheet("tables")); // the editor closes first
          return true;
        },
      }),
    removeTable: (/** @type {Told["OwnTable"]} */ table) => change("/api/tables", { name: table.name, rows: [] }),
    async importTable(/** @type {HTMLInputElement} */ input) {
      const [file] = /** @type {FileList} */ (input.files);
      if (!file) return;
      const { error, ...table } = await tableOfFile(file);
      input.value = ""; // the same file may be chosen again
      if (error) showError(error);
      else act.editTable(table, true);
    },
  };
  return act;
}

/** Open the editor for a table that there is, for one that was read from a file, or for an empty one. `save(form)` resolves to whether it was taken. @param {Partial<Told["OwnTable"]> | null} table @param {{ isNew: boolean, names: string[], save: (told: Sends<"/api/tables"> & { name: string }) => Promise<boolean> }} how */
function editTable(table, { isNew, names, save }) {
  const send = async (/** @type {SentForm<"name" | "dice" | "opens" | "rows">} */ event) => {
    event.preventDefault();
    const { name, dice, opens, rows } = event.target.elements;
    const { found, error } = rowsOf(rows.value);
    if (error) {
      showError(error);
      return;
    }
    const called = name.value.trim();
    if (isNew && names.some((one) => one.toLowerCase() === called.toLowerCase())) {
      showError({ what: say("tables.taken"), where: called, hint: say("tables.takenHint") });
      return;
    }
    const was = isNew || table?.name === called ? {} : { was: table?.name };
    if (await save({ name: called, ...was, dice: dice.value.trim() || DICE[0], opens: opens.checked, rows: found })) closeSheet();
  };
  openSheet(
    isNew ? say("tables.add") : say("people.editOf", { name: table?.name }),
    html`<form class="editor" id="table-editor" @submit=${send}>
    <label class="row">${say("tables.name")}<input type="text" name="name" required maxlength=${MOST_NAME} autocomplete="off" .value=${table?.name ?? ""}></label>
    <label class="row">${say("tables.dice")}<input type="text" name="dice" list="table-dice" maxlength="12" autocomplete="off" autocapitalize="off" .value=${table?.dice ?? DICE[0]}></label><datalist id="table-dice">${DICE.map((one) => html`<option value=${one}></option>`)}</datalist>
    <label class="switch">${say("tables.opens")}<input type="checkbox" role="switch" name="opens" .checked=${Boolean(table?.opens)}></label>
    <label class="lines">${say("tables.rows")}<textarea name="rows" rows="9" required spellcheck="false" placeholder=${say("tables.rowsHint")} .value=${typedRows(table?.rows ?? [])}></textarea></label>
    <div class="acts"><button type="submit" class="primary">${say("people.save")}</button></div></form>`,
  );
}
