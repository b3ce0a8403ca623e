"""Make the guide's pictures anew: ``python docs/screenshots.py [FOLDER [NAME...]]``.

Needs chromium and the extra ``dev``. A whole table runs on the demo's own recorded rolls, so that every picture shows
what the program does today. Its people are made up.
"""

from __future__ import annotations

import base64
import functools
import html
import http.server
import json
import re
import shutil
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, Route, sync_playwright

from tableside import paths
from tableside.adapters.camera.folder import StillCamera
from tableside.adapters.camera.port import Camera
from tableside.adapters.discord.channel import photograph_of
from tableside.adapters.web.pairing import qr_rows
from tableside.adapters.webhook.signed import Webhook
from tableside.app.camera_setup import CardCheck
from tableside.app.readers import Reads, installed_sets, open_reader, read_file
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Die, Face, Reading, Status
from tableside.rules import find_game, game_names
from tableside.table import MemoryStore
from tableside.table.kept import Seen
from tableside.table.messages import (
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    CorrectDie,
    Do,
    DoPerson,
    EnterRoll,
    LaidDice,
    NamePlayer,
    NewRoll,
    Turn,
)
from tableside.table.shown import events_of
from tableside.tray.calibration import meters_of
from tableside.tray.card import GOOD_PAPER
from tableside.tray.frame import Frame

SCREEN, PHONE = (800, 480), (390, 844)
PATIENCE_MS = 60_000  # a page that lost a part of itself loads anew after a quarter of it
_LAPTOP, _FILM = (1280, 800), (960, 540)
_SURE, _DOUBTFUL, _FOUR_PIPS, _HEROIC = "roll-1.jpg", "roll-7.jpg", "roll-4.jpg", "roll-6.jpg"
_STEALTH, _LAID = "roll-2.jpg", "roll-1.jpg"
_FILM_FRAMES = 30
_PHOTOGRAPH = Path(__file__).parents[1] / "tests" / "photos" / "pips" / "IMG_20191209_100026.jpg"
"""Four pip dice by others (MIT, as ``tests/photos`` says)."""
_TABLE_BGR = (52, 82, 118)
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"]


def chromium() -> str:
    """Return the browser's program, without windows where it is installed: the same engine for half the work."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise SystemExit("chromium is missing. Install the Debian package chromium-headless-shell.")
    return found


def _new_id() -> str:
    return str(uuid.uuid4())


@functools.cache
def _reader(dice_set: str = "narrative", game: str = "narrative") -> Reads:
    return open_reader(installed_sets((dice_set,), paths.data_folder()), game=game)


_LOOKS = threading.Event()
"""The table's own camera looks at its tray."""


def _wait(seconds: float) -> None:
    time.sleep(seconds)
    _LOOKS.wait()


