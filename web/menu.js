// The menu of the table screen: five groups of rows over the whole screen. It opens at the evening, and nothing in it scrolls.

import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";
import { chooseAloud, isAloud } from "./aloud.js";
import { icon } from "./draw/icon.js";
import { token } from "./draw/token.js";
import { recall, remember } from "./memory.js";
import { face, hasPool, row } from "./part/card.js";
import { cameTo } from "./part/feed.js";
import { addressWords, cameraCode, letCameraIn, offerPhones, offerView, pinWords, qrCode, showMasterHere } from "./part/phones.js";
import { segments } from "./part/segments.js";
import { turnNow } from "./part/turns.js";
import { askFirst, closeSheet, show, showPool } from "./part/sheet.js";
import { chooseMetres, chooseTurn, isMirrored, metres, turn } from "./screen.js";
import { chooseSound, isOn, maySound } from "./sound.js";
import { labelSaid } from "./said.js";
import { clock, language, LANGUAGES, isSession, poolCounts, say, sayOr, sessionTitle, sessionWords } from "./strings.js";
import { change, get, send } from "./talk.js";
import { chooseTheme, theme } from "./theme.js";
import { showError } from "./toast.js";
import { undoChange, undoSign } from "./undo.js";

const GROUPS = { tonight: "moon-star", phones: "smartphone", camera: "camera", screen: "monitor", more: "ellipsis" };
const MOST_DISCS = 8;
const MOST_FACES = 4;
const MOST_ROWS = 6; // of a list; more turn the page
const TURNS = [0, 90, 180, 270];

/** @typedef {{ state: State, ui: TableUi, games: Game[], mayChange: boolean, act: TableAct }} Known */
/** What is shown, and what ends it. */
const CLOSED = {
  group: "tonight",
  page: "",
  at: 0,
  offer: /** @type {Told["PairingOffer"] | null} */ (null),
  camera: /** @type {Told["CameraNow"] | null} */ (null),
  what: "rolls",
  changes: /** @type {Told["HistoryLine"][]} */ ([]),
  hall: false,
  isLarge: false,
  end: () => {},
};
let now = { ...CLOSED };
/** @type {Known} */
let seen;
/** @type {import("./layers.js").Layer | null} */
let layer = null; // the menu, as long as it is open

/** Open the menu. `seen` is what the screen knows: `{ state, ui, games, mayChange, act }`. @param {Known} what */
export function openMenu(what) {
  seen = what;
  now = { ...CLOSED };
  layer = show("menu", view(), { name: "menu", whenEnded: () => now.end() });
  get("/api/hall")
    .then(({ broker }) => set({ hall: Boolean(broker) }))
    .catch(() => {});
}

/** Draw it anew, where it is open, with what the table tells now. @param {Known} what */
export function followMenu(what) {
  seen = what;
  if (layer?.isOpen()) draw();
}

/** @param {Partial<typeof now>} part */
function set(part) {
  if (!layer?.isOpen()) return;
  Object.assign(now, part);
  draw();
}

function choose(/** @type {string} */ group) {
  if (group === now.group && !now.page) return;
  now.end();
  set({ group, page: "", at: 0, offer: null, isLarge: false, end: () => {} });
  if (group === "phones") offer();
}

/** Let phones in while this is open; a host does so already. */
function offer() {
  if (seen.mayChange && !seen.ui.host) now.end = offerPhones("any", (told) => set({ offer: told }));
}

async function phoneCamera() {
  now.end();
  set({ page: "phoneCamera" });
  offer();
  const told = await letCameraIn();
  set(told ? { camera: told } : { page: "" });
}

const close = () => closeSheet();
const then = (/** @type {() => unknown} */ act) => () => {
  close();
  act();
};

const draw = () => show("menu", view(), { name: "menu" });

function view() {
  const title = document.title === "Tableside" || !document.title ? say("menu") : document.title;
  return html`<header class="menu-head"><h2 id="sheet-title">${title}</h2><button type="button" class="icon-button close" aria-label=${say("close")} @click=${close}>${icon("x")}</button></header>
    <div class="menu"><nav class="menu-rail">${Object.entries(GROUPS).map(([name, sign]) => html`<button type="button" data-group=${name} aria-current=${name === now.group ? "true" : nothing} @click=${() => choose(name)}>${icon(sign)}<span>${say(`menuGroup.${name}`)}</span></button>`)}</nav>
    <section class="menu-pane" data-group=${now.group} data-page=${now.page || nothing}>${now.page ? PAGES[now.page]() : PANES[now.group]()}</section></div>`;
}

