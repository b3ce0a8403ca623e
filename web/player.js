// A player's page: anybody may look, a paired phone takes part.

import { logTab, myRolls } from "./phone/log.js";
import { mePage } from "./phone/me.js";
import { startPhone } from "./phone/page.js";
import { tonightTab } from "./phone/tonight.js";
import { say } from "./strings.js";

startPhone({
  title: say("playerTitle"),
  roles: ["viewer", "player", "screen", "gm"],
  refusal: say("onlyLook"),
  tabs: () => [
    { name: "me", title: say("playerTitle"), view: mePage },
    logTab(myRolls),
    { name: "tonight", title: say("tab.tonight"), icon: "moon-star", view: tonightTab },
  ],
});
