"""What dice are made of: bodies of plastic with debossed ink, wear and dust."""

from __future__ import annotations

import colorsys
from typing import Any

import cv2
import numpy as np

from models.pathtrace.bodies import Body, atlas
from models.pathtrace.nodes import Shader, image, mesh_object, srgb
from models.pathtrace.pen import Rng

# hue, saturation and value ranges of the published dice as a neutral camera sees them
_BODIES = {
    "boost": (0.51, 0.60, 0.12, 0.48, 0.75, 0.97),
    "setback": (0.55, 0.75, 0.0, 0.2, 0.03, 0.14),
    "ability": (0.28, 0.41, 0.55, 1.0, 0.30, 0.70),
    "difficulty": (0.70, 0.81, 0.45, 0.95, 0.18, 0.48),
    "proficiency": (0.105, 0.155, 0.7, 1.0, 0.78, 0.98),
    "challenge": (0.96, 1.015, 0.75, 1.0, 0.45, 0.82),
    "force": (0.08, 0.15, 0.0, 0.08, 0.82, 0.97),
}
_BLACK_INK = frozenset({"boost", "ability", "proficiency", "force"})


def _hsv(h: float, s: float, v: float) -> tuple[float, ...]:
    return srgb(*colorsys.hsv_to_rgb(h % 1, s, v))


def _any(rng: Rng) -> tuple[float, ...]:
    kind = rng.random()
    if kind < 0.25:
        return srgb(v := rng.uniform(0.8, 0.96), v * rng.uniform(0.93, 1), v * rng.uniform(0.8, 1))
    if kind < 0.4:
        return srgb(*(rng.uniform(0.03, 0.16),) * 3)
    return _hsv(rng.random(), rng.uniform(0.45, 1), rng.uniform(0.3, 0.95))


def make_look(rng: Rng, die_type: str, assets: str, *, hard: bool) -> dict[str, Any]:
    """Invent the colours and finish that all dice of one type on a table share."""
    if die_type in _BODIES:
        low = _BODIES[die_type]
        body = _hsv(*(rng.uniform(low[2 * i], low[2 * i + 1]) for i in range(3)))
        ink = srgb(*(rng.uniform(0.02, 0.14),) * 3) if die_type in _BLACK_INK else srgb(*(rng.uniform(0.82, 0.97),) * 3)
        patterned, clear = rng.random() < 0.06, rng.random() < 0.05
    else:
        body = _any(rng)
        for _ in range(30):
            ink = _any(rng) if rng.random() < 0.3 else srgb(*(rng.choice([0.06, 0.93]),) * 3)
            if abs(np.dot(np.sqrt(body), (0.3, 0.6, 0.1)) - np.dot(np.sqrt(ink), (0.3, 0.6, 0.1))) > 0.35:
                break
        patterned, clear = rng.random() < 0.4, rng.random() < 0.18
    patterns = ("marble", "speckle") if assets == "train" else ("veins", "layers")
    light = np.mean(np.sqrt(body)) > 0.5
    other = tuple(np.clip(np.array(body) * (rng.uniform(0.3, 0.8) if light else rng.uniform(1.4, 3.0)), 0, 1))
    return {
        "body": body,
        "body2": other
        if die_type in _BODIES or rng.random() < 0.5
        else tuple(0.6 * a + 0.4 * b for a, b in zip(body, _any(rng), strict=True)),
        "ink": ink,
        "pattern": str(rng.choice(patterns)) if patterned else "",
        "scale": rng.uniform(1.2, 4.0),
        "clear": rng.uniform(0.35, 0.85) if clear else 0.0,
        "subsurface": rng.uniform(0.05, 0.3) if rng.random() < 0.25 else 0.0,
        "roughness": rng.uniform(0.06, 0.3) if hard and rng.random() < 0.6 else rng.uniform(0.14, 0.5),
        "coat": rng.uniform(0.2, 1.0) if rng.random() < (0.5 if hard else 0.2) else 0.0,
        "ink_roughness": rng.uniform(0.15, 0.7),
        "depth": rng.choice([rng.uniform(0.004, 0.015), rng.uniform(0.012, 0.035)]),
        "wear": rng.uniform(0.0, 0.5) ** (1.0 if hard else 2.5) if rng.random() < (0.7 if hard else 0.4) else 0.0,
        "dust": rng.uniform(0.1, 0.5) if rng.random() < (0.4 if hard else 0.15) else 0.0,
    }


