// What of a call is behind chips: target and range, help, a second skill, and all else that its purpose asks.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { whole } from "../draw/percent.js";
import { diamond, pip } from "../draw/token.js";
import { dieType, isDie, setOfSymbol } from "../dice.js";
import { choiceRow, face, smallDice } from "../part/card.js";
import { say, sayOr } from "../strings.js";
import {
  actorOf,
  actors,
  addedDie,
  chosenOf,
  crewOf,
  fieldOf,
  hasOwnDifficulty,
  isSeveral,
  lastCommand,
  lastTotal,
  roller,
  showsPoints,
  targetsOf,
  upgradedDie,
} from "./draft.js";
import { fieldRows, isAsked } from "./fields.js";
import { ratedBy } from "./rating.js";

const MOST_LABELS = 5; // things that rolls were last for
const LEAST_SHOWN = 0.005; // of the chances of an attack

/** Whether an answer says how far away it is. @param {string} name */
export function isRange(name) {
  return ["range", "band", "about", "distance"].includes(name);
}

/** Fields that stand together, in this order; which of them a game has, its form says. @type {Record<string, { sign?: string, of: (name: string) => boolean }>} */
const GROUPS = {
  range: { of: isRange },
  second: { sign: "layers", of: (name) => name.startsWith("second_") },
  helper: { of: (name) => name.startsWith("helper_") },
  opposed: { of: (name) => name.startsWith("opponent_") || name === "adversary" },
  symbols: { sign: "star", of: (name) => Boolean(setOfSymbol(name)) },
  powers: { sign: "zap", of: (name) => isDie(name) && showsPoints(name) },
};
/** Answers that the tab itself draws, or that follow from what is tapped there. @param {string} name */
const DRAWN = (name) =>
  /^(upgrade|downgrade)_/.test(name) ||
  ["purpose", "difficulty", "remove", "pips", "actions", "force_point", "of_master", "skill_used", "helping_hand", "raising_the_stakes", "players"].includes(
    name,
  );
/** @param {PhoneSeen} seen */
const purposeOf = ({ game, ui: { draft, preview } }) => draft.ask.purpose ?? preview?.answers?.purpose ?? fieldOf(game, "purpose")?.default;

/** The fields of the form that are asked now and that nothing else on the tab draws, by the chip that holds them. @param {PhoneSeen} seen */
function grouped(seen) {
  const {
    game,
    ui: { draft, preview },
  } = seen;
  const answers = { ...preview?.answers, ...draft.ask, purpose: purposeOf(seen) };
  const isFree = !draft.who || draft.isOther;
  const added = [addedDie(game, false), addedDie(game, true)]; // the tab's own buttons
  const ofSkill = [...(ratedBy(game) ?? []), ...game.characters.filled, "dice", "code"]; // asked where nobody's skill is used
  const asked = game.form.filter(
    (field) =>
      !field.setting && !DRAWN(field.name) && !added.includes(field.name) && (isFree || !ofSkill.includes(field.name)) && isAsked(field, answers, game.form),
  );
  /** @type {Record<string, Field[]>} */
  const found = { rest: [] };
  for (const field of asked) {
    const name = Object.keys(GROUPS).find((one) => GROUPS[one].of(field.name)) ?? "rest";
    (found[name] ??= []).push(field);
  }
  return found;
}

