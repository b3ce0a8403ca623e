// A player's page: anybody may look, a paired phone takes part.

import { el, put, whenChanged } from "./dom.js";
import { buildAsk } from "./ask.js";
import { showDestiny } from "./destiny.js";
import { buildHistory } from "./history.js";
import { buildLuck } from "./luck.js";
import { recall, remember } from "./memory.js";
import { buildOrder } from "./order.js";
import { startPhone } from "./phone.js";
import { buildRollCard, destinyButton, nowBox } from "./rollcard.js";
import { say } from "./strings.js";
import { buildTabs } from "./tabs.js";
import { buildTrackers } from "./trackers.js";

startPhone({
  title: say("playerTitle"),
  roles: ["viewer", "player", "screen", "gm"],
  refusal: say("onlyLook"),
  build({ me, games }) {
    const mayChange = me.role !== "viewer";
    document.body.dataset.role = me.role;
    let name = recall("player") ?? me.name;
    const who = el("select", { id: "i-am" });
    who.addEventListener("change", () => {
      name = who.value;
      remember("player", name);
    });
    const drawNames = whenChanged((state) => {
      const names = state.players.map((player) => player.name);
      if (!names.includes(name)) name = names.includes(me.name) ? me.name : "";
      who.replaceChildren(el("option", { value: "", text: say("nobodyNamed") }), ...names.map((one) => el("option", { value: one, text: one, selected: one === name })));
    });
    const card = el("div", {});
    const use = el("div", {});
    put(
      nowBox(),
      !mayChange && el("p", { class: "card" }, `${say("onlyLook")} `, el("a", { href: "/pair", text: say("goPair") })),
      mayChange && el("label", { class: "row" }, say("whoAmI"), who),
      card,
      use,
      el("section", { id: "destiny", "aria-labelledby": "pool-name" }),
    );
    const drawCard = buildRollCard(card, { games, isMaster: false, mayChange });
    const showTabs = buildTabs([
      ...(mayChange ? [
        [say("tabAsk"), (box) => buildAsk(box, { games, isMaster: false, me: () => name })],
        [say("trackers"), (box) => buildTrackers(box, { games, owners: () => (name ? [name] : []) })],
        [say("tabOrder"), (box) => buildOrder(box, { isMaster: false, me: () => name })],
      ] : []),
      [say("tabHistory"), buildHistory],
      [say("tabLuck"), buildLuck],
    ], "tab.player");
    return (state) => {
      drawNames([state.players, name], state);
      drawCard(state);
      const button = mayChange && me.role !== "player" ? destinyButton(state) : null;
      use.replaceChildren(...[button].filter(Boolean));
      showDestiny(state);
      showTabs(state);
    };
  },
});
