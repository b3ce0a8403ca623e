"""Pools of narrative dice as people write them: ``1a 2p 2d 1k``, by colours ``2y 1g 2p``, or in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tableside.errors import GameError
from tableside.words import say

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

COLOURS_ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(("grün", "grüne", "grüner", "vert", "verts", "verde", "verdes"), "ability"),
    **dict.fromkeys(("gelb", "gelbe", "gelber", "jaune", "jaunes", "amarillo", "amarillos"), "proficiency"),
    **dict.fromkeys(("blau", "blaue", "blauer", "bleu", "bleus", "azul", "azules"), "boost"),
    **dict.fromkeys(("lila", "violett", "violette", "violet", "violets", "morado", "morados"), "difficulty"),
    **dict.fromkeys(("rot", "rote", "roter", "rouge", "rouges", "rojo", "rojos"), "challenge"),
    **dict.fromkeys(("schwarz", "schwarze", "schwarzer", "noir", "noirs", "negro", "negros"), "setback"),
    **dict.fromkeys(("weiß", "weiße", "weißer", "weiss", "blanc", "blancs", "blanco", "blancos"), "force"),
}
"""The same in the other languages of the pages. Only whole words: their first letters are other letters."""

_WORDS: Mapping[str, str] = {**COLOURS, **COLOURS_ELSEWHERE, **{name: name for name in LETTERS.values()}}
_COLOUR_LETTERS = {"k" if colour == "black" else colour[0]: name for colour, name in COLOURS.items()}
MAX_DICE = 60
"""Larger pools are refused: nobody throws them, and the table of results would only cost time."""

_MOST = say("At most {most} dice can be worked out.", most=MAX_DICE)
_DIGITS = 6
"""Longer numbers are not even converted."""
_TERM = re.compile(r"([+-]?[0-9]*)\s*([^\W\d_]+)")
_BESIDE = re.compile(r"\b(?:and|dice|die|und|würfel|et|dés?|y(?=\s+[0-9])|dados?)\b", re.IGNORECASE)
"""What people write between the dice and after them."""


def parse_pool(text: str) -> dict[str, int]:
    """Return die types with their numbers from text such as ``"1a 2p 2d 1k"``, ``"yyggp"`` or ``"2 yellow 1 purple"``.

    Letters are those of ``LETTERS``. Beside y, g, r or w they are colours, so that p is purple there. The letter s is
    setback in both.

    :raises GameError: naming the part that is wrong and what would be right.
    """
    plain, where = _BESIDE.sub(" ", text), say("pool {=text}", text=repr(text[:40]))
    rest = _TERM.sub(" ", plain).replace(",", " ").strip()
    hint = say("Write a pool such as 1a 2p 2d 1k or 2y 1g 2p; the letters are {=letters}.", letters=_letters(LETTERS))
    if not plain.strip():
        raise GameError("the pool is empty", where=where, hint=hint)
    if rest:
        raise GameError("{=part} is no part of a pool", part=repr(rest.split()[0]), where=where, hint=hint)
    terms = [term for number, run in _TERM.findall(plain) for term in _terms(number, run.lower())]
    letters = _alphabet({word for _, word in terms if len(word) == 1}, where)
    names = {**letters, "s": "setback", **_WORDS}
    pool: dict[str, int] = {}
    for number, word in terms:
        name = names.get(word)
        if name is None:
            fault, known = say("{=word} is no die", word=repr(word)), _letters(letters)
            raise GameError(fault, where=where, hint=say("The letters are {=letters}.", letters=known))
        if len(number) > _DIGITS:
            many = f"{number[:_DIGITS]}..."
            raise GameError("{=many} {name} dice are too many", many=many, name=name, where=where, hint=_MOST)
        count = int(number) if number not in ("", "+", "-") else -1 if number == "-" else 1
        if count < 0:
            fault = say("{=n} {name} dice cannot be thrown", n=count, name=name)
            raise GameError(fault, where=where, hint="Write how many dice are thrown, from 0 up.")
        pool[name] = pool.get(name, 0) + count
    check_pool(pool)
    return {name: count for name, count in pool.items() if count}


def _terms(number: str, run: str) -> list[tuple[str, str]]:
    """Return a word with its number, or each letter of the run; the number belongs to the first of them."""
    if run in _WORDS:
        return [(number, run)]
    return [(number, run[0]), *(("", letter) for letter in run[1:])]


def _alphabet(used: set[str], where: str) -> Mapping[str, str]:
    """Return what the letters of a pool mean."""
    colours, types = used & (_COLOUR_LETTERS.keys() - LETTERS.keys()), used & (LETTERS.keys() - _COLOUR_LETTERS.keys())
    if colours and types:
        what = say("{=one} is a colour and {=other} a die's name", one=repr(min(colours)), other=repr(min(types)))
        kinds = {"letters": _letters(LETTERS), "colours": _letters(_COLOUR_LETTERS)}
        raise GameError(what, where=where, hint=say("Use one kind: {=letters}; or {=colours}.", **kinds))
    return _COLOUR_LETTERS if colours else LETTERS


def _letters(letters: Mapping[str, str]) -> str:
    return ", ".join(f"{letter} {name}" for letter, name in letters.items())


def check_pool(pool: Mapping[str, int]) -> None:
    """Raise :class:`GameError` for a negative count or more than ``MAX_DICE`` dice."""
    for name, count in pool.items():
        if count < 0:
            fault = say("{=n} {name} dice cannot be thrown", n=count, name=name)
            raise GameError(fault, where="pool", hint="Counts start at 0.")
    if sum(pool.values()) > MAX_DICE:
        raise GameError("{=n} dice are too many", n=sum(pool.values()), where="pool", hint=_MOST)
