"""What a page asks for, the first time and loaded again: ``python -m tools.bench pages --json``. Needs chromium."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tableside.app.running_table import RunningTable
from tests.browser.conftest import QUIET, running_table

PAGES = ("/", "/player", "/gm")
_SETTLE_MS = 1500
"""So long after it is there a page may still ask for what it shows later."""


class Asked:
    """What a table is asked for from now on, counted at its server: a browser's own counts leave out its workers."""

    def __init__(self, running: RunningTable) -> None:
        self._app: Any = running._pages._web._app  # type: ignore[union-attr]
        self._inner: Callable[..., Iterable[bytes]] = self._app.wsgi_app
        self._lock = threading.Lock()
        self.times: Counter[str] = Counter()  # by path: what a page asks for again and again is one thing
        self.sizes: dict[str, int] = {}
        self._app.wsgi_app = self._counted

    def _counted(self, environ: dict[str, Any], start: Any) -> Iterator[bytes]:
        def started(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            with self._lock:
                self.times[environ["PATH_INFO"]] += 1
                self.sizes[environ["PATH_INFO"]] = int(dict(headers).get("Content-Length", 0))
            return start(status, headers, *more)

        return self._inner(environ, started)  # type: ignore[return-value]

    def of(self, act: Callable[[], object], page: Page) -> dict[str, Any]:
        """Return how many things a page asks for by an act, and the kilobytes of their bodies."""
        with self._lock:
            self.times.clear()
            self.sizes.clear()
        act()
        page.locator("body[data-ready]").wait_for()
        page.wait_for_timeout(_SETTLE_MS)
        with self._lock:
            return {"things": len(self.times), "kilobytes": round(sum(self.sizes.values()) / 1000, 1)}


def bench_pages() -> Iterator[dict[str, Any]]:
    """Count what each page asks for in a browser that was never here, and what it asks for loaded again."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running = running_table(Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
            asked = Asked(running)
            for path in PAGES:
                with browser.new_context(base_url=running.address) as phone:
                    if path == "/gm":
                        pin = phone.request.post("/api/pairing", data={"role": "gm"}).json()["pin"]
                        phone.request.post("/api/pair", data={"pin": pin})
                    page = phone.new_page()
                    first = asked.of(partial(page.goto, path), page)
                    yield {"bench": "pages", "page": path, "first": first, "again": asked.of(page.reload, page)}
            browser.close()
        finally:
            running.close()
