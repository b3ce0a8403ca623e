"""Dice of no set: numbers, letters and endless marks, to learn what it means that two faces show the same."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.render.dice import TEXTURE, Model, any_colour, contrasting_ink, dress, paste, style_of, wear
from models.render.numbers import choose, write
from models.render.solids import solid
from models.render.strokes import SIZE

Rng = np.random.Generator
_LETTERS = "ABCDEFGHJKLMPQRSTUVXY"  # no letter that is another one turned


NUMBERED = ("d6", "d8", "d10", "d12", "d20", "d100")


def invent(
    rng: Rng,
    numbered: str = "",
    colours: tuple[np.ndarray, np.ndarray] | None = None,
    marks: str = "",
    *,
    typeface: Path | None = None,
    is_marked: bool = True,
) -> Model:
    """Invent a die whose ``faces`` name what they show; two faces of one name show the same, an empty name nothing.

    :param numbered: one of ``NUMBERED``, for such a die with its usual numbers.
    :param colours: of the body and of the marks; invented too where not given.
    :param marks: ``"number"``, ``"letter"``, ``"mark"`` or ``"dots"``, for a die of the shape ``numbered`` with such on
        every face.
    :param typeface: of numbers and letters. :param is_marked: a mark tells 6 from 9.
    """
    name = str(rng.choice(["d6", "d8", "d10", "d12", "d20"], p=[0.3, 0.2, 0.15, 0.2, 0.15]))
    shape = solid(numbered.replace("d100", "d10") or name)
    body = any_colour(rng) if colours is None else colours[0]
    ink = contrasting_ink(rng, body) if colours is None else colours[1]
    style = style_of(rng, shape.name)
    kind = str(rng.choice(["number", "letter", "mark", "dots"], p=[0.34, 0.1, 0.5, 0.06]))
    kind = marks or ("number" if numbered else kind)
    written, turn, weight = typeface or choose(rng), rng.uniform(0, 2 * np.pi), int(rng.integers(-2, 5))
    count = len(shape.normals)
    names = (
        [str(int(n)) for n in rng.permutation(count) + 1]
        if kind == "number"
        else _marks(rng, kind, count, blanks=not marks)
    )
    if kind == "number" and numbered in ("d10", "d100"):  # 0 to 9, and 00 to 90
        names = [("0" if name == "10" else name) + "0" * (numbered == "d100") for name in names]
    textures, faces = [], []
    for name in names:
        canvas = np.zeros((TEXTURE, TEXTURE), np.uint8)
        size = style["single"] * rng.uniform(0.75, 1.1)
        at = rng.normal(0, 0.05, 2)
        if name and kind == "dots":
            _dots(canvas, int(name), size)
        elif name and kind in ("number", "letter"):
            marked = is_marked and name in ("6", "9") and kind == "number"
            line = "line" if rng.random() < 0.6 else "dot"
            paste(canvas, write(name, written, rng, mark=line if marked else "", weight=weight), *at, size, turn)
        elif name:
            for part, (x, y) in enumerate(_places(rng, style)):
                art = mark(np.random.default_rng([int(name), part]))
                paste(canvas, art, at[0] + x, at[1] + y, size * (1.0 if not x and not y else 0.6), rng.uniform(0, 6.3))
        textures.append(wear(rng, canvas))
        faces.append((name,) if name else ())
    return dress(rng, "other", shape, tuple(faces), np.stack(textures), body, ink, patterned=rng.random() < 0.3)


def _marks(rng: Rng, kind: str, count: int, *, blanks: bool) -> list[str]:
    if kind == "letter":
        return [str(letter) for letter in rng.choice(list(_LETTERS), count, replace=count > len(_LETTERS))]
    if kind == "dots":
        return [str(int(n)) for n in rng.permutation(count) % 9 + 1]
    names = [str(int(n)) for n in rng.integers(100, 2**40, count)]
    if rng.random() < 0.4 and blanks:
        names[0] = ""
    return names


def _places(rng: Rng, style: dict[str, float]) -> list[tuple[float, float]]:
    if rng.random() < 0.75:
        return [(0.0, 0.0)]
    x, y = np.cos(style["axis"]) * 0.3, np.sin(style["axis"]) * 0.3
    return [(x, y), (-x, -y)]


def _dots(canvas: np.ndarray, count: int, span: float) -> None:
    """Draw a ring of dots, which is no layout of pips."""
    for k in range(count):
        angle = 2 * np.pi * k / count
        at = (np.array([np.cos(angle), np.sin(angle)]) * span * 0.32 * (count > 1) * 0.5 + 0.5) * TEXTURE
        cv2.circle(canvas, tuple(int(v * 16) for v in at), int(TEXTURE * 0.035 * 16), 255, -1, cv2.LINE_AA, 4)


def mark(rng: Rng) -> np.ndarray:
    """Return an invented mark as a (SIZE, SIZE) uint8 mask: strokes, a star, a blot with mirrored halves, or bands."""
    kind = int(rng.integers(4))
    out = np.zeros((SIZE, SIZE), np.uint8)
    middle = SIZE / 2
    if kind == 0:  # strokes of a pen
        thick = int(rng.integers(8, 26))
        for _ in range(int(rng.integers(2, 5))):
            ends = rng.uniform(0.14, 0.86, (3, 2)) * SIZE
            t = np.linspace(0, 1, 24)[:, None]
            path = (1 - t) ** 2 * ends[0] + 2 * t * (1 - t) * ends[1] + t**2 * ends[2]
            cv2.polylines(out, [np.round(path * 16).astype(np.int32)], bool(rng.random() < 0.2), 255, thick, 16, 4)
    elif kind == 1:  # a star or polygon, with or without a hole
        n = int(rng.integers(3, 10))
        radius = np.where(np.arange(2 * n) % 2, rng.uniform(0.2, 0.9), 1.0)
        if rng.random() < 0.5:
            radius = radius * rng.uniform(0.6, 1.1, 2 * n)
        angle = np.arange(2 * n) * np.pi / n
        points = np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None] * 0.8
        for scale, value in ((1.0, 255), (rng.uniform(0.25, 0.75), 0)):
            if value or rng.random() < 0.6:
                cv2.fillPoly(out, [np.round((points * scale + 1) * middle * 16).astype(np.int32)], value, 16, 4)
    elif kind == 2:  # a blot, often with mirrored halves
        noise = rng.normal(0, 1, (int(rng.integers(4, 8)),) * 2).astype(np.float32)
        field = cv2.resize(noise, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)
        if rng.random() < 0.7:
            field = field + field[:, ::-1]
        y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
        out[(field > np.percentile(field, rng.uniform(35, 65))) & (x * x + y * y < 0.62)] = 255
    else:  # bands, rings and a disc
        for radius in sorted(rng.uniform(0.15, 0.8, int(rng.integers(1, 4)))):
            start, sweep = rng.uniform(0, 360), rng.choice([360.0, rng.uniform(60, 300)])
            axes = (int(radius * middle), int(radius * middle * rng.uniform(0.6, 1)))
            width = int(rng.integers(8, 24))
            cv2.ellipse(out, (int(middle),) * 2, axes, rng.uniform(0, 180), start, start + sweep, 255, width, 16)
        if rng.random() < 0.5:
            at = tuple(int(v) for v in rng.uniform(0.3, 0.7, 2) * SIZE)
            cv2.circle(out, at, int(rng.uniform(0.05, 0.2) * SIZE), 255, -1, 16)
    return out
