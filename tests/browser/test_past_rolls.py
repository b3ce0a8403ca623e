"""A roll of before on the table screen: opened from the feed, worked out, corrected, and left again."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Die
from tableside.table.kept import Phase, Seen
from tableside.table.messages import CallRoll, ChooseGame, EnterRoll, ShowPhase
from tests.browser.conftest import Opens, look, new_id, resize, roll
from tests.browser.test_accessible import faults

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def by_hand(running: RunningTable, who: str, *dice: Die, called: bool = False) -> None:
    running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice, by=who, uses_ask=called))


def three_rolls(running: RunningTable) -> str:
    """Two rolls by hand after one from the camera; return that one's id."""
    roll_id = roll(running)
    by_hand(running, "Oskara", Die(type="difficulty", face=("failure",)))
    by_hand(running, "Vex", Die(type="ability", face=("success", "success")))
    return roll_id


def test_a_tap_in_the_feed_opens_that_roll_and_one_tap_leads_back(page: Page, running: RunningTable) -> None:
    roll_id = three_rolls(running)
    expect(page.locator(".who-what")).to_contain_text("Vex")
    page.locator(f'.past-roll[data-roll="{roll_id}"]').click()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "past")
    expect(page.locator("#net")).to_contain_text("triumph")
    expect(page.locator(".who-what")).to_have_text("Earlier roll")
    expect(page.locator("#dice .die")).to_have_count(2)
    page.locator(".picture image").wait_for()  # its own picture, with its dice outlined
    expect(page.locator(".outline")).to_have_count(2)
    assert faults(page) == []
    page.get_by_role("button", name="Later").click()
    expect(page.locator(".who-what")).to_contain_text("Oskara")
    expect(page.locator("#headline")).to_have_text("Failure")
    page.get_by_role("button", name="Earlier").click()
    expect(page.locator("#net")).to_contain_text("triumph")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "result")
    expect(page.locator(".who-what")).to_contain_text("Vex")


def test_it_says_how_it_was_worked_out_and_how_each_die_was_read(page: Page, running: RunningTable) -> None:
    roll_id = three_rolls(running)
    page.locator(f'.past-roll[data-roll="{roll_id}"]').click()
    page.locator("#worked-out").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator(".read-list li")).to_have_count(2)
    expect(sheet.locator(".read-list li").first).to_contain_text("99 % sure")
    expect(sheet.locator(".read-picture svg")).to_have_count(2)
    assert sheet.locator(".step-list li").count() > 0
    assert faults(page) == []
    look(page, "past-worked-out")


def test_a_die_of_it_is_corrected_where_it_is_shown(page: Page, running: RunningTable) -> None:
    roll_id = three_rolls(running)
    page.locator(f'.past-roll[data-roll="{roll_id}"]').click()
    page.locator('#dice .die[title*="triumph"]').click()
    page.locator("#picker .faces .choice", has_text="blank").click()
    expect(page.locator("#net")).not_to_contain_text("triumph")
    expect(page.locator("#stage")).to_have_attribute("data-kind", "past")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert settled.dice[1].face == ()


def test_a_doubt_stays_what_is_next_whatever_is_thrown_after_it(page: Page, running: RunningTable) -> None:
    roll_id = roll(running, doubtful=True)
    expect(page.locator("#headline")).to_have_text("Which face?")
    by_hand(running, "Vex", Die(type="ability", face=("success",)))
    later = page.locator(".past-roll", has_text="Vex")
    expect(later).to_be_visible()
    expect(page.locator("#headline")).to_have_text("Which face?")
    look(page, "past-doubt")
    page.locator("#doubt .choice").nth(1).click()
    expect(page.locator("#headline")).to_have_text("Success")
    settled = running.table.state.find_roll(roll_id)
    assert settled is not None
    assert settled.sure


