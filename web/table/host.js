// The host: a new table leads through its first minutes, by the step that its now says. The first throw or call ends it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { face, throwsOf } from "../part/card.js";
import { cornersOver } from "../part/corners.js";
import { headline } from "../part/headline.js";
import { liveOver } from "../part/live.js";
import { addressWords, letInView, offerPhones, pinWords, qrCode, showMasterHere } from "../part/phones.js";
import { rememberHere } from "../memory.js";
import { headOf, stepOf } from "../part/now.js";
import { bringIn } from "../part/ready.js";
import { boxCards, boxDice, chooseGame, withoutGame } from "../part/games.js";
import { seat } from "../part/turns.js";
import { NO_CAMERA } from "../part/tray.js";
import { lostSign, troubleSign } from "../part/who.js";
import { arrived } from "../sound.js";
import { patternOf, say } from "../strings.js";
import { change, get, send } from "../talk.js";
import { litAct, quietActs } from "./acts.js";

const LOOK_MS = 2_000;
const USUAL_PLAYERS = 4;

/** @type {Host} */
const NOTHING = { offer: null, camera: null, corners: null };

/** What the host does on a screen: `follow` begins it where it is wanted, and ends it. @param {Store<TableUi>} store */
export function createHost(store) {
  /** @type {(() => void)[]} */
  let ends = [];
  const set = (/** @type {Partial<Host>} */ part) => store.ui.host && store.set({ host: { ...store.ui.host, ...part } });
  const told = (/** @type {Told["PairingOffer"] | null} */ offer) => {
    if (!offer) return set({ offer });
    const before = store.ui.host?.offer?.phones?.length ?? offer.phones.length;
    if (offer.phones.length > before) arrived(offer.phones.length - 1);
    set({ offer });
  };
  const look = async () => {
    if (!NO_CAMERA.has(store.state?.phase)) set({ camera: await get("/api/setup").catch(() => null) });
  };
  return {
    follow(/** @type {boolean} */ isWanted) {
      if (isWanted === Boolean(store.ui.host)) return;
      for (const one of ends) one();
      ends = [];
      store.set({ host: isWanted ? NOTHING : null });
      if (!isWanted) return;
      const timer = setInterval(look, LOOK_MS);
      look();
      ends = [offerPhones("any", told), () => clearInterval(timer)];
    },
    act: {
      told,
      moved: (/** @type {number[][]} */ corners) => set({ corners }),
      /** A corner lies where it was dragged: the tray is kept like that. */
      async dropped() {
        const corners = store.ui.host?.corners;
        const camera = corners && (await send("/api/setup", { corners: /** @type {Point[]} */ (corners) }));
        set(camera ? { camera, corners: null } : { corners: null });
      },
      /** Somebody new, in the editor of the game master's page: it goes on with what is kept. */
      async own() {
        const { newPerson } = await import("../phone/person.js");
        const here = store.state.people.filter((one) => one.game === store.state.game);
        rememberHere("person", newPerson(/** @type {Game} */ (gameOf(store)), here));
        await showMasterHere();
      },
      game: () => chooseGame(() => ({ games: withoutGame(store.ui.games), wanted: store.state.setup.game ?? "" })),
      dice: (/** @type {string} */ game) => change("/api/game", { game }),
      throwPool: () => change("/api/ask", { ask: { ...gameOf(store)?.pool_ask, players: diceToThrow(store) }, label: store.state.destiny_names.pool }),
      bring: () => bringIn(notIn(store), store.state.people, store.state.game),
      toggle: (/** @type {Hero} */ hero) => {
        const here = personOf(store.state, hero);
        return here ? change("/api/people", { do: "remove", person: { id: here.id } }) : bringIn([hero], store.state.people, store.state.game);
      },
    },
  };
}

/** @typedef {{ state: Shown, ui: TableUi }} Known */
const gameOf = (/** @type {Known} */ { state, ui }) => ui.games.find((one) => one.name === state.game);
const heroesOf = (/** @type {Shown} */ state) => state.people.filter((one) => one.kind === "player" && one.game === state.game);
const personOf = (/** @type {Shown} */ state, /** @type {{ name: string }} */ hero) =>
  state.people.find((one) => one.name === hero.name && one.game === state.game);
