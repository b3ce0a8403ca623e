// The tab of the evening: the pool on top, then rows that open, each with its value.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { chooseAloud, isAloud } from "../aloud.js";
import { icon } from "../draw/icon.js";
import { token } from "../draw/token.js";
import { recall, remember } from "../memory.js";
import { face, hasPool } from "../part/card.js";
import { onlyFirst } from "../part/dice.js";
import { offerPhones, offerView } from "../part/phones.js";
import { segments } from "../part/segments.js";
import { gameButtons, withoutGame } from "../part/games.js";
import { askFirst, showTrouble } from "../part/sheet.js";
import { isSession, language, LANGUAGES, say, sayOr, sessionTitle, sessionWords, troubleLine } from "../strings.js";
import { change, send } from "../talk.js";
import { chooseTheme, theme } from "../theme.js";
import { showError } from "../toast.js";
import { fieldRows } from "./fields.js";
import { buzzes, chooseBuzz } from "./notice.js";
import { readPeople, savePeople } from "./files.js";
import { tablesPart } from "./tables.js";

const MOST_DISCS = 10;
const MOST_FACES = 4;
/** @type {Side[]} */
const SIDES = ["light", "dark"];
const ADDRESSES = { foundry: "/foundry/module.json", overlay: "/overlay" };

/** Draw the tab. @param {PhoneSeen} seen */
export function tonightTab(seen) {
  const { isMaster, mayChange } = seen;
  const shown = isMaster
    ? [...(troubles(seen.state).length > 0 ? ["trouble"] : []), "session", "game", "phones", "camera", "reference", "tables", "this", "more"]
    : ["session", ...(seen.role === "player" ? ["mine"] : []), "reference", "tables", "this", ...(seen.role === "player" ? ["trayCamera"] : [])];
  return html`<div class="title-row"><h2>${say("tab.tonight")}</h2></div>
    ${poolRow(seen)}${mayChange ? sharedTrackers(seen) : nothing}
    <div class="tonight">${shown.map((name) => ROWS[name](seen))}</div>`;
}

/**
 * A row: sign, name, value. A tap opens its sheet, where there is no `act` or `href`.
 * @param {string} name @param {string} sign @param {string} title @param {Drawing} value
 * @param {{ seen: PhoneSeen, act?: (() => void) | null, href?: string, right?: Drawing }} options
 */
function line(name, sign, title, value, { seen, act = null, href = "", right = nothing }) {
  const inner = html`${icon(sign)}<span class="two-lines"><b class="may-cut">${title}</b><small class="may-cut">${value}</small></span>${right}${icon("chevron-right")}`;
  if (href) return html`<a class="open-row two" data-row=${name} href=${href}>${inner}</a>`;
  return html`<button type="button" class="open-row two" data-row=${name} @click=${act ?? (() => seen.act.sheet(name))}>${inner}</button>`;
}

/** What is wrong besides the camera, which has a row of its own. */
const troubles = (/** @type {State} */ { trouble }) => trouble.filter((one) => !isOfCamera(one));
const isOfCamera = (/** @type {Trouble} */ { part }) => part === "camera" || part === "setup";

