// A tap is meant for what was seen there. As one control takes the place of another, a second tap of the same finger would
// press what nobody has read yet: a turn that was just taken becomes the attack, and a choice of a sheet that just opened is made.

const AGAIN_MS = 350; // sooner nobody has seen the new one; Android's time for a double tap is 300 ms
const NEAR_PX = 24; // the width of a finger's tip; controls are 44 px or more

let last = { at: -Infinity, x: 0, y: 0, control: /** @type {Element | null} */ (null), name: "" };

/** What is pressed by a tap here; a label presses what it is for. @param {Element} node */
function controlAt(node) {
  const control = node.closest("button, a, label, summary, input, select, textarea");
  return (control instanceof HTMLLabelElement && control.control) || control;
}

/** @param {Element | null} control */
const nameOf = (control) => control?.getAttribute("aria-label") ?? control?.textContent?.trim() ?? "";

addEventListener(
  "click",
  (event) => {
    if (event.detail === 0 || !(event.target instanceof Element)) return; // by a key, or by a program
    const control = controlAt(event.target);
    const { timeStamp: at, clientX: x, clientY: y } = event;
    const isAgain = at - last.at < AGAIN_MS && Math.hypot(x - last.x, y - last.y) < NEAR_PX;
    const name = nameOf(control);
    if (isAgain && control !== last.control && name !== last.name) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else last = { at, x, y, control, name };
  },
  { capture: true },
);
