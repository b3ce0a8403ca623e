// The game master's page.

import { buildHistory } from "./history.js";
import { buildLuck } from "./luck.js";
import { buildOrder } from "./order.js";
import { logTab } from "./phone/log.js";
import { bareNames, built, drawn, folded, startPhone } from "./phone/page.js";
import { peopleTab } from "./phone/people.js";
import { rollTab } from "./phone/roll.js";
import { buildDestiny, buildLinks, buildTable } from "./phone/table.js";
import { tablesPart } from "./phone/tables.js";
import { say } from "./strings.js";
import { buildTrackers } from "./trackers.js";

startPhone({
  title: say("masterTitle"),
  roles: ["gm"],
  refusal: say("needMaster"),
  key: "tab.gm",
  tabs: (page) => [
    { name: "roll", title: say("tab.roll"), icon: "dices", build: drawn(page, rollTab) },
    { name: "people", title: say("tab.people"), icon: "users-round", build: drawn(page, peopleTab) },
    { name: "fight", title: say("tab.fight"), icon: "swords", build: built((box) => buildOrder(box, { isMaster: true, me: () => page.me.name })) },
    { name: "log", title: say("tab.log"), icon: "scroll-text", build: built(drawn(page, logTab), folded(say("log.changes"), buildHistory), folded(say("log.luck"), buildLuck)) },
    {
      name: "table", title: say("tab.table"), icon: "moon-star",
      build: built(
        buildDestiny, drawn(page, tablesPart), (box) => buildTable(box, page),
        (box) => buildTrackers(box, { games: page.games, owners: () => bareNames(page) }), buildLinks,
      ),
    },
  ],
});
