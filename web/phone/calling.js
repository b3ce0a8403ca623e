// Calling a roll: what is put together on the game master's phone, tried out and asked; players call their own at once.

import { dieType } from "../dice.js";
import { byId } from "../dom.js";
import { icon } from "../draw/icon.js";
import { recall, remember } from "../memory.js";
import { closeSheet, openSheet } from "../part/sheet.js";
import { say } from "../strings.js";
import { change, errorOf, trySend } from "../talk.js";
import { html } from "../vendor/lit-html/lit-html.js";
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
  NEW_DRAFT,
  upgradedDie,
  usualTarget,
} from "./draft.js";
import { codeBy } from "./rating.js";

const MOST_USED = 12;

/** What a call that is put together begins with on this phone. */
export const newCall = (kept) => ({
  draft: { ...NEW_DRAFT, ...kept },
  preview: null,
  refused: null,
  used: readUsed(),
  oddsFor: recall("odds-for") ?? "all",
  isAsking: false,
});

/** What the tab of calls does. `page` tells what is seen now and follows. */
export function callActs(page) {
  const { store } = page;
  const setDraft = (part) => store.set({ draft: { ...store.ui.draft, ...part } });
  /** What a call of a skill or weapon begins with. A total to beat is somebody's choice; a target's reaction the table knows. */
  const skillOf = (actor, one) => ({
    table: "",
    skill: one.isSkill ? one.name : "",
    weapon: one.isSkill ? "" : one.name,
    damage: false,
    ask: {},
    againstSkill: "",
    targets: null,
    lastTotal: "",
    against: one.isSkill ? "" : usualTarget(page.seen(), actor),
  });
  /** The skill or weapon that somebody used last. */
  const lastSkillOf = (who) => {
    const actor = actors(page.seen()).find((one) => one.key === who);
    for (const name of actor ? (store.ui.used[who] ?? []) : []) {
      const skill = actor.skills.find((one) => one.name === name);
      const weapon = actor.weapons.find((one) => one.name === name);
      if (skill || weapon) return skillOf(actor, { name, isSkill: Boolean(skill) });
    }
    return {};
  };
  const noteUsed = (who, name) => {
    const { used } = store.ui;
    used[who] = [name, ...(used[who] ?? []).filter((one) => one !== name)].slice(0, MOST_USED);
    remember("used", JSON.stringify(used));
  };
  const act = {
    draft: setDraft,
    chooseWho(who) {
      const { draft } = store.ui;
      if (draft.others.length > 0 && !draft.isHelp && who) act.chooseAlso(who);
      else if (who !== draft.who) setDraft({ ...NEW_DRAFT, who, isAnyone: !who, hidden: draft.hidden, ...lastSkillOf(who) });
    },
    /** Somebody of the scene rolls, until the game master says that it is anyone's. */
    chooseFirst() {
      const { draft } = store.ui;
      if (!page.isMaster || draft.who || draft.isAnyone || draft.isOther || draft.table || Object.keys(draft.ask).length > 0) return;
      const heroes = actors(page.seen()).filter((one) => one.kind === "player" && one.id);
      const turn = store.state.initiative.slots.find((one) => one.id === store.state.initiative.current);
      const first = heroes.find((one) => one.name === turn?.who) ?? heroes[0];
      if (first) setDraft({ ...NEW_DRAFT, who: first.key, hidden: draft.hidden, ...lastSkillOf(first.key) });
    },
    /** Who helps the one who rolls. */
    helps(who) {
      const { others, isHelp } = store.ui.draft;
      const now = !isHelp ? [who] : others.includes(who) ? others.filter((one) => one !== who) : [...others, who];
      setDraft({ others: now, isHelp: now.length > 0, contest: "", ledBy: now.length > 0 ? (lastCommand(page.seen())?.id ?? "") : "" });
    },
    /** Of several who are chosen, take one out or add one. */
    chooseAlso(who) {
      const keys = chosenOf(page.seen()).map((one) => one.key);
      const [first, ...others] = keys.includes(who) ? keys.filter((key) => key !== who) : [...keys, who];
      setDraft({ who: first, others, isHelp: store.ui.draft.isHelp && others.length > 0 });
    },
    everybody() {
      const [first, ...others] = everybody(page.seen()).map((one) => one.key);
      const { who, hidden } = store.ui.draft;
      setDraft(store.ui.draft.others.length > 0 ? { ...NEW_DRAFT, who, hidden } : { ...NEW_DRAFT, who: first, others, hidden });
    },
    chooseSkill(one) {
      const { draft } = store.ui;
      const isChosen = one.isSkill ? draft.skill === one.name : draft.weapon === one.name;
      if (!isChosen || draft.isOther) setDraft({ ...skillOf(actorOf(page.seen()), one), isOther: false });
    },
    otherDice: () => store.ui.draft.isOther || setDraft({ table: "", skill: "", weapon: "", isOther: true, ask: {}, against: "", lastTotal: "" }),
    /** Take a target: the one, or one more where there are several. */
    aim(id) {
      const { targets } = store.ui.draft;
      if (targets === null) return setDraft({ against: id, againstSkill: store.ui.draft.against === id ? store.ui.draft.againstSkill : "", lastTotal: "" });
      const next = targets.includes(id) ? targets.filter((one) => one !== id) : [...targets, id];
      setDraft({ targets: next.length > 0 ? next : null, against: next[0] ?? "", againstSkill: "", lastTotal: "" });
    },
    /** One more die of a call without a skill. */
    addDie(name) {
      const { dice } = store.ui.draft.ask;
      const now = typeof dice === "object" ? dice : {};
      act.answer({ dice: { ...now, [name]: (now[name] ?? 0) + 1 } });
    },
    code: (by, from) => act.answer({ code: by > 0 && from === "0D" ? "1D" : codeBy(from, by) }),
    /** Start a call of somebody's skill or weapon from another tab. */
    rollWith(person, one, isSkill) {
      setDraft({ ...NEW_DRAFT, who: person.id || person.key, hidden: store.ui.draft.hidden });
      act.chooseSkill({ ...one, isSkill });
      page.tabs.choose("roll");
      scrollTo(0, 0);
    },
    answer: (part) => setDraft({ ask: without({ ...store.ui.draft.ask, ...part }) }),
    add: (name, by) => act.answer({ [name]: (store.ui.draft.ask[name] ?? 0) + by }),
    dieMenu(type) {
      const kind = dieType(type);
      const then = (act) => () => {
        closeSheet();
        act();
      };
      const of = upgradedDie(page.seen().game, Boolean(kind.hinders));
      openSheet(
        kind.title,
        html`<div class="acts die-menu"><button type="button" @click=${then(() => act.add(`upgrade_${of}`, 1))}>${icon("chevron-up")} ${say("roll.upgrade")}</button>
        <button type="button" @click=${then(() => act.add(`downgrade_${of}`, 1))}>${icon("chevron-down")} ${say("roll.downgrade")}</button><button type="button" id="die-away" @click=${then(() => act.takeAway(type))}>${icon("x")} ${say("roll.takeAway")}</button></div>`,
      );
    },
    takeAway(type) {
      const { ask } = store.ui.draft;
      if (ask[type] > 0)
        act.answer({ [type]: ask[type] - 1 || undefined }); // it was added here
      else if (ask.dice?.[type] > 0) act.answer({ dice: without({ ...ask.dice, [type]: ask.dice[type] - 1 || undefined }) });
      else act.answer({ remove: { ...ask.remove, [type]: (ask.remove?.[type] ?? 0) + 1 } });
    },
    difficulty(answers) {
      const now = page.seen();
      keepDifficulty(now.game, answers);
      setDraft({ ask: without({ ...store.ui.draft.ask, difficulty: undefined, band: undefined, ...answers }) });
    },
    oddsFor(value) {
      remember("odds-for", value);
      store.set({ oddsFor: value });
    },
    async ask() {
      const now = page.seen();
      const { draft } = store.ui;
      const body = bodyOf(now);
      if (page.isMaster) body.odds_for = store.ui.oddsFor;
      store.set({ isAsking: true }); // a second tap before the answer would call the same once more
      const isCalled = await change("/api/ask", body);
      store.set({ isAsking: false });
      if (!isCalled) return;
      if (draft.skill || draft.weapon) noteUsed(draft.who, draft.skill || draft.weapon);
      setDraft({ ...NEW_DRAFT, who: draft.who, ...lastSkillOf(draft.who) }); // the skill stays; what was added to it does not
      document.querySelector(".skill-row")?.scrollTo(0, 0); // what was used last stands first
    },
    call: (body) => change("/api/ask", page.isMaster ? { ...body, odds_for: store.ui.oddsFor } : body),
    changeCall() {
      const { asked } = store.state;
      if (asked.table && asked.game !== page.seen().game.name) {
        // dice of another game, which the form here does not know
        if (store.ui.openTable !== asked.table) page.act.openTable(asked.table);
        page.tabs.choose("tonight");
        page.act.sheet("tables");
        return;
      }
      setDraft(draftOf(asked, page.seen()));
      page.tabs.choose("roll");
    },
    stopCall: () => change("/api/ask", {}),
    /** A player's own skill or weapon is called at once. */
    async rollMine(person, one, isSkill) {
      const draft = { ...NEW_DRAFT, who: person.key ?? person.id, ...skillOf(person, { ...one, isSkill }) };
      await change("/api/ask", bodyOf({ ...page.seen(), ui: { ...store.ui, draft } }));
    },
  };
  return act;
}

