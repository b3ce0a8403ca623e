// Joining as a function of what is known: the PIN, whose phone this is, then the own page.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { icon } from "../draw/icon.js";
import { EMBLEMS, card, face } from "../part/card.js";
import { say } from "../strings.js";
import { faceChoice, readyCards } from "./person.js";

const MANY = 6; // from more on the way to somebody new comes first
const FEW_EMBLEMS = 11; // two rows with the letter

/** Draw the page at its step: `"pin" | "role" | "who" | "new" | "gm"`. */
export function view(seen, act) {
  return STEPS[seen.step](seen, act);
}

const STEPS = { pin, role, who, new: somebody, gm: master };

function pin(_seen, act) {
  return html`<h1>${say("pair.title")}</h1><form id="pair" @submit=${act.sendPin}><label class="line">${say("pair.pin")}<input id="pin" name="pin" type="text" inputmode="numeric" pattern="[0-9 ]*" maxlength="8" required autocomplete="one-time-code"></label>
    <button type="submit" class="primary large">${say("pair.send")}</button></form>
    <a class="link-button" href="/player">${say("join.justWatch")}</a>`;
}

function role(_seen, act) {
  return html`<h1>${say("join.which")}</h1><div class="join-list">
    <button type="button" class="join-role" data-role="gm" @click=${() => act.be("gm")}>${icon("star")}<b>${say("masterTitle")}</b></button>
    <button type="button" class="join-role" data-role="player" @click=${() => act.be("player")}>${icon("venetian-mask")}<b>${say("join.player")}</b></button></div>`;
}

function master(_seen, act) {
  return html`<h1>${say("pair.title")}</h1><p>${say("pair.pairedAs", { role: say("roles.gm") })}</p><div class="acts"><a class="button" href="/gm">${say("masterTitle")}</a><button type="button" id="unpair" @click=${act.forget}>${say("pair.forget")}</button></div>`;
}

function who({ game, people, me }, act) {
  const heroes = people.filter((one) => one.kind === "player" && one.game === game.name);
  const another = html`<button type="button" class="person-card somebody" id="somebody" @click=${act.somebody}><span class="dashed-face">${icon("plus")}</span><span class="card-name"><b>${say("join.somebody")}</b><small>${say("join.somebodyMore")}</small></span></button>`;
  const isTaken = (one) => one.phone && one.id !== me.person;
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

/** A name, colours, emblems, and skills now or later. */
function somebody({ draft, game }, act) {
  const set = { set: act.draft };
  return html`<button type="button" class="icon-button" id="join-back" aria-label=${say("back")} @click=${act.back}>${icon("chevron-left")}</button><h1>${say("join.who")}</h1>
    <div class="person-name-row large">${face({ ...draft, kind: "player", name: draft.name || "?" }, { rim: "never" })}<label><span class="quiet">${say("join.name")}</span>
      <input id="name" type="text" maxlength="60" autocomplete="off" autocapitalize="words" enterkeyhint="done" .value=${draft.name} @input=${(event) => act.draft({ name: event.target.value })} @keydown=${(event) => event.key === "Enter" && act.join()}></label></div>
    ${faceChoice(draft, set, EMBLEMS.slice(0, FEW_EMBLEMS))}
    <div class="row-list-open"><button type="button" class="open-row two" id="from-ready" @click=${act.fromReady}>${icon("copy")}<span><b>${say("join.fromReady")}</b><small class="may-cut">${game.ready.heroes.map((one) => one.role).join(", ")}</small></span>${icon("chevron-right")}</button>
      <button type="button" class="open-row two" id="skills-now" @click=${act.skillsNow}>${icon("plus")}<span><b>${say("join.skillsNow")}</b><small>${draft.skills.length > 0 ? draft.skills.map((one) => one.name).join(", ") : say("join.skillsLater")}</small></span>${icon("chevron-right")}</button></div>
    <button type="button" class="primary large" id="i-am" ?disabled=${!draft.name.trim()} @click=${act.join}>${draft.name.trim() ? say("join.iAm", { name: draft.name.trim() }) : say("join.who")}</button>`;
}
