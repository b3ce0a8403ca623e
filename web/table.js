// The table screen: follows the table, draws what it says, sends what is tapped.

import { render } from "./vendor/lit-html/lit-html.js";
import { nextRoll, noticeTouch, showDemo, tryMaster } from "./demo.js";
import { loadSets } from "./dice.js";
import { newId } from "./dom.js";
import { idleLine, startIdle, wake } from "./idle.js";
import { followMenu, openMenu } from "./menu.js";
import { createLive } from "./part/live.js";
import { createMoments, NO_MOMENT } from "./moments.js";
import { showPanel } from "./panel.js";
import { pickAgain, pickCorrection, pickRest, pickRoll, pickThrow, settle } from "./picker.js";
import { chooseGame, followGames } from "./part/games.js";
import { fitHeadline } from "./part/headline.js";
import { closeSheet, openSheet, showPool, showTrouble, showWorkedOut } from "./part/sheet.js";
import { buySpend, showSpends } from "./part/spends.js";
import { turnEnd } from "./part/turns.js";
import { frameIfTurned, isHalf, startMetres } from "./screen.js";
import { tellNews } from "./aloud.js";
import { startSound } from "./sound.js";
import { createStore } from "./store.js";
import { doubtOf, keyOf, newsOf, shownOf } from "./table/kind.js";
import { createHost, isNew } from "./table/host.js";
import { view } from "./table/page.js";
import { oddsWere, orderList } from "./table/states.js";
import { say } from "./strings.js";
import { actAs, change, follow, get, untilFound } from "./talk.js";
import { startTheme } from "./theme.js";
import { undoChange, undoLast } from "./undo.js";

const TICK_MS = 5_000;
const REDO_MS = 6_000;
const LONG_ROLL_MS = 400; // a shorter movement changes no headline
const PHONE_PX = 600; // a wider stranger may be one more screen for all
const PAST_MS = 60_000; // nobody looks at a roll of before for longer

let clockAhead = 0; // the table's clock less ours, in seconds
let redo = null; // what an undo just took back, while it can be had again

const now = () => Date.now() / 1000 + clockAhead;
const store = createStore(
  {
    mayChange: true,
    lostAt: null,
    answers: null,
    spends: null,
    games: [],
    people: [],
    opened: "",
    called: "",
    isDemo: false,
    playsItself: false,
    film: null,
    past: null,
    had: null,
    host: null,
    isLongRoll: false,
    ...NO_MOMENT,
  },
  draw,
);
const moments = createMoments(store, now);
const host = createHost(store);
const followTray = createLive();

const act = {
  host: host.act,
  firstSteps: host.begin,
  throwPool: host.act.throwPool,
  find,
  settle,
  spend: (side) => change("/api/destiny", { do: "spend", side }),
  pool: () => store.ui.isPlayer || showPool(store.state),
  undo,
  redo: () => {
    redo = null;
    return change("/api/redo");
  },
  mayRedo: () => redo,
  byHand: () => pickRoll(store.state?.game, store.state?.asked),
  replay: () => moments.play(),
  awaited: (roll) => pickThrow(roll),
  useDestiny: () => change("/api/destiny", { do: "set", from_roll: store.state.roll.id }),
  spends: (isTold) => showSpends(store.state.roll, store.ui.spends.list, { ...act, buy: (spend) => act.buy(spend).then(closeSheet) }, { isTold }),
  mayBuy: (spend) => store.ui.mayChange && (spend.by !== "gm" || store.ui.isGm),
  buy: (spend) => buySpend(store.state.roll, spend, store.state.people),
  past: openPast,
  toNow,
  workedOut,
  trouble: () => showTrouble(store.state.trouble, store.ui.mayChange && !store.ui.isPlayer),
  menu: () => store.state && openMenu(forMenu()),
  panel: togglePanel,
  hasPanel: () => !document.getElementById("panel").hidden || document.getElementById("panel").childElementCount > 0,
  take: (roll) => change(`/api/rolls/${encodeURIComponent(roll.id)}/take`, { version: roll.version }),
  addByHand: (roll) => pickRest(roll, store.ui.had.change),
  wasThrown: () => change("/api/read", {}, { withId: false }), // what was taken for laid makes a roll
  throwAgain: () => undoChange(store.ui.had.change), // its call is open again
  choose: (roll, ask) => change(`/api/rolls/${encodeURIComponent(roll.id)}/ask`, { version: roll.version, ask }),
  demo: () => showDemo(act),
  nextRoll,
  anotherGame: () => chooseGame(() => ({ games: store.ui.games, wanted: store.state?.setup.game ?? "" }), { title: say("anotherGame"), done: nextRoll }),
  tryMaster,
  showFight: () => openSheet(say("tab.fight"), orderList(store)),
  takeTurn: (slot, who) => change("/api/initiative", { do: "claim", slot: slot.id, who }),
  nextTurn: () => change("/api/initiative", turnEnd(store.state.initiative)),
  call: (body) => {
    const id = newId();
    store.set({ called: id });
    return change("/api/ask", { id, ...body });
  },
};

