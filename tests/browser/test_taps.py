"""A second tap of the same finger presses nothing that came there meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TAPPED = """async ({ next, away = 0, later = 0, detail = 1 }) => {
    const pressed = [];
    const button = (name) => {
        const made = Object.assign(document.createElement("button"), { textContent: name });
        made.addEventListener("click", () => pressed.push(made.textContent));
        return made;
    };
    const tap = (node, clientX, detail = 1) =>
        node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail, clientX }));
    const first = button("Apply"), other = button(next);
    document.body.append(first);
    tap(first, 50);
    if (next === "Apply, renamed") first.textContent = next;
    else first.replaceWith(other);
    if (later) await new Promise((done) => setTimeout(done, later));
    const now = first.isConnected ? first : other;
    tap(now, 50 + away, detail);
    now.remove();
    return pressed;
}"""
"""What of two taps is pressed; what stood there at the first one is another button by the second."""


@pytest.mark.parametrize(
    ("how", "counts"),
    [
        ({"next": "End the turn"}, False),
        ({"next": "End the turn", "later": 400}, True),  # who waits that long has seen it
        ({"next": "End the turn", "away": 40}, True),  # another place
        ({"next": "End the turn", "detail": 0}, True),  # a key
        ({"next": "Apply"}, True),  # drawn anew, and still what was tapped
        ({"next": "Apply, renamed"}, True),  # the same button says what is next, as Undo does
    ],
    ids=str,
)
def test_what_came_under_the_finger_is_pressed_once_it_was_seen(
    page: Page, how: dict[str, object], *, counts: bool
) -> None:
    for _ in range(2):  # what was dropped is no first tap of the next one
        assert page.evaluate(TAPPED, how) == ["Apply", *([how["next"]] if counts else [])]
        page.wait_for_timeout(400)


def test_a_label_presses_what_it_is_for(page: Page) -> None:
    page.evaluate("""() => {
        document.body.insertAdjacentHTML("beforeend", '<label id="of-box">Seen by all <input type="checkbox"></label>');
        const { style } = document.getElementById("of-box");
        Object.assign(style, { position: "fixed", zIndex: 9, inset: "60px auto auto 60px" });
    }""")
    label = page.locator("#of-box").bounding_box()
    assert label
    for is_ticked in (True, False):
        page.mouse.click(label["x"] + 8, label["y"] + 8)
        assert page.locator("#of-box input").is_checked() == is_ticked
