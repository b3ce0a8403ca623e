// The table itself: game and its rules, session, players, names of the pool, paired phones.

import { el, whenChanged } from "../dom.js";
import { showDestiny } from "../destiny.js";
import { buildForm } from "../form.js";
import { showPairing } from "../part/pairing.js";
import { say, sessionTitle } from "../strings.js";
import { change, get, send } from "../talk.js";

/** The pool of the table. */
export function buildDestiny(box) {
  box.append(el("section", { id: "destiny", "aria-labelledby": "pool-name" }));
  return showDestiny;
}

/** The way to the table's screen, and what the camera may be told. */
export function buildLinks(box) {
  const again = el("button", { type: "button", text: say("readAgain"), onclick: () => change("/api/read", {}, { withId: false }) });
  box.append(el("div", { class: "acts" }, el("a", { id: "to-screen", class: "button", href: "/", text: say("toScreen") }), el("a", { class: "button", href: "/lookup", text: say("lookup.title") }), el("a", { class: "button", href: "/help", text: say("help.title") }), again));
  return (state) => {
    again.hidden = state.phase === "by_hand" || document.body.dataset.role === "viewer";
  };
}

export function buildTable(box, { games }) {
  const game = el("div", {});
  const session = el("div", { class: "card" });
  const players = el("div", { class: "card" });
  const rest = el("div", {});
  const devices = el("div", { class: "card" });
  const elsewhere = el("div", { class: "card" });
  box.append(game, session, players, rest, devices, elsewhere);
  showDevices(devices);
  showElsewhere(elsewhere);
  const draws = [
    [whenChanged((state) => drawGame(game, games, state)), (state) => [state.game, state.setup]],
    [whenChanged((state) => drawSession(session, games, state)), (state) => [state.session, playersOf(state).length, state.game, state.tables]],
    [whenChanged((state) => drawPlayers(players, state)), (state) => state.players],
    [whenChanged((state) => drawNames(rest, state)), (state) => state.destiny_names],
  ];
  return (state) => draws.forEach(([draw, key]) => draw(key(state), state));
}

function drawGame(box, games, state) {
  const now = games.find((one) => one.name === state.game) ?? games[0];
  const choose = el("select", { id: "game", onchange: () => change("/api/game", { game: choose.value }) },
    el("option", { value: "", text: say("byTheDice"), selected: !state.setup.game }),
    ...games.map((one) => el("option", { value: one.name, text: one.title, selected: one.name === state.setup.game })));
  const settings = buildForm(now.form.filter((field) => field.setting), state.setup.settings[now.name] ?? {});
  const save = () => change("/api/game", { game: state.setup.game, settings: settings.read() });
  box.replaceChildren(
    el("label", { class: "row" }, say("game"), choose),
    el("details", {}, el("summary", { text: `${say("settingsOf")}: ${now.title}` }), settings.node,
      el("button", { type: "button", text: say("saveSettings"), onclick: save })),
    el("div", { class: "acts" },
      el("button", { type: "button", text: say("lampTest"), onclick: () => change("/api/lamps/test", { on: true }, { withId: false }) }),
      el("button", { type: "button", text: say("lampTestEnd"), onclick: () => change("/api/lamps/test", { on: false }, { withId: false }) })),
  );
}

/** Who plays: the named players, and characters of the game that nobody is named for. */
const playersOf = ({ players, people, game }) => [...new Set([...players, ...people.filter((one) => one.kind === "player" && one.game === game)].map((one) => one.name))];

function drawSession(box, games, state) {
  const title = el("input", { type: "text", maxlength: 60 });
  const count = playersOf(state).length;
  const answers = games.find((one) => one.name === state.game)?.pool_ask;
  box.replaceChildren(
    el("h2", { text: say("session") }),
    el("p", { text: sessionTitle(state.session) }),
    el("label", { class: "row" }, say("sessionTitle"), title),
    el("div", { class: "acts" },
      el("button", { type: "button", text: say("sessionStart"), onclick: () => change("/api/session", { title: title.value.trim() }) }),
      answers && count > 0 && el("button", { type: "button", text: say("sessionPool", { pool: state.destiny_names.pool }), onclick: () => change("/api/ask", { answers: { ...answers, players: count }, label: state.destiny_names.pool }) }),
      ...state.tables.filter((one) => one.opens).map((one) => el("button", { type: "button", class: "opening-table", text: say("sessionTable", { name: one.name }), onclick: () => change("/api/ask", { table: one.name }) }))),
  );
}

function drawPlayers(box, state) {
  const name = el("input", { type: "text", maxlength: 40, "aria-label": say("playerName"), placeholder: say("playerName") });
  const form = el("form", { class: "acts" }, name, el("button", { type: "submit", text: say("playerAdd") }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim()) change("/api/players", { name: name.value.trim() });
  });
  box.replaceChildren(
    el("h2", { text: say("players") }),
    el("ul", { class: "people" }, ...state.players.map((player) => el("li", {}, player.name,
      el("button", { type: "button", text: "×", "aria-label": say("playerRemove", { name: player.name }), onclick: () => change("/api/players", { player: player.id, name: "" }) })))),
    form,
  );
}

function drawNames(box, state) {
  const inputs = Object.entries({ pool: say("poolName"), light: say("lightName"), dark: say("darkName") }).map(([key, title]) =>
    [key, title, el("input", { type: "text", maxlength: 40, value: state.destiny_names[key] })]);
  const rename = () => change("/api/game", { names: Object.fromEntries(inputs.map(([key, , input]) => [key, input.value.trim()])) });
  box.replaceChildren(el("details", {}, el("summary", { text: say("poolNames") }),
    ...inputs.map(([, title, input]) => el("label", { class: "row" }, title, input)),
    el("button", { type: "button", text: say("rename"), onclick: rename })));
}

async function showDevices(box) {
  const list = el("ul", { class: "people" });
  const load = async (found) => {
    list.replaceChildren(...(found ?? []).map((device) => {
      const name = device.name || say("noName");
      return el("li", {}, `${name} · ${say(`roles.${device.role}`)}`,
        el("button", { type: "button", text: "×", "aria-label": say("forget", { name }), onclick: async () => load(await send(`/api/devices/${device.id}/forget`, {})) }));
    }));
  };
  box.append(el("h2", { text: say("devices") }), list, el("div", { class: "acts" },
    el("button", { type: "button", text: say("pairPlayer"), onclick: () => showPairing("player") }),
    el("button", { type: "button", text: say("pairMaster"), onclick: () => showPairing("gm") })));
  load(await get("/api/devices").catch(() => []));
}

/** The addresses that other programs are given, as this phone reaches the table. */
function showElsewhere(box) {
  const rows = [["foundry", "/foundry/module.json"], ["overlay", "/overlay"]].map(([name, path]) => {
    const address = el("input", { type: "text", id: `elsewhere-${name}`, readonly: true, value: location.origin + path });
    const copy = el("button", { type: "button", text: say("elsewhere.copy"), "aria-describedby": address.id });
    copy.addEventListener("click", () => {
      address.select();
      if (document.execCommand("copy")) copy.textContent = say("elsewhere.copied"); // the newer way is there at https alone
    });
    return [el("label", { for: address.id, text: say(`elsewhere.${name}`) }), el("div", { class: "acts" }, address, copy)];
  });
  box.append(el("h2", { text: say("elsewhere.title") }), ...rows.flat());
}
