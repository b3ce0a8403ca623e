"""An evening at a running table, in words that a reader at a real table would use.

People are added, rolls called, spends bought and effects applied over HTTP by paired phones. The destiny button is a
drawn pin. Dice lie before a drawn camera, or are entered by hand. The power may fail at any moment: the next table
starts over what lay on the disk then.
"""

from __future__ import annotations

import json
import shutil
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tableside.adapters.sqlite_store import STORE_NAME
from tableside.app.backups import DEVICES
from tableside.app.history import open_history
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import DieReading, Face, Reading, Status
from tableside.reader.photo import Picture
from tests.fakes.sensor import FakeSensor
from tests.fakes.tray import DrawnReader, draw_tray
from tests.until import until
from tests.whole.test_table import wait_for

_PLACES = [(x, y) for y in range(30, 240, 45) for x in range(30, 320, 45)]
_SEEN_EVERY = 6
"""By hand, a throw takes a hundredth of the time that the tray needs to come to rest."""

Die = tuple[str, Face]


def dice_of(text: str) -> list[Die]:
    """Read dice such as ``"ability success success+advantage, difficulty -, pip 5 3"``."""
    found: list[Die] = []
    for part in text.split(","):
        kind, *faces = part.split()
        found += [(kind, () if face == "-" else tuple(face.split("+"))) for face in faces]
    return found


class TrayReader(DrawnReader):
    """Reads each square as the die that was thrown to its place."""

    def __init__(self) -> None:
        super().__init__()
        self.thrown: dict[tuple[int, int], Die] = {}

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        drawn = super().read(picture, decode_ms)
        return Reading(width=drawn.width, height=drawn.height, dice=tuple(self._read(die) for die in drawn.dice))

    def _read(self, square: DieReading) -> DieReading:
        x, y = square.center
        kind, face = self.thrown[min(self.thrown, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)]
        return DieReading(
            type=kind, face=face, center=square.center, outline=square.outline, confidence=0.99, status=Status.SURE,
            alternatives=(),
        )  # fmt: skip


class Phone:
    """A paired phone."""

    def __init__(self, evening: Evening, role: str, name: str) -> None:
        self._evening = evening
        self.cookie = ""
        pin = evening.screen("api/pairing", {"role": role})["pin"]
        with self._open("api/pair", {"pin": pin, "name": name}) as answer:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def __call__(self, address: str, body: Any = None) -> Any:
        """Return what the table answers, which is no refusal."""
        try:
            with self._open(address, body) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                told = error.read().decode()
        raise AssertionError(f"{address} refused {body}: {told}")

    def refused(self, address: str, body: Any) -> str:
        """Return why the table refuses this."""
        try:
            self._open(address, body).close()
        except urllib.error.HTTPError as error:
            with error:
                return str(json.load(error)["error"]["what"])
        raise AssertionError(f"{address} took {body}")

    def _open(self, address: str, body: Any) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        return urllib.request.urlopen(
            urllib.request.Request(self._evening.running.address + address, data, headers), timeout=30
        )


