"""The drawings of symbols: what a drawer of them can rely on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.render import symbols
from models.render.dice import NARRATIVE, symbol_colours, unlike
from models.render.sister import SISTER
from models.render.strokes import SIZE, canvas, ring, weighed

PUBLISHED = [(f"published {name}", draw) for name, draw in symbols.DRAWINGS.items() if name != "glyph"]
ALL = [*PUBLISHED, *((f"sister {name}", draw) for name, draw in SISTER.items())]
SEEDS = range(25)


@pytest.mark.parametrize(("name", "drawing"), ALL, ids=[name for name, _ in ALL])
def test_every_drawing_fills_its_span_and_stays_within_the_mask(name: str, drawing: symbols.Drawing) -> None:
    for seed in SEEDS:
        mask = drawing(np.random.default_rng(seed))
        assert (mask.shape, mask.dtype) == ((SIZE, SIZE), np.uint8)
        _, _, width, height = cv2.boundingRect((mask > 127).astype(np.uint8))
        assert max(width, height) > 0.4 * SIZE, (name, seed)
        assert not mask[[0, -1]].any(), (name, seed)
        assert not mask[:, [0, -1]].any(), (name, seed)


@pytest.mark.parametrize("symbol", SISTER)
def test_a_symbol_is_drawn_after_both_games_the_same_for_a_seed(symbol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    for game, drawings in (("sister", SISTER), ("published", symbols.DRAWINGS)):
        empty = np.zeros((SIZE, SIZE), np.uint8)
        monkeypatch.setitem(drawings, symbol, lambda _rng, game=game, empty=empty: seen.add(game) or empty)
    for seed in SEEDS:
        symbols.draw(symbol, np.random.default_rng(seed))
    assert seen == {"sister", "published"}
    monkeypatch.undo()
    assert (symbols.draw(symbol, np.random.default_rng(3)) == symbols.draw(symbol, np.random.default_rng(3))).all()


@pytest.mark.parametrize("symbol", NARRATIVE.symbols)
def test_no_mark_is_drawn_so_thin_that_a_person_would_take_its_face_for_a_blank_one(symbol: str) -> None:
    ink = [(symbols.draw(symbol, np.random.default_rng(seed)) > 127).mean() for seed in range(200)]
    assert min(ink) > 0.03


def test_strokes_grow_bolder_only_while_a_ring_stays_open_and_thinner_only_while_it_is_there() -> None:
    small = canvas()
    ring(small, 0, 0, 0.2, 0.1)
    bold, thin = weighed(small, 9), weighed(small, -9)
    assert bold[SIZE // 2, SIZE // 2] == 0
    assert bold.sum() > small.sum() > thin.sum() > 0.5 * small.sum()


def test_ink_differs_from_every_symbol_dies_body() -> None:
    for kind in (t.name for t in NARRATIVE.types):
        assert min(unlike(*symbol_colours(np.random.default_rng(seed), kind)) for seed in range(300)) > 0.19


def test_a_star_in_a_ring_is_never_the_cross_that_means_despair() -> None:
    def tips(mask: np.ndarray) -> int:
        """Return how many runs of ink a circle half way out meets."""
        angle = np.linspace(0, 2 * np.pi, 720, endpoint=False)
        at = np.round(SIZE / 2 * (1 + 0.8 * 0.48 * np.stack([np.sin(angle), np.cos(angle)]))).astype(int)
        on = mask[at[0], at[1]] > 127
        return int((on & ~np.roll(on, 1)).sum())

    counts = {tips(SISTER["triumph"](np.random.default_rng(seed))) for seed in range(60)}
    assert max(counts) >= 6
    assert 4 not in counts
