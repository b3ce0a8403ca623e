// Sections of a phone page, one at a time, chosen by buttons at the bottom; a wide page shows a second one beside.

import { byId, el } from "./dom.js";
import { icon } from "./draw/icon.js";
import { recall, remember } from "./memory.js";
import { render } from "./vendor/lit-html/lit-html.js";

/** Build the sections; each of `parts` is `{ name, title, icon, build(box) }`, which returns what draws a state. */
export function buildTabs(parts, key) {
  const bar = el("nav", { class: "tabs" });
  const panes = parts.map((part) => {
    const box = el("section", { class: "pane", id: `pane-${part.name}`, "aria-label": part.title });
    const mark = el("span", { class: "tab-mark", "aria-hidden": "true" });
    render(icon(part.icon), mark);
    const drawMark = () => part.mark && render(part.mark(), mark);
    const button = el("button", { type: "button", "aria-controls": box.id, onclick: () => go(part.name) }, mark, el("span", { text: part.title }));
    bar.append(button);
    const draw = part.build(box);
    return {
      ...part,
      box,
      button,
      draw: (state) => {
        draw(state);
        drawMark();
      },
    };
  });
  let state = null;
  const show = (next) => {
    state = next;
    for (const pane of panes) pane.draw(next);
  };
  const choose = (name) => {
    const chosen = panes.find((pane) => pane.name === name) ?? panes[0];
    const beside = panes.find((pane) => pane !== chosen);
    for (const pane of panes) {
      pane.box.hidden = pane !== chosen;
      pane.box.toggleAttribute("data-beside", pane === beside);
      if (pane === chosen) pane.button.setAttribute("aria-current", "true");
      else pane.button.removeAttribute("aria-current");
    }
    document.body.dataset.tab = chosen.name;
    remember(key, chosen.name);
    if (state) show(state);
  };
  /** A tab that was tapped is an entry of the browser's history: Back returns to the one before. */
  const go = (name) => {
    if (document.body.dataset.tab === name) return;
    history.pushState({ tab: name }, "");
    choose(name);
  };
  byId("tabs").append(...panes.map((pane) => pane.box));
  document.body.append(bar);
  choose(recall(key));
  history.replaceState({ tab: document.body.dataset.tab }, "");
  addEventListener("popstate", ({ state: entry }) => entry?.tab && !entry.sheet && choose(entry.tab));
  return { show, choose: go };
}
