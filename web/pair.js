// Pairing of this phone. The PIN comes from the code, behind the #, or is typed in.

import { render } from "./vendor/lit-html/lit-html.js";
import { recall, remember } from "./memory.js";
import { view } from "./phone/pair.js";
import { createStore } from "./store.js";
import { say } from "./strings.js";
import { get, send } from "./talk.js";
import { startTheme } from "./theme.js";

const fromCode = location.hash.slice(1);
const box = document.getElementById("pairing");
history.replaceState(null, "", location.pathname); // so that the PIN stays in no list of pages
const pin = { known: fromCode !== "" };
const store = createStore({ me: { role: "viewer" }, players: [], name: recall("name") ?? "", chosen: recall("player") }, draw);

const act = {
  choose: (player) => store.set({ chosen: player, name: player }),
  send: async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = form.elements.name.value.trim();
    const player = form.elements.player?.value;
    remember("name", name);
    if (player) remember("player", player);
    const found = await send("/api/pair", { pin: pin.known ? fromCode : form.elements.pin.value, name });
    if (found) return location.replace(found.role === "gm" ? "/gm" : "/player");
    store.set({ name });
    pin.known = false; // what the code said is no good: it can be typed
    store.redraw();
  },
  forget: async () => {
    if (await send("/api/unpair", {})) store.set({ me: { role: "viewer" } });
  },
};

function draw() {
  render(view({ ...store.ui, pin }, act), box);
}

const known = (address) => get(address).catch(() => null);

document.title = document.getElementById("title").textContent = say("pair.title");
startTheme();
const [me, state] = await Promise.all([known("/api/me"), known("/api/state")]);
store.set({ me: me ?? store.ui.me, players: (state?.players ?? []).map((one) => one.name) });
await Promise.resolve();
document.getElementById(fromCode ? "name" : "pin").focus();
document.body.dataset.ready = "";
