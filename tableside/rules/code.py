"""Dice codes: so many six-sided dice and so many pips, ``3D+2``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tableside.errors import GameError
from tableside.words import say

MAX_DICE = 100
"""Larger codes are refused; the largest scale differs by 24 dice."""

_DICE = r"\+?\s*(?P<dice>[0-9]{0,4})\s*[DW](?:6|(?<=\s[DW])\s+6)?"  # "4 d 6", but "4D 6" may mean pips
_PIPS = r"(?P<sign>[+-])\s*(?P<pips>[0-9]{1,4})"
_CODES = tuple(re.compile(form, re.IGNORECASE) for form in (_DICE, rf"{_DICE}\s*{_PIPS}", _PIPS))
_MINUS = str.maketrans("\u2212\u2013", "--")
"""The minus sign and the dash that phones type for a hyphen."""


def code_words(dice: int, pips: int) -> str:
    """Return ``"3D+2"`` or ``"3D"``, also for numbers that no code may have, on the way to one."""
    return f"{dice}D{pips:+d}" if pips else f"{dice}D"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Code:
    """Dice to throw and pips to add to their total."""

    dice: int = 0
    pips: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.dice <= MAX_DICE:
            raise GameError(
                "{=dice} dice",
                dice=self.dice,
                where="dice code",
                hint=say("A code has 0 to {most} dice.", most=MAX_DICE),
            )

    @classmethod
    def of(cls, text: str) -> Code:
        """Return the code that is written as ``3D+2``, ``3d - 1``, ``3d6+2``, ``3W6``, ``D`` or, without dice, ``+2``.

        :raises GameError: for anything else, such as dice with other sides.
        """
        plain = text.strip().translate(_MINUS)
        match = next(filter(None, (form.fullmatch(plain) for form in _CODES)), None)
        if match is None:
            raise GameError("{=text} is no dice code", text=repr(text), hint="Write one such as 3D or 3D+2.")
        found = match.groupdict()
        dice = found.get("dice", "0") or "1"
        return cls(dice=int(dice), pips=int(f"{found.get('sign', '')}{found.get('pips', 0)}"))

    def __str__(self) -> str:
        return code_words(self.dice, self.pips)

    @property
    def added(self) -> str:
        """How the code is written where it is added: pips alone as ``"+2"``."""
        return str(self).removeprefix("0D") or str(self)

    def plus(self, dice: int, pips: int = 0) -> Code:
        """Return the code with more dice and pips, or with fewer, but never below no dice."""
        return Code(dice=max(self.dice + dice, 0), pips=self.pips + pips)

    def times(self, factor: int) -> Code:
        """Return the code with dice and pips multiplied."""
        return Code(dice=self.dice * factor, pips=self.pips * factor)


def pips_words(pips: int) -> str:
    """Return ``"+1 pip"`` or ``"-2 pips"``."""
    return say("{change} {n:pip|pips}", change=f"{pips:+d}", n=abs(pips))
