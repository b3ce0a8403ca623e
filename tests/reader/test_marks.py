"""Which of finds that lie on one another are dice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tableside.dice import Face
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.detection import Detection
from tableside.reader.marks import weigh_marks
from tests.fakes.found import found


def find(
    face: Face, likeliest: float, *, score: float, radius: float, x: float = 0.0, nothing: float = 0.0
) -> Candidate:
    seen = found((x, 0.0), radius=radius, top_radius=radius, score=score, outline=())
    return Candidate(seen, View((x, 0.0), radius), (("pip", face, likeliest),), nothing)


DIE = find(("5",), 0.97, score=0.8, radius=160.0, nothing=0.001)
TRAY = find(("6",), 0.5, score=0.8, radius=160.0, nothing=0.03)
PIPS = [find((), 0.98, score=0.85, radius=26.0, x=x, nothing=0.45) for x in (-90.0, 0.0, 90.0)]
DICE = [find(face, 0.99, score=0.9, radius=26.0, x=x) for face, x in ((("2",), -90.0), (("6",), 0.0), (("4",), 90.0))]


def kept(*candidates: Candidate) -> list[Detection]:
    return [v.found for v in weigh_marks(candidates) if v.upper >= 0.5]


def test_pips_that_pass_for_blank_dice_are_the_die_s_marks() -> None:
    assert kept(*PIPS, DIE) == [DIE.found]


def test_dice_on_a_tray_that_passes_for_a_die_are_dice() -> None:
    assert kept(*DICE, TRAY) == [v.found for v in DICE]


@pytest.mark.parametrize(("nothing", "told"), [(0.05, 0.5), (0.4, 0.073), (0.01, 0.839), (0.6, 0.0)])
def test_what_is_hard_to_tell_is_no_certainty(nothing: float, told: float) -> None:
    rival = find(("2",), 0.97, score=0.95, radius=26.0, nothing=0.05)
    small, large = weigh_marks([rival, find(("5",), 0.97, score=0.95, radius=160.0, nothing=nothing)])
    assert large.upper == pytest.approx(told, abs=0.001)
    assert small.upper + large.upper == pytest.approx(1.0)


def test_several_dice_on_a_tray_tell_more_than_one() -> None:
    one, several = (weigh_marks([*dice, TRAY])[-1].upper for dice in (DICE[:1], DICE))
    assert several < one < 0.5


def test_specks_that_are_hardly_dice_say_nothing_against_the_die_and_are_its_marks() -> None:
    specks = [replace(pip, nothing=0.6) for pip in PIPS]
    die = replace(DIE, found=replace(DIE.found, score=0.5), nothing=0.05)
    assert [v.upper for v in weigh_marks([*specks, die])] == [0.0, 0.0, 0.0, 1.0]


def test_finds_apart_are_as_they_are() -> None:
    apart = [DIE, replace(PIPS[0], found=replace(PIPS[0].found, middle=(400.0, 0.0)))]
    assert weigh_marks(apart) == apart
