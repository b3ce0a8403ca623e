// The game master's page.

import { el } from "./dom.js";
import { buildAsk } from "./ask.js";
import { showDestiny } from "./destiny.js";
import { buildHistory } from "./history.js";
import { buildLuck } from "./luck.js";
import { buildOrder } from "./order.js";
import { buildPeople } from "./people.js";
import { startPhone } from "./phone.js";
import { buildRollCard, destinyButton, nowBox } from "./rollcard.js";
import { words } from "./strings.js";
import { buildTabs } from "./tabs.js";
import { buildTrackers } from "./trackers.js";

startPhone({
  title: words.masterTitle,
  roles: ["gm"],
  refusal: words.needMaster,
  build({ me, games }) {
    const card = el("div", {});
    const use = el("div", {});
    nowBox().append(card, use, el("section", { id: "destiny", "aria-labelledby": "pool-name" }));
    const drawCard = buildRollCard(card, { games, isMaster: true, mayChange: true });
    const showTabs = buildTabs([
      [words.tabAsk, (box) => buildAsk(box, { games, isMaster: true, me: () => me.name })],
      [words.trackers, (box) => buildTrackers(box, { games, owners: (state) => state.players.map((player) => player.name) })],
      [words.tabOrder, (box) => buildOrder(box, { isMaster: true, me: () => me.name })],
      [words.tabTable, (box) => buildPeople(box, { games })],
      [words.tabHistory, buildHistory],
      [words.tabLuck, buildLuck],
    ], "tab.gm");
    return (state) => {
      drawCard(state);
      use.replaceChildren(...[destinyButton(state)].filter(Boolean));
      showDestiny(state);
      showTabs(state);
    };
  },
});
