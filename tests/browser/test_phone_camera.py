"""A phone's page is the tray's camera: what it sees is rolled, it sleeps and wakes, and says why it cannot be one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tableside.adapters.camera.kind import CameraSettings
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, ReaderSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore
from tableside.table.kept import Phase, Roll, TableState
from tests.browser.conftest import PHONE, look
from tests.conftest import ROOT
from tests.until import until
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WEBCAM = ROOT / "tests" / "photos" / "webcam"
PATIENCE = 120.0
"""Seconds that a busy machine may need to see what lies there."""
THROWN = ("WIN_20221211_13_07_14", "WIN_20221211_13_07_50", "WIN_20221211_13_09_04")
SIGHT = """
const picture = new Image();
const canvas = document.createElement("canvas");
let isUpright = false;
window.see = async (name, upright = false) => {
    const next = Object.assign(new Image(), { src: `/lens/${name}.jpg` });
    await next.decode();
    picture.src = next.src;
    await picture.decode();
    isUpright = upright;
};
const draw = () => {
    const [wide, high] = [picture.naturalWidth, picture.naturalHeight];
    Object.assign(canvas, isUpright ? { width: high, height: wide } : { width: wide, height: high });
    const context = canvas.getContext("2d");
    if (isUpright) context.setTransform(0, 1, -1, 0, high, 0);
    context.drawImage(picture, 0, 0);
    for (let n = 0; n < 99; n += 1) context.fillRect(wide * Math.random(), high * Math.random(), 1, 1);
};
if (navigator.mediaDevices) {  // only where the page is secure
    window.see("floor");
    setInterval(() => { if (picture.naturalWidth) draw(); }, 100);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}
"""
"""The page's camera sees what the test says. No sensor gives the same picture twice."""
LOCKED = """(isLocked) => {
    Object.defineProperty(document, "hidden", { value: isLocked, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LOST = """() => {
    const [track] = document.getElementById("live").srcObject.getTracks();
    track.stop();
    track.dispatchEvent(new Event("ended"));
}"""


@cache
def seen(address: str) -> bytes:
    """Return a picture. No photograph shows the floor empty, but no die lies twice at one place."""
    file = WEBCAM / address.rpartition("/")[2]
    if file.stem != "floor":
        return file.read_bytes()
    photographs = [cv2.imread(str(file)) for file in sorted(WEBCAM.glob("WIN_20221211_*.jpg"))]
    empty = np.median(np.stack(photographs), axis=0).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", empty, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])


def faces(name: str) -> list[str]:
    """Return what lies in a throw of real dice."""
    return sorted(die["face"][0] for die in json.loads((WEBCAM / f"{name}.json").read_text("utf-8"))["dice"])


def see(page: Page, running: RunningTable, name: str, *, is_upright: bool = False) -> TableState:
    """Let a phone see something else, and return the state once the table has seen it lie still."""
    rested = running.table.state.rested
    page.evaluate("([name, isUpright]) => window.see(name, isUpright)", [name, is_upright])
    return wait_for(running.table, lambda state: state.rested > rested, timeout=PATIENCE)


def throw(page: Page, running: RunningTable, name: str, *, is_upright: bool = False) -> Roll:
    """Let a phone see a throw on the empty floor, and return the roll, which is read right."""
    count = len(running.table.state.rolls)
    see(page, running, name, is_upright=is_upright)
    rolls = wait_for(running.table, lambda state: len(state.rolls) > count, timeout=PATIENCE).rolls
    assert sorted(die.face[0] for die in rolls[0].dice) == faces(name)
    see(page, running, "floor", is_upright=is_upright)
    return rolls[0]


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser, whose phones are gone after a test."""
    before = set(chromium.contexts)
    yield chromium
    for context in set(chromium.contexts) - before:
        context.close()


def stranger(browser: Browser) -> BrowserContext:
    """Return a phone that is not paired, and takes the table's certificate."""
    context = browser.new_context(viewport=PHONE, ignore_https_errors=True)
    context.add_init_script(f"{{{SIGHT}}}")
    context.route("**/lens/*", lambda route: route.fulfill(body=seen(route.request.url), content_type="image/jpeg"))
    return context


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


def test_three_throws_are_told_while_the_phone_is_turned_and_it_goes_on_after_it_was_locked(
    browser: Browser, running: RunningTable
) -> None:
    mara = stranger(browser)
    page = opened(mara, f"{running.secure_address}/pair?to=camera")
    page.locator("#pin").fill(pin_of(running, mara))
    page.locator("#begin-camera").click()
    expect(page.locator(".camera-head")).to_contain_text("Tray camera")

    wait_for(running.table, lambda state: state.rested > 0, timeout=PATIENCE)
    for name, is_upright in zip(THROWN, (False, True, False), strict=True):  # it is turned, and back
        if name != THROWN[0]:
            see(page, running, "floor", is_upright=is_upright)
        roll = throw(page, running, name, is_upright=is_upright)
        assert (roll.width < roll.height) is is_upright
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
    expect(page.locator(".camera-head")).to_contain_text("Tray camera")
    throw(page, running, THROWN[0])
    page.locator("#stop-camera").click()
    expect(page.locator("#begin-camera")).to_be_visible()
    wait_for(running.table, lambda state: state.phase is Phase.BY_HAND)


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
    wait_for(running.table, lambda state: state.rested > 0, timeout=PATIENCE)
    throw(page, running, THROWN[0])
    began, count = time.monotonic(), len(sent)
    until(lambda: page.evaluate("1") and len(sent) > count + 9, seconds=PATIENCE)
    assert most[0] == 1
    assert (len(sent) - count) / (time.monotonic() - began) < 5
    network.send("Network.emulateNetworkConditions", slow | {"offline": True})
    expect(page.locator(".camera-head")).to_contain_text("The table is not reached")
    network.send("Network.emulateNetworkConditions", slow | {"offline": False})
    expect(page.locator(".camera-head")).to_contain_text("Tray camera")
    page.locator("#stop-camera").click()


def test_a_second_phone_asks_the_first_for_leave_and_replaced_lets_its_lens_go_and_comes_back_by_a_tap(
    browser: Browser, running: RunningTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the choice is written
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
    for is_again in (False, True):
        if is_again:
            second.locator("#begin-camera").click()
        expect(second.locator(".camera-head")).to_contain_text("Tray camera")
        assert second.request.post(f"{running.address}api/cameras?as=screen", data={"kind": "none"}).ok
        expect(second.locator("#camera [role=status]")).to_contain_text("Another camera was chosen")
        assert second.evaluate("document.getElementById('live').srcObject.active") is False


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
