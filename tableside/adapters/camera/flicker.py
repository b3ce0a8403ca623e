"""Lamps on the mains flicker twice a period; an exposure of whole flickers sees all of them alike."""

from __future__ import annotations

_MICROSECONDS = 1e6


def flicker_us(mains_hz: int) -> float:
    """Return how long one flicker of a lamp takes, in microseconds."""
    return _MICROSECONDS / (2 * mains_hz)


def without_flicker(
    exposure_us: int, gain: float, *, mains_hz: int, longest_us: float, gains: tuple[float, float]
) -> tuple[int, float]:
    """Return the exposure of whole flickers that is nearest to this one, and the gain that makes it as bright.

    Where the light does not allow that, exposure and gain stay as they are: too bright for one whole flicker at the
    least gain, or too dark for as many as fit into a frame.

    :param longest_us: the longest exposure, in microseconds. :param gains: the least and the most gain.
    """
    period, brightness = flicker_us(mains_hz), exposure_us * gain
    counts = range(1, int(longest_us / period + 1e-6) + 1)
    for count in sorted(counts, key=lambda count: abs(count * period - exposure_us)):
        if gains[0] <= brightness / (count * period) <= gains[1]:
            return round(count * period), brightness / (count * period)
    return exposure_us, gain
