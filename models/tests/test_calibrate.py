"""Limits are shares of dice: what is found on a die besides the die is no die that could be lost."""

from __future__ import annotations

from unittest.mock import Mock, sentinel

import pytest

pytest.importorskip("sklearn", reason="only needed to calibrate: pip install -e '.[drawing]'")

from models.calibrate import FLAT_ASKED, MOST_SILENT, Assessed, lean_limits, noticed, presence, threshold_of
from models.labelled import Labelled
from tableside.dice import Die
from tableside.reader.presence import Cues


def die_at(x: float, *, cocked: bool = False) -> Labelled:
    outline = ((x, 0.0), (x + 9, 0.0), (x + 9, 9.0))
    return Labelled(die=Die(type="pip", face=("5",)), cocked=cocked, whole=True, outline=outline)


def found(nothing: float, on: Labelled | None) -> Assessed:
    return Mock(), on, Cues(nothing=nothing)


def scene() -> list[Assessed]:
    dice = [found(0.01 + 0.0003 * i, die_at(10.0 * i)) for i in range(900)]
    return [*dice, *(found(0.6 + 0.0004 * i, None) for i in range(900))]


def test_a_mark_that_was_found_on_a_die_loses_none() -> None:
    weights, limit = presence(scene())
    with_marks = [*scene(), *(found(0.97, die_at(10.0 * i)) for i in range(0, 900, 30))]
    assert presence(with_marks) == (weights, limit)
    assert limit > 0.5


def test_a_die_of_which_only_a_mark_was_found_counts() -> None:
    lost = [*scene(), *(found(0.97, die_at(-10.0 * i)) for i in range(1, 30))]
    assert presence(lost)[1] < 0.2


def test_the_threshold_is_the_least_that_keeps_the_rule() -> None:
    rolls = [(0.99 - 0.0001 * i, 0.0) for i in range(1000)]
    assert threshold_of(rolls, 1000) == (0.8901, 1.0)
    most = int(MOST_SILENT * 1000)
    wrong = [(0.95, 1.0)] * most
    assert threshold_of([*rolls, *wrong], 1000 + most)[0] == 0.8901
    assert threshold_of([*rolls, *wrong, (0.93, 1.0)], 1001 + most)[0] == pytest.approx(0.9301)


def leaning(by: float, *, cocked: bool, face: str = "5", side_first: bool = False, is_likely: bool = True) -> Assessed:
    candidate = Mock(leaning=by, side_first=side_first, is_likely=is_likely, ranked=(("pip", (face,), 0.9),))
    return candidate, die_at(0.0, cocked=cocked), sentinel.cues


def test_the_limit_of_leaning_is_a_share_of_the_flat_dice_that_are_read_rightly() -> None:
    count = 2000
    flat = [leaning(i / count, cocked=False) for i in range(count)]
    others = [
        leaning(9.0, cocked=True), leaning(9.0, cocked=False, face="4"), leaning(9.0, cocked=False, is_likely=False),
        leaning(9.0, cocked=False, side_first=True), (Mock(leaning=9.0), None, sentinel.cues),
    ]  # fmt: skip
    limits = lean_limits([*flat, *others * 50])
    assert limits["perhaps_leaning"] == pytest.approx(1 - FLAT_ASKED, abs=2 / count)
    assert limits["leaning"] > limits["perhaps_leaning"]


def test_a_die_that_leans_is_noticed_by_its_lean_or_by_a_side_seen_first() -> None:
    finds = [
        leaning(0.9, cocked=True), leaning(0.1, cocked=True), leaning(0.1, cocked=True, side_first=True),
        leaning(0.4, cocked=True), leaning(0.9, cocked=False), leaning(0.1, cocked=True, is_likely=False),
    ]  # fmt: skip
    assert noticed(finds, 0.5) == 0.5
    assert noticed([], 0.5) == 0.0