def test_it_gives_way_to_what_happens_at_the_table(page: Page, running: RunningTable) -> None:
    roll_id = three_rolls(running)
    row = page.locator(f'.past-roll[data-roll="{roll_id}"]')
    stage = page.locator("#stage")
    row.click()
    expect(stage).to_have_attribute("data-kind", "past")
    running.table.ask(ShowPhase(at=time.time(), phase=Phase.MOVING))
    expect(stage).to_have_attribute("data-kind", "rolling")
    running.table.ask(ShowPhase(at=time.time(), phase=Phase.STILL))
    expect(stage).to_have_attribute("data-kind", "result")
    row.click()
    expect(stage).to_have_attribute("data-kind", "past")
    by_hand(running, "Mara", Die(type="ability", face=()))
    expect(stage).to_have_attribute("data-kind", "result")
    expect(page.locator(".who-what")).to_contain_text("Mara")


def test_a_result_says_what_its_odds_were(page: Page, running: RunningTable) -> None:
    answers = {"characteristic": 1, "difficulty": "simple"}
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask=answers, player="Vex", label="Jump", odds_for=Seen.ALL))
    by_hand(running, "", Die(type="ability", face=("success",)), called=True)
    expect(page.locator(".who .right")).to_have_text("odds were 50 %")
    look(page, "odds-were")
    by_hand(running, "Mara", Die(type="ability", face=()))
    page.locator(".past-roll").first.click()
    page.locator("#worked-out").click()
    expect(page.locator("#sheet")).to_contain_text("odds were 50 %")


def test_a_throw_that_is_awaited_says_how_likely_it_still_succeeds(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    answers = {"difficulty": 17, "code": "4D"}
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask=answers, player="Rook", odds_for=Seen.ALL))
    shown = [("pip", "4"), ("pip", "3"), ("pip", "1"), ("wild", "6")]
    by_hand(running, "", *(Die(type=kind, face=(face,)) for kind, face in shown), called=True)
    expect(page.locator("#next")).to_contain_text("67 % to succeed")  # 14 so far: 3 or more of six
    look(page, "awaits-chance")


def test_a_phone_shows_it_from_its_top(opens: Opens, running: RunningTable) -> None:
    roll_id = three_rolls(running)
    page = opens("/", reduced_motion="reduce")
    for size in ((800, 480), (1280, 800), (390, 844)):
        resize(page, size)
        page.locator(f'.past-roll[data-roll="{roll_id}"]').click()
        expect(page.locator("#back-to-now")).to_be_in_viewport(ratio=1)
        expect(page.locator(".who")).to_be_in_viewport(ratio=1)
        look(page, f"past-{size[0]}")
        page.locator("#back-to-now").click()


def test_totals_of_before_end_at_one_edge_with_and_without_an_outcome(page: Page, running: RunningTable) -> None:
    for face, against in (("2", {"difficulty": 11}), ("5", {}), ("6", {"difficulty": 14}), ("4", {})):
        dice = tuple(Die(type="pip", face=(face,)) for _ in range(3))
        ask = {"code": "3D", **against}
        said = EnterRoll(id=new_id(), at=time.time(), dice=dice, game="d6-companion", ask=ask, by="Kesh")
        running.table.ask(said)
    expect(page.locator("#feed .past-roll")).to_have_count(3)
    expect(page.locator("#feed .came-mark .icon")).to_have_count(2)
    totals = page.locator("#feed .came > b")
    assert totals.all_inner_texts() == ["18", "15", "6"]
    edges = totals.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().right)")
    assert max(edges) - min(edges) < 1


def test_a_roll_without_room_cannot_be_reached_and_comes_with_it(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport={"width": 844, "height": 390})
    for n in range(9):
        by_hand(running, f"Player {n}", Die(type="ability", face=("success",)))
    rows = page.locator(".past-roll")
    expect(rows).to_have_count(8)
    expect(page.locator(".past-roll:visible")).not_to_have_count(8)
    rows.last.evaluate("node => node.focus()")
    assert not rows.last.evaluate("node => node === document.activeElement")
    page.set_viewport_size({"width": 1280, "height": 1000})
    expect(page.locator(".past-roll:visible")).to_have_count(8)
