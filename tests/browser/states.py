"""States of the table screen, recorded from a whole table: one of each kind in each game, also the rare ones."""

from __future__ import annotations

import json
import time
import urllib.request
from dataclasses import replace
from typing import Any

import numpy as np

from tableside.app.running_table import RunningTable
from tableside.dice import Alternative, DieReading, Doubt, Face, Reading, Status, Suspect
from tableside.table.kept import Phase, Seen
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeTable,
    ChooseGame,
    ClearTrouble,
    Do,
    DoPerson,
    EnterRoll,
    LaidDice,
    NewRoll,
    Price,
    Row,
    ShowPhase,
    ShowTrouble,
    Turn,
    Undo,
)
from tests.browser.conftest import add_players, new_id

LONG = "Lowhhrick Würfelzähler"
OLD_S = 100.0
"""So old is a roll when something else outranks it."""
Recorded = dict[str, dict[str, Any]]


def take_back_all(running: RunningTable) -> None:
    """Take back whatever was done at a table, so that one table serves one test after another."""
    table = running.table
    for trouble in table.state.trouble:
        table.ask(ClearTrouble(at=1.0, part=trouble.part, trouble_id=trouble.id))
    table.ask(ShowPhase(at=1.0, phase=Phase.STILL))
    while change := table.state.to_undo(only_open=False, only_of=""):
        table.ask(Undo(id=new_id(), at=1.0, change=change.number))
    state = table.state
    assert not any((state.rolls, state.people, state.asked.id, state.trouble, state.initiative.slots))


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
        self.do(CallRoll(id=new_id(), at=1.0, ask=answers, player=who, label=label, odds_for=Seen.ALL))

    def add(self, name: str, kind: str = "player", **form: Any) -> str:
        """Add somebody of the scene and return the id."""
        person_id = new_id()
        person = {"id": person_id, "name": name, "kind": kind, **form}
        self.do(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))
        return person_id

    def call_of(self, who: str, **more: Any) -> None:
        """Call a roll of somebody of the scene."""
        self.do(CallRoll(id=new_id(), at=1.0, who=who, odds_for=Seen.ALL, **more))

    def buy(self, name: str, **more: Any) -> None:
        self.do(BuySpend(id=new_id(), at=1.0, roll_id=self._newest, name=name, **more))

    def apply(self, to: str) -> None:
        self.do(ApplyEffect(id=new_id(), at=1.0, roll_id=self._newest, effect=0, to=to))

    def clear(self) -> None:
        """Take everybody away."""
        for person in self._running.table.state.people:
            self.do(ChangePerson(id=new_id(), at=1.0, do=DoPerson.REMOVE, person={"id": person.id}))

    @property
    def _newest(self) -> str:
        roll = self._running.table.state.roll
        assert roll is not None
        return roll.id

    def throw(self, *dice: tuple[str, Face], picture: bool = True, age: float = 0.0, **reading: Any) -> None:
        """Hand in a throw; ``doubt`` makes its last die a question."""
        doubt = reading.pop("doubt", None)
        read = [_die(kind, face, n) for n, (kind, face) in enumerate(dice)]
        if doubt is not None:
            faces = reading.pop("faces")
            other = "wild" if doubt is Doubt.COLOUR else read[-1].type
            others = tuple(Alternative(type=other, face=face, confidence=0.3 - 0.1 * n)
                           for n, face in enumerate(faces))  # fmt: skip
            read[-1] = replace(read[-1], confidence=0.5, status=Status.UNSURE, doubt=doubt, alternatives=others)
        roll_id = new_id()
        if picture:
            self._running.pictures.keep(roll_id, np.full((480, 640, 3), 60, np.uint8))
        found = Reading(width=640, height=480, dice=tuple(read), suspects=reading.pop("suspects", ()))
        self.do(NewRoll(id=roll_id, at=time.time() - age, reading=found, has_picture=picture))

    def undo(self, times: int = 1) -> None:
        """Take back the newest changes: what asks something, or does something to somebody, stays what is next."""
        for _ in range(times):
            self.do(Undo(id=new_id(), at=1.0))

    def keep(self, name: str) -> None:
        state = self._get("api/state")
        roll = state["roll"]
        self.states[name] = {
            "state": state,
            "roll": self._get(f"api/rolls/{roll['id']}") if roll else None,
            "spends": self._get(f"api/rolls/{roll['id']}/spends") if roll else None,
            "people": self._get("api/people"),
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
    for states in (_narrative, _heroic, _d6_companion, _d6_wild, _turns, _rare):
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
    to.call({"purpose": "destiny", "players": 3}, who="", label="Destiny")
    to.throw(("force", ("light", "light")), ("force", ("dark",)), ("force", ("light",)), age=OLD_S)
    to.keep("narrative force dice")
    to.call(pool)
    to.keep("narrative asked")
    to.throw(("proficiency", ("success",)), ("ability", ("success",)), ("proficiency", ()), ("difficulty", ()))
    to.keep("narrative wrong dice")
    to.undo()
    to.throw(("ability", ("success",)), ("difficulty", ("failure", "threat")), doubt=Doubt.FAINT,
             faces=[("threat", "threat"), ("threat",), ()])  # fmt: skip
    to.keep("narrative doubt")
    to.undo()
    to.throw(("ability", ("success",)), doubt=Doubt.GLARE, faces=[("advantage",)], picture=False)
    to.keep("narrative doubt without a picture")
    to.undo()
    to.throw(("ability", ("success",)), suspects=(Suspect(center=(90, 90), outline=_square(90, 90), confidence=0.7),))
    to.keep("narrative suspect")
    to.undo()
    _several(to)


def _several(to: Recorder) -> None:
    """A roll by several of whom two have rolled, then by all of them."""
    looks = [{"name": "Perception", "ask": {"characteristic": 2, "skill": 0}}]
    first, *others = [to.add(name, skills=looks) for name in ("Vex", LONG, "Oskara", "Mara", "Kesh")]
    to.call_of(first, others=tuple(others), skill="Perception", ask={"difficulty": "easy"}, label="A very long reason")
    to.throw(("ability", ("success",)), ("ability", ("advantage", "advantage")), ("difficulty", ("threat",)), age=OLD_S)
    to.throw(("ability", ("success",)), ("ability", ("success", "success")), ("difficulty", ("failure",)), age=OLD_S)
    to.keep("narrative one of several is asked")
    for faces in (("success",), ("success", "success"), ("advantage",)):
        to.throw(("ability", faces), ("ability", ("success",)), ("difficulty", ("threat", "threat")))
    to.keep("narrative ranking of several")
    to.clear()


def _heroic(to: Recorder) -> None:
    to.game("heroic")
    to.call({"purpose": "attack", "ability": 3, "skill": 2}, who="Brakka", label="Sword against the ogre")
    to.throw(("proficiency", ("success", "success")), ("proficiency", ("success", "success")), ("ability", ()),
             ("difficulty", ("threat", "threat")))  # fmt: skip
    to.keep("heroic result")
    to.undo(2)
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
    to.undo()
    to.call({"difficulty": 7}, who="Rook")
    to.throw(("pip", ("4",)), ("pip", ("5",)), ("wild", ("1",)))
    to.keep("d6-wild complication")
    to.throw(*[("pip", (str(n),)) for n in (4, 3, 1, 6, 2)], doubt=Doubt.COLOUR, faces=[("2",)])
    to.keep("d6-wild which is the Wild Die")
    to.undo()
    to.throw(("d10", ("4",)), ("d10", ("7",)))
    to.keep("which die is the tens")
    to.undo()
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
    _fight(to)
    to.keep("trouble in a fight")
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CLEAR))
    dice = (_die("ability", ("success",), 0).die,)
    to.do(EnterRoll(id=new_id(), at=time.time(), dice=dice, label="Ambush", is_hidden=True))
    to.keep("hidden")


