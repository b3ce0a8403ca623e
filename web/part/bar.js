// The bottom bar: the pool as tokens, undo with what it takes back, entry by hand, the menu.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { token } from "../draw/token.js";
import { poolCounts, say, undoWhat } from "../strings.js";

const TOUCH_FROM = 6; // more than these would leave no room for the words beside
const OVERLAP_FROM = 11;
const MOST = 16;
const LONG_MS = 550;
const SIDES = ["light", "dark"];
const ENDS = ["pointerup", "pointerleave", "pointercancel"];

export function bar(state, { mayChange, isPlayer, isLost, act }) {
  return html`<footer class="bar" id="bar">
    ${pool(state, { mayChange: mayChange && !isLost, isPlayer, act })}
    ${mayChange ? undoButton(state, isLost, act) : nothing}
    ${mayChange ? html`<button type="button" class="tool" id="by-hand" ?disabled=${isLost} @click=${act.byHand}>${icon("pen")}<span>${say("byHand")}</span></button>` : nothing}
    <button type="button" class="tool" id="menu" aria-label=${say("menu")} title=${say("menu")} @click=${act.menu}>${icon("menu")}</button>
  </footer>`;
}

function pool(state, { mayChange, isPlayer, act }) {
  const names = state.destiny_names;
  const total = state.destiny.light + state.destiny.dark;
  const many = total > MOST;
  return html`<div class="pool" id="destiny" data-overlap=${total >= OVERLAP_FROM ? "much" : total >= TOUCH_FROM ? "little" : nothing} role="group" aria-label=${names.pool}>
    ${SIDES.map((side) => html`<span class="tokens" data-side=${side}>${tokens(state.destiny[side], side, names, { many, mayChange: mayChange && !(isPlayer && side === "dark"), act, flips: state.destiny_flips })}</span>`)}
    <button type="button" class="pool-words" ?disabled=${!mayChange || isPlayer} @click=${act.pool}>
      <b>${names.pool}</b><span>${poolCounts(state.destiny, names)}</span>
    </button>
  </div>`;
}

function tokens(count, side, names, { many, mayChange, act, flips }) {
  if (count === 0) return nothing;
  const press = flips ? () => act.spend(side) : act.pool;
  const title = flips ? say("spend", { name: names[side] }) : say("poolTitle", { pool: names.pool });
  const shown = many ? 1 : count;
  return html`${Array.from({ length: shown }, () => html`<button type="button" class="token" data-side=${side} aria-label=${title} title=${title} ?disabled=${!mayChange}
      @click=${press} @pointerdown=${(event) => holding(event, act.pool)} @contextmenu=${(event) => event.preventDefault()}>${token(side)}</button>`)}
    ${many ? html`<b class="times">× ${count}</b>` : nothing}`;
}

/** A press that lasts opens the pool instead of spending a point. */
function holding(event, then) {
  const node = event.currentTarget;
  const stop = () => {
    clearTimeout(timer);
    for (const name of ENDS) node.removeEventListener(name, stop);
  };
  const timer = setTimeout(() => {
    stop();
    node.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
    then();
  }, LONG_MS);
  for (const name of ENDS) node.addEventListener(name, stop);
}

function undoButton(state, isLost, act) {
  const undo = state.undo;
  const redo = act.mayRedo?.();
  if (redo) return html`<button type="button" class="tool two" id="undo" ?disabled=${isLost} @click=${act.redo}>${icon("redo")}<span><b>${say("redo")}</b><small>${undoWhat(redo)}</small></span></button>`;
  return html`<button type="button" class="tool two" id="undo" ?disabled=${!undo || isLost} @click=${act.undo}>
    ${icon("undo")}<span><b>${say("undo")}</b>${undo ? html`<small class="may-cut">${undoWhat(undo)}</small>` : nothing}</span>
  </button>`;
}
