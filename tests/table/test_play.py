"""Sessions, players, asks, trackers and initiative, and taking any of it back."""

from __future__ import annotations

import uuid
from contextlib import ExitStack
from typing import Any

import pytest

from tableside.dice import Alternative, Die, DieReading, Reading, Status
from tableside.errors import BadAsk, BadChange, Conflict, TablesideError, UnknownFace, UnknownRoll
from tableside.rules import PoolNames
from tableside.table import MemoryStore
from tableside.table.kept import TableState, change_from_text, change_to_text
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    ChangeTracker,
    ChooseGame,
    Do,
    DoPerson,
    EndSession,
    EnterRoll,
    EnterThrow,
    Message,
    NamePlayer,
    NewReading,
    NewRoll,
    StartSession,
    Turn,
    Undo,
)
from tableside.table.shown import state_json
from tests.conftest import SYSTEM
from tests.table.played import Played


def seen(*faces: tuple[str, tuple[str, ...]], at: float = 2.0) -> NewRoll:
    dice = tuple(
        DieReading(
            type=kind, face=face, center=(10, 10), outline=(), confidence=0.9, status=Status.SURE,
            alternatives=(Alternative(type=kind, face=(), confidence=0.1),),
        )
        for kind, face in faces
    )  # fmt: skip
    return NewRoll(id=str(uuid.uuid4()), at=at, reading=Reading(width=100, height=100, dice=dice))


def core(state: TableState) -> tuple[Any, ...]:
    return (
        state.destiny, state.rolls, state.session, state.players, state.asked, state.setup,
        {key: value for key, value in state.trackers.items() if value}, state.initiative,
    )  # fmt: skip


EVERY: list[tuple[type[Any], dict[str, Any]]] = [
    (StartSession, {"title": "The heist"}),
    (EndSession, {}),
    (NamePlayer, {"name": "Vex"}),
    (CallRoll, {"game": "narrative", "ask": {"characteristic": 1}, "player": "Vex", "label": "Stealth"}),
    (ChooseGame, {"game": "heroic"}),
    (ChooseGame, {"names": PoolNames(pool="Story points", light="Ours", dark="Theirs")}),
    (ChangeTracker, {"name": "opportunity", "count": 2}),
    (ChangeInitiative, {"do": Turn.ADD, "rank": (2, 1)}),
    (EnterRoll, {"dice": (Die(type="ability", face=("success",)),)}),
    (ChangeDestiny, {"do": Do.SET, "light": 3, "dark": 1}),
]


def test_every_change_is_undone_redone_and_survives_a_restart(table: Played, store: MemoryStore) -> None:
    states = [core(table.state)]
    for kind, more in EVERY:
        states.append(core(table.tell(kind, **more)))
    for number in range(len(EVERY) - 1, -1, -1):
        newest = table.state.to_undo(only_open=False, only_of="")
        assert core(table.undo(change=newest.number)) == states[number]
    for number in range(1, len(states)):
        assert core(table.redo()) == states[number]
    again = Played(SYSTEM, store)
    try:
        assert core(again.state) == states[-1]
    finally:
        again.close()
    with pytest.raises(Conflict, match="nothing to redo"):
        table.redo()


def test_what_is_so_already_is_no_error_and_no_change(table: Played) -> None:
    person = {"id": "kesh", "name": "Kesh", "kind": "player", "game": "heroic"}
    roll = table.tell(EnterRoll, dice=(Die(type="ability", face=("success",)),), by="Kesh").roll
    wanted: list[tuple[type[Any], dict[str, Any]]] = [
        (ChooseGame, {"game": "heroic"}),
        (ChooseGame, {"names": PoolNames(pool="Story points", light="Ours", dark="Theirs")}),
        (ChangeTracker, {"name": "opportunity", "value": 3}),
        (ChangeDestiny, {"do": Do.SET, "light": 2, "dark": 2}),
        (ChangeRoll, {"roll_id": roll.id, "version": roll.version, "player": "Kesh"}),
    ]
    for kind, more in wanted[:4]:
        table.tell(kind, **more)
    for kind, more in wanted:
        before = table.state
        assert table.tell(kind, **more) is before
    table.undo()
    before = table.state  # after an undo it is another thing again
    assert table.tell(ChangeDestiny, do=Do.SET, light=2, dark=2).destiny != before.destiny
    table.tell(ChangePerson, do=DoPerson.ADD, person=person)
    before = table.state
    assert table.tell(ChangePerson, do=DoPerson.CHANGE, person=person) is before


