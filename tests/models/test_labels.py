from __future__ import annotations

import numpy as np
import pytest

from models.labelled import Labelled
from models.render.solids import rotation_to_up, solid
from models.train.labels import die_at, lift_of
from tableside.dice import Die

PICTURE = np.zeros((100, 200, 3), np.uint8)
CUT = Labelled(
    die=Die(type="pip", face=("3",)), cocked=False, whole=False, outline=((0, 40), (12, 40), (12, 70), (0, 70))
)
WHOLE = Labelled(
    die=Die(type="pip", face=("5",)), cocked=False, whole=True, outline=((90, 40), (120, 40), (120, 70), (90, 70))
)


@pytest.mark.parametrize(
    ("point", "die"),
    [
        pytest.param((100.0, 50.0), WHOLE, id="on a die"),
        pytest.param((60.0, 50.0), None, id="beside it"),
        pytest.param((5.0, 50.0), CUT, id="on what is seen of a die that the edge cuts"),
        pytest.param((-6.0, 50.0), CUT, id="on the rest of it, beyond the edge"),
        pytest.param((-6.0, 90.0), None, id="beyond the edge, beside it"),
        pytest.param((100.0, 130.0), None, id="beyond the other edge"),
    ],
)
def test_the_die_under_a_point_is_found_also_beyond_the_edge(point: tuple[float, float], die: Labelled | None) -> None:
    assert die_at(point, (CUT, WHOLE), PICTURE) is die


@pytest.mark.parametrize("name", ["d6", "d8", "d10", "d12", "d20"])
@pytest.mark.parametrize("seed", range(4))
def test_the_lift_of_a_flat_die_stands_over_its_middle_and_of_a_leaning_one_off_it(name: str, seed: int) -> None:
    rng, body = np.random.default_rng(seed), solid(name)
    face = int(rng.integers(len(body.polygons)))
    for degrees in (0.0, 10.0, 30.0):
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ rotation_to_up(body.normals[face], rng.uniform(0, 6.3))
        top = (np.roll(body.polygons[face], seed, 0) @ turn.T)[:, :2]
        lift = lift_of({"kind": name, "top": top.tolist(), "center": top.mean(0).tolist()})
        assert lift == pytest.approx((turn @ body.normals[face])[:2], abs=2e-3)
        assert np.linalg.norm(lift) == pytest.approx(s, abs=2e-3)
