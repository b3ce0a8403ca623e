// Which dice are entered on the table's screen: what it waits for where it has no camera, else what somebody wants to enter.

import { createHand, forCall, forRest, forThrow, wasEntered } from "../part/hand.js";
import { NO_CAMERA } from "../part/tray.js";

const THROWS = new Set(["asked", "awaits", "waiting"]); // what is shown while dice are to be thrown

/** What had the focus is drawn no more: what stands in its place gets it, once it is drawn. @param {string} what */
const focusOn = (what) => setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector(what))?.focus());

/** The dice by hand of a screen: they stand in `ui.hand`. @param {Store<TableUi>} store */
export function createByHand(store) {
  let isOpen = false; // somebody wants to, also where a camera looks
  /** @type {Roll | WholeRoll | null} */
  let rest = null; // a roll that lacks dice

  const redraw = store.redraw;

  /** @param {{ state: Shown | null, ui: TableUi }} shown @param {string} kind */
  function wantedNow({ state, ui }, kind) {
    if (!state || !ui.mayChange || state.isPast) return null;
    const { roll } = state;
    if (rest && roll?.id === rest.id) return forRest(roll);
    const what = roll?.awaits ? forThrow(roll, roll.awaits) : forCall(state);
    return isOpen || (NO_CAMERA.has(state.phase) && THROWS.has(kind)) || wasEntered(what.key) ? what : null;
  }

  /** These dice are over. Where they were sent, those of the next throw may stand there already. */
  function over(/** @type {Hand | null} */ hand) {
    hand?.end();
    if (hand === store.ui.hand) isOpen = false;
    rest = null;
    redraw();
    focusOn("#by-hand");
  }

  const close = () => over(store.ui.hand);
  const isOpened = () => isOpen || rest !== null;
  document.addEventListener("keydown", ({ key }) => key === "Escape" && isOpened() && !document.querySelector("dialog[open]") && close());

  return {
    /** Whether somebody opened it, so that it can be closed. */
    isOpened,
    open() {
      isOpen = true;
      redraw();
      focusOn(".face-key");
    },
    addTo(/** @type {Roll | WholeRoll} */ roll) {
      rest = roll;
      redraw();
      focusOn(".face-key");
    },
    close,
    /** Have what is wanted while `kind` is shown; called before each drawing. */
    follow(/** @type {{ state: Shown | null, ui: TableUi }} */ shown, /** @type {string} */ kind) {
      const { ui } = store;
      let what = wantedNow(shown, kind);
      if (ui.hand ? ui.hand.follow(what) : !what) return;
      if (ui.hand) {
        ui.hand.end();
        isOpen = false; // what it was opened for is over
        what = wantedNow(shown, kind);
      }
      isOpen ||= what !== null && wasEntered(what.key);
      ui.hand = what && createHand({ ...what, games: () => ui.games, changed: redraw, done: over });
    },
  };
}
