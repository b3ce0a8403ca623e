"""A player's phone photographs the dice, and the table has the roll."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tableside import paths
from tableside.app.running_table import RunningTable
from tableside.table.kept import Photographers
from tableside.table.messages import ChooseGame
from tests.browser.conftest import Opens, artefacts, new_id
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SAMPLES = paths.samples_folder()


def test_a_photograph_of_a_phone_is_a_roll_and_the_same_one_is_refused(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    page = paired("player", "Vex").new_page()  # not watched by `opens`: a refusal is an error on its console
    page.goto(running.address.rstrip("/") + "/player")
    page.locator("body[data-ready]").wait_for()
    page.locator(".tabs button", has_text="Dice").click()
    page.screenshot(path=artefacts() / "player-photograph.png")
    photograph = page.locator("#photograph")
    assert photograph.get_attribute("capture") == "environment"
    photograph.set_input_files(SAMPLES / "roll-1.jpg")
    wait_for(running.table, lambda state: len(state.rolls) == 1)
    roll = running.table.state.rolls[0]
    assert (roll.source.value, roll.by) == ("photo", "Vex")
    assert roll.dice
    expect(photograph).to_be_enabled()
    photograph.set_input_files(SAMPLES / "roll-1.jpg")
    expect(page.locator("#toasts")).to_contain_text("this photograph was sent before")
    screen = opens("/", viewport={"width": 800, "height": 480})
    expect(screen.locator("body")).to_contain_text("by photograph")
    screen.screenshot(path=artefacts() / "screen-photograph.png")
    running.table.ask(ChooseGame(id=new_id(), at=1.0, photographs=Photographers.NOBODY))
    photograph.set_input_files(SAMPLES / "roll-4.jpg")
    expect(page.locator("#toasts")).to_contain_text("throws by photograph are switched off")