/** The chips of the call, each `{ name, sign, title, isSet }`; `press` does something at once in place of a sheet. @param {PhoneSeen} seen @param {Actor | null} actor @returns {CallChip[]} */
export function chipsOf(seen, actor) {
  const {
    ui: { draft, oddsFor },
    game,
    act,
  } = seen;
  const isSeen = oddsFor === "all";
  /** @type {CallChip[]} */
  const chips = [targetChip(seen, actor)];
  if (game.characters.can_help && actor?.id && !isSeveral(draft))
    chips.push({
      name: "help",
      sign: icon("handshake"),
      title: draft.isHelp
        ? chosenOf(seen)
            .slice(1)
            .map((one) => one.name)
            .join(", ")
        : say("call.help"),
      isSet: draft.isHelp,
    });
  const crew = crewOf(actor, seen.ui.people);
  if (crew.length > 0 && !isSeveral(draft)) {
    const by = roller(seen, actor) ?? /** @type {Actor} */ (actor);
    chips.push({ name: "crew", sign: face(by, { game, rim: "never" }), title: say("crewRolls", { who: by.name }), isSet: true });
  }
  return [
    ...chips,
    ...points(seen, actor),
    {
      name: "odds",
      id: "odds-eye",
      sign: icon(isSeen ? "eye" : "eye-off"),
      title: say(isSeen ? "roll.allSee" : "roll.onlyMe"),
      isSet: isSeen,
      press: () => act.oddsFor(isSeen ? "gm" : "all"),
    },
    {
      name: "rest",
      sign: icon("ellipsis"),
      label: say("call.rest"),
      isSet: Boolean(
        draft.label || draft.hidden || draft.ask.purpose || moreOf(seen).some((group) => group.fields.some((field) => draft.ask[field.name] !== undefined)),
      ),
    },
  ];
}

/** What is seldom asked, each group a row of the sheet behind the dots. @param {PhoneSeen} seen */
function moreOf(seen) {
  const fields = grouped(seen);
  return ["second", "symbols", "powers"].flatMap((name) => (fields[name] ? [{ name, fields: fields[name] }] : []));
}

/** @param {PhoneSeen} seen @param {Actor | null} actor */
function targetChip(seen, actor) {
  const {
    ui: { draft, people, preview },
    game,
  } = seen;
  const total = draft.lastTotal && lastTotal(seen, actor);
  const aimed = (draft.targets ?? [draft.against]).flatMap((id) => people.find((one) => one.id === id) ?? []);
  const range = hasTarget(draft) ? (grouped(seen).range ?? []).find((field) => preview?.answers?.[field.name] !== undefined) : null;
  const value = range && preview?.answers[range.name];
  const far = range
    ? (range.choices
        ?.find((one) => one.name === value)
        ?.title.split(",")[0]
        .toLowerCase() ?? String(value))
    : "";
  /** @type {{ sign: Drawing, title: string, isGuess?: boolean }} */
  const named = total
    ? { sign: icon("target"), title: say("roll.lastTotal", { who: total.by, what: total.label, n: total.net.total }) }
    : aimed.length > 0
      ? { sign: face(aimed[0], { game, rim: "hurt" }), title: aimed.map((one) => one.name).join(", "), isGuess: draft.isGuess }
      : { sign: icon("target"), title: say(draft.weapon ? "call.noTarget" : "call.target") };
  return { name: "target", ...named, title: [named.title, far].filter(Boolean).join(", "), isSet: Boolean(total) || aimed.length > 0 };
}

const hasTarget = (/** @type {Draft} */ draft) => Boolean(draft.weapon || draft.against || draft.lastTotal);

/** Points that join a call: one that doubles it is a press, those that add dice open a sheet. @param {PhoneSeen} seen @param {Actor | null} actor @returns {CallChip[]} */
function points({ ui: { draft, preview }, game, act }, actor) {
  const { light, character } = game.characters.points;
  const [force, extra] = [fieldOf(game, "force_point"), fieldOf(game, "character_points")];
  if (!light || !actor?.id) return [];
  const has = (/** @type {string} */ name) => actor.trackers[name]?.value ?? 0;
  const isOn = Boolean(draft.ask.force_point ?? preview?.answers?.force_point);
  return [
    ...(force && (has(light) > 0 || isOn)
      ? [
          {
            name: "force_point",
            sign: html`<span class="chip-token">${diamond("light")}</span>`,
            title: force.title,
            isSet: isOn,
            press: () => act.answer({ force_point: isOn ? undefined : true }),
          },
        ]
      : []),
    ...(extra && (has(character) > 0 || draft.ask.character_points)
      ? [
          {
            name: "points",
            sign: html`<span class="chip-token">${pip()}</span>`,
            title: say("roll.pointsLeft", { n: has(character) }),
            isSet: Boolean(draft.ask.character_points),
          },
        ]
      : []),
  ];
}

