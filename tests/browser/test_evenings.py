"""Evenings through the pages themselves: phones and the table's screen are tapped, the button is pressed, dice lie
before a camera, and the power fails in the middle. All numbers are worked out by hand from the reference texts.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.evening import PagesEvening
from tests.browser.test_phones import tab
from tests.whole.evening import effects, left, total

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
            "Vex", skills={"Computers": {"characteristic": 3, "skill": 2}, "Deception": {"characteristic": 3}},
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
        screen.locator(".use-destiny").click()
        expect(screen.locator(".use-destiny")).to_have_count(0)
        expect(vex.locator("#points .count")).to_have_text("3")

        # 2 and 1 are 1 A 1 P against 2 D. The button makes it 2 P, and light 3, dark 2 become 2 and 3
        evening.taps("Oskara", "Mechanics")
        tab(vex, "Roll")
        evening.asked("1 Proficiency, 1 Ability, 2 Difficulty")
        evening.flip("light")
        evening.asked("2 Proficiency, 2 Difficulty", is_on_screen=True)
        expect(vex.locator("#points .count")).to_have_text("2")
        # S S + Av Av against Th and a blank: 2 S, 2 - 1 = 1 Av
        roll = evening.throw("proficiency success+success advantage+advantage, difficulty threat -")
        assert left(roll) == {"success": 2, "advantage": 1}
        evening.shows("Success")
        evening.pictures("narrative-result")
        # 1 Av recovers 1 strain
        screen.locator('.spend[data-spend="recover_strain"]').click()
        expect(evening.unfold().locator('.buy[data-spend="recover_strain"]')).to_be_disabled()
        assert evening.tracker("Oskara", "strain") == 2

        # Vex calls for himself: 3 and 2 are 1 A 2 P. One D too few lies there; it is taken as it lies: S, 2 Av, Th
        evening.taps("Vex", "Computers", on=vex)
        evening.asked("2 Proficiency, 1 Ability, 2 Difficulty")
        evening.throw("ability success, proficiency advantage+advantage -, difficulty threat")
        expect(screen.locator("#headline")).to_have_text("1 die too few")
        expect(master.locator(".do-panel")).to_contain_text("Missing: 1 difficulty")
        evening.pictures("narrative-wrong")
        screen.locator("#take").click()
        evening.shows("Success")
        # 1 Av of the 2 - 1 buys a boost for an ally, on the roller's phone
        tab(vex, "Me")
        vex.locator('.buy[data-spend="boost_next_ally"]').click()
        vex.locator("#sheet").get_by_role("button", name="Oskara").click()
        expect(vex.locator('.buy[data-spend="boost_next_ally"]')).to_have_attribute("data-bought", "")
        assert evening.carried("Oskara") == [{"boost": 1}]

        tab(vex, "Roll")
        # Hard is 3 D; the boost lies in it
        evening.taps("Oskara", "Mechanics", '.place[data-place="3"]')
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
        assert evening.tracker("Oskara", "strain") == 3

        # Medium is 2 D. S + S S = 3 S: 9 + 3 - 5 = 7 is beyond 5 once
        evening.taps("Oskara", "Carbine")
        evening.asked("2 Proficiency, 1 Ability, 2 Difficulty")
        roll = evening.throw("ability success, proficiency success+success -, difficulty - -")
        assert effects(roll) == [("wounds", 7)]
        evening.power_fails()  # between the throw and the wounds
        expect(screen.locator("#consequence")).to_contain_text("7 of 20")
        master.locator(".apply").click()
        for page in (screen, master):
            expect(page.locator("#consequence, .applied")).to_contain_text("1 of them falls")
        assert evening.standing("Troopers") == 3

        # 3 stand: rank 2, 1 A 2 P. S S + S = 3 S: 12 - 3 = 9, and 6 + 9 is beyond 12
        evening.taps("Troopers", "Rifle", '.target:has-text("Oskara")')
        evening.throw("ability success+success, proficiency success -, difficulty - -")
        screen.locator("#consequence .apply").click()
        expect(screen.locator("#consequence")).to_contain_text("critical injury")
        assert evening.tracker("Oskara", "wounds") == 15
        master.locator("#undo").click()
        expect(screen.locator("#consequence .apply")).to_be_visible()
        assert evening.tracker("Oskara", "wounds") == 6
        screen.locator("#consequence .apply").click()
        screen.locator("#consequence .follow").click()
        # tens 4, ones 7
        master.locator("#call", has_text="critical injury").wait_for()
        roll = evening.throw("d100 40, d10 7")
        assert (total(roll), roll["row"]) == (47, "Nick")
        for page in (screen, master, vex):
            expect(page.get_by_text("Nick", exact=True).first).to_be_visible()
        evening.pictures("narrative-injury")
        tab(master, "Log")
        evening.pictures("narrative-log")
