// The picture of the tray with every die outlined, numbered and named.

import { byId, el, svg, whenChanged } from "./dom.js";
import { dieIcon, dieLabel, faceShapes, typeTitle } from "./dice.js";
import { faceWords, words } from "./strings.js";

const SHAPE = 4 / 3; // width to height of the drawn part
const MANY_DICE = 4; // more than these are named by their symbols alone on a small screen

/** Draw the tray of `state`; `whenFind({ list, index })` is called when somebody taps one of its `dice` or `suspects`. */
export function showTray(state, whenFind) {
  const roll = state.roll;
  const shown = roll && [roll.id, roll.version, roll.picture, roll.dice, roll.suspects, state.question, setsMark];
  draw(shown, roll, state.question, whenFind);
}

let setsMark = 0;

/** Draw anew next time: the dice sets' names are known now. */
export function forgetTray() {
  setsMark += 1;
}

const draw = whenChanged((roll, question, whenFind) => {
  const tray = byId("tray");
  tray.replaceChildren();
  tray.hidden = !roll;
  if (!roll) return;
  tray.append(roll.picture ? picture(roll, question, whenFind) : el("p", { class: "no-picture", text: words.noPicture }));
  const list = el("ol", { id: "dice", "aria-label": words.dice });
  list.toggleAttribute("data-many", roll.dice.length > MANY_DICE);
  roll.dice.forEach((die, index) => list.append(el("li", {}, dieChip(die, index, whenFind))));
  tray.append(list);
  const asked = list.children[question];
  if (asked) requestAnimationFrame(() => bringIntoView(list, asked));
});

/** Scroll a list that is cut no farther than the row needs to be seen whole, and to the top of a row: none shows a sliver. */
function bringIntoView(list, row) {
  const end = row.offsetTop + row.offsetHeight;
  const first = [...list.children].find((one) => end - one.offsetTop <= list.clientHeight) ?? row;
  const wanted = first.offsetTop - list.offsetTop;
  const missing = wanted - (list.scrollHeight - list.clientHeight);
  if (missing > 0 && wanted > 0) list.style.paddingBottom = `${missing}px`; // the last rows do not fill it
  list.scrollTop = wanted;
}

function dieChip(die, index, whenFind) {
  const doubt = die.status !== "sure";
  const extra = [doubt && words[die.status], die.original && words.wasRead(faceWords(die.original.face))].filter(Boolean);
  const label = words.dieButton(index + 1, typeTitle(die.type), faceWords(die.face));
  return el(
    "button",
    {
      type: "button",
      class: "die",
      "data-status": die.status,
      "aria-label": [label, ...extra].join(" "),
      title: [dieLabel(die), ...extra].join(", "),
      onclick: () => whenFind({ list: "dice", index }),
    },
    el("span", { class: "number", text: doubt ? `${index + 1}?` : String(index + 1) }),
    dieIcon(die.type),
    el("span", { class: "label", text: dieLabel(die) }),
    faceShapes(die.type, die.face),
  );
}

function picture(roll, question, whenFind) {
  const view = viewOf(roll);
  const unit = view.width / 100;
  const drawing = svg(
    "svg",
    { class: "picture", viewBox: `${view.x} ${view.y} ${view.width} ${view.height}`, role: "img" },
    svg("title", { text: words.tray(roll.dice.length) }),
    photo(roll),
  );
  (roll.suspects ?? []).forEach((suspect, index) => {
    const group = svg("g", { class: "on-tray", onclick: () => whenFind({ list: "suspects", index }) });
    group.append(outline(suspect.outline, unit, { class: "outline suspect" }), badge(suspect, "?", unit, view, "suspect"));
    drawing.append(group);
  });
  roll.dice.forEach((die, index) => {
    if (!die.center) return;
    const group = svg("g", {
      class: "on-tray",
      "data-status": die.status,
      "data-question": index === question,
      onclick: () => whenFind({ list: "dice", index }),
    });
    group.append(
      outline(die.outline, unit, { class: "halo" }),
      outline(die.outline, unit, { class: "outline" }),
      badge(die, die.status === "sure" ? String(index + 1) : `${index + 1}?`, unit, view, die.status),
    );
    drawing.append(group);
  });
  return drawing;
}

const photo = (roll) => svg("image", { href: roll.picture, x: 0, y: 0, width: roll.width, height: roll.height });

function outline(points, unit, options) {
  const shape = svg("polygon", { ...options, points: points.map((point) => point.join(",")).join(" ") });
  shape.style.setProperty("--unit", `${unit}px`);
  return shape;
}

function badge(die, text, unit, view, status) {
  const radius = 3.4 * unit;
  const xs = die.outline.map((point) => point[0]);
  const ys = die.outline.map((point) => point[1]);
  const within = (value, low, size) => Math.min(Math.max(value, low + radius), low + size - radius);
  const x = within(xs.length ? Math.max(...xs) : die.center[0], view.x, view.width);
  const y = within(ys.length ? Math.min(...ys) : die.center[1], view.y, view.height);
  return svg(
    "g",
    { class: "badge", "data-status": status, transform: `translate(${x} ${y})` },
    svg("circle", { r: radius, "stroke-width": unit * 0.6 }),
    svg("text", { "font-size": radius * (text.length > 1 ? 1.15 : 1.4), "text-anchor": "middle", dy: "0.36em", text }),
  );
}

/** The part of the picture to show: all dice with some room, so that they are large on a small screen. */
function viewOf(roll) {
  const points = [...roll.dice, ...(roll.suspects ?? [])].flatMap((die) => die.outline ?? []);
  const whole = { x: 0, y: 0, width: roll.width, height: roll.height };
  if (points.length === 0) return whole;
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const room = 0.06 * roll.width;
  let width = Math.max(...xs) - Math.min(...xs) + 2 * room;
  let height = Math.max(...ys) - Math.min(...ys) + 2 * room;
  width = Math.min(roll.width, Math.max(width, height * SHAPE, 0.35 * roll.width));
  height = Math.min(roll.height, Math.max(height, width / SHAPE));
  const middle = (values) => (Math.max(...values) + Math.min(...values)) / 2;
  const start = (center, size, most) => Math.min(Math.max(center - size / 2, 0), most - size);
  return { x: start(middle(xs), width, roll.width), y: start(middle(ys), height, roll.height), width, height };
}

/** One find cut out of the picture and enlarged, or its drawing where there is no picture. */
export function dieCrop(roll, { list, index }) {
  const die = roll[list][index];
  if (!roll.picture || !die.center) return die.type ? dieIcon(die.type) : el("p", { class: "no-picture", text: words.noPicture });
  const points = die.outline.length ? die.outline : [die.center];
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 24) * 1.35;
  const x = (Math.max(...xs) + Math.min(...xs) - size) / 2;
  const y = (Math.max(...ys) + Math.min(...ys) - size) / 2;
  return svg(
    "svg",
    { class: "crop", viewBox: `${x} ${y} ${size} ${size}`, role: "img" },
    svg("title", { text: list === "dice" ? words.doubtPicture(index + 1) : words.suspectPicture }),
    photo(roll),
  );
}
