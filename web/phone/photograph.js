// A throw by photograph: the phone's own camera takes it, and the table reads it. A die in doubt is settled here before it counts.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { dieLabel, dieType } from "../dice.js";
import { newId } from "../dom.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { asksWords, question, whyAsked } from "../part/doubt.js";
import { cameTo, toneOf } from "../part/plate.js";
import { hasLens } from "../lens.js";
import { closeSheet, isShown, openPage } from "../part/sheet.js";
import { trayView } from "../part/tray.js";
import { pickFace, pickFind } from "../picker.js";
import { labelSaid } from "../said.js";
import { say } from "../strings.js";
import { doubtOf, keyOf } from "../table/kind.js";
import { sendPhotograph } from "../talk.js";
import { fileInput, livePicture } from "./live.js";

/** @typedef {{ type: string, face: string[] }} Lies */
/** @typedef {{ id: string, who: string, data: Blob }} Photograph */
/** @typedef {Roll & Pick<Told["PhotographedRoll"], "counts" | "answers">} ReadRoll */

/** Whether the game master lets this phone send photographs now. @param {PhoneSeen} seen */
export function mayPhotograph({ state, ui, role }) {
  const who = state.setup.photographs ?? "all";
  return role !== "player" || who === "all" || (who === "asked" && Boolean(ui.person) && state.asked?.who === ui.person);
}

/** What takes a photograph: the live picture where this page has a camera, else the phone's own camera app. `key` is the act that it is. @param {PhoneSeen} seen @param {string} kind @param {Drawing} inside */
export function photographButton(seen, kind, inside, key = "") {
  const { ui, act } = seen;
  const isOff = !seen.mayChange || ui.isReading || !mayPhotograph(seen);
  return ui.hasLens
    ? html`<button type="button" id="photograph" class=${kind} data-act=${key || nothing} title=${say("photo.take")} ?disabled=${isOff} ?data-busy=${ui.isReading} @click=${act.livePicture}>${inside}</button>`
    : html`<label class="file-button ${kind}" data-act=${key || nothing} title=${say("photo.take")} ?data-busy=${ui.isReading}>${inside}${fileInput("photograph", act.photograph, { isApp: true, isOff })}</label>`;
}

/** What the acts below keep: whether a photograph is read, and whether this page has a camera. */
export const NEW_PHOTOGRAPH = { isReading: false, hasLens: false };

/** What takes photographs. `page` tells what is seen now and follows. @param {PhonePage} page */
export function photographActs({ store }) {
  const { ui } = store;
  const findLens = () => hasLens().then((found) => found !== ui.hasLens && store.set({ hasLens: found }));
  navigator.mediaDevices?.addEventListener("devicechange", findLens);
  findLens();

  /** Who throws: whose phone it is as long as they are in the scene, else who is called. */
  const thrower = () => {
    const asked = store.state.asked?.who;
    if (asked && ui.also.includes(asked)) return asked; // one more of this phone
    const isThere = ui.people.length === 0 || ui.people.some((one) => one.id === ui.person);
    return (isThere && ui.person) || asked || "";
  };
  const act = {
    /** Send it as a throw. Without doubt it counts at once, else it is shown first. Resolves to whether the table could read it. @param {Blob} data */
    async photograph(data) {
      const sent = { id: newId(), who: thrower(), data };
      store.set({ isReading: true });
      const roll = await send(sent, "ask", []);
      store.set({ isReading: false });
      if (roll?.counts === false) review(sent, roll, again());
      return Boolean(roll);
    },
    livePicture() {
      const who = thrower();
      const { asked } = store.state;
      const name = ui.people.find((one) => one.id === who)?.name ?? say("photo.table");
      const what = asked && asked.who === who ? labelSaid(asked.label) : "";
      livePicture({ forWhom: say(what ? "photo.for" : "photo.forLoose", { who: name, what }), take: act.photograph });
    },
  };
  const again = () =>
    ui.hasLens
      ? html`<button type="button" class="raised" id="photo-again" @click=${act.livePicture}>${icon("rotate-ccw")} ${say("photo.again")}</button>`
      : html`<label class="file-button">${icon("rotate-ccw")} ${say("photo.again")}${fileInput("photo-again", act.photograph, { isApp: true })}</label>`;
  return act;
}

/** @param {Photograph} sent @param {"ask" | "show" | "count"} doubts @param {unknown[]} said */
const send = ({ id, who, data }, doubts, said) =>
  /** @type {Promise<ReadRoll | null>} */ (sendPhotograph(`/api/rolls/photo?${new URLSearchParams({ id, who, doubts, said: JSON.stringify(said) })}`, data)); // nothing has closed it yet

/**
 * Show what was read, with its outlines, until it is sent. What a person said of its finds is kept here, in the order in which it was said;
 * all else is as the table reads it, which is asked anew after each answer.
 * @param {Photograph} sent @param {ReadRoll} read @param {Drawing} again
 */
