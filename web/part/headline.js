// The headline: as large as it fits. A long one gets narrower before it gets smaller.

import { html, nothing } from "../vendor/lit-html/lit-html.js";

const WIDEST = 76;
const NARROWEST = 50;
const SMALLEST = 30; // hundredths of its size

/**
 * `text` in the accent of the state; `beside` is a smaller headline at its right, with a second one or a line below it.
 * @param {unknown} text @param {{ beside?: unknown, second?: unknown, tone?: string, below?: unknown }} options
 */
export function headline(text, { beside = null, second = "", tone = "", below = "" } = {}) {
  return html`<div class="headline-row" ?data-beside=${beside !== null}>
    <h1 id="headline" ?data-accented=${isAccented(text)}>${text}</h1>
    ${
      beside === null
        ? nothing
        : html`<div class="headline-beside" ?data-two=${Boolean(second)}><p class="second">${beside}</p>
      ${second ? html`<p class="second" data-tone=${tone}>${second}</p>` : below ? html`<p class="below">${below}</p>` : nothing}</div>`
    }
  </div>`;
}

/** Whether a letter has a mark above or below it, for which large capitals need room. @param {unknown} text */
const isAccented = (text) => /\p{M}/u.test(String(text).normalize("NFD"));

let measured = "";

/** Fit the headline into its row; call it after drawing and when the window changes. */
export function fitHeadline({ anew = false } = {}) {
  const node = document.getElementById("headline");
  const row = node?.parentElement;
  if (!row) return;
  const key = `${node.textContent}|${row.textContent}|${innerWidth}x${innerHeight}|${row.clientHeight}`;
  if (key === measured && !anew && node.dataset.fitted) return;
  measured = key;
  node.dataset.fitted = "";
  const room = row.clientWidth;
  /** Narrower step by step, then smaller. @param {number} step */
  const fits = (step) => {
    const narrower = Math.min(step, WIDEST - NARROWEST);
    node.style.setProperty("--width", String(WIDEST - narrower));
    node.style.setProperty("--shrink", String(1 - (step - narrower) / 100));
    return row.scrollWidth <= room; // lays the page out, so as few steps as can be are tried
  };
  if (fits(0)) return;
  let [least, most] = [1, WIDEST - NARROWEST + 100 - SMALLEST];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) most = middle;
    else least = middle + 1;
  }
  fits(least);
}