/** What lies behind a chip; nothing where the game has no such points. @param {string} name @param {PhoneSeen} seen */
export function callSheet(name, seen) {
  const points = fieldOf(seen.game, "character_points");
  if (name === "points") return points && { title: points.title, body: fieldsSheet([points], seen) };
  return { title: say(`call.${name}`), body: SHEETS[name]?.(seen) ?? fieldsSheet(grouped(seen)[name] ?? [], seen) };
}

/** @type {Record<string, (seen: PhoneSeen) => Drawing>} */
const SHEETS = { target: targetSheet, help: helpSheet, rest: restSheet, purpose: purposeSheet, any: anySheet, crew: crewSheet };

/** @param {Field[]} fields @param {PhoneSeen} seen */
const fieldsSheet = (fields, { game, ui: { draft, preview }, act }) =>
  fieldRows(fields, draft.ask, (name, value) => act.answer({ [name]: value }), { known: preview?.answers ?? {}, all: game.form });

/** Whom it is against, one below the other; the way to nobody has a row of its own. @param {PhoneSeen} seen */
function targetSheet(seen) {
  const {
    ui: { draft },
    act,
    game,
  } = seen;
  const actor = actorOf(seen);
  const fields = grouped(seen);
  const total = lastTotal(seen, actor);
  const isMany = Boolean(draft.targets);
  const isAt = (/** @type {Person} */ one) => (draft.targets ?? [draft.against]).includes(one.id) && !draft.lastTotal;
  const check = (/** @type {boolean} */ isChosen) => (isChosen ? icon("check") : nothing);
  /** @param {string} id @param {Drawing} sign @param {string} title @param {string} more @param {boolean} isChosen @param {() => void} press */
  const plainRow = (id, sign, title, more, isChosen, press) =>
    html`<li><button type="button" class="person-row" id=${id} aria-pressed=${String(isChosen)} @click=${press}>${sign}<span class="person-what"><b>${title}</b><span class="person-state">${more}</span></span><span class="person-right">${check(isChosen)}</span></button></li>`;
  return html`<ul class="target-rows">
    ${total ? plainRow("target-total", html`<span class="dashed-face">${icon("shield")}</span>`, say("roll.lastTotal", { who: total.by, what: total.label, n: total.net.total }), say("call.totalMore"), draft.lastTotal === total.id, () => act.draft({ lastTotal: total.id, against: "", targets: null, isGuess: false })) : nothing}
    ${repeat(
      targetsOf(seen, actor),
      (one) => one.id,
      (one) => choiceRow(one, isAt(one), () => act.aim(one.id), { game, state: withstands(one, game) }),
    )}
    ${plainRow("no-target", html`<span class="dashed-face">${icon("x")}</span>`, say("call.noTarget"), say(draft.weapon ? "call.noTargetMore" : "call.notOpposed"), !draft.against && !draft.lastTotal, () => act.draft({ against: "", againstSkill: "", lastTotal: "", targets: null, isGuess: false }))}</ul>
    ${draft.against ? html`<label class="line-row switch"><span>${say("roll.severalTargets")}</span><input type="checkbox" role="switch" id="several-targets" .checked=${isMany} @change=${() => act.draft({ targets: isMany ? null : [draft.against], lastTotal: "" })}></label>` : nothing}
    ${resistance(seen)}
    ${fieldsSheet([...(fields.range ?? []), ...(fields.opposed ?? [])], seen)}${makes(seen)}${attackLines(seen.ui.preview?.attack)}`;
}

/** A whole attack: that it hits, that it does something, and that it does more than the least. @param {Told["ShownAttack"] | null | undefined} attack */
function attackLines(attack) {
  if (!attack) return nothing;
  return html`<div class="attack-line"><p><b>${whole(attack.hits)} %</b> ${say("attack.hits")}</p><p><b>${whole(attack.hurts)} %</b> ${say("attack.hurts")}</p>
    <ul class="attack-ends">${attack.ends
      .slice(1)
      .filter((one) => one.at_least >= LEAST_SHOWN)
      .map(
        (one) => html`<li><span>${one === attack.ends.at(-1) ? one.name : say("attack.orMore", { what: one.name })}</span><b>${whole(one.at_least)} %</b></li>`,
      )}</ul></div>`;
}

