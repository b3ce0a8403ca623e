// What the checker of types has to know beside the pages' own files: what the table tells, by api.d.ts, which the check makes of
// /api/openapi.json, and elements that pages ask for by their id.

type Paths = import("./api").paths;
type Told = import("./api").components["schemas"];
type State = Told["State"];
type Roll = Told["ShownRoll"];
type CameTo = Pick<Roll, "net" | "headline" | "succeeded" | "outcome"> & { awaits: unknown; short?: Counts };
type AnyRoll = Roll | WholeRoll | BriefRoll;
type WholeRoll = Omit<Told["RollTold"], "outcome"> & { outcome: string }; // as a page keeps it
type BriefRoll = Told["HistoryRoll"];
type Person = Told["PersonTold"];
type BriefPerson = Told["BriefPerson"];
type Hero = Told["ShownHero"];
type Game = Told["ShownGame"];
type Field = Told["ShownField"];
type Slot = Told["ShownSlot"];
type Initiative = Told["ShownInitiative"];
type Contest = Told["Standings"];
type Effect = Told["Effect"];
type Offer = Told["Offer"];
type Trouble = Told["Trouble"];
type Said = Told["SaidText"];
type DieSet = Told["ShownSet"];
type DieType = Told["ShownType"];
type Call = Told["Call"];
type Lasting = Told["Lasting"];
type Tracker = Told["ShownTracker"];
type NowAct = Told["NowAct"];


// A die as dice.js knows it; of an unknown one little.
type KnownDie = Partial<DieType> & { name: string; title: string; solid: string; body: string; ink: string; set: string; whole_face?: boolean; distinct: string[][] };
// Somebody as far as a face, a row or a card shows them.
type Anybody = { name: string; kind: Told["PersonKind"] } & Partial<Omit<Person, "name" | "kind" | "colour" | "emblem"> & { colour: string; emblem: string }>;
// A tracker of somebody, as it stands.
type Gauge = { tracker: Tracker; value: number; most: number | null; limit: number | null; steps: number; part: number; words: string; isOver: boolean; isBad: boolean };
// What lasts on somebody: a state, or a gauge that tells as much.
type LastingShown = { name: string; title: string; until: string; isDrawn: boolean; state: Lasting | null; gauge: Gauge | null };
// What a card in full does; what it lacks is not offered.
type CardActs = {
  roll?: (one: Told["Skill"] | Told["Weapon"], isSkill: boolean) => void;
  rollAboard?: (thing: Person, one: Told["Weapon"]) => void;
  tracker?: (gauge: Gauge, by: number) => void;
  states?: () => void;
  endState?: (one: LastingShown) => void;
  newRound?: (() => void) | null;
  more?: () => void;
  edit?: () => void;
  copy?: () => void;
  names?: string[];
};
type FullOptions = { game: Game; act?: CardActs; mayChange?: boolean; cares?: Drawing[] };
// What somebody has declared and done in a round; reactions are rolls by their kind.
type Round = { actions?: number; done?: number; force_point?: boolean; reactions?: Record<string, string>; totals?: [string, number][] };
// A die as it lies, and as it is drawn: one of several that are equal is drawn for all.
type LyingDie = { type: string; face: string[]; status?: string; rule?: string; colour?: string; original?: Told["Original"] | null };
type DrawnDie = { kind: KnownDie; index: number; count: number };
type View = { x: number; y: number; width: number; height: number };
// What a page itself does, by the key of the act.
type Hands = Record<string, () => unknown>;
// A find of a photograph: a die, or what may be one.
type Lying = { center: number[] | null; outline: number[][]; status?: string; type?: string };
type SkillTold = { name: string; ask: Answers; words?: { name: Said } };
type SpendAct = { mayBuy: (spend: Offer) => boolean; buy: (spend: Offer) => unknown };
type SpendGroup = [string, Offer[]];
// Numbers by names: dice of a pool, symbols of a result.
type Counts = Record<string, number>;
type Side = Told["Side"];
// Answers to a game's form.
type Answers = Record<string, unknown>;
type Drawn = import("./vendor/lit-html/lit-html.js").TemplateResult | typeof import("./vendor/lit-html/lit-html.js").nothing;
type Drawing = unknown; // what a template takes: a drawing, a text, a list of both, or nothing
type Point = [number, number];
type Fault = { what: string; where?: string; hint?: string };
// What happens in a field, a button or another element of a template.
type Happened<E extends Element = HTMLInputElement> = Event & { target: E; currentTarget: E };

