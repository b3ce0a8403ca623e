// What the pages of game master and players have in common: they follow the table, keep what the phone knows, and do what is tapped.

import { byId, el, setText } from "../dom.js";
import { tellNews } from "../aloud.js";
import { noticeTouch } from "../demo.js";
import { dieType, loadSets } from "../dice.js";
import { icon } from "../draw/icon.js";
import { doAct } from "./acts.js";
import { recall, recallHere, remember, rememberHere } from "../memory.js";
import { reacting } from "../part/card.js";
import { askFirst, closeSheet, isShown, openSheet, showWorkedOut } from "../part/sheet.js";
import { contestNow, ranking } from "../part/contest.js";
import { offerPhones } from "../part/phones.js";
import { buySpend } from "../part/spends.js";
import { pickCorrection, pickRoll, pickThrow } from "../picker.js";
import { createStore } from "../store.js";
import { keyOf } from "../table/kind.js";
import { say, undoWhat } from "../strings.js";
import { buildTabs } from "../tabs.js";
import { change, errorOf, follow, get, send, trySend, untilFound } from "../talk.js";
import { startTheme } from "../theme.js";
import { showError } from "../toast.js";
import { undoLast } from "../undo.js";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { castActs } from "./cast.js";
import { drawCallSheet } from "./call-sheets.js";
import {
  actorOf,
  actors,
  bodyOf,
  chosenOf,
  draftOf,
  everybody,
  fieldOf,
  hasDice,
  keepDifficulty,
  lastCommand,
  lastTotal,
  NEW_DRAFT,
  upgradedDie,
  usualTarget,
} from "./draft.js";
import { codeBy } from "./rating.js";
import { changeCallOf } from "./recall.js";
import { drawFightSheet, fightActs, isFightSheet, NEW_FIGHT } from "./fight.js";
import { photograph, photographInput } from "./photograph.js";
import { hasStrip, resultStrip } from "./result.js";
import { callStrip } from "./roll.js";
import { tableOfFile } from "./rows.js";
import { editTable } from "./tables.js";
import { drawTonightSheet, isTonight } from "./tonight.js";

const MOST_USED = 12;
const MOST_CHANGES = 200; // so many the table tells at once

/** Start a page: say who this phone is, load what it needs, then follow the table. `tabs(page)` returns its sections. */
export async function startPhone({ title, roles, refusal, tabs, key }) {
  document.title = title;
  setText(byId("title"), title);
  startTheme();
  const lost = byId("lost");
  const whenLink = (found) => {
    lost.hidden = found;
    if (!found) setText(lost, say("lost"));
  };
  const [me, games] = await untilFound(
    () => Promise.all([get("/api/me"), get("/api/games"), loadSets()]),
    () => whenLink(false),
  );
  whenLink(true);
  if (me.demo) noticeTouch();
  if (!roles.includes(me.role)) {
    const stranger = byId("stranger");
    stranger.hidden = false;
    stranger.append(el("p", { class: "card", text: refusal }), el("a", { class: "button", href: "/pair", text: say("goPair") }));
    return;
  }
  byId("phone").hidden = false;
  document.body.dataset.role = me.role;
  byId("who").classList.toggle("hidden", me.role !== "viewer"); // the own page says who this is
  const page = createPage({ me, games });
  page.tabs = buildTabs(tabs(page), key);
  let isFirst = true;
  follow({
    whenState: (state) => {
      page.take(state);
      document.body.dataset.ready = "";
      if (isFirst) page.goOn();
      isFirst = false;
    },
    whenPanel: () => {},
    whenLink,
  });
}

