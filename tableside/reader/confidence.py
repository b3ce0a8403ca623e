"""Shares as logarithms of odds, and back."""

from __future__ import annotations

import math

_LEAST = 1e-6


def logit(share: float) -> float:
    """Return the logarithm of the odds of a share, 0..1, kept from the ends."""
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))


def sigmoid(logarithm: float) -> float:
    """Return the share, 0..1, whose odds have that logarithm."""
    return 1 / (1 + math.exp(-logarithm))