const phonesOf = (/** @type {{ ui: TableUi }} */ { ui }) => ui.host?.offer?.phones ?? [];
const notIn = (/** @type {Known} */ seen) =>
  gameOf(seen)?.ready.heroes.filter((one) => /** @type {any} */ (seen.state.now.act?.values.heroes)?.includes(one.name)) ?? [];

/** How many dice the pool of this table is thrown with: one for each hero, else for each player's phone; 0 where it has a pool, or none. @param {Known} seen */
export function diceToThrow(seen) {
  const { state } = seen;
  if (!gameOf(seen)?.pool_ask || state.destiny.light + state.destiny.dark > 0) return 0;
  const heroes = heroesOf(state).length;
  return heroes || phonesOf(seen).filter((one) => one.role === "player").length || USUAL_PLAYERS;
}

/** Draw the left side. @param {TableSeen} seen */
export function host(seen) {
  const { state, ui, act } = seen;
  const step = stepOf(state.now);
  const box = gameOf(seen)?.ready.box;
  const about =
    step === 1
      ? html`<span class="may-cut">${say("host.tapBox")}</span>`
      : state.setup.game && box
        ? html`<button type="button" class="host-game" id="host-game" @click=${() => act.host.dice("")}>${boxDice(box)}<span class="may-cut">${box.title}</span>${icon("chevron-down")}</button>`
        : nothing; // prettier-ignore
  return html`<div class="head"><div class="who host-who"><b>${say("host.newTable")}</b>${about}${ui.lostAt ? lostSign(ui.lostAt) : state.trouble.length > 0 ? troubleSign(state.trouble, act) : html`<p class="right">${say("host.step", { n: step, of: STEPS.length })}</p>`}</div>${headline(headOf(state, "table"))}</div>
    ${STEPS[step - 1](seen)}`;
}

const STEPS = [whichDice, whoPlays, phonesIn];

function whichDice(/** @type {TableSeen} */ seen) {
  const { ui, act } = seen;
  return html`${boxCards(ui.games, act.host.dice)}
    <div class="box-others"><a class="link" id="other-dice" href="/setup/dice">${say("host.otherDice")}</a>${quietActs(seen)}</div>`;
}

/** Who is in and who of the ready heroes may come, in or out at a tap; all that are missing at one. @param {TableSeen} seen */
function whoPlays(seen) {
  const { ui, act, state } = seen;
  const ready = gameOf(seen)?.ready.heroes ?? [];
  const others = heroesOf(state).filter((one) => !ready.some((hero) => hero.name === one.name));
  const heroes = [...others, ...ready.filter((hero) => personOf(state, hero) || notIn(seen).includes(hero))];
  return html`<div class="ready-row">${repeat(
    heroes,
    (hero) => hero.name,
    (hero) =>
      readyHero(
        hero,
        seen,
        phonesOf({ ui }).find((one) => one.person && one.person === personOf(state, hero)?.id),
      ),
  )}</div>
    <div class="surfaces ready-acts">${litAct(seen)}<button type="button" class="surface" id="make-own" @click=${act.host.own}>${icon("user-plus")}<b>${say("cast.makeOwn")}</b></button>${quietActs(seen)}</div>
    <p class="quiet against may-cut">${say("host.against")}</p>
    <div class="opponents-row">${repeat(
      gameOf(seen)?.ready.opponents ?? [],
      (one) => one.name,
      (one) => readyOpponent(one, seen),
    )}</div>`;
}

const readyOpponent = (/** @type {Told["ShownOpponent"]} */ one, /** @type {TableSeen} */ { state, act }) =>
  html`<button type="button" class="ready-opponent" data-who=${one.name} aria-pressed=${String(Boolean(personOf(state, one)))} @click=${() => act.host.toggle(one)}><span class="opponent-face">${face(one, { rim: "never" })}${one.members > 1 ? html`<b>${one.members}</b>` : nothing}</span><small class="may-cut">${one.name}</small></button>`;

