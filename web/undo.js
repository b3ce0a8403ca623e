// Taking the newest change back. What concerns the whole evening, or was done by somebody else a while ago, is asked about first.

import { askFirst } from "./part/sheet.js";
import { say, undoWhat } from "./strings.js";
import { change } from "./talk.js";

const OLD_S = 120;

/**
 * Take back `last`, the `undo` of a state, at `now` in seconds by the table's clock; resolves to whether it was done.
 * `isMine` where the page's own changes are the only ones that it takes back.
 */
export async function undoLast(last, now, { isMine = false } = {}) {
  const isOthers = !isMine && last.whose && now - last.at > OLD_S;
  const what = last.asks ? `“${last.sentence}”` : undoWhat(last);
  if ((last.asks || isOthers) && !(await askFirst(say("undoAsk", { what }), say("undo")))) return false;
  return Boolean(await change("/api/undo", { change: last.number }));
}
