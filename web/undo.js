// Taking changes back. What concerns the whole evening, or was done by somebody else a while ago, is asked about first, and so is what
// would go with it.

import { icon } from "./draw/icon.js";
import { askFirst } from "./part/sheet.js";
import { said } from "./said.js";
import { say, undoWhat } from "./strings.js";
import { change, get } from "./talk.js";
import { html } from "./vendor/lit-html/lit-html.js";

const OLD_S = 120;

/**
 * Take back `last`, the `undo` of a state, at `now` in seconds by the table's clock; resolves to whether it was done.
 * `isMine` where the page's own changes are the only ones that it takes back.
 * @param {Told["UndoTold"]} last @param {number} now
 */
export const undoLast = (last, now, { isMine = false } = {}) =>
  undoChange(last.number, undoWhat(last), { isOthers: Boolean(!isMine && last.whose && now - last.at > OLD_S) });

/** Take back a change by its number; resolves to whether it was done. @param {number} number */
export async function undoChange(number, what = "", { isOthers = false } = {}) {
  /** @type {Partial<Told["Undoing"]>} */
  const { left_out: lost = [], asks = false } = await get(`/api/undo?change=${number}`).catch(() => ({})); // the undo itself says what is wrong
  const gone = [...new Set(lost.map((one) => said(one.said, one.words)))].join(", ");
  const words = [asks || isOthers ? say("undoAsk", { what: asks ? `“${what}”` : what }) : "", gone ? say("undoWith", { what: gone }) : ""];
  if (words.some(Boolean) && !(await askFirst(words.filter(Boolean).join(" "), say("undo")))) return false;
  return Boolean(await change("/api/undo", { change: number }));
}

/** The way to take back a change of the log, or what took one back. @param {Told["HistoryLine"]} one @param {() => any} act */
export function undoSign(one, act = () => undoChange(one.number, one.sentence)) {
  const words = say(one.kind === "undo" ? "redo" : "undo");
  return html`<button type="button" class="icon-button take-back" aria-label=${`${words}: ${one.sentence}`} title=${words} @click=${act}>${icon(one.kind === "undo" ? "redo-2" : "undo-2")}</button>`;
}

/** The same of a roll of before, by the number of the change that brought it. @param {number} number @param {string} what @param {() => void} end */
export const undoButton = (number, what, end) =>
  html`<button type="button" class="take-back" @click=${async () => (await undoChange(number, what)) && end()}>${icon("undo-2")} ${say("undo")}</button>`;
