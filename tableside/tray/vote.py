"""Let several readings of the same still dice vote, before a person is asked.

Frames of one still tray differ only by noise and by the flicker of the lamp. A die is sure if several frames read it
surely and alike, and none reads it surely as something else. A single lucky frame is not enough.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tableside.dice import Alternative, DieReading, Doubt, Face, Point, Reading, Status, Suspect, Timings
from tableside.tray.meaning import SAME_PLACE

_LEAST_PROBABILITY = 0.001
_MOST_ALTERNATIVES = 3


@dataclass(slots=True)
class _Place:
    """What the readings found at one place."""

    center: Point
    dice: list[DieReading]
    suspects: list[Suspect]


def vote(readings: Sequence[Reading]) -> Reading:
    """Return what readings of the same still tray come to, the newest last. A single one is returned as it is."""
    if len(readings) == 1:
        return readings[0]
    newest = readings[-1]
    dice: list[DieReading] = []
    suspects: list[Suspect] = []
    for place in _places(readings):
        seen = len(place.dice) + len(place.suspects)
        if 2 * seen < len(readings) and not any(die.status is Status.SURE for die in place.dice):
            continue  # noise that looked like a die in a frame or two
        if 2 * len(place.dice) > len(readings):
            dice.append(_voted(place.dice, len(readings)))
        elif place.suspects:
            suspects.append(place.suspects[-1])
        else:
            suspects.append(_as_suspect(place.dice[-1]))
    timings = Timings(
        decode=sum(one.timings.decode for one in readings),
        locate=sum(one.timings.locate for one in readings),
        classify=sum(one.timings.classify for one in readings),
    )
    return replace(newest, dice=tuple(dice), suspects=tuple(suspects), timings=timings)


def _places(readings: Sequence[Reading]) -> list[_Place]:
    """Group what was found by place, with at most one find of each reading."""
    places: list[_Place] = []
    for reading in readings:
        reach = SAME_PLACE * max(1, reading.width)
        free = list(places)
        found_here: list[DieReading | Suspect] = [*reading.dice, *reading.suspects]
        for found in found_here:
            nearest = min(free, key=lambda place: math.dist(place.center, found.center), default=None)
            if nearest is None or math.dist(nearest.center, found.center) > reach:
                nearest = _Place(center=found.center, dice=[], suspects=[])
                places.append(nearest)
            else:
                free.remove(nearest)
            if isinstance(found, DieReading):
                nearest.dice.append(found)
            else:
                nearest.suspects.append(found)
    return places


def _voted(dice: Sequence[DieReading], frames: int) -> DieReading:
    """Return one die as most frames read it, with the mean of all frames' probabilities."""
    masses: dict[tuple[str, Face], float] = defaultdict(float)
    for die in dice:
        masses[die.type, die.face] += die.confidence / len(dice)
        for other in die.alternatives:
            masses[other.type, other.face] += other.confidence / len(dice)
    ranked = sorted(masses.items(), key=lambda item: -item[1])
    (kind, face), confidence = ranked[0]
    alike = [die for die in dice if (die.type, die.face) == (kind, face)]
    base = max(alike or dice, key=lambda die: die.confidence)
    others = tuple(
        Alternative(type=t, face=f, confidence=p)
        for (t, f), p in ranked[1 : 1 + _MOST_ALTERNATIVES]
        if p > _LEAST_PROBABILITY
    )
    status = _status(dice, (kind, face), frames)
    return replace(
        base,
        type=kind,
        face=face,
        confidence=confidence,
        status=status,
        alternatives=others,
        doubt=_doubt(dice) if status is Status.UNSURE else None,
    )


def _doubt(dice: Sequence[DieReading]) -> Doubt:
    """Return the commonest reason for doubt; if there is none, the frames differ, which is a doubt about the face."""
    reasons = [Doubt.LEAN if die.status is Status.COCKED else die.doubt for die in dice]
    commonest = Counter(doubt for doubt in reasons if doubt).most_common(1)
    return commonest[0][0] if commonest else Doubt.FACE


def _status(dice: Sequence[DieReading], winner: tuple[str, Face], frames: int) -> Status:
    cocked = sum(die.status is Status.COCKED for die in dice)
    if 2 * cocked > len(dice):
        return Status.COCKED
    sure = [(die.type, die.face) for die in dice if die.status is Status.SURE]
    agreed = 2 * sure.count(winner) > frames and all(one == winner for one in sure)
    return Status.SURE if agreed and not cocked else Status.UNSURE


def _as_suspect(die: DieReading) -> Suspect:
    return Suspect(center=die.center, outline=die.outline, confidence=die.confidence)
