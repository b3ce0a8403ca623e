// Writing down somebody: a name, typed once, and taps for all else. What a game asks of its people, the game says.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { newId } from "../dom.js";
import { icon } from "../draw/icon.js";
import { recallHere, rememberHere } from "../memory.js";
import { COLOURS, EMBLEMS, card, choiceRow, face, figure, freeColour } from "../part/card.js";
import { plain } from "../part/ready.js";
import { closeSheet, openPage } from "../part/sheet.js";
import { plainSaid } from "../said.js";
import { say, sayOr } from "../strings.js";
import { crewOf, fieldOf } from "./draft.js";
import { joinsWords } from "./joins.js";
import { codeBy, firstRating, isOneLine, rating } from "./rating.js";

/** @type {(keyof Person & keyof DraftPerson)[]} */
export const OWN = ["game", "name", "kind", "role", "colour", "emblem", "skills", "weapons", "defences", "trackers", "notes", "joins", "crew"]; // what the table takes of somebody
/** @type {Told["PersonKind"][]} */
const KINDS = ["player", "person", "group", "thing"];
const FIRST_MEMBERS = 4;
const MOST_MEMBERS = 12;
const MOST_NAME = 60;
const MOST_NOTES = 2000;
const NEAR = 9; // skills that are offered as chips
const MOST_FIGURES = 6;
const MOST_OF_TALENT = 9; // of one thing that a talent adds
const OTHERS_SHARE = 0.45; // of a hero's limits that one of a group begins with
const THING_LIMIT = 10;

/** @typedef {Person["trackers"]} Gauges */
/** @typedef {Partial<Person> & Pick<Person, "id" | "name" | "kind" | "skills" | "weapons" | "trackers" | "defences" | "states" | "members" | "colour" | "emblem" | "role" | "notes"> & { isNew?: boolean, talent?: Partial<Talent> }} Written somebody as the editor has them */
/** @typedef {Pick<Lasting, "name" | "skills" | "ask" | "damage" | "words">} Talent */
/**
 * @typedef {{ set: (part: Partial<Written>) => void, go: (where: string) => void, setKind: (kind: Told["PersonKind"]) => void, addSkill: (name: string) => void,
 *   setSkill: (name: string, ask: Answers) => void, finish: () => unknown, word: (text: string) => void }} EditAct
 * @typedef {{ game: Game, people: Person[], act: EditAct, words: string, withSkill: (skills: Told["Skill"][], name: string) => Told["Skill"][] }} Editing
 */

/** Names that stand in one line, divided by commas. @param {string} text */
const namesOf = (text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

const middle = (/** @type {number[]} */ list) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)];

/** What somebody new has in numbers, from what the ready heroes have: limits, points, defences. @param {Game} game @param {Told["PersonKind"]} kind */
function usual(game, kind) {
  const heroes = game.ready.heroes;
  const share = kind === "group" ? OTHERS_SHARE : 1;
  /** @type {Gauges} */
  const trackers = {};
  for (const name of game.characters.trackers[kind] ?? []) {
    const all = heroes.map((hero) => hero.trackers[name]).filter(Boolean);
    const most = all.map((one) => one.most).filter((one) => one !== null);
    const isOwn = game.characters.own_limits.includes(name);
    if (most.length > 0) trackers[name] = { value: all[0].value && Math.floor(share * middle(most)), most: Math.max(1, Math.floor(share * middle(most))) };
    else if (isOwn && kind === "thing") trackers[name] = { value: 0, most: THING_LIMIT };
    else if (all.length > 0 && kind === "player") trackers[name] = /** @type {Told["Gauge"]} */ ({ value: middle(all.map((one) => one.value)) });
  }
  const defences = { ...heroes[0]?.defences };
  for (const [name, value] of Object.entries(defences))
    if (typeof value === "number") defences[name] = middle(heroes.map((hero) => /** @type {number} */ (hero.defences[name] ?? 0)));
  return { trackers, defences };
}

