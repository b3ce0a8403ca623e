"""The fight on the phones: who the rules leave level change places, by dragging or by keys; delay, next and the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import ChangeInitiative, ChooseGame, Turn
from tests.browser.conftest import Opens, artefacts, new_id, resize
from tests.browser.test_accessible import faults
from tests.browser.test_cast import MEASURED
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LONG = "Lowhhrick Würfelzähler der Große"


def order_of(running: RunningTable) -> list[str]:
    return [slot.who for slot in running.table.state.initiative.slots]


@pytest.fixture
def running_fight(running: RunningTable) -> RunningTable:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))
    for who, rank in (("Ann", 2), ("Ben", 2), ("Cas", 2), ("Dot", 1)):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=who, rank=(0, rank)))
    return running


def fight(opens: Opens, phone: BrowserContext, query: str = "") -> Page:
    page = opens(f"/gm{query}", phone=phone)
    page.locator(".tabs button").nth(2).click()
    page.locator(".order li").first.wait_for()
    return page


def shown(page: Page, *names: str) -> None:
    expect(page.locator(".order li b")).to_have_text(list(names))


def test_a_mouse_drags_whom_the_rules_leave_level_and_no_further(
    opens: Opens, paired: Paired, running_fight: RunningTable
) -> None:
    page = fight(opens, paired("gm", "Gim"))
    rows = page.locator(".order li")
    expect(rows.nth(3).locator(".drag")).to_have_count(0)  # a lower rank stays behind
    handle, target = rows.nth(0).locator(".drag").bounding_box(), rows.nth(3).bounding_box()
    assert handle is not None
    assert target is not None
    page.mouse.move(handle["x"] + 20, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(handle["x"] + 20, target["y"] + 40, steps=8)
    expect(rows.nth(2)).to_have_attribute("data-target", "")
    page.screenshot(path=artefacts() / "gm-fight-dragged.png")
    page.mouse.up()
    shown(page, "Ben", "Cas", "Ann", "Dot")
    page.locator("#undo").click()
    shown(page, "Ann", "Ben", "Cas", "Dot")


def test_a_finger_drags_too(opens: Opens, paired: Paired, running_fight: RunningTable) -> None:
    page = fight(opens, paired("gm", "Gim"))
    box = page.locator(".order li").nth(1).locator(".drag").bounding_box()
    above = page.locator(".order li").nth(0).bounding_box()
    assert box is not None
    assert above is not None
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + 20, box["y"] + 20
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x, "y": y - 30}]),
        ("touchMove", [{"x": x, "y": above["y"] + 5}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    shown(page, "Ben", "Ann", "Cas", "Dot")


def test_keys_and_buttons_move_one_place_and_keep_their_focus(
    opens: Opens, paired: Paired, running_fight: RunningTable
) -> None:
    page = fight(opens, paired("gm", "Gim"))
    page.get_by_role("button", name="Move Cas").focus()
    page.keyboard.press("ArrowUp")
    shown(page, "Ann", "Cas", "Ben", "Dot")
    expect(page.get_by_role("button", name="Move Cas")).to_be_focused()
    page.keyboard.press("ArrowUp")
    shown(page, "Cas", "Ann", "Ben", "Dot")
    expect(page.get_by_role("button", name="Cas earlier")).to_be_disabled()
    page.get_by_role("button", name="Cas later").click()
    shown(page, "Ann", "Cas", "Ben", "Dot")
    assert order_of(running_fight) == ["Ann", "Cas", "Ben", "Dot"]
    assert faults(page) == []


def test_who_delays_acts_after_the_next_and_the_fight_ends(
    opens: Opens, paired: Paired, running_fight: RunningTable
) -> None:
    page = fight(opens, paired("gm", "Gim"))
    page.get_by_role("button", name="Delay").click()
    shown(page, "Ben", "Ann", "Cas", "Dot")
    expect(page.locator(".order li[aria-current] b")).to_have_text("Ben")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".order li[aria-current] b")).to_have_text("Ann")
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    expect(page.locator(".order li[aria-current] b")).to_have_text("Dot")
    expect(page.get_by_role("button", name="Delay")).to_be_disabled()  # nobody acts later
    page.get_by_role("button", name="End the fight").click()
    expect(page.locator(".order li")).to_have_count(0)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_fight_of_twelve_with_long_names_is_laid_out_well(
    opens: Opens, paired: Paired, running_fight: RunningTable, lang: str
) -> None:
    for n in range(8):
        message = ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=f"{LONG} {n}", rank=(0, 1), side="npc")
        running_fight.table.ask(message)
    page = fight(opens, paired("gm", "Gim"), f"?lang={lang}")
    for size in ((390, 844), (800, 480), (320, 568)):
        resize(page, size)
        assert page.evaluate(f"({MEASURED})({LAYOUT})") == [], size
        page.screenshot(path=artefacts() / f"gm-fight-{lang}-{size[0]}.png")
