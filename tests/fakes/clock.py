"""A clock that is set by hand."""

from __future__ import annotations


class Clock:
    """Seconds that pass where a test says so: ``clock.now += 3``, or by ``tick`` each time somebody looks."""

    def __init__(self, now: float, *, tick: float = 0.0) -> None:
        self.now, self._tick = now, tick

    def __call__(self) -> float:
        self.now += self._tick
        return self.now
