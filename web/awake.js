// The screen stays on while somebody asks for it. Browsers allow that to secure pages alone (https, or this machine's own).

let isWanted = false;
/** @type {Promise<WakeLockSentinel | null> | null} */
let lock = null;

/**
 * Keep the screen on from now on, or let it go dark by itself; a page that is not seen has it back once it is.
 * @param {boolean} isToStay
 */
export async function stayAwake(isToStay) {
  isWanted = isToStay;
  if (isWanted && !document.hidden) lock ??= ask();
  if (isWanted || !lock) return;
  const had = lock;
  lock = null;
  (await had)?.release();
}

async function ask() {
  const got = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null; // a battery that is low refuses
  got?.addEventListener("release", () => {
    lock = null;
  });
  return got;
}

document.addEventListener("visibilitychange", () => stayAwake(isWanted));
