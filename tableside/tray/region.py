"""Find the tray in a picture: by printed corner marks, or by its rim.

The tray is a convex region of any shape, given by its corners in shares of width and height. In doubt no tray is found,
since a wrong region would hide dice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point, Reading
from tableside.reader.photo import Picture

Region: TypeAlias = tuple[Point, ...]
"""Corners of a convex region, clockwise from the one nearest to the top left, in shares of width and height."""

Marks: TypeAlias = dict[int, npt.NDArray[np.float64]]
"""The corners of printed marks in px, clockwise from each mark's own top left, by the mark's number."""

WHOLE: Region = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
MARK_CELLS = 4
MARKS = cv2.aruco.DICT_4X4_50
"""The marks of a printed sheet. Those of a tray are numbers 0 to 3, clockwise from the top left."""
_WIDTH_PX = 480
_LEAST_AREA, _MOST_AREA = 0.12, 0.97  # shares of the picture
_LEAST_FILL = 0.93  # share of its convex hull that a tray fills
_AS_LARGE = 0.97  # share of the hull that the polygon in its place must have
MOST_POINTS = 24
"""A region has at most so many corners; sixteen draw a round tray to a hundredth of its width."""
_MARGIN = 0.02  # of the distance from the middle
_STEPS = (2, 4)  # levels of CIELAB from one px to the next that are no edge
_SAMPLES, _ACROSS, _STEP = 160, 7.0, 9.0  # points of the outline, px to both sides of it, levels of CIELAB
_CONVINCING, _SEEN = 0.9, 0.7  # of the outline: so much is an edge, and so much is in the picture


def marks_of(picture: Picture) -> Marks:
    """Return every printed mark that is seen."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKS))
    marks: Marks = {}
    for seen in (cv2.GaussianBlur(grey, (3, 3), 0), grey):  # a mark may be found in one and not in the other
        found, numbers, _ = detector.detectMarkers(seen)
        for number, mark in zip(() if numbers is None else np.ravel(numbers), found, strict=True):
            marks[int(number)] = np.asarray(mark, np.float64).reshape(4, 2)
    return marks


def mark_places(size_mm: tuple[float, float], *, mark_mm: float, margin_mm: float) -> tuple[Point, ...]:
    """Return the top left corners of a sheet's four marks, in mm from the sheet's own, clockwise from there."""
    far_x, far_y = (side - margin_mm - mark_mm for side in size_mm)
    return ((margin_mm, margin_mm), (far_x, margin_mm), (far_x, far_y), (margin_mm, far_y))


def find_marks(picture: Picture, marks: Marks | None = None) -> Region | None:
    """Return the corners by the printed marks. Of each mark it is the corner nearest to the tray's middle.

    :param marks: those of the picture, where somebody has looked for them.
    """
    marks = marks_of(picture) if marks is None else marks
    if not set(range(4)) <= set(marks):
        return None
    middle = np.mean([marks[number].mean(axis=0) for number in range(4)], axis=0)
    inner = [mark[np.argmin(np.linalg.norm(mark - middle, axis=1))] for mark in (marks[n] for n in range(4))]
    return region_of(np.array(inner), picture)


def find_rim(picture: Picture) -> Region | None:
    """Return the region of the largest convex thing whose whole outline is seen, ``None`` where there is none."""
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (_WIDTH_PX, round(height * _WIDTH_PX / width)), interpolation=cv2.INTER_AREA)
    lab = np.asarray(cv2.cvtColor(cv2.bilateralFilter(small, 7, 40, 7), cv2.COLOR_BGR2LAB), np.uint8)
    outlines = [outline for mask in (_within_edges(lab), *_floods(lab)) for outline in _outlines(mask)]
    shapes = [shape for outline in outlines if (shape := _shape(outline, lab.shape[:2])) is not None]
    found = [shape for shape in shapes if _is_convincing(shape, lab)]
    if not found:
        return None
    # of several rims inside one another, the innermost is the floor that dice lie on
    largest = max(float(cv2.contourArea(shape)) for shape in found)
    inner = [shape for shape in found if float(cv2.contourArea(shape)) > 0.6 * largest]
    best = min(inner, key=lambda shape: float(cv2.contourArea(shape)))
    points = best.reshape(-1, 2)
    grown = points + (points - points.mean(axis=0)) * _MARGIN  # dice that lean on the wall are in the tray
    return region_of(grown * (width / _WIDTH_PX), picture)


def find_tray(picture: Picture, marks: Marks | None = None) -> Region | None:
    """Return the tray's corners by marks where all four are seen, else by its rim."""
    return find_marks(picture, marks) or find_rim(picture)


def region_of(points: npt.NDArray[np.generic], picture: Picture) -> Region:
    """Return points in order, as shares of the picture."""
    height, width = picture.shape[:2]
    shares: Sequence[Point] = [
        (min(1.0, max(0.0, float(x) / width)), min(1.0, max(0.0, float(y) / height))) for x, y in points
    ]
    middle = (sum(x for x, _ in shares) / len(shares), sum(y for _, y in shares) / len(shares))
    turned = sorted(shares, key=lambda p: np.arctan2(p[1] - middle[1], p[0] - middle[0]))
    first = min(range(len(turned)), key=lambda i: turned[i][0] + turned[i][1])
    return (*turned[first:], *turned[:first])


def is_inside(place: Point, corners: Region) -> bool:
    """Return whether a place, in shares of width and height, lies within the corners."""
    polygon = np.array(corners, np.float32).reshape(-1, 1, 2)
    return bool(cv2.pointPolygonTest(polygon, (float(place[0]), float(place[1])), False) >= 0)


