"""A table as tests play at it: a method a message. People and rolls stand for their ids."""

from __future__ import annotations

import uuid
from typing import Any

from tableside.rules.people import Person
from tableside.table import MemoryStore, Roll, Side, Table, TableState
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    Do,
    DoAct,
    DoPerson,
    EnterRoll,
    EnterThrow,
    LastTotal,
    Redo,
    ShownDie,
    Turn,
    Undo,
)  # fmt: skip
from tableside.table.shown import call_of
from tests.conftest import SYSTEM


def shown(*dice: tuple[str, Any]) -> tuple[ShownDie, ...]:
    """Return dice that somebody enters: a kind and its face, or the one symbol of it."""
    return tuple(ShownDie(type=kind, face=(face,) if isinstance(face, str) else face) for kind, face in dice)


def _sent(name: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_sent(name, one) for one in value)
    if isinstance(value, Roll) and name == "against":
        return LastTotal(last_total=value.id)
    return value.id if isinstance(value, (Person, Roll)) else value


class Played(Table):
    """Each act returns the state after it."""

    def tell(self, kind: type[Any], **more: Any) -> TableState:
        more = {name: _sent(name, value) for name, value in more.items()}
        return self.ask(kind(**{"id": str(uuid.uuid4()), "at": 1.0, **more}))

    def restart(self) -> Played:
        """Return a table that starts over with what this one has on disk, and goes on."""
        return Played(self.system, MemoryStore(self.saved_since(0, limit=1000)))

    def choose(self, game: str, **more: Any) -> TableState:
        return self.tell(ChooseGame, game=game, **more)

    def add(self, name: str, game: str, kind: str = "person", **form: Any) -> Person:
        person = {"name": name, "kind": kind, "game": game, **form}
        return self.tell(ChangePerson, do=DoPerson.ADD, person=person).people[-1]

    def scene(self, game: str, *names: str, **form: Any) -> list[Person]:
        """Choose a game, and add people of one form."""
        self.choose(game)
        return [self.add(name, game, **form) for name in names]

    def change(self, person: Person, **form: Any) -> TableState:
        return self.tell(ChangePerson, do=DoPerson.CHANGE, person={"id": person.id, **form})

    def now(self, person: Person) -> Person:
        found = self.state.person(person.id)
        assert found is not None
        return found

    def set_to(self, person: Person, **values: int) -> None:
        now = self.now(person)
        self.change(person, trackers={name: {"change": value - now.value(name)} for name, value in values.items()})

    def call(self, who: Person | str = "", skill: str = "", **more: Any) -> TableState:
        """Call a roll; without anything nobody is called any more."""
        return self.tell(CallRoll, who=who, skill=skill, **more)

    def dice(self) -> dict[str, int]:
        """Return the dice of the open call."""
        found = call_of(self.state)
        return dict(found.dice) if found else {}

    def throw(self, *dice: tuple[str, Any]) -> TableState:
        return self.tell(EnterRoll, dice=shown(*dice), uses_ask=True)

    def throw_all(self, face: str = "3") -> TableState:
        """Throw for the open call: blanks, or this face of dice that have none."""
        blank = {kind.name: () for one in SYSTEM.sets for kind in one.types if () in kind.faces}
        return self.throw(*[(kind, blank.get(kind, face)) for kind, n in self.dice().items() for _ in range(n)])

    def roll(self, *faces: int) -> TableState:
        """Throw pips, the first of them with the Wild Die where the call has one."""
        first = "wild" if "wild" in self.dice() else "pip"
        return self.throw(*[("pip" if n else first, str(face)) for n, face in enumerate(faces)])

    def throw_on(self, roll: Roll, *dice: tuple[str, Any]) -> TableState:
        """Throw what a roll waits for."""
        return self.tell(EnterThrow, roll_id=roll, dice=shown(*dice))

    def spend(self, side: Side = Side.LIGHT) -> TableState:
        """Spend a point on the open call."""
        return self.tell(ChangeDestiny, do=Do.SPEND, side=side)

    def buy(self, roll: Roll, name: str, **more: Any) -> TableState:
        return self.tell(BuySpend, roll_id=roll, name=name, **more)

    def apply(self, to: Person, roll: Roll | None = None, *, effect: int = 0) -> TableState:
        """Apply what a roll does, the newest by default."""
        return self.tell(ApplyEffect, roll_id=roll or self.state.rolls[0], effect=effect, to=to)

    def act(self, name: str, who: Person | str = "", **more: Any) -> TableState:
        return self.tell(DoAct, act=name, who=who, **more)

    def turn(self, do: Turn = Turn.NEXT, **more: Any) -> TableState:
        return self.tell(ChangeInitiative, do=do, **more)

    def undo(self, times: int = 1, **more: Any) -> TableState:
        for _ in range(times):
            state = self.tell(Undo, **more)
        return state

    def redo(self, times: int = 1) -> TableState:
        for _ in range(times):
            state = self.tell(Redo)
        return state
