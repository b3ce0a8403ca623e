"""The pages of a table without a camera: no warning, and entry by hand at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tableside.app.running_table import RunningTable
from tableside.table import MemoryStore
from tests.browser.conftest import look, watched
from tests.whole.test_by_hand import settings_in

pytestmark = pytest.mark.browser


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(settings_in(tmp_path), store=MemoryStore())
    running.start()
    yield running
    running.close()


def test_a_table_without_a_camera_offers_entry_by_hand(chromium: Browser, running: RunningTable) -> None:
    wrong: list[str] = []
    page = watched(chromium.new_page(viewport={"width": 800, "height": 480}), wrong)
    page.goto(running.address)
    page.locator('#stage[data-phase="by_hand"]').wait_for()
    expect(page.locator("#stage")).to_contain_text("No camera")  # the host's first step
    expect(page.locator("#stage")).to_contain_text("by hand")
    expect(page.locator("#trouble")).to_have_count(0)
    look(page, "by-hand")
    page.locator("#by-hand").click()
    page.locator("dialog[open]").wait_for()
    page.goto(running.address + "setup")
    expect(page.locator("#advice")).to_contain_text("The camera is switched off in the settings")
    expect(page.locator("#save")).to_be_hidden()
    page.close()
    assert wrong == []


def test_a_pool_that_is_typed_asks_for_each_of_its_dice(chromium: Browser, running: RunningTable) -> None:
    wrong: list[str] = []
    page = watched(chromium.new_page(viewport={"width": 800, "height": 480}), wrong)
    page.goto(running.address)
    page.locator("#by-hand").click()
    page.locator("dialog .pool-text").fill("1y 2p")
    page.locator("dialog .pool-text").press("Enter")
    chosen = page.locator('dialog .type[aria-pressed="true"]')
    for name in ("proficiency", "difficulty", "difficulty"):
        expect(chosen).to_have_attribute("data-type", name)
        page.locator("dialog .choice").nth(1).click()
    look(page, "by-hand-pool")
    page.locator("dialog .finish .primary").click()
    page.locator('#stage[data-kind="result"]').wait_for()
    roll = running.table.state.roll
    assert roll is not None
    assert [die.type for die in roll.dice] == ["proficiency", "difficulty", "difficulty"]
    page.close()
    assert wrong == []
