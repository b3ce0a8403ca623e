"""A turn on the table screen: what a call shows, what a roll buys and does, and what a wrong pool leaves open."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Face
from tableside.rules.people import Person
from tableside.table.kept import Seen, Side
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeTable,
    ChooseGame,
    Do,
    DoPerson,
    LaidDice,
    Row,
    Turn,
    Undo,
)
from tests.browser.conftest import Opens, look, new_id, throw
from tests.browser.test_phones import Paired
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SKILLS = [{"name": "Mechanics", "ask": {"characteristic": 2, "skill": 1}},
          {"name": "Ranged heavy", "ask": {"characteristic": 3, "skill": 2}}]  # fmt: skip
CARBINE = {"name": "Carbine", "skill": "Ranged heavy",
           "ask": {"purpose": "attack", "attack": "ranged", "range": "medium", "damage": 9, "critical": 3}}  # fmt: skip
HIT: list[tuple[str, Face]] = [
    ("ability", ("success",)), ("proficiency", ("success", "success")), ("proficiency", ("advantage", "advantage")),
    ("difficulty", ("threat",)), ("difficulty", ()),
]  # fmt: skip
ADVANTAGES: list[tuple[str, Face]] = [
    ("ability", ("success",)), ("proficiency", ("advantage", "advantage")), ("difficulty", ()),
]  # fmt: skip


def add(running: RunningTable, name: str, kind: str = "player", **form: Any) -> str:
    person_id = new_id()
    person = {"id": person_id, "name": name, "kind": kind, **form}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))
    return person_id


def call(running: RunningTable, who: str, **more: Any) -> None:
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=who, odds_for=Seen.ALL, **more))


def now(running: RunningTable, person_id: str) -> Person:
    person = running.table.state.person(person_id)
    assert person is not None
    return person


@pytest.fixture
def oskara(running: RunningTable) -> str:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    trackers = {"wounds": {"value": 0, "most": 12}, "strain": {"value": 3, "most": 11}}
    return add(running, "Oskara", skills=SKILLS, weapons=[CARBINE], trackers=trackers)


def test_a_tap_buys_what_is_offered_and_dims_what_can_no_longer_be_paid(
    page: Page, running: RunningTable, oskara: str
) -> None:
    call(running, oskara, skill="Mechanics", ask={"difficulty": "easy"})
    throw(running, *ADVANTAGES)
    strain = page.locator('.spend[data-spend="recover_strain"]')
    strain.click()
    expect(strain.locator(".bought")).to_be_visible()
    strain.click()
    expect(strain.locator(".bought")).to_contain_text("2")
    expect(strain).to_be_disabled()
    expect(page.locator(".spend:disabled:not([data-bought])")).to_have_count(0)
    assert now(running, oskara).value("strain") == 1
    look(page, "spends-bought")
    page.locator("#undo").click()
    expect(strain).to_be_enabled()
    assert now(running, oskara).value("strain") == 2


def test_what_a_card_stands_for_is_written_out_and_a_boost_is_bought_for_whom_is_tapped(
    page: Page, running: RunningTable, oskara: str
) -> None:
    add(running, "Mara", skills=SKILLS)
    call(running, oskara, skill="Mechanics", ask={"difficulty": "easy"})
    throw(running, *ADVANTAGES)
    page.locator("#spends").click()
    card = page.locator('#sheet .spend[data-spend="notice_point"]')
    expect(card).not_to_contain_text("important")
    for _ in range(2):  # and back again
        page.locator("#what-spends-do").click()
        expect(card).to_contain_text("Notice one important point")
        page.locator("#what-spends-do").click()
        expect(card).not_to_contain_text("important")
    page.locator('#sheet .spend[data-spend="boost_any_ally_next"]').click()
    page.locator("#sheet").get_by_role("button", name="Mara").click()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#undo")).to_contain_text("for Mara")
    assert [dict(one.ask) for one in running.table.state.people[-1].states] == [{"boost": 1}]


def test_with_two_prices_a_tap_asks_which(page: Page, running: RunningTable, oskara: str) -> None:
    call(running, oskara, skill="Ranged heavy", ask={"difficulty": "easy"})
    throw(running, ("ability", ("advantage", "advantage")), ("proficiency", ("triumph",)),
          ("proficiency", ("advantage", "advantage")), ("difficulty", ()))  # fmt: skip
    first = [page.locator(".spend-row .spend").nth(n).locator(".price").first.locator(".glyph") for n in (0, 1)]
    expect(first[0]).to_have_attribute("data-symbol", "triumph")  # both symbols are in sight at once
    expect(first[1]).to_have_attribute("data-symbol", "advantage")
    page.locator("#spends").click()
    both = page.locator('#sheet .spend[data-spend="boost_any_ally_next"]')
    both.click()
    expect(page.locator("#sheet .choices-list .surface")).to_have_count(2)
    page.locator("#sheet .choices-list .surface").last.click()
    page.locator("#sheet").get_by_role("button", name="Oskara").click()
    expect(page.locator("#undo")).to_contain_text("for Oskara")
    roll = running.table.state.roll
    assert roll is not None
    assert [(one.of, one.count) for one in roll.bought] == [("triumph", 1)]


def test_what_the_game_master_may_buy_is_shown_and_not_tapped(page: Page, running: RunningTable, oskara: str) -> None:
    call(running, oskara, weapon="Carbine")
    throw(running, *HIT[:3], ("difficulty", ("threat", "threat")), ("difficulty", ("threat",)))
    spend = page.locator(".spend").first
    expect(spend).to_contain_text("game master")
    expect(spend).to_be_disabled()


def test_a_hit_is_applied_with_one_tap_and_taken_back_with_one_and_anybody_else_is_two_away(
    page: Page, running: RunningTable, oskara: str
) -> None:
    sergeant = add(running, "Sergeant", "person", defences={"soak": 8}, trackers={"wounds": {"most": 12}})
    troopers = add(running, "Troopers", "group", members=4, defences={"soak": 5}, trackers={"wounds": {"most": 5}})
    call(running, oskara, weapon="Carbine", against=troopers)
    throw(running, *HIT)
    line = page.locator("#consequence")
    expect(line).to_contain_text("Troopers")
    expect(line).to_contain_text("7 wounds, soak 5")
    expect(line).to_contain_text("7 of 20")
    line.get_by_role("button", name="Apply").click()
    expect(page.locator("#applied")).to_contain_text("1 of them falls")
    assert now(running, troopers).value("wounds") == 7
    page.locator("#undo").click()
    expect(line.get_by_role("button", name="Apply")).to_be_visible()
    assert now(running, troopers).value("wounds") == 0
    line.locator(".hurt").click()
    page.locator("#sheet").get_by_role("button", name="Sergeant").click()
    expect(page.locator("#applied")).to_contain_text("Sergeant: 4 wounds")  # 12 less its own soak
    assert (now(running, sergeant).value("wounds"), now(running, troopers).value("wounds")) == (4, 0)


def test_what_a_limit_calls_for_is_called_with_one_tap(page: Page, running: RunningTable, oskara: str) -> None:
    vex = add(running, "Vex", trackers={"wounds": {"value": 10, "most": 12}})
    running.table.ask(ChangeTable(id=new_id(), at=1.0, name="Injuries", rows=(Row(least=1, most=99, words="Nick"),)))
    call(running, oskara, weapon="Carbine", against=vex)
    throw(running, *HIT)
    page.locator("#consequence").get_by_role("button", name="Apply").click()
    page.locator('[data-act="follow"]').click()
    expect(page.locator("#undo")).to_contain_text("call")
    assert running.table.state.asked.label == "A critical injury: Vex"
    throw(running, ("d100", ("40",)), ("d10", ("7",)))
    expect(page.locator("#headline")).to_have_text("47")
    expect(page.get_by_text("Nick", exact=True)).to_be_visible()


@pytest.mark.parametrize("running", [True], indirect=True)
def test_what_is_laid_is_counted_against_the_call(page: Page, running: RunningTable, oskara: str) -> None:
    call(running, oskara, skill="Mechanics", ask={"difficulty": "average"})
    expect(page.locator(".place")).to_have_count(4)  # its camera is gone, so that they are entered by hand
    running.table.post(LaidDice(at=1.0, dice={"ability": 1, "difficulty": 1, "boost": 1}))
    laid = page.locator(".laid")
    expect(laid).to_contain_text("2 of 4 in the tray.")
    expect(laid).to_contain_text("Missing: 1 proficiency, 1 difficulty")
    expect(laid).to_contain_text("Too many: 1 boost")
    expect(page.locator(".pool-die [data-missing]")).to_have_count(2)
    with page.expect_request("**/api/read") as sent:
        page.get_by_role("button", name="Take these dice").click()
    assert sent.value.method == "POST"


def test_a_point_joins_the_call_in_one_tap(page: Page, running: RunningTable, oskara: str) -> None:
    call(running, oskara, skill="Mechanics", ask={"difficulty": "average"})
    before = page.locator(".odds .large")
    expect(before).to_contain_text("50")
    flip = page.locator('.flip[data-side="light"] b')
    for where in ('.flip[data-side="light"]', '.token[data-side="light"] >> nth=0'):
        told = flip.inner_text()
        page.locator(where).click()
        expect(before).to_contain_text(told.removesuffix(" %"))  # what the button promised
        assert (running.table.state.destiny.light, running.table.state.destiny.dark) == (1, 2)
        page.locator("#undo").click()
        expect(before).to_contain_text("50")
        assert (running.table.state.destiny.light, running.table.state.destiny.dark) == (2, 1)


def test_a_call_closes_the_result_before_it_and_its_undo_opens_that_again(
    page: Page, running: RunningTable, oskara: str
) -> None:
    throw(running, *ADVANTAGES)
    page.locator('#stage[data-kind="result"]').wait_for()
    for _ in range(2):
        call(running, oskara, skill="Mechanics", ask={"difficulty": "average"})
        expect(page.locator("#stage")).to_have_attribute("data-kind", "asked")
        running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SPEND, side=Side.LIGHT))
        expect(page.locator("#stage")).to_have_attribute("data-kind", "asked")
        expect(page.locator(".pool-die")).to_have_count(4)
        for _ in range(2):
            running.table.ask(Undo(id=new_id(), at=1.0))
        expect(page.locator("#stage")).to_have_attribute("data-kind", "result")


FIGHT = (("Oskara", "player"), ("Troopers", "person"))


def test_nothing_but_what_moves_the_now_changes_whose_turn_it_is(
    page: Page, running: RunningTable, oskara: str
) -> None:
    """A wound that is tapped on a card leaves headline and lit act as they are, also after somebody's throw."""
    for name, _ in FIGHT:
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(3, 1), who=name))
    call(running, oskara, skill="Mechanics", ask={"difficulty": "easy"})
    throw(running, *ADVANTAGES)
    page.locator('#stage[data-kind="result"]').wait_for()
    page.locator('[data-act="next"]').click()
    expect(page.locator("#headline")).to_have_text("Troopers acts")
    shown = page.locator("html").get_attribute("data-number")
    for value in (1, 2):
        hurt = {"id": oskara, "trackers": {"wounds": {"value": value, "most": 12}}}
        running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=hurt))
        page.locator("#undo", has_text="Oskara").wait_for()
        expect(page.locator("#headline")).to_have_text("Troopers acts")
        assert page.locator("html").get_attribute("data-number") == shown
    assert page.locator("html").get_attribute("data-now") == "turn"


