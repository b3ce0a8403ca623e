// The PIN and its code, shown large in a dialog by who may: the table's screen and the game master.

import { byId, el, svg } from "./dom.js";
import { words } from "./strings.js";
import { send } from "./talk.js";

let timer = null;

/** Begin to pair a phone of this role and show how. */
export async function showPairing(role) {
  const offer = await send("/api/pairing", { role });
  if (offer) draw(offer, role);
}

function draw(offer, role) {
  const dialog = byId("picker");
  const left = el("p", { class: "quiet" });
  let seconds = offer.seconds;
  const tick = () => {
    left.textContent = seconds > 0 ? words.pairLeft(seconds) : words.pairOver;
    seconds -= 1;
  };
  clearInterval(timer);
  timer = setInterval(tick, 1000);
  tick();
  const end = () => {
    clearInterval(timer);
    fetch("/api/pairing", { method: "DELETE" }).catch(() => {}); // it ends by itself as well
  };
  dialog.replaceChildren(
    el("header", {}, el("h2", { id: "picker-title", text: role === "gm" ? words.pairMaster : words.pairPlayer }),
      el("button", { type: "button", class: "close", "aria-label": words.close, text: "×", onclick: () => dialog.close() })),
    el("div", { class: "pairing" },
      offer.qr && qr(offer.qr),
      el("div", {},
        el("p", { text: offer.reachable ? words.pairHint : words.pairAlone }),
        offer.url && el("p", { class: "address", text: offer.url }),
        el("p", { class: "pin", text: `${offer.pin.slice(0, 3)} ${offer.pin.slice(3)}` }),
        left,
        el("div", { class: "acts" },
          el("button", { type: "button", text: words.pairNew, onclick: () => showPairing(role) }),
          el("button", { type: "button", class: "primary", text: words.pairEnd, onclick: () => dialog.close() })))),
  );
  dialog.addEventListener("close", end, { once: true });
  if (!dialog.open) dialog.showModal();
}

function qr(rows) {
  const path = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)).join("");
  return svg("svg", { class: "qr", viewBox: `0 0 ${rows.length} ${rows.length}`, role: "img", "aria-label": words.pairCode, "shape-rendering": "crispEdges" },
    svg("rect", { width: rows.length, height: rows.length, fill: "#ffffff" }), svg("path", { d: path, fill: "#000000" }));
}