// A form is sent: its fields by their names.
type Submitted<Name extends string> = Event & { currentTarget: HTMLFormElement & { elements: Record<Name, HTMLInputElement> } };
type SentForm<Name extends string> = Event & { target: Submitted<Name>["currentTarget"] };

// What an address answers when it is read and when it is sent something, and what it takes.
type Filled<P> = P extends `${infer A}{${string}}${infer B}` ? `${A}${string}${Filled<B>}` : P;
type Parts<A> = A extends `${infer B}?${string}` ? Parts<B> : A extends `${string}/${infer B}` ? [unknown, ...Parts<B>] : [unknown];
type At<A> = {
  [P in keyof Paths]: A extends Filled<P> | `${Filled<P> & string}?${string}` ? (Parts<A> extends Parts<Filled<P>> ? Paths[P] : never) : never;
}[keyof Paths];
type JsonOf<O> = O extends { responses: { 200: { content: { "application/json": infer T } } } } ? T : never;
type Read<A> = JsonOf<At<A>["get"]>;
type Done<A> = JsonOf<At<A>["post"]>;
type Sent<T> = T extends (infer One)[] ? Sent<One>[] : T extends object ? ([string, boolean] extends [keyof T, T[keyof T]] ? Answers : { [Name in keyof T]?: Sent<T[Name]> }) : T; // the table fills in the rest, and checks answers
type Sends<A> = At<A>["post"] extends { requestBody?: infer B } ? (NonNullable<B> extends { content: { "application/json": infer T } } ? Sent<T> : object) : object;

type RollAddress<What extends string> = `/api/rolls/${string}${What}`;
type Answered<T> = { status: number; found: T; error: null } | { status: number; found: null; error: Fault };

// What a page knows: the table's last state, and the page's own.
type Store<Ui, Known = State> = {
  state: Known;
  ui: Ui;
  redraw(): void;
  setState(state: Known): void;
  set(part: Partial<Ui>): void;
};

// The table screen: what it keeps of its own, and what is drawn of both.
type TableUi = typeof import("./moments.js").NO_MOMENT & {
  mayChange: boolean;
  isPlayer?: boolean;
  isMaster?: boolean;
  isGm?: boolean;
  isDemo: boolean;
  playsItself: boolean;
  lostAt: number | null;
  games: Game[];
  people: Person[];
  opened: string; // the roll whose doubt somebody asks about all the same
  answers: AnswersTold | null;
  spends: { id: string; list: Offer[] } | null;
  film: { id: string; replay: Film | null } | null;
  had: { key: string; chance: number | null; fromHere: number | null; call: Answers | null } | null;
  older: WholeRoll | null;
  past: { roll: WholeRoll; news: string } | null;
  host: Host | null;
  hand: Hand | null;
};
type Host = { offer: Told["PairingOffer"] | null; camera: Told["SetUp"] | null; corners: number[][] | null };
type Hand = ReturnType<typeof import("./part/hand.js").createHand>;
type FacedDie = { type: string; face: string[] };
type Place = { type: string; face: string[] | null; isExtra?: boolean }; // of a die that is entered
type Entered = { key: string; same?: string; title?: string; game: string; wanted?: Counts; dice?: FacedDie[]; pips?: number; beside?: AnyRoll; send: (dice: FacedDie[]) => Promise<unknown> };
type Film = Told["FilmTold"];
type AnswersTold = { key: string; list: Told["AnswerTold"][] | null };
type Find = { list: "dice" | "suspects"; index: number };
type Shown = Omit<State, "roll"> & { roll: Roll | WholeRoll | null; isPast?: boolean };
type Rolled = TableSeen & { state: { roll: Roll | WholeRoll } };
type Doubted = Rolled & { find: NonNullable<TableSeen["find"]> };
type HeadLine = Partial<Parameters<typeof import("./part/who.js").whoLine>[0]> & { who: string; what: Drawing };
type TableAct = import("./table.js").TableAct;
type TableSeen = {
  state: Shown;
  ui: TableUi;
  now: number;
  act: TableAct;
  find: (Find & { answers: Told["AnswerTold"][] | null }) | null;
  ringed: Find | null;
  question: number | null;
  isShown: boolean;
  kind: string;
};

