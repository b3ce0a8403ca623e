"""The pages in the oldest browsers that the guide names: today's, without what those lack. No real one is at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, expect

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
OLD_SIZE: ViewportSize = {"width": 800, "height": 480}
PAGES = ["/", "/pair", "/overlay", "/hall", "/lookup", "/help", "/setup", "/setup/dice"]
ALWAYS_DARK = ("/", "/hall", "/setup", "/setup/dice", "/camera")
COLOURS = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return ['body', 'h1', 'button', 'p:not(.too-old)']
        .map((one) => document.querySelector(`${one}:not(.hidden)`)).filter(Boolean)
        .map((node) => getComputedStyle(node))
        .map((one) => ['color', 'backgroundColor', 'borderTopColor'].map((name) => one[name]).join());
}"""


def without(route: Route) -> None:
    """Answer with a style sheet in which what old browsers lack is unknown."""
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub(LACKING_CSS, lambda found: "unknown-" + found[0], answer.text()))


@pytest.fixture
def old(chromium: Browser) -> Iterator[BrowserContext]:
    with chromium.new_context(viewport=OLD_SIZE, reduced_motion="reduce") as context:
        context.route(re.compile(r"\.css(\?.*)?$"), without)
        context.add_init_script(LACKING_JS)
        yield context


def test_every_page_has_its_colours(
    opens: Opens, running: RunningTable, old: BrowserContext, paired: Callable[[str, str], BrowserContext]
) -> None:
    """An old browser shows each theme as a new one does."""
    throw(running, *ADVANTAGES)  # until its camera sees an empty tray a new table is not shown in one way
    phones = {"": None, "gm": paired("gm", "gm"), "player": paired("player", "player")}
    pages: dict[str, Page] = {}

    def colours(path: str, browser: str, phone: BrowserContext | None) -> list[list[str]]:
        if page := pages.get(browser):
            page.goto(running.address.rstrip("/") + path)
        else:
            page = pages[browser] = opens(path, phone=phone, viewport=OLD_SIZE, reduced_motion="reduce", waits=False)
        page.locator("body[data-ready]").wait_for()
        expect(page.locator(".too-old")).to_be_hidden()
        found = []
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            found.append(page.evaluate(COLOURS))
        return found

    for role, paths in {"": PAGES, "gm": ["/gm"], "player": ["/player", "/camera"]}.items():
        if new := phones[role]:
            old.add_cookies(new.cookies())  # type: ignore[arg-type]
        for path in paths:
            light, dark = told = colours(path, f"new {role}", new)
            assert colours(path, "old", old) == told, path
            assert (light == dark) == (path in ALWAYS_DARK), path


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


def test_a_browser_that_is_too_old_is_told_so(opens: Opens, running: RunningTable, old: BrowserContext) -> None:
    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("1cqw", "1unknown"))

    old.route(re.compile(r"theme\.css"), older)
    page = opens("/", phone=old)
    for path in ("", "overlay", "player"):
        if path:
            page.goto(running.address + path)
        expect(page.locator(".too-old")).to_contain_text("Safari 16.4")
