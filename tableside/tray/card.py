"""The test card: a sheet with marks in its corners and dice printed life-size, and what a camera sees of it.

Its marks tell the scale of the picture, how sharp its corners are, and where each printed die
lies. Nothing of it depends on how the sheet is turned, or on how the camera looks at it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import DiceSet, DieReading, DieType, Doubt, Face, Point, Reading, Status
from tableside.reader.photo import Picture
from tableside.record import Record
from tableside.tray.calibration import BRIGHT, GOOD_LEVELS, TOO_BRIGHT, TOO_DARK
from tableside.tray.region import Marks, Region, mark_places, marks_of, mask_of, region_of
from tableside.words import say

LEAST_PX_PER_MM, MOST_EDGE_MM = 2.0, 1.3
"""In pictures of the card, drawn at many sizes and blurs, eight or seven of its eight dice are read within these."""
_SEVERAL = 4  # of the card's dice: few rolls have as many
_NEAR_MM, _DIE_MM = 8.0, 16.0
CARD_MM = (297.0, 210.0)
"""A4, landscape. All that counts is printed on Letter, too, if that is centred."""
MARK_MM, MARGIN_MM = 22.0, 15.0
GOOD_PAPER = (GOOD_LEVELS[0], BRIGHT)
"""Grey levels of white paper in a good picture; it is brighter than any tray."""
FIRST_MARK = 4
"""The card's marks are this number and the three after it, clockwise from the top left; a tray's are 0 to 3."""
_REACH_MM = 3.4  # to both sides of a mark's edge: its border and the paper round it are wider
_SAMPLES, _LINES = 69, 15  # across an edge, and along it


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedDie:
    """A die of the card.

    :ivar at_mm: its middle. :ivar turned: degrees clockwise.
    """

    type: str
    face: Face
    at_mm: Point
    turned: float = 0.0


DICE: Sequence[PrintedDie] = (
    PrintedDie(type="pip", face=("5",), at_mm=(70, 62), turned=12),
    PrintedDie(type="boost", face=("success",), at_mm=(122, 62), turned=-20),
    PrintedDie(type="ability", face=("advantage",), at_mm=(175, 62), turned=25),
    PrintedDie(type="proficiency", face=("triumph",), at_mm=(227, 62), turned=-8),
    PrintedDie(type="pip", face=("2",), at_mm=(70, 148), turned=-30),
    PrintedDie(type="setback", face=("threat",), at_mm=(122, 148), turned=8),
    PrintedDie(type="difficulty", face=("failure",), at_mm=(175, 148), turned=-15),
    PrintedDie(type="challenge", face=("despair",), at_mm=(227, 148), turned=20),
)
"""What ``card.svg`` shows: of each shape, light and dark bodies, and faces that only a sharp picture tells apart."""


MARKS_AT = mark_places(CARD_MM, mark_mm=MARK_MM, margin_mm=MARGIN_MM)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenCard:
    """The card as a picture shows it.

    :ivar to_picture: takes mm of the card to px of the picture, as a homography.
    :ivar px_per_mm: the scale in the card's middle.
    :ivar edges_mm: how wide a printed edge appears in the four marks, clockwise from the top left: the way from 10 to
        90 % of its contrast.
    """

    to_picture: npt.NDArray[np.float64]
    px_per_mm: float
    edges_mm: tuple[float, float, float, float]

    def place(self, at_mm: Point) -> Point:
        """Return where a point of the card is in the picture."""
        ((x, y),) = _through(self.to_picture, np.array([at_mm]))
        return float(x), float(y)

    def light_in(self, picture: Picture) -> str:
        """Return what to do about the light. Most of the card is white paper, which is bright in a good picture."""
        inside = mask_of(self.outline(picture), picture.shape)
        level = float(np.median(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[inside == 1]))
        return TOO_DARK if level < GOOD_PAPER[0] else TOO_BRIGHT if level >= GOOD_PAPER[1] else ""

    def outline(self, picture: Picture) -> Region:
        """Return the middles of the marks, in shares of the picture: the part of the card that counts."""
        half = MARK_MM / 2
        return region_of(np.array([self.place((x + half, y + half)) for x, y in MARKS_AT]), picture)


def find_card(picture: Picture, marks: Marks | None = None) -> SeenCard | None:
    """Return the card where all four of its marks are seen.

    :param marks: those of the picture, where somebody has looked for them.
    """
    marks = marks_of(picture) if marks is None else marks
    if not all(number in marks for number in range(FIRST_MARK, FIRST_MARK + 4)):
        return None
    seen = [marks[number] for number in range(FIRST_MARK, FIRST_MARK + 4)]
    printed = np.concatenate([rectangle(x, y, MARK_MM, MARK_MM) for x, y in MARKS_AT])
    to_picture, _ = cv2.findHomography(printed, np.concatenate(seen))
    if to_picture is None:
        return None
    through = np.asarray(to_picture, np.float64)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    first, second, third, fourth = (_edge_mm(grey, through, at) for at in MARKS_AT)
    # how much larger a small square in the middle becomes
    square = _through(through, np.array(rectangle(CARD_MM[0] / 2 - 0.5, CARD_MM[1] / 2 - 0.5, 1, 1)))
    return SeenCard(
        to_picture=through,
        px_per_mm=math.sqrt(cv2.contourArea(square.astype(np.float32))),
        edges_mm=(first, second, third, fourth),
    )


def without_card(reading: Reading, picture: Picture) -> Reading:
    """Return the reading, or an empty one where it is of the card: dice that are printed are no roll.

    Looking for marks takes a while: it is done where something could not be read, or several of the card's dice were.
    """
    printed = {(die.type, die.face) for die in DICE}
    alike = len(printed & {(die.type, die.face) for die in reading.dice})
    if (reading.suspects or alike >= _SEVERAL) and find_card(picture) is not None:
        return Reading(width=reading.width, height=reading.height)
    return reading


class CardDie(Record, frozen=True, kw_only=True):
    """What became of one printed die.

    :ivar at: where it is, in shares of the picture's width and height. :ivar is_read: whether it was read rightly.
    :ivar doubt: why it is unsure, where it was seen and is.
    """

    leaves_out_none = True

    type: str
    face: Face
    at: Point
    is_read: bool
    doubt: Doubt | None = None


class CardReport(Record, frozen=True, kw_only=True):
    """What the card proves of camera, focus and reading.

    :ivar die_px: how wide a die of 16 mm is in the picture.
    :ivar edge_mm: how wide an edge appears in the mark that is least sharp.
    :ivar light: what to do about the light, by the card's white paper; ``""`` where it is good.
    :ivar advice: what else to change, the most telling first; nothing where all is well.
    """

    properties = ("read", "is_sharp")
    digits: ClassVar[Mapping[str, int]] = {"die_px": 1, "edge_mm": 2}

    die_px: float
    edge_mm: float
    light: str
    dice: tuple[CardDie, ...]
    advice: tuple[str, ...]

    @property
    def is_sharp(self) -> bool:
        """Whether the whole card is in focus, as far as its size in the picture allows."""
        return self.edge_mm <= MOST_EDGE_MM or self.die_px < _DIE_MM * LEAST_PX_PER_MM

    @property
    def read(self) -> int:
        """How many dice were read rightly."""
        return sum(die.is_read for die in self.dice)


def report_of(seen: SeenCard, picture: Picture, reading: Reading, sets: Sequence[DiceSet]) -> CardReport:
    """Compare what was read in a picture of the card with what is printed there.

    :param picture: of the card. :param reading: of that picture.
    :param sets: whose dice can be read; others on the card do not count.
    """
    kinds = {kind.name: kind for one in sets for kind in one.types}
    printed = [die for die in DICE if die.type in kinds]
    dice = []
    for die in printed:
        x, y = seen.place(die.at_mm)
        away = [(math.dist(one.center, (x, y)), one) for one in reading.dice]
        near = [pair for pair in away if pair[0] < _NEAR_MM * seen.px_per_mm]
        found = min(near, key=lambda pair: pair[0])[1] if near else None
        is_read = found is not None and _is_right(found, die, kinds)
        at = (x / max(1, reading.width), y / max(1, reading.height))
        doubt = None if found is None or is_read else found.doubt
        dice.append(CardDie(type=die.type, face=die.face, at=at, is_read=is_read, doubt=doubt))
    return CardReport(
        die_px=_DIE_MM * seen.px_per_mm,
        edge_mm=max(seen.edges_mm),
        light=seen.light_in(picture),
        dice=tuple(dice),
        advice=tuple(_advice(seen, dice)),
    )


def _is_right(found: DieReading, printed: PrintedDie, kinds: Mapping[str, DieType]) -> bool:
    """Whether a die was read as it is printed. Which of two pip dice is the Wild Die, the card does not say."""
    kind = kinds.get(found.type)
    is_kind = kind is not None and printed.type in (kind.name, kind.variant_of)
    return is_kind and found.face == printed.face and (found.status is Status.SURE or found.doubt is Doubt.COLOUR)


def _advice(seen: SeenCard, dice: Sequence[CardDie]) -> Iterator[str]:
    """Yield what to change: nearer first, for what is too small is never sharp enough either."""
    if seen.px_per_mm < LEAST_PX_PER_MM:
        share = round(100 * seen.px_per_mm / LEAST_PX_PER_MM)
        yield say("The dice are too small: bring the camera to {n} % of its height, or take a narrower lens.", n=share)
    elif min(seen.edges_mm) > MOST_EDGE_MM:
        yield "The card is out of focus: turn the lens until the bar stops rising."
    elif max(seen.edges_mm) > MOST_EDGE_MM:
        yield "The card is sharp on one side only: hang the camera straight above it."
    if any(die.doubt is Doubt.GLARE for die in dice):
        yield "A lamp is mirrored in the card: spread its light."
    elif not all(die.is_read for die in dice):
        yield "Not every die was read: see that the light is even and that the card was printed in colour."


def _through(to_picture: npt.NDArray[np.float64], points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), to_picture)
    return np.asarray(moved.reshape(points.shape), np.float64)


def _edge_mm(grey: npt.NDArray[np.uint8], to_picture: npt.NDArray[np.float64], mark: Point) -> float:
    """Return the median width of the sides of a mark.

    Across each side the light is sampled on many lines, each by itself: the mark may be bent, or placed less exactly
    than an edge is wide.
    """
    across = np.linspace(-_REACH_MM, _REACH_MM, _SAMPLES)
    along = np.linspace(0.15, 0.85, _LINES) * MARK_MM
    left, top = mark
    widths = []
    for from_top, outward in ((True, -1), (True, 1), (False, -1), (False, 1)):
        far = 0.0 if outward < 0 else MARK_MM
        a, b = np.meshgrid(along, far + outward * across, indexing="ij")
        points = np.stack((left + a, top + b) if from_top else (left + b, top + a), -1)
        xy = _through(to_picture, points.reshape(-1, 2)).astype(np.float32).reshape(_LINES, _SAMPLES, 2)
        light = cv2.remap(grey, xy[..., 0], xy[..., 1], cv2.INTER_LINEAR).astype(np.float64)
        widths += [_rise(line) for line in light]
    return float(np.median(widths)) * 2 * _REACH_MM / (_SAMPLES - 1)


def _rise(line: npt.NDArray[np.float64]) -> float:
    """Return in how many samples a line from dark to light climbs from 10 to 90 % of its way."""
    low, high = np.median(line[: _SAMPLES // 6]), np.median(line[-_SAMPLES // 6 :])
    if high <= low:
        return float(_SAMPLES)
    share = (line - low) / (high - low)
    middle = int(np.argmax(share > 0.5))
    first = middle - int(np.argmax(share[middle::-1] < 0.1))
    last = middle + int(np.argmax(share[middle:] > 0.9))
    return float(last - first)


def rectangle(x: float, y: float, width: float, height: float) -> list[Point]:
    """Return the corners of a rectangle, clockwise from the top left."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
