"""Weigh how each die lies: which leans, and which only seems to, as another side was looked at for its upper face."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tableside.dice import Point
from tableside.reader.candidate import Candidate
from tableside.reader.classify import Classifier, View
from tableside.reader.ground import Ground
from tableside.reader.locate import Found
from tableside.reader.photo import Picture
from tableside.reader.plane import LEAST_DICE, Posture, flat_lift, is_sideways, leanings
from tableside.reader.tilt import AMBIGUOUS, sighted

_AGAIN = 0.1  # what seems to lean so much is measured again, in other views
_FIRM = 0.97  # a die named less surely may be of another solid, and so of another height
_FLAT_WITHIN, _OTHER_FACE = 0.2, 0.3  # radii: so near to where a flat die's is a face is upper; so far off, another
# radii: an upper face that may be so far from where it was seen is either of two; the one that lies so near to where a
# flat die's does is it: so were 8 flat dice of 1550 made scenes and 24 rolls, and none that leans whose face was clear.
# Of 9000 dice in 1430 made scenes 20 others were so unsure, of which 10 were misread and one leaned. Of 20 less unsure
# ones that did not lie where a flat die's face does 8 were misread and 7 leaned, half way from one side to the other
_EITHER, _UNSURE, _EXACTLY = 0.165, 0.1, 0.1
# the same where too few others tell. In 300 scenes from above 0.5 to 2 % of the flat dice that are read rightly are
# so unsure (of ten-sided ones 7 %), from a seat 6 to 29 %; of 129 surely misread there 62 are, by the limit above 27
_EITHER_ALONE = 0.1


class Postures:
    """Measures each die's lean against the others'.

    :param solids: of each type of the sets that are read, such as ``d6``.
    :param limits: of the classifier's card. :param name: says what finds are if they are dice.
    :param checked: measures finds more exactly.
    :param ground: what earlier pictures by the same camera showed, where there are such.
    """

    def __init__(
        self,
        classifier: Classifier,
        solids: Mapping[str, str],
        limits: Mapping[str, float],
        *,
        name: Callable[[Picture, Sequence[Found]], list[Candidate]],
        checked: Callable[[Picture, Sequence[Found], Sequence[Point | None]], list[Found]],
        ground: Ground | None = None,
    ) -> None:
        self._classifier, self._solids, self._limits = classifier, solids, limits
        self._name, self._checked, self._ground = name, checked, ground

    def assess(self, picture: Picture, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates with how surely each leans, and the upper face where a side was taken for it."""
        limits, size, weighed = self._limits, max(picture.shape[:2]), dict(enumerate(candidates))
        certain = [i for i, v in enumerate(candidates) if v.ranked and v.die_like >= limits["clear"]]
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
            better = self._checked(
                picture, [candidates[i].found for i in doubtful], list(flat_lifts(doubtful).values())
            )
            for i, found in zip(doubtful, better, strict=True):
                weighed[i] = replace(candidates[i], found=found)
                postures[i] = self._posture(weighed[i])
            places = flat_lifts(doubtful)
            seen = self._seen_as_flat(picture, weighed, places)
            settled = _settled(seen, places)
            weighed |= seen | settled
            postures |= {i: self._posture(v) for i, v in settled.items()}
            leaning = measured()
        if self._ground:
            many_sided = [i for i in certain if postures[i].solid in AMBIGUOUS]
            others_count = len(certain) - len(many_sided) + len(before)
            if many_sided and others_count < LEAST_DICE:  # nothing else tells how they lie
                weighed |= self._by_tilt(picture, {i: weighed[i] for i in many_sided}, self._ground)
            flat = [i for i in certain if i not in many_sided and leaning[i] < _AGAIN]
            self._ground.learn(
                flat=[postures[i] for i in flat if candidates[i].ranked[0][2] >= _FIRM],
                leaning=[postures[i] for i in certain if leaning[i] > limits["perhaps_leaning"]],
            )
        known = sum(die.is_measured for die in postures.values()) + len(before)
        unsure = flat_lifts([i for i, die in postures.items() if _UNSURE < die.spread <= _EITHER])
        displaced = {
            i
            for i, place in unsure.items()
            if place and math.dist(place, postures[i].lift) > _EXACTLY * postures[i].radius
        }
        either = {i for i, die in postures.items() if i in displaced or _may_be_either(die, alone=known < LEAST_DICE)}
        either -= set(settled)
        return [
            replace(v, leaning=leaning.get(i, 0.0), side_first=v.side_first or i in either) for i, v in weighed.items()
        ]

    def _by_tilt(self, picture: Picture, candidates: Mapping[int, Candidate], ground: Ground) -> dict[int, Candidate]:
        """Return what dice of many sides are by the face that lies up by the table's tilt, where it is another one.

        Until enough of them were seen to tell the tilt they are only remembered.
        """
        solids = {i: self._solids[v.ranked[0][0]] for i, v in candidates.items()}
        if ground.tilt is None:
            for i, v in candidates.items():
                ground.sight(sighted(self._classifier, picture, v.found, solids[i]))
        if (tilt := ground.tilt) is None:
            return {}
        places = {i: tilt.upper_face(v.found, solids[i], picture.shape) for i, v in candidates.items()}
        seen = self._seen_as_flat(picture, candidates, places)
        for i, v in candidates.items():
            off = math.dist(places[i], seen.get(i, v).view.centre)
            ground.met(off < _OTHER_FACE * v.found.radius)
        return seen

    def _seen_as_flat(
        self, picture: Picture, candidates: Mapping[int, Candidate], places: Mapping[int, Point | None]
    ) -> dict[int, Candidate]:
        """Return what dice are by the face that lies up if they lie as flat as the others, where it is another one.

        :param places: of candidates, by their index, where that face's lift would be.
        """
        known = {i: place for i, place in places.items() if place}
        views = [View(place, candidates[i].found.top_radius) for i, place in known.items()]
        nearer = [self._classifier.corrected(look) for look in self._classifier.predict(picture, views)]
        there = [
            replace(candidates[i].found, top=view.centre, top_radius=view.radius)
            for i, view in zip(known, nearer, strict=True)
        ]
        flat = {}
        for (i, place), seen in zip(known.items(), self._name(picture, there), strict=True):
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
            # two networks say where the upper face's middle is, and err apart
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
    if die.solid in AMBIGUOUS:
        return False
    return die.spread > (_EITHER_ALONE if alone else _EITHER) or (alone and is_sideways(die))


def _settled(seen: Mapping[int, Candidate], places: Mapping[int, Point | None]) -> dict[int, Candidate]:
    """Return those that are beyond doubt of what dice are by the face that lies up if they lie as flat as the others.

    Nothing was mistaken for that face: it was one of two that either might have been.
    """
    settled = {}
    for i, v in seen.items():
        place, reach = places[i], v.found.radius
        if place and v.found.spread > _EITHER and math.dist(v.view.centre, place) < _EXACTLY * reach:
            settled[i] = replace(v, found=replace(v.found, top=v.view.centre, lift=v.view.centre), side_first=False)
    return settled
