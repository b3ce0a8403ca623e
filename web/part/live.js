// The tray as it is now, while no roll is shown in its place: two pictures a second, and none while nobody sees the page.

import { html } from "../vendor/lit-html/lit-html.js";
import { say } from "../strings.js";
import { getPicture } from "../talk.js";

const EVERY_MS = 500;

/** Where the pictures are drawn; what lies below shows until the first one comes. */
export const liveOver = () => html`<canvas class="live" id="live" role="img" aria-label=${say("trayNow")}></canvas>`;

/** Return what draws the newest picture as long as the page has a place for it; call it after each drawing of the page. */
export function createLive() {
  let isLooking = false;

  async function look() {
    isLooking = true;
    for (let canvas = place(); canvas; canvas = place()) {
      await show(canvas);
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
    isLooking = false;
  }

  const follow = () => {
    if (!isLooking && place()) look();
  };
  document.addEventListener("visibilitychange", follow);
  return follow;
}

const place = () => (document.hidden ? null : /** @type {HTMLCanvasElement | null} */ (document.getElementById("live")));

/** @param {HTMLCanvasElement} canvas */
async function show(canvas) {
  const picture = await getPicture("/api/tray/picture").catch(() => undefined);
  if (picture === undefined) return; // the table is away: the last picture stays, and the page says so
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  canvas.toggleAttribute("data-shown", Boolean(picture));
  if (!picture) {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    return;
  }
  const { width, height } = picture;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  pen.drawImage(picture, 0, 0);
  picture.close();
}
