"""One gesture is one undo: taps on one + or - of a tracker, and what an undo says that it takes back."""

from __future__ import annotations

import itertools
from contextlib import closing
from typing import Any

from tableside.table import MemoryStore
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangePerson,
    DoPerson,
    EndSession,
    EnterRoll,
    Redo,
    Undo,
)
from tableside.table.shown import state_json
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_meanwhile import apply
from tests.table.test_turn import HIT, OSKARA, TROOPERS, dice, throw

_ids = itertools.count()


def tell(table: Played, kind: type[Any], *, at: float = 1.0, device: str = "phone", **more: Any) -> None:
    table.ask(kind(id=f"tap {next(_ids)}", at=at, device=device, **more))


def tap(table: Played, who: str, name: str = "wounds", change: int = 1, **more: Any) -> None:
    person = {"id": who, "trackers": {name: {"change": change}}}
    tell(table, ChangePerson, do=DoPerson.CHANGE, person=person, **more)


def offered(table: Played, device: str = "") -> str:
    undo = state_json(table.state, now=1.0, undoes_of=device)["undo"]
    return str(undo["sentence"])


def test_a_now_is_taken_back_by_what_made_it_or_its_roll_and_by_nothing_else(table: Played) -> None:
    """What else this device did stays in the log."""

    def of_now() -> str:
        undo = state_json(table.state, now=1.0, undoes_of="phone")["now"]["undo"]
        return str(undo and undo["sentence"])

    oskara, vex, troopers = (table.add(**one) for one in (OSKARA, OSKARA | {"name": "Vex"}, TROOPERS))
    for device in ("phone", "other"):
        tell(table, CallRoll, device=device, who=oskara.id, weapon="Carbine", against=troopers.id)
        assert of_now() == ("the call of Oskara (Carbine)" if device == "phone" else "None")
    tell(table, EnterRoll, dice=dice(**HIT), uses_ask=True)
    assert of_now() == "the roll of Oskara (Carbine)"
    tap(table, vex.id)
    assert of_now() == "the roll of Oskara (Carbine)"
    assert table.state.roll
    tell(table, ApplyEffect, roll_id=table.state.roll.id, effect=0, to=troopers.id)
    assert "wounds to" in of_now()
    tell(table, Undo)
    assert (table.state.now.name, of_now()) == ("apply", "the roll of Oskara (Carbine)")
    tell(table, EndSession)
    assert (table.state.now.name, of_now()) == ("over", "The session ends")


def test_taps_on_one_control_are_one_step(table: Played, store: MemoryStore) -> None:
    oskara = table.add(**OSKARA)
    for n in range(13):
        tap(table, oskara.id, at=3.9 * n)
    assert (table.now(oskara).value("wounds"), offered(table)) == (13, "Oskara 13 wounds")
    tell(table, Undo)
    assert (table.now(oskara).value("wounds"), table.state.changes[-1].sentence) == (0, "Undone: Oskara 13 wounds")
    assert offered(table) == "Oskara is here"
    tell(table, Redo)
    assert (table.now(oskara).value("wounds"), table.state.changes[-1].sentence) == (13, "Redone: Oskara 13 wounds")
    tell(table, Undo)
    table.close()
    with closing(Played(SYSTEM, store)) as again:
        assert again.now(oskara).value("wounds") == 0
        tell(again, Redo)
        assert again.now(oskara).value("wounds") == 13


def test_another_control_and_a_pause_begin_another_step(table: Played) -> None:
    oskara = table.add(**OSKARA)
    steps: list[dict[str, Any]] = [
        {"at": 1.0}, {"at": 2.0}, {"at": 6.1}, {"at": 6.2, "change": -1}, {"at": 6.3}, {"at": 6.4, "name": "strain"},
        {"at": 6.5},
    ]  # fmt: skip
    for step in steps:
        tap(table, oskara.id, **step)
    strain = OSKARA["trackers"]["strain"]["value"]
    assert (table.now(oskara).value("wounds"), table.now(oskara).value("strain")) == (4, strain + 1)
    left = []
    for _ in range(6):
        tell(table, Undo)
        left.append((table.now(oskara).value("wounds"), table.now(oskara).value("strain") - strain))
    assert left == [(3, 1), (3, 0), (2, 0), (3, 0), (2, 0), (0, 0)]


def test_what_another_phone_taps_meanwhile_stays(table: Played) -> None:
    oskara, trooper = table.add(**OSKARA), table.add(**TROOPERS)
    for n in range(3):
        tap(table, oskara.id, at=float(n))
        tap(table, trooper.id, at=float(n), device="another")
    tell(table, Undo, only_of="phone")
    assert (table.now(oskara).value("wounds"), table.now(trooper).value("wounds")) == (0, 3)
    assert offered(table, "another") == "Trooper 3 wounds"
    tell(table, Undo, only_of="another", device="another")
    assert table.now(trooper).value("wounds") == 0
    tell(table, Redo)
    assert (table.now(oskara).value("wounds"), table.now(trooper).value("wounds")) == (0, 3)


def test_an_undo_says_what_it_takes_back(table: Played) -> None:
    oskara, trooper = table.add(**OSKARA), table.add(**TROOPERS)
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=trooper.id, by="Mara")
    assert offered(table) == "Mara's call"
    roll = throw(table, **{**HIT, "difficulty": [(), ()]}).rolls[0]
    assert offered(table) == "the roll of Oskara (Carbine)"
    apply(table, roll, trooper)
    assert offered(table) == "7 wounds to Trooper"
    tell(table, BuySpend, roll_id=roll.id, name="boost_any_ally_next", for_person=oskara.id)
    assert offered(table) == "Boost any ally for Oskara"
    tap(table, oskara.id)
    assert offered(table) == "Oskara: Wounds 0 to 1"


def test_several_brought_in_at_once_go_and_come_back_with_one_step(table: Played) -> None:
    tell(table, ChangePerson, do=DoPerson.ADD, person=OSKARA, others=[TROOPERS, {"name": "Vex"}])
    here = table.state.people
    names = [one.name for one in here]
    assert table.state.last_change.sentence == f"{', '.join(names)} are here"
    assert len({one.id for one in here}) == len(names) == 3
    tell(table, Undo)
    assert table.state.people == ()
    tell(table, Redo)
    assert table.state.people == here
