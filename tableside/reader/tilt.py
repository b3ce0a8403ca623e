"""Find how a camera is tilted against its table, from several pictures of dice with many sides.

Seen at a slant of 20 degrees, two sides of a d20 face the camera equally, so one picture cannot show which lies up. But
the middle of the upper face is always where the camera's tilt puts it, however the die is turned. The other faces are
there only by chance. So the place where faces are found more often than by chance is where upper faces lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.classify import Classifier, View
from tableside.reader.crop import Pyramid
from tableside.reader.locate import Found
from tableside.reader.photo import Picture
from tableside.reader.plane import HEIGHTS

AMBIGUOUS = frozenset({"d20"})
"""Solids whose sides lie so close together that a tilted camera confuses them."""
LEAST_SIGHTINGS = 8

_STARTS = tuple(
    (reach * math.cos(2 * math.pi * i / count), reach * math.sin(2 * math.pi * i / count))
    for reach, count in ((0.0, 1), (0.3, 6), (0.58, 12))
    for i in range(count)
)  # sines of the tilts at which faces are looked for
_LOOKS = 2
_SETTLED = 0.12  # radii: if the second look moves farther, there is no face's middle
_STEEPEST, _APART = 0.75, 0.12  # sines: the steepest face that is kept, and the least angle between two
_WITHIN = 0.07  # sine: a face this near to where the tilt puts it is the upper one
_GROWTHS = (0.2, 0.6)  # of the sine over half a picture: for a far camera, and for a near phone's or Pi's lens
_PRIOR = 0.3  # weight of these against what is measured
_STEPS = 4
_NOWHERE = 9.0  # stands in for faces that a sighting lacks
_ELSEWHERE = 0.25  # sine between one face of a d20 and the next, at least
_TURNS = 24
_SURER = 4.0  # standard deviations above what chance gives

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """The faces of one die in one picture.

    :ivar place: of the silhouette's middle from the picture's, in half the picture's longer side.
    :ivar faces: (n, 2) of their middles from the silhouette's, in the die's height. For the upper one it is the sine of
        the tilt.
    """

    place: Point
    faces: _Floats


@dataclass(frozen=True, slots=True)
class Tilt:
    """How a camera looks at its table.

    :ivar shift: sine of the table's tilt at the picture's middle.
    :ivar growth: how much that sine grows over half the longer side.
    """

    shift: Point
    growth: float

    def upper_face(self, found: Found, solid: str, shape: tuple[int, ...]) -> Point:
        """Return where the upper face's middle of a die that lies flat is, px, in a picture of that shape."""
        x, y = _place(found, shape)
        reach = HEIGHTS[solid] * found.radius
        return (
            found.middle[0] + (self.shift[0] + self.growth * x) * reach,
            found.middle[1] + (self.shift[1] + self.growth * y) * reach,
        )


def slant(found: Found, solid: str) -> float:
    """Return the sine of the angle at which a die seems to be looked at."""
    return math.dist(found.lift, found.middle) / (HEIGHTS[solid] * found.radius)


def faces_in_sight(classifier: Classifier, picture: Picture | Pyramid, found: Found, solid: str) -> Sighting:
    """Return where faces of a die are. That takes many views."""
    middle, reach = np.array(found.middle), HEIGHTS[solid] * found.radius
    views = [View((float(x), float(y)), found.top_radius) for x, y in middle + np.array(_STARTS) * reach]
    moved = np.zeros(len(views))
    for _ in range(_LOOKS):
        nearer = [classifier.corrected(look) for look in classifier.predict(picture, views)]
        moved = np.array([math.dist(old.centre, new.centre) for old, new in zip(views, nearer, strict=True)])
        views = [View(view.centre, found.top_radius) for view in nearer]
    sines = (np.array([view.centre for view in views]) - middle) / reach
    kept: list[_Floats] = []
    for i in np.argsort(moved):
        far = np.hypot(*sines[i])
        is_new = all(np.hypot(*(sines[i] - other)) > _APART for other in kept)
        if moved[i] < _SETTLED * found.radius and far < _STEEPEST and is_new:
            kept.append(sines[i])
    return Sighting(_place(found, picture.shape), np.array(kept, float).reshape(-1, 2))


def common_tilt(sightings: Sequence[Sighting]) -> Tilt | None:
    """Return the tilt at which most sightings have an upper face; none where chance explains it as well.

    Chance is measured by turning each sighting at random. Dice that were all laid alike agree in several places, so
    they say nothing either.
    """
    sightings = [one for one in sightings if len(one.faces)]
    if len(sightings) < LEAST_SIGHTINGS:
        return None
    faces = np.full((len(sightings), max(len(one.faces) for one in sightings), 2), _NOWHERE)
    for row, one in zip(faces, sightings, strict=True):
        row[: len(one.faces)] = one.faces
    places = np.array([one.place for one in sightings])
    shifts, growths, agree = _agreeing(places, faces)
    best = shifts[agree.argmax()]
    rng = np.random.default_rng(0)
    chance = [_agreeing(places, _turned(faces, rng))[2].max() for _ in range(_TURNS)]
    least = float(np.mean(chance) + _SURER * np.std(chance))
    elsewhere = agree[np.hypot(*(shifts - best).T) > _ELSEWHERE]
    if agree.max() < least or elsewhere.max(initial=0.0) > (least + agree.max()) / 2:
        return None
    return _refined(places, faces, best, float(growths[agree.argmax()]))


def _place(found: Found, shape: tuple[int, ...]) -> Point:
    height, width = shape[:2]
    half = max(height, width) / 2
    return (found.middle[0] - width / 2) / half, (found.middle[1] - height / 2) / half


def _agreeing(places: _Floats, faces: _Floats) -> tuple[_Floats, _Floats, _Floats]:
    """Return shifts (k, 2), the growths that go with them (k,), and in how many sightings a face is upper by them (k,).

    :param places: (n, 2). :param faces: (n, m, 2).
    """
    shifts, agree = [], []
    for growth in _GROWTHS:
        level = faces - growth * places[:, None]
        shifts.append(level[faces[..., 0] < _NOWHERE])
        far = ((level[None] - shifts[-1][:, None, None]) ** 2).sum(-1).min(-1)
        agree.append(np.exp(-far / (2 * _WITHIN**2)).sum(1))
    return np.concatenate(shifts), np.repeat(_GROWTHS, len(shifts[0])), np.concatenate(agree)


def _turned(faces: _Floats, rng: np.random.Generator) -> _Floats:
    angles = rng.uniform(0, 2 * np.pi, len(faces))
    c, s = np.cos(angles), np.sin(angles)
    turned = faces @ np.array([[c, -s], [s, c]]).transpose(2, 0, 1)
    return np.asarray(np.where(faces < _NOWHERE, turned, _NOWHERE))


def _refined(places: _Floats, faces: _Floats, shift: _Floats, usual: float) -> Tilt:
    """Return the tilt fitted to the faces next to where it puts the upper ones (reweighted least squares)."""
    growth = usual
    for _ in range(_STEPS):
        off = ((faces - (shift + growth * places)[:, None]) ** 2).sum(-1)
        near = faces[np.arange(len(faces)), off.argmin(1)]
        weights = np.exp(-off.min(1) / (4 * _WITHIN**2)) + 1e-6
        place, offset = (weights @ values / weights.sum() for values in (places, near))
        along = weights @ ((places - place) * (near - offset)).sum(1)
        squares = weights @ ((places - place) ** 2).sum(1)
        growth = float((along + _PRIOR * usual) / (squares + _PRIOR))
        shift = offset - growth * place
    return Tilt((float(shift[0]), float(shift[1])), growth)
