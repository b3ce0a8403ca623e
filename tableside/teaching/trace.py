"""Trace a symbol from a sample into a clean drawing of one colour, for lists and results.

OpenCV finds the outlines, so no tracer has to be installed. Curves are fitted through them here.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice.taught import CROP_RADIUS_PX
from tableside.reader.photo import Picture

_ZOOM = 4  # the outlines of an enlarged picture have no steps
_LEAST_AREA = 0.0015  # of the face: less is a speck
_FACE = 0.8  # of the circumradius; beyond lie edges and the neighbours' symbols
_VIEW = 100.0


def trace_symbol(crop: Picture) -> str | None:
    """Return the ink of a sample as SVG with ``viewBox="0 0 100 100"``, ``None`` where there is none to see."""
    ink = _ink(crop)
    contours, _ = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    face_area = math.pi * (CROP_RADIUS_PX * _ZOOM * _FACE) ** 2
    kept = [c.reshape(-1, 2) for c in contours if cv2.contourArea(c) > _LEAST_AREA * face_area]
    if not kept:
        return None
    points = np.concatenate(kept)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = (_VIEW - 12) / max(float((high - low).max()), 1.0)
    middle = (low + high) / 2
    paths = [_path((outline - middle) * scale + _VIEW / 2) for outline in kept]
    shape = f'<path fill="currentColor" fill-rule="evenodd" d="{" ".join(paths)}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{shape}</svg>\n'


def _ink(crop: Picture) -> npt.NDArray[np.uint8]:
    """Return the ink of the face as 255: what differs from the body's colour, by Otsu's threshold."""
    large = cv2.resize(crop, None, fx=_ZOOM, fy=_ZOOM, interpolation=cv2.INTER_CUBIC)
    lab = cv2.cvtColor(large, cv2.COLOR_BGR2LAB).astype(np.float32)
    y, x = np.mgrid[0 : large.shape[0], 0 : large.shape[1]] - (large.shape[0] / 2 - 0.5)
    face = x**2 + y**2 < (_FACE * CROP_RADIUS_PX * _ZOOM) ** 2
    body = np.median(lab[face], axis=0)
    far = cv2.GaussianBlur(np.linalg.norm(lab - body, axis=2).astype(np.float32), (0, 0), 0.6 * _ZOOM)
    scaled = np.clip(far * 255 / max(float(far[face].max()), 24.0), 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(scaled[face].reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ink = ((scaled > level) & face).astype(np.uint8) * 255
    return np.asarray(_without_rim(cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))), np.uint8)


def _without_rim(ink: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    """Drop what touches the rim of the face and not its middle: edges and neighbouring faces."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(ink, np.uint8))
    size = ink.shape[0]
    y, x = np.mgrid[0:size, 0:size] - (size / 2 - 0.5)
    rim = x**2 + y**2 > ((_FACE - 0.06) * CROP_RADIUS_PX * _ZOOM) ** 2
    inner = x**2 + y**2 < (0.45 * CROP_RADIUS_PX * _ZOOM) ** 2
    kept = np.zeros_like(ink)
    for n in range(1, count):
        part = labels == n
        if not (part & rim).any() or (part & inner).sum() > 0.3 * stats[n, cv2.CC_STAT_AREA]:
            kept[part] = 255
    return kept


def _path(outline: npt.NDArray[np.float64]) -> str:
    """Return a closed outline as SVG curves: smoothed, thinned, joined by quadratic curves through the midpoints."""
    count = len(outline)
    reach = max(1, min(9, count // 24))
    ring = np.concatenate([outline[-reach:], outline, outline[:reach]])
    kernel = np.ones(2 * reach + 1) / (2 * reach + 1)
    smooth = np.stack([np.convolve(ring[:, axis], kernel, "valid") for axis in (0, 1)], axis=1)
    thin = cv2.approxPolyDP(smooth.astype(np.float32).reshape(-1, 1, 2), 0.35, closed=True).reshape(-1, 2)
    if len(thin) < 3:
        thin = smooth[:: max(1, count // 8)].astype(np.float32)
    middles = (thin + np.roll(thin, -1, axis=0)) / 2
    parts = [f"M{_at(middles[-1])}"]
    parts += [f"Q{_at(corner)} {_at(middle)}" for corner, middle in zip(thin, middles, strict=True)]
    return "".join(parts) + "Z"


def _at(point: npt.NDArray[np.generic]) -> str:
    return f"{float(point[0]):.1f} {float(point[1]):.1f}"