def test_a_pool_that_is_taken_is_offered_no_longer(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    throw(running, ("force", ("light", "light")), ("force", ("dark",)), ("force", ("light",)))
    page.locator('[data-act="use_pool"]').click()
    expect(page.locator('[data-act="use_pool"]')).to_have_count(0)
    assert (running.table.state.destiny.light, running.table.state.destiny.dark) == (3, 1)
    page.locator("#undo").click()
    expect(page.locator('[data-act="use_pool"]')).to_be_visible()


def test_a_wrong_pool_is_thrown_again_completed_by_hand_or_taken_as_it_lies(
    page: Page, running: RunningTable, oskara: str
) -> None:
    def throw_wrong() -> str:
        thrown = throw(running, ("proficiency", ("success",)), ("ability", ()), ("difficulty", ()))
        page.locator("#headline", has_text="1 die too few").wait_for()
        return thrown

    call(running, oskara, skill="Mechanics", ask={"difficulty": "average"})
    wrong = throw_wrong()
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=2, dark=0))  # not what is taken back
    page.get_by_role("button", name="Throw again").click()
    page.locator("#stage[data-kind=asked]").wait_for()
    state = running.table.state
    assert (state.find_roll(wrong), state.asked.label, state.destiny.light) == (None, "Mechanics", 2)
    wrong = throw_wrong()
    page.get_by_role("button", name="Add by hand").click()
    expect(page.locator(".place")).to_have_count(1)
    expect(page.locator(".pool-row .pool-die")).to_have_count(3)  # what lies there is still seen
    expect(page.locator('.place[aria-pressed="true"]')).to_have_attribute("data-type", "difficulty")
    page.locator(".hand").get_by_label("blank").click()
    page.locator("#headline", has_text="Success").wait_for()
    roll = running.table.state.roll
    assert roll is not None
    assert (roll.id, roll.label, roll.short, len(roll.dice)) == (wrong, "Mechanics", (), 4)
    call(running, oskara, skill="Mechanics", ask={"difficulty": "average"})
    wrong = throw_wrong()
    page.locator('[data-also="take"]').click()
    page.locator("#headline", has_text="Success").wait_for()
    taken = running.table.state.find_roll(wrong)
    assert taken is not None
    assert (taken.succeeded, taken.short) == (True, ())