/**
 * A row of the menu: sign, name, value; a tap opens something, goes somewhere or does it in place.
 * @param {string} name @param {string} sign @param {string} title @param {Drawing} value
 * @param {{ act?: (() => void) | null, href?: string, right?: Drawing }} [options]
 */
function line(name, sign, title, value, { act = null, href = "", right = nothing } = {}) {
  const inner = html`${icon(sign)}<span class="two-lines"><b class="may-cut">${title}</b>${value ? html`<small class="may-cut">${value}</small>` : nothing}</span><span class="menu-right">${right}</span>`;
  if (href) return html`<a class="menu-row" data-row=${name} href=${href}>${inner}${icon("chevron-right")}</a>`;
  return act
    ? html`<button type="button" class="menu-row" data-row=${name} @click=${act}>${inner}${icon("chevron-right")}</button>`
    : html`<div class="menu-row" data-row=${name}>${inner}</div>`;
}

const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ act) =>
  html`<button type="button" class="menu-act" id=${id} @click=${act}>${text}</button>`;
const onOff = (
  /** @type {string} */ id,
  /** @type {string} */ title,
  /** @type {boolean} */ isOnNow,
  /** @type {(isOn: boolean) => unknown} */ act,
  words = ["off", "on"],
) =>
  segments(
    title,
    [
      ["0", say(`menuIs.${words[0]}`)],
      ["1", say(`menuIs.${words[1]}`)],
    ],
    isOnNow ? "1" : "0",
    (value) => {
      act(value === "1");
      draw();
    },
    id,
  );

/** @type {Record<string, () => Drawn>} */
const PANES = { tonight, phones, camera, screen: thisScreen, more };
/** @type {Record<string, () => Drawn>} */
const PAGES = {
  cast: castPage,
  log: logPage,
  language: languagePage,
  turn: turnPage,
  connections: connectionsPage,
  phoneCamera: phoneCameraPage,
};

const gameNow = () => seen.games.find((one) => one.name === seen.state.game);

function tonight() {
  const { state, mayChange, act } = seen;
  const here = state.people.filter((one) => one.game === state.game);
  const heroes = here.filter((one) => one.kind === "player");
  const others = here.filter((one) => one.kind !== "player");
  const slot = state.initiative.slots.find((one) => one.id === state.initiative.current);
  const last = state.history[0];
  const discs = (/** @type {Side} */ side) =>
    state.destiny[side] > MOST_DISCS / 2
      ? html`<span class="menu-disc">${token(side)}</span><b>× ${state.destiny[side]}</b>`
      : Array.from({ length: state.destiny[side] }, () => html`<span class="menu-disc">${token(side)}</span>`);
  const game = gameNow();
  const isPooled = game && hasPool(game);
  return html`${line("session", "moon-star", sessionTitle(state), sessionWords(state), { right: mayChange ? (isSession(state) ? button("end-session", say("menu.end"), endSession) : button("begin-session", say("menu.begin"), beginSession)) : nothing })}
    ${line("game", "dices", say("game"), state.game_title, mayChange ? { act: then(act.host.game), right: html`<span class="quiet">${say("roll.change")}</span>` } : {})}
    ${isPooled ? line("pool", "coins", state.destiny_names.pool, poolCounts(state.destiny, state.destiny_names), mayChange ? { act: then(() => showPool(seen.state)), right: html`${discs("light")}${discs("dark")}` } : { right: html`${discs("light")}${discs("dark")}` }) : nothing}
    ${line("fight", "swords", say("tab.fight"), turnNow(state) || say("tonight.noFight"), slot ? { act: close } : {})}
    ${line("cast", "users-round", say("tab.cast"), [heroes.length > 0 ? say("menu.heroes", { n: heroes.length }) : "", ...others.map((one) => one.name)].filter(Boolean).join(", ") || say("tonight.noPhones"), { act: () => set({ page: "cast", at: 0 }), right: html`<span class="faces-row">${heroes.slice(0, MOST_FACES).map((one) => face(one, { game }))}</span>` })}
    ${line("log", "scroll-text", say("tab.log"), last ? say("menu.last", { what: [last.by, labelSaid(last.label)].filter(Boolean).join(", ") || say("pastRoll") }) : say("noRoll"), last ? { act: () => set({ page: "log", at: 0 }) } : {})}`;
}

