"""Views from the pool: turned, they keep their truths; the oldest make room; a network learns from them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")

from models.train import pool  # noqa: E402 -- it needs torch
from models.train.place import INPUT, OUTPUTS, WIDE, Place  # noqa: E402

PIXELS = INPUT / (2 * WIDE)


def chunk(count: int, seed: int) -> pool.Chunk:
    """Return views that are black but for a white pixel at each one's place, with truths as the place network's."""
    rng = np.random.default_rng(seed)
    at = rng.integers(4, INPUT - 4, (count, 2))
    pictures = np.zeros((count, 3, INPUT, INPUT), np.uint8)
    pictures[np.arange(count), :, at[:, 1], at[:, 0]] = 255
    middle = (at - INPUT / 2) / PIXELS
    truth = np.zeros((count, len(OUTPUTS)), np.float32)
    truth[:, 0:2] = truth[:, 3:5] = truth[:, 8:10] = middle
    about = np.concatenate([middle, -middle], 1).astype(np.float32)
    whole = np.ones(count, bool)
    return pictures, about, truth, np.zeros(count, np.int64), whole, whole, np.zeros(count, np.int64), whole


@pytest.mark.parametrize("name", pool.TASKS)
def test_what_a_view_shows_is_where_its_truth_says_whichever_way_it_is_turned(name: str) -> None:
    torch.manual_seed(1)
    task = pool.TASKS[name]
    pictures, about, truth, *_ = (torch.from_numpy(part) for part in chunk(64, 1))
    number, places, directions = task.vectors
    truth = truth * PIXELS * task.pixel  # in this network's unit
    truths = [torch.zeros(64)] * number + [truth]
    x, turned = pool.turned([pictures, about, *truths], task)

    seen = x[:, 0].flatten(1).argmax(1)
    shown = torch.stack([seen % INPUT, seen // INPUT], 1) - INPUT / 2
    for at in places:
        assert torch.allclose(turned[number][:, at : at + 2] / task.pixel, shown.float(), atol=1e-3)
    for at in directions:  # they turn about nothing, half a pixel off the middle
        assert float((turned[number][:, at : at + 2] / task.pixel - shown).abs().max()) < 1.001
    assert torch.allclose(x[:, 3:5, 0, 0] * PIXELS, shown.float(), atol=1.001)
    assert torch.allclose(x[:, 5:7, 0, 0], -x[:, 3:5, 0, 0])
    still = (shown == torch.from_numpy(np.round(about.numpy()[:, :2] * PIXELS))).all(1).float().mean()
    assert float(still) < 0.4  # the others were turned


def test_the_oldest_views_make_room_and_lots_stay_together() -> None:
    views = pool.Pool(room=10, lot=2, device=torch.device("cpu"))
    for first in range(0, 16, 4):
        views.add((np.arange(first, first + 4),))
    (drawn,) = views.draw(400)
    assert set(drawn.tolist()) == set(range(6, 16))
    assert (drawn[0::2] + 1 == drawn[1::2]).all()
    assert (drawn[0::2] % 2 == 0).all()


def test_a_network_learns_from_the_pool_and_is_left_in_its_file(tmp_path: Path) -> None:
    torch.manual_seed(2)

    def chunks() -> Iterator[pool.Chunk | None]:
        for seed in itertools.count():
            yield chunk(pool._CHUNK, seed % 3) if seed < 40 else None

    passed = itertools.count()
    net = Place((4, 4, 4, 4, 4, 2, 8))
    before = {name: weight.clone() for name, weight in net.state_dict().items()}
    out = tmp_path / "small.pt"
    counts = pool.learn(
        net, pool.TASKS["place"], chunks(), lambda: next(passed) / 60, batch=16, rate=1e-3, room=1000,
        device=torch.device("cpu"), out=out,
    )  # fmt: skip
    after = torch.load(out)
    assert counts["views"] == 40 * pool._CHUNK
    assert 0 < counts["steps"] <= 60
    assert float((after["head.2.bias"] - before["head.2.bias"]).abs().max()) > 0
    assert all(math.isfinite(float(weight.float().sum())) for weight in after.values())


def test_views_are_learnt_from_as_often_as_is_asked_before_others_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_LEAST", 2 * pool._CHUNK)
    asked = []

    def chunks() -> Iterator[pool.Chunk | None]:
        for seed in itertools.count():
            asked.append(seed)
            yield chunk(pool._CHUNK, seed % 3)

    passed = itertools.count()
    counts = pool.learn(
        Place((4, 4, 4, 4, 4, 2, 8)), pool.TASKS["place"], chunks(), lambda: next(passed) / 30, batch=126, rate=1e-3,
        room=2000, device=torch.device("cpu"), out=tmp_path / "small.pt", reuse=2,
    )  # fmt: skip
    assert counts["steps"] == 29
    assert len(asked) == 2 + math.ceil((29 * 126 - 2 * pool._LEAST) / (2 * pool._CHUNK))
    assert counts["views"] == len(asked) * pool._CHUNK


@pytest.mark.parametrize(
    ("network", "paired", "message"),
    [("place", "8", "for the classifier"), ("classifier", "6", "a multiple of 4"), ("classifier", "252", "below 252")],
)
def test_pairs_that_fill_no_batch_are_refused(
    network: str, paired: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = ["pool", network, str(tmp_path / "a.npz"), "--paired", paired, "--out", str(tmp_path / "a.pt")]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as stopped:
        pool.main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
