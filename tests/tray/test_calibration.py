"""The tray is found, the light is judged, and what changed later is named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tableside.tray.calibration import Calibration, Drift, Drifting, DriftRules, meters_of, watch_drift
from tableside.tray.prints import marks_svg
from tableside.tray.region import MARKS, find_marks, find_rim, find_tray, is_inside
from tableside.tray.scene import Scene
from tests.fakes.grain import GRAIN
from tests.tray.test_health import room

CORNERS = ((0.12, 0.11), (0.9, 0.14), (0.88, 0.9), (0.1, 0.86))
WIDTH, HEIGHT = 960, 720


def pixels(corners: tuple[tuple[float, float], ...] = CORNERS) -> np.ndarray:
    return np.array([(x * WIDTH, y * HEIGHT) for x, y in corners])


def table(noise: float = 3.0) -> np.ndarray:
    wood = np.full((HEIGHT, WIDTH, 3), (70, 110, 150), np.float32)
    wood += np.sin(np.arange(HEIGHT) / 9)[:, None, None] * 8
    return np.clip(wood + noise * GRAIN[:HEIGHT, :WIDTH], 0, 255).astype(np.uint8)


def with_tray(*, dice: bool = False) -> np.ndarray:
    picture = table()
    cv2.fillConvexPoly(picture, pixels().astype(np.int32), (60, 90, 40), cv2.LINE_AA)
    for x, y in ((300, 300), (500, 420), (620, 240)) if dice else ():
        cv2.rectangle(picture, (x, y), (x + 45, y + 45), (40, 220, 240), -1)
    return picture


def with_marks() -> np.ndarray:
    """Four printed marks whose inner corners are the tray's."""
    picture = table()
    dictionary = cv2.aruco.getPredefinedDictionary(MARKS)
    size = 50
    outward = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    for number, ((x, y), (dx, dy)) in enumerate(zip(pixels().astype(int), outward, strict=True)):
        left, top = (x - size if dx < 0 else x), (y - size if dy < 0 else y)
        mark = cv2.cvtColor(cv2.aruco.generateImageMarker(dictionary, number, size), cv2.COLOR_GRAY2BGR)
        picture[top - 10 : top + size + 10, left - 10 : left + size + 10] = 240
        picture[top : top + size, left : left + size] = mark
    return picture


@pytest.mark.parametrize("dice", [False, True], ids=["empty", "with dice"])
def test_the_rim_of_the_tray_is_found_by_itself(dice: bool) -> None:
    found = find_rim(with_tray(dice=dice))
    assert found is not None
    assert np.abs(np.array(found) - CORNERS).max() < 0.015


def ring(sides: int, wide: float = 1.0, turn: float = 0.3) -> np.ndarray:
    """Return the corners of an even-sided shape, px; of many sides it is an oval."""
    angles = np.arange(sides) * 2 * np.pi / sides + turn
    return np.stack([WIDTH / 2 + 300 * wide * np.cos(angles), HEIGHT / 2 + 300 * np.sin(angles)], 1)


SHAPES = {
    "round": ring(90),
    "oval": ring(90, 1.3),
    "eight-sided": ring(8),
    "six-sided": ring(6),
    "square": ring(4, turn=0.7),
    "five-sided": ring(5),
    "long": np.array([(90, 200), (870, 180), (880, 540), (80, 560)]),
}
FLOORS = {"felt": (60, 90, 40), "black": (16, 16, 18), "leather": (40, 60, 110), "pale": (205, 210, 215)}


@pytest.mark.parametrize("has_rim", [False, True], ids=["flat", "with a rim"])
@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_tray_of_any_convex_shape_is_found(shape: str, floor: str, has_rim: bool) -> None:
    picture = table()
    corners = SHAPES[shape].astype(np.int32)
    if has_rim:
        cv2.polylines(picture, [corners], True, (30, 40, 60), 34, cv2.LINE_AA)
    cv2.fillConvexPoly(picture, corners, FLOORS[floor], cv2.LINE_AA)
    lit = picture * np.linspace(1.1, 0.8, WIDTH)[None, :, None]
    picture = np.clip(lit + 3 * GRAIN[:HEIGHT, :WIDTH], 0, 255).astype(np.uint8)
    found = find_rim(picture)
    assert found is not None
    there, told = np.zeros((HEIGHT, WIDTH), np.uint8), np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillConvexPoly(there, corners, 1)
    cv2.fillConvexPoly(told, pixels(found).astype(np.int32), 1)
    assert np.count_nonzero(there & told) / np.count_nonzero(there | told) > 0.93


