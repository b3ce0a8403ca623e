"""What a page stood at is there again after a reload, Back from another page, and a lost connection."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import CallRoll, ChangePerson, DoPerson
from tests.browser.conftest import CLOSED_LATE, Contexts, Opens, new_id
from tests.browser.test_phones import Paired, tab
from tests.browser.test_turns import add
from tests.table.test_turn import OSKARA, TROOPERS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Opened = Callable[[str], Page]


def reloaded(page: Page) -> None:
    page.reload()


def left_and_back(page: Page) -> None:
    page.goto(page.url.partition("?")[0].rpartition("/")[0] + "/lookup")
    page.go_back()


def without_a_connection(page: Page) -> None:
    page.context.set_offline(True)
    page.locator("#lost").wait_for()
    page.context.set_offline(False)
    page.locator("#lost").wait_for(state="hidden")


@pytest.fixture
def opened(opens: Opens, paired: Paired, running: RunningTable, contexts: Contexts) -> Iterator[Opened]:
    """Open a page whose console may tell of a lost connection."""
    add(running, OSKARA)
    add(running, TROOPERS)
    yield lambda path: opens(f"/{path}", phone=paired("gm" if path == "gm" else "player", "Oskara"))
    contexts.wrong.clear()


def test_what_is_put_together_and_its_tab_stay(opened: Opened, running: RunningTable) -> None:
    page = opened("gm")
    page.locator('.upright[data-who="Oskara"]').click()
    page.locator('.skill[data-skill="Mechanics"]').click()
    for _ in range(2):
        page.get_by_label("Difficulty 1 higher").click()
    page.locator('[data-chip="rest"]').click()
    page.locator("#ask-label").fill("the old lock")
    page.locator("#sheet .done").click()

    def is_called() -> None:
        expect(page.locator("#ask-now")).to_contain_text("Oskara rolls Mechanics")
        expect(page.locator('.pool-die[data-die="difficulty"]')).to_have_count(4)
        page.locator('[data-chip="rest"]').click()
        expect(page.locator("#ask-label")).to_have_value("the old lock")
        page.locator("#sheet .done").click()

    left_and_back(page)
    is_called()
    tab(page, "Cast")
    page.locator("#add-person").click()
    page.locator("#person-name").fill("Nerys")
    page.locator('.add-skill[data-skill="Charm"]').click()
    for loss in (left_and_back, reloaded, without_a_connection):
        loss(page)
        expect(page.locator("#person-name")).to_have_value("Nerys")
        expect(page.locator(".rated > li")).to_have_count(1)
        expect(page.locator(".tabs [aria-current]")).to_have_text("Cast")
        expect(page.locator(".pane:not([hidden])")).to_have_attribute("aria-label", "Cast")
    page.go_back()
    expect(page.locator("#sheet")).to_be_hidden()
    assert page.url.endswith("/gm")
    tab(page, "Now")
    reloaded(page)
    is_called()
    tab(page, "Cast")
    expect(page.locator("#person-name")).to_have_count(0)  # closed, it is over
    tab(page, "Log")
    left_and_back(page)
    expect(page.locator(".tabs [aria-current]")).to_have_text("Log")
    assert not running.table.state.asked.id


def tonight_of(row: str) -> Callable[[Page], None]:
    def opens(page: Page) -> None:
        tab(page, "Tonight")
        page.locator(f'[data-row="{row}"]').click()

    return opens


def card(page: Page) -> None:
    tab(page, "Cast")
    page.locator(f'[data-person="{OSKARA["name"]}"] .person-row').click()


def states(page: Page) -> None:
    card(page)
    page.locator("#add-state").click()


def more(page: Page) -> None:
    card(page)
    page.locator("#card-more").click()


def targets(page: Page) -> None:
    tab(page, "Now")
    page.locator(f'.upright[data-who="{OSKARA["name"]}"]').click()
    page.locator('.skill[data-skill="Mechanics"]').click()
    page.locator('[data-chip="target"]').click()


def place_by_hand(page: Page) -> None:
    tab(page, "Now")
    if page.locator("#now-more").count():  # beside a call that is put together
        page.locator("#now-more").click()
    page.locator("#fight-begins").click()
    page.locator("#fight-by-hand").click()
    page.locator('[data-number="success"] .step').last.click()


SHEETS = [tonight_of("game"), tonight_of("this"), card, states, more, targets, place_by_hand]


def test_a_sheet_is_open_again_and_back_closes_it(opened: Opened, running: RunningTable) -> None:
    page = opened("gm")
    sheet, title = page.locator("#sheet"), page.locator("#sheet-title")
    for opens in SHEETS:
        opens(page)
        shown = title.inner_text(), page.locator(".tabs [aria-current]").inner_text()
        said = sheet.locator("h2 ~ *").all_inner_texts()
        for loss in (left_and_back, reloaded) if opens is card else (reloaded,):  # a second time changes nothing
            loss(page)
            page.locator("body[data-ready]").wait_for()
            expect(title).to_have_text(shown[0])
            expect(page.locator(".tabs [aria-current]")).to_have_text(shown[1])
            assert sheet.locator("h2 ~ *").all_inner_texts() == said
        page.go_back()
        expect(sheet).to_be_hidden()
        expect(page.locator(".tabs [aria-current]")).to_have_text(shown[1])
    for is_gone in (False, True):  # nor does the sheet of somebody who is gone come back
        if is_gone:
            card(page)
            (oskara,) = (one for one in running.table.state.people if one.name == OSKARA["name"])
            running.table.ask(ChangePerson(id=new_id(), at=time.time(), do=DoPerson.REMOVE, person={"id": oskara.id}))
            expect(sheet).to_be_hidden()
        reloaded(page)
        page.locator("body[data-ready]").wait_for()
        expect(page.locator(".tabs [aria-current]")).to_have_text("Cast" if is_gone else "Now")
        expect(sheet).to_be_hidden()


def test_a_tab_that_is_tapped_while_a_sheet_closes_stays_and_each_question_waits_for_its_own_answer(
    opened: Opened, running: RunningTable
) -> None:
    page = opened("gm")
    page.evaluate(CLOSED_LATE)
    card(page)
    page.locator("#sheet .done").click()
    for closings in (1, 2):  # the next sheet that closes leaves the tab alone, too
        place_by_hand(page)
        page.locator("#sheet .done").click()
        page.wait_for_function("closings => window.closings > closings", arg=closings)
        expect(page.locator(".tabs [aria-current]")).to_have_text("Now")
    page.go_back()
    expect(page.locator(".tabs [aria-current]")).to_have_text("Cast")
    for left, name in enumerate([TROOPERS["name"], OSKARA["name"]]):
        tab(page, "Cast")
        page.locator(f'[data-person="{name}"] .person-row').click()
        page.locator("#card-more").click()
        page.locator("#sheet .remove-person").click()
        page.locator("#sheet .primary").click()
        expect(page.locator(".person-row")).to_have_count(1 - left)
    page.wait_for_function("() => window.closings === 5")
    assert running.table.state.people == ()


def test_what_is_tapped_in_the_moment_in_which_a_sheet_closes_keeps_the_page(
    opened: Opened, running: RunningTable
) -> None:
    page = opened("gm")
    current = page.locator(".tabs [aria-current]")
    for next_tap, before in (
        ('[data-row="this"]', ("Tonight", "Now")),
        (".tabs button:nth-child(3)", ("Log", "Tonight")),
    ):
        tonight_of("game")(page)
        page.evaluate("taps => taps.forEach((tap) => document.querySelector(tap).click())", ["#sheet .done", next_tap])
        if "row" in next_tap:
            expect(page.locator("#sheet")).to_have_attribute("data-name", "this")
            page.locator("#sheet .done").click()
        for opens in (card, place_by_hand):  # nor is it left by what closes later
            opens(page)
            page.locator("#sheet .done").click()
        page.go_back()
        page.go_back()
        expect(current).to_have_text(before[0])
        page.go_back()
        expect(current).to_have_text(before[1])
        assert page.url.endswith("/gm")


QUICK = """async ([draws, mostMs]) => {
    const wait = (ms) => new Promise((go) => setTimeout(go, ms));
    const choose = (list, draw) => list[Math.floor(draw * list.length)];
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetParent);
    const jumps = [];
    let tab = document.body.dataset.tab;
    for (const [what, which, pause] of draws) {
        const dialog = document.querySelector("dialog[open]");
        const more = dialog && what < 0.4 && dialog.querySelector("#card-more, #add-state");
        if (dialog) (more || dialog.querySelector(".done, .close")).click();
        else if (what < 0.4) choose(shown(".tabs button"), which).click();
        else choose(shown("button.person-row, button[data-row], #fight-by-hand, .tabs button"), which).click();
        const isTapped = !dialog && document.body.dataset.tab !== tab;
        if (isTapped) tab = document.body.dataset.tab;
        if (pause > 0.3) await wait(pause * mostMs);
        if (document.body.dataset.tab !== tab) jumps.push([tab, document.body.dataset.tab]);
        tab = document.body.dataset.tab;
    }
    for (const one of document.querySelectorAll("dialog[open]")) one.close();
    return { jumps, tab };
}"""
"""Taps quickly, and tells where the chosen tab changed without a tap on one, and which is chosen in the end."""
SETTLED = """() => new Promise((go) => setTimeout(() => go([document.body.dataset.tab, history.state.place]), 1000))"""


def test_quick_taps_on_a_slow_phone_never_change_the_tab_by_themselves(opened: Opened, running: RunningTable) -> None:
    page = opened("gm")
    phone = page.context.new_cdp_session(page)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": 8})
    rng = random.Random(5)
    found = page.evaluate(QUICK, [[[rng.random() for _ in range(3)] for _ in range(60)], 80])
    phone.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    assert found["jumps"] == []
    assert page.evaluate(SETTLED) == [found["tab"], found["tab"]]


@pytest.mark.parametrize("path", ["", "gm", "player"])
def test_dice_that_are_being_entered_stay_until_the_table_waits_for_others(
    opened: Opened, running: RunningTable, path: str
) -> None:
    page = opened(path)
    by_hand = "#dice-by-hand" if path == "player" else "#by-hand"
    if path == "gm":
        tab(page, "Tonight")
    page.locator(by_hand).click()
    hand, chosen = page.locator(".hand"), page.locator(".places .place")
    hand.get_by_label("Blue die").click()
    (left_and_back if path == "gm" else reloaded)(page)
    hand.get_by_label("Purple die").click()
    expect(chosen).to_have_count(2)
    if path:
        page.go_back()
    else:
        hand.locator(".close").click()
    expect(hand).to_be_hidden()
    page.locator(by_hand).click()
    expect(hand).to_be_visible()
    expect(chosen).to_have_count(0)  # who closed it begins anew
    hand.get_by_label("Purple die").click()
    running.table.ask(CallRoll(id=new_id(), at=time.time(), who=running.table.state.people[0].id, skill="Mechanics"))
    page.reload()
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#lost")).to_be_hidden()
    expect(hand).to_be_hidden()


def test_back_and_forward_pass_what_was_closed_by_hand_and_back_leaves_what_is_below_a_question(
    opened: Opened, running: RunningTable
) -> None:
    page = opened("gm")
    for name in ("Cast", "Now"):
        tab(page, name)
    current = page.locator(".tabs [aria-current]")
    for ends in (lambda: page.locator("#sheet .done").click(), lambda: page.keyboard.press("Escape")):
        place_by_hand(page)
        ends()
        expect(page.locator("#sheet")).to_be_hidden()
        page.go_back()
        expect(current).to_have_text("Cast")
        page.go_forward()
        expect(current).to_have_text("Now")
        page.go_forward()  # to where the sheet was: nothing is there any more
        expect(current).to_have_text("Now")
        expect(page.locator("#sheet")).to_be_hidden()
        page.go_back()
        expect(current).to_have_text("Cast")
        page.go_forward()
        expect(current).to_have_text("Now")
    assert page.url.endswith("/gm")
    page.evaluate("""async () => {
        const base = document.querySelector('script[type=module]').src;  // the page's own modules, under their hash
        const [layers, sheet] = await Promise.all(
            ['layers.js', 'part/sheet.js'].map((name) => import(new URL(name, base))));
        window.ends = [];
        const whenEnded = (value) => window.ends.push(['picker', value]);
        layers.openLayer(document.getElementById('picker'), { whenEnded });
        sheet.askFirst('Sure?', 'Yes').then((value) => window.ends.push(['question', value]));
    }""")
    page.go_back()
    page.wait_for_function("() => window.ends.length === 1")
    expect(page.locator("#picker")).to_be_visible()
    page.go_back()
    page.wait_for_function("() => window.ends.length === 2")
    assert page.evaluate("window.ends") == [["question", False], ["picker", None]]
    expect(page.locator("dialog[open]")).to_have_count(0)
