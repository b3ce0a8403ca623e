"""Tray, mast, arm, the Pi's holder and panel as solids, built with build123d from :class:`hardware.sizes.Sizes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from build123d import Part

from hardware.enclosure.holder import holder
from hardware.enclosure.mast import arm, foot, segment
from hardware.enclosure.panel import panel
from hardware.enclosure.tray import strap, tray_half
from hardware.sizes import Sizes

Maker: TypeAlias = Callable[[Sizes], Part]

PARTS: Mapping[str, tuple[Maker, int]] = {
    "tray-left": (lambda sizes: tray_half(sizes, is_left=True), 1),
    "tray-right": (lambda sizes: tray_half(sizes, is_left=False), 1),
    "strap": (strap, 1),
    "foot": (foot, 1),
    "mast": (segment, 2),
    "arm": (arm, 1),
    "holder": (holder, 1),
    "panel": (panel, 1),
}
"""How each part is made, and how many of it are printed. A part lies where it belongs in the whole, but the arm, whose
height depends on the camera, and the panel, which stands for itself."""
