// Sounds of the table screen, made here. Off until somebody switches them on for this screen, and never on a phone.

import { recall, remember } from "./memory.js";

const VOLUME = 0.2;
const PHONE_PX = 480; // of the shorter side, below which a screen is a phone's
const TICK_S = 0.03;

/** @type {AudioContext | null} */
let context = null;

/** Whether this screen may sound at all. */
export const maySound = () => Math.min(screen.width, screen.height) >= PHONE_PX;
export const isOn = () => maySound() && recall("sound") === "on";

/** Switch sounds on or off for this screen. @param {boolean} isWanted */
export function chooseSound(isWanted) {
  remember("sound", isWanted ? "on" : null);
  if (isWanted) tick(0);
}

/** Ready the sound at a touch: browsers let a page be heard only after one. */
export function startSound() {
  addEventListener("pointerdown", () => isOn() && opened().resume(), { passive: true });
}

function opened() {
  context ??= new AudioContext();
  return context;
}

/**
 * Play a tone from one pitch to another, in hertz, after so many seconds.
 * @param {{ from: number, to?: number, after?: number, seconds: number, shape?: OscillatorType, loud?: number }} wanted
 */
function tone({ from, to = from, after = 0, seconds, shape = "sine", loud = 1 }) {
  if (!isOn()) return;
  const sound = opened();
  const at = sound.currentTime + after;
  const source = sound.createOscillator();
  const volume = sound.createGain();
  source.type = shape;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + seconds);
  volume.gain.setValueAtTime(VOLUME * loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  source.connect(volume).connect(sound.destination);
  source.start(at);
  source.stop(at + seconds);
}

/** A die lands, `after` so many seconds. @param {number} after */
export const tick = (after) => tone({ from: 1800, to: 900, after, seconds: TICK_S, shape: "triangle", loud: 0.5 });

/** A die is thrown once more, for the `n`-th time: higher each time. @param {number} n */
export const tickAgain = (n) => tone({ from: 900 * 1.19 ** n, seconds: 4 * TICK_S, shape: "triangle" });

/** Somebody is at the limit. */
export const thud = () => tone({ from: 110, to: 45, seconds: 0.3 });

/** The `n`-th phone is in: each a third higher. @param {number} n */
export const arrived = (n) => tone({ from: 392 * 1.26 ** n, seconds: 0.3 });

/** What each mood sounds like. */
/** @type {Record<string, () => void>} */
export const OF_MOOD = {
  triumph() {
    tone({ from: 523, seconds: 0.25 });
    tone({ from: 784, after: 0.2, seconds: 0.3 });
  },
  despair() {
    tone({ from: 330, to: 147, seconds: 0.5 });
  },
};
