"""Read a still picture in a straight line: find, measure, name, lean, decide.

- *Find*: the locator looks at the picture in a few sizes, and gives every place where a die may lie.
- *Measure*: the place network looks at each find by itself: silhouette, upper face, contact.
- *Name*: the classifier compares each upper face with every face of the dice sets. Marks of a die that passed for dice
  are left out.
- *Lean*: one plane is fitted to all dice. What departs from it is measured again, and leans or shows another side.
- *Decide*: each sign is a probability: that it is a die, flat, with this side up, of this face, within the picture and
  not washed out. Their product is the die's confidence. Two limits make it a report and an answer; the sign that counts
  most against an unsure die is its doubt.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from tableside.dice import BLANK, Alternative, DiceSet, DieReading, Doubt, Point, Reading, Status, Suspect, Timings
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.colour import burnt_patches, burnt_share, whole_colour
from tableside.reader.crop import Pyramid, pyramid_of
from tableside.reader.detection import Detection
from tableside.reader.focus import is_out_of_focus
from tableside.reader.ground import Ground
from tableside.reader.locate import CLOSEST_SIDE, are_one
from tableside.reader.marks import weigh_marks
from tableside.reader.name import Namer, TaughtTypes
from tableside.reader.photo import Picture
from tableside.reader.place import MeasuringLocator
from tableside.reader.plane import HEIGHTS, slant
from tableside.reader.posture import Postures
from tableside.reader.presence import Presence, cues_of
from tableside.reader.variant import Expected, tell_variants

_ONE_FACE = 0.25  # radii: upper faces whose middles are nearer to each other are one
_FACE_IN = 0.8  # share of the upper face's radius that must lie in the picture: marks reach as far
_READABLE = 0.2  # the least probability that the likeliest faces of the sets have together
_BURNT = 0.2  # share of a face that is white: pips may be there that nobody sees
_LEAST_WIDTH, _NEAR = (
    0.01,
    0.02,
)  # of a die, in shares of the picture's: smaller ones are missed; so large ones are read
_EVEN = 0.5  # of a sign that says neither yes nor no
_NAMED, _SEEN = 0.9, 0.5  # so clear a face on so clear a find is at least asked about


class Reader:
    """Reads dice of the given sets. Not safe for use by two threads at once.

    :param sets: the dice sets whose faces are possible.
    :param models_folder: holds the three networks with their cards, and ``prototypes.npz``; see ``models/README.md``.
    :param taught_types: returns the taught types of the sets, measured by this classifier; without it none are read.
    :param expected: tells before each picture what is known of a die that differs from others by its colour alone.
    :param camera_stays: one camera takes all pictures of one table, so earlier ones show how large dice are and how a
        flat one lies.
    :ivar classifier: that names the upper faces.
    :raises ModelError: when a network is missing or damaged.
    """

    def __init__(
        self,
        sets: Sequence[DiceSet],
        *,
        models_folder: Path,
        taught_types: TaughtTypes | None = None,
        expected: Callable[[], Expected] = Expected,
        camera_stays: bool = False,
    ) -> None:
        self._camera_stays = camera_stays
        self._locator = MeasuringLocator(models_folder, camera_stays=camera_stays)
        self._namer = Namer(sets, models_folder, taught_types)
        self.classifier, card = self._namer.classifier, self._namer.card
        self._limits: dict[str, float] = card["limits"]
        self._presence = Presence(**card["presence"])
        self._solids = {t.name: t.solid for s in sets for t in s.types}
        self._postures = Postures(
            self._locator,
            self._namer,
            self._solids,
            perhaps_leaning=self._limits["perhaps_leaning"],
            ground=Ground() if camera_stays else None,
        )
        self._variants = {t.variant_of: t.name for s in sets for t in s.types if t.variant_of}
        self._expected = expected

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        """Return the reading of a (height, width, 3) uint8 BGR picture.

        Every die found is reported once. One that cannot be read is a suspect, which makes the reading not sure.
        """
        begin = time.perf_counter()
        pyramid = pyramid_of(picture)  # made once for all that look at it
        found = self.locate(pyramid)
        located = time.perf_counter()
        reading = self.conclude(pyramid, self.assess(pyramid, found))
        ends = (located - begin) * 1000, (time.perf_counter() - located) * 1000
        return replace(reading, timings=Timings(decode=decode_ms, locate=ends[0], classify=ends[1]))

    def detect(self, picture: Picture | Pyramid) -> list[Detection]:
        """Return where dice are, found in one pass: good enough to follow them, not to count them."""
        return self._locator.detect(picture)

    def locate(self, picture: Picture | Pyramid) -> list[Detection]:
        """Find and measure: return everything that may be a die, surest first."""
        return self._locator.find(picture)

    def name(self, picture: Picture | Pyramid, found: Sequence[Detection]) -> list[Candidate]:
        """Return what each find would be if it were a die, also those that lie on one another."""
        return self._namer.name(picture, found)

    def assess(self, picture: Picture | Pyramid, found: Sequence[Detection]) -> list[Candidate]:
        """Name and lean: return what each find is, with its probabilities, before any limit."""
        candidates = weigh_marks(self.name(picture, found))
        kept = _distinct([v for v in candidates if v.upper >= _EVEN])
        kept = _distinct(self._postures.assess(picture, kept))  # measured again, two may turn out to be one
        return [replace(v, presence=self._presence(c)) for v, c in zip(kept, cues_of(kept), strict=True)]

    def conclude(self, picture: Picture | Pyramid, candidates: Sequence[Candidate]) -> Reading:
        """Decide: return the reading that the candidates of a picture come to, by the limits of report and answer."""
        there = [v for v in candidates if self.is_reported(picture, v)]
        read = [v for v in there if self._is_readable(picture, v)]
        dice = [self._die(picture, v) for v in read]
        solids = [(v.found, self._solids[v.ranked[0][0]]) for v in read]
        slants = [slant(found, solid) for found, solid in solids if solid in HEIGHTS]
        suspects = [
            Suspect(center=v.found.top, outline=v.found.outline, confidence=v.presence)
            for v in there
            if not self._is_readable(picture, v)
        ]
        height, width = picture.shape[:2]
        radius = median(v.found.radius for v in there) if there else 0.0
        suspects += [
            Suspect(center=spot, outline=_square(spot, size), confidence=_EVEN)
            for spot, size in (burnt_patches(picture, radius) if there else ())
            if all(math.dist(spot, v.found.middle) > v.found.radius for v in there)
        ]
        named = tell_variants(dice, self._variants, self._expected())
        is_blurred = is_out_of_focus(picture, [v.found.outline for v in there])
        sure = [die for die in named if die.status is Status.SURE]
        if is_blurred and sure:  # one question for all: whether these are all dice
            least = min(sure, key=lambda die: die.confidence)
            asked = replace(least, status=Status.UNSURE, doubt=Doubt.BLUR)
            named = [asked if die is least else die for die in named]
        return Reading(
            width=width,
            height=height,
            dice=tuple(named),
            suspects=tuple(suspects),
            nearer=self._nearer(2 * radius / max(width, height), max(width, height)),
            slant=median(slants) if slants else None,
            is_blurred=is_blurred,
        )

    def _nearer(self, share: float, longest: int) -> float:
        """Return how many times nearer the camera should be. In one large photograph dice may be too small to be seen.

        :param share: of a die's width in the picture's, 0 where none is found.
        """
        if share:
            return _NEAR / share if share < _LEAST_WIDTH else 1.0
        return 1.0 if self._camera_stays or longest <= CLOSEST_SIDE else _NEAR / _LEAST_WIDTH

    def is_reported(self, picture: Picture | Pyramid, v: Candidate) -> bool:
        """Return whether it is a die or a question, as a clear face on a clear find always is."""
        likeliest = v.ranked[0][1:] if self._is_readable(picture, v) else (BLANK, 0.0)
        is_clear = likeliest[0] != BLANK and likeliest[1] >= _NAMED and v.found.score >= _SEEN
        return is_clear or v.presence >= self._limits["report"]

    def _is_readable(self, picture: Picture | Pyramid, v: Candidate) -> bool:
        """Return whether its upper face is in the picture and may be one that the sets have.

        Of a die that is likeliest a taught one the best face is asked about, however little it looks like the samples.
        """
        is_known = v.mass >= _READABLE or (bool(v.ranked) and v.ranked[0][:2] in self._namer.taught.thresholds)
        return is_known and _holds(picture, v.view)

    def _signs(self, picture: Picture | Pyramid, v: Candidate) -> dict[Doubt, float]:
        """Return the probabilities that this is no doubt, by doubt. What a hand can mend comes first."""
        is_cut = not _holds(picture, v.view, margin=_FACE_IN)
        is_white = burnt_share(picture, v.view.centre, v.view.radius) > _BURNT
        return {
            Doubt.LEAN: _EVEN if v.leaning > self._limits["perhaps_leaning"] else 1.0,
            Doubt.SIDE: _EVEN if v.side_first else 1.0,
            Doubt.EDGE: _EVEN if is_cut else 1.0,
            Doubt.GLARE: _EVEN if is_white else 1.0,
            Doubt.FACE: v.ranked[0][2],
            Doubt.FAINT: v.presence * v.upper,
        }

    def _die(self, picture: Picture | Pyramid, v: Candidate) -> DieReading:
        """Return what is read as a die, with the doubt about it."""
        name, face, likeliest = v.ranked[0]
        signs = self._signs(picture, v)
        confidence = math.prod(signs.values())
        is_sure = confidence >= self._namer.taught.thresholds.get((name, face), self._limits["answer"])
        is_cocked = v.leaning > self._limits["leaning"] and not v.side_first
        return DieReading(
            type=name,
            face=face,
            center=v.view.centre,
            outline=v.found.outline,
            confidence=min(confidence, 0.9999),
            status=Status.COCKED if is_cocked else Status.SURE if is_sure else Status.UNSURE,
            alternatives=tuple(
                Alternative(type=t, face=f, confidence=confidence * p / likeliest)
                for t, f, p in v.ranked[1:]
                if p > 0.001
            ),
            colour_bgr=whole_colour(picture, v.found.outline),
            doubt=None if is_cocked or is_sure else min(signs, key=lambda doubt: signs[doubt]),
        )


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out finds that turned out to be the same die as an earlier, surer one."""
    kept: list[Candidate] = []
    for one in candidates:
        if not any(
            math.dist(one.view.centre, other.view.centre) <= _ONE_FACE * other.found.radius
            or are_one(one.found, other.found)
            for other in kept
        ):
            kept.append(one)
    return kept


def _square(spot: Point, half: float) -> tuple[Point, ...]:
    (x, y), signs = spot, ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple((x + half * right, y + half * down) for right, down in signs)


def _holds(picture: Picture | Pyramid, view: View, margin: float = 0.0) -> bool:
    """Return whether the view's middle lies in the picture, ``margin`` radii or more from its edges."""
    height, width = picture.shape[:2]
    x, y = view.centre
    least = margin * view.radius
    return bool(least <= x <= width - least and least <= y <= height - least)
