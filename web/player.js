// A player's page: anybody may look, a paired phone takes part.

import { buildHistory } from "./history.js";
import { buildLuck } from "./luck.js";
import { buildOrder } from "./order.js";
import { myRollsTab } from "./phone/log.js";
import { meTab } from "./phone/me.js";
import { bareNames, built, drawn, folded, startPhone } from "./phone/page.js";
import { rollTab } from "./phone/roll.js";
import { buildLinks } from "./phone/table.js";
import { tablesPart } from "./phone/tables.js";
import { say } from "./strings.js";
import { buildTrackers } from "./trackers.js";

startPhone({
  title: say("playerTitle"),
  roles: ["viewer", "player", "screen", "gm"],
  refusal: say("onlyLook"),
  key: "tab.player",
  tabs: (page) => [
    { name: "me", title: say("tab.me"), icon: "users-round", build: drawn(page, meTab) },
    ...(page.mayChange ? [
      { name: "roll", title: say("tab.roll"), icon: "dices", build: drawn(page, rollTab) },
      { name: "fight", title: say("tab.fight"), icon: "swords", build: built((box) => buildOrder(box, { isMaster: false, me: () => page.seen().me() })) },
    ] : []),
    { name: "log", title: say("tab.myRolls"), icon: "scroll-text", build: built(drawn(page, myRollsTab), folded(say("log.changes"), buildHistory)) },
    {
      name: "table", title: say("tab.table"), icon: "moon-star",
      build: built(drawn(page, tablesPart), buildLuck, (box) => buildTrackers(box, { games: page.games, owners: () => bareNames(page).filter((name) => page.mayChange && name === page.seen().me()) }), buildLinks),
    },
  ],
});
