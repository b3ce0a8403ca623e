"""Rules cases kept as data: one function per mechanic turns a case's input into what our rules say."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tableside.dice import find_sets
from tableside.rules.d6_wild import wild_roll
from tableside.rules.narrative import net_result

Case = dict[str, Any]
(_NARRATIVE,) = find_sets(["narrative"])


def _net_result(given: Case) -> Case:
    symbols: list[str] = []
    for die in given["faces"]:
        symbols += _NARRATIVE.type(die["die"]).check_face(die["symbols"])
    net = net_result(symbols)
    return {
        "net_success": net.net_success,
        "net_advantage": net.net_advantage,
        "triumph": net.triumph,
        "despair": net.despair,
        "succeeded": net.succeeded,
        "light": net.light,
        "dark": net.dark,
    }


def _die_faces(given: Case) -> Case:
    die = _NARRATIVE.type(given["die"])
    return {"sides": len(die.faces), "faces": sorted(sorted(face) for face in die.faces)}


def _wild_roll(given: Case) -> Case:
    code = re.fullmatch(r"(\d+)D(?:\+(\d+))?", given["code"])
    assert code is not None
    roll = wild_roll(given["faces"], given["wild"], int(code[2] or 0))
    return {"total": roll.total, "rerolls": roll.rerolls, "complication": roll.complication}


MECHANICS: dict[str, Callable[[Case], Case]] = {
    "net_result": _net_result,
    "die_faces": _die_faces,
    "wild_roll": _wild_roll,
}
"""The mechanics that the rules have. A case of any other mechanic fails, but for those in ``PLANNED``."""


def normal(expected: Case) -> Case:
    """Return the expectation with the faces of a die in no particular order."""
    if "faces" in expected:
        return expected | {"faces": sorted(sorted(face) for face in expected["faces"])}
    return expected
