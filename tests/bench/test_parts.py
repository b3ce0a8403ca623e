"""Each rule of the reader can be left out, and what one is worth is told."""

from __future__ import annotations

import json

import pytest

from tools.bench import scores
from tools.bench.__main__ import main
from tools.bench.parts import PARTS

BACKLIT = str(scores.OWN / "backlit")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_there_to_be_left_out(part: str) -> None:
    with PARTS[part]():
        pass


def test_what_a_part_is_worth_is_told_by_how_much_less_is_read_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parts", "--folder", BACKLIT, "percentile", "--part", "votes", "--part", "glare", "--json"]) == 0
    whole, votes, glare = map(json.loads, capsys.readouterr().out.splitlines())
    assert whole[BACKLIT]["of"] == 12
    assert votes[BACKLIT]["right"] <= 0
    assert glare == {"without": "glare"}


def test_a_part_that_there_is_not_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parts", "--part", "voting"]) == 2
    assert "no part voting" in capsys.readouterr().err
