"""A hand looks before it taps: a page that a test taps or reads has heard first of all that was done at its table.

A table tells a page of a change some 50 ms later, on a busy machine a second. A test that taps or reads in between
would see the state of before. ``expect`` needs none of this, as it looks again and again.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from playwright.sync_api import Browser, Error, Locator, Page

from tableside.app.running_table import RunningTable
from tests.until import until

HEARS = """
    window.heard = null; // the revision that the page was told last; null where it does not listen
    window.sent = 0; // so many of its own changes and questions have no answer yet
    if (window.SharedWorker) window.SharedWorker = class extends SharedWorker {
        constructor(...how) {
            super(...how);
            if (!how[1].name.includes("/api/events")) return;
            window.heard ??= -1; // it listens, and was told nothing yet
            this.port.addEventListener("message", ({ data }) => {
                window.heard = Number(/"revision":(\\d+)/.exec(data.text)?.[1] ?? window.heard);
            });
        }
    };
    window.addEventListener("click", () => { window.isLost = true; }, { capture: true }); // before what drops a tap
    document.addEventListener("click", () => { window.isLost = false; }, { capture: true }); // and after it
    const ask = window.fetch, later = window.setTimeout;
    window.fetch = async (address, how) => {
        window.sent += 1;
        try {
            return await ask(address, how);
        } finally {
            later(() => { window.sent -= 1; });
        }
    };"""
"""Runs in each page of a test before the page's own scripts."""
_TOLD = "(({ sent = 0, heard = null }) => ({ sent, heard }))(window)"
_LOST = "window.isLost === true"
AGAIN_S = 0.4
"""More than the time in which ``web/taps.js`` drops a tap on what nobody has seen yet."""
LONGEST_S = 2.0
"""So long a look waits: some pages hear nothing, as their test has cut them off."""
_ACTS = ["check", "click", "dispatch_event", "drag_to", "fill", "press", "press_sequentially", "select_option",
         "set_input_files", "tap"]  # fmt: skip
_LOOKS = ["all", "all_inner_texts", "all_text_contents", "bounding_box", "count", "evaluate", "evaluate_all",
          "get_attribute", "inner_text", "input_value", "is_checked", "is_disabled", "is_enabled", "is_hidden",
          "is_visible", "screenshot", "text_content"]  # fmt: skip
_tables: WeakValueDictionary[str, RunningTable] = WeakValueDictionary()
_told: WeakKeyDictionary[Page, int] = WeakKeyDictionary()
_acted: WeakSet[Page] = WeakSet()
_evaluate = Page.evaluate


def follow(running: RunningTable) -> None:
    """Have pages of this table be looked at once they have heard of it."""
    _tables[running.address] = running


def hear(page: Page) -> None:
    """Wait until nothing that was tapped is on its way, the page was told of all that was done, and asks no more."""
    for acted in list(_acted):  # a page may be gone by then
        _acted.discard(acted)
        _wait(acted, lambda told: not told["sent"])
    running = next((one for address, one in list(_tables.items()) if page.url.startswith(address)), None)
    if running is None or (revision := running.table.state.revision) <= _told.get(page, -1):
        return
    _wait(page, lambda told: not told["sent"] and (told["heard"] is None or told["heard"] >= revision))
    _told[page] = revision


def _wait(page: Page, is_so: Callable[[dict[str, Any]], bool]) -> None:
    def is_there() -> bool:
        told = _says(page, _TOLD)
        return told is None or is_so(told)

    with suppress(AssertionError):
        until(is_there, seconds=LONGEST_S)


def _after(method: Callable[..., Any], *, acts: bool = False) -> Callable[..., Any]:
    @functools.wraps(method)
    def waits(one: Locator | Page, *given: Any, **more: Any) -> Any:
        page = one if isinstance(one, Page) else one.page
        hear(page)
        try:
            done = method(one, *given, **more)
            if method.__name__ == "click" and _says(page, _LOST):  # a hand taps again, a little later
                time.sleep(AGAIN_S)
                done = method(one, *given, **more)
            return done
        finally:
            if acts:
                _acted.add(page)

    return waits


def _says(page: Page, what: str) -> Any:
    """Return what a page says; nothing where it goes to another address."""
    with suppress(Error):
        return None if page.is_closed() else _evaluate(page, what)
    return None


def _anew(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def loads(page: Page, *given: Any, **more: Any) -> Any:
        _told.pop(page, None)  # what is loaded was told nothing yet
        return method(page, *given, **more)

    return loads


def _hearing(new: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(new)
    def made(*given: Any, **more: Any) -> Any:
        one = new(*given, **more)
        one.add_init_script(HEARS)
        return one

    return made


def look_first() -> None:
    """Have every tap and look of this process wait for its page."""
    for name in ("new_context", "new_page"):
        setattr(Browser, name, _hearing(getattr(Browser, name)))
    for name in ("goto", "reload"):
        setattr(Page, name, _anew(getattr(Page, name)))
    for kind, names in ((Page, ["evaluate"]), (Locator, _ACTS + _LOOKS)):
        for name in names:
            setattr(kind, name, _after(getattr(kind, name), acts=name in _ACTS))
