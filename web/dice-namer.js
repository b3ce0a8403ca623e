// The dialog that asks what a die shows: symbols that are known, a number, or a new symbol.

import { byId, el } from "./dom.js";

/** Ask, and return `{face}`, `{drop: true}`, or null where it was closed. */
export function openNamer({ dice, symbols, draft, palette, words, picture }) {
  const dialog = byId("namer");
  let chosen = [...symbols];
  byId("namer-title").textContent = words.name;
  byId("namer-close").setAttribute("aria-label", words.close_);
  byId("namer-crops").replaceChildren(...dice.slice(0, 6).map(picture));
  byId("clear").textContent = words.clear;
  byId("leave-out").textContent = words.leaveOut;
  byId("take").textContent = words.take;

  const tell = () => {
    const shown = chosen.map((name, at) =>
      el("button", { type: "button", class: "type", text: `${name} ×`, onclick: () => { chosen.splice(at, 1); tell(); } }));
    byId("chosen").replaceChildren(...(shown.length ? shown : [el("span", { class: "none", text: words.chosenNone })]));
  };
  const add = (name) => { chosen.push(name); tell(); };
  const name = (text) => text.trim().toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "");

  const numbers = Array.from({ length: draft.sides }, (_, n) => String(n + (draft.solid === "d10" ? 0 : 1)));
  const own = [...new Set(draft.faces.flatMap((one) => one.face))].filter((one) => !/^\d+$/.test(one));
  const known = new Set();
  const symbolButtons = palette.filter((one) => one.symbols.length).flatMap((one) => one.symbols
    .filter((symbol) => !/^\d+$/.test(symbol) && !known.has(symbol) && known.add(symbol))
    .map((symbol) => el("button", { type: "button", onclick: () => add(symbol) },
      el("img", { src: `/symbols/${one.set}/${symbol}.svg`, alt: "" }), el("span", { text: symbol }))));
  const ownButtons = own.filter((one) => !known.has(one))
    .map((one) => el("button", { type: "button", text: one, onclick: () => add(one) }));
  const fresh = el("input", { "aria-label": words.newName, placeholder: words.newName, maxlength: 30, autocapitalize: "none" });
  const other = el("form", { class: "new-symbol", onsubmit: (event) => {
    event.preventDefault();
    if (name(fresh.value)) add(name(fresh.value));
    fresh.value = "";
  } }, fresh, el("button", { text: words.add }));
  byId("namer-choice").replaceChildren(
    el("h3", { text: words.number }),
    el("div", { class: "palette" }, ...numbers.map((n) => el("button", { type: "button", class: "number", text: n, onclick: () => { chosen = [n]; tell(); } }))),
    el("div", { class: "palette" }, ...ownButtons, ...symbolButtons),
    el("h3", { text: words.newSymbol }), other,
  );
  tell();
  dialog.showModal();
  return new Promise((resolve) => {
    const done = (answer) => { dialog.onclose = null; dialog.close(); resolve(answer); };
    dialog.onclose = () => resolve(null);
    byId("namer-close").onclick = () => done(null);
    byId("clear").onclick = () => { chosen = []; tell(); };
    byId("leave-out").onclick = () => done({ drop: true });
    byId("take").onclick = () => done({ face: chosen });
  });
}
