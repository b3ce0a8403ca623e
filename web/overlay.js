// A transparent page for a film of the table or a wall: the film of the throw, the dice as they land, the result for a while.
// What is in doubt is said to be asked about: it is no result yet. What is taken back goes at once.

import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { choice, colour, number, readAddress, some } from "./address.js";
import { byId } from "./dom.js";
import { loadSets } from "./dice.js";
import { FRESH_S, LANDING, lastThrow, MOVE, stillness } from "./moments.js";
import { drawnDice, forWhom, largest, marks, toneOf, word } from "./part/plate.js";
import { loadSheet, playFilm } from "./part/replay.js";
import { viewOf } from "./part/tray.js";
import { createStore } from "./store.js";
import { LANGUAGES, say } from "./strings.js";
import { doubtOf, isShort, keyOf } from "./table/kind.js";
import { moodsOf } from "./table/mood.js";
import { follow, get, untilFound } from "./talk.js";

const TICK_MS = 500;
const LAND_MS = 90;
const HOLD_MS = 400; // the last picture of the film stays so long
const FIT_STEP = 0.95;
const LEAST_FIT = 0.2;
const PLACES = ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"];
const PARTS = ["film", "who", "words", "symbols", "dice", "sentence"];

/** What the address may ask for. */
const KNOWN = {
  seconds: number(20, { least: 1, most: 3600, words: { always: Infinity } }),
  size: number(100, { least: 25, most: 400 }),
  at: choice("bottom-left", PLACES),
  side: choice("right", ["right", "left", "above", "below"]),
  show: some(PARTS.slice(0, -1), PARTS),
  speed: number(50, { least: 10, most: 100 }),
  motion: choice("full", ["full", "none"]),
  ground: colour(null),
  plate: colour(null),
  ink: colour(null),
  good: colour(null),
  bad: colour(null),
  doubt: colour(null),
  lang: choice(null, Object.keys(LANGUAGES)),
};
/** @type {("ground" | "plate" | "ink" | "good" | "bad" | "doubt")[]} */
const COLOURS = ["ground", "plate", "ink", "good", "bad", "doubt"];

const { asked, faults } = readAddress(location.search, KNOWN);
const shows = (/** @type {string} */ part) => asked.show.includes(part);
const isStill = () => stillness.matches || asked.motion === "none";

let clockAhead = 0; // the table's clock less ours, in seconds
let seen = { key: "", mark: "", id: "", at: 0 }; // the roll of the last drawing, its throw, and when the newest of all was
let told = { id: "", at: 0 }; // what was said after a moment here, and when
/** @type {(() => void) | null} */
let stopFilm = null;
const now = () => Date.now() / 1000 + clockAhead;
/** @typedef {{ stage: string, lands: boolean, answers: AnswersTold | null }} Ui */
/** @type {Store<Ui>} */
const store = createStore({ stage: "result", lands: false, answers: null }, draw);

/**
 * The roll that may be shown: no secret, also in the game master's browser, and none of before that comes up again as a newer one is taken back.
 * Its time begins when it is said what it came to: a film takes nothing of it.
 * @param {{ state: State | null, ui: Ui }} known
 */
function shownRoll({ state, ui }) {
  const roll = state?.roll;
  if (!roll || roll.hidden || roll.at < seen.at) return null;
  const isPlaying = roll.id === seen.id && ui.stage !== "result";
  return isPlaying || now() - (roll.id === told.id ? told.at : roll.at) < asked.seconds ? roll : null;
}

/** Begin the moment of a new throw, or end that of one that is gone. @param {Roll | null} roll */
function notice(roll) {
  const key = roll ? keyOf(roll) : "";
  if (key === seen.key) return;
  const mark = roll ? `${roll.id} ${lastThrow(roll)}` : "";
  const isOther = mark !== seen.mark;
  const isNew = roll !== null && (isOther ? roll.id === seen.id || now() - roll.at < FRESH_S : store.ui.stage === "waiting");
  if (isOther) {
    stopFilm?.();
    stopFilm = null;
    Object.assign(store.ui, { stage: isNew && !isStill() ? "waiting" : "result", lands: false });
  }
  seen = { key, mark, id: roll?.id ?? "", at: roll?.at ?? seen.at };
  if (roll) learn(roll, isNew && !isStill());
}

/** Ask the table for the film of the throw, and for what the answers of a doubt would come to. @param {Roll} roll @param {boolean} plays */
async function learn(roll, plays) {
  const key = keyOf(roll);
  const found = await get(`/api/rolls/${encodeURIComponent(roll.id)}`).catch(() => null); // the result is shown without it
  if (key !== seen.key) return;
  store.set({ answers: { key, list: found?.answers ?? null } });
  if (!plays) return;
  const film = (shows("film") && found?.replay) || null;
  const sheet = film ? await loadSheet(film.sheet) : null;
  if (key !== seen.key) return;
  if (!film || !sheet) {
    tell();
    return;
  }
  store.set({ stage: "film" });
  await null; // until it is drawn
  const canvas = /** @type {HTMLCanvasElement | null} */ (document.getElementById("film"));
  if (canvas) stopFilm = playFilm(canvas, sheet, film, { view: viewOf(roll), across: roll.width, rate: asked.speed / 100, whenOver: hold });
}