async function endSession() {
  close();
  if (await askFirst(say("menu.endAsk"), say("sessionEnd"))) change("/api/session/end");
}

async function beginSession() {
  close();
  if (await askFirst(say("menu.beginAsk"), say("sessionStart"))) change("/api/session", {});
}

function phones() {
  const offer = seen.ui.host?.offer ?? now.offer;
  if (!seen.mayChange) return html`<a class="button primary" id="to-pair" href="/pair">${say("goPair")}</a>`;
  const list = offer?.phones ?? [];
  if (now.isLarge && offer?.qr)
    return html`<div class="menu-large">${qrCode(offer.qr)}<div><button type="button" class="icon-button" aria-label=${say("back")} @click=${() => set({ isLarge: false })}>${icon("chevron-left")}</button><p class="address">${addressWords(offer.url ?? "")}</p><p class="pin">${pinWords(offer.pin ?? "")}</p></div></div>`;
  return html`<div class="menu-phones"><div class="menu-code">${
    offer?.qr
      ? html`${qrCode(offer.qr)}<p class="pin">${pinWords(offer.pin ?? "")}</p><p class="address quiet">${addressWords(offer.url ?? "")}</p><button type="button" class="menu-act" id="pair-large" @click=${() => set({ isLarge: true })}>${icon("maximize")} ${say("menu.large")}</button>`
      : html`${offerView(offer)}<button type="button" class="menu-act" id="master-here" @click=${() => showMasterHere()}>${say("pair.masterHere")}</button>`
  }</div>
    <div class="menu-list">${repeat(list.slice(now.at, now.at + MOST_ROWS - 1), (one) => one.id, phoneRow)}${turnPages(list.length, MOST_ROWS - 1)}
      ${list.length > 0 ? line("forget", "trash-2", say("forgetAll"), say("menu.asks"), { act: () => forget("all", say("forgetAsk"), say("forgetAll")) }) : html`<p class="quiet">${say("menu.noPhones")}</p>`}</div></div>`;
}

/** @param {Told["Phone"]} one */
function phoneRow(one) {
  const mine = seen.state.people.find((person) => person.id === one.person);
  const forgets = say("forget", { name: mine?.name ?? one.name });
  return html`<div class="menu-row" data-phone=${one.name}>${mine ? face(mine, { rim: "never" }) : icon(one.role === "gm" ? "star" : "smartphone")}<span class="two-lines"><b class="may-cut">${mine?.name ?? one.name}</b><small>${say(`roles.${one.role}`)}</small></span>
    <span class="menu-right"><button type="button" class="menu-act forget" aria-label=${forgets} @click=${() => forget(one.id, `${forgets}?`, forgets)}>${icon("trash-2")}</button></span></div>`;
}

/** Forget a phone, or `all`, once somebody has said so. @param {string} id @param {string} question @param {string} words */
async function forget(id, question, words) {
  close();
  if (await askFirst(question, words)) send(`/api/devices/${encodeURIComponent(id)}/forget`, {});
}