/** @param {any} hero @param {TableSeen} seen @param {Told["Phone"] | undefined} phone */
function readyHero(hero, seen, phone) {
  const isIn = Boolean(personOf(seen.state, hero));
  const [best] = hero.skills ?? []; // of who is no ready one the state tells none
  return html`<button type="button" class="ready-hero" data-who=${hero.name} aria-pressed=${String(isIn)} @click=${() => seen.act.host.toggle(hero)}>${face({ ...hero, kind: "player" }, { rim: "never" })}<span><b class="may-cut">${hero.name}</b><small class="may-cut">${isIn ? icon("check") : nothing}${phone ? phone.name : hero.role}</small></span>${best ? throwsOf(hero, best) : nothing}</button>`;
}

/** Whose phones are in, and a seat for each who may still come. @param {TableSeen} seen */
function phonesIn(seen) {
  const phones = phonesOf(seen);
  const free = Math.max(1, USUAL_PLAYERS - phones.length);
  const person = (/** @type {Told["Phone"]} */ one) => seen.state.people.find((other) => other.id === one.person);
  const faceOf = (/** @type {Told["Phone"]} */ one) => {
    const here = person(one);
    return here && face(here, { rim: "never" });
  };
  return html`<p class="say">${say(seen.ui.host?.offer?.qr ? "host.scan" : "host.letIn")}</p>
    <div class="cast-row host-phones">${phones.map((one) => html`<span class="cast-one">${faceOf(one) ?? icon(one.role === "gm" ? "star" : "smartphone")}<b class="may-cut">${person(one)?.name ?? one.name}</b></span>`)}${Array.from({ length: free }, () => html`<span class="cast-one" aria-hidden="true">${seat()}</span>`)}</div>
    <div class="surfaces ready-acts">${litAct(seen)}${quietActs(seen)}</div>`;
}

/** What the camera sees, in a few words: what is wrong, or that all is well. @param {Told["SetUp"] | null} camera */
function cameraLine(camera) {
  if (!camera) return say("host.looking");
  if (!camera.found && !camera.made) return say("host.noTray");
  const advice = (camera.card ? camera.card.light : camera.meters?.advice) ?? "";
  return advice ? (patternOf(advice) ?? advice) : say("host.cameraFine");
}

/** The tray's outline over its live picture, and what the camera sees. @param {TableSeen} seen */
function outline({ ui, act }) {
  const { camera, corners } = ui.host ?? NOTHING;
  const shown = corners ?? camera?.made?.corners ?? camera?.found;
  const live = /** @type {HTMLCanvasElement | null} */ (document.getElementById("live"));
  const { moved, dropped } = act.host;
  return html`${shown && live?.hasAttribute("data-shown") ? cornersOver(shown, { width: live.width, height: live.height, radius: 0.02, fit: "slice", moved, dropped }) : nothing}<a class="live-sign" href="/setup">${icon(shown ? "circle-check" : "camera")} <span class="may-cut">${cameraLine(camera)}</span></a>`;
}

/** Draw the right side: the tray as it is now, and the way in for phones. @param {TableSeen} seen */
export function hostSide(seen) {
  const { state, ui, act } = seen;
  const { offer } = ui.host ?? NOTHING;
  const pin = offer?.pin ?? "";
  const hasCamera = !NO_CAMERA.has(state.phase);
  return html`${hasCamera ? html`<div id="tray" class="tray bare host-tray">${liveOver()}${outline(seen)}</div>` : nothing}
    <div class="host-side" ?data-alone=${!hasCamera}>${
      !offer
        ? nothing
        : offer.reachable && offer.qr
          ? html`<div class="host-code">${qrCode(offer.qr)}<div><p class="quiet">${say("pair.scan")}</p><p class="address">${addressWords(offer.url ?? "")}</p><p class="pin">${hasCamera ? html`${pin.slice(0, 3)} <br>${pin.slice(3)}` : pinWords(pin)}</p></div></div>`
          : html`<div class="host-alone"><p><b>${say("host.onlyHere")}</b></p>${letInView(act.host.told, false)}</div>`
    }</div>`;
}
