"""A taught set that is wrong is left out and named; everything else goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from tableside import paths
from tableside.adapters.camera.kind import CameraSettings
from tableside.app.checkup import check_up
from tableside.app.machine import Machine
from tableside.app.readers import installed_sets, open_reader
from tableside.app.running_table import RunningTable
from tableside.app.taught_sets import TaughtSets, wrong_sets
from tableside.config import PinSettings, ReaderSettings, Settings, TableSettings, WebSettings
from tableside.dice import DiceSet, DieType
from tableside.dice.taught import CROP_PX, Sample, Source, Taught, save_taught
from tableside.errors import DiceSetError
from tableside.reader.photo import jpeg_of
from tableside.table import MemoryStore, TableState
from tableside.table.kept import Phase
from tests.conftest import Run
from tests.fakes.tray import DrawnReader
from tests.whole.test_table import wait_for

SAMPLES = paths.samples_folder()


def taught(name: str, folder: Path) -> Path:
    """Write a taught set of two faces, drawn by chance."""
    chance = np.random.default_rng(1)
    faces = (("1",), ("2",))
    kind = DieType(name="bone", title="bone", solid="d6", body="#f0f0e0", ink="#101010", faces=faces)
    samples = tuple(
        Sample(
            id=f"{name}{number}", type="bone", face=face, source=Source.PHOTO, origin="a.jpg", at=1.0, shape=1.2,
            jpeg=jpeg_of(chance.integers(0, 255, (CROP_PX, CROP_PX, 3), np.uint8)),
        )
        for number, face in enumerate(faces)
    )  # fmt: skip
    dice_set = DiceSet(name=name, title=name, types=(kind,), folder=folder, taught=True)
    save_taught(Taught(dice_set=dice_set, samples=samples), folder)
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("bones", "good"):
        taught(name, tmp_path / "data" / "sets" / name)
    return tmp_path / "data"


def in_set(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "set.toml").write_text(f'name = "bones"\ntitle = "b"\ntaught = true\n{text}\n')


KIND = 'name = "bone"\nbody = "#f0f0e0"\nink = "#101010"\nfaces = [["1"]]'
WRONG: dict[str, Callable[[Path], object]] = {
    "no TOML": in_set("= ="),
    "no text": lambda folder: (folder / "set.toml").write_bytes(b"\xff\xfe"),
    "deep TOML": in_set(f"counts = {'[' * 9000}{']' * 9000}"),
    "no such solid": in_set(f"[[type]]\nsolid = []\n{KIND}"),
    "no name": in_set(f"[[type]]\nsolid = 'd6'\n{KIND.replace(chr(34) + 'bone' + chr(34), '5')}"),
    "like no set": in_set('like = "none"'),
    "deep JSON": lambda folder: (folder / "samples.json").write_text("[" * 90_000),
    "no list": lambda folder: (folder / "samples.json").write_text('["a"]'),
    "endless": lambda folder: (folder / "samples.json").write_text(changed(folder, "at", 10**400)),
    "no picture": lambda folder: (folder / "samples" / "bones0.jpg").unlink(),
}


def changed(folder: Path, key: str, value: object) -> str:
    return json.dumps([entry | {key: value} for entry in json.loads((folder / "samples.json").read_text())])


@pytest.fixture(params=WRONG)
def wrong(request: pytest.FixtureRequest, data: Path) -> Path:
    """Return the data folder with the set ``bones`` damaged."""
    WRONG[request.param](data / "sets" / "bones")
    return data


def noise(data: Path) -> None:
    """Add a second set that is wrong."""
    (data / "sets" / "noise").mkdir()
    (data / "sets" / "noise" / "set.toml").write_bytes(b"\xff\xfe\x00")


@contextmanager
def running(data: Path, *sets: str) -> Iterator[TableState]:
    settings = Settings(
        camera=CameraSettings(kind="folder", path=SAMPLES), table=TableSettings(data=data), web=WebSettings(port=0),
        pins=PinSettings(factory="mock"), reader=ReaderSettings(sets=sets, learn=False),
    )  # fmt: skip
    table = RunningTable(settings, store=MemoryStore(), reader=DrawnReader())
    table.start()
    try:
        yield wait_for(table.table, lambda state: state.phase is not Phase.EMPTY)  # after what the start said
    finally:
        table.close()


@pytest.mark.slow
@pytest.mark.parametrize("sets", [(), ("bones", "pips")], ids=["all", "named"])
@pytest.mark.parametrize("wrong", ["deep TOML", "no picture"], indirect=True)  # each of its two files
def test_a_table_starts_without_a_wrong_set_and_names_it(wrong: Path, sets: tuple[str, ...]) -> None:
    with running(wrong, *sets) as state:
        (trouble,) = state.trouble
    assert trouble.part == "dice sets"
    assert "left out" in trouble.what
    assert "bones" in trouble.where
    assert trouble.hint


def test_a_wrong_set_is_named_by_the_check_up_and_others_are_installed(wrong: Path, run: Run) -> None:
    settings = Settings(table=TableSettings(data=wrong))
    found = next(one for one in check_up(settings, machine=Machine()) if one.part == "dice sets")
    assert (found.is_good, "bones" in found.text) == (False, True)
    assert {"good", "pips"} <= {one.name for one in installed_sets((), wrong)}
    (error,) = wrong_sets(wrong).values()
    assert error.hint


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["no list"], indirect=True)
def test_two_wrong_sets_are_one_trouble(wrong: Path) -> None:
    noise(wrong)
    with running(wrong) as state:
        (trouble,) = state.trouble
    assert "2 taught sets are left out (bones, noise)" in trouble.what


def test_every_wrong_set_is_named_and_the_others_are_listed(wrong: Path, run: Run) -> None:
    noise(wrong)
    settings = Settings(table=TableSettings(data=wrong))
    found = next(one for one in check_up(settings, machine=Machine()) if one.part == "dice sets")
    assert "bones, noise" in found.text
    status, out, err = run("teach", "--list", "--data", wrong)
    assert (status, out.split()[0]) == (1, "good")
    assert [name in err for name in ("bones", "noise", "good")] == [True, True, False]
    for name in ("bones", "noise"):
        assert run("teach", name, "--remove", "--data", wrong) == (0, "", "")
        status, _, err = run("teach", name, "--remove", "--data", wrong)
        assert (status, err.startswith(f"{name}: no such set was taught.")) == (2, True)
    assert run("teach", "--list", "--data", wrong)[0] == 0
    assert run("teach", "bones", "--undo", "--data", wrong)[0] == 0
    assert run("teach", "--list", "--data", wrong)[0] == 1


def test_sets_that_are_right_are_no_trouble(data: Path) -> None:
    assert wrong_sets(data) == {}
    with running(data) as state:
        assert state.trouble == ()


def test_photographs_are_read_beside_a_wrong_set_unless_it_was_asked_for(data: Path, run: Run) -> None:
    WRONG["no TOML"](data / "sets" / "bones")
    status, out, _ = run("read", SAMPLES / "roll-4.jpg", "--data", data)
    assert (status, bool(out)) == (0, True)
    status, _, err = run("read", SAMPLES / "roll-4.jpg", "--data", data, "--set", "bones")
    assert (status, "not valid TOML" in err) == (2, True)


def test_a_table_of_a_wrong_set_alone_says_so_and_ends(data: Path) -> None:
    WRONG["no TOML"](data / "sets" / "bones")
    with pytest.raises(DiceSetError, match="not valid TOML"), running(data, "bones"):
        pass


def test_damaged_prototypes_are_made_anew(data: Path) -> None:
    open_reader(installed_sets(["good"], data))
    file = TaughtSets(data).folder / "good" / "prototypes.npz"
    good = file.read_bytes()
    file.write_bytes(good[:200] + bytes([good[200] ^ 255]) * 50 + good[250:])
    open_reader(installed_sets(["good"], data))
    assert len(file.read_bytes()) == len(good)
