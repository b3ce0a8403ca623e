// The rows of a fight while its order is thrown for: who has thrown, best first, who throws now, and who waits.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { face } from "../part/card.js";
import { cameTo } from "../part/feed.js";
import { avatar } from "../part/who.js";
import { say } from "../strings.js";

/** "2 of 5 thrown" @param {Contest} contest */
export const thrownWords = ({ places, waiting }, isWrong = false) =>
  say("initiative.thrown", { n: places.length - (isWrong ? 1 : 0), of: places.length + waiting.length });

function faceOf(/** @type {Told["EntrantTold"]} */ one, /** @type {TableSeen} */ { state, ui }) {
  const person = state.people.find((other) => other.id === one.who);
  const game = person && ui.games.find((other) => other.name === person.game);
  return game ? face(person, { game, isDown: Boolean(person.out) }) : avatar(one.name);
}

const isWrong = (/** @type {Shown} */ { now, roll }, /** @type {Contest} */ contest) => now.name === "wrong" && roll?.contest === contest.id;

/** The rows, which share the height. @param {Contest} contest @param {TableSeen} seen */
export function initiativeRows(contest, seen) {
  const { state } = seen;
  const wrong = isWrong(state, contest);
  const now = wrong ? state.roll?.by : state.asked?.contest === contest.id ? state.asked.player : null;
  const thrown = contest.places.filter((one) => !(wrong && one.name === now));
  const waiting = contest.waiting.filter((one) => one.name !== now);
  const current = [...contest.places, ...contest.waiting].find((one) => one.name === now);
  const row = (/** @type {Told["EntrantTold"]} */ one, /** @type {Drawing} */ place, /** @type {Drawing} */ right, isNow = false) =>
    html`<li ?data-current=${isNow}><span class="place">${place}</span>${faceOf(one, seen)}<b class="may-cut">${one.name}</b><span class="came" data-tone=${isNow ? (wrong ? "doubt" : "ask") : nothing}>${right}</span></li>`;
  return html`<ol class="initiative-rows" id="ranking" aria-label=${say("contest.title", { what: contest.for })}>
    ${thrown.map((one, n) => row(one, n + 1, cameTo(one)))}
    ${current ? row(current, "", say(wrong ? "initiative.again" : "contest.now"), true) : nothing}
    ${waiting.map((one, n) => row(one, "", say(n === 0 ? "initiative.next" : "contest.waits")))}</ol>`;
}

/** The two who throw after this one. @param {Contest} contest @param {TableSeen} seen */
export function thenCards(contest, seen) {
  const after = contest.waiting.filter((one) => one.name !== seen.state.asked?.player).slice(0, 2);
  if (after.length === 0) return nothing;
  return html`<p class="then-label">${say("initiative.then")}</p><div class="then-cards">${after.map((one) => {
    return html`<div class="then-card">${faceOf(one, seen)}<b class="may-cut">${one.name}</b></div>`;
  })}</div>`;
}
