// What a phone asks the table for because a state does not carry it: characters whole, tables, changes, luck, what a roll may be or buy.

import { keyOf } from "../table/kind.js";
import { get } from "../talk.js";
import { rollAddress } from "./rolled.js";

const MOST_CHANGES = 200; // so many the table tells at once

/** Read changes before a number, or the newest; those read before stay below. */
export async function loadChanges({ store }, from) {
  const { changes, before } = await get(`/api/history?limit=${MOST_CHANGES}${from ? `&before=${from}` : ""}`);
  store.set({ changes: { list: [...(from ? store.ui.changes.list : []), ...changes], before } });
}

/** A function that asks for what a state and the page's own make outdated; what failed is asked for again. */
export function learner(page) {
  const { store } = page;
  const learnt = new Map();
  const once = (what, key, ask) => {
    if (learnt.get(what) === key) return;
    learnt.set(what, key);
    if (key) ask(() => learnt.get(what) === key).catch(() => learnt.delete(what));
  };
  return (state) => {
    const { ui } = store;
    const last = state.last_change?.id;
    once("people", JSON.stringify([state.people, state.game, last]), async (isNewest) => {
      if (page.isMaster)
        get("/api/devices")
          .then((phones) => store.set({ phones }))
          .catch(() => null);
      else if (page.mayChange)
        get("/api/me")
          .then((me) => {
            Object.assign(page.me, me); // another phone may have taken the card over
            store.set({ person: me.person });
          })
          .catch(() => null);
      const people = await get("/api/people");
      if (!isNewest()) return; // answers may overtake each other
      store.set({ people });
      page.act.chooseFirst();
    });
    once("tables", ui.openTable && JSON.stringify([ui.openTable, state.tables, last]), async () => store.set({ tables: await get("/api/tables") }));
    once("changes", (ui.logWhat !== "rolls" || ui.unfolded.changes) && JSON.stringify([last]), () => loadChanges(page, null));
    once("luck", ui.unfolded.luck && JSON.stringify([ui.isLuckNow, state.history.map(keyOf), last]), async () => {
      const query = ui.isLuckNow ? "?session=now" : "";
      const [luck, fairness] = await Promise.all([get(`/api/luck${query}`), get(`/api/fairness${query}`)]);
      store.set({ luck: { luck, fairness } });
    });
    const { roll } = state;
    const asked = roll && !roll.sure && keyOf(roll);
    once("asked", asked, async () => store.set({ answers: { key: asked, list: (await get(rollAddress(roll))).answers } }));
    const mine = state.history.find((one) => one.by && one.by === page.seen().me());
    for (const one of [roll, mine]) {
      if (!one?.sure) continue;
      const key = keyOf(one);
      once(key, key, async () => {
        const found = await get(rollAddress(one, "/spends"));
        store.set({ spends: { ...store.ui.spends, [key]: found } });
      });
    }
  };
}
