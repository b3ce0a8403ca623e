// Lamps and push buttons drawn for a table without pins.

import { byId } from "./dom.js";
import { plainSaid } from "./said.js";
import { say } from "./strings.js";
import { send } from "./talk.js";
import { html, nothing, render, svg } from "./vendor/lit-html/lit-html.js";

const SHORTEST_PRESS_MS = 80; // a real finger is no quicker, and pins ignore chatter
/** @type {Map<string, ReturnType<typeof pushOf>>} */
const pushes = new Map();

/** Draw `panel`, or nothing where it has neither lamps nor buttons. @param {Told["Panel"]} panel */
export function showPanel(panel) {
  const section = byId("panel");
  section.hidden = panel.lamps.length === 0 && panel.buttons.length === 0;
  document.body.toggleAttribute("data-panel", !section.hidden);
  section.setAttribute("aria-label", say("panelTitle"));
  render(
    html`<div class="panel-head"><h2>${say("panelTitle")}</h2><p>${panel.mock ? say("panelHint") : say("panelHintReal")}</p></div>
    <ul class="lamps">${panel.lamps.map(lampShape)}</ul>
    <div class="pushes">${panel.mock ? panel.buttons.map(pushButton) : nothing}</div>
    <button type="button" class="close" aria-label=${say("close")} @click=${() => document.body.removeAttribute("data-panel-shown")}>×</button>`,
    section,
  );
}

/** @param {Told["LampShown"]} lamp */
function lampShape(lamp) {
  const name = lamp.name.replace(/^[a-z]+/, plainSaid); // "light 2"
  const level = Math.min(1, Math.max(0, lamp.value));
  const shape = (/** @type {string} */ part, fill = "", opacity = "") =>
    lamp.side === "dark"
      ? svg`<rect x="24" y="24" width="52" height="52" rx="10" class=${part} fill=${fill || nothing} fill-opacity=${opacity || nothing}></rect>`
      : svg`<circle cx="50" cy="50" r="28" class=${part} fill=${fill || nothing} fill-opacity=${opacity || nothing}></circle>`;
  return html`<li data-side=${lamp.side} title=${lamp.pin === undefined || lamp.pin === null ? nothing : `GPIO ${lamp.pin}`}>
    <svg viewBox="0 0 100 100" role="img" aria-label=${say("lamp", { name, percent: Math.round(100 * level) })} data-value=${level.toFixed(2)}>
      <circle cx="50" cy="50" r="48" class="glow" fill=${lamp.colour} fill-opacity=${(0.35 * level).toFixed(3)}></circle>${shape("lens")}${shape("lit", lamp.colour, level.toFixed(3))}</svg>
    <span class="name">${name}</span></li>`;
}

/** @param {Told["ButtonShown"]} button */
function pushButton({ name, label, pressed }) {
  const push = pushes.get(name) ?? pushOf(name);
  pushes.set(name, push);
  const { press, release, key } = push;
  return html`<button type="button" class="push" data-button=${name} data-pressed=${String(pressed)} @pointerdown=${press} @pointerup=${release} @pointercancel=${release} @lostpointercapture=${release} @blur=${release} @keydown=${key} @keyup=${key} @contextmenu=${(/** @type {Happened} */ event) => event.preventDefault()}><span class="cap"></span><span>${plainSaid(label)}</span></button>`;
}

/** What a finger or a key does to a button: it is told in order, and never shorter than a finger. @param {string} name */
function pushOf(name) {
  /** @type {number | null} */
  let pressedAt = null;
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();
  const tell = (/** @type {HTMLElement} */ face, /** @type {boolean} */ pressed) => {
    face.dataset.pressed = String(pressed); // until the table says so
    queue = queue.then(() => send(`/api/panel/buttons/${encodeURIComponent(name)}`, { pressed }));
  };
  const down = (/** @type {HTMLElement} */ face) => {
    if (pressedAt !== null) return;
    pressedAt = performance.now();
    tell(face, true);
  };
  const release = (/** @type {{ currentTarget: HTMLElement }} */ { currentTarget: face }) => {
    if (pressedAt === null) return;
    const held = performance.now() - pressedAt;
    pressedAt = null;
    setTimeout(() => tell(face, false), Math.max(0, SHORTEST_PRESS_MS - held));
  };
  return {
    press(/** @type {PointerEvent & { currentTarget: HTMLElement }} */ event) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      down(event.currentTarget);
    },
    release,
    key(/** @type {KeyboardEvent & { currentTarget: HTMLElement }} */ event) {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (event.type === "keydown") down(event.currentTarget);
      else release(event);
    },
  };
}
