"""What is hard to read on photographs, drawn. Needs the drawing extra and typefaces, as drawing does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[drawing]'")

from models.render import numbers
from models.render.dice import make, unlike
from models.render.scene import scene
from models.render.strokes import SIZE
from models.render.trouble import TROUBLES, flourished, troubled
from tableside.errors import SettingsError

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)

SMALL = {"width": 240, "height": 240, "kinds": "mixed", "die_px": 36, "count": 9}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_trouble_changes_the_picture_and_its_seed_gives_it_again(trouble: str) -> None:
    (picture, truth), (again, _), (plain, _) = (scene(8, **SMALL, trouble=has) for has in (trouble, trouble, ""))
    assert np.array_equal(picture, again)
    assert not np.array_equal(picture, plain)
    assert truth["dice"]


@pytest.mark.parametrize("trouble", ["blown", "ground", "blurred", "edge"])
def test_what_befalls_the_picture_moves_no_die(trouble: str) -> None:
    (_, truth), (_, plain) = (scene(8, **SMALL, trouble=has) for has in (trouble, ""))
    assert truth == plain


def test_light_blows_out_and_a_lens_blurs() -> None:
    plain, blown, blurred = (
        np.stack([scene(seed, **SMALL, trouble=has)[0] for seed in range(6, 10)]) for has in ("", "blown", "blurred")
    )
    assert (blown >= 250).mean() > (plain >= 250).mean() + 0.05
    sharp, soft = (np.mean([cv2.Laplacian(one, cv2.CV_64F).var() for one in some]) for some in (plain, blurred))
    assert soft < 0.5 * sharp


@pytest.mark.parametrize(("trouble", "light"), [("grey", (0.1, 0.7)), ("pale", (0.5, 1.0))])
def test_marks_and_bodies_of_one_tone_differ_a_little_and_symbol_dice_stay(
    trouble: str, light: tuple[float, float]
) -> None:
    rng = np.random.default_rng(3)
    made = [troubled(rng, make(rng, kind), trouble) for kind in ("pip", "d10", "d100", "other") for _ in range(20)]
    assert all(0.15 < unlike(one.body, one.ink) < 0.55 for one in made)
    assert all(light[0] * 0.8 < one.body.mean() < light[1] for one in made)
    red = make(rng, "challenge")
    assert troubled(rng, red, trouble) is red


def test_the_ground_has_the_colour_of_a_die() -> None:
    def off(has: str) -> float:
        picture, truth = scene(8, **SMALL | {"count": 1}, trouble=has)
        about = cv2.fillPoly(np.zeros((240, 240), np.uint8), [np.int32(truth["dice"][0]["outline"])], 1)
        ring = cv2.dilate(about, np.ones((25, 25))) - cv2.dilate(about, np.ones((9, 9)))
        colours = [np.median(picture[mask > 0], 0) for mask in (about, ring)]
        return float(np.abs(colours[0] - colours[1]).max())

    assert off("ground") < 0.5 * off("")


def test_most_faces_are_bare_and_some_dice_are_large() -> None:
    dice = [d for seed in range(4) for d in scene(seed, kinds="narrative", trouble="bare")[1]["dice"]]
    can_be = [d for d in dice if d["type"] not in ("force", "other")]
    assert np.mean([not d["face"] for d in can_be]) > 0.6
    assert max(np.ptp(np.array(d["outline"]), axis=0).max() for d in dice) > 150


def test_small_dice_lie_flat_in_rows_side_to_side_and_none_in_another() -> None:
    touching = []
    for seed in range(3):
        dice = scene(seed, kinds="pips", trouble="rows")[1]["dice"]
        assert not any(d["cocked"] for d in dice)
        outlines = [np.array(d["outline"], np.float32) for d in dice]
        for i, one in enumerate(outlines):
            far = [
                max(cv2.pointPolygonTest(other, (float(x), float(y)), True) for x, y in one)
                for j, other in enumerate(outlines)
                if j != i
            ]
            touching.append(max(far, default=-99) > -3)
            assert max(far, default=-99) < 6
    assert np.mean(touching) > 0.7


def test_dice_seen_aslant_lie_flat_at_an_edge() -> None:
    dice = [d for seed in range(5) for d in scene(seed, trouble="aslant", hard=True)[1]["dice"]]
    assert not any(d["cocked"] for d in dice)
    assert np.median([np.abs(np.array(d["center"]) - 360).max() for d in dice]) > 250


def test_numbers_in_fine_typefaces_are_still_to_be_seen_and_keep_their_names() -> None:
    rng = np.random.default_rng(5)
    for kind in ("d10", "d100", "other"):
        plain = make(rng, kind)
        fine = troubled(rng, plain, "ornate")
        assert fine.faces == plain.faces
        assert (fine.texture.max((1, 2)) > 120).all()
    pips = make(rng, "pip")
    assert troubled(rng, pips, "ornate") is pips


def test_flourishes_lie_about_the_mark_and_are_the_same_on_all_faces() -> None:
    blank = np.zeros((SIZE, SIZE), np.uint8)
    marked = cv2.circle(blank.copy(), (SIZE // 2,) * 2, 40, 255, -1)
    for style in range(9):
        alone, about = (flourished(np.random.default_rng(style), art) for art in (blank, marked))
        assert alone.any()
        assert not alone[SIZE // 2 - 20 : SIZE // 2 + 20, SIZE // 2 - 20 : SIZE // 2 + 20].any()
        assert (about[alone > 200] > 0).all()
