// Joining with this phone. The PIN comes from the code, behind the #, or is typed in; then this phone says whose it is.

import { loadSets } from "./dice.js";
import { byId, newId } from "./dom.js";
import { readyCards, editPerson, newPerson } from "./phone/person.js";
import { recallHere, rememberHere } from "./memory.js";
import { PIN_FIGURES, view } from "./phone/join.js";
import { heroBody } from "./part/ready.js";
import { goTo, startPlaces } from "./layers.js";
import { askFirst, closeSheet, openSheet } from "./part/sheet.js";
import { createStore } from "./store.js";
import { say } from "./strings.js";
import { change, get, send } from "./talk.js";
import { startTheme } from "./theme.js";
import { render } from "./vendor/lit-html/lit-html.js";

const PAGES = { gm: "/gm", player: "/player" };
const to = new URLSearchParams(location.search).get("to") === "camera" ? "/camera" : ""; // where this phone is only to be the tray's camera
const fromCode = location.hash.slice(1);
const box = byId("joining");
history.replaceState(history.state, "", location.pathname); // so that the PIN stays in no list of pages
/** @type {Store<JoinUi>} */
const store = createStore({ step: "pin", me: { role: "viewer", person: "" }, people: [], game: null, draft: null, pin: fromCode, name: "" }, draw);

/** Steps are entries of the browser's history, so that Back goes back. @param {string} step */
function go(step, isNext = true) {
  if (isNext) goTo(step);
  store.set({ step });
}

const act = {
  async sendPin(/** @type {Event} */ event) {
    event.preventDefault();
    if (store.ui.pin.length === PIN_FIGURES) await pair();
  },
  /** The last figure sends them. @param {string} text */
  async figures(text) {
    const pin = text.replace(/\D/g, "").slice(0, PIN_FIGURES);
    const isWhole = pin.length === PIN_FIGURES && pin !== store.ui.pin;
    store.set({ pin });
    if (isWhole) await pair();
  },
  called: (/** @type {string} */ name) => store.set({ name }),
  async be(/** @type {Told["PairBody"]["role"]} */ role) {
    if (role === "gm") await pair("gm");
    else await toWho();
  },
  async lead() {
    if (await send("/api/me", { name: store.ui.name })) location.replace(PAGES.gm);
  },
  async take(/** @type {Person} */ person, /** @type {boolean} */ isTaken) {
    if (isTaken && !(await askFirst(say("join.takeOver", { name: person.name }), say("join.takeOverDo")))) return;
    await belongTo(person.id, isTaken);
  },
  /** A ready hero, who may have been brought in since this phone asked who is there. @param {Hero} hero */
  async ready(hero) {
    const { game } = store.ui;
    if (!game) return;
    const people = await get("/api/people").catch(() => []);
    const here = people.find((one) => one.name === hero.name && one.kind === "player" && one.game === game.name);
    if (here) return act.take(here, Boolean(here.phone));
    const id = newId();
    if (await change("/api/people", { do: "add", person: { ...heroBody(hero), id, game: game.name } })) await belongTo(id);
  },
  somebody() {
    if (store.ui.game) store.set({ draft: recallHere("join") ?? { ...newPerson(store.ui.game, store.ui.people), name: store.ui.name } });
    go("new");
    setTimeout(() => document.getElementById("name")?.focus());
  },
  back: () => history.back(),
  draft(/** @type {Partial<DraftPerson>} */ part) {
    if (!store.ui.draft) return;
    const draft = { ...store.ui.draft, ...part };
    rememberHere("join", draft);
    store.set({ draft });
  },
  fromReady() {
    const { game } = store.ui;
    if (!game) return;
    openSheet(
      say("join.fromReady"),
      readyCards(game, (/** @type {Hero} */ hero) => {
        const { name, ...rest } = heroBody(hero);
        act.draft({ ...rest, name: store.ui.draft?.name || name });
        closeSheet();
      }),
      { done: say("pair.done") },
    );
  },
  skillsNow() {
    const { game, people, draft } = store.ui;
    if (!game || !draft) return;
    editPerson(draft, {
      game,
      people,
      save: async (/** @type {DraftPerson[]} */ [form]) => {
        act.draft(form);
        return true;
      },
    });
  },
  async join() {
    const { draft, game } = store.ui;
    if (!game || !draft?.name.trim()) return;
    const { isNew: _isNew, members: _members, ...person } = draft;
    if (!(await change("/api/people", { do: "add", person: { ...person, kind: "player", name: draft.name.trim(), game: game.name } }))) return;
    rememberHere("join", null);
    await belongTo(draft.id);
  },
  async forget() {
    if (await send("/api/unpair", {})) location.reload();
  },
};

/** @param {string} person */
async function belongTo(person, takesOver = false) {
  if (!(await send("/api/me", { person, takes_over: takesOver }))) return;
  navigator.vibrate?.(30);
  location.replace("/player");
}

/** Pair by the PIN; where the PIN leaves open what this phone is to be, it asks. @param {Told["PairBody"]["role"]} role */
async function pair(role = "player") {
  const found = await send("/api/pair", { pin: store.ui.pin, name: role === "gm" ? store.ui.name : "", role });
  if (!found) {
    store.set({ pin: "" });
    return go("pin", false); // what the code said is no good: it can be typed
  }
  if (to) return location.replace(to);
  if (found.role === "gm") return role === "gm" ? location.replace(PAGES.gm) : go("lead", false);
  if (found.asks_role) return go("role", false);
  await toWho();
}

async function toWho() {
  const [me, state, games, people] = await Promise.all([get("/api/me"), get("/api/state"), get("/api/games"), get("/api/people"), loadSets()]);
  store.set({ me, people, game: games.find((one) => one.name === state.game) ?? games[0] });
  go("who", false);
}

function draw() {
  render(view(store.ui, act), box);
}

startPlaces("who", (step) => store.ui.game && store.set({ step }));

document.title = say("pair.title");
startTheme();
const me = await get("/api/me").catch(() => store.ui.me);
store.set({ me });
if (fromCode) await pair();
else if (me.role === "player" && me.name) await toWho();
else if (me.role === "gm") go("gm", false);
else store.redraw();
await Promise.resolve();
document.getElementById("pin")?.focus();
document.body.dataset.ready = "";
