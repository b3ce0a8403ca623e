"""A phone's page is the tray's camera: what it sees is rolled, it sleeps and wakes, and says why it cannot be one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tableside.adapters.camera.kind import CameraSettings
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, ReaderSettings, Settings, TableSettings, WebSettings
from tableside.reader.photo import Picture
from tableside.table import MemoryStore
from tableside.table.kept import Phase, TableState
from tests.browser.conftest import QUIET, SIZES, look
from tests.browser.lens import film, flags
from tests.conftest import CHROMIUM, ROOT
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WEBCAM = ROOT / "tests" / "photos" / "webcam"
THROWN = ("WIN_20221211_13_07_14", "WIN_20221211_13_07_50", "WIN_20221211_13_09_04")
THIRTIETHS = 100
"""So long each throw lies, and the floor is empty between two."""
TURNED = """
const { mediaDevices } = navigator;
const own = mediaDevices.getUserMedia.bind(mediaDevices);
mediaDevices.getUserMedia = async (wanted) => {  // the same picture, upright as long as `isTurned`
    const lens = Object.assign(document.createElement("video"), { srcObject: await own(wanted), muted: true });
    await lens.play();
    const canvas = document.createElement("canvas");
    const draw = () => {
        const [wide, high] = [lens.videoWidth, lens.videoHeight];
        Object.assign(canvas, window.isTurned ? { width: high, height: wide } : { width: wide, height: high });
        const context = canvas.getContext("2d");
        if (window.isTurned) context.setTransform(0, 1, -1, 0, high, 0);
        context.drawImage(lens, 0, 0);
    };
    setInterval(draw, 40);
    draw();
    return canvas.captureStream(25);
};
"""
LOCKED = """(isLocked) => {
    Object.defineProperty(document, "hidden", { value: isLocked, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LOST = """() => {
    const [track] = document.getElementById("live").srcObject.getTracks();
    track.stop();
    track.dispatchEvent(new Event("ended"));
}"""


def thrown() -> list[tuple[Picture, int]]:
    """Return three throws of real dice. No photograph shows the floor empty, but no die lies twice at one place."""
    photographs = [cv2.imread(str(file)) for file in sorted(WEBCAM.glob("WIN_20221211_*.jpg"))]
    floor = np.median(np.stack(photographs), axis=0).astype(np.uint8)
    throws = [cv2.imread(str(WEBCAM / f"{name}.jpg")) for name in THROWN]
    return [(picture, THIRTIETHS) for throw in throws for picture in (floor, throw)]


def faces() -> list[list[str]]:
    """Return what lies in each throw."""
    labels = [json.loads((WEBCAM / f"{name}.json").read_text("utf-8")) for name in THROWN]
    return [sorted(die["face"][0] for die in label["dice"]) for label in labels]


@pytest.fixture(scope="module")
def lens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("lens") / "floor.mjpeg", thrown())


@pytest.fixture
def browser(browsers: BrowserType, lens: Path) -> Iterator[Browser]:
    """A browser with a camera that plays the film."""
    browser = browsers.launch(executable_path=CHROMIUM, args=[*QUIET, *flags(lens)])
    yield browser
    browser.close()


def stranger(browser: Browser) -> BrowserContext:
    """Return a phone that is not paired, and takes the table's certificate."""
    size = SIZES["phone"]
    return browser.new_context(viewport={"width": size[0], "height": size[1]}, ignore_https_errors=True)


def pin_of(running: RunningTable, context: BrowserContext) -> str:
    offer = context.request.post(f"{running.address}api/pairing?as=screen", data={"role": "player"})
    return str(offer.json()["pin"])


def phone(browser: Browser, running: RunningTable, name: str) -> BrowserContext:
    """Return a phone that is paired."""
    context = stranger(browser)
    pin = pin_of(running, context)
    assert context.request.post(f"{running.secure_address}/api/pair", data={"pin": pin, "name": name}).ok
    return context


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    settings = Settings(
        camera=CameraSettings(kind="none"),
        reader=ReaderSettings(sets=("pips",)),
        table=TableSettings(data=tmp_path / "data"),
        web=WebSettings(host="0.0.0.0", port=0, tls="own", tls_port=0),
        pins=PinSettings(factory="none"),
    )
    running = RunningTable(settings, store=MemoryStore())
    running.start()
    yield running
    running.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.locator("body[data-ready]").wait_for()
    return page


def has_trouble(words: str) -> Callable[[Any], bool]:
    return lambda state: any(words in trouble.what for trouble in state.trouble)


def test_three_throws_are_told_and_the_phone_goes_on_after_it_was_locked(
    browser: Browser, running: RunningTable
) -> None:
    mara = stranger(browser)
    page = opened(mara, f"{running.secure_address}/pair?to=camera")
    page.locator("#pin").fill(pin_of(running, mara))
    page.locator("#begin-camera").click()
    expect(page.locator(".camera-head")).to_contain_text("Tray camera")

    def read(state: TableState) -> list[list[str]]:
        return [sorted(die.face[0] for die in roll.dice) for roll in state.rolls]

    # the film goes on, however busy the machine is: a throw that it missed comes again
    state = wait_for(running.table, lambda state: all(throw in read(state) for throw in faces()), timeout=120)
    assert all(throw in faces() for throw in read(state))
    page.evaluate(LOCKED, True)
    wait_for(running.table, has_trouble("is asleep"))
    page.evaluate(LOCKED, False)
    wait_for(running.table, lambda state: not has_trouble("is asleep")(state))
    page.evaluate(LOCKED, True)
    page.evaluate(LOST)  # the system takes the camera from a locked phone
    wait_for(running.table, has_trouble("is asleep"))
    page.evaluate(LOCKED, False)
    wait_for(running.table, lambda state: not has_trouble("is asleep")(state))
    page.evaluate(LOST)  # a call comes in
    expect(page.locator("#camera")).to_contain_text("The phone took the camera away")
    page.locator("#begin-camera").click()
    count = len(running.table.state.rolls)
    wait_for(running.table, lambda state: len(state.rolls) > count, timeout=60)
    page.locator("#stop-camera").click()
    expect(page.locator("#begin-camera")).to_be_visible()
    wait_for(running.table, lambda state: state.phase is Phase.BY_HAND)


def test_a_phone_that_is_turned_goes_on_telling_throws(browser: Browser, running: RunningTable) -> None:
    context = phone(browser, running, "Mara")
    context.add_init_script(TURNED)
    page = opened(context, f"{running.secure_address}/camera")
    page.locator("#begin-camera").click()
    for is_turned in (False, True, False):
        page.evaluate("(isTurned) => { window.isTurned = isTurned }", is_turned)
        count = len(running.table.state.rolls)
        state = wait_for(running.table, lambda state, count=count: len(state.rolls) > count + 1, timeout=60)  # type: ignore[misc]
        newest = state.rolls[0]
        assert (newest.width < newest.height) is is_turned
        assert sorted(die.face[0] for die in newest.dice) in faces()
    page.locator("#stop-camera").click()


def test_a_slow_network_drops_pictures_and_keeps_none_waiting(browser: Browser, running: RunningTable) -> None:
    context = phone(browser, running, "Mara")
    page = opened(context, f"{running.secure_address}/camera")
    sent: list[str] = []
    most = [0, 0]
    on_the_way: set[Any] = set()

    def begin(request: Any) -> None:
        if request.url.endswith("/api/camera/frames"):
            sent.append(request.url)
            on_the_way.add(request)
            most[0] = max(most[0], len(on_the_way))

    page.on("request", begin)
    page.on("requestfinished", lambda request: on_the_way.discard(request))
    page.on("requestfailed", lambda request: on_the_way.discard(request))
    network = context.new_cdp_session(page)
    slow = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
    network.send("Network.emulateNetworkConditions", slow)
    page.locator("#begin-camera").click()
    wait_for(running.table, lambda state: len(state.rolls) >= 1, timeout=90)
    told = sorted(die.face[0] for die in running.table.state.rolls[0].dice)
    assert told in faces()
    began, count = time.monotonic(), len(sent)
    page.wait_for_timeout(4_000)
    assert most[0] == 1
    assert 0 < (len(sent) - count) / (time.monotonic() - began) < 5
    network.send("Network.emulateNetworkConditions", slow | {"offline": True})
    expect(page.locator(".camera-head")).to_contain_text("The table is not reached")
    network.send("Network.emulateNetworkConditions", slow | {"offline": False})
    expect(page.locator(".camera-head")).to_contain_text("Tray camera")
    page.locator("#stop-camera").click()


def test_a_second_phone_asks_the_first_for_leave(browser: Browser, running: RunningTable) -> None:
    first = opened(phone(browser, running, "Mara"), f"{running.secure_address}/camera")
    first.locator("#begin-camera").click()
    expect(first.locator("#stop-camera")).to_be_visible()
    second = opened(phone(browser, running, "Jon"), f"{running.secure_address}/camera")
    second.locator("#begin-camera").click()
    expect(second.locator("#camera")).to_contain_text("Mara is the camera")
    first.get_by_text("No", exact=True).click()
    expect(first.locator(".camera-panel")).not_to_contain_text("wants to be the camera")
    expect(first.locator(".camera-panel")).to_contain_text("Jon wants to be the camera")  # it waits, and asks again
    first.get_by_text("Hand over").click()
    expect(second.locator("#stop-camera")).to_be_visible()
    expect(first.locator("#begin-camera")).to_be_visible()


def test_without_https_the_page_explains_the_one_warning_and_leads_on(browser: Browser, running: RunningTable) -> None:
    context = phone(browser, running, "Mara")
    assert running.network_address
    page = opened(context, f"{running.network_address}/camera")
    expect(page.locator("#camera")).to_contain_text("This phone has to join the table first.")
    (cookie,) = context.cookies()
    context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": running.network_address}])
    page.reload()
    page.locator("#go-secure").click()
    expect(page.locator(".warning-drawing")).to_be_visible()
    assert page.locator("#to-secure").get_attribute("href") == f"{running.secure_address}/camera"
    look(page, "camera-warning")
    told = context.request.get(f"{running.network_address}/tableside-authority.crt")
    assert told.headers["content-type"] == "application/x-x509-ca-cert"
    assert b"BEGIN CERTIFICATE" in told.body()
    assert b"PRIVATE" not in told.body()


def test_a_phone_that_is_replaced_says_so_lets_its_lens_go_and_comes_back_by_a_tap(
    browser: Browser, running: RunningTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the choice is written
    mara = phone(browser, running, "Mara")
    page = opened(mara, f"{running.secure_address}/camera")
    for _ in range(2):
        page.locator("#begin-camera").click()
        expect(page.locator(".camera-head")).to_contain_text("Tray camera")
        assert mara.request.post(f"{running.address}api/cameras?as=screen", data={"kind": "none"}).ok
        expect(page.locator("#camera [role=status]")).to_contain_text("Another camera was chosen")
        assert page.evaluate("document.getElementById('live').srcObject.active") is False
