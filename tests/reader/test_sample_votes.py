"""Samples of shipped dice make what they show likelier, within bounds, and leave the rest alone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tableside.reader.classify import Prediction, View
from tableside.reader.prototypes import TaughtType
from tableside.reader.sample_votes import SampleVotes

SUCCESS, THREAT, NEW = ("success",), ("threat",), ("advantage",)
READINGS = [("own", SUCCESS), ("own", NEW), ("own", THREAT), ("another", SUCCESS)]
CALLED = np.array([0.6, 0.4], np.float32)
TYPES = np.array([0.6, 0.6, 0.6, 0.4], np.float32)
FACES = np.array([0.4, 0.1, 0.4, 0.4], np.float32)
BODY = np.array([50.0, 10.0, 10.0, 0.0], np.float32)
TYPICAL = BODY + 2 * np.array([1, 0, 0, 0], np.float32)  # two spreads off, as the mean die of four measures is


OWN = TaughtType(
    name="own",
    faces=(SUCCESS, THREAT),
    vectors=np.eye(2, 4, dtype=np.float32),
    face_at=np.array([0, 1]),
    cosine_threshold=0.7,
    slope=40.0,
    shown=3.0,
    cosine_scale=15.0,
    signature=np.array([0.9, 0.1], np.float32),
    body=BODY,
    body_spread=np.ones(4, np.float32),
    thresholds=np.full(2, 0.99, np.float32),
)


def look(success: float, threat: float) -> Prediction:
    rest = math.sqrt(max(0.0, 1 - success**2 - threat**2))
    embedding = np.array([success, threat, rest, 0], np.float32)
    none = np.zeros(3, np.float32)
    return Prediction(View((0.0, 0.0), 10.0), none, none, embedding, 0.0, none)


def weighed(success: float, threat: float, body: np.ndarray = TYPICAL) -> tuple[np.ndarray, np.ndarray]:
    types, faces = SampleVotes([OWN], READINGS).apply(TYPES, FACES, CALLED, [look(success, threat)], body)
    return types / TYPES, faces / FACES


def test_the_face_of_a_near_sample_is_likelier_and_that_of_a_far_one_less_likely() -> None:
    _, faces = weighed(0.8, 0.6)
    assert faces[0] > 1 > faces[2]
    assert list(faces[[1, 3]]) == [1, 1]


@pytest.mark.parametrize(("success", "threat"), [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
def test_no_sample_says_more_than_its_bounds(success: float, threat: float) -> None:
    _, faces = weighed(success, threat)
    assert faces.max() <= math.exp(2) + 1e-4
    assert faces.min() >= math.exp(-1) - 1e-4


def test_a_look_as_near_as_other_faces_are_says_nothing() -> None:
    _, faces = weighed(0.7, 0.7)
    assert faces == pytest.approx(1, abs=1e-4)


def test_a_body_like_the_samples_speaks_for_the_type_and_another_leaves_half_of_it() -> None:
    like, _ = weighed(0.7, 0.7, BODY)
    unlike, _ = weighed(0.7, 0.7, BODY + 40)
    assert like[0] > 1.3
    assert unlike[0] == pytest.approx(0.5, abs=1e-3)
    assert like[3] == unlike[3] == 1


def test_a_die_that_the_network_names_as_it_named_the_samples_is_of_their_type() -> None:
    strange = np.array([0.02, 0.98], np.float32)  # it calls these dice by another name, as it did when they were shown
    mine = SampleVotes([replace(OWN, signature=strange)], READINGS)
    types, _ = mine.apply(strange[[0, 0, 0, 1]], FACES, strange, [look(0.7, 0.7)], TYPICAL)
    assert types[0] > 0.4