/** @type {Record<string, (seen: PhoneSeen) => Drawing>} */
const ROWS = {
  trouble: (seen) =>
    line("trouble", "triangle-alert", troubleLine(troubles(seen.state)[0]), say("troubleTitle"), { seen, act: () => showTrouble(troubles(seen.state), true) }),
  session: (seen) => line("session", "moon-star", sessionTitle(seen.state), sessionWords(seen.state), { seen }),
  game: (seen) => line("game", "dices", seen.game.title, say("tonight.rules"), { seen }),
  phones: (seen) => line("phones", "smartphone", say("tonight.phones"), phoneNames(seen).join(", ") || say("tonight.noPhones"), { seen, right: faces(seen) }),
  camera: (seen) =>
    line("camera", "camera", say("tonight.camera"), cameraWords(seen.state), {
      seen,
      right: isFine(seen.state) ? html`<span data-tone="good">${icon("circle-check")}</span>` : html`<span data-tone="doubt">${icon("triangle-alert")}</span>`,
    }),
  reference: (seen) => line("reference", "book-open", say("tonight.reference"), say("tonight.referenceMore"), { seen, href: "/lookup" }),
  tables: (seen) => line("tables", "table-2", say("tables.title"), seen.state.tables.map((one) => one.name).join(", ") || say("tonight.none"), { seen }),
  mine: (seen) => line("mine", "smartphone", say("join.who"), seen.me() || say("nobodyNamed"), { seen, href: "/pair" }),
  this: (seen) => line("this", "monitor", say("tonight.thisPhone"), say("tonight.thisPhoneMore"), { seen }),
  trayCamera: (seen) => line("trayCamera", "camera", say("cam.begin"), say("cam.beginMore"), { seen, href: "/camera" }),
  more: (seen) => line("more", "ellipsis", say("person.more"), say("tonight.moreMore"), { seen }),
};

const ofCamera = (/** @type {State} */ { trouble }) => trouble.find(isOfCamera);
const isFine = (/** @type {State} */ state) => !ofCamera(state) && state.phase !== "by_hand" && state.phase !== "no_camera";
const cameraWords = (/** @type {State} */ state) =>
  ofCamera(state)
    ? sayOr(`troubles.${ofCamera(state)?.what}`, ofCamera(state)?.what ?? "")
    : isFine(state)
      ? say("tonight.cameraFine")
      : say(`phase.${state.phase}`);

const cardOf = (/** @type {Told["Phone"]} */ phone, /** @type {PhoneSeen} */ { ui }) => ui.people.find((one) => one.id === phone.person);
const phoneNames = (/** @type {PhoneSeen} */ seen) => seen.ui.phones.map((one) => cardOf(one, seen)?.name ?? one.name);
const faces = (/** @type {PhoneSeen} */ seen) =>
  html`<span class="faces-row">${seen.ui.phones
    .flatMap((one) => cardOf(one, seen) ?? [])
    .slice(0, MOST_FACES)
    .map((one) => face(one, { rim: "never" }))}</span>`;

/** The pool as discs: a tap spends one. A player spends light ones alone. @param {PhoneSeen} seen */
function poolRow({ state, act, game, isMaster, mayChange }) {
  if (!hasPool(game)) return nothing;
  const names = state.destiny_names;
  const discs = (/** @type {Side} */ side) => {
    const count = state.destiny[side];
    const many = count > MOST_DISCS / 2;
    const one = (/** @type {unknown} */ _, /** @type {number} */ n) =>
      html`<button type="button" class="disc" data-side=${side} aria-hidden=${onlyFirst(n).hidden} tabindex=${onlyFirst(n).tab} aria-label=${say("spend", { name: names[side] })} ?disabled=${!mayChange || !state.destiny_flips || (!isMaster && side === "dark")} @click=${() => act.flip(side)}>${token(side)}</button>`;
    return html`<span class="discs" ?data-empty=${count === 0} data-side=${side} role="group" aria-label=${names[side]}>${many ? html`${one(null, 0)}<b>× ${count}</b>` : Array.from({ length: count }, one)}<span class="hidden count">${count}</span></span>`;
  };
  return html`<section id="destiny" class="pool-line" aria-label=${names.pool}>${SIDES.map(discs)}${state.destiny.light + state.destiny.dark === 0 ? html`<p class="quiet">${say("tonight.poolEmpty", { pool: names.pool })}</p>` : nothing}
    ${isMaster ? html`<button type="button" class="icon-button raised" id="pool-more" aria-label=${say("poolTitle", { pool: names.pool })} @click=${() => act.sheet("pool")}>${icon("plus")}</button>` : nothing}</section>`;
}

