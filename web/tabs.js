// Sections of a phone page, one at a time, chosen by buttons at the bottom or by what the page has itself; a wide page shows a second one beside.

import { byId } from "./dom.js";
import { icon } from "./draw/icon.js";
import { recall, remember } from "./memory.js";
import { goTo, startPlaces } from "./layers.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";

/**
 * Build the sections: `parts` are `{ name, title, icon, view(seen) }`. With a `key` there are buttons, and the chosen one is kept under it.
 * @param {any[]} parts @param {string} [key]
 */
export function buildTabs(parts, key) {
  const bar = document.createElement("nav");
  bar.className = "tabs";
  if (key) document.body.append(bar);
  let chosen = parts[0];
  /** @type {any} */
  let seen = null;
  const draw = () => {
    const beside = parts.find((part) => part !== chosen);
    render(
      parts.map(
        (part) =>
          html`<section class="pane" id=${`pane-${part.name}`} aria-label=${part.title} ?hidden=${part !== chosen} ?data-beside=${part === beside}>${seen ? part.view(seen) : nothing}</section>`,
      ),
      byId("tabs"),
    );
    if (!key) return;
    render(
      parts.map(
        (part) =>
          html`<button type="button" aria-controls=${`pane-${part.name}`} aria-current=${part === chosen ? "true" : nothing} @click=${() => go(part.name)}><span class="tab-mark" aria-hidden="true">${icon(part.icon)}</span><span>${part.title}</span></button>`,
      ),
      bar,
    );
  };
  /** @param {string | null | undefined} name */
  const choose = (name) => {
    chosen = parts.find((part) => part.name === name) ?? parts[0];
    document.body.dataset.tab = chosen.name;
    if (key) remember(key, chosen.name);
    draw();
  };
  /** A tab that was tapped is an entry of the browser's history: Back returns to the one before. @param {string} name */
  const go = (name) => {
    if (document.body.dataset.tab === name) return;
    goTo(name);
    choose(name);
  };
  choose(key ? recall(key) : "");
  startPlaces(chosen.name, choose);
  return {
    /** Draw all of them as the page sees the table now. @param {any} now */
    show(now) {
      seen = now;
      draw();
    },
    choose: go,
    /** The name of the one that is shown. */
    place: () => chosen.name,
  };
}
