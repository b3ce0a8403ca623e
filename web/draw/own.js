// Two directives: numbers that a style needs, as the policy allows no style attributes, and parts that are drawn anew only when told.

import { noChange } from "../vendor/lit-html/lit-html.js";
import { Directive, directive } from "../vendor/lit-html/directive.js";

class Numbers extends Directive {
  render() {
    return noChange;
  }

  /** @param {any} part @param {[Record<string, string | number>]} numbers */
  update(part, [numbers]) {
    for (const [name, value] of Object.entries(numbers)) part.element.style.setProperty(name, value);
    return noChange;
  }
}

/** Set custom properties on the element that this stands in: `<p ${numbers({ "--letters": 7 })}>`. */
export const numbers = directive(Numbers);

class Keep extends Directive {
  /** @type {string | undefined} */
  key;

  /** @param {string} key @param {() => unknown} draw */
  render(key, draw) {
    if (key === this.key) return noChange;
    this.key = key;
    return draw();
  }
}

/** Draw by `draw()` once for each `key`, a text that says all that the drawing depends on. */
export const keep = directive(Keep);