def test_a_camera_roll_is_for_what_was_asked_and_the_ask_is_used_up(table: Played) -> None:
    asked = table.call(
        game="narrative", ask={"characteristic": 1, "difficulty": "easy"}, player="Vex", label="Jump"
    ).asked
    assert dict(asked.tray.dice) == {"ability": 1, "difficulty": 1}
    roll = table.ask(seen(("ability", ("success",)), ("difficulty", ()))).roll
    assert (roll.by, roll.label, roll.ask["difficulty"], roll.short) == ("Vex", "Jump", "easy", ())
    assert table.state.asked.id == ""
    table.undo()
    assert table.state.asked == asked


def test_what_was_changed_since_stays_where_an_older_change_is_undone(table: Played) -> None:
    table.tell(NamePlayer, name="Vex")
    number = table.state.last_number
    table.tell(NamePlayer, name="Jax")
    table.undo(change=number)
    assert [player.name for player in table.state.players] == ["Jax"]
    table.redo()
    assert [player.name for player in table.state.players] == ["Vex", "Jax"]


def test_dice_of_another_game_leave_the_ask_waiting(table: Played) -> None:
    table.call(game="narrative", ask={"characteristic": 1}, player="Vex")
    roll = table.ask(seen(("pip", ("4",)))).roll
    assert (roll.game, roll.by) == ("d6-companion", "")
    assert table.state.asked.player == "Vex"


def test_an_ask_that_the_game_does_not_know_changes_nothing(table: Played) -> None:
    before = table.state
    with pytest.raises(BadAsk, match="Did you mean"):
        table.call(game="narrative", ask={"dificulty": "easy"})
    assert table.state == before


def test_symbols_of_talents_are_added_and_the_roll_scored_anew(table: Played) -> None:
    message = seen(("ability", ("advantage",)))
    table.ask(message)
    roll = table.tell(ChangeRoll, roll_id=message.id, ask={"advantage": 1, "success": 1}).roll
    assert (dict(roll.net)["advantage"], roll.word, roll.version) == (2, "success", 2)
    with pytest.raises(BadAsk):
        table.tell(ChangeRoll, roll_id=message.id, ask={"advantage": -1})
    with pytest.raises(Conflict):
        table.tell(ChangeRoll, roll_id=message.id, ask={"advantage": 3}, version=1)
    assert table.state.roll == roll


def test_an_awaited_throw_joins_its_roll(table: Played) -> None:
    first = (Die(type="pip", face=("4",)), Die(type="wild", face=("6",)))
    state = table.tell(EnterRoll, id="r", dice=first)
    assert state.roll.awaits is not None
    roll = table.tell(EnterThrow, roll_id="r", dice=(Die(type="wild", face=("3",)),)).roll
    assert (roll.awaits, dict(roll.net)["total"], [len(throw) for throw in roll.throws]) == (None, 13, [2, 1])
    with pytest.raises(Conflict, match="waits for no throw"):
        table.tell(EnterThrow, roll_id="r", dice=(Die(type="wild", face=("3",)),))


def test_what_is_missing_of_a_photographed_roll_is_added_to_it_and_its_picture_stays(table: Played) -> None:
    table.choose("d6-companion")
    table.call(ask={"code": "3D"})
    dice = seen(("pip", ("5",)), ("pip", ("2",))).reading
    table.tell(NewRoll, id="r", reading=dice, has_picture=True)
    missing = {"roll_id": "r", "dice": (Die(type="pip", face=("6",)),)}
    for undo in (True, False):  # once more after an undo
        state = table.tell(EnterThrow, **missing)
        assert (state.roll.headline, state.roll.pictures, state.roll.short) == ("13", 1, ())
        assert [(one.throw, one.face) for one in state.roll.dice] == [(0, ("5",)), (0, ("2",)), (0, ("6",))]
        if undo:
            back = table.undo().roll
            assert (back.short, back.pictures) == ((("pip", 1),), 1)
    with pytest.raises(Conflict, match="waits for no throw"):
        table.tell(EnterThrow, **missing)


def test_the_pool_of_a_session_is_what_the_game_says_of_the_throw(table: Played) -> None:
    message = seen(("force", ("light", "light")), ("force", ("dark",)), ("force", ("light",)))
    table.ask(message)
    state = table.tell(ChangeDestiny, do=Do.SET, from_roll=message.id)
    assert (state.destiny.light, state.destiny.dark) == (3, 1)
    assert state.last_change.sentence == "Destiny from the throw: 3 light, 1 dark"
    other = seen(("force", ("dark",)), ("ability", ()))
    table.ask(other)
    with pytest.raises(BadChange, match="no sure throw for the pool"):
        table.tell(ChangeDestiny, do=Do.SET, from_roll=other.id)


