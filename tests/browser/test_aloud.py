"""What happens is told to the ear: by one polite region, once, and by a browser's voices where somebody wants that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tableside import paths
from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll, ChangePerson, Undo
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


def heard(page: Page) -> str:
    """Return what a screen reader has of a page: each role with its name, as chromium tells assistive technology."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return "\n".join(
        f"{node['role']['value']} {node.get('name', {}).get('value', '')}" for node in nodes if not node["ignored"]
    )


def test_a_turn_on_a_phone_is_whole_for_a_screen_reader(
    paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    skills = [{"name": "Stealth", "ask": {"characteristic": 3, "skill": 2}}]
    trackers = {"wounds": {"value": 4, "most": 13}}
    person = {"id": "vex", "name": "Vex", "kind": "player", "game": "narrative", "skills": skills, "trackers": trackers}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do="add", person=person))
    phone = paired("player", "Jon")
    assert phone.request.post(f"{running.address}api/me", data={"person": "vex", "takes_over": False}).ok
    page = phone.new_page()
    page.goto(running.address + "player")
    told = page.locator("#aloud")
    page.get_by_role("button", name="Wounds: more").click()
    expect(told).to_have_text("Wounds: 5 of 13")
    assert "button Stealth 2 Proficiency, 1 Ability" in heard(page)
    page.get_by_role("button", name="Stealth").click()
    expect(told).to_contain_text("Vex: Stealth. Throw ")
    throw(running, ("ability", ("success",)), ("proficiency", ("triumph",)), ("proficiency", ()))
    expect(told).to_contain_text("Vex: ")
    assert "region My last result" in heard(page)
    page.locator(".tabs button", has_text="Dice").click()
    page.locator("#photograph").set_input_files(paths.samples_folder() / "roll-7.jpg")
    page.locator("#doubt .photo-answer").first.wait_for()
    tree = heard(page)
    assert "dialog Photograph my dice. Which face? " in tree
    assert "status " in tree
    assert tree.count("(not sure)") == 1
    page.locator("#doubt .photo-answer").first.click()
    assert "(not sure)" not in heard(page)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#sheet")).not_to_be_visible()
    assert len(running.table.state.rolls) == 2
