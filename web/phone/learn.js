// What a phone asks the table for because a state does not carry it: characters whole, tables, changes, luck, what a roll may be or buy.

import { briefOf, rollOf } from "../part/now.js";
import { keyOf } from "../table/kind.js";
import { get, rollAddress, trySend } from "../talk.js";

const MOST_CHANGES = 200; // so many the table tells at once

/** Read changes before a number, or the newest; those read before stay below. @param {Pick<PhonePage, "store">} page @param {number | null} from */
export async function loadChanges({ store }, from) {
  const { changes, before } = await get(`/api/history?limit=${MOST_CHANGES}${from ? `&before=${from}` : ""}`);
  store.set({ changes: { list: [...(from ? store.ui.changes.list : []), ...changes], before } });
}

/** A function that asks for what a state and the page's own make outdated; what failed is asked for again. @param {PhonePage} page */
export function learner(page) {
  const { store } = page;
  const learnt = new Map();
  const once = (/** @type {string} */ what, /** @type {unknown} */ key, /** @type {(isNewest: () => boolean) => Promise<unknown>} */ ask) => {
    if (learnt.get(what) === key) return;
    learnt.set(what, key);
    if (key) ask(() => learnt.get(what) === key).catch(() => learnt.delete(what));
  };
  return (/** @type {State} */ state) => {
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
            store.set({ person: me.person, also: me.also });
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
    const brief = briefOf(state);
    const named = /** @type {AnyRoll} */ (rollOf(state) ?? roll);
    once("whole", brief ? JSON.stringify(brief) : named && !named.sure && keyOf(named), async () => {
      const { answers, outcome, ...one } = await get(rollAddress(named));
      store.set({ answers: { key: keyOf(named), list: answers }, ...(brief && { older: { ...one, outcome: outcome.outcome } }) });
    });
    const { name, act, number } = state.now;
    const attack = name === "turn" && act?.key === "attack" ? act.request : null; // nothing is asked of one who has no weapon
    once("turn", attack && JSON.stringify([number, state.people]), async () => {
      const { odds_for: _seen, ...body } = attack?.body ?? {}; // who sees them is no part of the odds
      const { found, error } = await trySend("/api/odds", body);
      if (!found) throw new Error(error.what);
      store.set({ turnOdds: { number, success: found.chances?.find((one) => one.name === "success")?.chance } });
    });
    const mine = state.history.find((one) => one.by && one.by === page.seen().me());
    for (const one of [roll, mine, rollOf(state)]) {
      if (!one?.sure) continue;
      const key = keyOf(one);
      once(key, key, async () => {
        const found = await get(rollAddress(one, "/spends"));
        store.set({ spends: { ...store.ui.spends, [key]: found } });
      });
    }
  };
}
