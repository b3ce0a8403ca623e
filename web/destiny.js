// The pool of destiny points: shown as tokens, spent and edited by name.

import { byId, el, setText } from "./dom.js";
import { token } from "./draw/token.js";
import { say } from "./strings.js";
import { change } from "./talk.js";
import { html, render } from "./vendor/lit-html/lit-html.js";

const MOST_SHAPES = 8;
const SIDES = ["light", "dark"];
const parts = {};

/** Draw the pool of `state`. */
export function showDestiny(state) {
  const names = state.destiny_names;
  if (!parts.light) build();
  setText(parts.pool, names.pool);
  for (const side of SIDES) {
    const { count, name, shapes, spend, add, remove } = parts[side];
    const points = state.destiny[side];
    setText(count, String(points));
    setText(name, names[side]);
    render(html`${Array.from({ length: Math.min(points, MOST_SHAPES) }, () => token(side))}`, shapes);
    shapes.setAttribute("aria-label", say("points", { n: points, name: names[side] }));
    setText(spend, say("spend", { name: names[side] }));
    spend.hidden = !state.destiny_flips;
    spend.disabled = points === 0;
    remove.disabled = points === 0;
    add.setAttribute("aria-label", say("add", { name: names[side] }));
    add.title = say("add", { name: names[side] });
    remove.setAttribute("aria-label", say("remove", { name: names[side] }));
    remove.title = say("remove", { name: names[side] });
  }
  const last = state.last_change?.kind === "destiny" ? state.last_change : null; // what was rolled stands above
  setText(parts.last, last ? [last.sentence, last.by].filter(Boolean).join(" · ") : "");
}

function build() {
  parts.pool = el("h2", { id: "pool-name" });
  parts.last = el("p", { id: "last-change", "aria-live": "polite" });
  byId("destiny").append(el("div", { class: "pool" }, parts.pool, parts.last), ...SIDES.map(buildSide));
}

function buildSide(side) {
  const act = (what) => () => change("/api/destiny", { do: what, side });
  const button = (what, text) => el("button", { type: "button", class: what, text, onclick: act(what) });
  const part = {
    count: el("span", { class: "count", "aria-hidden": "true" }),
    name: el("span", { class: "name", "aria-hidden": "true" }),
    shapes: el("span", { class: "points", role: "img" }),
    spend: button("spend", ""),
    add: button("add", "+"),
    remove: button("remove", "\u2212"),
  };
  parts[side] = part;
  return el(
    "div",
    { class: "pool-side", "data-side": side },
    el("div", { class: "tally" }, part.count, el("div", { class: "named" }, part.name, part.shapes)),
    el("div", { class: "acts" }, part.remove, part.add, part.spend),
  );
}
