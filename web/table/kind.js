// Which view the table screen draws of what the table says is next, and what of a roll is open. Nothing here decides what is next.

/** The view of each now; several show the same with other acts. */
/** @type {Record<string, string>} */
const VIEWS = {
  setup: "host",
  idle: "waiting",
  pool: "asked",
  throw: "asked",
  initiative: "asked",
  rolling: "rolling",
  more: "awaits",
  apply: "result",
  step: "result",
  spend: "result",
  turn_done: "turn",
};

/** Return what is drawn of a state as `shownOf` gives it: `"connecting"`, `"past"`, `"hidden"`, or the view of its now. @param {Shown | null} state @param {TableUi} ui */
export function kindOf(state, ui) {
  if (!state) return "connecting";
  const { now, roll } = state;
  if (state.isPast) return "past";
  if (state.hidden && !roll && (now.name === "idle" || now.name === "turn")) return "hidden";
  if (now.name === "setup") return ui.host ? "host" : "waiting";
  if (now.roll && !roll) return "rolling"; // until it is known
  if (now.name === "pool" && roll) return "result";
  if (now.name === "more" && roll && !roll.awaits) return "result"; // what its dice leave open
  if (now.name === "result" && roll && ui.opened === keyOf(roll) && doubtOf(state, ui)) return "doubt"; // somebody asks all the same
  return VIEWS[now.name] ?? now.name;
}

/** What is shown: the table with the roll that its now names, if any, or with the roll of before that somebody opened in place of it. @template {State | null} Known @param {Known} state @param {TableUi} ui @returns {Shown | Extract<Known, null>} */
export function shownOf(state, ui) {
  if (!state) return /** @type {Extract<Known, null>} */ (state);
  if (ui.past?.roll) return { ...state, roll: ui.past.roll, question: null, isPast: true };
  const { roll, now } = state;
  if (roll?.id === now.roll) return state;
  return { ...state, roll: now.roll && ui.older?.id === now.roll ? ui.older : null, question: null };
}

/** What a roll of before gives way to, as soon as it changes: what is next, and a roll that nobody sees. @param {Pick<State, "now" | "hidden">} state */
export const newsOf = ({ now, hidden }) => [now.number, hidden?.at].join();

/**
 * What a person should settle: `{ list, index, answers }`, or null. A doubt whose every answer comes to the same asks nothing
 * unless somebody taps the die.
 * @param {Pick<Shown, "roll" | "question">} state @param {{ answers: AnswersTold | null, opened?: string }} ui @returns {TableSeen["find"]}
 */
export function doubtOf(state, ui) {
  const roll = state.roll;
  if (!roll) return null;
  const question = state.question ?? roll.dice.findIndex((one) => one.status !== "sure");
  if (question >= 0) {
    const answers = ui.answers?.key === keyOf(roll) ? ui.answers.list : null;
    if (answers && answers.length > 1 && roll.suspects.length === 0 && answers.every((one) => !one.matters) && ui.opened !== keyOf(roll)) return null;
    return { list: "dice", index: question, answers };
  }
  return roll.suspects.length > 0 ? { list: "suspects", index: 0, answers: null } : null;
}

/** How many finds of a roll wait for an answer. @param {Roll | WholeRoll} roll */
export const doubtCount = (roll) => roll.dice.filter((die) => die.status !== "sure").length + roll.suspects.length;

/** Whether a roll of before still has a question that its result hangs on. @param {Roll | WholeRoll} roll */
export function isOpen(roll) {
  const answers = "answers" in roll ? roll.answers : [];
  return roll.suspects.length > 0 || (!roll.sure && (answers.length < 2 || answers.some((one) => one.matters)));
}

/** Whether dice are missing, or are too many. @param {{ short?: Counts }} roll */
export const isShort = (roll) => Object.keys(roll.short ?? {}).length > 0;

/** How many dice of each type are missing. @param {{ short?: Counts }} roll */
export const missingOf = (roll) => Object.fromEntries(Object.entries(roll.short ?? {}).filter(([, count]) => count > 0));

export const keyOf = (/** @type {{ id: string, version: number }} */ roll) => `${roll.id}:${roll.version}`;

/** The slot whose turn it is, or undefined. @param {Pick<State, "initiative">} state */
export function acting(state) {
  return state.initiative.slots.find((slot) => slot.id === state.initiative.current);
}

/** Whether a roll gives a pool that is not there already. @param {Pick<Roll, "sets_pool">} roll @param {Pick<State, "destiny" | "destiny_flips">} state */
export const isOtherPool = ({ sets_pool: pool }, { destiny, destiny_flips: flips }) =>
  Boolean(flips && pool && (pool.light !== destiny.light || pool.dark !== destiny.dark));