@contextmanager
def a_table(camera: Camera | None = None) -> Iterator[RunningTable]:
    """Run a table with a pool and two players; without a camera it looks at the demo's empty tray."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        settings = Settings(
            table=TableSettings(data=data, game="narrative"), web=WebSettings(port=0), pins=PinSettings(factory="mock")
        )
        reader = None if camera else _reader()
        camera = camera or StillCamera(paths.samples_folder() / "empty.jpg", fps=5, wait=_wait)
        _LOOKS.set()
        running = RunningTable(settings, store=MemoryStore(), camera=camera, reader=reader)
        try:
            running.start()
            for name in ("Vex", "Mara"):
                running.table.ask(NamePlayer(id=_new_id(), at=time.time(), name=name))
            _pool(running, 3, 2)
            yield running
        finally:
            _LOOKS.set()
            running.close()


def _pool(running: RunningTable, light: int, dark: int) -> None:
    running.table.ask(ChangeDestiny(id=_new_id(), at=time.time(), do=Do.SET, light=light, dark=dark))


def throw(running: RunningTable, photo: str, reader: Reads | None = None, *, wild: bool = False) -> Reading:
    """Hand in a recorded roll with its film, as the camera would.

    :param wild: the die with a six is painted red, as a Wild Die is.
    """
    picture, reading = read_file(reader or _reader(), paths.samples_folder() / photo)
    if wild:
        six = next(die for die in reading.dice if die.face == ("6",))
        picture = _painted_red(picture, np.asarray(six.outline, np.int32))
        # before it was painted no colour told which it is: there is nothing to ask any more
        others = (die for die in reading.dice if die is not six)
        known = [replace(die, status=Status.SURE, doubt=None, alternatives=()) for die in others]
        dice = (replace(six, type="wild", colour_bgr=(52, 42, 176)), *known)
        reading = replace(reading, dice=dice)
    roll_id = _new_id()
    running.pictures.keep(roll_id, picture)
    while running.replays.film(roll_id) is None:  # the tray's own camera may have cut it short
        for number in range(_FILM_FRAMES):
            running.replays.see(Frame.of(picture, number=number, time=number / _FILM_FRAMES))
        running.replays.rest(_FILM_FRAMES - 1)
        running.replays.keep(roll_id)
    running.table.ask(NewRoll(id=roll_id, at=time.time(), reading=reading, has_picture=True))
    return reading


def _answer(running: RunningTable) -> None:
    """Answer what is asked about the newest roll, as the reading says it."""
    roll = running.table.state.roll
    assert roll is not None
    for index, die in enumerate(roll.dice):
        if die.status is not Status.SURE:
            running.table.ask(
                CorrectDie(id=_new_id(), at=time.time(), roll_id=roll.id, index=index, type=die.type, face=die.face)
            )


def _painted_red(picture: Any, outline: Any) -> Any:
    """Return the picture with this part of it in red."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline, 255)
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    hsv[..., 0][mask > 0] = 178
    hsv[..., 1][mask > 0] = np.minimum(255, hsv[..., 1][mask > 0].astype(int) + 60)
    red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    red.setflags(write=False)
    return red


def _paired(browser: Browser, running: RunningTable, role: str, name: str) -> Page:
    body = json.dumps({"role": role}).encode()
    with urllib.request.urlopen(running.address + "api/pairing", data=body, timeout=10) as answer:
        pin = json.load(answer)["pin"]
    phone = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, color_scheme="dark")
    phone.request.post(f"{running.address}api/pair", data={"pin": pin, "name": name})
    page = phone.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{running.address}{role}")
    page.locator("body[data-ready]").wait_for()
    return page


def _screen(browser: Browser, running: RunningTable, path: str, size: tuple[int, int] = SCREEN) -> Page:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    page.goto(running.address.rstrip("/") + path)
    return page


def _table(browser: Browser, running: RunningTable) -> Page:
    _stealth(running)
    page = _screen(browser, running, "/")
    page.locator(".picture image").wait_for()
    return page


def _doubt(size: tuple[int, int]) -> Callable[[Browser, RunningTable], Page]:
    def shot(browser: Browser, running: RunningTable) -> Page:
        _evening(running)
        _call(running, "Lowhhrick", "Perception, the ambush", characteristic=3, difficulty="easy")
        throw(running, _DOUBTFUL)
        page = _screen(browser, running, "/", size)
        page.locator(".choice .came").first.wait_for()
        return page

    return shot


def _call(running: RunningTable, player: str, label: str, **answers: Any) -> None:
    """Call a roll; of somebody of the scene where there is one of that name."""
    who = next((person.id for person in running.table.state.people if person.name == player), "")
    named = {"who": who} if who else {"player": player}
    more = {name: answers.pop(name) for name in ("skill_name", "weapon", "against", "by") if name in answers}
    skill = more.pop("skill_name", "")
    ask = CallRoll(
        id=_new_id(), at=time.time(), skill=skill, label=label, ask=answers, odds_for=Seen.ALL, **named, **more
    )
    running.table.ask(ask)


def _by_hand(running: RunningTable, *dice: tuple[str, Face]) -> None:
    entered = tuple(Die(type=kind, face=face) for kind, face in dice)
    running.table.ask(EnterRoll(id=_new_id(), at=time.time(), dice=entered, uses_ask=True))


def _game(running: RunningTable, name: str) -> None:
    running.table.ask(ChooseGame(id=_new_id(), at=time.time(), game=name))


def _add(running: RunningTable, name: str, kind: str = "player", *, game: str = "narrative", **form: Any) -> str:
    """Bring somebody into the scene and return the id."""
    person = {"name": name, "kind": kind, "game": game, **_looks().get(name, {}), **form}
    said = ChangePerson(id=_new_id(), at=time.time(), do=DoPerson.ADD, person=person)
    return running.table.ask(said).people[-1].id


