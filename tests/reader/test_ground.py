from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tableside.reader.ground import Ground
from tableside.reader.plane import Posture, leanings

SIZE, RADIUS, HEIGHT = 1280.0, 40.0, 0.886
TILT = (0.2, -0.1)


def thrown(count: int, seed: int, *, tilt: tuple[float, float] = TILT, leaning: bool = False) -> list[Posture]:
    """Return dice that one fixed camera sees; the first leans, if asked for."""
    rng = np.random.default_rng(seed)
    dice = []
    for i in range(count):
        x, y = rng.uniform(300, 900, 2)
        off = np.array(tilt) + 0.2 * (np.array([x, y]) - 600) / (SIZE / 2) + 0.4 * (leaning and not i)
        lift = (x + off[0] * RADIUS * HEIGHT, y + off[1] * RADIUS * HEIGHT)
        dice.append(Posture(middle=(x, y), lift=lift, radius=RADIUS, spread=0.02, leans=0.5, solid="d6"))
    return dice


def seen(rolls: Sequence[Sequence[Posture]]) -> Ground:
    ground = Ground()
    for dice in rolls:
        leanings_at(ground, dice)
    return ground


def leanings_at(ground: Ground, dice: Sequence[Posture]) -> list[float]:
    """Weigh a roll as the reader does, and let the ground learn of it."""
    found = leanings(dice, size=SIZE, before=ground.known(dice, size=SIZE))
    ground.learn(
        flat=[die for die, far in zip(dice, found, strict=True) if far < 0.3],
        leaning=[die for die, far in zip(dice, found, strict=True) if far > 0.6],
    )
    return found


def test_a_die_alone_is_told_to_lean_by_earlier_rolls() -> None:
    ground = seen([thrown(4, 1), thrown(3, 2)])
    assert leanings_at(ground, thrown(1, 3)) == pytest.approx([0], abs=0.3)
    assert leanings_at(ground, thrown(1, 4, leaning=True))[0] > 1.3
    assert leanings_at(Ground(), thrown(1, 4, leaning=True)) == [0]


def test_few_dice_are_no_ground_to_tell_by() -> None:
    assert seen([thrown(2, 1), thrown(1, 2)]).known(thrown(1, 3), size=SIZE) == ()


def test_the_same_dice_read_again_count_once() -> None:
    ground = seen([thrown(3, 1)] * 5)
    assert ground.known([], size=SIZE) == ()


def test_a_ground_of_many_rolls_keeps_the_newest_dice() -> None:
    ground = seen([thrown(4, seed) for seed in range(12)])
    known = ground.known([], size=SIZE)
    assert len(known) == 24
    assert set(thrown(4, 11)) <= set(known)
    assert not set(thrown(4, 0)) & set(known)


def test_dice_that_agree_on_another_tilt_show_that_the_camera_was_moved() -> None:
    ground = seen([thrown(4, 1), thrown(4, 2)])
    moved = leanings_at(ground, thrown(4, 3, tilt=(-0.2, 0.3)))
    assert max(moved) < 0.3
    assert max(leanings_at(ground, thrown(2, 4, tilt=(-0.2, 0.3)))) < 0.3


def test_one_leaning_die_among_others_is_no_moved_camera() -> None:
    ground = seen([thrown(4, 1), thrown(4, 2)])
    found = leanings_at(ground, thrown(4, 3, leaning=True))
    assert found[0] > 1.3
    assert leanings_at(ground, thrown(1, 4, leaning=True))[0] > 1.3


def test_a_die_at_odds_stays_a_question_however_often_it_is_read_and_two_such_rolls_are_another_view() -> None:
    ground = seen([thrown(4, 1), thrown(4, 2)])
    alone = thrown(1, 3, tilt=(-0.4, 0.4))
    assert [leanings_at(ground, alone)[0] > 1.3 for _ in range(4)] == [True] * 4
    leanings_at(ground, thrown(1, 4, tilt=(-0.4, 0.4)))
    assert leanings_at(ground, thrown(1, 5, tilt=(-0.4, 0.4))) == [0]


def test_a_picture_of_another_size_is_of_another_camera() -> None:
    ground = seen([thrown(4, 1), thrown(4, 2)])
    assert ground.known([], size=640.0) == ()
    assert ground.known([], size=SIZE) == ()


def test_a_die_of_unknown_height_tells_nothing() -> None:
    ground = seen([thrown(4, 1), thrown(4, 2)])
    odd = replace(thrown(1, 3)[0], solid="", lift=(0.0, 0.0))
    assert leanings_at(ground, [odd]) == [0]
    assert len(ground.known([], size=SIZE)) == 8