const shown = () => shownOf(store.state, store.ui);
const forMenu = () => ({ state: store.state, ui: store.ui, games: store.ui.games, mayChange: store.ui.mayChange, act });

/** A find of the roll that is shown was tapped: it is asked about, or corrected. */
function find(one) {
  const state = shown();
  if (store.ui.lostAt) return;
  const isOpenDoubt = !state.isPast && one.list === "dice" && state.roll.dice[one.index].status !== "sure" && !doubtOf(state, store.ui);
  if (isOpenDoubt) store.set({ opened: keyOf(state.roll) });
  else pickCorrection(state.roll, one);
}

let pastTimer = 0;

/** Show a roll of before in place of the newest, until somebody goes back or the table has news. */
async function openPast(id) {
  if (id === store.state.roll?.id) return toNow();
  const news = newsOf(store.state);
  const told = await found(`/api/rolls/${encodeURIComponent(id)}`);
  const roll = told && { ...told, outcome: told.outcome.outcome };
  if (!roll || news !== newsOf(store.state)) return;
  clearTimeout(pastTimer);
  pastTimer = setTimeout(toNow, PAST_MS);
  if (!store.ui.past) scrollTo(0, 0); // on a phone the feed lies below
  store.set({ past: { roll, news } });
  learn(shown());
}

function toNow() {
  clearTimeout(pastTimer);
  store.set({ past: null });
  if (store.state) learn(store.state);
}

/** A roll of before gives way to news, and follows its own corrections. */
function checkPast(next) {
  const { past } = store.ui;
  if (!past) return;
  const now = next.history.find((one) => one.id === past.roll.id);
  if (!now || next.phase === "moving" || newsOf(next) !== past.news) toNow();
  else if (now.version !== past.roll.version) openPast(now.id);
}

async function workedOut(roll) {
  const address = `/api/rolls/${encodeURIComponent(roll.id)}`;
  const [told, spends] = await Promise.all([found(address), found(`${address}/spends`)]);
  if (told) showWorkedOut(roll, { steps: told.steps, spends: spends ?? [] }, oddsWere(told.chance));
}

let rollTimer = 0;

function followRolling(isRolling) {
  if (isRolling === Boolean(rollTimer)) return;
  clearTimeout(rollTimer);
  rollTimer = isRolling ? setTimeout(() => store.set({ isLongRoll: true }), LONG_ROLL_MS) : 0;
  if (!isRolling) store.set({ isLongRoll: false });
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
  render(view({ state, ui, now: now(), act }), document.getElementById("page"));
  if (state && !isHalf) tellNews(state, ui);
  const kind = document.getElementById("stage").dataset.kind;
  document.body.dataset.kind = kind;
  document.body.toggleAttribute("data-no-flip", state?.destiny_flips === false && !state.points);
  fitHeadline();
  if (state) followMenu(forMenu());
  followGames();
  moments.follow(kind);
  followTray();
}

function show(next) {
  if (next.now) clockAhead = next.now - Date.now() / 1000;
  if (next.revision !== store.state?.revision) wake();
  document.body.dataset.ready = "";
  followRolling(next.phase === "moving");
  if (isChangedCall(store.state?.asked, next.asked)) store.set({ called: next.asked.id });
  if ((store.state ? next.session.ended && !store.state.session.ended : isNew(next)) && store.ui.isMaster && !store.ui.isDemo && !isHalf) host.begin();
  if (!store.state && store.ui.mayChange && !isHalf) pickAgain(next);
  store.setState(next);
  host.follow(next);
  checkPast(next);
  idleLine(next);
  if (store.ui.isDemo) found("/api/demo").then((told) => told && store.set({ playsItself: told.plays_itself }));
  learn(shown());
}

