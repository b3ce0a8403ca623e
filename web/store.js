// What a page knows: the table's last state and the page's own. A change of either draws the page anew, once a frame.

/**
 * Keep `state` and `ui`; `draw(store)` is called after changes, and before the first state. What people do they do with what is drawn of a state.
 * @template Ui @template [Known=State] @param {Ui} ui @param {(store: { state: Known | null, ui: Ui }) => void} draw @returns {Store<Ui, Known>}
 */
export function createStore(ui, draw) {
  let isWaiting = false;
  const changed = () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      draw(store);
    });
  };
  /** @type {Store<Ui, Known>} */
  const store = {
    state: /** @type {Known} */ (/** @type {unknown} */ (null)),
    ui,
    redraw: changed,
    setState(state) {
      store.state = state;
      changed();
    },
    set(part) {
      Object.assign(/** @type {object} */ (store.ui), part);
      changed();
    },
  };
  return store;
}
