// What this screen looks like and what the table can do beside play.

import { byId, el } from "./dom.js";
import { askFirst } from "./part/sheet.js";
import { recall, remember } from "./memory.js";
import { showPairing } from "./part/pairing.js";
import { chooseTurn, isMirrored, turn } from "./screen.js";
import { chooseSound, isOn, maySound } from "./sound.js";
import { LANGUAGES, language, say } from "./strings.js";
import { change, send } from "./talk.js";
import { chooseContrast, chooseTheme, hasContrast, theme } from "./theme.js";
import { showError } from "./toast.js";

/** Open the menu; `mayChange` is whether this screen may change the table, `panel` shows lamps and buttons. */
export function showMenu({ mayChange, testing, isWatched, panel = null }) {
  const dialog = byId("picker");
  const select = (id, options, now, whenChosen) => {
    const node = el("select", { id }, ...options.map(([value, text]) => el("option", { value, text, selected: String(value) === String(now) })));
    node.addEventListener("change", () => whenChosen(node.value));
    return node;
  };
  const check = (text, checked, whenChosen) => {
    const node = el("input", { type: "checkbox", checked });
    node.addEventListener("change", () => whenChosen(node.checked));
    return el("label", { class: "check" }, node, text);
  };
  const act = (text, whenPressed) => el("button", { type: "button", text, onclick: whenPressed });
  const chooseLanguage = (chosen) => {
    remember("language", chosen);
    location.reload();
  };
  const forget = async () => {
    dialog.close();
    if (!(await askFirst(say("forgetAsk"), say("forgetAll")))) return;
    if (await send("/api/devices/all/forget", {})) showError({ what: say("forgotAll") });
  };
  const hall = el("a", { class: "button", href: "/hall", text: say("hallTitle"), hidden: true });
  fetch("/api/hall").then((answer) => answer.json()).then(({ broker }) => { hall.hidden = !broker; }).catch(() => {});
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "picker-title", text: say("menu") }),
      el("button", { type: "button", class: "close", "aria-label": say("close"), text: "×", onclick: () => dialog.close() })),
    el("div", { class: "menu" },
      el("div", { class: "card" },
        el("label", { class: "row" }, say("themeTitle"), select("menu-theme", [["auto", say("themeAuto")], ["light", say("themeLight")], ["dark", say("themeDark")]], theme(), chooseTheme)),
        check(say("contrast"), hasContrast(), chooseContrast),
        maySound() && check(say("sound"), isOn(), chooseSound),
        el("label", { class: "row" }, say("language"), select("menu-language", Object.entries(LANGUAGES), recall("language") ?? language(), chooseLanguage)),
        el("label", { class: "row" }, say("turnTitle"), select("menu-turn", ["0", "90", "180", "270"].map((degrees) => [degrees, say(`turns.${degrees}`)]), turn(), (value) => chooseTurn(Number(value), false))),
        check(say("mirror"), isMirrored(), (mirrored) => chooseTurn(0, mirrored))),
      mayChange && el("div", { class: "card acts" }, ...[
        act(say("pairPlayer"), () => showPairing("player")),
        act(say("pairMaster"), () => showPairing("gm")),
        act(say("forgetAll"), forget),
        isWatched && act(say("readAgain"), () => change("/api/read", {}, { withId: false })),
        act(say("redo"), () => change("/api/redo")),
        panel && act(say("panelTitle"), () => {
          panel();
          dialog.close();
        }),
        act(testing ? say("lampTestEnd") : say("lampTest"), () => {
          change("/api/lamps/test", { on: !testing }, { withId: false });
          dialog.close();
        })].filter(Boolean)),
      el("p", { class: "card acts" }, el("a", { class: "button", href: "/gm", text: say("masterTitle") }), el("a", { class: "button", href: "/player", text: say("playerTitle") }), el("a", { class: "button", href: "/lookup", text: say("lookup.title") }), el("a", { class: "button", href: "/help", text: say("help.title") }), hall)),
  );
  if (!dialog.open) dialog.showModal();
}
