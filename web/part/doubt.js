// What a find in doubt is asked about: the question, why, and the answers with what each of them gives.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { dieLabel, dieType, typeTitle } from "../dice.js";
import { faceWords, say } from "../strings.js";
import { symbolsOf } from "./feed.js";
import { cameTo } from "./plate.js";
import { crop } from "./tray.js";

const MOST_ANSWERS = 3;
const SAYS_DIE = / die$/i; // the line says it itself

/** @typedef {Find & { answers?: Told["AnswerTold"][] | null }} Asked */
/** @typedef {{ index: number, type: string, face: string[], outcome?: Told["AnswerOutcome"] }} DoubtAnswer */
/** @typedef {Pick<Told["RollDie"], "type" | "status"> & Partial<Pick<Told["RollDie"], "doubt" | "alternatives">>} AskedDie */
/** @typedef {Pick<Roll, "dice" | "suspects" | "picture" | "width" | "height">} Read */

/** Whether it is asked which die differs from its fellows by colour. @param {{ doubt?: Told["Doubt"] | null }} one */
const isOfColour = (one) => one.doubt === "colour";

/** @param {AskedDie} one */
const oddType = (one) => one.alternatives?.find((other) => dieType(other.type).variant_of === one.type)?.type ?? one.type;

/** The question about a find, without one that of the first doubt of a roll. @param {{ dice: AskedDie[] }} roll @param {Find | null} [find] */
export function asksWords(roll, find) {
  const one = !find ? roll.dice.find((each) => each.status !== "sure") : find.list === "dice" ? roll.dice[find.index] : null;
  if (!one) return say("whatIsIt");
  return isOfColour(one) ? say("whichDie", { title: typeTitle(oddType(one)) }) : say("whichFace");
}

/** Why a find is asked about, in one line. @param {Read} roll @param {Asked} find */
export function whyAsked(roll, { list, index }) {
  if (list !== "dice") return say("doubtWhy.suspect");
  const one = roll.dice[index];
  return say(`doubtWhy.${one.status === "cocked" ? "cocked" : (one.doubt ?? "face")}`, { title: typeTitle(one.type).replace(SAYS_DIE, "") });
}

/** Whether two dice show the same: the order of symbols never matters. @param {{ type: string, face: string[] }} one @param {{ type: string, face: string[] }} other */
const isSameFace = (one, other) => one.type === other.type && [...one.face].sort().join() === [...other.face].sort().join();

/** What it may be, likeliest first, each once: faces of the die, or dice of which one differs by colour. Of what could not be read nothing. @param {Read} roll @param {Asked} find @returns {DoubtAnswer[]} */
function mayBe(roll, { list, index }) {
  if (list !== "dice") return [];
  const one = roll.dice[index];
  if (isOfColour(one))
    return roll.dice.flatMap((each, n) =>
      each.type === one.type && (each.throw ?? 0) === (one.throw ?? 0) ? [{ index: n, type: oddType(one), face: each.face }] : [],
    );
  /** @type {DoubtAnswer[]} */
  const found = [];
  for (const each of [one, ...one.alternatives].sort((a, b) => b.confidence - a.confidence))
    if (!found.some((other) => isSameFace(other, each))) found.push({ index, type: each.type, face: each.face });
  return found.slice(0, MOST_ANSWERS);
}

/** The answers to the question about a find, each with the die that it is said of, and with what the roll comes to where that is known. @param {Read} roll @param {Asked} find @returns {DoubtAnswer[]} */
export const answersTo = (roll, find) =>
  mayBe(roll, find).map((one) => ({
    ...one,
    outcome: find.answers?.find((told) => told.index === one.index && isSameFace(told, one))?.outcome,
  }));

/** What an answer is drawn as: its face, or where dice are asked about that die as it lies. @param {Read} roll @param {Asked} find @param {DoubtAnswer} answer */
export function answerDrawn(roll, find, { index, type, face }) {
  if (find.list !== "dice" || !isOfColour(roll.dice[find.index])) return die(dieType(type), face);
  const { type: usual, colour } = roll.dice[index];
  return roll.picture ? crop(roll, { list: "dice", index }) : die(dieType(usual), face, { body: colour });
}

/** What an answer gives, in words and symbols; before that is known, what it is. @param {{ type: string } | null} one the die @param {DoubtAnswer} answer */
export const answerWords = (one, { type, face, outcome }) =>
  outcome
    ? html`<span class="answer-word">${cameTo(outcome)}</span>${outcome.net.total === undefined ? html`<span class="came">${symbolsOf(outcome)}</span>` : nothing}`
    : html`<span class="answer-word">${type === one?.type ? faceWords(face) : dieLabel({ type, face })}</span>`;

/**
 * The question on a phone: why, the answers as cards, each of which a tap settles, and what else a find may be. `settle(find, told)` is given
 * the find that an answer is said of, `other(find)` asks for any face.
 * @param {Read} roll @param {Asked} find @param {{ settle: (find: Find, told: { type: string, face: string[] } | { nothing: true }) => unknown, other: (find: Find) => unknown, isBusy?: boolean }} acts
 */
export function question(roll, find, { settle, other, isBusy = false }) {
  const one = find.list === "dice" ? roll.dice[find.index] : null;
  const answers = answersTo(roll, find);
  const said = !one ? "chooseDie" : isOfColour(one) ? "noneOfThem" : "otherFace";
  const more = one && said === "noneOfThem" ? () => settle(find, { type: one.type, face: one.face }) : () => other(find);
  return html`<p class="quiet">${whyAsked(roll, find)} ${said === "otherFace" ? say("photo.tapFace") : nothing}</p>${
    answers.length > 0
      ? html`<div class="answer-cards" id="doubt">${answers.map(
          (answer) =>
            html`<button type="button" class="answer-card" aria-label=${dieLabel(answer)} ?disabled=${isBusy} @click=${() => settle({ list: "dice", index: answer.index }, { type: answer.type, face: answer.face })}>
      <span class="answer-card-die">${answerDrawn(roll, find, answer)}</span>${answerWords(one, answer)}</button>`,
        )}</div>`
      : nothing
  }<p class="now-hint"><button type="button" class="link-button" id="other-face" ?disabled=${isBusy} @click=${more}>${say(said)}</button>${said === "noneOfThem" ? nothing : html`<button type="button" class="link-button" id="no-die" ?disabled=${isBusy} @click=${() => settle(find, { nothing: true })}>${say("noDie")}</button>`}</p>`;
}
