// The table screen as a function of what is known: `view(state, ui)` returns what is drawn.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { die } from "../draw/die.js";
import { demoScene, isDemoStart } from "../demo.js";
import { dieType } from "../dice.js";
import { filmOf } from "../moments.js";
import { handView } from "../part/hand.js";
import { bar } from "../part/bar.js";
import { flipButtons } from "../part/call.js";
import { contestNow, ranking } from "../part/contest.js";
import { diceRows } from "../part/dice.js";
import { bestThrow, feed } from "../part/feed.js";
import { liveOver } from "../part/live.js";
import { isByFaces, isInNet } from "../part/net.js";
import { stepOf, toneOfNow } from "../part/now.js";
import { drawnDice, toneOf } from "../part/plate.js";
import { edge } from "../part/edge.js";
import { replayOver } from "../part/replay.js";
import { NO_CAMERA, trayView, viewOf } from "../part/tray.js";
import { say } from "../strings.js";
import { diceToThrow, hostSide } from "./host.js";
import { initiativeRows } from "./initiative.js";
import { isOpen, doubtOf, kindOf, shownOf } from "./kind.js";
import { dieOfMood, moodsOf } from "./mood.js";
import { quietActs } from "./acts.js";
import { orderList, STATES } from "./states.js";

const WITH_ROLL = new Set(["result", "past", "doubt", "awaits", "wrong"]);
const BY_HAND = new Set(["asked", "rolling", "awaits", "wrong"]); // what stands beside dice that are entered; else it is that they are thrown
const WITH_ORDER = new Set(["turn", "fallen", "won"]);
const WITH_NET = new Set(["result", "past", "awaits"]);
const LIVE = new Set(["waiting", "asked", "rolling"]); // no roll is shown: the tray is, as it is now
const WITH_EDGE = new Set(["result", "past"]);

/** Draw the whole page. `now` is the table's clock in seconds, `act` what taps do. @param {{ state: State, ui: TableUi, now: number, act: TableAct }} what */
export function view({ state: known, ui, now, act }) {
  const state = shownOf(known, ui);
  const found = kindOf(state, ui);
  const kind = ui.hand && !BY_HAND.has(found) ? "waiting" : found;
  const find = kind === "doubt" ? doubtOf(state, ui) : null;
  const roll = state?.roll ?? null;
  const accent =
    kind === "connecting"
      ? "ink"
      : kind === "host" || (ui.hand && kind === "waiting")
        ? "ask"
        : kind === "past"
          ? roll && isOpen(roll)
            ? "doubt"
            : toneOf(roll)
          : kind === "doubt"
            ? "doubt"
            : toneOfNow(state);
  const isLost = Boolean(ui.lostAt);
  const isShown = WITH_ROLL.has(kind) && Boolean(roll);
  const ringed = find ?? (isShown && state.question !== null && state.question !== undefined ? { list: "dice", index: state.question } : null);
  const question = ringed?.list === "dice" ? ringed.index : null;
  const seen = { state, ui, now, act, find, ringed, question, isShown, kind };
  return html`<main id="stage" data-kind=${kind} ?data-rows=${Boolean(state && !state.isPast && contestNow(state)?.initiative)} ?data-by-hand=${Boolean(ui.hand)} ?data-total-alone=${isShown && WITH_NET.has(kind) && isByFaces(/** @type {AnyRoll} */ (roll)) && !isInNet(/** @type {AnyRoll} */ (roll))} data-accent=${accent} data-phase=${state?.phase ?? nothing}>
      <fieldset class="left" aria-labelledby="headline" ?disabled=${isLost}>${STATES[kind](/** @type {Doubted} */ (seen))}</fieldset>
      <section class="right">${state ? side(kind, seen, roll) : nothing}</section>
    </main>
    ${edge(WITH_EDGE.has(kind) ? moodsOf(roll) : [], ui.shining)}
    ${state ? bar(known, { mayChange: ui.mayChange, isPlayer: ui.isPlayer, isLost, hand: ui.hand, toThrow: kind === "host" ? diceToThrow(seen) : 0, isFirst: kind === "host" && stepOf(state.now) === 1, games: ui.games, act }) : nothing}`;
}

/** @param {string} kind @param {TableSeen} seen @param {Roll | WholeRoll | null} known */
function side(kind, seen, known) {
  const { state, ui, now, ringed, question, act } = seen;
  const roll = seen.isShown ? known : null;
  if (ui.hand) return handView(ui.hand, { close: act.mayClose() ? act.closeHand : null });
  if (WITH_ORDER.has(kind) && state.initiative.current) return orderList({ state, ui });
  if (kind === "host") return hostSide(seen);
  const isOnLeft = roll && WITH_NET.has(kind) && isInNet(roll); // dice that come to a total stand beside it
  const best = kind === "over" ? bestThrow(state) : null;
  const dice = best ? drawnDice(best.dice) : roll && !isOnLeft ? diceRows(roll, question, act) : nothing;
  const isDrawn = best || (roll && !isOnLeft && !roll.picture); // without a picture the dice take its place
  const hasTray = kind === "hidden" || (roll ? roll.picture : !NO_CAMERA.has(state.phase));
  const brought = roll && ui.star ? dieOfMood(roll, ui.star) : null;
  const star = brought ? html`<div class="star" id="star" aria-hidden="true">${die(dieType(brought.type), brought.face)}</div>` : nothing;
  const contest = state.isPast ? null : contestNow(state);
  const isLive = LIVE.has(kind) && ui.mayChange && !NO_CAMERA.has(state.phase);
  const over = isLive ? liveOver() : roll && !brought && filmOf(ui, roll) ? replayOver(roll, viewOf(roll), { isPlaying: ui.isPlaying, act }) : star;
  return html`${isDrawn ? html`<div id="tray" class="tray bare drawn" ?data-first=${state.history.length < 2 && !contest}>${dice}${star}</div>` : !hasTray ? nothing : trayView(known, { find: ringed, whole: isLive || kind === "rolling", isHidden: kind === "hidden", over, act })}
    <fieldset class="beside-tray" ?disabled=${Boolean(ui.lostAt)}>
      ${isDrawn ? nothing : dice}${isDrawn || hasTray ? nothing : star}
      ${isDemoStart({ state, ui }) ? demoScene({ state, ui, act }) : kind === "asked" && state.call ? flipButtons(state, { mayFlip: (side) => ui.mayChange && !(ui.isPlayer && side === "dark"), flip: act.spend }) : nothing}
      ${kind === "rolling" && ui.mayChange ? quietActs(seen) : nothing}
      ${
        kind === "awaits" && ui.mayChange
          ? html`<div class="surfaces awaited-acts"><button type="button" class="surface enter-throw" @click=${() => act.awaited()}><b>${say("enterThrow")}</b></button>
        ${quietActs(seen)}</div>`
          : nothing
      }
      ${kind === "hidden" ? nothing : contest ? (contest.initiative ? initiativeRows(contest, seen) : ranking(contest, { asked: state.asked })) : feed(state, { shown: roll?.id, now, act })}
    </fieldset>`;
}
