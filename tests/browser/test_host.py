"""The host of a new table: three steps that tick themselves off, and the first throw ends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from tableside.adapters.web.pairing import qr_rows
from tableside.app.running_table import RunningTable
from tableside.table.messages import ChangeDestiny, ChooseGame, Do
from tests.browser.conftest import LANGUAGES, SIZES, Opens, new_id, throw
from tests.browser.test_accessible import faults
from tests.browser.test_forms import PIN, URL, laid_out
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MARA = {"id": "1", "name": "Mara", "role": "gm", "person": ""}
JON = {"id": "2", "name": "Jon", "role": "player", "person": ""}


class Told:
    """What the table would say of phones and of its camera."""

    def __init__(self) -> None:
        self.phones: list[dict[str, str]] = []
        self.is_reachable = True
        self.is_tray_found = False
        self.kept: list[list[float]] | None = None

    def route(self, page: Page) -> None:
        page.route("**/api/pairing*", self._pairing)
        page.route("**/api/setup", self._setup)

    def _pairing(self, route: Route) -> None:
        qr = qr_rows(f"{URL}#{PIN}") if self.is_reachable else None
        told = {"pin": PIN, "role": "any", "seconds": 120, "url": URL if qr else None, "qr": qr,
                "reachable": self.is_reachable, "paired": [], "phones": self.phones}  # fmt: skip
        route.fulfill(body=json.dumps(told), content_type="application/json")

    def _setup(self, route: Route) -> None:
        if route.request.method == "POST":
            self.kept = route.request.post_data_json["corners"]
        corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]] if self.is_tray_found else None
        made = self.kept and {"corners": self.kept}
        meters = {"sharpness": 9, "level": 120, "bright": 0, "dark": 0, "advice": ""}
        told = {
            "camera": "USB camera 0",
            "found": corners,
            "made": made,
            "card": None,
            "meters": meters,
        }
        route.fulfill(body=json.dumps(told), content_type="application/json")


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def new(opens: Opens, running: RunningTable, told: Told) -> Any:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=0, dark=0))

    def open_new(size: str = "table", lang: str = "en") -> Page:
        width, height = SIZES[size]
        page = opens("/pair", viewport={"width": width, "height": height}, reduced_motion="reduce")
        told.route(page)
        page.goto(f"{running.address}?lang={lang}")
        page.locator('#stage[data-kind="host"]').wait_for()
        return page

    return open_new


def step(page: Page, name: str) -> Any:
    return page.locator(f'[data-step="{name}"]')


def test_the_steps_tick_themselves_off_and_two_taps_bring_everybody_in(
    new: Any, told: Told, running: RunningTable
) -> None:
    """Done, and all four: then the first call is who, what, and the button."""
    page = new()
    expect(step(page, "camera")).to_contain_text("No tray is found yet")
    told.is_tray_found = True
    expect(step(page, "camera")).to_have_attribute("data-done", "")
    told.phones = [MARA, JON]
    expect(step(page, "phones")).to_contain_text("2 are in")
    page.locator("#phones-done").click()
    expect(step(page, "phones")).to_contain_text("Mara, Jon")
    page.locator(".bring-short").click()
    wait_for(running.table, lambda state: len(state.people) == 4)
    page.locator('#stage[data-kind="waiting"]').wait_for()  # all three are done
    assert faults(page) == []


def test_a_hero_goes_in_and_out_at_a_tap(new: Any, running: RunningTable) -> None:
    page = new("laptop")
    for name in ("camera", "phones"):
        page.locator(f'[data-skip="{name}"]').click()
    vex = page.locator('.ready-hero[data-who="Vex"]')
    expect(vex).to_have_attribute("aria-pressed", "false")
    page.evaluate("window.kept = true")
    vex.click()
    wait_for(running.table, lambda state: [one.name for one in state.people] == ["Vex"])


def test_the_first_throw_ends_it_and_the_menu_brings_it_back(new: Any, running: RunningTable) -> None:
    page = new()
    throw(running, ("ability", ("success",)))
    page.locator("#headline", has_text="Success").wait_for()
    page.reload()
    page.locator("#headline", has_text="Success").wait_for()  # it does not come by itself again


def test_the_pool_is_thrown_with_a_tap_on_the_bar(new: Any, running: RunningTable) -> None:
    page = new()
    page.locator("#throw-pool").click()
    asked = wait_for(running.table, lambda state: bool(state.asked.id)).asked
    assert asked.answers["players"] == 4
    page.locator('#stage[data-kind="asked"]').wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", ["table", "laptop", "television", "tall"])
def test_every_step_is_laid_out_well(new: Any, told: Told, size: str, lang: str) -> None:
    page = new(size, lang)
    page.locator(".host-code").wait_for()
    laid_out(page, f"host-1-{lang}")
    page.locator('[data-skip="camera"]').click()
    told.phones = [MARA, JON]
    page.locator("#phones-done").wait_for()
    laid_out(page, f"host-2-{lang}")
    page.locator("#phones-done").click()
    page.locator(".ready-row").wait_for()
    laid_out(page, f"host-3-{lang}")
    assert faults(page) == []


def test_a_table_that_nobody_reaches_lets_phones_in(new: Any, told: Told) -> None:
    told.is_reachable = False
    page = new()
    laid_out(page, "host-alone")
    with page.expect_request("**/api/pairing/open"):
        page.locator("#let-in").click()


def _is_kept(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/api/setup")


def test_a_corner_of_the_tray_is_dragged_where_it_is_seen(new: Any, told: Told) -> None:
    told.is_tray_found = True
    page = new("laptop")
    corner = page.locator(".corners-over circle").nth(2)
    corner.wait_for()
    expect(page.locator(".host-tray")).to_contain_text("Live")
    at = corner.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    page.mouse.move(at["x"] - 60, at["y"] - 40, steps=3)
    with page.expect_response(_is_kept):
        page.mouse.up()
    assert told.kept is not None
    x, y = told.kept[2]
    assert x < 0.85
    assert y < 0.88
    assert told.kept[0] == [0.1, 0.1]
    with page.expect_response(_is_kept):  # and by keys
        corner.press("ArrowLeft")
    assert told.kept[2][0] == pytest.approx(x - 0.01)


def test_games_that_come_late_are_in_the_sheet_that_waits_for_them(opens: Opens, running: RunningTable) -> None:
    page = opens("/", viewport={"width": 800, "height": 480})
    held: list[Route] = []
    page.route("**/api/games", lambda route: held.append(route))
    page.reload()
    page.locator("#host-game").click()
    games = page.locator("#sheet .game-list button")
    expect(games).to_have_count(1)  # "Automatic"
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    expect(games).to_have_count(5)
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))  # chosen elsewhere meanwhile
    expect(page.locator('#sheet .game-list [aria-pressed="true"]')).to_have_attribute("data-game", "heroic")
    page.locator('#sheet [data-game="narrative"]').click()
    expect(page.locator("#sheet")).not_to_be_visible()
    assert running.table.state.setup.game == "narrative"


def test_an_evening_that_ended_is_a_host_again_until_the_next_throw(opens: Opens, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page = opens("/", viewport={"width": 800, "height": 480})
    for number in (0, 1):
        throw(running, ("ability", ("success",)))
        expect(page.locator("#stage")).to_have_attribute("data-kind", "result")
        assert running.table.state.session.number == number
        page.locator("#menu").click()
        page.locator("#end-session").click()
        page.locator("#sheet .primary").click()
        expect(page.locator("#stage")).to_have_attribute("data-kind", "host")
        expect(page.locator(".host-who")).to_contain_text("New evening")
    page.reload()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "host")
    page.locator("#undo").click()
    page.locator("#sheet .primary").click()  # it asks, as it takes back an evening's end
    expect(page.locator("#stage")).to_have_attribute("data-kind", "result")


def test_ones_own_hero_is_made_on_this_screen_which_is_the_table_again_at_a_tap(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page = opens("/", viewport={"width": 1280, "height": 800})
    for name in ("camera", "phones"):
        page.locator(f'[data-skip="{name}"]').click()
    page.locator("#make-own").click()
    page.wait_for_url("**/gm")
    page.locator("#person-name").fill("Nerys")
    page.locator("#person-done").click()
    wait_for(running.table, lambda state: [one.name for one in state.people] == ["Nerys"])
    for tab in range(5):  # the way back to the table is on each
        page.locator(".tabs button").nth(tab).click()
        expect(page.locator("#to-screen")).to_be_visible()
    page.reload()
    page.locator("#to-screen").click()
    expect(page.locator(".hero, .host-step, #host-game").first).to_be_visible()
    other = opens("/player", phone=paired("player", "Mara"))  # a phone was never the table's screen
    expect(other.locator("#undo")).to_be_visible()
    expect(other.locator("#to-screen")).to_have_count(0)