// A table of the hall, heard of at a moment of this page.
type HallTable = Omit<Told["HallTable"], "result" | "recent"> & { result: BriefRoll | null; recent: BriefRoll[]; heard: number };
type HallTold = HallSeen["link"] & { all?: boolean; tables: Told["HallTable"][] };
type HallSeen = { tables: HallTable[]; chosen: string; link: { up: boolean; broker: boolean; trouble: Told["PlainTrouble"] | null }; isHere: boolean; columns: number; now: number };

// Teaching dice.
type TaughtSlot = { face: string[] | null; dice: string[] };
type Trial = { type: string; right: number | null; since: number; judged: string; thrown: number; wrong: number };
type TeachUi = { busy: boolean; alone: boolean; trial: Trial | null; roll: Roll | null; phase: string; rested: number; now: number };
type TeachSeen = { told: Told["Teaching"] | null; ui: TeachUi; roll: Roll | null };
type TeachAct = {
  named: (event: Happened) => void;
  begin: (event: Submitted<"set" | "type" | "solid" | "plays_as">) => void;
  ask: (dice: string[], symbols: string[]) => void;
  look: () => void;
  photo: (event: Happened) => void;
  alone: (event: Happened) => void;
  undo: () => void;
  save: () => void;
  judge: (roll: Roll, isWrong: boolean, index?: number, told?: { type: string; face: string[] }) => void;
  endTrial: () => void;
  review: (one: { set: string; id: string }, what: Told["SampleBody"]["do"]) => void;
  setUndo: (one: Told["TaughtSet"]) => void;
  remove: (one: Told["TaughtSet"]) => void;
};

// A phone that joins; somebody new as the editor has them.
type DraftPerson = Omit<Sent<Told["SentPerson"]>, "id" | "name"> & { id: string; name: string; isNew?: boolean };
type JoinUi = { step: string; me: { role: string; person: string; name?: string }; people: Person[]; game: Game | null; draft: DraftPerson | null; pin: string; name: string };

// What a phone that joins does; what its step draws is there.
type JoinSeen = JoinUi & { game: Game; draft: DraftPerson };
type JoinAct = {
  sendPin: (event: Event) => void;
  figures: (text: string) => void;
  called: (name: string) => void;
  be: (role: Told["PairBody"]["role"]) => void;
  lead: () => void;
  take: (person: Person, isTaken: boolean) => void;
  ready: (hero: Hero) => void;
  somebody: () => void;
  back: () => void;
  draft: (part: Partial<DraftPerson>) => void;
  fromReady: () => void;
  skillsNow: () => void;
  join: () => void;
  forget: () => void;
};

