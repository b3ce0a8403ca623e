// A stream of states that the test feeds: `tell(state)` is what the table would send, `answers` what it would answer.
() => {
  window.SharedWorker = undefined; // the page holds its stream itself then
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    constructor() { super(); window.stream = this; this.readyState = 1; setTimeout(() => this.dispatchEvent(new Event("open"))); }
    close() {}
  };
  window.tell = (state) => window.stream.dispatchEvent(new MessageEvent("state", { data: JSON.stringify(state) }));
  window.pending = 0; // so many answers are awaited
  window.answers = () => undefined; // nothing for an address: the table itself is asked
  const ask = window.fetch;
  window.fetch = async (address, ...more) => {
    window.pending += 1;
    try {
      const told = window.answers(address);
      return told === undefined ? await ask(address, ...more) : Response.json(told);
    } finally {
      setTimeout(() => { window.pending -= 1; });
    }
  };
}