/** The skills of a game: its own, and those that its ready heroes have; each with the answers that it brings. @param {Game} game @returns {Map<string, Answers>} */
function skillsOf(game) {
  const found = new Map(game.characters.skills.map((one) => [one.name, {}]));
  for (const hero of game.ready.heroes)
    for (const { name, ask } of hero.skills) if (!found.has(name) || Object.keys(found.get(name) ?? {}).length === 0) found.set(name, ask);
  return found;
}

/** The skills that are offered, those first that go with what somebody has already. @param {Game} game @param {string[]} chosen */
function near(game, chosen) {
  /** @type {Map<string, number>} */
  const goes = new Map();
  for (const hero of game.ready.heroes) {
    const shared = hero.skills.filter((one) => chosen.includes(one.name)).length;
    for (const one of hero.skills) goes.set(one.name, (goes.get(one.name) ?? 0) + 10 * shared + 1);
  }
  const all = [...skillsOf(game).keys()].filter((name) => !chosen.includes(name));
  return all
    .map((name, n) => ({ name, n }))
    .sort((a, b) => (goes.get(b.name) ?? 0) - (goes.get(a.name) ?? 0) || a.n - b.n)
    .slice(0, NEAR)
    .map((one) => one.name)
    .sort((a, b) => a.localeCompare(b));
}

/** Somebody new, as the editor begins. @param {Game} game @param {Anybody[]} people @param {Told["PersonKind"]} [kind] */
export function newPerson(game, people, kind = "player") {
  return {
    id: newId(),
    isNew: true,
    game: game.name,
    name: "",
    kind,
    members: FIRST_MEMBERS,
    role: "",
    colour: freeColour(people, kind),
    emblem: "",
    skills: [],
    weapons: [],
    notes: "",
    states: [],
    joins: "",
    crew: [],
    ...usual(game, kind),
  };
}

/** What was being written when the page was left, or null. */
export const keptPerson = () => recallHere("person");
const keep = (/** @type {Written | null} */ draft) => rememberHere("person", draft);

/** What of the trackers is another than it was: by how much, so that a wound that came meanwhile stays. @param {Gauges} before @param {Gauges} after */
function movedFrom(before, after) {
  /** @type {NonNullable<Sent<Told["SentPerson"]>["trackers"]>} */
  const found = {};
  for (const [name, { value, most }] of Object.entries(after)) {
    const was = before[name] ?? { value: 0, most: null };
    if (value !== was.value || most !== was.most) found[name] = { change: value - was.value, most };
  }
  return found;
}

/**
 * Open the editor for `start`, somebody new or as they are. `save(forms, isNew)` resolves to whether they were taken; several
 * names make several. It stays over a reload, until it is saved or closed.
 * @param {DraftPerson} start @param {{ game: Game, people: Person[], save: (forms: DraftPerson[], isNew: boolean) => Promise<boolean> }} how
 */
