// Keeps the pages and their parts where they come by https: loaded again while the table restarts, a page of ours says so, and not the
// browser's own.

const worker = /** @type {any} */ (globalThis);
const KEPT = "pages";
const PAGES = ["/", "/player", "/gm", "/pair"];

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(PAGES)));
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname } = new URL(event.request.url);
  const version = pathname.startsWith("/v-") ? pathname.split("/")[1] : "";
  if (version) event.respondWith(part(event.request, version));
  else if (event.request.mode === "navigate" && PAGES.includes(pathname)) event.respondWith(page(event.request, pathname));
});

/** The page as the table has it now, or as it had it last. @param {Request} request @param {string} pathname */
async function page(request, pathname) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(pathname, answer.clone());
    return answer;
  } catch (error) {
    const before = await kept.match(pathname);
    if (before) return before;
    throw error;
  }
}

/** A part, which never changes; those of other versions go. @param {Request} request @param {string} version */
async function part(request, version) {
  const kept = await caches.open(version);
  const before = await kept.match(request);
  if (before) return before;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  for (const name of await caches.keys()) if (name !== version && name !== KEPT) await caches.delete(name);
  return answer;
}
