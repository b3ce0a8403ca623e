// A stand-in for Foundry's client, as its documents describe the parts that a module of dice needs (versions 12 to 14):
// https://foundryvtt.com/api/ (Roll, DiceTerm, RollResolver, ChatMessage, CONFIG.Dice.fulfillment). The world is kept in
// the page's storage, as Foundry's server keeps it.
const { setInterval: every } = globalThis;
globalThis.setInterval = (call) => every(call, 50); // a test need not wait as a table does
const world = JSON.parse(localStorage.getItem("world") ?? '{"settings": {}, "messages": []}');
const save = () => localStorage.setItem("world", JSON.stringify(world));
const hooks = {};
globalThis.Hooks = {
  on: (name, call) => (hooks[name] ??= []).push(call),
  once: (name, call) => (hooks[name] ??= []).push(call),
  callAll: (name, ...more) => (hooks[name] ?? []).forEach((call) => call(...more)),
};

class RollTerm {
  constructor({ options = {} } = {}) { this.options = options; this._evaluated = false; }
}
class OperatorTerm extends RollTerm {
  constructor({ operator, options }) { super({ options }); this.operator = operator; }
  toJSON() { return { class: "OperatorTerm", operator: this.operator, evaluated: true }; }
}
class NumericTerm extends RollTerm {
  constructor({ number, options }) { super({ options }); this.number = number; }
  toJSON() { return { class: "NumericTerm", number: this.number, evaluated: true }; }
}
class DiceTerm extends RollTerm {
  constructor({ number = 1, faces = 6, results = [], options = {} }) {
    super({ options });
    Object.assign(this, { number, faces, results });
    if (results.length) this._evaluated = true;
  }
  get denomination() { return this.constructor.DENOMINATION; }
  get total() { return this.results.reduce((sum, one) => sum + one.result, 0); }
  async evaluate(options = {}) {
    if (this._evaluated) throw new Error("This term has already been evaluated");
    for (let n = this.results.length; n < this.number; n += 1) await this.roll(options);
    this._evaluated = true;
    return this;
  }
  async roll(options = {}) {
    const roll = { result: await this._roll(options), active: true };
    roll.result ??= 1 + Math.floor(Math.random() * this.faces);
    this.results.push(roll);
    return roll;
  }
  async _roll(options) {
    const method = game.settings.get("core", "diceConfiguration")[this.denomination];
    const { handler, interactive } = CONFIG.Dice.fulfillment.methods[method] ?? {};
    if (interactive && this.resolver) return undefined;
    return handler?.(this, options);
  }
  toJSON() {
    const { number, faces, results, options } = this;
    return { class: this.constructor.name, number, faces, results, options, evaluated: this._evaluated };
  }
}
class Die extends DiceTerm {
  static DENOMINATION = "d";
  get denomination() { return `d${this.faces}`; }
}
class Coin extends DiceTerm {
  static DENOMINATION = "c";
  constructor(data) { super({ ...data, faces: 2 }); }
}
class FateDie extends DiceTerm {
  static DENOMINATION = "f";
  constructor(data) { super({ ...data, faces: 3 }); }
}

