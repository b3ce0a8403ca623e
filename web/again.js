// Loads a page anew whose script did not begin. A browser asks for each module once: one that was lost, or is never
// answered, leaves the page empty for good, and the table's screen has nobody who presses "reload".

const AFTER_MS = 15_000;

async function look() {
  if (document.documentElement.hasAttribute("data-began")) return;
  setTimeout(look, AFTER_MS);
  try {
    const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(AFTER_MS / 2) });
    if (answer.ok && !document.documentElement.hasAttribute("data-began")) location.reload();
  } catch {
    // the table does not answer: a page that is loaded now would be the browser's own
  }
}

setTimeout(look, AFTER_MS);

if (location.protocol === "https:") navigator.serviceWorker?.register("/service-worker.js").catch(() => {}); // whose certificate a browser does not trust has none
