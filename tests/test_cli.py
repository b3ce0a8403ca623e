"""The command line: what is printed where, and the exit status."""

from __future__ import annotations

import csv
import io
import json
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import pytest

from tableside import paths
from tableside.adapters.sqlite_store import SqliteStore
from tableside.app.history import STORE_NAME
from tableside.cli import MAY_HEAL
from tableside.dice import Die, find_sets
from tableside.table import System, Table
from tableside.table.kept import Side
from tableside.table.messages import ChangeDestiny, Do, EnterRoll, NamePlayer
from tests.conftest import Run
from tests.fakes.tray import FELT, DrawnReader, draw_tray, write_clip

ONE = [("green", 100, 100)]


@pytest.fixture(autouse=True)
def drawn_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableside.app.readers.open_reader", DrawnReader)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "one.png"
    cv2.imwrite(str(path), draw_tray(*ONE))
    return path


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_photograph_is_read_in_the_form_of_the_contract(run: Run, photo: Path) -> None:
    status, out, err = run("read", photo, "--json")
    (record,) = records(out)
    assert (status, err) == (0, "")
    assert record["image"] == str(photo)
    assert (record["width"], record["height"], record["sure"]) == (320, 240, True)
    assert record["dice"][0]["type"] == "ability"
    assert record["outcome"]["net"]["success"] == 1
    assert set(record["ms"]) == {"decode", "locate", "classify", "total"}


