"""A phone is the tray's camera: HTTPS by the table's own certificate, pictures in, a roll out, another one chosen."""

from __future__ import annotations

import base64
import json
import ssl
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import cv2
import numpy as np
import pytest

from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.sqlite_store import SqliteStore
from tableside.app.pages import TLS
from tableside.app.running_table import RunningTable
from tableside.config import NAME, PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore, Store
from tableside.table.kept import Phase
from tests.fakes.network_camera import NetworkFake, served
from tests.fakes.tray import DrawnReader, draw_tray
from tests.whole.test_table import wait_for

pytestmark = pytest.mark.slow
NOISE = np.random.default_rng(7)
EMPTY, THROWN = draw_tray(), draw_tray(("green", 100, 100), ("yellow", 200, 150))


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    running = started(tmp_path)
    yield running
    running.close()


def started(folder: Path, store: Store | None = None, **camera: Any) -> RunningTable:
    settings = Settings(
        camera=CameraSettings(**{"kind": "none", **camera}),
        table=TableSettings(data=folder / "data"),
        web=WebSettings(host="0.0.0.0", port=0, tls="own", tls_port=0),
        pins=PinSettings(factory="none"),
        file=folder / NAME,
    )
    running = RunningTable(settings, store=store or MemoryStore(), reader=DrawnReader())
    running.start()
    return running


class Caller:
    """A browser that trusts the table's authority."""

    def __init__(self, running: RunningTable, folder: Path, *, cookie: str = "") -> None:
        assert running.secure_address
        port = running.secure_address.rsplit(":", 1)[1]
        self.address, self.cookie = f"https://localhost:{port}", cookie
        self.context = ssl.create_default_context(cafile=str(folder / "data" / TLS / "authority.pem"))

    def post(self, path: str, body: Any) -> Any:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, headers={"Cookie": self.cookie})
        with urllib.request.urlopen(request, timeout=20, context=self.context) as answer:
            self.headers = answer.headers
            told = answer.read()
            return json.loads(told) if told else answer.status

    def get(self, path: str) -> Any:
        request = urllib.request.Request(self.address + path, headers={"Cookie": self.cookie})
        with urllib.request.urlopen(request, timeout=20, context=self.context) as answer:
            return json.load(answer)

    def paired(self, name: str) -> Caller:
        """Return another browser that is paired as a player."""
        pin = self.post("/api/pairing", {"role": "player"})["pin"]
        self.post("/api/pair", {"pin": pin, "name": name})
        cookie = self.headers["Set-Cookie"]
        assert "Secure" in cookie
        other = Caller.__new__(Caller)
        other.address, other.context, other.cookie = self.address, self.context, cookie.partition(";")[0]
        return other

    def send(self, picture: Any, count: int = 1) -> None:
        for _ in range(count):
            noisy = cv2.add(picture, NOISE.integers(0, 2, picture.shape, np.uint8))  # no sensor gives one twice
            self.post("/api/camera/frames", bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]))


def test_a_phone_is_the_camera_and_stops_and_the_table_is_as_it_was(running: RunningTable, tmp_path: Path) -> None:
    screen = Caller(running, tmp_path)
    phone = screen.paired("Mara")
    with pytest.raises(HTTPError, match="409"):
        phone.send(EMPTY)
    told = phone.post("/api/camera", {"do": "begin"})
    assert (told["kind"], told["phone"], told["is_mine"]) == ("phone", "Mara", True)
    phone.send(EMPTY, 8)
    for _ in range(200):
        phone.send(THROWN)
        if running.table.state.rolls:
            break
    assert len(running.table.state.rolls[0].dice) == 2
    other = screen.paired("Jon")
    with pytest.raises(HTTPError, match="409"):
        other.post("/api/camera", {"do": "begin"})
    phone.send(THROWN)
    assert phone.headers["Tableside-Asks"] == "Jon"
    phone.post("/api/camera", {"do": "give"})
    other.send(THROWN)
    other.post("/api/camera", {"do": "stop"})
    wait_for(running.table, lambda state: state.phase is Phase.BY_HAND)
    assert not any(trouble.part == "camera" for trouble in running.table.state.trouble)
    with pytest.raises(HTTPError, match="409"):
        other.send(THROWN)


def test_the_camera_that_is_chosen_is_tried_kept_in_the_settings_and_looked_through_at_once(
    running: RunningTable, tmp_path: Path
) -> None:
    file = tmp_path / NAME
    file.write_text('# mine\n[table]\nname = "Two"\n\n[camera]  # over the tray\nkind = "none"  # for now\nfps = 20\n')
    screen = Caller(running, tmp_path)
    listed = screen.get("/api/cameras")
    assert [one["kind"] for one in listed if one["is_now"]] == ["none"]
    with pytest.raises(HTTPError, match="409"):
        screen.post("/api/cameras", {"kind": "network", "url": "http://127.0.0.1:9/video"})
    assert 'kind = "none"' in file.read_text()
    listed = screen.post("/api/cameras", {"kind": "phone"})
    assert [one["kind"] for one in listed if one["is_now"]] == ["phone"]
    text = file.read_text()
    assert tomllib.loads(text) == {"table": {"name": "Two"}, "camera": {"kind": "phone", "fps": 20}}
    assert "# mine" in text
    assert "# over the tray" in text
    wait_for(running.table, lambda state: any(trouble.part == "camera" for trouble in state.trouble))
    screen.post("/api/cameras", {"kind": "none"})
    wait_for(running.table, lambda state: state.phase is Phase.BY_HAND)
    assert tomllib.loads(file.read_text())["camera"]["kind"] == "none"
    with pytest.raises(HTTPError, match="403"):
        screen.paired("Mara").post("/api/cameras", {"kind": "phone"})


