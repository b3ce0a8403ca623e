"""What is proved after a set-up: noise and flicker by drawn pictures, the tray in the picture, and three throws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from tableside.dice import DieReading, Doubt, Reading, Status, Suspect
from tableside.reader.photo import Picture
from tableside.tray.proof import OUT_OF_FOCUS, TOO_FLAT, framing_advice, sample_of, steady_advice, throws_advice

GOOD = ((0.05, 0.1), (0.95, 0.1), (0.95, 0.9), (0.05, 0.9))


def pictures(*, noise: float, flicker: float = 0.0) -> Iterator[Picture]:
    """Yield pictures of a bright felt by a sensor that reads line by line below a lamp on the mains.

    :param noise: standard deviation in grey levels. :param flicker: of the lamp, share of its light.
    """
    rng = np.random.default_rng(4)
    felt = rng.uniform(70, 110, (480, 640, 3))
    lines = np.arange(480)[:, None, None] / 480
    for number in range(12):
        lamp = 1 + flicker * np.sin(2 * np.pi * (3 * lines + 0.37 * number))
        yield np.asarray(np.clip(felt * lamp + rng.normal(0, noise, felt.shape), 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("noise", "flicker", "told"),
    [(2, 0, ["", ""]), (20, 0, ["noisy", ""]), (2, 0.1, ["", "flickers"]), (2, 0.01, ["", ""])],
    ids=["good", "noisy", "flickering", "as a lamp does"],
)
def test_noise_and_flicker_are_told_apart(noise: float, flicker: float, told: list[str]) -> None:
    advice = steady_advice([sample_of(one) for one in pictures(noise=noise, flicker=flicker)])
    for words, expected in zip(advice, told, strict=True):
        assert (expected in words) if expected else words == ""


def test_a_few_pictures_or_such_of_two_sizes_tell_nothing() -> None:
    samples = [sample_of(one) for one in pictures(noise=20)]
    assert steady_advice(samples[:2]) == ("", "")
    assert steady_advice([*samples, samples[0][::2]]) == ("", "")


def test_a_tray_that_fills_too_little_or_is_cut_off_is_told() -> None:
    assert framing_advice(GOOD) == ""
    small = tuple((0.5 + (x - 0.5) / 3, 0.5 + (y - 0.5) / 3) for x, y in GOOD)
    assert "fills 30 % of the picture: bring the camera to 50 % of its height" in framing_advice(small)
    assert "wider lens" in framing_advice(((0.0, 0.1), *GOOD[1:3], (0.0, 0.9)))


def throw(*doubts: Doubt | None, suspects: int = 0) -> Reading:
    dice = tuple(
        DieReading(
            type="boost", face=(), center=(9, 9), outline=(), confidence=0.9, doubt=doubt,
            status=Status.UNSURE if doubt else Status.SURE,
        )
        for doubt in doubts
    )  # fmt: skip
    unread = tuple(Suspect(center=(5, 5), outline=(), confidence=0.5) for _ in range(suspects))
    return Reading(width=20, height=20, dice=dice, suspects=unread)


def test_three_throws_say_what_their_dice_were_in_doubt_about_most() -> None:
    assert throws_advice([throw(None, None), throw(None), throw(None)]) == ""
    assert throws_advice([throw(Doubt.LEAN), throw(Doubt.COLOUR), throw(None)]) == ""  # no set-up mends these
    assert throws_advice([throw(Doubt.GLARE), throw(Doubt.EDGE), throw(None)]) == ""  # one of each is asked about
    many = [throw(Doubt.EDGE, None), throw(Doubt.GLARE), throw(Doubt.GLARE, None)]
    assert throws_advice(many) == "Lamps are mirrored in the dice: spread their light."
    flat = [replace(one, slant=slant) for one, slant in zip(many, (0.75, 0.2, 0.66), strict=True)]
    assert throws_advice(flat) == TOO_FLAT
    assert throws_advice([replace(one, slant=0.5) for one in flat]) != TOO_FLAT
    assert throws_advice([replace(one, is_blurred=n > 0) for n, one in enumerate(flat)]) == OUT_OF_FOCUS
    assert "hard to see" in throws_advice([throw(None, suspects=2), throw(Doubt.EDGE), throw(None)])