@functools.cache
def _looks() -> dict[str, dict[str, str]]:
    """Return colour and emblem of each ready hero, and of those who stand against them."""
    foe = {"colour": "slate", "emblem": "skull"}
    looks = dict.fromkeys(("Troopers", "Sergeant", "Scout", "Ogre", "Pilot"), foe)
    for name in game_names():
        for hero in find_game(name).ready.heroes:
            looks[hero.name] = {"colour": hero.colour, "emblem": hero.emblem}
    return looks


def _gauges(**values: tuple[int, int]) -> dict[str, Any]:
    return {"trackers": {name: {"value": value, "most": most} for name, (value, most) in values.items()}}


def _evening(running: RunningTable) -> None:
    """Bring the people of the pictures into the scene, and roll a little."""
    _people(running)
    for name, wounds, strain in (
        ("Oskara", (3, 12), (7, 12)),
        ("Lowhhrick", (9, 16), (2, 10)),
        ("Ilun", (0, 10), (1, 11)),
    ):
        _add(running, name, **_gauges(wounds=wounds, strain=strain))
    for who, label, dice in (
        ("Oskara", "Medicine", [("ability", ("success",)), ("ability", ("advantage",)), ("difficulty", ())]),
        ("Vex", "Cool", [("ability", ("success", "success")), ("difficulty", ())]),
        (
            "Ilun",
            "Computers",
            [("proficiency", ("triumph",)), ("ability", ("success", "success")), ("difficulty", ())],
        ),
        ("Lowhhrick", "Athletics", [("ability", ("success",)), ("difficulty", ("threat", "threat"))]),
        ("Oskara", "Mechanics", [("ability", ("advantage",)), ("difficulty", ("failure",))]),
    ):
        _call(running, who, label)
        _by_hand(running, *dice)


def _stealth(running: RunningTable) -> None:
    _evening(running)
    _call_stealth(running)
    throw(running, _STEALTH)


def _asked(running: RunningTable) -> None:
    _call(running, "Oskara", "Mechanics, the door lock", by="Mara",
          characteristic=3, skill=1, difficulty="average", boost=1, setback=1)  # fmt: skip


_POINTS = {"force_points": {"value": 1}, "character_points": {"value": 4}}


def _awaits(running: RunningTable) -> None:
    _game(running, "d6-wild")
    _add(running, "Rook", game="d6-wild", trackers=_POINTS)
    _call(running, "Rook", "Piloting 4D, the asteroid field", difficulty=17, code="4D")
    throw(running, _FOUR_PIPS, _reader("pips", "d6-wild"), wild=True)


def _heroic(running: RunningTable) -> None:
    _game(running, "heroic")
    sword = {"purpose": "attack", "power": "basic_melee", "damage_ability": 3}
    _add(running, "Brannoc", game="heroic", skills=[{"name": "Athletics", "ask": {"ability": 3, "skill": 3}}],
                  weapons=[{"name": "Sword", "skill": "Athletics", "ask": sword}])  # fmt: skip
    ogre = _add(
        running, "Ogre", "person", game="heroic", defences={"threshold": 5}, trackers={"condition": {"value": 1}}
    )
    _add(running, "Sefa", game="heroic")
    for who in ("Brannoc", "Sefa"):
        running.table.ask(ChangeInitiative(id=_new_id(), at=time.time(), do=Turn.ADD, rank=(2, 1), who=who))
    _call(running, "Ogre", "Club", purpose="attack")
    _by_hand(running, ("ability", ("advantage",)), ("difficulty", ("failure",)))
    _call(running, "Sefa", "Save, frost", purpose="save")
    _by_hand(running, ("ability", ("success",)))
    pool = {"boost": 1, "challenge": 2}
    _call(running, "Brannoc", "Sword against the ogre", weapon="Sword", against=ogre, dice=pool)
    throw(running, _HEROIC)
    _answer(running)


