// The few signs beside words.

import { html, svg } from "../vendor/lit-html/lit-html.js";

const PATHS = {
  undo: svg`<path d="M9 7 L4 12 L9 17 M4 12 H15 A5 5 0 0 1 15 22 H12"></path>`,
  redo: svg`<path d="M15 7 L20 12 L15 17 M20 12 H9 A5 5 0 0 0 9 22 H12"></path>`,
  pen: svg`<path d="M4 20 L5 15 L16 4 L20 8 L9 19 Z M14 6 L18 10"></path>`,
  menu: svg`<path d="M3 6 H21 M3 12 H21 M3 18 H21"></path>`,
  back: svg`<path d="M15 5 L8 12 L15 19"></path>`,
  more: svg`<path d="M9 5 L16 12 L9 19"></path>`,
  close: svg`<path d="M5 5 L19 19 M19 5 L5 19"></path>`,
  mark: svg`<path d="M12 3 L22 20 H2 Z M12 9 V14 M12 17 V17.5"></path>`,
  done: svg`<path d="M4 12 L10 18 L20 6"></path>`,
  roll: svg`<path d="M5 5 H19 V19 H5 Z"></path>`,
  people: svg`<path d="M2 20 C2 15 5 13 8.5 13 C12 13 15 15 15 20 M8.5 10 A3.5 3.5 0 1 0 8.5 3 A3.5 3.5 0 0 0 8.5 10 M15 4 A3.5 3.5 0 0 1 15 10 M18 13.5 C20.5 14.5 22 16.5 22 20"></path>`,
  fight: svg`<path d="M13 4 H20 V11 M20 4 L8 16 M4 14 L10 20 M7 17 L4 20"></path>`,
  log: svg`<path d="M4 6 H20 M4 12 H14 M4 18 H18"></path>`,
  table: svg`<path d="M12 2 V5 M12 19 V22 M2 12 H5 M19 12 H22 M5 5 L7 7 M17 17 L19 19 M5 19 L7 17 M17 7 L19 5 M12 16 A4 4 0 1 0 12 8 A4 4 0 0 0 12 16"></path>`,
  up: svg`<path d="M5 15 L12 8 L19 15"></path>`,
  down: svg`<path d="M5 9 L12 16 L19 9"></path>`,
  plus: svg`<path d="M12 4 V20 M4 12 H20"></path>`,
  play: svg`<path d="M8 5 L19 12 L8 19 Z" fill="currentColor"></path>`,
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
