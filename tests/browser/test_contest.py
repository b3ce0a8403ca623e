"""A roll by several, from the game master's phone to the ranking on every screen; and one who leads with helpers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import ChooseGame
from tests.browser.conftest import Opens, look, new_id, throw
from tests.browser.test_accessible import faults
from tests.browser.test_phones import Paired
from tests.browser.test_turns import add
from tests.table.test_contest import coded, looker
from tests.table.test_turn import TROOPERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ONE = [("ability", ("success",)), ("proficiency", ()), ("difficulty", ()), ("difficulty", ())]
TWO = [("ability", ("success", "success")), ("proficiency", ()), ("difficulty", ()), ("difficulty", ())]


@pytest.fixture
def three(running: RunningTable) -> list[Any]:
    people = [add(running, looker(name, 2, 1)) for name in ("Oskara", "Vex", "Mara")]
    add(running, TROOPERS)
    return people


@pytest.fixture
def master(opens: Opens, paired: Paired, three: list[Any]) -> Page:
    return opens("/gm", phone=paired("gm", "Gim"))


def test_three_taps_call_everybody_and_the_ranking_stands_on_every_screen(
    master: Page, opens: Opens, paired: Paired, running: RunningTable
) -> None:
    screen = opens("/", viewport={"width": 800, "height": 480})
    player = opens("/player", phone=paired("player", "Vex"))
    master.locator("#who-all").click()
    expect(master.locator('.upright[data-who="Trooper"]')).to_have_attribute("aria-pressed", "false")
    master.locator('.skill[data-skill="Perception"]').click()
    expect(master.locator(".odds-large")).to_contain_text("50")  # 1 A 1 P against 2 D
    assert faults(master) == []
    look(master, "gm-several")
    master.locator("#ask-now", has_text="3 roll").click()
    expect(screen.locator("#headline")).to_have_text("Oskara rolls")
    throw(running, *ONE)
    expect(screen.locator(".ranking [data-place]")).to_have_text(re.compile("1.*Oskara"))
    expect(screen.locator(".ranking [data-current]")).to_contain_text("Vex")
    throw(running, *TWO)
    expect(master.locator('.ranking [data-place="1"]')).to_contain_text("Vex")
    look(screen, "table-ranking")
    throw(running, *ONE)
    for page in (screen, master, player):
        expect(page.locator(".ranking [data-winner]")).to_contain_text("Vex")
        expect(page.locator(".ranking-head")).to_contain_text("Vex wins.")
        expect(page.locator('.ranking [data-place="2"]')).to_have_count(2)
    assert faults(screen) == []
    look(master, "gm-ranking")
    look(player, "player-ranking")
    master.locator("#undo").click()
    expect(screen.locator(".ranking [data-current]")).to_contain_text("Mara")


def test_somebody_who_waits_rolls_first_and_the_call_is_changed_for_all(master: Page, running: RunningTable) -> None:
    master.locator("#who-all").click()
    master.locator('.upright[data-who="Mara"]').click()  # taken out again
    master.locator('.skill[data-skill="Perception"]').click()
    master.locator("#ask-now", has_text="2 roll").click()
    master.locator(".ranking").get_by_role("button", name="Vex").click()
    expect(master.locator("#call")).to_contain_text("Vex, Perception")
    master.locator("#call-change").click()
    master.locator('.place[data-place="3"]').click()
    master.locator("#ask-now").click()
    expect(master.locator("#call .small-dice")).to_have_attribute("aria-label", re.compile("3 Difficulty"))
    throw(running, *ONE, ("difficulty", ()))
    expect(master.locator("#call")).to_contain_text("Oskara, Perception")
    assert running.table.state.asked.answers["difficulty"] == "hard"
    master.locator("#call-stop").click()
    expect(master.locator(".ranking-head")).to_contain_text("Vex wins.")


def test_one_leads_and_the_others_help(master: Page, running: RunningTable) -> None:
    master.locator('.upright[data-who="Vex"]').click()
    master.locator('.skill[data-skill="Perception"]').click()
    master.locator('.call-chip[data-chip="help"]').click()
    for name in ("Oskara", "Mara"):
        master.locator(f'.target-rows [data-who="{name}"]').click()
    master.locator("#sheet .done").click()
    expect(master.locator('.call-chip[data-chip="help"]')).to_have_text("Oskara, Mara")
    expect(master.locator(".side").first.locator('[data-type="boost"]').first).to_be_visible()
    master.locator("#ask-now", has_text="Vex rolls Perception").click()
    master.locator("#call", has_text="Vex, Perception").wait_for()
    state = running.table.state
    assert (state.asked.answers["boost"], len(state.asked.helpers), state.contest.id) == (2, 2, "")


def test_the_last_command_leads_those_who_help(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    for name, code in (("Ann", "4D"), ("Bo", "3D"), ("Cy", "2D")):
        add(running, coded("d6-wild", name, Repair=code, Command=code))
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator('.upright[data-who="Cy"]').click()
    page.locator('.skill[data-skill="Command"]').click()
    page.locator(".band").first.click()
    page.locator("#ask-now").click()
    page.locator("#call").wait_for()
    throw(running, ("pip", ("6",)), ("wild", ("5",)))
    page.locator(".strip").wait_for()
    page.locator('.upright[data-who="Ann"]').click()
    page.locator('.skill[data-skill="Repair"]').click()
    page.locator('.call-chip[data-chip="help"]').click()
    page.locator('.target-rows [data-who="Bo"]').click()  # who commands does not work
    expect(page.locator("#sheet").get_by_label("Command 11 of Cy")).to_be_checked()
    page.locator("#sheet .done").click()
    page.locator("#ask-now").click()
    page.locator("#call", has_text="Ann, Repair").wait_for()
    assert running.table.state.asked.answers["bonus"] == "+2"  # two work
