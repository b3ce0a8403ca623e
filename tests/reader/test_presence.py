from __future__ import annotations

import numpy as np
import pytest

from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.presence import Cues, Presence, cues_of
from tests.fakes.found import found

PLAIN = Presence(bias=0.0, nothing=-1.0, unlike=-1.0)


def find(x: float, radius: float = 20.0, *, score: float = 0.9, nothing: float = 0.01) -> Candidate:
    box = ((x - radius, 50 - radius), (x + radius, 50 - radius), (x + radius, 50 + radius), (x - radius, 50 + radius))
    seen = found((x, 50.0), radius=radius, top_radius=radius, score=score, outline=box)
    return Candidate(seen, View((x, 50.0), radius), (("pip", ("1",), 0.9),), nothing)


def test_opposite_words_of_equal_weight_leave_it_open() -> None:
    assert PLAIN(Cues(nothing=0.1, unlike=np.log(9))) == pytest.approx(0.5)
    assert PLAIN(Cues(nothing=0.1)) == pytest.approx(0.9)


def test_size_is_compared_with_the_clear_dice_but_not_with_itself() -> None:
    dice = [find(50), find(120), find(200, 22), find(300, 40, score=0.5), find(350, 9, nothing=0.6)]
    cues = cues_of(dice)
    assert cues[0].unlike == pytest.approx(np.log(21 / 20))  # of 20 and 22
    assert cues[3].unlike == pytest.approx(np.log(2))
    assert cues[4].unlike == pytest.approx(np.log(20 / 9))


def test_no_find_is_more_unlike_than_there_is_sense_in() -> None:
    assert cues_of([find(50, 40), find(150, 40), find(300, 2)])[2].unlike == 1.0


def test_no_finds_have_no_cues() -> None:
    assert cues_of([]) == []


def test_that_the_edge_cuts_a_thing_makes_it_no_likelier_a_die() -> None:
    whole, cut = cues_of([find(50), find(15)])
    assert whole == cut
