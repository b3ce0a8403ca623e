"""States of the table screen, recorded from a whole table: one of each kind in each game, also the rare ones."""

from __future__ import annotations

import json
import time
import urllib.request
from dataclasses import replace
from typing import Any

import numpy as np

from tableside.app.table import RunningTable
from tableside.dice import Alternative, DieReading, Doubt, Face, Reading, Status, Suspect
from tableside.table.messages import (
    ChangeDestiny,
    ChangeInitiative,
    ChooseGame,
    Do,
    EnterRoll,
    NewRoll,
    SetAsk,
    ShowPhase,
    ShowTrouble,
    Turn,
)
from tableside.table.play import Seen
from tableside.table.state import Phase
from tests.browser.conftest import add_players, new_id

LONG = "Lowhhrick Würfelzähler"
OLD_S = 100.0
"""So old is a roll when something else outranks it."""
Recorded = dict[str, dict[str, Any]]


class Recorder:
    """Drives a table and keeps what a page would be told in each state."""

    def __init__(self, running: RunningTable) -> None:
        self._running = running
        self.states: Recorded = {}

    def do(self, message: Any) -> None:
        self._running.table.ask(message)

    def game(self, name: str) -> None:
        self.do(ChooseGame(id=new_id(), at=1.0, game=name))

    def call(self, answers: dict[str, Any], *, who: str = "Vex", label: str = "Stealth past the guards") -> None:
        self.do(SetAsk(id=new_id(), at=1.0, answers=answers, player=who, label=label, odds_for=Seen.ALL))

    def throw(self, *dice: tuple[str, Face], picture: bool = True, age: float = 0.0, **reading: Any) -> None:
        """Hand in a throw; ``doubt`` makes its last die a question."""
        doubt = reading.pop("doubt", None)
        read = [_die(kind, face, n) for n, (kind, face) in enumerate(dice)]
        if doubt is not None:
            faces = reading.pop("faces")
            others = tuple(Alternative(type=read[-1].type, face=face, confidence=0.3 - 0.1 * n)
                           for n, face in enumerate(faces))  # fmt: skip
            read[-1] = replace(read[-1], confidence=0.5, status=Status.UNSURE, doubt=doubt, alternatives=others)
        roll_id = new_id()
        if picture:
            self._running.pictures.keep(roll_id, np.full((480, 640, 3), 60, np.uint8))
        found = Reading(width=640, height=480, dice=tuple(read), suspects=reading.pop("suspects", ()))
        self.do(NewRoll(id=roll_id, at=time.time() - age, reading=found, has_picture=picture))

    def keep(self, name: str) -> None:
        state = self._get("api/state")
        roll = state["roll"]
        self.states[name] = {
            "state": state,
            "roll": self._get(f"api/rolls/{roll['id']}") if roll else None,
            "spends": self._get(f"api/rolls/{roll['id']}/spends") if roll else None,
            "odds": self._get("api/odds"),
        }

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(self._running.address + path, timeout=10) as answer:
            return json.load(answer)


def record(running: RunningTable) -> Recorded:
    """Return the states by their names."""
    recorder = Recorder(running)
    add_players(running, "Vex", LONG, "Oskara", "Mara")
    recorder.do(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=3, dark=3))
    recorder.keep("waiting")
    for states in (_narrative, _heroic, _d6_companion, _d6_wild, _rare):
        states(recorder)
    return recorder.states


def _narrative(to: Recorder) -> None:
    pool = {"characteristic": 3, "skill": 2, "difficulty": "average", "boost": 1, "setback": 1}
    to.game("narrative")
    to.throw(("ability", ("success", "success")), ("boost", ("advantage", "advantage")), ("setback", ("failure",)))
    to.keep("narrative result")
    to.call({})
    to.throw(("proficiency", ("triumph",)), ("challenge", ("despair",)), ("ability", ("success", "success")),
             ("ability", ("advantage", "advantage")), ("boost", ("advantage",)), ("force", ("dark",)))  # fmt: skip
    to.keep("narrative five kinds of symbols")
    to.throw(("proficiency", ()), ("ability", ()))
    to.keep("narrative nothing left")
    to.throw(*[("proficiency", ("success",))] * 5, *[("challenge", ("failure",))] * 4, *[("boost", ())] * 3)
    to.keep("narrative twelve dice")
    to.throw(*[("proficiency", ("success",))] * 9, *[("challenge", ("failure",))] * 9, *[("boost", ())] * 6)
    to.keep("narrative twenty-four dice")
    to.throw(("force", ("light", "light")), ("force", ("dark",)), ("force", ("light",)), age=OLD_S)
    to.keep("narrative force dice")
    to.call(pool)
    to.keep("narrative asked")
    to.throw(("proficiency", ("success",)), ("ability", ("success",)), ("proficiency", ()), ("difficulty", ()))
    to.keep("narrative wrong dice")
    to.throw(("ability", ("success",)), ("difficulty", ("failure", "threat")), doubt=Doubt.FAINT,
             faces=[("threat", "threat"), ("threat",), ()])  # fmt: skip
    to.keep("narrative doubt")
    to.throw(("ability", ("success",)), doubt=Doubt.GLARE, faces=[("advantage",)], picture=False)
    to.keep("narrative doubt without a picture")
    to.throw(("ability", ("success",)), suspects=(Suspect(center=(90, 90), outline=_square(90, 90), confidence=0.7),))
    to.keep("narrative suspect")


