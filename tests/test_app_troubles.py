"""What went wrong with the files of a table is said, over restarts, until somebody has seen it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tableside.adapters.sqlite_store import STORE_NAME
from tableside.adapters.web import Pairing
from tableside.adapters.web.pairing import Role
from tableside.app.backups import BACKUPS, DEVICES, write_backup
from tableside.app.history import open_history
from tableside.app.running_table import RunningTable
from tableside.config import CameraSettings, PinSettings, Settings, TableSettings, WebSettings
from tableside.table.kept import TROUBLES, kept_troubles
from tests.adapters.histories import written
from tests.test_app_history import cut_in_half, damage, with_a_flipped_bit
from tests.until import until


@contextmanager
def started(data: Path) -> Iterator[RunningTable]:
    """Run a table over a data folder, without a camera."""
    settings = Settings(
        camera=CameraSettings(kind="none"), table=TableSettings(data=data), web=WebSettings(port=0),
        pins=PinSettings(factory="none"),
    )  # fmt: skip
    store, _ = open_history(data)
    with closing(RunningTable(settings, store=store)) as running:
        running.start()
        yield running


def shown(running: RunningTable) -> dict[str, dict[str, Any]]:
    """Return the troubles that a screen is shown, by their ids, once the table has taken all that are kept."""
    ids = {one.id for one in kept_troubles(running._data)}
    until(lambda: {one.id for one in running.table.state.trouble if one.id} == ids)
    told = running.application.test_client().get("/api/state").get_json()["trouble"]
    return {one["id"]: one for one in told if "id" in one}


def see(running: RunningTable, trouble_id: str) -> int:
    return running.application.test_client().post("/api/troubles/seen", json={"trouble": trouble_id}).status_code


@pytest.fixture
def data(tmp_path: Path) -> Path:
    written(tmp_path / "data" / STORE_NAME, 30)
    return tmp_path / "data"


def test_a_loss_is_said_at_each_start_until_somebody_has_seen_it(data: Path) -> None:
    damage(data, with_a_flipped_bit)
    for _ in range(3):
        with started(data) as running:
            ((trouble_id, told),) = shown(running).items()
            assert "1 change was lost (12)" in told["what"]
            assert (
                told["words"]["what"]["values"]["all"][1]["key"] == "{n} {n:change was|changes were} lost ({=numbers})"
            )
    damage(data, cut_in_half)  # and the next one beside it
    with started(data) as running:
        first, second = shown(running)
        assert first == trouble_id
        assert (see(running, first), see(running, first), see(running, "none")) == (200, 409, 409)
        assert list(shown(running)) == [second]
    for left in ([second], []):
        with started(data) as running:
            assert list(shown(running)) == left
            assert all(see(running, one) == 200 for one in left)


def test_a_damaged_file_of_what_is_to_be_seen_is_said_itself(data: Path) -> None:
    (data / TROUBLES).write_text('[{"part": "history", "wh')
    for _ in range(2):
        with started(data) as running:
            ((trouble_id, told),) = shown(running).items()
            assert told["what"].startswith("what went wrong before cannot be read (")
    with started(data) as running:
        assert see(running, trouble_id) == 200
    with started(data) as running:
        assert shown(running) == {}


def with_a_byte(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "a byte of a name": lambda content: with_a_byte(content, content.index(b"Vex")),
    "a byte of a mark": lambda content: with_a_byte(content, content.index(b'"mark": "') + 12),
    "a byte of the form": lambda content: with_a_byte(content, 0),
    "another thing": lambda _: b'{"checksum": 1}',
}


@pytest.mark.parametrize(("how", "has_backup"), [*((how, True) for how in WRONG), ("cut", False)])
def test_a_damaged_list_of_phones_comes_from_the_newest_backup_and_is_kept_and_said(
    data: Path, how: str, has_backup: bool
) -> None:
    pairing = Pairing(data / DEVICES)
    for name in ("Vex", "Kesh"):
        pairing.pair(pairing.begin(Role.PLAYER).pin, name=name, address="192.0.2.7")
    if has_backup:
        write_backup(data, data / BACKUPS / "2026-11-25.zip")
        (data / BACKUPS / "2026-11-26.zip").write_bytes(b"no backup")
    bad = WRONG[how]((data / DEVICES).read_bytes())
    (data / DEVICES).write_bytes(bad)
    with started(data) as running:
        ((trouble_id, told),) = shown(running).items()
        assert told["part"] == "devices"
        assert ("2 phones are back from the backup 2026-11-25" in told["what"]) is has_backup
        (kept,) = data.glob("devices.damaged-*.json")
        pairing = Pairing(data / DEVICES)
        assert [device.name for device in pairing.devices()] == (["Vex", "Kesh"] if has_backup else [])
        assert see(running, trouble_id) == 200
        pairing.pair(pairing.begin(Role.PLAYER).pin, name="Oskara", address="192.0.2.7")
    with started(data) as running:
        assert shown(running) == {}
    assert kept.read_bytes() == bad


def test_a_list_of_phones_that_an_older_version_wrote_is_taken(data: Path) -> None:
    pairing = Pairing(data / DEVICES)
    pairing.pair(pairing.begin(Role.PLAYER).pin, name="Vex", address="192.0.2.7")
    (data / DEVICES).write_text(json.dumps(json.loads((data / DEVICES).read_text())["devices"]))
    with started(data) as running:
        assert shown(running) == {}
    assert [device.name for device in Pairing(data / DEVICES).devices()] == ["Vex"]


def test_phones_that_cannot_be_remembered_are_said_until_they_are(data: Path) -> None:
    with started(data) as running:
        screen = running.application.test_client()

        def pair_by_pin(name: str) -> int:
            pin = screen.post("/api/pairing", json={}).get_json()["pin"]
            return running.application.test_client().post("/api/pair", json={"pin": pin, "name": name}).status_code

        def said() -> list[str]:
            return [one.what for one in running.table.state.trouble if one.part == "devices" and not one.id]

        (data / DEVICES).mkdir()  # whose place no file takes
        assert pair_by_pin("Vex") == 200
        until(said)
        assert said()[0].startswith("paired phones are forgotten at the next start (")
        (data / DEVICES).rmdir()
        assert pair_by_pin("Kesh") == 200
        until(lambda: not said())
    assert [device.name for device in Pairing(data / DEVICES).devices()] == ["Vex", "Kesh"]


def test_a_folder_in_place_of_the_list_of_phones_is_put_aside(data: Path) -> None:
    (data / DEVICES).mkdir()
    with started(data) as running:
        ((_, told),) = shown(running).items()
        assert told["what"] == "the list of paired phones was damaged, and no backup has one"
    assert next(data.glob("devices.damaged-*.json")).is_dir()


def test_what_a_killed_backup_left_goes_at_the_next_start_and_is_said(data: Path) -> None:
    left = data / BACKUPS / ".change-backup-x1y2z3"
    (left / "new").mkdir(parents=True)
    shutil.copy(data / STORE_NAME, left / "new" / "2026-11-25.zip.sqlite")
    for _ in range(2):
        with started(data) as running:
            ((_, told),) = shown(running).items()
            assert told["what"] == "writing a backup was cut short; nothing was changed"
        assert [path.name for path in (data / BACKUPS).glob(".*")] == []
    assert len(kept_troubles(data)) == 1