def test_a_hidden_roll_is_told_to_the_game_master_alone(table: Played) -> None:
    table.ask(seen(("ability", ("success",))))
    table.call(game="narrative", ask={"dice": {"ability": 1}}, label="Ambush", is_hidden=True)
    message = seen(("ability", ("advantage",)), at=7.0)
    state = table.ask(message)
    for told in (state_json(state, now=9.0), state_json(table.state, now=9.0)):
        assert (told["roll"], told["hidden"], len(told["history"])) == (None, {"at": 7.0}, 1)
        assert message.id not in str(told)
        assert "Ambush" not in str(told)
        assert "Failure" not in str(told)
    assert state_json(state, now=9.0, sees_hidden=True)["roll"]["id"] == message.id
    assert table.counts().faces()["ability"] == {("success",): 1}
    assert table.counts().faces(sees_hidden=True)["ability"] == {("success",): 1, ("advantage",): 1}
    shown = state_json(table.tell(ChangeRoll, roll_id=message.id, is_hidden=False), now=9.0)
    assert (shown["roll"]["id"], shown["last_change"]["sentence"]) == (message.id, "Shown to all: Failure")
    hidden_again = state_json(table.undo(), now=9.0)
    assert "Failure" not in str(hidden_again["last_change"])


def test_initiative_goes_from_high_to_low_and_players_first(table: Played) -> None:
    for side, rank in (("npc", (1, 3)), ("player", (1, 3)), ("player", (2, 0)), ("npc", (0, 0))):
        table.turn(Turn.ADD, side=side, rank=rank)
    order = table.state.initiative
    assert [(slot.is_player, slot.rank) for slot in order.slots] == [
        (True, (2, 0)), (True, (1, 3)), (False, (1, 3)), (False, (0, 0)),
    ]  # fmt: skip
    table.turn(Turn.CLAIM, slot=order.slots[0].id, who="Vex")
    for _ in range(4):
        state = table.turn()
    assert (state.initiative.round, state.initiative.current) == (2, state.initiative.slots[0])
    assert state.initiative.slots[0].who == ""


def test_a_slot_comes_of_a_roll_that_all_may_see(table: Played) -> None:
    message = seen(("ability", ("advantage", "success")), ("proficiency", ("success",)))
    table.ask(message)
    state = table.turn(Turn.ADD, roll_id=message.id)
    assert state.initiative.slots[0].rank == (2, 1)
    table.tell(ChangeRoll, roll_id=message.id, is_hidden=True)
    with pytest.raises(Conflict, match="that roll is hidden"):
        table.turn(Turn.ADD, roll_id=message.id)


def test_trackers_stop_at_their_bounds_and_belong_to_players(table: Played) -> None:
    table.choose("heroic")
    with pytest.raises(Conflict, match="no player 'Vex'"):
        table.tell(ChangeTracker, name="condition", owner="Vex", count=1)
    table.tell(NamePlayer, name="Vex")
    state = table.tell(ChangeTracker, name="condition", owner="Vex", count=99)
    assert state.trackers["heroic", "condition", "Vex"] == len(
        SYSTEM.find_game("heroic").trackers[0].steps
    ) - 1  # fmt: skip
    with pytest.raises(TablesideError):
        table.tell(ChangeTracker, name="condition", owner="Vex", value=1000)
    with pytest.raises(TablesideError, match="Did you mean condition"):
        table.tell(ChangeTracker, name="conditoin", owner="Vex", count=1)


@pytest.mark.parametrize("owner", ["the table", "Vex", "Oskara"])
def test_an_undo_takes_no_tracker_below_nothing_and_a_redo_gives_back_what_was(
    table: Played, store: MemoryStore, undo: ExitStack, owner: str
) -> None:
    table.choose("heroic")
    table.tell(NamePlayer, name="Vex")
    table.tell(ChangePerson, id="o", do=DoPerson.ADD, person={"name": "Oskara", "game": "narrative"})
    named = {"name": "condition", "owner": "Vex"} if owner == "Vex" else {"name": "opportunity"}

    def move(by: int) -> None:
        if owner == "Oskara":
            form = {"id": "o", "trackers": {"wounds": {"change": by}}}
            table.tell(ChangePerson, do=DoPerson.CHANGE, person=form)
        else:
            table.tell(ChangeTracker, count=by, **named)

    def values(state: TableState) -> list[int]:
        return [person.value("wounds") for person in state.people] if owner == "Oskara" else [*state.trackers.values()]

    move(+2)
    first = table.state.last_number
    for by in (+1, -3, +1):
        move(by)
    assert values(table.state) == [1]
    table.undo(change=first)
    assert values(table.state) == [1]  # 1, none, and 1 again
    restarted = Played(SYSTEM, store)
    undo.callback(restarted.close)
    assert values(restarted.state) == [1]
    table.undo(change=first + 3)
    assert values(table.state) == [0]
    table.redo()
    assert values(table.state) == [1]