function createPage({ me, games }) {
  const isMaster = me.role === "gm";
  const mayChange = me.role !== "viewer";
  const used = readUsed();
  const ui = {
    people: [],
    draft: { ...NEW_DRAFT, ...recallHere("draft") },
    preview: null,
    refused: null,
    spends: {},
    used,
    opened: "",
    sheet: "",
    dismissed: "",
    someoneElse: "",
    allSpends: "",
    logOf: "",
    answers: null,
    logWhat: "rolls",
    changes: { list: [], before: null },
    tables: [],
    openTable: "",
    addedToTable: 0,
    ...NEW_FIGHT,
    isOpen: false,
    oddsFor: recall("odds-for") ?? "all",
    player: recall("player") ?? me.name,
    person: me.person ?? "",
    phones: [],
    offer: null,
    isReading: false,
  };
  const store = createStore(ui, draw);
  const page = { me, games, isMaster, mayChange, store, take };
  const seen = () => {
    const { state } = store;
    const names = new Set([...state.players.map((one) => one.name), ...ui.people.filter((one) => one.kind === "player").map((one) => one.name)]);
    const mine = ui.people.find((one) => one.id === ui.person);
    const player = isMaster ? me.name : mine ? mine.name : names.has(ui.player) ? ui.player : names.has(me.name) ? me.name : "";
    return {
      state,
      ui: { ...ui, people: ui.people.map((one) => reacting(one, state.history)) },
      games,
      isMaster,
      mayChange,
      act,
      me: () => player,
      paired: me.name,
      role: me.role,
      game: games.find((one) => one.name === state.game) ?? games[0],
    };
  };
  page.seen = seen;

  function draw() {
    if (!store.state) return;
    const now = seen();
    drawHead(now);
    tellNews(store.state, ui);
    render(html`${callStrip(now)}${hasStrip(now) ? resultStrip(now) : nothing}${contestStrip(now)}`, byId("now"));
    page.tabs.show(store.state);
    if (isShown("person")) act.drawPerson();
    if (isShown("states")) act.drawStates();
    if (isShown(ui.sheet || "none")) drawSheet(ui.sheet, now);
    if (isMaster) rememberHere("draft", ui.draft);
    tryOut(now);
  }

  const drawSheet = (name, now) =>
    isFightSheet(name) ? drawFightSheet(name.slice(name.indexOf(".") + 1), now) : (isTonight(name) ? drawTonightSheet : drawCallSheet)(name, now);

  function take(state) {
    if (store.state && state.game !== store.state.game) ui.draft = { ...NEW_DRAFT }; // whoever was chosen plays another game
    store.setState(state);
    learn(state);
  }

  const learnt = {};

  /** Ask the table for what a state does not carry: characters whole, and what rolls may buy. */
  async function learn(state) {
    const people = JSON.stringify([state.people, state.game, state.last_change?.id]);
    if (learnt.people !== people) {
      learnt.people = people;
      get("/api/people")
        .then((found) => {
          store.set({ people: found });
          chooseFirst();
        })
        .catch(() => (learnt.people = ""));
      if (isMaster)
        get("/api/devices")
          .then((phones) => store.set({ phones }))
          .catch(() => null);
    }
    const tables = ui.openTable && JSON.stringify([ui.openTable, state.tables, state.last_change?.id]);
    if (learnt.tables !== tables) {
      learnt.tables = tables;
      if (tables)
        get("/api/tables")
          .then((found) => store.set({ tables: found }))
          .catch(() => (learnt.tables = ""));
    }
    const changes = ui.logWhat !== "rolls" && (state.last_change?.number ?? 0);
    if (learnt.changes !== changes) {
      learnt.changes = changes;
      if (changes !== false) loadChanges(null).catch(() => (learnt.changes = null));
    }
    const { roll } = state;
    const asked = roll && !roll.sure && keyOf(roll);
    if (learnt.asked !== asked) {
      learnt.asked = asked;
      if (asked)
        get(rollAddress(roll))
          .then((told) => store.set({ answers: { key: asked, list: told.answers } }))
          .catch(() => (learnt.asked = null));
    }
    const mine = state.history.find((one) => one.by && store.state && one.by === seen().me());
    for (const one of [roll, mine]) {
      const key = one && keyOf(one);
      if (!one?.sure || learnt[key]) continue;
      learnt[key] = true;
      get(rollAddress(one, "/spends"))
        .then((found) => store.set({ spends: { ...ui.spends, [key]: found } }))
        .catch(() => delete learnt[key]);
    }
  }

  /** Somebody of the scene rolls, until the game master says that it is anyone's. */
  function chooseFirst() {
    const { draft } = ui;
    if (!isMaster || draft.who || draft.isAnyone || draft.isOther || draft.table || Object.keys(draft.ask).length > 0) return;
    const heroes = actors(seen()).filter((one) => one.kind === "player" && one.id);
    const turn = store.state.initiative.slots.find((one) => one.id === store.state.initiative.current);
    const first = heroes.find((one) => one.name === turn?.who) ?? heroes[0];
    if (first) setDraft({ ...NEW_DRAFT, who: first.key, hidden: draft.hidden, ...lastSkillOf(first.key) });
  }

  /** Read changes before a number, or the newest; those read before stay below. */
  async function loadChanges(from) {
    const { changes, before } = await get(`/api/history?limit=${MOST_CHANGES}${from ? `&before=${from}` : ""}`);
    const kept = from ? ui.changes.list : [];
    store.set({ changes: { list: [...kept, ...changes], before } });
  }

  /** What of a call its odds depend on. */
  const toldOf = ({ player: _player, label: _label, hidden: _hidden, others: _others, contest: _contest, table: _table, overrules: _overrules, ...rest }) =>
    rest;

  let tried = "";

  /** Work out the call that is put together: its dice and its odds. */
  async function tryOut(now) {
    const {
      ui: { draft },
    } = now;
    const tells = draft.skill || draft.weapon || hasDice(draft.ask) || (draft.ask.purpose && !fieldOf(now.game, "code"));
    const isHere = !draft.who || actorOf(now); // whoever was chosen before a reload is not known at once
    if (!isMaster || !isHere || !tells || draft.table) {
      // a table has rows, not chances of success
      tried = "";
      if (ui.preview || ui.refused) store.set({ preview: null, refused: null });
      return;
    }
    const body = toldOf(bodyOf(now));
    const key = JSON.stringify([body, store.state.people, store.state.setup]);
    if (key === tried) return;
    tried = key;
    const answer = await trySend("/api/odds", body);
    const isMade = answer.status === 200;
    if (tried === key) store.set({ preview: isMade ? answer.found : null, refused: isMade || answer.status === 0 ? null : errorOf(answer) });
  }

  const rollAddress = (roll, what = "") => `/api/rolls/${encodeURIComponent(roll.id)}${what}`;
  const setDraft = (part) => store.set({ draft: { ...ui.draft, ...part } });

  function noteUsed(who, name) {
    ui.used[who] = [name, ...(ui.used[who] ?? []).filter((one) => one !== name)].slice(0, MOST_USED);
    remember("used", JSON.stringify(ui.used));
  }

  const act = {
    draft: setDraft,
    open: () => store.set({ isOpen: !ui.isOpen }),
    dismiss: (roll) => store.set({ dismissed: roll.id, isOpen: false }),
    chooseWho(who) {
      const { draft } = ui;
      if (draft.others.length > 0 && !draft.isHelp && who) act.chooseAlso(who);
      else if (who !== draft.who) setDraft({ ...NEW_DRAFT, who, isAnyone: !who, hidden: draft.hidden, ...lastSkillOf(who) });
    },
    /** Who helps the one who rolls. */
    helps(who) {
      const { others, isHelp } = ui.draft;
      const now = !isHelp ? [who] : others.includes(who) ? others.filter((one) => one !== who) : [...others, who];
      setDraft({ others: now, isHelp: now.length > 0, contest: "", ledBy: now.length > 0 ? (lastCommand(seen())?.id ?? "") : "" });
    },
    /** Of several who are chosen, take one out or add one. */
    chooseAlso(who) {
      const keys = chosenOf(seen()).map((one) => one.key);
      const [first, ...others] = keys.includes(who) ? keys.filter((key) => key !== who) : [...keys, who];
      setDraft({ who: first, others, isHelp: ui.draft.isHelp && others.length > 0 });
    },
    everybody() {
      const [first, ...others] = everybody(seen()).map((one) => one.key);
      const { who, hidden } = ui.draft;
      setDraft(ui.draft.others.length > 0 ? { ...NEW_DRAFT, who, hidden } : { ...NEW_DRAFT, who: first, others, hidden });
    },
    chooseSkill(one) {
      const { draft } = ui;
      const isChosen = one.isSkill ? draft.skill === one.name : draft.weapon === one.name;
      if (!isChosen || draft.isOther) setDraft({ ...skillOf(actorOf(seen()), one), isOther: false });
    },
    otherDice: () => ui.draft.isOther || setDraft({ table: "", skill: "", weapon: "", isOther: true, ask: {}, against: "", lastTotal: "" }),
    toCast: () => page.tabs.choose("cast"),
    /** Open what is behind a chip of the call. */
    sheet(name) {
      store.set({ sheet: name });
      drawSheet(name, seen());
    },
    tonight: (name) => act.sheet(name),
    closeSheet,
    toFight: () => page.tabs.choose("fight"),
    byHand: () => pickRoll(store.state.game, store.state.asked),
    async photograph(input) {
      store.set({ isReading: true });
      await photograph(input, ui.person || store.state.asked?.who || "");
      store.set({ isReading: false });
    },
    /** Let phones in while the sheet is open. */
    offer(role) {
      const end = offerPhones(role, (offer) => store.set({ offer, phones: offer.phones ?? ui.phones }));
      byId("sheet").addEventListener(
        "close",
        () => {
          end();
          store.set({ offer: null });
        },
        { once: true },
      );
    },
    async forgetPhone(phone) {
      const phones = await send(`/api/devices/${encodeURIComponent(phone.id)}/forget`, {});
      if (phones) store.set({ phones });
    },
    /** This phone belongs to a card from now on. */
    async iAm(person) {
      if (person.phone && !(await askFirst(say("join.takeOver", { name: person.name }), say("join.takeOverDo")))) return;
      if (await send("/api/me", { person: person.id, takes_over: Boolean(person.phone) })) store.set({ person: person.id });
    },
    /** Take a target: the one, or one more where there are several. */
    aim(id) {
      const { targets } = ui.draft;
      if (targets === null) return setDraft({ against: id, againstSkill: ui.draft.against === id ? ui.draft.againstSkill : "", lastTotal: "" });
      const next = targets.includes(id) ? targets.filter((one) => one !== id) : [...targets, id];
      setDraft({ targets: next.length > 0 ? next : null, against: next[0] ?? "", againstSkill: "", lastTotal: "" });
    },
    /** One more die of a call without a skill. */
    addDie(name) {
      const { dice } = ui.draft.ask;
      const now = typeof dice === "object" ? dice : {};
      act.answer({ dice: { ...now, [name]: (now[name] ?? 0) + 1 } });
    },
    code: (by, from) => act.answer({ code: by > 0 && from === "0D" ? "1D" : codeBy(from, by) }),
    /** Start a call of somebody's skill or weapon from another tab. */
    rollWith(person, one, isSkill) {
      setDraft({ ...NEW_DRAFT, who: person.id || person.key, hidden: ui.draft.hidden });
      act.chooseSkill({ ...one, isSkill });
      page.tabs.choose("roll");
      scrollTo(0, 0);
    },
    answer: (part) => setDraft({ ask: without({ ...ui.draft.ask, ...part }) }),
    add: (name, by) => act.answer({ [name]: (ui.draft.ask[name] ?? 0) + by }),
    dieMenu(type) {
      const kind = dieType(type);
      const then = (act) => () => {
        byId("sheet").close();
        act();
      };
      const of = upgradedDie(seen().game, Boolean(kind.hinders));
      openSheet(
        kind.title,
        html`<div class="acts die-menu"><button type="button" @click=${then(() => act.add(`upgrade_${of}`, 1))}>${icon("chevron-up")} ${say("roll.upgrade")}</button>
        <button type="button" @click=${then(() => act.add(`downgrade_${of}`, 1))}>${icon("chevron-down")} ${say("roll.downgrade")}</button><button type="button" id="die-away" @click=${then(() => act.takeAway(type))}>${icon("x")} ${say("roll.takeAway")}</button></div>`,
      );
    },
    takeAway(type) {
      const { ask } = ui.draft;
      if (ask[type] > 0)
        act.answer({ [type]: ask[type] - 1 || undefined }); // it was added here
      else if (ask.dice?.[type] > 0) act.answer({ dice: without({ ...ask.dice, [type]: ask.dice[type] - 1 || undefined }) });
      else act.answer({ remove: { ...ask.remove, [type]: (ask.remove?.[type] ?? 0) + 1 } });
    },
    difficulty(answers) {
      const now = seen();
      keepDifficulty(now.game, answers);
      setDraft({ ask: without({ ...ui.draft.ask, difficulty: undefined, band: undefined, ...answers }) });
    },
    oddsFor(value) {
      remember("odds-for", value);
      store.set({ oddsFor: value });
    },
    async ask() {
      const now = seen();
      const { draft } = ui;
      const body = bodyOf(now);
      if (isMaster) body.odds_for = ui.oddsFor;
      if (!(await change("/api/ask", body))) return;
      if (draft.skill || draft.weapon) noteUsed(draft.who, draft.skill || draft.weapon);
      setDraft({ ...NEW_DRAFT, who: draft.who, ...lastSkillOf(draft.who) }); // the skill stays; what was added to it does not
      document.querySelector(".skill-row")?.scrollTo(0, 0); // what was used last stands first
    },
    call: (body) => change("/api/ask", isMaster ? { ...body, odds_for: ui.oddsFor } : body),
    changeCall() {
      const { asked } = store.state;
      if (asked.table && asked.game !== seen().game.name) {
        // dice of another game, which the form here does not know
        if (ui.openTable !== asked.table) act.openTable(asked.table);
        page.tabs.choose("tonight");
        act.sheet("tables");
        return;
      }
      setDraft(draftOf(asked, seen()));
      page.tabs.choose("roll");
    },
    stopCall: () => change("/api/ask", {}),
    flip: (side) => change("/api/destiny", { do: "spend", side }),
    adjust: (roll, what) => change(rollAddress(roll, "/ask"), { version: roll.version, ...what }),
    take: (roll) => change(rollAddress(roll, "/take"), { version: roll.version }),
    apply: (roll, effect, to) => change(rollAddress(roll, "/apply"), { effect, to }),
    someoneElse: (key) => store.set({ someoneElse: ui.someoneElse === key ? "" : key }),
    allSpends: (roll) => store.set({ allSpends: ui.allSpends === roll.id ? "" : roll.id }),
    logOf: (name) => store.set({ logOf: ui.logOf === name ? "" : name }),
    logWhat(what) {
      store.set({ logWhat: what });
      learn(store.state);
    },
    olderChanges: () => loadChanges(ui.changes.before).catch(() => null),
    usePool: (roll) => change("/api/destiny", { do: "set", from_roll: roll.id }),
    correct: (roll, index) => pickCorrection(roll, { list: "dice", index }),
    enterThrow: pickThrow,
    async workedOut(roll) {
      const [told, spends] = await Promise.all([get(rollAddress(roll)), get(rollAddress(roll, "/spends"))]).catch(() => []);
      if (told)
        showWorkedOut(
          told,
          { steps: told.steps, spends },
          null,
          mayChange
            ? html`<div class="acts"><button type="button" class="change-call" @click=${() => act.changeRoll(told)}>${say("result.changeCall")}</button></div>`
            : nothing,
        );
    },
    changeRoll: (roll) =>
      changeCallOf(roll, games.find((one) => one.name === roll.game) ?? games[0], (told) =>
        change(rollAddress(roll, "/ask"), { version: roll.version, ...told }),
      ),
    buy: (roll, spend) => buySpend(roll, spend, ui.people),
    /** A player's own skill or weapon is called at once. */
    async rollMine(person, one, isSkill) {
      const draft = { ...NEW_DRAFT, who: person.key ?? person.id, ...skillOf(person, { ...one, isSkill }) };
      await change("/api/ask", bodyOf({ ...seen(), ui: { ...ui, draft } }));
    },
    openTable(name) {
      store.set({ openTable: ui.openTable === name ? "" : name, addedToTable: 0 });
      learn(store.state);
    },
    addToTable: (count) => store.set({ addedToTable: count }),
    throwTable(table, who) {
      const actor = actors(seen()).find((one) => one.key === who);
      act.call({ table: table.name, added: ui.addedToTable, ...(actor && (actor.id ? { who: actor.id } : { player: actor.name })) });
    },
    editTable: (table, isNew = !table) =>
      editTable(table, {
        isNew,
        names: store.state.tables.map((one) => one.name),
        save: async (told) => {
          if (!(await change("/api/tables", told))) return false;
          if (ui.openTable !== told.name) act.openTable(told.name);
          setTimeout(() => act.sheet("tables")); // the editor closes first
          return true;
        },
      }),
    removeTable: (table) => change("/api/tables", { name: table.name, rows: [] }),
    async importTable(input) {
      const [file] = input.files;
      if (!file) return;
      const { error, ...table } = await tableOfFile(file);
      input.value = ""; // the same file may be chosen again
      if (error) showError(error);
      else act.editTable(table, true);
    },
    doAct: (one, person) => doAct(one, person),
  };

  Object.assign(act, castActs(page), fightActs(page));
  page.goOn = () => mayChange && act.editKept();

  /** What a call of a skill or weapon begins with: a weapon aims at whom it aimed last, or at the total it has to beat. */
  function skillOf(actor, one) {
    const now = seen();
    const total = one.isSkill ? null : lastTotal(now, actor);
    return {
      table: "",
      skill: one.isSkill ? one.name : "",
      weapon: one.isSkill ? "" : one.name,
      damage: false,
      ask: {},
      againstSkill: "",
      targets: null,
      lastTotal: total?.id ?? "",
      against: one.isSkill || total ? "" : usualTarget(now, actor),
    };
  }

  /** The skill or weapon that somebody used last. */
  function lastSkillOf(who) {
    const actor = actors(seen()).find((one) => one.key === who);
    for (const name of actor ? (ui.used[who] ?? []) : []) {
      const skill = actor.skills.find((one) => one.name === name);
      const weapon = actor.weapons.find((one) => one.name === name);
      if (skill || weapon) return skillOf(actor, { name, isSkill: Boolean(skill) });
    }
    return {};
  }

  function drawHead(now) {
    const { state } = now;
    const undo = state.undo;
    render(
      html`${
        mayChange
          ? html`
      <button type="button" class="icon-button" id="undo" ?disabled=${!undo} aria-label=${undo ? `${say("undo")}: ${undoWhat(undo)}` : say("undo")} title=${undo ? undoWhat(undo) : say("undo")} @click=${() => undo && undoLast(undo, state.now, { isMine: !isMaster })}>${icon("undo-2")}</button>
      ${isMaster ? html`<button type="button" class="icon-button" id="redo" aria-label=${say("redo")} title=${say("redo")} @click=${() => change("/api/redo")}>${icon("redo-2")}</button>` : nothing}
      ${isMaster ? html`<label class="icon-button file-button" id="photograph-dice" title=${say("photo.take")} ?data-busy=${ui.isReading}>${icon("camera")}<span class="hidden">${say("photo.take")}</span>${photographInput(now, "photograph")}</label>` : nothing}
      <button type="button" class="icon-button" id="by-hand" aria-label=${say("byHand")} title=${say("byHand")} @click=${() => pickRoll(state.game, state.asked)}>${icon("pencil")}</button>`
          : nothing
      }`,
      byId("tools"),
    );
    setText(byId("who"), now.me() || say(`roles.${me.role}`));
    if (!mayChange && !byId("to-pair")) byId("who").after(el("a", { id: "to-pair", class: "button", href: "/pair", text: say("goPair") }));
  }

  return page;
}