export function editPerson(start, { game, people, save }) {
  let draft = /** @type {Written} */ (structuredClone(start));
  let place = ""; // which page of the editor is open
  let words = "";
  const set = (/** @type {Partial<Written>} */ part) => {
    draft = { ...draft, ...part };
    keep(draft);
    draw();
  };
  const go = (/** @type {string} */ where) => {
    place = where;
    words = "";
    draw();
  };
  const setKind = (/** @type {Told["PersonKind"]} */ kind) => {
    if (kind === draft.kind) return;
    const isUntouched = draft.isNew && draft.colour === freeColour(people, draft.kind);
    set({ kind, ...(draft.isNew && usual(game, kind)), ...(isUntouched && { colour: /** @type {Person["colour"]} */ (freeColour(people, kind)) }) });
  };
  const withSkill = (/** @type {Told["Skill"][]} */ skills, /** @type {string} */ name) =>
    skills.some((one) => one.name === name) ? skills : [...skills, { name, ask: firstRating(game, skillsOf(game).get(name)) }];
  const addSkill = (/** @type {string} */ name) => {
    set({ skills: withSkill(draft.skills, name) });
    if (place) go("");
  };
  const setSkill = (/** @type {string} */ name, /** @type {Answers} */ ask) =>
    set({ skills: draft.skills.map((one) => (one.name === name ? { ...one, ask } : one)) });
  const finish = async () => {
    const names = namesOf(draft.name);
    if (names.length === 0) return;
    const { isNew, id, members } = draft;
    const form = /** @type {DraftPerson} */ (/** @type {unknown} */ (Object.fromEntries(OWN.map((name) => [name, draft[name]]))));
    if (!isNew) form.trackers = movedFrom(/** @type {Gauges} */ (start.trackers), draft.trackers);
    form.begins = talentsOf(draft);
    form.ends = talentsOf(/** @type {Written} */ (start))
      .filter((one) => !draft.states.some((other) => other.name === one.name))
      .map((one) => one.name);
    const whole = (/** @type {string} */ name, /** @type {number} */ n) => ({
      ...form,
      id: n === 0 || !isNew ? id : newId(),
      name,
      ...(form.kind === "group" && { members }),
      ...(n > 0 && { colour: /** @type {Person["colour"]} */ (COLOURS[(COLOURS.indexOf(form.colour ?? "") + n) % COLOURS.length]) }),
    });
    if (await save(isNew ? names.map(whole) : [whole(draft.name.trim(), 0)], Boolean(isNew))) {
      keep(null);
      closeSheet();
    }
  };
  /** @type {Record<string, (draft: Written, editing: Editing) => Drawing>} */
  const views = { "": main, skills: allSkills, weapons, talents, numbers: numbersPage, face: facePage, crew: crewPage };
  const act = {
    set,
    go,
    setKind,
    addSkill,
    setSkill,
    finish,
    word: (/** @type {string} */ text) => {
      words = text;
      draw();
    },
  };

  function draw() {
    const isMain = place === "";
    openPage(draft.isNew ? say("cast.new") : say("people.editOf", { name: start.name }), views[place](draft, { game, people, act, words, withSkill }), {
      back: isMain ? null : () => go(""),
      finish: isMain
        ? html`<button type="button" class="primary done" id="person-done" ?disabled=${namesOf(draft.name).length === 0} @click=${finish}>${say("pair.done")}</button>`
        : nothing,
      name: `person ${draft.id}`,
      whenEnded: () => keep(null),
    });
  }

  keep(draft);
  draw();
  if (draft.isNew && !draft.name) document.getElementById("person-name")?.focus();
}