// A phone's page.
type PhoneUi = typeof import("./phone/fight.js").NEW_FIGHT &
  typeof import("./phone/log.js").NEW_LOG &
  typeof import("./phone/photograph.js").NEW_PHOTOGRAPH &
  ReturnType<typeof import("./phone/calling.js").newCall> & {
    people: Person[];
    person: string;
    also: string[];
    phones: Told["Phone"][];
    offer: Told["PairingOffer"] | null;
    endOffer: (() => void) | null;
    spends: Record<string, Offer[]>;
    allSpends: string;
    opened: string;
    sheet: string;
    answers: AnswersTold | null;
    older: Omit<WholeRoll, "answers"> | null;
    called: string[]; // the own call: its ids, as each change of it has one of its own, also what is on its way
    changing: Draft | null; // what it is to be, until the table tells it
    changedAt: number | null; // the revision that tells it, once it is known
    turnOdds: { number: number; success: number | undefined } | null;
    slept: Slept | null;
    tables: Told["OwnTable"][];
    openTable: string;
    addedToTable: number;
  };
type Slept = { rolls: string[]; gauges: Counts; states: string[]; until: number }; // what a phone knew before it slept
type Draft = typeof import("./phone/draft.js").NEW_DRAFT;
// Who may be asked for a roll; a player without a character has a name alone.
type Actor = Pick<Person, "id" | "name" | "kind" | "skills" | "weapons" | "trackers" | "dice"> & Partial<Person> & { key: string };
type Mine = (Omit<Actor, "key"> & { key?: string }) | undefined; // whose a player's page is
type PhoneSeen = {
  state: State;
  ui: PhoneUi;
  games: Game[];
  isMaster: boolean;
  mayChange: boolean;
  act: PhoneAct;
  place: string | undefined;
  me: () => string;
  paired: string;
  role: Told["Role"];
  game: Game;
};
// A page as far as a call is put together of it; somebody as far as a call is aimed.
type Drafting = Pick<PhoneSeen, "state" | "game"> & { ui: Pick<PhoneUi, "people" | "draft"> };
type Rolling = Pick<Person, "id" | "kind"> & Partial<Pick<Person, "crew">>;
type PhonePage = {
  me: Told["Me"];
  games: Game[];
  isMaster: boolean;
  mayChange: boolean;
  store: Store<PhoneUi>;
  act: PhoneAct;
  tabs: ReturnType<typeof import("./tabs.js").buildTabs>;
  seen: () => PhoneSeen;
  take: (state: State) => void;
  learn: (state: State) => void;
};
type PhoneAct = {
  sheet: (name: string, part?: Partial<PhoneUi>) => void;
  closeSheet: () => void;
  toCast: () => void;
  wakeUp: () => void;
  toPlace: (name: string) => void;
} & ReturnType<typeof import("./phone/calling.js").callActs> &
  ReturnType<typeof import("./phone/my-call.js").ownCallActs> & // what a player's page draws alone
  ReturnType<typeof import("./phone/rolled.js").rollActs> &
  ReturnType<typeof import("./phone/photograph.js").photographActs> &
  ReturnType<typeof import("./phone/tables.js").tableActs> &
  ReturnType<typeof import("./phone/log.js").logActs> &
  ReturnType<typeof import("./phone/tonight.js").tonightActs> &
  ReturnType<typeof import("./phone/cast.js").castActs> &
  ReturnType<typeof import("./phone/fight.js").fightActs>;
// What may better somebody: for whom it is, and what a button says of that.
type Care = Told["CareTold"] & { whom: Person; shown: string };
type CallChip = { name: string; title?: Drawing; isSet: boolean; sign: Drawing; id?: string; label?: string; isGuess?: boolean; press?: () => void };
type Sheet = { title: Drawing; body: Drawing };
type Sheets = Record<string, (seen: PhoneSeen) => Sheet | null | undefined>; // what is behind a button, by its name

interface Element {
  // dialogs, fields, field sets, pictures and meters
  open: boolean;
  disabled: boolean;
  value: any;
  alt: string;
  src: string;
  naturalWidth: number;
  naturalHeight: number;
  low: number;
  high: number;
  dataset: DOMStringMap;
  focus(options?: FocusOptions): void;
  showModal(): void;
  close(): void;
}
