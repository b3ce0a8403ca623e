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
  play: svg`<path d="M8 5 L19 12 L8 19 Z" fill="currentColor"></path>`,
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
