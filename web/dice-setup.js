// Teaching dice: show face by face, tap what each is, try it.

import { render } from "./vendor/lit-html/lit-html.js";
import { showBack } from "./back.js";
import { loadSets } from "./dice.js";
import { byId } from "./dom.js";
import { recall, recallHere, remember, rememberHere } from "./memory.js";
import { askFirst } from "./part/sheet.js";
import { settle } from "./picker.js";
import { createStore } from "./store.js";
import { say } from "./strings.js";
import { follow, get, untilFound } from "./talk.js";
import { openNamer, plain } from "./teach/namer.js";
import { view } from "./teach/page.js";
import { startTheme } from "./theme.js";
import { showError } from "./toast.js";

const LONGEST_PX = 1280;
const MOST_CHARACTERS = 230_000; // the table takes 256 kB at once
const ANSWER_MS = 60_000; // measuring on a Pi takes seconds

/** @type {Store<TeachUi, Told["Teaching"] | null>} */
const store = createStore({ busy: false, alone: recall("teach.alone") !== "no", trial: recallHere("trial"), roll: null, phase: "", rested: 0, now: 0 }, draw);

/** Post, wait as long as measuring takes, and show the answer or what went wrong. @template {string} A @param {A} address @param {Sends<`/api/dice${A}`>} [body] @returns {Promise<Told["Teaching"] | null>} */
async function send(address, body, { isQuiet = false } = {}) {
  busy(true);
  try {
    const answer = await fetch(`/api/dice${address}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const found = await answer.json();
    if (answer.ok) {
      store.setState(found);
      return found;
    }
    if (!isQuiet) showError(found.error);
  } catch {
    showError({ what: say("notReached"), hint: say("notReachedHint") });
  } finally {
    busy(false);
  }
  return null;
}

/** @param {boolean} isBusy */
function busy(isBusy) {
  if (isBusy) document.body.setAttribute("aria-busy", "true");
  else document.body.removeAttribute("aria-busy");
  store.set({ busy: isBusy });
}

/** @type {TeachAct} */
const act = {
  named: ({ currentTarget: { value } }) => {
    const set = byId("set");
    if (!set.value) set.value = `my-${plain(value)}`;
  },
  begin: (event) => {
    event.preventDefault();
    const { set, type, solid, plays_as: playsAs } = event.currentTarget.elements;
    send("/draft", { set: plain(set.value), type: plain(type.value), solid: solid.value, plays_as: playsAs.value });
  },
  ask,
  look: () => look({}),
  photo: async ({ currentTarget }) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = "";
    if (file) look({ picture: await shrunk(file).catch(() => "data:,") });
  },
  alone: ({ currentTarget }) => {
    remember("teach.alone", currentTarget.checked ? null : "no");
    store.set({ alone: currentTarget.checked });
  },
  undo: () => send("/draft/undo"),
  save: async () => {
    const draft = store.state?.draft;
    if (!draft || !(await send("/draft/save"))) return;
    const { type, right, faces } = draft;
    await untilFound(loadSets);
    store.set({ trial: { type, right: faces.length > 1 ? right : null, since: store.ui.now, judged: "", thrown: 0, wrong: 0 } });
  },
  judge: async (roll, isWrong, index, told) => {
    if (isWrong && told && !(await settle(roll, { list: "dice", index: index ?? 0 }, told))) return;
    const { trial } = store.ui;
    if (trial) store.set({ trial: { ...trial, judged: roll.id, thrown: trial.thrown + 1, wrong: trial.wrong + (isWrong ? 1 : 0) } });
  },
  endTrial: () => store.set({ trial: null }),
  review: (one, what) => send(`/sets/${one.set}/samples/${one.id}`, { do: what }),
  setUndo: (one) => changeSet(one, "undo"),
  remove: async (one) => (await askFirst(say("teach.sure", { name: one.like || one.name }), say("teach.remove"))) && changeSet(one, "remove"),
};

/** @param {Told["TaughtSet"]} one @param {Told["SetBody"]["do"]} what */
async function changeSet(one, what) {
  await send(`/sets/${one.name}`, { do: what });
  await untilFound(loadSets);
  store.redraw();
}

/** Ask what some of the dice show, then what the next ones do. @param {string[]} dice @param {string[]} symbols */
async function ask(dice, symbols) {
  const { draft = null, symbols: palette = [] } = store.state ?? {};
  const answer = draft && (await openNamer({ dice, symbols, draft, palette }));
  if (!answer) return;
  const now = "drop" in answer ? await send("/draft/drop", { dice: answer.drop }) : await send("/draft/names", { dice, face: answer.face });
  const [next] = now?.draft?.groups ?? [];
  if (next) ask(next, []);
  else lookIfNew();
}

/** @param {{ picture?: string }} body */
async function look(body, how = {}) {
  const { rested } = store.ui;
  const now = await send("/draft/pictures", body, how);
  if (now && !body.picture) looked = rested;
  const [first] = now?.draft?.groups ?? [];
  if (first) ask(first, []);
  else lookIfNew();
}

/** Return a photograph as base64 JPEG, as large as the table takes. @param {File} file */
async function shrunk(file) {
  const image = await createImageBitmap(file);
  for (const share of [1, 0.8, 0.6, 0.45]) {
    const scale = Math.min(1, (LONGEST_PX * share) / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const told = canvas.toDataURL("image/jpeg", 0.85);
    if (told.length < MOST_CHARACTERS) return told;
  }
  return "";
}

let looked = -1; // the rest of the tray, by its revision, that was looked at

/** Take one picture by itself when something new lies still. What moved need not be seen moving: states may be skipped. @param {State} state */
function follows(state) {
  store.set({ roll: state.roll, phase: state.phase, rested: state.rested, now: state.time });
  lookIfNew();
}

function lookIfNew() {
  const mayLook = store.ui.alone && store.state?.camera && store.state.draft && !store.ui.busy && !document.querySelector("dialog[open]");
  if (looked === store.ui.rested || !mayLook || store.ui.phase !== "still") return;
  looked = store.ui.rested;
  look({}, { isQuiet: true });
}

/** @param {{ state: Told["Teaching"] | null, ui: TeachUi }} known */
function draw({ state, ui }) {
  rememberHere("trial", ui.trial);
  render(view({ told: state, ui, roll: ui.roll }, act), byId("dice-setup"));
}

document.title = byId("title").textContent = say("teach.title");
byId("to-setup").textContent = say("teach.toSetup");
showBack();
startTheme("dark");
const [found] = await Promise.all([get("/api/dice").catch(() => null), untilFound(loadSets)]);
if (found) store.setState(found);
else showError({ what: say("teach.title"), hint: say("needMaster") });
document.body.dataset.ready = "";
if (found) follow({ whenState: follows, whenPanel: () => {}, whenLink: () => {} });