/** @param {Written} draft @param {Editing} editing */
function main(draft, { game, people, act }) {
  const enter = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") act.finish();
  };
  return html`<div class="person-name-row"><button type="button" class="face-button" id="person-face" aria-label=${say("person.face")} @click=${() => act.go("face")}>${face({ ...draft, left: draft.members }, { rim: "never" })}</button>
      <input id="person-name" type="text" maxlength=${MOST_NAME * 4} autocomplete="off" autocapitalize="words" enterkeyhint="done" aria-label=${say("people.name")} placeholder=${say("people.name")} .value=${draft.name} @input=${(/** @type {Happened} */ event) => act.set({ name: event.target.value })} @keydown=${enter}></div>
    <div class="segments" role="group" aria-label=${say("people.kind")}>${KINDS.map((kind) => html`<button type="button" data-kind=${kind} aria-pressed=${String(kind === draft.kind)} @click=${() => act.setKind(kind)}>${say(`personKind.${kind}`)}</button>`)}</div>
    ${colours(draft, act)}
    ${draft.kind === "group" ? html`<div class="line-row"><span>${say("cast.howMany")}</span><span class="figures" aria-hidden="true">${Array.from({ length: Math.min(MOST_FIGURES, draft.members) }, () => figure(false))}</span>${stepper("person-members", draft.members, { least: 1, most: MOST_MEMBERS, title: say("cast.howMany") }, (members) => act.set({ members }))}</div>` : nothing}
    <ul class="rated">${repeat(
      draft.skills,
      (one) => one.name,
      (
        one,
      ) => html`<li data-skill=${one.name} ?data-wide=${!isOneLine(game)}><span class="rated-name">${one.name}</span>${rating(game, one, (ask) => act.setSkill(one.name, ask))}
      <button type="button" class="icon-button take-skill" aria-label=${say("cast.takeSkill", { name: one.name })} @click=${() => act.set({ skills: draft.skills.filter((other) => other !== one), weapons: draft.weapons.filter((weapon) => weapon.skill !== one.name) })}>${icon("x")}</button></li>`,
    )}</ul>
    <h3>${say("people.addSkill")}</h3>
    <div class="chips">${near(
      game,
      draft.skills.map((one) => one.name),
    ).map(
      (name) =>
        html`<button type="button" class="chip add-skill" data-skill=${name} @click=${() => act.addSkill(name)}>${icon("plus")}<span class="may-cut">${name}</span></button>`,
    )}
      <button type="button" class="chip outlined" id="all-skills" @click=${() => act.go("skills")}>${icon("search")}${say("cast.allSkills", { n: skillsOf(game).size })}</button></div>
    <div class="row-list-open">${opens("weapons", "crosshair", draft.weapons.map((one) => one.name).join(", ") || say("cast.weapon"), draft.weapons.length > 0 ? "" : say("cast.none"), act)}
      ${opens(
        "talents",
        "star",
        talentsOf(draft)
          .map((one) => plainSaid(one.name))
          .join(", ") || say("people.talents"),
        talentsOf(draft).length > 0 ? "" : say("cast.none"),
        act,
      )}
      ${opens(
        "numbers",
        "heart-pulse",
        numbersOf(draft, game)
          .map((one) => `${one.title} ${one.value}`)
          .join(", ") || say("cast.numbers"),
        "",
        act,
      )}
      ${
        draft.kind === "thing"
          ? opens(
              "crew",
              "users-round",
              crewOf(draft, people)
                .map((one) => one.name)
                .join(", ") || say("call.crew"),
              crewOf(draft, people).length > 0 ? "" : say("cast.none"),
              act,
            )
          : nothing
      }</div>`;
}

/** Who may be of a thing's crew; those who are show a check. @param {Written} draft @param {Editing} editing */
function crewPage(draft, { game, people, act }) {
  const crew = crewOf(draft, people).map((one) => one.id);
  const toggle = (/** @type {string} */ id) => act.set({ crew: crew.includes(id) ? crew.filter((one) => one !== id) : [...crew, id] });
  const here = people.filter((one) => one.game === game.name && one.kind !== "thing");
  return html`<h2>${say("call.crew")}</h2><p class="quiet">${say("call.crewMore")}</p><ul class="target-rows">${here.map((one) => choiceRow(one, crew.includes(one.id), () => toggle(one.id), { game }))}</ul>`;
}

/** @param {string} place @param {string} sign @param {string} title @param {Drawing} value @param {EditAct} act */
const opens = (place, sign, title, value, act) =>
  html`<button type="button" class="open-row" id=${`person-${place}`} @click=${() => act.go(place)}>${icon(sign)}<b class="may-cut">${title}</b><span class="quiet">${value}</span>${icon("chevron-right")}</button>`;

/** @param {Pick<DraftPerson, "colour">} draft @param {Pick<EditAct, "set">} act */
const colours = (draft, act) =>
  html`<div class="colours" role="group" aria-label=${say("person.colour")}>${COLOURS.map((name) => html`<button type="button" class="colour" data-colour=${name} aria-pressed=${String(name === draft.colour)} aria-label=${say(`colour.${name}`)} @click=${() => act.set({ colour: /** @type {Person["colour"]} */ (name) })}><span></span></button>`)}</div>`;

/** Colour and emblem. @param {Pick<DraftPerson, "colour" | "emblem" | "name">} draft @param {Pick<EditAct, "set">} act */
export const faceChoice = (draft, act, emblems = EMBLEMS) => html`${colours(draft, act)}
  <div class="emblems" role="group" aria-label=${say("person.emblem")}>${["", ...emblems].map((name) => html`<button type="button" class="emblem" data-emblem=${name || "letter"} aria-pressed=${String(name === draft.emblem)} aria-label=${name ? say(`emblem.${name}`) : say("person.letter")} @click=${() => act.set({ emblem: /** @type {Person["emblem"]} */ (name) })}>${name ? icon(name) : html`<b>${(draft.name.trim()[0] ?? "A").toUpperCase()}</b>`}</button>`)}</div>`;

