// Calling a roll: what is put together on the game master's phone, tried out and asked; players call their own at once.

import { recall, remember } from "../memory.js";
import { choosePerson } from "../part/choose.js";
import { say } from "../strings.js";
import { change, trySend } from "../talk.js";
import {
  actorOf,
  actors,
  bodyOf,
  chosenOf,
  draftOf,
  everybody,
  fieldOf,
  hasDice,
  isSeveral,
  keepDifficulty,
  lastCommand,
  NEW_DRAFT,
  targetsOf,
  turnedOf,
  usualTarget,
} from "./draft.js";
import { ownCallActs } from "./my-call.js";
import { codeBy } from "./rating.js";

const MOST_USED = 12;

/**
 * What a call that is put together begins with on this phone.
 * @param {Partial<Draft>} [kept]
 * @returns {{ draft: Draft, preview: Told["DraftOdds"] | null, refused: Fault | null, used: Record<string, string[]>, oddsFor: Told["Seen"], isAsking: boolean }}
 */
export const newCall = (kept) => ({
  draft: { ...NEW_DRAFT, ...kept },
  preview: null,
  refused: null,
  used: readUsed(),
  oddsFor: /** @type {Told["Seen"]} */ (recall("odds-for") ?? "all"),
  isAsking: false,
});