def within(reading: Reading, corners: Region) -> Reading:
    """Return the reading without what lies outside the tray."""

    def lies_in(center: Point) -> bool:
        return is_inside((center[0] / max(1, reading.width), center[1] / max(1, reading.height)), corners)

    dice = tuple(die for die in reading.dice if lies_in(die.center))
    suspects = tuple(one for one in reading.suspects if lies_in(one.center))
    if len(dice) == len(reading.dice) and len(suspects) == len(reading.suspects):
        return reading
    return replace(reading, dice=dice, suspects=suspects)


@cache
def mask_of(corners: Region, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """Return 1 within the corners, 0 elsewhere, for pictures of this shape."""
    mask = np.zeros(shape[:2], np.uint8)
    points = np.array([(x * shape[1], y * shape[0]) for x, y in corners])
    cv2.fillConvexPoly(mask, np.rint(points).astype(np.int32), 1)
    mask.setflags(write=False)
    return mask


def _within_edges(lab: Picture) -> npt.NDArray[np.uint8]:
    """Return the edges of all three colour planes, with small gaps closed."""
    edges = np.zeros(lab.shape[:2], np.uint8)
    for channel in cv2.split(lab):
        level = float(np.median(np.abs(cv2.Sobel(channel, cv2.CV_32F, 1, 0)))) + 12
        edges |= np.asarray(cv2.Canny(channel, level, 3 * level), np.uint8)
    return np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)


def _floods(lab: Picture) -> list[npt.NDArray[np.uint8]]:
    """Return the areas of even colour around several places near the middle."""
    height, width = lab.shape[:2]
    soft = cv2.medianBlur(lab, 7)
    found = []
    for x, y in ((0.5, 0.5), (0.38, 0.42), (0.62, 0.42), (0.5, 0.62)):
        for step in _STEPS:
            mask = np.zeros((height + 2, width + 2), np.uint8)
            flags = 4 | cv2.FLOODFILL_MASK_ONLY | (255 << 8)
            cv2.floodFill(soft, mask, (round(x * width), round(y * height)), 0, (step,) * 3, (step,) * 3, flags)
            opened = cv2.morphologyEx(mask[1:-1, 1:-1], cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
            found.append(np.asarray(opened, np.uint8))
    return found


def _outlines(mask: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.int32]]:
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return [np.asarray(outline, np.int32) for outline in outlines]


def _shape(outline: npt.NDArray[np.int32], size: tuple[int, int]) -> npt.NDArray[np.float32] | None:
    """Return the outline as a simple convex polygon, ``None`` where it is not convex or its size does not fit."""
    hull = cv2.convexHull(outline)
    area, pixels = float(cv2.contourArea(hull)), size[0] * size[1]
    if not _LEAST_AREA * pixels <= area <= _MOST_AREA * pixels or float(cv2.contourArea(outline)) < _LEAST_FILL * area:
        return None
    around = cv2.arcLength(hull, True)
    for share in (0.08, 0.05, 0.03, 0.02, 0.015, 0.01, 0.006):
        corners = cv2.convexHull(cv2.approxPolyDP(hull, share * around, True))
        if 4 <= len(corners) <= MOST_POINTS and float(cv2.contourArea(corners)) > _AS_LARGE * area:
            return np.asarray(corners, np.float32)
    return None


def _is_convincing(shape: npt.NDArray[np.float32], lab: Picture) -> bool:
    """Return whether the colours differ across the outline on all sides."""
    height, width = lab.shape[:2]
    points = shape.reshape(-1, 2)
    steps = np.linspace(0, 1, _SAMPLES, endpoint=False)
    ends = np.concatenate([points, points[:1]])
    lengths = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    along = np.concatenate([[0], np.cumsum(lengths)]) / lengths.sum()
    at = np.stack([np.interp(steps, along, ends[:, axis]) for axis in (0, 1)], 1)
    outward = at - points.mean(axis=0)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True) + 1e-9
    inside, outside = at - _ACROSS * outward, at + _ACROSS * outward
    is_seen = ((outside >= 0) & (outside < (width, height))).all(axis=1)
    ends_of_it = np.count_nonzero(is_seen & ~np.roll(is_seen, -1))
    if np.mean(is_seen) < _SEEN or ends_of_it > 1:  # the picture may cut off one side of a tray, but no more
        return False
    colours = [
        lab[np.clip(p[:, 1], 0, height - 1).astype(int), np.clip(p[:, 0], 0, width - 1).astype(int)].astype(np.float32)
        for p in (inside, outside)
    ]
    differs = (np.linalg.norm(colours[0] - colours[1], axis=1) > _STEP) | ~is_seen
    return float(differs.mean()) > _CONVINCING and all(float(arc.mean()) > 0.5 for arc in np.array_split(differs, 8))


def is_convex(corners: Region) -> bool:
    """Tell whether corners go once round a convex tray, clockwise."""
    turns, round_it = [], 0.0
    count = len(corners)
    for n in range(count):
        (ax, ay), (bx, by), (cx, cy) = corners[n], corners[(n + 1) % count], corners[(n + 2) % count]
        across, along = (bx - ax) * (cy - by) - (by - ay) * (cx - bx), (bx - ax) * (cx - bx) + (by - ay) * (cy - by)
        turns.append(across)
        round_it += math.atan2(across, along)
    return all(turn > 1e-6 for turn in turns) and round_it < 3 * math.pi  # a star goes round twice