def _d6(running: RunningTable) -> None:
    _game(running, "d6-companion")
    game = {"game": "d6-companion"}
    blaster = {"name": "Blaster pistol", "skill": "Blaster", "ask": {"difficulty": 13},
               "damage": {"code": "4D", "purpose": "damage"}}  # fmt: skip
    skills = [("Blaster", "4D+1"), ("Dodge", "4D"), ("Search", "3D+2"), ("Sneak", "3D"), ("Strength", "2D+1")]
    _add(running, "Kesh", skills=[{"name": name, "ask": {"code": code}} for name, code in skills], weapons=[blaster],
         trackers=_POINTS, **game)  # fmt: skip
    for name in ("Rook", "Pilot"):
        _add(running, name, trackers=_POINTS, **game)
    scout = _add(running, "Scout", "person", skills=[{"name": "Strength", "ask": {"code": "2D"}}], **game)
    for who, label, difficulty, faces in (
        ("Rook", "Sensors 4D", 11, "6542"), ("Kesh", "Search 3D+2", 10, "321"),
        ("Rook", "Piloting 5D", 15, "66432"), ("Kesh", "Dodge 4D", None, "6442"), ("Scout", "Blaster 3D", 13, "432"),
    ):  # fmt: skip
        _call(running, who, label, code=f"{len(faces)}D", **({"difficulty": difficulty} if difficulty else {}))
        _by_hand(running, *[("pip", (face,)) for face in faces])
    _call(running, "Kesh", "Blaster 4D+1 at the scout", weapon="Blaster pistol", against=scout)
    throw(running, str(_PHOTOGRAPH), _reader("pips", "d6-companion"))


def _initiative(running: RunningTable) -> None:
    _people(running)
    for name, kind, wounds in (
        ("Oskara", "player", (3, 12)), ("Lowhhrick", "player", (14, 16)), ("Sergeant", "person", (2, 14))
    ):  # fmt: skip
        _add(running, name, kind, **_gauges(wounds=wounds))
    order = (((3, 2), "Vex", "player"), ((2, 0), "Troopers", "npc"), ((1, 2), "", "player"),
             ((1, 0), "Sergeant", "npc"), ((0, 1), "", "player"))  # fmt: skip
    for rank, who, side in order:
        add = ChangeInitiative(id=_new_id(), at=time.time(), do=Turn.ADD, rank=rank, who=who, side=side)
        running.table.ask(add)
    for _ in range(2):
        running.table.ask(ChangeInitiative(id=_new_id(), at=time.time(), do=Turn.NEXT))


def _triumph(running: RunningTable) -> None:
    _call(running, "Ilun", "Computers, the vault")
    helps = (("proficiency", ("triumph",)), ("proficiency", ("success", "success")),
             ("ability", ("success", "success")), ("boost", ()))  # fmt: skip
    _by_hand(running, *helps, ("difficulty", ("failure",)), ("difficulty", ("threat",)))


def _despair(running: RunningTable) -> None:
    _call(running, "Oskara", "Ranged, the running thief")
    helps = (("proficiency", ("triumph",)), ("proficiency", ("advantage", "advantage")), ("ability", ()))
    _by_hand(running, *helps, ("challenge", ("despair",)), ("difficulty", ("failure", "failure")),
             ("setback", ("failure",)))  # fmt: skip


_HOLD = """const real = window.setTimeout;
window.setTimeout = (act, ms, ...more) => (ms >= 1200 && ms <= 1600 ? 0 : real(act, ms, ...more));"""
"""Keeps a moment from ending: its die stays."""


def _moment(prepare: Callable[[RunningTable], None], mood: str) -> Callable[[Browser, RunningTable], Page]:
    """Return what shows a result while the die of its last mood is still large."""

    def shot(browser: Browser, running: RunningTable) -> Page:
        _evening(running)
        page = browser.new_page(viewport={"width": SCREEN[0], "height": SCREEN[1]}, color_scheme="dark")
        page.add_init_script(_HOLD)
        page.goto(running.address)
        page.locator("body[data-ready]").wait_for()
        prepare(running)
        page.locator(f'#edge[data-shining][data-moods~="{mood}"]').wait_for()
        page.locator("#star svg").wait_for()
        return page

    return shot


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