/** What all share beside the pool, such as advantages that the table sets aside. @param {PhoneSeen} seen */
function sharedTrackers({ state, game }) {
  const shared = game.trackers.filter((one) => one.scope === "table" && !(/** @type {string[]} */ (SIDES).includes(one.name)));
  return shared.map((tracker) => {
    const value = state.trackers.find((one) => one.game === state.game && one.name === tracker.name && one.owner === "")?.value ?? tracker.default;
    const act = (/** @type {number} */ count) => change("/api/trackers", { name: tracker.name, owner: "", count });
    return html`<div class="line-row shared-tracker"><span>${tracker.title}</span>${steps(tracker.title, value, tracker.least, tracker.most, act)}</div>`;
  });
}

/** @param {string} title @param {number} value @param {number} least @param {number} most @param {(by: number) => void} act */
const steps = (
  title,
  value,
  least,
  most,
  act,
) => html`<span class="number-steps"><button type="button" class="step" aria-label=${say("trackerLess", { title })} ?disabled=${value <= least} @click=${() => act(-1)}>${icon("minus")}</button><output class="code-number">${value}</output>
  <button type="button" class="step" aria-label=${say("trackerMore", { title })} ?disabled=${value >= most} @click=${() => act(1)}>${icon("plus")}</button></span>`;

/** What lies behind the rows. @type {Sheets} */
export const TONIGHT_SHEETS = { pool, session, game, phones, camera, tables, this: thisPhone, more };

/** @param {PhoneSeen} seen */
function pool({ state }) {
  const names = state.destiny_names;
  const rows = SIDES.map(
    (side) =>
      html`<li class="line-row" data-side=${side}><span class="named-die"><span class="disc small">${token(side)}</span>${names[side]}</span>${steps(names[side], state.destiny[side], 0, 99, (/** @type {number} */ by) => change("/api/destiny", { do: by > 0 ? "add" : "remove", side }))}</li>`,
  );
  return {
    title: names.pool,
    body: html`<ul class="pool-lines">${rows}</ul>
    <details><summary>${say("poolNames")}</summary><form class="pool-names" @submit=${rename}>${Object.entries({ pool: say("poolName"), light: say("lightName"), dark: say("darkName") }).map(([key, title]) => html`<label class="line-row">${title}<input type="text" name=${key} maxlength="40" .value=${/** @type {Record<string, string>} */ (names)[key]}></label>`)}<button type="submit">${say("rename")}</button></form></details>`,
  };
}

/** @param {SentForm<"pool" | "light" | "dark">} event */
function rename(event) {
  event.preventDefault();
  const { pool: whole, light, dark } = event.target.elements;
  change("/api/game", { names: { pool: whole.value.trim(), light: light.value.trim(), dark: dark.value.trim() } });
}

/** @param {PhoneSeen} seen */
function session({ state, isMaster, act }) {
  const end = () => {
    act.closeSheet();
    change("/api/session/end");
  };
  const begin = (/** @type {SentForm<"title">} */ event) => {
    event.preventDefault();
    act.closeSheet();
    change("/api/session", { title: event.target.elements.title.value.trim() });
  };
  return {
    title: sessionTitle(state),
    body: html`<p class="quiet">${sessionWords(state)}</p>
    ${isMaster && isSession(state) ? html`<button type="button" class="raised large" id="end-session" @click=${end}>${say("sessionEnd")}</button>` : nothing}
    ${
      isMaster
        ? html`<form class="begin" @submit=${begin}><label class="line-row">${say("sessionTitle")}<input id="session-title" name="title" type="text" maxlength="60" autocomplete="off"></label><button type="submit" class="primary large" id="begin-session">${say("sessionStart")}</button></form>
    ${state.tables.filter((one) => one.opens).map((one) => html`<button type="button" class="opening-table" @click=${() => change("/api/ask", { table: one.name })}>${say("sessionTable", { name: one.name })}</button>`)}`
        : nothing
    }`,
  };
}

