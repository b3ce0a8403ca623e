"""Every page for people who cannot see or use it as others do: axe-core, keyboard, a sentence for the ear."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Die
from tableside.table.messages import CallRoll, EnterRoll, Undo
from tests.browser.conftest import Opens, add_players, look, new_id, roll

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SMALL = {"width": 800, "height": 480}


CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""What another colour scheme can change of a page that was looked at whole."""
FAULTS = """async (options) => (await axe.run(options)).violations.flatMap(
    (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`))"""


def faults(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """Return what axe-core finds wrong, of its rules for WCAG 2.2 A and AA and of its best practices."""
    page.emulate_media(reduced_motion="reduce")  # half a fade has no contrast
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(FAULTS, {"resultTypes": ["violations"], **(options or {})})
    return found


def choose_theme(page: Page, theme: str) -> None:
    """Choose it as another page of this browser would."""
    choose = "one => { localStorage.setItem('tableside.theme', one); dispatchEvent(new Event('storage')); }"
    page.evaluate(choose, theme)


UNMARKED = """() => [...document.querySelectorAll("button, meter")].flatMap((one) => {
    if (!one.checkVisibility()) return [];
    const width = parseFloat(getComputedStyle(one).borderBottomWidth);
    const isChosen = one.matches(".primary, [aria-current], [aria-pressed=true]");
    return width < 1 || (isChosen && width < 2) ? [one.id || one.textContent] : [];
})"""
"""Finds buttons that nothing but a colour shows to be buttons, and chosen ones that only a colour tells."""


def look_at(page: Page, at: Any) -> None:
    """Look at a page whole in the light, and in the dark and in forced colours at what these can change."""
    for theme, options in (("light", None), ("dark", CONTRAST)):
        choose_theme(page, theme)
        assert faults(page, options) == [], (at, theme)
    page.emulate_media(forced_colors="active")
    assert page.evaluate(UNMARKED) == [], at
    look(page, f"forced-{at}")
    page.emulate_media(forced_colors="none")


def test_the_table_screen_and_what_its_tools_open_is_clean(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL, reduced_motion="reduce")
    for doubtful, headline in ((False, "Success"), (True, "Which face?")):
        roll(running, doubtful=doubtful)
        page.locator("#headline", has_text=headline).wait_for()
        look_at(page, headline)
    running.table.ask(Undo(id=new_id(), at=time.time()))  # the doubt, which would stay before what is thrown next
    page.locator("#by-hand").click()
    page.locator(".hand").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.locator("#menu").click()
    page.locator("dialog[open]").wait_for()
    assert faults(page) == []
    for group in page.locator(".menu-rail button").all():
        group.click()
        assert faults(page) == [], group.inner_text()


@pytest.mark.parametrize("role", ["gm", "player"])
def test_the_phone_pages_are_clean_in_every_section(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable, role: str
) -> None:
    add_players(running, "Vex")
    dice = (Die(type="ability", face=("success",)), Die(type="challenge", face=("despair",)))
    running.table.ask(EnterRoll(id=new_id(), at=1.0, dice=dice, by="Vex"))
    page = opens(f"/{role}", phone=paired(role, "Vex"))
    page.locator("#roll-more, #now-card").first.wait_for()
    for summary in page.locator("summary:visible").all():
        summary.click()
    places = page.locator(".tabs button, .my-head [aria-pressed]")
    for place in range(places.count()):
        places.nth(place).click()
        expect(places.nth(place)).to_have_attribute("aria-current" if role == "gm" else "aria-pressed", "true")
        look_at(page, f"{role}-{place}")


def test_the_other_pages_are_clean(opens: Opens) -> None:
    phone = None
    for path in ("/pair", "/overlay", "/lookup", "/help/pi?lang=de", "/?lang=de", "/?turn=180"):
        page = opens(path, phone=phone, viewport=SMALL, reduced_motion="reduce")
        phone = page.context  # which has the pages' files by now
        assert faults(page) == [], path
        page.close()
    for path in ("/setup", "/setup/dice", "/hall"):
        page = opens(path, phone=phone, viewport=SMALL, forced_colors="active", waits=False)
        page.locator("h1").first.wait_for()
        assert page.evaluate(UNMARKED) == [], path


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
    page.locator(".hand").wait_for()
    expect(page.locator(".face-key").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".hand")).to_have_count(0)
    expect(page.locator("#by-hand")).to_be_focused()


