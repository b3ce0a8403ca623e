"""One find with the probabilities that the networks give it, before any limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tableside.dice import Face
from tableside.reader.classify import View
from tableside.reader.confidence import logit
from tableside.reader.detection import Detection


@dataclass(frozen=True, slots=True)
class Candidate:
    """A found die with the probabilities of each reading that its sets allow, likeliest first.

    :ivar ranked: type, face and probability, given that it is a die.
    :ivar nothing: probability that this is no die, by the networks.
    :ivar leaning: how much it seems to lean; see :mod:`tableside.reader.plane`.
    :ivar upper: probability that it is neither a mark of a die nor something that dice lie on.
    :ivar presence: probability that it is a die of any kind; see :mod:`tableside.reader.presence`.
    :ivar side_first: another side was taken for the upper face first, or may be it; see
        :mod:`tableside.reader.posture`.
    """

    found: Detection
    view: View
    ranked: tuple[tuple[str, Face, float], ...]
    nothing: float
    leaning: float = 0.0
    upper: float = 1.0
    presence: float = 1.0
    side_first: bool = False

    @property
    def is_likely(self) -> bool:
        """Whether this is a die of some face rather than not."""
        return bool(self.ranked) and self.nothing < 0.5

    @property
    def mass(self) -> float:
        """The probability of the likeliest readings together, given that it is a die."""
        return sum(p for _, _, p in self.ranked)

    @property
    def odds(self) -> float:
        """The odds that this is a die, by all that looked at it."""
        return math.exp(-logit(self.nothing))
