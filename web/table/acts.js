// What leads on, as the table's now says it: one lit button, and quiet ones. What needs this page, such as dice by hand, is done here.

import { nothing } from "../vendor/lit-html/lit-html.js";
import { actButton, actWords, nextWords } from "../part/now.js";
import { say } from "../strings.js";

/** What this page itself does, by the key of the act. @param {Pick<TableSeen, "state" | "act">} seen @returns {Hands} */
const handsOf = ({ state: { roll }, act }) => ({
  bring_in: act.host.bring,
  ...(roll && { add_dice: () => act.addByHand(roll), apply: () => act.applyTo(roll) }),
});

/** The acts of the now that this screen can do: the lit one, and the others. After a hit in a fight the turn ends with it. @param {TableSeen} seen */
export function actsOf(seen) {
  const { state, ui } = seen;
  if (!ui.mayChange || state.isPast) return { lit: null, quiet: [] };
  const { name, act, then, also } = state.now;
  const hands = handsOf(seen);
  const can = (/** @type {(NowAct | null)[]} */ acts) => acts.flatMap((one) => (one && (one.request || hands[one.key]) ? [one] : []));
  const [lit = null, ...quiet] = can(name === "apply" ? [then, act] : [act, then]);
  return { lit, quiet: [...quiet, ...can(also)] };
}

/** A button of one; the act whose next one is lit does that alone. @param {TableSeen} seen @param {NowAct} one @param {boolean} isLit */
function button(seen, one, isLit, more = "") {
  const { now } = seen.state;
  const words = one === now.act && actsOf(seen).lit === now.then ? say("now.applyOnly") : actWords(seen.state, one);
  return actButton(one, { words, hands: handsOf(seen), isLit, more });
}

/**
 * The lit act, or nothing. `more` stands below its words.
 * @param {TableSeen} seen @param {{ more?: string }} [options]
 */
export function litAct(seen, { more = "" } = {}) {
  const { lit } = actsOf(seen);
  return lit ? button(seen, lit, true, more) : nothing;
}

/** The button that lies under the hand after a hit: what it does, with who is next. What it does to whom stands beside it. @param {TableSeen} seen */
export const applyAct = (seen) => {
  const { lit } = actsOf(seen);
  if (!lit) return nothing;
  const more = lit.key === "apply_next" ? nextWords(seen.state, lit) : "";
  const words = more || !lit.key.startsWith("apply_") ? say("apply") : actWords(seen.state, lit);
  return actButton(lit, { words, hands: handsOf(seen), isLit: true, more });
};

/** The quiet acts, or those of some keys. @param {TableSeen} seen @param {string[]} keys */
export const quietActs = (seen, ...keys) =>
  actsOf(seen)
    .quiet.filter((one) => keys.length === 0 || keys.includes(one.key))
    .map((one) => button(seen, one, false));