/** @param {Written} draft @param {Editing} editing */
const facePage = (draft, { act }) => html`<div class="face-large">${face(draft, { rim: "never" })}</div>${faceChoice(draft, act)}
  <label class="line-row">${say("person.role")}<input id="person-role" type="text" maxlength="40" autocomplete="off" .value=${draft.role} @input=${(/** @type {Happened} */ event) => act.set({ role: event.target.value })}></label>
  <label class="notes-row">${say("people.notes")}<textarea id="person-notes" rows="4" maxlength=${MOST_NOTES} .value=${draft.notes} @input=${(/** @type {Happened} */ event) => act.set({ notes: event.target.value })}></textarea></label>`;

/** @param {Written} draft @param {Editing} editing */
function allSkills(draft, { game, act, words }) {
  const has = new Set(draft.skills.map((one) => one.name));
  const all = [...skillsOf(game).keys()].filter((name) => !has.has(name)).sort((a, b) => a.localeCompare(b));
  const wanted = words.trim().toLowerCase();
  const found = all.filter((name) => name.toLowerCase().includes(wanted));
  const own = words.trim();
  return html`<input id="skill-search" type="search" autocomplete="off" maxlength="60" aria-label=${say("lookup.words")} placeholder=${say("lookup.words")} .value=${words} @input=${(/** @type {Happened} */ event) => act.word(event.target.value)}>
    <div class="chips">${found.map((name) => html`<button type="button" class="chip add-skill" data-skill=${name} @click=${() => act.addSkill(name)}>${icon("plus")}<span class="may-cut">${name}</span></button>`)}
      ${own && !all.concat([...has]).some((name) => name.toLowerCase() === wanted) ? html`<button type="button" class="chip outlined" id="own-skill" @click=${() => act.addSkill(own)}>${icon("plus")}<span class="may-cut">${own}</span></button>` : nothing}</div>`;
}

/** The weapons of the game; those that somebody has show a check, and below each what it does, with - and +. @param {Written} draft @param {Editing} editing */
function weapons(draft, { game, act, withSkill }) {
  const known = new Map(/** @type {Told["Weapon"][]} */ ([...game.ready.weapons.map(plain), ...draft.weapons]).map((one) => [one.name, one]));
  const toggle = (/** @type {Told["Weapon"]} */ one) => {
    const isThere = draft.weapons.some((other) => other.name === one.name);
    if (isThere) act.set({ weapons: draft.weapons.filter((other) => other.name !== one.name) });
    else act.set({ weapons: [...draft.weapons, one], skills: one.skill ? withSkill(draft.skills, one.skill) : draft.skills });
  };
  return html`<h2>${say("cast.weapon")}</h2><ul class="weapon-choices">${repeat(
    [...known.values()],
    (one) => one.name,
    (one) => {
      const mine = draft.weapons.find((other) => other.name === one.name);
      return html`<li><button type="button" class="open-row" data-weapon=${one.name} aria-pressed=${String(Boolean(mine))} @click=${() => toggle(one)}>${icon("crosshair")}<b class="may-cut">${one.name}</b><span class="quiet">${one.skill}</span>${mine ? icon("check") : icon("plus")}</button>
      ${mine ? weaponNumbers(mine, game, (next) => act.set({ weapons: draft.weapons.map((other) => (other === mine ? next : other)) })) : nothing}</li>`;
    },
  )}</ul>`;
}

/** @template {{ name: string, until?: string }} One @param {{ states?: One[] }} person @returns {One[]} */
export const talentsOf = ({ states = [] }) => states.filter((one) => !one.until);