/** What the tab of calls does. `page` tells what is seen now and follows. @param {PhonePage} page */
export function callActs(page) {
  const { store } = page;
  const setDraft = (/** @type {Partial<Draft>} */ part) => store.set({ draft: { ...store.ui.draft, ...part } });
  /** What a call of a skill or weapon begins with. A total to beat is somebody's choice; a target's reaction the table knows. @param {Rolling | null} actor @param {{ name: string, isSkill: boolean }} one @returns {Partial<Draft>} */
  const skillOf = (actor, one) => ({
    table: "",
    skill: one.isSkill ? one.name : "",
    weapon: one.isSkill ? "" : one.name,
    damage: false,
    ask: {},
    ticked: [],
    againstSkill: "",
    targets: null,
    lastTotal: "",
    against: one.isSkill || !actor ? "" : usualTarget(page.seen(), actor),
    isGuess: true,
  });
  /** The skill or weapon that somebody used last. @param {string} who */
  const lastSkillOf = (who) => {
    const actor = actors(page.seen()).find((one) => one.key === who);
    if (!actor) return {};
    for (const name of store.ui.used[who] ?? []) {
      const skill = actor.skills.find((one) => one.name === name);
      const weapon = actor.weapons.find((one) => one.name === name);
      if (skill || weapon) return skillOf(actor, { name, isSkill: Boolean(skill) });
    }
    return {};
  };
  const noteUsed = (/** @type {string} */ who, /** @type {string} */ name) => {
    const { used } = store.ui;
    used[who] = [name, ...(used[who] ?? []).filter((one) => one !== name)].slice(0, MOST_USED);
    remember("used", JSON.stringify(used));
  };
  const act = {
    draft: setDraft,
    /** @param {string} who */
    chooseWho(who) {
      const { draft, isAsking } = store.ui;
      if (draft.isEmpty || isAsking || isSeveral(draft) || who !== draft.who) setDraft({ ...NEW_DRAFT, who, isAnyone: !who, ...lastSkillOf(who) });
    },
    /** Somebody of the scene rolls, until the game master says that it is anyone's. */
    chooseFirst() {
      const { draft } = store.ui;
      if (
        !page.isMaster ||
        store.state.initiative.slots.length > 0 ||
        draft.who ||
        draft.isAnyone ||
        draft.isEmpty ||
        draft.isOther ||
        draft.table ||
        Object.keys(draft.ask).length > 0
      )
        return;
      const heroes = actors(page.seen()).filter((one) => one.kind === "player" && one.id);
      if (heroes.length > 0) setDraft({ ...NEW_DRAFT, who: heroes[0].key, ...lastSkillOf(heroes[0].key) });
    },
    /** Who helps the one who rolls. @param {string} who */
    helps(who) {
      const { others, isHelp } = store.ui.draft;
      const now = !isHelp ? [who] : others.includes(who) ? others.filter((one) => one !== who) : [...others, who];
      setDraft({ others: now, isHelp: now.length > 0, contest: "", ledBy: now.length > 0 ? (lastCommand(page.seen())?.id ?? "") : "" });
    },
    /** Of several who are chosen, take one out or add one. @param {string} who */
    chooseAlso(who) {
      const keys = chosenOf(page.seen()).map((one) => one.key);
      const [first, ...others] = keys.includes(who) ? keys.filter((key) => key !== who) : [...keys, who];
      setDraft({ who: first, others, isHelp: store.ui.draft.isHelp && others.length > 0 });
    },
    everybody() {
      const [first, ...others] = everybody(page.seen()).map((one) => one.key);
      if (!isSeveral(store.ui.draft)) setDraft({ ...NEW_DRAFT, who: first, others });
    },
    /** @param {{ name: string, isSkill: boolean }} one */
    chooseSkill(one) {
      const { draft } = store.ui;
      const isChosen = one.isSkill ? draft.skill === one.name : draft.weapon === one.name;
      if (!isChosen || draft.isOther) setDraft({ ...skillOf(actorOf(page.seen()), one), isOther: false });
    },
    otherDice: () => store.ui.draft.isOther || setDraft({ table: "", skill: "", weapon: "", isOther: true, ask: {}, against: "", lastTotal: "" }),
    /** Take a target: the one, or one more where there are several. @param {string} id */
    aim(id) {
      const { targets } = store.ui.draft;
      if (targets === null)
        return setDraft({ against: id, isGuess: false, againstSkill: store.ui.draft.against === id ? store.ui.draft.againstSkill : "", lastTotal: "" });
      const next = targets.includes(id) ? targets.filter((one) => one !== id) : [...targets, id];
      setDraft({ targets: next.length > 0 ? next : null, against: next[0] ?? "", againstSkill: "", lastTotal: "" });
    },
    /** One more die of a call without a skill. @param {string} name */
    addDie(name) {
      const { dice } = store.ui.draft.ask;
      const now = /** @type {Counts} */ (typeof dice === "object" ? dice : {});
      act.answer({ dice: { ...now, [name]: (now[name] ?? 0) + 1 } });
    },
    code: (/** @type {number} */ by, /** @type {string} */ from) => act.answer({ code: by > 0 && from === "0D" ? "1D" : codeBy(from, by) }),
    /** Start a call of somebody's skill or weapon from another tab. @param {{ id: string, key?: string }} person @param {{ name: string }} one @param {boolean} isSkill */
    rollWith(person, one, isSkill) {
      setDraft({ ...NEW_DRAFT, who: person.id || (person.key ?? "") });
      act.chooseSkill({ ...one, isSkill });
      page.tabs.choose("now");
      scrollTo(0, 0);
    },
    answer: (/** @type {Answers} */ part) => setDraft({ ask: without({ ...store.ui.draft.ask, ...part }) }),
    add: (/** @type {string} */ name, /** @type {number} */ by) => act.answer({ [name]: countOf(store.ui.draft.ask, name) + by }),
    /** Turn a die into its better or worse one, by what was turned before where it was; what has none goes. @param {string} type */
    turnDie(type) {
      const { game } = page.seen();
      if (!turnedOf(game, type)) return act.takeAway(type);
      const isUp = type in game.upgrades;
      const of = isUp ? type : turnedOf(game, type);
      const [to, from] = isUp ? [`upgrade_${of}`, `downgrade_${of}`] : [`downgrade_${of}`, `upgrade_${of}`];
      if (countOf(store.ui.draft.ask, from) > 0) act.add(from, -1);
      else act.add(to, 1);
    },
    /** @param {string} type */
    takeAway(type) {
      const { ask } = store.ui.draft;
      const [dice, remove] = [/** @type {Counts} */ (ask.dice ?? {}), /** @type {Counts} */ (ask.remove ?? {})];
      if (countOf(ask, type) > 0)
        act.answer({ [type]: countOf(ask, type) - 1 || undefined }); // it was added here
      else if (dice[type] > 0) act.answer({ dice: without({ ...dice, [type]: dice[type] - 1 || undefined }) });
      else act.answer({ remove: { ...remove, [type]: (remove[type] ?? 0) + 1 } });
    },
    /** @param {Answers} answers */
    difficulty(answers) {
      const now = page.seen();
      keepDifficulty(now.game, answers);
      setDraft({ ask: without({ ...store.ui.draft.ask, difficulty: undefined, band: undefined, ...answers }) });
    },
    /** @param {Told["Seen"]} value */
    oddsFor(value) {
      remember("odds-for", value);
      store.set({ oddsFor: value });
    },
    async ask({ overrules = false } = {}) {
      const { draft } = store.ui;
      const body = { ...bodyOf(page.seen()), odds_for: store.ui.oddsFor, ...(overrules && { overrules }), ...(isOneMore(store) && { later: true }) };
      store.set({ isAsking: true }); // a second tap before the answer would call the same once more
      const isCalled = await change("/api/ask", body);
      store.set({ isAsking: false });
      if (!isCalled) return;
      if (draft.skill || draft.weapon) noteUsed(draft.who, draft.skill || draft.weapon);
      if (store.ui.draft === draft) setDraft({ ...NEW_DRAFT, isEmpty: true }); // the next call is no copy of this one; what was begun meanwhile stays
    },
    call: (/** @type {Sends<"/api/ask">} */ body) => change("/api/ask", page.isMaster ? { ...body, odds_for: store.ui.oddsFor } : body),
    changeCall() {
      const { asked } = store.state;
      if (!asked) return;
      if (asked.table && asked.game !== page.seen().game.name) {
        // dice of another game, which the form here does not know
        if (store.ui.openTable !== asked.table) page.act.openTable(asked.table);
        page.tabs.choose("tonight");
        page.act.sheet("tables");
        return;
      }
      setDraft(draftOf(asked, page.seen()));
      page.tabs.choose("now");
    },
    throwPool: () => act.call({ ask: { ...page.seen().game.pool_ask, players: everybody(page.seen()).length || 1 }, label: store.state.destiny_names.pool }),
    /** Somebody's skill or weapon is called at once, as usual. @param {Rolling} person @param {{ name: string }} one @param {boolean} isSkill @param {Partial<Draft>} [more] */
    async rollNow(person, one, isSkill, more = {}) {
      const draft = { ...NEW_DRAFT, who: person.id, ...skillOf(person, { ...one, isSkill }), ...more };
      if (await act.call(bodyOf({ ...page.seen(), ui: { ...store.ui, draft } }))) noteUsed(person.id, one.name);
    },
    /** Whoever acts, or somebody else, is called for anything. */
    callAnybody() {
      setDraft({ ...NEW_DRAFT, isEmpty: true, isOneMore: true });
      page.act.closeSheet();
    },
    /** Dice that nobody of the scene is called for. */
    callAnyone() {
      act.chooseWho("");
      page.act.closeSheet();
    },
    /** A weapon at somebody else. @param {Rolling} person @param {{ name: string }} weapon */
    async aimAnew(person, weapon) {
      const against = await choosePerson(say("call.target"), targetsOf(page.seen(), person));
      if (against) act.rollNow(person, weapon, false, { against });
    },
    stopCall: () => change("/api/ask", {}),
  };
  return page.isMaster ? act : { ...act, ...ownCallActs(page, skillOf) };
}

