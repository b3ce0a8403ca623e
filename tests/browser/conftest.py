"""A whole table served to Debian's chromium, and hands to play with."""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial, partialmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unittest.mock import patch

import cv2
import pytest
from playwright.sync_api import (
    APIRequestContext,
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tableside.adapters.camera.folder import StillCamera
from tableside.adapters.camera.port import Camera
from tableside.app.live import LiveTray
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Alternative, DieReading, Face, Reading, Status
from tableside.table import MemoryStore
from tableside.table.kept import Phase
from tableside.table.messages import ChangeDestiny, Do, NamePlayer, NewRoll
from tableside.table.shown import Counts
from tests.browser import heard
from tests.conftest import CHROMIUM, ROOT
from tests.fakes.table import RestingCamera, call
from tests.fakes.tray import DrawnReader, draw_tray

if TYPE_CHECKING:
    from tests.browser.states import Recorded

SIZES = {
    "table": (800, 480),
    "phone": (390, 844),
    "laptop": (1280, 800),
    "tall": (720, 1280),
    "television": (1920, 1080),
}
LANGUAGES = ["en", pytest.param("de", marks=pytest.mark.slow)]
PHONE: ViewportSize = {"width": 390, "height": 844}
CAP = """node => {
    const context = document.createElement('canvas').getContext('2d');
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(node);  // `font` is empty where the width is chosen
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return context.measureText('S').actualBoundingBoxAscent;
}"""
"""Measures the height of a capital letter, in CSS pixels."""
CLOSED_LATE = """
    window.closings = 0;
    addEventListener('close', (event) => {
        if (!event.isTrusted || !(event.target instanceof HTMLDialogElement)) return;
        event.stopImmediatePropagation();
        setTimeout(() => { event.target.dispatchEvent(new Event('close')); window.closings += 1; }, 700);
    }, true);"""
"""Dialogs tell late that they were closed, as on a machine that has seldom time to draw."""
LONGEST_MS = 30_000
"""So long a page may take on a busy machine; a test that passes waits no longer than it has to."""
expect.set_options(timeout=LONGEST_MS)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browsers() -> Iterator[BrowserType]:
    """Starts chromium, as often as a test wants one that differs."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing; install Debian's package chromium-headless-shell")
        pytest.skip("chromium is not installed")
    heard.look_first()
    for name in ("get", "post"):  # a kept connection may be one to the table that was at this address before
        setattr(APIRequestContext, name, partialmethod(getattr(APIRequestContext, name), max_retries=2))
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def chromium(browsers: BrowserType) -> Iterator[Browser]:
    browser = browsers.launch(executable_path=CHROMIUM, args=QUIET)
    yield browser
    browser.close()


def running_table(
    folder: Path,
    *,
    name: str = "",
    camera: Camera | None = None,
    connections: dict[str, Any] | None = None,
    rests: bool = False,
    port: int = 0,
) -> RunningTable:
    """Start a whole table. By itself its camera sees nothing: rolls are handed in, so a test knows what is shown.

    :param rests: the camera soon gives no pictures any more, so that also laid dice can be handed in.
    """
    settings = Settings(
        table=TableSettings(data=folder / "data", name=name), web=WebSettings(port=port),
        pins=PinSettings(factory="mock"), connections=connections or {},
    )  # fmt: skip
    if camera is None:
        cv2.imwrite(str(folder / "empty.png"), draw_tray())
        camera = (RestingCamera if rests else StillCamera)(folder / "empty.png", fps=5 if rests else 1)
    tray = partial(LiveTray, retry_seconds=1000) if rests else LiveTray
    with patch("tableside.app.tray.LiveTray", tray):
        running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=camera)
        running.start()
    heard.follow(running)
    return running


@pytest.fixture(scope="session")
def port() -> int:
    """A free port for one table after another, as a browser knows by its address what it has loaded already."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Shared:
    """The table of a file of tests, which each of them finds as new.

    :param phase: of its tray as long as nothing is done at it.
    """

    def __init__(self, running: RunningTable, *, phase: Phase = Phase.EMPTY) -> None:
        self.running = running
        self._first = replace(running.table.state, phase=phase)

    def forget(self) -> None:
        """Have the table forget all that was done at it and all its phones."""
        table = self.running.table
        with table._shown:
            table._store, table._counts = MemoryStore(), Counts()
            table._show(replace(self._first, revision=table.state.revision + 1))
        call(self.running, "api/devices/all/forget", {})


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[Shared]:
    """The table of the file; a file whose tests need another kind of table has a fixture of this name."""
    running = running_table(tmp_path_factory.mktemp("table"), port=port)
    yield Shared(running)
    running.close()
    assert not [one.name for one in threading.enumerate() if one.name.startswith("tableside")]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> None:
    """Threads of a table are its own until its file ends."""


@pytest.fixture
def running(shared: Shared, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[RunningTable]:
    """Return the table of the file, or one of the test's own whose camera rests where it asks for that."""
    with ExitStack() as made:
        if getattr(request, "param", False):
            running = made.enter_context(closing(running_table(tmp_path, rests=True)))
        else:
            shared.forget()
            running = shared.running
        running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=2, dark=1))
        yield running


