"""What must outlive a power cut is on disk before its name is, and its name before one goes on."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tableside.adapters.sqlite_store import STORE_NAME
from tableside.adapters.web import Pairing
from tableside.app.backups import write_backup
from tableside.app.history import open_history
from tableside.dice import find_sets
from tableside.dice.taught import Sample, Source, Taught, remove_taught, save_taught, take_back
from tableside.durable import write_durably
from tableside.table.kept import TROUBLES
from tests.adapters.histories import written


class Disk:
    """Notes what reached the disk, and each rename of what did not."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.synced: set[str] = set()
        self.renamed: list[tuple[Path, Path]] = []
        fsync, rename = os.fsync, os.replace

        def sync(number: int) -> None:
            self.synced.add(str(Path(f"/proc/self/fd/{number}").readlink()))
            fsync(number)

        def move(new: Path, target: Path) -> None:
            if target.name.startswith(".gone-"):
                rename(new, target)
                return
            for path in (new, *(new.rglob("*") if new.is_dir() else ())):
                assert str(path) in self.synced, f"{path} is renamed before it is on disk"
            self.synced.clear()
            self.renamed.append((Path(new), Path(target)))
            rename(new, target)

        patch.setattr(os, "fsync", sync)
        patch.setattr(os, "replace", move)
        patch.setattr(Path, "rename", move)
        patch.setattr(Path, "replace", move)

    def check(self, *targets: Path) -> None:
        """Check that these were the last renames, and that the folder of the last is on disk since."""
        assert tuple(target for _, target in self.renamed[-len(targets) :]) == targets
        assert str(targets[-1].parent) in self.synced


pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="what is synced is seen in /proc")


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def test_a_file_takes_the_place_of_another_in_one_step_with_its_rights(disk: Disk, tmp_path: Path) -> None:
    for text in (b"one", b"two"):
        write_durably(tmp_path / "file", text, mode=0o600)
        disk.check(tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == text
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_paired_devices_are(disk: Disk, tmp_path: Path) -> None:
    pairing = Pairing(tmp_path / "devices.json")
    pairing._save()
    disk.check(tmp_path / "devices.json")


def test_taught_dice_are_with_every_sample_also_when_taken_back(disk: Disk, tmp_path: Path) -> None:
    folder, before = (tmp_path / name for name in ("bones", ".bones.before"))
    sample = Sample(id="ab1", type="pip", face=("1",), source=Source.PHOTO, origin="", at=1.0, shape=1.2, jpeg=b"a")
    taught = Taught(dice_set=replace(find_sets(["pips"])[0], name="bones", taught=True), samples=(sample,))
    save_taught(taught, folder)
    disk.check(folder)
    save_taught(taught, folder)
    disk.check(before, folder)
    take_back(folder)
    disk.check(before, folder)
    remove_taught(folder)
    disk.check(before)


def test_backups_and_mended_histories_are(disk: Disk, tmp_path: Path) -> None:
    written(tmp_path / STORE_NAME, 4)
    write_backup(tmp_path, tmp_path / "backups" / "2026-11-25.zip")
    disk.check(tmp_path / "backups" / "2026-11-25.zip")
    (tmp_path / STORE_NAME).write_bytes(b"no history")
    store, (told,) = open_history(tmp_path)
    store.close()
    assert "4 changes were carried over" in told.what
    disk.check(tmp_path / STORE_NAME, tmp_path / TROUBLES)
