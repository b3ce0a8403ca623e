"""The pages in the oldest browsers that the guide names: today's, without what those lack. No real one is at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tableside.app.running_table import RunningTable
from tests.browser.conftest import Opens, throw
from tests.browser.test_turn import ADVANTAGES, call, oskara  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LACKING_CSS = (
    r"light-dark\(|color-mix\(|:has\(|text-wrap\s*:|(?<=\d)lh\b|(?<!-)\bmask\s*:|@starting-style|@scope|@layer"
)
"""What Safari 16.4, Chrome 109 or Firefox ESR 115 does not know, each by itself."""
LACKING_JS = """
    for (const [owner, names] of [
        [Map, ["groupBy"]],
        [Object, ["groupBy"]],
        [Promise, ["withResolvers", "try"]],
        [Array, ["fromAsync"]],
        [Array.prototype, ["toSorted", "toSpliced", "toReversed", "with"]],
        [Set.prototype, ["union", "intersection", "difference", "isSubsetOf", "isSupersetOf", "isDisjointFrom"]],
        [URL, ["canParse", "parse"]],
        [AbortSignal, ["any"]],
        [HTMLElement.prototype, ["showPopover", "hidePopover", "togglePopover", "popover"]],
        [Document.prototype, ["startViewTransition"]],
        [Navigator.prototype, ["wakeLock", "getBattery", "vibrate"]],
        [Window.prototype, ["navigation", "requestIdleCallback", "Iterator", "scheduler"]],
        [window, ["navigation", "requestIdleCallback", "Iterator", "scheduler"]],
    ])
        for (const name of names) delete owner[name];"""
OLD_SIZE = {"width": 800, "height": 480}
PAGES = ["/", "/pair", "/overlay", "/hall", "/lookup", "/help", "/setup", "/setup/dice"]
COLOURS = """() => ['body', 'h1', 'button', 'p:not(.too-old)']
    .map((one) => document.querySelector(`${one}:not(.hidden)`)).filter(Boolean)
    .map((node) => ['color', 'backgroundColor', 'borderTopColor'].map((name) => getComputedStyle(node)[name]).join())"""


def without(route: Route) -> None:
    """Answer with a style sheet in which what old browsers lack is unknown."""
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub(LACKING_CSS, lambda found: "unknown-" + found[0], answer.text()))


@contextmanager
def old_browser(chromium: Browser, **options: Any) -> Iterator[BrowserContext]:
    with chromium.new_context(viewport=OLD_SIZE, reduced_motion="reduce", **options) as context:
        context.route(re.compile(r"\.css(\?.*)?$"), without)
        context.add_init_script(LACKING_JS)
        yield context


@pytest.fixture
def old(chromium: Browser) -> Iterator[BrowserContext]:
    with old_browser(chromium) as context:
        yield context


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_has_its_colours(
    opens: Opens, chromium: Browser, paired: Callable[[str, str], BrowserContext], theme: Any
) -> None:
    def colours(path: str, phone: BrowserContext) -> list[str]:
        page = opens(path, phone=phone)
        page.locator("body[data-ready]").wait_for()
        expect(page.locator(".too-old")).to_be_hidden()
        found: list[str] = page.evaluate(COLOURS)
        page.close()
        return found

    cookies: dict[str, Any] = {"": [], **{role: paired(role, role).cookies() for role in ("gm", "player")}}
    for path, role in (*((path, "") for path in PAGES), ("/gm", "gm"), ("/player", "player"), ("/camera", "player")):
        with (
            old_browser(chromium, color_scheme=theme) as old,
            chromium.new_context(viewport=OLD_SIZE, color_scheme=theme, reduced_motion="reduce") as new,
        ):
            for phone in (old, new):
                phone.add_cookies(cookies[role])
            assert colours(path, old) == colours(path, new), path


def test_a_spend_is_bought_on_a_sheet_that_hides_what_is_below(
    opens: Opens,
    running: RunningTable,
    old: BrowserContext,
    oskara: str,  # noqa: F811
) -> None:
    call(running, oskara, skill="Mechanics", ask={"difficulty": "easy"})
    throw(running, *ADVANTAGES)
    page = opens("/", phone=old)
    page.locator("#spends").click()
    sheet = page.locator("#sheet")
    assert sheet.evaluate("node => getComputedStyle(node).backgroundColor").startswith("rgb(")  # with alpha it is rgba
    page.locator('#sheet .spend[data-spend="notice_point"]').click()
    expect(page.locator('.spend[data-spend="notice_point"] .bought').first).to_be_visible()
    bought = page.locator(".spend[data-bought]").first
    assert bought.evaluate("node => getComputedStyle(node).backgroundColor").startswith("rgb(")


def test_an_error_is_told_above_an_open_sheet(opens: Opens, running: RunningTable, old: BrowserContext) -> None:
    page = opens("/", phone=old)
    assert page.evaluate("'groupBy' in Map || 'popover' in document.body") is False
    page.locator("#menu").click()
    page.locator("dialog[open]").wait_for()
    page.evaluate("import('/toast.js').then(({ showError }) => showError({ what: 'too late', hint: 'Try again.' }))")
    toast = page.locator("#toasts .toast")
    expect(toast).to_contain_text("Try again.")
    toast.get_by_role("button").click()  # nothing lies over it
    expect(toast).to_have_count(0)


def test_a_mark_is_removed_from_a_face(opens: Opens, old: BrowserContext) -> None:
    page = opens("/setup/dice", phone=old)
    page.evaluate("""import('/teach/namer.js').then(({ openNamer }) => {
        const draft = { solid: "d6", sides: 6, faces: [] };
        openNamer({ dice: [], symbols: ["sun", "moon", "sun"], draft, palette: [] });
    })""")
    marks = page.locator("#chosen button")
    marks.nth(1).click()
    expect(marks).to_have_text(["sun", "sun"], ignore_case=True)
    marks.nth(0).click()
    expect(marks).to_have_text(["sun"], ignore_case=True)


def test_a_browser_that_is_too_old_is_told_so(opens: Opens, old: BrowserContext) -> None:
    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("1cqw", "1unknown"))

    old.route(re.compile(r"theme\.css"), older)
    for path in ("/", "/overlay", "/player"):
        expect(opens(path, phone=old).locator(".too-old")).to_contain_text("Safari 16.4")
