"""Invented dice: bodies, inks, face layouts and the printed or engraved atlas of every face."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from models.render.numbers import choose, write
from models.render.pips import pip_faces
from models.render.solids import Solid, solid
from models.render.symbols import draw
from tableside.dice import DieType, Face, find_sets

TEXTURE = 112
Rng = np.random.Generator

# hue 0..1, saturation, value ranges of the bodies as seen under a neutral lamp; wider than the published dice
_BODIES = {
    "boost": (0.50, 0.62, 0.08, 0.50, 0.70, 1.0),
    "setback": (0.0, 1.0, 0.0, 0.25, 0.02, 0.16),
    "ability": (0.25, 0.42, 0.50, 1.0, 0.25, 0.80),
    "difficulty": (0.69, 0.83, 0.40, 1.0, 0.16, 0.55),
    "proficiency": (0.09, 0.165, 0.60, 1.0, 0.70, 1.0),
    "challenge": (0.955, 1.025, 0.65, 1.0, 0.40, 0.90),
    "force": (0.0, 1.0, 0.0, 0.09, 0.75, 1.0),
}
_OTHER_INK = 0.1  # share of the symbol dice whose marks have a colour of their maker's choice
_PAIR = (0.38, 0.75)  # of the face's circumradius, so far two marks reach: on real dice half to two thirds
_CLEAR = 0.1  # linear: light comes through no darker body
_LEGIBLE = 0.2  # how unlike its body a symbol die's ink is at least: on a dark green only black can be read
_ZEROS = (0.8, 0.1, 0.1)  # share of the makes of numbered dice whose zeros bear nothing, a dot, a slash
_BLACK_INK = frozenset({"boost", "ability", "proficiency", "force"})
NARRATIVE = find_sets(["narrative"])[0]
PIPS = find_sets(["pips"])[0]
PERCENTILE = find_sets(["percentile"])[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One die ready to be drawn.

    :ivar faces: symbols of each face of the solid, in the order of its normals; unknown marks are ``("?",)``.
    :ivar texture: (faces, TEXTURE, TEXTURE) uint8 ink masks in each face's frame.
    :ivar size: inradius in cm. :ivar finish: see ``models.render.finishes``; none where all is nought.
    """

    type: str
    solid: Solid
    size: float
    faces: tuple[Face, ...]
    texture: np.ndarray
    body: np.ndarray
    body2: np.ndarray
    ink: np.ndarray
    pattern: np.ndarray
    gloss: np.ndarray
    rounding: float
    sphere: float
    deboss: float
    finish: np.ndarray = field(default_factory=lambda: np.zeros(10))


def linear(rgb: tuple[float, float, float]) -> np.ndarray:
    """Return sRGB 0..1 as linear BGR."""
    return np.array(rgb[::-1]) ** 2.2


def unlike(one: np.ndarray, other: np.ndarray) -> float:
    """Return how unlike two linear colours are, 0..1, as the eye sees it."""
    return float(np.abs(np.sqrt(one) - np.sqrt(other)).max())


def _hsv(rng: Rng, low_high: tuple[float, ...]) -> np.ndarray:
    h, s, v = (rng.uniform(low_high[i], low_high[i + 1]) for i in (0, 2, 4))
    return linear(colorsys.hsv_to_rgb(h % 1.0, s, v))


def any_colour(rng: Rng) -> np.ndarray:
    grey = rng.random()
    if grey < 0.22:
        return linear((v := rng.uniform(0.75, 1.0), v * rng.uniform(0.9, 1), v * rng.uniform(0.7, 1)))
    if grey < 0.40:
        return linear((v := rng.uniform(0.01, 0.2), v, v))
    return linear(colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.2, 1)))


def make(rng: Rng, kind: str, *, marbled: float = 0.06) -> Model:
    """Invent a die. ``kind`` is a narrative type, ``pip``, ``d10``, ``d100`` or ``other``: of no installed set.

    :param marbled: share of the narrative dice with a second colour in their body.
    """
    if kind == "pip":
        return _pip(rng)
    if kind in ("d10", "d100"):
        return _numbered(rng, kind)
    if kind == "other":
        return _other(rng)
    die_type: DieType = NARRATIVE.type(kind)
    body, ink = symbol_colours(rng, kind)
    if rng.random() < _OTHER_INK:
        ink = contrasting_ink(rng, body)
    shape = solid(die_type.solid)
    sides = list(die_type.distinct_faces)
    faces = sides + [sides[rng.integers(len(sides))] for _ in range(len(shape.normals) - len(sides))]
    order = rng.permutation(len(faces))
    faces = [faces[i] for i in order]
    art = {symbol: draw(symbol, rng) for symbol in NARRATIVE.symbols}
    style = style_of(rng, die_type.solid)
    texture = np.stack([_symbols(rng, face, art, style) for face in faces])
    return dress(rng, kind, shape, tuple(faces), texture, body, ink, patterned=rng.random() < marbled)


