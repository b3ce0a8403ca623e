// One stream of events for all pages of a browser. A browser opens six connections to a server, and a stream keeps one for good:
// six pages with a stream each would leave none for anything else.
//
// Where the browser has shared workers, one of them holds the stream for all pages. Elsewhere (some phones, which show
// one page at a time) a page holds a stream of its own, and only while it is seen.

const REOPEN_MS = 2_000;

/**
 * Follow a stream of the table until the page closes.
 *
 * `names` are the events wanted; `whenEvent` gets an event's name and its JSON. `whenLink` gets true or false when the
 * connection is found or lost. Each page that joins has the stream opened anew, so that it starts with everything,
 * and as whoever this browser is paired as by then.
 * @param {string} address
 * @param {{ names: string[], whenEvent: (name: string, told: any) => void, whenLink: (isThere: boolean) => void }} how
 */
export function listen(address, { names, whenEvent, whenLink }) {
  /** @type {Tell} */
  const tell = (told) => ("link" in told ? whenLink(told.link) : whenEvent(told.name, JSON.parse(told.text)));
  if (!globalThis.SharedWorker) return whileSeen(address, names, tell);
  share(address, names, tell, () => whileSeen(address, names, tell));
}

/** @typedef {(told: { name: string, text: string } | { link: boolean }) => void} Tell */

/** Open a stream, and again whenever it ends. Return what closes it. @param {string} address @param {string[]} names @param {Tell} tell */
export function openStream(address, names, tell) {
  /** @type {EventSource} */
  let source;
  let timer = 0;
  const open = () => {
    source = new EventSource(address);
    source.addEventListener("open", () => tell({ link: true }));
    for (const name of names) source.addEventListener(name, (event) => tell({ name, text: event.data }));
    source.addEventListener("error", () => {
      tell({ link: false });
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** @param {string} address @param {string[]} names @param {Tell} tell @param {() => void} whenFailed */
function share(address, names, tell, whenFailed) {
  const worker = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module", name: address });
  worker.addEventListener("error", whenFailed, { once: true });
  worker.port.onmessage = ({ data }) => tell(data);
  worker.port.postMessage({ join: names });
  addEventListener("pagehide", () => worker.port.postMessage({ leave: true }));
  addEventListener("pageshow", ({ persisted }) => persisted && worker.port.postMessage({ join: names }));
}

/** @param {string} address @param {string[]} names @param {Tell} tell */
function whileSeen(address, names, tell) {
  /** @type {(() => void) | null} */
  let close = null;
  const set = () => {
    if (document.hidden) {
      close?.();
      close = null;
    } else close ??= openStream(address, names, tell);
  };
  document.addEventListener("visibilitychange", set);
  set();
}
