"""What answers look like that are put together of several things, or that other parts make as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.dice import Alternative, Doubt, Face, Point, Status, Suspect
from tableside.record import Record, SaidText, Worded
from tableside.rules import PoolNames
from tableside.rules.game import Outcome, Points, Step
from tableside.rules.people import Effect, Person
from tableside.rules.throws import Throw
from tableside.table.kept import BriefRoll, Roll
from tableside.table.shown import OutWhy, ShownChange, ShownRoll, State
from tableside.tray.calibration import Calibration, Meters
from tableside.tray.card import CardReport


class LeftOut(Worded, frozen=True, kw_only=True):
    """What goes with a change that is taken back.

    :ivar change: its number.
    """

    change: int


class Undoing(Record, frozen=True, kw_only=True):
    """What would go with a change that is taken back.

    :ivar asks: it concerns the whole evening, so that people are asked first.
    """

    change: int
    left_out: tuple[LeftOut, ...]
    asks: bool


class StateUndone(State, frozen=True, kw_only=True):
    """The state once something was taken back, and what went with it."""

    left_out: tuple[LeftOut, ...]


class HistoryLine(ShownChange, frozen=True, kw_only=True):
    """A change, and the roll that it was about as it was then.

    :ivar may_undo: it stands, and this caller may take it back.
    """

    roll: BriefRoll | None
    may_undo: bool


class History(Record, frozen=True, kw_only=True):
    """Changes, newest first.

    :ivar before: what to ask for next, ``None`` at the first one.
    """

    changes: tuple[HistoryLine, ...]
    before: int | None


class HiddenRoll(Record, frozen=True, kw_only=True):
    """No more than that there is a roll."""

    id: str
    hidden: bool


class AnswerOutcome(Record, frozen=True, kw_only=True):
    """What a roll would come to."""

    texts = ("headline", "sentence")

    net: Mapping[str, int]
    succeeded: bool | None
    outcome: str
    headline: str
    sentence: str
    awaits: Throw | None


class AnswerTold(Record, frozen=True, kw_only=True):
    """One answer to the question of a roll.

    :ivar index: the die that it is said of. :ivar matters: whether any answer would come to something else.
    """

    index: int
    type: str
    face: Face
    confidence: float
    outcome: AnswerOutcome
    matters: bool


class EffectTold(Effect, frozen=True, kw_only=True):
    """What a roll does, and the id of the person that it was made against."""

    target: str | None


class OutcomeTold(Outcome, frozen=True, kw_only=True):
    """What a roll means, with its effects."""

    beside = (("effects", tuple[EffectTold, ...]), ("steps", None))
    optional = ()


class FilmTold(Record, frozen=True, kw_only=True):
    """A film on one sheet: its pictures lie in rows from the upper left.

    :ivar times: seconds at which each is shown. :ivar width: of one picture. :ivar sheet: the address.
    """

    times: tuple[float, ...]
    width: int
    height: int
    columns: int
    sheet: str


class RollTold(ShownRoll, frozen=True, kw_only=True):
    """All that is told of one roll.

    :ivar answers: to its question. :ivar change: the number of the change that brought it. :ivar call: what calls the
        same once more. :ivar chance: of success before the roll, and ``chance_from_here`` while it goes on.
    """

    beside = (("outcome", OutcomeTold),)

    answers: tuple[AnswerTold, ...]
    replay: FilmTold | None
    steps: tuple[Step, ...]
    change: int | None
    call: Mapping[str, Any] | None
    chance: float | None
    chance_from_here: float | None


class PhotographedRoll(Roll, frozen=True, kw_only=True):
    """A throw by photograph.

    :ivar counts: left out where it does. :ivar answers: to the question of one that does not yet.
    """

    optional = (*Roll.optional, "counts", "answers")

    counts: bool = True
    answers: tuple[AnswerTold, ...] = ()


class DieSeen(Record, frozen=True, kw_only=True):
    """A die that a picture shows."""

    optional = ("doubt",)

    type: str
    face: Face
    center: Point
    outline: tuple[Point, ...]
    confidence: float
    status: Status
    alternatives: tuple[Alternative, ...]
    doubt: Doubt | None = None


class PictureRead(Record, frozen=True, kw_only=True):
    """What a picture shows.

    :ivar ms: milliseconds that it took. :ivar nearer: how many times nearer the camera should be.
    """

    optional = ("too_flat", "blurred", "nearer")

    width: int
    height: int
    sure: bool
    dice: tuple[DieSeen, ...]
    suspects: tuple[Suspect, ...]
    ms: Mapping[str, float]
    too_flat: bool = False
    blurred: bool = False
    nearer: float = 1.0


class CarriedTold(Record, frozen=True, kw_only=True, rename={"giver": "from"}):
    """What was bought for somebody's next call."""

    giver: str
    ask: Mapping[str, Any]
    words: str