class Evening:
    """An evening of one game.

    :param port: a free one, else any.
    :ivar cuts: how often the power failed.
    """

    def __init__(self, folder: Path, game: str, *, port: int = 0) -> None:
        self._folder, self._port = folder, port
        self.cuts = 0
        self.turns = 0
        self._ids: dict[str, str] = {}
        self.running = self._started()
        self.gm = Phone(self, "gm", "Mara")
        self.player = Phone(self, "player", "Vex")
        self.gm("api/game", {"game": game})

    # the machine

    def _started(self) -> RunningTable:
        data = self._folder / str(self.cuts)
        data.mkdir(parents=True, exist_ok=True)
        self.reader, self.sensor = TrayReader(), FakeSensor(draw_tray())
        store, trouble = open_history(data)
        assert trouble == ()
        settings = Settings(
            table=TableSettings(data=data), web=WebSettings(port=self._port), pins=PinSettings(factory="mock")
        )  # fmt: skip
        running = RunningTable(settings, store=store, reader=self.reader, camera=self.sensor)
        running.start()
        until(lambda: running._tray._tray.is_still)  # drawn dice fall where others lay: it sees that these are gone
        return running

    def power_fails(self) -> None:
        """Start again over what lies on the disk at this moment, and see that nothing acknowledged is lost."""
        before = self._known()
        now, self.cuts = self._folder / str(self.cuts), self.cuts + 1
        then = self._folder / str(self.cuts)
        then.mkdir()
        for name in (STORE_NAME, f"{STORE_NAME}-wal", DEVICES):
            if (now / name).exists():
                shutil.copyfile(now / name, then / name)
        self.running.close()
        self.running = self._started()
        assert self._known() == before

    def _known(self) -> dict[str, Any]:
        state = self.gm("api/state")
        kept = ("destiny", "points", "call", "history", "initiative", "carried")
        known = {name: state.get(name) for name in kept}
        return known | {"people": self.gm("api/people"), "tables": self.gm("api/tables")}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.running.close()

    def screen(self, address: str, body: Any = None) -> Any:
        """Ask from the table's own screen."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.running.address + address, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    # people

    def add(self, name: str, kind: str = "player", **more: Any) -> str:
        """Add somebody as a phone does, with skills as ``{name: answers}``."""
        person = {"name": name, "kind": kind, **more}
        person["skills"] = [{"name": skill, "ask": ask} for skill, ask in more.get("skills", {}).items()]
        return self.bring(person)

    def bring(self, person: Mapping[str, Any]) -> str:
        """Add somebody as a file has them, and return the id."""
        added = self.player("api/people", {"do": "add", "person": person})["people"][-1]
        self._ids[person["name"]] = added["id"]
        if person["name"] == "Vex":
            self.player("api/me", {"person": added["id"]})  # whose phone it is
        return str(added["id"])

    def copy(self, name: str, count: int) -> list[str]:
        """Add so many more of somebody, and return their names."""
        people = self.player("api/people", {"do": "copy", "person": {"id": self._ids[name]}, "count": count})["people"]
        self._ids |= {one["name"]: one["id"] for one in people[-count:]}
        return [one["name"] for one in people[-count:]]

    def change(self, name: str, **more: Any) -> None:
        """Change somebody; trackers are given as ``{name: value}``."""
        if "trackers" in more:
            kept = self._person(name)["trackers"]
            more["trackers"] = {
                tracker: {**kept.get(tracker, {}), "value": value} for tracker, value in more["trackers"].items()
            }
        self.gm("api/people", {"do": "change", "person": {"id": self._ids[name], **more}})

    def leaves(self, name: str) -> None:
        """Take somebody away."""
        self.gm("api/people", {"do": "remove", "person": {"id": self._ids[name]}})

    def _person(self, name: str) -> dict[str, Any]:
        return next(one for one in self.gm("api/people") if one["id"] == self._ids[name])

    def tracker(self, name: str, tracker: str) -> int:
        """Return the value of somebody's tracker."""
        return int(self._person(name)["trackers"].get(tracker, {"value": 0})["value"])

    def lasting(self, name: str) -> list[str]:
        """Return the names of what lasts on somebody."""
        return [one["name"] for one in self._person(name).get("states", ())]

    def act(self, name: str, who: str = "", skill: str = "", **ask: Any) -> str:
        """Do something without dice, or let time pass for all, and return what the table says of it."""
        self.gm("api/acts", {"act": name, "who": self._ids.get(who, ""), "skill": skill, "ask": ask})
        return str(self.running.table.state.changes[-1].sentence)

    def standing(self, name: str) -> int:
        """Return how many of a group stand."""
        return int(self._person(name)["left"])

    def carried(self, name: str) -> list[Mapping[str, Any]]:
        """Return what lies in somebody's next call."""
        return [one["ask"] for one in self._person(name)["carried"]]

    # a turn

    def call(
        self, who: str = "", what: str = "", *, weapon: str = "", damage: str = "", against: Any = "", **ask: Any
    ) -> Counter[str]:
        """Call a roll and return the dice that it asks for.

        :param what: a skill. :param weapon, damage: or a weapon, to attack with or for its damage.
        :param against: somebody's name, or the id of the roll that has to be beaten.
        """
        self.turns += 1
        body: dict[str, Any] = {"who": self._ids.get(who, ""), "skill": what, "weapon": weapon or damage, "ask": ask}
        body |= {"damage": bool(damage), "label": ask.pop("label", ""), "table": ask.pop("table", "")}
        body["against"] = self._ids.get(against) or (against and {"last_total": against})
        return Counter(self.gm("api/ask", body)["call"]["dice"])

    def odds(self) -> float:
        """Return the chance that the called roll succeeds."""
        return float(self.gm("api/state")["call"]["odds"]["success"])

    def flip(self, side: str) -> Counter[str]:
        """Press the button of this side and return the dice of the call after it."""
        number = self.running.table.state.last_number
        self.running.panel.press(f"flip_{side}", True)
        wait_for(self.running.table, lambda state: state.last_number > number)
        self.running.panel.press(f"flip_{side}", False)
        call = self.gm("api/state")["call"]
        return Counter(call["dice"] if call else {})

    @property
    def destiny(self) -> tuple[int, int]:
        """Light and dark points of the table."""
        destiny = self.gm("api/state")["destiny"]
        return destiny["light"], destiny["dark"]

    def throw(self, text: str, *, is_seen: bool = False) -> dict[str, Any]:
        """Throw the called dice, before the camera or not, and return the roll."""
        dice = dice_of(text)
        if (is_seen or self.turns % _SEEN_EVERY == 1) and len(dice) <= len(_PLACES):
            return self._seen(dice)
        body = {"dice": [{"type": kind, "face": face} for kind, face in dice], "uses_ask": True}
        return self.roll(self.player("api/rolls", body)["id"])

    def _seen(self, dice: list[Die]) -> dict[str, Any]:
        table, known = self.running.table, {roll.id for roll in self.running.table.state.rolls}
        wait_for(table, lambda state: state.phase.value in ("empty", "still"))
        self.reader.thrown = dict(zip(_PLACES, dice, strict=False))
        self.sensor.scene = draw_tray(*(("green", x, y) for x, y in self.reader.thrown))
        wait_for(table, lambda state: any(roll.id not in known for roll in state.rolls))
        roll = wait_for(table, lambda state: state.phase.value == "still").rolls[0]
        assert (roll.source.value, len(roll.dice)) == ("camera", len(dice))
        self.sensor.scene = draw_tray()
        wait_for(table, lambda state: state.phase.value == "empty")
        return self.roll(roll.id)

    def throw_on(self, roll: Mapping[str, Any], text: str) -> dict[str, Any]:
        """Throw what a roll waits for, such as the Wild Die after a six."""
        dice = [{"type": kind, "face": face} for kind, face in dice_of(text)]
        self.player(f"api/rolls/{roll['id']}/throws", {"dice": dice})
        return self.roll(roll["id"])

    def roll(self, roll_id: str) -> dict[str, Any]:
        """Return a roll with its effects."""
        return dict(self.gm(f"api/rolls/{roll_id}"))

    def buy(
        self, roll: Mapping[str, Any], name: str, *, by: str = "player", of: str = "", count: int = 1, to: str = ""
    ) -> None:
        """Buy something with what a roll left."""
        body: dict[str, Any] = {"name": name, "for": self._ids.get(to, "")}
        if of:
            body["price"] = {"of": of, "count": count}
        (self.gm if by == "gm" else self.player)(f"api/rolls/{roll['id']}/spends", body)

    def spends(self, roll: Mapping[str, Any]) -> dict[str, bool]:
        """Return what a roll may buy, and whether it still can."""
        return {one["name"]: one["affordable"] for one in self.gm(f"api/rolls/{roll['id']}/spends")}

    def apply(self, roll: Mapping[str, Any], to: str, effect: int = 0) -> list[str]:
        """Apply what a roll does to somebody, and return what follows from it."""
        self.player(f"api/rolls/{roll['id']}/apply", {"effect": effect, "to": self._ids[to]})
        applied = self.roll(roll["id"])["applied"]
        return [follow["words"] for one in applied if one["to"] == self._ids[to] for follow in one["follows"]]

    def take(self, roll: Mapping[str, Any]) -> dict[str, Any]:
        """Take a wrong pool as it lies."""
        return dict(self.gm(f"api/rolls/{roll['id']}/take", {}))

    def ask_anew(self, roll: Mapping[str, Any], **ask: Any) -> dict[str, Any]:
        """Change what a finished roll was for."""
        self.gm(f"api/rolls/{roll['id']}/ask", {"ask": ask})
        return self.roll(roll["id"])

    def undo(self) -> None:
        """Take back the newest change."""
        self.gm("api/undo", {})

    def refused(self, address: str, body: Any) -> str:
        """Return why the table refuses something."""
        return self.gm.refused(address, body)

    def id_of(self, name: str) -> str:
        """Return the id of somebody."""
        return self._ids[name]


def total(roll: Mapping[str, Any]) -> int:
    """Return the total of a roll."""
    return int(roll["net"]["total"])


def left(roll: Mapping[str, Any]) -> dict[str, int]:
    """Return the symbols that a roll left."""
    return {name: count for name, count in roll["net"].items() if count}


def effects(roll: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the effects of a roll: tracker and change."""
    return [(one["tracker"], one["change"]) for one in roll["outcome"]["effects"]]
