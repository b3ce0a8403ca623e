"""What is hard to read on photographs, each drawn for itself: ``trouble`` of :func:`models.render.scene.scene`.

Nothing here is drawn that a person could not read in the picture, but for what light has blown out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from models.render.dice import TEXTURE, Model, paste, unlike, wear
from models.render.numbers import typefaces, write
from models.render.props import reach
from models.render.solids import rotation_to_up
from models.render.strokes import SIZE

Rng = np.random.Generator
TROUBLES = {
    "blown": "light blows dice out, many to white",
    "grey": "grey marks on grey dice on a grey ground",
    "pale": "pale marks on pale dice on a pale ground",
    "ground": "the ground has the colour of a die",
    "bare": "blank faces of every type that has one, also large in the picture",
    "rows": "rows and pairs of small dice, side to side",
    "blurred": "out of focus",
    "aslant": "flat dice seen from the side at the edges of a wide picture",
    "ornate": "numbers in hair-thin and ornate typefaces, with arcs and flourishes",
    "edge": "plugs, keys, laptops and faces at the picture's edges",
}
"""Each by name, with what it means."""
_TONES = {"grey": (0.12, 0.6), "pale": (0.62, 0.95)}  # linear, of such bodies
_FAINTEST, _CLEAREST = 0.17, 0.33  # how unlike marks and bodies of one tone are, 0..1, as the eye sees it
_ANY_COLOUR = frozenset({"pip", "d10", "d100", "other"})
_FINE = ("hairline", "thin", "light")
_ORNATE = ("isabella", "didot", "lobster", "ecolier-court", "fonts-oldstandard", "ebgaramond", "breip")
_THIN = 2.4  # px in a texture: a line that is thinner is lost at a die's size
_TRIES = 60


def px_of(rng: Rng, trouble: str) -> float | None:
    """Return how wide a die is in a scene of that trouble, px, or None where that is left to the scene."""
    low, high = {"rows": (15, 38), "bare": (60, 330)}.get(trouble, (0, 0))
    return float(np.exp(rng.uniform(np.log(low), np.log(high)))) if high else None


def area_of(rng: Rng) -> tuple[float, ...]:
    """Return a strip along one edge of a picture, (left, top, right, bottom) in shares of it."""
    wide = rng.uniform(0.1, 0.22)
    strips = (
        (0.03, 0.03, wide, 0.97),
        (1 - wide, 0.03, 0.97, 0.97),
        (0.03, 0.03, 0.97, wide),
        (0.03, 1 - wide, 0.97, 0.97),
    )
    return strips[rng.integers(4)]


def troubled(rng: Rng, model: Model, trouble: str) -> Model:
    """Return the die as the trouble has it made; those of symbol dice keep their colours."""
    if trouble in _TONES and model.type in _ANY_COLOUR:
        body, ink = _of_one_tone(rng, trouble)
        return replace(model, body=body, body2=body, ink=ink, pattern=model.pattern * np.array([1, 0, 1, 0, 1]))
    return _in_fine_numbers(rng, model) if trouble == "ornate" else model


def _of_one_tone(rng: Rng, trouble: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the colours of a body and its marks, (3,) linear: little but their brightness tells them apart."""
    tint = 1 + rng.normal(0, 0.06 if trouble == "grey" else 0.12, 3)
    body = np.clip(rng.uniform(*_TONES[trouble]) * tint, 0.02, 1)
    apart = rng.uniform(_FAINTEST, _CLEAREST)
    darker = trouble == "pale" or rng.random() < 0.5
    ink = np.clip(np.sqrt(body) + (-apart if darker else apart), 0.05, 1) ** 2
    return body, ink if unlike(body, ink) > 0.9 * _FAINTEST else body * 0.25


def grounded(rng: Rng, albedo: np.ndarray, models: list[Model], trouble: str) -> np.ndarray:
    """Return the (h, w, 3) albedo in the colour of one of the dice, or as it was."""
    if trouble not in ("grey", "pale", "ground") or not models:
        return albedo
    colour = models[rng.integers(len(models))].body
    if trouble in _TONES and rng.random() < 0.5:
        colour = np.full(3, rng.uniform(*_TONES[trouble]))
    colour = colour * np.exp(rng.normal(0, 0.12)) * (1 + rng.normal(0, 0.03, 3))
    plain = albedo.mean((0, 1))
    return np.clip(albedo / plain * colour, 0.002, 1.0).astype(np.float32)


def lens_of(rng: Rng, trouble: str, px: float) -> Callable[[np.ndarray], np.ndarray] | None:
    """Return what the camera makes of the (h, w, 3) light from dice that are so many px wide, if anything."""
    if trouble == "blown":
        gain = float(np.exp(rng.uniform(np.log(1.3), np.log(3.2))))
        return lambda light: light * gain
    if trouble == "blurred":
        around = max(px * rng.uniform(0.02, 0.065), 1.0)
        return lambda light: cv2.filter2D(light, -1, _disc(around))
    return None


