"""The wiring as a schematic, drawn with schemdraw from the program's own pin map."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

import schemdraw
import schemdraw.elements as elm

from hardware.budget import resistor_ohms
from hardware.pinmap import Wire, ground_pins
from tableside.adapters.gpio.parts import Lamp

INK = {"red": "#b3261e", "green": "#1b7f3b", "blue": "#1f5fbf"}
_STEP = 1.3
_BUTTONS = "Buttons (the pull-up is inside the Pi)"


def schematic(wires: Sequence[Wire]) -> bytes:
    """Return the schematic as SVG: each circuit from its pin to ground, lamps of the points left, the rest right."""
    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    groups: dict[str, list[Wire]] = {}
    for wire in wires:
        groups.setdefault(_heading(wire), []).append(wire)
    left = [(title, group) for title, group in groups.items() if group[0].is_point]
    right = [(title, group) for title, group in groups.items() if not group[0].is_point]
    with schemdraw.Drawing(show=False, fontsize=12, unit=2.2) as drawing:
        drawing.config(bgcolor="white", font="DejaVu Sans, Arial, sans-serif")
        for place, column in enumerate(one for one in (left, right) if one):
            _column(drawing, 13.0 * place, column)
    return as_svg(drawing)


def _heading(wire: Wire) -> str:
    if not isinstance(wire.part, Lamp):
        return _BUTTONS
    return f"{wire.part.heading} (RGB, common cathode)" if wire.is_rgb else wire.part.heading


def as_svg(drawing: schemdraw.Drawing) -> bytes:
    """Return a drawing as a short SVG."""
    # build123d, when imported later, gives the namespace a prefix, and schemdraw's words would not be found any more
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    return shortened(drawing.get_imagedata("svg"))


def shortened(svg: bytes) -> bytes:
    """Return an SVG with numbers cut to two places, finer than one can see, and each repeated style written once."""
    text = re.sub(r"-?\d+\.\d{3,}", lambda found: f"{round(float(found[0]), 2):g}", svg.decode())
    head, body = re.split(r"(?<=[^?])>", text[text.index("<svg") :], maxsplit=1)
    styles: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        return f'class="{styles.setdefault(found[1], f"s{len(styles)}")}"'

    body = re.sub(r'style="([^"]*)"', named, body.replace(" />", "/>").replace("stroke-dasharray:-;", ""))
    rules = "".join(f".{name}{{{style}}}" for style, name in styles.items())
    style = f"<style>{rules}</style>" if rules else ""
    return f"{head}>{style}{body.strip()}\n".encode()


def _column(drawing: schemdraw.Drawing, x: float, groups: Sequence[tuple[str, list[Wire]]]) -> None:
    y = 0.0
    rail = x + 7.2
    top: float | None = None
    for title, group in groups:
        drawing += elm.Label().at((x - 2.9, y)).label(title, loc="right", halign="left", fontsize=13, color="#333")
        for wire in group:
            y -= _STEP
            top = y if top is None else top
            _circuit(drawing, wire, x, y, rail)
        y -= _STEP
    bottom = y + _STEP
    drawing += elm.Line().at((rail, top or 0.0)).to((rail, bottom - 0.6))
    drawing += elm.Ground().at((rail, bottom - 0.6))
    grounds = ", ".join(str(pin) for pin in ground_pins())
    words = elm.Label().at((rail - 0.5, bottom - 0.85))
    drawing += words.label(f"ground: any of the pins {grounds}", loc="left", halign="right", fontsize=10.5)


def _circuit(drawing: schemdraw.Drawing, wire: Wire, x: float, y: float, rail: float) -> None:
    drawing += elm.Tag(width=2.9, height=0.62).at((x, y)).left().label(wire.label, fontsize=10.5)
    if wire.is_lamp:
        drawing += (
            elm.Resistor().at((x, y)).right().scale(0.8).length(2.0).label(f"{resistor_ohms(wire.kind)} Ω", fontsize=9)
        )
        lamp = elm.LED().at((x + 2.0, y)).right().length(2.0).color(INK[wire.colour])
        drawing += lamp
        start = x + 4.0
    else:
        drawing += elm.Line().at((x, y)).right().length(1.2)
        drawing += elm.Button().at((x + 1.2, y)).right().length(2.0)
        start = x + 3.2
    drawing += elm.Line().at((start, y)).to((rail, y))
    drawing += elm.Dot().at((rail, y))
    words = elm.Label().at((start + 0.1, y + 0.1))
    drawing += words.label(wire.title, loc="right", halign="left", valign="bottom", fontsize=10.5)