class Roll {
  static RESOLVERS = new Map();
  static get defaultImplementation() { return CONFIG.Dice.rolls[0]; }
  static fromTerms(terms) {
    const roll = new this();
    roll.terms = terms;
    return roll;
  }
  static fromData(data) {
    const roll = Object.assign(new this(), { options: data.options, _total: data.total, _evaluated: data.evaluated });
    roll.terms = data.terms.map((term) => new (Object.values(kinds).find((kind) => kind.name === term.class))(term));
    return roll;
  }
  static registerResult(method, denomination, result) {
    for (const resolver of this.RESOLVERS.values()) if (resolver.registerResult(method, denomination, result)) return true;
    return undefined;
  }
  constructor() { Object.assign(this, { terms: [], options: {}, _evaluated: false }); }
  get dice() { return this.terms.filter((term) => term instanceof DiceTerm); }
  get total() { return this._total; }
  async evaluate({ allowInteractive = true } = {}) {
    if (this._evaluated) throw new Error("This Roll has already been evaluated");
    const config = game.settings.get("core", "diceConfiguration");
    const open = this.dice.filter((term) => CONFIG.Dice.fulfillment.methods[config[term.denomination]]?.interactive);
    if (allowInteractive && open.length) await new RollResolver(this, open).awaitFulfillment();
    for (const term of this.dice) await term.evaluate();
    return this._ended(this._sum());
  }
  _sum() {
    let sign = 1;
    return this.terms.reduce((sum, term) => {
      if (term instanceof OperatorTerm) sign = term.operator === "-" ? -1 : 1;
      const isNumber = term instanceof Die || term instanceof NumericTerm;
      return isNumber ? sum + sign * (term.total ?? term.number) : sum;
    }, 0);
  }
  _ended(total) { return Object.assign(this, { _total: total, _evaluated: true }); }
  toJSON() {
    return { class: "Roll", options: this.options, terms: this.terms, total: this._total, evaluated: this._evaluated };
  }
  async toMessage(data = {}) {
    if (!this._evaluated) await this.evaluate();
    return ChatMessage.create({ content: String(this.total), ...data, rolls: [JSON.stringify(this)] });
  }
}

class RollResolver {
  constructor(roll, terms) { Object.assign(this, { roll, terms }); }
  async awaitFulfillment() {
    Roll.defaultImplementation.RESOLVERS.set(this.roll, this);
    this.element = document.createElement("form");
    const config = game.settings.get("core", "diceConfiguration");
    for (const term of this.terms) {
      for (let n = 0; n < term.number; n += 1) {
        const label = document.createElement("label");
        Object.assign(label.dataset, { denomination: term.denomination, method: config[term.denomination] });
        const input = document.createElement("input");
        input.type = "number";
        label.append(input);
        label.term = term;
        this.element.append(label);
      }
    }
    document.body.append(this.element);
    const done = new Promise((resolve) => { this.resolve = resolve; });
    Hooks.callAll("renderRollResolver", this);
    await done;
    Roll.defaultImplementation.RESOLVERS.delete(this.roll);
    this.element.remove();
    Hooks.callAll("closeRollResolver", this);
  }
  registerResult(method, denomination, result) {
    const query = `label[data-denomination="${denomination}"][data-method="${method}"] > input:not(:disabled)`;
    const input = [...this.element.querySelectorAll(query)].find((one) => one.value === "");
    if (!input) return false;
    input.value = `${result}`;
    const labels = [...this.element.querySelectorAll("label")];
    if (labels.every((label) => label.firstChild.value !== "")) {
      for (const { term, firstChild } of labels) term.results.push({ result: firstChild.valueAsNumber, active: true });
      this.resolve();
    }
    return true;
  }
}

// A system for symbol dice: its rolls open no resolver, each term rolls by itself, and its force die has a letter of its
// own (StarWarsFFG).
const symbol = (name, letter, faces) => ({
  [name]: class extends DiceTerm {
    static DENOMINATION = letter;
    static { Object.defineProperty(this, "name", { value: name }); }
    constructor(data) { super({ ...data, faces }); }
    async evaluate() {
      if (this._evaluated) throw new Error("This term has already been evaluated");
      for (let n = 1; n <= this.number; n += 1) await this.roll();
      this._evaluated = true;
      return this;
    }
  },
})[name];
class RollFFG extends Roll {
  async evaluate() {
    await Promise.all(this.dice.map((term) => term.evaluate()));
    return this._ended(this._sum());
  }
}
const kinds = { d: Die, c: Coin, f: FateDie, OperatorTerm, NumericTerm };

