"""Make the guide's pictures anew: ``python docs/screenshots.py [FOLDER]``. Needs chromium and the extra ``dev``.

A whole table runs on the demo's own recorded rolls, so that every picture shows what the program does today.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tableside import paths
from tableside.adapters.camera import Camera, StillCamera
from tableside.adapters.web.access import qr_rows
from tableside.app.reading import Reads, installed_sets, open_reader, read_file
from tableside.app.table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Die, Face, Reading
from tableside.table import MemoryStore
from tableside.table.messages import (
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    Do,
    DoPerson,
    EnterRoll,
    NamePlayer,
    NewRoll,
    SetAsk,
    Turn,
)
from tableside.table.play import Seen

SCREEN, PHONE = (800, 480), (390, 844)
_SURE, _DOUBTFUL, _FOUR_PIPS = "roll-1.jpg", "roll-7.jpg", "roll-4.jpg"
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"]


def chromium() -> str:
    """Return the browser's program, without windows where it is installed: the same engine for half the work."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise SystemExit("chromium is missing. Install the Debian package chromium-headless-shell.")
    return found


def _new_id() -> str:
    return str(uuid.uuid4())


@cache
def _reader() -> Reads:
    return open_reader(installed_sets(("narrative",), paths.data_folder()), game="narrative")


