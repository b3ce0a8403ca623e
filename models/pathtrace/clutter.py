"""Things that lie about on a table and are no dice."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix

from models.pathtrace.nodes import Shader, image, mesh_object, srgb
from models.pathtrace.pen import Rng
from models.pathtrace.physics import Block
from models.pathtrace.tables import _printed, wall_box


def _paint(rng: Rng, *, metal: bool = False, roughness: float = 0.4) -> Any:
    shader = Shader("paint")
    if metal:
        colour = ((0.72, 0.68, 0.6), (0.78, 0.5, 0.28), (0.83, 0.68, 0.35), (0.7, 0.71, 0.74))[rng.integers(4)]
        rough = shader.ramp(shader.noise(shader.where(3.0), 2.0, 4), (0.3, 0.25), (0.7, 0.5))
        return shader.set(Base_Color=colour, Metallic=1.0, Roughness=rough)
    colour = srgb(*colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.0, 0.9), rng.uniform(0.1, 0.95)))
    return shader.set(Base_Color=colour, Roughness=float(roughness))


def _lathe(name: str, profile: list[tuple[float, float]], material: Any, sides: int = 48) -> Any:
    """Turn a profile of (radius, height) round the z axis."""
    angles = 2 * np.pi * np.arange(sides) / sides
    points = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles]
    polygons = []
    for ring in range(len(profile) - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            polygons.append([a, b, b + sides, a + sides])
    polygons += [list(range(sides))[::-1], list(range((len(profile) - 1) * sides, len(profile) * sides))]
    made = mesh_object(name, points, polygons, material)
    for polygon in made.data.polygons:
        polygon.use_smooth = sides > 12 and len(polygon.vertices) == 4
    made.data.set_sharp_from_angle(angle=0.6)
    return made


def _flat_quat(yaw: float) -> tuple[float, float, float, float]:
    return float(np.cos(yaw / 2)), 0.0, 0.0, float(np.sin(yaw / 2))


def _lie(made: Any, place: np.ndarray, height: float, yaw: float) -> tuple[float, float, float, float]:
    """Lay a thing whose length is z along the table and return its quaternion."""
    turn = Matrix.Rotation(yaw, 4, "Z") @ Matrix.Rotation(np.pi / 2, 4, "Y")
    made.matrix_world = Matrix.Translation((float(place[0]), float(place[1]), height)) @ turn
    return tuple(turn.to_quaternion())


def coin(rng: Rng, place: np.ndarray) -> list[Block]:
    radius, thick = rng.uniform(0.8, 1.35), rng.uniform(0.15, 0.24)
    profile = [
        (radius, 0),
        (radius, thick),
        (radius * 0.93, thick),
        (radius * 0.9, thick * 0.85),
        (radius * 0.3, thick * 0.85),
        (radius * 0.22, thick),
    ]
    made = _lathe("coin", profile, _paint(rng, metal=True))
    made.location = (*place, 0)
    return [Block(form="cylinder", size=(radius, thick / 2), place=(*place, thick / 2))]


def pencil(rng: Rng, place: np.ndarray) -> list[Block]:
    radius, length, yaw = 0.36, rng.uniform(9, 17), rng.uniform(0, 2 * np.pi)
    made = _lathe(
        "pencil",
        [(radius, -length / 2), (radius, length / 2), (0.1, length / 2 + 1.5), (0.02, length / 2 + 1.9)],
        _paint(rng, roughness=0.35),
        6,
    )
    quat = _lie(made, place, radius * 0.87, yaw)
    return [Block(form="capsule", size=(radius, length / 2), place=(*place, radius * 0.87), quat=quat)]


def _paper(
    rng: Rng, place: np.ndarray, half: tuple[float, float], pixels: np.ndarray, z: float, roughness: float = 0.75
) -> Any:
    shader = Shader("paper")
    colour = shader.add("ShaderNodeTexImage", image=image("paper", pixels, colour=True)).outputs[0]
    material = shader.set(Base_Color=colour, Roughness=float(roughness))
    made = mesh_object(
        "paper",
        [(-half[0], -half[1], z), (half[0], -half[1], z), (half[0], half[1], z), (-half[0], half[1], z)],
        [[0, 1, 2, 3]],
        material,
    )
    layer = made.data.uv_layers.new(name="page")
    layer.data.foreach_set("uv", np.array([0, 0, 1, 0, 1, 1, 0, 1], np.float32))
    made.location, made.rotation_euler = (*place, 0), (0, 0, float(rng.uniform(0, 2 * np.pi)))
    return made


def character_sheet(rng: Rng, place: np.ndarray) -> list[Block]:
    _paper(rng, place, (10.5, 10.5), _printed(rng), float(rng.uniform(0.004, 0.009)))
    return []


def arm(rng: Rng, place: np.ndarray) -> list[Block]:
    """A forearm and fingers that come in from outside."""
    skin = srgb(
        *np.array([(0.87, 0.66, 0.54), (0.55, 0.36, 0.25), (0.95, 0.78, 0.68), (0.36, 0.23, 0.16)][rng.integers(4)])
    )
    shader = Shader("skin")
    material = shader.set(Base_Color=skin, Roughness=0.5, Subsurface_Weight=0.1)
    away = place / max(float(np.linalg.norm(place)), 1e-6)
    heading = float(np.arctan2(away[1], away[0]))
    blocks = []
    for radius, length, start, lean in (
        (2.6, 22.0, 8.0, 0.0),
        (0.85, 6.0, 0.0, 0.2),
        (0.85, 6.5, 0.4, 0.0),
        (0.8, 6.0, 0.2, -0.2),
        (3.2, 5.0, 5.0, 0.0),
    ):
        direction = heading + lean
        middle = place + np.array([np.cos(direction), np.sin(direction)]) * (start + length / 2)
        steps = np.linspace(0, np.pi / 2, 8)
        profile = [(radius * np.sin(s) + 0.01, -length / 2 - radius * np.cos(s)) for s in steps]
        profile += [(radius * np.cos(s) + 0.01, length / 2 + radius * np.sin(s)) for s in steps]
        quat = _lie(_lathe("arm", profile, material, 24), middle, radius, direction)
        blocks.append(Block(form="capsule", size=(radius, length / 2), place=(*middle, radius), quat=quat))
    return blocks


def card(rng: Rng, place: np.ndarray) -> list[Block]:
    """A playing card with a patterned back or a number and a figure."""
    board = np.ones((440, 310, 3)) * rng.uniform(0.85, 0.98)
    colour = tuple(rng.uniform(0, 0.8, 3))
    if rng.random() < 0.5:
        cv2.rectangle(board, (18, 18), (292, 422), colour, -1)
        for k in range(0, 730, 22):
            cv2.line(board, (k - 420, 18), (k, 438), (0.9, 0.9, 0.9), 2, cv2.LINE_AA)
            cv2.line(board, (k, 18), (k - 420, 438), (0.9, 0.9, 0.9), 2, cv2.LINE_AA)
        cv2.rectangle(board, (0, 0), (309, 439), (0.92, 0.92, 0.92), 36)
    else:
        for k in range(int(rng.integers(1, 11))):
            cv2.circle(board, (100 + 110 * (k % 2), 60 + 80 * (k // 2)), 24, colour, -1, cv2.LINE_AA)
        cv2.putText(board, str(rng.integers(2, 11)), (12, 50), cv2.FONT_HERSHEY_DUPLEX, 1.4, colour, 3, cv2.LINE_AA)
    _paper(rng, place, (3.15, 4.4), (np.clip(board, 0, 1) * 255).astype(np.uint8), float(rng.uniform(0.01, 0.03)), 0.3)
    return []


def chip(rng: Rng, place: np.ndarray) -> list[Block]:
    """A round, square or six-sided token."""
    radius, thick, sides = rng.uniform(0.7, 1.7), rng.uniform(0.2, 0.4), int(rng.choice([4, 6, 48]))
    made = _lathe(
        "chip", [(radius, 0), (radius, thick * 0.9), (radius * 0.95, thick), (radius * 0.05, thick)], _paint(rng), sides
    )
    made.location, made.rotation_euler = (*place, 0), (0, 0, float(rng.uniform(0, 3)))
    return [Block(form="cylinder", size=(radius * 0.92, thick / 2), place=(*place, thick / 2))]


def mug(rng: Rng, place: np.ndarray) -> list[Block]:
    radius, height = rng.uniform(3.4, 4.4), rng.uniform(7, 10)
    profile = [
        (radius * 0.9, 0),
        (radius, 0.6),
        (radius, height),
        (radius - 0.35, height),
        (radius - 0.35, height * 0.75),
        (0.01, height * 0.75),
    ]
    made = _lathe("mug", profile, _paint(rng, roughness=0.15))
    away = place / max(float(np.linalg.norm(place)), 1e-6) * radius
    made.location = (*(place + away), 0)
    return [Block(form="cylinder", size=(radius, height / 2), place=(*(place + away), height / 2))]


def ruled(rng: Rng, place: np.ndarray) -> list[Block]:
    """A ruled page with handwriting."""
    board = np.ones((600, 450, 3)) * (0.97, 0.96, rng.uniform(0.82, 0.96))
    for y in range(40, 600, 26):
        cv2.line(board, (0, y), (450, y), (0.6, 0.7, 0.85), 1)
        x = 30
        while x < 420 and rng.random() < 0.9:
            points = np.cumsum(np.stack([rng.uniform(1, 5, 14), rng.normal(0, 5, 14)], 1), 0)
            points[:, 1] = np.clip(points[:, 1] - points[:, 1].mean(), -9, 9)
            cv2.polylines(board, [(points + (x, y - 7)).astype(np.int32)], False, (0.1, 0.1, 0.35), 1, cv2.LINE_AA)
            x += int(points[-1, 0]) + 14
    _paper(rng, place, (7.4, 10.5), (np.clip(board, 0, 1) * 255).astype(np.uint8), float(rng.uniform(0.004, 0.009)))
    return []


def pen(rng: Rng, place: np.ndarray) -> list[Block]:
    radius, length, yaw = rng.uniform(0.38, 0.55), rng.uniform(9, 12), rng.uniform(0, 2 * np.pi)
    profile = [
        (radius * 0.6, -length / 2 - 0.3),
        (radius, -length / 2),
        (radius, length * 0.3),
        (radius * 1.08, length * 0.31),
        (radius * 1.08, length / 2),
        (0.12, length / 2 + 1.2),
    ]
    quat = _lie(
        _lathe("pen", profile, _paint(rng, metal=bool(rng.random() < 0.3), roughness=0.2), 32),
        place,
        radius * 1.08,
        yaw,
    )
    return [Block(form="capsule", size=(radius, length / 2), place=(*place, radius), quat=quat)]


Maker = Callable[[Rng, np.ndarray], list[Block]]
THINGS: dict[str, dict[str, Maker]] = {
    "train": {"coin": coin, "pencil": pencil, "sheet": character_sheet, "arm": arm},
    "held-out": {"chip": chip, "pen": pen, "card": card, "ruled": ruled, "mug": mug},
}
_AT_EDGE = frozenset({"arm", "mug"})


def scatter(rng: Rng, assets: str, count: int, reach: tuple[float, float]) -> list[Block]:
    """Put ``count`` things into a view of half sizes ``reach`` and return those that dice can hit."""
    things = THINGS[assets]
    blocks: list[Block] = []
    large = 0
    for _ in range(count):
        name = str(rng.choice(list(things)))
        place = rng.uniform(-1, 1, 2) * reach
        if name in _AT_EDGE:
            large += 1
            if large > 1:
                continue
            angle = rng.uniform(0, 2 * np.pi)
            place = np.array([np.cos(angle), np.sin(angle)]) * np.array(reach) * rng.uniform(0.85, 1.1)
        blocks += things[name](rng, place)
    return blocks


def plain_box(rng: Rng, place: np.ndarray) -> list[Block]:
    """A small block with no marks, of a die's size: a counter or a meeple base."""
    half = tuple(rng.uniform(0.5, 1.0, 3))
    yaw = float(rng.uniform(0, 3))
    wall_box("block", half, (*place, half[2]), yaw, _paint(rng))
    return [Block(form="box", size=half, place=(*place, half[2]), quat=_flat_quat(yaw))]


def forget() -> None:
    """Empty Blender: everything of the last scene goes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
