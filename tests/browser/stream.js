// A stream of states that the test feeds: `tell(state)` is what the table would send.
() => {
  window.SharedWorker = undefined; // the page holds its stream itself then
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    constructor() { super(); window.stream = this; this.readyState = 1; setTimeout(() => this.dispatchEvent(new Event("open"))); }
    close() {}
  };
  window.tell = (state) => window.stream.dispatchEvent(new MessageEvent("state", { data: JSON.stringify(state) }));
  window.pending = 0; // so many answers are awaited
  const ask = window.fetch;
  window.fetch = (...what) => {
    window.pending += 1;
    return ask(...what).finally(() => setTimeout(() => { window.pending -= 1; }));
  };
}
