"""What a roll may buy is told whole on its card, in every language and size of the table screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tableside.app.running_table import RunningTable
from tableside.games.narrative.options import OPTIONS
from tests.browser.conftest import SIZES, Opens, look, resize, roll

pytestmark = [pytest.mark.browser, pytest.mark.slow]
CUT = """async (titles) => {
    const { render } = await import("/vendor/lit-html/lit-html.js");
    const { spendButtons } = await import("/part/spends.js");
    const { plainSaid } = await import("/said.js");
    const row = document.querySelector(".spend-row");
    const wide = getComputedStyle(row).width;
    const box = document.createElement("div");
    box.className = "surfaces spend-row";
    box.style.width = wide;
    box.style.alignItems = "start"; // each has the height of its own words
    document.body.append(box);
    const prices = [[1, "roller"], [3, "roller"], [2, "gm"]];
    const roll = { net: { threat: 9, advantage: 9 }, succeeded: true };
    const spends = titles.flatMap(([name, title]) => prices.map(([count, by]) => ({
        name, title, short: plainSaid(title), by, price: "", bought: 1,
        prices: [{ of: by === "gm" ? "threat" : "advantage", count }],
        affordable: true,
    })));
    render(spendButtons(roll, spends, { mayBuy: () => true, buy: () => null }), box);
    await document.fonts.ready;
    const most = document.createElement("div"); // of a card; a large screen measures in parts of its own
    most.style.height = "max(4.4rem, 56px, 4.75 * var(--F, 0px))";
    box.after(most);
    const cut = [...box.children].filter((button) => {
        const inner = button.querySelector("b").getClientRects();
        const words = button.getBoundingClientRect();
        return button.scrollHeight > button.clientHeight + 1 || words.height > most.clientHeight + 1
            || [...inner].some((line) => line.right > words.right + 1 || line.bottom > words.bottom + 1);
    }).map((button) => `${button.scrollHeight} of ${button.clientHeight}: ${button.innerText}`);
    box.remove();
    most.remove();
    return cut;
}"""
"""Draws all titles as buttons and tells those that are cut or grow out of their row."""


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_every_title_of_a_spend_is_told_whole(opens: Opens, running: RunningTable, language: str) -> None:
    roll(running)
    page = opens(f"/?lang={language}")
    page.locator(".spend-row").wait_for()
    for size in ("table", "laptop", "television", "phone"):
        resize(page, SIZES[size])
        assert page.evaluate(CUT, [(one.name, one.short or one.title) for one in OPTIONS]) == [], size


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_phone_tells_what_each_spend_does(
    opens: Opens, paired: Callable[[str, str], BrowserContext], running: RunningTable, language: str
) -> None:
    roll(running)
    page = opens(f"/gm?lang={language}", phone=paired("gm", "Gim"))
    page.locator(".more-spends").click()
    told = page.evaluate("""async () => {
        const { get } = await import("/talk.js");
        const { roll } = await get("/api/state");
        return (await get(`/api/rolls/${roll.id}/spends`)).filter((one) => one.title !== one.short);
    }""")
    assert len(told) > 3
    page.locator(".buy-told").first.wait_for()
    for width in (390, 320):
        resize(page, (width, 844))
        found = page.locator(".buy").evaluate_all("""all => Object.fromEntries(all.map((one) => [one.dataset.spend, [
            one.querySelector('.buy-told')?.textContent.trim(),
            one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight]]))""")
        assert [found[spend["name"]] for spend in told] == [[spend["title"], True] for spend in told]
        lefts = page.locator(".buy-row li").evaluate_all("all => [...new Set(all.map(one => one.offsetLeft))].length")
        assert lefts == 2  # abreast
        look(page, f"spends-told-{width}-{language}", full_page=True)
