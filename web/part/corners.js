// The outline of the tray over a picture of it: its corners are dragged, or stepped with the arrow keys.

import { html, svg } from "../vendor/lit-html/lit-html.js";
import { say } from "../strings.js";

const STEP = 0.01; // of the picture, for a press of an arrow
/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
/** @param {number} share */
const within = (share) => Math.min(1, Math.max(0, share));

/**
 * `corners` are in shares of a picture of this size. `moved(corners)` gets them while one is dragged, `dropped()` comes once it lies.
 * @param {number[][]} corners
 * @param {{ width: number, height: number, radius: number, fit: "meet" | "slice", moved: (corners: number[][]) => void, dropped?: () => void }} options
 */
export function cornersOver(corners, { width, height, radius, fit, moved, dropped = () => {} }) {
  /** @param {number} index @param {number} x @param {number} y */
  const place = (index, x, y) => moved(corners.map((corner, n) => (n === index ? [within(x), within(y)] : corner)));
  /** @param {number} index @returns {(event: any) => void} */
  const dragged = (index) => (event) => {
    const node = event.currentTarget;
    if (event.type === "pointerdown") return node.setPointerCapture(event.pointerId);
    if (!node.hasPointerCapture(event.pointerId)) return;
    if (event.type === "pointerup") return dropped();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.ownerSVGElement.getScreenCTM().inverse());
    place(index, at.x / width, at.y / height);
  };
  /** @param {number} index @returns {(event: any) => void} */
  const stepped = (index) => (event) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    place(index, corners[index][0] + by[0], corners[index][1] + by[1]);
    event.currentTarget.addEventListener("keyup", dropped, { once: true });
  };
  return html`<svg class="corners-over" viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio=${`xMidYMid ${fit}`}>
    <polygon points=${corners.map(([x, y]) => `${x * width},${y * height}`).join(" ")}></polygon>
    ${corners.map(([x, y], index) => svg`<circle cx=${x * width} cy=${y * height} r=${radius * width} tabindex="0" role="button" aria-label=${corners.length === 4 ? say(`setup.corners.${index}`) : say("setup.point", { number: index + 1 })} @pointerdown=${dragged(index)} @pointermove=${dragged(index)} @pointerup=${dragged(index)} @keydown=${stepped(index)}></circle>`)}</svg>`;
}
