"""The other languages on a phone and on the table's screen, a page each: they are offered, and their words fit."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tableside.app.running_table import RunningTable
from tests.browser.conftest import SIZES, Opens, look, roll
from tests.browser.test_phones import Paired
from tests.browser.test_turns import add
from tests.conftest import ROOT
from tests.table.test_turn import OSKARA

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "web" / "words").iterdir()}
LIGHT = sorted(WORDS.keys() - {"en", "de"})  # all else of English and German is looked at in every state
CUT = """() => [...document.querySelectorAll("button, h2, h3, summary, label > span:not(.hidden)")]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
    .filter((one) => !["auto", "scroll"].includes(getComputedStyle(one).overflowX))
    .map((one) => `${one.textContent.trim()}: ${one.scrollWidth} in ${one.clientWidth}`)"""
"""Returns what of the words does not fit its place."""
ROOM = """node => {
    const mark = node.appendChild(Object.assign(document.createElement("span"), { style: "display: inline-block" }));
    const baseline = mark.getBoundingClientRect().bottom;
    mark.remove();
    const context = document.createElement("canvas").getContext("2d");
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(node);
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const top = node.parentElement.getBoundingClientRect().top;
    return baseline - context.measureText("ÉÈÑ").actualBoundingBoxAscent - top;
}"""
"""Returns how many pixels are left above the accents of the largest word."""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_the_words_of_every_language_fit_and_it_can_be_chosen(
    opens: Opens, paired: Paired, running: RunningTable
) -> None:
    add(running, OSKARA)
    roll(running)
    width, height = SIZES["table"]
    screen, phone = opens("/", viewport={"width": width, "height": height}), opens("/gm", phone=paired("gm", "Mara"))
    for language in LIGHT:
        for page, path in ((screen, ""), (phone, "gm")):
            page.goto(f"{running.address}{path}?lang={language}")
            page.locator("body[data-ready]").wait_for()
        expect(screen.locator("#headline")).to_have_text(WORDS[language]["pages"]["outcomes.success"])
        assert screen.locator("#headline").evaluate(ROOM) >= 0
        assert (screen.evaluate(WIDE), screen.evaluate(CUT)) == (0, [])
        look(screen, f"screen-{language}")
        for tab in phone.locator(".tabs button").all():
            tab.click()
            assert (phone.evaluate(WIDE), phone.evaluate(CUT)) == (0, [])
        look(phone, f"gm-{language}")
    screen.locator("#menu").click()
    screen.locator("[data-group=screen]").first.click()
    screen.locator("[data-row=language]").click()
    names = screen.locator("[data-pick] b").all_inner_texts()
    assert names == [WORDS[name]["name"] for name in sorted(WORDS)]
    assert (screen.evaluate(WIDE), screen.evaluate(CUT)) == (0, [])
