"""Printed pictures: a game's box, its cards, a playmat with art. Glows, beams, outlined shapes and lettering, and no dice."""

from __future__ import annotations

import string

import cv2
import numpy as np
from PIL import Image, ImageDraw

from models.render.grounds import palette
from models.render.numbers import typefaces
from models.render.pages import lay, typeface
from models.render.surfaces import noise

Rng = np.random.Generator
_SIZES = ((8.8, 6.3), (12.0, 7.0), (15.5, 7.3), (7.3, 15.5), (24.0, 17.0), (29.0, 29.0))
"""Height and width in cm: cards, phones, tablets, boxes."""


def artwork(rng: Rng, height: int, width: int, piece: float) -> np.ndarray:
    """Return a (height, width, 3) float32 linear BGR picture as printed, most of whose parts are about ``piece`` px large."""
    colours = palette(rng, int(rng.integers(3, 8)))
    base = colours[0] * np.float32(rng.uniform(0.02, 0.25) if rng.random() < 0.6 else rng.uniform(0.3, 1))
    veil = np.clip(0.5 + noise(rng, height, width, width / piece / 4) * rng.uniform(0.2, 2), 0, 1)[..., None]
    picture = base * (1 - veil) + veil * colours[1] * np.float32(rng.uniform(0.05, 1))
    parts = [(_glow, 0.8), (_beams, 0.6), (_shapes, 0.7), (_windows, 0.35), (_lettering, 0.5)]
    for index in rng.permutation(len(parts)):
        draw, chance = parts[index]
        if rng.random() < chance:
            picture = draw(rng, picture, piece, colours)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.6)))
    return np.clip(picture, 0.002, 1).astype(np.float32)


