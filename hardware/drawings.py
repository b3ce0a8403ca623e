"""Drawings of the printed parts and of the whole, projected by build123d: three views with measures, one oblique."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from build123d import Compound, Edge, ExportSVG, LineType, Pos, Shape, Vector

from hardware.schematic import shortened

_FAR = 4000.0  # of the eye, so that the views are almost parallel projections
_GAP = 28.0
_EYES: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "from above": ((0, 0, 1), (0, 1, 0)),
    "from the front": ((0, -1, 0), (0, 0, 1)),
    "from the right": ((1, 0, 0), (0, 0, 1)),
    "oblique": ((0.8, -1, 0.8), (0, 0, 1)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """One view, its lower left corner at the origin of its own plane."""

    title: str
    seen: Sequence[Edge]
    hidden: Sequence[Edge]
    width: float
    height: float


def drawing(shape: Shape, *, title: str) -> bytes:
    """Return a drawing as SVG at 1:1, in millimetres."""
    above, front, side, oblique = (_view(shape, name) for name in _EYES)
    rows = [(front, 0.0, 0.0), (side, front.width + 2 * _GAP, 0.0)]
    up = max(front.height, side.height) + 2 * _GAP
    rows += [(above, 0.0, up), (oblique, above.width + 2 * _GAP, up)]
    return _svg(rows, title, has_measures=True)


def picture(shape: Shape, *, title: str) -> bytes:
    """Return the oblique view alone."""
    return _svg([(_view(shape, "oblique"), 0.0, 0.0)], title, has_measures=False)


def _view(shape: Shape, name: str) -> _View:
    direction, up = _EYES[name]
    middle = shape.bounding_box().center()
    eye = middle + Vector(*direction).normalized() * _FAR
    seen, hidden = shape.project_to_viewport(tuple(eye), viewport_up=up, look_at=tuple(middle))
    box = Compound(children=list(seen)).bounding_box()
    move = Pos(-box.min.X, -box.min.Y, 0)
    is_oblique = name == "oblique"
    return _View(
        title=name,
        seen=[move * edge for edge in seen],
        hidden=[] if is_oblique else [move * edge for edge in hidden],
        width=box.size.X,
        height=box.size.Y,
    )


def _svg(rows: Sequence[tuple[_View, float, float]], title: str, *, has_measures: bool) -> bytes:
    exporter = ExportSVG(margin=_GAP)
    exporter.add_layer("hidden", line_color=(170, 170, 170), line_weight=0.25, line_type=LineType.ISO_DASH)
    exporter.add_layer("measures", line_color=(70, 110, 180), line_weight=0.25)
    exporter.add_layer("seen", line_color=(0, 0, 0), line_weight=0.5)
    words = []
    for view, x, y in rows:
        for layer, edges in (("hidden", view.hidden), ("seen", view.seen)):
            if edges:
                exporter.add_shape([Pos(x, y, 0) * edge for edge in edges], layer=layer)
        if has_measures:
            words.append((x, y + view.height + 5, view.title, "start", 0))
        if has_measures and view.title != "oblique":
            below, left = y - 6, x - 6
            exporter.add_shape(_measure((x, below), (x + view.width, below)), layer="measures")
            exporter.add_shape(_measure((left, y), (left, y + view.height)), layer="measures")
            words.append((x + view.width / 2, below - 5.5, f"{view.width:.1f}", "middle", 0))
            words.append((left - 2.5, y + view.height / 2, f"{view.height:.1f}", "middle", -90))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "drawing.svg"
        exporter.write(path)
        text = path.read_text(encoding="utf-8")
    lines = [
        f'<text transform="translate({x:.1f} {-y:.1f}) rotate({turn})" text-anchor="{anchor}">{said}</text>'
        for x, y, said, anchor, turn in words
    ]
    top = max(y + view.height for view, _, y in rows) + 16
    if has_measures:
        lines.append(f'<text x="0" y="{-top:.1f}" font-weight="bold">{title} (millimetres)</text>')
    group = f'<g font-family="DejaVu Sans, Arial, sans-serif" font-size="5.5">{"".join(lines)}</g></svg>'
    return shortened(text.replace("</svg>", group).encode())


def _measure(start: tuple[float, float], end: tuple[float, float]) -> list[Edge]:
    """Return a line with a tick at each end."""
    (a, b), (c, d) = start, end
    tick = (0.0, 1.5) if b == d else (1.5, 0.0)
    lines = [Edge.make_line((a, b, 0), (c, d, 0))]
    for x, y in (start, end):
        lines.append(Edge.make_line((x - tick[0], y - tick[1], 0), (x + tick[0], y + tick[1], 0)))
    return lines
