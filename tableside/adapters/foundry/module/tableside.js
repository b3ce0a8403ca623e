// Dice of a tableside table in a Foundry world, from version 12 on. The active game master's browser alone asks the
// table; it hands a throw to whoever waits for dice, or writes it to the chat.
import TABLE from "./table.js";

const ID = "tableside";
const CHANNEL = `module.${ID}`;
const FACES = { b: 6, s: 6, a: 8, i: 8, p: 12, c: 12, f: 12 }; // of symbol dice; core's own c and f have others
const NAMES = { b: "boost", s: "setback", a: "ability", i: "difficulty", p: "proficiency", c: "challenge", f: "force" };
const EVERY = 1000; // ms
const LIMIT = 8000; // ms for the table to answer
const PATIENCE = 5000; // ms for another browser to say that it took a throw

const html = (words) => Object.assign(document.createElement("i"), { textContent: words ?? "" }).innerHTML;
const say = (key, values = {}) => game.i18n.format(`TABLESIDE.${key}`, values);
const setting = (name) => game.settings.get(ID, name);
const leads = () => game.users.activeGM?.isSelf === true;

// --- dice ---

/** Return the class of Foundry's die for a letter of the table, undefined where this world has none. */
function classOf(letter) {
  const { terms } = CONFIG.Dice;
  if (/^\d+$/.test(letter)) return terms.d;
  const named = letter === "f" ? Object.values(terms).filter((one) => one.name === "ForceDie") : [];
  return [terms[letter], ...named].find((one) => one && new one({ number: 1 }).faces === FACES[letter]);
}

const denominationOf = (letter) => (/^\d+$/.test(letter) ? `d${letter}` : classOf(letter)?.DENOMINATION);

/** Return a ten-sided die and one of tens as the one d100 that Foundry makes of them. */
function percentile(dice) {
  const [tens, ones] = ["00", "10"].map((letter) => dice.filter((die) => die.denomination === letter));
  if (tens.length !== 1 || ones.length !== 1) return dice;
  const value = (tens[0].value + (ones[0].value % 10)) || 100;
  return [...dice.filter((die) => die !== tens[0] && die !== ones[0]), { denomination: "100", value }];
}

/** Return a throw's dice as Foundry counts them, or null where one of them is none of this world's dice. */
function diceOf(roll) {
  const dice = percentile(roll.dice).map(({ denomination: letter, value }) => {
    const faces = FACES[letter] ?? Number(letter);
    return { letter, denomination: denominationOf(letter), value: faces === 10 && value === 0 ? 10 : value, faces };
  });
  const isOne = (die) => die.denomination && Number.isInteger(die.value) && die.value >= 1 && die.value <= die.faces;
  return dice.length && dice.every(isOne) ? dice : null;
}

/** Return a Roll that has these dice, evaluated by the world's own system. */
async function rollOf(told) {
  const dice = diceOf(told);
  if (!dice) return null;
  const terms = [];
  for (const letter of new Set(dice.map((die) => die.letter))) {
    const values = dice.filter((die) => die.letter === letter).map((die) => die.value);
    const Kind = classOf(letter);
    const term = new Kind({ number: values.length, faces: FACES[letter] ?? Number(letter) });
    const left = [...values];
    term._roll = async () => left.shift(); // what the fulfilment of this one term says
    if (terms.length) terms.push(new foundry.dice.terms.OperatorTerm({ operator: "+" }));
    terms.push(term);
  }
  const more = (told.total ?? NaN) - dice.reduce((sum, die) => sum + die.value, 0); // such as pips, or a Wild Die's 1
  if (more) {
    terms.push(new foundry.dice.terms.OperatorTerm({ operator: more < 0 ? "-" : "+" }));
    terms.push(new foundry.dice.terms.NumericTerm({ number: Math.abs(more) }));
  }
  const roll = Roll.defaultImplementation.fromTerms(terms);
  await roll.evaluate({ allowInteractive: false });
  const shown = roll.dice.flatMap((term) => term.results.map((one) => one.result));
  const wanted = terms.flatMap((term) => dice.filter((die) => classOf(die.letter) === term.constructor &&
    die.faces === term.faces).map((die) => die.value));
  if (String(shown) !== String(wanted)) throw new Error(`${ID}: Foundry shows ${shown} for ${wanted}`);
  roll.options[ID] = told.roll_id;
  return roll;
}

const counts = (dice) => {
  const found = {};
  for (const one of dice) found[one] = (found[one] ?? 0) + 1;
  return Object.entries(found).sort().map(([kind, count]) => `${count}${kind.startsWith("d") ? "" : "d"}${kind}`).join(" + ");
};

