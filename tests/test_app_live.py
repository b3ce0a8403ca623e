"""The camera loop: what the table is told, and that it outlives its camera and its reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tableside.app.live import LiveTray
from tableside.app.pictures import RollPictures
from tableside.app.readers import Reads
from tableside.dice import Reading
from tableside.errors import ModelError
from tableside.reader.photo import Picture
from tableside.table.kept import Phase
from tableside.table.messages import ClearTrouble, LaidDice, Message, NewReading, NewRoll, ShowPhase, ShowTrouble
from tableside.tray.meaning import Wanted
from tableside.tray.region import WHOLE
from tests.fakes.card import seen
from tests.fakes.table import KeepingTable, PluggedCamera
from tests.fakes.tray import DrawnReader, draw_tray
from tests.tray.test_card import as_printed
from tests.tray.test_laid import lays

EMPTY = [draw_tray()] * 15
ONE = [draw_tray(("green", 100, 100))] * 15
TWO = [draw_tray(("green", 100, 100), ("yellow", 200, 150))] * 15


@contextmanager
def watched(camera: PluggedCamera, reader: Reads | None = None) -> Iterator[tuple[KeepingTable, dict[str, Picture]]]:
    table = KeepingTable()
    kept: dict[str, Picture] = {}

    def keep(roll_id: str, picture: Picture) -> bool:
        kept[roll_id] = picture
        return True

    tray = LiveTray(camera, reader or DrawnReader(), table, keep_picture=keep, retry_seconds=0.01, clock=lambda: 1000.0)
    tray.start()
    try:
        yield table, kept
    finally:
        tray.close()


def is_new_roll(message: Message) -> bool:
    return isinstance(message, NewRoll)


def test_a_throw_is_posted_once_with_its_picture() -> None:
    with watched(PluggedCamera([*EMPTY, *ONE])) as (table, kept):
        roll = table.wait_for(is_new_roll)
        assert isinstance(roll, NewRoll)
        assert [die.type for die in roll.reading.dice] == ["ability"]
        assert roll.has_picture
        assert set(kept) == {roll.id}
        assert roll.at == 1000.0
    phases = [message.phase for message in table.messages if isinstance(message, ShowPhase)]
    assert phases == [Phase.STILL, Phase.MOVING, Phase.STILL]
    assert sum(map(is_new_roll, table.messages)) == 1


def test_a_die_added_is_a_newer_reading_of_the_same_roll() -> None:
    with watched(PluggedCamera([*EMPTY, *ONE, *TWO])) as (table, _):
        reading = table.wait_for(lambda message: isinstance(message, NewReading))
        roll = table.wait_for(is_new_roll)
        assert isinstance(reading, NewReading)
        assert isinstance(roll, NewRoll)
        assert reading.roll_id == roll.id


def test_the_tray_is_read_again_when_somebody_asks() -> None:
    table = KeepingTable()
    tray = LiveTray(
        PluggedCamera([*EMPTY, *ONE]), DrawnReader(), table, keep_picture=lambda _id, _picture: True,
        retry_seconds=0.01, clock=lambda: 1000.0,
    )  # fmt: skip
    tray.start()
    try:
        roll = table.wait_for(is_new_roll)
        tray.read_again()
        again = table.wait_for(lambda message: isinstance(message, NewReading))
    finally:
        tray.close()
    assert isinstance(roll, NewRoll)
    assert isinstance(again, NewReading)
    assert (again.roll_id, again.is_wanted, again.reading.dice) == (roll.id, True, roll.reading.dice)


def test_an_absent_camera_is_a_trouble_that_heals_by_itself() -> None:
    with watched(PluggedCamera(None, None, [*EMPTY, *ONE])) as (table, _):
        trouble = table.wait_for(lambda message: isinstance(message, ShowTrouble))
        assert isinstance(trouble, ShowTrouble)
        assert (trouble.part, trouble.what) == ("camera", "is not plugged in")
        table.wait_for(lambda message: isinstance(message, ShowPhase) and message.phase is Phase.NO_CAMERA)
        table.wait_for(lambda message: isinstance(message, ClearTrouble) and message.part == "camera")
        table.wait_for(is_new_roll)


def test_a_roll_that_still_lies_there_after_a_fault_is_no_new_roll() -> None:
    camera = PluggedCamera([*EMPTY, *ONE], [*ONE, *TWO])
    with watched(camera) as (table, _):
        table.wait_for(lambda message: isinstance(message, NewReading))
    assert camera.open_count == 2
    assert sum(map(is_new_roll, table.messages)) == 1


class BrokenOnce(DrawnReader):
    """A reader that fails at its first picture."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        self.read_count += 1
        if self.read_count == 1:
            raise ModelError("is damaged", where="locator.onnx", hint="Install again.")
        return super().read(picture, decode_ms)