class Message {
  constructor(data) { this.data = data; }
  get id() { return this.data._id; }
  get flags() { return this.data.flags ?? {}; }
  get flavor() { return this.data.flavor; }
  get content() { return this.data.content; }
  get speaker() { return this.data.speaker; }
  get rolls() { return (this.data.rolls ?? []).map((text) => Roll.fromData(JSON.parse(text))); }
  async update({ flags = {}, ...more }) {
    const tableside = { ...this.flags.tableside, ...flags.tableside };
    Object.assign(this.data, more, { flags: { ...this.flags, tableside } });
    save();
  }
  async delete() {
    world.messages = world.messages.filter((one) => one !== this.data);
    save();
  }
}
globalThis.ChatMessage = {
  create: async (data) => {
    world.messages.push({ _id: crypto.randomUUID(), ...data });
    save();
  },
};

const standard = {};
// Who looks at the page stands in its address; pages of one browser are connected as Foundry's server connects them.
const self = location.search.slice(1) || "gm";
const users = new Map(["gm", "player"].map((id) => [id, { id, active: true, isSelf: id === self }]));
const line = new BroadcastChannel("world");
globalThis.heard = [];
line.addEventListener("message", ({ data }) => heard.push(data.told));
globalThis.game = {
  user: users.get(self),
  users: Object.assign(users, { activeGM: users.get("gm") }),
  socket: {
    on: (channel, call) => line.addEventListener("message", ({ data }) => data.channel === channel && call(data.told)),
    emit: (channel, told) => line.postMessage({ channel, told }),
  },
  settings: {
    register: (room, name, told) => { standard[`${room}.${name}`] = told.default; },
    get: (room, name) => world.settings[`${room}.${name}`] ?? standard[`${room}.${name}`],
    set: async (room, name, value) => { world.settings[`${room}.${name}`] = value; save(); },
  },
  i18n: {
    words: {},
    format: (key, values) => key.split(".").reduce((at, name) => at[name], game.i18n.words).replace(/{(\w+)}/g, (_, name) => values[name]),
  },
  get messages() { return world.messages.map((data) => new Message(data)); },
  combat: null,
};
game.settings.register("core", "diceConfiguration", { default: {} });
globalThis.ui = { notifications: { told: [], warn: (words) => ui.notifications.told.push(words) } };
globalThis.CONFIG = {
  Dice: { rolls: [Roll], terms: { d: Die, c: Coin, f: FateDie }, fulfillment: { methods: {}, dice: {} } },
};
globalThis.Roll = Roll;
class DialogV2 extends EventTarget {
  render() {}
  close() { setTimeout(() => this.dispatchEvent(new Event("close")), 100); } // it fades out first
}
globalThis.foundry = {
  dice: { terms: { OperatorTerm, NumericTerm, Die } },
  applications: { api: { DialogV2 } },
};

/** Make the world one of a system for symbol dice. */
globalThis.playSymbols = () => {
  CONFIG.Dice.rolls.unshift(RollFFG);
  const all = [["Boost", "b", 6], ["Setback", "s", 6], ["Ability", "a", 8], ["Difficulty", "i", 8], ["Proficiency", "p", 12],
    ["Challenge", "c", 12]];
  for (const [name, letter, faces] of all) CONFIG.Dice.terms[letter] = symbol(`${name}Die`, letter, faces);
  CONFIG.Dice.terms.f = symbol("ForceDie", "m", 12);
  Object.assign(kinds, CONFIG.Dice.terms);
};
/** Roll as a character sheet does; the dice are terms such as ["d", 6, 2]. */
globalThis.rollSheet = (...dice) => {
  const roll = Roll.defaultImplementation.fromTerms(dice.map(([letter, faces, number]) =>
    new CONFIG.Dice.terms[letter]({ number, faces })));
  return roll.toMessage({ flavor: "Attack" });
};
globalThis.shownMessages = () => game.messages.map((message) => ({
  content: message.content,
  flavor: message.flavor ?? "",
  dice: message.rolls.flatMap((roll) => roll.dice.map((term) => [term.denomination, ...term.results.map((one) => one.result)])),
}));