def _turns(to: Recorder) -> None:
    """People of the scene: calls, what is laid for them, what rolls buy and do."""
    to.game("narrative")
    to.throw(("ability", ("success",)), age=OLD_S)
    wounds = {"wounds": {"value": 3, "most": 12}, "strain": {"value": 3, "most": 11}}
    mechanics = [{"name": "Mechanics", "ask": {"characteristic": 3, "skill": 1, "boost": 1, "setback": 1}},
                 {"name": "Ranged heavy", "ask": {"characteristic": 3, "skill": 2}}]  # fmt: skip
    carbine = {"purpose": "attack", "attack": "ranged", "range": "medium", "damage": 9, "critical": 3}
    weapons = [{"name": "Carbine", "skill": "Ranged heavy", "ask": carbine}]
    oskara = to.add("Oskara", skills=mechanics, weapons=weapons, trackers=wounds)
    to.add(LONG, trackers=wounds)
    target = to.add("Troopers of the third company", "group", members=4, defences={"soak": 5},
                    trackers={"wounds": {"value": 0, "most": 5}})  # fmt: skip
    to.call_of(oskara, skill="Mechanics", ask={"difficulty": "average"}, label="The door lock")
    to.keep("call with people")
    to.do(LaidDice(at=1.0, dice={"proficiency": 1, "ability": 2, "difficulty": 2}))
    to.keep("call with dice laid")
    to.do(LaidDice(at=1.0, dice={"proficiency": 1, "ability": 2, "difficulty": 2, "challenge": 2}))
    to.keep("call with other dice laid")
    to.throw(("proficiency", ("advantage", "advantage")), ("ability", ("advantage", "success")),
             ("ability", ("advantage", "advantage")), ("boost", ("advantage",)), ("difficulty", ()),
             ("difficulty", ()), ("setback", ()))  # fmt: skip
    to.keep("spends")
    to.buy("recover_strain")
    to.buy("boost_any_ally_next", price=Price(of="advantage", count=2))
    to.keep("spends bought")
    attack: list[tuple[str, Face]] = [
              ("proficiency", ("success", "success")), ("proficiency", ("advantage", "advantage")),
              ("ability", ("success",)), ("difficulty", ()), ("difficulty", ("threat",))]  # fmt: skip
    to.call_of(oskara, weapon="Carbine", against=target)
    to.throw(*attack)  # the boost that was bought is another's
    to.keep("effect to apply")
    to.apply(target)
    to.keep("effect applied")
    to.call_of(oskara, weapon="Carbine")
    to.throw(*attack[:-1], ("difficulty", ("threat", "threat")))
    to.keep("effect on the last target, threat")
    to.call_of(oskara, weapon="Carbine", against=oskara, ask={"damage": 12})
    to.throw(*attack)
    to.apply(oskara)
    to.keep("effect that calls for a throw")
    to.undo(2)
    to.do(ChangeTable(id=new_id(), at=1.0, name="Injuries", rows=(Row(least=1, most=100, words="Minor nick"),)))
    to.do(CallRoll(id=new_id(), at=1.0, ask={"purpose": "percentile"}, table="Injuries", player="Oskara"))
    to.throw(("d100", ("40",)), ("d10", ("7",)))
    to.keep("percentile with the group's own table")
    to.throw(("ability", ("success",)), age=OLD_S)
    for who in ("Mara", "", ""):
        to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(3, 1), who=who))
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.NEXT))
    to.keep("turn with people")
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CLEAR))
    _turns_of_d6(to)
    _turns_of_heroic(to)
    to.clear()


