// The camera's set-up: live picture, meters, corners to drag, and one button that keeps it all.

import { showBack } from "./back.js";
import { loadSets, typeTitle } from "./dice.js";
import { byId } from "./dom.js";
import { cornersOver } from "./part/corners.js";
import { patternOf, say } from "./strings.js";
import { get, send, trySend, untilFound } from "./talk.js";
import { startTheme } from "./theme.js";
import { showError } from "./toast.js";
import { html, nothing, render, svg } from "./vendor/lit-html/lit-html.js";

const LOOK_MS = 700;
const TRY_MS = 15_000; // a camera on the network may take seven seconds to answer that it is none
const SAVE_MS = 30_000; // the table looks at the empty tray for 25 s at most, where its camera gives few pictures
const ROUND = 12; // corners of a round tray
const WHOLE = [
  [0.05, 0.05],
  [0.95, 0.05],
  [0.95, 0.95],
  [0.05, 0.95],
];

const STEPS = ["0", "1", "2", "3"].map((step) => say(`setup.steps.${step}`));
const live = byId("live");
const light = /** @type {HTMLMeterElement} */ (byId("light"));
const sharpnessMeter = /** @type {HTMLMeterElement} */ (byId("sharpness"));
const { high: SHARP, low: BLURRED } = sharpnessMeter; // shares of the sharpest picture seen
/** @type {number[][] | null} */
let corners = null; // null: nobody has touched them, so those that were found or kept are shown
let sharpest = 1;
let softest = Infinity;
/** @type {Told["SetUp"] | null} */
let last = null;
let isTried = false;
let told = 0; // of the throws since the set-up

document.title = byId("title").textContent = say("setup.title");
showBack();
byId("to-dice").textContent = say("setup.toDice");
byId("to-card").textContent = say("setup.toCard");
live.alt = say("setup.live");
byId("sharpness-name").textContent = say("setup.sharpness");
byId("light-name").textContent = say("setup.light");
for (const name of ["adjust", "find", "round", "save", "read"]) byId(name).textContent = say(`setup.do.${name}`);
startTheme("dark");

const percent = (/** @type {number} */ share) => Math.round(share * 100);
const shown = () => corners ?? last?.made?.corners ?? last?.found ?? WHOLE;

/** The tray's corners, or what is read of the test card: nothing is dragged while that is looked at. */
function draw() {
  const [width, height] = [live.naturalWidth || 4, live.naturalHeight || 3];
  const moved = (/** @type {number[][]} */ now) => {
    corners = now;
    draw();
  };
  const card = last?.card;
  const over = card
    ? html`<svg class="corners-over" viewBox=${`0 0 ${width} ${height}`}>${card.dice.map((die) => svg`<circle cx=${die.at[0] * width} cy=${die.at[1] * height} r=${0.9 * card.die_px} data-read=${String(die.is_read)}></circle>`)}</svg>`
    : cornersOver(shown(), { width, height, radius: 1 / 45, fit: "meet", moved });
  render(over, byId("corners"));
}

/** What part of the sensor the picture shows, and the field of view where it is known. @param {Told["ViewTold"]} what */
function seen({ sensor, shares, field_deg: field }) {
  const [across, down] = shares.map(percent);
  return say(field ? "setup.seesField" : "setup.sees", { sensor, across, down, field: field?.map(Math.round).join("° x ") });
}

/** What to do about the light. White paper is bright in a good picture, so where the test card lies, that counts. @param {Told["SetUp"]} what */
const lightAdvice = ({ card, meters }) => (card ? (patternOf(card.light) ?? card.light) : (meters?.advice ?? ""));

/** What the test card proves: how many of its dice were read, and what to do, or why the first of the others was not. @param {Told["CardSeen"]} what */
function cardWords({ read, dice, die_px: px, advice }) {
  const missed = dice.find((die) => !die.is_read);
  const why = missed ? say(`doubtWhy.${missed.doubt ?? "faint"}`, { title: typeTitle(missed.type) }) : "";
  const next = advice.length === 0 && !missed ? say("setup.cardGood") : [why, ...advice.slice(0, 1).map((one) => one.advice)].filter(Boolean).join(" ");
  return [say("setup.card", { read, of: dice.length, px: Math.round(px) }), next];
}

