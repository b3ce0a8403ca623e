// How the picture stands on this screen: turned, or twice for a screen that lies flat between two sides.
//
// The page shows itself in frames that are turned. In a frame everything is upright and measures its own size, so
// that no style needs to know of turning.

import { recall, remember } from "./memory.js";
import { html, render } from "./vendor/lit-html/lit-html.js";

const asked = new URLSearchParams(location.search);

/** Whether this page is a frame of another one. */
const isFrame = asked.has("frame");
/** Whether this page is one half of a two-sided screen. */
export const isHalf = asked.get("frame") === "half";

export const turn = () => Number(asked.get("turn") ?? recall("turn") ?? 0);
export const isMirrored = () => (asked.get("mirror") ?? recall("mirror")) === "1";

/**
 * Turn by 0, 90, 180 or 270 degrees, one- or two-sided, from now on.
 * @param {number} degrees @param {boolean} mirrored
 */
export function chooseTurn(degrees, mirrored) {
  remember("turn", degrees ? String(degrees) : null);
  remember("mirror", mirrored ? "1" : null);
  (top ?? window).location.assign("/");
}

/** A television is read from four metres, until somebody chooses; what is read one below the other has no room for it. */
const isWide = matchMedia("(min-width: 1600px)");
const isTall = matchMedia("(orientation: portrait)");

/** From how many metres this screen is read: "2" or "4". */
export const metres = () => recall("metres") ?? (isWide.matches ? "4" : "2");

/** @param {string} chosen */
export function chooseMetres(chosen) {
  remember("metres", chosen);
  applyMetres();
}

function applyMetres() {
  document.documentElement.toggleAttribute("data-far", metres() === "4" && !isTall.matches && !isHalf);
}

/** Let letters and dice be as large as the distance asks, from now on. */
export function startMetres() {
  for (const one of [isWide, isTall]) one.addEventListener("change", applyMetres);
  addEventListener("storage", applyMetres);
  applyMetres();
}

/** Put turned frames in place of the page where that is wanted; tell whether it was. */
export function frameIfTurned() {
  if (isFrame || (!turn() && !isMirrored())) return false;
  const lang = asked.get("lang");
  /** @param {string} kind */
  const view = (kind) => html`<iframe src=${`/?frame=${kind}${lang ? `&lang=${encodeURIComponent(lang)}` : ""}`} title=${document.title}></iframe>`;
  document.body.dataset.turn = String(turn());
  document.body.toggleAttribute("data-mirror", isMirrored());
  document.body.replaceChildren();
  render(html`<main class="frames">${isMirrored() ? [view("half"), view("half")] : view("whole")}</main>`, document.body);
  return true;
}
