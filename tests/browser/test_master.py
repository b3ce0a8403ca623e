"""The game master's phone shows the now: how many taps a fight takes, and what one wrong throw or a call leaves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tableside.app.running_table import RunningTable
from tableside.rules.people import Person
from tableside.table.messages import Undo
from tests.browser.conftest import Opens, look, new_id, resize, throw
from tests.browser.test_accessible import faults
from tests.browser.test_cast import MEASURED
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired
from tests.browser.test_turns import COUNTS, add, counted
from tests.table.test_turn import OSKARA, TROOPERS
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ACTORS = ("Oskara", "Vex", "Lowhhrick", "Troopers", "Ilun")
"""In the order that they throw for."""
ROUNDS = 3
MISS: dict[str, tuple[str, ...]] = {"difficulty": ("failure",)}
HIT: dict[str, tuple[str, ...]] = {"proficiency": ("success", "success"), "ability": ("success",)}
GRAZE: dict[str, tuple[str, ...]] = {"ability": ("success",)}
CONTROLS = """() => [...document.querySelectorAll('button, a[href], input, select')].filter((node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 2 && height > 2 && node.checkVisibility() && !node.disabled;
}).length"""


def thrown(running: RunningTable, faces: dict[str, tuple[str, ...]]) -> None:
    """Throw what is called."""
    tray = running.table.state.asked.tray
    assert tray is not None
    throw(running, *[(kind, faces.get(kind, ())) for kind, count in tray.dice for _ in range(count)])


def order_is_thrown(running: RunningTable) -> None:
    wait_for(running.table, lambda state: bool(state.asked.contest))
    while running.table.state.asked.id:  # each has as many dice as the place wants
        thrown(running, {"ability": ("success",)})
    assert [slot.who for slot in running.table.state.initiative.slots] == list(ACTORS)


@pytest.fixture
def five(running: RunningTable) -> dict[str, Person]:
    foes = {**TROOPERS, "members": 1}

    def form(of: dict[str, Any], name: str) -> dict[str, Any]:
        cool = {"name": "Cool", "ask": {"characteristic": len(ACTORS) - ACTORS.index(name)}}
        trackers = of["trackers"] if of is foes else {"wounds": {"value": 0, "most": 99}}
        return {
            **of,
            "trackers": trackers,
            "name": name,
            "skills": [*OSKARA["skills"], cool],
            "weapons": OSKARA["weapons"],
        }

    return {name: add(running, form(foes if name == "Troopers" else OSKARA, name)) for name in ACTORS}


@pytest.fixture
def master(opens: Opens, paired: Paired, five: dict[str, Person]) -> Page:
    page = opens("/gm", phone=paired("gm", "Mara"))
    page.evaluate(COUNTS)
    return page


def lit(page: Page, words: str) -> None:
    """Tap what is lit, which is one button alone."""
    button = page.locator("#pane-now .act-lit, #ask-now")
    expect(button).to_have_count(1)
    expect(button).to_contain_text(words)
    button.click()


def acts(page: Page, who: str) -> None:
    expect(page.locator("#now-card #headline")).to_have_text(
        f"{who} {'act' if who == 'Troopers' else 'acts'}", ignore_case=True
    )
    expect(page.locator("#order [aria-current] b.may-cut")).to_have_count(1)


def turns(master: Page, running: RunningTable, taps_itself: Any) -> None:
    """Three rounds, in which the last throw takes the last foe down."""
    for n in range(ROUNDS * len(ACTORS)):
        who, is_last = ACTORS[n % len(ACTORS)], n == ROUNDS * len(ACTORS) - 1
        acts(master, who)
        faces = HIT if is_last else GRAZE if who == "Troopers" else MISS
        taps_itself(who, faces, is_last)


def test_a_fight_of_three_rounds_and_five_takes_thirty_two_taps(master: Page, running: RunningTable) -> None:
    master.locator("#fight-begins").click()
    master.locator("#fight-call").click()
    expect(master.locator("#throws .turn-row")).to_have_count(5)
    order_is_thrown(running)

    def turn(who: str, faces: dict[str, tuple[str, ...]], is_last: bool) -> None:
        lit(master, "Carbine")
        wait_for(running.table, lambda state: state.asked.player == who)
        thrown(running, faces)
        following = ACTORS[(ACTORS.index(who) + 1) % len(ACTORS)]
        lit(
            master,
            "Apply, end the fight" if is_last else f"next: {following}" if faces == GRAZE else f"Next: {following}",
        )

    turns(master, running, turn)
    wait_for(running.table, lambda state: not state.initiative.slots)
    expect(master.locator("#fight-begins")).to_be_visible()
    assert counted(master) == {"taps": 2 + 2 * ROUNDS * len(ACTORS), "keys": 0}


def test_where_players_tap_their_own_turns_the_master_taps_nine_times(
    master: Page, running: RunningTable, five: dict[str, Person], paired: Paired
) -> None:
    phones: dict[str, BrowserContext] = {}
    for name in ACTORS:
        if name != "Troopers":
            phones[name] = paired("player", name)
            assert phones[name].request.post(f"{running.address}api/me", data={"person": five[name].id}).ok
    master.locator("#fight-begins").click()
    master.locator("#fight-call").click()
    order_is_thrown(running)

    def does(phone: BrowserContext, key: str) -> None:
        act = phone.request.get(f"{running.address}api/state").json()["now"]["act"]
        assert act["key"] == key
        request = act["request"]
        assert phone.request.post(running.address + request["path"][1:], data=request["body"] | {"id": new_id()}).ok

    def turn(who: str, faces: dict[str, tuple[str, ...]], is_last: bool) -> None:
        if who == "Troopers":
            lit(master, "Carbine")
            wait_for(running.table, lambda state: state.asked.player == who)
            thrown(running, faces)
            lit(master, "next: Ilun")
            return
        does(phones[who], "attack")
        thrown(running, faces)
        if is_last:
            lit(master, "Apply, end the fight")
        else:
            does(phones[who], "next")

    turns(master, running, turn)
    wait_for(running.table, lambda state: not state.initiative.slots)
    assert counted(master) == {"taps": 9, "keys": 0}


def test_one_wrong_throw_for_the_order_stays_in_it_and_is_one_tap(master: Page, running: RunningTable) -> None:
    master.locator("#fight-begins").click()
    master.locator("#fight-call").click()
    expect(master.locator("#headline")).to_have_text("Oskara throws", ignore_case=True)
    master.evaluate("counted.taps = 0")
    for _ in range(2):  # and once more
        throw(running, ("ability", ("success",)))  # of five
        expect(master.locator("#headline")).to_have_text("4 dice too few", ignore_case=True)
        expect(master.locator("#throws .turn-row")).to_have_count(5)
        assert faults(master) == []
        lit(master, "Throw again")
        expect(master.locator("#headline")).to_have_text("Oskara throws", ignore_case=True)
    assert counted(master) == {"taps": 2, "keys": 0}
    order_is_thrown(running)


def test_a_turn_goes_to_somebody_else_and_back_by_undo(master: Page, running: RunningTable) -> None:
    """In a new round a slot is anybody's; whoever had it calls without a question, and another may take it."""
    master.locator("#fight-begins").click()
    master.locator("#fight-call").click()
    order_is_thrown(running)
    for who in ACTORS:
        acts(master, who)
        master.locator('[data-also="pass"]').click()
    acts(master, "Oskara")
    master.locator("#order [aria-current] .person-row").click()
    master.locator('#sheet [data-who="Ilun"]').click()
    acts(master, "Ilun")
    master.locator("#undo").click()
    acts(master, "Oskara")
    lit(master, "Carbine")
    wait_for(running.table, lambda state: state.asked.player == "Oskara")
    for who in ("Oskara", ""):  # who throws has taken it, until that is undone
        if who:
            with master.expect_response("**/spends"):  # refused where its roll is gone by then
                thrown(running, MISS)
        else:
            running.table.ask(Undo(id=new_id(), at=1.0))
        slot = running.table.state.initiative.current
        assert slot is not None
        assert slot.who == who