def _heroic(to: Recorder) -> None:
    to.game("heroic")
    to.call({"purpose": "attack", "ability": 3, "skill": 2}, who="Brakka", label="Sword against the ogre")
    to.throw(("proficiency", ("success", "success")), ("proficiency", ("success", "success")), ("ability", ()),
             ("difficulty", ("threat", "threat")))  # fmt: skip
    to.keep("heroic result")
    to.throw(("ability", ("success",)), age=OLD_S)
    to.call({"purpose": "check", "ability": 3, "skill": 2}, who=LONG, label="A very long reason, told at length")
    to.keep("heroic asked, long names")


def _d6_companion(to: Recorder) -> None:
    to.game("d6-companion")
    to.call({"difficulty": 13, "pips": 1}, who="Kesh", label="Blaster 4D+1 at the scout")
    to.throw(*[("pip", (str(n),)) for n in (6, 4, 3, 1)])
    to.keep("d6-companion result")
    to.throw(*[("pip", (str(1 + n % 6),)) for n in range(12)], picture=False)
    to.keep("d6-companion twelve dice by hand")


def _d6_wild(to: Recorder) -> None:
    to.game("d6-wild")
    to.call({"difficulty": 17}, who="Rook", label="Piloting 4D, the asteroid field")
    to.throw(("pip", ("4",)), ("pip", ("3",)), ("pip", ("1",)), ("wild", ("6",)))
    to.keep("d6-wild waits")
    to.call({"difficulty": 7}, who="Rook")
    to.throw(("pip", ("4",)), ("pip", ("5",)), ("wild", ("1",)))
    to.keep("d6-wild complication")
    to.throw(("d10", ("4",)), ("d10", ("7",)))
    to.keep("which die is the tens")
    to.throw(("d100", ("40",)), ("d10", ("7",)))
    to.keep("percentile result")


def _rare(to: Recorder) -> None:
    to.game("narrative")
    to.throw(("ability", ("success",)), age=OLD_S)
    for side, who in ((Turn.ADD, "Vex"), (Turn.ADD, ""), (Turn.ADD, LONG)):
        to.do(ChangeInitiative(id=new_id(), at=1.0, do=side, rank=(3, 1), who=who))
    to.keep("turn of one with a name")
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
    to.keep("turn that nobody took")
    to.throw(("ability", ("success",)))
    to.keep("result while turns go on")
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CLEAR))
    for light, dark in ((12, 3), (20, 11)):
        to.do(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=light, dark=dark))
        to.keep(f"pool of {light} and {dark}")
    to.do(ShowPhase(at=1.0, phase=Phase.MOVING))
    to.keep("rolling")
    to.do(ShowPhase(at=1.0, phase=Phase.STILL))
    to.do(ShowPhase(at=1.0, phase=Phase.BY_HAND))
    to.keep("by hand")
    what, hint = (
        "is not plugged in",
        "Plug it into another port, without a hub; use a shorter cable.",
    )
    to.do(ShowTrouble(at=1.0, part="camera", what=what, where="USB camera 0", hint=hint))
    to.keep("trouble")
    dice = (_die("ability", ("success",), 0).die,)
    to.do(EnterRoll(id=new_id(), at=time.time(), dice=dice, label="Ambush", is_hidden=True))
    to.keep("hidden")


def _die(kind: str, face: Face, n: int) -> DieReading:
    x, y = 80.0 + 90 * (n % 6), 90.0 + 100 * (n // 6)
    return DieReading(
        type=kind, face=face, center=(x, y), outline=_square(x, y), confidence=0.99, status=Status.SURE
    )  # fmt: skip


def _square(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
