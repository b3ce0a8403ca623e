// This phone as the tray's camera: it sends what it sees, ten pictures a second while something moves and two while nothing does.

import { stayAwake } from "./awake.js";
import { byId } from "./dom.js";
import { icon } from "./draw/icon.js";
import { isSecure, openLens } from "./lens.js";
import { cornersOver } from "./part/corners.js";
import { createStore } from "./store.js";
import { patternOf, say } from "./strings.js";
import { get, send, trySend } from "./talk.js";
import { startTheme } from "./theme.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

const MOST_PX = 1280;
const QUALITY = 0.8;
const MOVING_MS = 105;
const STILL_MS = 500;
const STAYS_MOVING_MS = 1_500; // dice roll on after the last picture that differs
const SMALL = { width: 64, height: 48 }; // what motion is looked for in
const MOVED = 9; // of 255: a pixel that changed so much
const MOVED_SHARE = 0.004; // of all pixels: less than the smallest die
const LOOK_MS = 2_000;
const TILT_MS = 150;
const DIM_MS = 60_000;
const LEVEL_DEG = 4;
const ANSWER_MS = 4_000;
const CORNER = 0.028; // of the picture's width
const WHOLE = [
  [0.05, 0.05],
  [0.95, 0.05],
  [0.95, 0.95],
  [0.05, 0.95],
];
const [SHARP, BLURRED] = [0.9, 0.45]; // shares of the sharpest picture seen, as at /setup
const CONFLICT = 409;

const video = /** @type {HTMLVideoElement} */ (byId("live"));
const canvas = document.createElement("canvas");
const small = Object.assign(document.createElement("canvas"), SMALL);
/**
 * @typedef {{ step: string, role?: string, table: Told["CameraNow"] | null, setup: Told["SetUp"] | null, error: Fault | null, asks: string, corners: number[][] | null,
 *   isLost: boolean, isTaken: boolean, tilt: number[] | null, battery: number | null, isDimmed: boolean, staysAwake: boolean, isKept: boolean }} Ui
 */
/** @type {Store<Ui>} */
const store = createStore(
  {
    step: "begin",
    table: null,
    setup: null,
    error: null,
    asks: "",
    corners: null,
    isLost: false,
    isTaken: false,
    tilt: null,
    battery: null,
    isDimmed: false,
    staysAwake: true,
    isKept: false,
  },
  draw,
);
const { ui } = store;
/** @type {MediaStream | null} */
let stream = null;
let movedAt = 0;
/** @type {Uint8ClampedArray | null} */
let before = null;
let sharpest = 0;
let touchedAt = performance.now();

/** Take the camera, then tell the table that this phone is it. */
async function begin() {
  store.set({ error: null });
  askForTilt();
  if (!stream) {
    const opened = await openLens({ width: { ideal: MOST_PX }, height: { ideal: 960 }, frameRate: { ideal: 15 } });
    if (opened.error) return store.set({ step: "begin", error: opened.error });
    stream = opened.stream ?? null;
  }
  const [track] = stream?.getVideoTracks() ?? [];
  if (!track) return;
  track.addEventListener("ended", interrupted); // a call came in, or the system took it
  for (const event of ["mute", "unmute"]) track.addEventListener(event, () => store.set({ isTaken: track.muted })); // for as long as a call rings
  video.srcObject = stream;
  video.hidden = false;
  await video.play().catch(() => null);
  await be();
}

/** Be the camera; where another phone is, wait for its leave. */
async function be() {
  const answer = await trySend("/api/camera", { do: "begin" });
  if (answer.status === CONFLICT) {
    store.set({ step: "waits", error: answer.error });
    return void setTimeout(() => ui.step === "waits" && be(), LOOK_MS);
  }
  if (answer.error) return store.set({ error: answer.error });
  const isFirst = ui.step !== "on";
  store.set({ step: "on", table: answer.found, error: null });
  stayOn();
  if (isFirst) {
    follow();
    look();
  }
}

function interrupted() {
  stream = null;
  video.hidden = true;
  if (ui.step === "on" && !document.hidden) store.set({ step: "begin", error: { what: say("cam.taken"), hint: say("cam.takenHint") } });
}

/** Whether the camera gives pictures of now. A phone that is locked or rings keeps its last one, which would pass for a tray where nothing moves. */
function isSeeing() {
  const track = stream?.getVideoTracks()[0];
  return track?.readyState === "live" && !track.muted && !document.hidden && video.videoWidth > 0;
}

