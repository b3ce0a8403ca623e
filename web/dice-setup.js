// Teaching dice: look at the tray, tap what lies there, save when it is good enough.

import { byId, el, setText } from "./dom.js";
import { language } from "./strings.js";
import { get } from "./talk.js";
import { startTheme } from "./theme.js";
import { showError } from "./toast.js";
import { openNamer } from "./dice-namer.js";
import { DICE_SETUP } from "./words/dice-setup.js";

const SOLIDS = ["d6", "d8", "d10", "d12", "d20", "d4"];
const LONGEST_PX = 1280;
const MOST_CHARACTERS = 230_000; // the table takes 256 kB at once
const ANSWER_MS = 60_000; // measuring on a Pi takes seconds

const words = DICE_SETUP[language()];
let last = null;

document.title = words.title;
for (const [id, text] of Object.entries({
  title: words.title, "to-screen": words.toScreen, "to-setup": words.toSetup, "type-name": words.type,
  "set-name": words.set, "solid-name": words.solid, "plays-as-name": words.playsAs, start: words.start,
  look: words.look, undo: words.undo, save: words.save,
})) byId(id).textContent = text;
byId("upload").querySelector("span").textContent = words.upload;
byId("solid").append(...SOLIDS.map((name) => el("option", { value: name, text: `${name.slice(1)} (${name})` })));
startTheme();

