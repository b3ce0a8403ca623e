// Dice by hand: a place for each die that was thrown, and the faces of the one that is lit. A tap or a key sets it and lights the
// next; the last one sends them all. Where nothing is called, dice that are tapped make the places.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { allSets, dieLabel, dieName, dieType } from "../dice.js";
import { recallHere, rememberHere } from "../memory.js";
import { faceWords, say } from "../strings.js";
import { change, rollAddress } from "../talk.js";
import { missingOf } from "../table/kind.js";
import { byPlace, eachOf, lyingRow, sided } from "./dice.js";

const KEPT = `entered ${location.pathname}`;
const MANY_FACES = 7; // from here on they have one column more

/** What is entered for a call, or for none; `same` is what a call keeps that is changed before it is thrown. @param {Pick<Shown, "game" | "asked" | "call" | "roll">} state @returns {Entered} */
export const forCall = ({ game, asked, call, roll }) => ({
  key: asked ? `call ${asked.id}` : `after ${roll?.id ?? ""} ${game}`,
  same: asked ? JSON.stringify([asked.who || asked.player, asked.label, asked.damage, roll?.id]) : "",
  game: asked?.game ?? game,
  wanted: asked?.tray?.dice ?? {},
  pips: call?.pips ?? 0,
  send: (/** @type {FacedDie[]} */ dice) => change("/api/rolls", asked ? { dice, uses_ask: true } : { dice }),
});

/** The throw that a roll waits for. @param {AnyRoll} roll @param {Pick<Told["Throw"], "sentence" | "dice">} awaits @returns {Entered} */
export const forThrow = (roll, awaits) => ({
  key: `throw ${roll.id}:${roll.version}`,
  title: awaits.sentence,
  game: roll.game,
  wanted: awaits.dice,
  send: (dice) => change(rollAddress(roll, "/throws"), { dice, version: roll.version }),
});

/** What is missing of a roll that was called otherwise. @param {AnyRoll} roll */
export const forRest = (roll) => ({ ...forThrow(roll, { sentence: say("addByHand"), dice: missingOf(roll) }), beside: roll });

/** Whether dice of this key were being entered when the page was left. @param {string} key */
export const wasEntered = (key) => recallHere(KEPT)?.key === key;

/** @type {Hand | null} */
let typed = null; // what the keys go to

/**
 * Dice that are being entered, as one of the above says; `games` say which dice are whose, `changed` draws anew, `done` is told that these
 * were sent.
 * @param {Entered & { games: () => Game[], changed: () => void, done: (hand: Hand) => void }} what
 */
