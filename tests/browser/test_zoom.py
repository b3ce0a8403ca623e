"""The table's screen at 200 %: nothing lies over anything else, and nothing is cut."""

from __future__ import annotations

import pytest

from tableside.app.running_table import RunningTable
from tests.browser.conftest import Opens, look, resize, roll, throw

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OVER = """() => {
    const parts = [...document.querySelectorAll('.spend, .answer, .past-roll, .net, .die, .bar button, .token')];
    const isSeen = (box) => box.width && box.height && box.left < innerWidth - 32;  // rows without room wrap away
    const boxes = parts.map((part) => [part, part.getBoundingClientRect()]).filter(([, box]) => isSeen(box));
    const found = [];
    for (const [one, a] of boxes) {
        if (a.left < -1 || a.right > innerWidth + 1) found.push('cut: ' + one.className);
        for (const [other, b] of boxes) {
            if (one === other || one.contains(other) || other.contains(one)) continue;
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 2 && high > 2) found.push(one.className + ' over ' + other.className);
        }
    }
    return found;
}"""


SIZES = [(400, 240), (640, 400), (800, 480)]  # 200 %, 200 % of 1280x800, 100 %


def test_nothing_lies_over_anything_else(opens: Opens, running: RunningTable) -> None:
    for _ in range(7):
        throw(running, ("ability", ("success",)), ("boost", ("advantage", "advantage")), ("difficulty", ("threat",)))
    page = opens("/", viewport={"width": 800, "height": 480}, reduced_motion="reduce")
    for shown in (".spend", ".answer"):
        page.locator(shown).first.wait_for()
        for size in SIZES:
            resize(page, size)
            assert page.evaluate(OVER) == [], (shown, size)
            look(page, f"zoom-{size[0]}-{shown}", full_page=True)
        roll(running, doubtful=True)
