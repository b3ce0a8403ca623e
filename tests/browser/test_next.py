"""What the table screen offers after a roll: the next throw, one more die, the end of the turn."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Alternative, DieReading, Face, Reading, Status
from tableside.table.kept import Seen
from tableside.table.messages import (
    ApplyEffect,
    CallRoll,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    DoPerson,
    EnterRoll,
    NewRoll,
    ShownDie,
    ShowTrouble,
    Turn,
)
from tests.browser.conftest import Opens, look, new_id, throw
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import called, came, tab
from tests.browser.test_turn import add, call, now
from tests.browser.test_turns import add as people
from tests.table.test_turn import HIT, OSKARA, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PISTOL = {"name": "Pistol", "skill": "Blaster", "ask": {"difficulty": 13},
          "damage": {"code": "4D+2", "purpose": "damage"}}  # fmt: skip


@pytest.fixture
def kesh(running: RunningTable) -> str:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    return add(running, "Kesh", skills=[{"name": "Blaster", "ask": {"code": "4D"}}], weapons=[PISTOL],
               trackers={"character_points": {"value": 2}})  # fmt: skip


@pytest.fixture
def scout(running: RunningTable, kesh: str) -> str:
    return add(running, "Scout", "person", skills=[{"name": "Strength", "ask": {"code": "2D"}}])


def shot(running: RunningTable, kesh: str, scout: str, wild: str, *pips: str) -> None:
    call(running, kesh, weapon="Pistol", against=scout, label="At the lamp")
    dice: list[tuple[str, Face]] = [("wild", (wild,)), *(("pip", (face,)) for face in pips)]
    throw(running, *dice)


def fight(running: RunningTable, *names: str) -> None:
    for who in names:
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(3, 1), who=who))


def test_after_a_hit_a_tap_calls_the_damage_and_undo_takes_it_back(
    page: Page, running: RunningTable, kesh: str, scout: str
) -> None:
    shot(running, kesh, scout, "5", "5", "4", "3")
    damage = page.locator('[data-also="roll_damage"]')
    expect(damage).to_have_text("Roll damage: Pistol")
    expect(page.locator('[data-act="resist"]')).to_contain_text("Scout rolls Strength")
    look(page, "next-damage")
    damage.click()
    page.locator("#headline", has_text="Kesh rolls").wait_for()  # the result is not waited for: it was tapped away
    asked = running.table.state.asked
    assert (asked.who, asked.weapon, asked.against, asked.answers["purpose"]) == (kesh, "Pistol", scout, "damage")
    page.locator("#undo").click()
    expect(damage).to_be_visible()
    assert not running.table.state.asked.id


def test_the_same_attack_is_called_again_with_the_dice_that_a_second_action_costs(
    page: Page, running: RunningTable, kesh: str, scout: str
) -> None:
    shot(running, kesh, scout, "2", "1", "2", "3")
    again = page.locator('[data-next="again"]')
    expect(again).to_contain_text("2 actions this round")
    again.click()
    page.locator("#headline", has_text="Kesh rolls").wait_for()
    asked = running.table.state.asked
    assert (asked.weapon, asked.against, asked.label) == ("Pistol", scout, "At the lamp")
    assert asked.tray is not None
    assert asked.tray.count == 3
    page.locator("#undo").click()
    expect(again).to_contain_text("2 actions this round")
    again.click()
    page.locator("#headline", has_text="Kesh rolls").wait_for()
    throw(running, ("wild", ("2",)), ("pip", ("1",)), ("pip", ("2",)))
    # The one of two that were declared is done, or both are: the table does not guess.
    expect(again).to_contain_text(["2 actions this round", "3 actions this round"])
    again.first.click()
    page.locator("#headline", has_text="Kesh rolls").wait_for()
    assert running.table.state.asked.answers["actions"] == 2


def test_an_attack_is_offered_again_with_as_many_actions_as_were_declared_and_one_more(page: Page) -> None:
    """Damage is no attack; 20 actions are the most that the form takes."""
    pistol = {"weapon": "Pistol"}
    for before, actions, offered in (
        (pistol, None, [2]), (pistol, 2, [2, 3]), (pistol, 20, [20]),
        ({**pistol, "damage": True}, None, []), ({"weapon": ""}, None, []), (None, 2, []),
    ):  # fmt: skip
        found = page.evaluate(
            """async ([call, actions]) => {
                const { attacksAgain } = await import("/part/next.js");
                const games = [{ name: "d6-wild", form: [{ name: "actions", most: 20 }] }];
                const roll = { game: "d6-wild", weapon: "Pistol", ask: actions ? { actions } : {} };
                const again = attacksAgain({ games, state: { history: [roll] } }, roll, call);
                return again.map((one) => one.body.ask.actions);
            }""",
            [before, actions],
        )
        assert found == offered, (before, actions)


def test_one_more_die_says_what_it_would_bring_and_is_bought_with_a_tap(
    page: Page, running: RunningTable, kesh: str, scout: str
) -> None:
    shot(running, kesh, scout, "2", "3", "2", "3")
    die = page.locator('.spend[data-spend="character_points"]')
    expect(die).to_contain_text("One more die, 0 %67 %")  # 10 of 13: a 3, 4, 5 or 6
    look(page, "next-one-more-die")
    die.click()
    page.locator("#headline", has_text="10").wait_for()
    expect(page.locator("#next")).to_be_visible()
    roll = running.table.state.roll
    assert roll is not None
    assert (roll.awaits and roll.awaits.name, now(running, kesh).value("character_points")) == ("points", 1)
    page.locator("#undo").click()
    expect(die).to_be_visible()
    assert now(running, kesh).value("character_points") == 2


def test_what_a_throw_would_bring_is_not_said_where_the_roll_succeeded(
    page: Page, running: RunningTable, kesh: str, scout: str
) -> None:
    shot(running, kesh, scout, "5", "5", "4", "3")
    page.locator("#spends").click()
    die = page.locator('#sheet .spend[data-spend="character_points"]')
    expect(die).to_contain_text("One more die")
    expect(die).not_to_contain_text("%")


def test_a_six_is_left_as_it_is_with_a_tap(page: Page, running: RunningTable, kesh: str, scout: str) -> None:
    shot(running, kesh, scout, "6", "1", "2", "1")
    leave = page.locator('[data-also="choose"]')
    expect(leave).to_have_text("Leave it at 10")
    expect(leave).to_be_in_viewport(ratio=1)
    leave.click()
    page.locator(".headline-beside", has_text="Failure").wait_for()
    roll = running.table.state.roll
    assert roll is not None
    assert (roll.succeeded, roll.awaits, roll.net) == (False, None, (("total", 10),))
    page.locator("#undo").click()
    expect(leave).to_be_visible()


def test_a_call_says_what_is_wanted_and_not_who_asked_for_it(page: Page, running: RunningTable, kesh: str) -> None:
    asked = {"difficulty": 13}
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=kesh, skill="Blaster", by="Mara", ask=asked, odds_for=Seen.ALL))
    expect(page.locator(".who .right")).to_have_text("difficulty 13")
    expect(page.locator("#stage")).not_to_contain_text("Mara")


def test_the_end_of_a_turn_is_a_tap_away_and_says_who_is_next(
    page: Page, running: RunningTable, kesh: str, scout: str
) -> None:
    fight(running, "Kesh", "Sefa")
    shot(running, kesh, scout, "2", "1", "2", "3")
    end = page.locator('[data-act="next"]')
    expect(end).to_have_text("Next: Sefa")
    expect(page.locator(".who .right")).to_have_text("Round 1: Kesh")
    end.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sefa acts")
    page.locator("#undo").click()
    expect(page.locator(".who .right")).to_have_text("Round 1: Kesh")


def test_the_order_of_a_fight_stays_in_sight_whatever_the_roll_waits_for(
    page: Page, running: RunningTable, kesh: str, scout: str
) -> None:
    order = page.locator(".who p.right")
    fight(running, "Kesh", "Sefa")
    shot(running, kesh, scout, "6", "1", "2", "1")
    page.locator("#stage[data-kind=awaits]").wait_for()
    expect(order).to_have_text("Round 1: Kesh")
    call(running, kesh, weapon="Pistol", against=scout)
    throw(running, ("wild", ("5",)), ("pip", ("4",)))
    page.locator("#stage[data-kind=wrong]").wait_for()
    expect(order).to_have_text("Round 1: Kesh")
    call(running, kesh, weapon="Pistol", against=scout, by="Mara")
    expect(order).to_have_text("Round 1: Kesh")
    unsure = tuple(
        DieReading(type="pip", face=("4",), center=(60.0 + 40 * n, 60.0), outline=(), confidence=0.5,
                   status=Status.UNSURE, alternatives=(Alternative(type="pip", face=("6",), confidence=0.3),))
        for n in range(2)
    )  # fmt: skip
    reading = Reading(width=320, height=240, dice=unsure)
    running.table.ask(NewRoll(id=new_id(), at=time.time(), reading=reading))
    page.locator("#stage[data-kind=doubt]").wait_for()
    expect(order).to_have_text("1 of 2 · Round 1: Kesh")
    running.table.ask(ShowTrouble(at=1.0, part="camera", what="is not plugged in", where="", hint="Plug it in."))
    page.locator("#trouble").wait_for()
    expect(order).to_have_text("1 of 2 · Round 1: Kesh")


def test_why_somebody_is_out_is_said_once(
    running: RunningTable, scout: str, opens: Opens, paired: Callable[[str, str], BrowserContext]
) -> None:
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, side="npc", rank=(3, 1), who="Scout"))
    hurt = {"id": scout, "trackers": {"wounds": {"value": 5}}}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=hurt))
    master = opens("/gm", phone=paired("gm", "Mara"))
    expect(master.locator('#pane-now .person-row[data-who="Scout"] .person-state')).to_have_text("Mortally wounded")


def test_dice_stand_in_one_order_on_every_page(
    page: Page, running: RunningTable, kesh: str, scout: str, opens: Opens, paired: Callable[[str, str], BrowserContext]
) -> None:
    call(running, kesh, weapon="Pistol", against=scout)
    throw(running, ("pip", ("3",)), ("wild", ("4",)), ("pip", ("5",)), ("pip", ("2",)))
    faces = ["Wild Die: 4", "Pip die: 5", "Pip die: 3", "Pip die: 2"]
    phone = paired("player", "Kesh")
    assert phone.request.post(f"{running.address}api/me", data={"person": kesh}).ok
    for drawn in page, opens("/gm", phone=paired("gm", "Mara")), opens("/player", phone=phone):
        drawn.locator("#dice, #roll-more").first.wait_for()
        labels = drawn.locator("#dice .die, #roll-more .dice-rows")
        told = ", ".join(one.get_attribute("title") or one.get_attribute("aria-label") or "" for one in labels.all())
        assert told == ", ".join(faces)


def test_a_further_throw_and_a_healing_one_are_ended_on_whichever_page_is_tapped(
    page: Page, running: RunningTable, kesh: str, scout: str, opens: Opens, paired: Callable[[str, str], BrowserContext]
) -> None:
    phone = paired("player", "Kesh")
    assert phone.request.post(f"{running.address}api/me", data={"person": kesh}).ok
    roller, master = opens("/player", phone=phone), opens("/gm", phone=paired("gm", "Mara"))
    call(running, kesh, weapon="Pistol", against=scout, label="Corellian bar")
    throw(running, ("wild", ("2",)), *[("pip", ("1",))] * 3)
    expect(master.locator("#now-card[data-name=result] .now-faces .die")).to_have_count(4)
    assert master.evaluate(LAYOUT, True) == []  # words have little room beside dice
    shot(running, kesh, scout, "6", "1", "2", "1")
    expect(roller.locator("#headline")).to_have_text("10 so far")
    with page.expect_response("**/api/rolls/*"):  # what waits is not the newest any more, and the table tells its whole
        running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=(ShownDie(type="pip", face=("3",)),)))
    expect(page.locator("#headline")).to_contain_text("10")
    roller.locator("#dice-by-hand").click()
    roller.locator(".hand").get_by_label("4", exact=True).click()
    for one in (page.locator("#headline"), came(master), roller.locator("#headline")):
        expect(one).to_contain_text("14")
    master.locator('[data-also="leave"]').click()  # a hit that nothing comes of
    hurt = {"id": scout, "trackers": {"wounds": {"value": 2}}}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=hurt))
    tab(master, "Cast")
    master.locator('#pane-cast .person-row[data-who="Scout"]').click()
    master.locator('#sheet .care[data-care="Natural healing"]').click()
    expect(master.locator("#sheet[open]")).to_have_count(0)  # it makes room for the call
    called(master, "Scout", "Natural healing")
    throw(running, ("pip", ("4",)), ("wild", ("3",)))
    either = '[data-also="apply_either"]'
    expect(master.locator(either)).to_have_count(2)
    page.locator(either, has_text="Better").click()
    expect(master.locator(either)).to_have_count(0)
    assert now(running, scout).value("wounds") == 0


def test_a_phone_asks_before_an_undo_that_takes_something_else_along(
    running: RunningTable, opens: Opens, paired: Callable[[str, str], BrowserContext]
) -> None:
    phone = paired("player", "Oskara")
    oskara, troopers = people(running, OSKARA), people(running, TROOPERS)
    assert phone.request.post(f"{running.address}api/me", data={"person": oskara.id}).ok
    page = opens("/player", phone=phone)

    def send(path: str, body: object) -> None:
        assert phone.request.post(running.address + path, data=body).ok

    send("api/ask", {"who": oskara.id, "weapon": "Carbine", "against": troopers.id})
    expect(page.locator("#now-card")).to_have_attribute("data-name", "throw")
    expect(page.locator("#undo")).to_have_count(0)  # who throws is offered nothing else
    dice = [{"type": kind, "face": face} for kind, faces in HIT.items() for face in faces]
    send("api/rolls", {"dice": dice, "uses_ask": True})
    roll = running.table.state.roll
    assert roll is not None
    running.table.ask(ApplyEffect(id=new_id(), at=time.time(), roll_id=roll.id, effect=0, to=troopers.id))
    page.locator("#undo").click()
    question = page.locator("dialog[open]", has_text="With it go: 7 wounds of Trooper")
    look(question, "undo-with")
    question.get_by_role("button", name="Keep it").click()
    assert now(running, troopers.id).value("wounds") == 7
    page.locator("#undo").click()
    question.locator(".primary").click()
    wait_for(running.table, lambda state: state.roll is None)
    assert now(running, troopers.id).value("wounds") == 0
