// What the pages of game master and players have in common: they follow the table, keep what the phone knows, and draw both.

import { byId, setText } from "../dom.js";
import { tellNews } from "../aloud.js";
import { noticeTouch } from "../demo.js";
import { loadSets } from "../dice.js";
import { recallHere, rememberHere } from "../memory.js";
import { reacting } from "../part/card.js";
import { fitHeadline } from "../part/headline.js";
import { createLive } from "../part/live.js";
import { briefOf, markRoot } from "../part/now.js";
import { closeSheet, isShown, openSheet } from "../part/sheet.js";
import { createStore } from "../store.js";
import { followCall, pickAgain } from "../picker.js";
import { say } from "../strings.js";
import { keyOf } from "../table/kind.js";
import { buildTabs } from "../tabs.js";
import { follow, get, untilFound } from "../talk.js";
import { startTheme } from "../theme.js";
import { html, render } from "../vendor/lit-html/lit-html.js";
import { callSheet } from "./call-sheets.js";
import { callActs, newCall, triesOut } from "./calling.js";
import { CAST_SHEETS, castActs } from "./cast.js";
import { NEW_DRAFT } from "./draft.js";
import { FIGHT_SHEETS, fightActs, NEW_FIGHT } from "./fight.js";
import { drawHead } from "./head.js";
import { learner } from "./learn.js";
import { logActs, NEW_LOG } from "./log.js";
import { NOW_SHEETS } from "./master.js";
import { notices } from "./notice.js";
import { NEW_PHOTOGRAPH, photographActs } from "./photograph.js";
import { rollActs } from "./rolled.js";
import { tableActs } from "./tables.js";
import { MY_SHEETS } from "./me.js";
import { myCallSheet } from "./my-call.js";
import { TONIGHT_SHEETS, tonightActs } from "./tonight.js";

/** @type {Sheets} */
const SHEETS = { ...CAST_SHEETS, ...FIGHT_SHEETS, ...TONIGHT_SHEETS, ...NOW_SHEETS, ...MY_SHEETS, "call.mine": myCallSheet };
/** What of a page stays over a reload: what was put together, chosen, and opened. */
const KEPT = /** @type {(keyof PhoneUi)[]} */ ([
  "draft",
  "sheet",
  "opened",
  "openTable",
  "logOf",
  "logWhat",
  "unfolded",
  "isLuckNow",
  "called",
  ...Object.keys(NEW_FIGHT),
]);

/**
 * Start a page: say who this phone is, load what it needs, then follow the table. `tabs(page)` returns its sections, each with a `view` of what is seen.
 * @param {{ title: string, roles: Told["Role"][], refusal: string, tabs: (page: PhonePage) => Parameters<typeof buildTabs>[0], key?: string }} what
 */
export async function startPhone({ title, roles, refusal, tabs, key = "" }) {
  document.title = title;
  setText(byId("title"), title);
  startTheme();
  const lost = byId("lost");
  const whenLink = (/** @type {boolean} */ found) => {
    lost.hidden = found;
    if (!found) setText(lost, say("lost"));
  };
  const [me, games] = await untilFound(
    () => Promise.all([get("/api/me"), get("/api/games"), loadSets()]),
    () => whenLink(false),
  );
  whenLink(true);
  if (me.demo) noticeTouch();
  if (!roles.includes(me.role)) {
    const stranger = byId("stranger");
    stranger.hidden = false;
    render(html`<p class="card">${refusal}</p><a class="button" href="/pair">${say("goPair")}</a>`, stranger);
    return;
  }
  byId("phone").hidden = false;
  document.body.dataset.role = me.role;
  const page = createPage({ me, games });
  page.tabs = buildTabs(tabs(page), key);
  let isFirst = true;
  follow({
    whenState: (state) => {
      page.take(state);
      document.body.dataset.ready = "";
      if (isFirst && page.mayChange) {
        page.act.editKept(); // go on where the page was left
        pickAgain(state);
      }
      isFirst = false;
    },
    whenPanel: () => {},
    whenLink,
  });
}

/** The state with the roll that its now names as its roll, also where a newer one came before that was done with. @param {State} state @param {PhoneUi["older"]} older @returns {State} */
function wholeOf(state, older) {
  const brief = briefOf(state);
  return brief && older && keyOf(older) === keyOf(brief) ? { ...state, roll: older, question: null } : state;
}

