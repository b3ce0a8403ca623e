"""The test card, drawn as a camera sees it: its scale, its focus, and the dice that are printed on it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tableside import paths
from tableside.dice import DieReading, Doubt, Reading, Status, find_sets
from tableside.reader.reader import Reader
from tableside.tray.card import DICE, LEAST_PX_PER_MM, CardReport, find_card, report_of, without_card
from tableside.tray.prints import card_svg
from tableside.tray.region import find_marks
from tests.fakes.card import printed, seen

SETS = find_sets(["narrative", "pips"])
GOOD = seen()
CARD = find_card(GOOD)
assert CARD is not None


def as_printed() -> Reading:
    """Return the reading of a picture in which every die of the card is read."""
    dice = [
        DieReading(type=d.type, face=d.face, center=CARD.place(d.at_mm), outline=(), confidence=1, status=Status.SURE)
        for d in DICE
    ]
    return Reading(width=1280, height=960, dice=tuple(dice))


def report(reading: Reading, *, sets: tuple[str, ...] = ("narrative", "pips")) -> CardReport:
    assert CARD is not None
    return report_of(CARD, GOOD, reading, find_sets(sets))


@pytest.mark.parametrize(
    ("px_per_mm", "tilt", "turn"), [(3.4, 0, 0), (2.6, 20, 30), (2.0, -15, 180)], ids=["above", "aslant", "far"]
)
def test_the_marks_tell_scale_and_places(px_per_mm: float, tilt: float, turn: float) -> None:
    card = find_card(seen(px_per_mm=px_per_mm, tilt=tilt, turn=turn))
    assert card.px_per_mm == pytest.approx(px_per_mm, rel=0.05)
    assert card.place((148.5, 105)) == pytest.approx((640, 480), abs=2)


def test_the_card_is_no_tray_and_what_has_no_marks_is_no_card() -> None:
    assert find_marks(GOOD) is None
    assert find_card(GOOD[:, :640]) is None


def test_the_networks_read_the_printed_dice() -> None:
    reader = Reader(SETS, models_folder=paths.models_folder())
    for picture, least in ((GOOD, 7), (seen(px_per_mm=2.4, tilt=8, turn=-12, light=0.6, seed=1), 6)):
        card = find_card(picture)
        assert card is not None
        found = report_of(card, picture, reader.read(picture), SETS)
        assert found.read >= least, found
        assert found.is_sharp


def test_what_is_good_needs_no_advice() -> None:
    found = report(as_printed())
    assert (found.read, len(found.dice), found.advice, found.light, found.is_sharp) == (8, 8, (), "", True)
    assert found.die_px == pytest.approx(16 * 3.4, rel=0.02)


def told(**how: float) -> tuple[str, ...]:
    picture = seen(**how)
    card = find_card(picture)
    dice = [replace(die, center=card.place(p.at_mm)) for die, p in zip(as_printed().dice, DICE, strict=True)]
    found = report_of(card, picture, replace(as_printed(), dice=tuple(dice)), SETS)
    return (*found.advice, *([found.light] if found.light else []))


def test_a_camera_that_is_too_far_is_told_how_near_it_must_come() -> None:
    (words,) = told(px_per_mm=0.75 * LEAST_PX_PER_MM)
    assert "to 75 % of its height" in words


def test_a_card_out_of_focus_and_one_in_the_dark_are_told() -> None:
    assert told(blur=2.2) == ("The card is out of focus: turn the lens until the bar stops rising.",)
    assert told(light=0.2) == ("Too dark: add light.",)
    assert told(light=2.0) == ("Too bright: turn the lamp away or spread its light.",)


@pytest.mark.parametrize(
    ("change", "is_read", "doubt"),
    [
        ({"status": Status.UNSURE, "doubt": Doubt.GLARE}, False, Doubt.GLARE),
        ({"face": ("6",)}, False, None),
        ({"center": (5.0, 5.0)}, False, None),
        ({"type": "wild"}, True, None),
        ({"status": Status.UNSURE, "doubt": Doubt.COLOUR}, True, None),
    ],
    ids=["unsure", "another face", "elsewhere", "as the Wild Die", "perhaps the Wild Die"],
)
def test_a_die_is_read_or_it_is_said_which_and_why(change: dict[str, object], is_read: bool, doubt: str | None) -> None:
    reading = as_printed()
    first = replace(reading.dice[0], **change)
    found = report(replace(reading, dice=(first, *reading.dice[1:])))
    assert (found.dice[0].is_read, found.dice[0].doubt) == (is_read, doubt)
    assert bool(found.advice) is not is_read
    assert ("mirrored" in " ".join(found.advice)) is (doubt is Doubt.GLARE)


def test_dice_that_this_table_does_not_read_do_not_count() -> None:
    found = report(as_printed(), sets=("pips",))
    assert (found.read, len(found.dice), found.advice) == (2, 2, ())


def test_the_card_is_no_roll() -> None:
    reading = as_printed()
    assert without_card(reading, GOOD).dice == ()
    assert without_card(reading, GOOD[:, :640]) is reading
    two = replace(reading, dice=reading.dice[:2])  # nobody looks for marks in such a roll
    assert without_card(two, GOOD) is two


def test_the_file_to_print_has_its_true_size_and_what_the_camera_was_shown() -> None:
    svg = card_svg("Print at 100 % & in colour")
    assert 'width="297mm" height="210mm" viewBox="0 0 297 210"' in svg
    assert "100 % &amp; in colour" in svg
    colours = set(re.findall(r'fill="(#\w{6})"', svg))
    assert {"#f4f1e8", "#2f9e44", "#000000"} <= colours
    assert printed().shape == (1680, 2376, 3)