/** What joins this one's calls for good: each with what it does and a way to take it off; below, one more. @param {Written} draft @param {Editing} editing */
function talents(draft, { game, act }) {
  /** @type {Talent} */
  const next = { name: "", skills: draft.skills.slice(0, 1).map((one) => one.name), ask: {}, damage: {}, words: "", ...draft.talent };
  const set = (/** @type {Partial<Talent>} */ part) => act.set({ talent: { ...next, ...part } });
  const others = (/** @type {string} */ name) => draft.states.filter((one) => one.name !== name);
  const fields = game.characters.talent_fields.flatMap((name) => fieldOf(game, name) ?? []);
  const thrown = game.ready.weapons.some((one) => one.damage.code) ? fields : []; // damage that is a roll of its own
  const line = (/** @type {"ask" | "damage"} */ of, /** @type {Field} */ field, /** @type {string} */ title) =>
    html`<div class="line-row"><span>${title}</span>${stepper(`talent-${of}-${field.name}`, /** @type {Counts} */ (next[of])[field.name] ?? 0, { least: 0, most: MOST_OF_TALENT, title }, (value) => set({ [of]: { ...next[of], [field.name]: value } }))}</div>`;
  const name = next.name.trim();
  const add = () => {
    const given = (/** @type {Counts} */ answers) => Object.fromEntries(Object.entries(answers).filter(([, value]) => value > 0));
    act.set({
      states: [
        ...others(name),
        /** @type {Lasting} */ ({ ...next, name, until: "", ask: given(/** @type {Counts} */ (next.ask)), damage: given(/** @type {Counts} */ (next.damage)) }),
      ],
      talent: {},
    });
  };
  return html`<h2>${say("people.talents")}</h2><ul class="rated">${talentsOf(draft).map(
    (
      one,
    ) => html`<li data-talent=${one.name} data-wide><span class="two-lines"><b>${plainSaid(one.name)}</b><small>${[...(one.skills ?? []), plainSaid(one.words ?? ""), joinsWords(one, game)].filter(Boolean).join(", ")}</small></span>
      <button type="button" class="icon-button" aria-label=${say("talent.remove", { name: plainSaid(one.name) })} @click=${() => act.set({ states: others(one.name) })}>${icon("x")}</button></li>`,
  )}</ul>
    <input id="talent-name" type="text" maxlength=${MOST_NAME} autocomplete="off" placeholder=${say("talent.name")} aria-label=${say("talent.name")} .value=${next.name} @input=${(/** @type {Happened} */ event) => set({ name: event.target.value })}>
    <div class="chips">${["", ...draft.skills.map((one) => one.name)].map((skill) => html`<button type="button" class="chip" data-of=${skill} aria-pressed=${String((next.skills[0] ?? "") === skill)} @click=${() => set({ skills: skill ? [skill] : [] })}>${skill || say("talent.any")}</button>`)}</div>
    <div class="number-lines">${fields.map((field) => line("ask", field, field.title))}${thrown.map((field) => line("damage", field, say("talent.damage", { title: field.title })))}</div>
    <label class="line-row">${say("talent.words")}<input id="talent-words" type="text" maxlength="120" autocomplete="off" .value=${next.words} @input=${(/** @type {Happened} */ event) => set({ words: event.target.value })}></label>
    <button type="button" class="raised large" id="talent-add" ?disabled=${!name} @click=${add}>${icon("plus")} ${say("talent.add")}</button>`;
}

/** @param {Told["Weapon"]} weapon @param {Game} game @param {(weapon: Told["Weapon"]) => void} change */
function weaponNumbers(weapon, game, change) {
  const fields = game.characters.weapon_fields
    .flatMap((name) => fieldOf(game, name) ?? [])
    .filter((field) => field.kind === "number" && weapon.ask[field.name] !== undefined);
  const code = /** @type {string | undefined} */ (weapon.damage.code);
  return html`${code ? html`<div class="line-row"><span>${say("people.damage")}</span><span class="number-steps"><button type="button" class="step" aria-label=${say("roll.lessPips")} @click=${() => change({ ...weapon, damage: { ...weapon.damage, code: codeBy(code, -1) } })}>${icon("minus")}</button><b class="code-number">${code}</b><button type="button" class="step" aria-label=${say("roll.morePips")} @click=${() => change({ ...weapon, damage: { ...weapon.damage, code: codeBy(code, 1) } })}>${icon("plus")}</button></span></div>` : nothing}
    ${fields.map((field) => html`<div class="line-row"><span>${field.title}</span>${stepper(`weapon-${field.name}`, /** @type {Counts} */ (weapon.ask)[field.name], { least: field.least ?? 0, most: field.most ?? 99, title: field.title }, (value) => change({ ...weapon, ask: { ...weapon.ask, [field.name]: value } }))}</div>`)}`;
}

