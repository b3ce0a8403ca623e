"""The camera is chosen on the page: it is tried at once, and a phone is led to be it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tableside.adapters.camera.kind import CameraSettings
from tableside.app.running_table import RunningTable
from tableside.config import NAME, PinSettings, Settings, TableSettings, WebSettings, load_settings
from tableside.table import MemoryStore
from tests.browser.conftest import SIZES, Opens, look
from tests.fakes.network_camera import NetworkFake, served
from tests.fakes.tray import DrawnReader, draw_tray

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    settings = Settings(
        camera=CameraSettings(kind="none"), table=TableSettings(data=tmp_path / "data"),
        web=WebSettings(host="0.0.0.0", port=0, tls_port=0), pins=PinSettings(factory="none"), file=tmp_path / NAME,
    )  # fmt: skip
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader())
    running.start()
    yield running
    running.close()


def test_an_address_is_tried_at_once_and_another_choice_follows(
    opens: Opens, running: RunningTable, tmp_path: Path
) -> None:
    size = SIZES["laptop"]
    page = opens("/setup?as=screen", viewport={"width": size[0], "height": size[1]})
    cameras = page.locator("#cameras button")
    expect(cameras.first).to_be_visible()  # without a camera the choice is open
    expect(page.locator("#cameras [data-kind=none]")).to_have_attribute("aria-pressed", "true")
    page.locator("#cameras [data-kind=network]").click()
    with served(NetworkFake(lambda number: draw_tray(("green", 60 + number % 3, 60)))) as address:
        page.locator("#network-url").fill(f"{address}/stream")
        page.locator("#network-try").click()
        expect(page.locator("#cameras [data-kind=network]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#live")).to_be_visible()
        look(page, "which-camera")
        assert load_settings(tmp_path / NAME).camera.kind == "network"
        # What is asked of the camera while it is taken away would be refused.
        page.route("**/api/setup/picture*", lambda route: route.fulfill(body="<svg/>", content_type="image/svg+xml"))
        page.locator("#which summary").click()
        page.locator("#cameras [data-kind=none]").click()
        expect(page.locator("#cameras [data-kind=none]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("body[data-no-camera]")).to_be_attached()
    assert load_settings(tmp_path / NAME).camera.kind == "none"


@pytest.mark.parametrize("name", ["table", "laptop", "television"])
def test_the_menu_leads_a_phone_to_be_the_camera(opens: Opens, running: RunningTable, name: str) -> None:
    size = SIZES[name]
    page = opens("/", viewport={"width": size[0], "height": size[1]})
    page.locator(".host-code, .host-alone").wait_for()
    pin = pin_of(running)
    page.locator("#menu").click()
    page.locator("[data-group=phones]").first.click()
    expect(page.locator(".menu .pin")).to_have_text(f"{pin[:3]} {pin[3:]}")  # the host's own PIN stays the one
    page.locator("[data-group=camera]").first.click()
    page.locator(".menu-row", has_text="Use a phone").click()
    expect(page.locator(".menu .camera-code .qr")).to_be_visible()
    assert running.secure_address
    look(page, f"menu-phone-camera-{name}")
    assert pin_of(running) == pin


def pin_of(running: RunningTable) -> str:
    with urllib.request.urlopen(f"{running.address}api/pairing", timeout=10) as answer:
        return str(json.load(answer)["pin"])
