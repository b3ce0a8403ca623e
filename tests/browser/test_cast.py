"""The cast on the phones: brought in, written down by taps, copied, hurt, saved and read again; one's own page."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.rules import find_game
from tableside.table.messages import CallRoll, ChangePerson, ChooseGame, DoPerson
from tests.browser.conftest import Opens, look, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired, called, tab
from tests.browser.test_turns import add, now
from tests.table.test_turn import HIT, OSKARA, THUG, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def master(opens: Opens, paired: Paired, running: RunningTable) -> Page:
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Cast")
    return page


def card(page: Page, name: str) -> Page:
    """Open somebody's card in full."""
    page.locator(f'.person-row[data-who="{name}"]').click()
    page.locator(f'.person-full[data-who="{name}"]').wait_for()
    return page


@pytest.mark.parametrize("game", ["narrative", "heroic", "d6-companion", "d6-wild"])
def test_one_tap_brings_in_four_heroes_who_can_be_called_at_once_and_one_each_opponent(
    opens: Opens, paired: Paired, running: RunningTable, game: str
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Cast")
    page.locator("#bring-all").click()
    heroes = find_game(game).ready.heroes
    expect(page.locator(".person-row")).to_have_count(4)
    page.locator("#undo").click()
    expect(page.locator(".person-row")).to_have_count(0)
    page.locator("#bring-all").click()
    expect(page.locator(".person-row")).to_have_count(4)
    assert [one.name for one in running.table.state.people] == [one.name for one in heroes]
    look(page, f"cast-{game}")
    opponents = find_game(game).ready.opponents
    for left in range(len(opponents), 0, -1):
        expect(page.locator(".ready-others .upright")).to_have_count(left)
        page.locator(".ready-others .upright").first.click()
    expect(page.locator(".ready-others")).to_have_count(0)
    here = running.table.state.people[4:]
    assert [(one.name, one.kind, one.members) for one in here] == [(o.name, o.kind, o.members) for o in opponents]
    tab(page, "Now")
    if game.startswith("d6"):
        points = page.locator('[data-chip="points"], [data-chip="force_point"]')
        for who, count in (("Kesh", 1), ("Sergeant", 0)) if game == "d6-companion" else (("Sergeant", 0),):
            page.locator(f'.upright[data-who="{who}"]').click()
            expect(points).to_have_count(count)  # who has none is offered none
    page.locator(f'.upright[data-who="{heroes[2].name}"]').click()
    page.locator(f'.skill[data-skill="{heroes[2].skills[0].name}"]').click()
    expect(page.locator("#ask-now")).to_contain_text(f"{heroes[2].name} rolls {heroes[2].skills[0].name}")
    page.locator("#ask-now").click()
    called(page, heroes[2].name, "")
    assert running.table.state.asked.tray is not None


def test_a_hero_is_a_name_and_taps(master: Page, running: RunningTable) -> None:
    """Eleven taps beside the name: + and, for each of three skills, the skill and its dice; a colour, Done."""
    master.locator("#add-person").click()
    master.locator("#person-name").fill("Nerys")
    done = master.locator("#person-done")
    for skill, *places in (("Athletics", 4, 2), ("Charm", 3, 1), ("Cool", 1)):
        master.locator(f'.add-skill[data-skill="{skill}"]').click()
        for place in places:
            master.locator(f'.rated [data-skill="{skill}"] [data-place="{place}"], '
                           f'li[data-skill="{skill}"] [data-place="{place}"]').first.click()  # fmt: skip
    assert faults(master) == []
    done.click()
    expect(master.locator("#sheet")).to_be_hidden()
    (nerys,) = running.table.state.people
    asks = [(one.name, one.ask["characteristic"], one.ask.get("skill", 0)) for one in nerys.skills]
    assert asks == [("Athletics", 4, 2), ("Charm", 3, 1), ("Cool", 2, 1)]  # a tap on a die upgrades it
    assert (nerys.most("wounds"), nerys.most("strain")) == (12, 12)
    card(master, "Nerys").locator('.skill-line[data-skill="Charm"]').click()
    master.locator("#ask-now", has_text="Nerys rolls Charm").click()
    called(master, "Nerys", "Charm")


def test_cards_are_made_by_commas_and_copied_removed_after_a_question_and_marked_past_a_limit(
    master: Page, running: RunningTable
) -> None:
    master.locator("#make-others").click()
    master.locator("#person-name").fill("Lena, Otto , Ruth")
    master.locator(".number-steps#person-members").get_by_label("How many: more").click()
    master.locator("#person-done").click()
    expect(master.locator(".person-row")).to_have_count(3)
    assert [(one.name, one.kind.value, one.members) for one in running.table.state.people] == [
        ("Lena", "group", 5), ("Otto", "group", 5), ("Ruth", "group", 5)]  # fmt: skip
    assert len({one.colour for one in running.table.state.people}) == 3
    add(running, TROOPERS)
    for n in (2, 3):
        card(master, "Trooper").locator(".copy-person", has_text=f"Trooper {n}").click()
        expect(master.locator(".person-row", has_text=re.compile(f"Trooper {n}"))).to_have_count(1)
        master.locator("#sheet .done").click()
    card(master, "Trooper 3").locator("#card-more").click()
    master.locator(".remove-person").click()
    expect(master.locator("#sheet")).to_contain_text("Remove Trooper 3?")
    master.locator("#sheet").get_by_role("button", name="Remove").click()
    expect(master.locator(".person-row")).to_have_count(5)
    oskara = add(running, {**OSKARA, "trackers": {"wounds": {"value": 12, "most": 12}}})
    card(master, "Oskara").get_by_label("Wounds: more").click()
    expect(master.locator(".full-head")).to_contain_text("Out of the fight")
    master.locator("#sheet .done").click()
    expect(master.locator(".person-row .rim.filled[data-bad]")).to_have_count(1)
    assert (now(running, oskara).value("wounds"), now(running, oskara).most("wounds")) == (13, 12)


def test_a_weapon_brings_its_skill_and_a_code_goes_by_pips(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Cast")
    page.locator("#make-others").click()
    page.locator("#person-name").fill("Scout trooper")
    page.locator("#person-weapons").click()
    page.locator('[data-weapon="Rifle"]').click()
    page.locator(".weapon-choices").get_by_label("One pip more").click()
    page.locator(".page-head .close").click()
    line = page.locator('.rated > li[data-skill="Blaster"]')
    line.get_by_label("One pip more").click()
    line.locator('[data-place="4"]').click()
    line.get_by_label("One pip more").click()
    page.locator("#person-done").click()
    expect(page.locator("#sheet")).to_be_hidden()
    (trooper,) = running.table.state.people
    assert dict(trooper.skill("Blaster").ask) == {"code": "4D+1"}
    assert trooper.weapons[0].damage["code"] == "5D+1"


def test_a_change_keeps_what_the_editor_does_not_ask_and_a_wound_that_came_meanwhile(
    master: Page, running: RunningTable
) -> None:
    oskara = add(running, {**OSKARA, "notes": "Owes a favour"})
    card(master, "Oskara").locator(".edit-person").click()
    master.locator("#person-numbers").click()
    for _ in range(2):
        master.locator("#number-wounds").get_by_label("Wounds: more").click()
    master.locator(".page-head .close").click()
    person = {"id": oskara.id, "trackers": {"wounds": {"change": 4}}}
    master.request.post("/".join(master.url.split("/")[:3]) + "/api/people",
                        data={"id": new_id(), "do": "change", "person": person})  # fmt: skip
    master.locator("#person-done").click()
    expect(master.locator("#sheet")).to_be_hidden()
    after = now(running, oskara)
    assert (after.most("wounds"), after.value("wounds")) == (
        (oskara.most("wounds") or 0) + 2,
        oskara.value("wounds") + 4,
    )
    assert (after.skills, after.weapons, after.notes) == (oskara.skills, oskara.weapons, "Owes a favour")


def test_everybody_is_saved_as_a_file_and_read_from_it(master: Page, running: RunningTable, tmp_path: Path) -> None:
    before = add(running, OSKARA)
    tab(master, "Tonight")
    master.locator("[data-row=more]").click()
    with master.expect_download() as download:
        master.locator("#export-people").click()
    file = tmp_path / "people.json"
    download.value.save_as(file)
    assert [one["name"] for one in json.loads(file.read_text("utf-8"))] == ["Oskara"]
    for part, count in ({"notes": "Owes a favour"}, 1), ({"name": "Oskara's twin"}, 2):
        file.write_text(json.dumps([one | part for one in json.loads(file.read_text("utf-8"))]), "utf-8")
        master.locator("#import-people").set_input_files(file)
        wait_for(running.table, lambda state, n=count, p=part: len(state.people) == n and all(
            getattr(state.people[-1], key) == value for key, value in p.items()))  # fmt: skip
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
    call = CallRoll(id=new_id(), at=time.time(), who=oskara.id, weapon="Carbine", against=troopers.id)
    running.table.ask(call)
    throw(running, *[(kind, face) for kind, faces in HIT.items() for face in faces])
    expect(master.locator("#pane-cast")).to_contain_text("Sergeant")  # the sheet offers whom the page knows
    tab(master, "Now")
    master.locator(".someone-else").click()
    master.locator("#sheet").get_by_role("button", name="Sergeant").click()
    expect(master.locator(".now-done")).to_contain_text("Sergeant: 8 wounds")  # 9 and 3, less 4
    assert now(running, sergeant).value("wounds") == 18
    assert now(running, troopers).value("wounds") == 0
    expect(master.get_by_text("A critical injury")).to_have_count(1)  # the act says it, and nothing beside it
    master.locator("#now-card .act-lit", has_text="A critical injury").click()
    called(master, "", "A critical injury: Sergeant")
    assert running.table.state.asked.player == "Oskara"  # who hurt them throws


def test_a_player_calls_with_a_tap_upgrades_buys_and_sees_the_strain_go(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    oskara = add(running, OSKARA)
    page = opens("/player", phone=paired("player", "Oskara"))
    headline = page.locator("#headline")
    expect(headline).to_have_text("You are in")
    page.locator(".person-row", has_text="Oskara").click()
    weapon, skill, state = (page.locator(one).bounding_box() for one in (".weapon-line", ".skill-lines", "#add-state"))
    assert weapon["y"] < skill["y"] < state["y"]  # what is thrown comes before what is seldom done
    page.locator('.skill-line[data-skill="Mechanics"]').click()
    expect(headline).to_have_text("Your roll")
    expect(page.locator("#now-card .now-odds")).to_contain_text("%")
    page.locator("#call-change").click()
    page.locator('#sheet .flip[data-side="light"]').click()
    wait_for(running.table, lambda state: state.destiny.light == 1)
    page.keyboard.press("Escape")
    throw(running, ("proficiency", ("advantage", "advantage")), ("proficiency", ("success",)),
          ("difficulty", ()), ("difficulty", ()))  # fmt: skip
    expect(headline).to_have_text("Success")
    page.locator('[data-spend="recover_strain"]').click()
    expect(page.locator(".now-done")).to_contain_text("strain")
    expect(page.locator(".stepper", has_text="Strain")).to_contain_text("2 of 11")
    assert now(running, oskara).value("strain") == 2
    assert faults(page) == []
    look(page, "player-me", full_page=True)


MEASURED = """(faults) => {
    const over = document.querySelectorAll(".tabs, .ask-bar, .pane > .foot-acts");  // they lie over what scrolls
    over.forEach((one) => { one.style.position = "static"; });
    const found = faults(true);
    over.forEach((one) => { one.style.position = ""; });
    return found;
}"""
BROKEN = """() => [...document.querySelectorAll(".gauge > b")].filter((value) => {
    const words = document.createRange();
    words.selectNodeContents(value);
    return new Set([...words.getClientRects()].map((one) => Math.round(one.top))).size > 1;
}).map((value) => value.textContent)"""
"""Finds the values of gauges that stand on more than one line."""
LONG = "Lowhhrick Würfelzähler der 3"


def test_every_tab_is_laid_out_well_on_every_phone(opens: Opens, paired: Paired, running: RunningTable) -> None:
    add(running, OSKARA)
    add(running, {**OSKARA, "name": LONG})
    add(running, TROOPERS)
    ship = {"hull": {"value": 23, "most": 22}, "system_strain": {"value": 3, "most": 18}}
    add(running, {"name": "The Lark", "kind": "thing", "game": "narrative", "trackers": ship})
    page = opens("/gm", phone=paired("gm", "Gim"))
    every = ((390, 844), (800, 480), (320, 568))
    for lang, sizes in (("en", every[:1]), ("de", every)):
        if lang == "de":
            page.goto(f"{running.address}gm?lang=de")
        page.locator(".tabs button").first.click()
        page.locator('.upright[data-who="Oskara"]').click()
        page.locator(".skill").first.click()
        page.locator(".odds-large", has_text="%").wait_for()
        for size in sizes:
            resize(page, size)
            for place in range(4):
                page.locator(".tabs button").nth(place).click()
                assert page.evaluate(f"({MEASURED})({LAYOUT})") == [], (lang, size, place)
                assert page.evaluate(BROKEN) == [], (lang, size, place)


def test_an_act_of_the_game_is_done_with_a_tap_and_a_field_is_asked_where_it_belongs(
    master: Page, running: RunningTable
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=time.time(), game="d6-wild"))
    thug = add(running, THUG)
    card(master, "Thug").locator("#card-more").click()
    master.locator('.act[data-act="minute_of_rest"]').click()
    wait_for(running.table, lambda _: now(running, thug).value("stuns") == 0)
    master.locator("#sheet .done").click()
    master.locator('.act[data-act="round"]').click()
    wait_for(running.table, lambda _: now(running, thug).value("stunned_rounds") == 1)
    tab(master, "Now")
    master.locator('[data-chip="rest"]').click()
    master.locator('[data-row="purpose"]').click()
    location, rounds = (master.locator(f'#sheet [data-field="{name}"]') for name in ("location", "rounds"))
    master.locator('[data-purpose="dying"]').click()
    expect(rounds).to_be_visible()
    expect(location).to_have_count(0)
    master.locator('[data-purpose="damage"]').click()
    expect(location).to_be_visible()
    master.locator('[data-purpose="damage"]').click()  # a second tap changes nothing
    expect(location).to_be_visible()


def test_taps_on_two_phones_at_once_count_two(
    master: Page, opens: Opens, paired: Paired, running: RunningTable
) -> None:
    oskara = add(running, OSKARA)
    player = opens("/player", phone=paired("player", "Oskara"))
    player.locator(".person-row", has_text="Oskara").click()
    card(master, "Oskara")
    wounds = [page.locator(".person-full .stepper", has_text="Wounds") for page in (master, player)]
    expect(wounds[1]).to_be_visible()
    held: list[object] = []
    for page in (master, player):  # neither phone hears of the other's press before it has made its own
        page.route(
            "**/api/people", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
        )
    for line in wounds:
        line.get_by_label("Wounds: more").click()
    for line in wounds:
        expect(line).to_contain_text("0 of 12")
    for route in held:
        route.continue_()  # type: ignore[attr-defined]
    for line in wounds:
        expect(line).to_contain_text("2 of 12")
    assert now(running, oskara).value("wounds") == 2


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
    tab(master, "Now")
    master.locator('.upright[data-who="Brand"]').click()
    master.locator(".skill[data-skill=Sword]").click()
    target = master.locator('.call-chip[data-chip="target"]')
    expect(target).to_contain_text("Ogre")
    target.click()
    master.locator("#several-targets").check()
    master.locator('.target-rows [data-who="Troll"]').click()
    master.locator("#sheet .done").click()
    expect(target).to_contain_text("Ogre, Troll")
    master.locator("#ask-now").click()
    asked = wait_for(running.table, lambda state: len(state.asked.targets) == 2).asked
    assert asked.against == next(one.id for one in running.table.state.people if one.name == "Troll")
    assert asked.tray is not None
    assert dict(asked.tray.dice) == {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 2}
    master.locator("#call-change").click()
    expect(target).to_contain_text("Ogre, Troll")
    expect(master.locator("#ask-now")).to_contain_text("%")
    sword_row = master.locator(".skill[data-skill=Sword]")
    for game, count in (("narrative", 0), ("heroic", 1)):  # who plays goes along, with what they have in that game
        running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
        expect(sword_row).to_have_count(count)
        expect(master.locator('.upright[data-who="Brand"]')).to_be_visible()
        expect(target.filter(has_text="Troll")).to_have_count(0)  # it is no call of before


def test_a_ship_s_crew_is_chosen_by_taps_and_one_of_it_rolls(master: Page, running: RunningTable) -> None:
    gunnery = [{"name": "Gunnery", "ask": {"characteristic": 4, "skill": 1}}]
    laser = {"name": "Laser", "skill": "Gunnery", "ask": {"purpose": "attack", "attack": "ranged", "range": "close"}}
    for person in (
        {"name": "Ann", "kind": "player", "skills": gunnery},
        {"name": "Bo", "kind": "player", "skills": gunnery},
        {"name": "Ship", "kind": "thing", "skills": gunnery, "weapons": [laser]},
    ):
        add(running, person | {"game": "narrative"})
    card(master, "Ship").locator(".edit-person").click()
    master.locator("#person-crew").click()
    for name in ("Ann", "Bo"):
        master.locator(f'.target-rows [data-who="{name}"]').click()
    look(master, "cast-crew")
    master.locator("#sheet .close").click()
    expect(master.locator("#person-crew")).to_contain_text("Ann, Bo")
    master.locator("#person-done").click()
    ann, bo, ship = wait_for(running.table, lambda state: bool(state.people[2].crew)).people
    assert ship.crew == (ann.id, bo.id)
    tab(master, "Now")
    master.locator('.upright[data-who="Ship"]').click()
    master.locator(".skill[data-skill=Laser]").click()
    crew = master.locator('.call-chip[data-chip="crew"]')
    expect(crew).to_contain_text("Ann rolls")
    crew.click()
    master.locator('.target-rows [data-who="Bo"]').click()
    master.locator("#sheet .done").click()
    expect(crew).to_contain_text("Bo rolls")
    assert not faults(master)
    master.locator("#ask-now").click()
    asked = wait_for(running.table, lambda state: bool(state.asked.id)).asked
    assert (asked.who, asked.aboard, asked.player) == (bo.id, ship.id, "Bo")
    master.locator("#call-change").click()
    expect(crew).to_contain_text("Bo rolls")


def test_a_talent_and_what_joins_by_itself_are_taps(master: Page, running: RunningTable) -> None:
    master.locator("#bring-all").click()
    card(master, "Oskara").locator(".edit-person").click()
    master.locator("#person-talents").click()
    expect(master.locator("[data-talent]")).to_have_count(2)  # those that are ready
    look(master, "talents")
    master.locator("#talent-name").fill("Steady hand")
    master.locator('[data-of="Mechanics"]').click()
    master.locator("#talent-ask-boost button").last.click()
    master.locator("#talent-add").click()
    expect(master.locator("[data-talent]")).to_have_count(3)
    master.locator('[data-talent="Knows machines"] button').click()
    assert faults(master) == []
    look(master, "talents-more")
    master.locator(".page-head .close").click()
    master.locator("#person-numbers").click()
    look(master, "talents-joins")
    master.locator('[data-rules="nothing"]').click()
    master.locator(".page-head .close").click()
    master.locator("#person-done").click()
    expect(master.locator("#sheet")).to_be_hidden()
    oskara = running.table.state.people[0]
    assert ([one.name for one in oskara.states], oskara.joins) == (["Handy with tools", "Steady hand"], "nothing")
    aiming = {"id": oskara.id, "begins": [{"name": "Aiming", "ask": {"boost": 1}}]}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=aiming))
    tab(master, "Now")
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Mechanics"]').click()
    expect(master.locator('.pool-die[data-die="boost"]')).to_have_count(1)  # the talent
    look(master, "joins-off")
    master.locator('button[data-joins="Aiming"]').click()
    expect(master.locator('.pool-die[data-die="boost"]')).to_have_count(2)
    assert faults(master) == []
    look(master, "joins-on")
    master.locator("#ask-now").click()
    called(master, "Oskara", "")
    assert dict(running.table.state.asked.tray.dice)["boost"] == 2  # type: ignore[union-attr]
    look(master, "joins-called")
