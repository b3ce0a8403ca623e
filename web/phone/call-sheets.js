// What of a call is behind chips: target and range, help, a second skill, and all else that its purpose asks.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { diamond, pip } from "../draw/token.js";
import { dieType, isDie, setOfSymbol } from "../dice.js";
import { face, row, smallDice } from "../part/card.js";
import { say, sayOr } from "../strings.js";
import { actorOf, actors, addedDie, chosenOf, fieldOf, hasOwnDifficulty, lastCommand, lastTotal, showsPoints, targetsOf } from "./draft.js";
import { fieldRows, isAsked } from "./fields.js";
import { ratedBy } from "./rating.js";

/** Fields that are one chip, in this order; which of them a game has, its form says. */
const GROUPS = {
  range: { sign: "ruler", of: (name) => ["range", "band", "about", "distance"].includes(name) },
  second: { sign: "layers", of: (name) => name.startsWith("second_") },
  helper: { sign: "hand-helping", of: (name) => name.startsWith("helper_") },
  opposed: { sign: "users-round", of: (name) => name.startsWith("opponent_") || name === "adversary" },
  symbols: { sign: "star", of: (name) => Boolean(setOfSymbol(name)) },
  powers: { sign: "zap", of: (name) => isDie(name) && showsPoints(name) },
};
/** Answers that the tab itself draws, or that follow from what is tapped there. */
const DRAWN = (name) =>
  /^(upgrade|downgrade)_/.test(name) ||
  ["purpose", "difficulty", "remove", "pips", "actions", "force_point", "of_master", "skill_used", "helping_hand", "raising_the_stakes", "players"].includes(
    name,
  );
const purposeOf = ({ game, ui: { draft, preview } }) => draft.ask.purpose ?? preview?.answers?.purpose ?? fieldOf(game, "purpose")?.default;

/** The fields of the form that are asked now and that nothing else on the tab draws, by the chip that holds them. */
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
  const found = { rest: [] };
  for (const field of asked) {
    const name = Object.keys(GROUPS).find((one) => GROUPS[one].of(field.name)) ?? "rest";
    (found[name] ??= []).push(field);
  }
  return found;
}

/** The chips of the call, each `{ name, sign, title, isSet }`; `press` does something at once in place of a sheet. */
export function chipsOf(seen, actor) {
  const {
    ui: { draft, preview },
    game,
  } = seen;
  const fields = grouped(seen);
  const isSet = (list) => (list ?? []).some((field) => draft.ask[field.name] !== undefined);
  const chips = [];
  const hasTarget = draft.weapon || draft.against || draft.lastTotal;
  const target = targetChip(seen, actor);
  const range = (fields.range ?? []).find((field) => preview?.answers?.[field.name] !== undefined);
  const rangeTitle =
    range && (range.choices.find((one) => one.name === preview.answers[range.name])?.title.split(",")[0] ?? String(preview.answers[range.name]));
  const rangeChip = fields.range && { name: "range", sign: icon("ruler"), title: rangeTitle ?? fields.range[0].title, isSet: isSet(fields.range) };
  if (hasTarget) chips.push(target, ...(rangeChip ? [rangeChip] : []));
  if (game.characters.can_help && actor?.id)
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
  chips.push(...points(seen, actor));
  for (const name of ["second", "opposed", "symbols", "powers"]) {
    if (!fields[name]) continue;
    if (name === "opposed" && !hasTarget) chips.push({ ...target, name: "target", sign: icon("users-round"), title: say("call.opposed"), isSet: false });
    else chips.push({ name, sign: icon(GROUPS[name].sign), title: say(`call.${name}`), isSet: isSet(fields[name]) });
  }
  if (!hasTarget && !fields.opposed) chips.push({ ...target, isSet: false });
  const rest = [...fields.rest, ...(fields.helper ?? []), ...(hasTarget ? [] : (fields.range ?? []))];
  const manyPurposes = (fieldOf(game, "purpose")?.choices.length ?? 0) > 4;
  if (rest.length > 0 || manyPurposes)
    chips.push({
      name: "rest",
      sign: icon("ellipsis"),
      title: manyPurposes && draft.ask.purpose ? fieldOf(game, "purpose").choices.find((one) => one.name === draft.ask.purpose)?.title : "",
      label: say("roll.more"),
      isSet: isSet(rest) || (manyPurposes && Boolean(draft.ask.purpose)),
    });
  return chips;
}

