from __future__ import annotations

import numpy as np
import pytest

from tableside import paths
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.confidence import NoDie
from tableside.reader.locate import Found
from tableside.reader.network import Network
from tableside.reader.presence import Cues, Presence, cues_of

PLAIN = Presence(bias=0.0, score=1.0, nothing=-1.0)
CARD = Network(paths.models_folder(), "classifier").card
SHIPPED, NOTHING = Presence(**CARD["presence"]), NoDie(**CARD["nothing"])


def find(x: float, radius: float = 20.0, *, score: float = 0.9, nothing: float = 0.01) -> Candidate:
    box = ((x - radius, 50 - radius), (x + radius, 50 - radius), (x + radius, 50 + radius), (x - radius, 50 + radius))
    found = Found(
        score=score,
        middle=(x, 50.0),
        radius=radius,
        outline=box,
        top=(x, 50.0),
        top_radius=radius,
        types=np.zeros(3, np.float32),
        whole=np.zeros(4, np.float32),
        comfort=score,
        lift=(x, 50.0),
    )
    return Candidate(found, View((x, 50.0), radius), (("pip", ("1",), 0.9),), nothing, (0.9, 0.9, 0.9))


def test_opposite_words_of_equal_weight_leave_it_open() -> None:
    assert PLAIN(Cues(score=0.9, nothing=0.9)) == pytest.approx(0.5)
    assert PLAIN(Cues(score=0.9, nothing=0.1)) == pytest.approx(81 / 82)  # odds of 9 times 9


@pytest.mark.parametrize(("score", "nothing"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)])
def test_what_networks_are_quite_sure_of_is_a_probability_yet(score: float, nothing: float) -> None:
    assert 0 <= SHIPPED(Cues(score=score, nothing=nothing, unlike=1.0, cut=True)) <= 1


def test_the_shipped_weights_hear_every_look() -> None:
    predictions = [(0.9, 0.01, 0.01), (0.5, 0.01, 0.01), (0.5, 0.3, 0.01), (0.5, 0.3, 0.3)]
    told = [SHIPPED(Cues(score=score, nothing=NOTHING(near, whole, score))) for score, near, whole in predictions]
    assert told == sorted(told, reverse=True)


def test_what_is_as_large_as_the_dice_about_it_is_sooner_a_die() -> None:
    told = [SHIPPED(Cues(score=0.6, nothing=0.5, unlike=u)) for u in (0.0, 0.2, 0.8)]
    assert told == sorted(told, reverse=True)
    assert told[0] > 3 * told[2]  # whatever the bias, which each calibration sets anew


def test_what_lies_alone_is_a_die_less_surely() -> None:
    assert SHIPPED(Cues(score=0.6, nothing=0.2, alone=True)) < SHIPPED(Cues(score=0.6, nothing=0.2))


def test_what_the_edge_cuts_is_faint_for_that_and_yet_a_die() -> None:
    assert SHIPPED(Cues(score=0.5, nothing=0.5, cut=True)) > 0.9
    assert SHIPPED(Cues(score=0.5, nothing=0.5)) < 0.6


def test_size_is_compared_with_the_clear_dice_but_not_with_itself() -> None:
    dice = [find(50), find(120), find(200, 22), find(300, 40, score=0.5), find(350, 9, nothing=0.6)]
    cues = cues_of(dice, 400, 100)
    assert cues[0].unlike == pytest.approx(np.log(21 / 20))  # of 20 and 22
    assert cues[3].unlike == pytest.approx(np.log(2))
    assert cues[4].unlike == pytest.approx(np.log(20 / 9))
    assert not any(c.alone for c in cues)


def test_no_find_is_more_unlike_than_there_is_sense_in() -> None:
    assert cues_of([find(50, 40), find(150, 40), find(300, 2)], 400, 100)[2].unlike == 1.0


def test_one_clear_die_is_alone_and_what_lies_beside_it_is_not() -> None:
    assert [c.alone for c in cues_of([find(50), find(120, score=0.4)], 400, 100)] == [True, False]


@pytest.mark.parametrize(("x", "cut"), [(50.0, False), (20.0, False), (19.5, False), (15.0, True), (385.0, True)])
def test_a_find_that_reaches_beyond_the_picture_is_cut(x: float, cut: bool) -> None:
    assert cues_of([find(x)], 400, 100)[0].cut == cut


def test_no_finds_have_no_cues() -> None:
    assert cues_of([], 400, 100) == []
