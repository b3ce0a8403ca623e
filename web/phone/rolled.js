// What may be done about a roll: enter it by hand, correct it, count it, buy with it, apply it.

import { choosePerson } from "../part/choose.js";
import { closeSheet, showWorkedOut } from "../part/sheet.js";
import { buySpend } from "../part/spends.js";
import { pickCorrection, pickRest, pickRoll, pickThrow, settle } from "../picker.js";
import { say } from "../strings.js";
import { change, get, rollAddress } from "../talk.js";
import { undoButton } from "../undo.js";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { changeCallOf } from "./recall.js";

/** What the now and the log do. `page` tells what is seen now and follows. @param {PhonePage} page */
export function rollActs(page) {
  const { store } = page;
  const act = {
    byHand: () => pickRoll(store.state),
    adjust: (/** @type {AnyRoll} */ roll, /** @type {Sends<RollAddress<"/ask">>} */ what) =>
      change(rollAddress(roll, "/ask"), { version: roll.version, ...what }),
    take: (/** @type {AnyRoll} */ roll) => change(rollAddress(roll, "/take"), { version: roll.version }),
    /** Apply what is next to somebody else, as it would be applied to whom it was for. @param {Told["Request"]} request */
    async applyTo({ path, body }) {
      const to = await choosePerson(
        say("applyTo"),
        store.ui.people.filter((one) => one.game === store.state.game),
      );
      if (to) change(path, { ...body, to });
    },
    allSpends: (/** @type {AnyRoll} */ roll) => store.set({ allSpends: store.ui.allSpends === roll.id ? "" : roll.id }),
    usePool: (/** @type {AnyRoll} */ roll) => change("/api/destiny", { do: "set", from_roll: roll.id }),
    /** An older roll tells no places of its dice; without them they are drawn. */
    correct: (/** @type {Roll | BriefRoll} */ roll, /** @type {number} */ index) => pickCorrection(/** @type {Roll} */ (roll), { list: "dice", index }),
    correctFind: pickCorrection,
    settle,
    enterThrow: pickThrow,
    enterRest: pickRest,
    async workedOut(/** @type {AnyRoll} */ roll) {
      const [told, spends] = await Promise.all([get(rollAddress(roll)), get(rollAddress(roll, "/spends"))]).catch(() => []);
      if (told)
        showWorkedOut(
          told,
          { steps: told.steps, spends },
          null,
          page.mayChange
            ? html`<div class="acts"><button type="button" class="change-call" @click=${() => act.changeRoll(told)}>${say("result.changeCall")}</button>${page.isMaster && told.change ? undoButton(told.change, told.sentence, closeSheet) : nothing}</div>`
            : nothing,
        );
    },
    changeRoll: (/** @type {Pick<Roll, "id" | "version" | "game" | "ask" | "label">} */ roll) =>
      changeCallOf(roll, page.games.find((one) => one.name === roll.game) ?? page.games[0], (told) =>
        change(rollAddress(roll, "/ask"), { version: roll.version, ...told }),
      ),
    buy: (/** @type {AnyRoll} */ roll, /** @type {Offer} */ spend) => buySpend(roll, spend, store.ui.people),
  };
  return act;
}
