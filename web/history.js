// What happened, newest first, a page at a time.

import { el } from "./dom.js";
import { clock, say } from "./strings.js";
import { get } from "./talk.js";

export function buildHistory(box) {
  const list = el("ol", { class: "history", "aria-live": "off" });
  const older = el("button", { type: "button", text: say("older") });
  let before = null;
  let newest = -1;
  box.append(list, older);
  const load = async (from) => {
    try {
      const found = await get(`/api/history?limit=40${from ? `&before=${from}` : ""}`);
      before = found.before;
      older.hidden = before === null;
      if (!from) list.replaceChildren();
      list.append(...found.changes.map(line));
      if (!list.hasChildNodes()) list.append(el("li", { text: say("historyNone") }));
    } catch {
      older.hidden = false;
    }
  };
  older.addEventListener("click", () => load(before));
  return (state) => {
    const last = state.last_change?.number ?? 0;
    if (last === newest || !box.checkVisibility()) return;
    newest = last;
    load(null);
  };
}

function line(change) {
  const at = new Date(change.at * 1000);
  const time = clock(1000 * change.at);
  return el("li", {}, el("time", { datetime: at.toISOString(), text: time }), el("span", { text: [change.sentence, change.by].filter(Boolean).join(" · ") }));
}