@contextmanager
def a_table(camera: Camera | None = None) -> Iterator[RunningTable]:
    """Run a table with a pool and two players; without a camera it looks at the demo's empty tray."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        settings = Settings(
            table=TableSettings(data=data, game="narrative"), web=WebSettings(port=0), pins=PinSettings(factory="mock")
        )
        reader = None if camera else _reader()
        camera = camera or StillCamera(paths.samples_folder() / "empty.jpg", fps=5)
        running = RunningTable(settings, store=MemoryStore(), camera=camera, reader=reader)
        try:
            running.start()
            for name in ("Vex", "Mara"):
                running.table.ask(NamePlayer(id=_new_id(), at=time.time(), name=name))
            running.table.ask(ChangeDestiny(id=_new_id(), at=time.time(), do=Do.SET, light=3, dark=2))
            yield running
        finally:
            running.close()


def throw(running: RunningTable, photo: str) -> Reading:
    """Hand in a recorded roll as the camera would."""
    picture, reading = read_file(_reader(), paths.samples_folder() / photo)
    roll_id = _new_id()
    running.pictures.keep(roll_id, picture)
    running.table.ask(NewRoll(id=roll_id, at=time.time(), reading=reading, has_picture=True))
    return reading


def _paired(browser: Browser, running: RunningTable, role: str, name: str) -> Page:
    body = json.dumps({"role": role}).encode()
    with urllib.request.urlopen(running.address + "api/pairing", data=body, timeout=10) as answer:
        pin = json.load(answer)["pin"]
    page = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}).new_page()
    page.goto(f"{running.address}pair#{pin}")
    page.locator("#name").fill(name)
    page.locator("button.primary").click()
    page.wait_for_url(f"**/{role}")
    page.locator("body[data-ready]").wait_for()
    return page


def _screen(browser: Browser, running: RunningTable, path: str, size: tuple[int, int] = SCREEN) -> Page:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(running.address.rstrip("/") + path)
    return page


def _table(browser: Browser, running: RunningTable) -> Page:
    throw(running, _SURE)
    page = _screen(browser, running, "/")
    page.locator(".picture image").wait_for()
    return page


def _doubt(browser: Browser, running: RunningTable) -> Page:
    throw(running, _DOUBTFUL)
    page = _screen(browser, running, "/")
    page.locator(".choice").first.wait_for()
    return page


def _call(running: RunningTable, player: str, label: str, **answers: Any) -> None:
    ask = SetAsk(id=_new_id(), at=time.time(), player=player, label=label, answers=answers, odds_for=Seen.ALL)
    running.table.ask(ask)


def _by_hand(running: RunningTable, *dice: tuple[str, Face]) -> None:
    entered = tuple(Die(type=kind, face=face) for kind, face in dice)
    running.table.ask(EnterRoll(id=_new_id(), at=time.time(), dice=entered, uses_ask=True))


def _game(running: RunningTable, name: str) -> None:
    running.table.ask(ChooseGame(id=_new_id(), at=time.time(), game=name))


def _asked(running: RunningTable) -> None:
    _call(running, "Oskara", "Mechanics, the door lock",
          characteristic=3, skill=1, difficulty="average", boost=1, setback=1)  # fmt: skip


def _awaits(running: RunningTable) -> None:
    _game(running, "d6-wild")
    _call(running, "Rook", "Piloting 4D, the asteroid field", difficulty=17, code="4D")
    _by_hand(running, ("pip", ("4",)), ("pip", ("3",)), ("pip", ("1",)), ("wild", ("6",)))


def _heroic(running: RunningTable) -> None:
    _game(running, "heroic")
    _call(running, "Brakka", "Sword against the ogre", purpose="attack")
    _by_hand(running, *[("proficiency", ("success", "success"))] * 2, ("proficiency", ("advantage",)), ("boost", ()),
             ("challenge", ("threat", "threat")), ("challenge", ("threat",)))  # fmt: skip


def _d6(running: RunningTable) -> None:
    _game(running, "d6-companion")
    _call(running, "Kesh", "Blaster 4D+1 at the scout", difficulty=13, code="4D+1")
    _by_hand(running, *[("pip", (str(n),)) for n in (6, 4, 3, 1)])


def _initiative(running: RunningTable) -> None:
    for rank, who in (((3, 1), "Vex"), ((2, 0), ""), ((1, 2), "Mara"), ((1, 1), "")):
        running.table.ask(ChangeInitiative(id=_new_id(), at=time.time(), do=Turn.ADD, rank=rank, who=who))
    running.table.ask(ChangeInitiative(id=_new_id(), at=time.time(), do=Turn.NEXT))


def _triumph(running: RunningTable) -> None:
    _call(running, "Vex", "The last jump")
    _by_hand(running, ("proficiency", ("triumph",)), ("challenge", ("despair",)), ("ability", ("success", "success")),
             ("ability", ("advantage", "advantage")))  # fmt: skip


def _rolls(running: RunningTable) -> None:
    for photo, player, label in (
        ("roll-3.jpg", "Oskara", "Mechanics"),
        ("roll-5.jpg", "Lowhhrick", "Athletics"),
        ("roll-2.jpg", "Vex", "Stealth past the guards"),
    ):
        _call(running, player, label)
        throw(running, photo)


def _state(
    prepare: Callable[[RunningTable], None], *, size: tuple[int, int] = SCREEN, path: str = "/", theme: str = "dark"
) -> Callable[[Browser, RunningTable], Page]:
    """Return what shows the table screen in a state."""

    def shot(browser: Browser, running: RunningTable) -> Page:
        prepare(running)
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme="dark", reduced_motion="reduce"
        )
        context.add_init_script(f"localStorage.setItem('tableside.theme', '{theme}')")
        page = context.new_page()
        page.goto(running.address.rstrip("/") + path)
        page.locator("body[data-ready]").wait_for()
        return page

    return shot


def _past(browser: Browser, running: RunningTable) -> Page:
    """A roll of before, opened from the feed."""
    page = _state(_rolls)(browser, running)
    page.locator(".past-roll").first.click()
    page.locator("#back-to-now").wait_for()
    return page


def _people(running: RunningTable) -> None:
    """Add a player's character and a group that it shoots at."""
    skills = [("Stealth", 3, 2), ("Ranged light", 3, 1), ("Cool", 2, 1), ("Deception", 3, 0)]
    vex = {
        "name": "Vex", "kind": "player", "trackers": {"wounds": {"value": 5, "most": 12},
        "strain": {"value": 3, "most": 13}},
        "skills": [{"name": name, "ask": {"characteristic": rating, "skill": ranks}} for name, rating, ranks in skills],
    }  # fmt: skip
    troopers = {"name": "Troopers", "kind": "group", "members": 4, "defences": {"soak": 5},
                "trackers": {"wounds": {"value": 7, "most": 5}}}  # fmt: skip
    for person in (vex, troopers):
        said = ChangePerson(id=_new_id(), at=time.time(), do=DoPerson.ADD, person={**person, "game": "narrative"})
        running.table.ask(said)


