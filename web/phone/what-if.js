// What would be: the call with other dice, and a whole attack. Nothing here calls or changes a roll.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { dieType } from "../dice.js";
import { say } from "../strings.js";
import { addedDie, fieldOf, upgradedDie } from "./draft.js";
import { smallDice } from "./pieces.js";

const LEAST_SHOWN = 0.005; // half a per cent, which is drawn as one

const successOf = (told) => told?.chances.find((one) => one.name === "success")?.chance;

/** The answers of a call with what is supposed: so many more of each number, so many more dice and pips of a code. */
export function supposedAnswers(answers, changes) {
  const found = { ...answers };
  for (const [name, by] of Object.entries(changes)) {
    if (name === "code") found.code = moreDice(answers.code, by);
    else found[name] = (answers[name] ?? 0) + by;
  }
  return found;
}

function moreDice(code, by) {
  const [, dice, pips] = /^(\d+)D(.*)$/.exec(code ?? "") ?? [0, 0, ""];
  return `${Math.max(Number(dice) + by, 0)}D${pips}`;
}

/** The panel below the odds: a tap supposes a die, and the chance of success moves. */
export function whatIf({ ui: { isWhatIf, supposed, ifs, base }, game, act }) {
  return html`<details class="drawer" id="what-if" .open=${isWhatIf} @toggle=${(event) => act.whatIf(event.target.open)}><summary>${say("whatIf.title")}</summary>
    ${isWhatIf && base ? html`<div class="drawer-body">${moves(base, supposed)}${smallDice((supposed ?? base).dice)}${supposed?.attack ? attackLine(supposed.attack) : nothing}
      ${fieldOf(game, "upgrade_ability") ? [false, true].map((hinders) => symbolMoves(game, hinders, act)) : codeMoves(game, base, act)}
      <div class="call-row"><p class="quiet">${say("whatIf.note")}</p><button type="button" id="what-if-back" ?disabled=${Object.keys(ifs).length === 0} @click=${act.supposeNothing}>${say("whatIf.back")}</button></div></div>` : nothing}</details>`;
}

function moves(base, supposed) {
  const [before, after] = [successOf(base), successOf(supposed)];
  if (before === undefined) return html`<p class="quiet">${say("whatIf.noSuccess")}</p>`;
  if (after === undefined) return html`<p class="quiet">${say("whatIf.cannot")}</p>`;
  const by = whole(after) - whole(before);
  return html`<p class="what-moves" aria-live="polite"><span>${whole(before)} %</span> → <b>${whole(after)} %</b>${by === 0 ? nothing : html` <span class="what-by" data-side=${by > 0 ? "more" : "less"}>${by > 0 ? "+" : "−"}${Math.abs(by)}</span>`}</p>`;
}

const move = (act, name, by, words, sign) => html`<button type="button" class="more-dice" data-suppose=${`${name}:${by}`} @click=${() => act.suppose(name, by)}>${sign}<span>${words}</span></button>`;

function symbolMoves(game, hinders, act) {
  const [added, upgraded] = [addedDie(game, hinders), upgradedDie(game, hinders)];
  return html`<section class="side" aria-label=${say(hinders ? "roll.againstDice" : "roll.for")}><h3>${say(hinders ? "roll.againstDice" : "roll.for")}</h3><div class="more-row">
    ${upgraded ? move(act, `upgrade_${upgraded}`, 1, say("roll.upgrade"), icon("chevron-up")) : nothing}
    ${upgraded ? move(act, upgraded, 1, dieType(upgraded).title, plus(upgraded)) : nothing}
    ${added ? move(act, added, 1, dieType(added).title, plus(added)) : nothing}</div></section>`;
}

const plus = (name) => html`<span class="mark-die">${die(dieType(name), null)}</span>`;

const codeMoves = (game, { answers }, act) => html`<div class="more-row">
    ${move(act, "code", 1, say("roll.moreDice"), "+D")}${move(act, "code", -1, say("roll.lessDice"), "−D")}${move(act, "pips", 1, say("roll.morePips"), "+1")}</div>
  <div class="more-row">${move(act, "actions", 1, say("whatIf.moreActions"), "+")}
    ${answers.difficulty === undefined ? nothing : [move(act, "difficulty", -1, say("roll.lessDifficult"), "−"), move(act, "difficulty", 1, say("roll.moreDifficult"), "+")]}</div>`;

/** A whole attack: that it hits, that it does something, and that it does more than the least. */
export function attackLine(attack) {
  if (!attack) return nothing;
  return html`<div class="attack-line"><p><b>${whole(attack.hits)} %</b> ${say("attack.hits")}</p><p><b>${whole(attack.hurts)} %</b> ${say("attack.hurts")}</p>
    <ul class="attack-ends">${attack.ends.slice(1).filter((one) => one.at_least >= LEAST_SHOWN).map((one) => html`<li><span>${one === attack.ends.at(-1) ? one.name : say("attack.orMore", { what: one.name })}</span><b>${whole(one.at_least)} %</b></li>`)}</ul></div>`;
}