def test_a_reader_that_fails_is_a_trouble_and_not_the_end() -> None:
    with watched(PluggedCamera([*ONE, *ONE], ONE), BrokenOnce()) as (table, _):
        table.wait_for(lambda message: isinstance(message, ShowTrouble) and message.part == "reader")
        table.wait_for(is_new_roll)
        table.wait_for(lambda message: isinstance(message, ClearTrouble) and message.part == "reader")


def test_pictures_are_kept_by_number(tmp_path: Path) -> None:
    pictures = RollPictures(tmp_path, kept=2)
    picture = np.zeros((10, 10, 3), np.uint8)
    assert all(pictures.keep(f"roll-{number}", picture) for number in range(4))
    assert [pictures.path(f"roll-{number}") is not None for number in range(4)] == [False, False, True, True]
    assert pictures.path("../roll-3") is None


def test_pictures_are_bounded_in_bytes_too(tmp_path: Path) -> None:
    pictures = RollPictures(tmp_path, kept=100, most_bytes=2500)
    noise = np.random.default_rng(0).integers(0, 255, (30, 30, 3), np.uint8)
    assert all(pictures.keep(f"roll-{number}", noise) for number in range(6))
    sizes = [path.stat().st_size for path in tmp_path.glob("*.jpg")]
    assert sum(sizes) <= 2500
    assert pictures.path("roll-5") is not None
    assert RollPictures(tmp_path, kept=5, most_bytes=1).keep("last", noise)
    assert [path.name for path in tmp_path.glob("*.jpg")] == ["last.jpg"]


def test_a_folder_that_cannot_be_written_loses_the_picture_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not RollPictures(tmp_path / "file", kept=5).keep("a", np.zeros((10, 10, 3), np.uint8))


def test_laid_dice_are_told_to_the_table_and_are_the_throw_once_somebody_says_so() -> None:
    table = KeepingTable()

    def wanted(_: str) -> Wanted:
        told = [message for message in table.messages if isinstance(message, LaidDice)]
        return Wanted(laid=told[-1].dice if told else {})

    tray = LiveTray(
        PluggedCamera([*EMPTY, *lays(("green", 80, 120))]), DrawnReader(), table, keep_picture=lambda *_: True,
        wanted=wanted, retry_seconds=0.01, clock=lambda: 1000.0,
    )  # fmt: skip
    tray.start()
    try:
        laid = table.wait_for(lambda message: isinstance(message, LaidDice))
        assert not any(map(is_new_roll, table.messages))
        tray.read_again()
        roll = table.wait_for(is_new_roll)
    finally:
        tray.close()
    assert isinstance(laid, LaidDice)
    assert isinstance(roll, NewRoll)
    assert (laid.dice, [die.type for die in roll.reading.dice]) == ({"ability": 1}, ["ability"])
    assert [one.dice for one in tray.throws] == [roll.reading.dice]
    tray.set_up(WHOLE, draw_tray())
    assert not tray.throws


def test_the_test_card_in_the_tray_is_read_as_no_dice() -> None:
    class CardReader(DrawnReader):
        def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
            return as_printed()

    tray = LiveTray(PluggedCamera([]), CardReader(), KeepingTable(), keep_picture=lambda *_: True)
    assert tray.read(seen()).dice == ()
    assert len(tray.read(draw_tray()).dice) == len(as_printed().dice)
