// Sections of a phone page, one at a time, chosen by buttons.

import { byId, el } from "./dom.js";
import { recall, remember } from "./memory.js";

/** Build the sections; `parts` maps a title to a function that fills a box and returns what draws a state. */
export function buildTabs(parts, key) {
  const bar = el("nav", { class: "tabs" });
  const panes = parts.map(([title, build], place) => {
    const box = el("section", { class: "pane", id: `pane-${place}`, "aria-label": title });
    const button = el("button", { type: "button", text: title, "aria-controls": box.id, onclick: () => choose(place) });
    bar.append(button);
    return { box, button, draw: build(box) };
  });
  let state = null;
  const show = (next) => {
    state = next;
    for (const pane of panes) pane.draw(next);
  };
  const choose = (chosen) => {
    panes.forEach((pane, place) => {
      pane.box.hidden = place !== chosen;
      if (place === chosen) pane.button.setAttribute("aria-current", "true");
      else pane.button.removeAttribute("aria-current");
    });
    remember(key, String(chosen));
    if (state) show(state);
  };
  byId("tabs").append(bar, ...panes.map((pane) => pane.box));
  choose(Math.min(Number(recall(key)) || 0, panes.length - 1));
  return show;
}