/** Post, wait as long as measuring takes, and show the answer or what went wrong. */
async function act(address, body = {}) {
  document.body.setAttribute("aria-busy", "true");
  for (const button of document.querySelectorAll("#draft button")) button.disabled = true;
  try {
    const answer = await fetch(`/api/dice${address}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const found = await answer.json();
    if (answer.ok) return tell(found);
    showError(found.error);
  } catch {
    showError({ what: words.title, hint: "" });
  } finally {
    document.body.removeAttribute("aria-busy");
    for (const button of document.querySelectorAll("#draft button")) button.disabled = false;
    if (last) buttons(last.draft);
  }
  return null;
}

const face = (symbols) => (symbols.length ? symbols.join(" + ") : words.blank);
const picture = (id) => el("img", { src: `/api/dice/draft/dice/${id}`, alt: "" });

function tell(now) {
  last = now;
  const draft = now.draft;
  byId("begin").hidden = Boolean(draft);
  byId("draft").hidden = !draft;
  byId("known-sets").replaceChildren(...now.sets.filter((one) => !one.like).map((one) => el("option", { value: one.name })));
  if (byId("plays-as").children.length === 0) choices(now.symbols);
  if (draft) tellDraft(draft);
  tellSets(now.sets);
  return now;
}

function choices(palette) {
  byId("plays-as").append(el("option", { value: "", text: words.show }));
  for (const one of palette) {
    const group = el("optgroup", { label: one.set });
    group.append(...one.types.map((name) => el("option", { value: name, text: name })));
    byId("plays-as").append(group);
  }
}

function buttons(draft) {
  if (!draft) return;
  byId("look").hidden = !last.camera;
  byId("save").disabled = draft.faces.length === 0;
  byId("save").classList.toggle("primary", draft.good);
  byId("look").classList.toggle("primary", !draft.good);
}

function tellDraft(draft) {
  const said = [`${draft.type}: ${words.progress(draft.faces.length, draft.sides)}`];
  if (!draft.pictures) said.push(words.first);
  else if (draft.good) said.push(words.good);
  else {
    if (draft.faces.length > 1) said.push(words.measured(draft.right));
    if (draft.weak.length) said.push(words.weak(draft.weak));
    if (!draft.groups.length && draft.faces.length < draft.sides) said.push(words.next);
  }
  for (const pair of draft.close.filter((one) => one.alike)) said.push(words.close(...pair.faces.map(face)));
  setText(byId("progress"), said.join(" "));
  byId("bar").max = draft.sides;
  byId("bar").value = draft.faces.length;
  byId("groups").replaceChildren(...draft.groups.map((dice) => card(dice, words.askName, "group asked", [])));
  byId("named").replaceChildren(...draft.faces.map((one) => card(one.dice, face(one.face), "group", one.face)));
  buttons(draft);
}

function card(dice, text, kind, symbols) {
  const shown = el("span", { class: "crops" }, ...dice.slice(0, 4).map(picture));
  const more = dice.length > 4 ? el("small", { text: `+ ${dice.length - 4}` }) : null;
  return el("button", { type: "button", class: kind, onclick: () => ask(dice, symbols) }, shown, more, el("span", { text }));
}

async function ask(dice, symbols) {
  const answer = await openNamer({ dice, symbols, draft: last.draft, palette: last.symbols, words, picture });
  if (!answer) return;
  if (answer.drop) await act("/draft/drop", { dice });
  else await act("/draft/names", { dice, face: answer.face });
  const next = last.draft?.groups[0];
  if (next) ask(next, []);
}

function tellSets(sets) {
  const asked = sets.flatMap((one) => one.doubted.map((sample) => ({ set: one.name, ...sample })));
  list("asked", words.asked, asked.map((one) => {
    const address = `/sets/${one.set}/samples/${one.id}`;
    return el("li", {},
      el("img", { src: `/api/dice${address}`, alt: "" }),
      el("span", { text: `${one.type}: ${words.askedWhy(face(one.face), one.why)}` }),
      el("button", { type: "button", text: words.accept, onclick: () => act(address, { do: "accept" }) }),
      el("button", { type: "button", text: words.forget, onclick: () => act(address, { do: "forget" }) }));
  }));
  list("sets", words.sets, sets.map((one) => {
    const types = one.types.map((kind) => {
      const colour = el("span", { class: "die-colour" });
      colour.style.background = kind.body;
      return el("span", {}, colour, ` ${kind.name} (${kind.faces.length} / ${kind.solid.slice(1)}) `);
    });
    return el("li", { class: "row" },
      el("span", {}, el("strong", { text: one.name }), " ", ...(one.like ? [words.like(one.like)] : types),
        el("small", { text: one.error ?? words.samples(one.samples, one.corrections) })),
      el("span", { class: "acts" },
        el("button", { type: "button", text: words.takeBack, onclick: () => act(`/sets/${one.name}`, { do: "undo" }) }),
        el("button", { type: "button", text: words.remove, onclick: () => confirm(words.sure(one.name)) && act(`/sets/${one.name}`, { do: "remove" }) })));
  }));
}

function list(id, title, items) {
  byId(id).hidden = items.length === 0;
  byId(id).querySelector("h2").textContent = title;
  byId(id).querySelector("ul").replaceChildren(...items);
}

const nameOf = (id) => byId(id).value.trim().toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "");

/** Return a photograph as base64 JPEG, as large as the table takes. */
async function shrunk(file) {
  const image = await createImageBitmap(file);
  for (const share of [1, 0.8, 0.6, 0.45]) {
    const scale = Math.min(1, (LONGEST_PX * share) / Math.max(image.width, image.height));
    const canvas = el("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const told = canvas.toDataURL("image/jpeg", 0.85);
    if (told.length < MOST_CHARACTERS) return told;
  }
  return "";
}

async function looked(body) {
  const now = await act("/draft/pictures", body);
  const first = now?.draft?.groups[0];
  if (first) ask(first, []);
}

byId("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  act("/draft", { set: nameOf("set"), type: nameOf("type"), solid: byId("solid").value, plays_as: byId("plays-as").value });
});
byId("type").addEventListener("change", () => {
  if (!byId("set").value) byId("set").value = `my-${nameOf("type")}`;
});
byId("look").addEventListener("click", () => looked({}));
byId("photo").addEventListener("change", async () => {
  const [file] = byId("photo").files;
  byId("photo").value = "";
  if (file) looked({ picture: await shrunk(file).catch(() => "data:,") });
});
byId("undo").addEventListener("click", () => act("/draft/undo"));
byId("save").addEventListener("click", async () => {
  if (await act("/draft/save")) setText(byId("title"), words.saved);
});

get("/api/dice").then(tell, () => showError({ what: words.title, hint: "/gm" }));
