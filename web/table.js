// The table screen: follows the table and draws whatever it says.

import { askedOdds, chanceWords } from "./ask.js";
import { byId, el, setText, whenChanged } from "./dom.js";
import { loadSets } from "./dice.js";
import { showDestiny } from "./destiny.js";
import { showDoubt } from "./doubt.js";
import { idleLine, startIdle, wake } from "./idle.js";
import { showMenu } from "./menu.js";
import { showPanel } from "./panel.js";
import { pickCorrection, pickRoll, pickThrow } from "./picker.js";
import { fitHeadline, showAge, showResult } from "./result.js";
import { choiceButtons, destinyButton } from "./rollcard.js";
import { frameIfTurned, isHalf } from "./screen.js";
import { words } from "./strings.js";
import { change, follow, get } from "./talk.js";
import { startTheme } from "./theme.js";
import { forgetTray, showTray } from "./tray.js";

const AGE_MS = 5_000;
const SETS_AGAIN_MS = 5_000;

let state = null;
let clockAhead = 0; // the table's clock less ours, in seconds
let lostAt = null;
let mayChange = true;

const now = () => Date.now() / 1000 + clockAhead;

function show(next) {
  if (next.now) clockAhead = next.now - Date.now() / 1000;
  if (next.revision !== state?.revision) wake();
  state = next;
  document.body.dataset.ready = "";
  idleLine(state);
  showAsked([state.asked], state.asked);
  const { slots, current, round } = state.initiative;
  const acting = slots.find((slot) => slot.id === current);
  setText(byId("turn"), acting ? words.turnNow(round, acting.who || words.slotOf[acting.side]) : "");
  showNext([state.roll, state.destiny_names], state);
  const whenFind = (find) => pickCorrection(state.roll, find);
  showDoubt(state, whenFind);
  showResult(state);
  showAge(state.roll, now());
  showTray(state, whenFind);
  showDestiny(state);
}

/** Who rolls next and what for, the dice to take, and the odds where all may see them. */
const showAsked = whenChanged(async (asked) => {
  const line = byId("asked");
  line.hidden = !asked;
  if (!asked) return;
  const who = [asked.player, asked.label].filter(Boolean).join(": ");
  line.replaceChildren(el("b", { text: words.nowRolling(who || words.nobodyNamed) }), " ", asked.tray?.sentence ?? "");
  const chance = chanceWords(await askedOdds(asked));
  if (chance && state.asked?.id === asked.id) line.append(" ", el("b", { class: "chance", text: chance }));
});

/** What the roll asks people to do: throw on, or take the Force dice as the pool. */
const showNext = whenChanged((now) => {
  const { roll } = now;
  const throwOn = roll?.awaits && el("button", { type: "button", class: "primary", text: words.enterThrow, onclick: () => pickThrow(roll) });
  byId("next").replaceChildren(...[throwOn, ...choiceButtons(roll), destinyButton(now)].filter(Boolean));
});

function showLink(found) {
  if (found) lostAt = null;
  else lostAt ??= Date.now();
  const lost = byId("lost");
  lost.hidden = found;
  document.body.toggleAttribute("data-lost", !found);
  if (!found) setText(lost, words.lost);
}

async function loadDrawings() {
  try {
    await loadSets();
    forgetTray();
    if (state) show(state);
  } catch {
    setTimeout(loadDrawings, SETS_AGAIN_MS);
  }
}

async function loadMe() {
  try {
    mayChange = (await get("/api/me")).role !== "viewer";
  } catch {
    mayChange = true; // the table says so itself when it refuses
  }
  document.body.toggleAttribute("data-viewer", !mayChange);
}

async function loadPanel() {
  try {
    showPanel(await get("/api/panel"));
  } catch {
    // a table without a panel is complete; a later `panel` event draws it
  }
}

function start() {
  setText(byId("headline"), words.waiting);
  setText(byId("by-hand"), words.byHand);
  setText(byId("undo"), words.undo);
  setText(byId("menu"), "☰");
  byId("menu").setAttribute("aria-label", words.menu);
  byId("menu").title = words.menu;
  document.body.toggleAttribute("data-half", isHalf);
  byId("by-hand").addEventListener("click", () => pickRoll(state?.game, state?.asked));
  byId("undo").addEventListener("click", () => change("/api/undo"));
  byId("menu").addEventListener("click", () => showMenu({ mayChange, testing: Boolean(state?.testing), isWatched: state?.phase !== "by_hand" }));
  new ResizeObserver(fitHeadline).observe(byId("result"));
  setInterval(() => state && showAge(state.roll, now()), AGE_MS);
  startIdle();
}

startTheme();
if (!frameIfTurned()) {
  start();
  await Promise.all([loadDrawings(), loadMe()]);
  if (!isHalf) loadPanel();
  follow({ whenState: show, whenPanel: (panel) => isHalf || showPanel(panel), whenLink: showLink });
}
