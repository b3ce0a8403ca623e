"""The reader with its real networks, on pictures that the project rendered and on the reference photographs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.labelled import find_labels, read_label
from models.score import Score
from models.worse import Worse, close_ups, far
from tableside import paths
from tableside.dice import Status, find_sets
from tableside.errors import ModelError
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.reader.detection import Detection
from tableside.reader.locate import Locator
from tableside.reader.network import Network
from tableside.reader.overlay import draw_overlay
from tableside.reader.photo import load_photo
from tableside.reader.place import MeasuringLocator, Placer
from tableside.reader.reader import Reader
from tests.fakes.found import found


@cache
def reader(*sets: str) -> Reader:
    return Reader(find_sets(sets), models_folder=paths.models_folder())


def score_of(folder: Path, *sets: str) -> Score:
    score = Score()
    for path in find_labels(folder):
        label = read_label(path)
        score.add(label, reader(*sets).read(load_photo(label.picture)))
    return score


def test_an_empty_table_is_an_empty_reading_that_is_sure() -> None:
    reading = reader().read(np.full((480, 640, 3), 120, np.uint8))
    assert (reading.dice, reading.sure) == ((), True)


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (40, 40)])
def test_pictures_of_any_size_are_read(size: tuple[int, int]) -> None:
    assert reader().read(np.zeros((*size, 3), np.uint8)).dice == ()


def test_the_demo_rolls_are_read_without_a_silent_error() -> None:
    score = score_of(paths.samples_folder())
    assert score.dice > 30
    assert score.dice_right / score.dice >= 0.9, score.confusion
    assert score.silent_errors == 0


@pytest.mark.parametrize("scale", [0.5, 2.0, 3.0])
def test_no_size_is_assumed(scale: float) -> None:
    label = read_label(paths.samples_folder() / "roll-5.json")
    picture = cv2.resize(load_photo(label.picture), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    reading = reader("narrative").read(picture)
    assert len(reading.dice) == len(label.dice)
    assert sorted(die.type for die in reading.dice) == sorted(truth.die.type for truth in label.dice)


def test_only_faces_of_the_asked_sets_are_read() -> None:
    reading = reader("pips").read(load_photo(paths.samples_folder() / "roll-2.jpg"))
    assert not [die for die in reading.dice if die.status is Status.SURE]
    assert not reading.sure


def candidate(
    name: str,
    face: tuple[str, ...],
    confidence: float,
    *,
    presence: float = 1.0,
    spot: tuple[float, float] = (320.0, 240.0),
) -> Candidate:
    seen = found(spot, top_radius=40.0)
    return Candidate(
        seen,
        View(spot, 40.0),
        ((name, face, confidence),),
        nothing=0.0,
        presence=presence,
    )


CARD = Network(paths.models_folder(), "classifier").card
HARDLY = 0.8 * CARD["limits"]["report"]  # less surely a die than what is reported
CERTAIN = candidate("pip", ("3",), 0.99)
FAINT = candidate("pip", ("2",), 0.9, presence=0.4)
CLEAR, GRAIN = (candidate("pip", ("6",), likeliest, presence=0.07) for likeliest in (0.95, 0.8))
BLANKS, GLIMPSED = candidate("boost", (), 0.95, presence=0.07), replace(CLEAR, found=replace(CLEAR.found, score=0.4))
STRANGE = candidate("pip", ("2",), 0.1, presence=0.9)
STRANGE_AND_FAINT = candidate("pip", ("2",), 0.1, presence=HARDLY)
RIM_OUT, MARK_OUT, HALF_IN, OUT = (candidate("pip", ("2",), 0.99, spot=(x, 240.0)) for x in (33.0, 30.0, 8.0, -2.0))


@pytest.mark.parametrize(
    ("candidates", "dice", "suspects"),
    [
        pytest.param([CERTAIN], ["pip sure"], 0, id="certain"),
        pytest.param([CERTAIN, FAINT], ["pip sure", "pip unsure"], 0, id="may be no die"),
        pytest.param([CERTAIN, CLEAR], ["pip sure", "pip unsure"], 0, id="a clear face where a die may hardly be"),
        pytest.param([CERTAIN, GRAIN], ["pip sure"], 0, id="a face that is not clear there"),
        pytest.param([CERTAIN, BLANKS], ["pip sure"], 0, id="a blank face, which is no sign of a die"),
        pytest.param([CERTAIN, GLIMPSED], ["pip sure"], 0, id="a clear face on what was hardly seen from afar"),
        pytest.param([CERTAIN, STRANGE], ["pip sure"], 1, id="a die of no set"),
        pytest.param([CERTAIN, STRANGE_AND_FAINT], ["pip sure"], 0, id="a thing like no die of any set"),
        pytest.param([RIM_OUT], ["pip sure"], 0, id="the rim of its upper face out of the picture"),
        pytest.param([MARK_OUT], ["pip unsure"], 0, id="so much of its upper face that a mark may be"),
        pytest.param([HALF_IN], ["pip unsure"], 0, id="half of its upper face in the picture"),
        pytest.param([OUT], [], 1, id="the middle of its upper face out of the picture"),
    ],
)
def test_what_is_found_is_a_die_a_question_or_nothing(
    candidates: list[Candidate], dice: list[str], suspects: int
) -> None:
    both = reader("narrative", "pips")
    reading = both.conclude(np.zeros((480, 640, 3), np.uint8), candidates)
    assert [f"{die.type} {die.status.value}" for die in reading.dice] == dice
    assert len(reading.suspects) == suspects


@pytest.mark.parametrize(
    ("face", "radius", "status"),
    [
        pytest.param(("3",), 0, Status.UNSURE, id="marks that nobody can see"),
        pytest.param(("3",), 3, Status.UNSURE, id="a mark beside which others may be"),
        pytest.param(("3",), 38, Status.SURE, id="a rim that is white"),
        pytest.param((), 0, Status.UNSURE, id="a blank face, whose marks nobody could see either"),
    ],
)
def test_a_face_that_is_white_all_over_is_a_question(face: tuple[str, ...], radius: int, status: Status) -> None:
    pips = reader("pips")
    picture = np.full((480, 640, 3), 254, np.uint8)
    if radius:
        cv2.circle(picture, (326, 236), radius, (30, 30, 30), -1)
    assert [die.status for die in pips.conclude(picture, [replace(CERTAIN, ranked=(("pip", face, 0.99),))]).dice] == [
        status
    ]


@pytest.mark.parametrize("share", [0.3, 0.55, 0.8, 0.98])
def test_a_die_is_read_however_much_of_the_picture_it_fills(share: float) -> None:
    picture = load_photo(paths.samples_folder() / "roll-1.jpg")
    read = reader("narrative").read(picture)
    for die in [die for die in read.dice if die.status is Status.SURE]:
        corners = np.array(die.outline)
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        reach = float(np.ptp(corners, axis=0).max()) / share / 2
        (x0, y0), (x1, y1) = np.maximum(middle - reach, 0).astype(int), (middle + reach).astype(int)
        near = cv2.resize(picture[y0:y1, x0:x1], (900, 900), interpolation=cv2.INTER_CUBIC)
        # what else lies in the part may be cut
        assert (die.type, die.face) in [(one.type, one.face) for one in reader("narrative").read(near).dice]


def test_finds_that_turn_out_to_be_one_die_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    both = reader("narrative", "pips")
    beside = candidate("pip", ("3",), 0.9, spot=(325.0, 240.0))
    other = candidate("pip", ("3",), 0.9, spot=(390.0, 240.0))
    monkeypatch.setattr(both, "name", lambda *_: [CERTAIN, beside, other])
    assessed = both.assess(np.zeros((480, 640, 3), np.uint8), [])
    assert [one.view.centre for one in assessed] == [CERTAIN.view.centre, other.view.centre]


@pytest.mark.parametrize(("moved_to", "radius", "dice"), [(341.0, 29.0, 1), (347.0, 29.0, 2), (341.0, 14.0, 2)])
def test_a_side_of_a_die_that_is_seen_to_be_one_when_it_is_measured_again_is_no_die_of_its_own(
    monkeypatch: pytest.MonkeyPatch, moved_to: float, radius: float, dice: int
) -> None:
    both, at = reader("narrative", "pips"), (400.0, 240.0)
    side = candidate("pip", ("1",), 0.9, spot=at)
    monkeypatch.setattr(both, "name", lambda *_: [CERTAIN, side])
    again = replace(side, found=found((moved_to, 240.0), radius=radius))
    monkeypatch.setattr(both._postures, "assess", lambda *_: [CERTAIN, again])
    assessed = both.assess(np.zeros((480, 640, 3), np.uint8), [])
    assert [one.ranked for one in assessed] == [CERTAIN.ranked, side.ranked][:dice]


def test_what_is_larger_than_a_die_that_fills_the_picture_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [replace(CERTAIN.found, radius=radius) for radius in (260.0, 300.0)]
    locator = MeasuringLocator(paths.models_folder())
    monkeypatch.setattr(Locator, "find", lambda *_: found)
    monkeypatch.setattr(Placer, "placed", lambda _, __, finds: finds)
    assert locator.find(np.zeros((480, 640, 3), np.uint8)) == found[:1]


@pytest.mark.parametrize(
    ("folder", "names", "worsen"),
    [
        ("photos/pips", ("IMG_20191208_112609", "IMG_20191209_095919"), partial(far, width=3.4)),
        ("photos/phone", ("dice17", "dice37", "dice55"), partial(close_ups, share=0.7)),
    ],
    ids=["from far away", "close up"],
)
def test_dice_of_a_size_that_few_photographs_have_are_not_overlooked(
    shared: Path, folder: str, names: tuple[str, ...], worsen: Worse
) -> None:
    score = Score()
    for name in names:
        label = read_label(shared / folder / f"{name}.json")
        for truth, picture in worsen(label, load_photo(label.picture), np.random.default_rng(0)):
            score.add(truth, reader("pips").read(picture))
    assert (score.rolls_silently_wrong, score.dice_missed) == (0, 0)


@pytest.mark.parametrize("which", [2, 5])
def test_a_side_looked_at_for_the_upper_face_is_found_out_by_how_the_other_dice_lie(which: int) -> None:
    symbols = Reader(find_sets(["narrative"]), models_folder=paths.models_folder())
    picture = load_photo(paths.samples_folder() / "roll-6.jpg")
    found = symbols.locate(picture)
    die = found[which]
    right = named_at(symbols.assess(picture, found), die)
    x, y = die.top
    angle = np.radians(92)
    side = (x + 0.78 * die.radius * np.cos(angle), y + 0.78 * die.radius * np.sin(angle))
    found[which] = replace(die, top=side, lift=side, spread=0.03)
    assert symbols.name(picture, [found[which]])[0].ranked[0][:2] != right.ranked[0][:2]
    told = named_at(symbols.assess(picture, found), die)
    assert told.ranked[0][:2] == right.ranked[0][:2]
    assert symbols.conclude(picture, [told]).dice[0].status is Status.UNSURE


@pytest.mark.parametrize(
    ("spread", "off"),
    [
        pytest.param(0.03, 0.0, id="sure of it"),
        pytest.param(0.13, 0.0, id="less so, as flat as the others"),
        pytest.param(0.13, 0.15, id="less so, and not quite as flat"),
    ],
)
def test_a_die_among_others_that_lie_about_as_flat_is_no_question(spread: float, off: float) -> None:
    symbols, picture = reader("narrative"), load_photo(paths.samples_folder() / "roll-6.jpg")
    found = symbols.locate(picture)
    die = found[5]
    found[5] = die = replace(die, spread=spread, lift=(die.lift[0] + off * die.radius, die.lift[1]))
    told = named_at(symbols.assess(picture, found), die)
    assert [one.status for one in symbols.conclude(picture, [told]).dice] == [Status.SURE]


@pytest.mark.parametrize(
    ("towards", "spread", "statuses"),
    [(None, None, [Status.SURE]), (92, None, [Status.UNSURE]), (None, 0.13, [Status.UNSURE])],
)
def test_a_lone_die_of_twelve_sides_of_which_another_side_may_lie_up_is_a_question(
    towards: float | None, spread: float | None, statuses: list[Status]
) -> None:
    symbols, picture = reader("narrative"), load_photo(paths.samples_folder() / "roll-6.jpg")
    die = symbols.locate(picture)[5]
    if towards is not None:
        angle, reach = np.radians(towards), 0.78 * die.radius
        side = (die.top[0] + reach * np.cos(angle), die.top[1] + reach * np.sin(angle))
        die = replace(die, top=side, lift=side)
    if spread is not None:
        die = replace(die, spread=spread)
    reading = symbols.conclude(picture, symbols.assess(picture, [die]))
    assert [one.status for one in reading.dice] == statuses


def named_at(candidates: list[Candidate], die: Detection) -> Candidate:
    return min(candidates, key=lambda one: dist(one.found.middle, die.middle))


def test_an_overlay_leaves_the_picture_as_it_is() -> None:
    picture = load_photo(paths.samples_folder() / "roll-1.jpg")
    before = picture.copy()
    drawn = draw_overlay(picture, reader().read(picture))
    assert np.array_equal(picture, before)
    assert not np.array_equal(drawn, before)


@pytest.mark.parametrize(
    "harm",
    [lambda p: p.unlink(), lambda p: p.write_bytes(p.read_bytes()[:-100])],
    ids=["missing", "damaged"],
)
def test_networks_that_are_not_whole_are_refused(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    for path in paths.models_folder().iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    harm(tmp_path / "locator.onnx")
    with pytest.raises(ModelError, match="the locator network"):
        Reader(find_sets(["pips"]), models_folder=tmp_path)