def _player(browser: Browser, running: RunningTable) -> Page:
    _people(running)
    throw(running, _SURE)
    page = _paired(browser, running, "player", "Vex")
    page.locator(".skill-line").first.wait_for()
    return page


def _gm(browser: Browser, running: RunningTable) -> Page:
    _people(running)
    page = _paired(browser, running, "gm", "Game master")
    page.locator('.who-choice[data-who="Vex"]').click()
    page.locator(".skill", has_text="Stealth").click()
    page.locator(".odds-large small").wait_for()
    return page


def _scene(running: RunningTable) -> dict[str, str]:
    """Bring the people of docs/evening.md into the scene, and return their ids by name."""
    page = (Path(__file__).parent / "evening.md").read_text(encoding="utf-8")
    (people,) = re.findall(r"^```json\n(\[.*?\])\n```$", page, re.M | re.S)
    for person in json.loads(people):
        running.table.ask(ChangePerson(id=_new_id(), at=time.time(), do=DoPerson.ADD, person=person))
    return {person.name: person.id for person in running.table.state.people}


def _evening_call(browser: Browser, running: RunningTable) -> Page:
    """Two taps from a call: who, and what for."""
    _scene(running)
    page = _paired(browser, running, "gm", "Game master")
    page.locator("[data-who='Oskara']").click()
    page.locator("[data-skill='Mechanics']").click()
    page.locator(".pool-die").first.wait_for()
    return page


def _evening_hit(browser: Browser, running: RunningTable) -> Page:
    """A hit with its effect to apply."""
    ids = _scene(running)
    ask = SetAsk(id=_new_id(), at=time.time(), who=ids["Oskara"], weapon="Carbine", against=ids["Troopers"])
    running.table.ask(ask)
    _by_hand(running, ("ability", ("success",)), ("proficiency", ("success", "success")),
             ("proficiency", ("advantage", "advantage")), ("difficulty", ("threat",)), ("difficulty", ()))  # fmt: skip
    return _paired(browser, running, "gm", "Game master")


def _pairing(browser: Browser, running: RunningTable) -> Page:
    """The dialog of a table that phones can reach: this one listens to its own machine, so its answer is made up."""
    url = "http://192.0.2.17:8000/pair"
    offer = {"pin": "421387", "role": "player", "seconds": 120, "url": url, "qr": qr_rows(f"{url}#421387"),
             "reachable": True, "paired": ["Mara"]}  # fmt: skip
    page = _screen(browser, running, "/")
    page.route("**/api/pairing", lambda route: route.fulfill(json=offer))
    page.locator("#menu").click()
    page.get_by_text("Pair a player's phone").click()
    page.locator(".qr").wait_for()
    return page


def _overlay(browser: Browser, running: RunningTable) -> Page:
    throw(running, _SURE)
    page = _screen(browser, running, "/overlay", (1280, 720))
    page.evaluate("document.documentElement.style.background = 'linear-gradient(#7c8fa3, #b98f63)'")
    page.locator(".plate .die").first.wait_for()
    return page


def _teach(browser: Browser, running: RunningTable) -> Page:
    page = _screen(browser, running, "/setup/dice")
    page.locator("#type").fill("Bone")
    page.locator("#type").press("Tab")
    page.locator("#start").click()
    page.locator("#photo").set_input_files(paths.samples_folder() / _FOUR_PIPS)
    for number, face in enumerate("6314", start=1):
        page.locator("#namer-choice .number", has_text=face).click(timeout=60_000)
        page.locator("#take").click()
        page.locator("button.slot").nth(number - 1).wait_for(timeout=60_000)
    return page