@pytest.fixture
def own_table(tmp_path: Path, port: int) -> Iterator[RunningTable]:
    """A table for one test, as a file whose tests guess PINs or send photographs says by ``running = own_table``."""
    with closing(running_table(tmp_path, port=port)) as running:
        running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=2, dark=1))
        yield running


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """States of the table screen by their names, for pages that are told them in turn."""
    from tests.browser.states import record  # which drives a table by what stands here

    running = running_table(tmp_path_factory.mktemp("states"))
    try:
        return record(running)
    finally:
        running.close()


def middle(thing: Locator) -> tuple[float, float]:
    """Where a finger taps it, in CSS pixels of the page; what comes there later is tapped in its place."""
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give an open page another size, and wait until it is drawn in it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def look(page: Page | Locator, name: str, **how: Any) -> None:
    """Keep a picture of a page in ``artefacts/`` where somebody wants to look: ``PICTURES=1 pytest -m browser``."""
    if os.environ.get("PICTURES"):
        page.screenshot(path=ROOT / "artefacts" / f"{name}.png", **how)


def new_id() -> str:
    return str(uuid.uuid4())


def roll(running: RunningTable, *, doubtful: bool = False) -> str:
    """Hand in a roll as the camera would, with its picture, and return its id."""
    at = [(100.0, 100.0), (200.0, 150.0)]
    outlines = [((x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12)) for x, y in at]
    sure = [("ability", ("success",)), ("challenge", ("despair",)), ("difficulty", ("threat", "threat"))]
    dice = (
        *(
            DieReading(type=kind, face=face, center=at[0], outline=outlines[0], confidence=0.99, status=Status.SURE)
            for kind, face in sure[: None if doubtful else 1]
        ),
        DieReading(
            type="proficiency",
            face=("advantage", "success") if doubtful else ("triumph",),
            center=at[1],
            outline=outlines[1],
            confidence=0.6 if doubtful else 0.99,
            status=Status.UNSURE if doubtful else Status.SURE,
            alternatives=(Alternative(type="proficiency", face=("success", "success"), confidence=0.3),),
        ),
    )
    roll_id = new_id()
    running.pictures.keep(roll_id, draw_tray(("green", 100, 100), ("yellow", 200, 150)))
    reading = Reading(width=320, height=240, dice=dice)
    running.table.ask(NewRoll(id=roll_id, at=time.time(), reading=reading, has_picture=True))
    return roll_id


@pytest.fixture
def page(opens: Opens) -> Page:
    """The table screen at 800 x 480; anything on its console and any call to another host fails the test."""
    return opens("/", viewport={"width": 800, "height": 480}, waits=False)


def throw(running: RunningTable, *dice: tuple[str, Face]) -> str:
    """Hand in a sure roll of these dice as the camera would, and return its id."""
    readings = tuple(
        DieReading(type=kind, face=face, center=(50 + 40 * n, 100), outline=(), confidence=0.99, status=Status.SURE)
        for n, (kind, face) in enumerate(dice)
    )
    roll_id = new_id()
    running.table.ask(NewRoll(id=roll_id, at=time.time(), reading=Reading(width=320, height=240, dice=readings)))
    return roll_id


def watched(page: Page, wrong: list[str]) -> Page:
    """Note anything on the page's console, where the pages' content policy also says a call to another host."""
    page.set_default_timeout(LONGEST_MS)

    def told(message: ConsoleMessage) -> None:
        if "ERR_NETWORK_CHANGED" in message.text:  # this machine's own network did; a page loads again by itself
            return
        if "404" in message.text and "/api/rolls/" in message.location["url"]:  # it was taken back since the page asked
            return
        if message.type in ("error", "warning"):
            wrong.append(f"{message.text} {message.location['url']}")

    page.on("console", told)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    return page


