// What moves and sounds when a result comes: dice land, symbols count up, the edge shines, the film of the throw plays.
// A moment hides nothing and delays nothing: a tap anywhere ends it, and so does whatever the table says next.

import { loadSheet, playFilm } from "./part/replay.js";
import { viewOf } from "./part/tray.js";
import { OF_MOOD, thud, tick, tickAgain } from "./sound.js";
import { keyOf, shownOf } from "./table/kind.js";
import { moodsOf, throwsAgain } from "./table/mood.js";

export const FRESH_S = 10; // an older result has had its moment, here or on another screen
const LAND_MS = 40;
/** @type {{ duration: number, easing: string, fill: FillMode }} */
export const MOVE = { duration: 180, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" };
export const LANDING = [{ opacity: 0, transform: "translateY(-1rem) scale(1.2)" }, {}]; // of a die
const COUNT_MS = 400;
const MOMENT_MS = 1200;
const BOTH_MS = 800;
const DIM_MS = 400;
const HOP_MS = 400;
const OUTLINE_MS = 120;
const PULSE_MS = 300;
const MOST_STEPS = 8; // of a count: a higher one goes up by more than one at a time

export const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** What of the page's own state the moments change. */
/** @type {{ shining: string[], star: string | null, counted: number, isHopping: boolean, isPlaying: boolean }} */
export const NO_MOMENT = { shining: [], star: null, counted: 1, isHopping: false, isPlaying: false };

/** Follow a page: call `follow(kind)` after each drawing. `now()` is the table's clock in seconds. @param {Store<TableUi>} store @param {() => number} now */
export function createMoments(store, now) {
  /** @type {number[]} */
  let timers = [];
  /** @type {Animation[]} */
  let motions = [];
  /** @type {(() => void) | null} */
  let stopFilm = null;
  let seen = { key: "", id: "" }; // the roll and the kind of the last drawing
  /** @type {{ throw: string, moods: string[], blows: number }} */
  let greeted = { throw: "", moods: [], blows: 0 }; // the throw that had its moment, which moods it had, and its blows
  let isBusy = false; // the edge shines, and the film waits
  let isDue = false; // the film is to play by itself
  let ended = 0; // so many moments ended: a film that still loads belongs to one of them

  const later = (/** @type {number} */ ms, /** @type {() => void} */ act) => timers.push(setTimeout(act, ms));

  function end() {
    ended += 1;
    timers.forEach((timer) => clearTimeout(timer));
    motions.forEach((motion) => motion.cancel());
    stopFilm?.();
    [timers, motions, stopFilm, isBusy, isDue] = [[], [], null, false, false];
    const { shining, star, counted, isHopping, isPlaying } = store.ui;
    if (JSON.stringify({ shining, star, counted, isHopping, isPlaying }) !== JSON.stringify(NO_MOMENT)) store.set(NO_MOMENT);
  }

  /** @param {string} selector @param {Keyframe[]} frames @param {KeyframeAnimationOptions & { delay?: number, apart?: number }} [options] */
  function move(selector, frames, options = {}) {
    const nodes = [...document.querySelectorAll(selector)];
    motions.push(...nodes.map((node, n) => node.animate(frames, { ...MOVE, ...options, delay: (options.delay ?? 0) + (options.apart ?? 0) * n })));
  }

  /** Dice land and symbols count up. @param {Roll | WholeRoll} roll */
  function land(roll) {
    const dice = document.querySelectorAll("#dice .die").length;
    for (let n = 0; n < dice; n += 1) tick((n * LAND_MS) / 1000);
    if (stillness.matches) return;
    move("#dice .die", LANDING, { apart: LAND_MS });
    move(".outline", [{ opacity: 0 }, {}], { duration: OUTLINE_MS });
    count(Math.max(0, ...Object.values(roll.net)));
    isDue = true;
  }

  function count(/** @type {number} */ most) {
    const steps = Math.min(most, MOST_STEPS);
    if (steps < 2) return;
    store.set({ counted: 1 / steps });
    for (let n = 2; n <= steps; n += 1) later((COUNT_MS * (n - 1)) / (steps - 1), () => store.set({ counted: n / steps }));
  }

  /** Show the moods one after the other. With despair the page dims. @param {string[]} moods @param {Roll | WholeRoll} roll */
  function shine(moods, roll) {
    const each = moods.length > 1 ? BOTH_MS : MOMENT_MS;
    isBusy = moods.length > 0 && !stillness.matches;
    moods.forEach((mood, n) =>
      later(n * each, () => {
        OF_MOOD[mood]?.();
        if (stillness.matches) return;
        store.set({ shining: moods.slice(0, n + 1), star: mood });
        if (mood === "despair") move("#veil", [{ opacity: 0 }, { opacity: 0.2, offset: 0.3 }, { opacity: 0 }], { duration: DIM_MS, easing: "linear" });
      }),
    );
    if (moods.at(-1) === "despair" && !stillness.matches) {
      // the symbol lands last and heavily
      move(`#net [data-symbol="${CSS.escape(roll.moods.despair)}"], .second[data-tone="despair"]`, [{ opacity: 0, transform: "scale(1.3)" }, {}], {
        delay: Math.max(COUNT_MS, (moods.length - 1) * each),
      });
    }
    later(moods.length * each, () => {
      isBusy = false;
      store.set({ shining: [], star: null });
    });
  }

  /** A die that is thrown once more hops, and leaves a copy behind. @param {Roll | WholeRoll} roll */
  function hop(roll) {
    tickAgain(lastThrow(roll));
    if (stillness.matches) return;
    store.set({ isHopping: true });
    later(HOP_MS, () => store.set({ isHopping: false }));
    move("#next", [{ opacity: 0, transform: "translateX(1.5rem)" }, {}]);
  }

  /** What was applied took somebody to the limit: a critical hit, a figure that falls, a ship that is destroyed. */
  function strike() {
    thud();
    if (!stillness.matches) move("#headline", [{}, { transform: "scale(1.05)", offset: 0.3 }, {}], { duration: PULSE_MS });
  }

  /** Play the film of the roll that is shown. */
  async function play() {
    const { roll } = shownOf(store.state, store.ui);
    const film = roll && filmOf(store.ui, roll);
    isDue = false;
    const mine = ended;
    const sheet = film && (await loadSheet(film.sheet));
    if (!sheet || mine !== ended) return;
    store.set({ isPlaying: true });
    await null; // until it is drawn
    const canvas = /** @type {HTMLCanvasElement | null} */ (document.getElementById("film"));
    const whenOver = () => store.set({ isPlaying: false });
    if (canvas) stopFilm = playFilm(canvas, sheet, film, { view: viewOf(roll), across: roll.width, whenOver });
  }

  function follow(/** @type {string} */ kind) {
    const roll = shownOf(store.state, store.ui)?.roll ?? null;
    const key = `${kind} ${roll ? keyOf(roll) : ""}`;
    if (key !== seen.key) {
      const isNew = roll && (roll.id === seen.id || now() - roll.at < FRESH_S);
      seen = { key, id: roll?.id ?? "" };
      end();
      if (isNew) greet(kind, roll);
    }
    if (isDue && !isBusy && filmOf(store.ui, roll)) play();
  }

  /** @param {string} shown @param {Roll | WholeRoll} roll */
  function greet(shown, roll) {
    const kind = shown === "fallen" ? "result" : shown; // the roll that felled somebody is still the one of before
    const mark = `${roll.id} ${lastThrow(roll)} ${kind}`;
    const isFirst = mark !== greeted.throw;
    if (kind === "awaits" && throwsAgain(roll) && isFirst) {
      greeted = { throw: mark, moods: [], blows: 0 };
      hop(roll);
    }
    if (kind !== "result") return;
    const moods = moodsOf(roll);
    const more = isFirst ? moods : moods.filter((mood) => !greeted.moods.includes(mood)); // a correction may bring one
    const blows = (roll.applied ?? []).filter((one) => one.follows.length > 0).length; // took somebody to the limit
    if (!isFirst && blows > greeted.blows) strike();
    greeted = { throw: mark, moods, blows };
    if (isFirst) land(roll);
    if (more.length > 0) shine(more, roll);
  }

  addEventListener("pointerdown", end, { capture: true, passive: true });
  return { follow, play };
}

/** The newest throw that dice of a roll belong to, from 0. @param {Pick<Roll, "dice">} roll */
export const lastThrow = (roll) => Math.max(0, ...roll.dice.map((one) => one.throw ?? 0));

/** The film of the roll that is shown, or null. @param {TableUi} ui @param {Roll | WholeRoll | null} roll */
export const filmOf = (ui, roll) => (roll && ui.film?.id === roll.id ? ui.film.replay : null);