/** Whether somebody changed the open call, as a point does that joins it: who did so looks for it. */
const isChangedCall = (before, after) => Boolean(before && after) && before.id === after.id && JSON.stringify(before.answers) !== JSON.stringify(after.answers);

/** Ask the table for what a state does not carry: what answers would come to, the film of a roll, what may be bought, the weapons of who hit. */
function learn({ roll, history, people, initiative }) {
  const isAsked = initiative.slots.length > 0 || history.slice(0, 2).some((one) => one.weapon);
  if (people.length > 0 && isAsked) learnOnce("people", JSON.stringify([roll && keyOf(roll), people]), "/api/people", (all) => ({ people: all ?? [] }));
  if (roll) {
    const key = keyOf(roll);
    const address = `/api/rolls/${encodeURIComponent(roll.id)}`;
    learnOnce("roll", key, address, (one) => ({
      answers: { key, list: one?.answers ?? null },
      film: { id: roll.id, replay: one?.replay ?? null },
      had: { key, chance: one?.chance ?? null, fromHere: one?.chance_from_here ?? null, change: one?.change ?? null, call: one?.call ?? null },
    }));
    if (roll.sure) learnOnce("spends", key, `${address}/spends`, (one) => ({ spends: { id: roll.id, list: one ?? [] } }));
  }
}

const learnt = {}; // what was asked for last, by what it is

/** Ask once for each `key`, however many states come meanwhile; an answer that came too late is left. */
async function learnOnce(what, key, address, partOf) {
  if (learnt[what] === key) return;
  learnt[what] = key;
  const told = await found(address);
  if (learnt[what] !== key) return;
  if (told === null) learnt[what] = null; // the next state asks again
  store.set(partOf(told));
}

async function found(address) {
  try {
    return await get(address);
  } catch {
    return null; // the state itself is shown without it
  }
}

function showLink(isFound) {
  const lostAt = isFound ? null : (store.ui.lostAt ?? Date.now());
  document.body.toggleAttribute("data-lost", !isFound);
  if (lostAt !== store.ui.lostAt) store.set({ lostAt });
}

/** On the table's own machine this is its screen, also where its browser is paired, or may be while a demo is tried. */
async function ownPlace(me) {
  if (!me?.demo && me?.role !== "gm" && me?.role !== "player") return me;
  const screen = await found("/api/me?as=screen");
  if (screen?.role !== "screen") return me;
  actAs("screen");
  return screen;
}

async function loadMe() {
  const me = await ownPlace(await found("/api/me"));
  if (me?.role === "viewer" && window === window.top && matchMedia(`(max-width: ${PHONE_PX}px)`).matches) return location.replace("/pair"); // a phone that joins by the typed address
  const mayChange = me?.role !== "viewer"; // where it is not known the table says so itself when it refuses
  store.set({
    mayChange,
    isPlayer: me?.role === "player",
    isMaster: Boolean(me) && (me.role === "gm" || me.role === "screen"),
    isGm: me?.role === "gm",
    isDemo: Boolean(me?.demo),
  });
  if (me?.demo) noticeTouch(() => store.ui.playsItself && store.set({ playsItself: false }));
  document.body.toggleAttribute("data-viewer", !mayChange);
}

/** The games say what their trackers are called, and what comes after a hit. */
async function loadGames() {
  store.set({ games: (await found("/api/games")) ?? [] });
}

async function loadPanel() {
  const panel = await found("/api/panel");
  if (panel) showPanel(panel);
}

function togglePanel() {
  document.body.toggleAttribute("data-panel-shown");
}

function start() {
  document.body.toggleAttribute("data-half", isHalf);
  startMetres();
  new ResizeObserver(() => fitHeadline({ anew: true })).observe(document.body);
  document.fonts.ready.then(() => fitHeadline({ anew: true }));
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
