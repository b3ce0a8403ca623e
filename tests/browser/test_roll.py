"""The tab that calls a roll: what is chosen stays, what has no dice cannot be asked, and a reload loses nothing."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tableside.app.running_table import RunningTable
from tableside.rules.people import Person
from tableside.table.messages import CallRoll, ChangePerson, ChooseGame, DoPerson, Undo
from tests.browser.conftest import Opens, look, middle, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_cast import LAYOUT, MEASURED
from tests.browser.test_phones import Paired, called
from tests.browser.test_turns import add
from tests.table.test_turn import OSKARA, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def master(opens: Opens, paired: Paired, running: RunningTable) -> Page:
    add(running, OSKARA)
    add(running, TROOPERS)
    return opens("/gm", phone=paired("gm", "Gim"))


def test_a_second_tap_changes_nothing_of_a_target_of_none_and_of_a_difficulty(
    master: Page, running: RunningTable
) -> None:
    trooper = running.table.state.people[1]
    for selector in ('.upright[data-who="Oskara"]', '.skill[data-skill="Carbine"]') * 2:
        master.locator(selector).click()
    target = master.locator('.call-chip[data-chip="target"]')
    expect(target).to_contain_text("Trooper")
    target.click()
    for _ in range(3):  # the guide says: tap the target
        master.locator('.target-rows [data-who="Trooper"]').click()
    expect(master.locator('.target-rows [data-who="Trooper"]')).to_have_attribute("aria-pressed", "true")
    master.locator("#sheet .done").click()
    for _ in range(2):
        master.get_by_label("Difficulty 1 higher").click()
    expect(master.locator('.pool-die[data-die="difficulty"]')).to_have_count(4)
    master.locator("#ask-now", has_text="Oskara attacks: Carbine").click()
    asked = wait_for(running.table, lambda state: bool(state.asked.id)).asked
    assert (asked.against, asked.answers["difficulty"], asked.answers["soak"]) == (trooper.id, "daunting", 5)
    master.locator('[data-also="stop"]').click()
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Carbine"]').click()
    master.locator('.call-chip[data-chip="target"]').click()
    for _ in range(2):
        master.locator("#no-target").click()
    master.locator("#sheet .done").click()
    expect(master.locator('.call-chip[data-chip="target"]')).to_contain_text("No target")
    lower = master.get_by_label("Difficulty 1 lower")
    for _ in range(2):
        lower.click()
    expect(lower).to_be_disabled()
    expect(master.locator('.pool-die[data-die="difficulty"]')).to_have_count(0)
    master.locator("#ask-now").click()
    asked = wait_for(running.table, lambda state: state.asked.id not in ("", asked.id)).asked
    assert (asked.against, asked.answers["difficulty"]) == ("", "simple")


def test_what_has_no_dice_has_no_button_and_nothing_of_a_call_stays_for_the_next(
    master: Page, running: RunningTable
) -> None:
    ask = master.locator("#ask-now")
    expect(ask).to_have_count(0)
    master.locator('.upright[data-who="Oskara"]').click()
    for skill, extra in (("Mechanics", "boost"), ("Carbine", "setback")):  # and the next call begins as empty
        master.locator(f'.skill[data-skill="{skill}"]').click()
        master.locator(f'[data-add="{extra}"]').click()
        before = running.table.state.asked.id
        ask.click()
        asked = wait_for(running.table, lambda state, was=before: state.asked.id not in ("", was)).asked
        assert asked.tray is not None
        assert [kind for kind in ("boost", "setback") if kind in dict(asked.tray.dice)] == [extra]
        expect(ask).to_have_count(0)
        expect(master.locator('.upright[aria-pressed="true"], .skill')).to_have_count(0)
        master.reload()  # nor after it
        expect(master.locator("#fight-begins")).to_be_visible()
        expect(master.locator('.upright[aria-pressed="true"], .skill')).to_have_count(0)
        master.locator('[data-also="stop"]').click()
        master.locator('.upright[data-who="Oskara"]').click()
        expect(ask).to_contain_text(skill)  # the last skill of each
        expect(master.locator(f'.pool-die[data-die="{extra}"]')).to_have_count(0)
    master.locator("#now-more").click()
    master.locator("#who-anyone").click()
    expect(ask).to_have_count(0)
    master.locator('[data-add="ability"]').click()
    expect(ask).to_contain_text("Anyone rolls")


def test_everybody_sees_the_odds_until_the_eye_is_shut(master: Page, running: RunningTable) -> None:
    seen = []
    for taps in (0, 1, 0):
        master.locator('.upright[data-who="Oskara"]').click()
        master.locator('.skill[data-skill="Mechanics"]').click()
        for _ in range(taps):
            master.locator("#odds-eye").click()
        before = running.table.state.asked.id
        master.locator("#ask-now").click()
        seen.append(
            wait_for(running.table, lambda state, was=before: state.asked.id not in ("", was)).asked.odds_for.value
        )
        master.locator('[data-also="stop"]').click()
    assert seen == ["all", "gm", "gm"]  # remembered


def test_a_call_that_is_begun_before_the_last_one_is_answered_stays(master: Page, running: RunningTable) -> None:
    held: list[tuple[Route, APIResponse]] = []
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Mechanics"]').click()
    ask = master.locator("#ask-now")
    master.route("**/api/ask", lambda route: held.append((route, route.fetch())))
    ask.click()
    called(master, "Oskara", "Mechanics")
    master.locator('.upright[data-who="Oskara"]').click()  # once more, from the beginning
    master.locator('.skill[data-skill="Carbine"]').click()
    expect(ask).to_contain_text("Carbine")
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(ask).to_be_enabled()
    expect(ask).to_contain_text("Carbine")


def test_a_tap_turns_a_die_and_back_and_holding_it_takes_it_away(master: Page, running: RunningTable) -> None:
    master.locator('.upright[data-who="Oskara"]').click()
    master.locator('.skill[data-skill="Mechanics"]').click()

    def shown(**dice: int) -> None:
        for kind in ("proficiency", "ability", "boost", "challenge", "difficulty", "setback"):
            expect(master.locator(f'.pool-die[data-die="{kind}"]')).to_have_count(dice.get(kind, 0))

    first = {"proficiency": 1, "ability": 1, "difficulty": 2}
    shown(**first)
    for low, high, better in (
        ("ability", "proficiency", {"proficiency": 2, "difficulty": 2}),
        ("difficulty", "challenge", {**first, "challenge": 1, "difficulty": 1}),
    ):
        for _ in range(2):  # and once more
            master.locator(f'.pool-die[data-die="{low}"]').first.click()
            shown(**better)
            master.locator(f'.pool-die[data-die="{high}"]').first.click()
            shown(**first)
    for kind in ("boost", "setback"):
        add = middle(master.locator(f'[data-add="{kind}"]'))
        for count in range(1, 7):  # a finger that stays where it is adds one more, also where they fill a second line
            master.mouse.click(*add)
            shown(**first, **{kind: count})
        for count in range(5, 0, -1):  # nothing to turn it into: it goes
            master.locator(f'.pool-die[data-die="{kind}"]').first.click()
            shown(**first, **{kind: count})
        first[kind] = 1
    master.locator('.pool-die[data-die="ability"]').click(delay=700)
    del first["ability"]
    shown(**first)
    master.locator('.pool-die[data-die="difficulty"]').first.focus()
    master.keyboard.press("Delete")
    first["difficulty"] = 1
    shown(**first)
    master.get_by_label("Difficulty 1 higher").click()
    first["difficulty"] = 2
    shown(**first)
    master.locator("#ask-now").click()
    asked = wait_for(running.table, lambda state: bool(state.asked.id)).asked
    assert asked.tray is not None
    assert dict(asked.tray.dice) == first
    assert asked.answers["difficulty"] == "hard"
    expect(master.locator("#ask-now")).to_have_count(0)  # the call is answered: what follows is the next one
    master.locator("#one-more").click()
    master.locator('.upright[data-who="Oskara"]').click()
    expect(master.locator("#difficulty-name")).to_have_text("Hard")  # the difficulty keeps its last value


@pytest.mark.parametrize("game", ["d6-companion", "d6-wild"])
def test_pips_of_a_code_and_bands_are_a_tap_each_and_a_band_says_the_number_that_it_sets(
    opens: Opens, paired: Paired, running: RunningTable, game: str
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
    skills = [{"name": name, "ask": {"code": code}} for name, code in (("Repair", "3D+1"), ("Search", "5D+1"))]
    add(running, {"name": "Kesh", "kind": "player", "game": game, "skills": skills})
    page = opens("/gm", phone=paired("gm", "Gim"))
    bands, number = page.locator(".band"), page.locator(".band-row .number")
    page.locator('.upright[data-who="Kesh"]').click()
    page.locator('.skill[data-skill="Repair"]').click()
    for _ in range(2):  # the second tap keeps it
        page.locator('.band[data-band="moderate"]').click()
    expect(number).to_have_text("11")
    expect(page.locator("#difficulty-name")).to_have_text("11 or more, Moderate")
    page.get_by_label("Difficulty 1 higher").click()
    page.locator("#more-pips").click()
    expect(page.locator(".code-dice .pool-die")).to_have_count(3)
    assert faults(page) == []
    look(page, f"gm-code-{game}")
    resize(page, (320, 568))
    assert "the page scrolls sideways" not in page.evaluate(f"({MEASURED})({LAYOUT})")
    page.locator("#ask-now").click()
    page.locator('#now-card[data-name="throw"]').wait_for()
    answers = running.table.state.asked.answers
    assert (answers["code"], answers["pips"], answers["difficulty"]) == ("3D+1", 1, 12)
    page.locator('[data-also="stop"]').click()
    page.locator('.upright[data-who="Kesh"]').click()
    page.locator('.skill[data-skill="Search"]').click()
    said = [band.text_content() or "" for band in bands.all()]
    assert len(set(said)) == 5
    for place in (3, 0, 4, 1, 2, 2):
        bands.nth(place).click()
        expect(number).to_have_text(said[place])
        expect(page.locator('.band[aria-pressed="true"]')).to_have_text(said[place])
    page.get_by_label("Difficulty 1 higher").click()
    expect(number).to_have_text(str(int(said[2]) + 1))
    expect(page.locator('.band[aria-pressed="true"]')).to_have_count(0)
    bands.nth(2).click()
    page.locator("#ask-now").click()
    page.locator('#now-card[data-name="throw"]').wait_for()
    throw(running, *[("wild" if game == "d6-wild" and not n else "pip", ("3",)) for n in range(5)])
    assert running.table.state.rolls[0].difficulty == int(said[2])


@pytest.mark.parametrize("game", ["d6-companion", "d6-wild"])
def test_nothing_is_made_of_a_total_that_is_no_reaction_of_the_target(
    opens: Opens, paired: Paired, running: RunningTable, game: str
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game=game))
    pistol = {"name": "Pistol", "skill": "Blaster", "ask": {"band": "easy"}, "damage": {"code": "4D"}}
    hero = {
        "kind": "player",
        "game": game,
        "skills": [{"name": name, "ask": {"code": "4D"}} for name in ("Blaster", "Search", "Dodge")],
        "weapons": [pistol],
    }
    kesh, mara = (add(running, {**hero, "name": name}) for name in ("Kesh", "Mara"))
    scouts, guard = (add(running, {**hero, "kind": "person", "name": name}) for name in ("Scouts", "Guard"))
    page = opens("/gm", phone=paired("gm", "Gim"))

    def rolled(person: Person, skill: str, *pips: str) -> None:
        running.table.ask(CallRoll(id=new_id(), at=time.time(), who=person.id, skill=skill))
        throw(running, *[("wild" if game == "d6-wild" and not n else "pip", (pip,)) for n, pip in enumerate(pips)])

    def attack(who: str) -> tuple[str, str]:
        for name in ("Kesh", "Mara"):  # a call begins anew
            page.locator(f'.upright[data-who="{name}"]').click()
        page.locator(f'.upright[data-who="{who}"]').click()
        page.locator('.skill[data-skill="Pistol"]').click()
        expect(page.locator("#ask-now")).to_contain_text("attacks")
        target, number = page.locator('.call-chip[data-chip="target"]'), page.locator(".band-row .number")
        expect(number).not_to_have_text("–")
        return (target.text_content() or "").strip(), number.text_content() or ""

    first = attack("Mara")
    assert "Scouts" in first[0]
    rolled(kesh, "Search", "5", "5", "3", "3")
    rolled(scouts, "Search", "4", "5", "4", "4")  # also of the target
    rolled(mara, "Dodge", "2", "4", "4", "4")  # a reaction, yet of her own side
    for who in ("Mara", "Kesh"):
        assert attack(who) == first
    rolled(guard, "Dodge", "3", "4", "4", "4")
    target, number = attack("Kesh")
    assert ("Guard" in target, number) == (True, "15")


def test_a_group_is_several_in_what_is_said_of_it(opens: Opens, master: Page, running: RunningTable) -> None:
    skilled = {**TROOPERS, "skills": [{"name": "Cool", "ask": {"characteristic": 2}}], "name": "Scouts"}
    add(running, skilled)
    add(running, {**skilled, "name": "Guard", "kind": "person"})
    table = opens("/", viewport={"width": 1280, "height": 800})
    headline = table.locator("#stage .headline, #stage h1, #stage .big").first
    for who, rolls in (("Scouts", "roll"), ("Guard", "rolls"), ("Oskara", "rolls"), ("Scouts", "roll")):
        master.locator(f'.upright[data-who="{who}"]').click()
        skill = "Mechanics" if who == "Oskara" else "Cool"
        master.locator(f'.skill[data-skill="{skill}"]').click()
        expect(master.locator("#ask-now")).to_contain_text(f"{who} {rolls} {skill}")
        master.locator("#ask-now").click()
        expect(headline).to_have_text(f"{who} {rolls}", ignore_case=True)
        master.locator('[data-also="stop"]').click()


def test_who_is_out_comes_last_as_a_target_and_is_aimed_at_by_nobody(master: Page, running: RunningTable) -> None:
    add(running, {**TROOPERS, "name": "Guard"})
    aimed = master.locator('.call-chip[data-chip="target"]')
    rows = master.locator(".target-rows [data-who]")

    def expect_targets(*names: str) -> None:
        master.locator('.upright[data-who="Oskara"]').click()
        for skill in ("Mechanics", "Carbine"):  # a call begins anew
            master.locator(f'.skill[data-skill="{skill}"]').click()
        expect(aimed).to_contain_text(names[0])
        aimed.click()
        expect(rows).to_have_count(len(names))
        assert [row.get_attribute("data-who") for row in rows.all()] == list(names)
        master.locator("#sheet .done").click()

    expect_targets("Trooper", "Guard")
    hurt = {"id": running.table.state.people[1].id, "trackers": {"wounds": {"change": 99}}}
    running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.CHANGE, person=hurt))
    expect_targets("Guard", "Trooper")
    running.table.ask(Undo(id=new_id(), at=1.0))
    expect_targets("Trooper", "Guard")


def test_odds_stay_in_sight_of_a_check_and_an_attack_and_other_dice_lead_back_to_the_skills(
    master: Page, running: RunningTable
) -> None:
    throw(running, ("ability", ("success",)))
    master.locator('.upright[data-who="Oskara"]').click()
    for skill in ("Mechanics", "Carbine"):
        master.locator(f'.skill[data-skill="{skill}"]').click()
        expect(master.locator(".odds-large")).to_contain_text("%")
        expect(master.locator(".odds-large")).to_be_in_viewport(ratio=1)
        expect(master.locator("#ask-now")).to_be_in_viewport(ratio=1)
    for _ in range(2):
        master.get_by_role("button", name="Other dice", exact=True).click()
    expect(master.locator("#ask-now")).to_have_count(0)
    master.locator('.skill[data-skill="Mechanics"]').click()
    expect(master.locator("#ask-now")).to_contain_text("Oskara rolls Mechanics")


def test_the_ability_of_a_heroic_hero_is_no_die_to_add(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))
    add(
        running,
        {
            "name": "Brakka",
            "kind": "player",
            "game": "heroic",
            "skills": [{"name": "Swords", "ask": {"ability": 3, "skill": 1}}],
        },
    )
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator('.upright[data-who="Brakka"]').click()
    page.locator('.skill[data-skill="Swords"]').click()
    expect(page.locator('.pool-die[data-die="ability"]')).not_to_have_count(0)
    expect(page.locator('[data-add="ability"]')).to_have_count(0)


def test_somebody_of_the_scene_is_chosen_until_it_is_said_that_anyone_rolls(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    page = opens("/gm", phone=paired("gm", "Mara"))
    expect(page.locator("#who-anyone")).to_have_attribute("aria-pressed", "true")  # nobody is there
    add(running, OSKARA)
    oskara = page.locator(".who-row button", has_text="Oskara")
    expect(oskara).to_have_attribute("aria-pressed", "true")
    page.locator("#who-anyone").click()
    page.reload()
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#who-anyone")).to_have_attribute("aria-pressed", "true")


def test_all_are_called_by_what_most_have_and_who_has_no_rank_throws_the_characteristic(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    skills = {"Oskara": ["Mechanics"], "Vex": ["Perception", "Stealth"], "Ilun": ["Perception", "Survival"]}
    for name, known in skills.items():
        rated = [{"name": one, "ask": {"characteristic": 3, "skill": 1}} for one in known]
        add(running, {"name": name, "kind": "player", "game": "narrative", "skills": rated})
    page = opens("/gm", phone=paired("gm", "Mara"))
    page.locator("#who-all").click()
    expect(page.locator("#several .person-row")).to_have_count(3)
    expect(page.locator(".skill").first).to_have_text("Perception")  # most have it
    page.locator('.skill[data-skill="Perception"]').click()
    bare = page.locator('#several [data-who="Oskara"]')
    expect(bare).to_contain_text("no rank")
    expect(bare.locator(".small-dice")).to_have_attribute("aria-label", "2 Ability")
    expect(page.locator('#several [data-who="Vex"] .small-dice')).to_have_attribute(
        "aria-label", "1 Proficiency, 2 Ability"
    )
    page.locator("#any-skill").click()  # one that nobody has
    page.locator('[data-any="Cool"]').click()
    expect(page.locator("#several .person-state")).to_have_text(["no rank"] * 3)
    page.locator('#several [data-who="Ilun"]').click()  # left out
    expect(page.locator("#several .person-row")).to_have_count(2)
    expect(page.locator("#ask-now")).to_contain_text("All roll Cool")
    page.locator("#ask-now").click()
    wait_for(running.table, lambda state: state.asked.label == "Cool")
    for who in ("Oskara", "Vex"):
        assert running.table.state.asked.player == who
        throw(running, *[("ability", ("success",))] * 2, *[("difficulty", ())] * 2)
    assert not running.table.state.asked.id
