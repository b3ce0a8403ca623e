"""What a finished roll was for is changed on a phone: the form is filled from the roll, which is scored anew."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll, ChooseGame
from tests.browser.conftest import Opens, look, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired, came, tab
from tests.browser.test_turns import add
from tests.table.test_turn import HIT, OSKARA, TROOPERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def hit(running: RunningTable) -> str:
    """A carbine's hit for 12 less a soak of 5."""
    oskara, troopers = add(running, OSKARA), add(running, TROOPERS)
    running.table.ask(CallRoll(id=new_id(), at=time.time(), who=oskara.id, weapon="Carbine", against=troopers.id))
    return throw(running, *[(kind, face) for kind, faces in HIT.items() for face in faces])


def change_call(page: Page) -> None:
    page.locator("#sheet .change-call").click()
    page.locator("#roll-call").wait_for()


def test_another_soak_scores_the_roll_anew_and_one_undo_takes_it_back(
    opens: Opens, paired: Paired, running: RunningTable, hit: str
) -> None:
    page = opens("/gm", phone=paired("gm", "Gim"))
    page.locator("#roll-more").click()
    expect(page.locator("#now-card .someone-else")).to_contain_text("7 wounds")
    change_call(page)
    soak = page.locator('#roll-call [data-field="soak"]')
    expect(soak.locator("output")).to_have_text("5")
    expect(page.get_by_label("What for", exact=True).last).to_have_value("Carbine")
    assert faults(page) == []
    for _ in range(3):
        soak.get_by_label("Soak of the target: less").click()
    page.get_by_role("button", name="Score anew").click()
    expect(came(page)).to_have_text("Hit for 10")
    found = running.table.state.find_roll(hit)
    assert found is not None
    assert (found.ask["soak"], [effect.change for effect in found.effects]) == (2, [10])
    page.locator("#undo").click()
    expect(came(page)).to_have_text("Hit for 7")


def test_an_attack_that_was_a_check_loses_its_damage_and_what_was_not_touched_stays(
    opens: Opens, paired: Paired, running: RunningTable, hit: str
) -> None:
    page = opens("/gm", phone=paired("gm", "Gim"))
    before = running.table.state.find_roll(hit)
    assert before is not None
    page.locator("#roll-more").click()
    change_call(page)
    page.locator('#roll-call [data-field="purpose"] [data-choice="check"]').click()
    page.locator("#roll-label").fill("Shooting at cans")
    page.get_by_role("button", name="Score anew").click()
    expect(came(page)).to_have_text("Success")
    after = running.table.state.find_roll(hit)
    assert after is not None
    assert (after.ask.get("purpose", "check"), after.label, after.effects) == ("check", "Shooting at cans", ())
    assert (after.ask["characteristic"], after.dice, after.by) == (3, before.dice, "Oskara")


def test_the_difficulty_of_an_older_roll_is_changed_from_the_log(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-companion"))
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask={"code": "3D", "difficulty": 15}, player="Vex", label="Climb"))
    older = throw(running, *[("pip", (face,)) for face in ("4", "5", "2")])
    throw(running, ("pip", ("6",)))
    page = opens("/gm", phone=paired("gm", "Gim"))
    tab(page, "Log")
    page.locator(".roll-line", has_text="Climb").click()
    page.locator("#sheet .change-call").click()
    for _ in range(4):
        page.locator('[data-field="difficulty"]').get_by_label("Difficulty number: less").click()
    page.get_by_role("button", name="Score anew").click()
    expect(page.locator("#sheet")).to_be_hidden()
    found = running.table.state.find_roll(older)
    assert found is not None
    assert (found.succeeded, found.difficulty) == (True, 11)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_form_of_a_finished_roll_is_laid_out_well(
    opens: Opens, paired: Paired, running: RunningTable, hit: str, lang: str
) -> None:
    page = opens(f"/gm?lang={lang}", phone=paired("gm", "Gim"))
    page.locator("#roll-more").click()
    change_call(page)
    for size in ((390, 844), (800, 480), (320, 568)):
        resize(page, size)
        assert page.evaluate(LAYOUT, True) == [], size
        assert page.evaluate(
            "document.querySelector('#sheet').scrollWidth <= document.querySelector('#sheet').clientWidth"
        )
        look(page, f"gm-recall-{lang}-{size[0]}", animations="disabled")
