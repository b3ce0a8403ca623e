"""Every lamp and every button, a row each.

Settings, lamps, buttons, the drawn panel, the wiring test, the drawings, the budget of currents and the printed panel
follow from these rows. To add a lamp or a button, add its row here, then run
``python -m hardware``. One without a usual pin changes no drawing and no print.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from tableside.setting import Pins

if TYPE_CHECKING:  # whoever reads the settings imports this file
    from tableside.table.kept import Roll, TableState
    from tableside.table.messages import Message

Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue in 0..1."""
RGB = ("red", "green", "blue")


class Rhythm(StrEnum):
    """How a lamp changes with time, so that colour is never the only sign."""

    OFF = "off"
    STEADY = "steady"
    SLOW = "slow"
    FAST = "fast"
    PULSE = "pulse"
    BREATHE = "breathe"
    DOUBT = "doubt"
    FADE = "fade"
    SHORT = "short"


@dataclass(frozen=True, slots=True, kw_only=True)
class Glow:
    """What one lamp shows. A plain lamp has the rhythm alone."""

    colour: Colour = (1, 1, 1)
    rhythm: Rhythm = Rhythm.OFF


class Kind(StrEnum):
    """What hangs on the pins of a lamp's setting."""

    EACH = "a plain lamp on each pin"
    PLAIN = "one plain lamp"
    RGB = "one RGB lamp"
    EITHER = "one RGB lamp or one plain lamp"

    @property
    def counts(self) -> tuple[int, ...]:
        """How many pins there may be; nothing where any number does."""
        return {Kind.EACH: (), Kind.PLAIN: (0, 1), Kind.RGB: (0, 3), Kind.EITHER: (0, 1, 3)}[self]

    @property
    def hint(self) -> str:
        """What to write in the settings."""
        return {
            Kind.EACH: "Give one pin for each.",
            Kind.PLAIN: "Give one pin.",
            Kind.RGB: "Give three, for red, green and blue.",
            Kind.EITHER: "Give one pin, or three for red, green and blue.",
        }[self]


