"""The corner marks as PDF, for paper of either size: the very sheet that ``tableside calibrate --sheet`` writes.

The first page is laid into any tray; the second holds the marks of the printed tray, to be cut out and glued on.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from xml.etree import ElementTree

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from hardware.sizes import Sizes
from tableside.tray.prints import marks_svg

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
_APART = 55.0  # from the paper's edge to the marks that are cut out
_SVG = "{http://www.w3.org/2000/svg}"


def corner_marks(paper: str, sizes: Sizes) -> bytes:
    """Return both pages as PDF; the same bytes each time."""
    width, height = PAPERS[paper]
    kept = io.BytesIO()
    canvas = Canvas(kept, pagesize=(width * mm, height * mm), invariant=True)
    canvas.setTitle("tableside: corner marks")
    canvas.setAuthor("tableside")
    _draw(canvas, marks_svg((width, height)), height)
    canvas.showPage()
    _draw(canvas, marks_svg((width, height), mark_mm=sizes.mark_mm, margin_mm=_APART), height)
    _cut_lines(canvas, width, height, sizes)
    canvas.showPage()
    canvas.save()
    return kept.getvalue()


def _draw(canvas: Canvas, svg: str, height: float) -> None:
    root = ElementTree.fromstring(svg)
    canvas.setFillGray(0)
    for rect in root.findall(f"{_SVG}rect")[1:]:  # the first is the paper
        x, y, wide, high = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        canvas.rect(x * mm, (height - y - high) * mm, wide * mm, high * mm, stroke=0, fill=1)
    for words in root.findall(f"{_SVG}text"):
        canvas.setFont("Helvetica", float(words.attrib["font-size"]) * mm * 0.8)
        canvas.drawCentredString(
            float(words.attrib["x"]) * mm, (height - float(words.attrib["y"])) * mm, words.text or ""
        )


def _cut_lines(canvas: Canvas, width: float, height: float, sizes: Sizes) -> None:
    white = (sizes.corner_mm - sizes.mark_mm) / 2
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(0.2 * mm)
    low, side = _APART - white, sizes.corner_mm
    for x in (low, width - low - side):
        for y in (low, height - low - side):
            canvas.rect(x * mm, y * mm, side * mm, side * mm, stroke=1, fill=0)
    canvas.setFont("Helvetica", 4 * mm)
    canvas.drawCentredString(
        width / 2 * mm,
        (height / 2 - 9) * mm,
        "Cut along the grey lines; glue each mark to the corner it is nearest to here.",
    )
