// What a find in doubt is asked about: why, and the faces that it may be.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { dieLabel, dieType, typeTitle } from "../dice.js";
import { faceWords, headlineWords, outcomeWord, say } from "../strings.js";

const MOST_ANSWERS = 3;
const SAYS_DIE = / die$/i; // the line says it itself

/** Why a find is asked about, in one line. */
export function whyAsked(find, one) {
  const isDie = find.list === "dice";
  return say(`doubtWhy.${!isDie ? "suspect" : one.status === "cocked" ? "cocked" : (one.doubt ?? "face")}`, {
    title: isDie ? typeTitle(one.type).replace(SAYS_DIE, "") : "",
  });
}

/** Whether two dice show the same: the order of symbols never matters. */
export const isSameFace = (one, other) => one.type === other.type && [...one.face].sort().join() === [...other.face].sort().join();

/** The reading itself and its alternatives, likeliest first, each face once, with what each would come to where that is known. */
export function likeliest(one, told) {
  const found = [];
  for (const each of [one, ...one.alternatives].sort((a, b) => b.confidence - a.confidence)) {
    if (!found.some((other) => isSameFace(other, each)))
      found.push({ type: each.type, face: each.face, outcome: told?.find((answer) => isSameFace(answer, each))?.outcome });
  }
  return found.slice(0, MOST_ANSWERS);
}

/** One of the answers as a card: the face, and what it would come to. `isChosen` is null where a tap settles it at once. */
export function answerCard(answer, { isChosen = null, press }) {
  const { outcome } = answer;
  return html`<button type="button" class="answer-card" aria-pressed=${isChosen === null ? nothing : String(isChosen)} aria-label=${dieLabel(answer)} @click=${press}>
    <span class="answer-card-die">${die(dieType(answer.type), answer.face)}</span><span data-tone=${outcome?.succeeded ? "good" : outcome?.succeeded === false ? "bad" : "ink"}>${outcome ? outcomeWord(outcome) || headlineWords(outcome) : faceWords(answer.face)}</span></button>`;
}
