"""The commonest turns on the game master's phone: how many taps they take from the idle page, and nothing is typed."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Face
from tableside.rules.people import Person
from tableside.table.messages import ChangeInitiative, ChangePerson, ChooseGame, DoPerson, Turn, Undo
from tests.browser.conftest import Opens, look, new_id, throw
from tests.browser.test_phones import Paired, called, came, tab
from tests.table.test_turn import HIT, OSKARA, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
COUNTS = """() => { // a tap that was dropped is none
    window.counted = { taps: 0, keys: 0 };
    document.addEventListener("click", (event) => { counted.taps += event.isTrusted && event.detail > 0; }, true);
    addEventListener("keydown", (event) => { counted.keys += event.isTrusted; }, true);
}"""


def add(running: RunningTable, person: dict[str, Any]) -> Person:
    said = ChangePerson(id=new_id(), at=time.time(), do=DoPerson.ADD, person=person)
    return running.table.ask(said).people[-1]


def now(running: RunningTable, person: Person) -> Person:
    found = running.table.state.person(person.id)
    assert found is not None
    return found


@pytest.fixture
def master(opens: Opens, paired: Paired, running: RunningTable) -> Page:
    """The game master's page, idle, which counts taps and keys from now on."""
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.evaluate(COUNTS)
    return page


