"""What happens is told to the ear: by one polite region, once, and by a browser's voices where somebody wants that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tableside import paths
from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll, ChangePerson, DoPerson, Undo
from tests.browser.conftest import Opens, look, new_id, own_table, roll, throw
from tests.browser.test_fight import cast, person, throw_all
from tests.browser.test_phones import tab
from tests.until import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
running = own_table
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
    look(page, "menu-aloud")
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
    page.locator("#to-tonight").click()
    page.locator("[data-row=this]").click()
    page.locator("#sheet [data-value=true]").first.click()  # a phone that buzzes has one more switch
    expect(page.locator("#toasts")).to_contain_text("keine Stimmen")
    expect(page.locator("#sheet [data-value=true]").first).to_have_attribute("aria-pressed", "false")
    with_voices(page)  # loads the page anew, whose sheet is open again
    page.locator("#sheet [data-value=true]").first.click()  # a phone that buzzes has one more switch
    expect(page.locator("#sheet [data-value=true]").first).to_have_attribute("aria-pressed", "true")
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
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))
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
    throw(running, ("ability", ("success",)), ("proficiency", ("triumph",)), ("proficiency", ()),
          ("difficulty", ()), ("difficulty", ()))  # fmt: skip
    until(lambda: "heading SUCCESS" in heard(page))
    page.locator("#photograph").set_input_files(paths.samples_folder() / "roll-7.jpg")
    page.locator("#doubt .answer-card").first.wait_for()
    until(lambda: heard(page).count("(not sure)") == 1)
    tree = heard(page)
    assert "dialog Photograph my dice. Which face? " in tree
    assert "status " in tree
    page.locator("#doubt .answer-card").first.click()
    until(lambda: "(not sure)" not in heard(page))
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#sheet")).not_to_be_visible()
    assert len(running.table.state.rolls) == 2


PRESSED = ("button", "switch", "checkbox", "combobox", "textbox", "spinbutton", "link")


def unclear(page: Page) -> list[str]:
    """Return what can be pressed or filled whose name has no word, or is that of another."""
    names = Counter(line for line in heard(page).splitlines() if line.split(" ")[0] in PRESSED)
    return [line for line, n in names.items() if n > 1 or not re.search(r"[^\W\d]", line.partition(" ")[2])]


def test_every_button_of_a_fight_has_a_name_of_its_own_on_all_pages(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    cast(running, "narrative")
    vex, shooter = person(running, "Vex"), person(running, "Sergeant")
    rifle = {"name": "Rifle", "skill": "Blaster", "ask": {"attack": "ranged", "range": "close", "damage": 8}}
    running.table.ask(
        ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person={"id": shooter.id, "weapons": [rifle]})
    )
    page, screen = opens("/gm", phone=paired("gm", "Gim")), opens("/", viewport={"width": 800, "height": 480})

    def look(at: str) -> None:
        assert (unclear(page), unclear(screen)) == ([], []), at

    for name in ("Cast", "Log", "Tonight", "Now"):
        tab(page, name)
        look(name)
    page.locator("#fight-begins").click()
    look("begin")
    page.locator("#fight-call").click()
    expect(page.locator("#headline")).to_contain_text("throws")
    look("initiative")
    throw_all(running)
    page.locator('[data-also="pass"]').click()
    expect(page.locator("#order [aria-current]")).to_contain_text("Vex")
    look("order")
    page.locator("#fight-more").click()
    look("more")
    page.locator('[data-choice="add"]').click()
    look("add")
    page.locator("#sheet .done").click()
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=shooter.id, weapon="Rifle", against=vex.id))
    expect(screen.locator("#headline")).to_contain_text("Sergeant")
    look("call")
    throw(
        running, ("ability", ("success",)), ("ability", ("success",)), ("ability", ("advantage",)), ("difficulty", ())
    )
    page.locator("#roll-more").click()
    expect(screen.locator("#consequence")).to_be_visible()
    look("result")
    assert re.search("button Vex ([0-9]+) wounds\\b.* Wounds 0 to \\1 of 12", heard(screen))
    roll(running, doubtful=True)
    expect(screen.locator("#headline")).to_have_text("Which face?")
    look("doubt")


def test_every_button_of_a_player_and_of_a_photograph_has_a_name_of_its_own(
    paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    page = paired("player", "Vex").new_page()
    page.goto(running.address + "player")
    for one in ("#to-log", "#to-tonight", "#to-tonight"):
        page.locator(one).click()
        assert unclear(page) == [], one
    page.locator("#photograph").set_input_files(paths.samples_folder() / "roll-7.jpg")
    page.locator("#doubt .answer-card").first.wait_for()
    assert unclear(page) == []
    page.locator(".photo-die").first.click()
    expect(page.locator("#picker .choice").first).to_be_visible()
    assert unclear(page) == []
