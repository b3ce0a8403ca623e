// The bottom bar: the pool as tokens, undo with what it takes back, entry by hand, the menu.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { diamond, pip, token } from "../draw/token.js";
import { onlyFirst } from "./dice.js";
import { face, hasPool, holding } from "./card.js";
import { avatar } from "./who.js";
import { poolCounts, say, undoWhat } from "../strings.js";

const TOUCH_FROM = 6; // more than these would leave no room for the words beside
const OVERLAP_FROM = 11;
const MOST = 16;
const MOST_PIPS = 5;
const MOST_DIAMONDS = 2;
const MOST_SEATS = 6;
/** @type {Side[]} */
const SIDES = ["light", "dark"];

/**
 * The bar; `hand` is what is being entered, `toThrow` is how many dice the pool of a new table is thrown with, 0 where it is there or there is none; `isFirst` is the first step of a new table.
 * @param {State} state @param {{ mayChange: boolean, isPlayer?: boolean, isLost: boolean, hand?: Hand | null, toThrow?: number, isFirst?: boolean, games?: Game[], act: TableAct }} how
 */
export function bar(state, { mayChange, isPlayer, isLost, hand = null, toThrow = 0, isFirst = false, games = [], act }) {
  const game = games.find((one) => one.name === state.game);
  return html`<footer class="bar" id="bar">
    ${isFirst && state.destiny.light + state.destiny.dark === 0 ? html`<p class="pool quiet" id="destiny">${say("host.next")}</p>` : toThrow > 0 ? throwPool(state, toThrow, act) : state.points ? ownPoints(state.points, state, { mayChange: mayChange && !isLost, games, act }) : game && !hasPool(game) ? heroes(state, game) : pool(state, { mayChange: mayChange && !isLost, isPlayer, act })}
    ${mayChange ? (hand && !hand.isEmpty() ? undoDie(hand, isLost) : undoButton(state, isLost, act)) : nothing}
    ${mayChange && !hand ? html`<button type="button" class="tool" id="by-hand" ?disabled=${isLost} @click=${act.byHand}>${icon("pencil")}<span>${say("byHand")}</span></button>` : nothing}
    <button type="button" class="tool" id="menu" aria-label=${say("menu")} title=${say("menu")} @click=${act.menu}>${icon("menu")}</button>
  </footer>`;
}

/** Before there is a pool: a seat for each die that makes it, and a tap that calls the throw. @param {State} state @param {number} count @param {TableAct} act */
const throwPool = (
  state,
  count,
  act,
) => html`<div class="pool" id="destiny"><span class="tokens" aria-hidden="true">${Array.from({ length: Math.min(count, MOST_SEATS) }, () => html`<span class="token empty-seat"></span>`)}</span>
  <button type="button" class="pool-words" id="throw-pool" @click=${act.throwPool}><b>${say("sessionPool", { pool: state.destiny_names.pool })}</b><span>${say("host.oneEach")}</span></button></div>`;

/** Where there is no pool and nobody acts: who is at the table, and how they are. @param {State} state @param {Game} game */
const heroes = ({ people }, game) =>
  html`<div class="pool own-points" id="destiny">${people
    .filter((one) => one.kind === "player" && one.game === game.name)
    .slice(0, MOST_SEATS)
    .map((one) => face(one, { game }))}</div>`;

/** The points of who acts: dots, and diamonds that join an open call. @param {Told["PointsNow"]} points @param {State} state @param {{ mayChange: boolean, games: Game[], act: TableAct }} how */
function ownPoints(points, { call, people, destiny_names: names }, { mayChange, games, act }) {
  const person = people.find((one) => one.id === points.who);
  const game = games.find((one) => one.name === person?.game);
  const may = (/** @type {string} */ side) => mayChange && call?.who === points.who && call.flips.some((one) => one.side === side);
  const row = (/** @type {number} */ count, /** @type {number} */ most, /** @type {(n: number) => Drawn} */ drawing) =>
    count > most ? html`${drawing(0)}<b class="times">× ${count}</b>` : Array.from({ length: count }, (_, n) => drawing(n));
  const title = say("spend", { name: names.light });
  const force = (/** @type {number} */ n) =>
    html`<button type="button" class="token" data-side="light" aria-hidden=${onlyFirst(n).hidden} tabindex=${onlyFirst(n).tab} aria-label=${title} title=${title} ?disabled=${!may("light")} @click=${() => act.spend("light")}>${diamond("light")}</button>`;
  return html`<div class="pool own-points" id="destiny" role="group" aria-label=${points.name}>
    ${person && game ? face(person, { game }) : avatar(points.name)}
    <span class="tokens pips" data-side="character">${row(points.character ?? 0, MOST_PIPS, pip)}</span>
    <span class="tokens" data-side="light">${row(points.light ?? 0, MOST_DIAMONDS, force)}</span>
    ${points.dark ? html`<span class="tokens" data-side="dark">${row(points.dark, MOST_DIAMONDS, () => diamond("dark"))}</span>` : nothing}
    <p class="pool-words"><b class="may-cut">${points.name}</b><span class="may-cut">${say("pointsOf", { n: points.character ?? 0, light: points.light, name: names.light })}</span></p>
  </div>`;
}

/** @param {State} state @param {{ mayChange: boolean, isPlayer?: boolean, act: TableAct }} how */
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

/** @param {number} count @param {Side} side @param {Told["PoolNames"]} names @param {{ many: boolean, mayChange: boolean, act: TableAct, flips: boolean }} how */
function tokens(count, side, names, { many, mayChange, act, flips }) {
  if (count === 0) return nothing;
  const press = flips ? () => act.spend(side) : act.pool;
  const title = flips ? say("spend", { name: names[side] }) : say("poolTitle", { pool: names.pool });
  const shown = many ? 1 : count;
  return html`${Array.from(
    { length: shown },
    (
      _,
      n,
    ) => html`<button type="button" class="token" data-side=${side} aria-hidden=${onlyFirst(n).hidden} tabindex=${onlyFirst(n).tab} aria-label=${title} title=${title} ?disabled=${!mayChange}
      @click=${press} @pointerdown=${(/** @type {Happened<HTMLButtonElement>} */ event) => holding(event, act.pool, { isOnce: true })} @contextmenu=${(/** @type {Happened} */ event) => event.preventDefault()}>${token(side)}</button>`,
  )}
    ${many ? html`<b class="times">× ${count}</b>` : nothing}`;
}

/** The last die that was entered, before all are. @param {Hand} hand @param {boolean} isLost */
const undoDie = (hand, isLost) =>
  html`<button type="button" class="tool two" id="undo" ?disabled=${isLost} @click=${hand.back}>${icon("undo-2")}<span><b>${say("undo")}</b><small class="may-cut">${say("hand.lastDie")}</small></span></button>`;

/** @param {State} state @param {boolean} isLost @param {TableAct} act */
function undoButton(state, isLost, act) {
  const undo = state.undo;
  const redo = act.mayRedo();
  if (redo)
    return html`<button type="button" class="tool two" id="undo" ?disabled=${isLost} @click=${act.redo}>${icon("redo-2")}<span><b>${say("redo")}</b><small>${undoWhat(redo)}</small></span></button>`;
  return html`<button type="button" class="tool two" id="undo" ?disabled=${!undo || isLost} @click=${act.undo}>
    ${icon("undo-2")}<span><b>${say("undo")}</b>${undo ? html`<small class="may-cut">${undoWhat(undo)}</small>` : nothing}</span>
  </button>`;
}
