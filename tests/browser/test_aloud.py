"""What happens is told to the ear: by one polite region, once, and by a browser's voices where somebody wants that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll, Undo
from tests.browser.conftest import Opens, artefacts, new_id, roll, throw

pytestmark = [pytest.mark.browser, pytest.mark.slow]
VOICES = """(count) => {
    window.said = [];
    const voices = Array.from({ length: count }, () => ({ name: "a voice", lang: "en" }));
    Object.defineProperty(window, "speechSynthesis", { value: {
        getVoices: () => voices, cancel() {}, addEventListener() {},
        speak: (one) => window.said.push([one.lang, one.text]),
    } });
}"""


def with_voices(page: Page, count: int = 1) -> None:
    page.add_init_script(f"({VOICES})({count})")
    page.reload()
    page.locator("body[data-ready]").wait_for()


def said(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate("window.said")
    return found


def test_the_screen_tells_each_thing_once_and_speaks_only_where_it_is_switched_on(
    opens: Opens, running: RunningTable
) -> None:
    page = opens("/", viewport={"width": 800, "height": 480})
    with_voices(page)
    told = page.locator("#aloud[aria-live=polite]")
    assert page.locator("[aria-live=polite]").count() == 1
    throw(running, ("ability", ("success", "success")), ("boost", ("advantage", "advantage")))
    expect(told).to_have_text("Success, 2 advantages.")
    assert said(page) == []
    page.locator("#menu").click()
    page.locator("[data-group=screen]").click()
    page.locator("#menu-aloud button").last.click()
    page.screenshot(path=artefacts() / "menu-aloud.png")
    page.keyboard.press("Escape")
    expect(told).to_have_text("Success, 2 advantages.")
    running.table.ask(CallRoll(id=new_id(), at=1.0, player="Oskara", label="Stealth", ask={"dice": {"ability": 2}}))
    expect(told).to_contain_text("Oskara: Stealth. ")
    throw(running, ("ability", ("advantage",)), ("ability", ()))
    expect(told).to_have_text("Oskara: Failure, advantage.")
    roll(running, doubtful=True)
    expect(told).to_have_text("Which face? The proficiency die is hard to read.")
    running.table.ask(Undo(id=new_id(), at=2.0))
    expect(told).to_have_text("Oskara: Failure, advantage.")
    texts = [text for _, text in said(page)]
    assert texts[0] == "Results are read out."
    assert [text[:12] for text in texts[1:]] == ["Oskara: Stea", "Oskara: Fail", "Which face? ", "Oskara: Fail"]
    page.reload()
    page.locator("body[data-ready]").wait_for()
    page.locator("#headline").wait_for()
    assert said(page) == []  # what was there is no news
    expect(told).to_have_text("")


def test_a_phone_speaks_its_language_and_says_where_a_browser_has_no_voices(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    page = opens("/player?lang=de", phone=paired("player", "Vex"))
    with_voices(page, 0)
    page.locator(".tabs button", has_text="Heute").click()
    page.locator("[data-row=this]").click()
    page.locator("#sheet [data-value=true]").click()
    expect(page.locator("#toasts")).to_contain_text("keine Stimmen")
    expect(page.locator("#sheet [data-value=true]")).to_have_attribute("aria-pressed", "false")
    with_voices(page)
    page.locator("[data-row=this]").click()
    page.locator("#sheet [data-value=true]").click()
    expect(page.locator("#sheet [data-value=true]")).to_have_attribute("aria-pressed", "true")
    throw(running, ("ability", ("success",)))
    expect(page.locator("#aloud")).to_have_text("Erfolg.")
    assert said(page)[-1] == ["de", "Erfolg."]
