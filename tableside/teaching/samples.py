"""Find the die that a label names in its photograph, and cut out its upper face as a sample."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Face, Point, find_sets
from tableside.dice.taught import CROP_PX, CROP_RADIUS_PX
from tableside.errors import PhotoError
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.colour import burnt_share
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture
from tableside.reader.reader import Reader
from tableside.words import say

_LEAST_RADIUS = 9.0  # px: of a smaller face nothing can be learnt
_SOFT = 0.26  # fine detail over middling detail of a face 64 px wide: sharp faces have more
_PLAIN = 4.0  # grey levels of middling detail: with less a face may be blank, and its sharpness means nothing
_RIVAL = 0.6  # a find with this share of the best one's likelihood is a second die
_KNOWN = 0.15  # factor for something that other photographs show at the same place
_SAME_LOOK = 0.95  # correlation of a place in two photographs where nothing changed: two faces there have less
_SAME_FACE = 0.9  # correlation of two samples turned alike
_OTHER_FACE = 0.25  # radii of the silhouette between the middles of two faces of a d20, at least
_WASHED_OUT = 0.98  # of the inner half of a face: all but a speck is white
_EXACT = 0.15  # radii: a label this near to a face's middle is about that face

Turned = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shown:
    """An upper face as found.

    :ivar crop: (CROP_PX, CROP_PX, 3). :ivar shape: silhouette's radius over the upper face's circumradius.
    :ivar found: the die whose face it is.
    """

    crop: Picture
    shape: float
    view: View
    found: Detection

    @property
    def radius(self) -> float:
        """Of the upper face, px."""
        return self.view.radius

    @property
    def outline(self) -> tuple[Point, ...]:
        """Corners of the die's silhouette, px."""
        return self.found.outline


class Finder:
    """Finds dice to take samples of: what is a die, the reader says. Not safe for use by two threads at once.

    :raises ModelError: when a network is missing or damaged.
    """

    def __init__(self, models_folder: Path) -> None:
        self._reader = Reader(find_sets(), models_folder=models_folder)
        self.classifier = self._reader.classifier

    def all(self, picture: Picture, before: Picture | None = None) -> list[Shown]:
        """Return the upper faces of everything whole that is likely a die, surest first.

        :param before: an earlier picture. What lies as it lay there is left out.
        """
        found = self._likely(picture)
        if before is not None:
            found = [one for one in found if not _is_there_too(one.found, picture, before)]
        return [_shown_face(picture, one) for one in found]

    def at(self, picture: Picture, center: Point, *, where: str) -> Shown:
        """Return the die that lies there, with the face whose middle that is.

        :param center: of the upper face, px. If no face has its middle there, the face that seems to lie up is taken.
        :raises PhotoError: where no die lies there.
        """
        near = [one for one in self._found(picture) if math.dist(one.found.middle, center) < one.found.radius]
        if not near:
            hint = "Check center: it is the middle of the upper face in pixels of the photograph."
            raise PhotoError(
                "no die lies at {=x}, {=y}",
                x=f"{center[0]:.0f}",
                y=f"{center[1]:.0f}",
                where=where,
                hint=hint,
            )
        nearest = min(near, key=lambda one: math.dist(one.found.middle, center))
        if math.dist(center, nearest.view.centre) < _OTHER_FACE * nearest.found.radius:
            return _shown_face(picture, nearest)
        (labelled,) = self._reader.name(picture, [replace(nearest.found, top=center)])
        is_that = math.dist(labelled.view.centre, center) < _EXACT * nearest.found.radius
        return _shown_face(picture, labelled if is_that else nearest)

    def only(self, picture: Picture, others: Sequence[Picture] = (), *, where: str) -> Shown:
        """Return the one die of a photograph.

        :param others: photographs by the same camera that show other faces. What looks the same in them is no die.
        :raises PhotoError: where there is none, or more than one.
        """
        found = self._likely(picture)
        if not found:
            hint = "Lay one die in the middle, on a plain ground, or give its center."
            raise PhotoError("no die was found", where=where, hint=hint)
        # a die may lie where another face of it lay, and look much the same
        known = [_KNOWN if any(_is_there_too(one.found, picture, o) for o in others) else 1.0 for one in found]
        likely = [one.presence * _nearness(one.found, picture) * share for one, share in zip(found, known, strict=True)]
        at = int(np.argmax(likely))
        best = found[at].found
        rivals = [
            one
            for i, one in enumerate(found)
            if i != at and likely[i] > _RIVAL * likely[at] and 0.5 < one.found.radius / best.radius < 2
        ]
        if rivals:
            what = say("shows {n} dice where one was said", n=len(rivals) + 1)
            raise PhotoError(what, where=where, hint="Take the others away, or give each die's center in the label.")
        return _shown_face(picture, found[at])

    def _found(self, picture: Picture) -> list[Candidate]:
        return self._reader.assess(picture, self._reader.locate(picture))

    def _likely(self, picture: Picture) -> list[Candidate]:
        """Return what the reader would read or ask about, as far as it lies whole in the picture."""
        return [
            v for v in self._found(picture) if self._reader.is_reported(picture, v) and _is_inside(v.found, picture)
        ]