Opens = Callable[..., Page]
_MEDIA = {"reduced_motion", "color_scheme", "forced_colors"}
_Changing = TypeVar("_Changing", BrowserContext, Page)
_NOTHING = "/icon.svg"
"""What a page shows between two tests: of the same address, so that its storage is at hand, and without a script."""
_LASTS = ["add_init_script", "expose_function", "grant_permissions", "on", "once", "route"]
"""What changes a page, or all pages of a context, for good."""


class Contexts:
    """Contexts of the browser for one test after another, as new but for the files that they have loaded already.

    A page is loaded in 1.4 s of a processor then, not in 3. What a test changed for good is closed.
    """

    def __init__(self, chromium: Browser) -> None:
        self._chromium = chromium
        self._free: list[BrowserContext] = []
        self._pages: dict[BrowserContext, Page] = {}
        self._changed: set[BrowserContext | Page] = set()
        self.wrong: list[str] = []
        """What stood on the consoles of their pages."""

    @contextmanager
    def lend(self, address: str) -> Iterator[BrowserContext]:
        """:param address: of the table that is looked at"""
        context = self._free.pop() if self._free else self._watched(self._chromium.new_context(viewport=PHONE))
        yield context
        page = self._page(context)
        for other in context.pages:
            if other is not page:
                other.close()
        if context in self._changed or page.evaluate("'__pwClock' in window"):
            context.close()
            return
        page.goto(address.rstrip("/") + _NOTHING)
        page.evaluate("localStorage.clear(); sessionStorage.clear();")
        page.emulate_media(
            media="null", color_scheme="null", reduced_motion="null", forced_colors="null", contrast="null"
        )
        context.clear_cookies()
        context.set_offline(False)
        if page in self._changed:
            page.close()
        self._free.append(context)

    def page(self, context: BrowserContext) -> Page:
        """Return the page of a lent context, or one more where that shows something already."""
        page = self._page(context)
        if page.url == "about:blank" or page.url.endswith(_NOTHING):
            return page
        return watched(context.new_page(), self.wrong)

    def _page(self, context: BrowserContext) -> Page:
        page = self._pages.get(context)
        if page is None or page.is_closed():
            page = self._pages[context] = self._watched(watched(context.new_page(), self.wrong))
        return page

    def _watched(self, one: _Changing) -> _Changing:
        """Notice what changes it for good."""

        def changes(method: Callable[..., Any], *values: Any, **more: Any) -> Any:
            self._changed.add(one)
            return method(*values, **more)

        for name in _LASTS:
            if hasattr(one, name):
                setattr(one, name, partial(changes, getattr(one, name)))
        return one


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def opens(chromium: Browser, contexts: Contexts, running: RunningTable) -> Iterator[Opens]:
    """Open a page of the table, in a browser of its own or in that of a phone."""
    contexts.wrong.clear()
    with ExitStack() as made:

        def open_page(path: str, *, phone: BrowserContext | None = None, waits: bool = True, **options: Any) -> Page:
            media = {name: options.pop(name) for name in _MEDIA & options.keys()}
            size = options.pop("viewport", None)
            if options:
                context = chromium.new_context(viewport=PHONE, **options)
                made.callback(context.close)
                page = watched(context.new_page(), contexts.wrong)
            else:
                page = contexts.page(phone or made.enter_context(contexts.lend(running.address)))
            page.set_viewport_size(size or PHONE)
            if media:
                page.emulate_media(**media)
            page.goto(running.address.rstrip("/") + path)
            if waits:
                page.locator("body[data-ready], body[data-page=pair], .frames").first.wait_for()
            return page

        yield open_page
    assert contexts.wrong == []


@pytest.fixture
def paired(contexts: Contexts, running: RunningTable) -> Iterator[Callable[..., BrowserContext]]:
    """Pair a phone by the PIN that the table's screen shows, and return its browser. It belongs to no card yet."""
    with ExitStack() as made:

        def pair(role: str, name: str, *, script: str | None = None) -> BrowserContext:
            """:param script: runs in each page before its own."""
            pin = call(running, "api/pairing", {"role": role})[1]["pin"]
            phone = made.enter_context(contexts.lend(running.address))
            if script:
                phone.add_init_script(script)
            assert phone.request.post(f"{running.address}api/pair", data={"pin": pin, "name": name}).ok
            return phone

        yield pair


def add_players(running: RunningTable, *names: str) -> None:
    for name in names:
        running.table.ask(NamePlayer(id=new_id(), at=1.0, name=name))