/** Whom a call that stands is against, to be changed by a tap. @param {PhoneSeen} seen @param {(id: string) => void} choose */
export function chosenTarget(seen, choose) {
  const { ui, game } = seen;
  return ui.draft.weapon || ui.draft.against
    ? html`<ul class="target-rows">${targetsOf(seen, actorOf(seen)).map((one) => choiceRow(one, one.id === ui.draft.against, () => choose(one.id), { game, state: withstands(one, game) }))}</ul>`
    : nothing;
}

/** "Soak 5, 3 of 4 standing" @param {Person} person @param {Game} game */
export function withstands(person, game) {
  const shown = Object.entries(person.defences)
    .filter(([, value]) => typeof value === "number" && value > 0)
    .slice(0, 2);
  const title = (/** @type {string} */ name) => sayOr(`defence.${name}`, game.form.find((one) => one.name === name)?.title ?? name);
  return [
    ...shown.map(([name, value]) => `${title(name)} ${value}`),
    person.kind === "group" ? say("fight.standing", { n: person.left, of: person.members }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** What the other side resists with, where the rules leave a choice. @param {PhoneSeen} seen */
function resistance({ ui: { draft, people }, act, game }) {
  const skills = people.find((one) => one.id === draft.against)?.skills ?? [];
  if (!game.characters.can_resist || !draft.skill || draft.targets || draft.lastTotal || skills.length === 0) return nothing;
  return html`<p class="field-title">${say("roll.resistsWith")}</p><div class="chips" role="group" aria-label=${say("roll.resistsWith")}><button type="button" class="chip resisting" data-skill="" aria-pressed=${String(!draft.againstSkill)} @click=${() => act.draft({ againstSkill: "" })}>${say("call.byRules")}</button>
    ${skills.map((one) => html`<button type="button" class="chip resisting" data-skill=${one.name} aria-pressed=${String(draft.againstSkill === one.name)} @click=${() => act.draft({ againstSkill: one.name })}>${one.name}</button>`)}</div>`;
}

/** What it comes to: the dice against, and what they are called. @param {PhoneSeen} seen */
function makes(seen) {
  const { preview } = seen.ui;
  const against = Object.fromEntries(Object.entries(preview?.dice ?? {}).filter(([name]) => dieType(name).hinders));
  if (Object.keys(against).length === 0 || !hasOwnDifficulty(seen)) return nothing;
  return html`<p class="makes"><b>${say("call.makes")}</b>${smallDice(against)}</p>`;
}

/** Who helps: one leads, where the rules want it, and others lend a hand. @param {PhoneSeen} seen */
function helpSheet(seen) {
  const {
    ui: { draft },
    act,
    game,
  } = seen;
  const actor = actorOf(seen);
  const command = lastCommand(seen);
  const others = actors(seen).filter((one) => one.id && one.key !== draft.who && one.kind === actor?.kind);
  return html`<ul class="target-rows">${repeat(
    others,
    (one) => one.key,
    (one) => choiceRow(one, draft.isHelp && draft.others.includes(one.key), () => act.helps(one.key), { game }),
  )}</ul>
    ${command && draft.isHelp ? html`<label class="line-row switch"><span>${say("roll.lastTotal", { who: command.by, what: command.label, n: command.net.total })}</span><input type="checkbox" role="switch" .checked=${draft.ledBy === command.id} @change=${(/** @type {Happened} */ event) => act.draft({ ledBy: event.target.checked ? command.id : "" })}></label>` : nothing}
    ${fieldsSheet(grouped(seen).helper ?? [], seen)}`;
}

/** Who of a thing's crew rolls, or the thing itself. @param {PhoneSeen} seen */
function crewSheet(seen) {
  const { act, game } = seen;
  const actor = /** @type {Person} */ (actorOf(seen)); // who has a crew is of the scene
  const by = roller(seen, actor) ?? actor;
  const choices = [...crewOf(actor, seen.ui.people), actor];
  return html`<ul class="target-rows">${repeat(
    choices,
    (one) => one.id,
    (one) => choiceRow(one, one.id === by.id, () => act.draft({ crew: one === actor ? "" : one.id }), { game }),
  )}</ul>`;
}

/** All that is seldom asked. @param {PhoneSeen} seen */
function restSheet(seen) {
  const {
    game,
    act,
    state,
    ui: { draft },
  } = seen;
  const purpose = fieldOf(game, "purpose");
  const labels = [...new Set(state.history.map((roll) => roll.label).filter(Boolean))].slice(0, MOST_LABELS);
  /** @param {string} name @param {string} sign @param {Drawing} value @param {() => void} press */
  const line = (name, sign, value, press) =>
    html`<button type="button" class="open-row two" data-row=${name} @click=${press}>${icon(sign)}<span><b>${say(`call.${name}`)}</b><small>${say(`call.${name}More`)}</small></span><span class="quiet">${value}</span>${icon("chevron-right")}</button>`;
  return html`<label class="for-line">${icon("pencil")}<span class="hidden">${say("whatFor")}</span><input id="ask-label" type="text" maxlength="60" autocomplete="off" list="labels" placeholder=${say("roll.whatFor")} .value=${draft.label} @input=${(/** @type {Happened} */ event) => act.draft({ label: event.target.value })}>
      <datalist id="labels">${labels.map((one) => html`<option value=${one}></option>`)}</datalist></label>
    <div>${game.characters.can_resist && !draft.weapon ? line("opposed", "users-round", draft.against ? targetChip(seen, actorOf(seen)).title : say("call.none"), () => act.sheet("target")) : nothing}
    ${moreOf(seen).map(({ name, fields: list }) => line(name, GROUPS[name].sign ?? "", asked(list, draft.ask), () => act.sheet(name)))}
    ${line("purpose", "list", purpose?.choices.find((one) => one.name === purposeOf(seen))?.title ?? nothing, () => act.sheet("purpose"))}</div>
    <label class="line-row switch"><span>${say("hidden")}</span><input type="checkbox" role="switch" id="ask-hidden" .checked=${draft.hidden} @change=${(/** @type {Happened} */ event) => act.draft({ hidden: event.target.checked })}></label>
    ${upgradedDie(game, false) ? html`<p class="quiet">${say("call.diceHelp")}</p>` : nothing}`;
}

/** What is thrown for, and what that asks. @param {PhoneSeen} seen */
function purposeSheet(seen) {
  const {
    game,
    act,
    ui: { draft },
  } = seen;
  const { choices = [], default: usual = "", title = "" } = fieldOf(game, "purpose") ?? {};
  const now = purposeOf(seen);
  const fields = grouped(seen);
  return html`${choices.length > 1 ? html`<div class="chips purposes" role="group" aria-label=${title}>${choices.map((one) => html`<button type="button" class="chip" data-purpose=${one.name} aria-pressed=${String(one.name === now)} @click=${() => one.name !== now && act.answer({ purpose: one.name === usual ? undefined : one.name })}>${one.title}</button>`)}</div>` : nothing}
    ${fieldsSheet([...fields.rest, ...(hasTarget(draft) ? [] : (fields.range ?? []))], seen)}`;
}

/** "2", "none": what of some fields is asked. @param {Field[]} fields @param {Answers} ask */
const asked = (fields, ask) =>
  fields
    .map((field) => ask[field.name])
    .filter((value) => value !== undefined)
    .join(", ") || say("call.none");

/** Any skill that all may be called by: those of the game and those of anybody. @param {PhoneSeen} seen */
function anySheet(seen) {
  const { game, act } = seen;
  const names = [...new Set([...chosenOf(seen).flatMap((one) => one.skills.map((skill) => skill.name)), ...game.characters.skills.map((one) => one.name)])];
  return html`<div class="chips">${names
    .sort((a, b) => a.localeCompare(b))
    .map(
      (name) =>
        html`<button type="button" class="chip" data-any=${name} @click=${() => {
          act.chooseSkill({ name, isSkill: true });
          act.closeSheet();
        }}>${name}</button>`,
    )}</div>`;
}
