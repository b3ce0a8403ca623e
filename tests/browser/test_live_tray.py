"""The tray as it is now, and what the screen shows while dice move and while the table is away."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tableside.app.running_table import RunningTable
from tableside.dice import Die
from tableside.table.kept import Phase
from tableside.table.messages import CallRoll, EnterRoll, ShowPhase
from tests.browser.conftest import look, new_id, roll
from tests.fakes.tray import FELT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MIDDLE = "node => [...node.getContext('2d').getImageData(node.width / 2, node.height / 2, 1, 1).data]"


def test_a_waiting_screen_shows_the_tray_as_it_is(page: Page, running: RunningTable) -> None:
    live = page.locator("#live[data-shown]")
    live.wait_for()
    assert live.evaluate("node => [node.width, node.height]") == [640, 480]
    assert all(abs(part - FELT) < 4 for part in live.evaluate(MIDDLE)[:3])
    look(page, "live-tray")


SHOWN = "isHidden => { Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });\
 document.dispatchEvent(new Event('visibilitychange')); }"


def asked_within(page: Page, seconds: float) -> int:
    """Return how many pictures of the tray the page asks for in that time."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/tray/" in request.url:
            asked.append(request.url)

    page.on("request", note)
    page.clock.run_for(1000 * seconds)
    page.evaluate("() => fetch('/icon.svg')")  # what was asked for before it is known by now
    page.remove_listener("request", note)
    return len(asked)


def test_pictures_are_asked_for_only_while_the_page_is_seen_and_shows_no_roll(
    page: Page, running: RunningTable
) -> None:
    page.locator("#live[data-shown]").wait_for()
    page.clock.install()
    page.reload()
    page.locator("#live[data-shown]").wait_for()
    page.clock.pause_at(time.time() + 60)
    while not asked_within(page, 0.5):  # the one before may still be on its way
        pass
    assert asked_within(page, 5) <= 10
    page.evaluate(SHOWN, True)
    asked_within(page, 0.5)
    assert asked_within(page, 5) == 0
    page.evaluate(SHOWN, False)
    while not asked_within(page, 0.5):  # a picture that was on its way all the time is drawn first
        pass
    page.clock.resume()
    roll(running)
    page.locator(".picture image").wait_for()
    expect(page.locator("#live")).to_have_count(0)
    page.clock.pause_at(time.time() + 120)
    asked_within(page, 0.5)
    assert asked_within(page, 5) == 0


def test_what_is_hidden_is_not_shown(page: Page, running: RunningTable) -> None:
    page.locator("#live[data-shown]").wait_for()
    running.table.ask(CallRoll(id=new_id(), at=1.0, ask={}, player="Gim", is_hidden=True))
    page.locator("#live:not([data-shown])").wait_for()
    assert page.locator("#live").evaluate(MIDDLE) == [0, 0, 0, 0]


def test_while_dice_move_the_headline_says_so_and_the_roll_comes_back_where_nothing_else_came(
    page: Page, running: RunningTable
) -> None:
    roll(running)
    headline = page.locator("#headline")
    expect(headline).to_have_text("Success")
    for _ in range(2):  # a hand takes the dice up, twice
        running.table.ask(ShowPhase(at=time.time(), phase=Phase.MOVING))
        expect(headline).to_have_text("Rolling")
        running.table.ask(ShowPhase(at=time.time(), phase=Phase.STILL))
        expect(headline).to_have_text("Success")


def test_nothing_can_be_pressed_while_the_table_is_away(chromium: Browser, running: RunningTable) -> None:
    page = chromium.new_page(viewport={"width": 800, "height": 480})
    page.goto(running.address)
    dice = (Die(type="ability", face=("success",)), Die(type="boost", face=("advantage",)))
    running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice))
    roll(running, doubtful=True)
    page.locator(".choice").nth(1).wait_for()
    page.locator(".past-roll").wait_for()
    running.close()
    page.locator("#lost").wait_for()
    for button in page.locator("fieldset button, #undo, #by-hand, #destiny button").all():
        expect(button).to_be_disabled()
    assert page.locator("fieldset button").count() >= 4
    expect(page.locator("#menu")).to_be_enabled()
    page.locator(".outline[data-question]").dispatch_event("click")
    expect(page.locator("dialog[open]")).to_have_count(0)
    look(page, "table-lost-doubt")
    page.close()