def test_bad_photographs_are_said_and_the_others_still_read(run: Run, photo: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("no picture")
    status, out, err = run("read", bad, tmp_path / "missing.jpg", photo, "--json")
    first, second, third = records(out)
    assert status == 1
    assert set(first) == {"image", "error"}
    assert set(second) == {"image", "error"}
    assert third["dice"]
    assert "bad.jpg: is not a picture" in err


def test_people_are_told_in_words(run: Run, photo: Path) -> None:
    status, out, _ = run("read", photo)
    assert status == 0
    assert "ability" in out
    assert "success" in out


def test_overlays_are_written_beside_nothing_else(run: Run, photo: Path, tmp_path: Path) -> None:
    status, _, _ = run("read", photo, "--overlay", tmp_path / "marked")
    assert status == 0
    assert [path.name for path in (tmp_path / "marked").iterdir()] == ["one.jpg"]


def test_an_unknown_dice_set_is_wrong_usage(run: Run, photo: Path) -> None:
    status, out, err = run("read", photo, "--set", "narative", "--json")
    assert (status, out) == (2, "")
    assert "no dice set 'narative' is installed. Did you mean narrative?" in err


def test_an_unknown_game_is_wrong_usage(run: Run, photo: Path) -> None:
    status, _, err = run("read", photo, "--game", "chess")
    assert status == 2
    assert "chess" in err


def test_a_clip_is_told_event_by_event(run: Run, tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "clip", *[[]] * 15, *[ONE] * 15)
    status, out, _ = run("watch", clip, "--json")
    told = records(out)
    assert status == 0
    assert [record["event"] for record in told] == ["settled", "moving", "settled", "roll"]
    assert told[2]["since"] == 15
    assert told[3]["dice"][0]["face"] == ["success"]
    assert told[3]["t"] == pytest.approx(told[3]["frame"] / 30, abs=1e-3)


def test_a_clip_is_watched_within_the_corners_of_its_tray(run: Run, tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "clip", *[[]] * 15, *[[*ONE, ("purple", 250, 180)]] * 15)
    status, out, _ = run("watch", clip, "--json", "--corners", "0,0 0.6,0 0.6,1 0,1")
    assert status == 0
    assert [len(record["dice"]) for record in records(out) if record["event"] == "roll"] == [1]
    for wrong in ("0,0 2,0 0.6,1 0,1", "0,0 0.6,1 0.6,0 0,1"):  # beyond the picture, and crossing itself
        status, out, err = run("watch", clip, "--json", "--corners", wrong)
        assert (status, out) == (2, "")
        assert "--corners: " in err


def test_the_tray_of_a_clip_is_found_in_its_first_picture(run: Run, tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "clip", *[[]] * 15, *[[*ONE, ("purple", 285, 180)]] * 15)
    for path in clip.iterdir():
        picture = cv2.imread(str(path))
        is_table = (picture == FELT).all(axis=2)
        is_table[20:220, 20:240] = False
        picture[is_table] = 200
        cv2.imwrite(str(path), picture)
    told = [records(run("watch", clip, "--json", *words)[1]) for words in ([], ["--corners", "find"])]
    assert [[len(one["dice"]) for one in events if one["event"] == "roll"] for events in told] == [[2], [1]]


def test_a_missing_clip_is_said(run: Run, tmp_path: Path) -> None:
    status, out, err = run("watch", tmp_path / "none.mp4", "--json")
    assert (status, out) == (1, "")
    assert "is not there" in err


def test_rolls_are_scored_a_line_each(run: Run) -> None:
    lines = [
        '{"dice": [{"type": "ability", "face": ["success"]}], "ask": {}}',
        "garbage",
        '{"dice": [{"type": "ability", "face": ["triumph"]}]}',
        '{"dice": 5}',
        '{"dice": [{"type": "force", "face": ["light", "light"]}]}',
    ]
    status, out, err = run("score", "--game", "narrative", "--json", lines=lines)
    told = records(out)
    assert status == 1
    assert [("error" in record) for record in told] == [False, True, True, True, False]
    assert told[0]["net"]["success"] == 1
    assert told[0]["succeeded"] is True
    assert "line 2:" in err


def test_odds_are_exact(run: Run) -> None:
    status, out, _ = run("odds", "1a", "--json")
    (record,) = records(out)
    assert status == 0
    assert record["denominator"] == 8
    assert sum(cell[4] for cell in record["joint"]) == 8


def test_a_wrong_pool_is_wrong_usage(run: Run) -> None:
    assert run("odds", "1x")[0] == 2


def test_settings_in_effect_are_printed(run: Run) -> None:
    status, out, _ = run("config")
    assert status == 0
    assert "flip_light = [17]" in out


def test_broken_settings_are_wrong_usage(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tableside.toml"
    file.write_text("[camera]\nsise_px = [1, 2]\n")
    status, _, err = run("config", "--config", file)
    assert status == 2
    assert err.strip() == "tableside.toml: [camera] sise_px: unknown setting. Did you mean size_px?"


def test_help_is_quick_because_it_loads_no_vision() -> None:
    code = "import sys, tableside.cli; print(sorted({'cv2', 'numpy', 'flask', 'gpiozero'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_behind_the_output_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "tableside", "config"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[:-1]) == (MAY_HEAL, [])
    assert "Make room" in done.stderr


def test_a_port_in_use_is_said_and_nothing_is_lost(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, _, err = run("demo", "--no-browser", "--port", port, "--data", tmp_path)
    assert status == 75
    assert f"127.0.0.1:{port}: another program listens there. Stop it" in err


def test_a_second_table_on_one_data_folder_is_refused(run: Run, tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "demo" / STORE_NAME)
    status, _, err = run("demo", "--no-browser", "--data", tmp_path)
    first.close()
    assert status == 75
    assert "another tableside uses this history" in err
    assert "--data DIR" in err


def test_a_data_folder_that_cannot_be_written_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, _, err = run("demo", "--no-browser", "--data", tmp_path / "file")
    assert status == 2
    assert "file/demo: the folder cannot be made (Not a directory). Choose another" in err


def test_the_history_is_printed_oldest_first(run: Run, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / STORE_NAME)
    table = Table(System(sets=()), store)
    table.ask(ChangeDestiny(id="a", at=1.0, do=Do.SET, light=2, dark=1))
    table.ask(ChangeDestiny(id="b", at=2.0, do=Do.SPEND, side=Side.LIGHT))
    table.close()
    status, out, _ = run("log", "--data", tmp_path, "--json")
    assert status == 0
    assert [record["after"]["destiny"] for record in records(out)] == [{"light": 2, "dark": 1}, {"light": 1, "dark": 2}]


def test_a_table_that_never_ran_has_no_history(run: Run, tmp_path: Path) -> None:
    assert run("log", "--data", tmp_path / "none") == (0, "", "")


def test_a_history_written_out_can_be_read_back_whole(run: Run, tmp_path: Path) -> None:
    table = Table(System(sets=find_sets(["narrative"])), SqliteStore(tmp_path / STORE_NAME))
    table.ask(ChangeDestiny(id="1", at=1.0, do=Do.SET, light=2, dark=1))
    table.ask(NamePlayer(id="2", at=2.0, name="=SUM(A1)"))
    dice = (Die(type="ability", face=("success",)),)
    table.ask(EnterRoll(id="3", at=3.0, dice=dice, label="=1+1", by="Vex"))
    table.close()
    lines = run("log", "--data", tmp_path, "--json")[1]
    (tmp_path / "out.jsonl").write_text(lines)
    status, told, _ = run("log", "--import", tmp_path / "out.jsonl", "--data", tmp_path / "new")
    assert (status, told.split()[0]) == (0, "3")
    assert run("log", "--data", tmp_path / "new", "--json")[1] == lines
    status, _, err = run("log", "--import", tmp_path / "out.jsonl", "--data", tmp_path / "new")
    assert (status, "there is a history already" in err) == (2, True)
    rows = list(csv.DictReader(io.StringIO(run("log", "--data", tmp_path, "--csv")[1])))
    assert [(row["light"], row["headline"]) for row in rows] == [("2", ""), ("", ""), ("", "Success")]
    assert (rows[1]["sentence"][0], rows[2]["label"], rows[2]["dice"]) == ("'", "'=1+1", "ability: success")


@pytest.mark.parametrize("text", ["{}", '{"number": 1}', "no json", "[1]", "\udcff\udcfe"])
def test_what_is_no_history_is_not_imported(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.jsonl").write_bytes(text.encode(errors="surrogateescape"))
    status, _, err = run("log", "--import", tmp_path / "bad.jsonl", "--data", tmp_path / "new")
    assert (status, "line 1" in err) == (2, True)
    assert run("log", "--data", tmp_path / "new", "--json") == (0, "", "")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("arguments", [("watch", "--fps"), ("record", "clip", "--seconds")])
@pytest.mark.parametrize("number", ["nan", "-nan", "inf", "0"])
def test_a_number_that_is_in_no_range_is_refused(run: Run, arguments: tuple[str, ...], number: str) -> None:
    status, _, err = run(*arguments, number)
    assert (status, arguments[-1] in err, number in err or "0.0" in err) == (2, True, True)


@pytest.mark.skipif(
    not (paths.models_folder() / "locator.onnx").exists() or not paths.samples_folder().is_dir(),
    reason="the networks or the recorded rolls are not there",
)
@pytest.mark.slow
def test_the_demo_says_where_it_is_shows_a_page_there_and_stops_cleanly_when_interrupted(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tableside", "demo", "--no-browser", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as demo:
        assert demo.stdout is not None
        assert f"http://127.0.0.1:{port}/" in demo.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as page:
            assert b"<html" in page.read().lower()
        demo.send_signal(signal.SIGINT)
        try:
            out, err = demo.communicate(timeout=60)
        finally:
            demo.kill()
    assert (demo.returncode, out.strip()) == (0, "Stopping.")
    assert "Traceback" not in err