def counted(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.evaluate("counted")
    return found


def call(page: Page, who: str, skill: str) -> None:
    page.locator(f'.upright[data-who="{who}"]').click()
    page.locator(f'.skill[data-skill="{skill}"]').click()
    page.locator("#ask-now").click()
    page.locator('#now-card[data-name="throw"]').wait_for()


def dice(**faces: list[Face]) -> list[tuple[str, Face]]:
    return [(kind, face) for kind, shown in faces.items() for face in shown]


def test_a_known_skill_against_average_difficulty_takes_three_taps(master: Page, running: RunningTable) -> None:
    oskara = add(running, OSKARA)
    call(master, "Oskara", "Mechanics")
    assert counted(master) == {"taps": 3, "keys": 0}
    asked = running.table.state.asked
    assert (asked.who, asked.skill, asked.answers["difficulty"]) == (oskara.id, "Mechanics", "average")
    assert asked.tray is not None
    assert dict(asked.tray.dice) == {"ability": 1, "proficiency": 1, "difficulty": 2}


def test_a_point_of_the_pool_upgrades_it_with_the_fourth_tap(master: Page, running: RunningTable) -> None:
    add(running, OSKARA)
    call(master, "Oskara", "Mechanics")
    expect(master.locator('#now-card .flip[data-side="light"] b')).to_have_text("57 %")
    master.locator('#now-card .flip[data-side="light"]').click()
    called(master, "Oskara", "Mechanics", "2 Proficiency", "2 Difficulty")
    assert counted(master) == {"taps": 4, "keys": 0}
    assert (running.table.state.destiny.light, running.table.state.destiny.dark) == (1, 2)


def test_an_attack_is_called_hit_and_applied_with_six_taps(master: Page, running: RunningTable) -> None:
    add(running, OSKARA)
    troopers = add(running, TROOPERS)
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Carbine"]').click()
    expect(master.locator('.call-chip[data-chip="target"]')).to_contain_text("Trooper")  # chosen already
    master.locator("#ask-now").click()
    master.locator('#now-card[data-name="throw"]').wait_for()
    throw(running, *dice(**HIT))
    expect(master.locator("#now-card .someone-else")).to_contain_text("Trooper7 wounds")
    look(master, "gm-apply")
    master.locator("#now-card .act-lit", has_text="7 wounds").click()
    expect(master.locator(".now-done")).to_contain_text("1 of them falls")
    tab(master, "Cast")
    assert counted(master)["taps"] <= 6
    assert counted(master)["keys"] == 0
    assert now(running, troopers).value("wounds") == 7
    expect(master.locator(".person-row .figure[data-fallen]")).to_have_count(1)


def test_the_other_side_resists_with_a_skill_that_is_tapped(master: Page, running: RunningTable) -> None:
    deception = {"name": "Deception", "ask": {"characteristic": 3, "skill": 1}}
    add(running, {"name": "Vex", "kind": "player", "game": "narrative", "skills": [deception]})
    add(running, {"name": "Guard", "kind": "person", "game": "narrative", "skills": [
        {"name": "Discipline", "ask": {"characteristic": 2, "skill": 1}},
        {"name": "Streetwise", "ask": {"characteristic": 3, "skill": 0}}]})  # fmt: skip
    master.locator('.upright[data-who="Vex"]').click()
    master.locator('.skill[data-skill="Deception"]').click()
    master.locator('.call-chip[data-chip="target"]').click()
    master.locator('.target-rows [data-who="Guard"]').click()
    for _ in range(2):  # the second tap keeps it
        master.locator('.resisting[data-skill="Streetwise"]').click()
    look(master, "gm-resists")
    master.locator("#sheet .done").click()
    master.locator("#ask-now").click()
    called(master, "Vex", "Deception", "1 Proficiency", "2 Ability", "3 Difficulty")  # 3 and 0 are 3 D
    master.locator("#call-change").click()
    master.locator('.call-chip[data-chip="target"]').click()
    expect(master.locator('.resisting[data-skill="Streetwise"]')).to_have_attribute("aria-pressed", "true")
    master.locator('.resisting[data-skill=""]').click()  # the game's own again: 2 and 1 are 1 D 1 C
    master.locator("#sheet .done").click()
    master.locator("#ask-now").click()
    called(master, "Vex", "Deception", "1 Proficiency", "2 Ability", "1 Challenge", "1 Difficulty")


@pytest.mark.parametrize("game", ["d6-companion", "d6-wild"])
def test_a_shot_with_dodge_and_damage_takes_nine_taps(master: Page, running: RunningTable, game: str) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
    pistol = {"name": "Pistol", "skill": "Blaster", "ask": {"band": "moderate"},
              "damage": {"code": "4D", "purpose": "damage"}}  # fmt: skip
    blaster = {"name": "Blaster", "ask": {"code": "5D"}}
    master.evaluate(
        "game => localStorage.setItem(`tableside.difficulty.${game}`, JSON.stringify({ difficulty: 5 }))", game
    )
    add(running, {"name": "Kesh", "kind": "player", "game": game, "skills": [blaster], "weapons": [pistol]})
    told = {"role": "dodge"} if game == "d6-wild" else {"reaction_skill": "dodge"}
    dodge = {"name": "Ausweichen", "ask": {"code": "3D", **told}}  # a group's own name, told by what it is for
    scout = add(running, {"name": "Scout", "kind": "person", "game": game, "skills": [
        dodge, {"name": "Strength", "ask": {"code": "2D"}}]})  # fmt: skip

    def lies(*faces: str) -> None:
        first = "wild" if game == "d6-wild" else "pip"
        throw(running, (first, (faces[0],)), *(("pip", (face,)) for face in faces[1:]))

    call(master, "Scout", str(dodge["name"]))
    lies("2", "3", "2")
    expect(came(master)).to_have_text("7")
    assert running.table.state.rolls[0].succeeded is None  # the difficulty of before is none of a reaction
    master.locator('.upright[data-who="Kesh"]').click()
    master.locator('.skill[data-skill="Pistol"]').click()
    expect(master.locator('.call-chip[data-chip="target"]')).to_contain_text("Scout")
    counts = "7" if game == "d6-wild" else "11"  # of a reaction and the range the higher counts there
    expect(master.locator(".band-row .number")).to_have_text(counts)
    expect(master.locator('.band[aria-pressed="true"]')).to_have_text(["11"] if counts == "11" else [])
    master.locator("#ask-now").click()
    called(master, "Kesh", "Pistol")
    lies("5", "5", "5", "5", "5")
    master.locator("#now-card .act-lit, #now-card .act-quiet", has_text="Strength").click()
    called(master, "Scout", "Strength")
    lies("2", "3")
    master.locator("#now-card .act-lit", has_text="damage").click()
    called(master, "Kesh", "Pistol")
    lies("3", "4", "3", "2")  # 12 against 5
    expect(master.locator("#now-card .someone-else")).to_contain_text("Scout")
    master.locator("#now-card [data-act^=apply]").click()
    wait_for(running.table, lambda _: now(running, scout).value("wounds") > 0)
    assert counted(master) == {"taps": 9, "keys": 0}
    assert now(running, scout).value("wounds") > 0


def test_another_target_of_the_turn_is_called_at_once_and_leaves_nothing_else_lit(
    master: Page, running: RunningTable
) -> None:
    oskara, troopers, raider = (add(running, one) for one in (OSKARA, TROOPERS, {**TROOPERS, "name": "Raider"}))
    for n, one in enumerate((oskara, troopers, raider)):
        side = "player" if one is oskara else "npc"
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(9 - n, 0), who=one.name, side=side))
    card = master.locator("#now-card")
    for name in ("Raider", "Trooper"):  # the second one is chosen after the first was taken back
        expect(card.locator("[data-act]")).to_contain_text("Trooper")
        card.locator("#turn-target").click()
        master.locator("#sheet").get_by_role("button", name=name).click()
        expect(master.locator('#now-card[data-name="throw"]')).to_contain_text(name)
        assert running.table.state.asked.against == (raider if name == "Raider" else troopers).id
        expect(master.locator(".pane:not([hidden]) .act-lit, #ask-now")).to_have_count(0)
        running.table.ask(Undo(id=new_id(), at=1.0))
    expect(card.locator("[data-act]")).to_have_count(1)
