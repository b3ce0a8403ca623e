// Dragging a row of the order by its handle, with a finger, a mouse or keys, as far as the rules leave it level with others.

/**
 * Between which places the slot at `place` may move: `[least, most]`; both are `place` where the rules order it.
 * @returns {[number, number]}
 * @param {Initiative} initiative @param {number} place
 */
export function freedom({ slots, level }, place) {
  const isLevel = (/** @type {number} */ n) => n >= 0 && n < slots.length - 1 && level.includes(slots[n].id); // with the one after it
  let [least, most] = [place, place];
  while (isLevel(least - 1)) least -= 1;
  while (isLevel(most)) most += 1;
  return [least, most];
}

/** What moves the slot at `place` to another one: `{ slot, before }`. @param {Initiative} initiative @param {number} place @param {number} target */
export const moveTo = ({ slots }, place, target) => ({ slot: slots[place].id, before: slots[target > place ? target + 1 : target]?.id ?? "" });

/** Follow a pointer that was pressed on the handle of the row at `place`; `drop(target)` says where it was left. @param {PointerEvent & { currentTarget: HTMLElement }} event @param {number} place @param {number[]} range @param {(target: number) => void} drop */
export function drag(event, place, [least, most], drop) {
  if (event.button !== 0) return;
  const handle = event.currentTarget;
  const row = handle.closest("li");
  if (!row) return;
  const rows = [...(row.parentElement?.children ?? [])];
  const middles = rows.map((one) => one.getBoundingClientRect()).map((one) => one.top + one.height / 2);
  let target = place;
  handle.setPointerCapture(event.pointerId);
  row.toggleAttribute("data-dragged", true);
  const move = (/** @type {PointerEvent} */ now) => {
    const by = now.clientY - event.clientY;
    row.style.setProperty("--by", `${Math.min(middles[most], Math.max(middles[least], middles[place] + by)) - middles[place]}px`);
    const at = middles[place] + by;
    target = place;
    while (target > least && at < middles[target - 1]) target -= 1;
    while (target < most && at > middles[target + 1]) target += 1;
    rows.forEach((one, n) => one.toggleAttribute("data-target", n === target && n !== place));
  };
  const ends = new AbortController();
  const end = (/** @type {Event} */ last) => {
    ends.abort();
    row.removeAttribute("data-dragged");
    rows.forEach((one) => one.removeAttribute("data-target"));
    if (last.type === "pointerup" && target !== place) drop(target);
  };
  handle.addEventListener("pointermove", move, { signal: ends.signal });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) handle.addEventListener(name, end, { signal: ends.signal });
}
