"""Training goes on from a network as it ships."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")
pytest.importorskip("onnx", reason="only needed to train: pip install -e '.[training]'")

from models.train.classifier import Classifier  # noqa: E402 -- they need torch
from models.train.export import Bare, main, save  # noqa: E402
from models.train.locator import Residual, conv  # noqa: E402
from models.train.place import Place  # noqa: E402
from models.train.resume import grown, resume  # noqa: E402


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


class Small(torch.nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(conv(3, width), Residual(width), conv(width, 2 * width, 2))
        self.head = torch.nn.Linear(2 * width * 16, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x).flatten(1))


def test_a_network_that_is_made_wider_answers_as_the_narrower_one() -> None:
    torch.manual_seed(4)
    narrow, wide = Small(4), Small(7)
    wide.load_state_dict(grown(narrow.state_dict(), wide.state_dict()))
    x = torch.rand(3, 3, 8, 8)
    with torch.no_grad():
        assert torch.allclose(narrow.eval()(x), wide.eval()(x), atol=1e-5)
    assert float(wide.body[0][0].weight[4:].detach().abs().min()) > 0  # what is new has something to begin from


class Taller(Small):
    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.more = torch.nn.Linear(5, 2)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("suffix", [".pt", ".onnx"])
def test_a_part_that_the_earlier_weights_lack_begins_anew(tmp_path: Path, suffix: str) -> None:
    torch.manual_seed(5)
    old, new, path = Small(4), Taller(4), tmp_path / f"old{suffix}"
    x = torch.rand(3, 3, 8, 8)
    old.train()(x)  # so that its batch norms have something to fold
    if suffix == ".pt":
        torch.save(old.state_dict(), path)
        path.with_suffix(".json").write_text("[]")
    else:
        save(old, tmp_path / "old.pt", x, path, ["out"], {})
    fresh = new.more.weight.detach().clone()
    assert resume(new, path, [x] * 3, fresh="more") == []
    with torch.no_grad():
        assert torch.allclose(old.eval()(x), new.eval()(x), atol=1e-2)
    assert torch.equal(new.more.weight, fresh)


def test_a_network_is_not_made_narrower() -> None:
    with pytest.raises(ValueError, match="choose a wider network"):
        grown(Small(7).state_dict(), Small(4).state_dict())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_only_the_networks_that_are_named_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "place.pt"
    torch.save(Place().state_dict(), weights)
    (folder := tmp_path / "out").mkdir()
    monkeypatch.setattr("sys.argv", ["export", "--place", str(weights), "--folder", str(folder)])
    main()
    assert {path.name for path in folder.iterdir()} == {"place.onnx", "place.json"}
    monkeypatch.setattr("sys.argv", ["export", "--folder", str(folder)])
    with pytest.raises(SystemExit, match="2"):
        main()
