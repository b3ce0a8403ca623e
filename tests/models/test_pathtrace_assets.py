from __future__ import annotations

import numpy as np
import pytest

from models.pathtrace.digits import STYLES
from models.pathtrace.faces import FAMILIES, all_faces, arrange, kind_of
from models.render.solids import solid
from tableside.dice import find_sets

SYMBOLS = {symbol for dice_set in find_sets(["narrative"]) for symbol in dice_set.symbols}


def test_training_and_measuring_share_no_drawing_and_no_digits() -> None:
    train, held = (
        {draw for family in FAMILIES[assets].values() for draw in family.values()} for assets in ("train", "held-out")
    )
    assert not train & held
    assert not set(STYLES["train"]) & set(STYLES["held-out"])


@pytest.mark.parametrize(("assets", "family"), [(assets, name) for assets in FAMILIES for name in FAMILIES[assets]])
def test_a_family_draws_every_symbol_unlike_every_other(assets: str, family: str) -> None:
    drawn = {symbol: draw(np.random.default_rng(1)).done() for symbol, draw in FAMILIES[assets][family].items()}
    assert set(drawn) == SYMBOLS
    for a, one in drawn.items():
        for b, other in drawn.items():
            if a < b:
                inked = (one > 127) | (other > 127)
                assert ((one > 127) ^ (other > 127)).sum() > 0.1 * inked.sum(), (a, b)


@pytest.mark.parametrize("die_type", ["boost", "proficiency", "force", "pip", "d10", "d100"])
def test_the_wanted_face_lies_up_and_all_faces_of_the_die_are_there(die_type: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        faces = all_faces(die_type)
        wanted, up = faces[seed % len(faces)], seed % len(faces)
        laid = arrange(rng, die_type, up, wanted)
        assert laid[up] == wanted
        assert sorted(laid) == sorted(faces)


def test_opposite_pips_add_up_to_seven_on_most_dice() -> None:
    normals = solid(kind_of("pip")).normals
    right = 0
    for seed in range(50):
        laid = arrange(np.random.default_rng(seed), "pip", 2, ("4",))
        opposite = [int(np.argmin(normals @ normal)) for normal in normals]
        right += all(int(laid[i][0]) + int(laid[opposite[i]][0]) == 7 for i in range(6))
    assert 35 <= right < 50
