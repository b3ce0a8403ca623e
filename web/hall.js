// The hall: every table of the broker as a tile, or one table for itself at /hall/NAME.

import { render } from "./vendor/lit-html/lit-html.js";
import { loadSets } from "./dice.js";
import { byId } from "./dom.js";
import { view } from "./part/hall.js";
import { fitHeadline } from "./part/headline.js";
import { localised } from "./said.js";
import { createStore } from "./store.js";
import { listen } from "./stream.js";
import { say } from "./strings.js";
import { get, untilFound } from "./talk.js";
import { startTheme } from "./theme.js";

const TILE = { width: 14, height: 8.6, gap: 0.4, shape: 1.7 }; // the least in rem, and the best width to height
const QUIET_MS = 15_000;
const AGES_MS = 5_000;

const chosen = decodeURIComponent(location.pathname.split("/")[2] ?? "");
/** @type {Map<string, HallTable>} */
const tables = new Map();
/** @type {Store<Pick<HallSeen, "link" | "isHere">>} */
const store = createStore({ link: { up: false, broker: true, trouble: null }, isHere: false }, draw);
let heard = performance.now();

/** Choose the columns that make the tiles large and have them all on the screen; where they cannot be, it scrolls. @param {number} count */
function columnsFor(count) {
  const room = document.getElementById("hall")?.getBoundingClientRect() ?? { width: innerWidth, top: 0 };
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const most = Math.max(1, Math.min(count, Math.floor(room.width / ((TILE.width + TILE.gap) * rem))));
  let best = { columns: 1, fits: false, size: 0 };
  for (let columns = 1; columns <= most; columns += 1) {
    const height = (innerHeight - room.top - scrollY) / Math.ceil(count / columns) - TILE.gap * rem;
    const fits = height >= TILE.height * rem;
    const size = Math.min(room.width / columns, Math.max(height, TILE.height * rem) * TILE.shape);
    if (fits > best.fits || (fits === best.fits && size >= best.size)) best = { columns, fits, size };
  }
  return best.columns;
}

const sorted = () => [...tables.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || (a.id < b.id ? -1 : 1));

/** @param {{ ui: typeof store.ui }} known */
function draw({ ui }) {
  const seen = { ...ui, tables: sorted(), chosen, now: performance.now() };
  document.title = chosen ? tables.get(chosen)?.name || chosen : say("hall.title");
  for (const node of [document.documentElement, document.body]) node.toggleAttribute("data-wall", !tables.has(chosen));
  render(view({ ...seen, columns: columnsFor(tables.size) }), byId("page"));
  if (chosen) fitHeadline();
  document.body.dataset.ready = "";
}

/** @param {HallTold} told */
function take(told) {
  heard = performance.now();
  if (told.all) tables.clear();
  for (const table of told.tables) {
    if (table.gone) tables.delete(table.id);
    else tables.set(table.id, /** @type {HallTable} */ ({ ...table, heard })); // what it came to is told as a roll is
  }
  store.set({ isHere: true, link: told });
}

function open() {
  listen("/api/hall/events", {
    names: ["hall"],
    whenEvent: (_name, told) => take(localised(told)),
    whenLink: (isThere) => {
      if (isThere) heard = performance.now();
      else store.set({ isHere: false });
    },
  });
}

/** A stream that is quiet for long is checked by asking, as keep-alives are hidden from pages. */
async function check() {
  if (performance.now() - heard < QUIET_MS) return;
  const told = await get("/api/hall").catch(() => null);
  if (told) take({ ...told, all: true });
  else store.set({ isHere: false });
}

startTheme("dark");
new ResizeObserver(() => (chosen ? fitHeadline({ anew: true }) : store.redraw())).observe(document.documentElement);
document.fonts.ready.then(() => chosen && fitHeadline({ anew: true }));
setInterval(store.redraw, AGES_MS);
const [first] = await Promise.all([get("/api/hall").catch(() => null), untilFound(loadSets)]);
if (first) take({ ...first, all: true });
else store.redraw();
if (first?.broker !== false) {
  open();
  setInterval(check, QUIET_MS / 3);
}
