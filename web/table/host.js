// The host: a new table leads through its first minutes. Three steps tick themselves off; the first throw or call ends it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { face } from "../part/card.js";
import { cornersOver } from "../part/corners.js";
import { headline } from "../part/headline.js";
import { liveOver } from "../part/live.js";
import { addressWords, cameraCode, letCameraIn, letInView, offerPhones, pinWords, qrCode, showMasterHere } from "../part/phones.js";
import { rememberHere } from "../memory.js";
import { bringIn } from "../part/ready.js";
import { chooseGame, withAutomatic } from "../part/games.js";
import { seat } from "../part/turns.js";
import { NO_CAMERA } from "../part/tray.js";
import { lostSign, troubleSign } from "../part/who.js";
import { arrived } from "../sound.js";
import { patternOf, say, troubleLine } from "../strings.js";
import { change, get, send } from "../talk.js";

const LOOK_MS = 2_000;
const GOOD_MS = 2_000; // so long the camera has to be good
const STEPS = ["camera", "phones", "cast"];
const MOST_FACES = 3;
const USUAL_PLAYERS = 4;

/** Whether an evening has begun since the last one ended: somebody has thrown, called or put turns in order. */
const isOver = (state) => (state.history.length > 0 && !state.session.ended) || Boolean(state.asked) || state.initiative.slots.length > 0;

/** Whether a table is new, or has no session: its first minutes are led. */
export const isNew = (state) => (state.session.number === 0 || Boolean(state.session.ended)) && !isOver(state);

const NOTHING = { skipped: [], offer: null, phoneCamera: null, camera: null, corners: null, goodSince: null, opened: "" };

/** What the host does on a screen: `begin()` brings it, `follow(state)` ends it when it is over. */
export function createHost(store) {
  let ends = [];
  const set = (part) => store.ui.host && store.set({ host: { ...store.ui.host, ...part } });
  const end = () => {
    for (const one of ends) one();
    ends = [];
    if (store.ui.host) store.set({ host: null });
  };
  const told = (offer) => {
    const before = store.ui.host?.offer?.phones?.length ?? offer.phones.length;
    if (offer.phones.length > before) arrived(offer.phones.length - 1);
    set({ offer });
  };
  const look = async () => {
    if (NO_CAMERA.has(store.state?.phase)) return;
    const camera = await get("/api/setup").catch(() => null);
    const isGood = Boolean(camera && (camera.found || camera.made) && camera.meters && !adviceOf(camera));
    set({ camera, goodSince: isGood ? (store.ui.host?.goodSince ?? Date.now()) : null });
  };
  return {
    begin() {
      end();
      store.set({ host: { ...NOTHING } });
      const timer = setInterval(look, LOOK_MS);
      look();
      ends = [offerPhones("any", told), () => clearInterval(timer)];
    },
    follow(state) {
      if (store.ui.host && (isOver(state) || STEPS.every((step) => isDone(step, { state, ui: store.ui })))) end();
    },
    act: {
      skip: (step) => set({ skipped: [...store.ui.host.skipped, step] }),
      open: (step) => set({ opened: step, skipped: store.ui.host.skipped.filter((one) => one !== step) }),
      told,
      moved: (corners) => set({ corners }),
      /** A corner lies where it was dragged: the tray is kept like that. */
      async dropped() {
        const { corners } = store.ui.host;
        const camera = corners && (await send("/api/setup", { corners }));
        set(camera ? { camera, corners: null } : { corners: null });
      },
      /** Somebody new, in the editor of the game master's page: it goes on with what is kept. */
      async own() {
        const { newPerson } = await import("../phone/person.js");
        const here = store.state.people.filter((one) => one.game === store.state.game);
        rememberHere("person", newPerson(gameOf(store), here));
        await showMasterHere();
      },
      async phoneCamera() {
        const told = await letCameraIn();
        if (told) set({ phoneCamera: told });
      },
      game: () => chooseGame(() => ({ games: withAutomatic(store.ui.games), wanted: store.state.setup.game ?? "" })),
      throwPool: () => change("/api/ask", { ask: { ...gameOf(store).pool_ask, players: diceToThrow(store) }, label: store.state.destiny_names.pool }),
      bring: (heroes) => bringIn(heroes, store.state.people, store.state.game),
      toggle: (hero) => {
        const here = personOf(store.state, hero);
        return here ? change("/api/people", { do: "remove", person: { id: here.id } }) : bringIn([hero], store.state.people, store.state.game);
      },
    },
  };
}

const adviceOf = ({ card, meters }) => (card ? card.light : meters?.advice) ?? "";
const gameOf = ({ state, ui }) => ui.games.find((one) => one.name === state.game);
const heroesOf = (state) => state.people.filter((one) => one.kind === "player" && one.game === state.game);
const personOf = (state, hero) => state.people.find((one) => one.name === hero.name && one.game === state.game);