class CareTold(Worded, frozen=True, kw_only=True):
    """What may better somebody: the ``act`` to do, or the ``call`` of the throw to ask for, ``by`` whom."""

    optional = ("act", "call", "by")

    act: str = ""
    call: Mapping[str, Any] | None = None
    by: str = ""


class PersonTold(Person, frozen=True, kw_only=True):
    """Somebody of the scene; what the game master wrote of others than players' characters is left empty for players.

    :ivar out: why this one is out. :ivar left: how many of a group stand. :ivar dice: what each skill throws by itself.
    :ivar phone: a phone belongs to this one. :ivar own: this caller may change this one.
    :ivar cares: what may better this one.
    """

    beside = (("device", None), ("round", Mapping[str, Any] | None))

    out: OutWhy | None
    left: int
    dice: Mapping[str, Mapping[str, int]]
    phone: bool
    own: bool
    carried: tuple[CarriedTold, ...]
    cares: tuple[CareTold, ...]


class LampShown(Record, frozen=True, kw_only=True):
    """A drawn lamp.

    :ivar side: the name of its row. :ivar pin: its pins. :ivar value: how bright it is, 0..1.
    """

    name: str
    side: str
    pin: int | str
    colour: str
    value: float


class ButtonShown(Record, frozen=True, kw_only=True):
    """A drawn button."""

    name: str
    label: str
    pin: int
    pressed: bool


class Panel(Record, frozen=True, kw_only=True):
    """The drawn lamps and buttons.

    :ivar mock: they stand for pins that are not there.
    """

    lamps: tuple[LampShown, ...]
    buttons: tuple[ButtonShown, ...]
    mock: bool


class PlainTrouble(Record, frozen=True, kw_only=True):
    """What does not work, in the three parts of an error."""

    what: str
    where: str
    hint: str


class HallTable(Record, frozen=True, kw_only=True):
    """A table of the broker, as far as it is understood; one that is gone says no more.

    :ivar age: seconds since its newest roll. :ivar result: that roll in brief.
    """

    optional = (
        "revision", "online", "age", "name", "sent", "phase", "game", "destiny", "destiny_names", "hidden", "result",
        "recent", "trouble",
    )  # fmt: skip

    id: str
    gone: bool
    revision: int = 0
    online: bool = False
    age: float | None = None
    name: str = ""
    sent: float = 0.0
    phase: str = ""
    game: str = ""
    destiny: Points = Points()
    destiny_names: PoolNames = PoolNames()
    hidden: bool = False
    result: Mapping[str, Any] | None = None
    recent: tuple[Mapping[str, Any], ...] = ()
    trouble: tuple[Mapping[str, str], ...] = ()


class Hall(Record, frozen=True, kw_only=True):
    """All tables of the MQTT broker.

    :ivar broker: one is set. :ivar up: it answers. :ivar own: the name of this table in it.
    """

    broker: bool
    up: bool
    trouble: PlainTrouble | None
    own: str
    tables: tuple[HallTable, ...]


class Advice(Record, frozen=True, kw_only=True):
    """What to do about something, ``""`` where it is good."""

    optional = ("words",)

    advice: str
    words: Mapping[str, SaidText] | None = None


