// The same attack once more, as the actions of a round allow.

import { say } from "../strings.js";

/**
 * The same attack once more, where the game counts the actions of a round: as many as were declared, or one more.
 * Nobody tells the table whether all that were declared are done, so both are offered. `call` is how the roll was called.
 * @param {{ games: Game[] }} ui @param {AnyRoll} roll @param {Answers | null | undefined} call
 */
export function attacksAgain({ games }, roll, call) {
  const counted = games.find((one) => one.name === roll.game)?.form.find((field) => field.name === "actions");
  if (!call?.weapon || call.damage || !counted) return [];
  const declared = Number(roll.ask.actions ?? 1);
  return [declared, declared + 1]
    .filter((actions) => actions > 1 && actions <= Number(counted.most))
    .map((actions) => ({
      name: "again",
      title: say("next.again"),
      more: say("next.actions", { n: actions }),
      body: { ...call, ask: { .../** @type {Answers} */ (call.ask), actions } },
    }));
}
