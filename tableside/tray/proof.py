"""What the first pictures and the first throws after a set-up prove, and what to change where they prove nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tableside.dice import Doubt, Reading, Status
from tableside.reader.photo import Picture
from tableside.tray.region import Region
from tableside.words import say

Sample = npt.NDArray[np.uint8]
"""Every eighth pixel of a picture's green channel, not averaged: noise stays as it is."""
SAMPLES = 16
"""Pictures by which noise and flicker are told: half a second at 30 a second."""
THROWS = 3
"""Throws that are looked at together."""
_LEAST_SAMPLES = 4
_LEAST_FILL = 0.6
"""Share of the picture's width or height, whichever is more, that a tray should fill. Dice in a tray 300 mm wide then
have 41 px in a picture of 1280."""
_AT_EDGE = 0.004  # of the picture: nearer to its edge, a tray is cut off
_REASON = 2  # dice in doubt for one reason
_MOST_NOISE = 10.0  # grey levels, standard deviation; drawn dice were still read at 12
_MOST_FLICKER = 0.02  # share of the light by which rows change from picture to picture


def sample_of(picture: Picture) -> Sample:
    """Return what noise and flicker are told by."""
    return np.ascontiguousarray(picture[::8, ::8, 1])


def steady_advice(samples: Sequence[Sample]) -> tuple[str, str]:
    """Return what to do about noise and about flicker, ``""`` where there is little, or too few pictures to tell.

    A lamp changes whole rows, noise each pixel by itself.

    :param samples: of successive pictures in which nothing moves.
    """
    if len(samples) < _LEAST_SAMPLES or len({one.shape for one in samples}) > 1:
        return "", ""
    light = np.stack(samples).astype(np.float32)
    rows = light.mean(axis=2, keepdims=True)
    noise = float((light - rows).std(axis=0).mean())
    of_noise = noise**2 / light.shape[2]  # by so much the mean of a row varies without any flicker
    flicker = max(0.0, float(rows.var(axis=0).mean()) - of_noise) ** 0.5 / max(1.0, float(light.mean()))
    return (
        "The picture is noisy: add light." if noise > _MOST_NOISE else "",
        "The lamp flickers: set mains_hz in the settings, or take another lamp." if flicker > _MOST_FLICKER else "",
    )


def framing_advice(tray: Region) -> str:
    """Return whether camera and lens fit the tray, ``""`` where they do.

    :param tray: as it is seen, in shares of the picture.
    """
    xs, ys = zip(*tray, strict=True)
    if min(*xs, *ys) < _AT_EDGE or max(*xs, *ys) > 1 - _AT_EDGE:
        return "The picture cuts off the tray: hang the camera higher, or take a wider lens."
    fill = max(max(xs) - min(xs), max(ys) - min(ys))
    if fill >= _LEAST_FILL:
        return ""
    return say(
        "The tray fills {fill} % of the picture: bring the camera to {n} % of its height, or take a narrower lens.",
        fill=round(100 * fill),
        n=round(100 * fill / _LEAST_FILL),
    )


def throws_advice(throws: Sequence[Reading]) -> str:
    """Return what to change after some throws, by what their dice were in doubt about most; ``""`` for nothing.

    One die in doubt is no reason: it is asked about. A camera that looks too flat is one, since sides may pass unasked,
    and so is one out of focus, since dice may be missed.
    """
    if 2 * sum(throw.is_blurred for throw in throws) > len(throws):
        return OUT_OF_FOCUS
    far = [throw for throw in throws if throw.nearer > 1]
    if 2 * len(far) > len(throws):
        return nearer_advice(far[-1])
    if 2 * sum(throw.is_too_flat for throw in throws) > len(throws):
        return TOO_FLAT
    doubts = Counter(_CHANGES[doubt] for throw in throws for doubt in doubts_of(throw) if doubt in _CHANGES)
    return next((change for change, count in doubts.most_common(1) if count >= _REASON), "")


def doubts_of(throw: Reading) -> list[Doubt]:
    """Return the doubts about a throw. What may be no die is faint."""
    doubts = [die.doubt for die in throw.dice if die.status is Status.UNSURE and die.doubt is not None]
    return [*doubts, *[Doubt.FAINT] * len(throw.suspects)]


OUT_OF_FOCUS = "The picture is out of focus, and dice may be missed: clean the lens and turn it until they are sharp."
"""What to do where a reading is blurred."""
TOO_FLAT = "The camera looks too flat, and dice show two large faces: hang it straight above the tray."
"""What to do where a reading is too flat, or where dice are in doubt about which side lies up."""
_FOCUS = "Faces are hard to tell: turn the lens, and bring the camera nearer."
_CHANGES: Mapping[Doubt, str] = {
    Doubt.FACE: _FOCUS,
    Doubt.SIDE: TOO_FLAT,
    Doubt.EDGE: "Dice lie at the edge of the picture: hang the camera higher.",
    Doubt.GLARE: "Lamps are mirrored in the dice: spread their light.",
    Doubt.FAINT: "Dice are hard to see: add light, or lay a cloth of another colour into the tray.",
}
"""What to change. A die that leans, or a Wild Die that its colour does not tell, is nothing that a set-up mends."""


def nearer_advice(reading: Reading) -> str:
    """Return how much nearer the camera should be, ``""`` where it is near enough."""
    percent = round(100 / reading.nearer)
    text = say("The dice are too small: bring the camera to {n} % of its height, or take a narrower lens.", n=percent)
    return text if reading.nearer > 1 else ""
