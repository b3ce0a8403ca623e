// All that lies over a page, as one stack. This file alone knows the browser's history and how a dialog ends.
// A layer is open until its one end: its button, Escape, Back, or another layer in its dialog. Layers and places (a tab, a step) have one
// entry of the history each, numbered as they came. history.back() goes later than it is called, so nobody calls it where a layer is closed
// by hand: its entry is left for the next one, and a Back that comes to such an entry goes on by itself.

/** @typedef {{ node: HTMLDialogElement, name: string, seq: number, whenEnded: (value?: any) => void, close: (value?: unknown) => void, isOpen: () => boolean }} Layer */

/** @type {Layer[]} */
const open = [];
let at = history.state?.seq ?? 0; // the entry that the browser is at
let last = at;
let here = history.state?.here ?? at; // the entry of the place that is shown
let show = (/** @type {string | undefined} */ _place) => {};
let isReturning = false; // from an entry ahead of which nothing is left
if (history.state?.seq === undefined) history.replaceState({ ...history.state, seq: 0 }, "");

/** @param {HTMLDialogElement} node */
const layerIn = (node) => open.find((one) => one.node === node);
const isSpare = () => history.state.layer && !open.some((one) => one.seq === history.state.seq);

/** @param {{ seq: number, place?: string }} entry */
function enter(entry) {
  history[isSpare() ? "replaceState" : "pushState"](entry, "");
  at = entry.seq;
}

/**
 * Open a layer in a dialog. One of the same `name` that is open there is drawn anew; any other one there ends. `whenEnded` is told what it was
 * closed with, once: nothing where somebody left it.
 * @param {HTMLDialogElement} node
 * @param {{ name?: string, draw?: () => void, whenEnded?: (value?: any) => void }} [options] @returns {Layer}
 */
export function openLayer(node, { name = "", draw = () => {}, whenEnded = () => {} } = {}) {
  const known = layerIn(node);
  if (known && name && known.name === name) {
    draw();
    return known;
  }
  if (known) {
    end(known, undefined, { isReplaced: true });
    return openLayer(node, { name, draw, whenEnded }); // whoever heard of that end may have opened this one
  }
  listen(node);
  /** @type {Layer} */
  const layer = { node, name, whenEnded, seq: ++last, close: (value) => end(layer, value), isOpen: () => open.includes(layer) };
  open.push(layer);
  draw();
  enter({ ...history.state, seq: layer.seq, here, layer: true });
  if (!node.open) node.showModal();
  return layer;
}

/** End what is open in a dialog, with all above it. @param {HTMLDialogElement} node @param {unknown} [value] */
export const closeLayer = (node, value) => end(layerIn(node), value);

/** Whether a layer of this name is open in a dialog. @param {HTMLDialogElement} node @param {string} name */
export const isLayer = (node, name) => layerIn(node)?.name === name;

/** @param {Layer | undefined} layer @param {unknown} [value] */
function end(layer, value, { isReplaced = false } = {}) {
  const from = layer ? open.indexOf(layer) : -1;
  const gone = from < 0 ? [] : open.splice(from).reverse();
  for (const one of gone) {
    if (!(isReplaced && one === layer)) one.node.close();
    one.whenEnded(one === layer ? value : undefined);
  }
  return gone.length > 0;
}

const heard = new WeakSet();

/** Hear how the browser itself closes a dialog. Its word comes late, and may be of what was open there before. @param {HTMLDialogElement} node */
function listen(node) {
  if (heard.has(node)) return;
  heard.add(node);
  node.addEventListener("cancel", (event) => {
    if (event.target !== node) return; // of a field in it, such as a choice of files
    event.preventDefault();
    end(open.at(-1));
  });
  node.addEventListener("close", () => node.open || end(layerIn(node)));
}

/** Show another place: Back returns to the one before. @param {string} place */
export function goTo(place) {
  here = ++last;
  enter({ place, seq: here });
}

/** Say which place is shown first, and how one is shown that Back or Forward came to. @param {string} place @param {(place?: string) => void} whenCome */
export function startPlaces(place, whenCome) {
  show = whenCome;
  history.replaceState({ ...history.state, place }, "");
}

addEventListener("popstate", ({ state }) => {
  const isBack = (state?.seq ?? 0) < at;
  at = state?.seq ?? 0;
  if (end(open.find((one) => one.seq > at))) return;
  if (isReturning) isReturning = false;
  else if (state && isSpare()) {
    isReturning = !isBack;
    history.back();
  } else if (at === here) history.back();
  else {
    here = at;
    show(state?.place);
  }
});
