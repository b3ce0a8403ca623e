// A roll by several: who has rolled under one call, best first, and who is still to roll.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { say } from "../strings.js";
import { cameTo } from "./feed.js";

/** The call of several that the table is at, or null: one of them is called, or the newest roll is one of theirs. @param {{ contest: Contest | null, asked: Call | null, roll: Roll | null | WholeRoll }} what */
export const contestNow = ({ contest, asked, roll }) => (contest && (asked?.contest === contest.id || roll?.contest === contest.id) ? contest : null);

/** The ranking. `call(one)` calls somebody who waits; without it nobody can be tapped. @param {Contest} contest @param {{ asked?: Call | null, call?: ((one: Told["EntrantTold"]) => void) | null }} [how] */
export function ranking(contest, { asked = null, call = null } = {}) {
  const isCalled = (/** @type {Told["EntrantTold"]} */ one) => asked?.contest === contest.id && asked.player === one.name;
  const isWinner = (/** @type {Told["Place"]} */ one) => contest.winner !== null && contest.winner.who === one.who && contest.winner.name === one.name;
  return html`<section class="ranking" id="ranking" aria-label=${say("contest.title", { what: contest.for })}>
    <p class="ranking-head may-cut" aria-live="polite"><b>${contest.for || say("contest.all")}</b> ${contest.sentence}</p>
    <ol>${contest.places.map((one) => html`<li data-place=${one.place ?? nothing} ?data-winner=${isWinner(one)}><span class="place">${isWinner(one) ? icon("check") : (one.place ?? "?")}</span><b class="may-cut">${one.name}</b><span class="came">${cameTo(one)}${one.sure ? nothing : html`<b data-tone="doubt">?</b>`}</span></li>`)}
      ${contest.waiting.map(
        (one) =>
          html`<li data-waiting ?data-current=${isCalled(one)}>${
            call && !isCalled(one)
              ? html`<button type="button" class="may-cut" @click=${() => call(one)}>${one.name}</button>`
              : html`<b class="may-cut">${one.name}</b>`
          }<span class="came">${say(isCalled(one) ? "contest.now" : "contest.waits")}</span></li>`,
      )}</ol></section>`;
}