/** What of somebody is a number: limits, points, defences; each with how it is changed. @param {Written} draft @param {Game} game */
function numbersOf(draft, game) {
  /** @type {{ name: string, title: string, value: number, least: number, most: number, with: (next: number) => Partial<Written> }[]} */
  const found = [];
  for (const [name, one] of Object.entries(draft.trackers)) {
    const tracker = game.trackers.find((other) => other.name === name);
    const isLimit = game.characters.own_limits.includes(name);
    const isPoint = Object.values(game.characters.points).includes(name);
    if (!tracker || !(isLimit || isPoint) || (isLimit && one.most === undefined)) continue;
    const value = isLimit ? one.most : one.value;
    if (value === null) continue;
    found.push({
      name,
      title: tracker.title,
      value,
      least: isLimit ? 1 : tracker.least,
      most: tracker.most,
      with: (next) => ({
        trackers: {
          ...draft.trackers,
          [name]: isLimit ? { ...one, most: next, ...(tracker.counts_left && draft.isNew && { value: next }) } : { ...one, value: next },
        },
      }),
    });
  }
  for (const name of game.characters.defence_fields) {
    const field = fieldOf(game, name);
    if (field?.kind !== "number" || draft.defences[name] === undefined) continue;
    found.push({
      name,
      title: sayOr(`defence.${name}`, field.title),
      value: /** @type {number} */ (draft.defences[name]),
      least: field.least ?? 0,
      most: field.most ?? 99,
      with: (next) => ({ defences: { ...draft.defences, [name]: next } }),
    });
  }
  return found;
}

/** @param {Written} draft @param {Editing} editing */
const numbersPage = (draft, { game, act }) =>
  html`<h2>${say("cast.numbers")}</h2><div class="number-lines">${numbersOf(draft, game).map((one) => html`<div class="line-row"><span>${one.title}</span>${stepper(`number-${one.name}`, one.value, one, (value) => act.set(one.with(value)))}</div>`)}</div>
    <p class="field-title">${/** @type {Field} */ (fieldOf(game, "joins")).title}</p><div class="chips">${[{ name: "", title: say("person.joinsAsTable") }, .../** @type {Field} */ (fieldOf(game, "joins")).choices].map((one) => html`<button type="button" class="chip" data-rules=${one.name} aria-pressed=${String((draft.joins ?? "") === one.name)} @click=${() => act.set({ joins: /** @type {Person["joins"]} */ (one.name) })}>${one.title}</button>`)}</div>`;

/** @param {string} id @param {number} value @param {{ least: number, most: number, title: string }} of @param {(value: number) => void} change */
const stepper = (
  id,
  value,
  { least, most, title },
  change,
) => html`<span class="number-steps" id=${id}><button type="button" class="step" aria-label=${say("trackerLess", { title })} ?disabled=${value <= least} @click=${() => change(value - 1)}>${icon("minus")}</button><output class="code-number">${value}</output>
  <button type="button" class="step" aria-label=${say("trackerMore", { title })} ?disabled=${value >= most} @click=${() => change(value + 1)}>${icon("plus")}</button></span>`;

/** The ready heroes of a game as cards. `act(hero)` takes one. @param {Game} game @param {(hero: Hero) => unknown} act @param {{ taken?: string[] }} [how] */
export const readyCards = (game, act, { taken = [] } = {}) =>
  html`<div class="card-grid ready">${game.ready.heroes.map((hero) => card({ ...hero, kind: "player" }, { game, act: () => act(hero), isChosen: taken.includes(hero.name) ? true : null }))}</div>`;
