"""Run every case of the reference rules: ``pytest tests/rules --examples FOLDER``."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.conftest import SHARED
from tests.rules.case import Case
from tests.rules.cases import MECHANICS, game_of
from tests.rules.conftest import UNCERTAIN


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" not in metafunc.fixturenames:
        return
    folder = metafunc.config.getoption("--examples") or SHARED / "rules" / "examples"
    cases = [
        pytest.param(case, game_of(case, path.stem), id=f"{path.stem}/{case['id']}")
        for path in sorted(folder.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]
    if metafunc.config.getoption("--examples") and not cases:
        raise pytest.UsageError(f"{folder}: no cases (*.json) are there")
    if not cases:
        reason = "the reference folder ../shared is not beside this checkout"
        cases = [pytest.param({}, "", marks=pytest.mark.skip(reason=reason))]
    metafunc.parametrize(("case", "game"), cases)


def test_a_case_of_the_rules_comes_out_as_written(case: Case, game: str) -> None:
    mechanic = case["mechanic"]
    assert mechanic in MECHANICS.get(game, {}), f"{case['id']}: unknown mechanic {mechanic!r} of game {game!r}"
    ours = MECHANICS[game][mechanic](copy.deepcopy(case["input"]))
    expected = case["expected"]
    missing = expected.keys() - ours.keys()
    agrees = not missing and {key: _normal(key, ours[key]) for key in expected} == {
        key: _normal(key, value) for key, value in expected.items()
    }
    if case.get("uncertain"):
        pytest.skip(f"{game}: {case['id']} {UNCERTAIN}{'agrees' if agrees else 'differs'}")
    assert not missing, f"{case['id']}: nothing is worked out for {sorted(missing)}"
    assert agrees, f"{case['id']}: ours is {ours}, expected {expected}"


def _normal(key: str, value: Any) -> Any:
    """Return a face's symbols, or those of each face of a die, in no particular order."""
    if key == "symbols":
        return sorted(value)
    if key == "faces":
        return [sorted(face) for face in value]
    return value
