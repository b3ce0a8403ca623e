from __future__ import annotations

import pytest

from tableside import paths
from tableside.vision.belief import Trust, logit
from tableside.vision.network import Network

CARD = Network(paths.models_folder(), "classifier").card
TRUST = Trust(**CARD["trust"])


def test_a_face_is_trusted_less_the_less_its_place_is_known() -> None:
    assert TRUST(0.99, 0.01, 0.05) > TRUST(0.99, 0.2, 0.05) > TRUST(0.99, 0.2, 0.2)
    assert TRUST(0.99, 0.01, 0.05) > TRUST(0.9, 0.01, 0.05)
    assert TRUST(0.99, 0.01, 0.01) == TRUST(0.99, 0.01, 0.0)


def test_a_logit_ends_somewhere() -> None:
    assert [logit(0.0), logit(1.0)] == pytest.approx([-13.8155, 13.8155], abs=1e-3)
