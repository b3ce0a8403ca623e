// Pairing of this phone as a function of what is known: the PIN, who this is, and who it was paired as.

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { say } from "../strings.js";
import { avatar } from "../part/who.js";

const PAGES = { gm: ["/gm", "masterTitle"], player: ["/player", "playerTitle"] };

/** Draw the page. `players` may be chosen from, `chosen` is one of them or none. */
export function view({ me, players, pin, name, chosen }, act) {
  return html`${PAGES[me.role] ? already(me, act) : nothing}
    <form id="pair" @submit=${act.send}>
      ${pin.known ? nothing : html`<label class="line">${say("pair.pin")}<input id="pin" name="pin" type="text" inputmode="numeric" pattern="[0-9 ]*" maxlength="8" required autocomplete="one-time-code"></label>`}
      ${players.length > 0 ? html`<fieldset><legend>${say("pair.iAm")}</legend><div class="people">${players.map((one) => html`<label class="person">
        <input type="radio" name="player" value=${one} .checked=${one === chosen} @change=${() => act.choose(one)}>${avatar(one)}<b>${one}</b></label>`)}</div></fieldset>` : nothing}
      <label class="line">${say("pair.name")}<input id="name" name="name" type="text" maxlength="40" autocomplete="nickname" .value=${name}></label>
      <button type="submit" class="primary">${say("pair.send")}</button>
    </form>`;
}

function already(me, act) {
  const [page, title] = PAGES[me.role];
  return html`<section id="paired"><p>${say(me.name ? "pair.pairedAsName" : "pair.pairedAs", { role: say(`roles.${me.role}`), name: me.name })}</p>
    <div class="acts"><a class="button" href=${page}>${say(title)}</a><button type="button" id="unpair" @click=${act.forget}>${say("pair.forget")}</button></div></section>`;
}