function review(sent, read, again) {
  const throwOf = (/** @type {{ throw?: number }} */ one) => one.throw ?? 0;
  const newest = Math.max(...read.dice.map(throwOf), 0);
  const before = read.dice.filter((one) => throwOf(one) < newest).length; // dice of the throws that this one is added to
  /** Where a find lies: that stays, while the table counts those that are left. */
  const placeOf = (/** @type {ReadRoll} */ of, /** @type {Find} */ { list, index }) =>
    `${list === "dice" ? throwOf(of.dice[index]) : newest} ${of[list][index].center}`;
  const picture = URL.createObjectURL(sent.data);
  const first = { ...read, picture };
  const finds = /** @type {Find["list"][]} */ (["dice", "suspects"]).flatMap((list) =>
    read[list].map((_, index) => ({ list, index, place: placeOf(first, { list, index }) })).slice(list === "dice" ? before : 0),
  );
  const name = `photograph ${sent.id}`;
  /** @type {Map<string, Lies | null>} */
  let told = new Map(); // what a person said of a place, null what is no die; of dice that were added, of an id
  let roll = first;
  let isBusy = false;
  let isOpen = false;

  /** What was said, as the table wants it. @param {"show" | "count"} doubts @param {Map<string, Lies | null>} what */
  async function tellTable(doubts, what) {
    const said = [...what].map(([place, shown]) => {
      const find = finds.find((one) => one.place === place);
      return { list: find?.list ?? "dice", ...(find && { index: find.index - (find.list === "dice" ? before : 0) }), ...(shown && { die: shown }) };
    });
    isBusy = true;
    draw();
    const found = await send(sent, doubts, said);
    isBusy = false;
    return found;
  }

  /** Say what lies at a place, nothing to take that back, and see what the table makes of it. @param {string} place @param {Lies | { nothing: true }} [shown] */
  async function tell(place, shown) {
    const next = new Map(told);
    next.delete(place); // what is said last counts
    if (shown) next.set(place, "nothing" in shown ? null : shown);
    const found = await tellTable("show", next);
    if (found) [told, roll] = [next, { ...found, picture }];
    draw();
    return true;
  }

  const other = (/** @type {Find} */ find, of = roll) => pickFind(of, find, (shown) => tell(placeOf(of, find), shown));

  async function count() {
    if (await tellTable("count", told)) closeSheet();
    else draw();
  }

  function draw() {
    if (isOpen && !isShown(name)) return; // another was taken meanwhile
    isOpen = true;
    const find = doubtOf({ roll, question: null }, { answers: { key: keyOf(roll), list: roll.answers } });
    openPage(
      find ? `${say("photo.take")}. ${asksWords(roll, find)} ${whyAsked(roll, find)}` : `${say("photo.take")}. ${cameTo(roll)}`, // what a screen reader says when the page opens
      html`<div class="photo-tray">${trayView(roll, { find, act: { find: (of) => other(of) } })}</div>
      <div class="photo-question" role="status">${
        find
          ? html`<p class="big photo-asks" data-tone="doubt">${asksWords(roll, find)}</p>${question(roll, find, { settle: (of, shown) => tell(placeOf(roll, of), shown), other: (of) => other(of), isBusy })}`
          : html`<p class="big photo-asks" data-tone=${toneOf(roll)}>${cameTo(roll)}</p>`
      }</div>
      <ul class="photo-dice" aria-label=${say("dice")}>${finds.map((of, n) => found(of, n, find))}${/** @type {[string, Lies][]} */ ([...told].filter(([place]) => !finds.some((one) => one.place === place))).map(added)}
        <li><button type="button" class="photo-die raised" id="add-die" aria-label=${say("photo.add")} ?disabled=${isBusy} @click=${() => pickFace(read.game, (shown) => tell(newId(), shown))}>${icon("plus")}</button></li></ul>
      <button type="button" class="large photo-send" id="send-photo" ?data-asks=${Boolean(find)} ?disabled=${isBusy} @click=${count}>${icon("send")} ${find ? say("photo.send") : say("photo.sendAs", { what: cameTo(roll) })}</button>`,
      {
        finish: again,
        name,
        whenEnded: () => URL.revokeObjectURL(picture),
      },
    );
  }

  /** A find as it counts now; a tap says what it is. @param {Find & { place: string }} of @param {number} n @param {Find | null} find */
  function found({ list, index, place }, n, find) {
    const at = roll.dice.findIndex((_, die) => placeOf(roll, { list: "dice", index: die }) === place);
    const die = roll.dice[at];
    const isGone = told.get(place) === null;
    const isNow = find !== null && placeOf(roll, find) === place;
    const label = isGone ? say("photo.noDie") : die ? `${dieLabel(die)}${die.status === "sure" ? "" : ` (${say("status.unsure")})`}` : say("suspectTitle");
    return html`<li><button type="button" class="photo-die" ?data-gone=${isGone} data-status=${isGone ? "sure" : (die?.status ?? "suspect")} aria-current=${isNow ? "true" : nothing} aria-label=${`${n + 1}. ${label}`} ?disabled=${isBusy} @click=${() => (die ? other({ list: "dice", index: at }) : other({ list, index }, first))}>${isGone ? icon("x") : die ? drawn(die) : html`<b>?</b>`}</button></li>`;
  }

  /** A die that was not found in the picture; a tap takes it away. */
  const added = (/** @type {[string, Lies]} */ [id, shown]) =>
    html`<li><button type="button" class="photo-die" aria-label=${say("removeDie", { label: dieLabel(shown) })} ?disabled=${isBusy} @click=${() => tell(id)}>${drawn(shown)}</button></li>`;

  draw();
}

/** @param {Lies & { colour?: string }} one */
const drawn = (one) => die(dieType(one.type), one.face, { body: dieType(one.type).any_colour ? (one.colour ?? "") : "" });
