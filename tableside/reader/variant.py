"""Tell the one die that differs from its fellows by colour alone, as a Wild Die does, or say that it has to be asked.

How far the others differ among themselves decides: dice of one make under uneven light form a chain of small steps from
die to die, and the odd one lies farther from all of them than their longest step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tableside.dice import Alternative, DieReading, Doubt, Status

Bgr: TypeAlias = tuple[int, int, int]

_LIGHTNESS = 0.4  # its weight against the direction of a colour, which no shade changes
_NOISE = 0.08  # length of a step between two dice of one make under one lamp, in a camera's picture
_CLEAR = 1.5  # longest steps of the others that it lies from them
_OF_ONE_MAKE = 0.25  # longest step between dice of one make; dice of any make that lie together differ by more
_ENOUGH = 4  # of fewer dice that nobody expects an odd one among, two may be alike by chance
_LIKE = 2 / 3  # share of the way from the others' colour, as a person showed it, to that of the odd die


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What is known of the odd die before a picture is read.

    :ivar lone_die: the type of which exactly one lies there, ``""`` where none does, ``None`` where nobody knows.
    :ivar looks: by type, what a person showed: its colour and that of the others.
    """

    lone_die: str | None = None
    looks: Mapping[str, tuple[Bgr, Bgr]] = field(default_factory=dict)


def bgr_of(colour: str) -> Bgr:
    """Return a colour that is told as ``#rrggbb``."""
    red, green, blue = bytes.fromhex(colour[1:])
    return blue, green, red


def tell_variants(dice: Sequence[DieReading], variants: Mapping[str, str], expected: Expected) -> list[DieReading]:
    """Return the dice with the odd one among those of a type named its variant, or with a question about it.

    :param variants: the variant by the type it differs from.
    """
    named = list(dice)
    for usual, variant in variants.items():
        if expected.lone_die not in (None, variant):
            continue
        alike = [i for i, die in enumerate(named) if die.type == usual and die.colour_bgr is not None]
        colours = [die.colour_bgr for die in (named[i] for i in alike) if die.colour_bgr is not None]
        odd, is_clear = _odd_one(colours, is_expected=expected.lone_die == variant, look=expected.looks.get(variant))
        if odd is None:
            continue
        die = named[alike[odd]]
        if is_clear:
            others = (Alternative(type=usual, face=die.face, confidence=0.0), *die.alternatives)
            named[alike[odd]] = replace(die, type=variant, alternatives=others)
            continue
        # a die whose face is in doubt is asked about anyway, and can bear one question only
        at = next((i for i in (alike[odd], *alike) if named[i].status is Status.SURE), None)
        if at is not None:
            named[at] = _ask_about(named[at], variant)
    return named


def _ask_about(die: DieReading, variant: str) -> DieReading:
    half = die.confidence / 2
    other = Alternative(type=variant, face=die.face, confidence=half)
    return replace(
        die, status=Status.UNSURE, doubt=Doubt.COLOUR, confidence=half, alternatives=(other, *die.alternatives)
    )


def _odd_one(colours: Sequence[Bgr], *, is_expected: bool, look: tuple[Bgr, Bgr] | None) -> tuple[int | None, bool]:
    """Return the die that is the odd one or may be, none where there is no such, and whether that is clear.

    Where nobody expects one, dice of several colours are no question.
    """
    if not colours:
        return None, False
    odd, apart, step = _farthest(colours)
    is_clear = apart >= _CLEAR and step <= _OF_ONE_MAKE and (is_expected or len(colours) >= _ENOUGH)
    if look is None:
        if is_expected:
            return odd, is_clear or len(colours) == 1
        return (odd if is_clear else None), is_clear
    shares = _shares(colours, look)
    best = int(np.argmax(shares))
    others = np.delete(shares, best)
    if shares[best] <= 1 - _LIKE and not (is_expected and len(shares) > 1):
        return None, False
    if shares[best] >= _LIKE and (others <= 1 - _LIKE).all():
        return best, True
    return best, is_clear and odd == best


def _farthest(colours: Sequence[Bgr]) -> tuple[int, float, float]:
    """Return the die that lies farthest from all others; how far, in longest steps of the others from die to die; and
    that step.

    Of fewer than three nobody can tell.
    """
    if len(colours) < 3:
        return 0, 0.0, 0.0
    places = _places(colours)
    far = np.linalg.norm(places[:, None] - places[None], axis=2)
    steps = [_longest_step(np.delete(np.delete(far, i, axis=0), i, axis=1)) for i in range(len(far))]
    ratios = [float(np.delete(far[i], i).min()) / (step + _NOISE) for i, step in enumerate(steps)]
    odd = int(np.argmax(ratios))
    return odd, ratios[odd], steps[odd]


def _longest_step(far: npt.NDArray[np.float64]) -> float:
    """Return the longest edge of the shortest tree that joins all, by their distances (Prim 1957)."""
    nearest, longest = far[0].copy(), 0.0
    left = set(range(1, len(far)))
    while left:
        reached = min(left, key=lambda i: nearest[i])
        longest = max(longest, float(nearest[reached]))
        left.remove(reached)
        nearest = np.minimum(nearest, far[reached])
    return longest


def _places(colours: Sequence[Bgr]) -> npt.NDArray[np.float64]:
    """Return (n, 4) places in which shade moves a colour little: its direction, and some of its lightness, 0..1."""
    bgr = np.array(colours, np.float64).reshape(-1, 3)
    lengths = np.maximum(np.linalg.norm(bgr, axis=1, keepdims=True), 1.0)
    return np.hstack([bgr / lengths, _LIGHTNESS * lengths / np.linalg.norm([255.0] * 3)])


def _shares(colours: Sequence[Bgr], look: tuple[Bgr, Bgr]) -> npt.NDArray[np.float64]:
    """Return how far each colour lies on the way from that of the others, 0, to that of the odd die, 1."""
    odd, others = _places(look)
    along = odd - others
    return np.asarray((_places(colours) - others) @ along / max(float(along @ along), _NOISE**2))
