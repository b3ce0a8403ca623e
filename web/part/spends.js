// What a roll may buy, as buttons: the price in symbols and what it buys. A tap buys it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { symbol } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { say, symbolWord } from "../strings.js";
import { openSheet } from "./sheet.js";
import { change, rollAddress } from "../talk.js";
import { choose, choosePerson } from "./choose.js";

/** How much of a symbol a roll has left, after what it bought. @param {Pick<AnyRoll, "net" | "bought">} roll @param {string} of */
export const leftOf = (roll, of) => roll.net[of] - (roll.bought ?? []).reduce((sum, one) => sum + (one.of === of ? one.count : 0), 0);

/** The prices of a spend that the roll can still pay; of what is no symbol the table knows more than the roll. @param {AnyRoll} roll @param {Offer} spend */
const payable = (roll, { prices }) => prices.filter(({ of, count }) => roll.net[of] === undefined || leftOf(roll, of) >= count);

/** A price as its symbols, or in words where it is paid with points. @param {Told["ShownPrice"]} price @param {Drawing} words */
export function priceShown({ of, count }, words) {
  const set = setOfSymbol(of);
  return html`<span class="price">${set ? Array.from({ length: count }, () => symbol(set, of)) : words}</span>`;
}

/** What a roll may still buy, and what it has bought. @param {Offer[]} spends */
export const offered = (spends) => spends.filter((one) => one.affordable || one.bought > 0);

/** What can be paid first, the game master's after the roller's; then by price, in turns for each symbol, what was bought last. @param {Offer[]} spends @param {AnyRoll} roll */
export function inOrder(spends, { net }) {
  const symbols = Object.keys(net);
  /** @type {Counts} */
  const seen = {};
  const placed = spends.map((spend) => {
    const [{ of, count }] = spend.prices;
    seen[of] = (seen[of] ?? 0) + 1;
    return {
      spend,
      place: [Number(!spend.affordable && spend.bought === 0), Number(spend.by === "gm"), count, Number(spend.bought > 0), seen[of], symbols.indexOf(of)],
    };
  });
  const compare = (/** @type {(typeof placed)[0]} */ one, /** @type {(typeof placed)[0]} */ other) =>
    one.place.map((part, n) => part - other.place[n]).find(Boolean) ?? 0;
  return placed.sort(compare).map(({ spend }) => spend);
}

/**
 * Cards of some spends of a roll. `mayBuy(spend)` says whose may be tapped here, `buy(spend)` buys, and `isTold` writes out what each does.
 * @param {AnyRoll} roll @param {Offer[]} spends @param {SpendAct & { isTold?: boolean }} act
 */
export function spendButtons(roll, spends, { mayBuy, buy, isTold = false }) {
  return spends.map((spend) => {
    const price = payable(roll, spend)[0] ?? spend.prices[0];
    const then = roll.succeeded === false ? spend.success : null; // what one more die would bring
    return html`<button type="button" class="surface spend" data-spend=${spend.name} ?data-bought=${spend.bought > 0} ?data-shown=${!mayBuy(spend)} ?disabled=${!spend.affordable || !mayBuy(spend)}
        aria-label=${[spend.title, spend.price, spend.by === "gm" ? say("byMaster") : "", spend.bought > 0 ? say("boughtTimes", { n: spend.bought }) : "", then === null ? "" : say("chanceThen", { percent: whole(then) })].filter(Boolean).join(", ")} @click=${() => buy(spend)}>
      <span class="spend-price">${priceShown(price, spend.price)}${spend.by === "gm" ? html`<small>${say("byMaster")}</small>` : nothing}${spend.bought > 0 ? html`<span class="bought">${icon("check")}${spend.bought > 1 ? html`<small>× ${spend.bought}</small>` : nothing}</span>` : nothing}</span>
      <b>${spend.short}${then === null ? nothing : html`, <span class="then">${whole(0)} %${icon("chevron-right")}${whole(then)} %</span>`}</b>${isTold && spend.title !== spend.short ? html`<small>${spend.title}</small>` : nothing}</button>`;
  });
}

const ROWS = 3; // of a page of the sheet
const ABREAST = { short: 4, told: 2 };

/** The groups in pages of so many rows: a group that finds no room goes on, on the next one. @param {SpendGroup[]} groups @param {number} columns */
function pagesOf(groups, columns) {
  /** @type {SpendGroup[][]} */
  const pages = [[]];
  let left = ROWS;
  for (const [of, list] of groups) {
    for (let at = 0; at < list.length; ) {
      if (left === 0) {
        pages.push([]);
        left = ROWS;
      }
      const rows = Math.min(left, Math.ceil((list.length - at) / columns));
      pages[pages.length - 1].push([of, list.slice(at, at + rows * columns)]);
      at += rows * columns;
      left -= rows;
    }
  }
  return pages;
}

