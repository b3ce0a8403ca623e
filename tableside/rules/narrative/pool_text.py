"""Pools of narrative dice as people write them: ``1a 2p 2d 1k``, by colours ``2y 1g 2p``, or in words."""

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
COLOURS: Mapping[str, str] = {
    "green": "ability",
    "yellow": "proficiency",
    "blue": "boost",
    "purple": "difficulty",
    "red": "challenge",
    "black": "setback",
    "white": "force",
}
"""The dice by their colours (table M01). People write the first letters, black as k."""

_COLOUR_LETTERS = {"k" if colour == "black" else colour[0]: name for colour, name in COLOURS.items()}
MAX_DICE = 60
"""Larger pools are refused: nobody throws them, and the table of results would only cost time."""

_MOST = f"At most {MAX_DICE} dice can be worked out."
_DIGITS = 6
"""Longer numbers are not even converted."""
_TERM = re.compile(r"([+-]?[0-9]*)\s*([A-Za-z]+)")
_BESIDE = re.compile(r"\b(?:and|dice|die)\b", re.IGNORECASE)
"""What people write between the dice and after them."""


def parse_pool(text: str) -> dict[str, int]:
    """Return die types with their numbers from text such as ``"1a 2p 2d 1k"``, ``"yyggp"`` or ``"2 yellow 1 purple"``.

    Letters are those of ``LETTERS``. Beside y, g, r or w they are colours, so that p is purple there. The letter s is
    setback in both.

    :raises GameError: naming the part that is wrong and what would be right.
    """
    plain = _BESIDE.sub(" ", text)
    rest = _TERM.sub(" ", plain).replace(",", " ").strip()
    if rest or not plain.strip():
        what = f"{rest.split()[0]!r} is no part of a pool" if rest else "the pool is empty"
        raise GameError(what, where=f"pool {text!r}", hint=f"Write a pool such as 1a 2p 2d 1k; {_known(LETTERS)}.")
    terms = [term for number, run in _TERM.findall(plain) for term in _terms(number, run.lower())]
    letters = _alphabet({word for _, word in terms if len(word) == 1}, text)
    names = {**letters, "s": "setback", **COLOURS, **{name: name for name in LETTERS.values()}}
    pool: dict[str, int] = {}
    for number, word in terms:
        name = names.get(word)
        if name is None:
            raise GameError(f"{word!r} is no die", where=f"pool {text!r}", hint=f"{_known(letters).capitalize()}.")
        if len(number) > _DIGITS:
            raise GameError(f"{number[:_DIGITS]}... {name} dice are too many", where=f"pool {text[:40]!r}", hint=_MOST)
        count = int(number) if number not in ("", "+", "-") else -1 if number == "-" else 1
        if count < 0:
            hint = "Write how many dice are thrown, from 0 up."
            raise GameError(f"{count} {name} dice cannot be thrown", where=f"pool {text!r}", hint=hint)
        pool[name] = pool.get(name, 0) + count
    check_pool(pool)
    return {name: count for name, count in pool.items() if count}


def _terms(number: str, run: str) -> list[tuple[str, str]]:
    """Return a word with its number, or each letter of the run; the number belongs to the first of them."""
    if run in COLOURS or run in LETTERS.values():
        return [(number, run)]
    return [(number, run[0]), *(("", letter) for letter in run[1:])]


def _alphabet(used: set[str], text: str) -> Mapping[str, str]:
    """Return what the letters of a pool mean."""
    colours, types = used & (_COLOUR_LETTERS.keys() - LETTERS.keys()), used & (LETTERS.keys() - _COLOUR_LETTERS.keys())
    if colours and types:
        what = f"{min(colours)!r} is a colour and {min(types)!r} a die's name"
        hint = f"Use one kind: {_known(LETTERS)}; or {_known(_COLOUR_LETTERS)}."
        raise GameError(what, where=f"pool {text[:40]!r}", hint=hint)
    return _COLOUR_LETTERS if colours else LETTERS


def _known(letters: Mapping[str, str]) -> str:
    return f"the letters are {', '.join(f'{letter} {name}' for letter, name in letters.items())}"


def check_pool(pool: Mapping[str, int]) -> None:
    """Raise :class:`GameError` for a negative count or more than ``MAX_DICE`` dice."""
    for name, count in pool.items():
        if count < 0:
            raise GameError(f"{count} {name} dice cannot be thrown", where="pool", hint="Counts start at 0.")
    if sum(pool.values()) > MAX_DICE:
        raise GameError(f"{sum(pool.values())} dice are too many", where="pool", hint=_MOST)
