// The table screen: follows the table, draws what it says, sends what is tapped.

import { render } from "./vendor/lit-html/lit-html.js";
import { nextRoll, noticeTouch, showDemo, tryMaster } from "./demo.js";
import { loadSets } from "./dice.js";
import { byId } from "./dom.js";
import { idleLine, startIdle, wake } from "./idle.js";
import { followMenu, openMenu } from "./menu.js";
import { createLive } from "./part/live.js";
import { createMoments, NO_MOMENT } from "./moments.js";
import { showPanel } from "./panel.js";
import { pickCorrection, settle } from "./picker.js";
import { chooseGame, followGames } from "./part/games.js";
import { leaveOutRows } from "./part/feed.js";
import { fitHeadline } from "./part/headline.js";
import { closeSheet, openSheet, showPool, showTrouble, showWorkedOut } from "./part/sheet.js";
import { buySpend, showSpends } from "./part/spends.js";
import { turnEnd } from "./part/turns.js";
import { frameIfTurned, isHalf, startMetres } from "./screen.js";
import { tellNews } from "./aloud.js";
import { startSound } from "./sound.js";
import { createStore } from "./store.js";
import { createByHand } from "./table/by-hand.js";
import { doubtOf, keyOf, kindOf, newsOf, shownOf } from "./table/kind.js";
import { createHost } from "./table/host.js";
import { view } from "./table/page.js";
import { applyNext, applyTo } from "./part/apply.js";
import { briefOf, markRoot } from "./part/now.js";
import { oddsWere, orderList } from "./table/states.js";
import { say } from "./strings.js";
import { actAs, change, follow, get, rollAddress, untilFound } from "./talk.js";
import { startTheme } from "./theme.js";
import { undoButton, undoLast } from "./undo.js";

const TICK_MS = 5_000;
const REDO_MS = 6_000;
const PHONE_PX = 600; // a wider stranger may be one more screen for all
const PAST_MS = 60_000; // nobody looks at a roll of before for longer

let clockAhead = 0; // the table's clock less ours, in seconds
/** @type {Told["UndoTold"] | null} */
let redo = null; // what an undo just took back, while it can be had again

const now = () => Date.now() / 1000 + clockAhead;
/** @type {Store<TableUi>} */
const store = createStore(
  {
    mayChange: true,
    lostAt: null,
    answers: null,
    spends: null,
    games: [],
    people: [],
    opened: "",
    isDemo: false,
    playsItself: false,
    film: null,
    past: null,
    had: null,
    host: null,
    hand: null,
    older: null,
    ...NO_MOMENT,
  },
  draw,
);
const moments = createMoments(store, now);
const host = createHost(store);
const followTray = createLive();
const byHand = createByHand(store);

/** @typedef {typeof act} TableAct */
const act = {
  host: host.act,
  throwPool: host.act.throwPool,
  find,
  settle,
  spend: (/** @type {Side} */ side) => change("/api/destiny", { do: "spend", side }),
  pool: () => store.ui.isPlayer || showPool(store.state),
  undo,
  redo: () => {
    redo = null;
    return change("/api/redo");
  },
  mayRedo: () => redo,
  byHand: () => (byHand.isOpened() ? byHand.close() : byHand.open()),
  mayClose: byHand.isOpened,
  closeHand: byHand.close,
  replay: () => moments.play(),
  awaited: byHand.open,
  /** @type {(isTold: boolean) => void} */
  spends: (isTold) => {
    const { roll } = store.state;
    if (roll && store.ui.spends)
      showSpends(roll, store.ui.spends.list, { mayBuy: (spend) => act.mayBuy(spend), buy: (spend) => act.buy(spend).then(closeSheet) }, { isTold });
  },
  mayBuy: (/** @type {Offer} */ spend) => store.ui.mayChange && (spend.by !== "gm" || Boolean(store.ui.isGm)),
  /** @type {(spend: Offer) => Promise<unknown>} */
  buy: async (spend) => store.state.roll && buySpend(store.state.roll, spend, store.state.people),
  past: openPast,
  toNow,
  workedOut,
  trouble: () => showTrouble(store.state.trouble, store.ui.mayChange && !store.ui.isPlayer),
  /** @type {() => void} */
  menu: () => store.state && openMenu(forMenu()),
  panel: togglePanel,
  hasPanel: () => !byId("panel").hidden || byId("panel").childElementCount > 0,
  addByHand: byHand.addTo,
  /** @type {(roll: AnyRoll, index?: number) => Promise<void>} */
  applyTo: (roll, index) => (index === undefined ? applyNext({ ...store.state, roll }) : applyTo({ ...store.state, roll }, index)),
  /** @type {() => void} */
  demo: () => showDemo(act),
  nextRoll,
  anotherGame: () => chooseGame(() => ({ games: store.ui.games, wanted: store.state?.setup.game ?? "" }), { title: say("anotherGame"), done: nextRoll }),
  tryMaster,
  showFight: () => openSheet(say("tab.fight"), orderList({ state: store.state, ui: store.ui })),
  takeTurn: (/** @type {Slot} */ slot, /** @type {string} */ who) => change("/api/initiative", { do: "claim", slot: slot.id, who }),
  nextTurn: () => change("/api/initiative", turnEnd(store.state.initiative)),
  call: (/** @type {Sends<"/api/ask">} */ body) => change("/api/ask", body),
};

