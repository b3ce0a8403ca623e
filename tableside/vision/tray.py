"""Find the tray in a picture: by printed corner marks, or by its rim. Corners are in shares of width and height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point, Reading
from tableside.vision.photo import Picture

Corners: TypeAlias = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left, in shares of the picture's width and height."""

WHOLE: Corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
MARK_CELLS = 4
MARKS = cv2.aruco.DICT_4X4_50
"""The marks of the printed sheet: numbers 0 to 3, clockwise from the top left."""
_WIDTH_PX = 480
_LEAST_AREA, _MOST_AREA = 0.12, 0.97  # shares of the picture
_LEAST_FILL = 0.9  # of its four-cornered hull: a tray is no blob


def find_marks(picture: Picture) -> Corners | None:
    """Return the corners by the printed marks: of each mark the corner nearest to the tray's middle."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKS))
    marks: dict[int, npt.NDArray[np.float64]] = {}
    for seen in (cv2.GaussianBlur(grey, (3, 3), 0), grey):  # a mark may be found in one and not in the other
        found, numbers, _ = detector.detectMarkers(seen)
        for number, mark in zip(() if numbers is None else np.ravel(numbers), found, strict=True):
            marks[int(number)] = np.asarray(mark, np.float64).reshape(4, 2)
    if not set(range(4)) <= set(marks):
        return None
    middle = np.mean([marks[number].mean(axis=0) for number in range(4)], axis=0)
    inner = [mark[np.argmin(np.linalg.norm(mark - middle, axis=1))] for mark in (marks[n] for n in range(4))]
    return _corners(np.array(inner), picture)


def find_rim(picture: Picture) -> Corners | None:
    """Return the corners of the largest thing with four straight sides, ``None`` where there is none."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (_WIDTH_PX, round(height * _WIDTH_PX / width)), interpolation=cv2.INTER_AREA)
    smooth = cv2.bilateralFilter(small, 7, 40, 7)
    edges = np.zeros(small.shape[:2], np.uint8)
    for channel in cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)):
        level = float(np.median(np.abs(cv2.Sobel(channel, cv2.CV_32F, 1, 0)))) + 12
        edges |= cv2.Canny(channel, level, 3 * level)
    closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    found = [
        corners
        for outline in outlines
        if (corners := _four_sided(np.asarray(outline, np.int32), edges.size)) is not None
    ]
    if not found:
        return None
    # the innermost of several rims one in another is the floor that dice lie on
    largest = max(found, key=lambda corners: float(cv2.contourArea(corners)))
    inner = [c for c in found if float(cv2.contourArea(c)) > 0.6 * float(cv2.contourArea(largest))]
    best = min(inner, key=lambda corners: float(cv2.contourArea(corners)))
    return _corners(best.reshape(4, 2) * (width / _WIDTH_PX), picture)


def find_tray(picture: Picture) -> Corners | None:
    """Return the tray's corners by marks where all four are seen, else by its rim."""
    return find_marks(picture) or find_rim(picture)


def is_inside(place: Point, corners: Corners) -> bool:
    """Tell whether a place, in shares of width and height, lies within the corners."""
    polygon = np.array(corners, np.float32).reshape(-1, 1, 2)
    return bool(cv2.pointPolygonTest(polygon, (float(place[0]), float(place[1])), False) >= 0)


def within(reading: Reading, corners: Corners) -> Reading:
    """Return the reading without what lies outside the tray."""

    def lies_in(center: Point) -> bool:
        return is_inside((center[0] / max(1, reading.width), center[1] / max(1, reading.height)), corners)

    dice = tuple(die for die in reading.dice if lies_in(die.center))
    suspects = tuple(one for one in reading.suspects if lies_in(one.center))
    if len(dice) == len(reading.dice) and len(suspects) == len(reading.suspects):
        return reading
    return replace(reading, dice=dice, suspects=suspects)


@cache
def mask_of(corners: Corners, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Return 1 within the corners, 0 elsewhere, for pictures of this shape."""
    mask = np.zeros(shape[:2], np.uint8)
    points = np.array([(x * shape[1], y * shape[0]) for x, y in corners])
    cv2.fillConvexPoly(mask, np.rint(points).astype(np.int32), 1)
    mask.setflags(write=False)
    return mask


def sheet_svg(*, width_mm: float = 210, height_mm: float = 297, mark_mm: float = 22, margin_mm: float = 10) -> str:
    """Return a printable sheet with a mark in each corner, to be laid into the tray, or cut up and glued to it."""
    dictionary = cv2.aruco.getPredefinedDictionary(MARKS)
    far_x, far_y = width_mm - margin_mm - mark_mm, height_mm - margin_mm - mark_mm
    places = ((margin_mm, margin_mm), (far_x, margin_mm), (far_x, far_y), (margin_mm, far_y))
    cells = MARK_CELLS + 2
    cell = mark_mm / cells
    shapes = []
    for number, (left, top) in enumerate(places):
        bits = cv2.aruco.generateImageMarker(dictionary, number, cells)
        for row, column in np.argwhere(bits == 0):
            x, y = left + column * cell, top + row * cell
            shapes.append(f'<rect x="{x:.3f}" y="{y:.3f}" width="{cell + 0.01:.3f}" height="{cell + 0.01:.3f}"/>')
    words = f"Print at 100 %. The marks are {mark_mm:g} mm wide; keep them flat, white margins and all."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_mm:g}mm" height="{height_mm:g}mm" '
        f'viewBox="0 0 {width_mm:g} {height_mm:g}">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(shapes)
        + f'\n<text x="{width_mm / 2:g}" y="{height_mm / 2:g}" font-family="sans-serif" font-size="5" '
        f'text-anchor="middle">{words}</text>\n</svg>\n'
    )


def _four_sided(outline: npt.NDArray[np.int32], pixels: int) -> npt.NDArray[np.float32] | None:
    hull = cv2.convexHull(outline)
    area = float(cv2.contourArea(hull))
    if not _LEAST_AREA * pixels <= area <= _MOST_AREA * pixels:
        return None
    around = cv2.arcLength(hull, True)
    for share in (0.01, 0.02, 0.03, 0.05, 0.08):
        corners = cv2.approxPolyDP(hull, share * around, True)
        if len(corners) == 4:
            is_full = area >= _LEAST_FILL * float(cv2.contourArea(corners))
            return np.asarray(corners, np.float32) if is_full else None
    return None


def _corners(points: npt.NDArray[np.generic], picture: Picture) -> Corners:
    """Return points in order, as shares of the picture."""
    height, width = picture.shape[:2]
    shares: Sequence[Point] = [
        (min(1.0, max(0.0, float(x) / width)), min(1.0, max(0.0, float(y) / height))) for x, y in points
    ]
    middle = (sum(x for x, _ in shares) / 4, sum(y for _, y in shares) / 4)
    turned = sorted(shares, key=lambda p: np.arctan2(p[1] - middle[1], p[0] - middle[0]))
    first = min(range(4), key=lambda i: turned[i][0] + turned[i][1])
    a, b, c, d = (turned[(first + i) % 4] for i in range(4))
    return (a, b, c, d)
