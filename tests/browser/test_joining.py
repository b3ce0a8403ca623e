"""Joining: the PIN or the code, then "Who are you?" with the scene's cards, then one's own page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tableside.app.running_table import RunningTable
from tests.browser.conftest import PHONE, SIZES, Contexts, Opens, look, own_table, resize
from tests.browser.test_accessible import faults, look_at
from tests.browser.test_forms import laid_out
from tests.browser.test_turns import add
from tests.fakes.table import call
from tests.table.test_turn import OSKARA

pytestmark = [pytest.mark.browser, pytest.mark.slow]
running = own_table
VEX = {"name": "Vex", "kind": "player", "game": "narrative", "role": "Scout",
       "skills": [{"name": "Stealth", "ask": {"characteristic": 3, "skill": 2}}]}  # fmt: skip


@pytest.fixture
def joins(contexts: Contexts, running: RunningTable) -> Any:
    """Scan the code of the table's screen with another phone each time."""
    contexts.wrong.clear()
    with ExitStack() as made:

        def join(role: str = "player") -> Page:
            pin = call(running, "api/pairing", {"role": role})[1]["pin"]
            page = contexts.page(made.enter_context(contexts.lend(running.address)))
            page.set_viewport_size(PHONE)
            page.goto(f"{running.address}pair#{pin}")
            page.locator("body[data-ready]").wait_for()
            assert page.url == f"{running.address}pair"  # the PIN is in no address any more
            return page

        yield join
    assert contexts.wrong == []


def test_one_tap_leads_from_the_code_to_the_own_page_with_its_skills(
    joins: Callable[..., Page], running: RunningTable
) -> None:
    add(running, OSKARA)
    add(running, VEX)
    page = joins()
    page.locator('.person-card[data-who="Vex"]').click()
    page.wait_for_url("**/player")
    expect(page.locator(".person-full")).to_have_attribute("data-who", "Vex")
    expect(page.locator("#headline")).to_have_text("You are in")
    page.locator('.skill-line[data-skill="Stealth"]').click()
    page.locator("#now-card", has_text="Stealth").get_by_text("Your roll").wait_for()
    assert running.table.state.asked.player == "Vex"
    page.reload()
    expect(page.locator(".my-head h2")).to_have_text("Vex")
    expect(page.locator("#headline")).to_have_text("Your roll")


def test_a_card_that_somebody_has_asks_before_it_is_taken_over(
    joins: Callable[..., Page], running: RunningTable
) -> None:
    add(running, OSKARA)
    first, second = joins(), joins()
    first.locator('.person-card[data-who="Oskara"]').click()
    first.wait_for_url("**/player")
    second.reload()
    taken = second.locator('.person-card[data-who="Oskara"]')
    expect(taken).to_have_attribute("data-taken", "")
    for answer in ("Keep it", "Take over"):
        taken.click()
        second.locator("#sheet").get_by_role("button", name=answer).click()
    second.wait_for_url("**/player")
    expect(second.locator(".person-full")).to_have_attribute("data-who", "Oskara")
    add(running, VEX)  # with any news of the scene the other phone knows as well
    expect(first.locator('.person-row[data-who="Oskara"]')).to_be_visible()
    first.reload()
    expect(first.locator('.person-row[data-who="Oskara"]')).to_be_visible()
    expect(first.locator(".person-full")).to_have_count(0)


def test_somebody_else_is_a_name_and_stays_over_back_and_reload(
    joins: Callable[..., Page], running: RunningTable
) -> None:
    add(running, OSKARA)
    page = joins()
    page.locator("#somebody").click()
    expect(page.locator("#i-am")).to_be_disabled()
    page.locator("#name").fill("Sable")
    page.locator('.colour[data-colour="plum"]').click()
    page.locator('.emblem[data-emblem="key"]').click()
    assert faults(page) == []
    look(page, "join-new")
    page.go_back()
    page.locator('.person-card[data-who="Oskara"]').wait_for()
    page.reload()
    page.locator("#somebody").click()
    expect(page.locator("#name")).to_have_value("Sable")
    page.locator("#from-ready").click()
    page.locator('#sheet .person-card[data-who="Ilun"]').click()
    page.locator("#i-am", has_text="I am Sable").click()
    page.wait_for_url("**/player")
    sable = running.table.state.people[-1]
    assert (sable.name, len(sable.skills), sable.kind.value) == ("Sable", 4, "player")


