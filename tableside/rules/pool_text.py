"""Pools of narrative dice as people write them: ``1a 2p 2d 1k``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tableside.errors import GameError

LETTERS: Mapping[str, str] = {
    "a": "ability",
    "p": "proficiency",
    "b": "boost",
    "d": "difficulty",
    "c": "challenge",
    "k": "setback",
    "f": "force",
}
MAX_DICE = 60
"""Larger pools are refused: nobody throws them, and the table of results would only cost time."""

_MOST = f"At most {MAX_DICE} dice can be worked out."
_DIGITS = 6
"""Longer numbers are not even converted."""
_TERM = re.compile(r"([+-]?[0-9]*)\s*([A-Za-z])")


def parse_pool(text: str) -> dict[str, int]:
    """Return die types with their numbers from text such as ``"1a 2p 2d 1k"``, ``"1a2p"`` or ``"aapd"``.

    :raises GameError: naming the part that is wrong and what would be right.
    """
    known = ", ".join(f"{letter} {name}" for letter, name in LETTERS.items())
    pool: dict[str, int] = {}
    rest = _TERM.sub(" ", text).replace(",", " ").strip()
    if rest or not text.strip():
        what = f"{rest.split()[0]!r} is no part of a pool" if rest else "the pool is empty"
        raise GameError(
            what, where=f"pool {text!r}", hint=f"Write a pool such as 1a 2p 2d 1k; the letters are {known}."
        )
    for number, letter in _TERM.findall(text):
        name = LETTERS.get(letter.lower())
        if name is None:
            raise GameError(f"{letter!r} is no die", where=f"pool {text!r}", hint=f"The letters are {known}.")
        if len(number) > _DIGITS:
            raise GameError(f"{number[:_DIGITS]}... {name} dice are too many", where=f"pool {text[:40]!r}", hint=_MOST)
        count = int(number) if number not in ("", "+", "-") else -1 if number == "-" else 1
        if count < 0:
            hint = "Write how many dice are thrown, from 0 up."
            raise GameError(f"{count} {name} dice cannot be thrown", where=f"pool {text!r}", hint=hint)
        pool[name] = pool.get(name, 0) + count
    check_pool(pool)
    return {name: count for name, count in pool.items() if count}


def check_pool(pool: Mapping[str, int]) -> None:
    """Raise :class:`GameError` for a negative count or more than ``MAX_DICE`` dice."""
    for name, count in pool.items():
        if count < 0:
            raise GameError(f"{count} {name} dice cannot be thrown", where="pool", hint="Counts start at 0.")
    if sum(pool.values()) > MAX_DICE:
        raise GameError(f"{sum(pool.values())} dice are too many", where="pool", hint=_MOST)