def _fight(to: Recorder) -> None:
    """Put a turn in the order of a fight, so that it stands beside whatever is shown."""
    for who in (LONG, "Mara"):
        to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.ADD, rank=(3, 1), who=who))


def _turns_of_d6(to: Recorder) -> None:
    for game, skill in (("d6-companion", {"code": "4D+1"}), ("d6-wild", {"dice": 4})):
        to.game(game)
        points = {"force_points": {"value": 1}, "character_points": {"value": 4}}
        kesh = to.add("Kesh", skills=[{"name": "Blaster", "ask": skill}], trackers=points)
        to.throw(("pip", ("4",)), ("pip", ("3",)), age=OLD_S)
        to.call_of(kesh, skill="Blaster", ask={"difficulty": 13})
        to.keep(f"{game} call with points of a character")
        pool: list[tuple[str, Face]] = [
            ("pip", ("6",)),
            ("pip", ("4",)),
            ("pip", ("3",)),
            ("wild" if game == "d6-wild" else "pip", ("2",)),
        ]
        to.throw(*pool)
        to.keep(f"{game} result with points of a character")
        _shots(to, game)
    values = {"force_points": 9, "character_points": 23, "dark_side_points": 3}
    many = {name: {"value": value} for name, value in values.items()}
    rich = to.add(LONG, trackers=many, skills=[{"name": "Sneak", "ask": {"dice": 3}}])
    to.call_of(rich, skill="Sneak")
    to.keep("many points of a character")
    to.call({}, who="", label="")


