// What a roll may buy, as buttons: the price in symbols and what it buys. A tap buys it.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { symbol } from "../draw/symbol.js";
import { setOfSymbol } from "../dice.js";
import { say, symbolWord } from "../strings.js";
import { openSheet } from "./sheet.js";
import { change } from "../talk.js";
import { choose, choosePerson } from "./choose.js";

const LONG = 28; // letters of a title that would take more than two lines: it is set smaller, and its price stands in its first line

/** The prices of a spend that the roll can still pay; of what is no symbol the table knows more than the roll. */
function payable(roll, { prices }) {
  const paid = (of) => (roll.bought ?? []).reduce((sum, one) => sum + (one.of === of ? one.count : 0), 0);
  return prices.filter(({ of, count }) => roll.net[of] === undefined || roll.net[of] - paid(of) >= count);
}

/** A price as its symbols, or in words where it is paid with points. */
export function priceShown({ of, count }, words) {
  const set = setOfSymbol(of);
  return html`<span class="price">${set ? Array.from({ length: count }, () => symbol(set, of)) : words}</span>`;
}

/** The spends with those first that the roller chooses; the game master's come after them. What each symbol buys takes turns, as the game says them. */
export function inOrder(spends, { net }) {
  const symbols = Object.keys(net);
  const seen = {};
  const placed = spends.map((spend) => {
    const { of } = spend.prices[0];
    seen[of] = (seen[of] ?? 0) + 1;
    return { spend, place: [Number(spend.by === "gm"), seen[of], symbols.indexOf(of)] };
  });
  const compare = (one, other) => one.place.map((part, n) => part - other.place[n]).find(Boolean) ?? 0;
  return placed.sort(compare).map(({ spend }) => spend);
}

/** Buttons for some spends of a roll. `mayBuy(spend)` says whose may be tapped here, `buy(spend)` buys. */
export function spendButtons(roll, spends, { mayBuy, buy }) {
  return spends.map((spend) => {
    const price = payable(roll, spend)[0] ?? spend.prices[0];
    const isHelp = roll.succeeded === false && typeof spend.success === "number"; // what one more die would bring
    return html`<button type="button" class="surface spend" data-spend=${spend.name} ?data-long=${spend.title.length > LONG} ?data-bought=${spend.bought > 0} ?data-shown=${!mayBuy(spend)} ?disabled=${!spend.affordable || !mayBuy(spend)}
        aria-label=${[spend.title, spend.price, spend.by === "gm" ? say("byMaster") : "", spend.bought > 0 ? say("boughtTimes", { n: spend.bought }) : "", isHelp ? say("chanceThen", { percent: whole(spend.success) }) : ""].filter(Boolean).join(", ")} @click=${() => buy(spend)}>
      <span class="spend-price">${priceShown(price, spend.price)}${spend.by === "gm" ? html`<small>${say("byMaster")}</small>` : nothing}${spend.bought > 0 ? html`<span class="bought">${icon("check")}${spend.bought > 1 ? html`<small>× ${spend.bought}</small>` : nothing}</span>` : nothing}</span>
      <b>${spend.title}${isHelp ? html`, <span class="then">${whole(0)} %${icon("chevron-right")}${whole(spend.success)} %</span>` : nothing}</b></button>`;
  });
}

/** Everything that a roll may buy, over the page: by the symbol that pays for it, what can be paid first, the dearest last. */
export function showSpends(roll, spends, act) {
  const paid = (of) => (roll.bought ?? []).reduce((sum, one) => sum + (one.of === of ? one.count : 0), 0);
  const groups = Map.groupBy(spends, (spend) => spend.prices[0].of);
  const had = [...groups.keys()].filter((of) => setOfSymbol(of) && roll.net[of]);
  const order = Object.keys(roll.net);
  const place = (one) => [Number(!one.affordable), one.prices[0].count, Number(one.bought > 0)];
  const compare = (a, b) =>
    place(a)
      .map((part, n) => part - place(b)[n])
      .find(Boolean) ?? 0;
  const left = had.some((of) => paid(of) > 0)
    ? html`<span class="quiet">${say("spend.leftOf", { what: had.map((of) => roll.net[of]).join(", ") })}</span>`
    : nothing;
  openSheet(
    html`${roll.by ? say("spend.mayBuy", { who: roll.by }) : say("spends")} <span class="spend-left">${had.map((of) => html`<span class="tally">${symbol(setOfSymbol(of), of)}<b>${roll.net[of] - paid(of)}</b></span>`)}${left}</span>`,
    [...groups]
      .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
      .map(
        ([
          of,
          list,
        ]) => html`<section class="spend-group"><h3>${setOfSymbol(of) ? html`${symbol(setOfSymbol(of), of)} ${symbolWord(of)}` : say("spends")}${list[0].by === "gm" ? html` <small>${say("byMaster")}</small>` : nothing}</h3>
      <div class="spend-grid">${spendButtons(roll, [...list].sort(compare), act)}</div></section>`,
      ),
  );
}

/** Buy something with what a roll left over. It is asked how it is paid and whom it is for, where that is open. */
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
  return change(`/api/rolls/${encodeURIComponent(roll.id)}/spends`, { name: spend.name, price: { of: price.of, count: price.count }, ...(to && { for: to }) });
}

/** Whom something is carried to: an id, "" where the table knows by itself, undefined where nobody chose. */
async function receiver(roll, { title, carries }, people) {
  const here = people.filter((one) => one.game === roll.game);
  if (!carries || here.length === 0) return "";
  if (carries.to === "ally")
    return choosePerson(
      title,
      here.filter((one) => one.kind === "player" || one.id === roll.who),
      [{ value: "", body: say("nextWhoRolls") }],
    );
  const isKnown = carries.to === "self" ? roll.who : roll.against;
  return isKnown
    ? ""
    : choosePerson(
        title,
        here.filter((one) => one.id !== roll.who),
      );
}
