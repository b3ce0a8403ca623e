// Pairing of this phone. The PIN comes from the code, behind the #, or is typed in.

import { byId, el } from "./dom.js";
import { recall, remember } from "./memory.js";
import { words } from "./strings.js";
import { get, send } from "./talk.js";
import { startTheme } from "./theme.js";

const box = byId("pairing");
const fromCode = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // so that the PIN stays in no list of pages

document.title = byId("title").textContent = words.pairTitle;
startTheme();

const pin = el("input", {
  id: "pin", type: "text", inputmode: "numeric", pattern: "[0-9 ]*", maxlength: 8, required: true,
  autocomplete: "one-time-code", value: fromCode,
});
const name = el("input", { id: "name", type: "text", maxlength: 40, autocomplete: "nickname", value: recall("name") ?? "" });

function ask() {
  const form = el(
    "form",
    { class: "card" },
    el("label", {}, words.pin, pin),
    el("label", {}, words.yourName, name),
    el("button", { type: "submit", class: "primary", text: words.pairSend }),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    remember("name", name.value.trim());
    const found = await send("/api/pair", { pin: pin.value, name: name.value.trim() });
    if (found) location.replace(found.role === "gm" ? "/gm" : "/player");
    else pin.select();
  });
  box.append(form);
  (fromCode ? name : pin).focus();
}

const me = await get("/api/me");
if (me.role === "player" || me.role === "gm") {
  box.append(
    el("p", { class: "card" }, words.pairedAs(words.roles[me.role], me.name), " ",
      el("a", { href: me.role === "gm" ? "/gm" : "/player", text: words[me.role === "gm" ? "masterTitle" : "playerTitle"] })),
  );
}
ask();
