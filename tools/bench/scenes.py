"""Dice cut out of labelled photographs, and the bare ground under them: what films are put together from."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

Picture = np.ndarray
Place = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sprite:
    """One die of a photograph.

    :ivar patch: (n, n, 3) float32. :ivar mask: (n, n), 0..1, where the die and the shadow at its foot are.
    :ivar place: its middle in the photograph, px. :ivar radius: px. :ivar name: type and face, as it is labelled.
    """

    patch: Picture
    mask: np.ndarray
    place: Place
    radius: float
    name: tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """A photograph taken apart.

    :ivar ground: (h, w, 3) float32, without the dice.
    """

    ground: Picture
    sprites: tuple[Sprite, ...]

    @property
    def size(self) -> tuple[int, int]:
        return self.ground.shape[1], self.ground.shape[0]


def take_apart(label: Path, *, width: int) -> Scene:
    """Return the scene of a labelled photograph (``NAME.json`` beside ``NAME.jpg``), that wide."""
    told = json.loads(label.read_text(encoding="utf-8"))
    whole = cv2.imread(str(label.with_name(told["image"])))
    scale = width / whole.shape[1]
    picture = cv2.resize(whole, (width, round(whole.shape[0] * scale)), interpolation=cv2.INTER_AREA)
    height = picture.shape[0]
    around = np.zeros((height, width), np.uint8)
    sprites = []
    for die in told["dice"]:
        outline = _whole(np.array(die["outline"], np.float32) * scale)
        (x, y), radius = (outline.min(axis=0) + outline.max(axis=0)) / 2, math.sqrt(cv2.contourArea(outline) / math.pi)
        # a box drawn round a die holds some ground in its corners
        shape = outline if len(outline) > 4 else _oval(outline)
        grown = (shape - (x, y)) * 1.18 + (x, y)
        cv2.fillPoly(around, [np.rint((shape - (x, y)) * 1.45 + (x, y)).astype(np.int32)], 255)
        if not (radius < x < width - radius and radius < y < height - radius):
            continue  # it is cut by the edge: it stays where it is
        half = math.ceil(1.7 * radius)
        mask = np.zeros((2 * half, 2 * half), np.float32)
        cv2.fillPoly(mask, [np.rint(grown - (x, y) + half).astype(np.int32)], 1.0)
        patch = cv2.getRectSubPix(picture, (2 * half, 2 * half), (float(x), float(y))).astype(np.float32)
        sprites.append(
            Sprite(
                patch=patch,
                mask=cv2.GaussianBlur(mask, (0, 0), max(0.8, 0.06 * radius)),
                place=(float(x), float(y)),
                radius=radius,
                name=(die["type"], tuple(die["face"])),
            )
        )
    ground = cv2.inpaint(picture, around, 5, cv2.INPAINT_TELEA).astype(np.float32)
    return Scene(ground=ground, sprites=tuple(sprites))


def paled(sprite: Sprite, ground: Picture, contrast: float) -> Sprite:
    """Return the die with so many grey levels between it and the ground, marks and all."""
    x, y = (round(v) for v in sprite.place)
    level = ground[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4].reshape(-1, 3).mean(axis=0)
    away = sprite.patch - level
    strength = float(np.abs(away[sprite.mask > 0.5]).mean()) + 1e-6
    return replace(sprite, patch=(level + away * min(1.0, contrast / strength)).astype(np.float32))


def laid(picture: Picture, sprite: Sprite, place: Place, turn: float = 0.0, share: float = 1.0) -> None:
    """Lay a die into a picture, turned by radians; ``share`` is how much of the time it is there."""
    side = sprite.patch.shape[0]
    x0, y0 = math.floor(place[0]) - side // 2, math.floor(place[1]) - side // 2
    c, s = math.cos(turn), math.sin(turn)
    mid = side / 2 - 0.5
    to = (mid + place[0] - math.floor(place[0]), mid + place[1] - math.floor(place[1]))
    matrix = np.array([[c, -s, to[0] - c * mid + s * mid], [s, c, to[1] - s * mid - c * mid]])
    patch = cv2.warpAffine(sprite.patch, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpAffine(sprite.mask, matrix, (side, side)) * share
    height, width = picture.shape[:2]
    left, top, right, bottom = max(0, x0), max(0, y0), min(width, x0 + side), min(height, y0 + side)
    if left >= right or top >= bottom:
        return
    part = (slice(top - y0, bottom - y0), slice(left - x0, right - x0))
    under = picture[top:bottom, left:right]
    under += (patch[part] - under) * mask[part][..., None]


def with_hand(picture: Picture, at: Place, side: int, skin: np.ndarray, *, size: float = 1.0) -> float:
    """Draw a hand with its arm and its shadow; ``at`` is where the fingers are, px, ``side`` the edge it comes from.

    :param size: 1 for a hand 0.17 of the picture's width across.

    :returns: the share of the picture that it covers.
    """
    height, width = picture.shape[:2]
    broad = size * width
    mask = np.zeros((height, width), np.float32)
    x, y = at
    start = np.array({0: (x, height + 40.0), 1: (-40.0, y), 2: (width + 40.0, y), 3: (x, -40.0)}[side])
    along = start - at
    along /= np.linalg.norm(along) + 1e-9
    across = np.array([-along[1], along[0]])
    palm = np.array(at) + along * 0.16 * broad
    cv2.line(mask, tuple(np.int32(palm).tolist()), tuple(np.int32(start).tolist()), 1.0, int(0.12 * broad))
    cv2.circle(mask, tuple(np.int32(palm).tolist()), int(0.085 * broad), 1.0, -1)
    for finger in (-1.5, -0.5, 0.5, 1.5):
        root, tip = palm + across * finger * 0.038 * broad, np.array(at) + across * finger * 0.042 * broad
        cv2.line(mask, tuple(np.int32(root).tolist()), tuple(np.int32(tip).tolist()), 1.0, int(0.034 * broad))
    small = cv2.resize(mask, (width // 8, height // 8), interpolation=cv2.INTER_AREA)
    shade = cv2.resize(cv2.GaussianBlur(small, (0, 0), 0.03 * width / 8), (width, height))
    mask = cv2.GaussianBlur(mask, (0, 0), 1.5)
    picture *= 1 - 0.4 * shade[..., None]
    picture += (skin * (0.75 + 0.35 * shade[..., None]) - picture) * mask[..., None]
    return float(mask.mean())


def _whole(outline: np.ndarray) -> np.ndarray:
    """Return the outline of the die. A flat box was drawn round the upper face alone; its side is seen below that."""
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    wide = x1 - x0
    if len(outline) > 4 or y1 - y0 > 0.8 * wide:
        return outline
    return np.array([(x0, y0), (x1, y0), (x1, y0 + 1.25 * wide), (x0, y0 + 1.25 * wide)], np.float32)


def _oval(box: np.ndarray) -> np.ndarray:
    (x0, y0), (x1, y1) = box.min(axis=0), box.max(axis=0)
    angles = np.arange(24) * (2 * np.pi / 24)
    return np.stack([(x0 + x1) / 2 + np.cos(angles) * (x1 - x0) / 2, (y0 + y1) / 2 + np.sin(angles) * (y1 - y0) / 2], 1)
