"""The pages of a table without a camera: no warning, and entry by hand at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table import MemoryStore
from tableside.table.kept import Phase, Seen
from tableside.table.messages import CallRoll, ChooseGame
from tests.browser.conftest import Shared, look, new_id
from tests.whole.test_by_hand import settings_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    running = RunningTable(settings_in(tmp_path_factory.mktemp("table")), store=MemoryStore())
    running.start()
    yield Shared(running, phase=Phase.BY_HAND)
    running.close()


def test_a_table_without_a_camera_offers_entry_by_hand(page: Page, running: RunningTable) -> None:
    page.locator('#stage[data-phase="by_hand"]').wait_for()
    expect(page.locator(".host-tray")).to_have_count(0)  # no step asks for one
    expect(page.locator("#trouble")).to_have_count(0)
    look(page, "by-hand")
    page.locator("#by-hand").click()
    page.locator(".hand").wait_for()
    page.goto(running.address + "setup")
    expect(page.locator("#advice")).to_contain_text("The camera is switched off in the settings")
    expect(page.locator("#save")).to_be_hidden()


def called(running: RunningTable, **call: Any) -> None:
    running.table.ask(CallRoll(id=new_id(), at=time.time(), odds_for=Seen.ALL, **call))


POOL = {"characteristic": 3, "skill": 1, "difficulty": "average"}


@pytest.mark.parametrize("how", ["tap", "key"])
def test_five_dice_are_five_taps_or_five_keys(page: Page, running: RunningTable, how: str) -> None:
    """And the same again for the next call, after the first was taken back."""
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    for _ in range(2):
        called(running, ask=POOL, player="Vex", label="Stealth")
        expect(page.locator(".place")).to_have_count(5)
        expect(page.locator(".hand h2")).to_have_text("Yellow die")
        expect(page.locator(".hand header")).to_contain_text("1 of 5")
        before = len(sent)
        for _ in range(5):
            if how == "tap":
                page.locator(".face-key").nth(1).click()
            else:
                page.keyboard.press("2")
        page.locator('#stage[data-kind="result"]').wait_for()
        assert len(sent) == before + 1
        roll = running.table.state.roll
        assert roll is not None
        assert [die.type for die in roll.dice] == ["proficiency", "ability", "ability", "difficulty", "difficulty"]
        page.locator("#undo").click()
        expect(page.locator(".place:not([data-filled])")).to_have_count(5)  # the call is open again


def test_what_was_tapped_wrong_is_set_again(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    called(running, ask=POOL, player="Vex")
    expect(page.locator(".place")).to_have_count(5)
    lit = page.locator('.place[aria-pressed="true"]')
    for key in "23":
        page.keyboard.press(key)
    page.locator(".place").first.click()
    page.keyboard.press("1")
    expect(page.locator(".place").first).to_have_attribute("aria-label", "1. Proficiency: blank")
    expect(lit).to_have_attribute("aria-label", "3. Green die, not entered yet")  # the next that is open
    page.keyboard.press("Backspace")
    expect(lit).to_have_attribute("aria-label", "2. Green die, not entered yet")
    page.locator("#undo", has_text="the last die").click()
    expect(page.locator(".place[data-filled]")).to_have_count(0)
    page.keyboard.press("2")
    page.reload()  # what is entered stays
    expect(page.locator(".place[data-filled]")).to_have_count(1)
    called(running, ask=POOL | {"boost": 1}, player="Vex", label="Stealth")  # another call begins anew
    expect(page.locator(".place")).to_have_count(6)
    expect(page.locator(".place[data-filled]")).to_have_count(0)


def test_a_total_is_said_so_far_with_what_is_missing(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    called(running, ask={"code": "4D+2", "difficulty": 15}, player="Kesh")
    expect(page.locator(".places .plus")).to_have_text("+2")
    for key in "45":
        page.keyboard.press(key)
    expect(page.locator(".so-far")).to_have_text("11 so far 4 more for 15")
    look(page, "by-hand-total")
    for key in "11":
        page.keyboard.press(key)
    expect(page.locator("#headline")).to_have_text("13")


def test_dice_of_a_total_have_the_room_of_the_picture_that_there_is_not(page: Page, running: RunningTable) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    for earlier, least in ((0, 0.45), (1, 0.3)):
        called(running, ask={"code": "4D+1", "difficulty": 15}, player="Kesh")
        expect(page.locator(".place")).to_have_count(4)
        for key in "2345":
            page.keyboard.press(key)
        dice = page.locator("section.right .die")
        expect(dice).to_have_count(4)
        expect(page.locator("#feed li")).to_have_count(earlier)
        expect(page.locator("#net .plus")).to_have_text("+ 1 pip")
        boxes = [box for one in dice.all() if (box := one.bounding_box())]
        wide = max(one["x"] + one["width"] for one in boxes) - min(one["x"] for one in boxes)
        high = max(one["y"] + one["height"] for one in boxes) - min(one["y"] for one in boxes)
        side = page.locator("section.right").bounding_box()
        assert side
        assert wide * high / (side["width"] * side["height"]) > least


def test_dice_that_are_tapped_make_the_places_where_nothing_is_called(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page.locator("#by-hand").click()
    for name in ("Purple die", "Yellow die", "Purple die", "Green die"):
        page.get_by_role("button", name=name, exact=True).click()
    page.locator(".place").nth(3).click()  # one too many
    look(page, "by-hand-pool")
    page.locator(".these-dice").click()
    for name in ("proficiency", "ability", "difficulty"):
        expect(page.locator('.place[aria-pressed="true"]')).to_have_attribute("data-type", name)
        page.keyboard.press("2")
    page.locator('#stage[data-kind="result"]').wait_for()
    roll = running.table.state.roll
    assert roll is not None
    assert [die.type for die in roll.dice] == ["proficiency", "ability", "difficulty"]


def test_other_dice_join_what_was_called(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    called(running, ask={"characteristic": 2, "skill": 0, "difficulty": "easy"}, player="Vex")
    expect(page.locator(".place")).to_have_count(3)
    page.keyboard.press("2")
    page.locator(".other-dice").click()
    expect(page.locator(".face-key", has_text="Plain die")).to_have_count(0)  # all dice are one tap more
    page.get_by_role("button", name="Blue die", exact=True).click()
    page.locator(".these-dice").click()
    expect(page.locator(".place[data-filled]")).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("2")
    page.locator('#stage[data-kind="wrong"]').wait_for()  # as a throw with one more is


def test_dice_that_are_entered_stay_where_a_changed_call_still_has_a_place(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    called(running, ask={"code": "3D"}, player="Kesh")
    for key in "25":
        expect(page.locator(".place")).to_have_count(3)
        page.keyboard.press(key)
    filled = page.locator(".place[data-filled]")
    expect(filled).to_have_count(2)
    cases = (("4D+2", 4, 2, "9"), ("2D", 2, 1, "2"))  # the last one is tapped again, else nobody would have sent them
    for code, places, faces, total in cases:
        called(running, ask={"code": code}, player="Kesh")
        expect(page.locator(".place")).to_have_count(places)
        expect(filled).to_have_count(faces)
        expect(page.locator(".so-far b").first).to_have_text(total)
    called(running, ask={"code": "2D"}, player="Brannic")
    expect(filled).to_have_count(0)  # they are another's


def test_keys_go_to_the_next_throw_though_the_answer_to_the_last_one_is_late(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    called(running, ask={"code": "2D"}, player="Kesh")
    expect(page.locator(".place")).to_have_count(2)
    page.evaluate("""() => {
        const send = window.fetch;
        window.fetch = async (...all) => {
            const answer = await send(...all);
            if (all[1]?.method === 'POST') await new Promise((resolve) => setTimeout(resolve, 800));
            window.answered = (window.answered ?? 0) + (all[1]?.method === 'POST');
            return answer;
        };
    }""")
    for key in "64":
        page.keyboard.press(key)
    for n in (1, 2):  # a 6 is thrown again, and once more
        expect(page.locator('#stage[data-kind="awaits"] .place')).to_have_count(1)
        page.wait_for_function("(n) => window.answered === n", arg=n)
        page.keyboard.press("6" if n == 1 else "3")
    expect(page.locator("#headline")).to_have_text("19")


def test_dice_of_another_game_are_offered_once_it_is_chosen(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page.locator("#by-hand").click()
    page.get_by_role("button", name="Yellow die", exact=True).click()
    for game in ("d6-companion", "narrative"):
        running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
        expect(page.locator(".hand")).to_have_count(0)  # what was entered was for the other game
        page.locator("#by-hand").click()
        yellow = page.get_by_role("button", name="Yellow die", exact=True)
        expect(yellow).to_have_count(1 if game == "narrative" else 0)
        expect(page.locator(".place")).to_have_count(0)