def _laid(browser: Browser, running: RunningTable) -> Page:
    """A call with dice in the tray. This table's camera sees an empty one: picture and dice are handed in."""
    page = _state(_asked)(browser, running)
    _LOOKS.clear()
    time.sleep(1)  # what it saw last is told
    picture = (paths.samples_folder() / _LAID).read_bytes()
    page.route("**/api/tray/picture", lambda route: route.fulfill(body=picture, content_type="image/jpeg"))
    running.table.ask(LaidDice(at=time.time(), dice={"proficiency": 1, "ability": 2, "difficulty": 2}))
    page.locator(".laid", has_text="in the tray").wait_for()
    return page


def _spends(browser: Browser, running: RunningTable) -> Page:
    """All that a roll may buy, one of it bought."""
    _people(running)
    _call(running, "Vex", "Stealth past the guards", in_fight=True)
    _by_hand(running, ("proficiency", ("triumph",)), ("proficiency", ("advantage", "advantage")),
             ("ability", ("success", "success")), ("boost", ("advantage",)), ("difficulty", ("failure",)))  # fmt: skip
    roll = running.table.state.roll
    assert roll is not None
    running.table.ask(BuySpend(id=_new_id(), at=time.time(), roll_id=roll.id, name="boost_next_ally"))
    page = _state(lambda _: None)(browser, running)
    page.locator("#spends").click()
    page.locator(".spend-grid .spend").first.wait_for()
    return page


def _gm_fight(browser: Browser, running: RunningTable) -> Page:
    """The order of turns on the game master's phone."""
    _initiative(running)
    page = _paired(browser, running, "gm", "Game master")
    page.locator("#pane-now").get_by_text("Sergeant").first.wait_for()
    return page


def _fight(running: RunningTable) -> None:
    """A hit in a fight, on the table's screen."""
    ids = _scene(running)
    for rank, who, side in (((3, 1), "Oskara", "player"), ((2, 0), "Troopers", "npc"), ((1, 2), "Vex", "player")):
        add = ChangeInitiative(id=_new_id(), at=time.time(), do=Turn.ADD, rank=rank, who=who, side=side)
        running.table.ask(add)
    _hit(running, ids)


def _phone_result(browser: Browser, running: RunningTable) -> Page:
    """A player's phone after a throw of its own."""
    page = _phone_of_vex(browser, running)
    _call_stealth(running)
    throw(running, _STEALTH)
    page.locator("[data-now=spend], [data-now=result]").first.wait_for()
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
        person |= {"game": "narrative", **_looks()[str(person["name"])]}
        said = ChangePerson(id=_new_id(), at=time.time(), do=DoPerson.ADD, person=person)
        running.table.ask(said)


def _player(browser: Browser, running: RunningTable) -> Page:
    """A player's phone that is called."""
    page = _phone_of_vex(browser, running)
    _call_stealth(running)
    page.locator("[data-now=throw]").first.wait_for()
    return page


def _phone_of_vex(browser: Browser, running: RunningTable) -> Page:
    _people(running)
    page = _paired(browser, running, "player", "Vex")
    vex = next(person.id for person in running.table.state.people if person.name == "Vex")
    page.request.post(f"{running.address}api/me", data={"person": vex})
    page.reload()
    page.locator("body[data-ready]").wait_for()
    return page


def _call_stealth(running: RunningTable) -> None:
    _call(running, "Vex", "Stealth past the guards", skill_name="Stealth",
          difficulty="average", upgrade_difficulty=1, boost=1, setback=1)  # fmt: skip


def _gm(browser: Browser, running: RunningTable) -> Page:
    _people(running)
    page = _paired(browser, running, "gm", "Game master")
    page.locator('.upright[data-who="Vex"]').click()
    page.locator(".skill", has_text="Stealth").click()
    page.locator(".odds-large", has_text="%").wait_for()
    return page


def _compose_d6(browser: Browser, running: RunningTable) -> Page:
    _d6(running)
    running.table.ask(CallRoll(id=_new_id(), at=time.time()))
    page = _paired(browser, running, "gm", "Game master")
    page.locator('.upright[data-who="Kesh"]').click()
    page.locator('.skill[data-skill="Search"]').click()
    page.locator('.band[data-band="moderate"]').click()
    page.locator(".odds-large", has_text="%").wait_for()
    return page


def _list_of_people(browser: Browser, running: RunningTable) -> Page:
    _evening(running)
    _add(running, "Sergeant", "person", **_gauges(wounds=(0, 14)))
    _add(running, "The Lark", "thing", **_gauges(hull=(6, 22), system_strain=(3, 18)))
    page = _paired(browser, running, "gm", "Game master")
    page.locator(".tabs button", has_text="Cast").click()
    page.locator(".person-row").first.wait_for()
    return page


