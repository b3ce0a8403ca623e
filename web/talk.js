// Talking to the table: states in, changes out.

import { stayAwake } from "./awake.js";
import { newId } from "./dom.js";
import { errorSaid, localised } from "./said.js";
import { listen } from "./stream.js";
import { isSession, say, whereWords } from "./strings.js";
import { showError } from "./toast.js";

const QUIET_MS = 10_000; // keep-alive comments are hidden from pages, so a quiet stream is checked by asking
export const ANSWER_MS = 4_000; // for one answer
const READING_MS = 60_000; // for a photograph over a bad wireless network, behind two others
const AGAIN_MS = 2_000;

let place = "";

/** Say which place at the table this page has: on the table's own machine, `"screen"` is its screen though this browser is paired. */
export function actAs(role) {
  place = role;
}

const addressed = (address) => (place ? `${address}${address.includes("?") ? "&" : "?"}as=${place}` : address);

/**
 * Follow the table until the page closes.
 *
 * `whenState` and `whenPanel` get the newest JSON; `whenLink` gets true or false when the connection is
 * found or lost.
 */
export function follow({ whenState, whenPanel, whenLink }) {
  let heard = performance.now();
  let known = null; // the state as the stream told it

  const alive = () => {
    heard = performance.now();
    whenLink(true);
  };
  const check = async () => {
    if (performance.now() - heard < QUIET_MS) return;
    try {
      const state = await get("/api/state");
      alive();
      whenState(state);
    } catch {
      whenLink(false);
    }
  };
  listen(addressed("/api/events?parts"), {
    names: ["state", "part", "panel"],
    whenEvent: (name, told) => {
      alive();
      if (name === "panel") return whenPanel(told);
      known = name === "part" ? joined(known, localised(told)) : localised(told);
      whenState(known);
      stayAwake(isSession(known));
    },
    whenLink: (isThere) => (isThere ? alive() : whenLink(false)),
  });
  setInterval(check, QUIET_MS / 4);
  document.addEventListener("visibilitychange", () => document.hidden || check());
}

/** A state with the part of it that is new. */
function joined(state, { history, ...part }) {
  const rolls = new Map([...state.history, ...(history?.rolls ?? [])].map((roll) => [roll.id, roll]));
  return { ...state, ...part, ...(history && { history: history.ids.map((id) => rolls.get(id)) }) };
}

/** Fetch JSON, or throw. */
export async function get(address) {
  const answer = await fetch(addressed(address), { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) throw Object.assign(new Error(`${address}: ${answer.status}`), { status: answer.status });
  return localised(await answer.json());
}

/** Ask for what a page cannot start without until the table answers; what it refuses is thrown. `whenLost` is called after each try that failed. */
export async function untilFound(ask, whenLost = () => {}) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status < 500) throw error;
      whenLost();
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
  }
}

/** Fetch a picture, ready to be drawn; null where there is none now. */
export async function getPicture(address) {
  const answer = await fetch(addressed(address), { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
  return answer.status === 200 ? createImageBitmap(await answer.blob()) : null;
}

/** Send JSON as it is. Return `{ status, found }`; a table that does not answer has status 0. */
export function trySend(address, body, patience = ANSWER_MS) {
  const headers = { "Content-Type": "application/json" };
  return answered(address, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(patience) });
}

async function answered(address, request) {
  try {
    const answer = await fetch(addressed(address), request);
    return { status: answer.status, found: localised(await answer.json().catch(() => ({}))) };
  } catch {
    return { status: 0, found: { error: { what: say("notReached"), hint: say("notReachedHint") } } };
  }
}

/** Return the three parts of an error as the table says it. */
export function errorOf({ status, found }) {
  const error = errorSaid(typeof found.error === "object" && found.error ? found.error : found);
  const what = error.what || (typeof found.error === "string" && found.error) || `${say("refused")} (${status})`;
  return { what, where: whereWords(error.where ?? ""), hint: error.hint };
}

/** Send JSON as it is. Return the answer, or null after showing what went wrong. */
export async function send(address, body) {
  const answer = await trySend(address, body);
  if (answer.status >= 200 && answer.status < 300) return answer.found;
  showError(errorOf(answer));
  return null;
}

/** Send a photograph. It takes a while to arrive and to be read. Return the answer, or null after showing what went wrong. */
export async function sendPhotograph(address, photograph) {
  const answer = await answered(address, { method: "POST", body: photograph, signal: AbortSignal.timeout(READING_MS) });
  if (answer.status === 200) return answer.found;
  showError(errorOf(answer));
  return null;
}

/** What the table sees in a picture; null where it has no time, or does not answer. */
export async function lookAt(picture) {
  const answer = await answered("/api/rolls/photo/look", { method: "POST", body: picture, signal: AbortSignal.timeout(READING_MS) });
  return answer.status === 200 ? answer.found : null;
}

/** Send a change with an id of its own, so that it counts once however often it arrives. */
export function change(address, body = {}, { withId = true } = {}) {
  return send(address, withId ? { id: newId(), ...body } : body);
}
