// A throw by photograph: the phone's own camera takes it, and the table reads it. A die in doubt is settled here before it counts.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { dieLabel, dieType } from "../dice.js";
import { newId } from "../dom.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { answerCard, isSameFace, likeliest, whyAsked } from "../part/doubt.js";
import { hasLens } from "../lens.js";
import { closeSheet, isShown, openPage } from "../part/sheet.js";
import { trayView } from "../part/tray.js";
import { pickFace, pickFind } from "../picker.js";
import { headlineWords, outcomeWord, say } from "../strings.js";
import { sendPhotograph } from "../talk.js";
import { fileInput, livePicture } from "./live.js";

/** Whether the game master lets this phone send photographs now. */
export function mayPhotograph({ state, ui, role }) {
  const who = state.setup.photographs ?? "all";
  return role !== "player" || who === "all" || (who === "asked" && Boolean(ui.person) && state.asked?.who === ui.person);
}

/** What takes a photograph: the live picture where this page has a camera, else the phone's own camera app. */
export function photographButton(seen, kind, inside) {
  const { ui, act } = seen;
  const isOff = !seen.mayChange || ui.isReading || !mayPhotograph(seen);
  return ui.hasLens
    ? html`<button type="button" id="photograph" class=${kind} title=${say("photo.take")} ?disabled=${isOff} ?data-busy=${ui.isReading} @click=${act.livePicture}>${inside}</button>`
    : html`<label class="file-button ${kind}" title=${say("photo.take")} ?data-busy=${ui.isReading}>${inside}${fileInput("photograph", act.photograph, { isApp: true, isOff })}</label>`;
}

/** What the acts below keep: whether a photograph is read, and whether this page has a camera. */
export const NEW_PHOTOGRAPH = { isReading: false, hasLens: false };

/** What takes photographs. `page` tells what is seen now and follows. */
export function photographActs({ store }) {
  const { ui } = store;
  const findLens = () => hasLens().then((found) => found !== ui.hasLens && store.set({ hasLens: found }));
  navigator.mediaDevices?.addEventListener("devicechange", findLens);
  findLens();

  /** Who throws: whose phone it is as long as they are in the scene, else who is called. */
  const thrower = () => {
    const isThere = ui.people.length === 0 || ui.people.some((one) => one.id === ui.person);
    return (isThere && ui.person) || store.state.asked?.who || "";
  };
  const act = {
    /** Send it as a throw. Without doubt it counts at once, else it is shown first. Resolves to whether the table could read it. */
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
      const what = asked && asked.who === who ? asked.label : "";
      livePicture({ forWhom: say(what ? "photo.for" : "photo.forLoose", { who: name, what }), take: act.photograph });
    },
  };
  const again = () =>
    ui.hasLens
      ? html`<button type="button" class="raised" id="photo-again" @click=${act.livePicture}>${icon("rotate-ccw")} ${say("photo.again")}</button>`
      : html`<label class="file-button">${icon("rotate-ccw")} ${say("photo.again")}${fileInput("photo-again", act.photograph, { isApp: true })}</label>`;
  return act;
}

const send = ({ id, who, data }, doubts, said) =>
  sendPhotograph(`/api/rolls/photo?${new URLSearchParams({ id, who, doubts, said: JSON.stringify(said) })}`, data);

const keyOf = ({ list, index }) => `${list}:${index}`;

/**
 * Show what was read, with its outlines, until it is sent. `read` is the roll as the table reads it; what is said of its finds is
 * kept here, the likeliest face of each to begin with.
 */
