"""An unsure die says why: a person who is asked knows where to look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tableside import paths
from tableside.cli.photos import describe
from tableside.dice import DieReading, Doubt, Reading, Status, find_sets
from tableside.reader.classify import View
from tableside.reader.reader import Reader
from tableside.tray.proof import OUT_OF_FOCUS, TOO_FLAT
from tests.reader.test_reader import CERTAIN, reader


@pytest.mark.parametrize(
    ("changes", "status", "doubt"),
    [
        ({}, Status.SURE, None),
        ({"ranked": (("pip", ("3",), 0.5), ("pip", ("2",), 0.4))}, Status.UNSURE, Doubt.FACE),
        ({"leaning": 1.1}, Status.SURE, None),
        ({"leaning": 1.3}, Status.UNSURE, Doubt.LEAN),
        ({"leaning": 9.0}, Status.COCKED, None),
        ({"leaning": 9.0, "side_first": True}, Status.UNSURE, Doubt.LEAN),
        ({"side_first": True}, Status.UNSURE, Doubt.SIDE),
        ({"view": View((4.0, 236.0), 14.0)}, Status.UNSURE, Doubt.EDGE),
        ({"presence": 0.45}, Status.UNSURE, Doubt.FAINT),
        ({"presence": 0.45, "leaning": 1.3}, Status.UNSURE, Doubt.FAINT),
        ({"upper": 0.6}, Status.UNSURE, Doubt.FAINT),
        ({"presence": 0.88, "upper": 0.88}, Status.SURE, None),
        ({"presence": 0.86, "upper": 0.86}, Status.UNSURE, Doubt.FAINT),
    ],
)
def test_why_a_die_is_unsure(changes: dict[str, Any], status: Status, doubt: Doubt | None) -> None:
    pips = reader("pips")
    (die,) = pips.conclude(np.full((480, 640, 3), 90, np.uint8), [replace(CERTAIN, **changes)]).dice
    assert (die.status, die.doubt) == (status, doubt)
    assert die.to_json().get("doubt") == (doubt.value if doubt else None)


def test_a_face_that_light_has_washed_out_says_so() -> None:
    pips = reader("pips")
    (die,) = pips.conclude(np.full((480, 640, 3), 254, np.uint8), [CERTAIN]).dice
    assert die.doubt is Doubt.GLARE


def seen(face: str, status: Status, doubt: Doubt | None = None) -> Reading:
    die = DieReading(
        type="pip", face=(face,), center=(100.0, 100.0), outline=(), confidence=0.95, status=status, doubt=doubt
    )
    return Reading(width=1000, height=750, dice=(die,))


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (seen("5", Status.SURE), ["pip 5 0.950"]),
        (seen("5", Status.COCKED), ["pip 5 0.950 cocked", "Not sure: please check."]),
        (seen("5", Status.UNSURE, Doubt.LEAN), ["pip 5 0.950 unsure: may lean", "Not sure: please check."]),
        (seen("5", Status.UNSURE), ["pip 5 0.950 unsure", "Not sure: please check."]),
        (replace(seen("5", Status.SURE), slant=0.62), ["pip 5 0.950", TOO_FLAT]),
        (replace(seen("5", Status.SURE), slant=0.58), ["pip 5 0.950"]),
        (
            replace(seen("5", Status.UNSURE, Doubt.BLUR), is_blurred=True),
            ["pip 5 0.950 unsure: out of focus", OUT_OF_FOCUS, "Not sure: please check."],
        ),
        (Reading(width=20, height=20, is_blurred=True), [OUT_OF_FOCUS, "Not sure: please check."]),
    ],
)
def test_read_says_why_a_die_is_unsure(reading: Reading, words: list[str]) -> None:
    assert [" ".join(line.split()) for line in describe("a.jpg", reading, "5 = 5.").splitlines()[1:]] == words


@pytest.mark.parametrize(
    ("size", "radius", "camera_stays", "nearer"),
    [
        pytest.param((480, 640), 40.0, False, 1.0, id="large dice"),
        pytest.param((3024, 4032), 10.0, False, 4.0, id="dice of half a hundredth of the width"),
        pytest.param((3024, 4032), 10.0, True, 4.0, id="those below a camera that stays"),
        pytest.param((3024, 4032), None, False, 2.0, id="nothing in a large photograph"),
        pytest.param((3024, 4032), None, True, 1.0, id="nothing below a camera that stays"),
        pytest.param((480, 640), None, False, 1.0, id="nothing in a small photograph"),
    ],
)
def test_how_much_nearer_to_go_is_said_where_dice_may_be_too_small_to_be_seen(
    size: tuple[int, int], radius: float | None, camera_stays: bool, nearer: float
) -> None:
    pips = Reader(find_sets(["pips"]), models_folder=paths.models_folder(), camera_stays=camera_stays)
    dice = [] if radius is None else [replace(CERTAIN, found=replace(CERTAIN.found, radius=radius))]
    reading = pips.conclude(np.full((*size, 3), 90, np.uint8), dice)
    assert reading.nearer == pytest.approx(nearer, rel=0.02)
    assert reading.sure is (nearer == 1.0)
    assert ("nearer" in reading.to_json()) is (nearer > 1)
    assert (f"bring the camera to {100 / nearer:.0f} %" in describe("a.jpg", reading, "")) is (nearer > 1)


def test_a_white_patch_beside_dice_is_a_question_and_one_on_a_die_that_die_s() -> None:
    picture, (x, y) = np.full((480, 640, 3), 90, np.uint8), map(round, CERTAIN.view.centre)
    cv2.circle(picture, (x + 150, y), 40, (255, 255, 255), -1)
    beside = reader("pips").conclude(picture, [CERTAIN])
    assert [die.status for die in beside.dice] == [Status.SURE]
    assert [round(one.center[0]) for one in beside.suspects] == [x + 150]
    cv2.circle(picture, (x + 150, y), 42, (90, 90, 90), -1)
    cv2.circle(picture, (x + 10, y), 20, (255, 255, 255), -1)
    (die,) = reader("pips").conclude(picture, [CERTAIN]).dice
    assert (die.status, die.doubt) == (Status.UNSURE, Doubt.GLARE)
