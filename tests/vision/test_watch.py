"""From frames to rolls: one roll for one throw, and none invented."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tableside.vision.frame import Frame
from tableside.vision.watch import Event, Watch
from tests.fakes.tray import DrawnReader, draw_tray

Dice = Sequence[tuple[str, int, int]]
ONE: Dice = [("green", 100, 100)]
TWO: Dice = [("green", 100, 100), ("yellow", 200, 150)]
OTHER: Dice = [("purple", 220, 80)]


def lying(dice: Dice, frames: int = 15) -> list[Dice]:
    return [dice] * frames


def flying(dice: Dice) -> list[Dice]:
    return [[(colour, x - 6 * n, y + 4 * n) for colour, x, y in dice] for n in range(6, 0, -1)]


def events(*parts: list[Dice]) -> list[Event]:
    watched = Watch(DrawnReader().read)
    found: list[Event] = []
    for number, dice in enumerate(dice for part in parts for dice in part):
        found += watched.see(Frame.of(draw_tray(*dice), number=number, time=number / 30))
    return found


def words(*parts: list[Dice]) -> list[str]:
    return [event.happening.value for event in events(*parts)]


def test_one_throw_is_one_roll() -> None:
    found = words(lying([]), flying(TWO), lying(TWO, 200))
    assert found == ["settled", "moving", "settled", "roll"]


def test_an_empty_tray_gives_no_roll() -> None:
    assert words(lying([], 60)) == ["settled"]


def test_the_tray_is_cleared_and_thrown_again_for_a_second_roll() -> None:
    found = words(lying([]), flying(ONE), lying(ONE), lying([]), flying(ONE), lying(ONE))
    assert found.count("roll") == 2
    assert found.count("cleared") == 1


def test_a_die_added_changes_the_roll() -> None:
    found = words(lying([]), flying(ONE), lying(ONE), lying(TWO))
    assert (found.count("roll"), found.count("changed")) == (1, 1)


def test_a_shadow_that_passes_leaves_the_roll_as_it_was() -> None:
    found = words(lying([]), lying(ONE), lying([*ONE, ("purple", 250, 200)], 3), lying(ONE))
    assert (found.count("roll"), found.count("changed")) == (1, 0)


def test_a_knocked_die_is_read_again_and_makes_no_new_roll() -> None:
    found = words(lying([]), lying(ONE), lying([("green", 130, 110)]))
    assert (found.count("roll"), found.count("changed")) == (1, 1)


def test_settled_tells_since_when() -> None:
    found = events(lying([]), flying(OTHER), lying(OTHER))
    assert [event.since for event in found if event.happening.value == "settled"] == [0, 21]
    assert [event.frame.time for event in found if event.since == 21] == [pytest.approx(30 / 30)]
