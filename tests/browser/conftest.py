"""A whole table served to Debian's chromium, and hands to play with."""

from __future__ import annotations

import json
import os
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import cv2
import pytest
from playwright.sync_api import (
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
from tableside.adapters.web.pages import Files
from tableside.app.live import LiveTray
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Alternative, DieReading, Face, Reading, Status
from tableside.table import MemoryStore
from tableside.table.messages import ChangeDestiny, Do, NamePlayer, NewRoll
from tests.conftest import CHROMIUM, ROOT
from tests.fakes.table import RestingCamera
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
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def chromium(browsers: BrowserType) -> Iterator[Browser]:
    browser = browsers.launch(executable_path=CHROMIUM, args=QUIET)
    yield browser
    browser.close()


@pytest.fixture(scope="session", autouse=True)
def pages_are_read_once() -> Iterator[None]:
    """Each table reads all files of the pages when it starts; here they stay as they are."""
    with patch("tableside.adapters.web.application.Files", cache(Files)):
        yield


def running_table(
    folder: Path,
    *,
    name: str = "",
    camera: Camera | None = None,
    connections: dict[str, Any] | None = None,
    rests: bool = False,
) -> RunningTable:
    """Start a whole table. By itself its camera sees nothing: rolls are handed in, so a test knows what is shown.

    :param rests: the camera soon gives no pictures any more, so that also laid dice can be handed in.
    """
    settings = Settings(
        table=TableSettings(data=folder / "data", name=name), web=WebSettings(port=0),
        pins=PinSettings(factory="mock"), connections=connections or {},
    )  # fmt: skip
    if camera is None:
        cv2.imwrite(str(folder / "empty.png"), draw_tray())
        camera = (RestingCamera if rests else StillCamera)(folder / "empty.png", fps=5)
    tray = partial(LiveTray, retry_seconds=1000) if rests else LiveTray
    with patch("tableside.app.tray.LiveTray", tray):
        running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=camera)
        running.start()
    return running


@pytest.fixture
def running(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[RunningTable]:
    running = running_table(tmp_path, rests=getattr(request, "param", False))
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=2, dark=1))
    yield running
    running.close()


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """States of the table screen by their names, for pages that are told them in turn."""
    from tests.browser.states import record  # which drives a table by what stands here

    running = running_table(tmp_path_factory.mktemp("states"))
    try:
        return record(running)
    finally:
        running.close()


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
        if message.type in ("error", "warning"):
            wrong.append(f"{message.text} {message.location['url']}")

    page.on("console", told)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    return page


Opens = Callable[..., Page]


_MEDIA = {"reduced_motion", "color_scheme", "forced_colors"}


@pytest.fixture
def opens(chromium: Browser, running: RunningTable) -> Iterator[Opens]:
    """Open a page of the table, in a browser of its own or in that of a phone."""
    with ExitStack() as made:
        wrong: list[str] = []

        def open_page(path: str, *, phone: BrowserContext | None = None, waits: bool = True, **options: Any) -> Page:
            media = {name: options.pop(name) for name in _MEDIA & options.keys()}
            size = options.pop("viewport", None)
            if phone is None:
                phone = chromium.new_context(viewport=PHONE, **options)
                made.callback(phone.close)
            page = phone.new_page()
            made.callback(page.close)
            if size:
                page.set_viewport_size(size)
            if media:
                page.emulate_media(**media)
            watched(page, wrong).goto(running.address.rstrip("/") + path)
            if waits:
                page.locator("body[data-ready], body[data-page=pair], .frames").first.wait_for()
            return page

        yield open_page
    assert wrong == []


@pytest.fixture
def paired(chromium: Browser, running: RunningTable) -> Iterator[Callable[..., BrowserContext]]:
    """Pair a phone by the PIN that the table's screen shows, and return its browser. It belongs to no card yet."""
    with ExitStack() as made:

        def pair(role: str, name: str, *, script: str | None = None) -> BrowserContext:
            """:param script: runs in each page before its own."""
            body = json.dumps({"role": role}).encode()
            with urllib.request.urlopen(running.address + "api/pairing", data=body, timeout=10) as answer:
                pin = json.load(answer)["pin"]
            phone = chromium.new_context(viewport=PHONE)
            made.callback(phone.close)
            if script:
                phone.add_init_script(script)
            assert phone.request.post(f"{running.address}api/pair", data={"pin": pin, "name": name}).ok
            return phone

        yield pair


def add_players(running: RunningTable, *names: str) -> None:
    for name in names:
        running.table.ask(NamePlayer(id=new_id(), at=1.0, name=name))
