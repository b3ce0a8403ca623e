from __future__ import annotations

import pytest

from tableside import paths
from tableside.reader.confidence import FaceConfidence, FaceSigns, NoDie, logit
from tableside.reader.network import Network

CARD = Network(paths.models_folder(), "classifier").card
TRUST = FaceConfidence(**CARD["trust"])
NOTHING = NoDie(**CARD["nothing"])


def trusted(likeliest: float = 0.99, apart: float = 0.01, spread: float = 0.05, kind: float = 0.99) -> float:
    return TRUST(FaceSigns(likeliest=likeliest, apart=apart, spread=spread, kind=kind, face=0.99, whole=0.99))


def test_a_face_is_trusted_less_the_less_its_place_is_known() -> None:
    assert trusted() > trusted(apart=0.2) > trusted(apart=0.2, spread=0.2)
    assert trusted() > trusted(likeliest=0.9)
    assert trusted(spread=0.01) == trusted(spread=0.0)


def test_a_type_that_the_first_look_doubts_is_trusted_less() -> None:
    assert trusted() > trusted(kind=0.7)


def test_what_is_no_die_is_told_by_each_look() -> None:
    assert NOTHING(0.9, 0.5, 0.5) > NOTHING(0.1, 0.5, 0.5)
    assert NOTHING(0.5, 0.9, 0.5) > NOTHING(0.5, 0.1, 0.5)
    assert NOTHING(0.5, 0.5, 0.1) > NOTHING(0.5, 0.5, 0.9)


def test_a_blank_face_that_looks_like_nothing_is_a_die_when_the_whole_clearly_is() -> None:
    assert NOTHING(0.4, 0.001, 0.9) < 0.1


def test_a_logit_ends_somewhere() -> None:
    assert [logit(0.0), logit(1.0)] == pytest.approx([-13.8155, 13.8155], abs=1e-3)
