"""The host of a new table: three steps, which the table says, and the first throw ends it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from tableside import paths
from tableside.adapters.web.pairing import qr_rows
from tableside.app.running_table import RunningTable
from tableside.table.kept import Phase
from tableside.table.messages import CallRoll, ChangeDestiny, ChooseGame, Do, ShowPhase
from tests.browser.conftest import LANGUAGES, SIZES, Opens, new_id, resize, throw
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
        page.route("**/api/pairing**", self._pairing)
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
        page = opens("/words/en.json", waits=False, reduced_motion="reduce")
        resize(page, SIZES[size])
        told.route(page)
        page.goto(f"{running.address}?lang={lang}")
        page.locator('#stage[data-kind="host"]').wait_for()
        return page

    return open_new


def on_to(page: Page, act: str) -> None:
    """Tap what the now says, until it says this act."""
    while (shown := page.locator(".left [data-act]")).get_attribute("data-act") != act:
        before = shown.get_attribute("data-act")
        shown.click()
        page.locator(f'.left [data-act]:not([data-act="{before}"])').wait_for()


def test_a_new_table_asks_which_dice_who_plays_and_for_phones(opens: Opens, told: Told, running: RunningTable) -> None:
    """Four taps. Undo goes back a step, a reload keeps it, and a second screen is where the first one is."""
    page, other = (opens("/words/en.json", waits=False, viewport={"width": 800, "height": 480}) for _ in range(2))
    for one in (page, other):
        told.route(one)
        one.goto(running.address)
        expect(one.locator("#headline")).to_have_text("Which dice?")
        expect(one.locator(".box-card")).to_have_count(4)
        expect(one.locator(".pin")).to_contain_text(PIN[:3])
        assert "Narrative" not in one.locator("#stage").inner_text()  # no rule's name
    page.locator('.box-card[data-game="narrative"]').click()
    for one in (page, other):
        expect(one.locator("#headline")).to_have_text("Who plays?")
    page.locator("#undo").click()
    page.locator("#sheet .primary").click()  # it asks, as it takes back the game
    expect(other.locator("#headline")).to_have_text("Which dice?")
    page.locator('.box-card[data-game="d6-wild"]').click()
    page.locator('.ready-hero[data-who="Pell"]').click()
    wait_for(running.table, lambda state: len(state.people) == 1)
    page.locator("#host-game").click()  # others are in the box
    expect(page.locator("#headline")).to_have_text("Which dice?")
    page.locator('.box-card[data-game="narrative"]').click()
    expect(page.locator('.ready-hero[aria-pressed="true"]')).to_have_text(re.compile("Pell"))  # in Oskara's place
    page.locator('[data-act="bring_in"]', has_text="3 heroes").click()
    wait_for(running.table, lambda state: len(state.people) == 4)
    page.reload()
    page.locator('[data-act="phones"]').click()
    told.phones = [MARA, JON]
    for one in (page, other):
        expect(one.locator(".host-phones")).to_contain_text("Mara")
    assert faults(page) == []
    page.locator("#undo").click()
    page.locator('[data-act="phones"]').click()
    page.locator('[data-act="begin"]').click()
    for one in (page, other):
        expect(one.locator("#stage")).to_have_attribute("data-kind", "waiting")


def test_what_is_in_the_box_is_whole_in_every_language_and_dice_that_nobody_knows_are_just_read(
    opens: Opens, running: RunningTable
) -> None:
    page = opens("/words/en.json", waits=False, viewport={"width": 800, "height": 480})
    for lang in sorted(path.stem for path in (paths.web_folder() / "words").iterdir()):
        page.goto(f"{running.address}?lang={lang}")
        page.locator(".box-card").first.wait_for()
        words = page.locator(".box-card > :is(b, small)")
        cut = words.evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        )
        assert cut == [], lang
    expect(page.locator("#other-dice")).to_have_attribute("href", "/setup/dice")
    page.locator('[data-also="just_read"]').click()
    expect(page.locator('[data-act="begin"]')).to_be_visible()  # no heroes, as no game is known
    assert running.table.state.setup.game == ""


def test_a_hero_goes_in_and_out_and_undo_takes_back_that_a_throw_ended_it(new: Any, running: RunningTable) -> None:
    page = new("laptop")
    vex = page.locator('.ready-hero[data-who="Vex"]')
    expect(vex).to_have_attribute("aria-pressed", "false")
    vex.click()
    wait_for(running.table, lambda state: [one.name for one in state.people] == ["Vex"])
    expect(page.locator('[data-act="bring_in"]')).to_have_text("Bring in 3 heroes")
    vex.click()
    wait_for(running.table, lambda state: not state.people)
    page.locator('[data-also="phones"]').click()
    page.locator('[data-act="begin"]').wait_for()
    throw(running, ("ability", ("success",)))
    page.locator("#headline", has_text="Success").wait_for()
    page.reload()
    page.locator("#headline", has_text="Success").wait_for()  # it does not come by itself again
    page.locator("#undo").click()
    page.locator('[data-act="begin"]').wait_for()


def test_the_pool_is_called_by_its_bar_stopped_it_leads_back_and_without_a_camera_it_ends_all_the_same(
    new: Any, told: Told, running: RunningTable
) -> None:
    told.is_reachable = False  # a table that nobody reaches lets phones in
    page = new()
    laid_out(page, "host-alone")
    with page.expect_request("**/api/pairing/open"):
        page.locator("#let-in").click()
    on_to(page, "begin")
    page.locator("#throw-pool").click()
    page.locator('#stage[data-kind="asked"]').wait_for()
    assert running.table.state.asked.answers["players"] == 4
    running.table.ask(CallRoll(id=new_id(), at=2.0))
    page.locator('[data-act="begin"]').wait_for()
    expect(page.locator(".host-tray")).to_have_count(1)
    running.table.ask(ShowPhase(at=1.0, phase=Phase.NO_CAMERA))
    expect(page.locator(".host-tray")).to_have_count(0)
    page.locator('[data-act="begin"]').click()
    page.locator('#stage[data-kind="waiting"]').wait_for()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_step_is_laid_out_well(new: Any, told: Told, running: RunningTable, lang: str) -> None:
    page = new("table", lang)

    def look(name: str) -> None:
        for size in ("table", "laptop", "television", "tall"):
            resize(page, SIZES[size])
            laid_out(page, f"{name}-{lang}")

    page.locator(".host-code").wait_for()
    look("host-2")
    page.locator("#host-game").click()
    page.locator(".box-card").first.wait_for()
    look("host-1")
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page.locator(".ready-row").wait_for()
    told.phones = [MARA, JON]
    on_to(page, "begin")
    page.locator(".host-phones", has_text="Mara").wait_for()
    look("host-3")
    assert faults(page) == []


def _is_kept(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/api/setup")


def test_a_corner_of_the_tray_is_dragged_where_it_is_seen(new: Any, told: Told) -> None:
    told.is_tray_found = True
    page = new("laptop")
    corner = page.locator(".corners-over circle").nth(2)
    corner.wait_for()
    expect(page.locator(".host-tray")).to_contain_text("Tray found")
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
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    page = opens("/words/en.json", waits=False, viewport={"width": 800, "height": 480})
    held: list[Route] = []
    page.route("**/api/games", lambda route: held.append(route))
    page.goto(running.address)
    page.locator("#menu").click()
    page.locator("#sheet, .menu").locator("button", has_text="Change").first.click()
    games = page.locator("#sheet .box-cards button")
    expect(games).to_have_count(1)  # that the dice choose
    while not held:
        page.wait_for_timeout(20)
    page.unroute("**/api/games")  # what is held goes on, and where the page gave up waiting it asks again
    expect(games).to_have_count(5)
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="heroic"))  # chosen elsewhere meanwhile
    expect(page.locator('#sheet .box-cards [aria-pressed="true"]')).to_have_attribute("data-game", "heroic")
    page.locator('#sheet [data-game="narrative"]').click()
    expect(page.locator("#sheet")).not_to_be_visible()
    wait_for(running.table, lambda state: state.setup.game == "narrative")


def test_an_evening_that_ended_says_so_until_the_next_begins(opens: Opens, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page = opens("/", viewport={"width": 800, "height": 480})
    for number in (0, 1):
        throw(running, ("ability", ("success",)))
        expect(page.locator("#stage")).to_have_attribute("data-kind", "result")
        assert running.table.state.session.number == number
        page.locator("#menu").click()
        page.locator("#end-session").click()
        page.locator("#sheet .primary").click()
        expect(page.locator("#stage")).to_have_attribute("data-kind", "over")
        expect(page.locator("#headline")).to_have_text("That was tonight")
    page.reload()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "over")
    page.locator("#undo").click()
    page.locator("#sheet .primary").click()  # it asks, as it takes back an evening's end
    expect(page.locator("#stage")).to_have_attribute("data-kind", "result")
    page.locator("#menu").click()
    page.locator("#end-session").click()
    page.locator("#sheet .primary").click()
    page.locator('[data-act="begin_session"]').click()
    expect(page.locator("#stage")).to_have_attribute("data-kind", "waiting")


def test_ones_own_hero_is_made_on_this_screen_which_is_the_table_again_at_a_tap(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable
) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    page = opens("/", viewport={"width": 1280, "height": 800})
    page.locator("#make-own").click()
    page.wait_for_url("**/gm")
    page.locator("#person-name").fill("Nerys")
    page.locator("#person-done").click()
    wait_for(running.table, lambda state: [one.name for one in state.people] == ["Nerys"])
    for tab in range(4):  # the way back to the table is on each
        page.locator(".tabs button").nth(tab).click()
        expect(page.locator("#to-screen")).to_be_visible()
    page.reload()
    page.locator("#to-screen").click()
    expect(page.locator(".ready-hero, #host-game").first).to_be_visible()
    other = opens("/player", phone=paired("player", "Mara"))  # a phone was never the table's screen
    expect(other.locator("#to-log")).to_be_visible()
    expect(other.locator("#to-screen")).to_have_count(0)