// --- answering Foundry's own rolls ---

const asked = new Map(); // terms of systems that roll without the resolver, with what settles their next die
const ready = new Map(); // and the values that wait for their further dice

const OPEN = `label[data-method="${ID}"] > input:not(:disabled)`;
const openOf = (resolver) => [...(resolver.element?.querySelectorAll(OPEN) ?? [])].filter((input) => input.value === "");

/** Return what this browser waits for: the resolver, if it is one, and the dice that are wanted. */
function wanted() {
  for (const resolver of Roll.defaultImplementation.RESOLVERS.values()) {
    const dice = openOf(resolver).map((input) => input.closest("label").dataset.denomination);
    if (dice.length) return { resolver, dice };
  }
  const dice = [...asked.keys()].flatMap((term) => Array(term.number - term.results.length).fill(term.denomination));
  return dice.length ? { dice } : null;
}

/** Answer what this browser waits for, and tell whether that was done. All dice must fit, or none is taken. */
function answer(told) {
  const wants = wanted();
  const dice = diceOf(told);
  if (!wants) return false;
  if (!dice || counts(dice.map((die) => die.denomination)) !== counts(wants.dice)) {
    const lies = dice ? counts(dice.map((die) => die.denomination)) : told.formula;
    ui.notifications.warn(say("misfit", { wanted: counts(wants.dice), lies }));
    return false;
  }
  if (wants.resolver) {
    wants.resolver.roll.options[ID] = told.roll_id;
    for (const die of dice) Roll.defaultImplementation.registerResult(ID, die.denomination, die.value);
    return true;
  }
  for (const [term, settle] of [...asked]) {
    const values = [];
    for (let count = term.number - term.results.length; count > 0; count -= 1) {
      values.push(dice.splice(dice.findIndex((die) => die.denomination === term.denomination), 1)[0].value);
    }
    term.options[ID] = told.roll_id;
    ready.set(term, values);
    asked.delete(term);
    settle(values.shift());
  }
  const done = dialog;
  dialog = null; // before it has closed another roll may ask
  done?.close();
  announce();
  return true;
}

let dialog = null;

/** Give a term its next die, for systems whose rolls open no resolver. */
function handler(term) {
  const values = ready.get(term);
  if (values?.length) return values.shift();
  ready.delete(term);
  return new Promise((settle) => {
    asked.set(term, settle);
    announce();
    dialog ??= throwDialog();
  });
}

function throwDialog() {
  const letGo = () => {
    if (dialog !== made) return;
    for (const settle of asked.values()) settle(undefined); // Foundry draws what is missing
    asked.clear();
    dialog = null;
    announce();
  };
  const made = new foundry.applications.api.DialogV2({
    window: { title: "tableside" },
    content: `<p>${html(say("throw"))}</p>`,
    buttons: [{ action: "digital", label: say("digital"), callback: letGo }],
  });
  made.addEventListener?.("close", letGo);
  made.render({ force: true });
  return made;
}

// --- who waits ---

const waiting = new Set(); // ids of users, the first asked first
const taken = new Map(); // by user, what hears whether a throw was taken

function hear(message) {
  const { user, waits, offer, to, took } = message;
  if (waits === true) waiting.add(user);
  if (waits === false) waiting.delete(user);
  if (message.who) announce();
  if (offer && to === game.user.id) send({ user: game.user.id, took: answer(offer), roll: offer.roll_id });
  if (took !== undefined) taken.get(`${user} ${message.roll}`)?.(took);
}

function send(message) {
  game.socket.emit(CHANNEL, message); // reaches all browsers but this one
  hear(message);
}

const announce = () => send({ user: game.user.id, waits: wanted() !== null });

/** Offer a throw to who waits, and tell whether it was taken. */
async function offered(told) {
  const user = [...waiting].find((id) => game.users.get(id)?.active);
  if (!user) return false;
  const key = `${user} ${told.roll_id}`;
  const took = new Promise((settle) => {
    taken.set(key, settle);
    setTimeout(() => settle(false), PATIENCE);
  });
  send({ offer: told, to: user });
  const was = await took;
  taken.delete(key);
  return was;
}

// --- the chat ---

const isOwn = (id) => (message) => message.flags?.[ID]?.roll === id;
const hasDice = (id) => (message) =>
  message.rolls.some((roll) => roll.options?.[ID] === id || roll.dice.some((term) => term.options?.[ID] === id));

const said = (told) =>
  `<strong>${html(told.sure ? told.headline : say("asked"))}</strong> ${html(told.label)}<br>${html(told.sentence)}`;