def _shown_face(picture: Picture, one: Candidate) -> Shown:
    shape = one.found.radius / max(one.found.top_radius, 1.0)
    return Shown(crop=cut(picture, one.view), shape=shape, view=one.view, found=one.found)


def check_sharp(shown: Shown, *, where: str, face: Face = ()) -> None:
    """Refuse a face that is too small or too soft to learn from.

    :param face: its marks, where they are known. If the picture shows no marks, it is blurred, too.
    :raises PhotoError: saying what to do.
    """
    if shown.view.radius < _LEAST_RADIUS:
        what = say("the upper face is only {=px} px across", px=f"{2 * shown.view.radius:.0f}")
        raise PhotoError(what, where=where, hint="Take the photograph from nearer.")
    grey = cv2.cvtColor(cv2.resize(shown.crop, (64, 64), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    grey = grey.astype(np.float32)
    soft, softer = cv2.GaussianBlur(grey, (0, 0), 1.0), cv2.GaussianBlur(grey, (0, 0), 3.0)
    inner = slice(10, 54)
    fine, middling = float((grey - soft)[inner, inner].std()), float((soft - softer)[inner, inner].std())
    if (middling > _PLAIN or face) and fine / (middling + 1) < _SOFT:
        raise PhotoError("is blurred", where=where, hint="Take it again with the lens in focus and nothing moving.")


def check_marks(shown: Shown, face: Face, *, where: str) -> None:
    """Refuse a face whose marks are washed out by light: it looks like a blank one.

    :raises PhotoError: saying what to do.
    """
    if face and has_lost_its_marks(shown.crop):
        hint = "Dim the lamp, turn it away, or lower the exposure, and take it again."
        raise PhotoError("is so bright that the marks cannot be seen", where=where, hint=hint)


def has_lost_its_marks(crop: Picture) -> bool:
    """Return whether light has left nothing of the marks of a sample's face."""
    return burnt_share(crop, (CROP_PX / 2 - 0.5, CROP_PX / 2 - 0.5), CROP_RADIUS_PX / 2) > _WASHED_OUT


def cut(picture: Picture, view: View) -> Picture:
    """Return the upper face as a sample's picture."""
    scale = CROP_RADIUS_PX / max(view.radius, 1.0)
    if scale < 0.5:  # shrink first, so that nothing aliases
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        view = View((view.centre[0] * scale, view.centre[1] * scale), view.radius * scale)
        scale = 1.0
    middle = CROP_PX / 2 - 0.5
    matrix = np.array([[scale, 0, middle - scale * view.centre[0]], [0, scale, middle - scale * view.centre[1]]])
    crop = cv2.warpAffine(picture, matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def same_face(a: Turned, b: Turned) -> bool:
    """Return whether two samples show one face, by their grey levels within the face under any turn."""
    return float((a[0] @ b.T).max()) > _SAME_FACE


def turns_of(crop: Picture) -> Turned:
    """Return a sample's grey levels within the face under 72 turns, each with mean 0 and length 1 at most."""
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 2.0).astype(np.float32)
    y, x = np.mgrid[0:CROP_PX, 0:CROP_PX] - (CROP_PX / 2 - 0.5)
    inside = (x**2 + y**2 < (0.7 * CROP_RADIUS_PX) ** 2) & (x.astype(int) % 2 == 0)
    rows = []
    for turn in range(0, 360, 5):
        matrix = cv2.getRotationMatrix2D((CROP_PX / 2 - 0.5, CROP_PX / 2 - 0.5), turn, 1.0)
        row = cv2.warpAffine(grey, matrix, (CROP_PX, CROP_PX))[inside]
        rows.append((row - row.mean()) / ((row.std() + 2.0) * math.sqrt(len(row))))
    return np.array(rows, np.float32)


def _nearness(found: Detection, picture: Picture) -> float:
    """Return how near to the middle of the picture it lies, 1 there."""
    height, width = picture.shape[:2]
    off = math.hypot((found.middle[0] - width / 2) / width, (found.middle[1] - height / 2) / height)
    return math.exp(-off / 0.25)


def _is_inside(found: Detection, picture: Picture) -> bool:
    height, width = picture.shape[:2]
    x, y = found.middle
    margin = found.radius * 0.8
    return bool(margin < x < width - margin and margin < y < height - margin)


def _is_there_too(found: Detection, picture: Picture, other: Picture) -> bool:
    """Return whether the other photograph shows the same thing at the same place."""
    if other.shape != picture.shape:
        return False
    reach = found.radius * 1.1
    x0, y0 = max(0, int(found.middle[0] - reach)), max(0, int(found.middle[1] - reach))
    here, there = (p[y0 : y0 + int(2 * reach), x0 : x0 + int(2 * reach)] for p in (picture, other))
    if min(here.shape[:2]) < 4:
        return False
    correlation = cv2.matchTemplate(here, there, cv2.TM_CCOEFF_NORMED)
    return float(correlation.max()) > _SAME_LOOK
