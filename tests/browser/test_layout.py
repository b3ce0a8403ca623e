"""Every state of the table screen, in every size and language: nothing overlaps, leaves the window or is cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tableside.app.running_table import RunningTable
from tests.browser.conftest import CAP, SIZES, look
from tests.browser.states import Recorded
from tests.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LEAST_CAP_PX = 60
ALL_SIZES = {**SIZES, "half": (800, 240)}  # the last one is one side of a screen that lies flat
FAULTS = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8").partition("\n")[2]
SHOW = f"""async ([text, isTall]) => {{
    const recorded = JSON.parse(text);
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    window.answers = (address) => {{
        if (address.startsWith("/api/people")) return recorded.people;
        if (address.startsWith("/api/rolls/")) return address.includes("/spends") ? recorded.spends : recorded.roll;
    }};
    tell(recorded.state);
    do await frame(); while (window.pending);
    await frame();
    const headline = document.getElementById("headline");
    return {{ faults: ({FAULTS})(isTall), cap: ({CAP})(headline), headline: headline.innerText }};
}}"""
"""Shows a state, waits for what is asked for it, and tells how it is laid out."""
SMALL = """least => {
    const walk = document.createTreeWalker(document.getElementById("stage"), NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const owner = node.parentElement;
        const isRead = node.textContent.trim() && owner.checkVisibility() && !owner.closest(".hidden, svg, .avatar");
        const size = parseFloat(getComputedStyle(owner).fontSize);
        const mayBeSmall = owner.closest(".surface:not(.turn-taker, .flip), .face-key, .link, .trouble, .demo");
        if (isRead && !mayBeSmall && size < least) found.push(`${size} px: ${node.textContent.trim()}`);
    }
    return found;
}"""
"""Finds what has to be read from four metres and is smaller than that; what is only tapped may be."""
LEAST_READ_PX = 35.9  # 36, less what CSS lengths lose
STREAM = (Path(__file__).parent / "stream.js").read_text(encoding="utf-8").partition("\n")[2]


class Screen:
    """A page that is told recorded states."""

    def __init__(
        self,
        page: Page,
        address: str,
        *,
        language: str,
        frame: str = "",
        metres: str = "",
        is_demo: bool = False,
    ) -> None:
        self._page = page
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.add_init_script(f"({STREAM})()")
        if metres:
            page.add_init_script(f"localStorage.setItem('tableside.metres', '{metres}')")
        page.route("**/api/rolls/*/picture*", lambda route: route.fulfill(body=PHOTOGRAPH, content_type="image/jpeg"))
        if is_demo:
            page.route("**/api/me*", lambda route: route.fulfill(json={"role": "screen", "name": "", "demo": True}))
        page.goto(f"{address}?lang={language}{frame}")
        page.wait_for_function("() => window.stream")

    def show(self, recorded: dict[str, Any], *, is_tall: bool) -> dict[str, Any]:
        found: dict[str, Any] = self._page.evaluate(SHOW, [json.dumps(recorded), is_tall])
        return found


PHOTOGRAPH = (ROOT / "tableside" / "samples" / "roll-1.jpg").read_bytes()


@pytest.mark.parametrize(
    ("size", "language"),
    [
        ("table", "en"),
        *((size, "de") for size in ALL_SIZES),  # of the longer words
        ("phone", "en"),
    ],
)
def test_no_state_overlaps_leaves_the_window_or_is_cut(
    chromium: Browser, running: RunningTable, recorded: Recorded, size: str, language: str
) -> None:
    _check_layout(chromium, running.address, recorded, language=language, size=size)


@pytest.mark.parametrize(("size", "language"), [("table", "de"), ("laptop", "en")])
def test_what_is_read_from_four_metres_fits_smaller_screens(
    chromium: Browser, running: RunningTable, recorded: Recorded, size: str, language: str
) -> None:
    _check_layout(chromium, running.address, recorded, language=language, size=size, metres="4")


@pytest.mark.parametrize("size", ["table", "phone", "television"])
def test_a_demo_has_room_for_its_buttons_in_every_state(
    chromium: Browser, running: RunningTable, recorded: Recorded, size: str
) -> None:
    asked = recorded["narrative asked"]
    first = {**asked, "state": {**asked["state"], "roll": None, "history": []}}  # nobody has thrown yet
    wanted = recorded if size == "table" else {name: one for name, one in recorded.items() if "narrative" in name}
    _check_layout(chromium, running.address, {"first": first, **wanted}, language="de", size=size, is_demo=True)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", ["table", "phone"])
def test_a_roll_of_before_fits_in_every_game(
    chromium: Browser, running: RunningTable, recorded: Recorded, size: str, language: str
) -> None:
    width, height = ALL_SIZES[size]
    page = chromium.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    screen = Screen(page, running.address, language=language)
    faults: dict[str, list[str]] = {}
    for name in ("narrative five kinds of symbols", "heroic result", "d6-companion result", "percentile result"):
        screen.show(recorded[name], is_tall=height > width)
        page.locator(".past-roll").first.click()
        page.locator("#back-to-now").wait_for()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if found := page.evaluate(FAULTS, height > width):
            faults[name] = sorted(set(found))
            look(page, f"past-{size}-{language}-{name.replace(' ', '-')}")
        page.locator("#back-to-now").click()
    page.close()
    assert not faults, "\n".join(f"{name}: {found}" for name, found in faults.items())
    assert screen.wrong == []


def _check_layout(
    chromium: Browser,
    address: str,
    recorded: Recorded,
    *,
    language: str,
    size: str,
    metres: str = "",
    is_demo: bool = False,
) -> None:
    width, height = ALL_SIZES[size]
    faults: dict[str, list[str]] = {}
    page = chromium.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    frame = "&frame=half" if size == "half" else ""
    screen = Screen(page, address, language=language, frame=frame, metres=metres, is_demo=is_demo)
    for name, told in recorded.items():
        shown = screen.show(told, is_tall=height > width)
        found = shown["faults"]
        if size == "table" and shown["cap"] < LEAST_CAP_PX:
            found.append(f"a low headline, {shown['cap']:.1f} px: {shown['headline']}")
        if size == "television" and page.evaluate("document.body.dataset.kind") != "host":  # a host is touched
            found += page.evaluate(SMALL, LEAST_READ_PX)
        if found:
            faults[name] = sorted(set(found))
            look(page, f"layout-{size}-{language}-{name.replace(' ', '-')}")
    page.close()
    assert not faults, "\n".join(f"{name}: {found}" for name, found in faults.items())
    assert screen.wrong == []
