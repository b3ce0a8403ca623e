"""Invented dice and the batches that they train with. Needs the training extra and typefaces, as training does."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the training extra")
torch = pytest.importorskip("torch", reason="needs the training extra")

from models.render import numbers, single  # noqa: E402
from models.render.invented import invent  # noqa: E402
from models.train import classifier  # noqa: E402
from models.train.crops import store  # noqa: E402
from models.train.gate import share_right  # noqa: E402
from models.train.labels import FACES, TYPES, UNKNOWN  # noqa: E402
from tableside.errors import SettingsError  # noqa: E402
from tests.conftest import ROOT  # noqa: E402

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.fixture(scope="module")
def crops(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("crops")
    for name, invented in (("known", False), ("invented", True)):
        found = [crop for seed in range(12) for crop in single.crops_of((seed, invented, "", False, False, ""))]
        store(folder / f"{name}.npz", single.LABELS, found)
    return {name: folder / f"{name}.npz" for name in ("known", "invented")}


@pytest.mark.parametrize(
    ("kind", "first", "last", "count"),
    [("d6", 1, 6, 6), ("d8", 1, 8, 8), ("d10", 0, 9, 10), ("d12", 1, 12, 12), ("d20", 1, 20, 20), ("d100", 0, 90, 10)],
)
def test_numbered_dice_have_their_usual_numbers(kind: str, first: int, last: int, count: int) -> None:
    faces = [name for (name,) in invent(np.random.default_rng(5), kind).faces]
    numbers = sorted(int(name) for name in faces)
    assert (numbers[0], numbers[-1], len(set(faces))) == (first, last, count)
    assert ("00" in faces) == (kind == "d100")


def test_a_seed_gives_the_same_views_again() -> None:
    first, again = single.crops_of((3, True, "", False, False, "")), single.crops_of((3, True, "", False, False, ""))
    assert all(np.array_equal(x, y) for a, b in zip(first, again, strict=True) for x, y in zip(a, b, strict=True))


def test_known_dice_have_a_face_of_their_type_and_invented_ones_none(crops: dict[str, Path]) -> None:
    known, invented = np.load(crops["known"]), np.load(crops["invented"])
    assert (known["types"] < TYPES.index("other")).all()
    assert (known["faces"] < UNKNOWN).all()
    assert (known["shows"] == -1).all()
    assert (invented["types"] == TYPES.index("other")).all()
    assert (invented["faces"] == UNKNOWN).all()
    assert (np.unique(invented["shows"], return_counts=True)[1] == single.VIEWS).all()


def test_the_upper_face_lies_about_the_middle_within_the_silhouette(crops: dict[str, Path]) -> None:
    for silhouette, top in np.load(crops["known"])["corners"]:
        assert cv2.pointPolygonTest(top, (single.CROP / 2, single.CROP / 2), measureDist=True) > 10
        assert cv2.contourArea(silhouette) > 0.8 * cv2.contourArea(top)  # a round die's corners are drawn in


def test_a_batch_ends_with_twins_of_which_each_die_gives_several(crops: dict[str, Path]) -> None:
    batch, pairs = 24, 8
    data = classifier.Crops([crops["known"]], crops["invented"], steps=2, batch=batch, pairs=pairs, seed=1)
    for step in range(2):
        shows = np.array([data[step * batch + i][5] for i in range(batch)])
        assert (shows[: batch - 2 * pairs] == -1).all()
        twins = shows[batch - 2 * pairs :].reshape(-1, 2)
        assert (twins[:, 0] == twins[:, 1]).all()
        dice = twins[:, 0].reshape(-1, classifier.PER_DIE)
        assert (dice // 32 == dice[:, :1] // 32).all()
        assert (dice[:, 0] != dice[:, 1]).all()


def test_twins_of_one_name_on_two_dice_are_neither_alike_nor_unlike() -> None:
    vectors = torch.nn.functional.normalize(torch.tensor([[1.0, 0], [1, 0.1], [1, 0], [1, 0.1]]), dim=1)
    shows = torch.tensor([5, 5, 9, 9])
    strange, _ = classifier.alike(vectors, shows, torch.tensor([1, 1, 2, 2]))
    shared, _ = classifier.alike(vectors, shows, torch.tensor([1, 1, 1, 1]))
    assert strange > 0.5
    assert shared < 1e-3


def test_what_lies_far_from_every_prototype_is_strange() -> None:
    net = classifier.Classifier().eval()
    _, logits, _ = net(torch.rand(2, 3, classifier.INPUT, classifier.INPUT))
    assert logits.shape == (2, len(FACES))
    assert logits[:, UNKNOWN].tolist() == pytest.approx([classifier.SHARPNESS * classifier.STRANGE] * 2)


def test_a_turned_view_turns_what_the_face_stands_off_its_die() -> None:
    crop = np.zeros((single.CROP, single.CROP, 3), np.uint8)
    rise = np.array([0.3, -0.1])
    lengths = [
        np.linalg.norm(classifier.random_view(crop, 40.0, rise, np.random.default_rng(seed))[1][3:])
        for seed in range(20)
    ]
    assert lengths == pytest.approx([np.linalg.norm(rise)] * 20, rel=0.2)  # but for the shear


def test_a_face_whose_marks_are_not_to_be_seen_is_none_to_learn_but_under_glare() -> None:
    place = np.zeros(5, np.float32)
    plain = np.full((3, classifier.INPUT, classifier.INPUT), 0.5, np.float32)
    marked = plain.copy()
    marked[:, 32:40, 32:40] = 0.2
    assert classifier.is_unseen(plain, place)
    assert not classifier.is_unseen(marked, place)
    assert not classifier.is_unseen(np.full_like(plain, 0.97), place)


def test_a_taught_classifier_keeps_the_shipped_prototypes_and_learns_what_was_said_of_a_view(
    crops: dict[str, Path],
) -> None:
    teacher = classifier.Teacher(ROOT / "models")
    prototypes = teacher.prototypes()
    net = classifier.Classifier((8, 8, 8), prototypes)
    assert np.array_equal(net.prototypes.detach().numpy(), prototypes)
    assert not net.prototypes.requires_grad
    views = classifier.Crops([crops["known"]], crops["invented"], steps=1, batch=12, pairs=2, seed=1, teacher=teacher)
    x, *truths = (
        torch.from_numpy(np.stack([np.asarray(item) for item in part]))
        for part in zip(*map(views.__getitem__, range(12)), strict=True)
    )
    said = truths[-1]
    assert said[:, : classifier.EMBEDDING].norm(dim=1).numpy() == pytest.approx(1, abs=1e-4)
    known = truths[0][:8]
    assert (said[:8, classifier.EMBEDDING :].argmax(1) == known).float().mean() > 0.6  # it is the shipped one's word
    _, alone = classifier.loss_of(net(x), *truths[:-1], said[:, :0])
    _, parts = classifier.loss_of(net(x), *truths)
    assert parts.keys() - alone.keys() == {"taught", "told"}
    echo = (said[:, : classifier.EMBEDDING], *net(x)[1:])
    assert float(classifier.loss_of(echo, *truths)[1]["taught"].detach()) == pytest.approx(0, abs=1e-5)


def test_the_gate_counts_what_the_shipped_classifier_reads_rightly(crops: dict[str, Path]) -> None:
    assert share_right(ROOT / "models", [crops["known"]], views=252) > 0.6
