"""What others may tell the table. Times are epoch seconds and ids are chosen by the sender.

A message with an ``id`` is a change: it is on disk before it is acknowledged, and the same id counts once.
The others are passing: they are shown and forgotten.

Each class is the whole definition of its message. One with an ``address`` is also what the API takes there: its fields
are the keys of the body, ``rename`` gives those that are called otherwise there, limits and words stand at the types,
and the docstring becomes the description in ``/api/openapi.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import methodcaller
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import decode, encode

from tableside.dice import MOST_LETTERS, MOST_SYMBOLS, Die, Point, Reading, face_of
from tableside.errors import BadChange, TablesideError
from tableside.rules.people import Barred, Colour, Emblem, Joins, PersonKind, Until
from tableside.table.kept import Phase, Photographers, Seen, Side, Trouble
from tableside.typed import built
from tableside.words import say

MOST_LINE = 200
"""Letters of a text that the API takes."""
MOST_NAME = 60
"""Letters of the name of somebody, and of what that one can do and carries."""
_MOST_NOTES = 2000
_MOST_SKILLS, _MOST_WEAPONS, _MOST_STATES = 60, 30, 20
_MOST_WHOLE = 10**9
_MOST_DICE = 60
_MOST_RANKS = 4
_MOST_ROWS = 200
_MOST_SEVERAL = 20
_MOST_ANSWERS = 200


def _kind(fault: str, hint: str, **more: Any) -> Meta:
    """Return limits with what is said of a value outside them, and what to send instead."""
    return Meta(extra={"fault": fault, "hint": hint}, **more)


def _text(most: int, *, hint: str = "Send one line of text.", **more: Any) -> Meta:
    fault = f"is no text of at most {most} letters"
    return Meta(max_length=most, extra={"fault": fault, "hint": hint, **more})


def _several(most: int, things: str, hint: str, **more: Any) -> Meta:
    fault = f"is no list of at most {most} {things}"
    return Meta(max_length=most, extra={"fault": fault, "hint": hint, **more})


Line: TypeAlias = Annotated[str, _text(MOST_LINE)]
"""One line of text. Whoever takes a body lets no text pass that has more, but where its type has ``has_lines``."""
Name: TypeAlias = Annotated[str, _text(MOST_NAME)]
_Notes: TypeAlias = Annotated[str, _text(_MOST_NOTES, hint="Send fewer words.", has_lines=True)]
Whole: TypeAlias = Annotated[
    int, _kind("is no whole number", "Send a number such as 2.", ge=-_MOST_WHOLE, le=_MOST_WHOLE)
]
Version: TypeAlias = Annotated[
    Whole, Meta(description="The version of the roll that was seen; another one is refused with 409.")
]
_Plain: TypeAlias = bool | int | float | Line | None
_Answer: TypeAlias = Annotated[
    _Plain
    | Annotated[list[_Plain], Meta(max_length=_MOST_ANSWERS)]
    | Annotated[dict[Line, _Plain], Meta(max_length=_MOST_ANSWERS)],
    _kind("is no answer", "Send a number, true, false or one line of text, or a list or an object of these."),
]
Answers: TypeAlias = Annotated[
    Mapping[Line, _Answer],
    _kind("is not a JSON object", "Send an object in braces.", max_length=_MOST_ANSWERS),
]
"""Answers to a game's form, which the game checks before it works out anything with them."""
_Symbols: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(extra_json_schema={"maxLength": MOST_LETTERS})], ...],
    Meta(extra_json_schema={"maxItems": MOST_SYMBOLS}),
]


