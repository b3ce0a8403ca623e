// Holds one stream for all pages of a browser. Its name is the stream's address (see stream.js).

import { openStream } from "./stream.js";

const TOGETHER_MS = 50; // for pages that join at about the same time the stream is opened anew once
/** @type {Set<MessagePort>} */
const pages = new Set();
/** @type {Set<MessagePort>} */
const joining = new Set(); // they hear nothing before the state that the new stream begins with
/** @type {string[]} */
let wanted = [];
/** @type {(() => void) | null} */
let close = null;
let timer = 0;

function renew() {
  end();
  joining.forEach((page) => pages.add(page));
  joining.clear();
  close = openStream(self.name, wanted, (told) => pages.forEach((page) => page.postMessage(told)));
}

function end() {
  clearTimeout(timer);
  close?.();
  close = null;
}

/** @param {MessagePort} page @param {string[]} names */
function join(page, names) {
  joining.add(page);
  wanted = [...new Set([...wanted, ...names])];
  clearTimeout(timer);
  if (close) timer = setTimeout(renew, TOGETHER_MS);
  else renew();
}

/** @param {MessagePort} page */
function leave(page) {
  pages.delete(page);
  joining.delete(page);
  if (pages.size + joining.size === 0) end();
}

self.addEventListener("connect", (event) => {
  const [page] = /** @type {MessageEvent} */ (event).ports;
  page.onmessage = ({ data }) => (data.join ? join(page, data.join) : leave(page));
});
