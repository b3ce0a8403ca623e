// What a page knows: the table's last state and the page's own. A change of either draws the page anew, once a frame.

/** Keep `state` and `ui`; `draw(store)` is called after changes. */
export function createStore(ui, draw) {
  const store = { state: null, ui };
  let isWaiting = false;
  const changed = () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      draw(store);
    });
  };
  store.setState = (state) => {
    store.state = state;
    changed();
  };
  store.set = (part) => {
    Object.assign(store.ui, part);
    changed();
  };
  store.redraw = changed;
  return store;
}