/** A function that works out the call that is put together, where it is another than last time: its dice and its odds. */
export function triesOut({ store, isMaster }) {
  let tried = "";
  const clear = () => {
    tried = "";
    if (store.ui.preview || store.ui.refused) store.set({ preview: null, refused: null });
  };
  return async (now) => {
    const {
      ui: { draft },
    } = now;
    const tells = draft.skill || draft.weapon || hasDice(draft.ask) || (draft.ask.purpose && !fieldOf(now.game, "code"));
    const isHere = !draft.who || actorOf(now); // whoever was chosen before a reload is not known at once
    if (!isMaster || !isHere || !tells || draft.table) {
      clear(); // a table has rows, not chances of success
      return;
    }
    const { player: _player, label: _label, hidden: _hidden, others: _others, contest: _contest, table: _table, overrules: _overrules, ...body } = bodyOf(now); // what the odds depend on
    const key = JSON.stringify([body, store.state.people, store.state.setup]);
    if (key === tried) return;
    tried = key;
    const answer = await trySend("/api/odds", body);
    const isMade = answer.status === 200;
    if (tried !== key) return;
    if (answer.status === 0)
      clear(); // the table is away: its next state asks again
    else store.set({ preview: isMade ? answer.found : null, refused: isMade ? null : errorOf(answer) });
  };
}

const without = (answers) => Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined && value !== 0));

function readUsed() {
  try {
    return JSON.parse(recall("used")) ?? {};
  } catch {
    return {}; // it was written by another version
  }
}
