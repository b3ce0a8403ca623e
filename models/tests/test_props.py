"""What dice lean on in made scenes: what leans touches a wall, a die or a thing, and flat dice lie there, too."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[drawing]'")

from models.render.dice import make
from models.render.props import Props
from models.render.scene import Placed, scene
from models.render.solids import rotation

FLOOR = np.array([[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]])


def laid(seed: int, floor: np.ndarray | None) -> tuple[list[Placed], Props]:
    rng = np.random.default_rng(seed)
    dice = []
    for number in range(8):
        leans = number % 2 == 0
        turn = rotation(np.array([1.0, 0, 0]), 0.5) if leans else np.eye(3)
        centre = np.array([*(3.5 * np.array([number % 4 - 1.5, number // 4 - 0.5])), 1.0])
        dice.append(Placed(make(rng, "pip"), turn, centre, 0, leans))
    props = Props(rng, floor, lambda _: True)
    return props.lay(dice), props


def corners(die: Placed) -> np.ndarray:
    return (die.model.solid.vertices @ die.turn.T * die.model.size + die.centre)[:, :2]


def gap(one: Placed, other: Placed) -> float:
    """Return how far apart two dice are along the line between their middles, cm."""
    way = (other.centre - one.centre)[:2]
    way /= np.linalg.norm(way)
    return float((corners(other) @ way).min() - (corners(one) @ way).max())


def under(die: Placed, outline: np.ndarray) -> bool:
    """Return whether a flat thing reaches under a die."""
    hull = cv2.convexHull(corners(die).astype(np.float32))
    return cv2.intersectConvexConvex(hull, cv2.convexHull(outline.astype(np.float32)))[0] > 0


@pytest.mark.parametrize("floor", [FLOOR, None])
def test_what_leans_touches_what_it_leans_on(floor: np.ndarray | None) -> None:
    on_walls = on_dice = 0
    for seed in range(20):
        dice, props = laid(seed, floor)
        for die in dice:
            assert die.propped == die.cocked
            if not die.cocked:
                continue
            at_wall = floor is not None and abs(8.0 - np.abs(corners(die)).max()) < 0.05
            at_die = any(gap(die, other) < 0.05 for other in dice if other is not die)
            on_thing = any(under(die, outline) for outline, _ in props.things)
            assert at_wall or at_die or on_thing
            on_walls, on_dice = on_walls + at_wall, on_dice + at_die
    assert on_dice > 10
    assert (on_walls > 20) == (floor is not None)


def test_no_die_leaves_the_tray_and_flat_ones_lie_at_walls_too() -> None:
    at_wall = 0
    for seed in range(20):
        for die in laid(seed, FLOOR)[0]:
            reach = np.abs(corners(die)).max()
            assert reach < 8.3
            at_wall += not die.cocked and abs(8.0 - reach) < 0.01
    assert at_wall > 15


def test_scenes_say_of_what_leans_that_it_is_propped() -> None:
    dice = [die for seed in range(4_145_000, 4_145_012) for die in scene(seed, propped=True)[1]["dice"]]
    assert {die.get("propped", False) for die in dice if die["cocked"]} == {True}
    assert not any(die.get("propped") for die in dice if not die["cocked"])
    assert 0.1 < np.mean([die["cocked"] for die in dice]) < 0.5
    assert not any("propped" in die for die in scene(4_145_000)[1]["dice"])
