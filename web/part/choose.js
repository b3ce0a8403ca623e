// A question with a few answers, as a sheet over the page.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { avatar } from "./who.js";
import { closeSheet, openSheet } from "./sheet.js";

/** @typedef {{ value: any, body: unknown, more?: unknown }} Choice */

/**
 * Ask. Resolves to the value that was tapped, or to undefined where nobody chose.
 * @param {string} title @param {Choice[]} choices @returns {Promise<any>}
 */
export const choose = (title, choices) =>
  new Promise((resolve) =>
    openSheet(
      title,
      html`<div class="choices-list">${choices.map(({ value, body, more }) => html`<button type="button" class="surface" @click=${() => closeSheet(value)}><b>${body}</b>${more ? html`<span>${more}</span>` : nothing}</button>`)}</div>`,
      { whenEnded: resolve },
    ),
  );

/**
 * Ask for a person; `others` are answers besides. Resolves to an id.
 * @param {string} title @param {{ id: string, name: string }[]} people @param {Choice[]} others
 */
export const choosePerson = (title, people, others = []) =>
  choose(title, [...people.map((one) => ({ value: one.id, body: html`<span class="named-choice">${avatar(one.name)}${one.name}</span>` })), ...others]);