def _disc(radius: float) -> np.ndarray:
    """Return the circle of confusion of a lens that is out of focus, which sums to 1."""
    side = 2 * int(np.ceil(radius)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return (disc / disc.sum()).astype(np.float32)


def in_rows(rng: Rng, placed: list[Any], spot: Callable[[], np.ndarray]) -> list[Any]:
    """Return the dice flat in rows of two to eight, side to side, but for those that find no room.

    :param placed: of ``models.render.scene``. :param spot: draws a place (2,) on the table, cm.
    """
    rest, kept = list(placed), []
    while rest:
        row, rest = rest[: (length := 2 if rng.random() < 0.4 else int(rng.integers(3, 9)))], rest[length:]
        heading = rng.uniform(0, 2 * np.pi)
        along = np.array([np.cos(heading), np.sin(heading)])
        off, far = [], 0.0
        for die in row:
            _face(rng, die, heading)
            far += reach(die, -along) * rng.choice([1.0, 1.0, rng.uniform(1.0, 1.12)])
            off.append(far)
            far += reach(die, along)
        for _ in range(_TRIES):
            start = spot()
            spots = [start + along * (one - far / 2) for one in off]
            if all(
                np.linalg.norm(at - other.centre[:2]) > 1.5 * (die.model.size + other.model.size)
                for die, at in zip(row, spots, strict=True)
                for other in kept
            ):
                for die, at in zip(row, spots, strict=True):
                    die.centre[:2] = at
                kept += row
                break
    return kept


def _face(rng: Rng, die: Any, heading: float) -> None:
    """Lay the die flat with a side square to that way, in radians."""
    solid = die.model.solid
    turn = rotation_to_up(solid.normals[die.face], 0.0)
    sides = (solid.normals @ turn.T)[:, :2]
    side = sides[rng.choice(np.nonzero(np.linalg.norm(sides, axis=1) > 0.3)[0])]
    spin = heading - np.arctan2(side[1], side[0]) + rng.normal(0, 0.03)
    die.turn = rotation_to_up(solid.normals[die.face], spin)
    die.centre[2] = die.model.size


def _in_fine_numbers(rng: Rng, model: Model) -> Model:
    """Return a numbered die, or one of no set, with its numbers in a fine or ornate typeface."""
    names = [face[0] if face else "" for face in model.faces]
    if set(names) == {"?"}:
        names = [str(int(n)) for n in rng.permutation(len(names)) + 1]
    if model.type not in _ANY_COLOUR - {"pip"} or not all(name.isdigit() and len(name) < 3 for name in names):
        return model
    choices = [
        i
        for i, path in enumerate(typefaces())
        if any(fine in path.stem.lower() for fine in _FINE) or path.parent.name in _ORNATE
    ]
    typeface, turn, span = int(rng.choice(choices)), rng.uniform(0, 2 * np.pi), rng.uniform(0.7, 1.1)
    ends, style = rng.random() < 0.6, int(rng.integers(2**32))
    textures = []
    for name in names:
        art = write(name, typeface, rng, mark="line" if name in ("6", "9") else "")
        if ends:
            art = flourished(np.random.default_rng(style), art)
        canvas = np.zeros((TEXTURE, TEXTURE), np.uint8)
        paste(canvas, _no_thinner(art, span), *rng.normal(0, 0.03, 2), span, turn)
        textures.append(wear(rng, canvas))
    return replace(model, texture=np.stack(textures))


def _no_thinner(art: np.ndarray, span: float) -> np.ndarray:
    """Return the mark with its strokes made bold enough to be seen."""
    texel = 0.8 * SIZE / (span / 2 * TEXTURE)  # px of the mark
    stroke = 2 * np.percentile(cv2.distanceTransform((art > 127).astype(np.uint8), cv2.DIST_L2, 3)[art > 127], 90)
    more = int(np.ceil((_THIN * texel - stroke) / 2))
    return cv2.dilate(art, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * more + 1,) * 2)) if more > 0 else art


def flourished(rng: Rng, art: np.ndarray) -> np.ndarray:
    """Return the (SIZE, SIZE) mark smaller, with arcs, curls or a wreath of strokes about it; the same for all of a die."""
    inner = rng.uniform(0.62, 0.78)
    small = cv2.warpAffine(art, np.array([[inner, 0, 1 - inner], [0, inner, 1 - inner]]) * [1, 1, SIZE / 2], art.shape)
    out, middle, thick = small.copy(), SIZE / 2, int(rng.integers(3, 7))
    kind = int(rng.integers(3))
    count, start = int(rng.integers(1, 5)), rng.uniform(0, 2 * np.pi)
    for k in range(count):
        angle = start + k * 2 * np.pi / count
        if kind == 0:  # arcs
            radius, half = 0.84 * middle, 180 / count * rng.uniform(0.4, 0.85)
            cv2.ellipse(
                out, (int(middle),) * 2, (int(radius),) * 2, np.degrees(angle), -half, half, 255, thick, cv2.LINE_AA
            )
            continue
        t = np.linspace(0, 1, 40)
        if kind == 1:  # curls
            turn, far = angle + t * 1.2, middle * 0.82 * (1 - 0.0 * t)
            tail = 0.12 * middle * (1 - t) + 0.02 * middle
            curl = t * rng.uniform(5, 9)
            x = middle + far * np.cos(turn) + tail * np.cos(curl + angle)
            y = middle + far * np.sin(turn) + tail * np.sin(curl + angle)
        else:  # swashes that run out to both sides
            x = middle + middle * (0.5 + 0.34 * t) * np.cos(angle + 0.9 * np.sin(np.pi * t))
            y = middle + middle * (0.5 + 0.34 * t) * np.sin(angle + 0.9 * np.sin(np.pi * t))
        path = np.round(np.stack([x, y], 1) * 16).astype(np.int32)
        cv2.polylines(out, [path], False, 255, thick, cv2.LINE_AA, 4)
    return out
