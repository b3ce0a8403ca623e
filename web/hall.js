// The hall: every table of the broker as a tile, or one table for itself at /hall/NAME.

import { byId, el, put, setText, svg, whenChanged } from "./dom.js";
import { loadSets, setOfSymbol, symbolShape } from "./dice.js";
import { listen } from "./stream.js";
import { ageWords, language, symbolWord, words } from "./strings.js";
import { get } from "./talk.js";
import { startTheme } from "./theme.js";
import { HALL } from "./words/hall.js";

const OLD_SECONDS = 120;
const TILE = { width: 14, height: 8.6, gap: 0.4, shape: 1.7 }; // the least in rem, and the best width to height
const LONG_WORD = 10; // letters that fit on a tile's line at full size
const QUIET_MS = 15_000;
const ORDER = ["triumph", "success", "advantage", "light", "despair", "failure", "threat", "dark"];

const said = HALL[language()];
const chosen = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const tables = new Map();
let link = { up: false, broker: true, trouble: null };
let isHere = false;
let heard = performance.now();

startTheme();
byId("back").textContent = said.back;
byId("back").hidden = !chosen;

const tone = (result) => (!result || result.succeeded === null ? "plain" : result.succeeded ? "good" : "bad");
const age = (table) => (table.age === null ? null : table.age + (performance.now() - table.heard) / 1000);

function headline(table) {
  if (table.hidden) return said.hidden;
  if (!table.result) return said.nothing;
  return table.result.headline + (table.result.sure ? "" : "\u2009?");
}

function net(result) {
  const found = ORDER.filter((name) => result?.net[name] > 0);
  return el("ul", { class: "net" }, ...found.map((name) =>
    el("li", { "data-symbol": name },
      symbolShape(setOfSymbol(name) ?? "narrative", name),
      el("b", { "aria-hidden": "true", text: result.net[name] }),
      el("span", { class: "hidden", text: symbolWord(name, result.net[name], true) }))));
}

function pool(table, isNamed) {
  const side = (name, shape) => el("span", {},
    svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, shape),
    el("span", { "aria-hidden": "true", text: isNamed ? `${table.destiny[name]} ${table.destiny_names[name]}` : table.destiny[name] }));
  return el("p", { class: "pool" },
    el("span", { class: "hidden", text: said.pool(table.destiny.light, table.destiny.dark) }),
    side("light", svg("circle", { cx: 50, cy: 50, r: 36, "stroke-width": 16, class: "hollow" })),
    side("dark", svg("circle", { cx: 50, cy: 50, r: 44, class: "filled" })));
}

function tile(table) {
  const result = table.hidden ? null : table.result;
  const box = el("a", { class: "tile", href: `/hall/${table.id}${location.search}`, "data-table": table.id, "data-outcome": result ? tone(result) : "none" },
    el("span", { class: "line" }, el("span", { class: "name", text: table.name || table.id }), el("span", { class: "age" })),
    el("span", { class: "word", text: headline(table), "data-long": headline(table).length > LONG_WORD }),
    el("span", { class: "who", text: result ? words.forWhom(result.by, result.label) : "" }),
    el("span", { class: "line foot" }, net(result), pool(table, false)));
  box.toggleAttribute("data-offline", !table.online);
  return box;
}

function one(table) {
  const result = table.hidden ? null : table.result;
  const doubt = result && !result.sure ? said.unsure : "";
  const box = el("section", { class: "one", "data-outcome": result ? tone(result) : "none", "aria-labelledby": "headline" });
  put(box,
    el("p", { class: "state" }, el("span", { text: [words.phase[table.phase], table.game, doubt].filter(Boolean).join(" · ") }), " · ", el("span", { class: "age" })),
    el("p", { class: "who", text: result ? words.forWhom(result.by, result.label) : "" }),
    el("h2", { id: "headline", text: headline(table) }),
    net(result),
    el("p", { class: "sentence", "aria-live": "polite", text: result?.sentence ?? "" }),
    pool(table, true),
    ...table.trouble.map((trouble) => el("p", { class: "trouble", text: said.trouble(trouble.what) })));
  const before = table.recent.filter((past) => table.hidden || past.id !== result?.id);
  if (before.length > 0) {
    put(box, el("h3", { text: said.before }), el("ul", { class: "recent" }, ...before.map((past) =>
      el("li", {}, el("b", { text: past.headline }), el("span", { text: words.forWhom(past.by, past.label) })))));
  }
  return box;
}