def test_force_dice_give_no_points_where_none_flip(table: Played) -> None:
    message = seen(("force", ("light", "light")), ("force", ("dark",)))
    table.ask(message)
    table.choose("d6-wild")
    with pytest.raises(Conflict, match="Force Points: no dice give the points of D6 with a Wild Die"):
        table.tell(ChangeDestiny, do=Do.SET, from_roll=message.id)
    assert (table.state.destiny.light, table.state.destiny.dark) == (0, 0)


def test_settings_stay_from_roll_to_roll(table: Played) -> None:
    table.choose("narrative", settings={"ruleset": "summary"})
    roll = table.ask(seen(("ability", ()))).roll
    assert roll.ask == {"ruleset": "summary"}
    with pytest.raises(BadAsk, match="boost is no setting"):
        table.choose("narrative", settings={"boost": 1})


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (NamePlayer(id="1", at=1, name="  "), BadChange),
        (NamePlayer(id="1", at=1, name="X", player_id="none"), Conflict),
        (ChangeInitiative(id="1", at=1, do=Turn.NEXT), Conflict),
        (ChangeInitiative(id="1", at=1, do=Turn.CLAIM, slot="none", who="X"), Conflict),
        (ChangeInitiative(id="1", at=1, do=Turn.ADD, roll_id="none"), UnknownRoll),
        (ChangeRoll(id="1", at=1, roll_id="none", label="x"), UnknownRoll),
        (ChooseGame(id="1", at=1, game="chess"), TablesideError),
        (ChangeDestiny(id="1", at=1, do=Do.SET, from_roll="none"), UnknownRoll),
        (Undo(id="1", at=1), Conflict),
    ],
)
def test_what_cannot_be_changes_nothing(table: Played, message: Message, error: type[Exception]) -> None:
    before = table.state
    with pytest.raises(error):
        table.ask(message)
    assert table.state == before


def test_a_roll_taken_back_comes_back_only_where_somebody_wants_it_read_again(table: Played) -> None:
    message = seen(("ability", ("success",)))
    table.ask(message)
    table.undo()
    table.tell(NewReading, roll_id=message.id, reading=message.reading)
    assert table.state.roll is None
    back = table.tell(NewReading, roll_id=message.id, reading=message.reading, is_wanted=True).roll
    assert (back.id, back.headline) == (message.id, "Success")


def test_a_clock_that_jumps_back_keeps_the_order_of_changes(table: Played) -> None:
    table.ask(seen(("ability", ("success",)), at=5000.0))
    later = seen(("ability", ()), at=10.0)
    state = table.ask(later)
    assert (state.roll.id, [change.number for change in state.changes]) == (later.id, [1, 2])


def test_undo_of_a_roll_takes_its_faces_out_of_the_counts(table: Played) -> None:
    table.ask(seen(("ability", ("success",)), ("ability", ("success",))))
    assert table.counts().faces() == {"ability": {("success",): 2}}
    table.undo()
    assert table.counts().faces() == {}


def test_what_a_change_and_a_player_were_made_with_outlives_a_restart() -> None:
    store = MemoryStore()
    table = Played(SYSTEM, store)
    player = table.tell(NamePlayer, name="Vex", device="0a1b2c3d").players[0]
    table.close()
    change = change_from_text(change_to_text(next(iter(store.changes()))))
    assert (change.device, player.device) == ("0a1b2c3d", "0a1b2c3d")
    assert change.after.players == (player,)


def test_a_number_of_a_plain_die_stands_for_the_face_of_a_symbol_die() -> None:
    # M25: a plain d8 for ability that shows 4 is two successes, a plain d12 for challenge that shows 12 a despair
    assert SYSTEM.check_die("ability", ["4"]).face == ("success", "success")
    assert SYSTEM.check_die("challenge", ["12"]).face == ("despair",)
    assert SYSTEM.check_die("pip", ["4"]).face == ("4",)
    for number in ("0", "9"):
        with pytest.raises(UnknownFace, match=f"no face {number}"):
            SYSTEM.check_die("ability", [number])
