"""Draw a reading over its picture."""

from __future__ import annotations

import cv2
import numpy as np

from tableside.dice import Point, Reading, Status, face_name
from tableside.reader.photo import Picture

COLOURS = {Status.SURE: (80, 220, 80), Status.UNSURE: (0, 190, 255), Status.COCKED: (255, 120, 220)}
_SUSPECT = (60, 60, 255)


def draw_overlay(picture: Picture, reading: Reading) -> Picture:
    """Return a copy of the picture with each die outlined and named; doubt is said by colour and by a question mark."""
    out = picture.copy()
    unit = max(picture.shape[:2]) / 1280
    for die in reading.dice:
        colour = COLOURS[die.status]
        mark = {Status.SURE: "", Status.UNSURE: "? ", Status.COCKED: "cocked "}[die.status]
        draw_outline(out, die.outline, colour)
        cv2.circle(out, _pixel(die.center), max(2, round(3 * unit)), colour, -1, cv2.LINE_AA)
        _label(
            out,
            die.outline,
            [f"{mark}{die.type}", f"{face_name(die.face)} {die.confidence:.2f}"],
            colour,
            unit,
        )
    for suspect in reading.suspects:
        draw_outline(out, suspect.outline, _SUSPECT)
        _label(out, suspect.outline, [f"a die? {suspect.confidence:.2f}"], _SUSPECT, unit)
    return out


def draw_outline(out: Picture, outline: tuple[Point, ...], colour: tuple[int, int, int]) -> None:
    """Draw a line round a find into the picture."""
    width = max(1, round(max(out.shape[:2]) / 640))
    cv2.polylines(out, [np.round(np.array(outline)).astype(np.int32)], True, colour, width, cv2.LINE_AA)


def _pixel(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _label(
    out: Picture, outline: tuple[Point, ...], lines: list[str], colour: tuple[int, int, int], unit: float
) -> None:
    x = round(min(point[0] for point in outline))
    y = round(max(point[1] for point in outline) + 14 * unit)
    for line in lines:
        for ink, width in (((0, 0, 0), 3), (colour, 1)):
            cv2.putText(
                out,
                line,
                (x, y),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.45 * unit,
                ink,
                max(1, round(width * unit)),
                cv2.LINE_AA,
            )
        y += round(16 * unit)
