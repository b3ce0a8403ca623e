"""The camera set up on the page: the tray found, a corner dragged, saved, and in force at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tableside.adapters.camera.port import Controls
from tableside.app import camera_setup
from tableside.app.calibrate import FOLDER
from tableside.app.running_table import RunningTable
from tests.browser.conftest import LANGUAGES, middle, running_table, watched
from tests.browser.test_accessible import faults
from tests.browser.test_forms import laid_out
from tests.fakes.sensor import FakeSensor
from tests.fakes.table import call
from tests.test_app_calibrate import CORNERS, bare_tray
from tests.until import until

SETTLED = {
    "camera": "", "view": None, "meters": None, "found": None, "made": None, "moving": False, "card": None,
    "good_light": [45, 230], "proofs": [], "throws": [], "throws_wanted": 3, "throws_advice": None,
}  # fmt: skip

PATIENCE = """
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => { window.patience = Math.max(window.patience ?? 0, ms); return timeout(ms); };"""
"""Keeps how many milliseconds the page waits for an answer at most."""
EXPOSED = Controls(exposure_us=9000, gain=2.0)


class Lockable(FakeSensor):
    """A sensor that can be locked."""

    held = Controls()

    def controls(self) -> Controls:
        return EXPOSED

    def lock(self, controls: Controls) -> None:
        self.held = controls


@pytest.fixture
def sensor() -> Lockable:
    return Lockable(bare_tray())


@pytest.fixture
def running(tmp_path: Path, sensor: Lockable) -> Iterator[RunningTable]:
    running = running_table(tmp_path, camera=sensor)
    yield running
    running.close()


def test_the_api_tells_what_the_camera_sees(running: RunningTable) -> None:
    status, now = call(running, "api/setup")
    assert status == 200
    assert (now["view"]["sensor"], now["view"]["shares"]) == ("imx708", [0.75, 1.0])
    assert [round(angle) for angle in now["view"]["field_deg"]] == [52, 41]


def test_what_is_saved_is_locked_kept_and_in_force(running: RunningTable, sensor: Lockable, tmp_path: Path) -> None:
    status, now = call(running, "api/setup", {"corners": None})
    assert status == 200
    assert np.abs(np.array(now["made"]["corners"]) - CORNERS).max() < 0.02
    assert sensor.held == EXPOSED
    assert (tmp_path / "data" / FOLDER / "fake-sensor.json").exists()
    status, now = call(running, "api/setup/adjust", {})
    assert (status, sensor.held) == (200, Controls())


NO_CORNERS: dict[str, object] = {
    "three": [[0, 0], [1, 0], [1, 1]],
    "a word": "a",
    "crossed": [[0, 0], [1, 1], [1, 0], [0, 1]],
    "outside": [[0, 0], [2, 0], [1, 1], [0, 1]],
    "one point": [[0, 0]] * 4,
}


def test_corners_that_are_no_tray_are_refused(running: RunningTable) -> None:
    for name, corners in NO_CORNERS.items():
        status, told = call(running, "api/setup", {"corners": corners})
        assert status == 400, name
        assert told["error"]["hint"], name


def test_a_bad_moment_says_what_to_do(running: RunningTable, sensor: Lockable) -> None:
    sensor.fault = "white"
    until(lambda: "lamp" in str(call(running, "api/setup")[1]["meters"]))  # white was seen
    status, told = call(running, "api/setup", {})
    assert status == 409
    assert "lamp" in told["error"]["hint"]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_finds_the_tray_and_a_corner_can_be_dragged(
    chromium: Browser, running: RunningTable, lang: str
) -> None:
    wrong: list[str] = []
    page = watched(chromium.new_page(viewport={"width": 800, "height": 960}), wrong)
    page.add_init_script(PATIENCE)
    page.goto(f"{running.address}setup?lang={lang}")
    expect(page.locator("#advice")).not_to_be_empty()
    expect(page.locator("#sees")).to_contain_text("52° x 41°")
    page.locator("#live[src*='picture']").wait_for()
    page.wait_for_function("() => document.getElementById('live').naturalWidth > 0")
    steps = page.locator("#steps li")
    expect(steps).to_have_count(4)
    expect(steps.nth(2)).not_to_have_attribute("data-done", "")
    page.locator("#find").click()
    handle = page.locator("#corners circle").first
    box = page.locator("#corners svg").bounding_box()
    assert box is not None
    x, y = middle(handle)
    assert ((x - box["x"]) / box["width"], (y - box["y"]) / box["height"]) == pytest.approx(CORNERS[0], abs=0.02)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.25 * box["height"], steps=4)
    page.mouse.up()
    page.locator("#corners circle").nth(1).press("ArrowLeft")
    page.locator("#save").click()
    expect(page.locator("#said")).to_contain_text("Saved" if lang == "en" else "Gespeichert")
    expect(steps.nth(2)).to_have_attribute("data-done", "")  # the empty tray is kept
    assert page.evaluate("window.patience") > 1000 * camera_setup._MOST_SECONDS  # a camera may give a picture a second
    laid_out(page, f"setup-{lang}")
    assert faults(page) == []
    page.set_viewport_size({"width": 800, "height": 480})
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)  # what is to be pressed lies on the screen
    kept = call(running, "api/setup")[1]["made"]["corners"]
    assert kept[0] == pytest.approx([0.2, 0.25], abs=0.01)
    assert kept[1][0] == pytest.approx(CORNERS[1][0] - 0.005, abs=0.01)
    page.close()
    assert wrong == []


def page_told(chromium: Browser, running: RunningTable, now: dict[str, Any], *, lang: str) -> Page:
    """Open the page, which is told this of the camera each time it asks."""
    page = chromium.new_page(viewport={"width": 800, "height": 480})
    page.route("**/api/setup", lambda route: route.fulfill(json=SETTLED | now))
    page.goto(f"{running.address}setup?lang={lang}")
    return page


@pytest.mark.slow
@pytest.mark.browser
def test_sharpness_is_said_in_words_against_the_sharpest_picture_seen(chromium: Browser, running: RunningTable) -> None:
    now: dict[str, Any] = {
        "camera": "made up", "view": None, "found": None, "made": None, "moving": False,
        "meters": {"sharpness": 1000.0, "level": 90.0, "bright": 0.0, "dark": 0.0, "advice": ""},
    }  # fmt: skip
    page = page_told(chromium, running, now, lang="en")
    word = page.locator("#sharpness-now")
    expect(word).to_have_text("?")  # of one picture alone nobody knows
    for sharpness, said in [(300.0, "Blurred"), (700.0, "Soft"), (950.0, "Sharp")]:
        now["meters"]["sharpness"] = sharpness
        expect(word).to_have_text(said)
        expect(page.locator("#sharpness-more")).to_contain_text(f"Now {sharpness / 10:.0f} % of the best so far.")
    step = page.locator("#steps li").nth(1)
    expect(step).to_have_attribute("data-done", "")
    now["meters"]["sharpness"] = 500.0
    expect(word).to_have_text("Soft")
    expect(step).not_to_have_attribute("data-done", "")
    page.close()


@pytest.mark.browser
def test_what_to_do_about_the_light_is_said_in_german(chromium: Browser, running: RunningTable) -> None:
    meters = {"sharpness": 800.0, "level": 10.0, "bright": 0.0, "dark": 0.9}
    now = {"camera": "made up", "view": None, "found": None, "made": None, "moving": False,
           "meters": meters | {"advice": "Too dark: add light."}}  # fmt: skip
    page = page_told(chromium, running, now, lang="de")
    expect(page.locator("#advice")).to_have_text("Zu dunkel: Gebt mehr Licht.")
    page.close()


@pytest.mark.slow
@pytest.mark.browser
def test_the_test_card_is_told_die_by_die(chromium: Browser, running: RunningTable) -> None:
    dice: list[dict[str, Any]] = [
        {"type": "pip", "face": ["5"], "at": [0.3, 0.3], "is_read": True},
        {"type": "ability", "face": ["advantage"], "at": [0.6, 0.3], "is_read": False, "doubt": "glare"},
    ]
    card = {"die_px": 54.4, "edge_mm": 0.8, "light": "", "dice": dice, "advice": [], "read": 1, "is_sharp": True}
    now: dict[str, Any] = {
        "camera": "made up", "view": None, "found": None, "made": None, "moving": False, "card": card,
        "meters": {"sharpness": 800.0, "level": 210.0, "bright": 0.0, "dark": 0.0, "advice": "Too bright"},
    }  # fmt: skip
    page = page_told(chromium, running, now, lang="de")
    caption = page.locator("#sees")
    expect(caption).to_contain_text("1 von 2 Würfeln gelesen. Ein 16-mm-Würfel ist 54 px breit.")
    expect(caption).to_contain_text("Fähigkeit: geblendet.")
    expect(page.locator("#corners circle[data-read='true']")).to_have_count(1)
    expect(page.locator("#corners circle[data-read='false']")).to_have_count(1)
    expect(page.locator("#advice")).to_have_text("Das Licht ist gut.")  # white paper is bright
    expect(page.locator("#sharpness-now")).to_have_text("Scharf")
    now["card"] = card | {"dice": dice[:1]}
    expect(caption).to_contain_text("Kamera, Schärfe und Lesen sind gut.")
    laid_out(page, "setup-card")
    page.close()


@pytest.mark.browser
def test_the_test_card_is_printed_in_its_true_size(chromium: Browser, running: RunningTable) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{running.address}setup/card?lang=fr")
    expect(page.locator("#front-words")).to_contain_text("100 %")
    for picture in ("front", "back"):
        page.wait_for_function(f"() => document.getElementById('{picture}').naturalWidth > 0")
    laid_out(page, "card")
    assert faults(page) == []
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    sheets = [[float(side) for side in box.split()] for box in re.findall(rb"/MediaBox *\[([^]]*)\]", pdf)]
    assert [[round(side * 25.4 / 72) for side in sheet[2:]] for sheet in sheets] == [[297, 210]] * 2
    page.close()


@pytest.mark.slow
@pytest.mark.browser
def test_three_throws_are_followed_and_say_what_they_would_change(chromium: Browser, running: RunningTable) -> None:
    meters = {"sharpness": 800.0, "level": 90.0, "bright": 0.0, "dark": 0.0, "advice": ""}
    small = "The tray fills {fill} % of the picture: bring the camera to {n} % of its height, or take a narrower lens."
    now: dict[str, Any] = {
        "camera": "made up", "view": None, "found": None, "moving": False, "card": None, "meters": meters,
        "made": {"corners": CORNERS, "meters": meters}, "throws": [], "throws_advice": None,
        "proofs": [
            {"part": "tray", "advice": "small", "words": {"advice": {"key": small, "values": {"fill": 30, "n": 50}}}},
            {"part": "noise", "advice": ""},
            {"part": "flicker", "advice": ""},
        ],
    }  # fmt: skip
    page = page_told(chromium, running, now, lang="de")
    expect(page.locator("#sees")).to_contain_text("! Tablett ✓ Rauschen ✓ Flackern")
    expect(page.locator("#sees")).to_contain_text("füllt 30 % des Bildes: Bringt die Kamera auf 50 %")
    said, step = page.locator("#said"), page.locator("#steps li").nth(3)
    throws: list[dict[str, Any]] = [
        {"dice": 5, "doubts": []},
        {"dice": 4, "doubts": ["glare"]},
        {"dice": 1, "doubts": []},
    ]
    now["throws"] = throws[:1]
    expect(said).to_have_text("5 Würfel gelesen. Wurf 2 von 3.")
    now["throws"] = throws[:2]
    expect(said).to_have_text("4 Würfel, davon 1 im Zweifel. Wurf 3 von 3.")
    expect(step).not_to_have_attribute("data-done", "")
    now["throws"] = throws
    now["throws_advice"] = {"advice": "Lamps are mirrored in the dice: spread their light."}
    expect(said).to_have_text("1 Würfel gelesen. Lampen spiegeln sich in den Würfeln: Streut ihr Licht.")
    expect(step).to_have_attribute("data-done", "")
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    laid_out(page, "setup-throws")
    page.close()