const shown = () => shownOf(store.state, store.ui);
const forMenu = () => ({ state: store.state, ui: store.ui, games: store.ui.games, mayChange: store.ui.mayChange, act });

/** A find of the roll that is shown was tapped: it is asked about, or corrected. @param {Find} one */
function find(one) {
  const state = shown();
  const { roll } = state;
  if (store.ui.lostAt || !roll) return;
  const isOpenDoubt = !state.isPast && one.list === "dice" && roll.dice[one.index].status !== "sure" && !doubtOf(state, store.ui);
  if (isOpenDoubt) store.set({ opened: keyOf(roll) });
  else pickCorrection(roll, one);
}

let pastTimer = 0;

/** Show a roll of before in place of the newest, until somebody goes back or the table has news. @param {string} id */
async function openPast(id) {
  if (id === store.state.roll?.id) return toNow();
  const news = newsOf(store.state);
  const told = await found(rollAddress({ id }));
  const roll = told && { ...told, outcome: told.outcome.outcome };
  if (!roll || news !== newsOf(store.state)) return;
  clearTimeout(pastTimer);
  pastTimer = setTimeout(toNow, PAST_MS);
  if (!store.ui.past) scrollTo(0, 0); // on a phone the feed lies below
  store.set({ past: { roll, news } });
  learn();
}

function toNow() {
  clearTimeout(pastTimer);
  store.set({ past: null });
  if (store.state) learn();
}

/** A roll of before gives way to news, and follows its own corrections. @param {State} next */
function checkPast(next) {
  const { past } = store.ui;
  if (!past) return;
  const now = next.history.find((one) => one.id === past.roll.id);
  if (!now || newsOf(next) !== past.news) toNow();
  else if (now.version !== past.roll.version) openPast(now.id);
}

/** @param {Roll | WholeRoll} roll */
async function workedOut(roll) {
  const [told, spends] = await Promise.all([found(rollAddress(roll)), found(rollAddress(roll, "/spends"))]);
  if (told)
    showWorkedOut(
      roll,
      { steps: told.steps, spends: spends ?? [] },
      oddsWere(told.chance),
      store.ui.isMaster && told.change ? undoButton(told.change, told.sentence, closeSheet) : undefined,
    );
}

async function undo() {
  const last = store.state.undo;
  if (!last) return;
  const isDone = await undoLast(last, now(), { isMine: store.ui.isPlayer });
  if (!isDone) return;
  if (store.ui.isMaster) {
    redo = last;
    setTimeout(() => {
      redo = null;
      store.redraw();
    }, REDO_MS);
    store.redraw();
  }
}

function draw() {
  const { state, ui } = store;
  byHand.follow({ state: shown(), ui }, kindOf(shown(), ui));
  if (state) markRoot(state);
  render(view({ state, ui, now: now(), act }), byId("page"));
  if (state && !isHalf) tellNews(state, ui);
  const kind = byId("stage").dataset.kind ?? "";
  document.body.dataset.kind = kind;
  document.body.toggleAttribute("data-no-flip", state?.destiny_flips === false && !state.points);
  fitHeadline();
  leaveOutRows();
  if (state) followMenu(forMenu());
  followGames();
  moments.follow(kind);
  followTray();
}

function show(/** @type {State} */ next) {
  if (next.time) clockAhead = next.time - Date.now() / 1000;
  if (next.revision !== store.state?.revision) wake();
  document.body.dataset.ready = "";
  if (redo && (next.undo?.number ?? 0) > redo.number) redo = null; // something was done since
  host.follow(next.now.name === "setup" && Boolean(store.ui.isMaster) && !store.ui.isDemo && !isHalf);
  store.setState(next);
  checkPast(next);
  idleLine(next);
  if (store.ui.isDemo) found("/api/demo").then((told) => told && store.set({ playsItself: told.plays_itself }));
  learn();
}

