"""Lamps: how a room lights the table. Strengths are chosen by the light that falls on the table's middle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from models.pathtrace.pen import Rng

Eye = np.ndarray


def _warmth(kelvin: float) -> tuple[float, float, float]:
    """Return the linear colour of a glowing body, brightest channel 1 (rough fit)."""
    red = np.interp(kelvin, [1800, 2700, 4000, 5500, 6500, 9000], [1, 1, 1, 1, 1, 0.78])
    green = np.interp(kelvin, [1800, 2700, 4000, 5500, 6500, 9000], [0.32, 0.55, 0.78, 0.92, 0.97, 0.86])
    blue = np.interp(kelvin, [1800, 2700, 4000, 5500, 6500, 9000], [0.05, 0.2, 0.5, 0.83, 0.98, 1])
    return float(red), float(green), float(blue)


def _world(colour: Any, strength: float, gradient: tuple[float, float] | None = None, turn: float = 0.0) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    background = tree.nodes["Background"]
    background.inputs[0].default_value = (*colour, 1)
    background.inputs[1].default_value = float(strength)
    if gradient is not None:
        place = tree.nodes.new("ShaderNodeTexCoord")
        mapping = tree.nodes.new("ShaderNodeMapping")
        mapping.inputs["Rotation"].default_value = (float(gradient[0]), 0, turn)
        split = tree.nodes.new("ShaderNodeSeparateXYZ")
        ramp = tree.nodes.new("ShaderNodeMapRange")
        ramp.inputs["From Min"].default_value, ramp.inputs["From Max"].default_value = -0.3, 1.0
        ramp.inputs["To Min"].default_value, ramp.inputs["To Max"].default_value = (
            0.1 * strength,
            gradient[1] * strength,
        )
        tree.links.new(place.outputs["Generated"], mapping.inputs[0])
        tree.links.new(mapping.outputs[0], split.inputs[0])
        tree.links.new(split.outputs[2], ramp.inputs[0])
        tree.links.new(ramp.outputs[0], background.inputs[1])


def _lamp(
    kind: str,
    place: np.ndarray,
    light: float,
    colour: Any,
    size: float,
    *,
    wide: float | None = None,
    aim: Any = (0, 0, 0),
) -> Any:
    """Add a lamp that gives about ``light`` on a table facing it."""
    distance = float(np.linalg.norm(place))
    data = bpy.data.lights.new("lamp", kind)
    data.color = colour
    data.energy = float(light * distance**2 * (np.pi**2 if kind == "AREA" else 4 * np.pi**2))
    if kind == "AREA":
        data.shape = "RECTANGLE" if wide else "DISK"
        data.size = size
        if wide:
            data.size_y = wide
    else:
        data.shadow_soft_size = size
    made = bpy.data.objects.new("lamp", data)
    made.location = tuple(float(v) for v in place)
    made.rotation_euler = Vector(np.array(aim) - place).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(made)
    return made


def _spot(rng: Rng, low: float, high: float, slope: tuple[float, float]) -> np.ndarray:
    height, angle = rng.uniform(low, high), rng.uniform(0, 2 * np.pi)
    away = height * rng.uniform(*slope)
    return np.array([away * np.cos(angle), away * np.sin(angle), height])


def ring(rng: Rng, _eye: Eye) -> None:
    """A glowing ring on the ceiling."""
    radius, place = rng.uniform(14, 45), _spot(rng, 60, 160, (0, 0.7))
    colour = _warmth(rng.uniform(3000, 6500))
    count = 10
    for k in range(count):
        angle = 2 * np.pi * k / count
        at = place + radius * np.array([np.cos(angle), np.sin(angle), 0])
        _lamp("AREA", at, 1.0 / count, colour, radius * 0.6, aim=at * (1, 1, 0))
    _world(colour, rng.uniform(0.05, 0.35))


def window(rng: Rng, _eye: Eye) -> None:
    """Daylight from one side and a dim room."""
    place = _spot(rng, 50, 130, (0.8, 2.2))
    _lamp(
        "AREA",
        place,
        rng.uniform(0.8, 1.3),
        _warmth(rng.uniform(5500, 9000)),
        rng.uniform(60, 120),
        wide=rng.uniform(80, 160),
    )
    _world(_warmth(rng.uniform(4000, 7000)), rng.uniform(0.1, 0.5))


def desk(rng: Rng, _eye: Eye) -> None:
    """A small near lamp with hard shadows."""
    _lamp("POINT", _spot(rng, 25, 70, (0.2, 1.4)), 1.0, _warmth(rng.uniform(2600, 4500)), rng.uniform(0.8, 4))
    _world(_warmth(rng.uniform(3000, 6000)), rng.uniform(0.04, 0.25))


def flash(rng: Rng, eye: Eye) -> None:
    """The telephone's own light beside its lens."""
    place = eye + np.array([*rng.uniform(-1.5, 1.5, 2), 0])
    _lamp("AREA", place, rng.uniform(0.7, 1.3), _warmth(rng.uniform(5000, 6500)), 0.6, aim=place * (0.3, 0.3, 0))
    _world(_warmth(rng.uniform(2700, 5000)), rng.uniform(0.08, 0.5))