/** Go on when the phone is unlocked, with the camera taken anew where the system took it away. */
async function wake() {
  if (document.hidden || ui.step !== "on") return;
  stayOn();
  if (stream?.active) await video.play().catch(() => null);
  else await begin();
}

/** Whether the picture has changed since the last one. */
function hasMoved() {
  const context = /** @type {CanvasRenderingContext2D} */ (small.getContext("2d", { willReadFrequently: true }));
  context.drawImage(video, 0, 0, SMALL.width, SMALL.height);
  const { data } = context.getImageData(0, 0, SMALL.width, SMALL.height);
  let count = 0;
  if (before) for (let n = 1; n < data.length; n += 4) count += Math.abs(data[n] - before[n]) > MOVED ? 1 : 0;
  before = data;
  return count > MOVED_SHARE * SMALL.width * SMALL.height;
}

/** @returns {Promise<Blob | null>} */
function picture() {
  const scale = Math.min(1, MOST_PX / Math.max(video.videoWidth, video.videoHeight));
  Object.assign(canvas, { width: Math.round(video.videoWidth * scale), height: Math.round(video.videoHeight * scale) });
  canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

/** Send one picture after the other. The next is taken when the last has arrived, so that a slow network drops pictures and keeps none waiting. */
async function follow() {
  let sentAt = 0;
  while (ui.step === "on") {
    const now = performance.now();
    if (isSeeing() && hasMoved()) movedAt = now;
    if (isSeeing() && now - sentAt >= (now - movedAt < STAYS_MOVING_MS ? MOVING_MS : STILL_MS)) {
      sentAt = now;
      await sendPicture();
    }
    await new Promise((go) => setTimeout(go, MOVING_MS / 2));
    if (ui.staysAwake && !ui.isDimmed && now - touchedAt > DIM_MS) store.set({ isDimmed: true });
  }
}

async function sendPicture() {
  const body = await picture();
  if (!body) return;
  try {
    const answer = await fetch("/api/camera/frames", {
      method: "POST",
      headers: { "Content-Type": "image/jpeg" },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.status === CONFLICT) {
      const { is_mine: isMine, is_replaced: isReplaced } = await get("/api/camera");
      if (ui.step === "on" && isReplaced) return end({ what: say("cam.replaced"), hint: say("cam.replacedHint") });
      if (ui.step === "on" && !isMine) await be(); // the table began anew, or another phone is the camera now
    }
    const asks = answer.headers.get("Tableside-Asks") ?? "";
    if (ui.isLost) store.set({ isLost: false });
    if (asks !== ui.asks) store.set({ asks });
  } catch {
    if (!ui.isLost) store.set({ isLost: true });
  }
}

/** How sharp the picture is against the best so far. */
function focus() {
  const sharpness = ui.setup?.meters?.sharpness ?? 0;
  const share = sharpness / sharpest;
  return sharpest === sharpness && !ui.setup?.made ? "unknown" : share >= SHARP ? "sharp" : share >= BLURRED ? "soft" : "blurred";
}

/** Ask what the table makes of the pictures. */
async function look() {
  while (ui.step === "on") {
    const setup = await get("/api/setup").catch(() => null);
    if (setup) {
      sharpest = Math.max(sharpest, setup.meters?.sharpness ?? 0, setup.made?.meters.sharpness ?? 0);
      store.set({ setup });
    }
    await new Promise((go) => setTimeout(go, LOOK_MS));
  }
}

const stayOn = () => stayAwake(ui.staysAwake && ui.step === "on");

function askForTilt() {
  const listen = () =>
    addEventListener("deviceorientation", ({ beta, gamma, timeStamp }) => {
      if (beta === null || timeStamp - (listen.at ?? 0) < TILT_MS) return;
      listen.at = timeStamp;
      store.set({ tilt: [gamma ?? 0, beta] });
    });
  /** @type {number | undefined} */
  listen.at = undefined;
  const ask = /** @type {{ requestPermission?: () => Promise<string> } | undefined} */ (window.DeviceOrientationEvent)?.requestPermission;
  if (ui.tilt) return;
  if (ask)
    ask
      .call(DeviceOrientationEvent)
      .then((answer) => answer === "granted" && listen())
      .catch(() => null); // iOS asks
  else listen();
}

/** Be the camera no more, and let the lens go. @param {Fault | null} error */
function end(error = null) {
  for (const track of stream?.getTracks() ?? []) {
    track.removeEventListener("ended", interrupted);
    track.stop();
  }
  stream = null;
  video.hidden = true;
  store.set({ step: "begin", corners: null, isKept: false, error });
  stayOn();
}

const stop = async () => (await send("/api/camera", { do: "stop" })) && end();

/** @param {"give" | "keep"} what */
async function answerAsk(what) {
  await send("/api/camera", { do: what });
  store.set({ asks: "" });
  if (what === "give") end();
}

async function keep() {
  const setup = await send("/api/setup", { corners: shownCorners() });
  if (setup) store.set({ setup, corners: null, isKept: true });
}

const shownCorners = () => ui.corners ?? ui.setup?.made?.corners ?? ui.setup?.found ?? WHOLE;

const over = () =>
  cornersOver(shownCorners(), {
    width: video.videoWidth || 4,
    height: video.videoHeight || 3,
    radius: CORNER,
    fit: "meet",
    moved: (corners) => store.set({ corners }),
  });

/** How far the phone is from lying flat: a dot in a ring. */
function level() {
  if (!ui.tilt) return nothing;
  const [x, y] = ui.tilt.map((one) => Math.max(-1, Math.min(1, one / 20)));
  return html`<svg class="level" viewBox="-50 -50 100 100" ?data-good=${isLevel()} aria-hidden="true"><circle class="ring" r="44"></circle><circle class="dot" r="11" cx=${33 * x} cy=${33 * y}></circle></svg>`;
}

const offLevel = () => Math.hypot(...(ui.tilt ?? []));
const isLevel = () => offLevel() <= LEVEL_DEG;

/** @param {string} sign @param {string} title @param {string} words @param {boolean | null} isGood */
function line(sign, title, words, isGood) {
  return html`<div class="camera-line" data-tone=${isGood === null ? nothing : isGood ? "good" : "doubt"}>${icon(sign)}<b>${title}</b><span>${words}</span></div>`;
}

function panel() {
  const { setup, tilt, staysAwake } = ui;
  const meters = setup?.meters;
  const advice = meters?.advice ?? "";
  const isFound = Boolean(ui.corners ?? setup?.found ?? setup?.made);
  return html`<section class="camera-panel" aria-live="polite">
    ${ui.asks ? html`<p>${say("cam.asks", { who: ui.asks })}</p><div class="acts"><button type="button" class="raised" @click=${() => answerAsk("keep")}>${say("cam.keep")}</button><button type="button" class="primary" @click=${() => answerAsk("give")}>${say("cam.give")}</button></div>` : nothing}
    ${tilt ? line("compass", say("cam.level"), isLevel() ? say("cam.levelGood", { n: Math.round(offLevel()) }) : say("cam.levelOff", { n: Math.round(offLevel()) }), isLevel()) : nothing}
    ${meters ? line("sun", say("setup.light"), advice ? (patternOf(advice) ?? advice) : say("cam.lightGood"), !advice) : line("sun", say("setup.light"), say("setup.noPicture"), null)}
    ${meters ? line("scan-eye", say("setup.sharpness"), say(`setup.focus.${focus()}`), focus() === "unknown" ? null : focus() === "sharp") : nothing}
    ${line("maximize", say("cam.tray"), setup?.made && !ui.corners ? say("cam.trayKept") : say(isFound ? "cam.trayFound" : "cam.trayNot"), isFound)}
    ${setup?.made && !ui.corners ? nothing : html`<button type="button" class="primary large" id="keep-tray" @click=${keep}>${say("setup.do.save")}</button>`}
    <label class="camera-line switch-line">${icon("eye")}<b>${say("cam.awake")}</b><span class="switch"><input type="checkbox" .checked=${staysAwake} @change=${(
      /** @type {Happened} */ event,
    ) => {
      store.set({ staysAwake: event.target.checked });
      stayOn();
    }}></span></label>
    <button type="button" class="large" id="stop-camera" @click=${stop}>${say("cam.stop")}</button></section>`;
}

/** What the browser says of a certificate that it does not know, with what to tap. */
const warning =
  () => html`<svg class="warning-drawing" viewBox="0 0 220 150" role="img" aria-label=${say("cam.warnPicture")}><path class="warn" d="M28 40 42 14 56 40Z M42 23v8 M42 35v.5"></path>
  <text x="16" y="60" font-size="11" font-weight="700">${say("cam.warn1")}</text><rect x="16" y="72" width="92" height="9" fill="#dadce0"></rect><rect x="16" y="86" width="150" height="5" fill="#e8eaed"></rect>
  <rect class="here" x="14" y="98" width="86" height="18" rx="9"></rect><text x="22" y="110" font-size="9">${say("cam.warn2")}</text><rect class="here" x="14" y="122" width="150" height="18" rx="9"></rect><text x="22" y="134" font-size="9">${say("cam.warn3")}</text></svg>`;

function insecure() {
  const { table } = ui;
  if (!table) return nothing;
  const go = async () => {
    const found = table.secure ? table : await send("/api/camera/secure", {});
    if (found) store.set({ table: found, step: "warned" });
  };
  if (ui.step !== "warned")
    return html`<h2>${say("cam.title")}</h2><p>${say("cam.needsHttps")}</p><button type="button" class="primary large" id="go-secure" @click=${go}>${say("cam.goOn")}</button>`;
  return html`<h2>${say("cam.onceWarned")}</h2><p>${say("cam.onceWarnedMore")}</p>${warning()}
    <ol><li>${say("cam.step1")}</li><li>${say("cam.step2")}</li><li>${say("cam.step3")}</li></ol>
    <a class="button primary large" id="to-secure" href=${`${table.secure}/camera`}>${say("cam.goOn")}</a>
    ${table.has_authority ? html`<details><summary>${say("cam.noWarning")}</summary><p>${say("cam.noWarningMore")}</p><a class="button" id="authority" href="/tableside-authority.crt" download>${icon("download")} ${say("cam.authority")}</a></details>` : nothing}
    <p class="quiet">${say("cam.protects")}</p>`;
}

function words() {
  const { step, error, table } = ui;
  if (!table) return html`<p>${say("notReached")}</p>`;
  if (ui.role === "viewer")
    return html`<h2>${say("cam.title")}</h2><p>${say("cam.joinFirst")}</p><a class="button primary large" href="/pair?to=camera">${say("pair.title")}</a>`;
  if (!isSecure) return insecure();
  return html`<h2>${say("cam.title")}</h2><p>${say("cam.what")}</p>
    ${error ? html`<p data-tone="doubt" role="status"><b>${error.what}</b><br>${error.hint}</p>` : nothing}
    ${step === "waits" ? html`<button type="button" class="large raised" id="wait-no-more" @click=${() => store.set({ step: "begin", error: null })}>${say("cam.waitNoMore")}</button>` : html`<button type="button" class="primary large" id="begin-camera" @click=${begin}>${icon("camera")} ${say("cam.begin")}</button>`}
    <a class="open-row" href="/player">${icon("chevron-left")}<b>${say("cam.back")}</b></a>`;
}

function draw() {
  if (ui.step !== "on") return render(html`<section class="camera-words">${words()}</section>`, byId("camera"));
  const brighten = () => {
    touchedAt = performance.now();
    store.set({ isDimmed: false });
  };
  render(
    html`${over()}<header class="camera-head" role="status"><i class="on-dot" ?data-lost=${ui.isLost || ui.isTaken} aria-hidden="true"></i><b>${say(ui.isLost ? "cam.lost" : ui.isTaken ? "cam.taken" : "cam.on")}</b>${ui.battery === null ? nothing : html`<span>${say("cam.battery", { n: ui.battery })}</span>`}</header>
    ${level()}${panel()}${ui.isDimmed ? html`<button type="button" id="dimmed" @click=${brighten}><i class="on-dot" ?data-lost=${ui.isLost || ui.isTaken}></i>${say("cam.dimmed")}</button>` : nothing}`,
    byId("camera"),
  );
}

document.title = say("cam.title");
byId("title").textContent = say("cam.title");
startTheme("dark");
addEventListener("pointerdown", () => (touchedAt = performance.now()));
document.addEventListener("visibilitychange", wake);
addEventListener("beforeunload", (event) => ui.step === "on" && event.preventDefault());
video.addEventListener("resize", () => ui.step === "on" && draw());
/** @type {Navigator & { getBattery?: () => Promise<EventTarget & { level: number }> }} */ (navigator)
  .getBattery?.()
  .then((found) => {
    const tell = () => store.set({ battery: Math.round(100 * found.level) });
    found.addEventListener("levelchange", tell);
    tell();
  })
  .catch(() => null);
const [me, table] = await Promise.all([get("/api/me").catch(() => null), get("/api/camera").catch(() => null)]);
store.set({ role: me?.role ?? "viewer", table });
document.body.dataset.ready = "";
