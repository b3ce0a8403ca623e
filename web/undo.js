// Taking changes back. What concerns the whole evening, or was done by somebody else a while ago, is asked about first, and so is what
// would go with it.

import { askFirst } from "./part/sheet.js";
import { said } from "./said.js";
import { say, undoWhat } from "./strings.js";
import { change, get } from "./talk.js";

const OLD_S = 120;

/**
 * Take back `last`, the `undo` of a state, at `now` in seconds by the table's clock; resolves to whether it was done.
 * `isMine` where the page's own changes are the only ones that it takes back.
 */
export async function undoLast(last, now, { isMine = false } = {}) {
  const isOthers = !isMine && last.whose && now - last.at > OLD_S;
  const what = last.asks ? `“${last.sentence}”` : undoWhat(last);
  if ((last.asks || isOthers) && !(await askFirst(say("undoAsk", { what }), say("undo")))) return false;
  return undoChange(last.number);
}

/** Take back a change by its number; resolves to whether it was done. */
export async function undoChange(number) {
  const { left_out: lost = [] } = await get(`/api/undo?change=${number}`).catch(() => ({})); // the undo itself says what is wrong
  const what = [...new Set(lost.map((one) => said(one.said, one.words)))].join(", ");
  if (what && !(await askFirst(say("undoWith", { what }), say("undo")))) return false;
  return Boolean(await change("/api/undo", { change: number }));
}
