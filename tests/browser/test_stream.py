"""Pages of one browser share its stream of events."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tableside.adapters.web.stream import Streams
from tableside.app.running_table import RunningTable
from tableside.table.messages import ChangeDestiny, Do
from tests.browser.conftest import Opens, new_id

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATHS = ["/", "/player", "/overlay", "/player", "/overlay", "/"]
COUNT = "#points .count"
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""

JOIN = """async () => {
    const file = performance.getEntriesByType("resource").find((one) => one.name.endsWith("/stream.js")).name;
    const { listen } = await import(file);
    let first;
    window.firsts ??= [];
    const whenEvent = (name) => { first ??= firsts.push(name); };
    listen("/api/events?parts&as=player", { names: ["state", "part"], whenEvent, whenLink() {} });
}"""
"""Joins the pages of this browser once more, and notes what is heard first."""


@pytest.fixture
def phone(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    yield context
    context.close()


def streams_of(running: RunningTable) -> Streams:
    found = running.application.extensions["tableside_streams"]
    assert isinstance(found, Streams)
    return found


def wait_for_streams(running: RunningTable, page: Page, count: int) -> None:
    """Wait until so many streams are open; a place is given back half a second after its display went."""
    for _ in range(100):
        if streams_of(running).count == count:
            return
        page.wait_for_timeout(100)
    assert streams_of(running).count == count


def set_light(running: RunningTable, light: int) -> None:
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=light))


def test_six_pages_of_one_browser_share_a_stream_and_all_are_answered(
    opens: Opens, running: RunningTable, phone: BrowserContext
) -> None:
    pages = [opens(path, phone=phone) for path in PATHS]
    status = pages[-1].evaluate("fetch('/api/state', {signal: AbortSignal.timeout(4000)}).then(a => a.status)")
    assert status == 200
    set_light(running, 4)
    for path, page in zip(PATHS, pages, strict=True):
        if path == "/player":
            expect(page.locator(COUNT)).to_have_text("4")
    wait_for_streams(running, pages[0], 1)
    for page in pages[1:]:
        page.close()
    set_light(running, 5)
    pages[0].wait_for_function("fetch('/api/state').then(a => a.json()).then(state => state.destiny.light === 5)")
    assert streams_of(running).count == 1


def test_a_page_that_joins_has_the_others_go_on(opens: Opens, running: RunningTable, phone: BrowserContext) -> None:
    first = opens("/player", phone=phone)
    opens("/player", phone=phone).close()
    set_light(running, 6)
    expect(first.locator(COUNT)).to_have_text("6")


def test_who_joins_hears_a_whole_state_first(opens: Opens, running: RunningTable, phone: BrowserContext) -> None:
    """What changes before the stream is opened anew is a part of a state that who joins does not have."""
    page = opens("/player", phone=phone)
    for count in range(1, 6):
        page.evaluate(JOIN)
        set_light(running, count + 2)
        page.wait_for_function("count => firsts.length === count", arg=count)
    assert page.evaluate("firsts") == ["state"] * 5


def test_without_shared_workers_a_page_holds_a_stream_while_it_is_seen(
    opens: Opens, running: RunningTable, phone: BrowserContext
) -> None:
    phone.add_init_script("delete window.SharedWorker")
    page = opens("/player", phone=phone)
    wait_for_streams(running, page, 1)
    page.evaluate(HIDE, True)
    wait_for_streams(running, page, 0)
    set_light(running, 3)
    page.evaluate(HIDE, False)
    expect(page.locator(COUNT)).to_have_text("3")
    wait_for_streams(running, page, 1)


def test_a_worker_that_cannot_start_is_done_without(opens: Opens, running: RunningTable, phone: BrowserContext) -> None:
    phone.add_init_script("const Old = SharedWorker; window.SharedWorker = function (_, options) {"
                          "return new Old('/no-such-worker.js', options); }")  # fmt: skip
    page = phone.new_page()  # the missing file is said on its console
    page.goto(f"{running.address}player")
    set_light(running, 3)
    expect(page.locator(COUNT)).to_have_text("3")
    page.close()