function camera() {
  const { state, mayChange, act } = seen;
  const trouble = state.trouble.find((one) => one.part === "camera" || one.part === "setup");
  const isHere = state.phase !== "by_hand" && state.phase !== "no_camera";
  const sign = trouble
    ? html`<span data-tone="doubt">${icon("triangle-alert")}</span>`
    : isHere
      ? html`<span class="menu-good">${icon("circle-check")} ${say("menu.good")}</span>`
      : nothing;
  const value = trouble
    ? sayOr(`troubles.${trouble.words?.what?.key ?? trouble.what}`, trouble.what)
    : isHere
      ? say("tonight.cameraFine")
      : say(`phase.${state.phase}`);
  return html`${line("setup", "camera", say("setup.title"), value, { href: "/setup", right: sign })}
    ${line("teach", "graduation-cap", say("teach.title"), say("menu.teachMore"), { href: "/setup/dice" })}
    ${line("card", "file-text", say("setup.toCard"), say("menu.cardMore"), { href: "/setup/card" })}
    ${mayChange ? line("phone-camera", "smartphone", say("cam.usePhone"), say("menu.phoneCameraMore"), { act: phoneCamera }) : nothing}
    ${mayChange && state.phase !== "by_hand" ? line("read", "scan-eye", say("readAgain"), "", { right: button("read-again", say("menu.read"), () => change("/api/read", {}, { withId: false })) }) : nothing}
    ${mayChange && act.hasPanel() ? line("panel", "lightbulb", say("panelTitle"), say("menu.panelMore"), { right: onOff("menu-panel", say("panelTitle"), document.body.hasAttribute("data-panel-shown"), act.panel, ["off", "shown"]) }) : nothing}`;
}

function thisScreen() {
  return html`${line("metres", "ruler", say("metres.title"), say("metres.more"), {
    right: segments(
      say("metres.title"),
      ["2", "4"].map((value) => [value, say("metres.of", { n: value })]),
      metres(),
      (value) => {
        chooseMetres(value);
        draw();
      },
      "menu-metres",
    ),
  })}
    ${maySound() ? line("sound", "volume-2", say("sound"), "", { right: onOff("menu-sound", say("sound"), isOn(), chooseSound) }) : nothing}
    ${line("aloud", "volume-2", say("aloud.title"), say("aloud.more"), { right: onOff("menu-aloud", say("aloud.title"), isAloud(), aloud) })}
    ${line("theme", "sun", say("themeTitle"), "", {
      right: segments(
        say("themeTitle"),
        [
          ["auto", say("themeAuto")],
          ["light", say("themeLight")],
          ["dark", say("themeDark")],
        ],
        theme(),
        (value) => {
          chooseTheme(value);
          draw();
        },
        "menu-theme",
      ),
    })}
    ${line("language", "languages", say("language"), LANGUAGES[recall("language") ?? language()], { act: () => set({ page: "language" }) })}
    ${line("turn", "rotate-cw", say("turnTitle"), isMirrored() ? say("menu.mirrorMore") : say(`turns.${turn()}`), { act: () => set({ page: "turn" }) })}`;
}

async function aloud(/** @type {boolean} */ isWanted) {
  if (!(await chooseAloud(isWanted))) showError({ what: say("aloud.none"), hint: say("aloud.noneHint") });
  draw();
}

function more() {
  const { mayChange, state } = seen;
  return html`${line("reference", "book-open", say("tonight.reference"), say("tonight.referenceMore"), { href: "/lookup" })}
    ${line("connections", "plug", say("menu.connections"), say("menu.connectionsMore"), { act: () => set({ page: "connections" }) })}
    ${line("files", "download", say("people.files"), say("menu.filesMore"), { href: "/api/history?format=csv" })}
    ${mayChange ? line("redo", "redo-2", say("redo"), "", { right: button("menu-redo", say("menu.redo"), () => change("/api/redo")) }) : nothing}
    ${mayChange ? line("lamps", "lightbulb", say("lampTest"), "", { right: onOff("menu-lamps", say("lampTest"), Boolean(state.testing), (on) => change("/api/lamps/test", { on }, { withId: false })) }) : nothing}
    ${line("about", "info", say("help.title"), say("menu.aboutMore"), { href: "/help" })}`;
}

/** A page of the menu has its way back on top. @param {string} title @param {Drawn} body */
const page = (title, body) =>
  html`<button type="button" class="menu-row menu-back" @click=${() => set({ page: "", at: 0 })}>${icon("chevron-left")}<b>${title}</b></button>${body}`;
const pick = (/** @type {string} */ id, /** @type {string} */ title, /** @type {boolean} */ isChosen, /** @type {() => void} */ act) =>
  html`<button type="button" class="menu-row" data-pick=${id} aria-pressed=${String(isChosen)} @click=${() => isChosen || act()}>${icon(isChosen ? "check" : "circle-dot")}<b>${title}</b></button>`;

