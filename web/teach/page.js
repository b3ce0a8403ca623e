// Teaching dice as a function of what is known: begin, show face by face, try it, and the dice that are taught.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { dieLabel, dieType, faceWords } from "../dice.js";
import { say } from "../strings.js";
import { faceSheet, isDone, nextStep, picture } from "./faces.js";

const SOLIDS = ["d4", "d6", "d8", "d10", "d12", "d20"];
const PLAIN = { name: "", title: "", set: "", distinct: [], body: "#a6afbc", ink: "#000000" };
const MOST_SHOWN = 4;

/** Draw the page: `told` is the answer of `/api/dice`, `ui` the page's own, `roll` the newest of the table. @param {TeachSeen} seen @param {TeachAct} act */
export function view({ told, ui, roll }, act) {
  if (!told) return nothing;
  const { draft } = told;
  return html`${draft ? teaching(told, draft, ui, act) : ui.trial ? trying(ui.trial, roll, act) : begin(told, ui, act)}
    ${draft ? nothing : html`${doubted(told.sets, act)}${taught(told.sets, act)}`}`;
}

/** @param {Told["Teaching"]} told @param {TeachUi} ui @param {TeachAct} act */
function begin(told, ui, act) {
  return html`<form id="begin" @submit=${act.begin}>
    <label class="line">${say("teach.type")}<input id="type" name="type" required maxlength="30" autocomplete="off" autocapitalize="none" @change=${act.named}></label>
    <label class="line">${say("teach.set")}<input id="set" name="set" required maxlength="30" list="known-sets" autocomplete="off" autocapitalize="none"></label>
    <datalist id="known-sets">${told.sets.filter((one) => !one.like).map((one) => html`<option value=${one.name}></option>`)}</datalist>
    <fieldset><legend>${say("teach.solid")}</legend><div class="solids">${SOLIDS.map(
      (name) => html`<label class="solid"><input type="radio" name="solid" value=${name} ?checked=${name === "d6"}>
      <span class="drawn">${die({ ...PLAIN, solid: name }, null)}</span><b>${name.slice(1)}</b><span class="ring-of"></span></label>`,
    )}</div></fieldset>
    <label class="line">${say("teach.playsAs")}<select id="plays-as" name="plays_as"><option value="">${say("teach.show")}</option>
      ${told.symbols.map((one) => html`<optgroup label=${one.set}>${one.types.map((name) => html`<option value=${name}>${name}</option>`)}</optgroup>`)}</select></label>
    <button type="submit" class="primary" id="start" ?disabled=${ui.busy}>${say("teach.start")}</button>
  </form>`;
}

/** @param {Told["Teaching"]} told @param {Told["Draft"]} draft @param {TeachUi} ui @param {TeachAct} act */
function teaching(told, draft, ui, act) {
  const next = nextStep(draft);
  const done = isDone(draft);
  const alike = draft.close.filter((one) => one.alike);
  return html`<section id="draft" aria-labelledby="progress">
    <h2 id="progress" aria-live="polite" data-tone=${next ? "ask" : "good"}>${next ? next.title : say("teach.allShown")}</h2>
    <p class="say">${next ? next.more : done ? say("teach.allShownMore") : say("teach.moreHelps")}</p>
    ${
      draft.groups.length > 0
        ? html`<div id="groups">${draft.groups.map(
            (dice) => html`<button type="button" class="group asked" @click=${() => act.ask(dice, [])}>
      <span class="crops">${dice.slice(0, MOST_SHOWN).map((id) => picture(id))}</span>${dice.length > MOST_SHOWN ? html`<small>+ ${dice.length - MOST_SHOWN}</small>` : nothing}<b>${say("teach.askName")}</b></button>`,
          )}</div>`
        : nothing
    }
    ${faceSheet(draft, act)}
    ${alike.map((one) => html`<p class="alike">${say("teach.close", { a: faceWords(one.faces[0]), b: faceWords(one.faces[1]) })}</p>`)}
    <div class="acts">
      ${told.camera ? html`<button type="button" id="look" class=${done ? "" : "primary"} ?disabled=${ui.busy} @click=${act.look}>${say("teach.look")}</button>` : nothing}
      <label id="upload" class="button"><span>${say("teach.upload")}</span><input type="file" id="photo" accept="image/*" class="hidden" @change=${act.photo}></label>
      <button type="button" id="undo" ?disabled=${ui.busy} @click=${act.undo}>${say("teach.undo")}</button>
      <button type="button" id="save" class=${done ? "primary" : ""} ?disabled=${ui.busy || draft.faces.length === 0} @click=${act.save}>${say("teach.save")}</button>
      ${told.camera ? html`<label class="check"><input type="checkbox" id="alone" .checked=${ui.alone} @change=${act.alone}>${say("teach.alone")}</label>` : nothing}
    </div>
  </section>`;
}

