"""A player's own call and the further throw of a roll come before the open call, which waits and comes back."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from tableside.errors import Conflict
from tableside.rules.people import Person
from tableside.table import MemoryStore
from tableside.table.messages import ChangeInitiative, PassNow, StartSession, Turn
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_rounds import KESH, ROOK


def two(table: Played, game: str) -> tuple[Person, Person]:
    """Return somebody who is called to shoot at a player, and that player."""
    form = KESH if game == "d6-wild" else ROOK
    raider, kesh = table.add("Raider", game, **form), table.add("Kesh", game, "player", **form)
    table.choose(game)
    table.turn(Turn.ADD, who="Raider", side="npc", rank=(3,))
    table.turn(Turn.ADD, who="Kesh", rank=(2,))
    table.call(raider, weapon="Pistol", against=kesh, by="Mara")
    return raider, kesh


def called(table: Played) -> tuple[str, str, tuple[str, ...]]:
    """Return who is called for what, and who waits."""
    state = table.state
    names = (person.name for one in state.now.acts.waiting if (person := state.person(one)))
    return state.asked.player, state.asked.label, tuple(names)


def own(table: Played, kesh: Person, skill: str = "Dodge", **more: object) -> None:
    table.call(kesh, skill, is_players=True, by="Kesh's phone", **more)


@pytest.mark.parametrize("game", ["d6-wild", "d6-companion"])
def test_who_is_shot_at_dodges_first_and_the_shot_comes_back_against_that(
    table: Played, store: MemoryStore, game: str
) -> None:
    raider, kesh = two(table, game)
    own(table, kesh)
    assert called(table) == ("Kesh", "Dodge", ("Raider",))
    own(table, kesh)  # another device, or a second tap: the same call
    assert called(table) == ("Kesh", "Dodge", ("Raider",))
    dodge = (2, 4, 4, 3)
    state = table.roll(*dodge)
    assert called(table) == ("Raider", "Pistol", ())
    assert (state.asked.against, state.asked.answers["reaction_total"]) == (kesh.id, 13)
    assert (state.now.name, state.now.whose) == ("throw", raider.id)
    table.undo()
    assert called(table) == ("Kesh", "Dodge", ("Raider",))
    table.undo(2)
    assert called(table) == ("Raider", "Pistol", ())
    own(table, kesh)
    table.close()
    with closing(Played(SYSTEM, store)) as again:  # after a restart
        assert called(again) == ("Kesh", "Dodge", ("Raider",))
        again.roll(*dodge)
        assert called(again) == ("Raider", "Pistol", ())
        again.roll(3, 4, 4)
        assert called(again) == ("", "", ())


def test_a_throw_that_goes_on_is_thrown_to_its_end_first(table: Played) -> None:
    _, kesh = two(table, "d6-wild")
    own(table, kesh)
    state = table.roll(6, 4, 4, 3)
    assert (state.now.name, called(table)[0]) == ("more", "")
    roll = state.rolls[0]
    table.throw_on(roll, ("wild", "2"))
    assert called(table) == ("Raider", "Pistol", ())
    assert table.state.asked.answers["reaction_total"] == 19


def test_a_stop_ends_the_call_that_is_shown_and_the_evening_ends_all(table: Played) -> None:
    _, kesh = two(table, "d6-wild")
    own(table, kesh)
    table.call()
    assert called(table) == ("Raider", "Pistol", ())
    table.call()
    assert called(table) == ("", "", ())
    table.undo()
    own(table, kesh)
    table.tell(StartSession)
    assert (called(table), table.state.agenda.waits) == (("", "", ()), ())
    table.undo(change=table.state.last_number)
    assert called(table) == ("Kesh", "Dodge", ("Raider",))
    table.tell(StartSession)
    assert (called(table), table.state.agenda.waits) == (("", "", ()), ())


def test_the_master_s_other_call_is_in_the_place_of_the_open_one_and_what_waits_goes_on_waiting(table: Played) -> None:
    raider, kesh = two(table, "d6-wild")
    table.call(raider, "Blaster", by="Mara")
    assert called(table) == ("Raider", "Blaster", ())
    own(table, kesh)
    own(table, kesh, "Strength")  # a player who takes another skill means that one
    assert called(table) == ("Kesh", "Strength", ("Raider",))
    table.call(kesh, "Perception", by="Mara")
    assert called(table) == ("Kesh", "Perception", ("Raider",))


@pytest.mark.parametrize("step", [False, True])
def test_the_order_of_a_fight_waits_for_what_is_thrown_between(table: Played, *, step: bool) -> None:
    table.choose("d6-wild")
    kesh, scout = (table.add(name, "d6-wild", kind, **KESH) for name, kind in (("Kesh", "player"), ("Scout", "person")))
    if step:
        table.call(kesh, weapon="Pistol", against=scout, ask={"difficulty": 5})
        table.roll(5, 4, 4)
        assert (table.state.now.name, table.state.now.acts.act and table.state.now.acts.act.key) == ("step", "resist")
    table.turn(Turn.CALL, who=(kesh.id, scout.id))
    first = called(table)
    if step:
        damage = table.state.now.acts.also[0]
        assert damage.key == "roll_damage"
        body = dict(damage.request.body)
        table.call(is_damage=body.pop("damage"), **body)
        assert (table.state.now.name, called(table)[1]) == ("throw", "Pistol")
        assert table.state.now.acts.waiting == (scout.id,)  # and Kesh, who throws, after that
        assert [one.key for one in table.state.now.acts.also if one] == ["stop"]
        table.roll(2, 3, 3, 3)
        if table.state.now.name == "apply":
            table.undo()
            table.roll(2, 1, 1, 1)
    else:
        own(table, kesh, "Strength")
        assert called(table)[1:] == ("Strength", ("Scout",))
        table.roll(2, 3, 3)
    assert called(table)[:2] == first[:2]
    assert table.state.contest.is_initiative
    table.roll(2, 3)
    assert called(table)[0] == "Scout"
    table.undo()
    assert called(table)[:2] == first[:2]
    table.roll(2, 3)
    table.roll(3, 4)
    assert [slot.who for slot in table.state.initiative.slots] == ["Scout", "Kesh"]
    assert called(table) == ("", "", ())


def test_where_all_declare_the_act_is_that_and_weapons_come_after_it(table: Played) -> None:
    raider, kesh = two(table, "d6-companion")
    table.call()
    for _ in range(2):  # actions, then reactions (d6-companion.md, combat_sequence)
        now = table.state.now.acts
        told = now.act and (now.act.key, now.act.values.get("all"))
        assert (table.state.now.name, told, now.also) == ("turn", ("next", True), ())
        named = now.act.values["next"]
        sent = dict(now.act.request.body)
        part = table.state.initiative.part
        table.tell(ChangeInitiative, **sent | {"do": Turn.NEXT})
        assert table.state.now.whose == named
        table.tell(ChangeInitiative, **sent | {"do": Turn.NEXT})  # another device
        assert table.state.initiative.part == (part[0], part[1] + 1)
    now = table.state.now.acts
    assert (now.act.key, now.also[0].key if now.also[0] else "") == ("attack", "pass")
    table.undo()
    assert table.state.now.acts.act.key == "next"
    assert {raider.id, kesh.id} == {one.id for one in table.state.people}


def later(table: Played, who: Person, skill: str = "Strength", **more: Any) -> None:
    table.call(who, skill, is_later=True, by="Mara", **more)


def test_one_more_call_waits_and_each_that_waits_is_taken_off(table: Played, store: MemoryStore) -> None:
    _, kesh = two(table, "d6-wild")
    ann = table.add("Ann", "d6-wild", "player", **KESH)
    later(table, ann, ask={"force_point": True})
    later(table, kesh)
    assert called(table) == ("Raider", "Pistol", ("Ann", "Kesh"))
    before = table.state
    own(table, kesh)  # comes before all that waits
    assert called(table) == ("Kesh", "Dodge", ("Raider", "Ann"))  # and Kesh, who throws, after that
    table.undo()
    assert table.state.called == before.called
    points = [table.state.person(ann.id).value("force_points")]
    for n in (1, 0, 0):
        one = table.state.called[n]
        table.tell(PassNow, name="throw", call=one.id)
        assert one not in table.state.called
        points.append(table.state.person(ann.id).value("force_points"))
    assert (called(table), points) == (("", "", ()), [0, 1, 1, 1])
    with pytest.raises(Conflict, match="nothing to pass"):  # another device
        table.tell(PassNow, name="throw", call=one.id)
    table.undo(3)
    assert (table.state.called, table.state.people) == (before.called, before.people)
    table.close()
    with closing(Played(SYSTEM, store)) as again:  # after a restart
        assert again.state.called == before.called
        for name in ("Raider", "Ann", "Kesh"):
            assert called(again)[0] == name
            again.roll(*(2,) * again.state.asked.tray.count)
        assert called(again) == ("", "", ())


def test_a_call_of_several_waits_and_goes_on_without_who_is_taken_off(table: Played) -> None:
    raider, kesh = two(table, "d6-wild")
    ann = table.add("Ann", "d6-wild", "player", **KESH)
    later(table, kesh, others=(ann.id, raider.id))
    later(table, ann)
    assert called(table) == ("Raider", "Pistol", ("Kesh", "Ann"))
    with pytest.raises(Conflict, match="several are called already"):
        later(table, kesh, others=(ann.id,))
    before = table.state.called
    table.tell(PassNow, name="throw", call=table.state.called[1].id)  # the first of several, whom the next follows
    assert [one.name for one in table.state.called] == ["Raider", "Ann", "Ann", "Raider"]
    table.tell(PassNow, name="throw", call=table.state.called[-1].id)
    table.call(raider, "Blaster", by="Mara")  # the open one is changed
    assert [one.name for one in table.state.called] == ["Raider", "Ann", "Ann"]
    table.undo(3)
    assert table.state.called == before
    while table.state.asked.tray:
        table.roll(*(2,) * table.state.asked.tray.count)
    assert [roll.by for roll in reversed(table.state.rolls)] == [one.name for one in before]


def test_the_order_of_a_fight_waits_for_one_more_call(table: Played) -> None:
    kesh, scout = (table.add(name, "d6-wild", kind, **KESH) for name, kind in (("Kesh", "player"), ("Scout", "person")))
    table.choose("d6-wild")
    table.turn(Turn.CALL, who=(kesh.id, scout.id))
    later(table, kesh)
    for name, is_place in (("Kesh", True), ("Kesh", False), ("Scout", True)):
        assert (called(table)[0], bool(table.state.asked.contest)) == (name, is_place)
        table.roll(*(2,) * table.state.asked.tray.count)
    assert [slot.who for slot in table.state.initiative.slots] == ["Kesh", "Scout"]


def test_what_was_answered_meanwhile_is_not_called_once_more_by_its_change_and_no_other_call_is_stopped(
    table: Played, store: MemoryStore
) -> None:
    raider, _ = two(table, "d6-wild")
    first, number = table.state.asked.id, table.state.last_number
    table.call(raider, weapon="Pistol", ask={"difficulty": 9}, changes=first)
    changed = table.state.asked
    assert changed.id != first
    assert table.state.now.acts.also[0].request.body == {"changes": changed.id}
    table.roll(3, 4, 4)
    later(table, raider)
    before = table.state
    for late in {"who": raider.id, "weapon": "Pistol"}, {}:
        with pytest.raises(Conflict, match="that call is over"):
            table.call(changes=changed.id, **late)
    assert table.state == before
    table.undo(change=number)  # the first call goes, and its change stands by itself
    assert [(roll.weapon, roll.ask["difficulty"]) for roll in table.state.rolls] == [("Pistol", 9)]
    asked = table.state.asked
    table.close()
    with closing(Played(SYSTEM, store)) as again:
        assert again.state.asked == asked