def people_of_the_evening() -> list[dict[str, Any]]:
    """Return whom docs/evening.md brings in: two ready heroes, and a ready group."""
    ready = find_game("narrative").ready
    return [one.form_without("id") for one in (*ready.heroes[:2], ready.opponents[0])]


def _scene(running: RunningTable) -> dict[str, str]:
    """Bring the people and the pool of docs/evening.md to the table, and return the people's ids by name."""
    page = (Path(__file__).parent / "evening.md").read_text(encoding="utf-8")
    for person in people_of_the_evening():
        running.table.ask(ChangePerson(id=_new_id(), at=time.time(), do=DoPerson.ADD, person=person))
    ((light, dark),) = re.findall(r"here (\d+) light and (\d+) dark", page)
    _pool(running, int(light), int(dark))
    return {person.name: person.id for person in running.table.state.people}


def _evening_call(browser: Browser, running: RunningTable) -> Page:
    """Two taps from a call: who, and what for."""
    _scene(running)
    page = _paired(browser, running, "gm", "Game master")
    page.locator('.upright[data-who="Oskara"]').click()
    page.locator('.skill[data-skill="Mechanics"]').click()
    page.locator(".pool-die").first.wait_for()
    return page


def _evening_pool(running: RunningTable) -> None:
    """The throw that makes the pool, which is empty before."""
    _scene(running)
    _pool(running, 0, 0)
    _call(running, "", "Destiny", purpose="destiny", players=2)
    _by_hand(running, ("force", ("light", "light")), ("force", ("dark",)))


def _evening_asked(running: RunningTable) -> None:
    _scene(running)
    _call(running, "Oskara", "the door", skill_name="Mechanics", by="Mara", difficulty="average")


def _evening_result(running: RunningTable) -> None:
    """An advantage is left to spend."""
    _evening_asked(running)
    _by_hand(running, ("ability", ("success", "success")), ("proficiency", ("advantage",)), ("proficiency", ()),
             ("difficulty", ("failure",)), ("difficulty", ()))  # fmt: skip


def _hit(running: RunningTable, ids: Mapping[str, str]) -> None:
    ask = CallRoll(id=_new_id(), at=time.time(), who=ids["Oskara"], weapon="Carbine", against=ids["Troopers"])
    running.table.ask(ask)
    _by_hand(running, ("ability", ("success",)), ("ability", ("advantage", "advantage")),
             ("proficiency", ("success", "success")), ("difficulty", ("threat",)), ("difficulty", ()))  # fmt: skip


def _pairing(browser: Browser, running: RunningTable) -> Page:
    """The dialog of a table that phones can reach: this one listens to its own machine, so its answer is made up."""
    url = "http://192.0.2.17:8000/pair"
    offer = {"pin": "421387", "role": "player", "seconds": 120, "url": url, "qr": qr_rows(f"{url}#421387"),
             "reachable": True, "paired": [], "phones": []}  # fmt: skip
    page = _screen(browser, running, "/")
    page.route("**/api/pairing*", lambda route: route.fulfill(json=offer))
    page.locator("#menu").click()
    page.locator(".menu-rail [data-group=phones]").click()
    page.locator(".menu .qr").wait_for()
    return page


def _discord(browser: Browser, running: RunningTable) -> Page:
    """The photograph that goes to Discord, by itself."""
    _stealth(running)
    roll = running.table.state.roll
    assert roll is not None
    data = base64.b64encode(photograph_of(roll, running.pictures.path(roll.id))).decode()
    page = browser.new_page()
    page.set_content(
        f'<body style="margin:0"><img width="270" style="display:block" src="data:image/jpeg;base64,{data}">'
    )
    box = page.locator("img").bounding_box()
    assert box is not None
    page.set_viewport_size({"width": int(box["width"]), "height": int(box["height"])})
    return page


_REQUEST = """<body style="margin:0;background:#15181d;color:#f2efe6;font:15px/1.5 'DejaVu Sans Mono',monospace">
<pre style="margin:0;padding:20px 24px;white-space:pre-wrap;overflow-wrap:anywhere">{}</pre>"""
_TOLD = ("by", "label", "headline", "sentence", "net")


