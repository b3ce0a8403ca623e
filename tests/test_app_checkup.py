"""The check-up says in plain words what is wrong and what to do, on a machine laid out in a folder."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec import structs

from tableside import cli, paths
from tableside.adapters.camera import usb
from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.camera.port import Controls
from tableside.adapters.mqtt.connection import MqttSettings
from tableside.app import checkup
from tableside.app.backups import write_backup
from tableside.app.calibrate import FOLDER, Calibrations, calibrate
from tableside.app.camera_choice import camera_for
from tableside.app.checkup import Finding, check_up
from tableside.app.machine import Machine
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore
from tests.adapters.histories import written
from tests.fakes import lgpio
from tests.fakes.card import seen as card_seen
from tests.fakes.mosquitto import Mosquitto, free_port
from tests.fakes.pi_camera import fake_pi
from tests.fakes.sensor import FakeSensor
from tests.fakes.tray import DrawnReader, draw_tray
from tests.test_app_calibrate import bare_tray

PI = "Raspberry Pi 5 Model B Rev 1.0\0"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Raspberry Pi's files."""
    for name, text in {
        "proc/device-tree/model": PI,
        "proc/meminfo": "MemTotal:        8245484 kB\nMemFree: 1 kB\n",
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "run/systemd/timesync/synchronized": "",
        "dev/gpiochip0": "",
        "dev/video0": "",
        "sys/class/video4linux/video0/name": "HD Webcam\n",
    }.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "root"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    picture = tmp_path / "tray.png"
    cv2.imwrite(str(picture), bare_tray())
    return Settings(
        camera=CameraSettings(kind="still", path=picture),
        table=TableSettings(data=tmp_path / "data"),
        pins=PinSettings(factory="mock"),
        web=WebSettings(port=0),
    )


def machine(root: Path, *, power: str = "throttled=0x0\n", **more: Any) -> Machine:
    return Machine(root, power=lambda: power, **more)


def found_of(part: str, settings: Settings, machine: Machine) -> Finding:
    """Check up no further than this part."""
    return next(one for one in check_up(settings, machine=machine) if one.part == part)


def found(settings: Settings, machine: Machine) -> dict[str, Finding]:
    return {one.part: one for one in check_up(settings, machine=machine)}


def test_a_good_machine_is_good_in_every_part(settings: Settings, root: Path) -> None:
    told = found(settings, machine(root))
    assert [one.text for one in told.values() if not one.is_good] == []
    assert {
        "versions", "board", "power", "groups", "video", "disk", "clock", "data", "history", "dice sets", "games",
        "networks", "ribbon", "usb", "phone", "network", "recorded", "libcamera", "choice", "camera", "light",
        "test card", "dice", "set-up", "tray", "pins", "broker", "port",
    } == set(told)  # fmt: skip
    assert told["board"].text == "Raspberry Pi 5 Model B Rev 1.0, 8.2 GB of memory, Debian GNU/Linux 13 (trixie)"
    assert told["video"].text == "/dev/video0 HD Webcam"
    assert told["clock"].text.endswith("set by the network")
    assert told["set-up"].text.startswith("never made")


def test_a_machine_in_trouble_is_told_with_what_to_do(settings: Settings, root: Path) -> None:
    troubles = {
        "board": ("has 32 bits", "64-bit"), "power": ("voltage is too low", "power supply"),
        "clock": ("1970-01-01 00:00 UTC", "network"),
    }  # fmt: skip
    told = found(settings, machine(root, bits=32, power="throttled=0x50001", now=lambda: 0.0))
    assert [name for name, one in told.items() if not one.is_good] == list(troubles)
    for part, (words, hint) in troubles.items():
        assert (words in told[part].text, hint in told[part].hint) == (True, True), told[part]
    hot = found_of("power", settings, machine(root, power="throttled=0x80008"))
    assert (hot.is_good, "too hot" in hot.text, "air" in hot.hint) == (False, True, True)


def test_a_low_voltage_of_the_past_is_told_but_not_bad(settings: Settings, root: Path) -> None:
    told = found_of("power", settings, machine(root, power="throttled=0x10000"))
    assert told.is_good
    assert "once since the start" in told.text


