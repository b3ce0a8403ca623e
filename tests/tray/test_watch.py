"""From frames to rolls: one roll for one throw, and none invented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tableside.dice import Reading, Status
from tableside.reader.focus import is_out_of_focus
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.health import Fault
from tableside.tray.settle import SettleRules
from tableside.tray.watch import Event, Watch
from tests.fakes.tray import DrawnReader, draw_tray

Dice = Sequence[tuple[str, int, int]]
ONE: Dice = [("green", 100, 100)]
TWO: Dice = [("green", 100, 100), ("yellow", 200, 150)]
OTHER: Dice = [("purple", 220, 80)]


def lying(dice: Dice, frames: int = 15) -> list[Dice]:
    return [dice] * frames


def flying(dice: Dice) -> list[Dice]:
    return [[(colour, x - 6 * n, y + 4 * n) for colour, x, y in dice] for n in range(6, 0, -1)]


class Noting(DrawnReader):
    """Notes of which frames it read the pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.frame = 0
        self.read_at: list[int] = []

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        self.read_at.append(self.frame)
        return super().read(picture, decode_ms)


def events(*parts: list[Dice], reader: Noting | None = None, rules: SettleRules | None = None) -> list[Event]:
    reader = reader or Noting()
    watched = Watch(reader, rules)
    found: list[Event] = []
    for number, dice in enumerate(dice for part in parts for dice in part):
        reader.frame = number
        found += watched.see(Frame.of(draw_tray(*dice), number=number, time=number / 30))
    return found


def words(*parts: list[Dice]) -> list[str]:
    return [event.happening.value for event in events(*parts)]


