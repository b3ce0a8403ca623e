"""Run every case of the reference rules: ``pytest tests/rules --examples FOLDER``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.rules.cases import MECHANICS, normal

PLANNED = frozenset((Path(__file__).parent / "planned.txt").read_text().split())
"""Mechanics that come with the full games; their cases are expected to fail until then."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" not in metafunc.fixturenames:
        return
    folder = metafunc.config.getoption("--examples") or SHARED / "rules" / "examples"
    cases = [
        pytest.param(case, id=f"{path.stem}/{case['id']}")
        for path in sorted(folder.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]
    if metafunc.config.getoption("--examples") and not cases:
        raise pytest.UsageError(f"{folder}: no cases (*.json) are there")
    if not cases:
        reason = "the reference folder ../shared is not beside this checkout"
        cases = [pytest.param({}, marks=pytest.mark.skip(reason=reason))]
    metafunc.parametrize("case", cases)


def test_a_case_of_the_rules_comes_out_as_written(case: dict[str, object], request: pytest.FixtureRequest) -> None:
    mechanic = str(case["mechanic"])
    if case.get("uncertain"):
        pytest.skip(f"marked uncertain: {case['id']}")
    if mechanic in PLANNED:
        pytest.xfail(f"{mechanic} comes with the full games")
    assert mechanic in MECHANICS, f"{case['id']}: unknown mechanic {mechanic!r}"
    ours, expected = MECHANICS[mechanic](case["input"]), normal(case["expected"])  # type: ignore[arg-type]
    shown = {key: expected[key] for key in expected if key in ours}
    assert shown, f"{case['id']}: nothing of {sorted(expected)} is worked out"
    assert {key: ours[key] for key in shown} == shown
