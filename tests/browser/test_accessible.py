"""Every page for people who cannot see or use it as others do: axe-core, keyboard, a sentence for the ear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tableside.app.table import RunningTable
from tableside.table.messages import EnterRoll
from tests.browser.conftest import Opens, add_players, new_id, roll

pytestmark = pytest.mark.browser
SMALL = {"width": 800, "height": 480}


def faults(page: Page) -> list[str]:
    """Return what axe-core finds wrong, of its rules for WCAG 2.2 A and AA and of its best practices."""
    found: dict[str, Any] = Axe().run(page).response
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("doubtful", [False, True])
def test_the_table_screen_is_clean(opens: Opens, running: RunningTable, scheme: str, doubtful: bool) -> None:
    roll(running, doubtful=doubtful)
    page = opens("/", viewport=SMALL, reduced_motion="reduce")
    page.evaluate("theme => localStorage.setItem('tableside.theme', theme)", scheme)
    page.reload()
    page.locator("#headline", has_text="Which face?" if doubtful else "Success").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize("dialog", ["#by-hand", "#menu"])
def test_its_dialogs_are_clean(opens: Opens, dialog: str) -> None:
    page = opens("/", viewport=SMALL, reduced_motion="reduce")
    page.locator(dialog).click()
    page.locator("#picker").wait_for()
    assert faults(page) == []


def test_the_pairing_dialog_is_clean(opens: Opens) -> None:
    page = opens("/", viewport=SMALL, reduced_motion="reduce")
    page.locator("#menu").click()
    page.get_by_text("Pair a player's phone").click()
    page.locator(".pin").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("role", ["gm", "player"])
def test_the_phone_pages_are_clean_in_every_section(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable, role: str, scheme: str
) -> None:
    from tableside.dice import Die

    add_players(running, "Vex")
    dice = (Die(type="ability", face=("success",)), Die(type="challenge", face=("despair",)))
    running.table.ask(EnterRoll(id=new_id(), at=1.0, dice=dice, by="Vex"))
    page = opens(f"/{role}", phone=paired(role, "Vex"))
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page.locator("#now .big").wait_for()
    for summary in page.locator("#now summary").all():
        summary.click()
    for place in range(page.locator(".tabs button").count()):
        page.locator(".tabs button").nth(place).click()
        page.wait_for_timeout(150)
        assert faults(page) == [], place


@pytest.mark.parametrize("path", ["/pair", "/overlay", "/?lang=de", "/?turn=180"])
def test_the_other_pages_are_clean(opens: Opens, running: RunningTable, path: str) -> None:
    page = opens(path, viewport=SMALL, reduced_motion="reduce")
    assert faults(page) == []


def test_the_keyboard_reaches_everything_and_settles_a_doubt(opens: Opens, running: RunningTable) -> None:
    roll_id = roll(running, doubtful=True)
    page = opens("/", viewport=SMALL)
    page.locator(".choice").first.wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('choice')"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.locator("#doubt").wait_for(state="hidden")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert settled.sure
    page.locator("#by-hand").focus()
    page.keyboard.press("Enter")
    page.locator("#picker").wait_for()
    page.keyboard.press("Escape")
    page.locator("#picker").wait_for(state="hidden")
    assert page.evaluate("document.activeElement.id") == "by-hand"


def test_a_result_is_read_out_as_one_sentence(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL)
    spoken = page.locator('#sentence[aria-live="polite"]')
    roll(running)
    expect(spoken).to_have_text(running_sentence(running))


def running_sentence(running: RunningTable) -> str:
    shown = running.table.state.roll
    assert shown is not None
    assert shown.sentence.startswith("Success")
    return shown.sentence
