"""The module for Foundry, as the table serves it, in chromium on another origin, against a stand-in."""

from __future__ import annotations

import io
import re
import urllib.request
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tableside.adapters.foundry.connection import FoundrySettings
from tableside.app.running_table import RunningTable
from tableside.dice import Die
from tableside.table.messages import ChangeRoll, CorrectDie, EnterRoll
from tests.browser.conftest import roll as read_roll
from tests.browser.conftest import running_table
from tests.fakes.http_sink import HttpSink

pytestmark = pytest.mark.browser
CLIENT = Path(__file__).with_name("foundry.js").read_text(encoding="utf-8")
SUCCESS, BLANK = Die(type="ability", face=("success",)), Die(type="ability", face=())
FORCE = Die(type="force", face=("light", "light"))


def pips(*faces: int) -> tuple[Die, ...]:
    return tuple(Die(type="pip", face=(str(face),)) for face in faces)


class World:
    """A browser in a Foundry world, beside a table."""

    def __init__(self, page: Page, table: RunningTable, address: str) -> None:
        self.page, self.table, self._address = page, table, address
        manifest = urllib.request.urlopen(f"{table.address}foundry/module.json").read().decode()
        download = re.findall(r'"download": ?"([^"]+)"', manifest)[0]
        packed = urllib.request.urlopen(download).read()
        self._module = zipfile.ZipFile(io.BytesIO(packed))
        self.source = self._module.read("tableside.js").decode()
        page.context.route("**/modules/tableside/*", self._file)

    def _file(self, route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(body=self._module.read(name), content_type="text/javascript")

    def load(self, *, symbols: bool = False, settings: str = "{}") -> None:
        """Open the world as its game master, or reload it; wait until the module has asked the table."""
        self._open(self.page, "gm", symbols=symbols, settings=settings)
        self.page.wait_for_function("game.settings.get('tableside', 'heard').next >= 0")

    def player(self, *, settings: str) -> Page:
        """Return another browser in the world, a player's."""
        page = self.page.context.new_page()
        self._open(page, "player", symbols=False, settings=settings)
        return page

    def _open(self, page: Page, user: str, *, symbols: bool, settings: str) -> None:
        page.goto(f"{self._address}/?{user}")
        page.add_script_tag(content=CLIENT)
        page.evaluate(f"game.i18n.words = {self._module.read('lang/en.json').decode()}")
        page.evaluate(f"Object.assign(world.settings, {settings}); {'playSymbols();' if symbols else ''}")
        page.evaluate("import('/modules/tableside/tableside.js').then(() => Hooks.callAll('init'))")
        page.evaluate("Hooks.callAll('ready')")

    def throw(self, *dice: Die, **more: Any) -> str:
        roll = str(uuid.uuid4())
        self.table.table.ask(EnterRoll(id=roll, at=1.0, dice=dice, **more))
        return roll

    def messages(self, condition: str) -> list[dict[str, Any]]:
        """Return the messages of the chat, once they fulfil a condition on ``all``."""
        self.page.wait_for_function(f"(() => {{ const all = shownMessages(); return {condition}; }})()")
        found: list[dict[str, Any]] = self.page.evaluate("shownMessages()")
        return found


@pytest.fixture
def world(tmp_path: Path, chromium: Browser) -> Iterator[World]:
    with ExitStack() as undo:
        foundry = HttpSink()
        undo.callback(foundry.close)
        table = running_table(tmp_path, connections={"foundry": FoundrySettings(origin=foundry.url)})
        undo.callback(table.close)
        context = chromium.new_context()
        undo.callback(context.close)
        page = context.new_page()
        yield World(page, table, foundry.url)


def test_throws_are_rolls_in_the_chat_and_none_is_lost_over_a_reload(world: World) -> None:
    world.throw(SUCCESS, label="before the module was there")
    world.load(symbols=True)
    roll = world.throw(SUCCESS, FORCE, label="<img src=x>")
    world.throw(SUCCESS, label="Ambush", is_hidden=True)
    (shown,) = world.messages("all.length")
    assert shown["dice"] == [["a", 2], ["m", 10]]  # letters and numbers of StarWarsFFG's dice
    assert "&lt;img src=x&gt;" in shown["flavor"]
    world.page.goto("about:blank")  # nobody asks for a while
    world.table.table.ask(CorrectDie(id=str(uuid.uuid4()), at=1.0, roll_id=roll, index=0, type="ability", face=()))
    world.throw(*pips(4, 6), game="d6-companion", ask={"pips": 2})
    world.throw(Die(type="d100", face=("10",)), Die(type="d10", face=("0",)))
    world.load(symbols=True)
    corrected, missed, percent = world.messages("all.length === 3 && all[0].dice[0][1] === 1")
    assert corrected["dice"] == [["a", 1], ["m", 10]]
    assert (missed["dice"], missed["content"]) == ([["d6", 4, 6]], "12")
    assert percent["dice"] == [["d100", 10]]
    world.table.table.ask(ChangeRoll(id=str(uuid.uuid4()), at=1.0, roll_id=roll, is_hidden=True))
    world.messages("all.length === 2")
    world.page.evaluate("""game.combat = {
        combatants: [{id: 'one', name: 'Vex'}], order: {},
        setInitiative: async (id, value) => { game.combat.order[id] = value; },
    }""")
    world.throw(SUCCESS, Die(type="ability", face=("advantage",)), label="vex", ask={"purpose": "initiative"})
    world.page.wait_for_function("game.combat.order.one === 1.01")  # as StarWarsFFG ranks one success, one advantage


def test_the_tray_answers_foundrys_own_roll(world: World) -> None:
    world.load(settings="{'core.diceConfiguration': {d6: 'tableside'}}")
    world.page.evaluate("void rollSheet(['d', 6, 2])")
    world.throw(*pips(1))  # too few: they are no answer
    (own,) = world.messages("all.length")
    assert own["dice"] == [["d6", 1]]
    assert "2d6" in world.page.evaluate("ui.notifications.told[0]")
    roll = world.throw(*pips(3, 5))
    _, attack = world.messages("all.length === 2")
    assert (attack["dice"], attack["flavor"], attack["content"]) == ([["d6", 3, 5]], "Attack", "8")
    world.table.table.ask(CorrectDie(id=str(uuid.uuid4()), at=1.0, roll_id=roll, index=0, type="pip", face=("4",)))
    _, noted = world.messages("all[1].flavor !== 'Attack'")
    assert noted["flavor"].startswith("Attack<p>Corrected at the table: ")


def test_the_tray_answers_a_system_of_symbol_dice_once_nothing_is_in_doubt(world: World) -> None:
    method = dict.fromkeys("acimp", "tableside")
    world.load(symbols=True, settings=f"{{'core.diceConfiguration': {method}}}")
    world.page.evaluate("""void rollSheet(['a', 8, 2], ['f', 12, 1]).then(
        () => rollSheet(['a', 8, 1], ['c', 12, 1], ['i', 8, 1], ['p', 12, 1])  // at once, as initiative for all does
    )""")
    world.throw(SUCCESS, FORCE, BLANK)
    (shown,) = world.messages("all.length")
    assert (shown["dice"], shown["flavor"]) == ([["a", 2, 1], ["m", 10]], "Attack")
    doubtful = read_roll(world.table, doubtful=True)
    _, question = world.messages("all.length === 2")
    assert "<strong>Being asked</strong>" in question["flavor"]
    settled = CorrectDie(
        id=str(uuid.uuid4()), at=1.0, roll_id=doubtful, index=3, type="proficiency", face=("advantage", "success")
    )
    world.table.table.ask(settled)
    _, attack = world.messages("all.length === 2 && all[1].flavor === 'Attack'")
    assert attack["dice"] == [["a", 2], ["c", 12], ["i", 7], ["p", 7]]


def test_the_game_masters_browser_hands_a_throw_to_the_player_whose_roll_waits(world: World) -> None:
    world.load()
    player = world.player(settings="{'core.diceConfiguration': {d6: 'tableside'}}")
    asked: list[str] = []
    player.on("request", lambda request: asked.append(request.url))
    player.evaluate("void rollSheet(['d', 6, 2])")
    world.page.wait_for_function("heard.some((told) => told.waits)")
    world.throw(*pips(3, 5))
    player.wait_for_function("shownMessages().length")
    assert player.evaluate("shownMessages()[0].dice") == [["d6", 3, 5]]
    world.throw(*pips(6))  # nobody waits for it
    (own,) = world.messages("all.length")
    assert own["dice"] == [["d6", 6]]
    assert not [url for url in asked if "/api/" in url]


def test_a_table_that_says_nothing_is_asked_one_question_at_a_time_and_is_said_to_be_lost(world: World) -> None:
    every, limit = (int(found) for found in re.findall(r"const (?:EVERY|LIMIT) = (\d+)", world.source))
    assert every + limit < 10_000
    world.load()
    asked: list[Route] = []
    world.page.evaluate(
        "const limit = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (ms) => limit(ms / 10)"
    )
    # it is never answered, as behind a cable that is out
    world.page.route("**/api/foundry/poll*", lambda route: asked.append(route))
    world.page.wait_for_function("ui.notifications.told.length > 0")
    assert len(asked) <= 2  # one every 50 ms would be 16 by then
    world.page.unroute("**/api/foundry/poll*")
    world.throw(*pips(4, 2))
    assert world.messages("all.length === 1")


def test_no_other_page_gets_an_answer(world: World, chromium: Browser) -> None:
    with ExitStack() as undo:
        stranger = HttpSink()
        undo.callback(stranger.close)
        page = chromium.new_page()
        undo.callback(page.close)
        page.goto(stranger.url)
        address = f"{world.table.address}api/foundry/poll"
        assert page.evaluate(f"() => fetch('{address}').then(() => 'read', () => 'refused')") == "refused"
