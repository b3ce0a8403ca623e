"""What the classifier learns of the marks of dice of no set."""

from __future__ import annotations

import pytest

from models.train.labels import FACES, TYPES, UNKNOWN

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")


@pytest.mark.parametrize(("of", "is_worse"), [("narrative", True), ("pips", True), ("percentile", False), ("", False)])
def test_a_strange_die_must_not_show_a_symbol_but_may_show_a_number(of: str, is_worse: bool) -> None:
    from models.train.classifier import OTHER, loss_of

    def strange(face: int) -> float:
        logits = torch.zeros(1, len(FACES))
        logits[0, face] = 5.0
        one = torch.ones(1, dtype=torch.long)
        outputs = (torch.zeros(1, 4), logits, torch.zeros(1, len(TYPES) + 1 + 5))
        _, parts = loss_of(outputs, one * OTHER, one * UNKNOWN, one == 0, torch.zeros(1, 5), -one, one * 0)
        return float(parts["strange"])

    seen = next(i for i, (name, _) in enumerate(FACES) if name == of)
    assert (strange(seen) > 1) is is_worse
