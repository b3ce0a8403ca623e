// What this screen looks like and what the table can do beside play.

import { byId, el } from "./dom.js";
import { askFirst } from "./part/sheet.js";
import { recall, remember } from "./memory.js";
import { showPairing } from "./part/pairing.js";
import { chooseTurn, isMirrored, turn } from "./screen.js";
import { chooseSound, isOn, maySound } from "./sound.js";
import { LANGUAGES, language, words } from "./strings.js";
import { change, send } from "./talk.js";
import { chooseContrast, chooseTheme, hasContrast, theme } from "./theme.js";
import { showError } from "./toast.js";

const NAMES = { en: "English", de: "Deutsch" };

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
    if (!(await askFirst(words.forgetAsk, words.forgetAll))) return;
    if (await send("/api/devices/all/forget", {})) showError({ what: words.forgotAll });
  };
  const hall = el("a", { class: "button", href: "/hall", text: words.hallTitle, hidden: true });
  fetch("/api/hall").then((answer) => answer.json()).then(({ broker }) => { hall.hidden = !broker; }).catch(() => {});
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "picker-title", text: words.menu }),
      el("button", { type: "button", class: "close", "aria-label": words.close, text: "×", onclick: () => dialog.close() })),
    el("div", { class: "menu" },
      el("div", { class: "card" },
        el("label", { class: "row" }, words.themeTitle, select("menu-theme", [["auto", words.themeAuto], ["light", words.themeLight], ["dark", words.themeDark]], theme(), chooseTheme)),
        check(words.contrast, hasContrast(), chooseContrast),
        maySound() && check(words.sound, isOn(), chooseSound),
        el("label", { class: "row" }, words.language, select("menu-language", Object.keys(LANGUAGES).map((code) => [code, NAMES[code]]), recall("language") ?? language(), chooseLanguage)),
        el("label", { class: "row" }, words.turnTitle, select("menu-turn", Object.entries(words.turns), turn(), (value) => chooseTurn(Number(value), false))),
        check(words.mirror, isMirrored(), (mirrored) => chooseTurn(0, mirrored))),
      mayChange && el("div", { class: "card acts" }, ...[
        act(words.pairPlayer, () => showPairing("player")),
        act(words.pairMaster, () => showPairing("gm")),
        act(words.forgetAll, forget),
        isWatched && act(words.readAgain, () => change("/api/read", {}, { withId: false })),
        act(words.redo, () => change("/api/redo")),
        panel && act(words.panelTitle, () => {
          panel();
          dialog.close();
        }),
        act(testing ? words.lampTestEnd : words.lampTest, () => {
          change("/api/lamps/test", { on: !testing }, { withId: false });
          dialog.close();
        })].filter(Boolean)),
      el("p", { class: "card acts" }, el("a", { class: "button", href: "/gm", text: words.masterTitle }), el("a", { class: "button", href: "/player", text: words.playerTitle }), hall)),
  );
  if (!dialog.open) dialog.showModal();
}