def symbol_colours(rng: Rng, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Return colours of a symbol die's body and its marks."""
    body = _hsv(rng, _BODIES[kind])
    ink = linear((rng.uniform(0, 0.2),) * 3 if kind in _BLACK_INK else (rng.uniform(0.72, 1.0),) * 3)
    return body, ink if unlike(body, ink) > _LEGIBLE else np.zeros(3)


def style_of(rng: Rng, name: str) -> dict[str, float]:
    """Proportions shared by all faces of one die, as a maker would choose them; units of the face's circumradius."""
    low, high = {
        "d6": (0.60, 1.06),
        "d8": (0.62, 1.12),
        "d10": (0.6, 1.0),
        "d12": (0.78, 1.42),
        "d20": (0.6, 1.1),
    }[name]
    return {
        "single": rng.uniform(low, high),
        "double": rng.uniform(0.42, 0.76),
        "gap": rng.uniform(0.85, 1.2),
        "turn": rng.uniform(0, 2 * np.pi),
        "axis": rng.uniform(0, np.pi),
        "same": rng.random(),
    }


def paste(canvas: np.ndarray, art: np.ndarray, x: float, y: float, span: float, turn: float) -> None:
    scale = span / 2 / 1.0 * TEXTURE / (0.8 * art.shape[0])
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    middle = art.shape[0] / 2
    px, py = (x * 0.5 + 0.5) * TEXTURE, (y * 0.5 + 0.5) * TEXTURE
    matrix = np.array([[c, -s, px - c * middle + s * middle], [s, c, py - s * middle - c * middle]])
    small = cv2.GaussianBlur(art, (0, 0), max(0.35 / scale, 0.3)) if scale < 0.9 else art
    np.maximum(canvas, cv2.warpAffine(small, matrix, (TEXTURE, TEXTURE)), out=canvas)


def _symbols(rng: Rng, face: Face, art: dict[str, np.ndarray], style: dict[str, float]) -> np.ndarray:
    canvas = np.zeros((TEXTURE, TEXTURE), np.uint8)
    if not face:
        return canvas
    turn = style["turn"] + (rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.normal(0, 0.1))
    size_of = {"light": 0.8, "dark": 0.75, "threat": 0.92, "triumph": 1.12, "failure": 1.05, "despair": 1.08}
    x, y = rng.normal(0, 0.045, 2)
    if len(face) == 1:
        span = style["single"] * size_of.get(face[0], 1.0) * rng.uniform(0.92, 1.08)
        paste(canvas, art[face[0]], x, y, span, turn)
    else:
        axis = style["axis"] + (rng.uniform(0, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.08))
        pair = list(face)
        rng.shuffle(pair)
        spans = [style["single"] * style["double"] * size_of.get(s, 1.0) * rng.uniform(0.72, 1.2) for s in pair]
        span = (spans[0] + spans[1]) / 2
        apart = span * style["gap"] * rng.uniform(0.95, 1.08)
        reach = (apart + span) / 2
        fit = min(max(reach, _PAIR[0]), _PAIR[1]) / reach
        apart, spans = apart * fit, [one * fit for one in spans]
        for sign, symbol, span in zip((-0.5, 0.5), pair, spans, strict=True):
            own = turn
            if style["same"] < 0.25:
                own = axis + (np.pi / 2) + (np.pi if sign > 0 else 0)  # apex to apex or base to base
            elif style["same"] < 0.4:
                own = rng.uniform(0, 2 * np.pi)
            paste(
                canvas,
                art[symbol],
                x + sign * apart * np.cos(axis),
                y + sign * apart * np.sin(axis),
                span,
                own,
            )
    return wear(rng, canvas)


def wear(rng: Rng, canvas: np.ndarray) -> np.ndarray:
    if rng.random() < 0.25:
        noise = cv2.resize(
            rng.normal(0, 1, (12, 12)).astype(np.float32), (TEXTURE, TEXTURE), interpolation=cv2.INTER_CUBIC
        )
        keep = np.clip(1.1 - np.maximum(noise - rng.uniform(0.6, 1.6), 0), 0, 1)
        canvas = (canvas * keep).astype(np.uint8)
    if rng.random() < 0.3:
        canvas = cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.5, 1.4))
    return canvas


