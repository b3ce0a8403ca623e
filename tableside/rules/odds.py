"""Exact odds of narrative pools by integer convolution."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tableside.dice import find_sets
from tableside.errors import GameError
from tableside.rules.narrative import net_result

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

_TERM = re.compile(r"([+-]?\d*)\s*([A-Za-z])")

Cell = tuple[int, int, int, int]
"""Net success, net advantage, triumphs, despairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The joint distribution of a pool's net result, as exact integer counts out of ``denominator``."""

    pool: Mapping[str, int]
    denominator: int
    joint: Mapping[Cell, int]

    def to_json(self) -> dict[str, Any]:
        """Return the form of ``odds --json``: probabilities as floats, counts exact."""
        share = {"success": 0, "advantage": 0, "threat": 0, "triumph": 0, "despair": 0}
        for (success, advantage, triumph, despair), count in self.joint.items():
            share["success"] += count * (success >= 1)
            share["advantage"] += count * (advantage >= 1)
            share["threat"] += count * (advantage <= -1)
            share["triumph"] += count * (triumph >= 1)
            share["despair"] += count * (despair >= 1)
        return {
            "pool": dict(self.pool),
            "denominator": self.denominator,
            **{name: count / self.denominator for name, count in share.items()},
            "joint": [[*cell, count] for cell, count in sorted(self.joint.items())],
        }


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


def odds_of(pool: Mapping[str, int]) -> Odds:
    """Return the exact joint distribution of the pool. Force dice cancel nothing."""
    check_pool(pool)
    (dice_set,) = find_sets(["narrative"])
    joint: dict[Cell, int] = {(0, 0, 0, 0): 1}
    denominator = 1
    for name, count in pool.items():
        die_type = dice_set.type(name)
        weights: dict[Cell, int] = {}
        for face in die_type.faces:
            net = net_result(face)
            cell = (net.net_success, net.net_advantage, net.triumph, net.despair)
            weights[cell] = weights.get(cell, 0) + 1
        for _ in range(count):
            denominator *= len(die_type.faces)
            joint = _add_die(joint, weights)
    return Odds(pool=dict(pool), denominator=denominator, joint=joint)


def _add_die(joint: Mapping[Cell, int], weights: Mapping[Cell, int]) -> dict[Cell, int]:
    out: dict[Cell, int] = {}
    for (s, a, t, d), count in joint.items():
        for (s2, a2, t2, d2), ways in weights.items():
            cell = (s + s2, a + a2, t + t2, d + d2)
            out[cell] = out.get(cell, 0) + count * ways
    return out
