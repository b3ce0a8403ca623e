from __future__ import annotations

import numpy as np
import pytest

from models.labelled import Labelled, die_at
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