export function createHand({ key, same = "", title = "", game, wanted = {}, dice = [], pips = 0, beside, send, games, changed, done }) {
  const kept = recallHere(KEPT);
  /** @type {Place[]} */
  let places = kept?.key === key && kept.places.length > 0 ? kept.places : placesOf(wanted, dice);
  let at = nextOf(places, -1) ?? 0;
  let isAdding = places.length === 0 || (kept?.key === key && kept.isAdding);
  let hasAll = false;
  let isSending = false;
  const types = (/** @type {boolean} */ isOwn) => {
    const { dice_sets: own = [], lone_die: lone = "" } = games().find((one) => one.name === game) ?? {};
    return allSets().flatMap((set) => set.types.filter((type) => (own.includes(set.name) && (!type.variant_of || type.name === lone)) === isOwn));
  };

  const set = (/** @type {Place[]} */ now) => {
    places = now;
    rememberHere(KEPT, { key: hand.key, places, isAdding });
    changed();
  };

  async function finish() {
    isSending = true;
    changed();
    const isDone = await send(places.map(({ type, face }) => ({ type, face: face ?? [] })));
    isSending = false;
    if (isDone) end();
    else changed();
    if (isDone) done(hand);
  }

  function end() {
    rememberHere(KEPT, null);
    if (typed === hand) typed = null;
  }

  const hand = {
    key,
    title,
    end,
    /** Go on with what is wanted by now, where that is for the same call or for what it was changed to. What is entered stays where it still has a place; nothing is sent without a tap. @param {Entered | null} now */
    follow(now) {
      if (now?.key !== hand.key && !(same && now?.same === same)) return false;
      const { wanted: others = {} } = now;
      Object.assign(hand, { key: now.key, pips: now.pips ?? 0 });
      if (JSON.stringify(others) === JSON.stringify(wanted)) return true;
      wanted = others;
      const known = places.filter((one) => one.face);
      places = placesOf(others, known).filter((one) => !one.isExtra);
      if (nextOf(places, -1) === null) places = places.map((one, n) => (n === places.length - 1 ? { ...one, face: null } : one));
      at = nextOf(places, -1) ?? 0;
      set(places);
      return true;
    },
    isEmpty: () => places.every((one) => !one.face),
    /** What the numbers of the faces come to, and what is added; null where none is known. */
    total() {
      const known = places.filter((one) => /^\d+$/.test(one.face?.[0] ?? ""));
      return known.length > 0 ? known.reduce((sum, one) => sum + Number(one.face?.[0]), hand.pips) : null;
    },
    pips,
    beside,
    light(/** @type {number} */ n) {
      if (isAdding) return set(places.filter((_, index) => index !== n));
      at = n;
      changed();
    },
    async choose(/** @type {string[]} */ face) {
      if (isSending) return;
      places = places.map((one, n) => (n === at ? { type: one.type, face } : one));
      const next = nextOf(places, at);
      if (next !== null) at = next;
      set(places);
      if (next === null) await finish();
    },
    add(/** @type {DieType} */ type) {
      set([...places, { type: type.name, face: null }].sort(byPlace));
    },
    async other(/** @type {boolean} */ isOpen) {
      isAdding = isOpen;
      at = nextOf(places, -1) ?? 0;
      set(places);
      if (!isAdding && nextOf(places, -1) === null) await finish();
    },
    all() {
      hasAll = !hasAll;
      changed();
    },
    back() {
      if (isAdding) return hand.light(places.length - 1);
      const before = [...places.keys()].filter((n) => places[n].face);
      at = before.filter((n) => n < at).at(-1) ?? before.at(-1) ?? at;
      set(places.map((one, n) => (n === at ? { ...one, face: null } : one)));
    },
    seen: () => ({ places, at, isAdding, hasAll, isSending, types, lit: isAdding ? null : dieType(places[at].type) }),
  };
  typed = hand;
  return hand;
}

/** The place after `at` that has no face yet, from the first again; null where all have one. @param {Place[]} places @param {number} at */
function nextOf(places, at) {
  const empty = [...places.keys()].filter((n) => !places[n].face);
  return empty.find((n) => n > at) ?? empty[0] ?? null;
}

/** A place for each die that is wanted, with the faces of `dice`; what is not wanted has one, too. @param {Counts} wanted @param {Place[]} dice @returns {Place[]} */
function placesOf(wanted, dice) {
  const left = [...dice];
  const places = eachOf(wanted).map((place) => {
    const known = left.findIndex((one) => one.type === place.type);
    return known < 0 ? place : { ...place, face: left.splice(known, 1)[0].face };
  });
  return [...places, ...left.map((one) => ({ ...one, isExtra: true }))].sort(byPlace);
}

const BACK = "Backspace";

