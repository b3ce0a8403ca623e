"""What the cases of all games share.

A case is one line of a game's ``cases.json``: a mechanic with its input, what is expected, and where the text says it.
``reading`` tells how an unclear point of the text is read; such a case holds what we chose.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tableside.rules.turns import TurnOrder

Case: TypeAlias = dict[str, Any]
Play: TypeAlias = Callable[[Case], Case]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Somebody in an order of turns."""

    name: str
    rank: tuple[int, ...] = ()
    is_player: bool = False


def names_of(order: TurnOrder, slots: Iterable[Waiting], **more: Any) -> list[str]:
    """Return who acts in a segment, in order."""
    return [slot.name for slot in order.turns(tuple(slots), **more)]


def of_cases(test_file: str) -> pytest.MarkDecorator:
    """Run a test with each case of ``cases.json`` beside its file."""
    cases = json.loads(Path(test_file).with_name("cases.json").read_text(encoding="utf-8"))
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])


def difference(case: Case, mechanics: Mapping[str, Play]) -> str:
    """Return what our rules say otherwise than a case, ``""`` where they agree. Only what it expects is compared."""
    mechanic, expected = case["mechanic"], case["expected"]
    assert mechanic in mechanics, f"{case['id']}: unknown mechanic {mechanic!r}"
    ours = mechanics[mechanic](copy.deepcopy(case["input"]))
    if missing := expected.keys() - ours.keys():
        return f"{case['id']}: nothing is worked out for {sorted(missing)}"
    same = all(_normal(key, ours[key]) == _normal(key, value) for key, value in expected.items())
    return "" if same else f"{case['id']}: ours is {ours}, expected {expected}"


def _normal(key: str, value: Any) -> Any:
    """Return a face's symbols, or those of each face of a die, in no particular order."""
    if key == "symbols":
        return sorted(value)
    if key == "faces":
        return [sorted(face) for face in value]
    return value