class Place(StrEnum):
    """Where a lamp or a button sits on the printed panel, and on which side of the drawings."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    BELOW = "below"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """One row.

    :ivar name: its setting in ``[pins]``. :ivar pins: the usual ones.
    :ivar title: on drawings, beside its number or colour. :ivar heading: above its drawing. :ivar means: for builders.
    :ivar colour: of a plain lamp, as bought. :ivar drawn: the same as the page draws it.
    :ivar shows: what it shows as a function of the state. A number lights so many lamps of :attr:`Kind.EACH`.
    :ivar is_square: its bezel, so that colour is not the only sign.
    """

    name: str
    title: str
    heading: str
    means: str
    kind: Kind
    colour: Literal["red", "green", "blue"]
    drawn: str
    place: Place
    shows: Callable[[TableState], Glow | int]
    pins: Pins = ()
    is_square: bool = False

    def devices(self, pins: Sequence[int]) -> list[tuple[str, Pins]]:
        """Return each single lamp on these pins with its name: ``light 2``, ``result``."""
        if self.kind is Kind.EACH:
            return [(f"{self.name} {number}", (pin,)) for number, pin in enumerate(pins, start=1)]
        return [(self.name, tuple(pins))] if pins else []


class Press(Protocol):
    """One press of a button, and what it may do."""

    @property
    def id(self) -> str: ...
    @property
    def at(self) -> float: ...
    @property
    def by(self) -> str: ...
    def post(self, message: Message) -> None: ...
    def read_again(self) -> object: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """One row.

    :ivar name: its setting in ``[pins]``. :ivar pins: the usual one. :ivar title: on drawings.
    :ivar label: on the drawn button. :ivar means: for builders. :ivar does: runs on the thread of the pins.
    :ivar is_held: it counts only once it was held for ``hold_seconds``.
    """

    name: str
    title: str
    label: str
    means: str
    does: Callable[[Press], object]
    place: Place = Place.MIDDLE
    pins: Pins = ()
    is_held: bool = False


DARK = Glow()
ASK: Colour = (0.1, 0.35, 1)
DOUBT = Glow(colour=(1, 0.45, 0), rhythm=Rhythm.DOUBT)
MOODS: Mapping[str, Glow] = {
    "despair": Glow(colour=(0.7, 0, 1), rhythm=Rhythm.FAST),
    "triumph": Glow(colour=(1, 0.75, 0.1), rhythm=Rhythm.PULSE),
}
"""What shows each mood; of two, the first."""
SUCCESS = Glow(colour=(0, 1, 0), rhythm=Rhythm.STEADY)
FAILURE = Glow(colour=(1, 0, 0), rhythm=Rhythm.SLOW)
TOTAL = Glow(colour=(0.3, 0.5, 1), rhythm=Rhythm.STEADY)
POOL_LIGHT: Colour = (0.1, 0.35, 1)
POOL_DARK: Colour = (1, 0, 0)


GLOWS: Mapping[str, Glow] = {
    "setup": Glow(colour=(0.15, 0.15, 0.15), rhythm=Rhythm.STEADY),
    **dict.fromkeys(("pool", "throw", "initiative", "step"), Glow(colour=ASK, rhythm=Rhythm.BREATHE)),
    **dict.fromkeys(("rolling", "more"), Glow(colour=ASK, rhythm=Rhythm.FAST)),
    **dict.fromkeys(("doubt", "wrong"), DOUBT),
    "fallen": Glow(colour=(1, 0, 0), rhythm=Rhythm.SHORT),
    "won": Glow(colour=(0, 1, 0), rhythm=Rhythm.SHORT),
}
"""What shows what is next; where it is a roll, that is what it came to."""


def now_glow(state: TableState) -> Glow:
    """Say in light what is next. A result that leads on to nothing fades."""
    now = state.open_now
    glow = GLOWS.get(now.name) or result_glow(state.find_roll(now.roll or ""))
    is_fading = now.name == "result" and glow.rhythm is Rhythm.STEADY
    return replace(glow, rhythm=Rhythm.FADE) if is_fading else glow


def result_glow(roll: Roll | None) -> Glow:
    """Say in light what a roll came to: first the moods of the result."""
    if roll is None:
        return DARK
    felt = {mood.value for mood, _ in roll.moods}
    for mood, glow in MOODS.items():
        if mood in felt:
            return glow
    if roll.succeeded is None:
        return TOTAL if roll.dice else DARK
    return SUCCESS if roll.succeeded else FAILURE


def points(state: TableState, side: Literal["light", "dark"]) -> int:
    """Return the points of a side: of the pool, or of who acts where each character has points of their own."""
    from tableside.table.shown import points_now

    own = points_now(state)
    if own is not None:
        return getattr(own, side) or 0
    return state.destiny.light if side == "light" else state.destiny.dark


def pool_glow(state: TableState) -> Glow:
    """Say the pool with one lamp: blue for light and red for dark, mixed by their share.

    A rhythm says that one side is gone, in games in which a spent point would bring it back.
    """
    light, dark = points(state, "light"), points(state, "dark")
    if not light + dark:
        return DARK
    share = light / (light + dark)
    red, green, blue = (share * one + (1 - share) * other for one, other in zip(POOL_LIGHT, POOL_DARK, strict=True))
    gone = Rhythm.SLOW if not light else Rhythm.PULSE if not dark else Rhythm.STEADY
    rhythm = gone if state.destiny_flips else Rhythm.STEADY
    return Glow(colour=(round(red, 3), round(green, 3), round(blue, 3)), rhythm=rhythm)


def status_glow(state: TableState) -> Glow:
    """Say with one lamp how the table is: steady while all works, fast while something does not, slow in doubt."""
    if state.trouble:
        return Glow(rhythm=Rhythm.FAST)
    return Glow(rhythm=Rhythm.SLOW if state.open_now.name == "doubt" else Rhythm.STEADY)


def _flip(press: Press, *, light: bool) -> None:
    from tableside.table.kept import Side
    from tableside.table.messages import ChangeDestiny, Do

    side = Side.LIGHT if light else Side.DARK
    press.post(ChangeDestiny(id=press.id, at=press.at, by=press.by, do=Do.SPEND, side=side))


def _undo(press: Press) -> None:
    from tableside.table.messages import Undo

    press.post(Undo(id=press.id, at=press.at, by=press.by, only_open=True))


LAMPS = (
    Lamp(
        name="light",
        title="light point",
        heading="Lamps of the light points",
        means="lamps of the light points",
        kind=Kind.EACH,
        colour="blue",
        drawn="#8fd3ff",
        place=Place.LEFT,
        shows=lambda state: points(state, "light"),
        pins=(5, 6, 18, 19),
    ),
    Lamp(
        name="dark",
        title="dark point",
        heading="Lamps of the dark points",
        means="lamps of the dark points",
        kind=Kind.EACH,
        colour="red",
        drawn="#ff5a5a",
        place=Place.RIGHT,
        shows=lambda state: points(state, "dark"),
        pins=(12, 16, 20, 21),
        is_square=True,
    ),
    Lamp(
        name="result",
        title="result",
        heading="Result lamp",
        means="result lamp: red, green, blue",
        kind=Kind.EITHER,
        colour="green",
        drawn="#ffe9a8",
        place=Place.MIDDLE,
        shows=now_glow,
        pins=(22, 23, 24),
    ),
    Lamp(
        name="status",
        title="state",
        heading="Lamp of the state",
        means="lamp of the state: burns while all works, blinks fast while something does not",
        kind=Kind.PLAIN,
        colour="green",
        drawn="#9dff9d",
        place=Place.BELOW,
        shows=status_glow,
        pins=(25,),
    ),
    Lamp(
        name="pool",
        title="pool",
        heading="Pool lamp",
        means="one RGB lamp for the pool in place of its single lamps: red, green, blue",
        kind=Kind.RGB,
        colour="blue",
        drawn="#ffe9a8",
        place=Place.BELOW,
        shows=pool_glow,
    ),
)

BUTTONS = (
    Button(
        name="flip_light",
        title="flip a light point",
        label="Flip light",
        means="button: flip a light point",
        does=lambda press: _flip(press, light=True),
        place=Place.LEFT,
        pins=(17,),
    ),
    Button(
        name="flip_dark",
        title="flip a dark point",
        label="Flip dark",
        means="button: flip a dark point",
        does=lambda press: _flip(press, light=False),
        place=Place.RIGHT,
        pins=(27,),
    ),
    Button(
        name="undo",
        title="undo (hold)",
        label="Hold to undo",
        means="button: held for a second (`hold_seconds`), takes back the last change",
        does=_undo,
        pins=(13,),
        is_held=True,
    ),
    Button(
        name="read_again",
        title="read again",
        label="Read again",
        means="button: reads the tray once more",
        does=lambda press: press.read_again(),
        pins=(26,),
    ),
)

PARTS: Mapping[str, Lamp | Button] = {part.name: part for part in (*LAMPS, *BUTTONS)}
