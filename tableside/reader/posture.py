"""Say how each die lies: which one leans, and where another side was taken for the upper face."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tableside.dice import Point
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.crop import Pyramid
from tableside.reader.ground import Ground
from tableside.reader.name import Namer
from tableside.reader.photo import Picture
from tableside.reader.place import MeasuringLocator
from tableside.reader.plane import LEAST_DICE, MANY_SIDED, Posture, flat_lift, is_sideways, leanings

_AGAIN = 0.1
"""A die that may lean by more than this is measured again, in other views."""
_FIRM = 0.97
"""A die named less surely than this may be of another solid, and so of another height."""
_FLAT_WITHIN, _OTHER_FACE = 0.2, 0.3
"""Radii: a face this near to where a flat die has its upper one is that face; one this far off is another."""
_EITHER = 0.165
"""Radii: if the upper face's place may be off by more than this, it is one of two faces."""
_EXACTLY = 0.1
"""Radii: a doubtful face this near to where a flat die has its upper one is the upper one."""
_EITHER_ALONE = 0.1
"""The same as ``_EITHER`` where too few other dice show how the table lies."""


class Postures:
    """Compares how each die lies with how the others lie.

    :param solids: of each type of the sets that are read, such as ``d6``.
    :param perhaps_leaning: what seems to lean by more may do so.
    :param ground: what earlier pictures by the same camera showed; none for a single picture.
    """

    def __init__(
        self,
        locator: MeasuringLocator,
        namer: Namer,
        solids: Mapping[str, str],
        *,
        perhaps_leaning: float,
        ground: Ground | None = None,
    ) -> None:
        self._locator, self._namer, self._solids = locator, namer, solids
        self._perhaps_leaning, self._ground = perhaps_leaning, ground

    def assess(self, picture: Picture | Pyramid, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates with how surely each leans, and the upper face where a side was taken for it."""
        size, weighed = max(picture.shape[:2]), dict(enumerate(candidates))
        certain = [i for i, v in enumerate(candidates) if v.is_likely]
        postures = {i: self._posture(candidates[i]) for i in certain}
        before = self._ground.known(list(postures.values()), size=size) if self._ground else ()

        def measured() -> dict[int, float]:
            return dict(zip(certain, leanings(list(postures.values()), size=size, before=before), strict=True))

        def flat_lifts(those: Sequence[int]) -> dict[int, Point | None]:
            others = {i: [*(die for j, die in postures.items() if j != i), *before] for i in those}
            return {i: flat_lift(others[i], postures[i], size=size) for i in those}

        leaning, settled = measured(), dict[int, Candidate]()
        doubtful = [i for i in certain if leaning[i] > _AGAIN or candidates[i].found.spread > _EITHER]
        if doubtful:
            better = self._locator.checked(
                picture, [candidates[i].found for i in doubtful], list(flat_lifts(doubtful).values())
            )
            for i, found in zip(doubtful, better, strict=True):
                weighed[i] = replace(candidates[i], found=found)
                postures[i] = self._posture(weighed[i])
            places = flat_lifts(doubtful)
            seen = self._seen_as_flat(picture, weighed, places)
            settled = _settle_faces(seen, places)
            weighed |= seen | settled
            postures |= {i: self._posture(v) for i, v in settled.items()}
            leaning = measured()
        if self._ground:
            flat = [i for i in certain if postures[i].solid not in MANY_SIDED and leaning[i] < _AGAIN]
            self._ground.learn(
                flat=[postures[i] for i in flat if candidates[i].ranked[0][2] >= _FIRM],
                leaning=[postures[i] for i in certain if leaning[i] > self._perhaps_leaning],
            )
        known = sum(die.is_measured for die in postures.values()) + len(before)
        either = {i for i, die in postures.items() if _may_be_either(die, alone=known < LEAST_DICE)}
        either -= set(settled)
        return [
            replace(v, leaning=leaning.get(i, 0.0), side_first=v.side_first or i in either) for i, v in weighed.items()
        ]

    def _seen_as_flat(
        self, picture: Picture | Pyramid, candidates: Mapping[int, Candidate], places: Mapping[int, Point | None]
    ) -> dict[int, Candidate]:
        """Return the dice whose upper face, if they lie as flat as the others, is another than the one that was read.

        :param places: of candidates, by their index, where that face's lift would be.
        """
        known = {i: place for i, place in places.items() if place}
        views = [View(place, candidates[i].found.top_radius) for i, place in known.items()]
        nearer = [self._namer.classifier.corrected(look) for look in self._namer.classifier.predict(picture, views)]
        there = [
            replace(candidates[i].found, top=view.centre, top_radius=view.radius)
            for i, view in zip(known, nearer, strict=True)
        ]
        flat = {}
        for (i, place), seen in zip(known.items(), self._namer.name(picture, there), strict=True):
            before, at = candidates[i], seen.view.centre
            reach = before.found.radius
            is_there = math.dist(at, place) < _FLAT_WITHIN * reach
            if is_there and math.dist(at, before.view.centre) > _OTHER_FACE * reach:
                flat[i] = replace(seen, found=before.found, upper=before.upper, side_first=True)
        return flat

    def _posture(self, v: Candidate) -> Posture:
        found, (x, y), (top_x, top_y) = v.found, v.view.centre, v.found.top
        return Posture(
            middle=found.middle,
            # two networks measure the middle of the upper face, and their errors are independent
            lift=(found.lift[0] + (x - top_x) / 2, found.lift[1] + (y - top_y) / 2),
            radius=found.radius,
            spread=found.spread,
            leans=found.leans,
            touches=found.touches,
            tilted=found.tilted,
            solid=self._solids.get(v.ranked[0][0], ""),
        )


def _may_be_either(die: Posture, *, alone: bool) -> bool:
    """Return whether another side may well be the upper one, or neither.

    :param alone: whether too few other dice tell how the table lies.
    """
    return die.spread > (_EITHER_ALONE if alone else _EITHER) or (alone and is_sideways(die))


def _settle_faces(seen: Mapping[int, Candidate], places: Mapping[int, Point | None]) -> dict[int, Candidate]:
    """Return the dice for which the place of a flat die's upper face decides between two possible faces."""
    settled = {}
    for i, v in seen.items():
        place, reach = places[i], v.found.radius
        if place and v.found.spread > _EITHER and math.dist(v.view.centre, place) < _EXACTLY * reach:
            settled[i] = replace(v, found=replace(v.found, top=v.view.centre, lift=v.view.centre), side_first=False)
    return settled