/** @param {{ me: Told["Me"], games: Game[] }} what @returns {PhonePage} */
function createPage({ me, games }) {
  const isMaster = me.role === "gm";
  const mayChange = me.role !== "viewer";
  const keptAs = `page ${location.pathname}`;
  const kept = recallHere(keptAs) ?? {};
  /** @type {PhoneUi} */
  const ui = {
    people: [],
    spends: {},
    opened: "",
    sheet: "",
    allSpends: "",
    answers: null,
    older: null,
    called: [],
    changing: null,
    changedAt: null,
    turnOdds: null,
    slept: null,
    tables: [],
    openTable: "",
    addedToTable: 0,
    ...NEW_FIGHT,
    ...NEW_LOG,
    ...kept,
    ...newCall(kept.draft),
    person: me.person ?? "",
    also: me.also ?? [],
    phones: [],
    offer: null,
    endOffer: null,
    ...NEW_PHOTOGRAPH,
  };
  const store = createStore(ui, draw);
  const page = /** @type {PhonePage} */ (/** @type {unknown} */ ({ me, games, isMaster, mayChange, store, act: null, tabs: null, seen, take, learn: null }));
  page.learn = learner(page);
  const act = /** @type {PhoneAct} */ ({
    /** Open what is behind a chip or a row; `part` of what the page keeps says of whom or what it is. */
    sheet(/** @type {string} */ name, /** @type {Partial<PhoneUi>} */ part = {}) {
      store.set({ sheet: name, ...part });
      drawSheet(seen());
    },
    closeSheet,
    toCast: () => page.tabs.choose("cast"),
    wakeUp: () => store.set({ slept: null }),
    toPlace(/** @type {string} */ name) {
      page.tabs.choose(name);
      store.redraw();
    },
    ...callActs(page),
    ...rollActs(page),
    ...photographActs(page),
    ...tableActs(page),
    ...logActs(page),
    ...tonightActs(page),
    ...castActs(page),
    ...fightActs(page),
  });
  page.act = act;
  const tryOut = triesOut(page);
  const follows = createLive();
  const notice = isMaster ? () => {} : notices(page);
  const refit = () => fitHeadline({ anew: true });
  addEventListener("resize", refit);
  addEventListener("popstate", store.redraw); // the head says where the page is
  document.fonts.ready.then(refit);

  function seen() {
    const state = wholeOf(store.state, ui.older);
    const names = new Set([...state.players.map((one) => one.name), ...ui.people.filter((one) => one.kind === "player").map((one) => one.name)]);
    const mine = ui.people.find((one) => one.id === ui.person);
    const player = isMaster ? me.name : mine ? mine.name : names.has(me.name) ? me.name : "";
    return {
      state,
      ui: { ...ui, people: ui.people.map((one) => reacting(one, state.history)) },
      games,
      isMaster,
      mayChange,
      act,
      place: page.tabs?.place(),
      me: () => player,
      paired: me.name,
      role: me.role,
      game: games.find((one) => one.name === state.game) ?? games[0],
    };
  }

  function draw() {
    if (!store.state) return;
    const now = seen();
    markRoot(store.state);
    drawHead(now);
    tellNews(store.state, ui);
    page.tabs.show(now);
    fitHeadline();
    follows();
    notice(now);
    if (ui.sheet) drawSheet(now);
    rememberHere(keptAs, Object.fromEntries(KEPT.map((name) => [name, ui[name]])));
    tryOut(now);
  }

  /** Draw what is open; whoever it was of and is gone closes it. @param {PhoneSeen} now */
  function drawSheet(now) {
    const name = ui.sheet;
    const found = SHEETS[name] ? SHEETS[name](now) : callSheet(name, now);
    if (!found) {
      if (isShown(name)) closeSheet();
      return;
    }
    openSheet(found.title, found.body, { done: say("pair.done"), name, whenEnded: () => isEnded(name) });
  }

  function isEnded(/** @type {string} */ name) {
    ui.endOffer?.();
    store.set({ offer: null, endOffer: null, ...(ui.sheet === name && { sheet: "" }) });
  }

  function take(/** @type {State} */ state) {
    if (store.state && state.game !== store.state.game)
      ui.draft = { ...NEW_DRAFT }; // whoever was chosen plays another game
    else if ((store.state && state.initiative.current !== store.state.initiative.current) || (ui.draft.changes && ui.draft.changes !== state.asked?.id))
      ui.draft = { ...NEW_DRAFT, isEmpty: true }; // another acts, or the call that was to be changed is over
    if (ui.changedAt !== null && state.revision >= ui.changedAt) ui.changing = null; // what is told counts again, also where somebody undid it
    store.setState(state);
    followCall(state);
    page.learn(state);
  }

  return page;
}
