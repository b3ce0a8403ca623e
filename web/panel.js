// Lamps and push buttons drawn for a table without pins.

import { byId, el, svg } from "./dom.js";
import { plainSaid } from "./said.js";
import { say } from "./strings.js";
import { send } from "./talk.js";

const SHORTEST_PRESS_MS = 80; // a real finger is no quicker, and pins ignore chatter
let shown = "";
let lamps = new Map();
let buttons = new Map();

/** Draw `panel`, or nothing where it has neither lamps nor buttons. */
export function showPanel(panel) {
  const section = byId("panel");
  section.hidden = panel.lamps.length === 0 && panel.buttons.length === 0;
  document.body.toggleAttribute("data-panel", !section.hidden);
  const layout = JSON.stringify([panel.lamps.map((lamp) => lamp.name), panel.buttons.map((button) => button.name), panel.mock]);
  if (layout !== shown) build(section, panel);
  shown = layout;
  for (const lamp of panel.lamps) lamps.get(lamp.name)?.(lamp);
  for (const button of panel.buttons) buttons.get(button.name)?.setAttribute("data-pressed", String(button.pressed));
}

function build(section, panel) {
  lamps = new Map();
  buttons = new Map();
  section.setAttribute("aria-label", say("panelTitle"));
  section.replaceChildren(
    el("div", { class: "panel-head" }, el("h2", { text: say("panelTitle") }), el("p", { text: panel.mock ? say("panelHint") : say("panelHintReal") })),
    el("ul", { class: "lamps" }, ...panel.lamps.map(buildLamp)),
    el("div", { class: "pushes" }, ...(panel.mock ? panel.buttons.map(buildButton) : [])),
    el("button", { type: "button", class: "close", "aria-label": say("close"), text: "×", onclick: () => document.body.removeAttribute("data-panel-shown") }),
  );
}

function buildLamp(lamp) {
  const shape =
    lamp.side === "dark"
      ? svg("rect", { x: 24, y: 24, width: 52, height: 52, rx: 10, class: "lens" })
      : svg("circle", { cx: 50, cy: 50, r: 28, class: "lens" });
  const lit = shape.cloneNode();
  lit.setAttribute("class", "lit");
  const glow = svg("circle", { cx: 50, cy: 50, r: 48, class: "glow" });
  const name = lamp.name.replace(/^[a-z]+/, plainSaid); // "light 2"
  const label = el("span", { class: "name", text: name });
  const picture = svg("svg", { viewBox: "0 0 100 100", role: "img" }, glow, shape, lit);
  lamps.set(lamp.name, ({ value, colour }) => {
    const level = Math.min(1, Math.max(0, value));
    lit.setAttribute("fill", colour);
    lit.setAttribute("fill-opacity", level.toFixed(3));
    glow.setAttribute("fill", colour);
    glow.setAttribute("fill-opacity", (0.35 * level).toFixed(3));
    picture.setAttribute("aria-label", say("lamp", { name, percent: Math.round(100 * level) }));
    picture.dataset.value = level.toFixed(2);
  });
  return el("li", { "data-side": lamp.side, title: lamp.pin === undefined || lamp.pin === null ? null : `GPIO ${lamp.pin}` }, picture, label);
}

function buildButton(button) {
  const face = el(
    "button",
    { type: "button", class: "push", "data-button": button.name },
    el("span", { class: "cap" }),
    el("span", { text: plainSaid(button.label) }),
  );
  buttons.set(button.name, face);
  let pressedAt = null;
  let queue = Promise.resolve();
  const tell = (pressed) => {
    queue = queue.then(() => send(`/api/panel/buttons/${encodeURIComponent(button.name)}`, { pressed }));
  };
  const press = () => {
    if (pressedAt !== null) return;
    pressedAt = performance.now();
    face.dataset.pressed = "true";
    tell(true);
  };
  const release = () => {
    if (pressedAt === null) return;
    const held = performance.now() - pressedAt;
    pressedAt = null;
    setTimeout(
      () => {
        face.dataset.pressed = "false";
        tell(false);
      },
      Math.max(0, SHORTEST_PRESS_MS - held),
    );
  };
  const isKey = (event) => event.key === " " || event.key === "Enter";
  face.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    face.setPointerCapture(event.pointerId);
    press();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) face.addEventListener(end, release);
  face.addEventListener("contextmenu", (event) => event.preventDefault());
  face.addEventListener("keydown", (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    press();
  });
  face.addEventListener("keyup", (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    release();
  });
  return face;
}
