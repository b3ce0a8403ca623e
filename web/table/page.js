// The table screen as a function of what is known: `view(state, ui)` returns what is drawn.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { demoScene, isDemoStart } from "../demo.js";
import { dieType } from "../dice.js";
import { filmOf } from "../moments.js";
import { bar } from "../part/bar.js";
import { flipButtons, isLaid } from "../part/call.js";
import { contestNow, ranking } from "../part/contest.js";
import { diceRows } from "../part/dice.js";
import { feed } from "../part/feed.js";
import { liveOver } from "../part/live.js";
import { isByFaces } from "../part/net.js";
import { edge } from "../part/edge.js";
import { replayOver } from "../part/replay.js";
import { NO_CAMERA, trayView, viewOf } from "../part/tray.js";
import { say } from "../strings.js";
import { diceToThrow, hostSide } from "./host.js";
import { accentOf, doubtOf, kindOf, shownOf } from "./kind.js";
import { dieOfMood, moodsOf } from "./mood.js";
import { orderList, STATES } from "./states.js";

const WITH_ROLL = new Set(["result", "past", "doubt", "awaits", "wrong"]);
const WITH_NET = new Set(["result", "past", "awaits"]);
const LIVE = new Set(["waiting", "asked", "rolling"]); // no roll is shown: the tray is, as it is now
const WITH_EDGE = new Set(["result", "past", "asked", "turn"]); // until the next roll

/** Draw the whole page. `now` is the table's clock in seconds, `act` what taps do. */
export function view({ state: known, ui, now, act }) {
  const state = shownOf(known, ui);
  const kind = kindOf(state, ui, now);
  const find = kind === "doubt" ? doubtOf(state, ui) : null;
  const roll = state?.roll ?? null;
  const accent = accentOf(kind, roll);
  const isLost = Boolean(ui.lostAt);
  const isShown = WITH_ROLL.has(kind) && Boolean(roll);
  const ringed = find ?? (isShown && state.question !== null && state.question !== undefined ? { list: "dice", index: state.question } : null);
  const question = ringed?.list === "dice" ? ringed.index : null;
  const seen = { state, ui, now, act, find, ringed, question, isShown, kind };
  return html`<main id="stage" data-kind=${kind} data-accent=${accent} data-phase=${state?.phase ?? nothing}>
      <fieldset class="left" aria-labelledby="headline" ?disabled=${isLost}>${STATES[kind](seen)}</fieldset>
      <section class="right">${state ? side(kind, seen, roll) : nothing}</section>
    </main>
    ${edge(WITH_EDGE.has(kind) ? moodsOf(roll) : [], ui.shining)}
    ${state ? bar(known, { mayChange: ui.mayChange, isPlayer: ui.isPlayer, isLost, toThrow: kind === "host" ? diceToThrow(seen) : 0, games: ui.games, act }) : nothing}`;
}

function side(kind, { state, ui, now, ringed, question, isShown, act }, roll) {
  if (kind === "turn") return orderList({ state, ui });
  if (kind === "host") return hostSide({ state, ui, act });
  const isOnLeft = WITH_NET.has(kind) && isShown && isByFaces(roll); // dice that come to a total stand beside it
  const dice = isShown && !isOnLeft ? diceRows(roll, question, act) : nothing;
  const isDrawn = isShown && !isOnLeft && !roll.picture; // without a picture the dice take its place
  const brought = isShown && ui.star ? dieOfMood(roll, ui.star) : null;
  const star = brought ? html`<div class="star" id="star" aria-hidden="true">${die(dieType(brought.type), brought.face)}</div>` : nothing;
  const isLive = LIVE.has(kind) && ui.mayChange && !NO_CAMERA.has(state.phase);
  const over = isLive ? liveOver() : isShown && !brought && filmOf(ui, roll) ? replayOver(roll, viewOf(roll), { isPlaying: ui.isPlaying, act }) : star;
  return html`${isDrawn ? html`<div id="tray" class="tray bare">${dice}${star}</div>` : trayView(roll, { phase: state.phase, find: ringed, whole: isLive || kind === "rolling", isHidden: kind === "hidden", over, act })}
    <fieldset class="beside-tray" ?disabled=${Boolean(ui.lostAt)}>
      ${isDrawn ? nothing : dice}
      ${isDemoStart({ state, ui }) ? demoScene({ state, ui, act }) : kind === "asked" && state.call ? flipButtons(state, { mayFlip: (side) => ui.mayChange && !(ui.isPlayer && side === "dark"), flip: act.spend }) : nothing}
      ${kind === "asked" && state.call && isLaid(state.call) && ui.mayChange ? html`<button type="button" class="surface" id="thrown" @click=${act.wasThrown}><b>${say("wasThrown")}</b></button>` : nothing}
      ${
        kind === "awaits" && ui.mayChange
          ? html`<div class="surfaces awaited-acts"><button type="button" class="surface enter-throw" @click=${() => act.awaited(roll)}><b>${say("enterThrow")}</b></button>
        ${roll.choices.map((one) => html`<button type="button" class="surface leave-throw" @click=${() => act.choose(roll, one.ask)}><b>${one.title}</b></button>`)}</div>`
          : nothing
      }
      ${kind === "hidden" ? nothing : contestNow(state) && !state.isPast ? ranking(state.contest, { asked: state.asked }) : feed(state, { shown: isShown ? roll.id : null, now, act })}
    </fieldset>`;
}
