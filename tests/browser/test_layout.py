"""Every state of the table screen, in every size and language: nothing overlaps, leaves the window or is cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tableside.app.running_table import RunningTable
from tests.browser.conftest import CAP, SIZES, look, resize
from tests.browser.states import Recorded
from tests.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LEAST_CAP_PX = 60
ALL_SIZES = {**SIZES, "half": (800, 240)}  # the last one is one side of a screen that lies flat
FAULTS = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8").partition("\n")[2]
SHOW = """async (recorded) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    window.answers = (address) => {
        if (address.startsWith("/api/people")) return recorded.people;
        if (address.startsWith("/api/rolls/")) return address.includes("/spends") ? recorded.spends : recorded.roll;
    };
    tell(recorded.state);
    do await frame(); while (window.pending);
    await frame();
}"""
"""Shows a state, and waits for what is asked for it."""
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
FOUND = f"""([isTall, leastCap, leastRead]) => {{
    const faults = ({FAULTS})(isTall);
    const headline = document.getElementById("headline");
    const cap = ({CAP})(headline);
    if (cap < leastCap) faults.push(`a low headline, ${{cap}} px: ${{headline.innerText}}`);
    if (leastRead && document.body.dataset.kind !== "host") faults.push(...({SMALL})(leastRead));  // a host is touched
    return [...new Set(faults)].sort();
}}"""
"""Tells what is wrong with the layout of what is shown."""
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

    def show(self, recorded: dict[str, Any]) -> None:
        self._page.evaluate(SHOW, recorded)

    def show_each(self, recorded: Recorded, look: str, *values: Any) -> dict[str, Any]:
        """Lay out one state after another, draw none of them, and return what a script finds in each."""
        script = f"""async ([states, values]) => {{
            const found = {{}};
            document.documentElement.style.opacity = 0;
            for (const [name, recorded] of Object.entries(JSON.parse(states))) {{
                await ({SHOW})(recorded);
                found[name] = ({look})(values);
            }}
            document.documentElement.style.opacity = "";
            return found;
        }}"""
        found: dict[str, Any] = self._page.evaluate(script, [json.dumps(recorded), values])
        return found


PHOTOGRAPH = (ROOT / "tableside" / "samples" / "roll-1.jpg").read_bytes()


@pytest.mark.parametrize(
    ("language", "sizes", "how"),
    [
        ("en", ("table", "phone"), {}),
        ("de", tuple(SIZES), {}),  # of the longer words
        ("de", ("half",), {"frame": "&frame=half"}),
        ("de", ("table", "laptop"), {"metres": "4"}),  # what is read from four metres fits smaller screens
        ("de", ("table", "phone", "television"), {"is_demo": True}),  # it has room for its buttons
    ],
)
def test_no_state_overlaps_leaves_the_window_or_is_cut(
    chromium: Browser,
    running: RunningTable,
    recorded: Recorded,
    language: str,
    sizes: tuple[str, ...],
    how: dict[str, Any],
) -> None:
    """A state is shown in every size, and so is a roll of before."""
    page = chromium.new_page(reduced_motion="reduce")
    screen = Screen(page, running.address, language=language, **how)
    for size in sizes:
        width, height = ALL_SIZES[size]
        is_tall = height > width
        resize(page, (width, height))
        told = of_a_demo(recorded, size) if "is_demo" in how else recorded
        least_cap = LEAST_CAP_PX if size == "table" else 0
        least_read = LEAST_READ_PX if size == "television" else 0
        found = screen.show_each(told, FOUND, is_tall, least_cap, least_read)
        faults = {name: one for name, one in found.items() if one}
        for name in OF_BEFORE if size in ("table", "phone") and not how else ():
            screen.show(recorded[name])
            page.locator(".past-roll").first.click()
            page.locator("#back-to-now").wait_for()
            resize(page, (width, height))
            if of_before := page.evaluate(FAULTS, is_tall):
                faults[f"before {name}"] = of_before
            page.locator("#back-to-now").click()
        for name in faults.keys() & told.keys():
            screen.show(told[name])
            look(page, f"layout-{size}-{language}-{name.replace(' ', '-')}")
        assert not faults, "\n".join(f"{size}, {name}: {found}" for name, found in faults.items())
    page.close()
    assert screen.wrong == []


OF_BEFORE = ("narrative five kinds of symbols", "heroic result", "d6-companion result", "percentile result")


def of_a_demo(recorded: Recorded, size: str) -> Recorded:
    """Return the states that a demo is looked at in, and first that before anybody has thrown."""
    asked = recorded["narrative asked"]
    first = {**asked, "state": {**asked["state"], "roll": None, "history": []}}
    return {"first": first, **{name: one for name, one in recorded.items() if size == "table" or "narrative" in name}}
