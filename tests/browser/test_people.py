"""People on the phones: written down, copied, hurt, saved and read again; and what a player's own page offers."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import ChooseGame, SetAsk
from tests.browser.conftest import Opens, artefacts, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired, tab
from tests.browser.test_turns import add, now
from tests.table.test_turn import HIT, OSKARA, THUG, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
IS_SEEN = """node => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint((left + right) / 2, y)));
}"""
"""Tells whether something is in the window, with nothing over it."""


@pytest.fixture
def master(opens: Opens, paired: Paired, running: RunningTable) -> Page:
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "People")
    return page


def row(page: Page, name: str) -> Page:
    head = page.locator(f'.person[data-person="{name}"] .person-head')
    head.click()
    expect(head).to_have_attribute("aria-expanded", "true")
    return page


def test_a_master_finds_odds_pool_and_trackers_without_scrolling(master: Page, running: RunningTable) -> None:
    for person in (OSKARA, TROOPERS):
        add(running, person)
    throw(running, ("ability", ("success",)))
    expect(master.locator(".strip")).to_be_visible()
    row(master, "Oskara")
    expect(master.locator(".stepper:visible")).to_have_count(3)
    master.locator(".more-trackers summary", has_text="5 more").click()
    master.get_by_label("Conflict: more").click()
    master.locator(".more-trackers summary", has_text="5 more, Conflict 1").wait_for()
    tab(master, "Roll")
    master.locator('[data-who="Oskara"]').click()
    master.locator('[data-skill="Mechanics"]').click()
    odds = master.locator(".odds-line .odds-large")
    expect(odds).to_have_text(re.compile(r"\d%"))
    assert odds.evaluate(IS_SEEN)
    master.locator('[data-skill="Carbine"]').click()
    master.locator(".target", has_text="Trooper").wait_for()
    assert odds.evaluate(IS_SEEN)  # of an attack, which asks more
    tab(master, "Table")
    master.get_by_role("button", name="Throw for: Destiny").click()  # nobody is named, but there is a character
    wait_for(running.table, lambda state: bool(state.asked.id))
    throw(running, ("ability", ("success",)), ("boost", ()))  # one of white is missing, two others lie there
    expect(master.locator(".strip-head .big")).to_have_text("1 die too many")


def test_somebody_is_written_down_and_called(master: Page, running: RunningTable) -> None:
    master.locator("#add-person").click()
    master.locator("#person-name").fill("Guard")
    master.locator("#person-kind").select_option("group")
    master.locator("#person-members").fill("5")
    master.locator("#limit-wounds").fill("4")
    master.get_by_label("Skill", exact=True).fill("Athletics")
    master.get_by_label("Characteristic", exact=True).fill("3")
    master.get_by_label("Skill ranks", exact=True).fill("1")
    assert faults(master) == []
    master.screenshot(path=artefacts() / "gm-editor.png")
    master.get_by_role("button", name="Save", exact=True).click()
    expect(master.locator("#sheet")).to_be_hidden()
    (guard,) = running.table.state.people
    assert (guard.name, guard.kind.value, guard.members, guard.most("wounds")) == ("Guard", "group", 5, 4)
    assert dict(guard.skills[0].ask) == {"characteristic": 3, "skill": 1}
    row(master, "Guard").locator(".person-more .chip", has_text="Athletics").click()
    master.locator("#ask-now").click()
    master.locator("#call", has_text="Guard: Athletics").wait_for()


def test_a_change_keeps_what_the_editor_does_not_ask(master: Page, running: RunningTable) -> None:
    oskara = add(running, OSKARA)
    row(master, "Oskara").locator(".edit-person").click()
    master.locator("#limit-wounds").fill("14")
    master.get_by_role("button", name="Save", exact=True).click()
    expect(master.locator("#sheet")).to_be_hidden()
    after = now(running, oskara)
    assert after.most("wounds") == 14
    assert (after.skills, after.weapons, after.value("strain")) == (oskara.skills, oskara.weapons, 3)


def test_five_troopers_are_copies_and_one_of_them_goes_after_a_question(master: Page, running: RunningTable) -> None:
    add(running, TROOPERS)
    row(master, "Trooper").locator(".copy-person").click()
    master.get_by_role("button", name="4 copies").click()
    expect(master.locator(".person")).to_have_count(5)
    row(master, "Trooper 5").locator(".remove-person").click()
    expect(master.locator("#sheet")).to_contain_text("Remove Trooper 5?")
    master.locator("#sheet").get_by_role("button", name="Remove").click()
    expect(master.locator(".person")).to_have_count(4)


def test_trackers_follow_taps_and_say_that_a_limit_is_passed(master: Page, running: RunningTable) -> None:
    oskara = add(running, {**OSKARA, "trackers": {"wounds": {"value": 12, "most": 12}}})
    row(master, "Oskara").get_by_label("Wounds: more").click()
    expect(master.locator(".person-state")).to_contain_text("Wounds over the limit")
    assert (now(running, oskara).value("wounds"), now(running, oskara).most("wounds")) == (13, 12)


def test_everybody_is_saved_as_a_file_and_read_from_it(master: Page, running: RunningTable, tmp_path: Path) -> None:
    before = add(running, OSKARA)
    master.get_by_text("Files").click()
    with master.expect_download() as download:
        master.locator("#export-people").click()
    file = tmp_path / "people.json"
    download.value.save_as(file)
    assert [one["name"] for one in json.loads(file.read_text("utf-8"))] == ["Oskara"]
    for part, count in ({"notes": "Owes a favour"}, 1), ({"name": "Oskara's twin"}, 2):
        file.write_text(json.dumps([one | part for one in json.loads(file.read_text("utf-8"))]), "utf-8")
        master.locator("#import-people").set_input_files(file)
        master.locator(".person", has_text=next(iter(part.values()))).last.wait_for()
        expect(master.locator(".person")).to_have_count(count)
    after = running.table.state.people[-1]
    assert after.id != before.id
    assert (after.skills, after.weapons, after.trackers) == (before.skills, before.weapons, before.trackers)
    file.write_text("no people", encoding="utf-8")
    master.locator("#import-people").set_input_files(file)
    master.locator(".toast", has_text="the file holds no people").wait_for()


def test_somebody_else_is_hurt_and_the_next_throw_is_offered(master: Page, running: RunningTable) -> None:
    oskara, troopers = add(running, OSKARA), add(running, TROOPERS)
    sergeant = add(running, {"name": "Sergeant", "kind": "person", "game": "narrative", "defences": {"soak": 4},
                             "trackers": {"wounds": {"value": 10, "most": 14}}})  # fmt: skip
    call = SetAsk(id=new_id(), at=time.time(), who=oskara.id, weapon="Carbine", against=troopers.id)
    running.table.ask(call)
    throw(running, *[(kind, face) for kind, faces in HIT.items() for face in faces])
    master.locator(".someone-else").click()
    master.locator('.others [data-to="Sergeant"]').click()
    expect(master.locator(".applied")).to_contain_text("Sergeant: 8 wounds")  # 9 and 3, less 4
    assert now(running, sergeant).value("wounds") == 18
    assert now(running, troopers).value("wounds") == 0
    master.locator('[data-next="follow"]', has_text="A critical injury").click()
    tab(master, "Roll")
    master.locator("#call", has_text="A critical injury: Sergeant").wait_for()
    assert running.table.state.asked.player == "Oskara"  # who hurt them throws


def test_a_die_of_the_pool_is_upgraded_or_removed(master: Page, running: RunningTable) -> None:
    add(running, OSKARA)
    tab(master, "Roll")
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Mechanics"]').click()
    pool = master.locator(".side").first
    expect(pool.locator(".pool-die")).to_have_count(2)
    pool.get_by_label("Ability").click()
    master.locator("#sheet").get_by_role("button", name="Upgrade").click()
    expect(pool.locator('.pool-die [data-type="proficiency"]')).to_have_count(2)
    pool.locator(".pool-die").first.click()
    master.locator("#die-away").click()
    expect(pool.locator(".pool-die")).to_have_count(1)
    master.locator('.place[data-place="3"]').click()
    expect(master.locator('.place [data-type="difficulty"]:not([data-missing])')).to_have_count(3)
    master.locator("#ask-now").click()
    master.locator("#call").wait_for()
    assert running.table.state.asked.answers["difficulty"] == "hard"
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Mechanics"]').click()  # the difficulty keeps its last value
    expect(master.locator('.place [data-type="difficulty"]:not([data-missing])')).to_have_count(3)


def test_a_player_rolls_upgrades_buys_and_sees_the_strain_go(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    oskara = add(running, OSKARA)
    page = opens("/player", phone=paired("player", "Oskara"))
    page.locator('.skill-line[data-skill="Mechanics"]').click()
    page.locator("#ask-now").click()
    page.locator("#call", has_text="Oskara: Mechanics").wait_for()
    tab(page, "Me")
    expect(page.locator("#points small")).to_have_text("tap one to upgrade your next roll")
    page.locator("#points .token").first.click()
    expect(page.locator("#points .token")).to_have_count(1)
    throw(running, ("proficiency", ("advantage", "advantage")), ("proficiency", ("success",)),
          ("difficulty", ()), ("difficulty", ()))  # fmt: skip
    page.locator('[data-spend="recover_strain"]').click()
    expect(page.locator('[data-spend="recover_strain"]')).to_contain_text("1 bought")
    expect(page.locator(".stepper", has_text="Strain").locator("output b")).to_have_text("2")
    assert now(running, oskara).value("strain") == 2
    assert faults(page) == []
    page.screenshot(path=artefacts() / "player-me.png", full_page=True)


MEASURED = """(faults) => {
    const over = [document.querySelector(".tabs"), document.querySelector(".ask-bar")];  // they lie over what scrolls
    over.forEach((one) => { one.style.position = "static"; });
    const found = faults(true);
    over.forEach((one) => { one.style.position = ""; });
    return found;
}"""


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_tab_is_laid_out_well_on_every_phone(
    opens: Opens, paired: Paired, running: RunningTable, lang: str
) -> None:
    add(running, OSKARA)
    add(running, TROOPERS)
    ship = {"hull": {"value": 23, "most": 22}, "system_strain": {"value": 3, "most": 18}}
    add(running, {"name": "The Lark", "kind": "thing", "game": "narrative", "trackers": ship})
    page = opens(f"/gm?lang={lang}", phone=paired("gm", "Gim"))
    page.locator(".who-choice").first.click()
    page.locator(".skill").first.click()
    page.locator(".odds-large small").wait_for()
    for size in ((390, 844), (800, 480), (320, 568)):
        resize(page, size)
        for place in range(5):
            page.locator(".tabs button").nth(place).click()
            assert page.evaluate(f"({MEASURED})({LAYOUT})") == [], (size, place)


def test_an_act_of_the_game_is_done_with_a_tap_and_a_field_is_asked_where_it_belongs(
    master: Page, running: RunningTable
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=time.time(), game="d6-wild"))
    thug = add(running, THUG)
    row(master, "Thug").locator('.act[data-act="minute_of_rest"]').click()
    wait_for(running.table, lambda _: now(running, thug).value("stuns") == 0)
    master.locator('.act[data-act="round"]').click()
    wait_for(running.table, lambda _: now(running, thug).value("stunned_rounds") == 1)
    tab(master, "Roll")
    location = master.get_by_label("Where it hits")
    master.locator("#ask-purpose").select_option("dying")
    expect(master.get_by_label("Rounds since the mortal wound")).to_be_visible()
    expect(location).to_be_hidden()
    master.locator("#ask-purpose").select_option("damage")
    expect(location).to_be_visible()


def test_taps_on_two_phones_at_once_count_two(
    master: Page, opens: Opens, paired: Paired, running: RunningTable
) -> None:
    oskara = add(running, OSKARA)
    player = opens("/player", phone=paired("player", "Oskara"))
    row(master, "Oskara")
    expect(player.locator(".stepper", has_text="Wounds")).to_be_visible()
    held: list[object] = []
    for page in (master, player):  # neither phone hears of the other's press before it has made its own
        page.route(
            "**/api/people", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
        )
    for page in (master, player):
        page.get_by_label("Wounds: more").click()
    for page in (master, player):
        expect(page.locator(".stepper", has_text="Wounds").locator("output b")).to_have_text("0")
    for route in held:
        route.continue_()  # type: ignore[attr-defined]
    for page in (master, player):
        expect(page.locator(".stepper", has_text="Wounds").locator("output b")).to_have_text("2")
    assert now(running, oskara).value("wounds") == 2


@pytest.mark.parametrize("game", ["d6-companion", "d6-wild"])
def test_whole_dice_and_pips_of_a_code_are_a_tap_each(
    opens: Opens, paired: Paired, running: RunningTable, game: str
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
    skills = [{"name": "Repair", "ask": {"code": "3D+1"}}]
    add(running, {"name": "Kesh", "kind": "player", "game": game, "skills": skills})
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator('.upright[data-who="Kesh"]').click()
    page.locator('.skill[data-skill="Repair"]').click()
    page.locator(".band", has_text="Moderate").click()
    expect(page.locator(".band-row .number")).to_have_text("11")
    expect(page.locator(".odds-bars rect").first).not_to_have_attribute("data-enough", "")  # the least does not do
    expect(page.locator(".odds-bars rect").last).to_have_attribute("data-enough", "")
    page.locator(".band", has_text="Moderate").click()
    page.get_by_label("Difficulty 1 higher").click()
    more = page.get_by_label("One die more")
    more.click()
    expect(page.locator(".code-large")).to_have_text("4D+1")
    more.click()
    expect(page.locator(".code-row .pool-die")).to_have_count(5)
    page.get_by_label("One pip more").click()
    assert faults(page) == []
    page.screenshot(path=artefacts() / f"gm-code-{game}.png")
    resize(page, (320, 568))
    assert "the page scrolls sideways" not in page.evaluate(f"({MEASURED})({LAYOUT})")
    page.locator("#ask-now").click()
    page.locator("#call").wait_for()
    answers = running.table.state.asked.answers
    assert (answers["code"], answers["pips"], answers["difficulty"]) == ("5D+1", 1, 10)


def test_one_roll_against_several_goes_by_the_hardest(master: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))
    skill = {"name": "Blade", "ask": {"ability": 3, "skill": 2}}
    sword = {"name": "Sword", "skill": "Blade", "ask": {"purpose": "attack", "power": "basic_melee", "weapon": 4}}
    people: list[dict[str, Any]] = [
        {"name": "Brand", "kind": "player", "skills": [skill], "weapons": [sword]},
        {"name": "Ogre", "kind": "person", "defences": {"defense_abilities": [2], "defense_rank": 0}},
        {"name": "Troll", "kind": "person", "defences": {"defense_abilities": [3], "defense_rank": 2}},
    ]
    for person in people:
        add(running, person | {"game": "heroic"})
    tab(master, "Roll")
    master.locator(".who-choice", has_text="Brand").click()
    master.locator(".skill-row .chip", has_text="Sword").click()
    master.locator(".target", has_text="Ogre").click()
    master.locator("#several-targets").click()
    master.locator(".target", has_text="Troll").click()
    expect(master.locator('.target[aria-pressed="true"]')).to_have_count(2)
    master.locator("#ask-now").click()
    asked = wait_for(running.table, lambda state: len(state.asked.targets) == 2).asked
    assert asked.against == next(one.id for one in running.table.state.people if one.name == "Troll")
    assert asked.tray is not None
    assert dict(asked.tray.dice) == {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 2}
    master.locator("#call-change").click()
    expect(master.locator('.target[aria-pressed="true"]')).to_have_count(2)
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    expect(master.locator(".who-choice", has_text="Brand")).to_have_count(0)
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))
    expect(master.locator(".who-choice", has_text="Brand")).to_have_attribute("aria-pressed", "false")
    expect(master.locator('.target[aria-pressed="true"]')).to_have_count(0)