def test_the_points_of_who_acts_stand_in_the_bar_and_one_joins_the_call(page: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    trackers = {"force_points": {"value": 1}, "character_points": {"value": 5}}
    kesh = add(running, "Kesh", skills=[{"name": "Blaster", "ask": {"code": "4D"}}], trackers=trackers)
    bar = page.locator("#destiny")
    expect(bar.locator(".face-drawing")).to_have_count(1)  # nobody acts, and there is no pool
    expect(bar).not_to_contain_text("Force")
    call(running, kesh, skill="Blaster", ask={"difficulty": 13})
    expect(bar.locator(".pips svg")).to_have_count(5)
    words = bar.locator(".pool-words span", has_text="5 points, 1 Force")
    assert words.evaluate("one => one.scrollWidth <= one.clientWidth")  # none of it is cut
    bar.locator('.token[data-side="light"]').click()
    expect(page.locator(".pool-die")).to_have_count(8)  # the code doubles
    expect(bar.locator('.token[data-side="light"]')).to_have_count(0)
    assert now(running, kesh).value("force_points") == 0


def test_characters_of_the_game_may_take_a_players_turn(page: Page, running: RunningTable, oskara: str) -> None:
    for who in ("", ""):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(2, 1), who=who))
    page.locator("#stage[data-kind=turn]").wait_for()
    taker = page.locator(".turn-taker[data-who]")
    expect(taker).to_contain_text("0 of 12 wounds")
    taker.click()
    expect(page.locator(".order [data-current]")).to_contain_text("Oskara")