def lay_prints(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the (h, w, 3) table top with printed things on it, and what the walls of a box round the dice bear, if any."""
    height, width = albedo.shape[:2]
    if rng.random() < 0.25:
        albedo = artwork(rng, height, width, px_per_cm * np.exp(rng.uniform(-0.3, 2)))
    for _ in range(int(rng.integers(0, 4))):
        high, wide = _SIZES[rng.integers(len(_SIZES))]
        fine = min(px_per_cm, 30.0)
        thing = artwork(rng, int(high * fine), int(wide * fine), fine * np.exp(rng.uniform(-0.5, 1)))
        edge = max(1, round(fine * rng.uniform(0.05, 0.4)))
        for side in (thing[:edge], thing[-edge:], thing[:, :edge], thing[:, -edge:]):
            side[:] = rng.choice([0.01, rng.uniform(0.02, 0.9)])
        lay(rng, albedo, thing, px_per_cm / fine)
    has_box = rng.random() < 0.65
    return albedo, artwork(rng, height, width, px_per_cm * np.exp(rng.uniform(-1, 1))) if has_box else None


def _many(rng: Rng, picture: np.ndarray, piece: float, most: int) -> int:
    """Return how many parts of a piece's size to draw, the more the more pieces fit the picture."""
    room = picture.shape[0] * picture.shape[1] / (6 * piece) ** 2
    return int(np.clip(rng.uniform(0.3, 1.5) * room, 1, most))


def _spot(rng: Rng, picture: np.ndarray) -> np.ndarray:
    return rng.uniform(0, 1, 2) * picture.shape[1::-1]


def _bright(rng: Rng, colours: np.ndarray) -> np.ndarray:
    """Return a colour of the palette or white."""
    colour = colours[rng.integers(len(colours))] if rng.random() < 0.75 else np.ones(3)
    return (colour * rng.uniform(0.5, 1.3)).astype(np.float32)


def _blend(picture: np.ndarray, share: np.ndarray, colour: np.ndarray) -> np.ndarray:
    return picture + share[..., None] * (colour - picture)


def _glow(rng: Rng, picture: np.ndarray, piece: float, colours: np.ndarray) -> np.ndarray:
    """Add soft lights, as of flames, suns, lamps and nebulae."""
    height, width = picture.shape[:2]
    for _ in range(_many(rng, picture, piece, 30)):
        layer = np.zeros((height, width), np.float32)
        axes = piece * np.exp(rng.uniform(-1.2, 1, 2))
        box = (tuple(_spot(rng, picture).tolist()), tuple(axes.tolist()), rng.uniform(0, 180))
        cv2.ellipse(layer, box, 1.0, -1, cv2.LINE_AA)
        share = cv2.GaussianBlur(layer, (0, 0), max(0.6, float(axes.min()) * rng.uniform(0.1, 0.6)))
        picture = _blend(picture, share * np.float32(rng.uniform(0.3, 1)), _bright(rng, colours))
    return picture


def _beams(rng: Rng, picture: np.ndarray, piece: float, colours: np.ndarray) -> np.ndarray:
    """Draw straight and bent lines, fine or broad."""
    for _ in range(_many(rng, picture, piece, 16)):
        layer = np.zeros(picture.shape[:2], np.uint8)
        points = _spot(rng, picture) + np.cumsum(rng.normal(0, 3 * piece, (int(rng.integers(2, 5)), 2)), 0)
        thick = max(1, round(piece * np.exp(rng.uniform(-4, -1.2))))
        cv2.polylines(layer, [points.astype(np.int32)], rng.random() < 0.3, 255, thick, cv2.LINE_AA)
        picture = _blend(picture, layer * np.float32(rng.uniform(0.4, 1) / 255), _bright(rng, colours))
    return picture


def _shapes(rng: Rng, picture: np.ndarray, piece: float, colours: np.ndarray) -> np.ndarray:
    """Draw filled shapes from corner to corner or round, with a run of colour, many with an outline."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for _ in range(_many(rng, picture, piece, 24)):
        at, span = _spot(rng, picture), piece * np.exp(rng.uniform(-1.3, 0.9))
        corners = int(rng.integers(3, 9)) if rng.random() < 0.7 else 40
        angle = rng.uniform(0, 2 * np.pi) + np.arange(corners) / corners * 2 * np.pi
        far = span / 2 * (rng.uniform(0.5, 1, corners) if rng.random() < 0.5 else np.ones(corners))
        points = [np.round((at + np.stack([np.cos(angle), np.sin(angle)], 1) * far[:, None]) * 16).astype(np.int32)]
        layer = np.zeros((height, width), np.uint8)
        cv2.fillPoly(layer, points, 255, cv2.LINE_AA, 4)
        run = rng.normal(0, 0.7, 2) / span
        shade = np.clip(1 + (x - at[0]) * np.float32(run[0]) + (y - at[1]) * np.float32(run[1]), 0.1, 2)
        share = layer * np.float32(rng.uniform(0.5, 1) / 255)
        picture = _blend(picture, share, _bright(rng, colours) * shade[..., None])
        if rng.random() < 0.5:
            layer[:] = 0
            cv2.polylines(layer, points, True, 255, max(1, round(span * rng.uniform(0.01, 0.12))), cv2.LINE_AA, 4)
            picture = _blend(picture, layer / np.float32(255), _bright(rng, colours))
    return picture


def _windows(rng: Rng, picture: np.ndarray, piece: float, colours: np.ndarray) -> np.ndarray:
    """Draw rows of small squares or dots, as lit windows, rivets and scores are."""
    for _ in range(_many(rng, picture, 2 * piece, 6)):
        at, step = _spot(rng, picture), piece * rng.uniform(0.08, 0.4)
        turn = rng.choice([0.0, rng.uniform(0, 2 * np.pi)])
        along = np.array([np.cos(turn), np.sin(turn)]) * step
        across = np.array([-along[1], along[0]]) * rng.uniform(0.8, 1.6)
        size, is_round = max(1, int(step * rng.uniform(0.15, 0.42))), rng.random() < 0.4
        colour = _bright(rng, colours).tolist()
        picture = np.ascontiguousarray(picture)
        for row in range(int(rng.integers(1, 5))):
            for column in range(int(rng.integers(2, 12))):
                if rng.random() < 0.15:
                    continue
                left, top = (int(v) for v in at + column * along + row * across)
                if is_round:
                    cv2.circle(picture, (left, top), size, colour, -1, cv2.LINE_AA)
                else:
                    cv2.rectangle(picture, (left - size, top - size), (left + size, top + size), colour, -1)
    return picture


def _lettering(rng: Rng, picture: np.ndarray, piece: float, colours: np.ndarray) -> np.ndarray:
    """Write a title or small print, turned as the box lies."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(1, 6))):
        size = int(np.clip(piece * np.exp(rng.uniform(-1.8, 0.7)), 7, 160))
        words = [
            "".join(rng.choice(list(string.ascii_letters + "0123456789"), int(rng.integers(2, 10)))) for _ in range(4)
        ]
        text = " ".join(words[: int(rng.integers(1, 5))])
        page = Image.new("L", (width, height), 0)
        font = typeface(int(rng.integers(len(typefaces()))), size)
        x, y = _spot(rng, picture) - (width / 4, 0)
        ImageDraw.Draw(page).text((float(x), float(y)), text.upper() if rng.random() < 0.5 else text, 255, font=font)
        turn = float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 8)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1)
        ink = cv2.warpAffine(np.asarray(page), matrix, (width, height))
        picture = _blend(picture, ink * np.float32(rng.uniform(0.6, 1) / 255), _bright(rng, colours))
    return picture