/** Choose the columns that make the tiles large and have them all on the screen; where they cannot be, it scrolls. */
function columnsFor(count) {
  const room = byId("hall").getBoundingClientRect();
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
const empty = (text) => el("p", { class: "empty", text });

const build = whenChanged((content) => byId("hall").replaceChildren(content()));
const wall = () => el("ul", { class: "wall" }, ...sorted().map((table) => el("li", { "data-of": table.id }, tile(table))));

function renew(id) {
  const place = document.querySelector(`[data-of="${CSS.escape(id)}"]`);
  const hadFocus = place?.contains(document.activeElement);
  place?.replaceChildren(tile(tables.get(id)));
  if (hadFocus) place.firstChild.focus();
}

function draw(changed) {
  const table = tables.get(chosen);
  setText(byId("title"), chosen ? (table?.name || chosen) : said.title);
  document.title = byId("title").textContent;
  const online = [...tables.values()].filter((each) => each.online).length;
  setText(byId("count"), chosen ? (table && !table.online ? said.offline : "") : tables.size ? said.count(tables.size, online) : "");
  if (!link.broker) build(["no broker"], () => empty(said.noBroker));
  else if (chosen && !table) build(["unknown"], () => empty(said.unknown(chosen)));
  else if (chosen) build([table.revision], () => one(table));
  else if (tables.size === 0) build(["none"], () => empty(said.none));
  else {
    build(sorted().map((each) => each.id), wall); // all tiles anew only where there are others than before
    for (const id of changed) renew(id);
    document.querySelector(".wall").style.setProperty("--columns", columnsFor(tables.size));
  }
  showAges();
  showLink();
}

function showAges() {
  for (const table of tables.values()) {
    const box = chosen ? (table.id === chosen ? document.querySelector(".one") : null) : document.querySelector(`[data-table="${CSS.escape(table.id)}"]`);
    if (!box) continue;
    const seconds = age(table);
    const notes = [table.online ? "" : said.offline, seconds === null ? "" : ageWords(seconds)].filter(Boolean);
    setText(box.querySelector(".age"), chosen ? notes.join(" · ") : (notes[0] ?? "")); // a tile has room for one
    box.toggleAttribute("data-old", seconds !== null && seconds > OLD_SECONDS);
  }
}

function showLink() {
  const lost = byId("lost");
  const what = !isHere ? said.noTable : link.broker && !link.up ? [said.noLink, link.trouble?.what, link.trouble?.hint].filter(Boolean).join(" ") : "";
  setText(lost, what);
  lost.hidden = !what;
  document.body.dataset.ready = "";
}

function take(told) {
  isHere = true;
  heard = performance.now();
  link = told;
  if (told.all) tables.clear();
  const changed = new Set();
  for (const table of told.tables) {
    if (table.gone) tables.delete(table.id);
    else {
      tables.set(table.id, { ...table, heard: performance.now() });
      changed.add(table.id);
    }
  }
  draw(changed);
}

function open() {
  listen("/api/hall/events", {
    names: ["hall"],
    whenEvent: (_name, told) => take(told),
    whenLink: (isThere) => {
      if (isThere) heard = performance.now();
      else {
        isHere = false;
        showLink();
      }
    },
  });
}

/** A stream that is quiet for long is checked by asking, as keep-alives are hidden from pages. */
async function check() {
  if (performance.now() - heard < QUIET_MS) return;
  const told = await get("/api/hall").catch(() => null);
  if (told) take({ ...told, all: true });
  else {
    isHere = false;
    showLink();
  }
}

addEventListener("resize", () => document.querySelector(".wall")?.style.setProperty("--columns", columnsFor(tables.size)));
setInterval(showAges, 5_000);
await loadSets().catch(() => {});
const first = await get("/api/hall").catch(() => null);
if (first) take({ ...first, all: true });
else showLink();
if (first?.broker !== false) {
  open();
  setInterval(check, QUIET_MS / 3);
}