def _shots(to: Recorder, game: str) -> None:
    """A shot in a fight: hit, the damage, a miss, a throw that is awaited, a doubt, the next call."""
    pistol = {"name": "Heavy blaster pistol", "skill": "Blaster", "ask": {"difficulty": 13},
              "damage": {"code": "4D+2", "purpose": "damage"}}  # fmt: skip
    kesh = to.add(LONG, skills=[{"name": "Blaster", "ask": {"code": "4D+1"}}], weapons=[pistol],
                  trackers={"character_points": {"value": 4}})  # fmt: skip
    scout = to.add("Scout trooper", "person", skills=[{"name": "Strength", "ask": {"code": "2D"}}])
    first = "wild" if game == "d6-wild" else "pip"
    _fight(to)
    to.call_of(kesh, weapon="Heavy blaster pistol", against=scout)
    to.throw((first, ("5",)), *[("pip", (str(n),)) for n in (5, 4, 3)])
    to.keep(f"{game} shot that hits, in a fight")
    to.call_of(kesh, weapon="Heavy blaster pistol", is_damage=True, against=scout, ask={"against": 4})
    to.throw((first, ("5",)), *[("pip", (str(n),)) for n in (5, 4, 3)])
    to.keep(f"{game} damage, in a fight")
    to.undo(3)
    to.call_of(kesh, weapon="Heavy blaster pistol", against=scout)
    to.throw((first, ("2",)), *[("pip", (str(n),)) for n in (1, 2, 3)])
    to.keep(f"{game} shot that misses, in a fight")
    to.call_of(kesh, weapon="Heavy blaster pistol", against=scout)
    to.throw((first, ("6",)), *[("pip", (str(n),)) for n in (1, 2, 1)])
    to.keep(f"{game} shot with a six, in a fight")
    to.undo()
    to.throw((first, ("4",)), ("pip", ("3",)), doubt=Doubt.FAINT, faces=[("6",), ("1",)])
    to.keep(f"{game} doubt in a fight")
    to.undo(2)
    to.throw(("pip", ("4",)), age=OLD_S)
    to.do(CallRoll(id=new_id(), at=1.0, who=kesh, weapon="Heavy blaster pistol", against=scout, by="Mara"))
    to.keep(f"{game} call in a fight")
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CLEAR))
    to.keep(f"{game} call by somebody")
    to.do(CallRoll(id=new_id(), at=1.0))


def _turns_of_heroic(to: Recorder) -> None:
    to.game("heroic")
    to.throw(("ability", ("success",)), age=OLD_S)
    sword = {"purpose": "attack", "power": "basic_melee"}
    brakka = to.add("Brakka", skills=[{"name": "Athletics", "ask": {"ability": 3, "skill": 2}}],
                    weapons=[{"name": "Sword", "skill": "Athletics", "ask": sword}])  # fmt: skip
    ogre = to.add("Ogre", "person", defences={"threshold": 5}, trackers={"condition": {"value": 1}})
    to.call_of(brakka, weapon="Sword", against=ogre, label="Sword against the ogre", ask={"setback": 2})
    to.keep("heroic call with people")
    to.throw(("proficiency", ("success", "success")), ("proficiency", ("success", "success")),
             ("ability", ("success", "success")), ("setback", ("threat",)), ("setback", ("threat",)))  # fmt: skip
    to.keep("heroic effect to apply")
    _fight(to)
    to.keep("heroic effect to apply, in a fight")
    to.apply(ogre)
    to.keep("heroic effect applied, in a fight")
    to.do(ChangeInitiative(id=new_id(), at=1.0, do=Turn.CLEAR))


def _die(kind: str, face: Face, n: int) -> DieReading:
    x, y = 80.0 + 90 * (n % 6), 90.0 + 100 * (n // 6)
    return DieReading(
        type=kind, face=face, center=(x, y), outline=_square(x, y), confidence=0.99, status=Status.SURE
    )  # fmt: skip


def _square(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
