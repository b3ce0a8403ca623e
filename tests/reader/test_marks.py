"""Which of finds that lie on one another are dice, by the shipped weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tableside import paths
from tableside.dice import Face
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.locate import Found
from tableside.reader.marks import MarkModel, without_marks
from tableside.reader.network import Network

SHIPPED = MarkModel(**Network(paths.models_folder(), "classifier").card["nesting"])

SIDE = 480.0


def find(
    face: Face, likeliest: float, *, score: float, radius: float, x: float = 0.0, nothing: float = 0.0
) -> Candidate:
    found = Found(
        score=score,
        middle=(x, 0.0),
        radius=radius,
        outline=(),
        top=(x, 0.0),
        top_radius=radius,
        types=np.zeros(1, np.float32),
        whole=np.zeros(2, np.float32),
        comfort=score,
        lift=(x, 0.0),
    )
    return Candidate(found, View((x, 0.0), radius), (("pip", face, likeliest),), nothing)


DIE = find(("5",), 0.97, score=0.8, radius=160.0, nothing=0.001)
TRAY = find(("6",), 0.5, score=0.8, radius=160.0, nothing=0.03)
PIPS = [find((), 0.98, score=0.85, radius=26.0, x=x) for x in (-90.0, 0.0, 90.0)]
DICE = [find(face, 0.99, score=0.9, radius=26.0, x=x) for face, x in ((("2",), -90.0), (("6",), 0.0), (("4",), 90.0))]


def test_pips_that_pass_for_blank_dice_are_the_die_s_marks() -> None:
    assert [v.found for v in without_marks([*PIPS, DIE], SHIPPED, SIDE)] == [DIE.found]


def test_dice_on_a_tray_that_passes_for_a_die_are_dice() -> None:
    assert [v.found for v in without_marks([*DICE, TRAY], SHIPPED, SIDE)] == [v.found for v in DICE]


def test_what_is_too_large_for_a_whole_die_is_a_tray() -> None:
    assert [v.found for v in without_marks([*PIPS, DIE], SHIPPED, 300.0)] == [v.found for v in PIPS]


def test_what_is_hard_to_tell_is_no_certainty() -> None:
    doubtful = MarkModel(bias=0.5, score=0.0, nothing=0.0, marked=0.0, plain=0.0, together=0.0)
    (kept,) = without_marks([PIPS[0], DIE], doubtful, SIDE)
    assert (kept.found, kept.upper) == (DIE.found, pytest.approx(0.622, abs=0.001))


@pytest.mark.parametrize(("likeliest", "kept"), [(0.97, False), (0.3, True)])
def test_without_weights_the_most_evident_find_stays(likeliest: float, kept: bool) -> None:
    large = find(("5",), likeliest, score=0.95, radius=160.0)
    assert [v.found for v in without_marks([DICE[0], large], None, SIDE)] == [DICE[0].found if kept else large.found]


def test_finds_apart_are_as_they_are() -> None:
    apart = [DIE, replace(PIPS[0], found=replace(PIPS[0].found, middle=(400.0, 0.0)))]
    assert without_marks(apart, SHIPPED, SIDE) == apart
