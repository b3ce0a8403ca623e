"""Numbers as masks: each asset set has its own faces of type."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.pathtrace.pen import SIZE, Pen, Rng, polar

STYLES = {"train": ("inter", "hershey", "hershey-bold"), "held-out": ("mono", "strokes-round", "strokes-square")}
_FILES = {"inter": "Inter.woff2", "mono": "DejaVuSansMono.woff2"}


def _arc(x: float, y: float, rx: float, ry: float, start: float, stop: float) -> list[np.ndarray]:
    return list(polar(1.0, np.linspace(start, stop, 20)) * (rx, ry) + (x, y))


def _paths(digit: str) -> list[list[np.ndarray]]:
    """Centre lines in a box 1 wide and 2 tall round the origin."""
    a = [np.array(p) for p in ((-0.5, 1), (0.5, 1), (-0.5, 0), (0.5, 0), (-0.5, -1), (0.5, -1))]
    return {
        "0": [_arc(0, 0, 0.52, 1, 90, 450)],
        "1": [[np.array((-0.35, 0.6)), np.array((0.08, 1)), np.array((0.08, -1))]],
        "2": [[*_arc(0, 0.45, 0.5, 0.55, 165, -35), a[4], a[5]]],
        "3": [_arc(-0.05, 0.5, 0.5, 0.5, 150, -90) + _arc(-0.05, -0.5, 0.55, 0.5, 90, -150)],
        "4": [[np.array((0.2, -1)), np.array((0.2, 1)), np.array((-0.55, -0.4)), np.array((0.55, -0.4))]],
        "5": [
            [
                np.array((0.45, 1)),
                np.array((-0.4, 1)),
                np.array((-0.45, 0.12)),
                *_arc(-0.05, -0.4, 0.55, 0.6, 115, -145),
            ]
        ],
        "6": [[*_arc(0.5, -0.4, 1.0, 1.4, 95, 180)], _arc(0, -0.45, 0.5, 0.55, 0, 360)],
        "7": [[a[0], a[1], np.array((-0.15, -1))]],
        "8": [_arc(0, 0.5, 0.42, 0.48, -90, 270), _arc(0, -0.5, 0.52, 0.52, 90, 450)],
        "9": [[*_arc(-0.5, 0.4, 1.0, 1.4, -85, 0)], _arc(0, 0.45, 0.5, 0.55, 0, 360)],
    }[digit]


def _strokes(text: str, width: float, square: bool, narrow: float) -> np.ndarray:
    pen, step = Pen(), 1.0 * narrow + width + 0.18
    for i, digit in enumerate(text):
        x = (i - (len(text) - 1) / 2) * step
        for path in _paths(digit):
            line = np.array(path) * (narrow, 1.0)
            if square:
                line = np.round(line * 5) / 5 * 0.5 + line * 0.5
            pen.stroke((line + (x, 0)) * 0.6, width * 0.6)
    return pen.done()


def _hershey(text: str, thick: int, font: int) -> np.ndarray:
    board = np.zeros((600, 900), np.uint8)
    cv2.putText(board, text, (60, 450), font, 12, 255, thick, cv2.LINE_AA)
    return _trim(board)


def _trim(board: np.ndarray) -> np.ndarray:
    x, y, w, h = cv2.boundingRect((board > 60).astype(np.uint8))
    scale = (SIZE - 4) / max(w, h)
    small = cv2.resize(board[y : y + h, x : x + w], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    out = np.zeros((SIZE, SIZE), np.uint8)
    top, left = (SIZE - small.shape[0]) // 2, (SIZE - small.shape[1]) // 2
    out[top : top + small.shape[0], left : left + small.shape[1]] = small
    return out


def _typeset(text: str, file: str, heavier: float) -> np.ndarray:
    """Set the text with a typeface that comes with Blender."""
    import bpy

    path = Path(bpy.utils.system_resource("DATAFILES")) / "fonts" / file
    text_curve = bpy.data.curves.new("text", "FONT")
    text_curve.font = bpy.data.fonts.load(str(path), check_existing=True)
    text_curve.body, text_curve.offset = text, heavier
    holder = bpy.data.objects.new("text", text_curve)
    mesh = holder.to_mesh()
    points = np.empty(len(mesh.vertices) * 3)
    mesh.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3)[:, :2]
    board = np.zeros((900, 1500), np.uint8)
    for polygon in mesh.polygons:
        corners = points[list(polygon.vertices)] * (700, -700) + (100, 700)
        cv2.fillPoly(board, [np.round(corners * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    holder.to_mesh_clear()
    bpy.data.objects.remove(holder)
    bpy.data.curves.remove(text_curve)
    return _trim(cv2.morphologyEx(board, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)))


def write(text: str, style: str, rng: Rng) -> np.ndarray:
    """Return the (SIZE, SIZE) mask of a number upright; the longer side spans the board."""
    if style in _FILES:
        return _typeset(text, _FILES[style], float(rng.uniform(0.0, 0.03)))
    if style.startswith("hershey"):
        font = cv2.FONT_HERSHEY_DUPLEX if style.endswith("bold") else cv2.FONT_HERSHEY_SIMPLEX
        return _hershey(text, int(rng.integers(28, 44) if style.endswith("bold") else rng.integers(18, 30)), font)
    return _strokes(text, float(rng.uniform(0.2, 0.36)), style.endswith("square"), float(rng.uniform(0.8, 1.1)))
