// A player's page: anybody may look, a paired phone takes part.

import { buildHistory } from "./history.js";
import { buildLuck } from "./luck.js";
import { diceTab } from "./phone/dice-tab.js";
import { fightTab } from "./phone/fight.js";
import { myRollsTab } from "./phone/log.js";
import { meTab, mineOf } from "./phone/me.js";
import { built, drawn, folded, startPhone } from "./phone/page.js";
import { tonightTab } from "./phone/tonight.js";
import { face } from "./part/card.js";
import { icon } from "./draw/icon.js";
import { say } from "./strings.js";

/** My own face, where I have one. */
const myMark = (page) => {
  const mine = page.store.state ? mineOf(page.seen()) : null;
  return mine?.id ? face(mine, { rim: "never" }) : icon("users-round");
};

startPhone({
  title: say("playerTitle"),
  roles: ["viewer", "player", "screen", "gm"],
  refusal: say("onlyLook"),
  key: "tab.player",
  tabs: (page) => [
    { name: "me", title: say("tab.me"), icon: "users-round", mark: () => myMark(page), build: drawn(page, meTab) },
    ...(page.mayChange
      ? [
          { name: "dice", title: say("tab.dice"), icon: "dices", build: drawn(page, diceTab) },
          { name: "fight", title: say("tab.fight"), icon: "swords", build: drawn(page, fightTab) },
        ]
      : []),
    {
      name: "log",
      title: say("tab.log"),
      icon: "scroll-text",
      build: built(drawn(page, myRollsTab), folded(say("log.changes"), buildHistory), folded(say("log.luck"), buildLuck)),
    },
    { name: "tonight", title: say("tab.tonight"), icon: "moon-star", build: drawn(page, tonightTab) },
  ],
});
