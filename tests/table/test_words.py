"""What the history says is a pattern with values, which German has, whoever plays."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.dice import Die
from tableside.table import MemoryStore
from tableside.table.kept import Side, change_from_text, change_to_text
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    ChangeTable,
    ChangeTracker,
    ChooseGame,
    CorrectDie,
    Do,
    DoPerson,
    EnterRoll,
    NamePlayer,
    Redo,
    Row,
    ShownDie,
    StartSession,
    TakeRoll,
    Turn,
    Undo,
)
from tableside.table.shown import Luck
from tableside.words import Words, word_json
from tests.rules.test_words import untold
from tests.table.played import Played
from tests.table.test_play import seen

ABILITY = Die(type="ability", face=("success",))
CHANGES: list[tuple[type[Any], dict[str, Any]]] = [
    (StartSession, {"title": "The heist"}),
    (StartSession, {}),
    (ChangeDestiny, {"do": Do.SET, "light": 2, "dark": 1}),
    (NamePlayer, {"name": "Dark"}),
    (CallRoll, {"game": "narrative", "ask": {"characteristic": 1, "helping_hand": 1}, "player": "Vex"}),
    (CallRoll, {}),
    (CallRoll, {"label": "Stealth"}),
    (ChooseGame, {"game": "heroic"}),
    (ChooseGame, {"settings": {}, "game": "narrative"}),
    (ChooseGame, {"game": ""}),
    (ChangeTracker, {"name": "maneuvers", "owner": "Dark", "count": 2}),
    (ChangeInitiative, {"do": Turn.ADD, "rank": (2, 1)}),
    (ChangeInitiative, {"do": Turn.ADD, "rank": (1,), "side": "npc", "who": "Vex"}),
    (ChangeInitiative, {"do": Turn.DELAY}),
    (ChangeInitiative, {"do": Turn.NEXT}),
    (ChangeInitiative, {"do": Turn.CLEAR}),
    (EnterRoll, {"dice": (ABILITY,), "game": "narrative"}),
    (ChangeDestiny, {"do": Do.ADD, "side": Side.LIGHT, "count": 2}),
    (ChangeDestiny, {"do": Do.SPEND, "side": Side.LIGHT}),
    (ChangePerson, {"do": DoPerson.ADD, "person": {"id": "o", "name": "Oskara", "game": "narrative"}}),
    (CallRoll, {"who": "o", "ask": {"dice": {"ability": 1}}}),
    (ChangeDestiny, {"do": Do.SPEND, "side": Side.LIGHT}),
    (EnterRoll, {"dice": (ABILITY,), "uses_ask": True}),
    (ChangePerson, {"do": DoPerson.COPY, "person": {"id": "o"}}),
    (ChangePerson, {"do": DoPerson.CHANGE, "person": {"id": "o", "notes": "Tired"}}),
    (ChangePerson, {"do": DoPerson.REMOVE, "person": {"id": "o"}}),
    (ChangeTable, {"name": "Dark", "rows": (Row(least=1, most=2, words="Nick"),)}),
    (ChangeTable, {"name": "Dark"}),
    (Undo, {}),
    (Redo, {}),
]


def test_german_has_whatever_the_history_says(table: Played, store: MemoryStore) -> None:
    table.ask(seen(("ability", ("success",))))
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    for kind, more in CHANGES:
        table.tell(kind, **more)
    roll = table.state.roll
    table.tell(CorrectDie, roll_id=roll, index=0, type="ability", face=())
    table.tell(TakeRoll, roll_id=roll)
    attack = {"purpose": "attack", "damage": 9, "dice": {"ability": 1}, "difficulty": "simple"}
    shown = (ShownDie(type="ability", face=("success", "advantage")),)
    table.tell(EnterRoll, dice=shown, ask=attack, game="narrative")
    hit = table.state.roll
    table.buy(hit, "notice_point")
    table.tell(ChangePerson, do=DoPerson.ADD, person={"id": "t", "name": "Trooper", "game": "narrative"})
    table.apply("t", hit)
    table.tell(ChangeRoll, roll_id=roll, is_hidden=True)
    changes = table.history(before=2**53, limit=100)
    assert len(changes) >= len(CHANGES)
    assert untold(change.sentence for change in changes) == set()
    for change in changes:
        again = change_from_text(change_to_text(change))
        assert word_json(again.sentence) == word_json(change.sentence)


def test_what_people_wrote_is_no_word_of_the_table(table: Played) -> None:
    table.tell(NamePlayer, name="Dark")
    (change,) = table.history(before=2**53, limit=1)
    assert isinstance(change.sentence, Words)
    assert word_json(change.sentence)["values"]["name"] == {
        "key": "{=text}",
        "values": {"text": "Dark"},
        "text": "Dark",
    }


@pytest.mark.parametrize("errors", [0.0, 2.5, -2.5, 5.0, -5.0])
def test_german_has_whatever_is_said_of_luck(errors: float) -> None:
    luck = Luck(player="Vex", of="net success", dice=9, total=1, expected=2.0, errors=errors)
    assert untold(iter([luck.sentence, luck.of])) == set()