def _relief(tiles: np.ndarray, *, drilled: bool) -> np.ndarray:
    """How deep the surface lies, 0 at the flat, 255 at the bottom: bowls for pips, walls with a slope for symbols."""
    out = []
    for tile in tiles:
        inside = cv2.distanceTransform((tile > 127).astype(np.uint8), cv2.DIST_L2, 5)
        if drilled:
            reach = max(float(inside.max()), 1.0)
            depth = np.sqrt(np.clip(1 - (1 - inside / reach) ** 2, 0, 1)) if inside.max() > 0 else inside
            out.append((depth * 255).astype(np.uint8))
        else:
            slope = max(tile.shape[0] / 90, 1.5)
            out.append((np.clip(cv2.GaussianBlur(inside, (0, 0), 0.8) / slope, 0, 1) * 255).astype(np.uint8))
    return np.stack(out)


def _pattern(shader: Shader, look: dict[str, Any], where: Any) -> Any:
    a, b = look["body"], look["body2"]
    if look["pattern"] == "marble":
        return shader.mix(shader.ramp(shader.noise(where, look["scale"], 4, 1.8), (0.38, 0.0), (0.62, 1.0)), a, b)
    if look["pattern"] == "speckle":
        cells = shader.add("ShaderNodeTexVoronoi", Vector=where, Scale=look["scale"] * 4)
        return shader.mix(shader.ramp(cells.outputs[0], (0.12, 1.0), (0.2, 0.0)), a, b)
    if look["pattern"] == "veins":
        wave = shader.add("ShaderNodeTexWave", Vector=where, Scale=look["scale"] * 0.4, Distortion=9.0, Detail=3.0)
        return shader.mix(shader.ramp(wave.outputs["Fac"], (0.72, 0.0), (0.95, 1.0)), a, b)
    if look["pattern"] == "layers":
        bands = shader.add(
            "ShaderNodeTexWave", Vector=where, Scale=look["scale"] * 0.25, Distortion=1.5, bands_direction="Z"
        )
        return shader.mix(shader.ramp(bands.outputs["Fac"], (0.35, 0.0), (0.65, 1.0)), a, b)
    return a


def _material(rng: Rng, look: dict[str, Any], tiles: np.ndarray, *, drilled: bool) -> Any:
    sheet = np.stack([atlas(tiles), atlas(_relief(tiles, drilled=drilled)), np.zeros_like(atlas(tiles))], -1)
    shader = Shader("die")
    texture = shader.add("ShaderNodeTexImage", image=image("ink", sheet, colour=False), interpolation="Cubic")
    split = shader.add("ShaderNodeSeparateColor", Color=texture.outputs[0])
    ink, relief = split.outputs[0], split.outputs[1]
    where = shader.where(1.0, float(rng.uniform(0, 40)))
    body = _pattern(shader, look, where)
    if look["wear"]:
        worn = shader.ramp(shader.noise(where, 4.5, 6), (0.70 - 0.35 * look["wear"], 1.0), (0.76, 1 - look["wear"]))
        ink = shader.maths("MULTIPLY", ink, worn)
    colour = shader.mix(ink, body, look["ink"])
    spots = shader.noise(where, 6.0, 5)
    gloss = shader.ramp(spots, (0.35, look["roughness"] * 0.8), (0.65, min(look["roughness"] * 1.35, 1)))
    gloss = shader.mix(ink, gloss, (look["ink_roughness"],) * 3)
    if look["dust"]:
        dust = shader.ramp(shader.noise(where, 22.0, 4), (0.55, 0.0), (0.78, look["dust"]))
        colour = shader.mix(dust, colour, (0.55, 0.52, 0.48))
        gloss = shader.mix(dust, gloss, (0.9, 0.9, 0.9))
    grain = shader.bump(shader.noise(where, 30.0, 2), 0.004, 0.12)
    normal = shader.bump(
        shader.maths("SUBTRACT", 1.0, relief), float(look["depth"]) * (2.2 if drilled else 1.0), 1.0, grain
    )
    values: dict[str, Any] = {
        "Base_Color": colour,
        "Roughness": gloss,
        "Normal": normal,
        "Coat_Weight": look["coat"],
        "Coat_Roughness": 0.08,
        "IOR": 1.49,
    }
    if look["clear"]:
        values["Transmission_Weight"] = shader.maths("MULTIPLY", shader.maths("SUBTRACT", 1.0, ink), look["clear"])
    elif look["subsurface"]:
        values |= {"Subsurface_Weight": look["subsurface"], "Subsurface_Scale": 0.15}
    return shader.set(**values)


def add_die(rng: Rng, name: str, body: Body, look: dict[str, Any], tiles: np.ndarray, *, drilled: bool) -> Any:
    """Put a die into the scene at the origin and return its object."""
    made = mesh_object(name, body.vertices, body.polygons, _material(rng, look, tiles, drilled=drilled))
    mesh = made.data
    mesh.polygons.foreach_set("use_smooth", body.smooth)
    layer = mesh.uv_layers.new(name="ink")
    layer.data.foreach_set("uv", body.uv.astype(np.float32).ravel())
    mesh.update()
    return made
