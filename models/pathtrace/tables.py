"""Table tops and trays: what the dice land on."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from models.pathtrace.nodes import Shader, image, mesh_object, srgb
from models.pathtrace.pen import Rng
from models.pathtrace.physics import Block


def _dye(rng: Rng, *, dark: bool = False) -> np.ndarray:
    """A cloth or leather colour."""
    if rng.random() < 0.3:
        return np.array(srgb(*(rng.uniform(0.08, 0.3 if dark else 0.75),) * 3))
    return np.array(
        srgb(*colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.2, 0.85), rng.uniform(0.12, 0.4 if dark else 0.75)))
    )


def felt(rng: Rng) -> Any:
    shader, colour = Shader("felt"), _dye(rng)
    where = shader.where(1.0, float(rng.uniform(0, 90)))
    fibres = shader.noise(where, 14.0, 8, 0.6)
    wide = shader.noise(where, 0.35, 3)
    shade = shader.mix(wide, tuple(colour * 0.8), tuple(colour * 1.15))
    shade = shader.mix(shader.ramp(fibres, (0.3, 0.0), (0.7, 1.0)), tuple(colour * 0.55), shade)
    return shader.set(
        Base_Color=shade,
        Roughness=0.95,
        Specular_IOR_Level=0.1,
        Sheen_Weight=0.3,
        Normal=shader.bump(fibres, 0.08, 0.7),
    )


_WOODS = ((0.55, 0.36, 0.2), (0.34, 0.2, 0.11), (0.72, 0.55, 0.36), (0.2, 0.12, 0.08), (0.62, 0.3, 0.16))


def planks(rng: Rng) -> Any:
    """Boards side by side with strong lengthwise grain."""
    shader = Shader("planks")
    base = np.array(srgb(*np.clip(np.array(_WOODS[rng.integers(len(_WOODS))]) * rng.uniform(0.8, 1.3), 0, 1)))
    turn, offset = float(rng.uniform(0, 3.14)), float(rng.uniform(0, 60))
    flat = shader.where(1.0, offset, turn)
    long = shader.where((0.12, 1.6, 1.0), offset, turn)
    grain = shader.noise(long, float(rng.uniform(1.5, 4)), 6, float(rng.uniform(0.3, 2.0)))
    fine = shader.noise(shader.where((0.5, 14, 1), offset, turn), 2.0, 4)
    tone = shader.mix(shader.ramp(grain, (0.36, 0.0), (0.64, 1.0)), tuple(base * rng.uniform(0.25, 0.6)), tuple(base))
    tone = shader.mix(shader.maths("MULTIPLY", fine, 0.35), tone, tuple(base * 0.45))
    board = float(rng.uniform(6, 14))
    bricks = shader.add(
        "ShaderNodeTexBrick", Vector=flat, Scale=1.0, Color1=(1, 1, 1), Color2=(0.7, 0.7, 0.7), Mortar=(0.1, 0.08, 0.06)
    )
    bricks.inputs["Brick Width"].default_value, bricks.inputs["Row Height"].default_value = board * 6, board
    bricks.inputs["Mortar Size"].default_value = 0.05
    multiply = shader.add("ShaderNodeMix", data_type="RGBA", blend_type="MULTIPLY")
    multiply.inputs[0].default_value = 1.0
    shader.link(tone, multiply.inputs[6])
    shader.link(bricks.outputs[0], multiply.inputs[7])
    gloss = rng.uniform(0.18, 0.6)
    return shader.set(Base_Color=multiply.outputs[2], Roughness=gloss, Normal=shader.bump(grain, 0.01, 0.4))


def leather(rng: Rng) -> Any:
    shader, colour = Shader("leather"), _dye(rng, dark=True)
    where = shader.where(1.0, float(rng.uniform(0, 90)))
    cells = shader.add(
        "ShaderNodeTexVoronoi", Vector=where, Scale=float(rng.uniform(5, 10)), feature="SMOOTH_F1"
    ).outputs[0]
    worn = shader.ramp(shader.noise(where, 0.5, 5), (0.4, 0.0), (0.7, 1.0))
    shade = shader.mix(worn, tuple(colour), tuple(np.clip(colour * 1.5 + 0.01, 0, 1)))
    return shader.set(Base_Color=shade, Roughness=float(rng.uniform(0.3, 0.6)), Normal=shader.bump(cells, 0.05, 0.5))


def _printed(rng: Rng) -> np.ndarray:
    """A sheet of a role-playing game: boxes, lines of type, tick marks."""
    tint = rng.uniform(0.82, 0.98) * np.array([1, rng.uniform(0.94, 1), rng.uniform(0.8, 1)])
    sheet = np.ones((900, 900, 3)) * tint
    dark = tuple(rng.uniform(0.02, 0.35, 3))
    for _ in range(int(rng.integers(4, 9))):
        x, y = (int(v) for v in rng.integers(20, 640, 2))
        w, h = (int(v) for v in rng.integers(120, 360, 2))
        cv2.rectangle(sheet, (x, y), (x + w, y + h), tuple(tint), -1)
        cv2.rectangle(sheet, (x, y), (x + w, y + h), dark, int(rng.integers(1, 5)))
        for line in range(y + 24, y + h - 8, int(rng.integers(14, 30))):
            at = x + 10
            while at < x + w - 30:
                word = "".join(chr(97 + c) for c in rng.integers(0, 26, int(rng.integers(2, 9))))
                cv2.putText(sheet, word, (at, line), cv2.FONT_HERSHEY_COMPLEX_SMALL, 0.55, dark, 1, cv2.LINE_AA)
                at += len(word) * 8 + 12
        for k in range(int(rng.integers(0, 6))):
            cv2.circle(sheet, (x + 14 + 22 * k, y + h - 12), 7, dark, -1 if rng.random() < 0.4 else 2, cv2.LINE_AA)
    return (np.clip(sheet, 0, 1) * 255).astype(np.uint8)


def _picture(rng: Rng, name: str, pixels: np.ndarray, span: float, roughness: float, bump: float = 0.0) -> Any:
    shader = Shader(name)
    where = shader.where(1 / span, float(rng.uniform(0, 1)), float(rng.uniform(0, 6.3)))
    colour = shader.add("ShaderNodeTexImage", image=image(name, pixels, colour=True), Vector=where).outputs[0]
    values: dict[str, Any] = {"Base_Color": colour, "Roughness": roughness}
    if bump:
        values["Normal"] = shader.bump(shader.noise(shader.where(1.0), 18.0, 3), 0.03, bump)
    return shader.set(**values)


def sheet(rng: Rng) -> Any:
    return _picture(rng, "sheet", _printed(rng), float(rng.uniform(16, 26)), 0.8)


def plastic(rng: Rng) -> Any:
    shader = Shader("plastic")
    where = shader.where(1.0, float(rng.uniform(0, 50)))
    return shader.set(
        Base_Color=tuple(_dye(rng)),
        Roughness=float(rng.uniform(0.2, 0.55)),
        Normal=shader.bump(shader.noise(where, 12.0, 2), 0.01, 0.3),
    )


def weave(rng: Rng) -> Any:
    """Threads over and under."""
    shader, colour, other = Shader("weave"), _dye(rng), _dye(rng)
    turn, scale = float(rng.uniform(0, 3)), float(rng.uniform(3, 9))
    where = shader.where(1.0, 0.0, turn)
    warp = shader.add("ShaderNodeTexWave", Vector=where, Scale=scale, Distortion=0.6, bands_direction="X").outputs[
        "Fac"
    ]
    weft = shader.add("ShaderNodeTexWave", Vector=where, Scale=scale, Distortion=0.6, bands_direction="Y").outputs[
        "Fac"
    ]
    check = shader.add("ShaderNodeTexChecker", Vector=where, Scale=scale * 3.18).outputs["Fac"]
    height = shader.mix(check, warp, weft)
    near = colour * 0.75 + other * 0.25
    shade = shader.mix(check, tuple(colour), tuple(near))
    shade = shader.mix(shader.ramp(height, (0.0, 0.6), (0.6, 0.0)), shade, tuple(colour * 0.3))
    return shader.set(Base_Color=shade, Roughness=0.9, Specular_IOR_Level=0.2, Normal=shader.bump(height, 0.04, 0.6))


def rings(rng: Rng) -> Any:
    """Wood sawn across the trunk's rings."""
    shader = Shader("rings")
    base = np.array(srgb(*np.clip(np.array(_WOODS[rng.integers(len(_WOODS))]) * rng.uniform(0.7, 1.4), 0, 1)))
    where = shader.where((0.10, 0.8, 0.3), float(rng.uniform(5, 60)), float(rng.uniform(0, 3)))
    wave = shader.add(
        "ShaderNodeTexWave",
        Vector=where,
        Scale=float(rng.uniform(0.5, 1.4)),
        wave_type="RINGS",
        Distortion=float(rng.uniform(2, 7)),
        Detail=4.0,
    ).outputs["Fac"]
    pores = shader.ramp(shader.noise(shader.where((1.2, 18, 1)), 3.0, 2), (0.32, 1.0), (0.4, 0.0))
    shade = shader.mix(wave, tuple(base), tuple(base * rng.uniform(0.35, 0.65)))
    shade = shader.mix(pores, shade, tuple(base * 0.3))
    return shader.set(Base_Color=shade, Roughness=float(rng.uniform(0.15, 0.5)), Normal=shader.bump(pores, -0.008, 0.5))


