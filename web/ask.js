// What the next roll is for: the chosen game's form, the dice to take and the odds.

import { el, put } from "./dom.js";
import { dieIcon, typeTitle } from "./dice.js";
import { buildForm } from "./form.js";
import { oddsView } from "./odds.js";
import { say } from "./strings.js";
import { change, get, send } from "./talk.js";

/** The dice to take, drawn: "2 Ability". */
export function trayView(tray) {
  return el("div", { class: "take" }, el("h3", { text: say("takeDice") }),
    el("ul", {}, ...Object.entries(tray.dice).map(([name, count]) => el("li", {}, el("b", { text: count }), dieIcon(name), typeTitle(name)))),
    el("p", { text: tray.sentence }));
}

/** The section in which a roll is asked for. `isMaster` may hide it and say who sees the odds. */
export function buildAsk(box, { games, isMaster, me }) {
  let form = null;
  let built = "";
  let latest = null;
  const who = el("select", { id: "ask-player" });
  const label = el("input", { type: "text", id: "ask-label", maxlength: 60, autocomplete: "off" });
  const hidden = el("input", { type: "checkbox", id: "ask-hidden" });
  const seen = el("select", { id: "ask-odds" }, ...["all", "gm", "nobody"].map((value) => el("option", { value, text: say(`oddsWho.${value}`), selected: value === "gm" })));
  const place = el("div", {});
  const told = el("div", { class: "told", "aria-live": "polite" });
  const now = el("div", { class: "told" });
  const game = () => games.find((one) => one.name === latest?.game) ?? games[0];

  const showOdds = async () => {
    const odds = await send("/api/odds", { game: game().name, answers: form.read() });
    if (odds) told.replaceChildren(oddsView(odds));
  };
  const ask = async () => {
    const body = { game: game().name, answers: form.read(), player: isMaster ? who.value : me(), label: label.value.trim() };
    if (isMaster) Object.assign(body, { hidden: hidden.checked, odds_for: seen.value });
    if (await change("/api/ask", body)) told.replaceChildren();
  };
  put(
    box,
    now,
    isMaster && el("label", { class: "row" }, say("whoRolls"), who),
    el("label", { class: "row" }, say("whatFor"), label),
    place,
    isMaster && el("label", { class: "row" }, say("oddsFor"), seen),
    isMaster && el("label", { class: "check" }, hidden, say("hidden")),
    el("div", { class: "acts" },
      el("button", { type: "button", class: "primary", text: say("askIt"), onclick: ask }),
      el("button", { type: "button", text: say("showOdds"), onclick: showOdds }),
      el("button", { type: "button", text: say("askStop"), onclick: () => change("/api/ask", {}) })),
    told,
  );

  return async (state) => {
    latest = state;
    const key = JSON.stringify([state.game]);
    if (key !== built) {
      built = key;
      form = buildForm(game().form.filter((field) => !field.setting), {});
      place.replaceChildren(form.node);
      told.replaceChildren();
    }
    const names = state.players.map((player) => player.name);
    if (isMaster && JSON.stringify(names) !== who.dataset.names) {
      who.dataset.names = JSON.stringify(names);
      who.replaceChildren(el("option", { value: "", text: say("nobodyNamed") }), ...names.map((name) => el("option", { value: name, text: name })));
    }
    showAsked(state);
  };

  /** Fill in the form with what is asked, so that it can be changed before the roll. */
  function edit(asked) {
    form = buildForm(game().form.filter((field) => !field.setting), asked.answers);
    place.replaceChildren(form.node);
    label.value = asked.label;
    who.value = asked.player;
    hidden.checked = asked.hidden;
    seen.value = asked.odds_for;
    label.focus();
  }

  function showAsked(state) {
    const asked = state.asked;
    const mark = JSON.stringify(asked);
    if (now.dataset.mark === mark) return;
    now.dataset.mark = mark;
    now.replaceChildren();
    if (!asked) return;
    now.append(el("p", { class: "asked", text: say("nowRolling", { who: [asked.player, asked.label].filter(Boolean).join(": ") || say("nobodyNamed") }) }));
    if (asked.tray) now.append(trayView(asked.tray));
    now.append(el("button", { type: "button", text: say("askEdit"), onclick: () => edit(asked) }));
    askedOdds(asked).then((odds) => odds && now.dataset.mark === mark && now.append(oddsView(odds)));
  }
}

/** The odds of what is asked, or null where they are not shown here. */
async function askedOdds(asked) {
  if (!asked?.tray) return null;
  try {
    return await get("/api/odds");
  } catch {
    return null; // a pool too large to tell at once
  }
}
