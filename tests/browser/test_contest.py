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
from tests.browser.test_phones import Paired, called
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
    expect(master.locator('#several [data-who="Trooper"]')).to_have_count(0)
    master.locator('.skill[data-skill="Perception"]').click()
    expect(master.locator(".odds-large")).to_have_text("one by one")
    assert faults(master) == []
    look(master, "gm-several")
    master.locator("#ask-now", has_text="All roll Perception").click()
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
    master.locator('#several [data-who="Mara"]').click()  # taken out again
    master.locator('.skill[data-skill="Perception"]').click()
    master.locator("#ask-now", has_text="All roll Perception").click()
    master.locator(".waits", has_text="Vex").click()
    called(master, "Vex", "Perception")
    master.locator("#call-change").click()
    master.get_by_label("Difficulty 1 higher").click()
    master.locator("#ask-now").click()
    called(master, "Vex", "Perception", "3 Difficulty")
    throw(running, *ONE, ("difficulty", ()))
    called(master, "Oskara", "Perception")
    assert running.table.state.asked.answers["difficulty"] == "hard"
    master.locator('[data-also="stop"]').click()
    expect(master.locator(".ranking-head")).to_contain_text("Vex wins.")


def test_one_more_call_waits_and_a_cross_takes_off_what_waits(master: Page, running: RunningTable) -> None:
    def call(who: str) -> None:
        master.locator(f'.upright[data-who="{who}"]').click()
        master.locator('.skill[data-skill="Perception"]').click()
        master.locator("#ask-now", has_text=f"{who} rolls Perception").click()

    call("Oskara")
    for n, who in enumerate(("Vex", "Mara"), 1):
        master.locator("#one-more", has_text="it waits until Oskara has thrown").click()
        expect(master.locator(".one-more")).to_contain_text("it waits until Oskara has thrown")
        expect(master.locator("#who-anyone")).to_be_visible()
        expect(master.locator('.upright[aria-pressed="true"], .skill, #ask-now')).to_have_count(0)
        call(who)
        expect(master.locator(".waiting li")).to_have_count(n)
    called(master, "Oskara", "Perception")
    master.locator("#call-change").click()
    expect(master.locator(".one-more")).to_have_count(0)
    master.get_by_label("Difficulty 1 higher").click()
    master.locator("#ask-now").click()
    called(master, "Oskara", "Perception", "3 Difficulty")
    expect(master.locator(".waiting b")).to_have_text(["Vex", "Mara"])
    assert faults(master) == []
    look(master, "gm-one-more")
    master.get_by_label("Skip Vex").click()
    expect(master.locator(".waiting b")).to_have_text(["Mara"])
    master.locator("#undo").click()
    expect(master.locator(".waiting li")).to_have_count(2)
    master.get_by_label("Skip Vex").click()
    throw(running, *ONE, ("difficulty", ()))
    called(master, "Mara", "Perception")
    expect(master.locator(".waiting")).to_have_count(0)


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
    called(master, "Vex", "Perception")
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
    page.locator('#now-card[data-name="throw"]').wait_for()
    throw(running, ("pip", ("6",)), ("wild", ("5",)))
    page.locator("#roll-more").wait_for()
    page.locator('.upright[data-who="Ann"]').click()
    page.locator('.skill[data-skill="Repair"]').click()
    page.locator('.call-chip[data-chip="help"]').click()
    page.locator('.target-rows [data-who="Bo"]').click()  # who commands does not work
    expect(page.locator("#sheet").get_by_label("Command 11 of Cy")).to_be_checked()
    page.locator("#sheet .done").click()
    page.locator("#ask-now").click()
    called(page, "Ann", "Repair")
    assert running.table.state.asked.answers["bonus"] == "+2"  # two work
