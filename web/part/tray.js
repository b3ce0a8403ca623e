// The picture of the tray: it zooms to the dice, outlines them thinly and rings the one in question. It never disappears.

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { dieType } from "../dice.js";
import { say } from "../strings.js";

const SHAPE = 4 / 3;
const ROOM_PX = 70;
const MOST_ZOOM = 2.5;
export const NO_CAMERA = new Set(["by_hand", "no_camera"]);

/**
 * The tray with the roll's dice; `whole` shows all of it. `find` is what is in question, `act.find` is called with what is tapped.
 * `over` is drawn over the picture.
 * @param {Roll | WholeRoll | null} roll
 * @param {{ find?: Find | null, whole?: boolean, isHidden?: boolean, over?: Drawing, act: { find: (find: Find) => void } }} options
 */
export function trayView(roll, { find = null, whole = false, isHidden = false, over = nothing, act }) {
  if (isHidden) return html`<div id="tray" class="tray blurred"></div>`;
  if (!roll?.picture) return html`<div id="tray" class="tray bare"><p>${whole ? "" : say("emptyTray")}</p>${over}</div>`;
  const view = whole ? { x: 0, y: 0, width: roll.width, height: roll.height } : viewOf(roll);
  const unit = view.width / 100;
  const asked = (/** @type {string} */ list, /** @type {number} */ index) => find?.list === list && find.index === index;
  return html`<div id="tray" class="tray">
    <svg class="picture" viewBox=${`${view.x} ${view.y} ${view.width} ${view.height}`} preserveAspectRatio="xMidYMid slice" role="img" aria-label=${say("tray", { n: roll.dice.length })}>
      ${picture(roll)}
      ${whole ? nothing : roll.suspects.map((one, index) => outlined(one, "suspects", index, asked("suspects", index), unit, act))}
      ${whole ? nothing : roll.dice.map((one, index) => (one.outline?.length ? outlined(one, "dice", index, asked("dice", index), unit, act) : nothing))}
    </svg>${over}
  </div>`;
}

/** The picture of a roll. Nothing is drawn where it is no longer there, in place of the browser's sign for a broken one. @param {Pick<Roll, "picture" | "width" | "height">} roll */
function picture(roll) {
  const gone = (/** @type {boolean} */ isGone) => (/** @type {Happened} */ event) => event.target.toggleAttribute("data-gone", isGone);
  return svg`<image href=${roll.picture} x="0" y="0" width=${roll.width} height=${roll.height} @load=${gone(false)} @error=${gone(true)}></image>`;
}

/** @param {Lying} one @param {Find["list"]} list @param {number} index @param {boolean} isAsked @param {number} unit @param {{ find: (find: Find) => void }} act */
function outlined(one, list, index, isAsked, unit, act) {
  const status = one.status ?? "suspect";
  const width = (isAsked ? 0.8 : 0.35) * unit;
  const corners = one.outline.map((corner) => corner.join(",")).join(" ");
  return svg`<polygon class="outline" aria-hidden="true" data-status=${status} ?data-question=${isAsked} points=${corners} stroke-width=${width} stroke-dasharray=${status === "sure" || isAsked ? nothing : `${1.2 * unit} ${0.8 * unit}`} @click=${() => act.find({ list, index })}></polygon>`;
}

/** The part of the picture that holds all finds, in the shape of the view. @param {Roll | WholeRoll} roll @returns {View} */
export function viewOf(roll) {
  const corners = [...roll.dice, ...roll.suspects].flatMap((one) => one.outline ?? []);
  if (corners.length === 0) return { x: 0, y: 0, width: roll.width, height: roll.height };
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  const room = (ROOM_PX * roll.width) / 1280;
  const wide = Math.max(...xs) - Math.min(...xs) + 2 * room;
  const high = Math.max(...ys) - Math.min(...ys) + 2 * room;
  const width = Math.min(roll.width, Math.max(wide, high * SHAPE, roll.width / MOST_ZOOM));
  const height = Math.min(roll.height, width / SHAPE);
  const start = (/** @type {number[]} */ values, /** @type {number} */ size, /** @type {number} */ most) =>
    Math.min(Math.max((Math.max(...values) + Math.min(...values) - size) / 2, 0), Math.max(0, most - size));
  return { x: start(xs, width, roll.width), y: start(ys, height, roll.height), width, height };
}

/** One find enlarged. @param {Pick<Roll, "dice" | "suspects" | "picture" | "width" | "height">} roll @param {Find} find */
export function crop(roll, { list, index }) {
  /** @type {Lying} */
  const one = roll[list][index];
  if (!roll.picture || !one.center) return html`<div class="crop drawn-crop">${one.type ? die(dieType(one.type), null) : nothing}</div>`;
  const corners = one.outline.length ? one.outline : [one.center];
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 24) * 1.35;
  const x = (Math.max(...xs) + Math.min(...xs) - size) / 2;
  const y = (Math.max(...ys) + Math.min(...ys) - size) / 2;
  return html`<svg class="crop" viewBox=${`${x} ${y} ${size} ${size}`} preserveAspectRatio="xMidYMid meet" role="img" aria-label=${list === "dice" ? say("doubtPicture", { n: index + 1 }) : say("suspectPicture")}>
    ${picture(roll)}
  </svg>`;
}
