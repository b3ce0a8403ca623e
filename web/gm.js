// The game master's page.

import { buildHistory } from "./history.js";
import { buildLuck } from "./luck.js";
import { castTab } from "./phone/cast.js";
import { fightTab } from "./phone/fight.js";
import { logTab } from "./phone/log.js";
import { built, drawn, folded, startPhone } from "./phone/page.js";
import { rollTab } from "./phone/roll.js";
import { tonightTab } from "./phone/tonight.js";
import { say } from "./strings.js";

startPhone({
  title: say("masterTitle"),
  roles: ["gm"],
  refusal: say("needMaster"),
  key: "tab.gm",
  tabs: (page) => [
    { name: "roll", title: say("tab.roll"), icon: "dices", build: drawn(page, rollTab) },
    { name: "cast", title: say("tab.cast"), icon: "users-round", build: drawn(page, castTab) },
    { name: "fight", title: say("tab.fight"), icon: "swords", build: drawn(page, fightTab) },
    {
      name: "log",
      title: say("tab.log"),
      icon: "scroll-text",
      build: built(drawn(page, logTab), folded(say("log.changes"), buildHistory), folded(say("log.luck"), buildLuck)),
    },
    { name: "tonight", title: say("tab.tonight"), icon: "moon-star", build: drawn(page, tonightTab) },
  ],
});