/** Whether what is put together comes after the open call, and is no change of it. @param {{ state: State, ui: PhoneUi }} seen */
export const isOneMore = ({ state, ui }) => Boolean(state.asked) && ui.draft.changes !== state.asked?.id;

/** A function that works out the call that is put together, where it is another than last time: its dice and its odds. @param {PhonePage} page */
export function triesOut({ store, isMaster }) {
  let tried = "";
  const clear = () => {
    tried = "";
    if (store.ui.preview || store.ui.refused) store.set({ preview: null, refused: null });
  };
  return async (/** @type {PhoneSeen} */ now) => {
    const {
      ui: { draft },
    } = now;
    const tells = draft.skill || draft.weapon || hasDice(draft.ask) || (draft.ask.purpose && !fieldOf(now.game, "code"));
    const isHere = !draft.who || actorOf(now); // whoever was chosen before a reload is not known at once
    if (!isMaster || !isHere || !tells || draft.table) {
      clear(); // a table has rows, not chances of success
      return;
    }
    const { player, label: _label, hidden: _hidden, contest: _contest, table: _table, changes: _changes, ...body } = bodyOf(now); // what the odds depend on
    const key = JSON.stringify([body, store.state.people, store.state.setup]);
    if (key === tried) return;
    tried = key;
    const answer = await trySend("/api/odds", body);
    if (tried !== key) return;
    if (answer.status === 0)
      clear(); // the table is away: its next state asks again
    else store.set({ preview: answer.found, refused: answer.error });
  };
}

/** How much of a die or of what is turned is asked. @param {Answers} ask @param {string} name */
const countOf = (ask, name) => /** @type {number} */ (ask[name] ?? 0);

const without = (/** @type {Answers} */ answers) => Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined && value !== 0));

/** @returns {Record<string, string[]>} */
function readUsed() {
  try {
    return JSON.parse(recall("used") ?? "null") ?? {};
  } catch {
    return {}; // it was written by another version
  }
}
