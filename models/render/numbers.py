"""Numbers in many typefaces, as they stand on dice.

The typefaces are Debian packages, named in ``PACKAGES``; DejaVu, Liberation and TeX Gyre are kept for pictures that
measure, and are never used here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import digits

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from models.render.strokes import SIZE, weighed
from tableside.errors import SettingsError

Rng = np.random.Generator

_HEIGHT = 110
_ZERO_DOT, _ZERO_SLASH, _ZERO_STROKE = 0.12, 0.33, 0.14  # of a zero's width and height

PACKAGES = {
    "fonts-averia-sans-gwf": "averia-gwf",
    "fonts-bebas-neue": "bebas-neue",
    "fonts-breip": "breip",
    "fonts-cabin": "cabin",
    "fonts-cantarell": "cantarell",
    "fonts-comfortaa": "comfortaa",
    "fonts-dustin": "dustin",
    "fonts-ebgaramond": "ebgaramond",
    "fonts-ecolier-court": "ecolier-court",
    "fonts-gfs-didot": "didot",
    "fonts-humor-sans": "humor-sans",
    "fonts-inconsolata": "inconsolata",
    "fonts-isabella": "isabella",
    "fonts-junction": "junction",
    "fonts-lato": "lato",
    "fonts-linuxlibertine": "linux-libertine",
    "fonts-lobster": "lobster",
    "fonts-ocr-a": "ocr-a",
    "fonts-oldstandard": "fonts-oldstandard",
    "fonts-open-sans": "open-sans",
    "fonts-play": "play",
    "fonts-quicksand": "quicksand",
    "fonts-roboto-unhinted": "unhinted",
    "fonts-sil-gentium": "gentium",
    "fonts-tomsontalks": "tomsontalks",
}
"""Debian packages, each with the folder of its typefaces."""


@cache
def typefaces() -> tuple[Path, ...]:
    """Return the font files that have every digit, in a fixed order.

    :raises SettingsError: when a package is not installed: with fewer typefaces the same seed draws another picture.
    """
    root, folders = Path("/usr/share/fonts"), set(PACKAGES.values())
    files = [
        path
        for path in root.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf") and path.parent.name in folders and "icon" not in path.name.lower()
    ]
    found = {path.parent.name for path in files}
    if missing := [package for package, folder in PACKAGES.items() if folder not in found]:
        hint = f"Install them: apt-get install {' '.join(missing)}"
        raise SettingsError("lacks typefaces that numbers on dice are drawn in", where=str(root), hint=hint)
    return tuple(sorted(filter(has_digits, files), key=lambda path: path.name))


def has_digits(path: Path) -> bool:
    """Return whether the typeface draws ten unlike digits: one that lacks some draws a box for each."""
    font = ImageFont.truetype(str(path), _HEIGHT)
    return len({bytes(font.getmask(digit)) for digit in digits}) == len(digits)


@cache
def _typeface(one: int | Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(typefaces()[one] if isinstance(one, int) else one), _HEIGHT)


def choose(rng: Rng) -> int:
    """Return the number of a typeface, each package's families equally likely."""
    folders = sorted({path.parent.name for path in typefaces()})
    folder = folders[rng.integers(len(folders))]
    return int(rng.choice([i for i, path in enumerate(typefaces()) if path.parent.name == folder]))


def _fill_zero(pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont, at: tuple[float, float], zero: str) -> None:
    """Draw what a zero bears into the one written at a place."""
    left, top, right, bottom = font.getbbox("0")
    x, y = at[0] + (left + right) / 2, at[1] + (top + bottom) / 2
    if zero == "dot":
        wide = _ZERO_DOT * (right - left)
        high = min(_ZERO_DOT * (bottom - top), 1.6 * wide)
        pen.ellipse((x - wide, y - high, x + wide, y + high), fill=255)
    else:
        aside, up = _ZERO_SLASH * (right - left), _ZERO_SLASH * (bottom - top)
        pen.line((x - aside, y + up, x + aside, y - up), fill=255, width=max(int(_ZERO_STROKE * (right - left)), 3))


def write(text: str, typeface: int | Path, rng: Rng, *, mark: str = "", weight: int = 0, zero: str = "") -> np.ndarray:
    """Return the text as a (SIZE, SIZE) uint8 mask, filling it.

    :param typeface: its number, or its file. :param mark: tells 6 from 9: ``line``, ``dot`` or none. :param zero: what each zero bears: ``dot``, ``slash`` or none.
    """
    font = _typeface(typeface)
    left, top, right, bottom = font.getbbox(text)
    width, height = int(right - left) + 1, int(bottom - top) + 1
    below = height // 3 if mark else 0
    image = Image.new("L", (width + 8, height + 8 + below), 0)
    pen = ImageDraw.Draw(image)
    pen.text((4 - left, 4 - top), text, fill=255, font=font)
    stroke = max(6, height // 9)
    if mark == "line":
        pen.rectangle((4, height + 4 + stroke, width + 4, height + 4 + 2 * stroke), fill=255)
    elif mark == "dot":
        x = 4 + width * rng.choice([0.5, 1.0])
        pen.ellipse((x - stroke, height + 4, x + stroke, height + 4 + 2 * stroke), fill=255)
    image = Image.fromarray(weighed(np.asarray(image), weight))
    for at in [i for i, sign in enumerate(text) if zero and sign == "0"]:
        _fill_zero(ImageDraw.Draw(image), font, (4 - left + font.getlength(text[:at]), 4 - top), zero)
    mask = np.asarray(image)
    scale = 0.8 * SIZE / max(mask.shape)
    mask = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    out = np.zeros((SIZE, SIZE), np.uint8)
    y, x = (SIZE - mask.shape[0]) // 2, (SIZE - mask.shape[1]) // 2
    out[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
    return out
