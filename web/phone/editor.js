// Writing down a character, a person, a group or a thing: name, skills, weapons, defences, limits. What a game asks for each, the game says.

import { el } from "../dom.js";
import { buildForm } from "../form.js";
import { openSheet } from "../part/sheet.js";
import { say } from "../strings.js";
import { html } from "../vendor/lit-html/lit-html.js";

const KINDS = ["player", "person", "group", "thing"];
const MOST_LINE = 200;

/** Open the editor for `person`, or for somebody new where that is null; `save(form)` resolves to whether it was taken. */
export function editPerson(person, game, save) {
  const { characters } = game;
  const fieldsOf = (names) => names.map((name) => game.form.find((field) => field.name === name)).filter(Boolean);
  const name = el("input", { type: "text", id: "person-name", maxlength: 60, autocomplete: "off", value: person?.name ?? "" });
  const kind = el("select", { id: "person-kind" }, ...KINDS.map((value) => el("option", { value, text: say(`personKind.${value}`), selected: value === (person?.kind ?? "person") })));
  const members = el("input", { type: "number", id: "person-members", inputmode: "numeric", min: 1, max: 99, value: person?.members ?? 4 });
  const membersRow = el("label", { class: "row" }, say("people.members"), members);
  const skills = rows(say("people.skills"), say("people.addSkill"), (known) => skillRow(known, characters, fieldsOf(characters.skill_fields)));
  const weapons = rows(say("people.weapons"), say("people.addWeapon"), (known) => weaponRow(known, game, fieldsOf, () => skills.read().map((one) => one.name)));
  const limits = el("div", { class: "limits" });
  const defences = buildForm(fieldsOf(characters.defence_fields), person?.defences ?? {});
  const notes = el("textarea", { id: "person-notes", rows: 2, maxlength: MOST_LINE, text: person?.notes ?? "" });
  let limitInputs = [];
  const showKind = () => {
    membersRow.hidden = kind.value !== "group";
    const wanted = (characters.trackers[kind.value] ?? []).filter((one) => characters.own_limits.includes(one));
    limitInputs = wanted.map((one) => {
      const tracker = game.trackers.find((other) => other.name === one);
      const input = el("input", { type: "number", inputmode: "numeric", min: 1, max: tracker.most, id: `limit-${one}`, value: person?.trackers[one]?.most ?? "" });
      return [one, input, tracker];
    });
    limits.replaceChildren(...limitInputs.map(([, input, tracker]) => el("label", { class: "row" }, say("people.limit", { title: tracker.title }), input)));
  };
  kind.addEventListener("change", showKind);
  showKind();
  for (const one of person?.skills ?? []) skills.add(one);
  for (const one of person?.weapons ?? []) weapons.add(one);
  if (!person) skills.add(null);
  const form = el("form", { class: "editor", id: "person-editor" },
    el("label", { class: "row" }, say("people.name"), name), el("label", { class: "row" }, say("people.kind"), kind), membersRow, limits,
    skills.node, weapons.node,
    fieldsOf(characters.defence_fields).length > 0 && el("details", {}, el("summary", { text: say("people.defences") }), defences.node),
    el("details", {}, el("summary", { text: say("people.notes") }), el("label", { class: "row" }, say("people.notes"), notes)),
    el("div", { class: "acts" }, el("button", { type: "submit", class: "primary", text: say("people.save") })));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const trackers = Object.fromEntries(limitInputs.filter(([, input]) => input.value).map(([one, input]) => [one, { ...(person ? { change: 0 } : { value: 0 }), most: Number(input.value) }]));
    const told = {
      ...(person ? { id: person.id } : { game: game.name }),
      name: name.value.trim(), kind: kind.value, skills: skills.read(), weapons: weapons.read(), defences: defences.read(), trackers, notes: notes.value.trim(),
      ...(kind.value === "group" && { members: Number(members.value) || 1 }),
    };
    if (await save(told)) document.getElementById("sheet").close();
  });
  openSheet(person ? say("people.editOf", { name: person.name }) : say("people.add"), html`${form}`);
  if (!person) name.focus();
}

/** Rows of one kind, each with a way to take it away, and a button for one more. */
function rows(title, more, build) {
  const box = el("div", { class: "editor-rows" });
  const readers = new Map();
  const add = (known) => {
    const { node, read } = build(known);
    const line = el("div", { class: "editor-row" }, node, el("button", { type: "button", class: "step", "aria-label": say("people.takeRow"), text: "×", onclick: () => {
      readers.delete(line);
      line.remove();
    } }));
    readers.set(line, read);
    box.append(line);
  };
  const node = el("fieldset", { class: "editor-part" }, el("legend", { text: title }), box, el("button", { type: "button", text: more, onclick: () => add(null) }));
  return { node, add, read: () => [...readers.values()].map((read) => read()).filter((one) => one.name) };
}

let lists = 0;

function named(value, names, label) {
  lists += 1;
  const id = `known-${lists}`;
  const input = el("input", { type: "text", maxlength: 60, autocomplete: "off", list: id, value, "aria-label": label, placeholder: label });
  return [input, el("datalist", { id }, ...names.map((one) => el("option", { value: one })))];
}

/** A skill by a known name or another one, with what the game asks for a skill. */
function skillRow(known, characters, fields) {
  const [input, list] = named(known?.name ?? "", characters.skills.map((one) => one.name), say("people.skillName"));
  const form = buildForm(fields, known?.ask ?? {});
  return { node: el("div", { class: "editor-fields" }, input, list, form.node), read: () => ({ name: input.value.trim(), ask: { ...others(known?.ask, fields), ...form.read() } }) };
}

/** What an answer of before says that has no field here. */
const others = (ask = {}, fields) => Object.fromEntries(Object.entries(ask).filter(([name]) => !fields.some((field) => field.name === name)));

function weaponRow(known, game, fieldsOf, skillNames) {
  const { characters } = game;
  const [input] = named(known?.name ?? "", [], say("people.weaponName"));
  const skill = el("select", { "aria-label": say("people.weaponSkill") });
  const fill = () => {
    const now = skill.value || (known?.skill ?? "");
    skill.replaceChildren(...["", ...new Set([...skillNames(), ...(now ? [now] : [])])].map((one) => el("option", { value: one, text: one || say("people.weaponSkill"), selected: one === now })));
  };
  skill.addEventListener("focus", fill);
  skill.addEventListener("pointerdown", fill);
  fill();
  const attackFields = fieldsOf(characters.weapon_fields);
  const damageFields = fieldsOf(characters.damage_fields);
  const attack = buildForm(attackFields, known?.ask ?? {});
  const damage = buildForm(damageFields, known?.damage ?? {});
  const purpose = game.form.find((field) => field.name === "purpose");
  const has = (name) => purpose?.choices.some((one) => one.name === name);
  const read = () => {
    const ask = { ...(has("attack") && { purpose: "attack" }), ...others(known?.ask, attackFields), ...attack.read() };
    const hurt = damage.read();
    const isHurting = Object.keys(hurt).length > 0;
    return { name: input.value.trim(), skill: skill.value, ask, damage: isHurting ? { ...others(known?.damage, damageFields), ...(has("damage") && { purpose: "damage" }), ...hurt } : {} };
  };
  return { node: el("div", { class: "editor-fields" }, input, skill, attack.node, damageFields.length > 0 && el("fieldset", { class: "field" }, el("legend", { text: say("people.damage") }), damage.node)), read };
}
