// Initiative: slots that anybody of a side may claim.

import { el, put, whenChanged } from "./dom.js";
import { said } from "./said.js";
import { say, sayOr } from "./strings.js";
import { change } from "./talk.js";

const SIDES = ["player", "npc"];

export function buildOrder(box, { isMaster, me }) {
  const act = (body) => change("/api/initiative", body);
  const list = el("ol", { class: "order" });
  const round = el("p", { class: "quiet", "aria-live": "polite" });
  const rank = el("input", { type: "text", inputmode: "numeric", maxlength: 20 });
  const side = el("select", {}, ...SIDES.map((value) => el("option", { value, text: say(`slotOf.${value}`) })));
  let roll = null;
  const sideNow = () => (isMaster ? side.value : "player");
  const add = () => act({ do: "add", side: sideNow(), rank: rank.value.split(/[\s,]+/).filter(Boolean).map(Number).filter(Number.isInteger) });
  const fromRoll = el("button", { type: "button", text: say("orderRoll"), onclick: () => act({ do: "add", side: sideNow(), roll: roll.id }) });
  const numbers = el("small", {});
  const first = el("div", { class: "acts", hidden: true }, ...SIDES.map((value) =>
    el("button", { type: "button", text: say(`orderFirst.${value}`), onclick: () => act({ do: "first", side: value }) })));
  put(
    box,
    round,
    list,
    isMaster && el("div", { class: "acts" },
      el("button", { type: "button", class: "primary", text: say("orderNext"), onclick: () => act({ do: "next" }) }),
      el("button", { type: "button", text: say("orderClear"), onclick: () => act({ do: "clear" }) })),
    isMaster && first,
    el("fieldset", { class: "field" }, el("legend", { text: say("orderAdd") }),
      isMaster && el("label", { class: "row" }, say("orderSide"), side),
      el("label", { class: "row" }, say("orderRank"), numbers, rank),
      el("div", { class: "acts" }, el("button", { type: "button", text: say("orderAdd"), onclick: add }), fromRoll)),
  );
  const draw = whenChanged((state) => {
    const { slots, current, title } = state.initiative;
    round.textContent = slots.length > 0 ? [say("orderRound", { n: state.initiative.round }), title].filter(Boolean).join(": ") : say("orderNone");
    numbers.textContent = state.initiative.numbers.map((name) => sayOr(`orderNumbers.${name}`, name)).join(", ");
    first.hidden = !state.initiative.sides_choose || slots.length === 0;
    list.replaceChildren(...slots.map((slot) => {
      const isNow = slot.id === current;
      const note = isNow ? say("orderNow") : slot.done ? say("orderDone") : "";
      return el("li", { "aria-current": isNow ? "true" : null, "data-done": slot.done },
        el("span", {}, el("b", { text: slot.who || say(`slotOf.${slot.side}`) }), ` ${said(slot.said, slot.words)}`, note && ` · ${note}`),
        (isMaster || slot.side === "player") && el("button", { type: "button", text: slot.who ? say("slotFree") : say("slotClaim"), onclick: () => act({ do: "claim", slot: slot.id, who: slot.who ? "" : me() || say(`slotOf.${slot.side}`) }) }),
        isMaster && el("button", { type: "button", "aria-label": say("slotRemove"), text: "×", onclick: () => act({ do: "remove", slot: slot.id }) }));
    }));
  });
  return (state) => {
    roll = state.roll;
    fromRoll.disabled = !roll;
    draw([state.initiative], state);
  };
}