/** Write a throw to the chat, or amend its message. */
async function write(told) {
  const roll = await rollOf(told).catch((error) => console.error(error)) ?? null;
  const shown = {
    content: roll ? String(roll.total) : said(told),
    flavor: roll ? said(told) : "",
    rolls: roll ? [JSON.stringify(roll)] : [],
    speaker: { alias: told.by || say("dice") },
    flags: { [ID]: { roll: told.roll_id, sure: told.sure } },
  };
  const message = game.messages.find(isOwn(told.roll_id));
  if (message) await message.update(shown);
  else await ChatMessage.create({ ...shown, sound: CONFIG.sounds?.dice });
}

/** Say in a message of the world's system what became of its dice: its sums are the system's own. */
async function note(message, words) {
  const flavor = message.flags?.[ID]?.flavor ?? message.flavor ?? "";
  await message.update({ flavor: `${flavor}<p>${words}</p>`, flags: { [ID]: { flavor } } });
}

/** Put a throw for initiative into the combat tracker, for the combatant that bears its name. */
async function order(told) {
  if (told.purpose !== "initiative" || !told.sure || !game.combat) return;
  const names = [told.label, told.by].filter(Boolean).map((name) => name.toLowerCase());
  const found = game.combat.combatants.find((one) => names.includes(one.name?.toLowerCase()));
  const value = told.total ?? told.ffg.success + told.ffg.advantage * 0.01; // as StarWarsFFG ranks symbols
  if (found) await game.combat.setInitiative(found.id, value);
}

/** Do what an event of the table asks for. */
async function take(event, isAlone) {
  const told = event.roll;
  const own = game.messages.find(isOwn(told.roll_id));
  const other = own ? undefined : game.messages.find(hasDice(told.roll_id));
  if (event.type === "withdrawn") {
    await own?.delete();
    if (other) await note(other, html(say("takenBack")));
    return;
  }
  if (other) {
    const correction = say("corrected", { said: said(told) });
    if (event.type === "amendment") await note(other, correction);
    return;
  }
  const isNew = own ? own.flags[ID].sure === false : event.type === "roll";
  if (isNew && told.sure && isAlone && (await offered(told))) {
    await own?.delete();
    return;
  }
  await write(told);
  await order(told);
}

// --- asking the table ---

let isLost = false;

async function ask() {
  const table = setting("table").replace(/\/+$/, "");
  if (!table || !leads()) return;
  const { history, next: since } = setting("heard");
  let answered;
  try {
    const address = `${table}/api/foundry/poll?since=${since < 0 ? "" : since}&history=${history}`;
    const found = await fetch(address, { signal: AbortSignal.timeout(LIMIT) });
    answered = await found.json();
    if (!found.ok) throw new Error(answered.error?.message);
    isLost = false;
  } catch (error) {
    if (!isLost) ui.notifications.warn(say("lost", { table, why: error.message }));
    isLost = true;
    return;
  }
  const isAlone = new Set(answered.rolls.map((one) => one.roll.roll_id)).size === 1; // more are what nobody waited for
  for (const event of answered.rolls) await take(event, isAlone);
  const heard = { history: answered.history, next: answered.next };
  if (heard.next !== since || heard.history !== history) await game.settings.set(ID, "heard", heard);
}

Hooks.once("init", () => {
  game.settings.register(ID, "table", {
    name: "TABLESIDE.address",
    hint: "TABLESIDE.addressHint",
    scope: "world",
    config: true,
    type: String,
    default: TABLE,
  });
  game.settings.register(ID, "heard", { scope: "world", config: false, type: Object, default: { history: "", next: -1 } });
  CONFIG.Dice.fulfillment.methods[ID] = {
    label: "TABLESIDE.method",
    icon: '<i class="fa-solid fa-camera"></i>',
    interactive: true,
    handler,
  };
});

Hooks.once("ready", () => {
  for (const [letter, name] of Object.entries(NAMES)) {
    const denomination = denominationOf(letter);
    if (denomination) CONFIG.Dice.fulfillment.dice[denomination] ??= { label: say(name), icon: '<i class="fa-solid fa-dice"></i>' };
  }
  game.socket.on(CHANNEL, hear);
  Hooks.on("renderRollResolver", announce);
  Hooks.on("closeRollResolver", announce);
  if (leads()) send({ who: true });
  let isAsking = false; // one question at a time: what a silent table is asked must not come in a burst once it speaks
  setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    await ask().catch((error) => console.error(error));
    isAsking = false;
  }, EVERY);
});