function castPage() {
  const game = gameNow();
  const here = game ? seen.state.people.filter((one) => one.game === game.name) : [];
  const count = MOST_ROWS - 2;
  return page(
    say("tab.cast"),
    html`${here.slice(now.at, now.at + count).map((one) => game && row(one, { game, state: one.role }))}${turnPages(here.length, count)}`,
  );
}

/** The rolls of the evening, or all changes, each with the way to take it back. */
function logPage() {
  const { state, act, mayChange } = seen;
  const count = MOST_ROWS - 2;
  const isRolls = now.what === "rolls";
  const kinds = segments(
    say("log.what"),
    ["rolls", "changes"].map((one) => [one, say(`log.${one}`)]),
    now.what,
    async (what) => {
      set({ what, at: 0 });
      set({ changes: (await get("/api/history?limit=200").catch(() => null))?.changes ?? [] });
    },
    "menu-log",
  );
  if (!isRolls)
    return page(
      say("tab.log"),
      html`${kinds}${now.changes.slice(now.at, now.at + count).map(
        (one) =>
          html`<div class="menu-row" data-change=${one.number}><time>${clock(1000 * one.at)}</time><span class="two-lines"><b>${one.sentence}</b></span><span class="menu-right">${
            mayChange && one.may_undo
              ? undoSign(
                  one,
                  then(() => undoChange(one.number, one.sentence)),
                )
              : nothing
          }</span></div>`,
      )}${turnPages(now.changes.length, count)}`,
    );
  return page(
    say("tab.log"),
    html`${kinds}${state.history.slice(now.at, now.at + count).map((roll) => html`<button type="button" class="menu-row" data-roll=${roll.id} @click=${then(() => act.past(roll.id))}><time>${clock(1000 * roll.at)}</time><span class="two-lines"><b class="may-cut">${roll.by || "–"}</b><small class="may-cut">${labelSaid(roll.label)}</small></span><span class="menu-right came">${cameTo(roll)}</span></button>`)}${turnPages(state.history.length, count)}`,
  );
}

/** The way to what finds no room on one page. @param {number} length @param {number} count */
function turnPages(length, count) {
  if (length <= count) return nothing;
  const go = (/** @type {number} */ by) => set({ at: Math.max(0, Math.min(length - 1, now.at + by * count)) });
  return html`<div class="menu-pages"><button type="button" class="menu-act" aria-label=${say("laterRoll")} ?disabled=${now.at === 0} @click=${() => go(-1)}>${icon("chevron-up")}</button><button type="button" class="menu-act" aria-label=${say("earlierRoll")} ?disabled=${now.at + count >= length} @click=${() => go(1)}>${icon("chevron-down")}</button></div>`;
}

function phoneCameraPage() {
  return page(say("cam.usePhone"), now.camera ? cameraCode(now.camera) : nothing);
}

function languagePage() {
  const chosen = recall("language") ?? language();
  return page(
    say("language"),
    html`<div class="menu-two">${Object.entries(LANGUAGES).map(([value, text]) =>
      pick(value, text, value === chosen, () => {
        remember("language", value);
        location.reload();
      }),
    )}</div>`,
  );
}

function turnPage() {
  return page(
    say("turnTitle"),
    html`<div class="menu-two">${TURNS.map((degrees) => pick(String(degrees), say(`turns.${degrees}`), degrees === turn() && !isMirrored(), () => chooseTurn(degrees, false)))}${pick("mirror", say("mirror"), isMirrored(), () => chooseTurn(0, true))}</div>`,
  );
}

function connectionsPage() {
  return page(
    say("menu.connections"),
    html`${line("foundry", "plug", say("elsewhere.foundry"), `${location.origin}/foundry/module.json`)}${line("overlay", "image", say("elsewhere.overlay"), `${location.origin}/overlay`)}
  ${now.hall ? line("hall", "monitor", say("hallTitle"), say("menu.hallMore"), { href: "/hall" }) : nothing}
  ${line("gm", "star", say("masterTitle"), "", { href: "/gm" })}${line("player", "smartphone", say("playerTitle"), "", { href: "/player" })}`,
  );
}
