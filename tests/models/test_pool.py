"""Views from the pool: turned, they keep their truths; the oldest make room."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")

from models.train import classifier, place, pool  # noqa: E402 -- they need torch
from tests.models.dots import PIXELS, chunk  # noqa: E402

SIDE = place.INPUT


@pytest.mark.parametrize("task", [place.TASK, classifier.TASK], ids=["place", "classifier"])
def test_what_a_view_shows_is_where_its_truth_says_whichever_way_it_is_turned(task: pool.Task) -> None:
    torch.manual_seed(1)
    pictures, about, truth, *_ = (torch.from_numpy(part) for part in chunk(64, 1))
    assert task.vectors
    number, places, directions = task.vectors
    truth = truth * PIXELS * task.pixel  # in this network's unit
    truths = [torch.zeros(64)] * number + [truth]
    x, turned = pool.turned([pictures, about, *truths], task)

    seen = x[:, 0].flatten(1).argmax(1)
    shown = torch.stack([seen % SIDE, seen // SIDE], 1) - SIDE / 2
    for at in places:
        assert torch.allclose(turned[number][:, at : at + 2] / task.pixel, shown.float(), atol=1e-3)
    for at in directions:  # they turn about nothing, half a pixel off the middle
        assert float((turned[number][:, at : at + 2] / task.pixel - shown).abs().max()) < 1.001
    assert torch.allclose(x[:, 3:5, 0, 0] * PIXELS, shown.float(), atol=1.001)
    assert torch.allclose(x[:, 5:7, 0, 0], -x[:, 3:5, 0, 0])
    still = (shown == torch.from_numpy(np.round(about.numpy()[:, :2] * PIXELS))).all(1).float().mean()
    assert float(still) < 0.4  # the others were turned


def test_a_mirror_image_is_made_only_where_it_shows_the_same() -> None:
    pictures, about, truth, *_ = (torch.from_numpy(part) for part in chunk(64, 1))
    pictures[:] = 0
    pictures[:, :, 8:40, 8:12] = 255  # the letter L: no quarter turn makes its mirror image
    pictures[:, :, 36:40, 8:24] = 255
    upright = [torch.rot90(pictures[0, 0].float(), turn) for turn in range(4)]
    for task, ways in ((place.TASK, 8), (classifier.TASK, 4)):
        assert task.vectors
        x, _ = pool.turned([pictures, about, *[torch.zeros(64)] * task.vectors[0], truth], task)
        marks = [(view[0] > 0.5).float() * 255 for view in x]
        assert len({mark.numpy().tobytes() for mark in marks}) == ways
        assert sum(any(torch.equal(mark, one) for one in upright) for mark in marks) == 64 * 4 // ways


def test_the_oldest_views_make_room_and_lots_stay_together() -> None:
    views = pool.Pool(room=10, lot=2, device=torch.device("cpu"))
    for first in range(0, 16, 4):
        views.add((np.arange(first, first + 4),))
    (drawn,) = views.draw(400)
    assert set(drawn.tolist()) == set(range(6, 16))
    assert (drawn[0::2] + 1 == drawn[1::2]).all()
    assert (drawn[0::2] % 2 == 0).all()


def test_a_view_is_held_as_it_was_drawn() -> None:
    pictures, about, truth, *rest = chunk(6, 3)
    planes = np.broadcast_to(about[:, :, None, None], (6, about.shape[1], SIDE, SIDE))
    views = np.concatenate([pictures.astype(np.float32) / 255, planes], 1)
    held = pool.packed([(view, *truths) for view, *truths in zip(views, truth, *rest, strict=True)])
    for one, other in zip(held, (pictures, about, truth, *rest), strict=True):
        assert np.array_equal(one, other)
