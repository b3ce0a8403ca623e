"""What ``tableside doctor`` looks at."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import socket
import tempfile
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import structs

from tableside import __version__, paths
from tableside.adapters.camera.kind import kinds
from tableside.adapters.camera.phone import OPEN_PHONE
from tableside.adapters.camera.picamera import pi_cameras
from tableside.adapters.camera.port import Controls, opened
from tableside.adapters.sqlite_store import STORE_NAME, SqliteStore
from tableside.app.backups import backups_in
from tableside.app.calibrate import FOLDER, Calibrations
from tableside.app.camera_choice import camera_for, choose, unheld_by
from tableside.app.machine import CAMERA_DEVICES, PIN_DEVICES, Machine
from tableside.app.pages import TLS
from tableside.app.readers import installed_sets, open_reader, usable_sets
from tableside.app.taught_sets import joined_errors, wrong_sets
from tableside.config import CONNECTIONS, Settings
from tableside.errors import CameraError, PortInUse, SettingsError, StoreError, TablesideError
from tableside.reader.photo import Picture, decode_jpeg
from tableside.record import Record
from tableside.rules import game_names, wrong_games
from tableside.tray.calibration import DriftRules, drift_of, meters_of
from tableside.tray.card import SeenCard, find_card, report_of
from tableside.tray.frame import Frame
from tableside.tray.proof import OUT_OF_FOCUS, SAMPLES, TOO_FLAT, framing_advice, sample_of, steady_advice
from tableside.tray.region import WHOLE, find_tray
from tableside.tray.scene import Scene, scene_change

_PACKAGES = (
    "numpy",
    "opencv-python",
    "opencv-python-headless",
    "onnxruntime",
    "flask",
    "tornado",
    "gpiozero",
    "picamera2",
    "lgpio",
)
_HELD = ("camera", "pins")
"""Parts that a running table keeps for itself."""
_STOP = "stop it first, such as by `sudo systemctl stop tableside`. Else:"
_WARM_UP_FRAMES = 30
"""A camera finds its exposure meanwhile, or shows that it does not hold what it was locked to."""


class Finding(Record, frozen=True, kw_only=True, rename={"is_good": "good"}):
    """One line of a check-up.

    :ivar hint: what to do, where it is not good.
    """

    optional = ("hint",)

    part: str
    text: str
    is_good: bool = True
    hint: str = ""

    @property
    def line(self) -> str:
        """The finding as people read it: a line, and one more for the hint."""
        line = f"{'ok ' if self.is_good else 'BAD'}  {self.part:10} {self.text}"
        return f"{line}\n{'':16}{self.hint}" if self.hint else line

    @classmethod
    def of(cls, part: str, error: TablesideError) -> Finding:
        """Return what an error says."""
        text = error.what if error.where in ("", part) else f"{error.where}: {error.what}"
        return cls(part=part, text=text, is_good=False, hint=error.hint)


def write_report(file: Path, found: Iterable[Finding], settings: Settings) -> None:
    """Write what was found and the settings in effect, without their secrets, into one text file.

    :raises SettingsError: where it cannot be written.
    """
    text = "\n".join(["# tableside doctor", *(finding.line for finding in found), "", "# tableside config", ""])
    try:
        file.write_text(text + settings.to_toml(), encoding="utf-8")
    except OSError as error:
        hint = "See that its disk has room and that you may write there, or name another file."
        raise SettingsError(f"cannot be written ({error.strerror or error})", where=str(file), hint=hint) from error


Check = Callable[[], str]


def check_up(settings: Settings, *, machine: Machine | None = None) -> Iterator[Finding]:
    """Try every part for a moment, give it back, and yield what was found."""
    yield Finding(part="versions", text=_versions())
    for part, check in _checks(settings, machine or Machine()):
        try:
            yield Finding(part=part, text=check())
        except TablesideError as error:
            found = Finding.of(part, error)
            is_held = part in _HELD and _is_table(settings.web.port)
            yield (
                structs.replace(found, hint=f"The table that runs may hold it: {_STOP} {found.hint}")
                if is_held
                else found
            )
        except Exception as error:  # a part that fails in its own way must not hide the others
            hint = "Please report this with the log."
            yield Finding(part=part, text=f"the check failed ({error!r})", is_good=False, hint=hint)


def _checks(settings: Settings, machine: Machine) -> Iterator[tuple[str, Check]]:
    data = paths.data_folder(settings.table.data)
    has_camera, has_pins = settings.camera.kind != "none", settings.pins.factory != "none"
    yield from machine.checks(
        data, devices=(*(PIN_DEVICES if has_pins else ()), *(CAMERA_DEVICES if has_camera else ()))
    )
    yield "data", lambda: _data(data)
    yield "history", lambda: _history(data)
    yield "dice sets", lambda: _dice_sets(settings, data)
    yield "games", _games
    yield "networks", lambda: _networks(settings, data)
    for _, kind in kinds():
        if kind.part:
            yield kind.part, partial(kind.tells, settings.camera, partial(_ask_table, settings.web.port))
    if has_camera:
        yield from _camera_checks(settings, data)
    else:
        yield "camera", lambda: "switched off in the settings: dice are entered by hand"
    yield "pins", lambda: _pins(settings)
    for name, connection in CONNECTIONS.items():
        for part, check in connection.checks.items():
            yield part, partial(check, settings.section(name))
    yield "port", lambda: _port(settings.web.host, settings.web.port)
    if (data / TLS).exists():
        yield "https", lambda: _https(data / TLS)


def _camera_checks(settings: Settings, data: Path) -> Iterator[tuple[str, Check]]:
    wanted = settings.camera
    yield "libcamera", lambda: pi_cameras() if choose(wanted)[0].kind == "picamera" else "not needed for this camera"
    yield "choice", lambda: f"{camera_for(wanted).name}: {choose(wanted)[1]}"
    camera = _CameraChecks(settings, data)
    yield "camera", camera.gives_pictures
    yield "light", camera.is_lit
    yield "test card", camera.reads_card
    yield "dice", camera.looks_down
    yield "set-up", camera.is_as_set_up
    yield "tray", camera.holds_tray


def _versions() -> str:
    found = [f"tableside {__version__}", f"Python {platform.python_version()}", platform.machine()]
    for package in _PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def _history(data: Path) -> str:
    """Look at the whole history, beside a table that runs, too."""
    path = data / STORE_NAME
    if not path.exists():
        return "none yet"
    with closing(SqliteStore(path, is_reader=True)) as store:
        count = store.check()
    backups = backups_in(data)
    newest = f"newest backup {backups[0].stem}" if backups else "no backup yet: run `tableside backup FILE`"
    text = f"{count} changes, as they were written; {newest}"
    last = max((backup.stem for backup in backups), default="")
    if last > datetime.now().date().isoformat():
        hint = "The clock was wrong then or is now: look at it. The backups that were written last are kept."
        raise StoreError(f"{text}; one is of {last}, which lies in the future", hint=hint)
    return text


def _games() -> str:
    for wrong in wrong_games().values():
        raise wrong
    return ", ".join(game_names())


def _dice_sets(settings: Settings, data: Path) -> str:
    if wrong := wrong_sets(data):
        raise joined_errors(wrong)
    return ", ".join(one.name for one in installed_sets(settings.reader.sets, data))


def _networks(settings: Settings, data: Path) -> str:
    """Load the networks, which compares each with the hash on its card."""
    open_reader(usable_sets(settings.reader.sets, data))
    cards = sorted(paths.models_folder().glob("*.onnx"))
    hashes = (json.loads(card.with_suffix(".json").read_text(encoding="utf-8"))["sha256"] for card in cards)
    return ", ".join(f"{card.stem} {sha[:8]}" for card, sha in zip(cards, hashes, strict=True)) + " as on their cards"


class _CameraChecks:
    """Looks through the camera once, for three checks."""

    def __init__(self, settings: Settings, data: Path) -> None:
        self._settings = settings
        self._calibrations = Calibrations(data / FOLDER)
        self._data = data
        self._frames: list[Frame] = []
        self._picture: Picture | None = None
        self._card: SeenCard | None = None

    def gives_pictures(self) -> str:
        if self._settings.camera.kind == "phone":
            return self._phone_gives_pictures()
        camera = camera_for(self._settings.camera, wait=lambda seconds: seconds)
        made = self._calibrations.load(camera.name)
        if made is not None:
            camera.lock(Controls.from_json(dict(made.calibration.controls)))
        with opened(camera):
            frames = list(islice(camera.frames(), _WARM_UP_FRAMES if camera.is_live else 1))
        self._frames = frames[-SAMPLES:]
        if not frames:
            raise CameraError("gives no pictures", where=camera.name, hint=camera.cure())
        self._picture = frames[-1].picture
        self._card = find_card(self._picture)
        height, width = self._picture.shape[:2]
        text = f"{camera.name}, {width}x{height}" + (f", {camera.view.words}" if camera.view else "")
        if (error := unheld_by(camera)) is not None:
            raise CameraError(f"{text}; it {error.what}", hint=error.hint)
        return text

    def _phone_gives_pictures(self) -> str:
        """Look at what a phone sends to the table that runs, since it sends to nobody else."""
        try:
            with urllib.request.urlopen(_address(self._settings.web.port, "/api/setup/picture"), timeout=5) as answer:
                picture, _ = decode_jpeg(answer.read())
        except OSError:
            picture = None
        if picture is None:
            raise CameraError(
                "sends no pictures", where="phone camera", hint=f"{OPEN_PHONE[0].upper()}{OPEN_PHONE[1:]}."
            )
        self._picture, self._card = picture, find_card(picture)
        return f"phone camera, {picture.shape[1]}x{picture.shape[0]}, by the table that runs"

    def is_lit(self) -> str:
        if self._picture is None:
            return "no picture to judge"
        meters = meters_of(self._picture)
        text = f"sharpness {meters.sharpness:.0f}, light {meters.level:.0f} of 255"
        of_light = meters.advice if self._card is None else self._card.light_in(self._picture)
        noise, flicker = steady_advice([sample_of(frame.picture) for frame in self._frames])
        if advice := " ".join(one for one in (of_light, noise, flicker) if one):
            raise CameraError(text, hint=advice)
        return text

    def reads_card(self) -> str:
        """Say what the test card proves, where it lies below the camera."""
        if self._card is None or self._picture is None:
            return "not below the camera; /setup/card prints it"
        sets = usable_sets(self._settings.reader.sets, self._data)
        report = report_of(self._card, self._picture, open_reader(sets).read(self._picture), sets)
        text = f"{report.read} of {len(report.dice)} dice read, a die of 16 mm is {report.die_px:.0f} px wide"
        if report.advice:
            raise CameraError(text, hint=" ".join(report.advice))
        return text

    def looks_down(self) -> str:
        """Say whether the camera looks flatly or is out of focus, by dice that lie below it."""
        if self._picture is None or self._card is not None:
            return "none below the camera to judge by"
        reading = open_reader(usable_sets(self._settings.reader.sets, self._data)).read(self._picture)
        if reading.is_blurred:
            raise CameraError(f"{len(reading.dice)} below the camera, seen out of focus", hint=OUT_OF_FOCUS)
        if reading.slant is None:
            return "none below the camera to judge by"
        text = f"{len(reading.dice)} below the camera"
        if reading.is_too_flat:
            raise CameraError(f"{text}, seen too flatly", hint=TOO_FLAT)
        return f"{text}, seen from above"

    def holds_tray(self) -> str:
        """Say whether camera and lens fit the tray, as it was set up or is found now."""
        made = self._calibrations.load(camera_for(self._settings.camera).name)
        tray = made.calibration.corners if made else None if self._picture is None else find_tray(self._picture)
        if tray is None or tray == WHOLE:
            return "not found: the whole picture counts"
        if advice := framing_advice(tray):
            raise CameraError("camera and lens do not fit it", where="tray", hint=advice)
        return "camera and lens fit it"

    def is_as_set_up(self) -> str:
        name = camera_for(self._settings.camera).name
        made = self._calibrations.load(name)
        if made is None:
            return "never made: open /setup, or run `tableside calibrate`"
        if self._picture is None:
            return "no picture to compare"
        drift = drift_of(scene_change(Scene.of(self._picture), Scene.of(made.empty)), DriftRules())
        if drift is not None:
            raise CameraError(drift.what, where=name, hint=drift.hint)
        return "camera, focus and light are as they were"


def _pins(settings: Settings) -> str:
    """Take every pin of the settings for a moment."""
    from tableside.adapters.gpio.factory import all_busy, open_pins, try_pin

    if settings.pins.factory == "none":
        return "switched off in the settings"
    with closing(open_pins(settings.pins.factory)) as factory:
        tried = [try_pin(factory, pin, name) for name, pin in settings.pins.wires()]
    busy = [one for one in tried if one is not None]
    if busy:
        raise all_busy(busy)
    kind = type(factory).__name__
    return f"{kind}, all {len(tried)} pins are free; `tableside doctor --wiring` tries each lamp and button"


def _data(folder: Path) -> str:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except OSError as error:
        hint = "Choose another with [table] data or TABLESIDE_DATA, or run this as the user of the table."
        raise StoreError(f"cannot be written to ({error.strerror})", where=str(folder), hint=hint) from error


def _port(host: str, port: int) -> str:
    """Say whether the table can listen there, or does already."""
    where = f"{host}:{port}"
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((host, port))
    except OSError as error:
        if _is_table(port):
            return f"{where}: a table runs there now"
        hint = "Stop what listens there, or set [web] port to another one above 1023."
        raise PortInUse(f"cannot listen there ({error.strerror})", where=where, hint=hint) from error
    return f"{where} is free" if host in ("127.0.0.1", "localhost") else f"{where} is free; the network may look in"


def _https(folder: Path) -> str:
    """Say what the table's own authority may sign."""
    from tableside.adapters.web import certificate  # only a table with HTTPS has it

    authority = certificate.authority_of(folder)
    if authority is None:
        return "no authority yet"
    if certificate.is_bounded(authority):
        return "the table's authority is for its names and private addresses alone"
    hint = "Delete this folder and start the table. On phones, install the new authority and remove the old one."
    raise SettingsError("the table's authority could sign for any site", where=str(folder), hint=hint)


def _is_table(port: int) -> bool:
    described = _ask_table(port, "/api/openapi.json")
    return described is not None and described.get("info", {}).get("title") == "tableside"


def _ask_table(port: int, address: str) -> dict[str, Any] | None:
    """Ask what runs on this machine's port; ``None`` where nothing answers with an object."""
    try:
        with urllib.request.urlopen(_address(port, address), timeout=2) as answer:
            body = json.load(answer)
            return body if isinstance(body, dict) else None
    except (OSError, ValueError):
        return None


def _address(port: int, path: str) -> str:
    return f"http://127.0.0.1:{port}{path}"
