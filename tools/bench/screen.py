"""How long the table screen takes to follow a change: ``python -m tools.bench screen --json``. Needs chromium."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tableside.app.running_table import RunningTable
from tableside.dice import Die, Face
from tableside.table.kept import Seen
from tableside.table.messages import CallRoll, ChangeDestiny, ChooseGame, Do, EnterRoll, Undo
from tableside.table.shown import state_json
from tests.browser.conftest import QUIET, new_id, running_table

_SLOWER = 6
"""The processor is slowed so many times, as a Pi beside a laptop."""
_UPDATES = 120
_DICE: tuple[tuple[str, Face], ...] = (
    *[("proficiency", ("success",))] * 5,
    *[("challenge", ("failure",))] * 4,
    *[("boost", ("advantage",))] * 5,
)
_MEASURE = """async ([state, updates]) => {
    const { view } = await import("/table/page.js");
    const { render } = await import("/vendor/lit-html/lit-html.js");
    const box = document.createElement("div");
    document.body.append(box);
    const ui = { mayChange: true, lostAt: null, answers: null, spends: null, games: [], people: [], opened: "" };
    const act = new Proxy({}, { get: () => () => null });
    const timed = (change) => {
        const next = structuredClone(state);
        change(next);
        const start = performance.now();
        render(view({ state: next, ui, now: next.now, act }), box);
        return performance.now() - start;
    };
    const first = timed(() => {});
    const later = Array.from({ length: updates }, (_, n) => timed((next) => {
        next.destiny.light = 2 + (n % 3);
        next.roll.net.success = 1 + (n % 4);
        next.roll.dice[n % 14].face = n % 2 ? next.roll.dice[n % 14].face : [];
    }));
    return [first, later];
}"""


_SEEN = """() => {
    window.seen = {};
    const count = document.querySelector(".pool-words span");
    new MutationObserver(() => {
        const text = count.textContent.match(/\\d+/)[0];
        requestAnimationFrame(() => setTimeout(() => { window.seen[text] ??= Date.now(); }));
    }).observe(count, { childList: true, characterData: true, subtree: true });
}"""
_CHANGES = range(10, 70)
_FLIPS = 30
_SEEN_ODDS = """() => {
    new MutationObserver(() => {
        requestAnimationFrame(() => setTimeout(() => { window.odds ||= Date.now(); }));
    }).observe(document.querySelector(".odds"), { childList: true, characterData: true, subtree: true });
}"""


def _pixels_ms(page: Page, running: RunningTable) -> list[float]:
    """Return how long each change of the pool takes from the table to the screen's pixels."""
    page.evaluate(_SEEN)
    sent: dict[str, float] = {}
    for number in _CHANGES:
        sent[str(number)] = time.time() * 1000
        running.table.ask(ChangeDestiny(id=new_id(), at=time.time(), do=Do.SET, light=number))
        page.wait_for_function("text => window.seen[text]", arg=str(number))
    seen = page.evaluate("window.seen")
    return [seen[number] - at for number, at in sent.items()]


def _flip_ms(page: Page, running: RunningTable) -> tuple[list[float], list[float]]:
    """Return how long the destiny button takes while a roll is called: to the lamps, and to the odds on the screen."""
    table, panel = running.table, running.panel
    answers = {"characteristic": 2, "skill": 1, "difficulty": "average"}
    table.ask(ChooseGame(id=new_id(), at=time.time(), game="narrative"))
    table.ask(ChangeDestiny(id=new_id(), at=time.time(), do=Do.SET, light=2, dark=1))
    # the call replaces a result that was just read only after a while, so none is shown
    table.ask(Undo(id=new_id(), at=time.time(), change=table.state.brought_by(table.state.rolls[0].id)))
    table.ask(CallRoll(id=new_id(), at=time.time(), ask=answers, odds_for=Seen.ALL))
    page.locator(".odds .large").wait_for()
    page.evaluate(_SEEN_ODDS)
    lamps, odds = [], []
    for _ in range(_FLIPS):
        page.evaluate("() => { window.odds = 0; }")
        pressed = time.time()
        panel.press("flip_light", True)
        while sum(lamp["value"] for lamp in panel.snapshot()["lamps"] if lamp["side"] == "dark") < 2:
            time.sleep(0.0005)
        lamps.append(1000 * (time.time() - pressed))
        panel.press("flip_light", False)
        page.wait_for_function("() => window.odds")
        odds.append(page.evaluate("window.odds") - 1000 * pressed)
        table.ask(Undo(id=new_id(), at=time.time()))
        page.locator('.tokens[data-side="dark"] .token').nth(1).wait_for(state="detached")
        time.sleep(0.1)  # a contact that chatters counts once
    return lamps, odds


def bench_screen() -> dict[str, Any]:
    """Time a change up to its pixels; then, slowed, its drawing on a page of 14 dice against the first drawing."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running = running_table(Path(folder))
        try:
            dice = tuple(Die(type=kind, face=face) for kind, face in _DICE)
            running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice))
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
            page = browser.new_page(viewport={"width": 800, "height": 480})
            page.goto(running.address)
            page.locator("body[data-ready] #net .glyph").first.wait_for()
            pixels = _pixels_ms(page, running)
            lamps, odds = _flip_ms(page, running)
            running.table.ask(CallRoll(id=new_id(), at=time.time()))
            running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice))
            page.locator("#stage[data-kind=result]").wait_for()
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
            state = state_json(running.table.state, now=time.time())
            first, later = page.evaluate(_MEASURE, [state, _UPDATES])
            browser.close()
        finally:
            running.close()
    return {
        "bench": "screen",
        "slowed": _SLOWER,
        "dice": len(_DICE),
        "to_pixels_ms_median": round(statistics.median(pixels), 1),
        "to_pixels_ms_p95": round(statistics.quantiles(pixels, n=20)[-1], 1),
        "flip_to_lamps_ms_max": round(max(lamps), 1),
        "flip_to_odds_ms_median": round(statistics.median(odds), 1),
        "flip_to_odds_ms_max": round(max(odds), 1),
        "update_ms_median": round(statistics.median(later), 2),
        "update_ms_p95": round(statistics.quantiles(later, n=20)[-1], 2),
        "first_ms": round(first, 2),
        "update_over_first": round(statistics.median(later) / first, 3),
    }