class ShownDie(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A die as a person says that it lies."""

    type: Line
    face: _Symbols

    def __post_init__(self) -> None:
        face_of(self.face)  # says what no face can be


_Dice: TypeAlias = Annotated[
    tuple[ShownDie, ...],
    Meta(
        min_length=1,
        max_length=_MOST_DICE,
        extra={
            "fault": f"is no list of 1 to {_MOST_DICE} dice",
            "hint": "Send a list of dice.",
            "each": ("is no die", 'A die is {"type": "ability", "face": ["success"]}.'),
        },
    ),
]
_Rank: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(gt=-(10**6), lt=10**6)], ...], _several(_MOST_RANKS, "numbers", "Send [2, 1].")
]


class Do(StrEnum):
    """What can be done to the destiny pool."""

    SPEND = "spend"
    ADD = "add"
    REMOVE = "remove"
    SET = "set"


class Sender(StrEnum):
    """Who may send a change: everybody at the table, or who leads the game and the table's own screen."""

    PLAYER = "player"
    MASTER = "master"


class Signed(Struct, frozen=True, kw_only=True):
    """What every change is told with.

    :ivar id: the same id counts once. Left out, one is made.
    :ivar at: epoch seconds.
    :ivar by: who did it; a paired device signs with its own name.
    :ivar device: what it was done with, which tells whose the change is; ``""`` for what belongs to the table itself.
    """

    address: ClassVar[str] = ""
    """Where the API takes it; fields in braces are parts of the address. Empty: nobody can send it."""
    sender: ClassVar[Sender] = Sender.PLAYER
    inner: ClassVar[frozenset[str]] = frozenset({"at", "device"})
    """Fields that no body may hold: the table's own side fills them."""

    id: str
    at: float
    by: Line = ""
    device: str = ""


class ChangeDestiny(Signed, frozen=True, kw_only=True):
    """Spend, add or remove ``count`` points of a side, or set either or both sides.

    Spending turns a point over: a light point spent becomes a dark one, and the reverse. Games in which a spent point
    is gone refuse it.

    :ivar from_roll: the id of a throw for the pool, which is set to what its game says.
    :ivar call: the id of the call that a point joins, ``""`` for none, ``None`` for the one that is open.
    """

    address = "/api/destiny"
    inner = Signed.inner | {"call"}

    do: Do
    side: Side | None = None
    count: Whole = 1
    light: Whole | None = None
    dark: Whole | None = None
    from_roll: Line = ""
    call: str | None = None


class Said(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person says of a find of a photograph.

    :ivar index: its place among the ``dice`` or ``suspects`` that were read, from 0; ``None`` for a die
        that was not found.
    :ivar die: how it lies, ``None`` where it is no die.
    """

    list: Literal["dice", "suspects"] = "dice"
    index: int | None = None
    die: ShownDie | None = None


class Photo(Struct, frozen=True, kw_only=True):
    """A photograph that somebody sent of their dice.

    :ivar who: the id of the person who threw. :ivar mark: the hash of the photograph, by which it is known again.
    :ivar is_for_call: it is the open call's, where that is this person's.
    :ivar said: what that one said of the dice before they count.
    """

    who: str = ""
    mark: str = ""
    is_for_call: bool = True
    said: tuple[Said, ...] = ()


class NewRoll(Signed, frozen=True, kw_only=True):
    """The camera read a new throw; ``id`` becomes the roll's id.

    :ivar call: the id of the call that it answers, ``""`` for none, ``None`` for the one that is open.
    """

    reading: Reading
    has_picture: bool = False
    game: str = ""
    label: str = ""
    ask: Mapping[str, Any] = {}
    photo: Photo | None = None
    call: str | None = None


class NewReading(Signed, frozen=True, kw_only=True):
    """The camera read the same throw again: picture and dice are replaced, the roll's id is kept.

    :ivar is_wanted: somebody asked for it, so that a roll or a throw which was taken back comes back.
    :ivar throw: which throw of the roll it is, counted from 0.
    :ivar call: where the roll comes back, the call that it answers, as of a new roll.
    """

    roll_id: str
    reading: Reading
    has_picture: bool = False
    is_wanted: bool = False
    throw: int = 0
    call: str | None = None


class NewThrow(Signed, frozen=True, kw_only=True):
    """The camera read the throw that a roll waits for: its dice join the roll."""

    roll_id: str
    reading: Reading
    has_picture: bool = False
    photo: Photo | None = None


class EnterRoll(Signed, frozen=True, kw_only=True, rename={"is_hidden": "hidden"}):
    """Enter a roll by hand; its ``id`` becomes the roll's.

    :ivar uses_ask: it is the roll that the table asks for.
    :ivar call: the id of the call that it answers, ``""`` for none, ``None`` for the one that is open.
    """

    address = "/api/rolls"
    inner = Signed.inner | {"call"}

    dice: _Dice
    game: Line = ""
    label: Line = ""
    ask: Answers = {}
    is_hidden: bool = False
    uses_ask: bool = False
    call: str | None = None


class EnterThrow(Signed, frozen=True, kw_only=True):
    """Enter the throw that a roll waits for."""

    address = "/api/rolls/{roll_id}/throws"

    roll_id: str
    dice: _Dice
    version: Version | None = None


class ChangeRoll(Signed, frozen=True, kw_only=True, rename={"is_hidden": "hidden"}):
    """Change what a roll was for: it is scored anew. What is left out stays.

    :ivar ask: answers to put in place of the roll's, such as one more advantage.
    """

    address = "/api/rolls/{roll_id}/ask"

    roll_id: str
    ask: Answers = {}
    player: Line | None = None
    label: Line | None = None
    is_hidden: bool | None = None
    version: Version | None = None


class _Said(Signed, frozen=True, kw_only=True):
    """What a person says of one find in the picture: a type and a face, or that it is no die.

    :ivar index: of the find in its roll, from 0. :ivar center: where it lies, by which it is known however many others
        came or went since. :ivar was: how a die lay that was entered by hand.
    :ivar nothing: there is no die, in place of type and face.
    """

    inner = Signed.inner | {"center", "was"}

    roll_id: str
    index: int
    center: Point | None = None
    was: ShownDie | None = None
    type: Line | None = None
    face: _Symbols | None = None
    nothing: bool = False
    version: Version | None = None

    def __post_init__(self) -> None:
        if self.nothing == (self.type is not None or self.face is not None):
            hint = 'Send {"type": "ability", "face": ["success"]}, or {"nothing": true} where there is no die.'
            raise BadChange("both a die and nothing" if self.nothing else "neither a die nor nothing", hint=hint)
        if not self.nothing and (self.type is None or self.face is None):
            raise BadChange("half a die", hint='A die is {"type": "ability", "face": ["success"]}.')
        face_of(self.face or ())

    @property
    def die(self) -> Die | None:
        """What it is, or ``None`` where there is no die."""
        return None if self.type is None or self.face is None else Die(type=self.type, face=face_of(self.face))


class CorrectDie(_Said, frozen=True, kw_only=True):
    """Correct a die; the first reading is kept."""

    address = "/api/rolls/{roll_id}/dice/{index}"


class RuleDie(Signed, frozen=True, kw_only=True):
    """A rule, such as that of a talent, takes a die of a finished roll away, turns it or has it thrown again.

    :ivar index: of the die in its roll, from 0. :ivar face: how it counts from now on, none where it is taken away.
    :ivar reason: which rule, in a few words. :ivar center: where it lies, ``was``: how, where it was entered by hand.
    """

    address = "/api/rolls/{roll_id}/dice/{index}/rule"
    inner = Signed.inner | {"center", "was"}

    roll_id: str
    index: int
    center: Point | None = None
    was: ShownDie | None = None
    rule: Literal["away", "turned", "again"]
    face: _Symbols | None = None
    reason: Line = ""
    version: Version | None = None

    def __post_init__(self) -> None:
        if (self.rule == "away") != (self.face is None):
            hint = 'Send {"rule": "turned", "face": ["success"]}, or {"rule": "away"}.'
            raise BadChange("a die that is taken away shows no face, any other one does", where="rule", hint=hint)


class TellSuspect(_Said, frozen=True, kw_only=True):
    """Say what could not be read."""

    address = "/api/rolls/{roll_id}/suspects/{index}"


class Undo(Signed, frozen=True, kw_only=True):
    """Take back a change, the newest by default. An undo can be undone.

    :ivar change: its number.
    :ivar only_open: the newest that all may know of, so that nobody takes back what is hidden from them.
    :ivar only_of: the newest that was done with this device.
    """

    address = "/api/undo"
    inner = Signed.inner | {"only_open", "only_of"}

    change: Whole | None = None
    only_open: bool = False
    only_of: str = ""


class Redo(Signed, frozen=True, kw_only=True):
    """Take back the newest undo that stands."""

    address = "/api/redo"
    sender = Sender.MASTER


class StartSession(Signed, frozen=True, kw_only=True):
    """Begin a session: a new evening."""

    address = "/api/session"
    sender = Sender.MASTER

    title: Line = ""


class EndSession(Signed, frozen=True, kw_only=True):
    """End the session that runs. The next begins by itself with a throw, or where somebody begins it."""

    address = "/api/session/end"
    sender = Sender.MASTER


class NamePlayer(Signed, frozen=True, kw_only=True, rename={"player_id": "player"}):
    """Add a player, give one another name, or with an empty name take one away.

    :ivar player_id: the player's id; an empty one adds a player, whose id is the message's.
    """

    address = "/api/players"

    name: Line
    player_id: Line = ""


class LastTotal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The total of an earlier roll, such as a dodge.

    :ivar last_total: the id of that roll.
    """

    last_total: Line


class Rival(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of several who roll under one call.

    :ivar who: the id of a person, or the name of a player without a character.
    :ivar skill: what this one uses, where it is another skill than the call's.
    """

    who: Line
    skill: Line = ""


Ids: TypeAlias = Annotated[tuple[Line, ...], _several(_MOST_SEVERAL, "ids", "Send ids of people.")]
_NOBODY = ("is nobody", 'Send an id, or {"who": an id, "skill": a name}.')
_Several: TypeAlias = Annotated[
    tuple[Line | Rival, ...], _several(_MOST_SEVERAL, "people", "Send ids of people.", each=_NOBODY)
]


_CALL_NAMES = {"is_hidden": "hidden", "is_damage": "damage", "is_later": "later"}


class CallRoll(Signed, frozen=True, kw_only=True, rename=_CALL_NAMES):
    """Call the next roll: whose and what for. No answers, person, player or label means that none is called.

    A call of several names ``others``: each rolls in turn, and the rolls are ranked. With ``helpers`` one rolls for
    all.

    :ivar game: the person's, else the table's where it is empty.
    :ivar who: the id of the person who rolls; what that one can do fills the answers.
    :ivar skill: the name of a skill of that person, and ``weapon`` of a weapon.
    :ivar aboard: the id of a ship or vehicle of whose crew that one is: its weapon or skill is rolled, with its numbers
        and with the dice of who rolls.
    :ivar is_damage: the damage of the weapon is rolled, not the attack.
    :ivar ask: answers to the game's form on top.
    :ivar against: the id of the person it is made against, or the roll that it has to beat.
    :ivar targets: ids of several whom one roll is made against, in place of ``against``: the hardest of them counts.
    :ivar against_skill: the skill that the other side resists with, where the game is not to choose.
    :ivar table: the name of the group's own table that the total is looked up in. With no answers and no skill, the
        dice of that table are called, and ``added`` is added to their total.
    :ivar ticked: the keys of what is to join though it does not by itself, as a draft's ``joins`` tell them.
    :ivar odds_for: who sees the odds before the roll.
    :ivar others: who roll after this one, each for themselves.
    :ivar contest: the id of the open call of several: this is one of those who still wait in it, now called with what
        the message holds, or as before where it holds nothing but ``who``.
    :ivar helpers: ids of people who help the one who rolls.
    :ivar led_by: the id of the roll by which somebody commands the helpers, where the game wants one.
    :ivar overrules: the game master lets somebody roll who is out, or a power be used once more.
    :ivar changes: the id of the open call that it takes the place of: one that was answered meanwhile has none.
    :ivar is_later: it waits for the open call, and comes by itself.
    :ivar is_players: a player calls: the call of somebody else waits for it.
    """

    address = "/api/ask"
    inner = Signed.inner | {"is_players"}

    game: Line = ""
    who: Line = ""
    skill: Line = ""
    weapon: Line = ""
    aboard: Line = ""
    is_damage: bool = False
    ask: Answers = {}
    against: Annotated[
        Line | LastTotal, _kind("is no id of a person", 'Send an id, or {"last_total": the id of a roll}.')
    ] = ""
    targets: Ids = ()
    against_skill: Line = ""
    table: Line = ""
    added: Whole = 0
    ticked: Ids = ()
    player: Line = ""
    label: Line = ""
    is_hidden: bool = False
    odds_for: Seen = Seen.GM
    others: _Several = ()
    contest: Line = ""
    helpers: Ids = ()
    led_by: Line = ""
    overrules: bool = False
    changes: Line = ""
    is_later: bool = False
    is_players: bool = False


class OwnNames(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What this table calls its pool; an empty name is the game's own."""

    pool: Line
    light: Line
    dark: Line


class ChooseGame(Signed, frozen=True, kw_only=True):
    """Choose the game, its settings or the names of its pool. What is left out stays.

    :ivar settings: the game's answers that stay from roll to roll.
    :ivar photographs: who may send throws by photograph.
    :ivar names: what this table calls its pool; empty names are the game's own.
    """

    address = "/api/game"
    sender = Sender.MASTER

    game: Line | None = None
    settings: Answers | None = None
    photographs: Photographers | None = None
    names: Annotated[
        OwnNames | None, _kind("has not the keys pool, light and dark", "An empty one is the game's own.")
    ] = None


class ChangeTracker(Signed, frozen=True, kw_only=True):
    """Add ``count`` to a tracker of the table's game, or set it to ``value``."""

    address = "/api/trackers"

    name: Line
    owner: Line = ""
    count: Whole = 0
    value: Whole | None = None


class Turn(StrEnum):
    """What can be done to the order of initiative."""

    ADD = "add"
    REMOVE = "remove"
    CLAIM = "claim"
    NEXT = "next"
    DELAY = "delay"
    MOVE = "move"
    CLEAR = "clear"
    FIRST = "first"
    CALL = "call"


class ChangeInitiative(Signed, frozen=True, kw_only=True, rename={"roll_id": "roll"}):
    """Change the order of initiative.

    :ivar slot: the slot to remove, claim or move; a new one has the message's id.
        With ``next`` the one whose turn ends: nothing changes where it is over by then, as two devices ended one turn.
    :ivar round, segment: with ``next`` those that the sender saw, as the slot is: of one alone each turn has that slot.
    :ivar before: the slot that a moved one comes before, none where it comes last. The rules must leave them level.
    :ivar side: of a new slot, or the one that goes first.
    :ivar rank: for a new slot, the numbers by which its game orders turns.
    :ivar roll_id: or the id of the roll that gives them, with side and name of who rolled where nobody is named.
    :ivar who: who claims the slot, nobody where it is empty; who is called to roll for one: ids of people, ``all``,
        ``players`` or ``others``.
    :ivar skill: what is thrown, by one of the names that the game has for it; each one's usual skill otherwise.
    :ivar by_table: the table throws for all who are no players' characters, and shows nobody the dice.
    :ivar person: the id of who claims or has the slot, where that is somebody of the scene.
    :ivar ended: in the log, with ``next`` and ``delay``: the slot whose turn it was in that round and segment, ``""``
        where it was nobody's. What comes before may be another by now, so the turn of nobody else ends for it.
    """

    address = "/api/initiative"
    inner = Signed.inner | {"person", "ended"}

    do: Turn
    slot: Line = ""
    round: Whole | None = None
    segment: Whole | None = None
    before: Line = ""
    side: Literal["player", "npc"] = "player"
    rank: _Rank = ()
    roll_id: Line = ""
    who: Annotated[
        Line | tuple[Line, ...],
        _kind(f"is no name and no list of at most {_MOST_SEVERAL} ids", 'Send "all", or a list of ids of people.'),
    ] = ""
    skill: Line = ""
    by_table: bool = False
    person: str = ""
    ended: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.who, str) and (self.do is not Turn.CALL or len(self.who) > _MOST_SEVERAL):
            hint = say("One takes a slot; with do: call up to {n} are called.", n=_MOST_SEVERAL)
            raise BadChange("that is a list of people", where="who", hint=hint)

    @property
    def name(self) -> str:
        """Who takes the slot."""
        return self.who if isinstance(self.who, str) else ""

    @property
    def is_player(self) -> bool:
        return self.side == "player"


class DoPerson(StrEnum):
    """What can be done to the people of the scene."""

    ADD = "add"
    CHANGE = "change"
    COPY = "copy"
    REMOVE = "remove"


class SentSkill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a person can do.

    :ivar ask: answers to the game's form.
    """

    name: Name
    ask: Answers = {}


class SentWeapon(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a person attacks with.

    :ivar skill: the name of the skill it is used with.
    :ivar ask: answers to the form for the attack. :ivar damage: answers for a damage roll of its own, where it has one.
    """

    name: Name
    skill: Name = ""
    ask: Answers = {}
    damage: Answers = {}


class SentState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that lasts on somebody for a while.

    :ivar id: what tells it from others of its name. :ivar words: more of it.
    :ivar until: it ends with this one's turn or the next, the round or the next, the scene or the evening; what never
        ends is a talent.
    :ivar once: the first call that it joins uses it up. :ivar later: it begins with the next round.
    :ivar ask: answers that join this one's calls, and ``damage`` those of the damage of its weapons.
    :ivar skills: of these skills alone; without any of all.
    :ivar for_allies: it joins the calls of all others of this one's side in place of this one's own.
    :ivar against: answers that join the calls against this one.
    :ivar near: answers that join attacks on this one from close by, ``afar`` those from anywhere else.
    :ivar bars: what this one cannot do, or cannot count on.
    :ivar roll: the id of the roll by which this one reacts to attacks. :ivar giver: the name of who gave it.
    :ivar lends: a tracker, of which a point goes with it.
    """

    name: Name
    until: Until = "scene"
    words: Line = ""
    ask: Answers = {}
    damage: Answers = {}
    against: Answers = {}
    near: Answers = {}
    afar: Answers = {}
    bars: Barred = ""
    id: Line = ""
    once: bool = False
    later: bool = False
    for_allies: bool = False
    skills: Annotated[tuple[Name, ...], _several(_MOST_SKILLS, "skills", "Send fewer.")] = ()
    roll: Line = ""
    giver: Name = ""
    lends: Line = ""


class SentGauge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The value of a tracker.

    :ivar change: is added to the value, in place of one. :ivar most: this person's own limit.
    """

    value: Whole | UnsetType = UNSET
    most: Whole | UnsetType | None = UNSET
    change: Whole | UnsetType = UNSET


def _check_names(names: Sequence[str], nameless: str, twice: str) -> None:
    """Raise :class:`BadChange` for an empty name, and for one of two: things are called by their names."""
    known = [" ".join(name.split()).casefold() for name in names]
    for place, name in enumerate(known):
        if not name:
            raise BadChange(nameless, where="person", hint="Name it, or leave it out.")
        if name in known[:place]:
            raise BadChange(say(twice, name=names[place]), where="person", hint="Give each a name of its own.")


class SentPerson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody, or what of them is to be another.

    :ivar id: a new one where it is left out. :ivar game: the table's where it is left out.
    :ivar defences: answers that a roll against this one gets. :ivar members: how many a group has.
    :ivar role: what somebody is, in a word or two. :ivar colour: of the face. :ivar emblem: in the face.
    :ivar states: all that lasts on somebody.
    :ivar begins: what begins to last, beside what does by then; it replaces what has its name.
    :ivar ends: the names of what is over.
    :ivar crew: ids of people of the scene who roll what this thing does.
    :ivar joins: which rules join this one's calls by themselves; an empty text is as the table has it.
    """

    id: Line | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    kind: PersonKind | UnsetType = UNSET
    game: Line | UnsetType = UNSET
    skills: Annotated[tuple[SentSkill, ...], _several(_MOST_SKILLS, "skills", "Send fewer.")] | UnsetType = UNSET
    weapons: Annotated[tuple[SentWeapon, ...], _several(_MOST_WEAPONS, "weapons", "Send fewer.")] | UnsetType = UNSET
    defences: Answers | UnsetType = UNSET
    states: Annotated[tuple[SentState, ...], _several(_MOST_STATES, "states", "Send fewer.")] | UnsetType = UNSET
    begins: Annotated[tuple[SentState, ...], _several(_MOST_STATES, "states", "Send fewer.")] = ()
    ends: Annotated[tuple[Name, ...], _several(_MOST_STATES, "states", "Send fewer.")] = ()
    trackers: (
        Annotated[dict[Line, SentGauge], _kind("is not a JSON object", "Send an object in braces.")] | UnsetType
    ) = UNSET
    members: Whole | UnsetType = UNSET
    notes: _Notes | UnsetType = UNSET
    role: Name | UnsetType = UNSET
    colour: Colour | UnsetType = UNSET
    emblem: Emblem | UnsetType = UNSET
    joins: Joins | UnsetType = UNSET
    crew: Ids | UnsetType = UNSET

    def __post_init__(self) -> None:
        if not isinstance(self.skills, UnsetType):
            _check_names([one.name for one in self.skills], "a skill has no name", "two skills are called {=name}")
        if not isinstance(self.weapons, UnsetType):
            _check_names([one.name for one in self.weapons], "a weapon has no name", "two weapons are called {=name}")


class ChangePerson(Signed, frozen=True, kw_only=True):
    """Add, change, copy or take away a character, somebody of the scene, a group or a thing.

    :ivar person: whom it is about; a change sends what is to be another.
    :ivar others: who is added together with this one. :ivar count: how many copies.
    :ivar game: of who is added, where the person says none.
    """

    address = "/api/people"
    inner = Signed.inner | {"game"}

    do: DoPerson
    person: Annotated[SentPerson, _kind("is not a JSON object", "Send an object in braces.")]
    others: Annotated[tuple[SentPerson, ...], _several(_MOST_SEVERAL, "people", "Send fewer.")] = ()
    count: Whole = 1
    game: str = ""


class TakeRoll(Signed, frozen=True, kw_only=True):
    """Take a roll as it lies: its call becomes what was thrown."""

    address = "/api/rolls/{roll_id}/take"

    roll_id: str
    version: Version | None = None


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a purchase is paid with.

    :ivar of: a symbol or a tracker. :ivar count: how many.
    """

    of: Line
    count: Whole = 1


class BuySpend(Signed, frozen=True, kw_only=True, rename={"for_person": "for"}):
    """Buy something with what a roll left over.

    :ivar name: of one of the roll's spends. :ivar price: one of its prices; the first that the roll can pay otherwise.
    :ivar for_person: the id of the person that it is for.
    """

    address = "/api/rolls/{roll_id}/spends"

    roll_id: str
    name: Line
    price: Annotated[Price | None, _kind("is no price", 'Send {"of": "advantage", "count": 2}.')] = None
    for_person: Line = ""


class ApplyEffect(Signed, frozen=True, kw_only=True):
    """Apply what a roll does to a person's trackers. The same effect twice on one person counts once.

    :ivar effect: its place among the roll's effects, from 0. :ivar to: the id of the person.
    :ivar then: what is done in the same change: the turn that is on ends, or the fight. :ivar ends: that, in the log.
    """

    address = "/api/rolls/{roll_id}/apply"
    inner = Signed.inner | {"ends"}

    roll_id: str
    effect: Whole
    to: Line
    then: Literal["", "next", "end"] = ""
    ends: ChangeInitiative | None = None


class DoAct(Signed, frozen=True, kw_only=True):
    """Do something without dice, such as a rest, or let time pass: its game moves the trackers.

    :ivar act: its name. :ivar who: the id of the person; nobody means everybody of the scene, where that can be.
    :ivar skill: the name of the skill that it is about, where it needs one. :ivar ask: answers to the act's form.
    """

    address = "/api/acts"

    act: Line
    who: Line = ""
    skill: Line = ""
    ask: Answers = {}


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"least": "from", "most": "to"}):
    """A row of a table: what a total from ``least`` to ``most`` means."""

    least: Whole
    most: Whole
    words: Line


