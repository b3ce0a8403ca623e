"""A die taught on the page by somebody who has never seen it: two looks, names tapped, saved and listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tableside import paths
from tableside.app.running_table import RunningTable
from tableside.app.taught_sets import TaughtSets
from tableside.reader.photo import load_photo
from tests.browser.conftest import CLOSED_LATE, SIZES, resize, watched
from tests.browser.test_accessible import faults
from tests.browser.test_forms import laid_out
from tests.browser.test_layout import STREAM
from tests.browser.test_setup import Lockable, running, sensor  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WAIT_MS = 60_000
PHOTO = paths.samples_folder() / "roll-4.jpg"  # four dice of one make


def name(page: Page, text: str) -> None:
    """Tap a number, or make a new symbol."""
    if text.isdecimal():
        page.locator("#namer-choice .number", has_text=re.compile(f"^{text}$")).click()
    else:
        page.locator("#namer-choice form input").fill(text)
        page.locator("#namer-choice form button").click()
    page.locator("#take").click()


def look_at(page: Page, at: str) -> None:
    """See on the table's screen and on a phone that the page is laid out well and clean."""
    for size in (SIZES["table"], SIZES["phone"]):
        resize(page, size)
        laid_out(page, f"teach-{at}", scrolls=True)
    assert faults(page) == []


def test_a_die_is_taught_on_the_page(
    chromium: Browser,
    running: RunningTable,  # noqa: F811
    tmp_path: Path,
) -> None:
    """The page is the German one, of the longer words."""
    wrong: list[str] = []
    page = watched(chromium.new_page(), wrong)
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{running.address}setup/dice?lang=de")
    page.locator("#type").fill("Bone")
    page.locator("#type").press("Tab")
    expect(page.locator("#set")).to_have_value("my-bone")
    solids = page.locator(".solid use").evaluate_all("uses => uses.map((use) => use.getAttribute('href'))")
    assert len(set(solids)) == 6
    look_at(page, "begin")
    page.locator("#start").click()
    page.locator("#photo").set_input_files(PHOTO)
    expect(page.locator("#namer")).to_be_visible(timeout=WAIT_MS)
    look_at(page, "namer")
    page.go_back()
    expect(page.locator("#namer")).to_be_hidden()
    page.reload()
    page.locator(".group.asked").first.click()  # what was shown is kept
    expect(page.locator("#namer")).to_be_visible()
    for number, text in enumerate(["6", "Skull ", "3", "1"], start=1):
        name(page, text)
        expect(page.locator("#named .group")).to_have_count(number, timeout=WAIT_MS)
        if number < 4:
            expect(page.locator("#namer")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".face-sheet .slot")).to_have_count(6)
    expect(page.locator("#progress")).to_have_text("Zeigt eine andere Seite")
    expect(page.locator("body:not([aria-busy])")).to_be_visible(timeout=WAIT_MS)
    look_at(page, "named")
    page.wait_for_function("() => [...document.images].every((one) => one.complete)")  # they go with the draft
    page.locator("#save").click()
    expect(page.locator("#sets")).to_contain_text("my-bone", timeout=WAIT_MS)
    # the traced drawing reaches the page, and the die is drawn with it in its own colours
    expect(page.locator("#sets .die-drawing")).to_have_count(4)
    expect(page.locator("#symbols [id^=die-] use[href='#symbol-my-bone-skull']")).to_have_count(1)
    expect(page.locator("#symbol-my-bone-skull path")).to_have_count(1)
    look_at(page, "sets")
    page.reload()
    page.locator("#end-try").click()
    page.reload()
    page.locator("#begin").wait_for()
    page.close()
    assert [fault for fault in wrong if "400" not in fault] == []  # a look by itself at the empty tray was refused
    taught = TaughtSets(tmp_path / "data").load("my-bone")
    assert {face for kind in taught.dice_set.types for face in kind.faces} == {("6",), ("skull",), ("3",), ("1",)}
    assert "skull" in taught.drawings


HEARD = """async (told) => {
    const state = await (await fetch("/api/state")).json();
    for (const [phase, rested] of told) tell({ ...state, phase, rested });
}"""
"""Tells the page how the tray changes: phases, each with the revision with which the tray last came to rest."""


@pytest.fixture
def told(chromium: Browser, running: RunningTable) -> Iterator[Page]:  # noqa: F811
    """The page with a draft; what it hears of the tray, the test says."""
    page = watched(chromium.new_page(viewport={"width": 800, "height": 480}), [])
    page.add_init_script(f"({STREAM})()")
    page.goto(f"{running.address}setup/dice")
    page.locator("#type").fill("Bone")
    page.locator("#type").press("Tab")
    page.locator("#start").click()
    page.locator("#look").wait_for()
    yield page
    page.close()


def test_a_picture_is_taken_of_dice_that_came_to_rest_during_another_look(told: Page) -> None:
    held: list[Route] = []
    told.route("**/draft/pictures", lambda route: held.append(route))
    with told.expect_request("**/draft/pictures"):
        told.locator("#look").click()
    told.evaluate(HEARD, [["empty", 5], ["moving", 5], ["still", 8]])
    with told.expect_request("**/draft/pictures"):
        held[0].fulfill(json=told.evaluate("async () => (await fetch('/api/dice')).json()"))


def test_a_picture_is_taken_once_of_dice_that_lie_still_also_where_they_were_never_heard_moving(told: Page) -> None:
    """A page on a busy machine gets the newest state, and those before it never."""
    asked: list[str] = []
    told.on("request", lambda request: asked.append(request.url) if "pictures" in request.url else None)
    for count, heard in enumerate(([["still", 5]], [["still", 8]], [["moving", 8], ["still", 9]]), start=1):
        with told.expect_response("**/draft/pictures"):
            told.evaluate(HEARD, heard)
        told.locator("body:not([aria-busy])").wait_for()
        told.evaluate(HEARD, [heard[-1], heard[-1]])  # they were looked at
        assert len(asked) == count


def test_a_picture_is_taken_by_itself_when_the_dice_lie_still(
    chromium: Browser,
    running: RunningTable,  # noqa: F811
    sensor: Lockable,  # noqa: F811
    tmp_path: Path,
) -> None:
    wrong: list[str] = []
    page = watched(chromium.new_page(viewport={"width": 800, "height": 480}), wrong)
    page.add_init_script(CLOSED_LATE)  # the next question is there before the one before has told that it was closed
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{running.address}setup/dice")
    page.locator("#type").fill("Bone")
    page.locator("#type").press("Tab")
    page.locator("#start").click()
    page.locator("#look").click()
    expect(page.locator("#toasts")).to_contain_text("no die was seen")
    height, width = sensor.scene.shape[:2]
    sensor.scene = np.asarray(cv2.resize(load_photo(PHOTO), (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    for number, text in enumerate(["6", "5", "3", "1"], start=1):
        expect(page.locator("#namer")).to_be_visible(timeout=WAIT_MS)
        name(page, text)
        expect(page.locator("#named .group")).to_have_count(number, timeout=WAIT_MS)
    page.locator("#save").click()
    expect(page.locator("#sets")).to_contain_text("my-bone", timeout=WAIT_MS)
    page.close()
    assert [fault for fault in wrong if "400" not in fault] == []  # the look at the empty tray was refused
    assert len(TaughtSets(tmp_path / "data").load("my-bone").dice_set.types[0].faces) == 4
