// A tap is meant for what was seen there. As one control takes the place of another, a second tap of the same finger would
// press what nobody has read yet: a turn that was just taken becomes the attack, and a choice of a sheet that just opened is made.

const AGAIN_MS = 350; // sooner nobody has seen the new one; Android's time for a double tap is 300 ms
const NEAR_PX = 24; // the width of a finger's tip; controls are 44 px or more

/** @typedef {{ at: number, x: number, y: number, control: Element | null, name: string }} Tap */
/** @type {Tap | null} */
let last = null;

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
    const isAgain = last !== null && at - last.at < AGAIN_MS && Math.hypot(x - last.x, y - last.y) < NEAR_PX;
    if (last && isAgain && control !== last.control && nameOf(control) !== last.name) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    last = { at, x, y, control, name: nameOf(control) };
  },
  { capture: true },
);
