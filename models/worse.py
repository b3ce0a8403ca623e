"""Worse pictures of labelled photographs: nearer and farther off, in worse light, by worse cameras, on other tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from models.labelled import Label
from tableside.dice import Point
from tableside.reader.crop import square
from tableside.reader.photo import Picture

_SHADE = 0.35  # of the light is left in a shadow
_WARM = (0.6, 0.95, 1.15)  # blue, green and red under a candle
_HAZE = 0.5  # share of the picture that is a grey veil
_GRAIN = 12.0  # of 255, standard deviation
_BLUR = 1 / 900  # of the picture's longer side, standard deviation
_GAMMAS = {"pale": 0.6, "dark": 1.7}
_STRIPE = 1 / 40  # of the longer side
_BLOTCH = 1 / 12
_CLOSE = (0.3, 0.5, 0.7, 0.9, 0.98)  # shares of a close-up's side that the die fills
_CLOSE_SIDE, _CLOSE_EVERY = 900, 3  # px; one die in so many is shown
_FAR = (2.2, 3.4)  # the picture with bare table round it, in its own widths

_FLASH, _SOFT, _OFF = (200.0, 250.0), 0.15, 0.5  # grey levels; shares of its radius, and of a die's
_MEGAPIXELS_12 = 3024, 4032

Rng = np.random.Generator
Floats = npt.NDArray[np.float32] | npt.NDArray[np.float64]


class Worse(Protocol):
    """Yields worse pictures of a labelled one, with their labels."""

    def __call__(self, label: Label, picture: Picture, rng: Rng, /) -> Iterator[tuple[Label, Picture]]: ...


class Spoils(Protocol):
    """Makes a worse picture of one, dice where they were."""

    def __call__(self, picture: Picture, label: Label, rng: Rng, /) -> Picture: ...


def close_ups(label: Label, picture: Picture, _rng: Rng, *, share: float) -> Iterator[tuple[Label, Picture]]:
    """Yield single flat dice, enlarged until they fill that share of the picture's side."""
    flat = [die for die in label.dice if die.whole and not die.cocked and len(die.outline) > 2]
    for truth in flat[::_CLOSE_EVERY]:
        corners = np.array(truth.outline)
        x, y = (corners.min(axis=0) + corners.max(axis=0)) / 2
        half = float(np.ptp(corners, axis=0).max()) / 2 / share
        outline = (corners - (x - half, y - half)) * _CLOSE_SIDE / (2 * half)
        die = replace(truth, outline=tuple(map(tuple, outline.tolist())))
        yield replace(label, dice=(die,), complete=False), square(picture, (float(x), float(y)), half, _CLOSE_SIDE)


def far(label: Label, picture: Picture, _rng: Rng, *, width: float) -> Iterator[tuple[Label, Picture]]:
    """Yield the picture in the middle of one so many times as wide, bare but for it."""
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    table = np.median(rim, axis=0).tolist()
    below, beside = (round((width - 1) / 2 * size) for size in picture.shape[:2])
    framed = cv2.copyMakeBorder(picture, below, below, beside, beside, cv2.BORDER_CONSTANT, value=table)
    dice = (replace(die, outline=tuple((x + beside, y + below) for x, y in die.outline)) for die in label.dice)
    yield replace(label, dice=tuple(dice)), np.asarray(framed, np.uint8)


def spotted(label: Label, picture: Picture, rng: Rng, *, size: float) -> Iterator[tuple[Label, Picture]]:
    """Yield the picture with a flash mirrored in one die or beside its middle: a white disc of so many die's radii."""
    corners = np.array(label.dice[int(rng.integers(len(label.dice)))].outline)
    reach = float(np.ptp(corners, axis=0).mean()) / 2
    x, y = corners.mean(axis=0) + rng.uniform(-_OFF, _OFF, 2) * reach
    rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
    inside = np.clip((1 - np.hypot(columns - x, rows - y) / (size * reach)) / _SOFT + 0.5, 0, 1)
    yield label, np.asarray(np.clip(picture + rng.uniform(*_FLASH) * inside[..., None], 0, 255), np.uint8)


def tiny(label: Label, picture: Picture, rng: Rng, *, share: float) -> Iterator[tuple[Label, Picture]]:
    """Yield the picture shrunk into one of 12 megapixels, so that a die takes such a share of its width."""
    height, width = _MEGAPIXELS_12
    scale = share * width / float(np.mean([np.ptp(np.array(die.outline), axis=0).mean() for die in label.dice]))
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    rim = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]])
    grain = 2 * rng.standard_normal((height, width, 1), np.float32)
    whole = np.asarray(np.clip(np.median(rim, axis=0).astype(np.float32) + grain, 0, 255), np.uint8)
    down, right = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    whole[down : down + small.shape[0], right : right + small.shape[1]] = small
    dice = (replace(d, outline=tuple((x * scale + right, y * scale + down) for x, y in d.outline)) for d in label.dice)
    yield replace(label, dice=tuple(dice)), whole


def spoilt(label: Label, picture: Picture, rng: Rng, *, spoil: Spoils) -> Iterator[tuple[Label, Picture]]:
    """Yield the picture spoilt in one way."""
    yield label, spoil(picture, label, rng)


