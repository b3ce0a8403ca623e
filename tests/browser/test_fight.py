"""The fight on phones and screen: called by one tap, thrown, made of cards; ranks are tapped, rows are dragged."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.rules import find_game
from tableside.rules.characters import skills_for
from tableside.rules.people import Person
from tableside.table.messages import (
    CallRoll,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    DoPerson,
    EnterRoll,
    ShownDie,
    Turn,
    Undo,
)
from tests.browser.conftest import SIZES, Opens, look, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_cast import MEASURED
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired, called, tab
from tests.browser.test_turns import COUNTS, counted
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LONG = "Lowhhrick Würfelzähler der Große"
GAMES = ("narrative", "heroic", "d6-companion", "d6-wild")
SKILL = {"narrative": {"characteristic": 3}, "heroic": {"ability": 2, "skill": 1}}


def order_of(running: RunningTable) -> list[str]:
    return [slot.who for slot in running.table.state.initiative.slots]


def person(running: RunningTable, name: str) -> Person:
    return next(one for one in running.table.state.people if one.name == name)


@pytest.fixture
def running_fight(running: RunningTable) -> RunningTable:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))
    for who, rank in (("Ann", 2), ("Ben", 2), ("Cas", 2), ("Dot", 1)):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=who, rank=(0, rank)))
    return running


def add(running: RunningTable, game: str, name: str, kind: str, **form: object) -> None:
    person = {"name": name, "kind": kind, "game": game, **form}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))  # type: ignore[arg-type]


def cast(running: RunningTable, game: str) -> None:
    """Bring in two ready heroes of a game, a group and one more."""
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
    for hero in find_game(game).ready.heroes[:2]:
        form = hero.to_json()
        add(running, game, **{name: form[name] for name in ("name", "kind", "emblem", "skills", "weapons", "trackers")})
    skills = [{"name": "Blaster", "ask": SKILL.get(game, {"code": "3D+1"})}]
    add(running, game, "Troopers", "group", members=3, skills=skills)
    add(running, game, "Sergeant", "person", skills=skills)


def throw_all(running: RunningTable) -> None:
    """Throw whatever is called, until nothing is."""
    for _ in range(9):
        asked = running.table.state.asked
        if not asked.id:
            return
        assert asked.tray is not None
        face = {"pip": ("4",), "wild": ("3",)}
        throw(running, *[(kind, face.get(kind, ())) for kind, count in asked.tray.dice for _ in range(count)])
    raise AssertionError("something is called again and again")


def shown(page: Page, *names: str) -> None:
    expect(page.locator("#order .turn-row b.may-cut")).to_have_text(list(names))


@pytest.mark.parametrize("game", GAMES)
def test_two_taps_call_everybody_and_the_order_is_made_of_their_cards(
    opens: Opens, paired: Paired, running: RunningTable, game: str
) -> None:
    cast(running, game)
    page = opens("/gm", phone=paired("gm", "Gim"))
    screen = opens("/", viewport={"width": 800, "height": 480})
    page.evaluate(COUNTS)
    page.locator("#fight-begins").click()
    expect(page.locator("#sheet .primary")).to_have_text(page.locator("#fight-call").inner_text())  # one act is lit
    page.locator("#fight-call").click()
    if skills_for(find_game(game).characters, "initiative"):
        expect(page.locator("#headline")).to_contain_text("throw")
        expect(page.locator(".turn-row .is-now")).to_have_text("throws now")
        expect(page.locator("#now-card .ranking")).to_have_count(0)  # the rows say it
        look(page, f"fight-{game}-throwing")
        throw_all(running)
    rows = page.locator("#order .turn-row")
    expect(rows).to_have_count(4)
    assert counted(page) == {"taps": 2, "keys": 0}
    expect(rows.locator(".face-drawing")).to_have_count(4)
    current = running.table.state.initiative.current
    assert current is not None
    expect(page.locator("#order [aria-current] b.may-cut")).to_have_text(current.who)
    expect(page.locator("#now-card .turn-skill").first).to_be_visible()  # one's skills lie on the card
    page.locator('#now-card [data-act="next"], [data-also="pass"]').click()  # where all only declare, that is over
    after = wait_for(running.table, lambda state: state.initiative.current != current).initiative.current
    assert after is not None
    expect(page.locator("#order [aria-current] b.may-cut")).to_have_text(after.who)
    look(page, f"fight-{game}")
    expect(screen.locator("#headline")).to_contain_text(re.compile(f"{after.who.split()[0]} acts?", re.I))
    expect(screen.locator(".order li")).to_have_count(4)
    expect(screen.locator(".turn-card .face-drawing")).to_be_visible()
    for size in ("table", "laptop", "television") if game == "narrative" else ("table",):  # test_layout has all sizes
        resize(screen, SIZES[size])
        assert screen.evaluate(f"({MEASURED})({LAYOUT})") == [], size
        look(screen, f"fight-{game}-{size}")
    assert faults(page) == []


def test_who_throws_is_chosen_skipped_and_left_to_the_table(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    cast(running, "narrative")
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator("#fight-begins").click()
    page.locator('.person-chip[data-who="Sergeant"]').click()
    expect(page.locator('.person-chip[data-who="Sergeant"]')).to_have_attribute("aria-pressed", "false")
    page.locator("#fight-skill").click()
    page.locator('[data-choice="Vigilance"]').click()
    page.locator("#fight-dice").click()
    page.locator('[data-choice="table"]').click()
    page.locator("#fight-call").click()
    expect(page.locator(".turn-list .turn-row")).to_have_count(3)
    assert order_of(running) == ["Troopers"]
    expect(page.locator("#headline")).to_have_text("Oskara throws")
    page.locator('.turn-row .person-row[data-who="Vex"]').click()
    expect(page.locator("#headline")).to_have_text("Vex throws")
    page.locator('[data-also="skip"]').click()
    expect(page.locator("#headline")).to_have_text("Oskara throws")
    throw_all(running)
    expect(page.locator("#order .turn-row")).to_have_count(2)
    assert sorted(order_of(running)) == ["Oskara", "Troopers"]
    for who in ("Sergeant", "Vex"):  # who comes late gets a place by taps, or throws for it
        page.locator("#fight-more").click()
        page.locator('[data-choice="add"]').click()
        page.locator(f'#sheet .person-chip[data-who="{who}"]').click()
        if who == "Vex":
            page.locator("#place-call").click()
            expect(page.locator("#headline")).to_have_text("Vex throws")
            throw_all(running)
            continue
        for _ in range(3):
            page.locator('#sheet [data-number="success"] .step').nth(1).click()
        page.locator('#sheet [data-number="advantage"] .step').nth(1).click()
        page.locator("#place-add").click()
        page.locator("#sheet .done").click()
    slot = next(one for one in running.table.state.initiative.slots if one.who == "Sergeant")
    assert (slot.rank, slot.side) == ((3, 1), "npc")
    expect(page.locator("#order .turn-row")).to_have_count(4)  # the table threw for the Troopers
    assert sorted(order_of(running)) == ["Oskara", "Sergeant", "Troopers", "Vex"]


def test_a_turn_is_given_back_and_the_fight_ends_after_a_question(
    opens: Opens, paired: Paired, running_fight: RunningTable
) -> None:
    page = opens("/gm", phone=paired("gm", "Gim"))
    for who in ("Ann", "Ben"):
        expect(page.locator("#order [aria-current] b.may-cut")).to_have_text(who)
        page.locator('[data-also="pass"]').click()
    now = page.locator("#order [aria-current] b.may-cut")
    expect(now).to_have_text("Cas")
    page.locator("#fight-more").click()
    page.locator('[data-choice="back"]').click()
    expect(now).to_have_text("Ben")
    page.locator("#fight-more").click()
    page.locator('[data-choice="delay"]').click()
    shown(page, "Ann", "Cas", "Ben", "Dot")
    page.locator("#fight-more").click()
    page.get_by_role("button", name="Take Dot out of the order").click()
    page.locator("#sheet .done").click()
    shown(page, "Ann", "Cas", "Ben")
    page.locator("#fight-more").click()
    page.locator('[data-choice="end"]').click()
    page.locator("#sheet .primary:not(.done)").click()
    expect(page.locator("#fight-begins")).to_be_visible()
    assert order_of(running_fight) == []


def test_what_a_round_holds_is_on_the_card_each_with_its_end_and_a_tap_begins_a_new_round(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    cast(running, "d6-wild")
    vex = running.table.state.people[0]
    skill = vex.skills[0].name
    ask = {"actions": 2, "force_point": True}
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=vex.id, skill=skill, ask=ask))
    tray = running.table.state.asked.tray
    assert tray is not None
    shown = tuple(ShownDie(type=kind, face=("3",)) for kind, n in tray.dice for _ in range(n))
    running.table.ask(EnterRoll(id=new_id(), at=1.0, dice=shown, uses_ask=True))
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Cast")
    page.locator(f'.person-row[data-who="{vex.name}"]').click()
    expect(page.locator("#sheet .chip.state")).to_have_count(2)
    page.locator('#sheet .chip.state[data-state="Force Point spent"]').click()
    expect(page.locator("#sheet .chip.state")).to_have_text(re.compile("Actions this round 2"))
    page.locator("#new-round").click()
    expect(page.locator("#sheet .chip.state")).to_have_count(0)
    expect(page.locator("#new-round")).to_have_count(0)
    running.table.ask(Undo(id=new_id(), at=1.0))
    expect(page.locator("#sheet .chip.state")).to_have_count(1)


def test_a_state_is_put_on_lasts_and_is_taken_off_by_taps(opens: Opens, paired: Paired, running: RunningTable) -> None:
    cast(running, "narrative")
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Cast")
    page.locator('.person-row[data-who="Vex"]').click()
    page.locator("#add-state").click()
    page.evaluate("""() => {  // faster than the table answers
        document.querySelector('[data-state="Disoriented"]').click();
        document.querySelector('[data-state="Aiming"]').click();
    }""")
    page.locator('li:has([data-state="Aiming"]) [data-until="round"]').click()
    expect(page.locator('li:has([data-state="Aiming"]) [data-until="round"]')).to_have_attribute("aria-pressed", "true")
    both = {"Disoriented": "scene", "Aiming": "round"}
    wait_for(running.table, lambda _: {one.name: one.until for one in person(running, "Vex").states} == both)
    page.locator("#sheet .done").click()
    shown = page.locator('.person-row[data-who="Vex"] .person-state')
    expect(shown).to_contain_text(re.compile("Disoriented, Aiming|Aiming, Disoriented"))  # either tap may arrive first
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=person(running, "Vex").id, skill="Stealth"))
    tray = running.table.state.asked.tray
    assert tray is not None
    assert (dict(tray.dice)["boost"], dict(tray.dice)["setback"]) == (1, 1)
    running.table.ask(CallRoll(id=new_id(), at=1.0))
    page.locator('.person-row[data-who="Vex"]').click()
    page.locator('.chip.state[data-state="Disoriented"]').click()
    expect(page.locator(".chip.state")).to_have_count(1)
    for who in ("Vex", "Oskara"):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=who, side="npc", rank=(2,)))
    for _ in range(2):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
    expect(page.locator(".chip.state")).to_have_count(0)  # gone with the round


def test_who_is_out_is_drawn_everywhere_and_the_master_overrules_by_a_tap(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    cast(running, "narrative")
    vex = person(running, "Vex")
    hurt = {"id": vex.id, "trackers": {"wounds": {"value": 14, "most": 12}}}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=hurt))  # type: ignore[arg-type]
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator("#fight-begins").click()
    expect(page.locator('.person-chip[data-who="Vex"]')).to_have_attribute("aria-pressed", "false")
    page.locator("#sheet .done").click()
    tab(page, "Cast")
    expect(page.locator('.person-row[data-who="Vex"] .person-state')).to_contain_text("Out of the fight from wounds")
    tab(page, "Now")
    expect(page.locator('.upright[data-who="Vex"] .face-drawing')).to_have_attribute("data-down", "")
    page.locator('.upright[data-who="Vex"]').click()
    page.locator('.skill[data-skill="Stealth"]').click()
    expect(page.locator("#stands")).to_contain_text("Out of the fight from wounds")
    expect(page.locator(".odds-large")).to_contain_text("%")  # the odds are told all the same
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".ask-bar #ask-now", has_text="Vex rolls anyway")).to_be_in_viewport()
    page.locator("#ask-now").click()
    called(page, "Vex", "Stealth")
    assert running.table.state.asked.who == vex.id


def test_a_player_watches_takes_a_turn_and_throws_from_the_own_card(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    cast(running, "narrative")
    phone = paired("player", "Jon")
    vex = person(running, "Vex")
    assert phone.request.post(f"{running.address}api/me", data={"person": vex.id}).ok
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(2,)))
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who="Troopers", side="npc", rank=(1,)))
    page = opens("/player", phone=phone)
    expect(page.locator("#headline")).to_have_text("Players’ turn")
    page.locator('[data-act="claim"]').click()
    expect(page.locator("#headline")).to_have_text("Your turn")
    page.locator("#open-order").click()
    expect(page.locator("#order [aria-current]")).to_contain_text("Vex")
    expect(page.locator("#fight-next")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator('.skill-line[data-skill="Stealth"]').click()
    page.locator("#now-card", has_text="Stealth").get_by_text("Your roll").wait_for()
    look(page, "fight-player")
    assert running.table.state.asked.who == vex.id
    assert faults(page) == []


def test_the_round_of_a_d6_game_is_drawn_and_gone_with_it(opens: Opens, paired: Paired, running: RunningTable) -> None:
    cast(running, "d6-wild")
    torv = next(one for one in running.table.state.people if any(skill.name == "Dodge" for skill in one.skills))
    running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=torv.name, rank=(3, 0, 2)))
    asked = {"actions": 3, "force_point": True}
    running.table.ask(CallRoll(id=new_id(), at=1.0, who=torv.id, skill="Dodge", ask=asked))
    throw_all(running)
    total = dict(running.table.state.rolls[0].net)["total"]
    page = opens("/gm", phone=paired("gm", "Gim"))
    row = page.locator("#order .turn-row").first
    expect(row.locator(".action-marks")).to_have_attribute("aria-label", "1 of 3 actions done")
    expect(row.locator(".round-marks .point")).to_have_count(1)
    expect(row.locator(".reaction")).to_contain_text(str(total))
    for _ in range(3):  # its other two actions, then the next round
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
    expect(row.locator(".round-marks, .reaction")).to_have_count(0)


def test_mouse_and_finger_drag_whom_the_rules_leave_level_and_no_further_and_keys_keep_their_focus(
    opens: Opens, paired: Paired, running_fight: RunningTable
) -> None:
    page = opens("/gm", phone=paired("gm", "Gim"))
    rows = page.locator("#order .turn-row")
    rows.first.wait_for()
    expect(rows.locator(".drag")).to_have_count(0)  # until somebody wants to
    page.locator("#fight-more").click()
    page.locator('[data-choice="move"]').click()
    expect(rows.nth(3).locator(".drag")).to_have_count(0)  # a lower rank stays behind
    handle, target = rows.nth(0).locator(".drag").bounding_box(), rows.nth(3).bounding_box()
    assert handle is not None
    assert target is not None
    page.mouse.move(handle["x"] + 20, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(handle["x"] + 20, target["y"] + 40, steps=8)
    expect(rows.nth(2)).to_have_attribute("data-target", "")
    page.mouse.up()
    shown(page, "Ben", "Cas", "Ann", "Dot")
    page.locator("#undo").click()
    shown(page, "Ann", "Ben", "Cas", "Dot")
    box = page.locator("#order .turn-row").nth(1).locator(".drag").bounding_box()
    above = page.locator("#order .turn-row").nth(0).bounding_box()
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
    page.get_by_role("button", name="Move Cas").focus()
    page.keyboard.press("ArrowUp")
    shown(page, "Ben", "Cas", "Ann", "Dot")
    expect(page.get_by_role("button", name="Move Cas")).to_be_focused()
    page.keyboard.press("ArrowUp")
    shown(page, "Cas", "Ben", "Ann", "Dot")


def test_a_fight_of_twelve_with_long_names_is_laid_out_well(
    opens: Opens, paired: Paired, running_fight: RunningTable
) -> None:
    for n in range(8):
        message = ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=f"{LONG} {n}", rank=(0, 1), side="npc")
        running_fight.table.ask(message)
    page = opens("/gm", phone=paired("gm", "Gim"))
    for lang in ("en", "de"):
        if lang == "de":
            page.goto(f"{running_fight.address}gm?lang=de")
        page.locator("#order .turn-row").first.wait_for()
        for size in ((390, 844), (800, 480), (320, 568)):
            resize(page, size)
            assert page.evaluate(f"({MEASURED})({LAYOUT})") == [], (lang, size)
            look(page, f"gm-fight-{lang}-{size[0]}")


def test_a_rule_turns_a_die_and_takes_one_away_by_three_taps(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    throw(running, ("ability", ("success",)), ("difficulty", ("failure",)), ("boost", ()))
    page = opens("/", viewport={"width": 800, "height": 480})
    page.evaluate(COUNTS)
    page.locator("#dice .die").nth(1).click()  # helping ones first: the boost
    page.locator('[data-rule="turned"]').click()
    page.locator("#picker .faces .choice", has_text="2 advantages").click()
    expect(page.locator('#dice .die[data-rule="turned"]')).to_have_count(1)
    assert counted(page) == {"taps": 3, "keys": 0}
    page.locator("#dice .die").nth(2).click()
    page.locator('[data-rule="away"]').click()
    expect(page.locator('#dice .die[data-rule="away"]')).to_have_count(1)
    look(page, "ruled")
    roll = running.table.state.rolls[0]
    assert (dict(roll.net)["success"], dict(roll.net)["advantage"], roll.source.value) == (1, 2, "camera")
    assert [change.kind for change in running.table.state.changes][-2:] == ["rule", "rule"]
    assert faults(page) == []


def test_no_quiet_act_of_a_call_breaks_a_word(opens: Opens, paired: Paired, running: RunningTable) -> None:
    cast(running, "narrative")
    page = opens("/gm?lang=de", phone=paired("gm", "Gim"))
    broken = """() => [...document.querySelectorAll('#now-card .also b')].filter((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        const lines = new Set([...words.getClientRects()].map((line) => line.top));
        return !/\\s/.test(one.textContent.trim()) && lines.size > 1;
    }).map((one) => one.textContent)"""
    for who in ("all", "players"):  # the second call is by others, of whom fewer wait
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CALL, who=(who,)))
        expect(page.locator('#now-card [data-also="skip"]')).to_have_text("Überspringen")
        for size in (390, 360):
            page.set_viewport_size({"width": size, "height": 844})
            assert page.evaluate(broken) == []
        running.table.ask(Undo(id=new_id(), at=1.0))
