from __future__ import annotations

import pytest

from tableside.reader.confidence import logit


def test_a_logit_ends_somewhere() -> None:
    assert [logit(0.0), logit(1.0)] == pytest.approx([-13.8155, 13.8155], abs=1e-3)
