"""Dice that a hand lays while a roll is called are told from dice that are thrown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import pytest

from tableside.dice import Reading, Status, Suspect
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.health import Fault
from tableside.tray.meaning import NOTHING_WANTED, Wanted
from tableside.tray.watch import Watch
from tests.fakes.tray import DrawnReader, draw_tray

Die = tuple[str, int, int]
GREEN: Die = ("green", 80, 120)
YELLOW: Die = ("yellow", 220, 150)
PURPLE: Die = ("purple", 240, 60)


def tray(*dice: Die, hand: tuple[int, int] | None = None) -> Picture:
    """Draw a tray, with a hand that reaches in from above to (x, y)."""
    picture = draw_tray(*dice)
    if hand is not None and hand[1] > 0:
        cv2.rectangle(picture, (hand[0] - 35, 0), (hand[0] + 35, hand[1]), (120, 150, 220), -1)
    return picture


def still(*dice: Die) -> list[Picture]:
    return [tray(*dice)] * 15


def lays(die: Die, *lying: Die) -> list[Picture]:
    """A hand brings a die of which a part is seen before its fingers, puts it down, lets go of it and goes."""
    colour, x, y = die
    comes = [tray(*lying, (colour, x, round(y * n / 8)), hand=(x, round(y * n / 8) + 3)) for n in range(1, 9)]
    goes = [tray(*lying, die, hand=(x, round(y * n / 8))) for n in range(7, -1, -1)]
    return [*comes, *[comes[-1]] * 4, *goes, *still(*lying, die)]


def takes(x: int, y: int, before: Sequence[Die], after: Sequence[Die]) -> list[Picture]:
    """A hand takes dice away and goes."""
    comes = [tray(*before, hand=(x, round(y * n / 8))) for n in range(1, 9)]
    return [*comes, *(tray(*after, hand=(x, round(y * n / 8))) for n in range(8, -1, -1)), *still(*after)]


def throws(*dice: Die, x: int = 150, depth: int = 70, lying: Sequence[Die] = ()) -> list[Picture]:
    """Dice roll out of a hand at the edge, which goes when they lie."""
    comes = [tray(*lying, hand=(x, depth * n // 6)) for n in range(1, 7)]
    rolls = []
    for n in range(1, 13):
        left = (1 - n / 12) ** 1.5
        on_the_way = [(c, round(to + (x - to) * left), round(y + (depth - 10 - y) * left)) for c, to, y in dice]
        rolls.append(tray(*lying, *on_the_way, hand=(x, depth)))
    return [*comes, *rolls, *(tray(*lying, *dice, hand=(x, depth * n // 6)) for n in range(5, -1, -1)),
            *still(*lying, *dice)]  # fmt: skip


class Unreading(DrawnReader):
    """What it is not sure of, it takes for no die."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        found = super().read(picture, decode_ms)
        others = [die for die in found.dice if die.status is not Status.SURE]
        things = tuple(Suspect(center=die.center, outline=die.outline, confidence=0.3) for die in others)
        return replace(found, dice=tuple(die for die in found.dice if die.status is Status.SURE), suspects=things)


class Seen:
    """A watched tray while a roll is called, and what came of it."""

    def __init__(self, *, is_called: bool = True, reader: DrawnReader | None = None) -> None:
        self.watch = Watch(reader or DrawnReader())
        self.is_called, self.is_gone = is_called, False
        self.rolls: list[list[str]] = []
        self.number = 0

    @property
    def wanted(self) -> Wanted:
        return Wanted(laid=self.watch.laid, is_gone=self.is_gone) if self.is_called else NOTHING_WANTED

    def see(self, *parts: list[Picture]) -> Seen:
        for picture in (picture for part in parts for picture in part):
            frame = Frame.of(picture, number=self.number, time=self.number / 30)
            for event in self.watch.see(frame, self.wanted):
                if event.reading is not None and event.happening.value != "cleared":
                    self.rolls.append(sorted(die.type for die in event.reading.dice))
            self.number += 1
        return self


def test_dice_that_a_hand_lays_one_after_another_are_counted_and_make_no_roll() -> None:
    seen = Seen().see(still(), lays(GREEN))
    assert (seen.watch.laid, seen.rolls) == ({"ability": 1}, [])
    seen.see(lays(YELLOW, GREEN), lays(PURPLE, GREEN, YELLOW))
    assert (seen.watch.laid, seen.rolls) == ({"ability": 1, "proficiency": 1, "difficulty": 1}, [])


def test_without_a_call_dice_that_are_laid_are_a_roll() -> None:
    seen = Seen(is_called=False).see(still(), lays(GREEN))
    assert (seen.watch.laid, seen.rolls) == ({}, [["ability"]])


def test_dice_that_roll_out_of_a_hand_are_thrown_though_it_stays_until_they_lie() -> None:
    assert Seen().see(still(), throws(GREEN, YELLOW)).rolls == [["ability", "proficiency"]]


def test_a_die_that_comes_to_rest_just_before_the_fingers_is_thrown() -> None:
    assert Seen().see(still(), throws(("green", 150, 102), depth=70)).rolls == [["ability"]]


