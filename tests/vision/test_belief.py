from __future__ import annotations

import pytest

from tableside import paths
from tableside.vision.belief import Signs, Trust, logit
from tableside.vision.network import Network

CARD = Network(paths.models_folder(), "classifier").card
TRUST = Trust(**CARD["trust"])


def trusted(likeliest: float = 0.99, apart: float = 0.01, spread: float = 0.05, kind: float = 0.99) -> float:
    return TRUST(Signs(likeliest=likeliest, apart=apart, spread=spread, kind=kind, face=0.99))


def test_a_face_is_trusted_less_the_less_its_place_is_known() -> None:
    assert trusted() > trusted(apart=0.2) > trusted(apart=0.2, spread=0.2)
    assert trusted() > trusted(likeliest=0.9)
    assert trusted(spread=0.01) == trusted(spread=0.0)


def test_a_type_that_the_first_look_doubts_is_trusted_less() -> None:
    assert trusted() > trusted(kind=0.7)


def test_a_logit_ends_somewhere() -> None:
    assert [logit(0.0), logit(1.0)] == pytest.approx([-13.8155, 13.8155], abs=1e-3)