def _pip(rng: Rng) -> Model:
    shape = solid("d6")
    body, ink = _pip_colours(rng)
    values = [1, 6, 2, 5, 3, 4] if rng.random() < 0.8 else list(rng.permutation(6) + 1)
    textures = [wear(rng, canvas) for canvas in pip_faces(rng, values, TEXTURE)]
    if rng.random() < 0.25 and body.max() > _CLEAR:
        textures = _seen_through(rng, textures, shape)
    faces = tuple((str(value),) for value in values)
    model = dress(rng, "pip", shape, faces, np.stack(textures), body, ink, patterned=rng.random() < 0.35)
    return _polished(rng, model) if rng.random() < 0.35 else model


def _pip_colours(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """Return colours of a body and its marks."""
    body = any_colour(rng)
    least = 0.32 if rng.random() < 0.85 else 0.15  # of some dice only the dents tell
    ink = body
    for _ in range(20):
        ink = (
            any_colour(rng)
            if rng.random() < 0.35
            else linear((rng.choice([rng.uniform(0, 0.15), rng.uniform(0.8, 1.0)]),) * 3)
        )
        if unlike(body, ink) > least:
            break
    return body, ink


def _polished(rng: Rng, model: Model) -> Model:
    """Return the die with a round rim about each face, in which lamps mirror as rings, and with smooth dents."""
    gloss = model.gloss.copy()
    gloss[[0, 1, 2]] = rng.uniform(0.3, 1.2), rng.uniform(30, 200), rng.uniform(0.4, 1.6)
    return replace(
        model,
        gloss=gloss,
        rounding=float(rng.uniform(0.1, 0.45)),
        sphere=float(rng.uniform(1.14, 1.45)),
        deboss=float(rng.uniform(-1.4, -0.2)),
    )


def _seen_through(rng: Rng, textures: list[np.ndarray], shape: Solid) -> list[np.ndarray]:
    """Return the textures of a translucent body: the far side's marks shine faintly through each face."""
    opposite = [int(np.argmin(shape.normals @ normal)) for normal in shape.normals]
    strength, scale = rng.uniform(0.1, 0.45), rng.uniform(0.55, 0.9)
    shift, blur = rng.uniform(-0.15, 0.15, 2) * TEXTURE, rng.uniform(1.5, 5)
    middle = TEXTURE / 2
    matrix = np.array(
        [[-scale, 0, middle * (1 + scale) + shift[0]], [0, scale, middle * (1 - scale) + shift[1]]]
    )  # mirrored, for it is seen from behind
    out = []
    for texture, other in zip(textures, opposite, strict=True):
        ghost = cv2.GaussianBlur(cv2.warpAffine(textures[other], matrix, (TEXTURE, TEXTURE)), (0, 0), blur)
        out.append(np.maximum(texture, (ghost * strength).astype(np.uint8)))
    return out


def contrasting_ink(rng: Rng, body: np.ndarray) -> np.ndarray:
    ink = linear((rng.uniform(0.75, 1.0) if body.mean() < 0.25 else rng.uniform(0, 0.2),) * 3)
    if rng.random() < 0.3:
        colour = any_colour(rng)
        if unlike(body, colour) > 0.32:
            return colour
    return ink


def _numbered(rng: Rng, kind: str) -> Model:
    """Invent a ten-sided die with units or tens."""
    shape = solid("d10")
    body = any_colour(rng)
    ink = contrasting_ink(rng, body)
    typeface = choose(rng)
    mark = str(rng.choice(["line", "dot"]))
    span, weight = rng.uniform(0.62, 1.15), int(rng.integers(-2, 5))
    zero = str(rng.spawn(1)[0].choice(["", "dot", "slash"], p=_ZEROS))
    turn = rng.uniform(0, 2 * np.pi)
    lift = rng.normal(0, 0.1, 2)
    textures, faces = [], []
    for value in rng.permutation(10):
        text = str(value) if kind == "d10" else f"{value}0"
        marked = value in (6, 9) and (kind == "d10" or rng.random() < 0.2)
        art = write(text, typeface, rng, mark=mark if marked else "", weight=weight, zero=zero)
        canvas = np.zeros((TEXTURE, TEXTURE), np.uint8)
        paste(canvas, art, *(lift + rng.normal(0, 0.03, 2)), span * rng.uniform(0.93, 1.07), turn)
        textures.append(wear(rng, canvas))
        faces.append((text,))
    return dress(rng, kind, shape, tuple(faces), np.stack(textures), body, ink, patterned=rng.random() < 0.4)


def _other(rng: Rng) -> Model:
    name = str(rng.choice(["d6", "d8", "d10", "d12", "d20"], p=[0.22, 0.22, 0.08, 0.2, 0.28]))
    shape = solid(name)
    body = any_colour(rng)
    ink = contrasting_ink(rng, body)
    style = style_of(rng, name)
    typeface, turn = choose(rng), rng.uniform(0, 6.3)
    numbers = rng.random() < 0.7 and name != "d10"
    textures = []
    for value in rng.permutation(len(shape.normals)) + 1:
        canvas = np.zeros((TEXTURE, TEXTURE), np.uint8)
        if numbers:
            art = write(str(value), typeface, rng, mark="line" if value in (6, 9) and rng.random() < 0.7 else "")
        elif name == "d10":
            art = write(chr(65 + int(rng.integers(0, 26))), typeface, rng)
        else:
            art = draw("glyph", rng)
        size = style["single"] * rng.uniform(0.7, 1.1)
        paste(canvas, art, *rng.normal(0, 0.05, 2), size, turn if numbers else rng.uniform(0, 6.3))
        textures.append(wear(rng, canvas))
    faces = tuple(("?",) for _ in shape.normals)
    return dress(rng, "other", shape, faces, np.stack(textures), body, ink, patterned=rng.random() < 0.4)


def dress(
    rng: Rng,
    kind: str,
    shape: Solid,
    faces: tuple[Face, ...],
    texture: np.ndarray,
    body: np.ndarray,
    ink: np.ndarray,
    *,
    patterned: bool,
) -> Model:
    flats = {
        "d6": rng.uniform(1.1, 1.8),
        "d8": rng.uniform(1.1, 1.7),
        "d10": rng.uniform(1.1, 1.6),
        "d12": rng.uniform(1.4, 2.0),
        "d20": rng.uniform(1.5, 2.1),
    }[shape.name]
    sphere = 0.0
    if shape.name == "d6":
        rounding = rng.choice([rng.uniform(0.02, 0.12), rng.uniform(0.1, 0.5)])
        if rng.random() < 0.55:
            sphere = rng.uniform(1.22, 1.6)
    else:
        rounding = rng.uniform(0.02, 0.16)
        if rng.random() < 0.2:
            sphere = rng.uniform(0.90, 0.98) * float(np.linalg.norm(shape.vertices, axis=1).max())
    body2 = any_colour(rng) if rng.random() < 0.5 else body * rng.uniform(0.4, 1.5)
    contrast = rng.uniform(0.2, 1.0) if patterned else 0.0
    speckle = rng.uniform(0.05, 0.3) if patterned and rng.random() < 0.25 else 0.0
    if unlike(body2, ink) < 0.25:  # the marks must stay legible to a person
        contrast, speckle = contrast * 0.3, 0.0
    return Model(
        type=kind,
        solid=shape,
        size=flats / 2,
        faces=faces,
        texture=texture,
        body=body,
        body2=body2,
        ink=ink,
        pattern=np.array([rng.uniform(1.5, 7), contrast, rng.uniform(0, 50), speckle, rng.uniform(0.2, 1.2)]),
        gloss=np.array(
            [
                rng.choice([0.0, rng.uniform(0.0, 0.35), rng.uniform(0.2, 0.9)]),
                rng.uniform(8, 120),
                rng.choice([0.0, rng.uniform(0, 0.25), rng.uniform(0.1, 0.6)]),
                rng.uniform(0, 1),
                rng.uniform(0, 0.5),
            ]
        ),
        rounding=float(rounding),
        sphere=float(sphere),
        deboss=rng.choice([rng.uniform(-0.3, 0.3), rng.uniform(-1.2, 0.2)]),
    )
