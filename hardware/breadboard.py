"""The wiring as it looks on two breadboards of 400 holes, drawn with schemdraw's pictures of parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import schemdraw
import schemdraw.elements as elm
import schemdraw.pictorial as pic
from schemdraw.pictorial import PINSPACING
from schemdraw.segments import Segment, SegmentCircle, SegmentPoly, SegmentText

from hardware.boards import GROUND, Hole, Part, jumpers, layout
from hardware.budget import resistor_ohms
from hardware.pinmap import Wire, ground_pins, header
from hardware.schematic import as_svg
from tableside.adapters.gpio.parts import RGB

_FILLS = {"red": "#dd4433", "green": "#4be317", "blue": "#3892bc"}
_INKS: Mapping[str, Sequence[str]] = {
    "blue": ("#1f5fbf", "#4f8fe0", "#173f80", "#6aa9f0", "#2b77d6"),
    "red": ("#b3261e", "#e0574f", "#7f1a15", "#f0786a", "#c93a30"),
    "green": ("#1b7f3b", "#3fae62", "#0f5a28"),
    "RGB": ("#e07a10", "#8a4b08", "#f2a444"),
    "button": ("#7d3cb5", "#a566d8", "#55267d", "#c493ea"),
}
"""Of the wires to plain lamps of a colour, to RGB lamps and to buttons."""
_HEADER_X = -6.4
_HEADER_STEP = 0.62
_HEADER_ROW = 0.78
_BOARD_GAP = 0.9


class _Header(elm.Element):
    """The Pi's header as one sees it from above, pin 1 at the top left; ``pin1`` to ``pin40`` are its anchors."""

    def __init__(self, used: Mapping[int, Wire], ground: int) -> None:
        super().__init__()
        half = 0.17
        right, foot = _HEADER_STEP + 0.35, -19 * _HEADER_ROW - 0.4
        frame = [(-0.35, 0.4), (right, 0.4), (right, foot), (-0.35, foot)]
        self.segments.append(SegmentPoly(frame, fill="#eef3ee", color="#2f6b3a", lw=1.5, zorder=1))
        for number, name in header().items():
            is_left = number % 2 == 1
            x, y = (0.0 if is_left else _HEADER_STEP), -((number - 1) // 2) * _HEADER_ROW
            is_live = number in used or number == ground
            fill = "#222" if number == ground else "#f2c230" if is_live else "#cfcfcf"
            square = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            self.segments.append(SegmentPoly(square, fill=fill, color="#555", lw=0.8, zorder=3))
            self.anchors[f"pin{number}"] = (x, y)
            name = name.replace("GPIO", "GPIO ")
            words, place, align = (
                (f"{name} · {number}", (x - 0.5, y), "right")
                if is_left
                else (f"{number} · {name}", (x + 0.5, y), "left")
            )
            ink = "#000" if is_live else "#999"
            self.segments.append(SegmentText(place, words, fontsize=9.5, align=(align, "center"), zorder=4, color=ink))


class _Lamp(elm.Element):
    """A lamp seen from above: the upper leg is the anode, marked +; the flat side is the cathode's, the lower leg."""

    def __init__(self, fill: str) -> None:
        super().__init__()
        for row in range(2):
            y = -row * PINSPACING
            self.segments.append(Segment([(0, y), (0.4, (y - PINSPACING / 2) / 2)], color="#a0a0a0", lw=4, zorder=4))
        middle = (0.62, -PINSPACING / 2)
        self.segments.append(SegmentCircle(middle, 0.3, fill=fill, color="#555", lw=1, zorder=5))
        flat = middle[1] - 0.24
        self.segments.append(Segment([(middle[0] - 0.2, flat), (middle[0] + 0.2, flat)], color="#333", lw=3, zorder=6))
        self.segments.append(SegmentText((0.16, 0.13), "+", fontsize=11, align=("center", "center"), zorder=6))


class _Button(elm.Element):
    """A 6 mm push button across the middle; it joins the upper left leg to the lower right one."""

    def __init__(self, width: float) -> None:
        super().__init__()
        high = 2 * PINSPACING
        for y in (0.0, -high):
            self.segments.append(Segment([(0, y), (width, y)], color="#a0a0a0", lw=4, zorder=2))
        corners = [(0.18, 0.16), (width - 0.18, 0.16), (width - 0.18, -high - 0.16), (0.18, -high - 0.16)]
        self.segments.append(SegmentPoly(corners, fill="#333", color="#111", lw=1, zorder=3))
        self.segments.append(SegmentCircle((width / 2, -high / 2), 0.26, fill="#777", color="#111", lw=1, zorder=4))


class _RgbLamp(elm.Element):
    """An RGB lamp with four legs in four rows: red, the longest (the cathode), green, blue."""

    def __init__(self) -> None:
        super().__init__()
        middle = (0.72, -1.5 * PINSPACING)
        for row in range(4):
            end = (middle[0] - 0.2, middle[1] - (row - 1.5) * 0.16)
            self.segments.append(Segment([(0, -row * PINSPACING), end], color="#a0a0a0", lw=4, zorder=4))
        self.segments.append(SegmentCircle(middle, 0.32, fill="#e5e5e5", color="#555", lw=1, zorder=5))
        for place, colour in enumerate(RGB):
            at = (middle[0], middle[1] + 0.17 - 0.17 * place)
            self.segments.append(SegmentCircle(at, 0.07, fill=_FILLS[colour], color="none", lw=0, zorder=6))


def breadboard(wires: Sequence[Wire]) -> bytes:
    """Return the picture as SVG. Rows are counted from the top of each board, as printed on it."""
    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    parts = layout(wires)
    with schemdraw.Drawing(show=False, fontsize=11) as drawing:
        drawing.config(bgcolor="white", margin=0.6, font="DejaVu Sans, Arial, sans-serif")
        height = 3.3 * pic.pictorial.INCH
        boards = [pic.Breadboard().at((0, -number * (height + _BOARD_GAP))) for number in range(2)]
        for board in boards:
            drawing += board
        ground = next(pin for pin in ground_pins() if pin % 2 == 0)
        used = {wire.pin: wire for wire in wires}
        middle = -(2 * height + _BOARD_GAP) / 2 + 9.5 * _HEADER_ROW
        drawing += (pins := _Header(used, ground).at((_HEADER_X, middle)))
        drawing += (
            elm.Label()
            .at((_HEADER_X + _HEADER_STEP / 2, middle - 19 * _HEADER_ROW - 1.1))
            .label("Raspberry Pi, header seen from above", fontsize=10, halign="center", valign="top")
        )
        inks = _inks(wires)
        for part in parts:
            _draw_part(drawing, part, boards[part.board])
            for wire in part.wires:
                _draw_wire(drawing, pins, boards[part.board], wire, part.row_of(wire), inks[wire.gpio])
        _draw_grounds(drawing, pins, boards, parts, ground)
    return as_svg(drawing)


def _inks(wires: Sequence[Wire]) -> dict[int, str]:
    found: dict[int, str] = {}
    drawn: Counter[str] = Counter()
    for wire in wires:
        kind = "RGB" if wire.is_rgb else wire.colour or "button"
        found[wire.gpio] = _INKS[kind][drawn[kind] % len(_INKS[kind])]
        drawn[kind] += 1
    return found


def _draw_wire(
    drawing: schemdraw.Drawing, pins: _Header, board: pic.Breadboard, wire: Wire, row: int, ink: str
) -> None:
    """Draw a wire: out of the header past its labels, across, and into hole A of its row."""
    start = getattr(pins, f"pin{wire.pin}")
    end = getattr(board, f"A{row}")
    drop = 0.31 if wire.pin % 2 else 0.47  # below the words of its row; an odd pin's wire passes between even ones
    places = [start, (start[0] + 0.28, start[1] - drop), (pins.pin2[0] + 2.1, start[1] - drop)]
    places += [(end[0] - 1.75, end[1]), end]
    for one, other in pairwise(places):
        drawing += elm.Line().at(one).to(other).color(ink).linewidth(2.2).zorder(2)
    drawing += elm.Dot(radius=0.09).at(end).color(ink).zorder(6)


def _draw_part(drawing: schemdraw.Drawing, part: Part, board: pic.Breadboard) -> None:
    for wire in part.wires:
        if wire.is_lamp:
            row = part.row_of(wire)
            drawing += (
                pic.Resistor(resistor_ohms(wire.kind), 5)
                .at(getattr(board, f"E{row}"))
                .to(getattr(board, f"F{row}"))
                .zorder(1)
            )
    first = part.wires[0]
    at = getattr(board, f"G{part.row}")
    if part.is_rgb:
        drawing += _RgbLamp().at(at)
        title = f"{first.title.removesuffix(' red')} (RGB)"
    elif first.is_lamp:
        drawing += _Lamp(_FILLS[first.colour]).at(at)
        title = first.title
    else:
        start, end = getattr(board, f"E{part.row}"), getattr(board, f"F{part.row}")
        drawing += _Button(end[0] - start[0]).at(start)
        title = first.title
    right = getattr(board, f"J{part.row}")[0] + 2.0
    middle = (at[1] + getattr(board, f"G{part.ground_row}")[1]) / 2
    numbers = "/".join(str(wire.gpio) for wire in part.wires)
    drawing += (
        elm.Label().at((right, middle)).label(f"{title} · GPIO {numbers}", loc="right", halign="left", fontsize=11)
    )


def _at(boards: Sequence[pic.Breadboard], hole: Hole) -> tuple[float, float]:
    """Return where a hole is."""
    place = getattr(boards[hole[0]], hole[1])
    return (place[0], place[1])


def _draw_grounds(
    drawing: schemdraw.Drawing, pins: _Header, boards: Sequence[pic.Breadboard], parts: Sequence[Part], pin: int
) -> None:
    for ends in jumpers(parts):
        start, end = (_at(boards, hole) for hole in ends)
        drawing += elm.Line().at(start).to(end).color("#111").linewidth(2.2).zorder(4)
        for place in (start, end):
            drawing += elm.Dot(radius=0.08).at(place).color("#111").zorder(6)
    start, rail = getattr(pins, f"pin{pin}"), _at(boards, GROUND)
    top = boards[0].A1[1] + 1.15
    low = start[1] - 0.47
    path = [start, (start[0] + 0.28, low), (pins.pin2[0] + 2.1, low), (pins.pin2[0] + 2.4, top), (rail[0], top), rail]
    for one, other in pairwise(path):
        drawing += elm.Line().at(one).to(other).color("#111").linewidth(2.2).zorder(2)
    drawing += elm.Dot(radius=0.09).at(rail).color("#111").zorder(6)
    drawing += elm.Label().at((rail[0] + 0.9, top)).label("ground", loc="right", halign="left", fontsize=11)