def test_what_can_be_tapped_is_little(master: Page, running: RunningTable, five: dict[str, Person]) -> None:
    found = {}
    master.locator('.upright[data-who="Vex"]').click()
    master.locator('.skill[data-skill="Mechanics"]').click()
    expect(master.locator(".odds-large")).to_contain_text("%")
    found["call"] = master.evaluate(CONTROLS)
    look(master, "master-call")
    master.locator("#ask-now").click()
    expect(master.locator("#headline")).to_have_text("Vex throws", ignore_case=True)
    expect(master.locator("#ask-now")).to_have_count(0)  # the answer to the tap may come after the state
    found["called"] = master.evaluate(CONTROLS)
    thrown(running, MISS)
    master.locator("#fight-begins").click()
    master.locator("#fight-call").click()
    order_is_thrown(running)
    acts(master, "Oskara")
    found["turn"] = master.evaluate(CONTROLS)
    lit(master, "Carbine")
    expect(master.locator("#headline")).to_have_text("Oskara throws", ignore_case=True)
    thrown(running, HIT)
    expect(master.locator("#headline")).to_contain_text("Hit for", ignore_case=True)
    found["result"] = master.evaluate(CONTROLS)
    print(found)
    for size in ((390, 844), (360, 640), (800, 480)):
        resize(master, size)
        assert master.evaluate(f"({MEASURED})({LAYOUT})") == [], size
    assert all(found[name] <= most for name, most in {"call": 30, "called": 14, "turn": 19, "result": 15}.items()), (
        found
    )
