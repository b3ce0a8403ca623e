"""The mean of two networks. Needs the training extra."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")
pytest.importorskip("numba", reason="only needed to train: pip install -e '.[training]'")

from models.train.average import average  # noqa: E402 -- it needs torch


def saved(path: Path, value: float) -> Path:
    weights = {"body.weight": torch.full((2, 2), value), "kind.weight": torch.full((3,), value)}
    torch.save(weights | {"body.count": torch.tensor(int(value))}, path)
    return path


def test_weights_are_averaged_and_a_part_that_only_the_newer_has_learnt_is_the_newers(tmp_path: Path) -> None:
    older, newer = saved(tmp_path / "a.pt", 1.0), saved(tmp_path / "b.pt", 3.0)
    assert {name: float(weight.max()) for name, weight in average(older, newer, 0.25).items()} == {
        "body.weight": 1.5, "kind.weight": 1.5, "body.count": 3.0,
    }  # fmt: skip
    assert float(average(older, newer, 0.25, fresh="kind")["kind.weight"].max()) == 3.0


def test_a_narrower_older_one_is_made_wider_and_says_nothing_where_it_had_no_weights(tmp_path: Path) -> None:
    older, newer = saved(tmp_path / "a.pt", 1.0), tmp_path / "b.pt"
    torch.save({"body.weight": torch.full((3, 3), 3.0), "kind.weight": torch.full((3,), 3.0)}, newer)
    mean = average(older, newer, 0.5)["body.weight"]
    assert mean.tolist() == [[2.0, 2.0, 1.5], [2.0, 2.0, 1.5], [3.0, 3.0, 3.0]]
