"""A phone's page is the tray's camera: what it sees is rolled, it sleeps and wakes, and says why it cannot be one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from tableside.app.running_table import RunningTable
from tableside.config import CameraSettings, PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore
from tableside.table.kept import Phase
from tests.browser.conftest import QUIET, SIZES, artefacts
from tests.browser.lens import film, flags
from tests.conftest import CHROMIUM
from tests.fakes.tray import DrawnReader, draw_tray
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
THROWS = ([("green", 100, 100)], [("yellow", 200, 150), ("green", 90, 60)], [("purple", 160, 120)])


@pytest.fixture
def phones(browsers: BrowserType, tmp_path: Path) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers with a camera that plays the film."""
    empty = draw_tray(size=(640, 480))
    shown = [(picture, 90) for dice in THROWS for picture in (empty, draw_tray(*dice, size=(640, 480)))]
    lens = flags(film(tmp_path / "tray.mjpeg", shown))
    browser = browsers.launch(executable_path=CHROMIUM, args=[*QUIET, *lens])

    def phone(running: RunningTable, name: str) -> BrowserContext:
        size = SIZES["phone"]
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        offer = context.request.post(f"{running.address}api/pairing?as=screen", data={"role": "player"}).json()
        assert context.request.post(f"{running.address}api/pair", data={"pin": offer["pin"], "name": name}).ok
        return context

    yield phone
    browser.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    settings = Settings(
        camera=CameraSettings(kind="none"),
        table=TableSettings(data=tmp_path / "data"),
        web=WebSettings(host="0.0.0.0", port=0, tls="own", tls_port=0),
        pins=PinSettings(factory="none"),
    )
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader())
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


def test_three_throws_are_told_the_phone_sleeps_wakes_and_stops(
    phones: Callable[..., BrowserContext], running: RunningTable
) -> None:
    context = phones(running, "Mara")
    page = opened(context, running.address + "camera")
    page.screenshot(path=artefacts() / "camera-begin.png")
    page.locator("#begin-camera").click()
    expect(page.locator(".camera-head")).to_contain_text("Tray camera")
    wait_for(running.table, lambda state: len(state.rolls) >= 3, timeout=60)
    counts = {len(roll.dice) for roll in running.table.state.rolls}
    assert counts == {1, 2}
    page.screenshot(path=artefacts() / "camera-on.png")
    page.close()  # a locked phone's page stands still
    wait_for(running.table, has_trouble("is asleep"))
    page = opened(context, running.address + "camera")
    page.locator("#begin-camera").click()
    wait_for(running.table, lambda state: not has_trouble("is asleep")(state))
    page.locator("#stop-camera").click()
    expect(page.locator("#begin-camera")).to_be_visible()
    wait_for(running.table, lambda state: state.phase is Phase.BY_HAND)


def test_a_second_phone_asks_the_first_for_leave(phones: Callable[..., BrowserContext], running: RunningTable) -> None:
    first = opened(phones(running, "Mara"), running.address + "camera")
    first.locator("#begin-camera").click()
    expect(first.locator("#stop-camera")).to_be_visible()
    second = opened(phones(running, "Jon"), running.address + "camera")
    second.locator("#begin-camera").click()
    expect(second.locator("#camera")).to_contain_text("Mara is the camera")
    first.get_by_text("Hand over").click()
    expect(second.locator("#stop-camera")).to_be_visible()
    expect(first.locator("#begin-camera")).to_be_visible()


def test_without_https_the_page_explains_the_one_warning_and_leads_on(
    phones: Callable[..., BrowserContext], running: RunningTable
) -> None:
    context = phones(running, "Mara")
    assert running.network_address
    page = opened(context, f"{running.network_address}/camera")
    expect(page.locator("#camera")).to_contain_text("This phone has to join the table first.")
    (cookie,) = context.cookies()
    context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": running.network_address}])
    page.reload()
    page.locator("#go-secure").click()
    expect(page.locator(".warning-drawing")).to_be_visible()
    assert page.locator("#to-secure").get_attribute("href") == f"{running.secure_address}/camera"
    page.screenshot(path=artefacts() / "camera-warning.png")
    told = context.request.get(f"{running.network_address}/tableside-authority.crt")
    assert told.headers["content-type"] == "application/x-x509-ca-cert"
    assert b"BEGIN CERTIFICATE" in told.body()
    assert b"PRIVATE" not in told.body()