def two_bulbs(rng: Rng, _eye: Eye) -> None:
    """Two bulbs of different colour."""
    for light in (rng.uniform(0.5, 0.8), rng.uniform(0.2, 0.5)):
        _lamp("POINT", _spot(rng, 50, 140, (0.1, 1.3)), light, _warmth(rng.uniform(2400, 6500)), rng.uniform(2, 7))
    _world(_warmth(rng.uniform(3000, 6500)), rng.uniform(0.05, 0.3))


def candle(rng: Rng, _eye: Eye) -> None:
    """Low, very warm, one or more flames."""
    for _ in range(int(rng.integers(1, 4))):
        _lamp(
            "POINT",
            _spot(rng, 18, 45, (0.6, 1.6)),
            rng.uniform(0.3, 0.7),
            _warmth(rng.uniform(1800, 2400)),
            rng.uniform(0.8, 2),
        )
    _world(_warmth(rng.uniform(2000, 3200)), rng.uniform(0.06, 0.25))


def sky(rng: Rng, _eye: Eye) -> None:
    """Outdoors or a conservatory: light from everywhere, one side brighter."""
    _world(
        _warmth(rng.uniform(5000, 9000)),
        rng.uniform(0.6, 1.0),
        (rng.uniform(0.0, 1.1), 1.8),
        float(rng.uniform(0, 6.3)),
    )
    if rng.random() < 0.4:
        _lamp("POINT", _spot(rng, 200, 300, (0.2, 1.2)), rng.uniform(0.5, 1.6), _warmth(5500), 3.0)


def tubes(rng: Rng, _eye: Eye) -> None:
    """Long strips overhead."""
    angle, colour = rng.uniform(0, np.pi), _warmth(rng.uniform(3800, 6500))
    middle = _spot(rng, 80, 180, (0, 0.6))
    count = int(rng.integers(1, 4))
    for k in range(count):
        at = middle + (k - (count - 1) / 2) * rng.uniform(25, 50) * np.array([-np.sin(angle), np.cos(angle), 0])
        made = _lamp("AREA", at, 0.9 / count, colour, 100.0, wide=5.0, aim=at * (1, 1, 0))
        made.rotation_euler = (0, 0, float(angle))
    _world(colour, rng.uniform(0.06, 0.35))


Setter = Callable[[Rng, Eye], None]
LAMPS: dict[str, dict[str, Setter]] = {
    "train": {"ring": ring, "window": window, "desk": desk, "flash": flash},
    "held-out": {"two bulbs": two_bulbs, "candle": candle, "sky": sky, "tubes": tubes},
}


def glare_panel(rng: Rng, eye: Eye) -> None:
    """A bright panel that mirrors in the flat upper faces."""
    place = eye * (-1, -1, 1) * rng.uniform(1.1, 1.8) + np.array([*rng.normal(0, 6, 2), 0])
    _lamp(
        "AREA",
        place,
        rng.uniform(0.4, 1.4),
        _warmth(rng.uniform(3500, 6500)),
        rng.uniform(5, 22),
        wide=rng.uniform(5, 22),
    )


def shade_board(rng: Rng, reach: float) -> None:
    """A hard-edged thing between lamp and table that the camera does not see."""
    from models.pathtrace.nodes import mesh_object

    height, angle = rng.uniform(14, 30), rng.uniform(0, 2 * np.pi)
    side, near = np.array([np.cos(angle), np.sin(angle)]), rng.uniform(-0.6, 0.9) * reach
    along = np.array([-side[1], side[0]])
    wide = reach * rng.uniform(0.4, 1.5)
    corners = [
        side * near + along * 90,
        side * near - along * 90,
        side * (near + wide) - along * 90,
        side * (near + wide) + along * 90,
    ]
    board = mesh_object("shade", [(*c, height) for c in corners], [[0, 1, 2, 3]])
    board.visible_camera = board.visible_glossy = board.visible_transmission = False
    board.visible_diffuse = False


def light_room(rng: Rng, assets: str, eye: Eye) -> str:
    """Light the scene one way and return its name."""
    setters = LAMPS[assets]
    name = str(rng.choice(list(setters)))
    setters[name](rng, eye)
    return name
