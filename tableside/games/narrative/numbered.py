"""Numbered dice: the d10, the percentile pair, and plain dice in place of the narrative ones (S000)."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

from tableside.dice import Die, Face
from tableside.errors import BadAsk, GameError, UnknownDieType, UnknownFace, did_you_mean
from tableside.games.narrative.net import narrative_set
from tableside.words import say

_HUES = (
    ("red", 0, 12),
    ("orange", 20, 36),
    ("yellow", 44, 64),
    ("green", 80, 165),
    ("blue", 185, 250),
    ("purple", 262, 310),
    ("pink", 320, 345),
    ("red", 350, 360),
)
"""Degrees of hue; what lies between two names has none."""

COLOURS = ("black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink")
"""What the tens die may be told apart by."""

_BLACK, _GREY, _WHITE, _BETWEEN = 0.24, 0.18, 0.65, 0.1
"""Value below which all is black, saturation below which nothing has a hue, value above which that is white, and how
wide the doubt is beside each.
"""


def d10(shown: int) -> int:
    """Return 1..10: a 0 counts as 10 on a die thrown alone."""
    return _digit(shown) or 10


def d100(tens: int, ones: int) -> int:
    """Return 1..100: zeros count as 0, but both together are 100. Which die is the tens is fixed beforehand."""
    return _digit(tens) * 10 + _digit(ones) or 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TenSided:
    """What ten-sided dice show.

    :ivar numbers: with the digit on the tens die: one, or several where it is not known which die that is.
    """

    numbers: tuple[tuple[int, int], ...]
    words: str


def percentile_of(dice: Sequence[Die], *, game: str, tens: int | None = None, tens_colour: str = "") -> TenSided:
    """Return the number that one d10, a d100 with a d10, or two d10 show.

    :param tens: of two d10, the digit on that of the tens. :param tens_colour: or its colour, a name of ``COLOURS``.
    :raises GameError: for other dice; :class:`UnknownFace` for a face that is not on the die.
    """
    shown = [(die, _number(die, game=game)) for die in dice]
    tens_dice = [digit for die, digit in shown if die.type == "d100"]
    ones_dice = [digit for die, digit in shown if die.type == "d10"]
    match len(tens_dice), len(ones_dice):
        case 0, 1:
            number = d10(ones_dice[0])
            return TenSided(numbers=((0, number),), words=say("The d10 shows {n}.", n=number))
        case 1, 1:
            return _pair(tens_dice[0], ones_dice[0])
        case 0, 2:
            return _two_d10(shown, tens=tens, tens_colour=tens_colour, game=game)
    hint = "Throw one d10, a d100 for the tens and a d10 for the ones, or two d10."
    raise GameError("these dice make no number", where=f"game {game}", hint=hint)


def _number(die: Die, *, game: str) -> int:
    if die.type not in ("d10", "d100"):
        hint = did_you_mean(die.type, ("d10", "d100"))
        raise UnknownDieType("does not use {=type} dice here", type=repr(die.type), where=f"game {game}", hint=hint)
    faces = [f"{digit}{'0' if die.type == 'd100' else ''}" for digit in range(10)]
    if len(die.face) != 1 or die.face[0] not in faces:
        what = say("no face {=face}", face=" ".join(die.face) or "blank")
        raise UnknownFace(what, where=f"die {die.type}", hint=say("Its faces are: {=names}.", names=", ".join(faces)))
    return faces.index(die.face[0])


def _pair(tens: int, ones: int) -> TenSided:
    number = d100(tens, ones)
    return TenSided(
        numbers=((tens, number),), words=say("Tens {tens} and ones {ones}: {n}.", tens=tens, ones=ones, n=number)
    )


def _two_d10(shown: Sequence[tuple[Die, int]], *, tens: int | None, tens_colour: str, game: str) -> TenSided:
    """Return the number, or both where nothing tells which die is the tens."""
    one, other = sorted(digit for _, digit in shown)
    if tens is not None and tens not in (one, other):
        raise BadAsk(
            "tens is {=tens}",
            tens=tens,
            where=f"game {game}",
            hint=say("The dice show {=one} and {=other}.", one=one, other=other),
        )
    agreed = [digit for die, digit in shown if tens_colour and colour_name(die.colour) == tens_colour]
    if tens is None and len(agreed) == 1:
        tens = agreed[0]
    if tens is not None or one == other:
        return _pair(other, one) if tens == other else _pair(one, other)
    numbers = ((one, d100(one, other)), (other, d100(other, one)))
    words = say(
        "Which die is the tens? {first} if it is the {one}, {second} if it is the {other}.",
        first=numbers[0][1],
        one=one,
        second=numbers[1][1],
        other=other,
    )
    return TenSided(numbers=numbers, words=words)


def colour_name(colour: str) -> str:
    """Return what people call a colour ``#rrggbb``, a name of ``COLOURS``, ``""`` where it lies between two."""
    if not colour:
        return ""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < _BLACK:
        return "black"
    if value < _BLACK + _BETWEEN or _GREY <= saturation < _GREY + _BETWEEN:
        return ""
    if saturation < _GREY:
        return "white" if value > _WHITE else "" if value > _WHITE - _BETWEEN else "grey"
    return next((name for name, least, most in _HUES if least <= hue * 360 <= most), "")


def face_of_number(die: str, number: int) -> Face:
    """Return the face of a narrative die that a plain die of the same size stands for (table M01, S002)."""
    faces = narrative_set().type(die).faces
    if not 1 <= number <= len(faces):
        hint = say("It has the numbers 1 to {=n}.", n=len(faces))
        raise GameError("{=number} is not on the die", number=number, where=f"die {die}", hint=hint)
    return faces[number - 1]


def _digit(shown: int) -> int:
    if not 0 <= shown <= 9:
        raise GameError("{=shown} is not on the die", shown=shown, where="d10", hint="It shows the digits 0 to 9.")
    return shown