function hold() {
  const waiting = setTimeout(tell, HOLD_MS);
  stopFilm = () => clearTimeout(waiting);
}

function tell() {
  told = { id: seen.id, at: now() };
  store.set({ stage: "result", lands: true });
}

/** Dice land one after the other; then it is said what they came to. */
function land() {
  const dice = [...document.querySelectorAll(".plate .die")];
  dice.forEach((die, n) => die.animate(LANDING, { ...MOVE, delay: LAND_MS * n }));
  const delay = LAND_MS * dice.length + MOVE.duration;
  for (const said of document.querySelectorAll(".said > :not(.for)")) said.animate([{ opacity: 0 }, {}], { ...MOVE, delay });
}

/** What is drawn of a roll: its film, the question, or its result. @param {Roll | null} roll @param {{ state: State | null, ui: Ui }} known */
function view(roll, { state, ui }) {
  if (!roll || ui.stage === "waiting") return nothing;
  const who = shows("who") && (roll.by || roll.label) ? html`<p class="for">${forWhom(roll)}</p>` : nothing;
  if (ui.stage === "film")
    return html`<div class="plate" data-theme="dark" data-stage="film"><div class="said" ?hidden=${who === nothing}>${who}</div><canvas id="film" aria-hidden="true"></canvas></div>`;
  const isAsked = isShort(roll) || doubtOf({ roll, question: state?.question ?? null }, ui) !== null;
  const dice = shows("dice") ? drawnDice(roll.dice, { asks: isAsked }) : nothing;
  if (isAsked)
    return html`<div class="plate" data-theme="dark" data-accent="doubt"><div class="said">${who}<p class="headline">${word(say("beingAsked"))}</p></div>${dice}</div>`;
  const settled = { ...roll, sure: true }; // a doubt is left only where every answer comes to the same
  const said = largest(settled);
  const beside = roll.awaits ? say("soFar") : said.beside;
  return html`<div class="plate" data-theme="dark" data-accent=${toneOf(settled)} data-moods=${moodsOf(roll).join(" ")}>
    <div class="said" ?hidden=${who === nothing && !["words", "symbols", "sentence"].some(shows)}>
      ${who}
      ${shows("words") ? html`<p class="headline">${word(said.text)}${beside ? word(beside, "second") : nothing}</p>` : nothing}
      ${shows("words") && roll.table ? html`<p class="sentence">${roll.row || say("tables.noRow", { name: roll.table })}</p>` : nothing}
      ${shows("symbols") ? marks(roll) : nothing}
      ${shows("sentence") ? html`<p class="sentence">${roll.sentence}</p>` : nothing}
    </div>
    ${dice}
  </div>`;
}

let fitted = "";

/** Draw the plate smaller where it is larger than the page. */
function fit() {
  const page = byId("overlay");
  const plate = /** @type {HTMLElement | null} */ (page.querySelector(".plate"));
  const key = plate ? `${innerWidth}x${innerHeight} ${plate.dataset.stage} ${plate.textContent} ${plate.querySelectorAll(".die").length}` : "";
  if (!plate || key === fitted) return;
  fitted = key;
  for (let share = 1; share > LEAST_FIT; share *= FIT_STEP) {
    document.body.style.setProperty("--fit", share.toFixed(3));
    if (plate.scrollWidth <= page.clientWidth && plate.scrollHeight <= page.clientHeight) return;
  }
}

/** @param {{ state: State | null, ui: Ui }} known */
function draw({ state, ui }) {
  const roll = shownRoll({ state, ui });
  notice(roll);
  render(view(roll, { state, ui }), byId("overlay"));
  fit();
  if (!ui.lands) return;
  ui.lands = false;
  if (!isStill()) land();
}

/** Put on what the address asks for, and say what is wrong with it. */
function dress() {
  const { style, dataset } = document.body;
  Object.assign(dataset, { at: asked.at, side: asked.side });
  dataset.motion = asked.motion;
  document.body.toggleAttribute("data-bare", asked.plate === "transparent");
  style.setProperty("--size", String(asked.size / 100));
  for (const name of COLOURS) if (asked[name]) style.setProperty(`--${name}-asked`, asked[name]);
  render(
    faults.map((fault) => html`<p>${fault}</p>`),
    byId("faults"),
  );
}

dress();
await untilFound(loadSets);
follow({
  whenState: (state) => {
    clockAhead = state.time - Date.now() / 1000;
    store.setState(state);
    document.body.dataset.ready = "";
  },
  whenPanel: () => {},
  whenLink: (found) => document.body.toggleAttribute("data-lost", !found),
});
addEventListener("resize", store.redraw);
document.fonts.ready.then(() => {
  fitted = "";
  store.redraw();
});
setInterval(store.redraw, TICK_MS);