def fights(running: RunningTable, *names: str, foe: str = "Troopers") -> None:
    """Have these act in this order, and an opponent last."""
    for n, who in enumerate((*names, foe)):
        side = "npc" if who == foe else "player"
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(9 - n, 0), who=who, side=side))


def test_who_most_likely_has_a_turn_is_lit_everywhere_and_who_acted_takes_no_other(
    page: Page, opens: Opens, paired: Paired, running: RunningTable, oskara: str
) -> None:
    vex = add(running, "Vex", skills=SKILLS, weapons=[CARBINE], trackers={"wounds": {"most": 12}})
    add(running, "Troopers", "group", members=4, trackers={"wounds": {"most": 5}})
    fights(running, "Oskara", "Vex")
    phone = paired("player", "Jon")
    assert phone.request.post(f"{running.address}api/me", data={"person": vex}).ok
    mine, master = opens("/player", phone=phone), opens("/gm", phone=paired("gm", "Gim"))
    for _ in range(3):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
    for _ in range(2):  # the second time after all of it was taken back
        for one in (page, mine, master):
            expect(one.locator("#headline")).to_have_text("Oskara acts")
        expect(page.locator("[data-act]")).to_have_count(1)
        expect(page.locator('[data-act="attack"]')).to_contain_text("Carbine")
        expect(master.locator("#now-card [data-act]")).to_have_count(1)
        expect(mine.locator("#now-card [data-act]")).to_have_count(0)
        look(page, "turn-likely")
        mine.locator('[data-also="claim"]').click()  # another one takes it
        expect(mine.locator("#headline")).to_have_text("Your turn")
        expect(page.locator("#headline")).to_have_text("Vex acts")
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
        for one in (page, mine, master):
            expect(one.locator("#headline")).to_have_text("Players’ turn")
        expect(mine.locator('[data-act="claim"], [data-also="claim"]')).to_have_count(0)  # Vex has acted
        for one in (page.locator(".turn-taker[data-who]"), master.locator("#now-card .person-row")):
            expect(one).to_have_count(1)
            expect(one).to_contain_text("Oskara")
        for _ in range(2):
            running.table.ask(Undo(id=new_id(), at=1.0))
    page.locator("#turn-other").click()
    page.locator("#sheet").get_by_role("button", name="Vex").click()
    for one in (page, master):
        expect(one.locator("#headline")).to_have_text("Vex acts")
    expect(page.locator("#turn-other")).to_have_count(0)