def test_without_heroes_the_ready_ones_are_offered(joins: Callable[..., Page], running: RunningTable) -> None:
    page = joins()
    page.locator('.ready .person-card[data-who="Lowhhrick"]').click()
    page.wait_for_url("**/player")
    expect(page.locator(".person-full")).to_have_attribute("data-who", "Lowhhrick")
    assert [one.name for one in running.table.state.people] == ["Lowhhrick"]


def test_the_first_phone_of_a_new_table_says_what_it_is(joins: Callable[..., Page], running: RunningTable) -> None:
    add(running, VEX)
    first = joins("any")
    first.locator("#own-name").fill("Mara")
    assert faults(first) == []
    look(first, "join-first")
    first.locator('[data-role="gm"]').click()
    first.wait_for_url("**/gm")
    second = joins("any")  # there is a game master now
    second.locator('.person-card[data-who="Vex"]').wait_for()
    pin = first.request.post(f"{running.address}api/pairing", data={"role": "gm"}).json()["pin"]
    second.goto(f"{running.address}pair?more#{pin}")  # another who leads says a name as well, here the same one
    second.locator("#own-name").fill("Mara")
    second.locator('[data-role="gm"]').click()
    second.wait_for_url("**/gm")
    phones = first.request.get(f"{running.address}api/devices").json()
    assert [(one["role"], one["name"]) for one in phones] == [("gm", "Mara"), ("gm", "Mara 2")]


def test_who_are_you_is_laid_out_well_for_twelve_with_long_names(
    joins: Callable[..., Page], running: RunningTable
) -> None:
    for n in range(12):
        add(running, {**VEX, "name": f"Lowhhrick Würfelzähler der {n}"})
    page = joins()
    for lang in ("de", "fr", "es", "en"):
        page.goto(f"{running.address}pair?lang={lang}")
        expect(page.locator(".join-list > *").first).to_have_id("somebody")  # of many it comes first
        for size in (SIZES["phone"], (320, 568)):
            resize(page, size)
            laid_out(page, f"join-{lang}", scrolls=True)
    look_at(page, "join")


def test_a_wrong_pin_is_said_and_can_be_typed_again(opens: Opens, running: RunningTable, contexts: Contexts) -> None:
    page = opens("/pair#000000")
    page.locator(".toast", has_text="this PIN is not valid").wait_for()
    pin = page.request.post(f"{running.address}api/pairing", data={"role": "player"}).json()["pin"]
    page.locator("#pin").fill(f"{pin[:3]} {pin[3:]}")  # the last figure sends them
    page.locator("#somebody").wait_for()
    contexts.wrong.clear()  # the table refused something


def test_the_typed_address_leads_a_strangers_phone_to_the_pin_and_a_wide_screen_to_a_link(
    chromium: Browser, running: RunningTable
) -> None:
    add(running, VEX)
    far = {"X-Forwarded-For": "198.51.100.7"}
    with chromium.new_context(viewport={"width": 412, "height": 915}, extra_http_headers=far) as phone:
        page = phone.new_page()
        page.goto(running.address)
        page.wait_for_url("**/pair")
        with chromium.new_context() as screen:
            pin = screen.request.post(f"{running.address}api/pairing", data={"role": "player"}).json()["pin"]
        for figure in pin:  # six keys and a card
            page.locator(".pin-keys button", has_text=figure).click()
        page.locator('.person-card[data-who="Vex"]').click()
        page.wait_for_url("**/player")
        page.goto(running.address)  # who takes part may look at the table's page
        page.locator("#stage").wait_for()
        assert page.url == running.address
    with chromium.new_context(viewport={"width": 1280, "height": 800}, extra_http_headers=far) as wide:
        page = wide.new_page()
        page.goto(running.address)
        page.locator("body[data-viewer]").wait_for()
        page.locator("#menu").click()
        page.locator('[data-group="phones"]').first.click()
        page.locator("#to-pair").click()
        page.wait_for_url("**/pair")
        page.locator("#pin").wait_for()