/** How many dice the pool of this table is thrown with: one for each hero, else for each player's phone; 0 where it has a pool, or none. */
export function diceToThrow(seen) {
  const { state } = seen;
  if (!gameOf(seen)?.pool_ask || state.destiny.light + state.destiny.dark > 0) return 0;
  const heroes = heroesOf(state).length;
  return heroes || phonesOf(seen).filter((one) => one.role === "player").length || USUAL_PLAYERS;
}

const phonesOf = ({ ui }) => ui.host.offer?.phones ?? [];

function isDone(step, { state, ui }) {
  const { host } = ui;
  if (host.opened === step) return false;
  if (host.skipped.includes(step)) return true;
  if (step === "camera") return host.goodSince !== null && Date.now() - host.goodSince >= GOOD_MS;
  if (step === "cast") return heroesOf(state).length > 0;
  return false; // phones: whoever is in says that all are
}

/** Whether the host goes on to the next step: without a camera, dice are thrown by hand and by photograph as well. */
const isPassed = (step, seen) => isDone(step, seen) || (step === "camera" && NO_CAMERA.has(seen.state.phase) && isDone("phones", seen));

const isCameras = ({ part }) => part === "camera" || part === "setup";

/** What the camera's step says: what is wrong, or that all is well. */
function cameraLine({ camera }) {
  if (!camera) return say("host.looking");
  if (!camera.found && !camera.made) return say("host.noTray");
  const advice = adviceOf(camera);
  return advice ? (patternOf(advice) ?? advice) : say("host.cameraFine");
}

/** Draw the left side. */
export function host(seen) {
  const { state, ui, act } = seen;
  const done = STEPS.filter((step) => isDone(step, seen));
  const now = STEPS.find((step) => !isPassed(step, seen));
  const game = gameOf(seen);
  const others = state.trouble.filter((one) => !isCameras(one) || NO_CAMERA.has(state.phase)); // the first step says what a camera that sees lacks
  return html`<div class="head"><div class="who host-who">${others.length > 0 ? nothing : html`<b>${say(state.session.ended ? "host.newEvening" : "host.newTable")}</b>`}<button type="button" class="host-game" id="host-game" @click=${act.host.game}>${icon("dices")}<span class="may-cut">${game?.title ?? state.game_title}</span>${icon("chevron-down")}</button>${ui.lostAt ? lostSign(ui.lostAt) : others.length > 0 ? troubleSign(others, act) : html`<p class="right">${say("host.done", { n: done.length, of: STEPS.length })}</p>`}</div>${headline(say("host.welcome"))}</div>
    <ol class="host-steps" ?data-open=${now === "cast"}>${STEPS.map((step, n) => stepRow(step, n + 1, { ...seen, isDone: done.includes(step), isNow: step === now }))}</ol>`;
}

function stepRow(step, n, seen) {
  const { isDone: done, isNow } = seen;
  const isMissing = step === "camera" && NO_CAMERA.has(seen.state.phase);
  const sign = done ? icon("check") : isMissing ? icon("camera-off") : html`<b>${n}</b>`;
  const isFolded = step !== "cast" && STEPS.slice(0, 2).every((one) => isPassed(one, seen)) && !isDone("cast", seen);
  const { title, line, right, trouble, opens = null } = PARTS[step](seen);
  const words = html`<b class="may-cut">${title}</b><small class="may-cut">${line}</small>`;
  return html`<li class="host-step" data-step=${step} ?data-done=${done} ?data-now=${isNow} ?data-trouble=${!done && trouble} ?data-folded=${isFolded}><div class="step-line"><span class="step-disc">${sign}</span>${opens ? html`<button type="button" class="step-words" id="camera-trouble" @click=${opens}>${words}</button>` : html`<span class="step-words">${words}</span>`}${right}</div>
    ${step === "cast" && isNow ? readyRow(seen) : nothing}</li>`;
}

const PARTS = { camera: cameraPart, phones: phonesPart, cast: castPart };
const later = (step, { act }) =>
  html`<button type="button" class="step-act" data-skip=${step} @click=${() => act.host.skip(step)}>${say("host.skip")}</button>`;

function cameraPart(seen) {
  const trouble = seen.state.trouble.find(isCameras);
  if (NO_CAMERA.has(seen.state.phase))
    return {
      title: say("phase.no_camera"),
      line: say("host.byHandBelow"),
      trouble,
      right: seen.isDone
        ? nothing
        : html`<button type="button" class="step-act ${seen.isNow ? "primary" : ""}" id="phone-camera" @click=${seen.act.host.phoneCamera}>${icon("smartphone")} ${say("cam.usePhone")}</button>`,
    };
  return {
    title: say("host.camera"),
    line: trouble ? troubleLine(trouble) : cameraLine(seen.ui.host),
    trouble,
    opens: trouble && seen.act.trouble, // what to do is one tap away
    right: html`<a class="step-act" href="/setup">${say("host.adjust")}</a>${seen.isDone ? nothing : later("camera", seen)}`,
  };
}