def _setup(browser: Browser, running: RunningTable) -> Page:
    page = _screen(browser, running, "/setup")
    page.locator("#live[src*='picture']").wait_for()
    page.locator("#advice:not(:empty)").wait_for()
    page.locator("#find").click()
    page.locator("#corners circle").first.wait_for()
    return page


def _told(number: int, **result: Any) -> dict[str, Any]:
    """Return what a hall knows of a table of its broker."""
    shown = {"id": f"r{number}", "sure": True, "sentence": "", "game": "narrative"} | result
    return {
        "id": f"table-{number}", "name": f"Table {number}", "online": True, "revision": number, "age": 47.0 * number,
        "phase": "still", "game": "Narrative dice", "hidden": False, "destiny": {"light": number % 4, "dark": 2},
        "destiny_names": {"pool": "Destiny", "light": "Light", "dark": "Dark"}, "trouble": [], "recent": [],
        "result": shown if result else None,
    }  # fmt: skip


def _hall(browser: Browser, running: RunningTable) -> Page:
    """The wall of a hall with six tables, made up: this one has no broker."""
    pool = [
        {"type": kind, "face": face}
        for kind, face in [
            ("proficiency", ["triumph"]),
            ("ability", ["success", "success"]),
            ("difficulty", ["threat"]),
            ("setback", []),
        ]
    ]
    pips = [{"type": "pip", "face": [face]} for face in "6542"]
    won = {"headline": "Success", "outcome": "success", "succeeded": True, "dice": pool}
    lost = {"headline": "Failure", "outcome": "failure", "succeeded": False, "dice": pool[1:]}
    tables = [
        _told(1, **won, net={"success": 2, "threat": 1, "triumph": 1}, by="Vex", label="Stealth"),
        _told(2, **lost, net={"failure": 1, "advantage": 3}, by="Oskara", label="Charm"),
        _told(3, headline="17", outcome="", succeeded=None, net={"total": 17}, dice=pips, by="Kesh", label="Damage"),
        _told(4),
        _told(5, **won, net={"success": 1, "advantage": 1}, by="Mara", label="Piloting"),
        _told(6, **won, net={"success": 3}, by="Lowhhrick", label="Athletics"),
    ]  # fmt: skip
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(
        "window.SharedWorker = undefined; window.EventSource = class extends EventTarget { close() {} }"
    )
    told = {"broker": True, "up": True, "trouble": None, "tables": tables}
    page.route("**/api/hall", lambda route: route.fulfill(json=told))
    page.goto(running.address + "hall")
    page.locator(".tile .die").first.wait_for()
    return page


SHOTS: Mapping[str, Callable[[Browser, RunningTable], Page]] = {
    "table": _table,
    "doubt": _doubt,
    "player": _player,
    "gm": _gm,
    "setup": _setup,
    "pairing": _pairing,
    "overlay": _overlay,
    "teach": _teach,
    "hall": _hall,
    "evening-call": _evening_call,
    "evening-hit": _evening_hit,
    "table-past": _past,
    "table-result": _state(_rolls),
    "table-result-1280x800": _state(_rolls, size=(1280, 800)),
    "table-result-light": _state(_rolls, theme="light"),
    "table-result-de": _state(_rolls, path="/?lang=de"),
    "table-asked": _state(_asked),
    "table-awaits": _state(_awaits),
    "table-heroic": _state(_heroic),
    "table-d6": _state(_d6),
    "table-initiative": _state(_initiative),
    "table-triumph": _state(_triumph),
}


def main(folder: Path) -> None:
    """Write every picture into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for name, shot in SHOTS.items():
            with a_table() as running:
                page = shot(browser, running)
                page.set_default_timeout(15_000)
                page.wait_for_timeout(600)  # fades have ended
                path = folder / f"{name}.png"
                page.screenshot(path=path)
                page.context.close()
            _shrink(path)
        browser.close()


def _shrink(path: Path) -> None:
    """Keep the picture in 256 colours, with as few bytes as PNG allows."""
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(256)
    few.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
