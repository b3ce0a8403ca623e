"""How the table screen stands and behaves: turned, two-sided, idle, still, quick, light and complete."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tableside.adapters.camera.folder import StillCamera
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.errors import StoreError
from tableside.table import MemoryStore
from tableside.table.kept import HISTORY, keep_trouble, kept_troubles
from tableside.table.messages import (
    ChangeDestiny,
    ChangeInitiative,
    Do,
    ShowTrouble,
    Turn,
    Undo,
)
from tests.browser.conftest import SIZES, Opens, look, new_id, resize, roll, running_table, throw
from tests.browser.test_phones import Paired, tab
from tests.fakes.tray import DrawnReader
from tests.until import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SMALL = {"width": 800, "height": 480}
MOST_BYTES = 450_000
WOKEN = """() => new MutationObserver(() => {
    const headline = document.getElementById("headline");
    const isSeen = !document.body.hasAttribute("data-idle") && headline?.checkVisibility({ visibilityProperty: true });
    window.woken ||= isSeen && headline.textContent.includes("Success");
}).observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true })"""
"""Notes that a dark screen was lit and showed the result, however short."""


@pytest.mark.parametrize(("part", "is_refused"), [("dom.js", True), ("words/en.json", False)])
def test_a_page_that_lost_a_part_of_its_script_loads_anew(
    chromium: Browser, running: RunningTable, part: str, is_refused: bool
) -> None:
    page = chromium.new_page()
    loads: list[int] = []
    page.on("request", lambda asked: loads.append(1) if asked.is_navigation_request() else None)
    page.clock.install()

    def lose(route: Route) -> None:
        if len(loads) > 1:  # whatever asked for it before, also only beforehand, had none
            route.continue_()
        elif is_refused:
            route.abort()

    page.route(f"**/{part}", lose)
    page.goto(running.address)
    while len(loads) < 2:
        page.clock.run_for(1000)
    page.locator("body[data-ready]").wait_for()
    page.close()


@pytest.mark.parametrize("lost", [("api/games", "api/me"), ("success.svg",)])
def test_what_no_state_tells_anew_is_asked_for_until_it_comes(
    chromium: Browser, running: RunningTable, lost: tuple[str, ...]
) -> None:
    """A question fails, and a drawing has no answer at all."""
    page = chromium.new_page()
    asked: Counter[str] = Counter()

    def lose(route: Route) -> None:
        name = next(one for one in lost if one in route.request.url)
        asked[name] += 1
        if asked[name] > 1:
            route.continue_()
        elif name.startswith("api"):
            route.abort()

    for name in lost:
        page.route(f"**/{name}", lose)
    page.goto(running.address)
    page.locator("body[data-ready]").wait_for()
    until(lambda: page.evaluate("1") and all(asked[name] > 1 for name in lost))
    page.close()


def test_a_turned_screen_shows_the_page_turned(opens: Opens, running: RunningTable) -> None:
    roll(running)
    screen = None
    for degrees, sine in ((90, 1), (270, -1)):
        page = opens(f"/?turn={degrees}", phone=screen, viewport=SMALL)
        screen = page.context
        page.frame_locator("iframe").locator("#headline", has_text="Success").wait_for()
        assert page.frames[1].evaluate("[innerWidth, innerHeight]") == [480, 800]
        assert turned(page) == sine
        look(page, f"turned-{degrees}")
        page.close()


def turned(page: Page) -> int:
    """Return the sine of the angle that a page stands at."""
    matrix = page.locator("iframe").evaluate("node => new DOMMatrix(getComputedStyle(node).transform)")
    return round(matrix["b"])


def test_a_flat_screen_is_read_from_both_sides(opens: Opens, running: RunningTable) -> None:
    page = opens("/?mirror=1", viewport=SMALL)
    roll(running, doubtful=True)
    for size in ("table", "laptop"):
        resize(page, SIZES[size])
        for place in (0, 1):
            frame = page.frame_locator("iframe").nth(place)
            frame.locator("#headline", has_text="Which face?").wait_for()
            frame.locator(".choice").nth(1).wait_for()
        look(page, f"mirror-{size}-doubt")
    page.frame_locator("iframe").nth(0).locator(".choice").nth(1).click()  # a tap on the side that is upside down
    page.frame_locator("iframe").nth(1).locator("#doubt").wait_for(state="hidden")
    look(page, "mirror")


def test_turning_and_lying_flat_are_remembered_and_turned_back(opens: Opens) -> None:
    page = opens("/", viewport=SMALL)
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    page.locator("[data-row=turn]").click()
    page.locator("[data-pick='180']").click()
    frame = page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()
    assert page.frames[1].evaluate("[innerWidth, innerHeight]") == [800, 480]
    assert turned(page) == 0
    frame.locator("#menu").click()
    look(page, "menu-turned")
    frame.locator("[data-group=screen]").first.click()
    frame.locator("[data-row=turn]").click()
    frame.locator("[data-pick='0']").click()
    page.locator("#headline").wait_for()
    expect(page.locator("iframe")).to_have_count(0)
    page.locator("body[data-ready]").wait_for()
    page.locator("#menu").click()  # lying flat is chosen, too, and taken back in a half
    page.locator("[data-group=screen]").first.click()
    page.locator("[data-row=turn]").click()
    page.locator("[data-pick=mirror]").click()
    expect(page.locator("iframe")).to_have_count(2)
    half = page.frame_locator("iframe").last
    half.locator("#menu").click()
    half.locator("[data-group=screen]").first.click()
    expect(half.locator("[data-row=turn]")).to_contain_text("two halves")
    half.locator("[data-row=turn]").click()
    half.locator("[data-pick='0']").click()
    expect(page.locator("iframe")).to_have_count(0)


def test_an_unused_screen_goes_dark_and_a_roll_wakes_it(opens: Opens, running: RunningTable) -> None:
    page = opens("/?idle=1", viewport=SMALL)
    line = page.locator("#idle p", has_text="2 light, 1 dark")
    line.wait_for()
    look(page, "idle")
    before = line.evaluate("node => node.style.cssText")
    page.wait_for_function("before => document.querySelector('#idle p')?.style.cssText !== before", arg=before)
    page.evaluate(WOKEN)
    roll(running)
    page.wait_for_function("() => window.woken")  # it is dark again a second later


def test_what_stays_until_it_is_seen_goes_by_one_tap_each(opens: Opens, paired: Paired, running: RunningTable) -> None:
    running._data.mkdir(exist_ok=True)
    for what in ("the history was damaged", "the list of phones was damaged"):
        keep_trouble(running._data, StoreError(what, where="table.sqlite", hint="Look at it."), part=HISTORY, at=1.0)
    for one in kept_troubles(running._data):
        running.table.ask(ShowTrouble.of(one, part=one.part, at=one.since, trouble_id=one.id))
    throw(running, ("ability", ("success",)))
    page = opens("/", viewport=SMALL)
    page.locator("#trouble", has_text="History: the history was damaged").click()
    expect(page.locator("#sheet .seen")).to_have_count(2)
    look(page, "trouble-seen")
    page.locator("#sheet .seen").first.click()
    expect(page.locator("#sheet li")).to_have_count(1)
    expect(page.locator("#sheet li")).to_contain_text("the list of phones was damaged")
    player = opens("/player", phone=paired("player", "Vex"))
    expect(player.locator(".seen")).to_have_count(0)
    master = opens("/gm", phone=paired("gm", "Gim"))
    tab(master, "Tonight")
    master.locator('[data-row="trouble"]', has_text="the list of phones was damaged").click()
    look(master, "trouble-seen-gm")
    master.locator("#sheet .seen").click()
    expect(master.locator('[data-row="trouble"]')).to_have_count(0)
    expect(page.locator("#trouble")).to_have_count(0)
    assert kept_troubles(running._data) == ()


def test_a_table_that_was_restarted_is_found_again(chromium: Browser, tmp_path: Path) -> None:
    running = running_table(tmp_path)
    page = chromium.new_page(viewport=SMALL)
    page.goto(running.address)
    page.locator("body[data-ready]").wait_for()
    port = int(running.address.rsplit(":", 1)[1].strip("/"))
    roll(running)
    page.locator("#headline", has_text="Success").wait_for()
    assert page.locator("#lost").count() == 0
    running.close()
    page.locator("#lost", has_text=re.compile(r"^No connection since \d{1,2}:\d\d")).wait_for()
    expect(page.locator("#headline", has_text="Success")).to_be_visible()  # nothing is covered
    look(page, "table-lost")
    settings = Settings(
        table=TableSettings(data=tmp_path / "again"), web=WebSettings(port=port), pins=PinSettings(factory="none")
    )
    again = RunningTable(
        settings, store=MemoryStore(), reader=DrawnReader(), camera=StillCamera(tmp_path / "empty.png")
    )
    again.start()
    try:
        again.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=6))
        page.locator(".pool-words", has_text="6 light").wait_for()
        assert page.locator("#lost").count() == 0
    finally:
        page.close()
        again.close()


def test_a_german_page_is_light_asks_nobody_else_and_leaves_room_beside_a_trouble(
    chromium: Browser, running: RunningTable
) -> None:
    """It is the heavier one: its words are the longer ones, and come beside the English ones."""
    roll(running)
    page = chromium.new_page(viewport=SMALL)
    done: list[Request] = []
    page.on("requestfinished", lambda request: done.append(request))
    page.goto(f"{running.address}?lang=de")
    page.locator("#net .glyph").first.wait_for()
    page.wait_for_load_state("load")
    # what is live, and the photograph of the tray, is no weight of the page
    of_page = [one for one in done if "/api/events" not in one.url and "/picture" not in one.url]
    files = {one.url: one.sizes()["responseBodySize"] for one in of_page}  # as it came over the network
    assert any("/symbols/" in url for url in files)
    assert all(url.startswith(running.address) for url in files)
    assert 0 < sum(files.values()) <= MOST_BYTES, files
    print(f"page weight of /: {sum(files.values())} bytes in {len(files)} files")
    page.locator("#by-hand", has_text="Von Hand").wait_for()
    page.locator("#headline", has_text="Erfolg").wait_for()
    page.locator("#net", has_text="Triumph").wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    look(page, "screen-german")
    running.table.ask(Undo(id=new_id(), at=1.0))
    for who in ("Mara", "Oskara"):
        running.table.ask(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, who=who, rank=(3, 1)))
    running.table.ask(
        ShowTrouble(at=1.0, part="camera", what="is not plugged in", where="USB camera 0", hint="Plug it in.")
    )
    page.locator("#trouble").wait_for()
    page.locator(".who-what", has_text="Zug 1").wait_for()
    page.evaluate("document.fonts.ready")
    words = "nodes => nodes.map((node) => [node.innerText, node.scrollHeight - node.clientHeight < 9])"
    assert page.locator(".who-what, .who .right:not(.trouble)").evaluate_all(words) == [
        ["Runde 1 Zug 1 von 2", True],
        ["Weiter: Oskara", True],
    ]
    look(page, "trouble-head")
    page.close()


def test_a_screen_that_may_only_look_offers_nothing_to_change(chromium: Browser, running: RunningTable) -> None:
    page = chromium.new_page(viewport=SMALL)
    page.route("**/api/me*", lambda route: route.fulfill(json={"role": "viewer", "name": "", "gm": False}))
    page.goto(running.address)
    page.locator("body[data-viewer]").wait_for()
    expect(page.locator("#menu")).to_be_visible()
    expect(page.locator("#by-hand")).not_to_be_visible()
    expect(page.locator("#undo")).not_to_be_visible()
    page.close()