def relaid(label: Label, picture: Picture, rng: Rng, *, spoil: Spoils) -> Iterator[tuple[Label, Picture]]:
    """Yield the dice on another table, where they can be cut out."""
    if _is_cut_out(label):
        yield label, spoil(picture, label, rng)


def hazy(picture: Picture, _label: Label, _rng: Rng) -> Picture:
    """Half the contrast, as through a fogged lens."""
    return _curve(lambda light: light * (1 - _HAZE) + _HAZE / 2, picture)


def pale(picture: Picture, _label: Label, _rng: Rng) -> Picture:
    """Dark tones far too light."""
    return _curve(lambda light: np.power(light, _GAMMAS["pale"]), picture)


def dark(picture: Picture, _label: Label, _rng: Rng) -> Picture:
    """Light tones far too dark."""
    return _curve(lambda light: np.power(light, _GAMMAS["dark"]), picture)


def warm(picture: Picture, _label: Label, _rng: Rng) -> Picture:
    """Candlelight that the camera did not make up for."""
    return np.asarray(np.clip(picture * np.array(_WARM), 0, 255), np.uint8)


def shaded(picture: Picture, _label: Label, rng: Rng) -> Picture:
    """The hard edge of a shadow across the middle."""
    height, width = picture.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    x, y = np.arange(width) - width / 2, np.arange(height)[:, None] - height / 2
    is_shaded = x * np.cos(angle) + y * np.sin(angle) > 0
    return np.asarray(np.where(is_shaded[..., None], picture * _SHADE, picture), np.uint8)


def grainy(picture: Picture, _label: Label, rng: Rng) -> Picture:
    """A small sensor in little light."""
    return np.asarray(np.clip(picture + rng.normal(0, _GRAIN, picture.shape), 0, 255), np.uint8)


def blurred(picture: Picture, _label: Label, _rng: Rng) -> Picture:
    """A lens somewhat out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _BLUR * max(picture.shape[:2])), np.uint8)


def on_black(picture: Picture, label: Label, _rng: Rng) -> Picture:
    """The dice cut out and laid on a black table."""
    return _laid(picture, label, np.full(picture.shape, 22, np.float32))


def on_stripes(picture: Picture, label: Label, rng: Rng) -> Picture:
    """The dice cut out and laid on a striped cloth of two colours."""
    height, width = picture.shape[:2]
    stripe = _STRIPE * max(height, width)
    angle = rng.uniform(0, np.pi)
    along = np.arange(width) * np.cos(angle) + np.arange(height)[:, None] * np.sin(angle)
    is_one = (np.sin(along * np.pi / stripe) > 0)[..., None]
    one, other = rng.uniform(20, 235, (2, 3))
    return _laid(picture, label, np.where(is_one, one, other))


def on_blotches(picture: Picture, label: Label, rng: Rng) -> Picture:
    """The dice cut out and laid on a print of many colours."""
    height, width = picture.shape[:2]
    cells = [max(2, round(side / (_BLOTCH * max(height, width)))) for side in (height, width)]
    colours = rng.uniform(10, 245, (*cells, 3)).astype(np.float32)
    table = cv2.resize(colours, (width, height), interpolation=cv2.INTER_LINEAR)
    return _laid(picture, label, np.asarray(table, np.float32))


WAYS: Mapping[str, Mapping[str, Worse]] = {
    "close_ups": {str(share): partial(close_ups, share=share) for share in _CLOSE},
    "far": {str(width): partial(far, width=width) for width in _FAR},
    "spoilt": {
        spoil.__name__: partial(spoilt, spoil=spoil) for spoil in (hazy, pale, dark, warm, shaded, grainy, blurred)
    }
    | {spoil.__name__: partial(relaid, spoil=spoil) for spoil in (on_black, on_stripes, on_blotches)},
}
"""By kind and name, the ways to make a picture worse."""


def _curve(change: Callable[[Floats], Floats], picture: Picture) -> Picture:
    """Return the picture with every value, 0..1, changed alike."""
    light = np.arange(256) / 255
    table = np.clip(change(light) * 255, 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table), np.uint8)


def _is_cut_out(label: Label) -> bool:
    """Return whether the outline of every die is known, so that it can be laid on another table."""
    return all(len(die.outline) > 2 and not _is_box(die.outline) for die in label.dice)


def _is_box(outline: Sequence[Point]) -> bool:
    """Return whether an outline is but an upright box round a die, with table in its corners."""
    return len({x for x, _ in outline}) == 2 == len({y for _, y in outline})


def _laid(picture: Picture, label: Label, table: Floats) -> Picture:
    """Return the labelled dice on that table, (height, width, 3), with a soft shadow round each."""
    dice: Sequence[npt.NDArray[np.int32]] = [np.round(die.outline).astype(np.int32) for die in label.dice]
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, dice, 255)
    reach = float(np.median([np.sqrt(cv2.contourArea(die) / np.pi) for die in dice])) if dice else 1.0
    shadow = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.15 * reach), np.float32) / 255
    share = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8), np.float32)[..., None] / 255
    ground = table * (1 - 0.6 * shadow)[..., None]
    return np.asarray((picture * share + ground * (1 - share)).round(), np.uint8)