/** While the lens is turned: how sharp the picture is against the best so far. @param {Told["Meters"]} what */
function bestSoFar({ sharpness }) {
  return !last?.card && softest < SHARP * sharpest ? say("setup.bestSoFar", { n: percent(sharpness / sharpest) }) : "";
}

/** What part of the sensor is seen, a tick at what is proved, and below it what to do about the rest. @param {Told["Proof"][]} proofs @param {string} view */
function proofWords(proofs, view) {
  const ticks = proofs.map(({ part, advice }) => `${advice ? "!" : "✓"} ${say(`setup.proof.${part}`)}`);
  return [[view, ...ticks].filter(Boolean).join("  "), ...proofs.map((one) => one.advice)].filter(Boolean);
}

/** Three throws, each by its dice, and what they would change. @param {Told["SetUp"]} now */
function tellThrows({ made, throws, throws_wanted: wanted, throws_advice: advice }) {
  if (!made || throws.length === told) return;
  told = throws.length;
  isTried = told >= wanted;
  const newest = throws.at(-1);
  if (!newest) return;
  const { dice, doubts } = newest;
  const one = doubts.length === 0 ? say("setup.throwRead", { dice }) : say("setup.throwDoubt", { dice, n: doubts.length });
  const next = !isTried ? say("setup.throwNext", { n: told + 1, of: wanted }) : advice?.advice || say("setup.throwsGood");
  byId("said").textContent = `${one} ${next}`;
}

/** The good part of a scale, below it. @param {HTMLMeterElement} meter @param {number} from @param {number} to */
function drawZone(meter, from, to) {
  const { style } = /** @type {HTMLElement} */ (meter.nextElementSibling);
  style.setProperty("--from", `${(100 * from) / meter.max}%`);
  style.setProperty("--to", `${(100 * to) / meter.max}%`);
}

/** @param {Told["SetUp"]} now */
function tell(now) {
  last = now;
  const meters = now.meters;
  if (!now.camera && !document.body.hasAttribute("data-no-camera")) byId("which").open = true;
  document.body.toggleAttribute("data-no-camera", !now.camera);
  byId("advice").textContent = !now.camera ? say("setup.noCamera") : meters ? lightAdvice(now) || say("setup.lightGood") : say("setup.noPicture");
  if (meters) {
    sharpest = Math.max(sharpest, now.made?.meters.sharpness ?? 0);
    if (!now.throws.length) {
      sharpest = Math.max(sharpest, meters.sharpness); // dice make a picture sharper, which is not the lens
      softest = Math.min(softest, meters.sharpness);
    }
    sharpnessMeter.value = meters.sharpness / sharpest;
    byId("sharpness-now").textContent = say(`setup.focus.${focus()}`);
    [light.low, light.high] = now.good_light;
    drawZone(light, ...now.good_light);
    light.value = meters.level;
    byId("sharpness-more").textContent = now.throws.length ? "" : bestSoFar(meters) || say("setup.sharpnessMore"); // who throws is done with the lens
    byId("light-now").textContent = String(Math.round((100 * meters.level) / 255));
  }
  tellThrows(now);
  drawSteps();
  const caption = now.card ? cardWords(now.card) : proofWords(now.proofs, now.view ? seen(now.view) : "");
  render(
    caption.map((text, index) => (now.card && index === 0 ? html`<b>${text}</b>` : html`<span>${text}</span>`)),
    byId("sees"),
  );
  draw();
}

/** How sharp the picture is, against the sharpest one seen; that says something once the lens was turned, or at an earlier set-up. */
function focus() {
  if (last?.card) return last.card.is_sharp ? "sharp" : "soft";
  const share = (last?.meters?.sharpness ?? 0) / sharpest;
  const isKnown = softest < SHARP * sharpest || last?.made;
  return !isKnown ? "unknown" : share >= SHARP ? "sharp" : share >= BLURRED ? "soft" : "blurred";
}

/** The four steps: what is done has a tick, the first that is not is the one to do now. */
function drawSteps() {
  const done = [
    Boolean(corners ?? last?.found ?? last?.made),
    Boolean(last?.meters && !lightAdvice(last) && focus() !== "blurred" && focus() !== "soft"),
    Boolean(last?.made),
    isTried,
  ];
  const current = done.indexOf(false);
  const stepOf = (/** @type {string} */ text, /** @type {number} */ index) =>
    html`<li ?data-done=${done[index]} aria-current=${index === current ? "step" : nothing}><span aria-hidden="true">${done[index] ? "✓" : index + 1}</span> ${text}</li>`;
  render(STEPS.map(stepOf), byId("steps"));
}

