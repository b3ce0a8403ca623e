from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.score import score_folder, score_worse
from models.worse import WAYS
from tableside.dice import DieReading, Reading, Status
from tableside.errors import PhotoError
from tableside.reader.photo import Picture
from tests.fakes.clock import Clock

PER_DIE, TICK = 0.004, 0.001  # seconds


class SlowReader:
    """Says that a picture of n0 grey holds n dice, and takes its time for each."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        count = round(float(picture.mean()) / 10)
        self.clock.now += PER_DIE * count
        dice = tuple(
            DieReading(
                type="pip", face=("3",), center=(20.0 * i + 10, 10.0), outline=(), confidence=0.9, status=Status.SURE
            )
            for i in range(count)
        )
        return Reading(width=picture.shape[1], height=picture.shape[0], dice=dice)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(0.0, tick=TICK)
    monkeypatch.setattr("models.score.time.perf_counter", clock)
    return clock


def a_folder(tmp_path: Path, *counts: int) -> list[Path]:
    for count in counts:
        cv2.imwrite(str(tmp_path / f"{count}.jpg"), np.full((60, 200, 3), count * 10, np.uint8))
        squares = [[[20 * i, 0], [20 * i + 20, 0], [20 * i + 20, 20], [20 * i, 20]] for i in range(count)]
        dice = [{"type": "pip", "face": ["3"], "outline": square} for square in squares]
        (tmp_path / f"{count}.json").write_text(json.dumps({"image": f"{count}.jpg", "complete": True, "dice": dice}))
    return sorted(tmp_path.glob("*.json"))


def test_a_record_holds_the_score_and_the_time_for_each_die(tmp_path: Path, clock: Clock) -> None:
    threads = cv2.getNumThreads()
    record, failed = score_folder(SlowReader(clock), a_folder(tmp_path, 1, 4, 8), lambda _: None)
    assert not failed
    assert (record["rolls"], record["rolls_right"], record["dice"], record["silent_errors"]) == (3, 1.0, 13, 0)
    assert record["read_ms_per_die"] == pytest.approx(4.0)
    assert record["read_ms_8_dice"] == pytest.approx(33.0)
    assert record["read_to_decode"] == pytest.approx(17.0)
    assert record["memory_mb"] > 10
    assert cv2.getNumThreads() == threads


def test_a_picture_that_cannot_be_read_is_told_and_the_others_are_still_measured(tmp_path: Path, clock: Clock) -> None:
    labels = a_folder(tmp_path, 1, 2)
    (tmp_path / "1.jpg").write_bytes(b"no picture")
    told: list[PhotoError] = []
    record, failed = score_folder(SlowReader(clock), labels, told.append)
    assert failed
    assert record["rolls"] == 1
    assert "1.jpg" in str(told[0])


class NearReader:
    """Sees one white die, wherever it is: near enough as another face, from nearer still not at all."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        y, x = np.nonzero(picture[..., 0] > 128)
        share = np.ptp(x) / picture.shape[1]
        face, status = ("3", Status.UNSURE if share > 0.4 else Status.SURE) if share < 0.8 else ("5", Status.SURE)
        die = DieReading(
            type="pip",
            face=(face,),
            center=(float(x.mean()), float(y.mean())),
            outline=(),
            confidence=0.9,
            status=status,
        )
        return Reading(width=900, height=900, dice=(die,) if share < 0.95 else ())


def test_close_ups_fill_their_share_and_are_counted(tmp_path: Path) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[100:150, 30:80] = 255
    cv2.imwrite(str(tmp_path / "a.jpg"), picture)
    die = {"type": "pip", "face": ["3"], "outline": [[30, 100], [80, 100], [80, 150], [30, 150]]}
    leaning = die | {"cocked": True}
    (tmp_path / "a.json").write_text(json.dumps({"image": "a.jpg", "complete": True, "dice": [leaning, die]}))
    (tmp_path / "b.json").write_text("no label")
    told: list[PhotoError] = []
    counts = score_worse(NearReader(), [tmp_path / "b.json", tmp_path / "a.json"], "close_ups", told.append)
    assert "b.json" in str(told[0])
    keys = ("dice", "rolls_right", "rolls_answered", "rolls_silently_wrong", "dice_missed")
    assert {share: tuple(count[key] for key in keys) for share, count in counts.items()} == {
        "0.3": (1, 1.0, 1.0, 0, 0),
        "0.5": (1, 1.0, 0.0, 0, 0),
        "0.7": (1, 1.0, 0.0, 0, 0),
        "0.9": (1, 0.0, 1.0, 1, 0),
        "0.98": (1, 0.0, 1.0, 1, 1),
    }


