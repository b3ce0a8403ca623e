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

Rng = np.random.Generator

_HEIGHT = 110

PACKAGES = (
    "fonts-averia-sans-gwf fonts-bebas-neue fonts-breip fonts-cabin fonts-cantarell fonts-comfortaa fonts-dustin "
    "fonts-ebgaramond fonts-ecolier-court fonts-gfs-didot fonts-humor-sans fonts-inconsolata fonts-isabella "
    "fonts-junction fonts-lato fonts-linuxlibertine fonts-lobster fonts-ocr-a fonts-oldstandard fonts-open-sans "
    "fonts-play fonts-quicksand fonts-roboto-unhinted fonts-sil-gentium fonts-tomsontalks"
)
_FOLDERS = [
    "averia-gwf",
    "bebas-neue",
    "breip",
    "cabin",
    "cantarell",
    "comfortaa",
    "dustin",
    "ebgaramond",
    "ecolier-court",
    "didot",
    "humor-sans",
    "inconsolata",
    "isabella",
    "junction",
    "lato",
    "linux-libertine",
    "lobster",
    "ocr-a",
    "fonts-oldstandard",
    "open-sans",
    "play",
    "quicksand",
    "unhinted",
    "gentium",
    "tomsontalks",
]


@cache
def typefaces() -> tuple[Path, ...]:
    """Return the font files that have every digit, in a fixed order.

    :raises FileNotFoundError: when none is installed.
    """
    root = Path("/usr/share/fonts")
    files = [
        path
        for path in root.rglob("*")
        if path.suffix.lower() in (".ttf", ".otf") and path.parent.name in _FOLDERS and "icon" not in path.name.lower()
    ]
    if not files:
        raise FileNotFoundError(f"no typefaces under {root}; install the Debian packages {PACKAGES}")
    return tuple(sorted(filter(has_digits, files), key=lambda path: path.name))


def has_digits(path: Path) -> bool:
    """Return whether the typeface draws ten unlike digits: one that lacks some draws a box for each."""
    font = ImageFont.truetype(str(path), _HEIGHT)
    return len({bytes(font.getmask(digit)) for digit in digits}) == len(digits)


@cache
def _typeface(index: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(typefaces()[index]), _HEIGHT)


def choose(rng: Rng) -> int:
    """Return the number of a typeface, each package's families equally likely."""
    folders = sorted({path.parent.name for path in typefaces()})
    folder = folders[rng.integers(len(folders))]
    return int(rng.choice([i for i, path in enumerate(typefaces()) if path.parent.name == folder]))


def write(text: str, typeface: int, rng: Rng, *, mark: str = "", weight: int = 0) -> np.ndarray:
    """Return the text as a (SIZE, SIZE) uint8 mask, filling it; ``mark`` tells 6 from 9: ``line``, ``dot`` or none."""
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
    mask = np.asarray(image)
    mask = weighed(mask, weight)
    scale = 0.8 * SIZE / max(mask.shape)
    mask = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    out = np.zeros((SIZE, SIZE), np.uint8)
    y, x = (SIZE - mask.shape[0]) // 2, (SIZE - mask.shape[1]) // 2
    out[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
    return out
