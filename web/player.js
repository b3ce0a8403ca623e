// A player's page: anybody may look, a paired phone takes part.

import { diceTab } from "./phone/dice-tab.js";
import { fightTab } from "./phone/fight.js";
import { logTab, myRolls } from "./phone/log.js";
import { meTab, mineOf } from "./phone/me.js";
import { startPhone } from "./phone/page.js";
import { tonightTab } from "./phone/tonight.js";
import { face } from "./part/card.js";
import { icon } from "./draw/icon.js";
import { say } from "./strings.js";

/** My own face, where I have one. */
const myMark = (seen) => {
  const mine = mineOf(seen);
  return mine?.id ? face(mine, { rim: "never" }) : icon("users-round");
};

startPhone({
  title: say("playerTitle"),
  roles: ["viewer", "player", "screen", "gm"],
  refusal: say("onlyLook"),
  key: "tab.player",
  tabs: (page) => [
    { name: "me", title: say("tab.me"), icon: "users-round", mark: myMark, view: meTab },
    ...(page.mayChange
      ? [
          { name: "dice", title: say("tab.dice"), icon: "dices", view: diceTab },
          { name: "fight", title: say("tab.fight"), icon: "swords", view: fightTab },
        ]
      : []),
    logTab(myRolls),
    { name: "tonight", title: say("tab.tonight"), icon: "moon-star", view: tonightTab },
  ],
});