def _webhook(browser: Browser, running: RunningTable) -> Page:
    """What a program gets of a roll: its headers, and the parts of its body that say most."""
    _stealth(running)
    got: list[tuple[dict[str, str], dict[str, Any]]] = []

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever).start()
        sender = Webhook(f"http://127.0.0.1:{server.server_port}/dice", key=bytes(32), table="Table 3")
        change = running.table.saved_since(0, limit=1000)[-1]
        for event in events_of(change, find_roll=running.table.find_roll):
            sender.send(event)
        sender.close()
        server.shutdown()
    headers, body = got[0]
    roll = {name: body["roll"][name] for name in _TOLD}
    dice = [json.dumps({"type": die["type"], "face": die["face"]}) for die in body["roll"]["dice"]]
    net = {name: count for name, count in roll["net"].items() if count}
    told = json.dumps({**body, "roll": {**roll, "net": net, "dice": []}}, indent=2, ensure_ascii=False)
    told = told.replace('"dice": []', '"dice": [\n      ' + ",\n      ".join(dice) + "\n    ]")
    lines = ["POST /dice", *(f"{name}: {value}" for name, value in headers.items() if "webhook-" in name), "", told]
    page = browser.new_page(viewport={"width": 900, "height": 600})
    page.set_content(_REQUEST.format(html.escape("\n".join(lines))))
    box = page.locator("pre").bounding_box()
    assert box is not None
    page.set_viewport_size({"width": 900, "height": int(box["height"])})
    return page


_A_FILM = "document.documentElement.style.background = '#8d8a7c'"
"""Puts something behind a transparent page."""
_WALL = "ground=0b0e13&at=center&side=below&size=200&seconds=always&show=film,who,words,symbols,dice,sentence"


def _overlay(prepare: Callable[[RunningTable], None], asks: str = "") -> Callable[[Browser, RunningTable], Page]:
    """Return what shows a roll over a film, or on a wall."""

    def shot(browser: Browser, running: RunningTable) -> Page:
        prepare(running)
        page = _screen(browser, running, f"/overlay?{asks}", _FILM)
        if "ground" not in asks:
            page.evaluate(_A_FILM)
        page.locator(".plate .die").first.wait_for()
        return page

    return shot


_SLOW = "const real = performance.now(); requestAnimationFrame = (draw) => setTimeout(() => draw(real), 50);"
"""Keeps a film at its first picture."""


def _overlay_film(browser: Browser, running: RunningTable) -> Page:
    _evening(running)
    page = browser.new_page(viewport={"width": _FILM[0], "height": _FILM[1]})
    page.add_init_script(_SLOW)
    page.goto(running.address + "overlay")
    page.locator("body[data-ready]").wait_for()
    page.evaluate(_A_FILM)
    _call(running, "Vex", "Stealth past the guards", skill_name="Stealth")
    throw(running, _STEALTH)
    page.locator("#film[data-picture]").wait_for()
    return page


def _asked_about(running: RunningTable) -> None:
    _evening(running)
    _call(running, "Lowhhrick", "Perception, the ambush")
    throw(running, _DOUBTFUL)


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
    page = browser.new_page(viewport={"width": SCREEN[0], "height": SCREEN[1]})
    page.set_default_timeout(PATIENCE_MS)
    page.route("**/api/setup", _focused())
    page.goto(running.address + "setup")
    page.locator("#live[src*='picture']").wait_for()
    page.locator("#advice:not(:empty)").wait_for()
    page.locator("#sharpness-now", has_text="Sharp").wait_for()
    page.locator("#find").click()
    page.locator("#corners circle").first.wait_for()
    return page


