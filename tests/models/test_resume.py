"""Training goes on from a network as it ships."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")
pytest.importorskip("onnx", reason="only needed to train: pip install -e '.[training]'")

from models.train.classifier import Classifier  # noqa: E402 -- both need torch
from models.train.export import Bare, save  # noqa: E402
from models.train.resume import resume  # noqa: E402


def views(seed: int) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    return torch.from_numpy(rng.random((16, 3, 72, 72), np.float32) ** rng.uniform(0.3, 3))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("is_small", "off"), [(False, 0.02), (True, 0.06)], ids=["16 bits", "8 bits"])
def test_a_net_taken_up_from_its_export_answers_as_before(tmp_path: Path, is_small: bool, off: float) -> None:
    torch.manual_seed(3)
    old, new = Classifier(), Classifier()
    old.train()
    for seed in range(8):  # so that its batch norms have something to fold
        old(views(seed))
    (tmp_path / "old.json").write_text(json.dumps([{"steps": 8}]))
    seen = (views(seed).numpy() for seed in range(4)) if is_small else None
    save(Bare(old), tmp_path / "old.pt", views(0)[:2], tmp_path / "net.onnx", ["embedding", "side"], {}, seen)

    runs = resume(new, tmp_path / "net.onnx", [views(seed) for seed in range(24)])

    assert runs == [{"steps": 8}]
    new.eval()
    with torch.no_grad():
        for wanted, had in zip(old.told(views(99)), new.told(views(99)), strict=True):
            assert float((wanted - had).abs().max()) < off * float(wanted.abs().max())
    assert all(norm.running_var.max() < 1e3 for norm in new.modules() if isinstance(norm, torch.nn.BatchNorm2d))


def test_a_network_of_another_shape_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="layers"):
        resume(Classifier(), Path("models/locator.onnx"), [])
