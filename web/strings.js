// Every word that the page says by itself. Names of dice, outcomes and sentences come from the table.

const ENGLISH = {
  idleHeadline: "Roll the dice",
  idleSentence: "Throw them onto the tray. The result appears here.",
  idleNoCamera: "No camera: enter what you rolled by hand.",
  waiting: "Looking for the table…",

  phase: {
    empty: "Tray is empty",
    moving: "Rolling…",
    hand: "Hand in view",
    still: "Dice lie still",
    no_camera: "No camera",
  },
  justNow: "just now",
  minutesAgo: (n) => `${n} min ago`,
  hoursAgo: (n) => `${n} h ago`,
  daysAgo: (n) => (n === 1 ? "1 day ago" : `${n} days ago`),
  source: { camera: "", manual: "entered by hand", corrected: "corrected by hand" },
  forWhom: (by, label) => [by, label].filter(Boolean).join(": "),

  provisional: "Not sure yet",
  settleFirst: (n) => `Not sure of die ${n}. Settle it and the result stands.`,
  suspectNote: "Something on the tray could not be read. Check the dice.",

  tray: (n) => `Picture of the tray with ${n} ${n === 1 ? "die" : "dice"}, each outlined and numbered`,
  noPicture: "No picture of this roll",
  dice: "Dice of this roll. Press one to correct it.",
  dieLabel: (title, face) => `${title}: ${face}`,
  dieButton: (n, title, face) => `Die ${n}, ${title}: ${face}. Press to correct it.`,
  unsure: "not sure",
  cocked: "leaning",
  wasRead: (face) => `was read as ${face}`,

  doubtTitle: (n, title) => `Die ${n}, ${title}: which face is up?`,
  doubtCocked: (n, title) => `Die ${n}, ${title}, leans. Which face counts?`,
  doubtPicture: (n) => `Die ${n} enlarged`,
  other: "Other…",

  byHand: "Enter by hand",
  undo: "Undo",
  dark: "Dark theme",
  light: "Light theme",
  close: "Close",

  correctTitle: (n) => `Correct die ${n}`,
  handTitle: "What did you roll?",
  handHint: "Choose a die, then the face it shows. The same die stays chosen for the next one.",
  chooseType: "Die",
  chooseFace: (title) => `${title} shows`,
  chosen: "Your roll",
  chosenNone: "No dice yet",
  removeDie: (label) => `Take away ${label}`,
  save: (n) => (n === 1 ? "Show 1 die" : `Show ${n} dice`),
  forWhomField: "Who and what for (optional)",

  spend: (name) => `Spend ${name}`,
  add: (name) => `Add one ${name}`,
  remove: (name) => `Take away one ${name}`,
  points: (n, name) => `${n} ${name}`,

  panelTitle: "Lamps and buttons",
  panelHint: "Drawn here because this machine has no pins. Press a button as you would a real one.",
  panelHintReal: "The lamps of this table, as they shine now.",
  lamp: (name, percent) => `${name}: ${percent} %`,

  lost: "Connection to the table lost. What you see may be old.",
  lostSince: (seconds) => `Connection to the table lost ${seconds} s ago. What you see may be old.`,
  notReached: "The table did not answer",
  notReachedHint: "Check that it is switched on, then try again.",
  refused: "The table refused this",
  noSets: "The list of dice could not be loaded",
  retry: "Try again",

  blank: "blank",
  symbols: {
    success: { letter: "S", one: "success", many: "successes" },
    advantage: { letter: "A", one: "advantage", many: "advantages" },
    triumph: { letter: "Tr", one: "triumph", many: "triumphs" },
    failure: { letter: "F", one: "failure", many: "failures" },
    threat: { letter: "Th", one: "threat", many: "threats" },
    despair: { letter: "De", one: "despair", many: "despairs" },
    light: { letter: "L", one: "light", many: "light" },
    dark: { letter: "Dk", one: "dark", many: "dark" },
  },
};

export const words = ENGLISH;

/** Say a symbol: `"2 advantages"`, `"advantages"` without its number. */
export function symbolWord(name, count = 1, withNumber = false) {
  const known = words.symbols[name];
  const word = known ? (count === 1 ? known.one : known.many) : name;
  return withNumber && count !== 1 ? `${count} ${word}` : word;
}

/** Say a face: `"blank"`, `"2 threats"`, `"success + advantage"`. */
export function faceWords(face) {
  if (face.length === 0) return words.blank;
  const counts = new Map();
  for (const name of face) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => symbolWord(name, n, true)).join(" + ");
}