class Proof(Advice, frozen=True, kw_only=True):
    """What is proved of a part of camera and light."""

    part: str


class CardSeen(CardReport, frozen=True, kw_only=True):
    """What the test card proves, with advice that pages can say."""

    beside = (("advice", tuple[Advice, ...]),)


class ThrowTried(Record, frozen=True, kw_only=True):
    """A throw that was tried in the set-up: how many dice, and what is doubted of them."""

    dice: int
    doubts: tuple[Doubt, ...]


class ViewTold(Record, frozen=True, kw_only=True):
    """What a camera's picture shows: the sensor, which shares of it, and its field of view in degrees."""

    sensor: str
    shares: tuple[float, float]
    field_deg: tuple[float, float] | None


class SetUp(Record, frozen=True, kw_only=True):
    """The set-up of the camera.

    :ivar found: corners of the tray in shares of the picture. :ivar made: what was settled before.
    :ivar good_light: the levels between which the light is good. :ivar throws: those that were tried.
    """

    camera: str
    view: ViewTold | None
    meters: Meters | None
    found: tuple[Point, ...] | None
    made: Calibration | None
    moving: bool
    card: CardSeen | None
    good_light: tuple[float, float]
    proofs: tuple[Proof, ...]
    throws: tuple[ThrowTried, ...]
    throws_wanted: int
    throws_advice: Advice | None


class TaughtType(Record, frozen=True, kw_only=True):
    """A taught type of dice."""

    name: str
    solid: str
    body: str
    ink: str
    faces: tuple[Face, ...]
    plays_as: str


class Doubted(Record, frozen=True, kw_only=True):
    """A sample that is doubted, and why."""

    id: str
    type: str
    face: Face
    why: str
    origin: str


class TaughtSet(Record, frozen=True, kw_only=True):
    """A taught set. One that cannot be read says why.

    :ivar like: the set that it is like. :ivar corrections: how many samples came of corrections.
    """

    optional = ("error", "like", "corrections")

    name: str
    error: str = ""
    like: str = ""
    types: tuple[TaughtType, ...]
    samples: int
    corrections: int = 0
    doubted: tuple[Doubted, ...]


class FaceNamed(Record, frozen=True, kw_only=True):
    """A face of the draft, and the ids of the dice that show it."""

    face: Face
    dice: tuple[str, ...]


class CloseFaces(Record, frozen=True, kw_only=True):
    """Two faces that look alike.

    :ivar alike: they are mixed up.
    """

    type: str
    faces: tuple[Face, ...]
    margin: float
    alike: bool


class Draft(Record, frozen=True, kw_only=True):
    """What is being taught.

    :ivar groups: ids of dice without a name, those together that look alike. :ivar right: the share of views that come
        out right. :ivar weak: faces that do not often enough. :ivar good: it can be saved.
    """

    set: str
    type: str
    solid: str
    plays_as: str
    sides: int
    pictures: int
    faces: tuple[FaceNamed, ...]
    groups: tuple[tuple[str, ...], ...]
    right: float
    weak: tuple[str, ...]
    close: tuple[CloseFaces, ...]
    good: bool


class SetSymbols(Record, frozen=True, kw_only=True):
    """Symbols that have a drawing, by set."""

    set: str
    types: tuple[str, ...]
    symbols: tuple[str, ...]


class Teaching(Record, frozen=True, kw_only=True):
    """Taught sets, and the draft that is being taught.

    :ivar camera: the tray can be looked at.
    """

    sets: tuple[TaughtSet, ...]
    draft: Draft | None
    camera: bool
    symbols: tuple[SetSymbols, ...]


class FoundryPoll(Record, frozen=True, kw_only=True):
    """Rolls and corrections for a Foundry world.

    :ivar next: what to send as ``since``. :ivar history: the id of the history, where it was asked for.
    """

    optional = ("history",)

    rolls: tuple[Mapping[str, Any], ...]
    next: int
    history: str = ""
