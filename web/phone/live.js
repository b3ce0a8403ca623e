// The live picture of a photograph: outlines as dice are found, the shutter, a picture from the gallery, and the lamp.

import { icon } from "../draw/icon.js";
import { openLens } from "../lens.js";
import { closeSheet, openPage } from "../part/sheet.js";
import { say } from "../strings.js";
import { lookAt } from "../talk.js";
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

const MOST_PX = 2048; // the table reads no better from more
const QUALITY = 0.9;
const LOOK_PX = 960;
const LOOK_QUALITY = 0.75;
const LEAST_PAUSE_MS = 250; // between two looks; never less than the last one took, so that the table reads half of the time at most

/**
 * Show what this device's camera sees until a photograph is taken. `forWhom` stands below the shutter. `take` is given the photograph of what
 * was in sight, and resolves to whether that is all.
 * @param {{ forWhom: string, take: (photograph: Blob) => Promise<unknown> }} how
 */
export async function livePicture({ forWhom, take }) {
  /** @type {{ error: Fault | null, reading: Told["PictureRead"] | null, isTaking: boolean, lamp: boolean | null }} */
  const seen = { error: null, reading: null, isTaking: false, lamp: null };
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  /** @type {MediaStream | null} */
  let stream = null;
  /** @type {import("../layers.js").Layer | null} */
  let layer = null;
  const isHere = () => Boolean(layer?.isOpen());
  const video = () => /** @type {HTMLVideoElement} */ (sheet.querySelector(".live-picture video"));
  const set = (/** @type {Partial<typeof seen>} */ part) => {
    Object.assign(seen, part);
    if (isHere()) draw();
  };

  draw();
  const opened = await openLens({ width: { ideal: 2560 }, height: { ideal: 1920 } });
  if (!isHere()) return stop(opened.stream);
  if (opened.error) return set({ error: { what: opened.error.what, hint: say("photo.appHint") } });
  stream = opened.stream;
  const [track] = stream.getVideoTracks();
  track.addEventListener("ended", () => set({ error: { what: say("cam.taken"), hint: say("photo.appHint") } }));
  if (/** @type {any} */ (track.getCapabilities?.() ?? {}).torch) set({ lamp: false });
  video().srcObject = stream;
  video().addEventListener("resize", () => set({ reading: null })); // the phone was turned
  await video()
    .play()
    .catch(() => null);
  look();

  async function look() {
    while (isHere()) {
      const began = performance.now();
      if (!seen.isTaking && !document.hidden) {
        const picture = await shown(video(), LOOK_PX, LOOK_QUALITY);
        const reading = picture && (await lookAt(picture));
        if (reading && !seen.isTaking) set({ reading });
      }
      await new Promise((go) => setTimeout(go, Math.max(LEAST_PAUSE_MS, performance.now() - began)));
    }
    stop(stream);
  }

  async function shutter() {
    const picture = await shown(video(), MOST_PX, QUALITY);
    if (picture) await hand(picture);
  }

  /** @param {Blob} picture */
  async function hand(picture) {
    video().pause();
    set({ isTaking: true });
    const isDone = await take(picture);
    if (!isHere()) return;
    if (isDone) return closeSheet();
    await video()
      .play()
      .catch(() => null);
    set({ isTaking: false, reading: null });
  }

  async function turnLamp() {
    const lamp = !seen.lamp;
    await stream?.getVideoTracks()[0].applyConstraints({ advanced: [/** @type {MediaTrackConstraintSet} */ ({ torch: lamp })] });
    set({ lamp });
  }

  function draw() {
    const { error, reading, isTaking, lamp } = seen;
    const count = reading?.dice.length ?? 0;
    const words = isTaking ? say("photo.sending") : reading ? (count > 0 ? say("photo.seen", { n: count }) : say("photo.noneSeen")) : say("photo.looking");
    layer = openPage(
      say("photo.take"),
      html`<div class="live-picture"><video playsinline muted aria-hidden="true"></video>${
        reading
          ? html`<svg viewBox=${`0 0 ${reading.width} ${reading.height}`} preserveAspectRatio="none" aria-hidden="true">${[...reading.dice, ...reading.suspects].map((one) => outline(one))}</svg>`
          : nothing
      }</div>
      ${error ? html`<p class="live-seen" data-tone="doubt" role="status"><span><b>${error.what}</b><br>${error.hint}</span></p>` : html`<p class="live-seen" role="status" data-tone=${count > 0 ? "good" : "doubt"}>${count > 0 && !isTaking ? icon("circle-check") : nothing}<span>${words}</span></p>`}
      ${
        error
          ? html`<label class="file-button large">${icon("camera")} ${say("photo.app")}${fileInput("photo-file", hand, { isApp: true, isOff: isTaking })}</label>`
          : html`<div class="live-acts"><label class="icon-button file-button" title=${say("photo.gallery")}>${icon("image")}<span class="hidden">${say("photo.gallery")}</span>${fileInput("photo-file", hand, { isApp: false, isOff: isTaking })}</label>
        <button type="button" id="shutter" aria-label=${say("photo.shutter")} ?disabled=${isTaking || !stream} @click=${shutter}></button>
        ${lamp === null ? html`<span></span>` : html`<button type="button" class="icon-button" id="lamp" aria-label=${say("photo.lamp")} aria-pressed=${String(lamp)} @click=${turnLamp}>${icon("lightbulb")}</button>`}</div>`
      }
      <p class="live-for">${forWhom}</p>`,
      { name: "live", look: "picture", whenEnded: () => stop(stream) },
    );
  }
}

/** Where a photograph is chosen; `isApp`: the phone's own camera app opens. `whenChosen` is given it as a JPEG. @param {string} id @param {(photograph: Blob) => unknown} whenChosen @param {{ isApp: boolean, isOff?: boolean }} how */
export const fileInput = (id, whenChosen, { isApp, isOff = false }) =>
  html`<input type="file" id=${id} accept="image/*" capture=${isApp ? "environment" : nothing} ?disabled=${isOff} @change=${async (
    /** @type {Happened} */ { target },
  ) => {
    const [file] = target.files ?? [];
    target.value = ""; // the same photograph may be chosen once more
    if (file) whenChosen(await scaled(file));
  }}>`;

/** The photograph as a JPEG of at most 2,048 px; as it is where this browser cannot show it. @param {File} file @returns {Promise<Blob>} */
async function scaled(file) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MOST_PX / Math.max(picture.width, picture.height));
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", QUALITY));
  } catch {
    return file;
  }
}

const outline = (/** @type {Pick<Lying, "outline" | "status">} */ one) =>
  svg`<polygon data-status=${one.status ?? "suspect"} points=${one.outline.map((corner) => corner.join(",")).join(" ")}></polygon>`;

/** @param {MediaStream | null | undefined} stream */
function stop(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** The part of the picture that is in sight, as a JPEG with at most so many pixels on its longer side; null before the first one. @param {HTMLVideoElement} video @param {number} mostPx @param {number} quality @returns {Promise<Blob | null> | null} */
function shown(video, mostPx, quality) {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  if (!videoWidth || !clientWidth) return null;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const [width, height] = [clientWidth / scale, clientHeight / scale];
  const by = Math.min(1, mostPx / Math.max(width, height));
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * by), height: Math.round(height * by) });
  canvas.getContext("2d")?.drawImage(video, (videoWidth - width) / 2, (videoHeight - height) / 2, width, height, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
}