def test_a_die_that_rolls_after_the_hand_as_it_goes_is_thrown() -> None:
    comes = [tray(hand=(150, 170 * n // 6)) for n in range(1, 7)]
    goes = [tray(("green", 150, max(100, tip + 16)), hand=(150, tip)) for tip in range(160, -10, -10)]
    assert Seen().see(still(), comes, goes, still(("green", 150, 100))).rolls == [["ability"]]


def test_a_hand_that_reaches_over_dice_as_soon_as_they_lie_lays_none() -> None:
    reaches = takes(80, 150, [GREEN], [GREEN])
    assert Seen().see(still(), throws(GREEN)[:-13], reaches).rolls == [["ability"]]


def test_laid_dice_that_are_taken_up_and_thrown_are_a_roll() -> None:
    seen = Seen().see(still(), lays(GREEN), lays(YELLOW, GREEN), takes(150, 170, [GREEN, YELLOW], []))
    assert (seen.watch.laid, seen.rolls) == ({}, [])
    seen.see(throws(("green", 60, 180), YELLOW))
    assert (seen.watch.laid, seen.rolls) == ({}, [["ability", "proficiency"]])


def test_a_laid_die_that_is_taken_away_is_not_counted_any_more() -> None:
    seen = Seen().see(still(), lays(GREEN), lays(YELLOW, GREEN), takes(220, 160, [GREEN, YELLOW], [GREEN]))
    assert (seen.watch.laid, seen.rolls) == ({"ability": 1}, [])


def test_a_die_that_rolls_in_beside_laid_ones_is_a_throw_of_all() -> None:
    seen = Seen().see(still(), lays(GREEN), throws(YELLOW, lying=[GREEN]))
    assert (seen.watch.laid, seen.rolls) == ({}, [["ability", "proficiency"]])


def test_a_hand_that_lays_dice_beside_those_of_a_roll_changes_the_roll() -> None:
    seen = Seen().see(still(), throws(GREEN), lays(YELLOW, GREEN))
    assert (seen.watch.laid, seen.rolls) == ({}, [["ability"], ["ability", "proficiency"]])


def test_laid_dice_stay_so_when_the_call_is_gone_and_what_rolls_in_then_is_a_roll_of_its_own() -> None:
    seen = Seen().see(still(), lays(GREEN))
    seen.is_called = False
    assert seen.see(takes(80, 150, [GREEN], [("green", 90, 126)])).rolls == []
    assert seen.see(lays(YELLOW, ("green", 90, 126))).rolls == [["ability", "proficiency"]]


def test_somebody_says_that_laid_dice_were_the_throw() -> None:
    seen = Seen().see(still(), lays(GREEN))
    event = seen.watch.read_now(Frame.of(tray(GREEN), number=999, time=40.0), seen.wanted)
    assert event.happening.value == "roll"
    assert [die.type for die in event.reading.dice] == ["ability"]
    assert seen.watch.laid == {}


def test_the_dice_of_a_roll_that_was_taken_back_count_as_laid_until_it_is_wanted_again() -> None:
    seen = Seen().see(still(), throws(GREEN))
    seen.is_gone = True
    assert seen.see(still(GREEN)).watch.laid == {"ability": 1}
    seen.is_gone = seen.is_called = False
    assert seen.see(still(GREEN)).watch.laid == {}
    assert seen.rolls == [["ability"]]


THING: Die = ("doubtful", 80, 120)


@pytest.mark.parametrize("is_called", [True, False])
def test_a_thing_that_a_hand_lays_on_an_empty_tray_is_no_roll_and_is_said_until_it_is_gone(is_called: bool) -> None:
    seen = Seen(is_called=is_called, reader=Unreading()).see(still())
    for _ in range(2):
        seen.see(lays(THING), still(THING), still(THING))
        assert (seen.watch.fault, seen.rolls) == (Fault.ASKED, [])
        seen.see(takes(80, 120, [THING], []), still())
        assert (seen.watch.fault, seen.rolls, seen.watch.laid) == (None, [], {})


def test_dice_thrown_beside_a_thing_that_was_laid_are_a_roll_without_it() -> None:
    seen = Seen(is_called=False, reader=Unreading()).see(still(), lays(THING), still(THING))
    assert seen.see(throws(YELLOW, lying=[THING]), still(YELLOW, THING)).rolls == [["proficiency"]]


def test_what_rolls_in_and_cannot_be_read_is_asked_about_until_somebody_says_that_it_is_a_die() -> None:
    seen = Seen(is_called=False, reader=Unreading()).see(still(), throws(THING), still(THING), still(THING))
    assert (seen.watch.fault, seen.rolls) == (Fault.ASKED, [])
    for words in ("roll", "changed"):
        event = seen.watch.read_now(Frame.of(tray(THING), number=999, time=40.0), seen.wanted)
        assert event.happening.value == words
        assert len(event.reading.suspects) == 1
    seen.see(still(THING), still(THING))
    assert (seen.watch.fault, seen.rolls) == (None, [])
    assert seen.see(lays(YELLOW, THING)).rolls == [["proficiency"]]