function phonesPart(seen) {
  const { act, isDone: done } = seen;
  const phones = phonesOf(seen);
  const people = phones.map((one) => seen.state.people.find((person) => person.id === one.person));
  const faces = html`<span class="step-faces" aria-hidden="true">${phones.slice(-MOST_FACES).map((one, n) => html`<span class="step-face">${people.slice(-MOST_FACES)[n] ? face(people.slice(-MOST_FACES)[n], { rim: "never" }) : icon(one.role === "gm" ? "star" : "smartphone")}</span>`)}<span class="step-face empty-seat"></span></span>`;
  const line =
    phones.length > 0
      ? done
        ? phones.map((one, n) => people[n]?.name ?? one.name).join(", ")
        : say("host.phonesIn", { n: phones.length })
      : say(seen.ui.host.offer?.qr ? "host.scan" : "host.letIn");
  const right = done
    ? html`<button type="button" class="step-act" @click=${() => act.host.open("phones")}>${say("tonight.oneMore")}</button>`
    : phones.length > 0
      ? html`${faces}<button type="button" class="step-act raised" id="phones-done" @click=${() => {
          act.host.open("");
          act.host.skip("phones");
        }}>${say("pair.done")}</button>`
      : later("phones", seen);
  return { title: say(done ? "host.phonesAre" : "host.phones"), line, right };
}

function castPart(seen) {
  const here = heroesOf(seen.state);
  return {
    title: say("host.cast"),
    line: here.length > 0 ? here.map((one) => one.name).join(", ") : say(seen.isNow ? "host.tapHero" : "host.castMore"),
    right: seen.isDone
      ? nothing
      : html`${later("cast", seen)}${seen.isNow ? html`<button type="button" class="step-act bring-short" @click=${() => seen.act.host.bring(gameOf(seen)?.ready.heroes ?? [])}>${say("cast.bringAll")}</button>` : nothing}`,
  };
}

/** The ready heroes, in or out at a tap; all that are missing at one. */
function readyRow(seen) {
  const heroes = gameOf(seen)?.ready.heroes ?? [];
  const missing = heroes.filter((hero) => !personOf(seen.state, hero));
  return html`<div class="ready-row">${repeat(
    heroes,
    (hero) => hero.name,
    (hero) => {
      const isIn = Boolean(personOf(seen.state, hero));
      return html`<button type="button" class="ready-hero" data-who=${hero.name} aria-pressed=${String(isIn)} @click=${() => seen.act.host.toggle(hero)}>${face({ ...hero, kind: "player" }, { rim: "never" })}<span><b class="may-cut">${hero.name}</b><small class="may-cut">${isIn ? html`${icon("check")} ${say("host.in")}` : hero.role}</small></span></button>`;
    },
  )}</div><div class="ready-acts"><button type="button" class="surface primary" id="bring-all" @click=${() => seen.act.host.bring(missing)}><b>${say(missing.length < heroes.length ? "host.bringOthers" : "cast.bringAll")}</b></button>
    <button type="button" class="surface" id="make-own" @click=${seen.act.host.own}>${icon("user-plus")}<b>${say("cast.makeOwn")}</b></button></div>`;
}

/** The tray's outline over its live picture, and that it is live. */
function outline({ ui, act }) {
  const { camera, corners } = ui.host;
  const shown = corners ?? camera?.made?.corners ?? camera?.found;
  const live = /** @type {HTMLCanvasElement | null} */ (document.getElementById("live"));
  if (!shown || !live?.hasAttribute("data-shown")) return nothing;
  const { width, height } = live;
  const { moved, dropped } = act.host;
  return html`${cornersOver(shown, { width, height, radius: 0.02, fit: "slice", moved, dropped })}<p class="live-sign">${icon("circle-check")} ${say("host.live")}</p>`;
}

/** Draw the right side: the tray as it is now, and the way in for phones. */
export function hostSide(seen) {
  const { state, ui, act } = seen;
  const { offer } = ui.host;
  const hasCamera = !NO_CAMERA.has(state.phase);
  const pairing =
    !hasCamera && ui.host.phoneCamera
      ? cameraCode(ui.host.phoneCamera)
      : !offer
        ? nothing
        : offer.reachable && offer.qr
          ? html`<div class="host-code">${qrCode(offer.qr)}<div><p class="quiet">${say("pair.scan")}</p><p class="address">${addressWords(offer.url)}</p><p class="pin">${hasCamera ? html`${offer.pin.slice(0, 3)} <br>${offer.pin.slice(3)}` : pinWords(offer.pin)}</p></div></div>`
          : html`<div class="host-alone"><p><b>${say("host.onlyHere")}</b></p>${letInView(act.host.told)}</div>`;
  return html`${hasCamera ? html`<div id="tray" class="tray bare host-tray"><p>${say("host.looking")}</p>${liveOver()}${outline(seen)}</div>` : nothing}
    <div class="host-side" ?data-alone=${!hasCamera}>${pairing}${hasCamera || !offer?.qr || ui.host.phoneCamera ? nothing : seats(phonesOf(seen).length)}</div>`;
}

/** A seat for each who may still come. */
function seats(taken) {
  const free = Math.max(1, USUAL_PLAYERS - taken);
  return html`<p class="free-seats" aria-hidden="true">${Array.from({ length: free }, () => seat())}</p>`;
}
