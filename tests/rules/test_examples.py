"""Cases of the rules that lie elsewhere: ``pytest tests/rules --examples FOLDER``. Each game has its own beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.rules.case import Case, difference
from tests.rules.cases import MECHANICS, game_of
from tests.rules.conftest import UNCERTAIN


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = metafunc.config.getoption("--examples")
    if "case" not in metafunc.fixturenames or folder is None:
        return
    cases = [
        pytest.param(case, game_of(case, path.stem), id=f"{path.stem}/{case['id']}")
        for path in sorted(folder.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]
    if not cases:
        raise pytest.UsageError(f"{folder}: no cases (*.json) are there")
    metafunc.parametrize(("case", "game"), cases)


def test_an_example_of_the_rules_comes_out_as_written(case: Case, game: str) -> None:
    assert game in MECHANICS, f"{case['id']}: unknown game {game!r}"
    ours = difference(case, MECHANICS[game])
    if case.get("uncertain"):
        pytest.skip(f"{game}: {case['id']} {UNCERTAIN}{'differs' if ours else 'agrees'}")
    assert not ours


@pytest.mark.slow  # another pytest
def test_examples_of_a_folder_are_run_and_only_the_uncertain_ones_are_let_pass(tmp_path: Path) -> None:
    given = {"mechanic": "damage", "input": {"damage_total": 21, "strength_total": 9}}
    asked = [
        {"id": "right", **given, "expected": {"result": "incapacitated"}},
        {"id": "wrong", **given, "expected": {"result": "killed"}},
        {"id": "doubted", **given, "expected": {"result": "killed"}, "uncertain": "printed badly"},
        {"id": "unknown", **given, "mechanic": "dammage", "expected": {}},
    ]
    (tmp_path / "d6-wild.json").write_text(json.dumps(asked), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "tests/rules/test_examples.py", "--examples", str(tmp_path)]
    told = subprocess.run([*command, "-m", "not slow"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert "2 failed, 1 passed, 1 skipped, 1 deselected" in told
    assert "unknown mechanic 'dammage'" in told
    assert "1 cases, 0 of them as ours" in told