LEAST_CONTRAST = 3.0  # of a shape against what it lies on or beside: WCAG 2.2, 1.4.11
SAME_SHAPE = 0.9  # so much of two symbols may be the same


def grey(page: Page, selector: str) -> np.ndarray:
    """Return what somebody sees of an element who sees no colours, as grey levels."""
    shot = cv2.imdecode(np.frombuffer(page.locator(selector).first.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    return cv2.cvtColor(shot, cv2.COLOR_BGR2GRAY)


def contrast(one: float, other: float) -> float:
    """Return the contrast of two grey levels by WCAG 2.2."""
    light = [(level / 255 / 12.92) if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4 for level in (one, other)]
    return (max(light) + 0.05) / (min(light) + 0.05)


def middle(picture: np.ndarray) -> float:
    height, width = picture.shape
    return float(np.median(picture[height // 3 : 2 * height // 3, width // 3 : 2 * width // 3]))


def test_who_sees_no_colour_tells_points_dice_and_symbols_apart(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport=SMALL, reduced_motion="reduce")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    for scheme in ("light", "dark"):
        choose_theme(page, scheme)
        tell_apart(page, running)
        look(page, f"no-colour-{scheme}")


def tell_apart(page: Page, running: RunningTable) -> None:
    """Show a call and a roll, and see that points, dice and symbols differ in more than their colour."""
    answers = {"characteristic": 3, "skill": 2, "difficulty": "average", "boost": 1, "setback": 1}
    running.table.ask(CallRoll(id=new_id(), at=time.time(), ask=answers, player="Vex"))
    page.locator(".pool-die").first.wait_for()
    tokens = {side: middle(grey(page, f'.token[data-side="{side}"] svg')) for side in ("light", "dark")}
    assert contrast(*tokens.values()) >= LEAST_CONTRAST
    rim = grey(page, '.token[data-side="light"] svg')
    edge, ground = rim[rim.shape[0] // 2], float(rim[0, 0])
    assert max(contrast(float(level), ground) for level in edge[: len(edge) // 4]) >= LEAST_CONTRAST
    # dice of one shape: what helps and what hinders
    for helps, hinders in (("ability", "difficulty"), ("boost", "setback")):
        levels = [middle(grey(page, f'.pool-die [data-type="{name}"]')) for name in (helps, hinders)]
        assert contrast(*levels) >= LEAST_CONTRAST - 0.5, (helps, levels)
    running.table.ask(CallRoll(id=new_id(), at=time.time()))  # the dice below are not those of the call
    dice = (Die(type="proficiency", face=("triumph",)), Die(type="challenge", face=("despair",)))
    more = (Die(type="ability", face=("success", "advantage")), Die(type="ability", face=("success", "advantage")))
    running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=(*dice, *more)))
    page.locator("#net .glyph").nth(2).wait_for()
    names = [one.get_attribute("data-symbol") for one in page.locator("#net .net-item").all()]
    shapes = {name: cv2.resize(grey(page, f'#net [data-symbol="{name}"] .glyph'), (48, 48)) for name in names}
    for one, other in combinations(names, 2):
        ink = [np.abs(shapes[name].astype(int) - int(shapes[name][0, 0])) > 40 for name in (one, other)]
        alike = np.count_nonzero(ink[0] & ink[1]) / np.count_nonzero(ink[0] | ink[1])
        assert alike < SAME_SHAPE, (one, other)
    assert len(names) >= 3
    running.table.ask(Undo(id=new_id(), at=1.0))