/**
 * Everything that a roll may buy, over the page, by the symbol that pays for it; `isTold` writes out what each does.
 * @param {AnyRoll} roll @param {Offer[]} spends @param {SpendAct} act
 */
export function showSpends(roll, spends, act, { isTold = false, at = 0 } = {}) {
  const order = Object.keys(roll.net);
  const sorted = inOrder(offered(spends), roll);
  const paidBy = [...new Set(sorted.map((spend) => spend.prices[0].of))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const groups = paidBy.map((of) => /** @type {SpendGroup} */ ([of, sorted.filter((spend) => spend.prices[0].of === of)]));
  const had = groups.map(([of]) => of).filter((of) => setOfSymbol(of) && roll.net[of]);
  const last = roll.bought?.at(-1);
  const wasBought = (/** @type {Offer[]} */ list) => list.find((one) => last?.name === one.name);
  const left = had.some((of) => leftOf(roll, of) < roll.net[of])
    ? html`<span class="quiet">${say("spend.leftOf", { what: had.map((of) => roll.net[of]).join(", ") })}</span>`
    : nothing;
  const pages = pagesOf(groups, isTold ? ABREAST.told : ABREAST.short);
  const turn = (/** @type {number} */ to) => showSpends(roll, spends, act, { isTold, at: to });
  openSheet(
    html`${roll.by ? say("spend.mayBuy", { who: roll.by }) : say("spends")} <span class="spend-left">${had.map((of) => html`<span class="tally">${symbol(setOfSymbol(of), of)}<b>${leftOf(roll, of)}</b></span>`)}${left}</span>`,
    html`<div class="spend-groups" ?data-told=${isTold}>${pages[at].map(
      ([
        of,
        list,
      ]) => html`<section class="spend-group"><h3>${setOfSymbol(of) ? html`${symbol(setOfSymbol(of), of)} ${symbolWord(of)}` : say("spends")}${list[0].by === "gm" ? html` <small>${say("byMaster")}</small>` : nothing}
      ${wasBought(list) ? html`<span class="was-bought">${icon("check")} ${say("spend.wasBought", { what: wasBought(list)?.short })}</span>` : nothing}</h3>
      <div class="spend-grid">${spendButtons(roll, list, { ...act, isTold })}</div></section>`,
    )}</div>
    <footer class="spend-foot"><button type="button" id="what-spends-do" aria-pressed=${String(isTold)} @click=${() => showSpends(roll, spends, act, { isTold: !isTold })}>${icon("info")} ${say("spend.what")}</button>
      ${pages.length > 1 ? html`<button type="button" class="icon-button" aria-label=${say("spend.before")} ?disabled=${at === 0} @click=${() => turn(at - 1)}>${icon("chevron-up")}</button><button type="button" class="icon-button" aria-label=${say("spend.after")} ?disabled=${at + 1 === pages.length} @click=${() => turn(at + 1)}>${icon("chevron-down")}</button>` : nothing}</footer>`,
    { name: "spends" },
  );
}

/** Buy something with what a roll left over. It is asked how it is paid and whom it is for, where that is open. @param {AnyRoll} roll @param {Offer} spend @param {BriefPerson[]} people */
export async function buySpend(roll, spend, people) {
  const prices = payable(roll, spend);
  const price =
    prices.length > 1
      ? await choose(
          say("whichPrice"),
          prices.map((one) => ({ value: one, body: priceShown(one, spend.price) })),
        )
      : (prices[0] ?? spend.prices[0]);
  if (!price) return null;
  const to = await receiver(roll, spend, people);
  if (to === undefined) return null;
  return change(rollAddress(roll, "/spends"), { name: spend.name, price: { of: price.of, count: price.count }, ...(to && { for: to }) });
}

/** Whom something is carried to: an id, "" where the table knows by itself, undefined where nobody chose. @param {AnyRoll} roll @param {Offer} spend @param {BriefPerson[]} people */
async function receiver(roll, { title, carries }, people) {
  const here = people.filter((one) => one.game === roll.game);
  if (!carries || here.length === 0) return "";
  if (carries.to === "ally")
    return choosePerson(
      title,
      here.filter((one) => one.kind === "player" || one.id === roll.who),
      [{ value: "", body: say("nextWhoRolls") }],
    );
  const isKnown = carries.to === "roller" ? roll.who : roll.against;
  return isKnown
    ? ""
    : choosePerson(
        title,
        here.filter((one) => one.id !== roll.who),
      );
}
