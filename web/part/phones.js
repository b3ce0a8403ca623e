// Letting phones in: the PIN with its code, which lasts while somebody shows it, and the phones that are in.

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { rememberHere } from "../memory.js";
import { say } from "../strings.js";
import { get, send, trySend } from "../talk.js";

const TICK_MS = 1_500;

/**
 * Show a PIN for phones of this role until the returned function is called; `whenTold` gets what the table says of it each time.
 * `role` is `"any"` where the first phone says whether it is the game master's.
 * @param {Told["OfferBody"]["role"]} role @param {(offer: Told["PairingOffer"] | null) => void} whenTold
 */
export function offerPhones(role, whenTold) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isOver = false;
  const follow = async () => {
    const now = await get(`/api/pairing?keep=1&role=${role}`).catch(() => null);
    if (isOver) return;
    if (now && !now.pin) await begin();
    else if (now) whenTold(now);
    timer = setTimeout(follow, TICK_MS);
  };
  const begin = async () => {
    const { found } = await trySend("/api/pairing", { role });
    if (!isOver) whenTold(found);
  };
  begin().then(() => (timer = setTimeout(follow, TICK_MS)));
  return () => {
    isOver = true;
    clearTimeout(timer); // the PIN ends by itself: another screen may show it, too
  };
}

/** The PIN in two groups. @param {string} pin */
export const pinWords = (pin) => `${pin.slice(0, 3)} ${pin.slice(3)}`;

/** The address without what a person need not type. @param {string} url */
export const addressWords = (url) => url.replace(/^https?:\/\//, "").replace(/\/pair$/, "");

/** The code that a phone's camera reads. @param {string[]} rows */
export function qrCode(rows) {
  const path = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)).join("");
  return html`<svg class="qr" viewBox=${`0 0 ${rows.length} ${rows.length}`} role="img" aria-label=${say("pair.code")} shape-rendering="crispEdges">
    ${svg`<rect width=${rows.length} height=${rows.length} fill="#ffffff"></rect><path d=${path} fill="#000000"></path>`}</svg>`;
}

/** What an unreachable table offers: to let phones in, at once. `whenTold` gets what the table says then; `isLit` where nothing else is. */
export function letInView(whenTold = (/** @type {Told["PairingOffer"]} */ _offer) => {}, isLit = true) {
  const letIn = async () => {
    const offer = await send("/api/pairing/open", {});
    if (offer) whenTold(offer);
  };
  return html`<p class="quiet">${say("pair.letInMore")}</p><button type="button" class=${isLit ? "surface primary" : "surface"} id="let-in" @click=${letIn}>${icon("wifi")}<b>${say("pair.letIn")}</b></button>`;
}

/** The code, the PIN and the address, or that this machine alone is listened to. @param {Told["PairingOffer"] | null} offer */
export function offerView(offer) {
  if (!offer) return nothing;
  if (!offer.reachable) return html`<div class="alone"><b>${say("pair.alone")}</b>${letInView()}</div>`;
  return html`<div class="offer">${offer.qr ? qrCode(offer.qr) : nothing}<div class="offer-words"><p class="quiet">${say("pair.scan")}</p><p class="address">${offer.url ? addressWords(offer.url) : nothing}</p>${offer.pin ? html`<p class="pin">${pinWords(offer.pin)}</p>` : nothing}</div></div>`;
}

/** Let a phone be the tray's camera: the table serves https from now on. Return what it says of the camera, or null. */
export const letCameraIn = () => send("/api/camera/secure", {});

/** The code that leads a phone to be the tray's camera. @param {Told["CameraNow"] | null} told */
export function cameraCode(told) {
  if (!told?.qr) return nothing;
  return html`<div class="host-code camera-code">${qrCode(told.qr)}<div><b>${say("cam.title")}</b><p class="quiet">${say("cam.scan")}</p></div></div>`;
}

/** Pair this browser itself as game master, and open its page. */
export async function showMasterHere(open = takeScreen) {
  const offer = await send("/api/pairing", { role: "gm" });
  const found = offer && (await send("/api/pair", { pin: offer.pin ?? "", name: "" }));
  if (found) open("/gm");
}

/** The page takes the place of the table's screen, which it leads back to. @param {string} address */
function takeScreen(address) {
  rememberHere("screen", true);
  location.assign(address);
}
