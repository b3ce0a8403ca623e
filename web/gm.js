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
import { say } from "./strings.js";
import { buildTabs } from "./tabs.js";
import { buildTrackers } from "./trackers.js";

startPhone({
  title: say("masterTitle"),
  roles: ["gm"],
  refusal: say("needMaster"),
  build({ me, games }) {
    const card = el("div", {});
    const use = el("div", {});
    nowBox().append(card, use, el("section", { id: "destiny", "aria-labelledby": "pool-name" }));
    const drawCard = buildRollCard(card, { games, isMaster: true, mayChange: true });
    const showTabs = buildTabs([
      [say("tabAsk"), (box) => buildAsk(box, { games, isMaster: true, me: () => me.name })],
      [say("trackers"), (box) => buildTrackers(box, { games, owners: (state) => state.players.map((player) => player.name) })],
      [say("tabOrder"), (box) => buildOrder(box, { isMaster: true, me: () => me.name })],
      [say("tabTable"), (box) => buildPeople(box, { games })],
      [say("tabHistory"), buildHistory],
      [say("tabLuck"), buildLuck],
    ], "tab.gm");
    return (state) => {
      drawCard(state);
      use.replaceChildren(...[destinyButton(state)].filter(Boolean));
      showDestiny(state);
      showTabs(state);
    };
  },
});
