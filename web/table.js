// The table screen: follows the table and draws whatever it says.

import { byId, setText } from "./dom.js";
import { loadSets } from "./dice.js";
import { showDestiny } from "./destiny.js";
import { showDoubt } from "./doubt.js";
import { showPanel } from "./panel.js";
import { pickCorrection, pickRoll } from "./picker.js";
import { fitHeadline, showAge, showResult } from "./result.js";
import { words } from "./strings.js";
import { change, follow, get } from "./talk.js";
import { startTheme } from "./theme.js";
import { forgetTray, showTray } from "./tray.js";

const AGE_MS = 5_000;
const SETS_AGAIN_MS = 5_000;

let state = null;
let clockAhead = 0; // the table's clock less ours, in seconds
let lostAt = null;

const now = () => Date.now() / 1000 + clockAhead;

function show(next) {
  if (next.now) clockAhead = next.now - Date.now() / 1000;
  state = next;
  document.body.dataset.ready = "";
  const whenDie = (index) => pickCorrection(state.roll, index);
  showDoubt(state, whenDie);
  showResult(state);
  showAge(state.roll, now());
  showTray(state, whenDie);
  showDestiny(state);
}

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

async function loadPanel() {
  try {
    showPanel(await get("/api/panel"));
  } catch {
    // a table without a panel is complete; a later `panel` event draws it
  }
}

setText(byId("headline"), words.waiting);
setText(byId("by-hand"), words.byHand);
setText(byId("undo"), words.undo);
byId("by-hand").addEventListener("click", () => pickRoll(state?.game));
byId("undo").addEventListener("click", () => change("/api/undo"));
startTheme(byId("theme"));
new ResizeObserver(fitHeadline).observe(byId("result"));
setInterval(() => state && showAge(state.roll, now()), AGE_MS);
await loadDrawings();
loadPanel();
follow({ whenState: show, whenPanel: showPanel, whenLink: showLink });
