// The game master's page.

import { castTab } from "./phone/cast.js";
import { everyRoll, logTab } from "./phone/log.js";
import { nowTab } from "./phone/master.js";
import { startPhone } from "./phone/page.js";
import { tonightTab } from "./phone/tonight.js";
import { say } from "./strings.js";

startPhone({
  title: say("masterTitle"),
  roles: ["gm"],
  refusal: say("needMaster"),
  key: "tab.gm",
  tabs: () => [
    { name: "now", title: say("tabNow"), icon: "zap", view: nowTab },
    { name: "cast", title: say("tab.cast"), icon: "users-round", view: castTab },
    logTab(everyRoll),
    { name: "tonight", title: say("tab.tonight"), icon: "moon-star", view: tonightTab },
  ],
});
