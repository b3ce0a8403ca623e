"""What betters somebody after a fight: each is offered while it helps, is one act, counts once and is undone whole."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from tableside.errors import Conflict, GameError
from tableside.rules.characters import why_out
from tableside.rules.people import Effect, Person
from tableside.table import MemoryStore
from tableside.table.messages import ApplyEffect, Turn
from tableside.table.shown import cares_json
from tests.conftest import SYSTEM
from tests.table.played import Played

STRONG = [{"name": "Strength", "ask": {"code": "3D"}}]
GAME = SYSTEM.find_game("d6-wild")


def offered(table: Played, person: Person) -> list[str]:
    cares = cares_json(table.state, table.now(person))
    return [": ".join(part for part in (one["words"], one.get("by")) if part) for one in cares]


def care(table: Played, person: Person, words: str) -> None:
    """Do what one tap on this does: the act, or the call of its throw."""
    one = next(one for one in cares_json(table.state, table.now(person)) if one["words"] == words)
    if "act" in one:
        table.act(one["act"], person)
    else:
        table.call(**one["call"])


def apply(table: Played, to: Person, effect: int = 0) -> None:
    table.apply(to, effect=effect)


def value(table: Played, person: Person, *names: str) -> tuple[int, ...]:
    return tuple(table.now(person).value(name) for name in names)


def hurt(table: Played, name: str, game: str, skills: Any = None, **trackers: Any) -> Person:
    gauges = {key: one if isinstance(one, dict) else {"value": one} for key, one in trackers.items()}
    return table.add(name, game, skills=skills or (STRONG if game.startswith("d6") else []), trackers=gauges)


def test_the_dying_are_stabilised_saved_heal_and_die_anew_the_next_time() -> None:
    store = MemoryStore()
    with closing(Played(SYSTEM, store)) as table:
        gest = hurt(table, "Gest", "d6-wild", wounds=5)
        medic = table.add("Ulm", "d6-wild", skills=[{"name": "first aid", "ask": {"code": "2D+2"}}])
        assert offered(table, gest) == ["First aid: Ulm", "Two dice for a life"]
        care(table, gest, "First aid")
        assert (table.state.asked.who, table.state.asked.against) == (medic.id, gest.id)
        table.roll(5, 3)  # 10 of 11
        assert table.state.rolls[0].effects == ()
        care(table, gest, "First aid")
        table.roll(5, 4)  # 5 + 4 + 2 = 11, moderate
        apply(table, gest)
        assert offered(table, gest) == ["A medpac or a bacta tank within the hour"]
        care(table, gest, "A medpac or a bacta tank within the hour")
        with pytest.raises(GameError):
            table.act("saved", gest)
        table.act("hour")
        assert value(table, gest, "wounds", "stabilised") == (5, 2)
    with closing(Played(SYSTEM, store)) as table:
        assert offered(table, gest) == ["Natural healing"]
        care(table, gest, "Natural healing")
        table.roll(4, 2, 1)
        apply(table, gest)
        assert value(table, gest, "wounds", "stabilised", "mortal_rounds") == (4, 0, 0)
        table.undo()
        assert value(table, gest, "wounds", "stabilised") == (5, 2)
        apply(table, gest)
        # The same wound again: nobody has stabilised this one
        again = GAME.characters.apply_effect(table.now(gest), Effect(tracker="wounds", set=5))
        assert (again.value("wounds"), again.value("stabilised")) == (5, 0)


def test_natural_healing_ends_one_way_and_the_other_is_refused(table: Played) -> None:
    torv = hurt(table, "Torv", "d6-wild", wounds=3)
    care(table, torv, "Natural healing")
    assert table.roll(3, 3, 5).asked.id == ""  # 3D: two wounds cost nothing on it
    better, worse = table.state.rolls[0].effects
    assert (better.words, worse.words) == ("Better: wounded", "Worse: incapacitated")
    apply(table, torv, 1)
    assert value(table, torv, "wounds") == (4,)
    with pytest.raises(Conflict, match="another of these was chosen"):
        apply(table, torv, 0)
    apply(table, torv, 1)  # the same again counts once
    assert value(table, torv, "wounds") == (4,)
    table.undo()
    apply(table, torv, 0)
    assert value(table, torv, "wounds") == (2,)


def test_the_incapacitated_come_to_and_act_at_their_penalty(table: Played) -> None:
    skills = [{"name": "Con", "ask": {"code": "6D+1"}}]
    juno = hurt(table, "Juno", "d6-wild", skills=skills, wounds=4, unconscious=1, stuns=2)
    assert offered(table, juno) == ["Natural healing", "Awake again", "A minute's rest"]
    with pytest.raises(Conflict, match="cannot act"):
        table.call(juno, "Con")
    care(table, juno, "Awake again")
    table.call(juno, "Con")
    tray = table.state.asked.tray
    assert tray.count == 2  # 6D less 4D
    care(table, juno, "A minute's rest")
    assert offered(table, juno) == ["Natural healing"]
    worse = GAME.characters.apply_effect(table.now(juno), Effect(tracker="wounds", set=4))
    assert (why_out(GAME.characters, worse), worse.value("awake")) == ("Mortally wounded", 0)


def test_a_medpac_and_natural_healing_of_the_companion(table: Played) -> None:
    kesh = hurt(table, "Kesh", "d6-companion", wounds=3, accelerated=1)
    ansa = hurt(table, "Ansa", "d6-companion", skills=[{"name": "Medicine", "ask": {"code": "4D"}}], wounds=2)
    # whoever is out treats nobody: anybody's dice count
    assert offered(table, kesh) == ["A medpac", "Two dice for a life", "Natural healing"]
    table.choose("d6-companion")
    table.act("round")
    care(table, kesh, "Two dice for a life")
    table.roll(1, 1)  # 2 in round 1
    assert table.state.rolls[0].effects == ()
    table.tell(ApplyEffect, roll_id=_healed(table, ansa), effect=0, to=ansa)
    assert offered(table, kesh)[0] == "A medpac: Ansa"
    care(table, kesh, "A medpac")
    table.roll(5, 5, 4)  # 14 and 2 of the Force, wounded: 3D; mortal is 16
    apply(table, kesh)
    assert value(table, kesh, "wounds", "medpacs", "mortal_rounds") == (2, 1, 0)
    care(table, kesh, "Natural healing")
    table.roll(2, 2, 3)
    assert dict(table.state.rolls[0].net)["total"] == 9  # 2 of accelerated healing
    apply(table, kesh)
    assert value(table, kesh, "wounds") == (1,)


def _healed(table: Played, person: Person) -> str:
    care(table, person, "Natural healing")
    table.roll(6, 6)
    return table.state.rolls[0].id


def test_medicine_heals_wounds_and_strain_by_one_tap_and_repairs_a_hull(table: Played) -> None:
    oskara = hurt(table, "Oskara", "narrative", wounds={"value": 14, "most": 12}, strain={"value": 5, "most": 11})
    ship = table.add("Krayt", "narrative", "thing", trackers={"hull": {"value": 6, "most": 15}})
    skills = [
        {"name": "medicine", "ask": {"characteristic": 3, "skill": 1}},
        {"name": "Mechanics", "ask": {"characteristic": 2}},
    ]
    ilun = table.add("Ilun", "narrative", "player", skills=skills)
    assert offered(table, oskara) == ["Medicine: Ilun", "A stimpack", "To shake off strain", "A night's rest"]
    care(table, oskara, "Medicine")
    # beyond the threshold is hard: 3 D
    good = ("ability", "success"), ("ability", ("success", "advantage")), ("proficiency", ("advantage", "advantage"))
    table.throw(*good, ("difficulty", ()), ("difficulty", ()), ("difficulty", "threat"))
    assert len(table.state.rolls[0].effects) == 1
    apply(table, oskara)
    assert value(table, oskara, "wounds", "strain") == (12, 3)
    apply(table, oskara)
    assert value(table, oskara, "wounds", "strain") == (12, 3)
    table.undo()
    assert value(table, oskara, "wounds", "strain") == (14, 5)
    assert offered(table, ship) == ["Repairs: Ilun"]
    care(table, ship, "Repairs")
    assert table.state.asked.answers["difficulty"] == "easy"  # 6 of 15
    table.throw(("ability", ("success", "success")), ("ability", ("advantage",)), ("difficulty", ()))
    apply(table, ship)
    assert value(table, ship, "hull") == (4,)
    assert ilun.id == table.state.rolls[0].who


def test_a_night_passes_for_all_by_one_tap_and_long_rests_wait_for_the_end_of_a_fight(table: Played) -> None:
    vex = hurt(table, "Vex", "narrative", wounds={"value": 3, "most": 12}, strain={"value": 4, "most": 13}, stimpacks=5)
    mob = table.add("Mob", "narrative", "group", members=3, trackers={"wounds": {"value": 2, "most": 5}})
    table.turn(Turn.ADD, who="Vex", rank=(1,))
    assert offered(table, vex) == ["Medicine"]
    table.turn(Turn.CLEAR)
    care(table, vex, "To shake off strain")  # nobody has Cool or Discipline: an average of two dice, and no difficulty
    assert table.dice() == {"ability": 2}
    table.throw(("ability", ("success", "success")), ("ability", ("success",)))
    apply(table, vex)
    assert value(table, vex, "strain") == (1,)
    table.undo(3)
    table.act("night")
    assert value(table, vex, "wounds", "strain", "stimpacks") == (2, 0, 0)
    assert value(table, mob, "wounds") == (2,)
    table.undo()
    assert value(table, vex, "wounds", "strain", "stimpacks") == (3, 4, 5)


def test_no_rest_brings_the_dead_back(table: Played) -> None:
    tavish = hurt(table, "Tavish", "heroic", condition=5, unconscious=1, stamina={"value": 0, "most": 4})
    sefa = hurt(table, "Sefa", "heroic", condition=5, unconscious=1, stamina={"value": 2, "most": 5})
    assert (offered(table, tavish), offered(table, sefa)) == ([], ["Healed by somebody"])
    care(table, sefa, "Healed by somebody")
    assert value(table, sefa, "condition", "unconscious", "stamina") == (4, 0, 1)
    table.choose("heroic")
    table.act("extended_rest")
    assert value(table, sefa, "stamina") == (5,)
    assert value(table, tavish, "stamina", "unconscious") == (0, 1)
    for act in ("heal", "steady", "extended_rest"):
        with pytest.raises(GameError, match="is dead"):
            table.act(act, tavish)
    for _ in range(4):
        table.act("heal", sefa)
    assert offered(table, sefa) == []
    with pytest.raises(GameError, match="helps nothing"):
        table.act("heal", sefa)
    assert value(table, sefa, "condition", "stamina") == (0, 1)