/** @param {PhoneSeen} seen */
function game({ state, games, game: now }) {
  const wanted = state.setup.game;
  const settings = state.setup.settings[now.name] ?? {};
  const choose = (/** @type {string} */ name) => name !== wanted && change("/api/game", { game: name });
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    /** @type {Answers} */
    const next = { ...settings, [name]: value };
    if (value === undefined) delete next[name];
    change("/api/game", { game: wanted, settings: next });
  };
  const fields = now.form.filter((field) => field.setting);
  return {
    title: say("game"),
    body: html`${gameButtons(withoutGame(games), wanted ?? "", choose)}
    ${fields.length > 0 ? html`<h3>${say("settingsOf")}: ${now.title}</h3>${fieldRows(fields, settings, set)}` : nothing}`,
  };
}

/** @param {PhoneSeen} seen */
function phones(seen) {
  const { ui, act, game } = seen;
  return {
    title: say("tonight.phones"),
    body: html`${ui.offer ? offerView(ui.offer) : html`<button type="button" class="raised large" id="pair-player" @click=${() => act.offer("player")}>${icon("smartphone")} ${say("tonight.oneMore")}</button>`}
    <ul class="phone-list">${repeat(
      ui.phones,
      (one) => one.id,
      (one) => {
        const mine = cardOf(one, seen);
        return html`<li class="line-row">${mine ? face(mine, { game, rim: "never" }) : icon(one.role === "gm" ? "star" : "smartphone")}<span class="two-lines"><b class="may-cut">${mine?.name ?? one.name}</b><small>${say(`roles.${one.role}`)}</small></span><button type="button" class="forget" aria-label=${say("forget", { name: mine?.name ?? one.name })} @click=${() => act.forgetPhone(one)}>${icon("trash-2")}</button></li>`;
      },
    )}</ul>
    <button type="button" class="raised" id="pair-gm" @click=${() => act.offer("gm")}>${say("pairMaster")}</button>`,
  };
}

/** @param {PhoneSeen} seen */
function camera({ state }) {
  const again = () => change("/api/read", {}, { withId: false });
  const go = (/** @type {string} */ href, /** @type {string} */ sign, /** @type {string} */ title) =>
    html`<a class="open-row" href=${href}>${icon(sign)}<b>${title}</b>${icon("chevron-right")}</a>`;
  return {
    title: say("tonight.camera"),
    body: html`<p class="quiet">${cameraWords(state)}</p>${go("/setup", "camera", say("setup.title"))}${go("/setup/dice", "graduation-cap", say("teach.title"))}${go("/setup/card", "file-text", say("setup.toCard"))}${go("/camera", "smartphone", say("cam.begin"))}
    ${state.phase === "by_hand" ? nothing : html`<button type="button" class="open-row" id="read-again" @click=${again}>${icon("scan-eye")}<b>${say("readAgain")}</b></button>`}
    ${segmentRow(
      say("photo.who"),
      ["all", "asked", "nobody"].map((who) => [who, say(`photo.who.${who}`)]),
      state.setup.photographs ?? "all",
      (photographs) => change("/api/game", { photographs: /** @type {Told["Photographers"]} */ (photographs) }),
    )}`,
  };
}

/** @param {PhoneSeen} seen */
function tables(seen) {
  return { title: say("tables.title"), body: tablesPart(seen) };
}

/** @template T @param {string} title @param {[T, string][]} list @param {T} now @param {(value: T) => void} choose */
const segmentRow = (title, list, now, choose) => html`<div class="line-row"><span>${title}</span>${segments(title, list, now, choose)}</div>`;

/** @param {string} chosen */
function chooseLanguage(chosen) {
  remember("language", chosen);
  location.reload();
}

