"""How a camera looks at its table, by dice of many sides that lay on it one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tableside import paths
from tableside.dice import find_sets
from tableside.reader.classify import Classifier
from tableside.reader.ground import Ground
from tableside.reader.network import Network
from tableside.reader.photo import load_photo
from tableside.reader.plane import HEIGHTS
from tableside.reader.reader import Reader
from tableside.reader.tilt import Sighting, common_tilt, faces_in_sight

GOLDEN = (1 + 5**0.5) / 2
VERTICES = np.array([p for a in (1, -1) for b in (GOLDEN, -GOLDEN) for p in ((0, a, b), (a, b, 0), (b, 0, a))])


def faces_of_d20() -> np.ndarray:
    """Return the normals of the 20 faces, (20, 3)."""
    edge = np.linalg.norm(VERTICES[:, None] - VERTICES, axis=2)
    near = (edge > 0) & (edge < 2.1)
    found = [
        VERTICES[[i, j, k]].sum(0)
        for i in range(12)
        for j in range(i)
        for k in range(j)
        if near[i, j] and near[j, k] and near[i, k]
    ]
    return np.array([face / np.linalg.norm(face) for face in found])


NORMALS = faces_of_d20()


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def seen(
    rng: np.random.Generator,
    tilt: tuple[float, float],
    *,
    growth: float = 0.2,
    noise: float = 0.02,
    turn: float | None = None,
) -> Sighting:
    """Return what is seen of a d20 that lies flat under a camera, whatever face is up and however it is turned."""
    up = NORMALS[rng.integers(20)]
    to_top = rotation(np.cross(up, [0, 0, 1]) + 1e-9, float(np.arccos(np.clip(up[2], -1, 1))))
    if turn is not None:  # the same face, laid alike
        to_top = rotation(np.cross(NORMALS[0], [0, 0, 1]), float(np.arccos(NORMALS[0][2])))
    about = rotation(np.array([0, 0, 1.0]), rng.uniform(0, 2 * np.pi) if turn is None else turn)
    place = rng.uniform(-0.3, 0.3, 2)
    x, y = np.array(tilt) + growth * place
    lean = rotation(np.array([-y, x, 0]), float(np.arcsin(np.hypot(x, y)))) if x or y else np.eye(3)
    turned = NORMALS @ (lean @ about @ to_top).T
    visible = turned[(turned[:, 2] > 0.66) & (rng.random(20) > 0.1)][:, :2]
    return Sighting((float(place[0]), float(place[1])), visible + rng.normal(0, noise, visible.shape))


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.3, -0.1), (-0.5, 0.2)])
def test_a_tilt_is_told_by_faces_that_are_up_however_dice_are_turned(tilt: tuple[float, float]) -> None:
    rng = np.random.default_rng(1)
    found = common_tilt([seen(rng, tilt) for _ in range(20)])
    assert found is not None
    assert found.shift == pytest.approx(tilt, abs=0.04)
    assert found.growth == pytest.approx(0.2, abs=0.12)


def test_a_wide_lens_from_near_by_tells_its_tilt_as_soon_as_a_far_one() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        found = common_tilt([seen(rng, (0.2, -0.1), growth=0.65, noise=0.03) for _ in range(10)])
        assert found is not None
        assert found.shift == pytest.approx((0.2, -0.1), abs=0.06)
        assert found.growth == pytest.approx(0.65, abs=0.2)


def test_cameras_of_their_own_agree_on_nothing() -> None:
    rng = np.random.default_rng(2)
    cameras = [tuple(rng.uniform(-0.4, 0.4, 2)) for _ in range(20)]
    assert common_tilt([seen(rng, camera) for camera in cameras]) is None


def test_dice_laid_alike_tell_no_tilt() -> None:
    rng = np.random.default_rng(3)
    assert common_tilt([seen(rng, (0.3, 0.1), turn=0.4) for _ in range(20)]) is None


def test_few_sightings_and_such_without_faces_tell_nothing() -> None:
    rng = np.random.default_rng(4)
    few = [seen(rng, (0.3, 0.1)) for _ in range(7)]
    assert common_tilt(few) is None
    assert common_tilt([*few, *(Sighting((0.0, 0.0), np.zeros((0, 2))) for _ in range(9))]) is None


def test_a_ground_remembers_each_die_once_and_forgets_a_tilt_that_fails() -> None:
    rng = np.random.default_rng(5)
    ground = Ground()
    still = seen(rng, (0.3, -0.2))
    for _ in range(12):
        ground.sight(still)
    assert ground.tilt is None
    for _ in range(16):
        ground.sight(seen(rng, (0.3, -0.2)))
    assert ground.tilt is not None
    for is_there in (False, False, True, False, False):
        ground.confirm(is_there)
    assert ground.tilt is not None
    ground.confirm(False)
    assert ground.tilt is None


@pytest.fixture
def reader() -> Reader:
    return Reader(find_sets(["narrative"]), models_folder=paths.models_folder(), camera_stays=True)


def test_the_upper_face_is_among_those_that_are_sighted(reader: Reader) -> None:
    folder = paths.models_folder()
    classifier = Classifier(Network(folder, "classifier"), folder)
    picture = load_photo(paths.samples_folder() / "roll-6.jpg")
    candidates = [
        v for v in reader.assess(picture, reader.locate(picture)) if v.ranked[0][0] in ("proficiency", "challenge")
    ]
    assert candidates
    for v in candidates:
        shown = faces_in_sight(classifier, picture, v.found, "d12")
        upper = (np.array(v.view.centre) - v.found.middle) / (HEIGHTS["d12"] * v.found.radius)
        assert np.hypot(*(shown.faces - upper).T).min() < 0.1
        assert 1 <= len(shown.faces) <= 7
