"""Cameras of training pictures. Needs the drawing extra, as drawing does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the drawing extra")

from models.render.camera import Camera, camera

WIDTH, HEIGHT = 720, 540


def field_of_view(cam: Camera) -> float:
    """Return how many degrees the camera sees across."""
    return 2 * float(np.degrees(np.arctan(WIDTH / 2 / cam.focal)))


def off_straight_down(cam: Camera) -> float:
    """Return the most degrees off straight down at which a corner of the picture looks."""
    corners = [((x - cam.cx) / cam.focal, (y - cam.cy) / cam.focal, 1.0) for x in (0, WIDTH) for y in (0, HEIGHT)]
    rays = np.array(corners) @ cam.view
    return float(np.degrees(np.arccos(-rays[:, 2] / np.linalg.norm(rays, axis=1))).max())


def cameras(span_cm: float, **how: bool) -> list[Camera]:
    return [camera(np.random.default_rng(seed), WIDTH, HEIGHT, span_cm, **how) for seed in range(300)]


def test_wide_cameras_see_what_phones_and_pi_cameras_see() -> None:
    seen = [field_of_view(cam) for cam in cameras(40, wide=True)]
    assert min(seen) > 50
    assert max(seen) < 100
    assert np.mean([62 <= angle <= 75 for angle in seen]) > 0.2
    assert max(field_of_view(cam) for cam in cameras(40)) < 54


@pytest.mark.parametrize("how", [{"wide": True}, {"steep": True}, {"wide": True, "steep": True}])
def test_no_corner_of_a_wide_or_steep_picture_looks_at_the_horizon(how: dict[str, bool]) -> None:
    assert max(off_straight_down(cam) for cam in cameras(40, **how)) < 77


def test_steep_cameras_look_as_from_a_seat() -> None:
    tilts = [np.degrees(np.arccos(-cam.view[2, 2])) for cam in cameras(40, steep=True)]
    assert min(tilts) > 25
    assert max(tilts) > 48


def test_wide_cameras_stay_as_far_off_as_phones_focus() -> None:
    assert min(np.linalg.norm(cam.eye) for cam in cameras(7, wide=True)) > 10.99