def test_a_device_that_the_user_may_not_open_names_the_group_to_join(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).name != "gpiochip0")
    told = found_of("groups", settings, machine(root))
    assert not told.is_good
    assert "may not open /dev/gpiochip0" in told.text
    assert f"usermod -aG {(root / 'dev/gpiochip0').group()}" in told.hint


def test_a_full_disk_is_told(settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: types.SimpleNamespace(free=30_000_000))
    told = found_of("disk", settings, machine(root))
    assert (told.is_good, told.text) == (False, f"{settings.table.data}: only 30 MB are free")


def test_the_empty_stub_of_lgpio_is_recognised(settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    real = Settings(camera=settings.camera, table=settings.table, web=settings.web)
    told = found_of("pins", real, machine(root))
    assert "empty stub" in told.text
    assert "apt install python3-lgpio" in told.hint


def test_every_pin_is_taken_for_a_moment_and_one_that_is_held_is_named(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lgpio.install(monkeypatch)
    real = Settings(camera=settings.camera, table=settings.table, web=settings.web)
    count = len(real.pins.wires())
    told = found_of("pins", real, machine(root))
    assert (told.is_good, f"all {count} pins are free" in told.text) == (True, True)
    lgpio.held_by |= {real.pins.status[0]: "onewire@0", real.pins.undo[0]: "fan"}
    told = found_of("pins", real, machine(root))
    assert not told.is_good
    assert told.text == "[pins] status, undo: GPIO 25 is held by onewire@0, GPIO 13 is held by fan"
    assert not lgpio.is_open()


def test_a_network_of_another_hash_than_its_card_is_told(
    settings: Settings, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    for path in paths.models_folder().glob("*.*"):
        if path.suffix in (".onnx", ".json", ".npz"):
            (models / path.name).write_bytes(path.read_bytes())
    (models / "locator.onnx").write_bytes(b"something else")
    monkeypatch.setattr(paths, "models_folder", lambda: models)
    told = found_of("networks", settings, machine(root))
    assert (told.is_good, told.hint) == (False, "Install tableside again.")
    assert "locator" in told.text


def test_a_dark_picture_says_what_to_do_about_the_light(settings: Settings, root: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "tray.png"), (bare_tray() * 0.1).astype(np.uint8))
    told = found(settings, machine(root))
    assert told["camera"].is_good
    assert (told["light"].is_good, told["light"].hint) == (False, "Too dark: add light.")


@pytest.mark.slow
def test_the_test_card_below_the_camera_is_read(settings: Settings, root: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "tray.png"), card_seen())
    told = found(settings, machine(root))
    assert told["test card"].is_good
    assert re.match(r"[78] of 8 dice read, a die of 16 mm is 5[45] px wide", told["test card"].text)
    assert told["light"].is_good  # white paper is bright
    cv2.imwrite(str(tmp_path / "tray.png"), card_seen(px_per_mm=1.5))
    far = found_of("test card", settings, machine(root))
    assert (far.is_good, "to 75 % of its height" in far.hint) == (False, True)


@pytest.mark.parametrize(
    ("photo", "is_good", "words"),
    [
        ("oblique/dice_47", False, "1 below the camera, seen too flatly"),
        ("pips/IMG_20191208_112942", True, "8 below the camera, seen from above"),
    ],
)
def test_a_camera_that_looks_too_flat_is_told_by_dice_that_lie_below_it(
    settings: Settings, root: Path, tmp_path: Path, photo: str, is_good: bool, words: str
) -> None:
    shown = cv2.imread(str(Path(__file__).parent / "photos" / f"{photo}.jpg"))
    assert shown is not None
    cv2.imwrite(str(tmp_path / "tray.png"), shown)
    told = found_of("dice", settings, machine(root))
    assert (told.is_good, told.text, "straight above" in told.hint) == (is_good, words, not is_good)


def test_a_lens_out_of_focus_is_told_by_dice_that_lie_below_it(settings: Settings, root: Path, tmp_path: Path) -> None:
    shown = cv2.imread(str(Path(__file__).parent / "photos" / "pips" / "IMG_20191208_112942.jpg"))
    assert shown is not None
    cv2.imwrite(str(tmp_path / "tray.png"), cv2.GaussianBlur(shown, (0, 0), 4))
    told = found_of("dice", settings, machine(root))
    assert (told.is_good, "out of focus" in told.text, "lens" in told.hint) == (False, True, True)


def test_a_tray_that_fills_too_little_of_the_picture_is_told(settings: Settings, root: Path, tmp_path: Path) -> None:
    assert found_of("tray", settings, machine(root)).text == "camera and lens fit it"
    table = {"borderType": cv2.BORDER_CONSTANT, "value": (70, 110, 150)}
    cv2.imwrite(str(tmp_path / "tray.png"), cv2.copyMakeBorder(bare_tray(), 240, 240, 320, 320, **table))
    told = found_of("tray", settings, machine(root))
    assert (told.is_good, "of the picture: bring the camera to" in told.hint) == (False, True)


@pytest.mark.slow
def test_a_camera_that_was_moved_since_its_set_up_is_told(settings: Settings, root: Path, tmp_path: Path) -> None:
    data = settings.table.data
    assert data is not None
    Calibrations(data / FOLDER).save(calibrate(FakeSensor(bare_tray())))
    kept = data / FOLDER / "fake-sensor.json"
    camera = camera_for(settings.camera).name
    made = Calibrations(data / FOLDER).load("fake sensor")
    assert made is not None
    kept.write_text(kept.read_text().replace("fake sensor", camera))
    for suffix in (".json", ".png"):
        Calibrations(data / FOLDER)._path(camera).with_suffix(suffix).write_bytes(kept.with_suffix(suffix).read_bytes())
    assert found_of("set-up", settings, machine(root)).is_good
    cv2.imwrite(str(tmp_path / "tray.png"), np.roll(bare_tray(), 60, axis=1))
    told = found_of("set-up", settings, machine(root))
    assert not told.is_good
    assert "moved" in told.text


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    with fake_pi(monkeypatch) as install:
        yield install


def test_libcamera_names_its_version_and_cameras(pi: Callable[..., Any], settings: Settings, root: Path) -> None:
    on_pi = Settings(camera=CameraSettings(kind="picamera"), table=settings.table, pins=settings.pins, web=settings.web)
    told = found_of("libcamera", on_pi, machine(root))
    assert (told.is_good, told.text) == (False, "finds no camera")
    assert "ribbon" in told.hint
    pi(lambda _number, width, height: np.full((height, width, 3), 120, np.uint8))
    told = found_of("libcamera", on_pi, machine(root))
    assert (told.is_good, told.text) == (True, "v0.7.1+stand-in: imx708")
    told = found_of("choice", on_pi, machine(root))
    assert (told.is_good, told.text) == (True, 'Pi camera 0: [camera] kind = "picamera"')


@pytest.mark.filterwarnings("ignore:setDaemon")  # picamera2 0.3.38 calls it
@pytest.mark.slow
def test_the_camera_says_what_it_sees_and_what_it_does_not_hold(
    pi: Callable[..., Any], settings: Settings, root: Path
) -> None:
    on_pi = replace(settings, camera=CameraSettings(kind="picamera"))
    sensor = pi(lambda _number, width, height: np.full((height, width, 3), 120, np.uint8))
    told = found_of("camera", on_pi, machine(root))
    sees = "75% of the width and 100% of the height of the sensor imx708"
    assert (told.is_good, told.text) == (True, f"Pi camera 0, 1280x960, field of view 52 x 41 degrees: {sees}")
    data = settings.table.data
    assert data is not None
    made = calibrate(FakeSensor(bare_tray()))
    held = Controls(exposure_us=10_000, gain=2.0).to_json()
    Calibrations(data / FOLDER).save(
        replace(made, calibration=structs.replace(made.calibration, camera="Pi camera 0", controls=held))
    )
    assert found_of("camera", on_pi, machine(root)).is_good
    sensor.loop.stuck = {"AnalogueGain": 1.0}
    told = found_of("camera", on_pi, machine(root))
    assert not told.is_good
    assert told.text.endswith("it does not hold what it was set up with (gain: 2 asked, 1 came)")
    assert "/setup" in told.hint


def test_an_automatic_choice_says_why(pi: Callable[..., Any], settings: Settings, root: Path) -> None:
    """No ribbon camera is no fault where one on USB is meant."""
    automatic = replace(settings, camera=CameraSettings())
    for part in ("libcamera", "choice"):
        assert found_of(part, automatic, machine(root)).is_good
    told = found_of("choice", automatic, machine(root))
    assert told.text.startswith("USB camera 0: no ribbon camera")


def test_on_a_pi_without_picamera2_the_package_is_named(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    on_pi = Settings(camera=CameraSettings(kind="picamera"), table=settings.table, pins=settings.pins, web=settings.web)
    told = found_of("libcamera", on_pi, machine(root))
    assert "apt install python3-picamera2" in told.hint


def test_a_history_is_looked_at_as_a_whole(settings: Settings, root: Path, tmp_path: Path) -> None:
    assert found_of("history", settings, machine(root)).text == "none yet"
    path = written(tmp_path / "data" / "table.sqlite", 9)
    assert found_of("history", settings, machine(root)).text.startswith("9 changes, as they were written; no backup")
    write_backup(tmp_path / "data", tmp_path / "data" / "backups" / "2026-11-26.zip")
    assert found_of("history", settings, machine(root)).text.endswith("newest backup 2026-11-26")
    write_backup(tmp_path / "data", tmp_path / "data" / "backups" / "2999-03-04.zip")
    ahead = found_of("history", settings, machine(root))
    assert (ahead.is_good, "2999-03-04, which lies in the future" in ahead.text) == (False, True)
    (tmp_path / "data" / "backups" / "2999-03-04.zip").unlink()
    for content in (path.read_bytes().replace(b"V\xc3\xa9x 4", b"V\xc3\xa9x 5"), path.read_bytes()[:9000], b""):
        path.write_bytes(content)
        bad = found_of("history", settings, machine(root))
        assert (bad.is_good, "damaged" in bad.text, "Start the table" in bad.hint) == (False, True, True)


def test_a_broker_that_lets_the_table_in_is_good(settings: Settings, root: Path, broker: Mosquitto) -> None:
    asked = replace(settings, connections={"mqtt": MqttSettings(host="127.0.0.1", port=broker.port)})
    told = found_of("broker", asked, machine(root))
    assert (told.is_good, told.text) == (True, f"127.0.0.1:{broker.port} lets the table in")


def test_a_broker_that_is_not_there_is_told_with_what_to_check(settings: Settings, root: Path) -> None:
    asked = replace(settings, connections={"mqtt": MqttSettings(host="127.0.0.1", port=free_port())})
    told = found_of("broker", asked, machine(root))
    assert not told.is_good
    assert "cannot be reached" in told.text
    assert "[mqtt] host and port" in told.hint


@pytest.mark.slow
def test_a_port_in_use_is_bad_unless_a_table_runs_there(settings: Settings, root: Path, tmp_path: Path) -> None:
    def on(port: int) -> Finding:
        at = Settings(camera=settings.camera, table=settings.table, pins=settings.pins, web=WebSettings(port=port))
        return found_of("port", at, machine(root))

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(0)
        told = on(other.getsockname()[1])
    assert (told.is_good, "[web] port" in told.hint) == (False, True)
    at = Settings(table=TableSettings(data=tmp_path / "other"), pins=settings.pins, web=WebSettings(port=0))
    running = RunningTable(at, store=MemoryStore(), reader=DrawnReader(), camera=FakeSensor(draw_tray()))
    running.start()
    try:
        told = on(int(running.address.rstrip("/").rsplit(":", 1)[1]))
    finally:
        running.close()
    assert told.is_good
    assert "a table runs there" in told.text


def test_every_kind_of_camera_is_listed_with_what_makes_it_the_tables(
    pi: Callable[..., Any], settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = ("ribbon", "usb", "phone", "network", "recorded")
    without = found(replace(settings, camera=CameraSettings(kind="none")), machine(root))
    assert all(without[kind].is_good for kind in kinds)
    assert "no ribbon camera" in without["ribbon"].text
    assert "none is plugged in" in without["usb"].text
    assert "Use a phone's camera" in without["phone"].text
    assert "no address is set" in without["network"].text
    assert "tableside demo" in without["recorded"].text
    pi(lambda _number, width, height: np.full((height, width, 3), 120, np.uint8))
    monkeypatch.setattr(usb, "usb_cameras", lambda: [Path("/dev/v4l/by-id/usb-Logi-video-index0")])
    url = "http://gm:sesame@192.0.2.9:8080/sesame/video?key=sesame"
    there = replace(settings, camera=replace(settings.camera, url=url))
    told = {kind: found_of(kind, there, machine(root)).text for kind in kinds}
    assert told["ribbon"] == "imx708"
    assert told["usb"] == "/dev/v4l/by-id/usb-Logi-video-index0"
    assert told["network"].startswith("network camera 192.0.2.9; ")
    assert told["recorded"].endswith("tray.png is played in place of a camera")
    assert "sesame" not in str(told)


@pytest.mark.slow
def test_a_phone_is_looked_at_through_the_table_that_runs(settings: Settings, root: Path) -> None:
    by_phone = replace(settings, camera=CameraSettings(kind="phone"), web=WebSettings(port=free_port()))
    told = found(by_phone, machine(root))
    assert "none sends pictures" in told["phone"].text
    assert (told["camera"].is_good, told["camera"].text) == (False, "phone camera: sends no pictures")
    assert "/camera on a phone" in told["camera"].hint
    running = RunningTable(by_phone, store=MemoryStore(), reader=DrawnReader())
    running.start()
    try:
        assert "none sends pictures" in found_of("phone", by_phone, machine(root)).text
        sees, over = threading.Event(), threading.Event()

        def stand_over_the_tray() -> None:
            phone = running._tray.phone
            phone.begin("m", "Mara")
            while not over.wait(0.1):
                phone.put(bytes(cv2.imencode(".jpg", bare_tray())[1]), id="m", name="Mara")
                sees.set()

        sending = threading.Thread(target=stand_over_the_tray)
        sending.start()
        assert sees.wait(10)
        for _ in range(100):
            if found_of("camera", by_phone, machine(root)).is_good:
                break
        told = found(by_phone, machine(root))
        over.set()
        sending.join()
    finally:
        running.close()
    assert told["phone"].text == "Mara is the camera"
    assert told["camera"].text.endswith("by the table that runs")
    assert told["light"].text.startswith("sharpness")


def test_a_camera_that_the_running_table_may_hold_says_so(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = Settings(
        camera=CameraSettings(kind="still", path=Path("/nowhere.png")), table=settings.table, pins=settings.pins,
        web=settings.web,
    )  # fmt: skip
    assert "stop it first" not in found_of("camera", absent, machine(root)).hint
    monkeypatch.setattr(checkup, "_is_table", lambda _: True)
    assert "stop it first" in found_of("camera", absent, machine(root)).hint


def test_a_check_that_fails_in_its_own_way_hides_no_other(
    settings: Settings, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise RuntimeError("surprise")

    monkeypatch.setattr(checkup, "_port", broken)
    told = found(settings, machine(root))
    assert "surprise" in told["port"].text
    assert told["camera"].is_good


def test_the_command_prints_one_object_a_line_and_its_status_tells(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tableside.toml"
    file.write_text(settings.to_toml())
    with pytest.raises(SystemExit) as ended:
        cli.main(["doctor", "--config", str(file), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ended.value.code == int(not all(line["good"] for line in lines))
    assert {"part", "text", "good"} <= set(lines[0])
    with pytest.raises(SystemExit) as ended:
        cli.main(["doctor", "--config", str(file), "--wiring"])
    assert ended.value.code == 1
    assert "drawn pins have no wires" in capsys.readouterr().out


def test_the_report_has_every_line_and_the_settings_but_no_secret(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tmp_path / "tableside.toml", tmp_path / "report.txt"
    kept = MqttSettings(username="gm", password="hunter2")
    lines = replace(settings, connections={"mqtt": kept}).to_toml()
    file.write_text(lines.replace("# password is set and not shown", 'password = "hunter2"'))
    assert "hunter2" in file.read_text()
    with suppress(SystemExit):
        cli.main(["doctor", "--config", str(file), "--report", str(report)])
    told, text = capsys.readouterr().out, report.read_text(encoding="utf-8")
    assert told.strip()
    assert told in text
    assert 'username = "gm"' in text
    assert "hunter2" not in text


def test_a_report_that_cannot_be_written_says_so_after_all_was_told(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tmp_path / "tableside.toml", tmp_path / "none" / "report.txt"
    file.write_text(settings.to_toml())
    with pytest.raises(SystemExit) as ended:
        cli.main(["doctor", "--config", str(file), "--report", str(report)])
    printed = capsys.readouterr()
    assert ended.value.code == cli.BAD_USAGE
    assert f"{report}: cannot be written (No such file or directory). See that" in printed.err
    assert "clock" in printed.out