class Blurred(DrawnReader):
    """Says whether what it reads is out of focus."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        found = super().read(picture, decode_ms)
        return replace(found, is_blurred=is_out_of_focus(picture, [die.outline for die in found.dice]))


def seen_through(*parts: tuple[Dice, float, int]) -> list[str]:
    """Return what is told of dice that lie there in so many pictures, seen through a lens that blurs by so many px."""
    watched, number, told = Watch(Blurred()), 0, list[str]()
    for dice, blur, count in parts:
        picture = draw_tray(*dice)
        picture = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
        for _ in range(count):
            found = watched.see(Frame.of(picture, number=number, time=number / 30))
            told += [event.fault or event.happening.value for event in found]
            number += 1
    return told


def test_a_lens_that_was_out_of_focus_from_the_first_is_told_until_it_is_turned() -> None:
    told = seen_through((ONE, 1.6, 60), (ONE, 0, 90))
    assert [word for word in told if word != "moving"] == ["settled", "roll", Fault.BLURRED, "settled", "healed"]


def test_a_bare_tray_without_sharp_edges_is_in_focus_where_dice_were() -> None:
    assert Fault.BLURRED in seen_through((ONE, 1.6, 60))
    soft = [("green", 100, 100)]  # dice that were sharp; then only a soft shadow
    assert Fault.BLURRED not in seen_through((ONE, 0, 30), ([], 0, 20), (soft, 9.0, 60))


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


KEY: Dice = [("doubtful", 200, 150)]


def rolls(*parts: list[Dice], rules: SettleRules | None = None) -> list[list[str]]:
    found = events(*parts, rules=rules)
    return [[die.type for die in event.reading.dice] for event in found if event.happening.value == "roll"]


def test_what_is_no_die_for_certain_and_lay_there_first_is_no_roll() -> None:
    assert rolls(lying(KEY), lying(KEY)) == []
    assert rolls(lying(KEY), [[*dice, *KEY] for dice in flying(OTHER)], lying([*OTHER, *KEY])) == [["difficulty"]]


def test_a_throw_that_was_seen_is_a_question_however_doubtful_it_is_and_though_nothing_rested_before() -> None:
    assert rolls(flying(KEY), lying(KEY)) == [["boost"]]
    assert rolls(lying([]), flying(KEY), lying(KEY)) == [["boost"]]


def test_what_lies_in_an_outlined_tray_from_the_first_is_a_question() -> None:
    outlined = SettleRules(corners=((0.05, 0.05), (0.95, 0.05), (0.95, 0.95), (0.05, 0.95)))
    assert rolls(lying(KEY), rules=outlined) == [["boost"]]


def test_dice_that_lie_there_from_the_first_are_a_roll_with_all_that_is_doubtful_among_them() -> None:
    assert rolls(lying(DOUBTFUL)) == [["ability", "boost"]]


def test_the_table_seen_anew_when_the_dice_are_gone_is_no_throw() -> None:
    """A reader that takes something of the table for a die now and then."""

    class Wavering(Noting):
        def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
            found = super().read(picture, decode_ms)
            sees_it = not any(die.status is Status.SURE for die in found.dice)
            return found if sees_it else replace(found, dice=tuple(d for d in found.dice if d.status is Status.SURE))

    found = events(lying([*ONE, *KEY]), lying(KEY), flying([]), lying(KEY), reader=Wavering())
    assert [event.happening.value for event in found if event.reading] == ["roll", "cleared"]


DOUBTFUL: Dice = [("green", 100, 100), ("doubtful", 200, 150)]


@pytest.mark.parametrize("dice", [TWO, DOUBTFUL], ids=["sure", "in doubt"])
def test_dice_are_read_once_while_they_settle_and_told_when_they_have(dice: Dice) -> None:
    reader = Noting()
    found = events(lying([]), flying(dice), lying(dice, 30), reader=reader)
    settled, roll = [event for event in found if event.happening.value in ("settled", "roll")][-2:]
    assert roll.frame is settled.frame  # nobody waits for a reading after the dwell
    assert len(roll.reading.dice) == 2
    since = settled.since or 0
    after_flight = [number for number in reader.read_at if number >= since]
    assert len(after_flight) == 1
    assert all(since + 2 <= number < settled.frame.number for number in after_flight)


def test_what_was_read_ahead_is_forgotten_when_something_moves_before_the_end_of_the_dwell() -> None:
    reader = Noting()
    found = events(lying([]), flying(ONE), lying(ONE, 7), lying(OTHER, 30), reader=reader)
    rolls = [event for event in found if event.reading is not None]
    assert [[die.type for die in event.reading.dice] for event in rolls if event.reading] == [["difficulty"]]
    assert any(21 < number < 28 for number in reader.read_at)  # it was read ahead, of dice that lay for a moment


def test_what_lies_beside_a_still_hand_is_read_after_a_second_and_told_once() -> None:
    reader = Noting()
    watched = Watch(reader)
    beside = draw_tray(*ONE)
    cv2.rectangle(beside, (95, 116), (140, 240), (120, 150, 220), -1)
    told: list[str] = []
    for number, picture in enumerate([draw_tray()] * 15 + [beside] * 90 + [draw_tray(*ONE)] * 15):
        reader.frame = number
        told += [event.happening.value for event in watched.see(Frame.of(picture, number=number, time=number / 30))]
    assert not any(18 <= number < 45 for number in reader.read_at)
    assert told == ["settled", "hand", "settled", "roll", "moving", "settled"]


def test_a_die_under_a_hand_that_rests_lies_there_still_when_another_came_beside_it() -> None:
    def shown(depth: int, *dice: tuple[str, int, int]) -> Picture:
        picture = draw_tray(*dice)
        cv2.rectangle(picture, (175, 0), (225, depth), (120, 150, 220), -1)
        return picture

    came: Dice = [*TWO, ("purple", 255, 185)]
    comes = [shown(20 * n, *TWO) for n in range(10)]
    rests = [shown(180, *came)] * 60
    goes = {
        False: [shown(180 - 20 * n, *came) for n in range(10)],
        True: [shown(180 - 20 * n, *came[::2]) for n in range(10)],
    }
    for is_taken, after in ((False, came), (True, came[::2])):
        watched, told = Watch(DrawnReader()), list[tuple[str, int]]()
        pictures = [*[draw_tray(*TWO)] * 15, *comes, *rests, *goes[is_taken], *[draw_tray(*after)] * 20]
        for number, picture in enumerate(pictures):
            for event in watched.see(Frame.of(picture, number=number, time=number / 30)):
                told += [(event.happening.value, len(event.reading.dice))] if event.reading else []
        assert told == [("roll", 2), ("changed", 3)]


def test_a_sharper_frame_late_in_the_dwell_is_read_instead() -> None:
    seen: list[Picture] = []

    class Seeing(DrawnReader):
        def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
            seen.append(picture)
            return super().read(picture)

    watched = Watch(Seeing())
    soft = draw_tray(*TWO)
    sharp = soft.copy()
    rows, columns = np.indices(sharp.shape[:2]) // 2
    sharp[(rows + columns) % 2 == 0] -= 3  # a weave that shows once the lens has focused, too faint to be a motion
    frames = [draw_tray()] * 15 + [soft] * 7 + [sharp] * 10
    found: list[Event] = []
    for number, picture in enumerate(frames):
        found += watched.see(Frame.of(picture.copy(), number=number, time=number / 30))
    roll = next(event for event in found if event.happening.value == "roll")
    assert np.array_equal(roll.picture.picture, sharp)
    assert np.array_equal(seen[-1], sharp)