document.addEventListener("keydown", (event) => {
  const over = document.querySelector("dialog[open]");
  if (!typed || event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
    return;
  if (over ? !over.querySelector(".hand") : !document.querySelector(".hand")) return;
  if (event.key === BACK) {
    event.preventDefault();
    typed.back();
  } else if (/^[1-9]$/.test(event.key)) {
    const { lit, types } = typed.seen();
    const n = Number(event.key) - 1;
    if (!lit && types(true)[n]) typed.add(types(true)[n]);
    else if (lit?.distinct[n]) typed.choose(lit.distinct[n]);
  }
});

/** The places: what helps, then what hinders, equal ones together; before them the dice that lie there already. @param {Hand} hand */
export function placesView(hand) {
  const { places, at, isAdding } = hand.seen();
  const sides = sided(places.map(({ type, face: shown }, n) => ({ type, shown, n, kind: dieType(type) }))); // none moves once it has its face
  const place = (/** @type {(typeof sides)[0][0]} */ { kind, shown: face, n }) => {
    const label = face ? dieLabel({ type: kind.name, face }) : say("hand.empty", { die: dieName(kind.name) });
    return html`<button type="button" class="place" data-type=${kind.name} ?data-filled=${Boolean(face)} aria-pressed=${isAdding ? nothing : String(n === at)} aria-label=${isAdding ? say("removeDie", { label: dieName(kind.name) }) : `${n + 1}. ${label}`} @click=${() => hand.light(n)}>${die(kind, face, { missing: !face })}${isAdding ? html`<span class="cross" aria-hidden="true">×</span>` : nothing}</button>`;
  };
  return html`${hand.beside ? lyingRow(hand.beside) : nothing}<div class="places" role="group" aria-label=${say("chosen")} data-count=${places.length}>${sides.map((side) => html`<span class="place-side">${side.map(place)}${hand.pips ? html`<b class="plus">${hand.pips > 0 ? "+" : "−"}${Math.abs(hand.pips)}</b>` : nothing}</span>`)}</div>`;
}

/** What a total comes to so far, and what it still lacks of `wanted`. @param {Hand} hand @param {number | null} [wanted] */
export function soFarLine(hand, wanted = null) {
  const total = hand.total();
  if (total === null) return nothing;
  const left = wanted === null ? 0 : wanted - total;
  return html`<p class="so-far"><b>${total}</b> <span>${say("hand.soFar")}</span>${left > 0 ? html` <b class="left">${left}</b> <span>${say("hand.moreFor", { n: left, wanted })}</span>` : nothing}</p>`;
}

/** The keys: the faces of the die that is lit, or the dice that can be taken. `close` goes back to what stood here. @param {Hand} hand @param {{ close?: (() => void) | null }} [how] */
export function handView(hand, { close = null } = {}) {
  const { places, at, hasAll, isSending, types, lit } = hand.seen();
  const key = (/** @type {number} */ n, /** @type {string} */ label, /** @type {Drawing} */ drawing, /** @type {() => void} */ press) =>
    html`<button type="button" class="face-key" aria-label=${label} ?disabled=${isSending} @click=${press}>${n < 9 ? html`<small aria-hidden="true">${n + 1}</small>` : nothing}${drawing}</button>`;
  const kinds = [...types(true), ...(hasAll ? types(false) : [])];
  const count = (lit ? lit.distinct : kinds).length;
  const keys = !lit
    ? kinds.map((one, n) =>
        key(n, dieName(one.name), html`${die(dieType(one.name), null)}<span class="key-name may-cut">${dieName(one.name)}</span>`, () => hand.add(one)),
      )
    : lit.distinct.map((face, n) => key(n, faceWords(face), die(lit, face), () => hand.choose(face)));
  const hasBack = count === MANY_FACES && lit;
  return html`<section class="hand" ?data-adding=${!lit} data-keys=${count}>
    <header><h2 aria-live="polite">${lit ? dieName(lit.name) : say("hand.which")}</h2>${!lit ? nothing : html`<p class="quiet">${say("hand.of", { n: at + 1, of: places.length })}<span class="by-keys">${say("hand.keys", { n: count })}</span></p>`}
      ${close ? html`<button type="button" class="close" aria-label=${say("close")} @click=${close}>×</button>` : nothing}</header>
    <div class="face-keys" ?data-many=${count >= MANY_FACES} role="group" aria-label=${lit ? say("chooseFace", { title: dieName(lit.name) }) : say("chooseType")}>${keys}${hasBack ? html`<button type="button" class="face-key hand-back" @click=${hand.back}>${icon("undo-2")}<span>${say("hand.back")}</span></button>` : nothing}</div>
    ${
      !lit
        ? html`<div class="surfaces hand-acts"><button type="button" class="surface all-dice" aria-pressed=${String(hasAll)} @click=${hand.all}><b>${say(hasAll ? "hand.own" : "hand.all")}</b></button>
      <button type="button" class="surface primary these-dice" ?disabled=${places.length === 0 || isSending} @click=${() => hand.other(false)}><b>${say("hand.these", { n: places.length })}</b></button></div>`
        : html`<button type="button" class="surface other-dice" ?disabled=${isSending} @click=${() => hand.other(true)}>${icon("plus")}<b>${say("hand.other")}</b></button>`
    }
  </section>`;
}
