// What the pages of game master and players have in common.

import { byId, el, setText } from "./dom.js";
import { noticeTouch } from "./demo.js";
import { loadSets } from "./dice.js";
import { say } from "./strings.js";
import { follow, get } from "./talk.js";
import { startTheme } from "./theme.js";

/** Start a page: say who this phone is, load what it needs, then follow the table. */
export async function startPhone({ title, roles, refusal, build }) {
  document.title = title;
  setText(byId("title"), title);
  setText(byId("to-screen"), say("toScreen"));
  startTheme();
  const [me, games] = await Promise.all([get("/api/me"), get("/api/games"), loadSets()]);
  if (me.demo) noticeTouch();
  setText(byId("who"), [say(`roles.${me.role}`), me.name].filter(Boolean).join(" · "));
  if (!roles.includes(me.role)) {
    const stranger = byId("stranger");
    stranger.hidden = false;
    stranger.append(el("p", { class: "card", text: refusal }), el("a", { class: "button", href: "/pair", text: say("goPair") }));
    return;
  }
  byId("phone").hidden = false;
  const show = build({ me, games });
  const lost = byId("lost");
  follow({
    whenState: (state) => {
      document.body.dataset.ready = "";
      show(state);
    },
    whenPanel: () => {},
    whenLink: (found) => {
      lost.hidden = found;
      if (!found) setText(lost, say("lost"));
    },
  });
}
