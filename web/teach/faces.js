// The faces of the die that is taught: which are shown, how well, and which comes next.

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { die } from "../draw/die.js";
import { dieType, faceWords } from "../dice.js";
import { say } from "../strings.js";

const GOOD_PICTURES = 3;
const PLAIN = { body: "#a6afbc", ink: "#000000" };

export const picture = (/** @type {string} */ id, text = "") => html`<img src=${`/api/dice/draft/dice/${id}`} alt=${text}>`;

const keyOf = (/** @type {string[]} */ face) => [...face].sort().join("+");
const isNumber = (/** @type {string[]} */ face) => face.length === 1 && /^\d+$/.test(face[0]);

/** The name of a face as the table says it of weak ones: `"2 threat"`. @param {string[]} face */
function plainName(face) {
  const counts = new Map();
  for (const name of face) counts.set(name, (counts.get(name) ?? 0) + 1);
  return face.length === 0 ? "blank" : [...counts].map(([name, n]) => (n === 1 ? name : `${n} ${name}`)).join(" + ");
}

/** The faces that the die will have, as far as they can be known: those of what it counts as, or numbers. @param {Told["Draft"]} draft */
function expectedFaces(draft) {
  const known = dieType(draft.plays_as).distinct;
  if (draft.plays_as && known.length > 0) return known;
  if (draft.plays_as || draft.faces.some((one) => !isNumber(one.face))) return [];
  const first = draft.solid === "d10" ? 0 : 1;
  return Array.from({ length: draft.sides }, (_, n) => [String(n + first)]);
}

/** One slot for each face: those that were shown, those that are expected, and empty ones for the rest. @param {Told["Draft"]} draft */
function slotsOf(draft) {
  const expected = expectedFaces(draft);
  const shown = new Map(draft.faces.map((one) => [keyOf(one.face), one]));
  /** @type {TaughtSlot[]} */
  const slots = expected.map((face) => ({ face, dice: [], ...shown.get(keyOf(face)) }));
  const known = new Set(expected.map(keyOf));
  slots.push(...draft.faces.filter((one) => !known.has(keyOf(one.face))));
  const wanted = draft.plays_as && expected.length > 0 ? expected.length : draft.sides;
  while (slots.length < wanted) slots.push({ face: null, dice: [] });
  return slots.map((one) => ({ ...one, good: goodPictures(one, draft.weak) }));
}

/** How many good pictures a face has, at most as many as close its ring. A face that is mistaken for another lacks one. @param {TaughtSlot} slot @param {string[]} weak */
function goodPictures({ face, dice }, weak) {
  const most = face && weak.includes(plainName(face)) ? GOOD_PICTURES - 1 : GOOD_PICTURES;
  return Math.min(dice.length, most);
}

/** Whether every face was shown and is told from the others. */
export const isDone = (/** @type {Told["Draft"]} */ draft) =>
  draft.good || (slotsOf(draft).every((one) => one.dice.length > 0) && draft.weak.length === 0 && draft.faces.length > 1);

/** What to show next, in one line; `null` where all is done. @param {Told["Draft"]} draft */
export function nextStep(draft) {
  if (draft.groups.length > 0) return { title: say("teach.tapName"), more: say("teach.tapNameMore") };
  if (draft.pictures === 0) return { title: say("teach.layIt"), more: say("teach.layItMore") };
  const slots = slotsOf(draft);
  const missing = slots.find((one) => one.dice.length === 0);
  if (missing)
    return {
      face: missing.face,
      title: missing.face ? say("teach.showFace", { face: faceOf(missing.face, draft) }) : say("teach.showAnother"),
      more: say("teach.turnIt"),
    };
  const weak = slots.map((one) => one.face).find((face) => face && draft.weak.includes(plainName(face)));
  if (weak && !isDone(draft)) return { face: weak, title: say("teach.showFace", { face: faceOf(weak, draft) }), more: say("teach.quarter") };
  return null;
}

const isPips = (/** @type {Told["Draft"]} */ draft) => Boolean(dieType(draft.plays_as).whole_face);
const faceOf = (/** @type {string[]} */ face, /** @type {Told["Draft"]} */ draft) =>
  isPips(draft) && isNumber(face) ? say("teach.pips", { n: Number(face[0]) }) : isNumber(face) ? face[0] : faceWords(face);

/** The sheet: each face fills when it is seen, and a ring closes round it. @param {Told["Draft"]} draft @param {{ ask: (dice: string[], symbols: string[]) => void }} act */
export function faceSheet(draft, act) {
  const type = { ...dieType(draft.plays_as), ...(draft.plays_as ? {} : PLAIN), name: draft.type, solid: draft.solid };
  const face = nextStep(draft)?.face;
  const next = face ? keyOf(face) : null;
  return html`<ol id="named" class="face-sheet" aria-label=${say("teach.faces")}>${repeat(
    slotsOf(draft),
    (one, n) => (one.face ? keyOf(one.face) : n),
    (one) =>
      html`<li>${
        one.face && one.dice.length > 0
          ? html`<button type="button" class="group slot" aria-label=${say("teach.pictures", { face: faceWords(one.face), n: one.dice.length })} ?data-closed=${one.good === GOOD_PICTURES} @click=${() => act.ask(one.dice, one.face ?? [])}>
        <span class="seen">${picture(one.dice[one.dice.length - 1])}${ring(one.good)}</span><b>${faceWords(one.face)}</b></button>`
          : html`<span class="slot" ?data-next=${one.face !== null && keyOf(one.face) === next}><span class="seen">${die(type, null, { missing: true })}</span><b>${one.face ? faceWords(one.face) : nothing}</b></span>`
      }</li>`,
  )}</ol>`;
}

const ring = (/** @type {number} */ good) =>
  html`<svg class="ring" viewBox="0 0 100 100" aria-hidden="true">${svg`<circle class="round" cx="50" cy="50" r="47"></circle>
  <circle class="good" cx="50" cy="50" r="47" pathLength=${GOOD_PICTURES} stroke-dasharray=${`${good} ${GOOD_PICTURES}`} transform="rotate(-90 50 50)"></circle>`}</svg>`;
