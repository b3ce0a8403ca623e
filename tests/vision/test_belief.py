from __future__ import annotations

import pytest

from tableside import paths
from tableside.vision.belief import Presence, Trust, logit
from tableside.vision.network import Network

PLAIN = Presence(bias=0.0, score=1.0, nothing=-1.0)
CARD = Network(paths.models_folder(), "classifier").card
SHIPPED, TRUST = Presence(**CARD["presence"]), Trust(**CARD["trust"])


def test_opposite_words_of_equal_weight_leave_it_open() -> None:
    assert PLAIN(0.9, 0.9) == pytest.approx(0.5)
    assert PLAIN(0.9, 0.1) == pytest.approx(81 / 82)  # odds of 9 times 9


@pytest.mark.parametrize(("score", "nothing"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)])
def test_what_networks_are_quite_sure_of_is_a_probability_yet(score: float, nothing: float) -> None:
    assert 0 <= SHIPPED(score, nothing) <= 1


def test_the_shipped_weights_hear_both_networks() -> None:
    assert SHIPPED(0.9, 0.01) > SHIPPED(0.5, 0.01) > SHIPPED(0.5, 0.3)


def test_a_face_is_trusted_less_the_less_its_place_is_known() -> None:
    assert TRUST(0.99, 0.01, 0.05) > TRUST(0.99, 0.2, 0.05) > TRUST(0.99, 0.2, 0.2)
    assert TRUST(0.99, 0.01, 0.05) > TRUST(0.9, 0.01, 0.05)
    assert TRUST(0.99, 0.01, 0.01) == TRUST(0.99, 0.01, 0.0)


def test_a_logit_ends_somewhere() -> None:
    assert [logit(0.0), logit(1.0)] == pytest.approx([-13.8155, 13.8155], abs=1e-3)