def test_the_lit_button_after_a_hit_says_what_it_ends(page: Page, running: RunningTable, oskara: str) -> None:
    vex = add(running, "Vex", skills=SKILLS, weapons=[CARBINE], trackers={"wounds": {"most": 12}})
    troopers = add(running, "Troopers", "group", members=3, defences={"soak": 5}, trackers={"wounds": {"most": 5}})
    fights(running, "Oskara", "Vex")
    lit = page.locator("#consequence [data-act]")

    def hits(who: str, says: str) -> None:
        call(running, who, weapon="Carbine", against=troopers)
        throw(running, *HIT)
        expect(lit).to_have_text(says)
        look(page, f"apply-{says.lower()}")

    hits(oskara, "ApplyVex is next")
    lit.click()
    expect(page.locator("#headline")).to_have_text("Vex acts")
    for _ in range(2):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
    hits(vex, "Apply, end the turn")  # in Oskara's place, so that nobody is likely in the next one
    lit.click()
    expect(page.locator("#headline")).to_have_text("Players’ turn")
    hits(oskara, "Apply, end the fight")
    lit.click()
    wait_for(running.table, lambda state: not state.initiative.slots)


def test_what_an_effect_does_is_said_in_the_language_of_the_page(opens: Opens, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))
    sword = {"name": "Sword", "skill": "Athletics", "ask": {"purpose": "attack", "power": "basic_melee"}}
    brakka = add(running, "Brakka", skills=[{"name": "Athletics", "ask": {"ability": 3, "skill": 2}}], weapons=[sword])
    ogre = add(running, "Ogre", "person", defences={"threshold": 5})
    page = opens("/?lang=de", viewport={"width": 800, "height": 480})
    line = page.locator("#consequence")
    for told in ("taumelnd", "Außer Atem und taumelnd"):  # the second hit goes further down the same track
        call(running, brakka, weapon="Sword", against=ogre)
        throw(running, *[("proficiency", ("success", "success"))] * 2, ("ability", ("success",)))
        expect(line).to_contain_text("Schwelle 5")
        expect(line).to_contain_text(told)
        line.get_by_role("button", name="Anwenden").click()
        expect(page.locator("#applied")).to_contain_text(told)
