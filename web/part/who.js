// The line on top: who, what for, and at its right the one thing that matters now: trouble, the order, or how old it is.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { labelSaid } from "../said.js";
import { ageWords, clock, initial, say, troubleLine } from "../strings.js";

const OLD_S = 60; // from here on its age matters more than its odds

/** @param {string} name */
export const avatar = (name) => html`<span class="avatar" aria-hidden="true">${initial(name)}</span>`;

/**
 * The line for `who`, whose `face` is drawn where it is known, and `what`. At its right stands what `must` be seen and the `order` of a fight, in sight whatever else is
 * shown; without a fight `right`. `act.trouble()` opens what is wrong, `act.demo()` what a demo offers.
 * @param {{ who: string, face?: unknown, what: unknown, right?: unknown, must?: unknown, order?: unknown, trouble?: Trouble[], lost?: number | null, isDemo?: boolean, playsItself?: boolean, act: any }} line
 */
export function whoLine({ who, face = null, what, right = "", must = "", order = "", trouble = [], lost = null, isDemo = false, playsItself = false, act }) {
  const isByItself = isDemo && playsItself && trouble.length === 0;
  const shown = [must, isByItself ? "" : order ? html`<b class="turn-now">${order}</b>` : trouble.length > 0 ? "" : right].filter(Boolean);
  return html`<div class="who">
    ${who ? (face ?? avatar(who)) : nothing}
    <p class="who-what may-cut">${who ? html`<b>${who}</b> ` : nothing}${what}</p>
    ${
      lost
        ? lostSign(lost)
        : html`${shown.length > 0 ? html`<p class="right" ?data-must=${Boolean(must || order)}><span>${shown.map((one, n) => html`${n > 0 ? " · " : nothing}${one}`)}</span></p>` : nothing}${
            trouble.length > 0
              ? troubleSign(trouble, act)
              : isDemo
                ? html`<button type="button" class="right demo" id="demo" ?data-plays=${isByItself} @click=${act.demo}>${say(isByItself ? "demo.playsItself" : "demo")}</button>`
                : nothing
          }`
    }
  </div>`;
}

/** Since when the table does not answer. @param {number} lost */
export const lostSign = (lost) => html`<p class="right lost" id="lost" role="alert">${say("lostAt", { time: clock(lost) })}</p>`;

/** What is wrong, first of all; a tap opens the whole. @param {Trouble[]} trouble @param {any} act */
export const troubleSign = (trouble, act) =>
  html`<button type="button" class="right trouble" id="trouble" @click=${act.trouble}>${icon("triangle-alert")}<span>${troubleLine(trouble[0])}</span></button>`;

/** What a roll was for, where it came from and how old it is. @param {Roll | BriefRoll} roll @param {number} now */
export function rollLine(roll, now) {
  const seconds = Math.max(0, now - roll.at);
  const source = roll.source === "camera" ? "" : say(`source.${roll.source}`);
  return {
    who: roll.by,
    what: labelSaid(roll.label) || (roll.by ? "" : say("lastRoll")),
    right: [source, seconds > OLD_S ? ageWords(seconds) : ""].filter(Boolean).join(" · "),
  };
}
