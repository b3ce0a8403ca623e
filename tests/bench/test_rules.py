"""The bench of the rules: odds against icepool's, and every game's scoring."""

from __future__ import annotations

import json

import pytest

from tableside.rules import game_names
from tools.bench.__main__ import main

Told = pytest.CaptureFixture[str]


@pytest.mark.slow
def test_odds_are_far_cheaper_than_by_icepool_and_every_game_is_scored(
    capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("icepool", reason="icepool is not installed; it is in the dev extra")
    monkeypatch.setattr("tools.bench.rules.RUNS", 2)
    assert main(["rules", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["joint_14_to_icepool"] <= 1 / 50
    assert record["joint_24_to_14"] <= 12
    assert set(record["score_12_ms"]) <= set(game_names())


def test_without_icepool_there_is_nothing_to_measure_against(capsys: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.bench.rules.find_spec", lambda _: None)
    assert main(["rules"]) == 2
    assert "icepool is not installed. Install the dev extra" in capsys.readouterr().err