def neoprene(rng: Rng) -> Any:
    """A printed play mat: soft clouds of colour and a few bold shapes."""
    size = 700
    board = np.zeros((size, size, 3), np.float32)
    for cells in (3, 6, 14, 40):
        board += (
            cv2.resize(
                rng.normal(0, 1, (cells, cells, 3)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
            )
            / cells**0.5
        )
    palette = np.array([colorsys.hsv_to_rgb(h, rng.uniform(0.3, 0.9), rng.uniform(0.1, 0.8)) for h in rng.random(3)])
    share = 1 / (1 + np.exp(-board * 1.5))
    share /= share.sum(-1, keepdims=True)
    picture = share @ palette
    for _ in range(int(rng.integers(0, 12))):
        at = tuple(int(v) for v in rng.integers(0, size, 2))
        cv2.circle(
            picture,
            at,
            int(rng.integers(4, 90)),
            tuple(palette[rng.integers(3)] * rng.uniform(0.4, 1.6)),
            int(rng.choice([-1, 2, 6])),
            cv2.LINE_AA,
        )
    return _picture(rng, "mat", (np.clip(picture, 0, 1) * 255).astype(np.uint8), float(rng.uniform(25, 50)), 0.85, 0.35)


def cork(rng: Rng) -> Any:
    shader = Shader("cork")
    where = shader.where(1.0, float(rng.uniform(0, 50)))
    grains = shader.add("ShaderNodeTexVoronoi", Vector=where, Scale=float(rng.uniform(2.5, 5)))
    base = np.array(srgb(0.7, 0.5, 0.32)) * rng.uniform(0.6, 1.2)
    tone = shader.add("ShaderNodeSeparateColor", Color=grains.outputs["Color"]).outputs[0]
    shade = shader.mix(tone, tuple(base * 0.4), tuple(base * 1.2))
    return shader.set(Base_Color=shade, Roughness=0.85, Normal=shader.bump(shader.noise(where, 7.0, 4), 0.06, 0.5))


def cloth(rng: Rng) -> Any:
    """A checked or dotted table cloth."""
    size, step = 800, int(rng.choice([50, 80, 100, 200]))
    a, b = (
        np.array(colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.1, 0.8), rng.uniform(0.3, 0.95))) for _ in range(2)
    )
    yy, xx = np.mgrid[0:size, 0:size]
    across, down = (xx // step) % 2, (yy // step) % 2
    share = ((across + down) / 2)[..., None] if rng.random() < 0.6 else (across ^ down)[..., None]
    if rng.random() < 0.35:
        share = (((xx % step) - step / 2) ** 2 + ((yy % step) - step / 2) ** 2 < (step * 0.28) ** 2)[..., None]
    picture = a * (1 - share) + b * share
    return _picture(
        rng, "cloth", (np.clip(picture, 0, 1) * 255).astype(np.uint8), float(rng.uniform(14, 30)), 0.85, 0.5
    )


Maker = Callable[[Rng], Any]
SURFACES: dict[str, dict[str, Maker]] = {
    "train": {"felt": felt, "planks": planks, "leather": leather, "sheet": sheet, "plastic": plastic},
    "held-out": {"weave": weave, "rings": rings, "neoprene": neoprene, "cork": cork, "cloth": cloth},
}


def lay_table(rng: Rng, assets: str) -> str:
    """Lay a great flat table top at z = 0 and return what it is made of."""
    makers = SURFACES[assets]
    name = str(rng.choice(list(makers), p=[0.3, 0.25, 0.15, 0.12, 0.18]))
    big = 400.0
    corners = [(-big, -big, 0), (big, -big, 0), (big, big, 0), (-big, big, 0)]
    mesh_object("table", corners, [[0, 1, 2, 3]], makers[name](rng))
    return name


_BOX = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def wall_box(name: str, half: tuple[float, ...], place: tuple[float, ...], turn: float, material: Any) -> Any:
    """Put a box with slightly rounded edges into the scene."""
    corners = [(x * half[0], y * half[1], z * half[2]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    made = mesh_object(name, corners, _BOX, material)
    made.location, made.rotation_euler = place, (0, 0, turn)
    bevel = made.modifiers.new("edge", "BEVEL")
    bevel.width, bevel.segments = min(0.12, min(half) * 0.5), 2
    return made


def build_tray(rng: Rng, assets: str, reach: tuple[float, float]) -> list[Block]:
    """Build walls round the middle, ``reach`` half wide and deep, and return them for the physics."""
    sides = 4 if assets == "train" else int(rng.choice([4, 6, 8]))
    height, thick = rng.uniform(1.5, 4.5), rng.uniform(0.3, 1.2)
    makers = SURFACES[assets]
    material = makers[str(rng.choice([n for n in makers if n not in ("sheet", "cloth", "neoprene")]))](rng)
    blocks = []
    for k in range(sides):
        angle = 2 * np.pi * k / sides
        if sides == 4:
            away, half = (reach[0], reach[1]) if k % 2 == 0 else (reach[1], reach[0])
        else:
            away = max(reach)
            half = away * np.tan(np.pi / sides)
        middle = (away + thick / 2) * np.array([np.cos(angle), np.sin(angle)])
        size = (thick / 2, half + thick * 0.8, height / 2)
        place = (float(middle[0]), float(middle[1]), height / 2)
        wall_box("wall", size, place, angle, material)
        blocks.append(
            Block(form="box", size=size, place=place, quat=(float(np.cos(angle / 2)), 0, 0, float(np.sin(angle / 2))))
        )
    return blocks
