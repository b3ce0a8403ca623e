"""Photographs are read, and dice taught from some, no worse than ``models/scores.json`` says.

A clone alone reads a dozen of each set. Of a long row every third roll is read; ``python -m tools.bench scores`` reads
the whole row."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.conftest import SHARED
from tools.bench import scores
from tools.bench.__main__ import main

OWN = scores.rows(None)
ALL = scores.rows(SHARED)
OTHERS = sorted(name for name in ALL if name not in OWN and name + scores.THIRD not in ALL)


@pytest.mark.parametrize(
    "name",
    [*OWN, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)],
)
def test_no_row_is_worse_than_its_file_says(name: str, request: pytest.FixtureRequest) -> None:
    if name in OTHERS:
        request.getfixturevalue("shared")
    before, now = scores.kept_rows()[name], ALL[name]()
    assert not now.is_worse(before), f"{now}, before {before}: python -m tools.bench scores --write, and say why"


def test_the_file_has_these_rows_and_no_others() -> None:
    assert scores.kept_rows().keys() == ALL.keys()


def test_a_row_that_is_worse_fails_until_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = scores.Row(of=12, right=12, silent=0, answered=10)
    better = scores.Row(of=12, right=12, silent=0, answered=13)
    monkeypatch.setattr(scores, "rows", lambda _: {"tower": lambda: row})
    monkeypatch.setattr(scores, "FILE", tmp_path / "scores.json")
    scores.FILE.write_bytes(msgspec.json.encode({"tower": better}))
    once = ("scores", "--row", "tower")
    assert main(once) == 1
    assert "worse than models/scores.json: tower" in capsys.readouterr().err
    assert main((*once, "--write")) == 0
    assert scores.kept_rows() == {"tower": row}
    assert main(once) == 0


def test_the_photographs_come_with_their_licences_and_weigh_little() -> None:
    told = (scores.OWN / "README.md").read_text(encoding="utf-8")
    folders = [folder for folder in scores.OWN.iterdir() if folder.is_dir()]
    assert [folder.name for folder in folders if f"| `{folder.name}` |" not in told] == []
    assert sum(path.stat().st_size for path in scores.OWN.rglob("*.*")) < 4_000_000
