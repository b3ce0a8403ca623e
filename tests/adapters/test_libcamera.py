"""The stand-in for libcamera has nothing that the real binding has not, and refuses what a sensor would not take."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fakes import libcamera
from tests.fakes.libcamera.camera import Camera

NAMES = json.loads((Path(libcamera.__file__).parent / "names.json").read_text(encoding="utf-8"))
"""Dumped from the binding of libcamera 0.7.1, Debian's python3-libcamera of trixie-backports."""


def told(holder: Any) -> Iterator[tuple[str, str]]:
    """Yield names and types of controls or properties."""
    for name, value in vars(holder).items():
        if isinstance(value, libcamera.ControlId):
            yield name, str(value.type)


@pytest.mark.parametrize(
    ("holder", "key"),
    [(libcamera.controls, "controls"), (libcamera.controls.draft, "draft"), (libcamera.properties, "properties")],
    ids=["controls", "draft", "properties"],
)
def test_controls_have_the_types_of_the_real_ones(holder: Any, key: str) -> None:
    ours = dict(told(holder))
    assert ours
    assert ours.items() <= NAMES[key].items()


def test_enumerations_have_the_values_of_the_real_ones() -> None:
    for name, value in vars(libcamera.controls).items():
        if isinstance(value, type) and issubclass(value, enum.IntEnum) and value is not enum.IntEnum:
            ours = {one.name: one.value for one in value}
            assert ours.items() <= NAMES["enums"][name].items(), name


def test_it_has_no_class_that_the_real_one_has_not() -> None:
    assert set(libcamera.__all__) <= set(NAMES["top"])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("AnalogueGain", 99.0, "not within"),
        ("ExposureTime", 1.5, "whole number"),
        ("ExposureTime", 0, "not within"),
        ("ColourGains", 1.5, "wants 2 values"),
        ("AeEnable", 0.5, "true or false"),
        ("LensPosition", "near", "wants a number"),
    ],
)
def test_a_value_that_no_sensor_takes_is_a_violation(name: str, value: object, words: str) -> None:
    camera = Camera(lambda _number, width, height: np.zeros((height, width, 3), np.uint8))
    camera.create_request(0).set_control(getattr(libcamera.controls, name), value)
    assert len(camera.violations) == 1
    assert words in camera.violations[0]
    assert name not in camera.applied