async function look() {
  const now = await get("/api/setup").catch(() => null);
  if (now) tell(now);
  if (last?.meters) live.src = `/api/setup/picture?at=${Date.now()}`;
}

byId("which-title").textContent = say("which.title");
byId("network-try").textContent = say("which.try");
byId("network-url").setAttribute("aria-label", say("which.network"));

/** Every camera that there is, as a button; a tap takes it at once. @param {Told["CameraChoice"][]} cameras */
function drawCameras(cameras) {
  const titleOf = (/** @type {Told["CameraChoice"]} */ { kind, name }) =>
    kind === "usb" || kind === "picamera" ? say(`which.${kind}`) + (name ? `: ${name}` : "") : say(`which.${kind}`);
  const now = cameras.find((one) => one.is_now);
  byId("which-now").textContent = now ? titleOf(now) : "";
  byId("cameras").setAttribute("aria-label", say("which.title"));
  const buttonOf = (/** @type {Told["CameraChoice"]} */ one) =>
    html`<button type="button" data-kind=${one.kind} aria-pressed=${String(one.is_now)} @click=${() => choose(one)}>${one.kind === "usb" ? html`<img alt="" loading="lazy" src=${`/api/cameras/picture?path=${encodeURIComponent(one.path)}`}>` : nothing}<b>${titleOf(one)}</b><small>${say(`which.more.${one.kind}`)}</small></button>`;
  render(cameras.map(buttonOf), byId("cameras"));
}

/** @param {{ kind: string, path?: string, url?: string }} choice */
async function choose({ kind, path = "", url = "" }) {
  if (kind === "network" && !url) {
    byId("network").toggleAttribute("data-open", true);
    return byId("network-url").focus();
  }
  byId("said").textContent = say("which.trying");
  const answer = await trySend("/api/cameras", { kind, path, url }, TRY_MS);
  byId("said").textContent = "";
  if (answer.error) return showError(answer.error);
  byId("network").toggleAttribute("data-open", false);
  [corners, sharpest, softest, told] = [null, 1, Infinity, 0];
  drawCameras(answer.found);
  byId("which").open = kind === "none";
  if (kind === "phone") location.assign("/camera");
}

byId("network").addEventListener("submit", (event) => {
  event.preventDefault();
  choose({ kind: "network", url: byId("network-url").value.trim() });
});
byId("which").addEventListener("toggle", async () => {
  const cameras = byId("which").open && (await get("/api/cameras").catch(() => null));
  if (cameras) drawCameras(cameras);
});
live.addEventListener("load", draw);
byId("adjust").addEventListener("click", async () => {
  [sharpest, softest] = [1, Infinity];
  const now = await send("/api/setup/adjust", {});
  if (now) tell(now);
});
byId("find").addEventListener("click", () => {
  corners = last?.found ?? null;
  byId("said").textContent = last?.found ? say("setup.found") : say("setup.notFound");
  draw();
});
byId("round").addEventListener("click", () => {
  const points = shown();
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const reach = [0, 1].map((axis) => Math.max(...points.map((point) => Math.abs(point[axis] - middle[axis]))));
  corners = Array.from({ length: ROUND }, (_, n) => {
    const angle = ((n + 0.5) / ROUND) * 2 * Math.PI - 0.75 * Math.PI;
    return [middle[0] + reach[0] * Math.cos(angle), middle[1] + reach[1] * Math.sin(angle)].map((v) => Math.min(1, Math.max(0, v)));
  });
  byId("said").textContent = say("setup.isRound");
  draw();
});
byId("save").addEventListener("click", async () => {
  byId("said").textContent = say("which.trying");
  const now = await send("/api/setup", { corners: corners ?? last?.found ?? last?.made?.corners ?? null }, SAVE_MS);
  byId("said").textContent = "";
  if (!now) return;
  corners = null;
  told = 0;
  tell(now);
  byId("said").textContent = say("setup.saved");
});
byId("read").addEventListener("click", async () => {
  if (!(await send("/api/read", {}))) return;
  byId("said").textContent = say("setup.asked");
});

drawZone(sharpnessMeter, SHARP, 1);
untilFound(loadSets);
look().then(() => (document.body.dataset.ready = ""));
setInterval(look, LOOK_MS);
