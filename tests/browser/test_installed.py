"""A page as an app: what installs it, a screen that stays on, and a page of ours while the table restarts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore
from tableside.table.messages import EndSession, StartSession
from tests.browser.conftest import QUIET, Opens, new_id, roll
from tests.conftest import CHROMIUM
from tests.fakes.tray import DrawnReader

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LOCKS = """() => {
    window.locks = [];
    navigator.wakeLock.request = async () => {
        const lock = new EventTarget();
        lock.release = async () => {
            window.locks = window.locks.filter((one) => one !== lock);
            lock.dispatchEvent(new Event('release'));
        };
        window.locks.push(lock);
        return lock;
    };
}"""


@pytest.mark.parametrize("path", ["/", "/player"])
def test_a_page_says_what_installs_it_and_begins_where_it_was(opens: Opens, path: str) -> None:
    page = opens(path)
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = page.evaluate("async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
    assert manifest["start_url"] == path
    sizes = page.evaluate(
        """async (icons) => Promise.all(icons.map(async (icon) => {
            const image = new Image();
            image.src = icon.src;
            await image.decode();
            return `${image.naturalWidth}x${image.naturalHeight}`;
        }))""",
        manifest["icons"],
    )
    assert sizes == [one["sizes"] for one in manifest["icons"]] == ["192x192", "512x512", "512x512"]
    assert page.locator("meta[name=theme-color]").count() == 2


def locks(page: Page) -> int:
    return int(page.evaluate("window.locks.length"))


def test_the_screen_stays_on_while_a_session_runs_and_no_longer(
    opens: Opens, running: RunningTable, paired: Callable[[str, str], BrowserContext]
) -> None:
    for page in (opens("/"), opens("/player", phone=paired("player", "Vex"))):
        page.evaluate(LOCKS)
        running.table.ask(StartSession(id=new_id(), at=1.0))
        page.wait_for_function("() => window.locks.length === 1")
        roll(running)
        roll(running)
        assert locks(page) == 1
        page.evaluate("window.locks[0].release()")  # as where the page was hidden
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("() => window.locks.length === 1")
        running.table.ask(EndSession(id=new_id(), at=2.0))
        page.wait_for_function("() => window.locks.length === 0")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        assert locks(page) == 0


def test_a_page_by_https_is_ours_while_the_table_restarts(browsers: BrowserType, tmp_path: Path) -> None:
    def table(ports: tuple[int, int] = (0, 0)) -> RunningTable:
        web = WebSettings(host="127.0.0.1", port=ports[0], tls="own", tls_port=ports[1])
        settings = Settings(table=TableSettings(data=tmp_path), pins=PinSettings(factory="none"), web=web)
        made = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=None)
        made.start()
        return made

    running = table()
    web = running._pages._web
    assert web is not None
    ports = web.port, web.secure_port or 0
    program = shutil.which("chromium") or CHROMIUM
    browser = browsers.launch(executable_path=program, args=[*QUIET, "--ignore-certificate-errors"])
    try:
        with browser.new_context(ignore_https_errors=True) as context:
            page = context.new_page()
            page.goto(f"https://127.0.0.1:{ports[1]}/player")
            page.locator("body[data-ready]").wait_for()
            page.evaluate("navigator.serviceWorker.ready")
            page.reload()
            page.locator("body[data-ready]").wait_for()
            running.close()
            page.reload()
            expect(page.locator("body[data-page=player]")).to_be_attached()
            page.wait_for_function("() => document.documentElement.hasAttribute('data-began')")
            running = table(ports)
            page.locator("body[data-ready]").wait_for()
    finally:
        browser.close()
        running.close()
