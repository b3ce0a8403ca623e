"""A small drawing board: ink added and scraped off in unit coordinates, y up."""

from __future__ import annotations

import cv2
import numpy as np

Rng = np.random.Generator
SIZE = 256
_OVER = 2  # drawn larger, then averaged down
_UNIT = 0.36  # one unit as a share of the board: room for whatever sticks out


def polar(radius: float | np.ndarray, degrees: float | np.ndarray) -> np.ndarray:
    """Return the point or points at a distance and an angle counted from the right, against the clock."""
    angle = np.radians(degrees)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1)


def curve(a: np.ndarray, control: np.ndarray, b: np.ndarray, steps: int = 18) -> np.ndarray:
    """Return points of a quadratic Bezier curve."""
    t = np.linspace(0, 1, steps)[:, None]
    return (1 - t) ** 2 * np.asarray(a) + 2 * t * (1 - t) * np.asarray(control) + t**2 * np.asarray(b)


class Pen:
    """Draws one glyph."""

    def __init__(self) -> None:
        self._board = np.zeros((SIZE * _OVER, SIZE * _OVER), np.uint8)

    def _px(self, points: np.ndarray) -> np.ndarray:
        side = SIZE * _OVER
        flipped = np.asarray(points, float).reshape(-1, 2) * (1, -1) * _UNIT * side + side / 2
        return np.round(flipped * 16).astype(np.int32)

    def fill(self, points: np.ndarray, ink: int = 255) -> Pen:
        cv2.fillPoly(self._board, [self._px(points)], ink, cv2.LINE_AA, 4)
        return self

    def disc(self, x: float, y: float, radius: float, ink: int = 255) -> Pen:
        return self.fill(polar(radius, np.linspace(0, 360, 97)[:-1]) + (x, y), ink)

    def ring(self, x: float, y: float, radius: float, width: float) -> Pen:
        """Draw a ring of outer ``radius``; what lay inside it stays."""
        return self.stroke(polar(radius - width / 2, np.linspace(0, 360, 97)[:-1]) + (x, y), width, closed=True)

    def stroke(
        self, points: np.ndarray, width: float, *, closed: bool = False, ink: int = 255, round_ends: bool = True
    ) -> Pen:
        """Draw a line of constant width."""
        line = np.asarray(points, float)
        if closed:
            line = np.vstack([line, line[:1]])
        for a, b in zip(line[:-1], line[1:], strict=True):
            along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
            side = np.array([-along[1], along[0]]) * width / 2
            self.fill(np.array([a + side, b + side, b - side, a - side]), ink)
        joints = line if round_ends or closed else line[1:-1]
        for x, y in joints:
            self.fill(polar(width / 2, np.linspace(0, 360, 25)[:-1]) + (x, y), ink)
        return self

    def soften(self, radius: float) -> Pen:
        """Round every corner by about ``radius`` units."""
        sigma = radius * _UNIT * SIZE * _OVER
        if sigma > 0.3:
            blurred = cv2.GaussianBlur(self._board, (0, 0), sigma).astype(np.float32)
            self._board = np.clip((blurred - 127) * max(sigma * 0.5, 1.0) + 127, 0, 255).astype(np.uint8)
        return self

    def thicken(self, width: float) -> Pen:
        """Widen all ink by ``width`` units each side, or thin it where negative."""
        cells = round(abs(width) * _UNIT * SIZE * _OVER)
        if cells:
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * cells + 1, 2 * cells + 1))
            self._board = (cv2.dilate if width > 0 else cv2.erode)(self._board, kernel)
        return self

    def done(self) -> np.ndarray:
        """Return the (SIZE, SIZE) mask, ink 255, moved and scaled so that the ink spans the board from edge to edge."""
        rows, columns = np.nonzero(self._board > 60)
        if len(rows) == 0:
            raise ValueError("the glyph has no ink")
        x0, x1, y0, y1 = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        scale = (SIZE - 4) / max(x1 - x0, y1 - y0)
        matrix = np.array(
            [[scale, 0, SIZE / 2 - scale * (x0 + x1) / 2], [0, scale, SIZE / 2 - scale * (y0 + y1) / 2]], np.float64
        )
        small = cv2.GaussianBlur(self._board, (0, 0), max(0.45 / scale, 0.3))
        return cv2.warpAffine(small, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR)
