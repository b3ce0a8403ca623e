// One drawing of a die for every place: pools, faces, questions, prices, the picker. The lamp stands above, slightly to the left.

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import SOLIDS from "./solids.js";
import { isDrawn, newSymbol, symbolAt } from "./symbol.js";

const { lightest, darkest, lamp, wholeFace, step, solids } = SOLIDS;
const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];
const NEARLY_BLACK = 0.02; // luminance of a body that needs a ring
const DEEP = 0.06; // and of one whose outline alone could not be seen on a dark page
const PALE = 0.75; // and of one that could not be seen on a light page
const READABLE = 4.5;

/** @typedef {number[]} Colour */
/** @typedef {import("./solids.js").Solid} Solid */

/** @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
/** @param {Colour} colour */
const hex = (colour) =>
  `#${colour
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
/** @param {Colour} colour @param {Colour} other @param {number} share */
const mix = (colour, other, share) => colour.map((part, at) => part + (other[at] - part) * share);
/** @param {number[][]} list */
const points = (list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

/** @param {Colour} colour */
function luminance(colour) {
  const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, 1 to 21. @param {Colour} one @param {Colour} other */
function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** The ink of a type, made black or white where it could not be read on the body. @param {Colour} body @param {string} ink */
function inkOn(body, ink) {
  if (contrast(body, rgb(ink)) >= READABLE) return ink;
  return contrast(body, WHITE) > contrast(body, BLACK) ? "#ffffff" : "#000000";
}

/** A facet that looks in the direction (nx, ny) of the picture. @param {Colour} body @param {number} nx @param {number} ny */
function shade(body, nx, ny) {
  const towards = lamp[0] * nx + lamp[1] * ny;
  return hex(towards >= 0 ? mix(body, WHITE, lightest * towards) : mix(body, BLACK, -darkest * towards));
}

/** @param {Colour} body @param {number[][]} corners */
function facet(body, corners, middle = [50, 50]) {
  const x = corners.reduce((sum, corner) => sum + corner[0], 0) / corners.length - middle[0];
  const y = corners.reduce((sum, corner) => sum + corner[1], 0) / corners.length - middle[1];
  const length = Math.hypot(x, y) || 1;
  return svg`<polygon points=${points(corners)} fill=${shade(body, x / length, y / length)}></polygon>`;
}

const BEVEL = "M13.4 13.4 A22 22 0 0 1 29 7 H71 A22 22 0 0 1 86.6 13.4 L79.7 20.3 A18 18 0 0 0 67 15 H33 A18 18 0 0 0 20.3 20.3 Z";

/** @type {Draw} */
function cube(body, { face: [[low], [high]], round: [, radius] = [0, 0] }) {
  const side = (/** @type {number} */ degrees, /** @type {Colour} */ colour) =>
    svg`<path d=${BEVEL} transform=${`rotate(${degrees} 50 50)`} fill=${hex(colour)} stroke=${hex(colour)} stroke-width=".6"></path>`;
  return svg`${side(180, mix(body, BLACK, 0.42))}${side(90, mix(body, BLACK, 0.22))}${side(270, mix(body, WHITE, 0.28))}${side(0, mix(body, WHITE, 0.5))}
    <rect x=${low} y=${low} width=${high - low} height=${high - low} rx=${radius} fill=${hex(body)}></rect>`;
}

/** @param {number[][]} corners @param {Colour} colour @param {number} width */
const ring = (corners, colour, width) => svg`<polygon points=${points(corners)} fill="none" stroke=${hex(colour)} stroke-width=${width}></polygon>`;
/** @param {number[][]} corners @param {Colour} colour @param {Colour | null} edge */
const top = (corners, colour, edge = null, width = 1.2) =>
  svg`<polygon points=${points(corners)} fill=${hex(colour)} stroke=${edge ? hex(edge) : "none"} stroke-width=${width}></polygon>`;

/** @typedef {(body: Colour, solid: Solid) => unknown} Draw */
/** @type {Record<string, Draw>} */
const DRAWN = {
  d4: shard,
  d6: cube,
  d8: (body, { outer, face }) => svg`${outer.map((corner, n) => facet(body, [corner, outer[(n + 1) % 4], face[(n + 1) % 4], face[n]]))}
    ${ring(outer, mix(body, BLACK, 0.35), 1.5)}${top(face, body, mix(body, WHITE, 0.22), 1.5)}`,
  d10: (body, { outer, face: [above, right, below, left] }) => svg`${facet(body, [above, outer[1], right])}${facet(body, [above, outer[5], left])}
    ${facet(body, [outer[1], outer[2], outer[3], below, right])}${facet(body, [outer[5], outer[4], outer[3], below, left])}
    ${top([above, right, below, left], mix(body, WHITE, 0.08), mix(body, WHITE, 0.3))}`,
  d12: (
    body,
    { outer, face },
  ) => svg`${face.map((corner, n) => facet(body, [corner, outer[2 * n], outer[2 * n + 1], outer[(2 * n + 2) % 10], face[(n + 1) % 5]]))}
    ${top(face, mix(body, WHITE, 0.06), mix(body, WHITE, 0.4))}`,
  d20: shard,
};

/** @type {Draw} */
function shard(body, { outer, face, at }) {
  return svg`${outer.map((corner, n) => facet(body, [corner, outer[(n + 1) % outer.length], face[(n + 1) % face.length], face[n]], at))}
    ${top(face, mix(body, WHITE, 0.06))}`;
}

/** @param {KnownDie} type @param {Solid} solid @param {string[]} face @param {string} ink */
function marks(type, solid, face, ink) {
  const size = type.whole_face ? wholeFace : face.length > 1 ? solid.two : solid.one;
  const [x, y] = solid.at;
  const across = size * step;
  return face.map((name, n) => symbolAt(type.set, name, x + across * (n - (face.length - 1) / 2), y, size, ink));
}

/** The rim of a solid: dashed and faintly filled where the die is missing. @param {Solid} solid @param {string} stroke @param {string | null} fill */
function rimOf(solid, stroke, fill = null) {
  const rim = solid.round ? svg`<rect x="8.5" y="8.5" width="83" height="83" rx="20.5"></rect>` : svg`<polygon points=${points(solid.outer)}></polygon>`;
  const [width, dashes] = fill ? ["4", "7 6"] : ["2.5", "none"];
  return svg`<g fill=${fill ?? "none"} fill-opacity=".13" stroke=${stroke} stroke-width=${width} stroke-dasharray=${dashes}>${rim}</g>`;
}

const drawn = new Map(); // the drawings that stand in the page, by what they show
const COLOUR_STEP = 16; // colours that a camera saw are rounded, so that few drawings do for all

/** @param {Colour} colour */
const rounded = (colour) => colour.map((part) => Math.min(255, Math.round(part / COLOUR_STEP) * COLOUR_STEP));

/** Return the id of the drawing of a die; it is made once. @param {KnownDie} type @param {string[] | null} face @param {boolean} missing @param {string} seen @returns {string} */
function drawing(type, face, missing, seen) {
  const key = JSON.stringify([type.set, type.name, type.solid, type.body, type.ink, face, missing, seen, face?.map((name) => isDrawn(type.set, name))]);
  if (!drawn.has(key)) drawn.set(key, make(type, face, missing, seen));
  return drawn.get(key);
}

/** @param {KnownDie} type @param {string[] | null} face @param {boolean} missing @param {string} seen */
function make(type, face, missing, seen) {
  const name = type.solid in solids ? type.solid : "d6";
  const solid = solids[name];
  const colour = seen ? rounded(rgb(seen)) : rgb(type.body);
  const bright = luminance(colour);
  const light = hex(mix(colour, WHITE, 0.5));
  const dark = bright > PALE ? hex(mix(colour, BLACK, 0.45)) : null;
  const edge = bright < NEARLY_BLACK ? light : dark;
  const shown = missing
    ? rimOf(solid, bright < DEEP ? light : (dark ?? hex(colour)), hex(colour))
    : svg`${DRAWN[name](colour, solid)}${edge ? rimOf(solid, edge) : nothing}${face ? marks(type, solid, face, inkOn(colour, type.ink)) : nothing}`;
  const symbol = newSymbol(`die-${drawn.size}`);
  render(shown, symbol);
  return symbol.id;
}

/**
 * Draw a die of `type` (as `dieType` of dice.js returns it) that shows `face`, a list of symbols; `null` is a die without a face.
 *
 * `missing` draws only its dashed outline, `title` is what a screen reader says, `body` is the colour that the camera saw.
 * @param {KnownDie} type @param {string[] | null} face
 */
export function die(type, face, { missing = false, title = "", body = "" } = {}) {
  return html`<svg class="die-drawing" data-type=${type.name} ?data-missing=${missing} viewBox="0 0 100 100" role=${title ? "img" : nothing} aria-label=${title || nothing} aria-hidden=${title ? nothing : "true"}><use href=${`#${drawing(type, face, missing, body)}`}></use></svg>`;
}