class ChangeTable(Signed, frozen=True, kw_only=True, rename={"is_opening": "opens"}):
    """Write a table of the group's own, or with no rows take it away.

    :ivar was: the name that it had, where it gets another one.
    :ivar dice: what is thrown for it, such as ``d100``, ``d10``, ``1D`` or ``2D``.
    :ivar is_opening: it is thrown for where a session begins.
    """

    address = "/api/tables"
    sender = Sender.MASTER

    name: Line
    was: Line = ""
    dice: Line = "d100"
    is_opening: bool = False
    rows: Annotated[tuple[Row, ...], _several(_MOST_ROWS, "rows", "A row has from, to and words.")] = ()


class PassNow(Signed, frozen=True, kw_only=True):
    """Pass what is next: leave it for later, or go on without it.

    :ivar name: of what is next. :ivar roll: the id of its roll. :ivar call: the id of the call of one.
    """

    address = "/api/now/pass"

    name: Line
    roll: Line = ""
    call: Line = ""


class LaidDice(Struct, frozen=True, kw_only=True):
    """The camera sees dice that were laid in the tray while a roll is called."""

    at: float
    dice: Mapping[str, int] = {}


class TestLamps(Struct, frozen=True, kw_only=True, rename={"is_on": "on"}):
    """Begin or end the lamp test, which lights every lamp in turn."""

    __test__: ClassVar[bool] = False  # no test class, whatever its name
    address: ClassVar[str] = "/api/lamps/test"
    sender: ClassVar[Sender] = Sender.MASTER
    inner: ClassVar[frozenset[str]] = frozenset({"at"})

    at: float
    is_on: bool = True


