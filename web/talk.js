// Talking to the table: states in, changes out.

import { stayAwake } from "./awake.js";
import { newId } from "./dom.js";
import { errorSaid, localised } from "./said.js";
import { listen } from "./stream.js";
import { isSession, say, whereWords } from "./strings.js";
import "./taps.js";
import { showError } from "./toast.js";

const QUIET_MS = 10_000; // keep-alive comments are hidden from pages, so a quiet stream is checked by asking
export const ANSWER_MS = 4_000; // for one answer
const READING_MS = 60_000; // for a photograph over a bad wireless network, behind two others
const AGAIN_MS = 2_000;

let place = "";

/** Say which place at the table this page has: on the table's own machine, `"screen"` is its screen though this browser is paired. @param {string} role */
export function actAs(role) {
  place = role;
}

/** @param {string} address */
const addressed = (address) => (place ? `${address}${address.includes("?") ? "&" : "?"}as=${place}` : address);

/**
 * Follow the table until the page closes.
 *
 * `whenState` and `whenPanel` get the newest JSON; `whenLink` gets true or false when the connection is
 * found or lost.
 * @param {{ whenState: (state: State) => void, whenPanel: (panel: Told["Panel"]) => void, whenLink: (isThere: boolean) => void }} when
 */
export function follow({ whenState, whenPanel, whenLink }) {
  let heard = performance.now();
  /** @type {State} */
  let known; // the state as the stream told it
  let shown = 0; // the number of its now

  const alive = () => {
    heard = performance.now();
    whenLink(true);
  };
  const check = async () => {
    if (performance.now() - heard < QUIET_MS) return;
    try {
      const state = await get("/api/state");
      alive();
      if (!(state.now.number < shown)) whenState(state); // else the stream has overtaken the answer
    } catch {
      whenLink(false);
    }
  };
  listen(addressed("/api/events?parts"), {
    names: ["state", "part", "panel"],
    whenEvent: (/** @type {string} */ name, /** @type {any} */ told) => {
      alive();
      if (name === "panel") return whenPanel(told);
      known = name === "part" ? joined(known, localised(told)) : localised(told);
      shown = known.now.number;
      whenState(known);
      stayAwake(isSession(known));
    },
    whenLink: (/** @type {boolean} */ isThere) => (isThere ? alive() : whenLink(false)),
  });
  setInterval(check, QUIET_MS / 4);
  document.addEventListener("visibilitychange", () => document.hidden || check());
}

/**
 * A state with the part of it that is new.
 * @param {State} state @param {Omit<Partial<State>, "history"> & { history?: { ids: string[], rolls: BriefRoll[] } }} part @returns {State}
 */
function joined(state, { history, ...part }) {
  const rolls = new Map([...state.history, ...(history?.rolls ?? [])].map((roll) => [roll.id, roll]));
  return { ...state, ...part, ...(history && { history: history.ids.flatMap((id) => rolls.get(id) ?? []) }) };
}

/** Where the table answers for a roll. @template {string} [What=""] @param {{ id: string }} roll @returns {RollAddress<What>} */
export const rollAddress = ({ id }, what = /** @type {What} */ ("")) => `/api/rolls/${encodeURIComponent(id)}${what}`;

/** Fetch JSON, or throw. @template {string} A @param {A} address @returns {Promise<Read<A>>} */
export async function get(address) {
  const answer = await fetch(addressed(address), { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) throw Object.assign(new Error(`${address}: ${answer.status}`), { status: answer.status });
  return localised(await answer.json());
}

/** Ask for what a page cannot start without until the table answers; what it refuses is thrown. `whenLost` is called after each try that failed. @template T @param {{ (): Promise<T> }} ask @returns {Promise<T>} */
export async function untilFound(ask, whenLost = () => {}) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (/** @type {{ status: number }} */ (error).status < 500) throw error;
      whenLost();
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
  }
}

/** Fetch a picture, ready to be drawn; null where there is none now. @param {string} address */
export async function getPicture(address) {
  const answer = await fetch(addressed(address), { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
  return answer.status === 200 ? createImageBitmap(await answer.blob()) : null;
}

/**
 * Send JSON as it is. Return `{ status, found, error }`; a table that does not answer has status 0.
 * @template {string} A @param {A} address @param {Sends<A>} body @returns {Promise<Answered<Done<A>>>}
 */
export function trySend(address, body, patience = ANSWER_MS) {
  const headers = { "Content-Type": "application/json" };
  return answered(address, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(patience) });
}

/** @template T @param {string} address @param {RequestInit} request @returns {Promise<Answered<T>>} */
async function answered(address, request) {
  try {
    const answer = await fetch(addressed(address), request);
    const found = localised(await answer.json().catch(() => ({})));
    if (answer.ok) return { status: answer.status, found, error: null };
    const { what = `${say("refused")} (${answer.status})`, where = "", hint } = errorSaid(found.error ?? {});
    return { status: answer.status, found: null, error: { what, where: whereWords(where), hint } };
  } catch {
    return { status: 0, found: null, error: { what: say("notReached"), hint: say("notReachedHint") } };
  }
}

/** What was found, or null after showing what went wrong. @template T @param {Answered<T>} answer */
function foundOf({ found, error }) {
  if (error) showError(error);
  return found;
}

/**
 * Send JSON as it is. Return the answer, or null after showing what went wrong.
 * @template {string} A @param {A} address @param {Sends<A>} body @param {number} [patience] @returns {Promise<Done<A> | null>}
 */
export const send = async (address, body, patience) => foundOf(await trySend(address, body, patience));

/**
 * Send a photograph. It takes a while to arrive and to be read. Return the answer, or null after showing what went wrong.
 * @template {string} A @param {A} address @param {Blob} photograph @returns {Promise<Done<A> | null>}
 */
export const sendPhotograph = async (address, photograph) => foundOf(await answered(address, reading(photograph)));

/** What the table sees in a picture; null where it has no time, or does not answer. @param {Blob} picture @returns {Promise<Told["PictureRead"] | null>} */
export const lookAt = async (picture) => (await answered("/api/rolls/photo/look", reading(picture))).found;

/** @param {Blob} picture */
const reading = (picture) => ({ method: "POST", body: picture, signal: AbortSignal.timeout(READING_MS) });

/**
 * Send a change with an id of its own, so that it counts once however often it arrives.
 * @template {string} A @param {A} address @param {Sends<A>} [body] @returns {Promise<Done<A> | null>}
 */
export const change = (address, body, { withId = true } = {}) => /** @type {Function} */ (send)(address, Object.assign(withId ? { id: newId() } : {}, body)); // a Function, as the checker would compare every body with every other