@pytest.mark.parametrize("what", ["a bare table", "a band", "stripes", "a shadow"])
def test_what_is_no_tray_all_round_is_refused(what: str) -> None:
    picture = table().astype(np.float32)
    if what == "a band":
        picture[200:520] = (60, 90, 40)
    elif what == "stripes":
        picture[:, 300:340] = picture[:, 640:680] = (40, 40, 40)
    elif what == "a shadow":
        shade = np.ones((HEIGHT, WIDTH), np.float32)
        cv2.circle(shade, (480, 360), 260, 0.75, -1)
        picture *= cv2.GaussianBlur(shade, (0, 0), 40)[:, :, None]
    assert find_rim(picture.astype(np.uint8)) is None


def test_a_set_up_with_a_round_region_survives_being_written_down() -> None:
    region = tuple((float(x) / WIDTH, float(y) / HEIGHT) for x, y in ring(12))
    made = Calibration(camera="c", size_px=(1280, 960), corners=region, meters=meters_of(room()))
    assert Calibration.from_json(made.to_json()).corners == region


def test_printed_marks_give_the_corners_to_a_pixel() -> None:
    found = find_tray(with_marks())
    assert found is not None
    assert np.abs((np.array(found) - CORNERS) * (WIDTH, HEIGHT)).max() < 2


def test_a_bare_table_has_no_tray() -> None:
    assert find_tray(table()) is None


def test_the_printed_sheet_is_found_by_the_camera() -> None:
    svg = marks_svg()
    page = np.full((297 * 4, 210 * 4), 255, np.uint8)
    for part in svg.split("<rect ")[2:]:  # after the white page
        x, y, w, h = (float(part.split(f'{name}="')[1].split('"')[0]) * 4 for name in ("x", "y", "width", "height"))
        page[round(y) : round(y + h), round(x) : round(x + w)] = 0
    found = find_marks(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR))
    assert found[0] == pytest.approx((32 / 210, 32 / 297), abs=0.01)
    assert "100 %" in svg


def test_inside_and_outside_of_the_corners() -> None:
    assert is_inside((0.5, 0.5), CORNERS)
    assert not is_inside((0.05, 0.5), CORNERS)


@pytest.mark.parametrize(
    ("light", "advice"), [(0.2, "Too dark"), (1.0, ""), (2.9, "Too bright")], ids=["dark", "good", "bright"]
)
def test_the_meters_say_what_to_do_about_the_light(light: float, advice: str) -> None:
    assert meters_of(room(light=light)).advice.startswith(advice)
    assert bool(advice) == bool(meters_of(room(light=light)).advice)


def test_a_tray_of_white_paper_is_not_too_bright_while_nothing_of_it_is_lost() -> None:
    assert meters_of(np.full((480, 640, 3), 220, np.uint8)).advice == ""
    assert "Too bright" in meters_of(np.full((480, 640, 3), 240, np.uint8)).advice


def test_the_sharpness_meter_peaks_where_the_lens_is_right() -> None:
    steps = [meters_of(room(blur=blur)).sharpness for blur in (4, 2, 0, 2, 4)]
    assert steps.index(max(steps)) == 2


def test_a_calibration_survives_being_written_down() -> None:
    made = Calibration(
        camera="USB camera 0",
        size_px=(1280, 960),
        corners=CORNERS,
        controls={"exposure_us": 8000},
        meters=meters_of(room()),
    )
    told = made.to_json()
    assert Calibration.from_json(told).to_json() == told


CHANGES = {None: room(), Drift.MOVED: room(shift=24), Drift.FOCUS: room(blur=4), Drift.LIGHT: room(light=0.5)}


@pytest.mark.parametrize("drift", CHANGES, ids=str)
def test_what_changed_since_the_set_up_is_named(drift: Drift | None) -> None:
    rules, empty, known = DriftRules(), Scene.of(room()), Drifting()
    for second in range(5):
        known = watch_drift(known, CHANGES[drift], empty, rules, time=float(second))
    assert known.reported is drift
    for second in range(5, 10):
        known = watch_drift(known, room(), empty, rules, time=float(second))
    assert known.reported is None


def test_one_odd_look_is_not_told() -> None:
    rules, empty = DriftRules(), Scene.of(room())
    known = watch_drift(Drifting(), room(shift=24), empty, rules, time=0.0)
    assert known.reported is None
