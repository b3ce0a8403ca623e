"""Backups: written beside a running table, the last seven kept, and put back without losing what was there."""

from __future__ import annotations

import json
import os
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from tableside.adapters.sqlite_store import STORE_NAME, SqliteStore
from tableside.app.backups import BACKUPS, KEPT, RENEWED_SECONDS, DailyBackups, backups_in, write_backup
from tableside.errors import HistoryDamaged
from tableside.table import Table, TableState
from tableside.table.messages import ChangeDestiny, Do
from tests.adapters.histories import SYSTEM, changes_of, written
from tests.conftest import Run

DAY = 86400.0
NOON = datetime(2026, 11, 26, 12).timestamp()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder with all that a backup holds, and what it does not."""
    folder = tmp_path / "data"
    written(folder / STORE_NAME, 9)
    for name in (
        "devices.json", "sets/bones/set.toml", "sets/bones/samples/ab1.jpg", "sets/bones/prototypes.npz",
        "sets/.bones.before/set.toml", "calibration/usb-0.json", "calibration/usb-0.png", "pictures/a.jpg",
    ):  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"this is {name}")
    return folder


def test_one_file_is_counted_as_one_and_a_day_without_a_backup_is_said(tmp_path: Path, run: Run) -> None:
    written(tmp_path / STORE_NAME, 1)
    (tmp_path / "devices.json").write_text("[]")
    assert run("backup", "--data", tmp_path)[1].endswith(".zip: 1 change and 1 other file\n")
    (day,) = (path.stem for path in (tmp_path / "backups").iterdir())
    status, _, err = run("restore", "2020-01-01", "--data", tmp_path)
    assert (status, err) == (2, f"2020-01-01: there is no such backup. Name a file, or a day: {day}.\n")
    assert run("restore", day, "--data", tmp_path)[1].startswith(f"{tmp_path}: 1 change and 1 other file are back.\n")


def test_a_backup_is_written_over_nothing_but_a_backup(data: Path, tmp_path: Path, run: Run) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Mara")
    for file in (data / STORE_NAME, letter):
        status, _, err = run("backup", file, "--data", data)
        assert (status, err) == (2, f"{file}: is there already and is no backup. Name another file for the backup.\n")
    assert letter.read_text() == "Dear Mara"
    for _ in range(2):
        assert run("backup", tmp_path / "table.zip", "--data", data)[0] == 0


def test_a_place_that_cannot_be_written_is_named_and_not_the_history(data: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "stick").write_text("no folder")
    status, _, err = run("backup", tmp_path / "stick" / "table.zip", "--data", data)
    assert (status, err.startswith(f"{tmp_path}/stick/table.zip: cannot be written (")) == (75, True)
    status, _, err = run("backup", "/proc/table.zip", "--data", data)
    assert (status, err.startswith("/proc/table.zip: cannot be written (")) == (75, True)


def test_a_backup_comes_back_and_what_was_there_is_kept(data: Path, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "stick" / "table.zip"
    status, out, _ = run("backup", file, "--data", data)
    assert (status, out) == (0, f"{file}: 9 changes and 5 other files\n")
    with zipfile.ZipFile(file) as packed:
        assert sorted(packed.namelist()) == [
            "calibration/usb-0.json", "calibration/usb-0.png", "devices.json", "sets/bones/samples/ab1.jpg",
            "sets/bones/set.toml", STORE_NAME,
        ]  # fmt: skip
    assert file.stat().st_mode & 0o77 == 0
    old = changes_of(data / STORE_NAME)
    table = Table(SYSTEM, SqliteStore(data / STORE_NAME))
    table.ask(ChangeDestiny(id="later", at=1.0, do=Do.SET, light=7, dark=7))
    table.close()
    (data / "sets" / "bones" / "set.toml").write_text("changed")
    status, out, _ = run("restore", file, "--data", data, "--json")
    assert status == 0
    assert changes_of(data / STORE_NAME) == old
    assert (data / "sets/bones/set.toml").read_text() == "this is sets/bones/set.toml"
    before = Path(json.loads(out)["before"])
    assert [change.id for change in changes_of(before / STORE_NAME)][-1] == "later"
    assert (before / "sets/bones/set.toml").read_text() == "changed"
    assert (data / "pictures/a.jpg").exists()
    assert not (data / ".restored").exists()


def test_a_new_machine_takes_a_backup(data: Path, tmp_path: Path, run: Run) -> None:
    run("backup", tmp_path / "table.zip", "--data", data)
    assert run("restore", tmp_path / "table.zip", "--data", tmp_path / "new")[0] == 0
    assert changes_of(tmp_path / "new" / STORE_NAME) == changes_of(data / STORE_NAME)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root puts back for another user")
def test_what_root_puts_back_belongs_to_the_table_and_nothing_outside_does(
    data: Path, tmp_path: Path, run: Run
) -> None:  # fmt: skip
    run("backup", tmp_path / "table.zip", "--data", data)
    (outside := tmp_path / "outside").write_text("of root")
    (data / "pictures" / "link.jpg").symlink_to(outside)
    os.chown(data, 1234, 1234)
    assert run("restore", tmp_path / "table.zip", "--data", data)[0] == 0
    assert {path.lstat().st_uid for path in data.rglob("*")} == {1234}
    assert outside.stat().st_uid == 0


def test_a_running_table_is_backed_up_and_never_written_over(data: Path, tmp_path: Path, run: Run) -> None:
    table = Table(SYSTEM, SqliteStore(data / STORE_NAME))
    try:
        table.ask(ChangeDestiny(id="just now", at=1.0, do=Do.SET, light=7, dark=7))
        assert run("backup", tmp_path / "table.zip", "--data", data)[1].endswith("10 changes and 5 other files\n")
        status, _, err = run("restore", tmp_path / "table.zip", "--data", data)
        assert (status, "another tableside uses this history" in err) == (75, True)
    finally:
        table.close()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["devices.json"], "holds no history"),
        ([STORE_NAME, "../outside"], "none of its files"),
        ([STORE_NAME, "/outside"], "none of its files"),
        ([STORE_NAME, "sets/../../outside"], "none of its files"),
        ([STORE_NAME], "damaged"),
    ],
)
def test_what_is_no_backup_changes_nothing(
    data: Path, tmp_path: Path, run: Run, names: list[str], words: str
) -> None:  # fmt: skip
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, b"no history" * 900)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    status, _, err = run("restore", file, "--data", data)
    assert (status, words in err) == (2, True), err
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"}
    assert after == {path: content for path, content in before.items() if path.suffix != ".lock"}


def test_a_damaged_history_leaves_the_older_backup_as_it_is(data: Path) -> None:
    file = data / BACKUPS / "2026-11-26.zip"
    write_backup(data, file)
    before = file.read_bytes()
    content = (data / STORE_NAME).read_bytes()
    (data / STORE_NAME).write_bytes(content.replace(b"V\xc3\xa9x 4", b"V\xc3\xa9x 5"))
    with pytest.raises(HistoryDamaged):
        write_backup(data, file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_the_last_seven_days_on_which_anything_happened_are_kept(data: Path) -> None:
    now = NOON
    backups = DailyBackups(data, clock=lambda: now)
    for day in range(KEPT + 3):
        now = NOON + day * DAY
        backups.show(state_of(data, extra=day))
        backups.show(state_of(data, extra=day))
    assert [path.name for path in backups_in(data)] == [f"2026-12-{day:02}.zip" for day in (5, 4, 3, 2, 1)] + [
        "2026-11-30.zip", "2026-11-29.zip",
    ]  # fmt: skip


def test_backups_of_a_clock_that_was_wrong_go_first_and_what_was_just_written_stays(data: Path, run: Run) -> None:
    now = NOON + 900 * DAY
    backups = DailyBackups(data, clock=lambda: now)
    for day in range(KEPT + 1):
        now = NOON + (900 + day) * DAY
        backups.show(state_of(data, extra=day))
    ahead = [path.name for path in backups_in(data)]
    assert len(ahead) == KEPT
    backups = DailyBackups(data, clock=lambda: now)  # started again, with the right time
    for day in range(KEPT):
        now = NOON + day * DAY
        for change in range(3):
            backups.show(state_of(data, extra=100 + 10 * day + change))
            assert backups_in(data)[0].name == f"{datetime.fromtimestamp(now).date()}.zip"
        assert [path.name for path in backups_in(data)][day + 1 :] == ahead[: KEPT - day - 1]
    out = run("restore", "--data", data)[1]
    assert Path(out.splitlines()[0]).stem == datetime.fromtimestamp(now).date().isoformat()


def test_the_backup_of_the_day_is_renewed_while_anything_happens(data: Path) -> None:
    now = NOON
    backups = DailyBackups(data, clock=lambda: now)
    backups.show(state_of(data))
    (backup,) = backups_in(data)
    first = backup.read_bytes()
    more(data)
    now = NOON + RENEWED_SECONDS - 1
    backups.show(state_of(data))
    assert backup.read_bytes() == first
    now = NOON + RENEWED_SECONDS + 1
    backups.show(state_of(data))
    assert backup.read_bytes() != first
    second = backup.stat().st_mtime_ns
    now = NOON + 3 * RENEWED_SECONDS
    backups.show(state_of(data))  # nothing happened since
    assert backup.stat().st_mtime_ns == second


def test_the_daily_backups_are_listed_and_put_back_by_their_day(data: Path, run: Run) -> None:
    write_backup(data, data / BACKUPS / "2026-11-25.zip")
    more(data)
    write_backup(data, data / BACKUPS / "2026-11-26.zip")
    out = run("restore", "--data", data)[1]
    assert [Path(line).stem for line in out.splitlines()] == ["2026-11-26", "2026-11-25"]
    assert run("restore", "2026-11-25", "--data", data)[0] == 0
    assert len(changes_of(data / STORE_NAME)) == 9


def test_without_a_history_there_is_nothing_to_back_up(tmp_path: Path, run: Run) -> None:
    status, _, err = run("backup", tmp_path / "table.zip", "--data", tmp_path / "none")
    assert (status, "holds no history" in err) == (2, True)
    assert not (tmp_path / "table.zip").exists()


def state_of(data: Path, *, extra: int = 0) -> TableState:
    """Return the state of the history, or of one with so many changes more."""
    *changes, last = changes_of(data / STORE_NAME)
    return TableState(changes=(*changes, replace(last, number=last.number + extra)))


def more(data: Path) -> None:
    table = Table(SYSTEM, SqliteStore(data / STORE_NAME))
    table.ask(ChangeDestiny(id="more", at=1.0, do=Do.SET, light=7, dark=7))
    table.close()
