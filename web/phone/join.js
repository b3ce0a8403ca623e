// Joining as a function of what is known: the PIN, whose phone this is, then the own page.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { EMBLEMS, card, face } from "../part/card.js";
import { say } from "../strings.js";
import { faceChoice, readyCards } from "./person.js";

const MANY = 6; // from more on the way to somebody new comes first
const FEW_EMBLEMS = 11; // two rows with the letter
export const PIN_FIGURES = 6;

/** Draw the page at its step: `"pin" | "role" | "lead" | "who" | "new" | "gm"`. @param {JoinUi} seen @param {JoinAct} act */
export function view(seen, act) {
  return STEPS[seen.step](/** @type {JoinSeen} */ (seen), act); // a step is gone to once there is what it draws
}

/** @type {Record<string, (seen: JoinSeen, act: JoinAct) => Drawn>} */
const STEPS = { pin, role, lead, who, new: somebody, gm: master };
const KEYS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Six figures and keys for them; the last one sends them. @param {JoinSeen} seen @param {JoinAct} act */
function pin({ pin: figures }, act) {
  return html`<h1 class="join-head">${say("join.table")}</h1><p class="quiet">${say("join.figures")}</p>
    <form id="pair" @submit=${act.sendPin}><label class="pin-places"><span class="hidden">${say("pair.pin")}</span><input class="hidden" id="pin" name="pin" type="text" inputmode="none" autocomplete="one-time-code" .value=${figures} @input=${(/** @type {Happened} */ event) => act.figures(event.target.value)}>${Array.from({ length: PIN_FIGURES }, (_, n) => html`<b aria-hidden="true" ?data-next=${n === figures.length}>${figures[n] ?? ""}</b>`)}</label></form>
    <div class="pin-keys">${KEYS.map((key) => html`<button type="button" class="surface" @click=${() => act.figures(`${figures}${key}`)}>${key}</button>`)}<span></span><button type="button" class="surface" @click=${() => act.figures(`${figures}0`)}>0</button><button type="button" aria-label=${say("join.figureBack")} @click=${() => act.figures(figures.slice(0, -1))}>${icon("x")}</button></div>
    <a class="button join-watch" href="/player">${icon("eye")}${say("join.justWatchTable")}</a>`;
}

/** @param {JoinSeen} seen @param {JoinAct} act */
const ownName = ({ name }, act) =>
  html`<label class="join-name"><span class="quiet">${say("join.callYou")}</span><input id="own-name" type="text" maxlength="40" autocomplete="nickname" autocapitalize="words" enterkeyhint="done" .value=${name} @input=${(/** @type {Happened} */ event) => act.called(event.target.value)}></label>`;

/** @param {string} role @param {string} sign @param {string} title @param {string} more @param {() => void} press */
const choice = (role, sign, title, more, press) =>
  html`<button type="button" class="join-role" data-role=${role} @click=${press}>${icon(sign)}<span><b>${title}</b><small>${more}</small></span></button>`;

/** The first phone of a table says whether it leads. @param {JoinSeen} seen @param {JoinAct} act */
function role(seen, act) {
  return html`<h1 class="join-head">${say("join.first")}</h1>${ownName(seen, act)}<div class="join-list at-foot">
    ${choice("gm", "zap", say("join.lead"), say("join.leadMore"), () => act.be("gm"))}
    ${choice("player", "user-round", say("join.play"), say("join.playMore"), () => act.be("player"))}
    <a class="join-role" href="/player">${icon("monitor")}<span><b>${say("join.justWatch")}</b><small>${say("join.watchMore")}</small></span></a></div>`;
}

/** A phone that leads by its code says what it is called. @param {JoinSeen} seen @param {JoinAct} act */
function lead(seen, act) {
  return html`<h1 class="join-head">${say("join.lead")}</h1>${ownName(seen, act)}<div class="join-list at-foot">
    ${choice("gm", "zap", say("join.go"), say("join.leadMore"), act.lead)}</div>`;
}

/** @param {JoinSeen} _seen @param {JoinAct} act */
function master(_seen, act) {
  return html`<h1>${say("pair.title")}</h1><p>${say("pair.pairedAs", { role: say("roles.gm") })}</p><div class="acts"><a class="button" href="/gm">${say("masterTitle")}</a><button type="button" id="unpair" @click=${act.forget}>${say("pair.forget")}</button></div>`;
}

/** @param {JoinSeen} seen @param {JoinAct} act */
function who({ game, people, me }, act) {
  const heroes = people.filter((one) => one.kind === "player" && one.game === game.name);
  const another = html`<button type="button" class="person-card somebody" id="somebody" @click=${act.somebody}><span class="dashed-face">${icon("plus")}</span><span class="card-name"><b>${say("join.somebody")}</b><small>${say("join.somebodyMore")}</small></span></button>`;
  const isTaken = (/** @type {Person} */ one) => one.phone && one.id !== me.person;
  return html`<h1>${say("join.who")}</h1><p class="quiet">${say(heroes.length > 0 ? "join.whoMore" : "cast.nobody")}</p>
    <div class="join-list">${heroes.length > MANY ? another : nothing}
      ${repeat(
        heroes,
        (one) => one.id,
        (one) =>
          card(one, {
            game,
            most: 2,
            isTaken: isTaken(one),
            isChosen: one.id === me.person ? true : null,
            beside: html`<span class="card-beside">${isTaken(one) ? say("join.taken") : nothing}</span>`,
            act: () => act.take(one, isTaken(one)),
          }),
      )}
      ${heroes.length > MANY ? nothing : another}</div>
    ${heroes.length === 0 ? readyCards(game, act.ready) : nothing}
    <a class="link-button" href="/player">${say("join.justWatch")}</a>
    ${me.name ? html`<button type="button" class="link-button" id="unpair" @click=${act.forget}>${say("pair.forget")}</button>` : nothing}`;
}

/** A name, colours, emblems, and skills now or later. @param {JoinSeen} seen @param {JoinAct} act */
function somebody({ draft, game }, act) {
  const { skills = [] } = draft;
  const set = { set: act.draft };
  return html`<button type="button" class="icon-button" id="join-back" aria-label=${say("back")} @click=${act.back}>${icon("chevron-left")}</button><h1>${say("join.who")}</h1>
    <div class="person-name-row large">${face(/** @type {Anybody} */ ({ ...draft, kind: "player", name: draft.name || "?" }), { rim: "never" })}<label><span class="quiet">${say("join.name")}</span>
      <input id="name" type="text" maxlength="60" autocomplete="off" autocapitalize="words" enterkeyhint="done" .value=${draft.name} @input=${(/** @type {Happened} */ event) => act.draft({ name: event.target.value })} @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && act.join()}></label></div>
    ${faceChoice(draft, set, EMBLEMS.slice(0, FEW_EMBLEMS))}
    <div class="row-list-open"><button type="button" class="open-row two" id="from-ready" @click=${act.fromReady}>${icon("copy")}<span><b>${say("join.fromReady")}</b><small class="may-cut">${game.ready.heroes.map((one) => one.role).join(", ")}</small></span>${icon("chevron-right")}</button>
      <button type="button" class="open-row two" id="skills-now" @click=${act.skillsNow}>${icon("plus")}<span><b>${say("join.skillsNow")}</b><small>${skills.length > 0 ? skills.map((one) => one.name).join(", ") : say("join.skillsLater")}</small></span>${icon("chevron-right")}</button></div>
    <button type="button" class="primary large" id="i-am" ?disabled=${!draft.name.trim()} @click=${act.join}>${draft.name.trim() ? say("join.iAm", { name: draft.name.trim() }) : say("join.who")}</button>`;
}
