"""What is made of a taught set's samples, by a network that sees nothing but colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from tableside import teaching
from tableside.dice import Face, find_sets
from tableside.dice.taught import CROP_PX, Sample, Source, Taught
from tableside.reader.classify import Classifier, Prediction, View
from tableside.teaching.measure import Measured, fingerprint, measure

RED, GREEN, BLUE = (0, 0, 200), (0, 200, 0), (200, 0, 0)
ONE, TWO = ("one",), ("two",)


class Colours:
    """Stands for the classifier: the embedding of a view is the colour of the picture's middle."""

    cosine_scale = 10.0
    network = "colours"

    def predict(self, picture: np.ndarray, views: Sequence[View]) -> list[Prediction]:
        colour = picture[CROP_PX // 2, CROP_PX // 2].astype(np.float32)
        embedding = colour / np.linalg.norm(colour)
        types, nothing = np.array([1, 0], np.float32), np.zeros(3, np.float32)
        return [Prediction(view, types, nothing, embedding, 0.0, nothing) for view in views]


def taught(*shown: tuple[Face, tuple[int, int, int]]) -> Taught:
    pips = find_sets(["pips"])[0]
    kind = replace(pips.types[0], name="die", faces=tuple(dict.fromkeys(face for face, _ in shown)))
    samples = []
    for i, (face, colour) in enumerate(shown):
        _, jpeg = cv2.imencode(".jpg", np.full((CROP_PX, CROP_PX, 3), colour, np.uint8))
        sample = Sample(id=str(i), type="die", face=face, source=Source.PHOTO, origin="", at=0, shape=1.0)
        samples.append(replace(sample, jpeg=jpeg.tobytes()))
    return Taught(dice_set=replace(pips, types=(kind,), taught=True), samples=tuple(samples))


def told(*shown: tuple[Face, tuple[int, int, int]]) -> Measured:
    return measure(taught(*shown), cast(Classifier, Colours()))


def test_samples_of_one_face_are_drawn_together() -> None:
    (kind,) = told((ONE, RED), (TWO, GREEN), (ONE, BLUE)).types
    assert list(kind.face_at) == [0, 0, 1]
    red, blue, green = kind.vectors
    between = np.array([1, 0, 1]) / np.sqrt(2)
    assert red[2] > blue[2] > 0.2
    assert min(red @ between, blue @ between) > 0.9
    assert green @ [0, 1, 0] > 0.999, "the only sample of its face stays where it is"
    assert np.allclose(np.linalg.norm(kind.vectors, axis=1), 1, atol=1e-5)


def test_a_sample_is_judged_without_what_it_lends_to_others_of_its_face() -> None:
    both = (50, 200, 60)
    one, two = told((ONE, RED), (ONE, BLUE), (TWO, both)).faces
    assert (one.face, one.samples, one.nearest) == (ONE, 2, TWO)
    assert one.right == 0, "red and blue are nothing alike, and two is a little like each"
    assert two.right == 1


def test_two_samples_that_agree_tell_their_face() -> None:
    one, two = told((ONE, RED), (ONE, (20, 10, 180)), (TWO, GREEN)).faces
    assert one.right == two.right == 1
    assert one.margin > 0.9


def test_the_only_face_that_was_shown_is_never_sure() -> None:
    (alone,) = told((ONE, RED), (ONE, RED)).types
    (with_another,) = told((ONE, RED), (TWO, GREEN)).types
    assert alone.thresholds.min() > 1 > with_another.thresholds.max(), "other sides may look alike"


def test_a_face_that_was_often_confirmed_at_the_table_is_sure_earlier_and_one_that_was_often_shown_is_not() -> None:
    def thresholds(photographs: int, *, confirmed: int) -> list[float]:
        """Return those of two faces, of which people said so often that a thrown die shows the first."""
        shown = taught(*[(ONE, RED), (TWO, GREEN)] * photographs)
        said = [
            replace(one, source=Source.CORRECTION) if one.face == ONE and int(one.id) < 2 * confirmed else one
            for one in shown.samples
        ]
        (kind,) = measure(replace(shown, samples=tuple(said)), cast(Classifier, Colours())).types
        return [round(float(one), 2) for one in kind.thresholds]

    shown, often = thresholds(3, confirmed=0), thresholds(5, confirmed=4)
    assert shown[0] == shown[1] == often[1] > often[0] > 0.5
    assert thresholds(5, confirmed=3) == thresholds(5, confirmed=0) == shown


def test_what_a_sample_was_once_taken_for_raises_the_threshold_of_that_face_alone() -> None:
    (kind,) = told(*[(ONE, RED), (TWO, GREEN)] * 6, (TWO, (10, 20, 200))).types
    one, two = kind.thresholds
    assert one > 0.9 > two


def test_a_taught_set_is_measured_anew_for_its_samples_and_never_for_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    classifier = cast(Classifier, Colours())
    before = fingerprint(taught((ONE, RED)), classifier)
    monkeypatch.setattr(teaching.measure, "__doc__", "Other words.")
    assert fingerprint(taught((ONE, RED)), classifier) == before
    assert fingerprint(taught((ONE, RED), (ONE, RED)), classifier) != before
