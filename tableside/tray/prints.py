"""The sheets that are printed, as SVG of their true size: the marks of a tray, and the test card."""

from __future__ import annotations

from html import escape
from pathlib import Path

import cv2
import numpy as np

from tableside.tray.region import MARK_CELLS, MARKS, mark_places

CARD = Path(__file__).with_name("card.svg")
"""The test card with a line of words to fill in. What lies where on it is written in ``tableside.tray.card``."""
_SEAM = 0.01  # mm: cells that only touch show a line between them


def card_svg(words: str = "") -> str:
    """Return the card, with a line of words above."""
    return CARD.read_text(encoding="utf-8").replace("{words}", escape(words))


def marks_svg(
    size_mm: tuple[float, float] = (210, 297), *, mark_mm: float = 22, margin_mm: float = 10, has_words: bool = True
) -> str:
    """Return a sheet with a mark in each corner, to be laid into the tray, or cut up and glued to it."""
    dictionary, cells = cv2.aruco.getPredefinedDictionary(MARKS), MARK_CELLS + 2
    cell, side = mark_mm / cells, mark_mm / cells + _SEAM
    width, height = size_mm
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for number, (left, top) in enumerate(mark_places(size_mm, mark_mm=mark_mm, margin_mm=margin_mm)):
        for row, column in np.argwhere(cv2.aruco.generateImageMarker(dictionary, number, cells) == 0):
            x, y = left + column * cell, top + row * cell
            lines.append(f'<rect x="{x:.3f}" y="{y:.3f}" width="{side:.3f}" height="{side:.3f}"/>')
    if has_words:
        lines.append(
            f'<text x="{width / 2:g}" y="{height / 2:g}" font-family="sans-serif" font-size="5" text-anchor="middle">'
            f"Print at 100 %. The marks are {mark_mm:g} mm wide; keep them flat, white margins and all.</text>"
        )
    return "\n".join([*lines, "</svg>\n"])