function review(sent, read, again) {
  const finds = [...read.dice.map((one, index) => ({ list: "dice", index, one })), ...read.suspects.map((one, index) => ({ list: "suspects", index, one }))];
  const asked = finds.filter(({ one }) => one.status !== "sure");
  const said = new Map(asked.filter(({ list }) => list === "dice").map((find) => [keyOf(find), { type: find.one.type, face: find.one.face }]));
  const settled = new Set(); // by a person
  const picture = URL.createObjectURL(sent.data);
  let at = asked[0];
  let answers = read.answers;
  let result = null;
  let isSending = false;
  let asks = 0;
  let last = /** @type {Promise<any>} */ (Promise.resolve());
  const name = `photograph ${sent.id}`;

  const saidOf = ({ list, index, one }) => (said.has(keyOf({ list, index })) ? said.get(keyOf({ list, index })) : list === "dice" ? one : undefined);
  const told = (but) =>
    [...said]
      .filter(([key]) => key !== but)
      .map(([key, shown]) => {
        const [list, index] = key.split(":");
        return { list, ...(list === "new" ? { list: "dice" } : { index: Number(index) }), ...(shown && { die: shown }) };
      });

  /** Send one after another: the table lets few photographs wait, and would turn away what is counted. */
  const inTurn = (doubts, said, isWanted = () => true) => {
    last = last.then(() => (isWanted() ? send(sent, doubts, said) : undefined));
    return last;
  };

  /** Ask the table what the roll comes to, and what each answer to the find that is asked about would give. */
  async function workOut() {
    asks += 1;
    const now = asks;
    const key = keyOf(at);
    const isAsked = at.list === "dice" && at.one.status !== "sure";
    const isNewest = () => now === asks;
    const roll = await inTurn("show", told(isAsked ? key : null), isNewest);
    if (!isNewest() || !roll) return;
    answers = isAsked ? roll.answers : [];
    const chosen = said.get(key);
    const found = isAsked && chosen ? answers.find((one) => isSameFace(one, chosen))?.outcome : roll;
    result = found ?? (await inTurn("show", told(null), isNewest));
    if (isNewest()) draw();
  }

  function ask(find) {
    at = find;
    workOut();
    draw();
  }

  /** Say what a find is, `null` where it is no die; then the next one that nobody has settled is asked about. */
  function settle(find, shown) {
    said.set(keyOf(find), shown);
    settled.add(keyOf(find));
    ask(asked.find((one) => !settled.has(keyOf(one))) ?? find);
  }

  const other = (find) =>
    pickFind(roll, find, (shown) => {
      settle(find, shown);
      return true;
    });
  const roll = { ...read, picture };

  function add() {
    pickFace(read.game, (shown) => {
      said.set(`new:${newId()}`, shown);
      ask(at);
    });
  }

  async function count() {
    isSending = true;
    asks += 1; // nobody waits any more for what it would come to
    draw();
    const made = await inTurn("count", told(null));
    isSending = false;
    if (made) closeSheet();
    else draw();
  }

  function draw() {
    if (asks > 0 && !isShown(name)) return; // another was taken meanwhile
    const isDie = at.list === "dice";
    const why = at.one.status === "sure" ? dieLabel(at.one) : whyAsked(at, at.one);
    const now = saidOf(at);
    const open = asked.some((find) => find.list === "suspects" && !said.has(keyOf(find)));
    const whole = result && {
      ...result,
      text: [result.net.total, outcomeWord(result)].filter((one) => one !== undefined && one !== "").join(" ") || headlineWords(result),
    };
    openPage(
      `${say("photo.take")}. ${say(isDie ? "whichFace" : "whatIsIt")} ${why}`, // what a screen reader says when the page opens
      html`<div class="photo-tray">${trayView(roll, { find: at, act: { find: (find) => ask(finds.find((one) => keyOf(one) === keyOf(find))) } })}</div>
      <div class="photo-question" role="status"><p class="big photo-asks" data-tone="doubt">${say(isDie ? "whichFace" : "whatIsIt")}</p>
      <p class="quiet">${why} ${say("photo.tapFace")}</p></div>
      <div class="answer-cards" id="doubt">${isDie ? likeliest(at.one, answers).map((one) => answerCard(one, { isChosen: Boolean(now && isSameFace(now, one)), press: () => settle(at, { type: one.type, face: one.face }) })) : nothing}</div>
      <div class="acts photo-acts"><button type="button" class="raised" id="other-face" @click=${() => other(at)}>${say(isDie ? "otherFace" : "chooseDie")}</button>
        <button type="button" class="raised" id="no-die" aria-pressed=${now === null ? "true" : "false"} @click=${() => settle(at, null)}>${say("photo.noDie")}</button></div>
      <ul class="photo-dice" aria-label=${say("dice")}>${finds.map(found)}${[...said]
        .filter(([key]) => key.startsWith("new:"))
        .map(
          ([key, shown]) =>
            html`<li><button type="button" class="photo-die" aria-label=${say("removeDie", { label: dieLabel(shown) })} @click=${() => {
              said.delete(key);
              ask(at);
            }}>${drawn(shown)}</button></li>`,
        )}
        <li><button type="button" class="photo-die raised" id="add-die" aria-label=${say("photo.add")} @click=${add}>${icon("plus")}</button></li></ul>
      <button type="button" class="large photo-send" id="send-photo" ?disabled=${isSending || open} @click=${count}>${icon("send")} ${whole && !open ? say("photo.sendAs", { what: whole.text }) : say("photo.send")}</button>`,
      {
        finish: again,
        name,
        whenEnded: () => URL.revokeObjectURL(picture),
      },
    );

    function found(find, n) {
      const shown = saidOf(find);
      const isNow = keyOf(find) === keyOf(at);
      const isOpen = find.one.status !== "sure" && !settled.has(keyOf(find));
      const label = shown === null ? say("photo.noDie") : shown ? `${dieLabel(shown)}${isOpen ? ` (${say("status.unsure")})` : ""}` : say("suspectTitle");
      return html`<li><button type="button" class="photo-die" ?data-gone=${shown === null} data-status=${settled.has(keyOf(find)) ? "sure" : (find.one.status ?? "suspect")} aria-current=${isNow ? "true" : nothing} aria-label=${`${n + 1}. ${label}`} @click=${() => ask(find)}>${shown ? drawn(shown) : shown === null ? icon("x") : html`<b>?</b>`}</button></li>`;
    }
  }

  draw();
  workOut();
}

const drawn = (one) => die(dieType(one.type), one.face, { body: dieType(one.type).any_colour ? (one.colour ?? "") : "" });
