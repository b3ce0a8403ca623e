"""Lamps and tables that dice mirror are drawn where a die would show them, and nowhere else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.train import plastic
from models.train.augment import bridges, gloss, mistreat
from models.train.crops import CORNERS, CROP, MARGIN, corners_of
from models.train.plastic import dimpled, mirrored, sheen

SEEDS = range(30)
MIDDLE, RADIUS = np.array([44.0, 40.0]), 26.0
OUTLINE = np.array([[24, 20], [70, 22], [72, 66], [22, 64]], np.float32)
TOP = np.array([[30, 30], [60, 32], [58, 60], [28, 58]], np.float32)


def face() -> np.ndarray:
    """Return a grey picture, (80, 88, 3), with two dark pips on the upper face."""
    picture = np.full((80, 88, 3), 90, np.uint8)
    for x, y in ((36, 34), (52, 48)):
        cv2.circle(picture, (x, y), 5, (30, 20, 20), -1, cv2.LINE_AA)
    return picture


def beyond(radii: float) -> np.ndarray:
    y, x = np.mgrid[0:80, 0:88]
    return np.hypot(x - MIDDLE[0], y - MIDDLE[1]) > radii * RADIUS


def filled(corners: np.ndarray) -> np.ndarray:
    mask = np.zeros((80, 88), np.uint8)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1)
    return mask


def test_lamps_light_parts_of_the_face_and_leave_what_lies_round_it() -> None:
    plain = face()
    lit = []
    for seed in SEEDS:
        glossy = gloss(plain, np.random.default_rng(seed), MIDDLE, RADIUS)
        # a face with corners reaches half again as far along its diagonals as one with a round rim
        assert np.array_equal(glossy[beyond(1.6)], plain[beyond(1.6)])
        lit.append(float((glossy.max(2) > plain.max(2) + 25)[~beyond(0.8)].mean()))
    assert 0.02 < np.median(lit) < 0.4
    assert sum(share > 0 for share in lit) > 0.8 * len(lit)


def test_marks_dent_the_face_and_bend_the_light_round_them() -> None:
    marked, plain = face(), np.full((80, 88, 3), 90, np.uint8)
    inked = cv2.dilate((marked.max(2) < 90).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    near = cv2.dilate(inked.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    bent = 0
    for seed in SEEDS:
        lit = [gloss(picture, np.random.default_rng(seed), MIDDLE, RADIUS) for picture in (marked, plain)]
        bent += bool((cv2.absdiff(*lit).max(2) > 30)[near & ~inked].any())
    assert bent > 0.6 * len(SEEDS)


def test_light_joins_marks_and_leaves_a_blank_face_as_it_is() -> None:
    marked, blank = face(), np.full((80, 88, 3), 90, np.uint8)
    between = cv2.line(np.zeros((80, 88), np.uint8), (36, 34), (52, 48), 1, 7) > 0
    between &= ~cv2.dilate((marked.max(2) < 80).astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    joined = 0
    for seed in SEEDS:
        lit = bridges(marked, np.random.default_rng(seed), MIDDLE, RADIUS)
        assert (lit >= marked).all()  # light only adds to what is darker
        joined += bool((lit.max(2) > 90 + 30)[between].sum() > 10)
        assert np.array_equal(bridges(blank, np.random.default_rng(seed), MIDDLE, RADIUS), blank)
    assert joined > 0.5 * len(SEEDS)


def test_a_face_of_a_few_pixels_is_left_as_it_is() -> None:
    plain = face()
    assert np.array_equal(gloss(plain, np.random.default_rng(1), MIDDLE, 2.0), plain)


@pytest.mark.parametrize("seed", SEEDS)
def test_sides_take_the_colour_of_the_table_and_the_rest_stays(seed: int) -> None:
    picture = np.zeros((80, 88, 3), np.uint8)
    picture[filled(OUTLINE) == 0] = (20, 20, 220)
    seen = mirrored(picture, OUTLINE, TOP, np.random.default_rng(seed))
    core = np.ones((9, 9), np.uint8)
    top, table = cv2.erode(filled(TOP), core) > 0, cv2.erode(1 - filled(OUTLINE), core) > 0
    assert not seen[top].any()
    assert np.abs(seen[table].astype(int) - picture[table]).max() <= 1
    sides = cv2.erode(filled(OUTLINE) - filled(TOP), np.ones((3, 3), np.uint8)) > 0
    assert seen[sides][:, 2].mean() > 8
    assert seen[sides][:, 2].mean() > 4 * seen[sides][:, 0].mean()


@pytest.mark.parametrize("count", [3, 11, 24, 33])
def test_corners_are_kept_where_they_lie_in_the_crop(count: int) -> None:
    angle = np.arange(count) * 2 * np.pi / count
    points = np.array([500.0, 300.0]) + 70 * np.stack([np.cos(angle), np.sin(angle)], 1)
    kept = corners_of(points.tolist(), np.array([500.0, 300.0]), 70.0)
    assert kept.shape == (CORNERS, 2)
    assert np.hypot(*(kept - CROP / 2).T) == pytest.approx(CROP / (2 * MARGIN), abs=1e-4)
    drawn = cv2.contourArea(kept)
    assert drawn > 0.96 * cv2.contourArea(((points - (500, 300)) / 70 * CROP / (2 * MARGIN)).astype(np.float32))


def test_a_wide_lamp_lightens_all_of_a_black_upper_face_alike_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plastic, "_UNEVEN", 0)
    black = np.full((80, 88, 3), 12, np.uint8)
    core = cv2.erode(filled(TOP), np.ones((5, 5), np.uint8)) > 0
    around = cv2.dilate(filled(TOP), np.ones((13, 13), np.uint8)) == 0
    lit = [sheen(black, OUTLINE, TOP, np.random.default_rng(seed)) for seed in SEEDS]
    for seen in lit:
        assert np.abs(seen[around].astype(int) - 12).max() <= 1
        assert seen[core].min() > 16
    levels = [seen[core].mean() for seen in lit]
    assert min(levels) < 45
    assert max(levels) > 90


def test_what_a_wide_lamp_lights_may_have_clouds() -> None:
    black = np.full((80, 88, 3), 12, np.uint8)
    core = cv2.erode(filled(TOP), np.ones((5, 5), np.uint8)) > 0
    lit = [sheen(black, OUTLINE, TOP, np.random.default_rng(seed))[core] for seed in SEEDS]
    assert min(seen.min() for seen in lit) >= 12
    assert min(seen.mean() for seen in lit) > 16
    uneven = [seen.std() / seen.mean() for seen in lit]
    assert min(uneven) < 0.1 < 0.25 < max(uneven)


def test_a_lamp_in_a_polished_face_lightens_the_die_alone_and_bends_round_its_marks() -> None:
    flat, marked = np.full((80, 88, 3), 30, np.uint8), np.full((80, 88, 3), 30, np.uint8)
    cv2.circle(marked, (44, 45), 6, (90, 90, 200), -1, cv2.LINE_AA)
    y, x = np.mgrid[0:80, 0:88]
    away = np.hypot(x - 44, y - 45)
    rim, elsewhere = (away > 7) & (away < 9), (away > 14) & (filled(TOP) > 0)
    outside = cv2.dilate(filled(OUTLINE), np.ones((9, 9), np.uint8)) == 0
    bent, levels = [], []
    for seed in SEEDS:
        plain, seen = (dimpled(face, OUTLINE, TOP, np.random.default_rng(seed)) for face in (flat, marked))
        assert (seen.astype(int) >= marked.astype(int) - 1).all()
        assert (seen[outside] == marked[outside]).all()
        levels.append(float(seen[filled(TOP) > 0].max()))
        changed = np.abs(seen.astype(int) - plain.astype(int)).max(2)
        bent.append(changed[rim].mean() - changed[elsewhere].mean())
    assert np.median(bent) > 5
    assert min(levels) < 240 <= max(levels)


def test_a_face_too_small_to_mirror_a_lamp_stays_as_it_is() -> None:
    plain = face()
    assert dimpled(plain, OUTLINE, TOP[0] + (TOP - TOP[0]) / 10, np.random.default_rng(1)) is plain


def test_a_poor_camera_spoils_some_pictures_and_leaves_most() -> None:
    plain = face()
    spoilt = [mistreat(plain, np.random.default_rng(seed)) for seed in range(200)]
    assert all((one.shape, one.dtype) == (plain.shape, plain.dtype) for one in spoilt)
    changed = [one for one in spoilt if not np.array_equal(one, plain)]
    assert 0.25 * len(spoilt) < len(changed) < 0.5 * len(spoilt)
    spread = [float(one.std()) / float(plain.std()) for one in changed]
    assert min(spread) < 0.7 < 1.3 < max(spread)
