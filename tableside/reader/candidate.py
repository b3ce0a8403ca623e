"""One find with the probabilities that the networks give it, before any threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tableside.dice import BLANK, Face
from tableside.reader.classify import View
from tableside.reader.confidence import FaceSigns
from tableside.reader.locate import Found


@dataclass(frozen=True, slots=True)
class Candidate:
    """A found die with the probabilities of each reading that its sets allow, likeliest first.

    :ivar nothing: probability that this is no die.
    :ivar leaning: how much it seems to lean; see :mod:`tableside.reader.plane`.
    :ivar upper: probability that it is neither a mark of a die nor something that dice lie on.
    :ivar seen: the probability of the likeliest reading's type and of its face by the first view of the face, and of
        its type by the view of the whole die.
    :ivar presence: probability that it is a die of any kind; see :mod:`tableside.reader.presence`.
    :ivar side_first: another side was taken for the upper face first, or may be it; see
        :mod:`tableside.reader.posture`.
    """

    found: Found
    view: View
    ranked: tuple[tuple[str, Face, float], ...]
    nothing: float
    seen: tuple[float, float, float]
    leaning: float = 0.0
    upper: float = 1.0
    presence: float = 1.0
    side_first: bool = False

    @property
    def die_like(self) -> float:
        """How surely this is a die of any kind, by the locator and the classifier together."""
        return self.found.score * (1 - self.nothing)

    @property
    def is_blank(self) -> bool:
        """Whether its likeliest reading is a face without marks."""
        return bool(self.ranked) and self.ranked[0][1] == BLANK

    @property
    def apart(self) -> float:
        """How far apart the two networks see the upper face's middle, in radii of the silhouette."""
        return math.dist(self.view.centre, self.found.top) / self.found.radius

    @property
    def signs(self) -> FaceSigns:
        """What the probability of the likeliest reading is calibrated by."""
        likeliest = self.ranked[0][2]
        kind, face, whole = self.seen
        return FaceSigns(
            likeliest=likeliest, apart=self.apart, spread=self.found.spread, kind=kind, face=face, whole=whole
        )

    @property
    def evidence(self) -> float:
        """How surely this is a die that shows the likeliest face."""
        return self.die_like * (self.ranked[0][2] if self.ranked else 0.0)

    @property
    def mass(self) -> float:
        """The probability of the likeliest readings together."""
        return sum(p for _, _, p in self.ranked)
