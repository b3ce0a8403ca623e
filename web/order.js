// Initiative: slots that anybody of a side may claim. Those whom the rules leave level change places, by dragging or by keys.

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
  const delay = el("button", { type: "button", text: say("orderDelay"), onclick: () => act({ do: "delay" }) });
  const turnActs = el("div", { class: "acts" },
    el("button", { type: "button", class: "primary", text: say("orderNext"), onclick: () => act({ do: "next" }) }),
    delay,
    el("button", { type: "button", text: say("orderClear"), onclick: () => act({ do: "clear" }) }));
  const numbers = el("small", {});
  const first = el("div", { class: "acts", hidden: true }, ...SIDES.map((value) =>
    el("button", { type: "button", text: say(`orderFirst.${value}`), onclick: () => act({ do: "first", side: value }) })));
  put(
    box,
    round,
    list,
    isMaster && turnActs,
    isMaster && first,
    el("fieldset", { class: "field" }, el("legend", { text: say("orderAdd") }),
      isMaster && el("label", { class: "row" }, say("orderSide"), side),
      el("label", { class: "row" }, say("orderRank"), numbers, rank),
      el("div", { class: "acts" }, el("button", { type: "button", text: say("orderAdd"), onclick: add }), fromRoll)),
  );
  const draw = whenChanged((state) => {
    const { slots, current, title, level } = state.initiative;
    round.textContent = slots.length > 0 ? [say("orderRound", { n: state.initiative.round }), title].filter(Boolean).join(": ") : say("orderNone");
    numbers.textContent = state.initiative.numbers.map((name) => sayOr(`orderNumbers.${name}`, name)).join(", ");
    first.hidden = !state.initiative.sides_choose || slots.length === 0;
    turnActs.hidden = slots.length === 0;
    delay.disabled = slots.filter((slot) => !slot.done).length < 2;
    const held = document.activeElement?.closest?.(".order li") && { slot: document.activeElement.closest("li").dataset.slot, name: document.activeElement.className };
    list.replaceChildren(...slots.map((slot, place) => {
      const isNow = slot.id === current;
      const note = isNow ? say("orderNow") : slot.done ? say("orderDone") : "";
      const { handle, steps } = isMaster ? moves({ slots, place, level, list, act }) : {};
      return el("li", { "aria-current": isNow ? "true" : null, "data-done": slot.done, "data-slot": slot.id },
        handle,
        el("span", {}, el("b", { text: nameOf(slot) }), ` ${said(slot.said, slot.words)}`, note && ` · ${note}`),
        el("div", { class: "order-acts" }, (isMaster || slot.side === "player") && el("button", { type: "button", text: slot.who ? say("slotFree") : say("slotClaim"), onclick: () => act({ do: "claim", slot: slot.id, who: slot.who ? "" : me() || say(`slotOf.${slot.side}`) }) }),
        ...(steps ?? []),
        isMaster && el("button", { type: "button", class: "remove", "aria-label": say("slotRemove"), text: "×", onclick: () => act({ do: "remove", slot: slot.id }) })));
    }));
    if (held) list.querySelector(`[data-slot="${held.slot}"] .${held.name.split(" ")[0] || "none"}:not(:disabled)`)?.focus(); // a key moves it on
  });
  return (state) => {
    roll = state.roll;
    fromRoll.disabled = !roll;
    draw([state.initiative], state);
  };
}

const nameOf = (slot) => slot.who || say(`slotOf.${slot.side}`);

/** What moves the slot at `place`: a handle to drag, one place up, one place down. Nothing where the rules order it. */
function moves({ slots, place, level, list, act }) {
  const isLevel = (n) => n >= 0 && n < slots.length - 1 && level.includes(slots[n].id); // with the one after it
  let [least, most] = [place, place];
  while (isLevel(least - 1)) least -= 1;
  while (isLevel(most)) most += 1;
  if (least === most) return {};
  const who = nameOf(slots[place]);
  const to = (target) => target !== place && target >= least && target <= most
    && act({ do: "move", slot: slots[place].id, before: slots[target > place ? target + 1 : target]?.id ?? "" });
  const handle = el("button", { type: "button", class: "drag", "aria-label": say("orderMove", { who }), title: say("orderMove", { who }), text: "⠿", onkeydown: (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    to(place + by);
  } });
  drag(handle, list, { least, most, place, drop: to });
  return { handle, steps: [
    el("button", { type: "button", class: "up", "aria-label": say("orderUp", { who }), text: "↑", disabled: place === least, onclick: () => to(place - 1) }),
    el("button", { type: "button", class: "down", "aria-label": say("orderDown", { who }), text: "↓", disabled: place === most, onclick: () => to(place + 1) }),
  ] };
}

/** Drag a row by its handle, with a finger or a mouse, as far as it may go. */
function drag(handle, list, { least, most, place, drop }) {
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const rows = [...list.children];
    const row = rows[place];
    const middles = rows.map((one) => one.getBoundingClientRect()).map((one) => one.top + one.height / 2);
    let target = place;
    handle.setPointerCapture(event.pointerId);
    row.toggleAttribute("data-dragged", true);
    const move = (now) => {
      const by = now.clientY - event.clientY;
      row.style.setProperty("--by", `${Math.min(middles[most], Math.max(middles[least], middles[place] + by)) - middles[place]}px`);
      const at = middles[place] + by;
      target = place;
      while (target > least && at < middles[target - 1]) target -= 1;
      while (target < most && at > middles[target + 1]) target += 1;
      rows.forEach((one, n) => one.toggleAttribute("data-target", n === target && n !== place));
    };
    const ends = new AbortController();
    const end = (last) => {
      ends.abort();
      row.removeAttribute("data-dragged");
      rows.forEach((one) => one.removeAttribute("data-target"));
      if (last.type === "pointerup") drop(target);
    };
    handle.addEventListener("pointermove", move, { signal: ends.signal });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) handle.addEventListener(name, end, { signal: ends.signal });
  });
}
