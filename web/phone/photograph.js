// A throw by photograph: the phone's own camera takes it, and the table reads it. A die in doubt is settled here before it counts.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { dieLabel, dieType } from "../dice.js";
import { newId } from "../dom.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { isSameFace, likeliest, whyAsked } from "../part/doubt.js";
import { closeSheet, openPage } from "../part/sheet.js";
import { trayView } from "../part/tray.js";
import { pickFace, pickFind } from "../picker.js";
import { faceWords, headlineWords, outcomeWord, say } from "../strings.js";
import { sendPhotograph } from "../talk.js";

const MOST_PX = 2048; // the table reads no better from more
const QUALITY = 0.9;

/** Whether the game master lets this phone send photographs now. */
export function mayPhotograph({ state, ui, role }) {
  const who = state.setup.photographs ?? "all";
  return role !== "player" || who === "all" || (who === "asked" && Boolean(ui.person) && state.asked?.who === ui.person);
}

/** Where a photograph is taken: the phone's own camera app opens. */
export const photographInput = (seen, id) =>
  html`<input type="file" id=${id} accept="image/*" capture="environment" ?disabled=${!seen.mayChange || seen.ui.isReading || !mayPhotograph(seen)} @change=${(event) => seen.act.photograph(event.target)}>`;

/** Send the photograph that somebody took in a file input as the throw of a person. Without doubt it counts at once, else it is shown first. */
export async function photograph(input, who) {
  const [file] = input.files;
  input.value = ""; // the same photograph may be chosen once more
  if (!file) return;
  const sent = { id: newId(), who, data: await scaled(file) };
  const roll = await send(sent, "ask", []);
  if (roll?.counts === false) review(sent, roll);
}

const send = ({ id, who, data }, doubts, said) =>
  sendPhotograph(`/api/rolls/photo?${new URLSearchParams({ id, who, doubts, said: JSON.stringify(said) })}`, data);

/** The photograph as a JPEG of at most 2,048 px; as it is where this browser cannot show it. */
async function scaled(file) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MOST_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", QUALITY));
  } catch {
    return file;
  }
}

const keyOf = ({ list, index }) => `${list}:${index}`;

/**
 * Show what was read, with its outlines, until it is sent. `read` is the roll as the table reads it; what is said of its finds is
 * kept here, the likeliest face of each to begin with.
 */
function review(sent, read) {
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

  const saidOf = ({ list, index, one }) => (said.has(keyOf({ list, index })) ? said.get(keyOf({ list, index })) : list === "dice" ? one : undefined);
  const told = (but) =>
    [...said]
      .filter(([key]) => key !== but)
      .map(([key, shown]) => {
        const [list, index] = key.split(":");
        return { list, ...(list === "new" ? { list: "dice" } : { index: Number(index) }), ...(shown && { die: shown }) };
      });

  /** Ask the table what the roll comes to, and what each answer to the find that is asked about would give. */
  async function workOut() {
    asks += 1;
    const now = asks;
    const key = keyOf(at);
    const isAsked = at.list === "dice" && at.one.status !== "sure";
    const roll = await send(sent, "show", told(isAsked ? key : null));
    if (now !== asks || !roll) return;
    answers = isAsked ? roll.answers : [];
    const chosen = said.get(key);
    const found = isAsked && chosen ? answers.find((one) => isSameFace(one, chosen))?.outcome : roll;
    result = found ?? (await send(sent, "show", told(null)));
    if (now === asks) draw();
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
    draw();
    const made = await send(sent, "count", told(null));
    isSending = false;
    if (made) closeSheet();
    else draw();
  }

  const again = (event) => {
    const { files } = event.target;
    closeSheet();
    photograph({ files: [...files], value: "" }, sent.who);
  };

  function draw() {
    const isDie = at.list === "dice";
    const now = saidOf(at);
    const open = asked.some((find) => find.list === "suspects" && !said.has(keyOf(find)));
    const whole = result && {
      ...result,
      text: [result.net.total, outcomeWord(result)].filter((one) => one !== undefined && one !== "").join(" ") || headlineWords(result),
    };
    openPage(
      say("photo.take"),
      html`<div class="photo-tray">${trayView(roll, { find: at, act: { find: (find) => ask(finds.find((one) => keyOf(one) === keyOf(find))) } })}</div>
      <p class="big photo-asks" data-tone="doubt">${say(isDie ? "whichFace" : "whatIsIt")}</p>
      <p class="quiet">${at.one.status === "sure" ? dieLabel(at.one) : whyAsked(at, at.one)} ${say("photo.tapFace")}</p>
      <div class="photo-answers" id="doubt">${isDie ? likeliest(at.one, answers).map((one) => answer(one)) : nothing}</div>
      <div class="acts photo-acts"><button type="button" class="raised" id="other-face" @click=${() => other(at)}>${say(isDie ? "otherFace" : "chooseDie")}</button>
        <button type="button" class="raised" id="no-die" aria-pressed=${now === null ? "true" : "false"} @click=${() => settle(at, null)}>${say("photo.noDie")}</button></div>
      <ul class="photo-dice" aria-label=${say("dice")}>${finds.map((find) => found(find))}${[...said]
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
        finish: html`<label class="file-button">${icon("rotate-ccw")} ${say("photo.again")}<input type="file" id="photo-again" accept="image/*" capture="environment" @change=${again}></label>`,
      },
    );

    function answer(one) {
      const outcome = one.outcome;
      return html`<button type="button" class="photo-answer" aria-pressed=${now && isSameFace(now, one) ? "true" : "false"} aria-label=${dieLabel(one)} @click=${() => settle(at, { type: one.type, face: one.face })}>
        <span class="photo-answer-die">${drawn(one)}</span><span data-tone=${outcome?.succeeded ? "good" : outcome?.succeeded === false ? "bad" : "ink"}>${outcome ? outcomeWord(outcome) || headlineWords(outcome) : faceWords(one.face)}</span></button>`;
    }

    function found(find) {
      const shown = saidOf(find);
      const isNow = keyOf(find) === keyOf(at);
      const label = shown === null ? say("photo.noDie") : shown ? dieLabel(shown) : say("suspectTitle");
      return html`<li><button type="button" class="photo-die" ?data-gone=${shown === null} data-status=${settled.has(keyOf(find)) ? "sure" : (find.one.status ?? "suspect")} aria-current=${isNow ? "true" : nothing} aria-label=${label} @click=${() => ask(find)}>${shown ? drawn(shown) : shown === null ? icon("x") : html`<b>?</b>`}</button></li>`;
    }
  }

  draw();
  workOut();
  document.getElementById("sheet").addEventListener("close", () => URL.revokeObjectURL(picture), { once: true });
}

const drawn = (one) => die(dieType(one.type), one.face, { body: dieType(one.type).any_colour ? (one.colour ?? "") : "" });
