// A form that a game declares: each field by its kind, answers as the rules take them.

import { el } from "./dom.js";
import { typeTitle } from "./dice.js";
import { say } from "./strings.js";

const FIRST = 8; // so many fields stand open; those that are filled in always do

/**
 * Build the inputs of `fields`, filled with `answers`. A field that is asked only with some answers stands there with them.
 *
 * `read()` returns the answers as the rules take them, without what was left empty; `node` is to be shown. `known()` returns
 * answers that come from elsewhere, such as the purpose of a weapon.
 */
export function buildForm(fields, answers, whenChanged = () => {}, known = () => ({})) {
  const inputs = fields.map((field) => ({ field, ...KINDS[field.kind](field, answers[field.name]) }));
  const named = new Map(inputs.map((input) => [input.field.name, input]));
  const isAsked = ({ field }) => Object.entries(field.only ?? {}).every(([name, wanted]) => {
    const input = named.get(name);
    return !input || (isAsked(input) && wanted.includes(input.value() ?? known()[name] ?? input.field.default));
  });
  const open = (input, place) => place < FIRST || Boolean(input.field.only) || answers[input.field.name] !== undefined;
  const rows = new Map(inputs.map((input) => [input, row(input)]));
  const rest = inputs.filter((input, place) => !open(input, place));
  const node = el(
    "div",
    { class: "form" },
    ...purposeFirst(inputs.filter(open)).map((input) => rows.get(input)),
    rest.length > 0 && el("details", {}, el("summary", { text: say("more") }), ...rest.map((input) => rows.get(input))),
  );
  const showAsked = () => rows.forEach((line, input) => {
    line.hidden = !isAsked(input);
  });
  showAsked();
  node.addEventListener("change", () => {
    showAsked();
    whenChanged();
  });
  const read = () => {
    const found = {};
    for (const input of inputs) {
      const now = isAsked(input) ? input.value() : undefined;
      if (now !== undefined) found[input.field.name] = now;
    }
    return found;
  };
  return { node, read };
}

/** The first field, what is asked only with some answers, and the rest: what a purpose asks stands next to the purpose. */
const purposeFirst = (inputs) => [...inputs.slice(0, 1), ...inputs.slice(1).filter(({ field }) => field.only), ...inputs.slice(1).filter(({ field }) => !field.only)];

function row({ field, node, isGroup }) {
  const id = `help-${field.name}`;
  const note = field.help && el("small", { id, text: field.help });
  if (isGroup) {
    return el("fieldset", { class: "field", "aria-describedby": note ? id : null }, el("legend", { text: field.title }), node, note);
  }
  if (note) node.setAttribute("aria-describedby", id);
  return el("div", { class: "field" }, el("label", {}, el("span", { text: field.title }), node), note);
}

const KINDS = { number, flag, choice, choices, code, pool, faces };

function number(field, answer) {
  const node = el("input", {
    type: "number", inputmode: "numeric", min: field.least, max: field.most, step: 1,
    value: answer ?? "", placeholder: field.default ?? "",
  });
  return { node, value: () => (node.value === "" ? undefined : Number(node.value)) };
}

function flag(field, answer) {
  return select(
    [["", field.default ? say("yes") : say("no")], ["true", say("yes")], ["false", say("no")]],
    answer === undefined ? "" : String(answer),
    (text) => (text === "" ? undefined : text === "true"),
  );
}

function choice(field, answer) {
  const usual = field.choices.find((one) => one.name === field.default)?.title ?? say("notGiven");
  return select([["", usual], ...field.choices.filter((one) => one.name !== field.default).map((one) => [one.name, one.title])],
    answer ?? "", (text) => text || undefined);
}

function select(options, now, valueOf) {
  const node = el("select", {}, ...options.map(([value, text]) => el("option", { value, text, selected: value === now })));
  return { node, value: () => valueOf(node.value) };
}

function choices(field, answer) {
  const boxes = field.choices.map((one) => {
    const input = el("input", { type: "checkbox", checked: (answer ?? []).includes(one.name) });
    return { one, input };
  });
  const node = el("div", { class: "boxes" }, ...boxes.map(({ one, input }) => el("label", {}, input, one.title)));
  const value = () => {
    const found = boxes.filter(({ input }) => input.checked).map(({ one }) => one.name);
    return found.length > 0 ? found : undefined;
  };
  return { node, value, isGroup: true };
}

function code(field, answer) {
  const node = el("input", { type: "text", placeholder: field.default ?? say("codeHint"), value: answer ?? "", autocapitalize: "characters" });
  return { node, value: () => node.value.trim() || undefined };
}

function pool(field, answer) {
  const inputs = field.choices.map((one) => {
    const input = el("input", { type: "number", inputmode: "numeric", min: 0, max: field.most, value: answer?.[one.name] ?? "", placeholder: 0 });
    input.addEventListener("input", () => { if (text) text.value = ""; });
    return { one, input };
  });
  const title = (one) => (typeTitle(one.name) === one.name ? one.title : typeTitle(one.name));
  const isText = typeof answer === "string";
  const text = field.typed && el("input", { type: "text", class: "pool-text", placeholder: say("poolHint"), "aria-label": field.title, value: isText ? answer : "", autocapitalize: "none", autocomplete: "off" });
  if (text) text.addEventListener("change", () => inputs.forEach(({ input }) => { input.value = ""; })); // one or the other
  const node = el("div", { class: "pool-field" }, text, ...inputs.map(({ one, input }) => el("label", {}, el("span", { text: title(one) }), input)));
  const value = () => {
    if (text?.value.trim()) return text.value.trim();
    const found = inputs.filter(({ input }) => Number(input.value)).map(({ one, input }) => [one.name, Number(input.value)]);
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  };
  return { node, value, isGroup: true };
}

function faces(_field, answer) {
  const node = el("input", { type: "text", placeholder: say("facesHint"), value: (answer ?? []).join(", ") });
  const value = () => {
    const found = node.value.split(/[\s,]+/).filter(Boolean).map(Number);
    return found.length > 0 ? found : undefined;
  };
  return { node, value };
}
