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
    expect(page.locator("#pane-dice")).to_contain_text("The game master has switched photographs off.")
    expect(photograph).to_be_disabled()


def test_a_die_in_doubt_is_settled_on_the_phone_before_the_photograph_counts(
    paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    page = paired("player", "Vex").new_page()
    page.goto(running.address.rstrip("/") + "/player")
    page.locator(".tabs button", has_text="Dice").click()
    page.locator("#photograph").set_input_files(SAMPLES / "roll-7.jpg")
    sheet = page.locator("#sheet")
    expect(sheet.locator(".photo-asks")).to_have_text("Which face?")
    expect(sheet.locator("polygon")).to_have_count(4)
    answers = sheet.locator(".photo-answer")
    expect(answers).to_have_count(3)
    expect(page.locator("#send-photo")).to_contain_text("Send: ")
    page.screenshot(path=artefacts() / "player-photograph-doubt.png")
    assert not running.table.state.rolls
    second = answers.nth(1).get_attribute("aria-label") or ""
    answers.nth(1).click()
    expect(answers.nth(1)).to_have_attribute("aria-pressed", "true")
    sheet.locator(".photo-die").first.click()
    sheet.locator("#no-die").click()
    expect(sheet.locator(".photo-die[data-gone]")).to_have_count(1)
    page.locator("#send-photo").click()
    expect(sheet).not_to_be_visible()
    (roll,) = running.table.state.rolls
    assert (roll.sure, len(roll.dice), len(roll.dismissed)) == (True, 3, 1)
    (told,) = [die for die in roll.dice if die.original]
    assert told.original
    assert second.startswith("Difficulty: ")
    assert told.face != told.original.face
    page.locator("#photograph").set_input_files(SAMPLES / "roll-7.jpg")
    expect(page.locator("#toasts")).to_contain_text("this photograph was sent before")


def test_the_game_master_says_who_may_send_photographs_and_sends_one(
    paired: Callable[[str, str], BrowserContext], opens: Opens, running: RunningTable
) -> None:
    page = opens("/gm", phone=paired("gm", "Mara"))
    page.locator(".tabs button", has_text="Tonight").click()
    page.locator("[data-row=camera]").click()
    page.locator("#sheet [data-value=asked]").click()
    wait_for(running.table, lambda state: state.setup.photographs is Photographers.ASKED)
    page.locator("#sheet .done").click()
    page.locator("#photograph").set_input_files(SAMPLES / "roll-1.jpg")
    wait_for(running.table, lambda state: len(state.rolls) == 1)