class ShowPhase(Struct, frozen=True, kw_only=True):
    """The camera sees something else going on."""

    at: float
    phase: Phase


class ShowTrouble(Struct, frozen=True, kw_only=True):
    """A part does not work; it replaces an earlier trouble of that part, or of that id where it has one."""

    at: float
    part: str
    what: str
    where: str = ""
    hint: str = ""
    trouble_id: str = ""

    @classmethod
    def of(cls, error: TablesideError | Trouble, *, part: str, at: float, trouble_id: str = "") -> ShowTrouble:
        """Return that this error is the trouble of a part."""
        return cls(at=at, part=part, what=error.what, where=error.where, hint=error.hint, trouble_id=trouble_id)


class ClearTrouble(Struct, frozen=True, kw_only=True):
    """A part works again, or somebody has seen the trouble of an id."""

    at: float
    part: str = ""
    trouble_id: str = ""


Doing: TypeAlias = (
    ChangeDestiny
    | NewRoll
    | NewReading
    | NewThrow
    | EnterRoll
    | EnterThrow
    | CorrectDie
    | RuleDie
    | TellSuspect
    | ChangeRoll
    | StartSession
    | EndSession
    | NamePlayer
    | CallRoll
    | ChooseGame
    | ChangeTracker
    | ChangeInitiative
    | ChangePerson
    | TakeRoll
    | BuySpend
    | ApplyEffect
    | DoAct
    | ChangeTable
    | PassNow
)
Lasting: TypeAlias = Doing | Undo | Redo
DOING: dict[str, type[Doing]] = {kind.__name__: kind for kind in get_args(Doing)}
Passing: TypeAlias = ShowPhase | ShowTrouble | ClearTrouble | TestLamps | LaidDice
Message: TypeAlias = Lasting | Passing
TAKEN: tuple[type[Any], ...] = tuple(kind for kind in get_args(Message) if getattr(kind, "address", ""))
"""Every kind of message that the API takes."""


def to_form(message: Doing) -> Mapping[str, Any]:
    """Return a message as the log holds it: its fields by the name of its class."""
    fields: dict[str, Any] = decode(
        encode(message, enc_hook=methodcaller("item"))
    )  # a reading may hold numbers of numpy
    return {type(message).__name__: fields}


def from_form(form: Mapping[str, Any]) -> Doing:
    """Return a message of the log.

    :raises ValueError: where it is none, or one that only another version of the program knows.
    """
    try:
        ((name, fields),) = form.items()
        message: Doing = built(fields, DOING[name])
    except (LookupError, ValueError, TablesideError) as error:
        raise ValueError(f"not a message: {error}") from error
    return message
