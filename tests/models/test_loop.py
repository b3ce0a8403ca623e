"""How every network learns: the same seed gives the same weights, whether the run was stopped or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")
pytest.importorskip("tqdm", reason="only needed to train: pip install -e '.[training]'")

from models.train import loop, place  # noqa: E402 -- they need torch
from models.train.pool import CHUNK, Task  # noqa: E402
from models.train.recipe import Schedule  # noqa: E402
from tests.models.dots import Dots  # noqa: E402

POOLED = Schedule(
    steps=24, batch=12, rate=1e-3, warm=4, wear=(0.5, 0.5), average=0.9, reuse=2, room=2 * CHUNK, paired=84
)
PLAIN = Schedule(steps=24, batch=12, rate=1e-3, warm=4, wear=(0.5, 0.5), average=0.9)
SMALL = replace(place.TASK, make=lambda: place.Place((4, 4, 4, 4, 4, 2, 8)), lot=4)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_LEAST", 1)
    monkeypatch.setattr(loop, "_KEPT", 8)
    torch.set_num_threads(1)


def learn(folder: Path, schedule: Schedule, *, seed: int = 1, workers: int = 0, task: Task = SMALL) -> bytes:
    folder.mkdir(exist_ok=True)
    views, out, cpu = Dots(loop.views_of(schedule)), folder / "small.pt", torch.device("cpu")
    loop.learn("small", task, views, schedule, seed=seed, workers=workers, out=out, device=cpu)
    return out.read_bytes()


@pytest.mark.parametrize("schedule", [PLAIN, POOLED], ids=["plain", "pooled"])
def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(schedule: Schedule, tmp_path: Path) -> None:
    first = learn(tmp_path / "first", schedule)
    assert learn(tmp_path / "again", schedule, workers=2) == first
    assert learn(tmp_path / "other", schedule, seed=2) != first


@pytest.mark.parametrize("schedule", [PLAIN, POOLED], ids=["plain", "pooled"])
@pytest.mark.parametrize("at", [3, 11, 17])
def test_a_run_that_was_stopped_comes_to_the_same_bytes(schedule: Schedule, at: int, tmp_path: Path) -> None:
    steps = iter(range(schedule.steps))

    def loss_of(*given: Any) -> Any:
        if next(steps) == at:
            raise KeyboardInterrupt
        return SMALL.loss_of(*given)

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "stopped", schedule, task=replace(SMALL, loss_of=loss_of))
    assert not (tmp_path / "stopped" / "small.pt").exists()
    went = []

    def counted(*given: Any) -> Any:
        went.append(1)
        return SMALL.loss_of(*given)

    on = learn(tmp_path / "stopped", schedule, task=replace(SMALL, loss_of=counted))
    assert on == learn(tmp_path / "whole", schedule)
    assert len(went) == schedule.steps - at // 8 * 8


def test_what_is_left_is_the_average_of_weights_and_tells_where_the_dots_are(tmp_path: Path) -> None:
    schedule = msgspec.structs.replace(PLAIN, steps=100, batch=32, rate=5e-3)
    learn(tmp_path, schedule)
    net = SMALL.make()
    net.load_state_dict(torch.load(tmp_path / "small.pt"))
    last = torch.load(tmp_path / "small.part")["net"]
    assert any(not torch.equal(weight, last[name]) for name, weight in net.state_dict().items())
    views = [Dots(64)[i] for i in range(64)]
    x, truth = (torch.from_numpy(np.stack([view[k] for view in views])) for k in (0, 1))
    with torch.no_grad():
        off = (net.eval()(x)[:, :2] - truth[:, :2]).abs().mean()
    assert float(off) < 0.5 * float(truth[:, :2].abs().mean())


def test_the_rate_grows_evenly_and_then_falls_to_nothing() -> None:
    rates = [loop.rate_of(PLAIN, step) for step in range(PLAIN.steps)]
    assert rates[0] == pytest.approx(PLAIN.rate / 4)
    assert max(rates) == rates[3] > 0.9 * PLAIN.rate
    assert rates[3:] == sorted(rates[3:], reverse=True)
    assert rates[-1] < 0.01 * PLAIN.rate


def test_each_view_is_learnt_from_as_often_as_is_asked() -> None:
    schedule = msgspec.structs.replace(POOLED, steps=1000, batch=126, reuse=4)
    assert loop.views_of(schedule) / CHUNK == pytest.approx(1000 * 126 / (4 * CHUNK), abs=1)
    assert loop.views_of(PLAIN) == PLAIN.steps * PLAIN.batch
    drawn = [loop.chunks_at(schedule, step) for step in range(1000)]
    assert drawn == sorted(drawn)
    assert 0 <= loop.views_of(schedule) - drawn[-1] * CHUNK <= CHUNK
