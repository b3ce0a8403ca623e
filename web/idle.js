// A screen that nobody uses: dark, one small line that keeps changing its place, so that nothing burns in.

import { byId } from "./dom.js";
import { say } from "./strings.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

const asked = Number(new URLSearchParams(location.search).get("idle"));
const IDLE_MS = asked > 0 ? asked * 1000 : 10 * 60_000;
const MOVE_MS = asked > 0 ? 500 : 60_000;
const SHIFT_MS = 60_000;
const POINTER_MS = 3000;
const RELOAD_MS = 6 * 3_600_000; // browsers that run for weeks leak; nobody looks now

let used = performance.now();
let line = "";

/** Something happened: the screen is in use. */
export function wake() {
  used = performance.now();
  if (document.body.hasAttribute("data-idle")) {
    document.body.removeAttribute("data-idle");
    render(nothing, byId("idle"));
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hides;

/** Show the pointer of a mouse, until it rests. */
function showPointer() {
  document.body.removeAttribute("data-no-pointer");
  clearTimeout(hides);
  hides = setTimeout(() => document.body.setAttribute("data-no-pointer", ""), POINTER_MS);
}

/** Say what the idle screen tells: the pool, in words. @param {State} state */
export function idleLine(state) {
  line = say("idleMore", { pool: state.destiny_names.pool, light: state.destiny.light, dark: state.destiny.dark });
}

/** Watch for a screen that is not used. */
export function startIdle() {
  for (const kind of ["pointerdown", "keydown", "pointermove"]) addEventListener(kind, wake, { passive: true });
  addEventListener("pointermove", showPointer, { passive: true });
  showPointer();
  setInterval(() => {
    if (performance.now() - used < IDLE_MS) return;
    if (performance.now() > RELOAD_MS && navigator.onLine && !document.body.hasAttribute("data-lost")) location.reload();
    document.body.setAttribute("data-idle", "");
    render(html`<p><b>tableside</b><span>${line}</span></p>`, byId("idle"));
    const note = /** @type {HTMLElement} */ (byId("idle").querySelector("p"));
    note.style.setProperty("--x", `${Math.round(5 + Math.random() * 50)}%`);
    note.style.setProperty("--y", `${Math.round(5 + Math.random() * 75)}%`);
  }, MOVE_MS);
  let step = 0;
  setInterval(() => {
    // while it is used the picture wanders by a pixel or two, which nobody sees
    step = (step + 1) % 4;
    document.body.style.setProperty("--shift-x", `${[0, 2, 2, 0][step]}px`);
    document.body.style.setProperty("--shift-y", `${[0, 0, 2, 2][step]}px`);
  }, SHIFT_MS);
}