function targetChip(seen, actor) {
  const {
    ui: { draft, people },
    game,
  } = seen;
  const total = draft.lastTotal && lastTotal(seen, actor);
  const aimed = (draft.targets ?? [draft.against]).map((id) => people.find((one) => one.id === id)).filter(Boolean);
  if (total)
    return { name: "target", sign: icon("target"), title: say("roll.lastTotal", { who: total.by, what: total.label, n: total.net.total }), isSet: true };
  if (aimed.length > 0) return { name: "target", sign: face(aimed[0], { game, rim: "hurt" }), title: aimed.map((one) => one.name).join(", "), isSet: true };
  return { name: "target", sign: icon("target"), title: say(draft.weapon ? "call.noTarget" : "call.target"), isSet: false };
}

/** Points that join a call: one that doubles it is a press, those that add dice open a sheet. */
function points({ ui: { draft, preview }, game, act }, actor) {
  const { light, character } = game.characters.points;
  const [force, extra] = [fieldOf(game, "force_point"), fieldOf(game, "character_points")];
  if (!light || !actor?.id) return [];
  const has = (name) => actor.trackers[name]?.value ?? 0;
  const isOn = Boolean(draft.ask.force_point ?? preview?.answers?.force_point);
  return [
    ...(force
      ? [
          {
            name: "force_point",
            sign: html`<span class="chip-token">${diamond("light")}</span>`,
            title: force.title,
            isSet: isOn,
            isDisabled: has(light) === 0 && !isOn,
            press: () => act.answer({ force_point: isOn ? undefined : true }),
          },
        ]
      : []),
    ...(extra
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

/** What lies behind a chip; nothing where the game has no such points. */
export function callSheet(name, seen) {
  const points = fieldOf(seen.game, "character_points");
  if (name === "points") return points && { title: points.title, body: fieldsSheet([points], seen) };
  const title = say(name === "rest" ? "roll.more" : `call.${name}`);
  return { title, body: SHEETS[name]?.(seen) ?? fieldsSheet(grouped(seen)[name] ?? [], seen) };
}

const SHEETS = { target: targetSheet, help: helpSheet, rest: restSheet };

const fieldsSheet = (fields, { game, ui: { draft, preview }, act }) =>
  fieldRows(fields, draft.ask, (name, value) => act.answer({ [name]: value }), { known: preview?.answers ?? {}, all: game.form });

/** Whom it is against, one below the other; the way to nobody has a row of its own. */
function targetSheet(seen) {
  const {
    ui: { draft },
    act,
    game,
  } = seen;
  const actor = actorOf(seen);
  const total = lastTotal(seen, actor);
  const isMany = Boolean(draft.targets);
  const isAt = (one) => (draft.targets ?? [draft.against]).includes(one.id) && !draft.lastTotal;
  const check = (isChosen) => (isChosen ? icon("check") : nothing);
  const plainRow = (id, sign, title, more, isChosen, press) =>
    html`<li><button type="button" class="person-row" id=${id} aria-pressed=${String(isChosen)} @click=${press}>${sign}<span class="person-what"><b>${title}</b><span class="person-state">${more}</span></span><span class="person-right">${check(isChosen)}</span></button></li>`;
  return html`<ul class="target-rows">
    ${total ? plainRow("target-total", html`<span class="dashed-face">${icon("shield")}</span>`, say("roll.lastTotal", { who: total.by, what: total.label, n: total.net.total }), say("call.totalMore"), draft.lastTotal === total.id, () => act.draft({ lastTotal: total.id, against: "", targets: null })) : nothing}
    ${repeat(
      targetsOf(seen, actor),
      (one) => one.id,
      (one) =>
        html`<li>${row(one, { game, state: withstands(one, game), below: nothing, right: check(isAt(one)), isChosen: isAt(one), act: () => act.aim(one.id) })}</li>`,
    )}
    ${plainRow("no-target", html`<span class="dashed-face">${icon("x")}</span>`, say("call.noTarget"), say(draft.weapon ? "call.noTargetMore" : "call.notOpposed"), !draft.against && !draft.lastTotal, () => act.draft({ against: "", againstSkill: "", lastTotal: "", targets: null }))}</ul>
    ${draft.against ? html`<label class="line-row switch"><span>${say("roll.severalTargets")}</span><input type="checkbox" role="switch" id="several-targets" .checked=${isMany} @change=${() => act.draft({ targets: isMany ? null : [draft.against], lastTotal: "" })}></label>` : nothing}
    ${resistance(seen)}
    ${(grouped(seen).range ?? []).length > 0 ? fieldsSheet(grouped(seen).range, seen) : nothing}${makes(seen)}`;
}

/** "Soak 5, 3 of 4 standing" */
function withstands(person, game) {
  const shown = Object.entries(person.defences)
    .filter(([, value]) => typeof value === "number" && value > 0)
    .slice(0, 2);
  const title = (name) => sayOr(`defence.${name}`, game.form.find((one) => one.name === name)?.title ?? name);
  return [
    ...shown.map(([name, value]) => `${title(name)} ${value}`),
    person.kind === "group" ? say("fight.standing", { n: person.left, of: person.members }) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** What the other side resists with, where the rules leave a choice. */
function resistance({ ui: { draft, people }, act, game }) {
  const skills = people.find((one) => one.id === draft.against)?.skills ?? [];
  if (!game.characters.can_resist || !draft.skill || draft.targets || draft.lastTotal || skills.length === 0) return nothing;
  return html`<p class="field-title">${say("roll.resistsWith")}</p><div class="chips" role="group" aria-label=${say("roll.resistsWith")}><button type="button" class="chip resisting" data-skill="" aria-pressed=${String(!draft.againstSkill)} @click=${() => act.draft({ againstSkill: "" })}>${say("call.byRules")}</button>
    ${skills.map((one) => html`<button type="button" class="chip resisting" data-skill=${one.name} aria-pressed=${String(draft.againstSkill === one.name)} @click=${() => act.draft({ againstSkill: one.name })}>${one.name}</button>`)}</div>`;
}

/** What it comes to: the dice against, and what they are called. */
function makes(seen) {
  const { preview } = seen.ui;
  const against = Object.fromEntries(Object.entries(preview?.dice ?? {}).filter(([name]) => dieType(name).hinders));
  if (Object.keys(against).length === 0 || !hasOwnDifficulty(seen)) return nothing;
  return html`<p class="makes"><b>${say("call.makes")}</b>${smallDice(against)}</p>`;
}

/** Who helps: one leads, where the rules want it, and others lend a hand. */
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
    (one) =>
      html`<li>${row(one, { game, state: one.role, below: nothing, right: draft.isHelp && draft.others.includes(one.key) ? icon("check") : nothing, isChosen: draft.isHelp && draft.others.includes(one.key), act: () => act.helps(one.key) })}</li>`,
  )}</ul>
    ${command && draft.isHelp ? html`<label class="line-row switch"><span>${say("roll.lastTotal", { who: command.by, what: command.label, n: command.net.total })}</span><input type="checkbox" role="switch" .checked=${draft.ledBy === command.id} @change=${(event) => act.draft({ ledBy: event.target.checked ? command.id : "" })}></label>` : nothing}
    ${fieldsSheet(grouped(seen).helper ?? [], seen)}`;
}

/** What is thrown for, and what that asks. */
function restSheet(seen) {
  const {
    game,
    act,
    ui: { draft },
  } = seen;
  const fields = grouped(seen);
  const purpose = fieldOf(game, "purpose");
  const isMany = purpose && purpose.choices.length > 4;
  const now = purposeOf(seen);
  const hasTarget = draft.weapon || draft.against || draft.lastTotal;
  return html`${isMany ? html`<div class="chips purposes" role="group" aria-label=${purpose.title}>${purpose.choices.map((one) => html`<button type="button" class="chip" data-purpose=${one.name} aria-pressed=${String(one.name === now)} @click=${() => one.name !== now && act.answer({ purpose: one.name === purpose.default ? undefined : one.name })}>${one.title}</button>`)}</div>` : nothing}
    ${fieldsSheet([...fields.rest, ...(hasTarget ? [] : (fields.range ?? []))], seen)}`;
}
