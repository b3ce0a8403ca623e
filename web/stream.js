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
 */
export function listen(address, { names, whenEvent, whenLink }) {
  const tell = ({ name, text, link }) => (name ? whenEvent(name, JSON.parse(text)) : whenLink(link));
  if (!globalThis.SharedWorker) return whileSeen(address, names, tell);
  share(address, names, tell, () => whileSeen(address, names, tell));
}

/** Open a stream, and again whenever it ends; `tell` gets `{name, text}` and `{link}`. Return what closes it. */
export function openStream(address, names, tell) {
  let source;
  let timer;
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

function share(address, names, tell, whenFailed) {
  const worker = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module", name: address });
  worker.addEventListener("error", whenFailed, { once: true });
  worker.port.onmessage = ({ data }) => tell(data);
  worker.port.postMessage({ join: names });
  addEventListener("pagehide", () => worker.port.postMessage({ leave: true }));
  addEventListener("pageshow", ({ persisted }) => persisted && worker.port.postMessage({ join: names }));
}

function whileSeen(address, names, tell) {
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
