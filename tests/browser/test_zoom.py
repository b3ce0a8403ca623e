"""The table's screen at 200 %: nothing lies over anything else, and nothing is cut."""

from __future__ import annotations

import pytest

from tableside.app.running_table import RunningTable
from tests.browser.conftest import Opens, look, roll, throw

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


@pytest.mark.parametrize("doubtful", [False, True], ids=["result", "doubt"])
@pytest.mark.parametrize("size", [(400, 240), (640, 400), (800, 480)], ids=["200 %", "of 1280x800", "100 %"])
def test_nothing_lies_over_anything_else(
    opens: Opens, running: RunningTable, size: tuple[int, int], doubtful: bool
) -> None:
    for _ in range(7):
        throw(running, ("ability", ("success",)), ("boost", ("advantage", "advantage")), ("difficulty", ("threat",)))
    if doubtful:
        roll(running, doubtful=True)
    page = opens("/", viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.locator(".answer" if doubtful else ".spend").first.wait_for()
    assert page.evaluate(OVER) == []
    look(page, f"zoom-{size[0]}-{doubtful}", full_page=True)