/** Throw it, and say whether it was read rightly. Only here are numbers. @param {Trial} trial @param {Roll | null} roll @param {TeachAct} act */
function trying(trial, roll, act) {
  const shown = roll && roll.at > trial.since && roll.id !== trial.judged ? roll : null;
  return html`<section id="try" aria-labelledby="progress">
    <h2 id="progress" aria-live="polite" data-tone="ask">${shown ? say("teach.isItRight") : say("teach.tryIt")}</h2>
    <p class="say">${shown ? say("teach.nodOrTap") : say("teach.tryItMore")}</p>
    ${
      shown
        ? html`<ul class="thrown">${shown.dice.map((one, index) => thrown(shown, one, index, trial, act))}</ul>
      ${shown.dice.length === 0 ? html`<p>${say("teach.notSeen")}</p>` : nothing}`
        : nothing
    }
    <p class="numbers">${trial.right === null ? nothing : html`<span><b>${say("teach.ofHundred", { n: Math.round(trial.right * 100) })}</b> ${say("teach.harderViews")}</span>`}
      ${trial.thrown > 0 ? html`<span><b>${say("teach.of", { right: trial.thrown - trial.wrong, all: trial.thrown })}</b> ${say("teach.throwsRight")}</span>` : nothing}</p>
    <div class="acts">${shown ? html`<button type="button" id="nod" class="primary" @click=${() => act.judge(shown, false)}>${say("teach.itIsRight")}</button>` : nothing}
      <button type="button" id="end-try" class=${shown ? "" : "primary"} @click=${act.endTrial}>${say("teach.endTry")}</button></div>
  </section>`;
}

/** @param {Roll} roll @param {Told["RollDie"]} one @param {number} index @param {Trial} trial @param {TeachAct} act */
function thrown(roll, one, index, trial, act) {
  const type = dieType(one.type);
  const faces = type.distinct.length > 0 ? type.distinct : dieType(trial.type).distinct;
  return html`<li><span class="read">${die(type, one.face, { title: dieLabel(one) })}</span>
    <span class="others" role="group" aria-label=${say("teach.otherFaces")}>${faces.map((face) => html`<button type="button" class="other-face" aria-label=${faceWords(face)} ?aria-current=${face.join() === one.face.join()} @click=${() => act.judge(roll, true, index, { type: type.distinct.length > 0 ? one.type : trial.type, face })}>${die(type, face)}</button>`)}</span></li>`;
}

/** Samples that nobody believes yet. @param {Told["TaughtSet"][]} sets @param {TeachAct} act */
function doubted(sets, act) {
  const asked = sets.flatMap((one) => one.doubted.map((sample) => ({ set: one.name, ...sample })));
  if (asked.length === 0) return nothing;
  return html`<section id="asked"><h2>${say("teach.asked")}</h2><ul>${asked.map(
    (one) => html`<li><img src=${`/api/dice/sets/${one.set}/samples/${one.id}`} alt="">
    <span>${one.type}: ${say("teach.askedWhy", { face: faceWords(one.face), why: one.why })}</span>
    <span class="acts"><button type="button" @click=${() => act.review(one, "accept")}>${say("teach.accept")}</button><button type="button" @click=${() => act.review(one, "forget")}>${say("teach.forget")}</button></span></li>`,
  )}</ul></section>`;
}

/** Taught sets; what was corrected of a built-in set stands by itself, as nobody taught that set. @param {Told["TaughtSet"][]} sets @param {TeachAct} act */
function taught(sets, act) {
  const list = (/** @type {string} */ id, /** @type {string} */ title, /** @type {Told["TaughtSet"][]} */ found) =>
    found.length === 0 ? nothing : html`<section id=${id}><h2>${title}</h2><ul>${found.map((one) => row(one, act))}</ul></section>`;
  return html`${list(
    "sets",
    say("teach.sets"),
    sets.filter((one) => !one.like),
  )}${list(
    "own",
    say("teach.own"),
    sets.filter((one) => one.like),
  )}`;
}

/** @param {Told["TaughtSet"]} one @param {TeachAct} act */
function row(one, act) {
  return html`<li><span class="about"><b>${one.like || one.name}</b><small>${one.error ?? say(one.corrections ? "teach.samplesCorrected" : "teach.samples", { count: one.samples, corrections: one.corrections })}</small></span>
    ${
      one.like
        ? nothing
        : html`<span class="kinds">${one.types.map(
            (
              kind,
            ) => html`<span class="kind"><span class="drawn-faces">${kind.faces.map((face) => html`<span class="drawn">${die({ ...kind, title: kind.name, set: one.name, distinct: [] }, face, { title: `${kind.name}: ${faceWords(face)}` })}</span>`)}</span>
      <span>${kind.name} <small>${say("teach.facesOf", { n: kind.faces.length, sides: Number(kind.solid.slice(1)) })}</small></span></span>`,
          )}</span>`
    }
    <span class="acts"><button type="button" @click=${() => act.setUndo(one)}>${say("teach.takeBack")}</button><button type="button" @click=${() => act.remove(one)}>${say("teach.remove")}</button></span></li>`;
}