def test_a_phone_that_is_replaced_is_told_and_comes_back_when_the_other_camera_is_gone(
    running: RunningTable, tmp_path: Path
) -> None:
    screen = Caller(running, tmp_path)
    phone = screen.paired("Mara")
    phone.post("/api/camera", {"do": "begin"})
    phone.send(EMPTY, 2)
    fake = NetworkFake(lambda _: cv2.add(EMPTY, NOISE.integers(0, 2, EMPTY.shape, np.uint8)))
    with served(fake) as address:
        screen.post("/api/cameras", {"kind": "network", "url": f"{address}/stream"})
        wait_for(running.table, lambda state: state.phase in (Phase.EMPTY, Phase.STILL))
        with pytest.raises(HTTPError, match="409"):
            phone.send(THROWN)
        assert phone.get("/api/camera")["is_replaced"]
        tray = running._tray._tray
        phone.post("/api/camera", {"do": "stop"})  # it is over already: the other camera goes on
        assert running._tray._tray is tray
        with pytest.raises(HTTPError, match="409"):
            phone.post("/api/camera", {"do": "begin"})
        fake.is_paused = True
        wait_for(running.table, lambda state: any("gives no pictures" in trouble.what for trouble in state.trouble))
        with pytest.raises(HTTPError, match="409"):
            screen.get("/api/setup/picture")  # one of before is none of now
    assert phone.post("/api/camera", {"do": "begin"})["is_mine"]
    assert not phone.get("/api/camera")["is_replaced"]
    phone.send(EMPTY, 2)


def test_dice_that_lie_there_when_a_camera_is_chosen_again_or_the_table_restarts_are_no_new_roll(
    tmp_path: Path,
) -> None:
    def same_again(running: RunningTable) -> None:
        state = wait_for(running.table, lambda state: state.phase is Phase.STILL)
        running.read_again()  # what was told before comes first
        version = state.rolls[0].version
        state = wait_for(running.table, lambda state: len(state.rolls) > 1 or state.rolls[0].version != version)
        assert len(state.rolls) == 1

    shown = [THROWN]
    fake = NetworkFake(lambda _: cv2.add(shown[0], NOISE.integers(0, 2, EMPTY.shape, np.uint8)))
    with served(fake) as address:
        camera = {"kind": "network", "url": f"{address}/stream"}

        def start() -> closing[RunningTable]:
            return closing(started(tmp_path, SqliteStore(tmp_path / "table.sqlite"), **camera))

        with start() as running:
            wait_for(running.table, lambda state: len(state.rolls) == 1 and state.phase is Phase.STILL)
            screen = Caller(running, tmp_path)
            for chosen in ({"kind": "none"}, camera, camera):
                screen.post("/api/cameras", chosen)
            same_again(running)
        with start() as running:
            same_again(running)
        shown[0] = draw_tray(("green", 160, 60))  # thrown while nobody looked
        with start() as running:
            wait_for(running.table, lambda state: len(state.rolls) == 2)


def test_the_password_of_a_network_camera_is_kept_in_the_settings_and_told_nowhere(
    running: RunningTable, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    screen = Caller(running, tmp_path)
    fake = NetworkFake(lambda _: cv2.add(EMPTY, NOISE.integers(0, 2, EMPTY.shape, np.uint8)))
    fake.login = "Basic " + base64.b64encode(b"mara:sesame").decode()
    told = ""

    def ask() -> str:
        addresses = ("cameras", "camera", "state", "setup", "history", "openapi.json")
        return "".join(json.dumps(screen.get(f"/api/{address}")) for address in addresses)

    with served(fake) as address:
        locked = address.replace("//", "//mara:sesame@") + "/stream"
        with pytest.raises(HTTPError) as caught:
            screen.post("/api/cameras", {"kind": "network", "url": locked.replace("sesame", "sesamo")})
        told += caught.value.read().decode()
        assert "answers 401" in told
        screen.post("/api/cameras", {"kind": "network", "url": locked})
        wait_for(running.table, lambda state: state.phase in (Phase.EMPTY, Phase.STILL))
        told += ask()
        fake.is_paused = True
        wait_for(running.table, lambda state: any("gives no pictures" in trouble.what for trouble in state.trouble))
        told += ask()
    assert locked in (tmp_path / NAME).read_text()
    assert "sesam" not in told + caplog.text + "".join(capfd.readouterr())


def test_the_authority_stays_and_the_certificate_is_made_anew_where_names_change(tmp_path: Path) -> None:
    from tableside.adapters.web import certificate

    folder = tmp_path / "tls"
    certificate.own_context(folder, ["localhost"])
    authority, first = (folder / "authority.pem").read_bytes(), (folder / "table.pem").read_bytes()
    assert (folder / "authority-key.pem").stat().st_mode & 0o077 == 0
    certificate.own_context(folder, ["localhost"])
    assert (folder / "table.pem").read_bytes() == first
    certificate.own_context(folder, ["localhost", "192.168.7.31", "würfel.local"])
    assert (folder / "table.pem").read_bytes() != first
    assert (folder / "authority.pem").read_bytes() == authority
    (folder / "authority-key.pem").unlink()
    certificate.own_context(folder, ["localhost"])  # a new authority signs anew
    assert (folder / "authority.pem").read_bytes() != authority
