"""Printed and written pages that lie under and beside the dice: text, boxes, tick marks, numbers, rules and scribbles."""

from __future__ import annotations

import string
from functools import cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from models.render.numbers import choose, typefaces
from models.render.surfaces import noise
from models.render.symbols import draw

Rng = np.random.Generator
_FINEST = 36  # px a centimetre of the page itself; closer up it is soft, as print is


@cache
def typeface(index: int, size: int) -> ImageFont.FreeTypeFont:
    """Return a typeface by its number, ``size`` px high."""
    return ImageFont.truetype(str(typefaces()[index]), size)


def lay_pages(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Lay one to three pages on the (h, w, 3) albedo picture, in place; often one covers most of it."""
    for _ in range(int(rng.integers(1, 4))):
        size = np.array(
            [(21.0, 29.7), (14.8, 21.0), (6.3, 8.8), (30.0, 42.0)][int(rng.choice(4, p=[0.5, 0.2, 0.2, 0.1]))]
        )
        fine = min(px_per_cm, _FINEST)
        page = _page(rng, *(size * fine).astype(int), fine)
        lay(rng, albedo, page, px_per_cm / fine)


def lay(rng: Rng, albedo: np.ndarray, page: np.ndarray, zoom: float) -> None:
    """Lay a flat thing, turned at random, on the (h, w, 3) albedo, in place, ``zoom`` times as large as it is drawn."""
    height, width = albedo.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
    middle = rng.uniform(0.2, 0.8, 2) * (width, height)
    h, w = page.shape[:2]
    matrix = np.array([[c, -s, middle[0] - c * w / 2 + s * h / 2], [s, c, middle[1] - s * w / 2 - c * h / 2]])
    laid = cv2.warpAffine(page, matrix, (width, height), flags=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    cover = cv2.warpAffine(np.ones((h, w), np.float32), matrix, (width, height))[..., None]
    shadow = np.roll(cv2.GaussianBlur(cover, (0, 0), 3), (2, 3), (0, 1))[..., None]
    albedo *= 1 - 0.35 * shadow * (1 - cover)
    albedo *= 1 - cover
    albedo += cover * laid


def _page(rng: Rng, width: int, height: int, px_per_cm: float) -> np.ndarray:
    """Return a (height, width, 3) float32 linear BGR page."""
    light = rng.uniform(0.45, 0.92)
    paper = light * np.array([rng.uniform(0.72, 1.0), rng.uniform(0.88, 1.0), 1.0])
    if rng.random() < 0.15:
        paper = rng.uniform(0.02, 0.9, 3)
    ink = Image.new("L", (width, height), 0)
    pen = ImageDraw.Draw(ink)
    for _ in range(int(rng.integers(4, 16))):
        x, y = rng.uniform(-0.1, 0.9) * width, rng.uniform(-0.05, 0.95) * height
        w, h = rng.uniform(2, 11) * px_per_cm, rng.uniform(1, 9) * px_per_cm
        if rng.random() < 0.4:
            pen.rectangle(
                (x, y, x + w, y + h), fill=int(rng.integers(0, 90)), outline=255, width=int(rng.integers(1, 5))
            )
        _BLOCKS[rng.integers(len(_BLOCKS))](rng, pen, (x, y, w, h), px_per_cm)
    mask = np.asarray(ink, np.float32)[..., None] / 255 * rng.uniform(0.6, 1.0)
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 8))):
            _stamp(rng, mask, rng.uniform(0.6, 4) * px_per_cm)
    colour = rng.uniform(0.0, 0.15, 3) if rng.random() < 0.7 else rng.uniform(0.0, 0.6, 3)
    page = paper * (1 - mask) + (colour if paper.mean() > 0.2 else 1 - colour) * mask
    page = page * (1 + rng.uniform(0, 0.08) * noise(rng, height, width, 5))[..., None]
    return np.clip(page, 0.002, 1.0).astype(np.float32)


Box = tuple[float, float, float, float]


def _paragraph(rng: Rng, pen: ImageDraw.ImageDraw, box: Box, px_per_cm: float) -> None:
    x, y, w, h = box
    size = max(4, int(rng.uniform(0.22, 0.6) * px_per_cm))
    font = typeface(choose(rng), size)
    for line in np.arange(y, y + h, size * rng.uniform(1.1, 1.7)):
        words = " ".join(word(rng) for _ in range(max(1, int(w / size / 3))))
        pen.text((x, line), words, fill=int(rng.integers(150, 256)), font=font)


def _heading(rng: Rng, pen: ImageDraw.ImageDraw, box: Box, px_per_cm: float) -> None:
    font = typeface(choose(rng), max(6, int(rng.uniform(0.6, 2.2) * px_per_cm)))
    pen.text(box[:2], word(rng).upper(), fill=255, font=font)


def _ticks(rng: Rng, pen: ImageDraw.ImageDraw, box: Box, px_per_cm: float) -> None:
    """A row or a grid of circles or squares, some of them filled."""
    x, y, _, _ = box
    side, round_ = rng.uniform(0.25, 1.1) * px_per_cm, rng.random() < 0.6
    for row in range(int(rng.integers(1, 5))):
        for column in range(int(rng.integers(2, 9))):
            at = (x + column * side * 1.4, y + row * side * 1.4)
            shape = pen.ellipse if round_ else pen.rectangle
            fill = int(rng.integers(150, 256)) if rng.random() < 0.35 else None
            shape((*at, at[0] + side, at[1] + side), fill=fill, outline=255, width=max(1, int(side * 0.08)))


def _numbers(rng: Rng, pen: ImageDraw.ImageDraw, box: Box, px_per_cm: float) -> None:
    """Boxes and rings of a die's size with a number in each."""
    x, y, _, _ = box
    side = rng.uniform(0.8, 2.2) * px_per_cm
    font = typeface(choose(rng), max(5, int(side * rng.uniform(0.4, 0.8))))
    shape = (pen.rectangle, pen.ellipse)[rng.integers(2)]
    for column in range(int(rng.integers(1, 6))):
        left = x + column * side * 1.3
        fill = int(rng.integers(0, 120)) if rng.random() < 0.5 else None
        shape((left, y, left + side, y + side), fill=fill, outline=255, width=max(1, int(side * 0.05)))
        text = str(rng.integers(0, 30))
        pen.text((left + side / 2, y + side / 2), text, fill=255, font=font, anchor="mm")


def _rules(rng: Rng, pen: ImageDraw.ImageDraw, box: Box, px_per_cm: float) -> None:
    x, y, w, h = box
    step = rng.uniform(0.4, 1.2) * px_per_cm
    for line in np.arange(y, y + h, step):
        pen.line((x, line, x + w, line), fill=int(rng.integers(80, 220)), width=1)
    if rng.random() < 0.5:
        for line in np.arange(x, x + w, step):
            pen.line((line, y, line, y + h), fill=int(rng.integers(80, 220)), width=1)


def _hand(rng: Rng, pen: ImageDraw.ImageDraw, box: Box, px_per_cm: float) -> None:
    """Lines of handwriting."""
    x, y, w, h = box
    size = rng.uniform(0.2, 0.6) * px_per_cm
    for line in np.arange(y, y + h, size * 2.2):
        at = x
        while at < x + w:
            count = int(rng.integers(6, 18))
            points = np.stack(
                [at + np.cumsum(rng.uniform(0.05, 0.35, count)) * size, line + rng.normal(0, 0.4, count) * size], 1
            )
            pen.line([tuple(p) for p in points.tolist()], fill=255, width=max(1, int(size * 0.12)), joint="curve")
            at = points[-1, 0] + size
            if rng.random() < 0.1:
                break


_BLOCKS = (_paragraph, _paragraph, _heading, _ticks, _numbers, _rules, _hand)


def word(rng: Rng) -> str:
    """Return an invented word, or a number."""
    letters = string.digits if rng.random() < 0.15 else string.ascii_lowercase
    written = "".join(rng.choice(list(letters), int(rng.integers(1, 10))))
    return written.capitalize() if rng.random() < 0.2 else written


def _stamp(rng: Rng, mask: np.ndarray, span: float) -> None:
    """Print a symbol of the dice, which a picture of one is too."""
    side = max(8, int(span))
    art = cv2.resize(
        draw(str(rng.choice(["success", "threat", "failure", "glyph", "advantage", "light"])), rng), (side, side)
    )
    h, w = mask.shape[:2]
    x, y = int(rng.uniform(0, max(1, w - side))), int(rng.uniform(0, max(1, h - side)))
    part = mask[y : y + side, x : x + side, 0]
    np.maximum(part, art[: part.shape[0], : part.shape[1]] / 255.0 * rng.uniform(0.5, 1), out=part)
