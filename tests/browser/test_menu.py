"""The menu of the table screen: what was hard to find is three taps away, and nothing in it scrolls or is cut."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import ChooseGame
from tests.browser.conftest import CLOSED_LATE, LANGUAGES, SIZES, Opens, new_id, resize, throw
from tests.browser.test_forms import laid_out
from tests.browser.test_turns import add
from tests.table.test_turn import OSKARA, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def to(page: Page, group: str) -> None:
    page.locator("#menu").click()
    page.locator(f'.menu-rail [data-group="{group}"]').click()


@pytest.mark.parametrize(
    ("group", "row", "path"),
    [
        ("camera", "setup", "/setup"),
        ("camera", "teach", "/setup/dice"),
        ("camera", "card", "/setup/card"),
        ("more", "reference", "/lookup"),
        ("more", "about", "/help"),
    ],
)
def test_other_pages_are_three_taps_away_and_lead_back(page: Page, group: str, row: str, path: str) -> None:
    to(page, group)
    page.locator(f'[data-row="{row}"]').click()
    page.wait_for_url(f"**{path}")
    page.locator("#way-back .icon").wait_for()
    page.locator("#way-back").click()
    expect(page.locator("#headline")).to_be_visible()
    expect(page.locator("#sheet")).to_be_hidden()


def test_the_game_is_changed_with_taps_and_a_second_one_changes_nothing(page: Page, running: RunningTable) -> None:
    for pressed in ("false", "true"):
        page.locator("#menu").click()
        page.locator('[data-row="game"]').click()
        chosen = page.locator('#sheet [data-game="heroic"]')
        expect(chosen).to_have_attribute("aria-pressed", pressed)
        chosen.click()
        wait_for(running.table, lambda state: state.setup.game == "heroic")
        expect(page.locator("#sheet")).to_be_hidden()
    assert running.table.state.last_change is not None
    assert sum(change.kind == "game" for change in running.table.state.changes) == 1


def test_a_menu_that_is_opened_again_at_once_outlives_the_end_of_the_one_before(page: Page) -> None:
    page.evaluate(CLOSED_LATE)
    for closings in (1, 2):
        to(page, "phones")
        page.locator(".menu-head .close").click()
        page.locator("#menu").click()
        page.wait_for_function("closings => window.closings === closings", arg=2 * closings - 1)
        page.locator('.menu-rail [data-group="camera"]').click()
        expect(page.locator(".menu-pane")).to_have_attribute("data-group", "camera")
        page.locator(".menu-head .close").click()
        page.wait_for_function("closings => window.closings === closings", arg=2 * closings)


def test_a_roll_of_the_log_is_opened_and_back_closes_the_menu(page: Page, running: RunningTable) -> None:
    throw(running, ("ability", ("success",)))
    throw(running, ("difficulty", ("failure",)))
    page.locator("#menu").click()
    page.go_back()
    expect(page.locator("#sheet")).to_be_hidden()
    page.locator("#menu").click()
    page.locator('[data-row="log"]').click()
    page.locator("[data-roll]").last.click()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "past")


def test_an_older_change_is_taken_back_from_the_menu_and_had_again(page: Page, running: RunningTable) -> None:
    throw(running, ("ability", ("success",)))
    throw(running, ("difficulty", ("failure",)))
    rows = page.locator(".menu-row[data-change]")
    for sign, left in (("Undo", 1), ("Redo", 2), ("Undo", 1)):
        page.locator("#menu").click()
        page.locator('[data-row="log"]').click()
        page.locator('#menu-log [data-value="changes"]').click()
        rows.filter(has_text="Rolled: Success").get_by_label(re.compile(f"^{sign}: ")).last.click()
        wait_for(running.table, lambda state, left=left: len(state.rolls) == left)  # type: ignore[misc]
        expect(page.locator("#sheet")).to_be_hidden()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_log_is_laid_out_well(opens: Opens, running: RunningTable, lang: str) -> None:
    for _ in range(4):
        throw(running, *[("ability", ("success",))] * 3, *[("difficulty", ("threat",))] * 2)
    page = opens(f"/?lang={lang}", viewport={"width": 800, "height": 480}, reduced_motion="reduce")
    page.locator("#menu").click()
    page.locator('[data-row="log"]').click()
    for shown in ("log", "changes"):
        for size in ("table", "television"):
            resize(page, SIZES[size])
            laid_out(page, f"menu-{shown}-{lang}-{size}")
        page.locator('#menu-log [data-value="changes"]').click()
        page.locator(".menu-row[data-change]").first.wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_group_is_laid_out_well(opens: Opens, running: RunningTable, lang: str) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    for person in (OSKARA, {**OSKARA, "name": "Lowhhrick Würfelzähler der 3"}, TROOPERS):
        add(running, person)
    page = opens(f"/?lang={lang}", viewport={"width": 800, "height": 480}, reduced_motion="reduce")
    page.locator("#menu").click()
    sizes = [SIZES[size] for size in ("table", "laptop", "television", "phone")]
    for group in ("tonight", "phones", "camera", "screen", "more"):
        page.locator(f'.menu-rail [data-group="{group}"]').click()
        for size in sizes:
            resize(page, size)
            laid_out(page, f"menu-{group}-{lang}")
    for group, row in (("tonight", "cast"), ("screen", "language"), ("more", "connections"), ("tonight", "game")):
        page.locator(f'.menu-rail [data-group="{group}"]').click()
        page.locator(f'[data-row="{row}"]').click()
        for size in sizes:
            resize(page, size)
            laid_out(page, f"menu-{row}-{lang}")
