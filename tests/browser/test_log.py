"""The log on the phones: who, what for, dice, symbols, spent, applied; whose and what can be chosen; all as CSV."""

from __future__ import annotations

import csv
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.kept import Side
from tableside.table.messages import ApplyEffect, BuySpend, CallRoll, ChangeDestiny, ChooseGame, Do, StartSession, Undo
from tests.browser.conftest import Opens, look, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_cast import MEASURED
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired
from tests.browser.test_turns import add
from tests.table.test_turn import HIT, OSKARA, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def evening(running: RunningTable) -> RunningTable:
    """A hit that was applied and bought something, a spent point, one that was taken back, and another's roll."""
    tell = running.table.ask
    oskara, troopers = add(running, OSKARA), add(running, TROOPERS)
    for n in range(10):
        add(running, {**OSKARA, "name": f"Lowhhrick Würfelzähler der {n}."})
    tell(CallRoll(id=new_id(), at=time.time(), who=oskara.id, weapon="Carbine", against=troopers.id))
    roll = throw(running, *[(kind, face) for kind, faces in HIT.items() for face in faces])
    tell(ApplyEffect(id=new_id(), at=time.time(), roll_id=roll, effect=0, to=troopers.id))
    tell(BuySpend(id=new_id(), at=time.time(), roll_id=roll, name="recover_strain"))
    for _ in range(2):
        tell(ChangeDestiny(id=new_id(), at=time.time(), do=Do.SPEND, side=Side.LIGHT, by="Vex"))
    tell(Undo(id=new_id(), at=time.time()))
    tell(CallRoll(id=new_id(), at=time.time(), ask={"boost": 1}, player="Vex", label="Hide"))
    throw(running, ("boost", ("advantage",)))
    return running


def test_rolls_of_another_evening_or_game_stand_below_its_name(
    opens: Opens, paired: Paired, evening: RunningTable
) -> None:
    tell = evening.table.ask
    tell(StartSession(id=new_id(), at=time.time()))
    tell(ChooseGame(id=new_id(), at=time.time(), game="d6-wild"))
    throw(evening, ("pip", ("3",)))
    page = log(opens, paired)
    expect(page.locator(".rolls-of")).to_have_count(2)
    look(page, "log-parts")
    games = [re.sub(r"Session \d+, ", "", one) for one in page.locator(".rolls-of").all_inner_texts()]
    assert len(set(games)) == 2


def log(opens: Opens, paired: Paired, query: str = "") -> Page:
    page = opens(f"/gm{query}", phone=paired("gm", "Gim"))
    page.locator(".tabs button").nth(2).click()
    return page


def test_a_roll_tells_whom_it_was_at_its_dice_what_it_bought_and_what_it_did(
    opens: Opens, paired: Paired, evening: RunningTable
) -> None:
    page = log(opens, paired)
    expect(page.locator(".rolls-of")).to_have_count(0)  # all of one evening and one game
    line = page.locator(".roll-line", has_text="Carbine")
    expect(line.locator(".roll-what")).to_have_text("Oskara Carbine › Trooper")
    expect(line.locator(".roll-dice .small-die")).to_have_count(5)
    expect(line.locator(".was-applied")).to_contain_text("Trooper: 7 wounds")
    expect(line.locator(".spent")).to_contain_text("strain")
    expect(line.locator(".spent .price .glyph")).to_have_count(1)
    assert faults(page) == []


def test_the_log_is_narrowed_to_somebody_and_to_points_or_effects(
    opens: Opens, paired: Paired, evening: RunningTable
) -> None:
    page = log(opens, paired)
    whose = page.get_by_role("group", name="Whose")
    expect(page.locator(".roll-line")).to_have_count(2)
    whose.get_by_role("button", name="Vex").click()
    expect(page.locator(".roll-line")).to_have_count(1)
    page.get_by_role("button", name="Points").click()
    expect(page.locator("#log-changes li")).to_have_count(2)
    expect(page.locator("#log-changes li[data-gone]")).to_have_count(1)  # the one that was taken back
    whose.get_by_role("button", name="Vex").click()
    expect(page.locator("#log-changes li")).to_have_count(3)  # and how the pool began
    page.get_by_role("button", name="Effects").click()
    expect(page.locator("#log-changes")).to_contain_text("Trooper: 7 wounds")
    whose.get_by_role("button", name="Oskara", exact=True).click()
    expect(page.locator("#log-changes")).not_to_contain_text("Trooper: 7 wounds")
    expect(page.locator("#log-changes")).to_contain_text("Oskara buys")
    evening.table.ask(Undo(id=new_id(), at=time.time()))  # Vex's roll
    evening.table.ask(Undo(id=new_id(), at=time.time()))
    whose.get_by_role("button", name="Oskara", exact=True).click()
    expect(page.locator("#log-changes")).to_contain_text("Trooper: 7 wounds")


def test_an_older_change_is_taken_back_from_the_log_and_had_again(
    opens: Opens, paired: Paired, evening: RunningTable
) -> None:
    """What would go with it is said first; one tap goes on."""
    page, trooper = log(opens, paired), evening.table.state.people[1].id

    def wounds() -> int:
        person = evening.table.state.person(trooper)
        assert person is not None
        return person.value("wounds")

    page.locator("summary", has_text="All changes").click()
    changes = page.locator(".history li")
    for undo, after in (("Undo", 0), ("Redo", 7), ("Undo", 0)):  # and again
        last = evening.table.state.last_number
        changes.filter(has_text="7 wounds").get_by_label(re.compile(f"^{undo}: ")).first.click()
        wait_for(evening.table, lambda state, last=last: state.last_number > last)  # type: ignore[misc]
        assert wounds() == after
        expect(changes.first.locator(".take-back")).to_have_count(1)
    page.get_by_role("button", name="Rolls").click()
    page.locator(".roll-line", has_text="Carbine").click()
    page.locator("#sheet .take-back").click()
    expect(page.locator("#sheet-title")).to_contain_text("With it go: Recover one strain")
    assert len(evening.table.state.rolls) == 2
    page.locator("#sheet .primary").click()
    wait_for(evening.table, lambda state: len(state.rolls) == 1)
    expect(page.locator(".roll-line")).to_have_count(1)
    assert faults(page) == []


def test_the_evening_is_saved_as_csv(opens: Opens, paired: Paired, evening: RunningTable, tmp_path: Path) -> None:
    page = log(opens, paired)
    with page.expect_download() as download:
        page.get_by_text("Save as CSV").click()
    file = tmp_path / "evening.csv"
    download.value.save_as(file)
    assert download.value.suggested_filename == "tableside.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    told = [row for row in rows if row["kind"] == "effect"]
    assert [(row["player"], row["label"], row["applied"]) for row in told] == [("Oskara", "Carbine", "7 wounds")]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_log_is_laid_out_well_with_long_names_and_twelve_people(
    opens: Opens, paired: Paired, evening: RunningTable, lang: str
) -> None:
    page = log(opens, paired, f"?lang={lang}")
    expect(page.locator(".segments").last).to_have_css("display", "flex")  # beside each other
    for size in ((390, 844), (800, 480), (320, 568)):
        resize(page, size)
        for what in ("rolls", "points", "effects"):
            page.locator(f'[data-what="{what}"]').click()
            page.locator("#log-changes li, .roll-line").first.wait_for()
            assert page.evaluate(f"({MEASURED})({LAYOUT})") == [], (size, what)
            look(page, f"gm-log-{lang}-{what}-{size[0]}")
