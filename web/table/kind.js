// Which state the table screen shows. One place decides; the files beside it draw.

const ASK_AFTER_S = 10; // a call comes after a result was read, and the pool has to be seen at once; one that was called on this screen, or that somebody changes, does not wait
const OLD_S = 60;

/** Return `"connecting" | "past" | "hidden" | "doubt" | "awaits" | "wrong" | "asked" | "turn" | "rolling" | "result" | "waiting" | "host"`. */
export function kindOf(state, ui, now) {
  if (!state) return "connecting";
  const { roll, asked, phase } = state;
  if (phase === "moving") return "rolling";
  if (state.isPast) return "past";
  if (state.hidden) return "hidden";
  if (ui.host && state.session.ended && !asked && !acting(state)) return "host";
  if (roll && doubtOf(state, ui)) return "doubt";
  const age = roll ? now - roll.at : Infinity;
  if (asked && (age > ASK_AFTER_S || roll.game !== asked.game || asked.id === ui.called)) return "asked";
  if (roll?.awaits) return "awaits";
  if (roll && isShort(roll)) return "wrong";
  if (acting(state) && (age > OLD_S || isTurnNews(state, age))) return "turn";
  return roll ? "result" : asked ? "asked" : acting(state) ? "turn" : ui.host ? "host" : "waiting";
}

/** Whether the order is what is new: somebody ended a turn since, or the last throw for it was read. */
function isTurnNews({ initiative, last_change: last, contest, roll }, age) {
  const isOrdered = contest?.initiative && roll.contest === contest.id && age > ASK_AFTER_S;
  return Boolean(isOrdered || (last && last.number === initiative.back));
}

/** Whether a roll is of the session that runs: one that is over has no news. */
export const isOfNow = ({ session }, roll) => !session.ended && roll.session === session.number;

/** The state that is shown when nothing moves. */
export const kindAtRest = (state, ui, now) => kindOf({ ...state, phase: "still" }, ui, now);

/** What is shown: the table as it is, or with the roll of before that somebody opened in place of its own. */
export function shownOf(state, ui) {
  return state && ui.past?.roll && state.phase !== "moving" ? { ...state, roll: ui.past.roll, question: null, isPast: true } : state;
}

/** What a roll of before gives way to, as soon as it changes: the newest roll, a call, a question, a turn. */
export const newsOf = ({ roll, asked, hidden, question, initiative }) => [roll?.id, asked?.id, hidden?.at, question, initiative.current].join();

/**
 * What a person should settle: `{ list, index, answers }`, or null. A doubt whose every answer comes to the same asks nothing
 * unless somebody taps the die.
 */
export function doubtOf(state, ui) {
  const roll = state.roll;
  if (!roll) return null;
  if (state.question !== null && state.question !== undefined) {
    const answers = ui.answers?.key === keyOf(roll) ? ui.answers.list : null;
    if (answers && answers.length > 1 && roll.suspects.length === 0 && answers.every((one) => !one.matters) && ui.opened !== keyOf(roll)) return null;
    return { list: "dice", index: state.question, answers };
  }
  return roll.suspects.length > 0 ? { list: "suspects", index: 0, answers: null } : null;
}

/** How many finds of a roll wait for an answer. */
export const doubtCount = (roll) => roll.dice.filter((die) => die.status !== "sure").length + roll.suspects.length;

/** Whether a roll of before still has a question that its result hangs on. */
export const isOpen = (roll) => roll.suspects.length > 0 || (!roll.sure && (roll.answers.length < 2 || roll.answers.some((one) => one.matters)));

/** Whether dice are missing, or are too many. */
export const isShort = (roll) => Object.keys(roll.short ?? {}).length > 0;
export const keyOf = (roll) => `${roll.id}:${roll.version}`;

/** The slot whose turn it is, or undefined. */
export function acting(state) {
  return state.initiative.slots.find((slot) => slot.id === state.initiative.current);
}

/** The colour of a state: `"good" | "bad" | "ask" | "doubt" | "ink"`. */
export function accentOf(kind, roll) {
  if (kind === "doubt" || kind === "wrong") return "doubt";
  if (kind === "asked" || kind === "awaits" || kind === "turn" || kind === "host") return "ask";
  if (kind === "past" && isOpen(roll)) return "doubt";
  if ((kind !== "result" && kind !== "past") || !roll) return "ink";
  return roll.succeeded === true ? "good" : roll.succeeded === false ? "bad" : "ink";
}

/** Whether a roll gives a pool that is not there already. */
export const isOtherPool = ({ sets_pool: pool }, { destiny, destiny_flips: flips }) =>
  Boolean(flips && pool && (pool.light !== destiny.light || pool.dark !== destiny.dark));
