"""Evenings through the pages themselves: phones and the table's screen are tapped, the button is pressed, dice lie
before a camera, and the power fails in the middle. All numbers are worked out by hand from the reference texts.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.evening import PagesEvening
from tests.browser.test_phones import called, tab
from tests.whole.evening import effects, left, total
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RIFLE = {"attack": "ranged", "purpose": "attack", "range": "medium", "damage": 9, "critical": 3}


def test_narrative(tmp_path: Path, chromium: Browser) -> None:
    """A ability, P proficiency, B boost, D difficulty; S success, F failure, Av advantage, Th threat."""
    with PagesEvening(tmp_path, "narrative", chromium) as evening:
        screen, master, vex = evening.screen_page, evening.master, evening.roller
        evening.add(
            "Oskara",
            skills={"Mechanics": {"characteristic": 2, "skill": 1}, "Ranged heavy": {"characteristic": 3, "skill": 2}},
            weapons=[{"name": "Carbine", "skill": "Ranged heavy", "ask": RIFLE}], defences={"soak": 3},
            trackers={"wounds": {"value": 6, "most": 12}, "strain": {"value": 3, "most": 11}},
        )  # fmt: skip
        evening.add(
            "Vex", skills={"Computers": {"characteristic": 3, "skill": 2}, "Deception": {"characteristic": 3},
                           "Medicine": {"characteristic": 2, "skill": 1}},
            trackers={"wounds": {"value": 0, "most": 11}, "strain": {"value": 0, "most": 12}},
        )  # fmt: skip
        evening.add(
            "Troopers", "group", members=4, skills={"Ranged heavy": {"characteristic": 3}},
            weapons=[{"name": "Rifle", "skill": "Ranged heavy", "ask": RIFLE}],
            defences={"soak": 5}, trackers={"wounds": {"value": 0, "most": 5}},
        )  # fmt: skip
        rows = [{"from": 1, "to": 60, "words": "Nick"}, {"from": 61, "to": 200, "words": "Crippled"}]
        evening.gm("api/tables", {"name": "Injuries", "dice": "d100", "rows": rows})
        evening.open_pages()

        # Force dice that nobody called begin a session: L, Dk Dk, L L are light 3, dark 2
        evening.throw("force light dark+dark light+light")
        screen.locator('[data-act="use_pool"]').click()
        expect(screen.locator('[data-act="use_pool"]')).to_have_count(0)
        expect(vex.locator("#points .count")).to_have_text("3")

        # 2 and 1 are 1 A 1 P against 2 D. The button makes it 2 P, and light 3, dark 2 become 2 and 3
        evening.taps("Oskara", "Mechanics")
        evening.asked("1 Proficiency, 1 Ability, 2 Difficulty")
        evening.flip("light")
        evening.asked("2 Proficiency, 2 Difficulty", is_on_screen=True)
        expect(vex.locator("#points")).to_have_count(0)  # who throws sees nothing but what is thrown
        # S S + Av Av against Th and a blank: 2 S, 2 - 1 = 1 Av
        roll = evening.throw("proficiency success+success advantage+advantage, difficulty threat -")
        assert left(roll) == {"success": 2, "advantage": 1}
        evening.shows("Success")
        expect(vex.locator("#points .count")).to_have_text("2")
        evening.pictures("narrative-result")
        # 1 Av recovers 1 strain
        screen.locator('.spend[data-spend="recover_strain"]').click()
        evening.has("Oskara", strain=2)

        # Vex calls for himself: 3 and 2 are 1 A 2 P. One D too few lies there; it is taken as it lies: S, 2 Av, Th
        evening.taps("Vex", "Computers", on=vex)
        evening.asked("2 Proficiency, 1 Ability, 2 Difficulty")
        evening.throw("ability success, proficiency advantage+advantage -, difficulty threat")
        expect(screen.locator("#headline")).to_have_text("1 die too few")
        expect(master.locator("#headline")).to_have_text("1 die too few")
        evening.pictures("narrative-wrong")
        screen.locator('[data-also="take"]').click()
        evening.shows("Success")
        # 1 Av of the 2 - 1 buys a boost for an ally, on the roller's phone
        vex.locator('.buy[data-spend="boost_next_ally"]').click()
        vex.locator("#sheet").get_by_role("button", name="Oskara").click()
        expect(vex.locator(".now-done")).to_contain_text("Oskara")
        wait_for(evening.running.table, lambda _: evening.carried("Oskara") == [{"boost": 1}])

        # Hard is 3 D; the boost lies in it
        evening.taps("Oskara", "Mechanics", "[aria-label='Difficulty 1 higher']")
        evening.asked("1 Proficiency, 1 Ability, 1 Boost, 3 Difficulty")
        evening.power_fails()  # while the call is open
        evening.asked("1 Proficiency, 1 Ability, 1 Boost, 3 Difficulty")
        # S against F: 0, which is no success; Th + Th
        roll = evening.throw("boost -, ability success, proficiency -, difficulty failure threat threat")
        assert left(roll) == {"threat": 2}
        evening.shows("Failure")
        # threats are the game master's: each 1 strain
        expect(screen.locator('.spend[data-spend="suffer_strain"]')).to_be_disabled()
        evening.unfold().locator('.buy[data-spend="suffer_strain"]').click()
        expect(screen.locator('.spend[data-spend="suffer_strain"] .bought')).to_be_visible()
        evening.has("Oskara", strain=3)

        # Medium is 2 D. S + S S = 3 S: 9 + 3 - 5 = 7 is beyond 5 once
        evening.taps("Oskara", "Carbine")
        evening.asked("2 Proficiency, 1 Ability, 2 Difficulty")
        roll = evening.throw("ability success, proficiency success+success -, difficulty - -")
        assert effects(roll) == [("wounds", 7)]
        evening.power_fails()  # between the throw and the wounds
        expect(screen.locator("#consequence")).to_contain_text("7 of 20")
        master.locator("#now-card [data-act^=apply]").click()
        for page in (screen, master):
            expect(page.locator("#applied, .now-done, .open-row#roll-more")).to_contain_text("1 of them falls")
        wait_for(evening.running.table, lambda _: evening.standing("Troopers") == 3)

        # 3 stand: rank 2, 1 A 2 P. S S + S = 3 S: 12 - 3 = 9, and 6 + 9 is beyond 12
        evening.taps("Troopers", "Rifle")
        evening.throw("ability success+success, proficiency success -, difficulty - -")
        screen.locator("#consequence [data-act]").click()
        expect(screen.locator('[data-act="follow"]')).to_contain_text("critical injury")
        evening.has("Oskara", wounds=15)
        expect(master.locator(".now-done, .open-row#roll-more")).to_be_visible()
        master.locator("#undo").click()
        expect(screen.locator("#consequence [data-act]")).to_be_visible()
        evening.has("Oskara", wounds=6)
        screen.locator("#consequence [data-act]").click()
        screen.locator('[data-act="follow"]').click()
        # tens 4, ones 7
        called(master, "", "critical injury")
        roll = evening.throw("d100 40, d10 7")
        assert (total(roll), roll["row"]) == (47, "Nick")
        for page in (screen, master):
            expect(page.get_by_text("Nick", exact=True).first).to_be_visible()
        evening.pictures("narrative-injury")
        master.locator("#now-card [data-act^=apply]").click()
        expect(master.locator("#now-card [data-act^=apply]")).to_have_count(0)

        # A fight: Oskara is out. Nobody has Cool: an average of two dice each. S + Av is 1 and 1, S S is 2 and 0
        evening.to("Now")
        master.locator("#fight-begins").click()
        expect(master.locator('.person-chip[data-who="Oskara"]')).to_have_attribute("aria-pressed", "false")
        master.locator("#sheet .done").click()
        evening.fight(("Vex", "2 Ability", "ability success advantage"))
        evening.power_fails()  # between two throws
        expect(master.locator("#throws [data-current] b").first).to_have_text("Troopers")
        evening.throw("ability success+success -")
        evening.order("Troopers", "Vex", now="Troopers")
        expect(screen.locator(".order li")).to_have_count(2)
        evening.next_turn("Vex")
        expect(screen.locator("#headline")).to_have_text("Vex acts")
        # Disoriented is a setback on each check, until it is taken off: 3 A against Easy, 1 D
        vex.locator("#add-state").click()
        vex.locator('[data-state="Disoriented"]').click()
        vex.locator("#sheet .done").click()
        expect(master.locator("#order [aria-current] .person-state")).to_have_text("Disoriented, unhurt")
        master.locator('.turn-skill[data-skill="Deception"]').click()
        master.locator("#call-change").click()
        master.get_by_label("Difficulty 1 lower").click()
        master.locator("#ask-now").click()
        evening.asked("3 Ability, 1 Difficulty, 1 Setback")
        evening.throw("ability success - -, difficulty -, setback -")
        evening.shows("Success")
        # In the next round a slot is anybody's of its side, and shows who likely takes it: that is tapped on the screen
        evening.next_turn("Troopers")
        evening.next_turn("Vex")
        screen.locator("#turn-other").click()
        screen.locator("#sheet").get_by_role("button", name="Vex").click()
        wait_for(evening.running.table, lambda state: [one.who for one in state.initiative.slots] == ["", "Vex"])
        expect(master.locator("#order [aria-current]")).to_contain_text("Vex")
        evening.pictures("narrative-fight")
        evening.end_fight()
        # After it Vex treats Oskara, who is beyond 12: 3 D. S S + S against a blank heal 3; then stimpacks 5 and 4
        evening.to("Cast")
        master.locator('.act[data-act="encounter"]').click()  # what lasts for the scene is over with it
        expect(vex.locator(".chip.state")).to_have_count(0)
        vex.locator('.care[data-care="Medicine"]').click()
        evening.asked("1 Proficiency, 1 Ability, 3 Difficulty")
        evening.throw("ability success, proficiency success+success, difficulty - - -")
        evening.power_fails()  # between the throw and the wounds
        vex.locator('[data-act="apply"]').click()
        evening.has("Oskara", wounds=12)
        evening.care("Oskara", "A stimpack")
        evening.has("Oskara", wounds=7)
        evening.care("Oskara", "A stimpack")
        evening.has("Oskara", wounds=3)
        master.locator("#undo").click()
        evening.has("Oskara", wounds=7)
        master.locator('.act[data-act="night"]').click()  # for all: a wound less, and no strain
        evening.has("Oskara", wounds=6, strain=0)
        evening.comes("Krayt", "thing")
        tab(master, "Log")
        evening.pictures("narrative-log")


def test_heroic(tmp_path: Path, chromium: Browser) -> None:
    """The marks are those of the reference text. Letters as above; C challenge, K setback."""
    with PagesEvening(tmp_path, "heroic", chromium) as evening:
        screen, master, yara = evening.screen_page, evening.master, evening.roller
        sword = {"purpose": "attack", "power": "basic_melee", "weapon": 4, "damage_ability": 3}
        club = {"purpose": "attack", "power": "basic_melee", "weapon": 5, "damage_ability": 4}
        evening.add(
            "Brand", skills={"Blade": {"ability": 3, "skill": 2}, "Athletics": {"ability": 3, "skill": 1}},
            weapons=[{"name": "Sword", "skill": "Blade", "ask": sword}],
            defences={"threshold": 5, "defense": "reflex", "defense_abilities": [2, 1], "defense_rank": 1},
            trackers={"stamina": {"value": 3, "most": 5}},
        )  # fmt: skip
        evening.add("Vex", skills={"Athletics": {"ability": 3}}, defences={"threshold": 4})
        evening.add(
            "Ogre", "person", skills={"Brawl": {"ability": 3, "skill": 1}},
            weapons=[{"name": "Club", "skill": "Brawl", "ask": club}],
            defences={"threshold": 5, "defense": "reflex", "defense_abilities": [3, 2], "defense_rank": 2},
            trackers={"stamina": {"value": 1}},
        )  # fmt: skip
        evening.open_pages()

        # H15: 3 and 2 against Agility 3, Reflex 2: 1 A 2 P 1 D 2 C. S + S S - F = 2 S. H20: 4 + 3 + 2 = 9
        evening.taps("Brand", "Sword")
        evening.asked("2 Proficiency, 1 Ability, 2 Challenge, 1 Difficulty")
        hit = "ability success, proficiency success+success advantage, difficulty -, challenge failure threat"
        roll = evening.throw(hit)
        assert effects(roll) == [("condition", {"set": 0})]  # H05: once 5: staggered
        evening.power_fails()  # between the throw and the wound
        screen.locator("#consequence [data-act]").click()
        expect(master.locator(".now-done, .open-row#roll-more")).to_contain_text("staggered")
        evening.has("Ogre", condition=0, staggered=1)

        # 9 again, on a staggered one: one step, winded
        evening.taps("Brand", "Sword")
        evening.throw(hit)
        master.locator("#now-card [data-act^=apply]").click()
        expect(screen.locator("#applied")).to_contain_text("Winded and staggered")
        evening.has("Ogre", condition=1)
        evening.pictures("heroic-winded")

        # 3 and 1 against Reflex 2 and 1: 2 A 1 P 1 D 1 C; H06: winded adds 1 K. S + S - F = 1 S: 5 + 4 + 1 = 10
        evening.taps("Ogre", "Club")
        evening.asked("1 Proficiency, 2 Ability, 1 Challenge, 1 Difficulty, 1 Setback")
        evening.throw("ability success -, proficiency success, difficulty -, challenge failure, setback -")
        screen.locator("#consequence [data-act]").click()
        expect(master.locator(".now-done, .open-row#roll-more")).to_be_visible()
        evening.has("Brand", condition=1, staggered=1)
        screen.locator("#undo").click()
        expect(master.locator("#now-card [data-act^=apply]")).to_be_visible()
        evening.has("Brand", condition=0, staggered=0)

        master.locator('[data-also="leave"]').click()  # what is open comes before what is called
        # Hard is 3 D; one lies there. As it lies, S + S - F = 1 S
        evening.taps("Brand", "Athletics", "[aria-label='Difficulty 1 higher']")
        evening.asked("1 Proficiency, 2 Ability, 3 Difficulty")
        evening.throw("ability success success, proficiency -, difficulty failure")
        expect(screen.locator("#headline")).to_have_text("2 dice too few")
        master.locator('[data-also="take"]').click()
        evening.shows("Success")

        # H12: 2 Av buy a second maneuver in a fight, a third never is made. 3 and 0: 3 A against 2 D
        # Nobody has Vigilance: an average Wisdom of 1
        evening.fight(("Brand", "1 Ability", "ability success"), ("Vex", "1 Ability", "ability advantage"),
                      ("Ogre", "1 Ability, 1 Setback", "ability -, setback -"))  # fmt: skip
        evening.order("Brand", "Vex", "Ogre", now="Brand")
        evening.next_turn("Vex")
        evening.taps("Vex", "Athletics", on=yara)
        evening.asked("3 Ability, 2 Difficulty")
        evening.throw("ability success advantage+advantage -, difficulty - -")
        yara.locator('.buy[data-spend="second_maneuver"]').click()
        expect(yara.locator('.buy[data-spend="second_maneuver"]')).to_have_count(0)
        yara.locator('.buy[data-spend="opportunity"]').click()
        expect(yara.locator('.buy[data-spend="opportunity"]')).to_have_count(0)
        evening.has("Vex", maneuvers=1)
        evening.pictures("heroic-bought")
        for now in ("Ogre", "Brand", "Vex"):  # with Vex's next turn come its maneuvers
            evening.next_turn(now)
        evening.has("Vex", maneuvers=0)
        master.locator("#fight-more").click()
        master.locator('[data-choice="back"]').click()  # the turn is given back, with what it held
        evening.order("Brand", "Vex", "Ogre", now="Brand")
        evening.has("Vex", maneuvers=1)
        # H08: a winded ogre is healed for its one stamina; with none left nothing helps before a rest
        evening.care("Ogre", "Healed by somebody")
        evening.has("Ogre", condition=0, staggered=0, stamina=0)
        master.locator('#pane-cast .person-row[data-who="Ogre"]').click()
        expect(master.locator("#sheet .care")).to_have_count(0)
        master.locator("#sheet .done").click()
        master.locator('.act[data-act="extended_rest"]').click()
        evening.has("Brand", stamina=5)
        evening.comes("Sefa", "player")
        # who joins later rolls later, and has the place that the throw gives: level with the ogre, a player first
        evening.to("Now")
        master.locator("#fight-more").click()
        master.locator('[data-choice="add"]').click()
        master.locator("#sheet .chips button", has_text="Sefa").click()
        master.locator("#place-call").click()
        evening.throw("ability -")
        evening.order("Brand", "Vex", "Sefa", "Ogre", now="Brand")


def test_d6_companion(tmp_path: Path, chromium: Browser) -> None:
    """The names of rules are those of the reference text."""
    with PagesEvening(tmp_path, "d6-companion", chromium) as evening:
        screen, master = evening.screen_page, evening.master
        _gunmen(evening)
        evening.open_pages()

        # difficulty_check: 4D+2 against 11, moderate. 4 + 1 + 3 + 1 + 2 = 11 is enough
        evening.taps("Vex", "Piloting", '.band[data-band="moderate"]')
        evening.asked("4 Pip die")
        roll = evening.throw("pip 4 1 3 1")
        assert (total(roll), roll["succeeded"]) == (11, True)
        evening.shows("11")
        # force_point: 5D+2 becomes 10D+4, and the one point is spent
        evening.taps("Vex", "Dodge")
        evening.flip("light")
        evening.asked("10 Pip die", is_on_screen=True)
        evening.has("Vex", force_points=0)
        evening.power_fails()  # between the point and the throw
        assert total(evening.throw("pip 2 2 2 2 2 2 2 2 2 2")) == 24
        evening.round_passes()  # the point holds until then
        # 5D+2 without a round, which has no actions to count. One die too few; as it lies 3 + 3 + 3 + 1 + 2 = 12
        evening.taps("Vex", "Dodge")
        evening.asked("5 Pip die")
        evening.throw("pip 3 3 3 1")
        expect(screen.locator("#headline")).to_have_text("1 die too few")
        screen.locator('[data-also="take"]').click()
        evening.shows("12")

        # reaction: a dodge of 18. In the next round one action: Blaster 4D: 6 + 6 + 5 + 2 = 19 hits
        evening.fight()  # nothing is thrown: both have no Dexterity, so the average, and the game master declares first
        evening.order("Thug", "Vex", now="Thug")
        while evening.running.table.state.initiative.round == 1:  # what all declare is passed at once
            evening.turn_ends()
        expect(master.locator("#pane-now h2")).to_have_text("Round 2")
        evening.to("Now")
        evening.taps("Thug", "Dodge")
        evening.throw("pip 5 4 4 5")
        evening.shows("18")
        evening.taps("Vex", "Pistol")
        roll = evening.throw("pip 6 6 5 2")
        assert (roll["difficulty"], roll["succeeded"]) == (18, True)
        # Strength 2D+2: 5 + 5 + 2 = 12. personal_damage: 12 to 23 wounds. 4 + 4 + 3 + 2 + 2 = 15
        master.locator("#now-card button", has_text="Strength").click()
        called(master, "Thug", "Strength")
        evening.throw("pip 5 5")
        evening.shows("12")
        screen.locator('[data-act="roll_damage"], [data-also="roll_damage"]').click()
        called(master, "", "Pistol")
        roll = evening.throw("pip 4 4 3 2 2")
        assert effects(roll) == [("wounds", {"set": 1})]
        evening.power_fails()  # between the throw and the wound
        screen.locator("#consequence [data-act]").click()
        evening.has("Thug", wounds=1)
        evening.pictures("d6-companion-wound")
        # the dodge holds for the round, and stands on the card
        evening.to("Now")
        expect(master.locator('#order .person-row[data-who="Thug"] .reaction')).to_contain_text("18")
        # a shot at one who dodges is none of the shooter's own; one action of one needs no mark
        expect(master.locator('#order .person-row[data-who="Vex"] .round-marks')).to_have_count(0)
        # a turn is given back, with what was thrown in it
        evening.to("Now")
        evening.next_turn("Thug")  # what all declare is passed at once
        evening.next_turn("Vex")
        master.locator("#fight-more").click()
        master.locator('[data-choice="back"]').click()
        evening.order("Thug", "Vex", now="Thug")
        # fire_modifier: who is in cover is harder to hit from afar, 6 + 2, until the scene is over
        evening.state("Thug", "In cover")
        evening.taps("Vex", "Pistol")
        expect(master.locator('#now-card[data-name="throw"]')).to_be_visible()
        assert evening.gm("api/state")["asked"]["answers"]["fire"] == ["medium_cover"]
        master.locator('[data-also="stop"]').click()  # else the next call waits for this one
        evening.state("Thug", "In cover", is_over=True)
        evening.to("Now")
        # wound_state: 1D less, 3D+1 is 2D+1
        evening.taps("Thug", "Rifle")
        evening.asked("2 Pip die")
        # medpac_difficulty: 6 for the wounded, 9 with the second of the day. 1 + 2 + 1 + 1 = 5, 3 + 3 + 3 + 1 = 10
        evening.end_fight()
        for faces, wounds, medpacs in (("1 2 1", 1, 1), ("3 3 3", 0, 2)):
            evening.care("Thug", "A medpac", throws=True)
            evening.asked("3 Pip die")
            evening.throw(f"pip {faces}")
            screen.locator("#consequence [data-act]").click()
            evening.has("Thug", wounds=wounds, medpacs=medpacs)
        evening.comes("Kesh", "player")


def test_d6_wild(tmp_path: Path, chromium: Browser) -> None:
    """The names of rules are those of the reference text."""
    with PagesEvening(tmp_path, "d6-wild", chromium) as evening:
        screen, master, vex = evening.screen_page, evening.master, evening.roller
        _gunmen(evening)
        evening.open_pages()

        # wild_roll: 3 + 5 + 2, wild 6 then 4, and 2 pips: 22
        evening.taps("Vex", "Piloting", on=vex)
        evening.asked("1 Wild Die, 3 Pip die")
        roll = evening.throw("pip 3 5 2, wild 6")
        assert roll["awaits"]["name"] == "wild_again"
        evening.power_fails()  # while the Wild Die is thrown again
        expect(vex.locator("#headline")).to_have_text("18 so far")
        vex.locator("#dice-by-hand").click()  # as on the table's screen, which other tests use
        vex.locator(".hand").get_by_label("4", exact=True).click()
        evening.shows("22")
        evening.pictures("d6-wild-again")

        # force_point: 5D+2 becomes 10D+4, and still one Wild Die: 9 ordinary ones show 18, 18 + 2 + 4 = 24
        evening.taps("Vex", "Dodge")
        evening.flip("light")
        evening.asked("1 Wild Die, 9 Pip die", is_on_screen=True)
        evening.has("Vex", force_points=0)
        assert total(evening.throw("pip 2 2 2 2 2 2 2 2 2, wild 2")) == 24
        evening.round_passes()

        # One die too few; as it lies 4 + 4 + 3 + 2 = 13 of 4D+2
        evening.taps("Vex", "Piloting", ".band >> nth=0")
        evening.throw("pip 4 4, wild 3")
        expect(screen.locator("#headline")).to_have_text("1 die too few")
        screen.locator('[data-also="take"]').click()
        evening.shows("13")

        # character_points: 1 adds a die to a total: 2 + 2 + 2 + 2 + 2 = 10, and 5 make 15
        evening.taps("Vex", "Piloting", on=vex)
        evening.throw("pip 2 2 2, wild 2")
        evening.shows("10")
        vex.locator('.buy[data-spend="character_points"]').click()
        screen.locator(".enter-throw").click()
        screen.locator(".hand").get_by_label("5", exact=True).click()
        evening.shows("15")
        evening.has("Vex", character_points=4)

        # initiative: who has no Perception throws 2D. 3 + 4 = 7 against 2 + 2 = 4: the players are first
        evening.fight(
            ("Vex", "1 Wild Die, 1 Pip die", "pip 4, wild 3"), ("Thug", "1 Wild Die, 1 Pip die", "pip 2, wild 2")
        )
        evening.order("Vex", "Thug", now="Vex")
        evening.to("Now")

        # reaction: a dodge of 4D, 1 + 1 + 1 + 2 = 5. 4D: 2 + 2 + 2 + 3 = 9 hits
        evening.taps("Thug", "Dodge")
        evening.throw("pip 1 1 1, wild 2")
        evening.shows("5")
        # multi_action: of two actions each loses a die, and the second knows of the first. 2 + 2 + 3 = 7 hits
        two = '.segments[aria-label="Actions this round"] button:has-text("2")'
        evening.taps("Vex", "Pistol", two)
        evening.asked("1 Wild Die, 2 Pip die")
        assert evening.throw("pip 2 2, wild 3")["succeeded"]
        # damage: 2D+2 is 5 + 3 + 2 = 10; 5D is 3 + 3 + 3 + 3 + 3 = 15: 5 more
        screen.locator('[data-act="resist"]').click()
        called(master, "Thug", "Strength")
        evening.throw("pip 5, wild 3")
        evening.shows("10")
        master.locator("#now-card .act-lit", has_text="damage").click()
        called(master, "", "Pistol")
        roll = evening.throw("pip 3 3 3 3, wild 3")
        ((tracker, change),) = effects(roll)
        evening.power_fails()  # between the throw and the wound
        master.locator('#now-card [data-also="apply"]').click()  # the turn goes on
        expect(screen.locator("#applied")).to_be_visible()
        assert tracker == "wounds"
        evening.has("Thug", wounds=change["set"])
        evening.pictures("d6-wild-wound")
        evening.taps("Vex", "Piloting", on=vex)
        evening.asked("1 Wild Die, 2 Pip die")
        assert total(evening.throw("pip 3 5, wild 2")) == 12  # 3 + 5 + 2 + 2
        # a talent takes the five away: three taps, and no correction
        screen.locator("#dice .die").nth(1).click()
        screen.locator('[data-rule="away"]').click()
        evening.shows("7")
        evening.to("Now")
        expect(master.locator('#order .person-row[data-who="Vex"] .action-marks')).to_have_attribute(
            "aria-label", "2 of 2 actions done"
        )
        expect(master.locator('#order .person-row[data-who="Thug"] .reaction')).to_contain_text("5")
        evening.next_turn("Thug")
        evening.next_turn("Vex")  # the round passes, and the dodge with it
        expect(master.locator("#order .reaction")).to_have_count(0)
        # natural_healing: Strength 2D+2 after three days; the game master judges, and one of the two is all
        evening.end_fight()
        evening.care("Thug", "Natural healing", throws=True)
        evening.asked("1 Wild Die, 1 Pip die")
        evening.throw("pip 4, wild 3")
        expect(master.locator('[data-also="apply_either"]')).to_have_count(2)
        screen.locator('[data-also="apply_either"]', has_text="Better").click()
        evening.has("Thug", wounds=0)
        expect(master.locator('[data-also="apply_either"]')).to_have_count(0)
        evening.comes("Torv", "player")


def _gunmen(evening: PagesEvening) -> None:
    damage = {"code": "5D", "purpose": "damage"}
    evening.add(
        "Vex",
        skills={"Blaster": {"code": "4D"}, "Dodge": {"code": "5D+2"}, "Piloting": {"code": "4D+2"},
                "First aid": {"code": "3D+1"}},
        weapons=[{"name": "Pistol", "skill": "Blaster", "ask": {"band": "easy"}, "damage": damage}],
        trackers={"force_points": {"value": 1}, "character_points": {"value": 5}},
    )  # fmt: skip
    evening.add(
        "Thug", "person",
        skills={"Blaster": {"code": "3D+1"}, "Dodge": {"code": "4D"}, "Strength": {"code": "2D+2"}},
        weapons=[{"name": "Rifle", "skill": "Blaster", "ask": {"band": "moderate"}, "damage": damage}],
    )  # fmt: skip
