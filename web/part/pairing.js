// The PIN and its code, shown large in a dialog by who may: the table's screen and the game master.

import { html, nothing, render, svg } from "../vendor/lit-html/lit-html.js";
import { icon } from "../draw/icon.js";
import { say } from "../strings.js";
import { get, send } from "../talk.js";
import { avatar } from "./who.js";

const TICK_MS = 1_000;

let timer = null;

/** Begin to pair a phone of this role and show how, until the dialog closes. */
export async function showPairing(role) {
  const offer = await send("/api/pairing", { role });
  if (offer) follow(offer, role);
}

function follow(offer, role) {
  const dialog = document.getElementById("picker");
  const box = document.createElement("div");
  box.className = "pairing-box";
  let now = offer;
  const end = () => {
    clearInterval(timer);
    fetch("/api/pairing", { method: "DELETE" }).catch(() => {}); // it ends by itself as well
  };
  const act = { again: () => showPairing(role), done: () => dialog.close(), masterHere: () => showMasterHere() };
  const draw = () => render(view({ offer, now, role }, act), box);
  const look = async () => {
    now = await get("/api/pairing").catch(() => ({ ...now, seconds: Math.max(0, now.seconds - 1) }));
    if (box.isConnected) draw();
  };
  clearInterval(timer);
  timer = setInterval(look, TICK_MS);
  draw();
  dialog.replaceChildren(box);
  dialog.addEventListener("close", end, { once: true });
  if (!dialog.open) dialog.showModal();
}

/** The dialog for the PIN of `offer`; `now` is what the table says of it meanwhile. */
function view({ offer, now, role }, act) {
  const isOpen = now.pin === offer.pin && now.seconds > 0;
  const isUsed = !isOpen && now.paired.length > 0;
  return html`<header><h2 id="picker-title">${role === "gm" ? say("pairMaster") : say("pairPlayer")}</h2>
      <button type="button" class="close" aria-label=${say("close")} @click=${act.done}>${icon("x")}</button></header>
    <div class="pairing" ?data-over=${!isOpen}>
      ${offer.qr && isOpen ? code(offer.qr) : nothing}
      <div class="pairing-side">
        ${isUsed ? nothing : html`<p class="pin">${offer.pin.slice(0, 3)} ${offer.pin.slice(3)}</p>`}
        ${offer.url && !isUsed ? html`<p class="address">${offer.url}</p>` : nothing}
        ${offer.reachable || isUsed ? nothing : alone(role, act)}
        <ul class="phones-in" aria-live="polite">${now.paired.map((name) => html`<li>${avatar(name)}<b>${say("pair.isIn", { name })}</b></li>`)}</ul>
        ${offer.reachable && now.paired.length === 0 ? html`<p class="quiet">${say("pair.hint")}</p>` : nothing}
        ${isUsed ? nothing : html`<div class="valid"><p id="valid">${isOpen ? validFor(now.seconds) : say("pair.over")}</p><progress aria-labelledby="valid" max=${offer.seconds} value=${isOpen ? now.seconds : 0}></progress></div>`}
        <div class="acts">
          <button type="button" @click=${act.again}>${say("pair.again")}</button>
          <button type="button" class="primary" @click=${act.done}>${say("pair.done")}</button>
        </div>
      </div>
    </div>`;
}

const validFor = (seconds) => (seconds <= 60 ? say("pair.validSeconds", { n: seconds }) : say("pair.validMinutes", { n: Math.ceil(seconds / 60) }));

function alone(role, act) {
  return html`<div class="alone"><p class="doubt">${say("pair.alone")}</p><p class="quiet">${say("pair.aloneHow")}</p>
    ${role === "gm" ? html`<button type="button" id="master-here" class="surface" @click=${act.masterHere}><b>${say("pair.masterHere")}</b><span>${say("pair.masterHereMore")}</span></button>` : nothing}</div>`;
}

/** Pair this browser itself as game master, and open its page. */
export async function showMasterHere(open = (address) => location.assign(address)) {
  const offer = await send("/api/pairing", { role: "gm" });
  const found = offer && (await send("/api/pair", { pin: offer.pin, name: "" }));
  if (found) open("/gm");
}

function code(rows) {
  const path = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)).join("");
  return html`<svg class="qr" viewBox=${`0 0 ${rows.length} ${rows.length}`} role="img" aria-label=${say("pair.code")} shape-rendering="crispEdges">
    ${svg`<rect width=${rows.length} height=${rows.length} fill="#ffffff"></rect><path d=${path} fill="#000000"></path>`}</svg>`;
}