/** Ask the table for what a state does not carry: what answers would come to, the film of a roll, what may be bought, the weapons of who hit. */
function learn() {
  const { roll, now: next, history, people, initiative } = shown();
  if (next.roll && store.state.roll?.id !== next.roll)
    learnOnce("older", JSON.stringify([next.roll, briefOf(store.state)]), rollAddress({ id: next.roll }), (one) => ({
      older: one && { ...one, outcome: one.outcome.outcome },
    })).then((isNew) => isNew && learn()); // what else is asked of a roll
  const isAsked = initiative.slots.length > 0 || history.slice(0, 2).some((one) => one.weapon);
  if (people.length > 0 && isAsked) learnOnce("people", JSON.stringify([roll && keyOf(roll), people]), "/api/people", (all) => ({ people: all ?? [] }));
  if (roll) {
    const key = keyOf(roll);
    learnOnce("roll", key, rollAddress(roll), (one) => ({
      answers: { key, list: one?.answers ?? null },
      film: { id: roll.id, replay: one?.replay ?? null },
      had: { key, chance: one?.chance ?? null, fromHere: one?.chance_from_here ?? null, call: one?.call ?? null },
    }));
    if (roll.sure) learnOnce("spends", key, rollAddress(roll, "/spends"), (one) => ({ spends: { id: roll.id, list: one ?? [] } }));
  }
}

/** @type {Record<string, string | null>} */
const learnt = {}; // what was asked for last, by what it is

/**
 * Ask once for each `key`, however many states come meanwhile; an answer that came too late is left. Tells whether one came in time.
 * @template {string} A @param {string} what @param {string} key @param {A} address @param {(told: Read<A> | null) => Partial<TableUi>} partOf
 */
async function learnOnce(what, key, address, partOf) {
  if (learnt[what] === key) return;
  learnt[what] = key;
  const told = await found(address);
  if (learnt[what] !== key) return;
  if (told === null) learnt[what] = null; // the next state asks again
  store.set(partOf(told));
  return told !== null;
}

/** @template {string} A @param {A} address @returns {Promise<Read<A> | null>} */
async function found(address) {
  try {
    return await get(address);
  } catch {
    return null; // the state itself is shown without it
  }
}

/** What no state tells anew is asked for until the table answers; null where it refuses. @template {string} A @param {A} address @returns {Promise<Read<A> | null>} */
const surely = (address) =>
  untilFound(
    () => /** @type {Function} */ (get)(address), // a Function, as the checker would compare every answer with every other
    () => showLink(false),
  ).catch(() => null);

function showLink(/** @type {boolean} */ isFound) {
  const lostAt = isFound ? null : (store.ui.lostAt ?? Date.now());
  document.body.toggleAttribute("data-lost", !isFound);
  if (lostAt !== store.ui.lostAt) store.set({ lostAt });
}

/** On the table's own machine this is its screen, also where its browser is paired, or may be while a demo is tried. @param {Told["Me"] | null} me */
async function ownPlace(me) {
  if (!me?.demo && me?.role !== "gm" && me?.role !== "player") return me;
  const screen = await surely("/api/me?as=screen");
  if (screen?.role !== "screen") return me;
  actAs("screen");
  return screen;
}

async function loadMe() {
  const me = await ownPlace(await surely("/api/me"));
  if (me?.role === "viewer" && window === window.top && matchMedia(`(max-width: ${PHONE_PX}px)`).matches) return location.replace("/pair"); // a phone that joins by the typed address
  const mayChange = me?.role !== "viewer"; // where it is not known the table says so itself when it refuses
  store.set({
    mayChange,
    isPlayer: me?.role === "player",
    isMaster: me?.role === "gm" || me?.role === "screen",
    isGm: me?.role === "gm",
    isDemo: Boolean(me?.demo),
  });
  if (me?.demo) noticeTouch(() => store.ui.playsItself && store.set({ playsItself: false }));
  document.body.toggleAttribute("data-viewer", !mayChange);
}

/** The games say what their trackers are called, and what comes after a hit. */
async function loadGames() {
  store.set({ games: (await surely("/api/games")) ?? [] });
}

async function loadPanel() {
  const panel = await surely("/api/panel");
  if (panel) showPanel(panel);
}

function togglePanel() {
  document.body.toggleAttribute("data-panel-shown");
}

function start() {
  document.body.toggleAttribute("data-half", isHalf);
  startMetres();
  const fitAnew = () => {
    fitHeadline({ anew: true });
    leaveOutRows();
  };
  new ResizeObserver(fitAnew).observe(document.body);
  document.fonts.ready.then(fitAnew);
  setInterval(() => store.redraw(), TICK_MS);
  startIdle();
  startSound();
  store.redraw();
}

startTheme("dark");
if (!frameIfTurned()) {
  start();
  await Promise.all([untilFound(loadSets, () => showLink(false)), loadMe()]);
  loadGames();
  if (!isHalf) loadPanel();
  follow({ whenState: show, whenPanel: (panel) => isHalf || showPanel(panel), whenLink: showLink });
}