/** @param {PhoneSeen} seen */
function thisPhone({ act, isMaster }) {
  /** @type {[boolean, string][]} */
  const onOff = [
    [false, say("menuIs.off")],
    [true, say("menuIs.on")],
  ];
  const openAgain = () => act.sheet("this");
  const aloud = async (/** @type {boolean} */ isWanted) => {
    if (!(await chooseAloud(isWanted))) showError({ what: say("aloud.none"), hint: say("aloud.noneHint") });
    openAgain();
  };
  /** @type {[string, string][]} */
  const themes = [
    ["auto", say("themeAuto")],
    ["light", say("themeLight")],
    ["dark", say("themeDark")],
  ];
  return {
    title: say("tonight.thisPhone"),
    body: html`${segmentRow(say("themeTitle"), themes, theme(), (value) => {
      chooseTheme(value);
      openAgain();
    })}${segmentRow(say("aloud.title"), onOff, isAloud(), aloud)}${
      isMaster || !navigator.vibrate
        ? nothing
        : segmentRow(say("slept.buzz"), onOff, buzzes(), (isWanted) => {
            chooseBuzz(isWanted);
            openAgain();
          })
    }<p class="field-title">${say("language")}</p><div class="chips" role="group" aria-label=${say("language")}>${Object.entries(LANGUAGES).map(([value, text]) => html`<button type="button" class="chip" data-language=${value} aria-pressed=${String(value === (recall("language") ?? language()))} @click=${() => chooseLanguage(value)}>${text}</button>`)}</div>
    <a class="open-row" href="/pair">${icon("smartphone")}<b>${say("pair.title")}</b>${icon("chevron-right")}</a>
    <a class="open-row" id="to-screen" href="/">${icon("monitor")}<b>${say("toScreen")}</b>${icon("chevron-right")}</a>`,
  };
}

/** @param {PhoneSeen} seen */
function more(seen) {
  const { ui, game } = seen;
  const here = ui.people.filter((one) => one.game === game.name);
  return {
    title: say("person.more"),
    body: html`<h3>${say("elsewhere.title")}</h3>${Object.entries(ADDRESSES).map(([name, path]) => html`<label class="elsewhere"><span>${sayOr(`elsewhere.${name}`, name)}</span><span class="acts"><input type="text" id=${`elsewhere-${name}`} readonly .value=${location.origin + path}><button type="button" @click=${copied}>${say("elsewhere.copy")}</button></span></label>`)}
    <h3>${say("people.files")}</h3><div class="acts"><button type="button" id="export-people" ?disabled=${here.length === 0} @click=${() => savePeople(here)}>${say("people.export")}</button>
      <label class="file-button">${say("people.import")}<input type="file" id="import-people" accept=".json,application/json" @change=${(/** @type {Happened} */ event) => readPeople(event.target, seen)}></label><a class="button" href="/api/history?format=csv" download="tableside.csv">${say("log.csv")}</a></div>
    <p class="quiet">${say("people.sameName")}</p>
    <button type="button" class="open-row" id="redo" @click=${() => change("/api/redo")}>${icon("redo-2")}<b>${say("redo")}</b></button>`,
  };
}

/** @param {Happened<HTMLButtonElement>} event */
async function copied(event) {
  const button = event.currentTarget;
  const field = /** @type {HTMLInputElement} */ (button.previousElementSibling);
  field.select();
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      )
    : document.execCommand("copy"); // at http
  if (isCopied) button.textContent = say("elsewhere.copied");
}

/** What the tab does. `page` tells what is seen now and follows. @param {PhonePage} page */
export function tonightActs({ store }) {
  return {
    /** Let phones in while the sheet is open. @param {Told["OfferBody"]["role"]} role */
    offer(role) {
      store.set({ endOffer: offerPhones(role, (offer) => store.set({ offer, phones: offer?.phones ?? store.ui.phones })) });
    },
    async forgetPhone(/** @type {Told["Phone"]} */ phone) {
      const phones = await send(`/api/devices/${encodeURIComponent(phone.id)}/forget`, {});
      if (phones) store.set({ phones });
    },
    /** This phone belongs to a card from now on. @param {Person} person */
    async iAm(person) {
      if (person.phone && !(await askFirst(say("join.takeOver", { name: person.name }), say("join.takeOverDo")))) return;
      if (await send("/api/me", { person: person.id, takes_over: Boolean(person.phone) })) store.set({ person: person.id });
    },
    /** The page is that of another one of this phone. @param {Person} person */
    async toOther(person) {
      if (await send("/api/me", { person: person.id, takes_over: true })) store.set({ person: person.id });
    },
    flip: (/** @type {Side} */ side) => change("/api/destiny", { do: "spend", side }),
  };
}
