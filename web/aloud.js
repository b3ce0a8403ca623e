// What happens at the table, in short words: to screen readers by one region, once, and aloud where somebody has switched that on.

import { byId } from "./dom.js";
import { recall, remember } from "./memory.js";
import { symbolsLeft } from "./part/net.js";
import { largest } from "./part/plate.js";
import { labelSaid } from "./said.js";
import { outcomeWord, say, symbolWord } from "./strings.js";
import { doubtOf } from "./table/kind.js";
import { turnNow } from "./part/turns.js";
import { asksWords, whyAsked } from "./part/doubt.js";

const VOICES_MS = 2_000; // a browser looks for its voices when it is first asked
const SAID_ALREADY = new Set(["success", "failure"]); // by the outcome's word
const voices = window.speechSynthesis ?? null;
/** @type {Record<string, string> | null} */
let last = null;

export const isAloud = () => recall("aloud") === "on";

/** Switch it on or off for this browser; resolves to whether it is as wanted: some browsers have no voices. @param {boolean} isWanted */
export async function chooseAloud(isWanted) {
  if (isWanted && !(await hasVoices())) return false;
  remember("aloud", isWanted ? "on" : null);
  voices?.cancel();
  if (isWanted) speak(say("aloud.on"));
  return true;
}

async function hasVoices() {
  if (!voices) return false;
  if (voices.getVoices().length === 0) {
    await new Promise((go) => {
      voices.addEventListener("voiceschanged", go, { once: true });
      setTimeout(go, VOICES_MS);
    });
  }
  return voices.getVoices().length > 0;
}

/** Say what is new since the last state: a result, a doubt, a call, a turn. The first state is nothing new. @param {State} state @param {Parameters<typeof doubtOf>[1]} ui */
export function tellNews(state, ui) {
  const isFirst = last === null;
  const news = newsOf(state, ui);
  if (JSON.stringify(news) === JSON.stringify(last)) return;
  const text = isFirst
    ? ""
    : Object.entries(news)
        .filter(([name, one]) => one && one !== last?.[name])
        .map(([, one]) => one)
        .join(" ");
  last = news;
  tell(text);
}

/** Say something once, such as what a tap has changed. @param {string} text */
export function tell(text) {
  if (!text) return;
  byId("aloud").textContent = text;
  if (isAloud()) speak(text);
}

function speak(/** @type {string} */ text) {
  voices.cancel(); // what is over need not be heard
  voices.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: document.documentElement.lang }));
}

/** Each kind of news as a sentence; one that stays the same is told once. A doubt waits until it is known whether it matters. @param {State} state @param {Parameters<typeof doubtOf>[1]} ui */
function newsOf(state, ui) {
  const { roll, asked, hidden } = state;
  const doubt = roll && doubtOf(state, ui);
  return {
    roll:
      doubt?.list === "dice" && !doubt.answers
        ? (last?.roll ?? "")
        : hidden
          ? say("hiddenHeadline")
          : !roll
            ? ""
            : doubt
              ? doubtWords(roll, doubt)
              : roll.awaits
                ? forWhom(roll.by, roll.awaits.sentence)
                : forWhom(roll.by, resultWords(roll)),
    asked:
      asked?.player || asked?.label
        ? forWhom(asked.player || say("aloud.anyone"), [labelSaid(asked.label), asked.tray?.sentence].filter(Boolean).join(". "))
        : "",
    turn: turnNow(state),
  };
}

const forWhom = (/** @type {string} */ who, /** @type {string} */ what) => ended(who ? `${who}: ${what}` : what);
const ended = (/** @type {string} */ text) => (/[.?!]$/.test(text) ? text : `${text}.`);

/** @param {Roll | WholeRoll} roll @param {NonNullable<TableSeen["find"]>} find */
function doubtWords(roll, find) {
  return forWhom(roll.by, `${asksWords(roll, find)} ${whyAsked(roll, find)}`);
}

/** "success, 2 advantages"; "17, success". @param {AnyRoll} roll */
function resultWords(roll) {
  const { text, beside } = largest({ ...roll, sure: true });
  const symbols = symbolsLeft(roll)
    .filter(([name]) => !outcomeWord(roll) || !SAID_ALREADY.has(name))
    .map(([name, count]) => symbolWord(name, count, true));
  return [text, beside, ...symbols.filter((one) => !text.toLowerCase().includes(one.toLowerCase()))].filter(Boolean).join(", ");
}