class ShortSighted:
    """Sees one white die where it lies, unless the picture is too wide for it."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        y, x = np.nonzero(picture[..., 0] > 128)
        height, width = picture.shape[:2]
        die = DieReading(
            type="pip",
            face=("3",),
            center=(float(x.mean()), float(y.mean())),
            outline=(),
            confidence=0.9,
            status=Status.SURE,
        )
        return Reading(width=width, height=height, dice=(die,) if width < 1000 else ())


def test_photographs_are_read_from_farther_off_too(tmp_path: Path) -> None:
    picture = np.full((300, 400, 3), 40, np.uint8)
    picture[100:150, 30:80] = 255
    cv2.imwrite(str(tmp_path / "a.jpg"), picture)
    die = {"type": "pip", "face": ["3"], "outline": [[30, 100], [80, 100], [80, 150], [30, 150]]}
    (tmp_path / "a.json").write_text(json.dumps({"image": "a.jpg", "complete": True, "dice": [die]}))
    counts = score_worse(ShortSighted(), [tmp_path / "a.json"], "far", list[PhotoError]().append)
    seen = {"rolls": 1, "rolls_right": 1.0, "rolls_answered": 1.0, "rolls_silently_wrong": 0, "rolls_wrong_unsaid": 0}
    assert counts == {
        "2.2": seen | {"dice": 1, "dice_right": 1.0, "dice_missed": 0},
        "3.4": seen
        | {"rolls_right": 0.0, "rolls_silently_wrong": 1, "rolls_wrong_unsaid": 1}
        | {"dice": 1, "dice_right": 0.0, "dice_missed": 1},
    }


class CountingReader:
    """Reads every picture as one die in its middle, and keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[Picture] = []

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        self.shown.append(picture)
        die = DieReading(type="pip", face=("3",), center=(55.0, 55.0), outline=(), confidence=0.9, status=Status.SURE)
        return Reading(width=picture.shape[1], height=picture.shape[0], dice=(die,))


KITE = [[55, 30], [80, 55], [55, 80], [30, 55]]
TABLES = ("on_black", "on_stripes", "on_blotches")
BOX = [[30, 30], [80, 30], [80, 80], [30, 80]]


def spoilt(folder: Path, outline: list[list[int]]) -> tuple[dict[str, dict[str, float | int]], dict[str, Picture]]:
    """Return what was counted, and what the reader was shown by the way it was spoilt."""
    picture = np.full((120, 160, 3), 90, np.uint8)
    cv2.fillPoly(picture, [np.array(outline, np.int32)], (200, 180, 160))
    cv2.imwrite(str(folder / "a.png"), picture)
    die = {"type": "pip", "face": ["3"], "outline": outline}
    (folder / "a.json").write_text(json.dumps({"image": "a.png", "complete": True, "dice": [die]}))
    reader = CountingReader()
    counts = score_worse(reader, [folder / "a.json"], "spoilt", list[PhotoError]().append)
    return counts, dict(zip(counts, reader.shown, strict=True))


def test_photographs_are_read_once_in_each_way_to_spoil_them(tmp_path: Path) -> None:
    counts, shown = spoilt(tmp_path, KITE)
    assert list(counts) == list(WAYS["spoilt"])
    assert {(count["rolls"], count["rolls_right"]) for count in counts.values()} == {(1, 1.0)}
    picture = cv2.imread(str(tmp_path / "a.png"))
    assert not any(np.array_equal(picture, worse) for way, worse in shown.items() if way != "blurred")
    assert all(worse.shape == picture.shape for worse in shown.values())
    again = spoilt(tmp_path, KITE)[1]
    assert all(np.array_equal(shown[way], again[way]) for way in WAYS["spoilt"])


@pytest.mark.parametrize("way", TABLES)
def test_dice_are_laid_on_another_table_as_they_are(tmp_path: Path, way: str) -> None:
    shown = spoilt(tmp_path, KITE)[1][way]
    assert shown[55, 55].tolist() == [200, 180, 160]
    assert np.abs(shown[5:25, 100:150].astype(int) - 90).max() > 30


def test_dice_are_not_cut_out_by_the_boxes_round_them(tmp_path: Path) -> None:
    counts, _ = spoilt(tmp_path, BOX)
    assert set(WAYS["spoilt"]) - set(counts) == set(TABLES)


def test_haze_halves_the_contrast_and_a_shadow_takes_light_from_one_side(tmp_path: Path) -> None:
    _, shown = spoilt(tmp_path, KITE)
    apart = int(shown["hazy"][55, 55, 0]) - int(shown["hazy"][5, 5, 0])
    assert apart == pytest.approx((200 - 90) / 2, abs=1)
    left, right = (cv2.mean(shown["shaded"][:, columns])[0] for columns in (slice(0, 30), slice(130, 160)))
    assert min(left, right) < 0.6 * max(left, right)
    assert shown["pale"].mean() > 100 > 85 > shown["dark"].mean()
