// Exact odds, as a list and as bars.

import { el } from "./dom.js";
import { plainSaid } from "./said.js";
import { say, sayOr } from "./strings.js";

const LEAST_SHOWN = 0.0005;

export const percent = (chance) => (100 * chance).toFixed(chance > 0 && chance < 0.0995 ? 2 : 1);

/** Draw what the table answers about odds. */
export function oddsView(odds) {
  const bars = shown(odds.bars);
  const longest = Math.max(...bars.map((bar) => bar.chance), 0) || 1;
  return el(
    "div",
    { class: "odds" },
    el("h3", { text: say("oddsOf", { pool: odds.pool }) }),
    el("dl", { class: "chances" }, ...odds.chances.flatMap(({ name, chance }) => [
      el("dt", { text: sayOr(`chances.${name}`, plainSaid(name.replaceAll("_", " "))) }),
      el("dd", { text: `${percent(chance)} %` }),
    ])),
    odds.spending.length > 0 && el("h4", { text: say("oddsSpend") }),
    odds.spending.length > 0 && el("dl", { class: "chances" }, ...odds.spending.flatMap(({ title, success }) => [
      el("dt", { text: title }),
      el("dd", { text: `${percent(success)} %` }),
    ])),
    el("table", { class: "bars" }, el("caption", { text: odds.bars_of }), el("tbody", {}, ...bars.map(({ name, chance }) =>
      el("tr", {}, el("th", { scope: "row", text: name }),
        el("td", {}, el("meter", { min: 0, max: longest, value: chance, "aria-label": `${name}: ${percent(chance)} %` })),
        el("td", { text: `${percent(chance)} %` }))))),
  );
}

function shown(bars) {
  let [from, to] = [0, bars.length];
  while (to - from > 1 && bars[to - 1].chance < LEAST_SHOWN) to -= 1;
  while (to - from > 1 && bars[from].chance < LEAST_SHOWN) from += 1;
  return bars.slice(from, to);
}
