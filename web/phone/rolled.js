// What may be done about a roll: enter it by hand, correct it, count it, buy with it, apply it.

import { showWorkedOut } from "../part/sheet.js";
import { buySpend } from "../part/spends.js";
import { pickCorrection, pickRoll, pickThrow, settle } from "../picker.js";
import { say } from "../strings.js";
import { change, get } from "../talk.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { changeCallOf } from "./recall.js";

/** Where the table answers for a roll. */
export const rollAddress = (roll, what = "") => `/api/rolls/${encodeURIComponent(roll.id)}${what}`;

/** What the strip and the log do. `page` tells what is seen now and follows. */
export function rollActs(page) {
  const { store } = page;
  const act = {
    open: () => store.set({ isOpen: !store.ui.isOpen }),
    dismiss: (roll) => store.set({ dismissed: roll.id, isOpen: false }),
    byHand: () => pickRoll(store.state.game, store.state.asked),
    adjust: (roll, what) => change(rollAddress(roll, "/ask"), { version: roll.version, ...what }),
    take: (roll) => change(rollAddress(roll, "/take"), { version: roll.version }),
    apply: (roll, effect, to) => change(rollAddress(roll, "/apply"), { effect, to }),
    someoneElse: (key) => store.set({ someoneElse: store.ui.someoneElse === key ? "" : key }),
    allSpends: (roll) => store.set({ allSpends: store.ui.allSpends === roll.id ? "" : roll.id }),
    usePool: (roll) => change("/api/destiny", { do: "set", from_roll: roll.id }),
    correct: (roll, index) => pickCorrection(roll, { list: "dice", index }),
    settle,
    enterThrow: pickThrow,
    async workedOut(roll) {
      const [told, spends] = await Promise.all([get(rollAddress(roll)), get(rollAddress(roll, "/spends"))]).catch(() => []);
      if (told)
        showWorkedOut(
          told,
          { steps: told.steps, spends },
          null,
          page.mayChange
            ? html`<div class="acts"><button type="button" class="change-call" @click=${() => act.changeRoll(told)}>${say("result.changeCall")}</button></div>`
            : nothing,
        );
    },
    changeRoll: (roll) =>
      changeCallOf(roll, page.games.find((one) => one.name === roll.game) ?? page.games[0], (told) =>
        change(rollAddress(roll, "/ask"), { version: roll.version, ...told }),
      ),
    buy: (roll, spend) => buySpend(roll, spend, store.ui.people),
  };
  return act;
}
