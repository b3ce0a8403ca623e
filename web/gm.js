// The game master's page.

import { castTab } from "./phone/cast.js";
import { fightTab } from "./phone/fight.js";
import { everyRoll, logTab } from "./phone/log.js";
import { startPhone } from "./phone/page.js";
import { rollTab } from "./phone/roll.js";
import { tonightTab } from "./phone/tonight.js";
import { say } from "./strings.js";

startPhone({
  title: say("masterTitle"),
  roles: ["gm"],
  refusal: say("needMaster"),
  key: "tab.gm",
  tabs: () => [
    { name: "roll", title: say("tab.roll"), icon: "dices", view: rollTab },
    { name: "cast", title: say("tab.cast"), icon: "users-round", view: castTab },
    { name: "fight", title: say("tab.fight"), icon: "swords", view: fightTab },
    logTab(everyRoll),
    { name: "tonight", title: say("tab.tonight"), icon: "moon-star", view: tonightTab },
  ],
});