/** The ranking of a roll by several, on every tab. */
function contestStrip({ state, ui, act, mayChange }) {
  const contest = contestNow(state);
  const isRead = contest?.done && ui.dismissed === state.roll?.id;
  return contest && !contest.initiative && !isRead
    ? ranking(contest, { asked: state.asked, call: mayChange ? (one) => act.call({ contest: contest.id, who: one.who || one.name }) : null })
    : nothing;
}

const without = (answers) => Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined && value !== 0));

function readUsed() {
  try {
    return JSON.parse(recall("used")) ?? {};
  } catch {
    return {}; // it was written by another version
  }
}

/** A section that is drawn by a function of what the page knows. */
export const drawn = (page, view) => (box) => () => render(view(page.seen()), box);

/** A section that builds its elements itself. */
export const built =
  (...parts) =>
  (box) => {
    const draws = parts.map((part) => part(box.appendChild(el("div", { class: "part" }))));
    return (state) => draws.forEach((one) => one(state));
  };

/** Elements that are seen once somebody opens them. */
export const folded = (title, build) => (box) => {
  const inner = el("div", { class: "part" });
  const draw = build(inner);
  let last = null;
  const fold = el("details", { ontoggle: () => last && draw(last) }, el("summary", { text: title }), inner);
  box.append(fold);
  return (state) => {
    last = state;
    draw(state);
  };
};
