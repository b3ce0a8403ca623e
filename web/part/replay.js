// The film of a throw, over the picture of the tray.

import { html } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { say } from "../strings.js";

/** @type {Record<string, number[]>} */
const CORNERS = { "top left": [0, 0], "top right": [1, 0], "bottom left": [0, 1], "bottom right": [1, 1] };
const ZOOM_FROM = 0.6; // of the film: until then it shows the whole tray

/** The button that plays it, or the canvas while it plays. `view` is the part of the tray that is shown. @param {Roll | WholeRoll} roll @param {View} view @param {{ isPlaying: boolean, act: TableAct }} what */
export function replayOver(roll, view, { isPlaying, act }) {
  return isPlaying
    ? html`<canvas class="film" id="film" aria-hidden="true"></canvas>`
    : html`<button type="button" class="replay" id="replay" data-corner=${freeCorner(roll, view)} aria-label=${say("replay")} title=${say("replay")} @click=${act.replay}>${icon("play")}</button>`;
}

/** The corner of the view farthest from all dice. @param {Roll | WholeRoll} roll @param {View} view */
function freeCorner(roll, view) {
  const middles = roll.dice.flatMap((one) => (one.center ? [one.center] : []));
  const room = (/** @type {number[]} */ [x, y]) => Math.min(...middles.map(([a, b]) => Math.hypot(view.x + x * view.width - a, view.y + y * view.height - b)));
  return Object.keys(CORNERS).reduce((best, name) => (room(CORNERS[name]) > room(CORNERS[best]) ? name : best), "bottom left");
}

/** Load the sheet of a film. Resolves to its picture, or null where it is gone. @param {string} address */
export async function loadSheet(address) {
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
    return picture;
  } catch {
    return null;
  }
}

/**
 * Draw a film on a canvas: first the whole tray, then it closes in on `view`, which is a part of a picture `across` pixels wide.
 * At `rate` 0.5 it takes twice its time. `whenOver` is called at its end. Return what stops it.
 * @param {HTMLCanvasElement} canvas @param {HTMLImageElement} sheet @param {Film} film @param {{ view: View, across: number, rate?: number, whenOver: () => void }} how
 */
export function playFilm(canvas, sheet, { times, width, height, columns }, { view, across, rate = 1, whenOver }) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  canvas.width = width;
  canvas.height = height;
  const last = times[times.length - 1];
  const step = last / (times.length - 1);
  const seconds = last + step;
  /** @type {number | null} */
  let began = null;
  let next = 0;
  const draw = (/** @type {number} */ now) => {
    began ??= now;
    const at = ((now - began) / 1000) * rate;
    if (at >= seconds) {
      whenOver();
      return;
    }
    const n = times.filter((time) => time <= at).length - 1;
    const share = Math.max(0, at / seconds - ZOOM_FROM) / (1 - ZOOM_FROM);
    const to = (/** @type {number} */ from, /** @type {number} */ size) => from + ((size * width) / across - from) * share * share * (3 - 2 * share);
    const part = { x: to(0, view.x), y: to(0, view.y), width: to(width, view.width), height: to(height, view.height) };
    pen.drawImage(sheet, width * (n % columns) + part.x, height * Math.floor(n / columns) + part.y, part.width, part.height, 0, 0, width, height);
    canvas.dataset.picture = String(n);
    next = requestAnimationFrame(draw);
  };
  next = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(next);
}