def _setup_card(browser: Browser, running: RunningTable) -> Page:
    """The test card on a table: its own drawing, looked at and read as any picture is."""
    page = browser.new_page(viewport={"width": SCREEN[0], "height": SCREEN[1]})
    page.goto(running.address + "setup/card.svg")
    sheet = cv2.imdecode(np.frombuffer(page.locator("svg").screenshot(scale="css"), np.uint8), cv2.IMREAD_COLOR)
    seen = np.full((960, 1280, 3), _TABLE_BGR, np.uint8)
    paper = cv2.resize(sheet, (1060, 750), interpolation=cv2.INTER_AREA)
    seen[105:855, 110:1170] = np.rint(paper * (190 / 255) + 20)
    frame = Frame.of(cv2.GaussianBlur(seen, (0, 0), 0.7), number=0, time=0.0)
    sets = installed_sets((), paths.data_folder())
    report = CardCheck(lambda: open_reader(sets), lambda: sets).look(frame)
    if report is None:
        raise SystemExit("The card is not seen in its own picture.")

    now = {
        "camera": "drawn", "view": None, "found": None, "made": None, "moving": False, "card": report.to_json(),
        "good_light": list(GOOD_PAPER), "proofs": [], "throws": [], "throws_wanted": 3, "throws_advice": None,
        "meters": meters_of(frame.picture).to_json(),
    }  # fmt: skip
    jpeg = cv2.imencode(".jpg", frame.picture)[1].tobytes()
    page.route("**/api/setup", lambda route: route.fulfill(json=now))
    page.route("**/api/setup/picture*", lambda route: route.fulfill(body=jpeg, content_type="image/jpeg"))
    page.goto(running.address + "setup")
    page.locator("#corners circle[data-read]").first.wait_for()
    return page


def _focused() -> Callable[[Route], None]:
    """Return a lens that is turned: sharpness says something only once there was a less sharp picture."""
    shares = iter([0.5])

    def answer(route: Route) -> None:
        told = route.fetch()
        found = told.json()
        if found.get("meters"):
            found["meters"]["sharpness"] *= next(shares, 1)
        route.fulfill(response=told, json=found)

    return answer


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
    "host": _state(lambda _: None, size=_LAPTOP),
    "fight": _state(_fight, size=_LAPTOP),
    "phone-result": _phone_result,
    "table": _table,
    "doubt": _doubt(SCREEN),
    "player": _player,
    "gm": _gm,
    "gm-compose-d6": _compose_d6,
    "gm-people": _list_of_people,
    "setup": _setup,
    "setup-card": _setup_card,
    "pairing": _pairing,
    "overlay": _overlay(_stealth),
    "overlay-film": _overlay_film,
    "overlay-doubt": _overlay(_asked_about),
    "overlay-wall": _overlay(_stealth, _WALL),
    "discord": _discord,
    "webhook": _webhook,
    "teach": _teach,
    "hall": _hall,
    "evening-call": _evening_call,
    "evening-pool": _state(_evening_pool),
    "evening-asked": _state(_evening_asked),
    "evening-result": _state(_evening_result),
    "table-result-light": _state(_stealth, theme="light"),
    "table-result-de": _state(_stealth, path="/?lang=de"),
    "table-asked": _laid,
    "table-awaits": _state(_awaits),
    "table-heroic": _state(_heroic),
    "table-d6": _state(_d6),
    "table-initiative": _state(_initiative),
    "table-television": _state(_stealth, size=(1920, 1080)),
    "table-spends": _spends,
    "gm-fight": _gm_fight,
    "table-triumph": _moment(_triumph, "triumph"),
    "table-despair": _moment(_despair, "despair"),
}


@contextmanager
def shown(name: str, browser: Browser) -> Iterator[Page]:
    """Show what a picture is of, at a table of its own."""
    before = browser.contexts
    with a_table() as running:
        try:
            yield SHOTS[name](browser, running)
        finally:
            for context in [one for one in browser.contexts if one not in before]:
                for page in context.pages:
                    page.unroute_all(behavior="ignoreErrors")
                context.close()


def main(folder: Path, names: Sequence[str] = ()) -> None:
    """Write the named pictures into the folder, or every one."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for name in names or SHOTS:
            path = folder / f"{name}.png"
            with shown(name, browser) as page:
                page.wait_for_timeout(600)  # fades have ended
                page.screenshot(path=path)
            _shrink(path)
        browser.close()


def _shrink(path: Path) -> None:
    """Keep the picture in the 256 colours nearest to its own, in few bytes; one of a television in half its size."""
    with Image.open(path) as picture:
        half = (picture.width // 2, picture.height // 2)
        few = (picture.resize(half) if picture.width > _LAPTOP[0] else picture).convert("RGB").quantize(256, kmeans=1)
    few.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures", sys.argv[2:])
