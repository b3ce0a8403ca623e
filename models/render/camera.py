"""The camera of an invented photograph: near or far, straight down or at a tilt; a phone's or Pi's usual lens where wide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator
_WIDE, _NEAREST_CM = (0.45, 1.05), 11.0  # distances over the span that is seen; nearer by, phones do not focus
_SEATED, _STEEPEST = (26, 52), 76.0  # degrees off straight down: of the camera, of what a picture's corner shows


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera above the table plane z = 0; units cm and pixels."""

    eye: np.ndarray
    view: np.ndarray
    focal: float
    cx: float
    cy: float

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return (n, 2) pixels of (n, 3) points."""
        local = (np.atleast_2d(points) - self.eye) @ self.view.T
        return local[:, :2] / local[:, 2:3] * self.focal + (self.cx, self.cy)

    def packed(self) -> np.ndarray:
        return np.array([*self.eye, self.focal, self.cx, self.cy])


def camera(
    rng: Rng, width: int, height: int, span_cm: float, *,
    distance: float | None = None, wide: bool = False, steep: bool = False,
) -> Camera:  # fmt: skip
    """Invent a camera that sees ``span_cm`` across, from near or far, straight down or at a tilt.

    :param wide: it sees what phones and Pi cameras see without a crop, most of them 62 to 70 degrees across and one
        model 102; else at most 53. :param steep: as somebody who sits at the table sees it.
    """
    if distance is None:
        distance = span_cm * float(np.exp(rng.uniform(np.log(1.0), np.log(4.0))))
        if wide:
            distance = max(span_cm * float(np.exp(rng.uniform(*np.log(_WIDE)))), _NEAREST_CM)
    tilt = np.radians(rng.choice([rng.uniform(0, 6), rng.uniform(4, 18), rng.uniform(15, 38)], p=[0.45, 0.4, 0.15]))
    if steep:
        tilt = np.radians(rng.uniform(*_SEATED))
    if wide or steep:  # no corner looks at the horizon
        tilt = min(tilt, np.radians(_STEEPEST) - np.arctan2(0.5 * span_cm * np.hypot(1, height / width), distance))
    azimuth = rng.uniform(0, 2 * np.pi)
    back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    forward = -back
    right = np.cross(forward, [np.cos(azimuth), np.sin(azimuth), 0.3] if tilt < 0.02 else [0, 0, 1])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    spin = rng.uniform(0, 2 * np.pi)
    right, down = np.cos(spin) * right + np.sin(spin) * down, -np.sin(spin) * right + np.cos(spin) * down
    return Camera(back * distance, np.stack([right, down, forward]), width * distance / span_cm, width / 2, height / 2)


def on_table(cam: Camera, x: float, y: float) -> np.ndarray:
    ray = np.array([(x - cam.cx) / cam.focal, (y - cam.cy) / cam.focal, 1.0]) @ cam.view
    return (cam.eye - ray * cam.eye[2] / ray[2])[:2]
