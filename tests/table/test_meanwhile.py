"""What was changed meanwhile: a roll is corrected, or an older change taken back, after others built on it."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from tableside.errors import BadChange, Conflict
from tableside.rules.people import Person
from tableside.table import MemoryStore, TableState
from tableside.table.kept import Roll
from tableside.table.messages import (
    ChangePerson,
    ChangeRoll,
    ChangeTable,
    CorrectDie,
    DoPerson,
    LastTotal,
    Redo,
    Row,
    RuleDie,
    Turn,
    Undo,
)
from tableside.table.shown import state_json
from tests.conftest import SYSTEM, carried
from tests.table.played import Played
from tests.table.test_rounds import BRAND, KESH, ROOK, state_of

GUARD: dict[str, Any] = {
    "skills": [{"name": "Blades", "ask": {"ability": 3, "skill": 2}}],
    "weapons": [{"name": "Sabre", "skill": "Blades",
                 "ask": {"purpose": "attack", "power": "basic_melee", "weapon": 6, "damage_ability": 2}}],
    "defences": {"threshold": 5, "defense": "reflex", "defense_abilities": [2, 2], "defense_rank": 0},
    "trackers": {"stamina": {"value": 3, "most": 3}},
}  # fmt: skip
GUNNER: dict[str, Any] = {
    "skills": [{"name": "Ranged", "ask": {"characteristic": 3, "skill": 1}}],
    "weapons": [{"name": "Carbine", "skill": "Ranged",
                 "ask": {"purpose": "attack", "damage": 5, "difficulty": "easy"}}],
    "defences": {"soak": 1},
    "trackers": {"wounds": {"value": 2, "most": 14}},
}  # fmt: skip


def whole(table: Played, *good: tuple[str, ...]) -> Roll:
    """Throw what is called: these faces on the dice that help, in their order, and blanks on all others."""
    left = list(good)
    shown = []
    for kind, count in table.dice().items():
        for _ in range(count):
            helps = kind in ("boost", "ability", "proficiency")
            shown.append((kind, left.pop(0) if helps and left else ()))
    return table.throw(*shown).rolls[0]


def correct(table: Played, roll: Roll, index: int, *face: str) -> TableState:
    return table.tell(CorrectDie, roll_id=roll, index=index, type=roll.dice[index].type, face=face)


def apply(table: Played, roll: Roll, *targets: Any) -> None:
    for one in targets:
        table.apply(one, roll)


def applied(table: Played, roll: Roll) -> list[str]:
    found = table.state.find_roll(roll.id)
    return [one.to for one in found.applied]


def test_what_was_applied_of_a_roll_that_is_corrected_is_what_it_does_by_then() -> None:
    store = MemoryStore()
    with closing(Played(SYSTEM, store)) as table:
        ann, thug = (table.add(name, "narrative", **GUNNER) for name in ("Ann", "Thug"))
        table.call(ann, weapon="Carbine", against=thug)
        roll = whole(table, ("success",), ("success", "success"))
        apply(table, roll, thug)
        assert table.now(thug).value("wounds") == 9  # 2, and 5 with 3 successes less soak 1
        table.change(thug, trackers={"wounds": {"change": 1}})
        correct(table, roll, 1, "advantage")
        assert (table.now(thug).value("wounds"), applied(table, roll)) == (9 + 1 - 7 + 5, [thug.id])
        assert str(table.state.changes[-1].sentence).endswith("Thug: 5 wounds in place of 7 wounds.")
        correct(table, roll, 2, "triumph")  # one more success: undone, all is as it was
        table.undo()
        assert (table.now(thug).value("wounds"), applied(table, roll)) == (8, [thug.id])
        table.redo()
        assert (table.now(thug).value("wounds"), applied(table, roll)) == (9, [thug.id])
    with closing(Played(SYSTEM, store)) as table:  # a correction that makes it a miss, after a restart
        assert table.now(thug).value("wounds") == 9
        for index in (0, 1, 2):
            correct(table, roll, index)
        assert (table.now(thug).value("wounds"), applied(table, roll)) == (3, [])
        assert any("With it went: " in str(one.sentence) and "of Thug" in one.sentence for one in table.state.changes)
        with pytest.raises(Conflict, match="does nothing to Thug"):
            apply(table, roll, thug)
        table.undo(3)
        assert (table.now(thug).value("wounds"), applied(table, roll)) == (9, [thug.id])


def test_what_a_corrected_roll_pays_no_more_goes_back_the_newest_first(table: Played) -> None:
    ann, thug = table.scene("narrative", "Ann", "Thug", kind="player", **GUNNER)
    table.set_to(ann, strain=3)
    table.call(ann, "Ranged")
    roll = whole(table, ("advantage", "advantage"), ("advantage",), ("advantage", "success"))
    table.buy(roll, "recover_strain")
    table.buy(roll, "setback_target_next", for_person=thug)
    spent = table.state.last_number
    assert (table.now(ann).value("strain"), len(carried(table.state))) == (2, 1)

    def bought() -> list[str]:
        return [one.name for one in table.state.rolls[0].bought]

    die = next(n for n, one in enumerate(roll.dice) if one.face == ("advantage", "advantage"))
    state = correct(table, roll, die, "success")
    assert str(state.last_change.sentence).endswith("With it went: Setback to the target's next check for Thug")
    assert (bought(), carried(table.state), table.now(ann).value("strain")) == (["recover_strain"], (), 2)
    with pytest.raises(Conflict):
        table.undo(change=spent)
    table.undo()
    assert (len(bought()), len(carried(table.state))) == (2, 1)
    table.redo()
    table.call(thug, "Ranged")
    assert "setback" not in table.dice()
    for other, face in enumerate(roll.dice):
        if other != die and "advantage" in face.face:
            correct(table, roll, other)
    assert (bought(), table.now(ann).value("strain")) == ([], 3)


def test_what_stays_the_same_by_a_correction_stays_applied(table: Played) -> None:
    ann, thug = (table.add(name, "narrative", **GUNNER) for name in ("Ann", "Thug"))
    table.call(ann, weapon="Carbine", against=thug)
    roll = whole(table, ("success",))
    apply(table, roll, thug)
    correct(table, roll, 1, "advantage")
    assert (table.now(thug).value("wounds"), applied(table, roll)) == (2 + 5, [thug.id])


def test_who_was_taken_away_is_not_hurt_by_a_correction(table: Played) -> None:
    ann, thug = (table.add(name, "narrative", **GUNNER) for name in ("Ann", "Thug"))
    table.call(ann, weapon="Carbine", against=thug)
    roll = whole(table, ("success",))
    apply(table, roll, thug)
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": thug.id})
    state = correct(table, roll, 1, "success")
    assert (state.person(thug.id), applied(table, roll)) == (None, [thug.id])  # who was here when it was applied


def test_one_of_several_targets_is_spared_and_the_others_stay_hurt(table: Played) -> None:
    ann, *others = (table.add(name, "heroic", **GUARD) for name in ("Ann", "Orc", "Ogre", "Imp"))
    table.call(ann, weapon="Sabre", targets=tuple(one.id for one in others))
    roll = whole(table, ("success",), ("success", "success"))
    apply(table, roll, *others)
    first = table.state.last_number - 2
    table.undo(change=first + 1)
    assert [table.now(one).value("condition") for one in others] == [1, 0, 1]
    assert applied(table, roll) == [others[0].id, others[2].id]
    table.redo()
    assert [table.now(one).value("condition") for one in others] == [1, 1, 1]
    table.undo(change=first)
    apply(table, roll, others[0])
    assert [table.now(one).value("condition") for one in others] == [1, 1, 1]
    correct(table, roll, 0)
    correct(table, roll, 1)  # a miss: nobody was hurt
    assert [table.now(one).value("condition") for one in others] == [0, 0, 0]
    with pytest.raises(Conflict, match="taken back already"):
        table.undo(change=first + 2)  # it went with the correction


def test_each_device_takes_back_what_it_bought_whatever_the_other_bought_since(table: Played) -> None:
    ann, ben = (table.add(name, "narrative", **GUNNER) for name in ("Ann", "Ben"))
    table.call(ann, "Ranged", ask={"difficulty": "easy"})
    roll = whole(table, ("advantage", "advantage"), ("success", "advantage"))
    for name, of, device in (("boost_any_ally_next", ben.id, "ann's"), ("boost_next_ally", "", "ben's")):
        table.buy(roll, name, for_person=of, device=device)
    table.undo(only_of="ann's")
    assert [one.name for one in table.state.rolls[0].bought] == ["boost_next_ally"]
    assert [one.is_for_allies for one in carried(table.state)] == [True]
    table.undo(only_of="ben's")
    assert (table.state.rolls[0].bought, carried(table.state)) == ((), ())


def test_the_former_of_two_powers_comes_back_with_its_roll(table: Played) -> None:
    brand = table.add("Brand", "heroic", **BRAND)
    rolls = []
    for name in ("Fire", "Ice"):
        table.call(brand, weapon=name)
        whole(table)
        rolls.append(table.state.last_number)
    table.undo(change=rolls[0])
    assert table.now(brand).used == {"Ice": "daily"}
    table.call(brand, weapon="Fire")
    table.call()
    table.undo(change=rolls[1])
    assert table.now(brand).used == {}


def test_a_state_goes_back_by_itself_whatever_came_after_it(table: Played) -> None:
    kai = table.add("Kai", "narrative", **GUNNER)
    prone, cover = (state_of("narrative", name) for name in ("Prone", "In cover"))
    for state in (prone, cover):
        table.change(kai, begins=[state])
    table.undo(change=table.state.last_number - 1)
    assert [one.name for one in table.now(kai).states] == ["In cover"]
    table.change(kai, begins=[prone])
    begun = table.state.last_number
    table.change(kai, states=[prone, cover])
    table.undo(change=begun)  # who sends all that lasts means all of it
    assert [one.name for one in table.now(kai).states] == ["Prone", "In cover"]


def test_what_two_phones_put_on_and_take_off_at_once_all_counts(table: Played) -> None:
    prone, cover = (state_of("narrative", name) for name in ("Prone", "In cover"))
    kai = table.add("Kai", "narrative", **GUNNER, begins=[prone])

    def change(**what: Any) -> dict[str, str]:
        table.tell(ChangePerson, do=DoPerson.CHANGE, person={"id": kai.id, **what})
        return {one.name: one.until for one in table.now(kai).states}

    assert change(begins=[{**cover, "until": "round"}]) == {"Prone": "scene", "In cover": "round"}
    assert change(ends=["Prone"]) == {"In cover": "round"}
    taken_off = table.state.last_number
    assert change(ends=["Prone"]) == {"In cover": "round"}  # once more, by another phone
    assert change(ends=["In cover"], begins=[{**cover, "until": "turn"}, prone]) == {"Prone": "scene"}
    assert change(begins=[cover]) == {"Prone": "scene", "In cover": "scene"}
    assert change(begins=[{**prone, "until": "turn"}]) == {"Prone": "turn", "In cover": "scene"}
    table.undo()
    assert change(states=[], begins=[prone]) == {"Prone": "scene"}
    table.undo(3)
    table.undo(change=taken_off)
    assert {one.name for one in table.now(kai).states} == {"In cover", "Prone"}


def test_two_devices_that_end_one_turn_at_once_pass_nobody(table: Played) -> None:
    people = [table.add(name, "narrative", **GUNNER) for name in ("Kai", "Bo")]
    for person, rank in zip(people, (2, 1), strict=True):
        table.turn(Turn.ADD, who=person, side="npc", rank=(rank,))
    first, second = table.state.initiative.slots

    def current(ended: str) -> str:
        slot = table.turn(slot=ended).initiative.current
        return slot.id

    assert (current(first.id), current(first.id)) == (second.id, second.id)
    table.undo()
    assert table.state.initiative.slots == (first, second)
    assert (current(first.id), current(second.id), current(second.id)) == (second.id, first.id, first.id)
    assert (table.state.initiative.round, current("")) == (2, second.id)  # whoever names no slot ends the turn of now


@pytest.mark.parametrize(("game", "form", "turns"), [
    ("narrative", GUNNER, [(2, 0), (3, 0), (4, 0)]),  # a round is one turn
    ("d6-companion", ROOK, [(1, 1), (1, 2), (2, 0)]),  # three segments a round (d6-companion.md, combat_sequence)
])  # fmt: skip
def test_two_devices_that_end_the_turn_of_one_alone_pass_one(
    table: Played, game: str, form: dict[str, Any], turns: list[tuple[int, int]]
) -> None:
    [one] = table.scene(game, "Kai", **form)
    table.turn(Turn.ADD, who=one.name, side="npc", rank=(2,))

    def end_turn() -> tuple[int, int]:
        seen = state_json(table.state, now=1.0)["initiative"]
        shown = {"slot": seen["current"], "round": seen["round"], "segment": seen["segment"]}
        for _ in range(2):
            table.turn(**shown)
        return table.state.initiative.round, table.state.initiative.segment

    assert [end_turn() for _ in turns] == turns
    last = table.state.last_number
    table.undo()
    assert end_turn() == turns[-1]
    words = table.undo(change=last - 2).changes[-1].sentence  # a turn of a part that is over cannot be had again
    assert (table.state.initiative.round, table.state.initiative.segment) == turns[-1]
    assert f". Round {turns[-1][0]}: " in words
    assert end_turn() == {"narrative": (5, 0), "d6-companion": (2, 1)}[game]


@pytest.mark.parametrize("kind", ["player", "person", "group"])
@pytest.mark.parametrize(("game", "form"), [("narrative", GUNNER), ("d6-wild", KESH)])
def test_a_roll_that_is_put_into_the_order_brings_side_and_name_of_who_rolled(
    table: Played, game: str, form: dict[str, Any], kind: str
) -> None:
    # Whose roll it was has its place (d6-wild.md, turn_order; narrative.md has it without a rule, M33).
    one, other = table.scene(game, "Kai", "Bo", kind=kind, **form)
    rolls = []
    for who in (one, other):
        ask = {"purpose": "initiative"} if game == "narrative" else {}
        table.call(who, form["skills"][0]["name"], ask=ask)
        faces = {"wild": "3", "pip": "4"}
        state = table.throw(*((die, faces.get(die, "success")) for die, n in table.dice().items() for _ in range(n)))
        rolls.append(state.roll.id)
    side = "player" if kind == "player" else "npc"
    added = table.turn(Turn.ADD, roll_id=rolls[0]).last_number
    table.turn(Turn.ADD, roll_id=rolls[1], side="npc")  # by another device, which says a side
    table.undo(change=added)
    table.redo()
    slots = {slot.who: slot for slot in table.state.initiative.slots}
    assert {who: (slot.side, slot.person) for who, slot in slots.items()} == {
        "Kai": (side, one.id),
        "Bo": (side, other.id),
    }
    named = table.turn(Turn.ADD, roll_id=rolls[0], who="A guest", side="player").initiative
    assert [(slot.side, slot.person) for slot in named.slots if slot.who == "A guest"] == [("player", "")]


@pytest.mark.parametrize(("game", "form"), [("heroic", BRAND), ("d6-wild", KESH)])
def test_a_new_name_stands_in_the_call_among_those_who_wait_and_in_the_order(
    table: Played, game: str, form: dict[str, Any]
) -> None:
    ann, bor = table.scene(game, "Ann", "Bor", kind="player", **form)
    for one in (ann, bor):
        table.turn(Turn.ADD, who=one.name, rank=(2,))
    table.call(ann, ann.skills[0].name, others=(bor,))
    for who, name in ((ann, "Anna"), (bor, "Boris")):
        table.change(who, name=name)
    assert table.state.asked.player == "Anna"
    assert [one.name for one in table.state.waiting] == ["Anna", "Boris"]
    assert [slot.who for slot in table.state.initiative.slots] == ["Anna", "Boris"]
    assert [table.state.acting(slot) for slot in table.state.initiative.slots] == [table.now(ann), table.now(bor)]
    table.undo()
    assert [slot.who for slot in table.state.initiative.slots] == ["Anna", "Bor"]
    table.redo()
    number = table.state.last_number - 3
    table.turn()
    for do, who in ((Undo, "Ann"), (Redo, "Anna")):  # older changes than the turn
        table.tell(do, **{"change": number} if do is Undo else {})
        assert (table.state.asked.player, table.now(ann).name) == (who, who)
        assert [one.name for one in table.state.waiting] == [who, "Boris"]
        assert sorted(slot.who for slot in table.state.initiative.slots) == [who, "Boris"]
    face = ("3",) if game == "d6-wild" else ()
    table.throw(*[(kind, face) for kind, n in table.dice().items() for _ in range(n)])
    assert (table.state.rolls[0].by, table.state.asked.player) == ("Anna", "Boris")


def test_a_place_in_the_order_follows_its_roll_also_where_an_older_change_is_taken_back(table: Played) -> None:
    table.choose("heroic")
    for name in ("Ann", "Bor"):
        table.add(name, "heroic", "player", **BRAND)
    table.turn(Turn.CALL, who="all")

    def places() -> list[tuple[str, str, bool]]:
        return [(slot.who, slot.words, slot.is_done) for slot in table.state.initiative.slots]

    first = whole(table, ("success",), ("success",))
    thrown = table.state.last_number
    whole(table, ("success",))
    state = correct(table, first, next(n for n, die in enumerate(first.dice) if die.face))
    table.turn()
    ann, bor = ("Ann", "1 success", True), ("Bor", "1 success", False)
    assert places() == [ann, bor]
    table.undo(change=state.last_number)
    assert places() == [("Ann", "2 successes", True), bor]
    table.redo()
    assert places() == [ann, bor]
    table.undo(change=thrown)
    assert places() == [bor]
    table.redo()
    assert places() == [ann, bor]


def test_a_throw_for_the_order_that_is_corrected_leaves_the_turns_that_were_declared(table: Played) -> None:
    [kesh] = table.scene("d6-wild", "Kesh", kind="player", **KESH)
    table.turn(Turn.CALL, who="all")
    (slot,) = table.roll(4, 5).initiative.slots
    table.call(kesh, "Blaster", ask={"actions": 2})
    table.roll(2, 3)
    state = correct(table, table.state.rolls[1], 1, "3")  # 5 before
    assert [one.rank for one in state.initiative.slots] == [(*slot.rank[:2], 2, slot.rank[3] - 2)]


def test_who_is_here_no_more_as_an_older_change_is_taken_back_leaves_order_and_call(table: Played) -> None:
    ann = table.add("Ann", "heroic", **GUARD)
    came = table.state.last_number
    table.add("Orc", "heroic", **GUARD)
    for name in ("Ann", "Orc"):
        table.turn(Turn.ADD, who=name, rank=(2,))
    table.call(ann, "Blades")
    table.undo(change=came)
    assert ([slot.who for slot in table.state.initiative.slots], table.state.asked.id) == (["Orc"], "")
    table.redo()
    assert sorted(slot.who for slot in table.state.initiative.slots) == ["Ann", "Orc"]
    assert table.state.asked.who == ann.id


def test_a_power_is_used_however_its_name_is_written(table: Played) -> None:
    brand = table.add("Brand", "heroic", **BRAND)
    table.call(brand, weapon="FIRE")
    whole(table)
    for name in ("Fire", "fire", "FIRE"):
        with pytest.raises(Conflict, match="Fire was used already"):
            table.call(brand, weapon=name)


def test_a_call_gives_back_no_more_than_a_rest_has_filled(table: Played) -> None:
    form = {**BRAND, "trackers": {"encounter_powers": {"value": 2, "most": 2}}}
    brand = table.add("Brand", "heroic", **form)
    for rests, left in ((False, 2), (True, 2)):
        table.call(brand, weapon="Fire")
        assert table.now(brand).value("encounter_powers") == 1
        if rests:
            table.act("short_rest", brand)
        table.call()
        assert table.now(brand).value("encounter_powers") == left


def test_a_called_table_that_gets_another_name_is_looked_up_and_one_that_is_gone_says_nothing_new(
    table: Played,
) -> None:
    table.choose("d6-wild")
    rows = (Row(least=2, most=6, words="Bruise"), Row(least=7, most=12, words="Cut"))
    for none in ("0D", "", "2Q"):
        with pytest.raises(BadChange, match=f"'{none}' are no dice"):
            table.tell(ChangeTable, name="Injuries", dice=none, rows=rows)
    table.tell(ChangeTable, name="Injuries", dice="2D", rows=rows)
    table.call(table="injuries")
    table.tell(ChangeTable, name="Harm", was="INJURIES", dice="2D", rows=rows)
    roll = table.throw(("pip", "5"), ("pip", "3")).rolls[0]
    assert (roll.table, roll.row) == ("Harm", "Cut")
    table.tell(ChangeTable, name="Harm")
    correct(table, roll, 0, "4")
    assert table.state.rolls[0].row == ""  # 7, of a table that nobody has any more
    table.undo()
    assert table.state.rolls[0].row == "Cut"
    table.tell(ChangeRoll, roll_id=roll, label="A fall")
    assert table.state.rolls[0].row == "Cut"


def test_luck_and_fairness_count_what_was_thrown_and_not_what_a_rule_makes_of_it(table: Played) -> None:
    ann = table.add("Ann", "narrative", **GUNNER)
    table.call(ann, "Ranged", ask={"difficulty": "easy"})
    roll = whole(table, ("success",), ("advantage",))
    kinds = [die.type for die in roll.dice]
    index = kinds.index("ability")
    before = table.counts().faces()

    def rule(what: str, face: tuple[str, ...] | None) -> Any:
        table.tell(RuleDie, roll_id=roll, index=index, rule=what, face=face)
        return table.counts().faces()

    assert rule("away", None) == before
    assert rule("turned", ("success", "success")) == before
    again = rule("again", ("advantage", "advantage"))
    assert again["ability"] - before["ability"] == {("advantage", "advantage"): 1}
    table.undo(3)
    assert table.counts().faces() == before
    table.undo()
    assert table.counts().faces() == {}


def test_a_call_against_a_roll_follows_what_that_roll_comes_to(table: Played) -> None:
    kesh, foe = table.scene("d6-wild", "Kesh", "Foe", **KESH)
    for rank, one in enumerate((kesh, foe)):
        table.turn(Turn.ADD, who=one.name, side="npc", rank=(9 - rank,))
    table.call(kesh, "Dodge")
    dodge = table.roll(2, 3, 3, 3).rolls[0]
    table.call(foe, weapon="Pistol", against=kesh)

    def total() -> Any:
        return table.state.asked.answers["reaction_total"]

    assert total() == 11
    correct(table, dodge, 1, "5")
    assert total() == 13
    table.buy(dodge, "character_points")
    assert total() == 13  # it is not thrown yet
    table.throw_on(dodge, ("pip", "4"))
    assert total() == 17
    table.undo(3)
    assert total() == 11
    shot = table.roll(4, 4, 2).rolls[0]
    assert shot.ask["reaction_total"] == 11
    # what withstands damage, and a call that was told a number keeps that
    table.call(kesh, "Strength")
    withstood = table.roll(2, 2, 2).rolls[0]
    for told, then in (({}, 9), ({"against": 20}, 20)):
        correct(table, withstood, 1, "2")
        last = LastTotal(last_total=withstood.id)
        table.call(foe, weapon="Pistol", is_damage=True, against=last, ask=told)
        correct(table, withstood, 1, "5")
        assert table.state.asked.answers["against"] == then


def test_the_open_call_goes_by_the_settings_of_its_throw(table: Played) -> None:
    ann = table.add("Ann", "heroic", **GUARD)
    table.call(ann, weapon="Sabre", ask={"taunted": True})
    assert table.dice() == {"ability": 1, "proficiency": 2, "setback": 1}
    table.choose("heroic", settings={"taunt_dice": {"difficulty": 2}})
    assert table.dice() == {"ability": 1, "proficiency": 2, "difficulty": 2}
    table.choose("narrative", settings={})  # those of another game are none of it
    assert table.dice() == {"ability": 1, "proficiency": 2, "difficulty": 2}
    table.undo(change=table.state.last_number)
    table.undo(change=table.state.last_number - 2)
    assert table.dice() == {"ability": 1, "proficiency": 2, "setback": 1}
    table.redo()
    assert whole(table, ("success",)).short == ()


def test_the_open_call_has_the_dice_of_how_its_people_are_by_now(table: Played) -> None:
    ann, orc = table.scene("heroic", "Ann", "Orc", **GUARD)
    table.call(ann, weapon="Sabre", against=orc, ask={"boosts": [2]})
    base = {"ability": 1, "proficiency": 2, "boost": 2, "difficulty": 2}
    assert table.dice() == base
    table.set_to(ann, condition=2)
    assert table.dice() == {**base, "setback": 2}
    defences = {**GUARD["defences"], "defense_rank": 1}
    table.change(orc, defences=defences)
    assert table.dice() == {**base, "difficulty": 1, "challenge": 1, "setback": 2}
    table.act("heal", ann)
    assert table.dice() == {**base, "difficulty": 1, "challenge": 1, "setback": 1}
    table.undo()
    assert table.dice()["setback"] == 2
    both = {"id": ann.id, "name": "Anna", "trackers": {"condition": {"value": 1}}}
    table.tell(ChangePerson, do=DoPerson.CHANGE, person=both)
    assert (table.state.asked.player, table.dice()["setback"]) == ("Anna", 1)
    table.undo()
    assert (table.state.asked.player, table.dice()["setback"]) == ("Ann", 2)
    table.set_to(ann, condition=5, maneuvers=1)  # out by now: the call stays as the master wants it
    assert (table.state.asked.who, table.state.asked.given) == (ann.id, {"boosts": [2]})
    table.set_to(ann, condition=0)
    assert table.dice() == {**base, "difficulty": 1, "challenge": 1}
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": orc.id})
    assert table.dice() == {**base, "difficulty": 1, "challenge": 1}


def test_the_open_call_follows_an_older_wound_that_is_taken_back(table: Played) -> None:
    ann, orc = (table.add(name, "heroic", **GUARD) for name in ("Ann", "Orc"))
    table.set_to(ann, condition=1)
    before = table.state.last_number
    table.call(ann, weapon="Sabre", against=orc)
    for condition in (2, 3):
        table.set_to(ann, condition=condition)
    base = {"ability": 1, "proficiency": 2}
    assert table.dice() == {**base, "difficulty": 3}
    for number, left in ((before, {"difficulty": 2, "setback": 2}), (before + 2, {"difficulty": 2, "setback": 1})):
        table.undo(change=number)
        assert table.dice() == {**base, **left}
    for left in ({"difficulty": 2, "setback": 2}, {"difficulty": 3}):
        table.redo()
        assert table.dice() == {**base, **left}


def test_what_was_spent_on_the_open_call_stays_whatever_becomes_of_its_people(table: Played) -> None:
    [kesh] = table.scene("d6-wild", "Kesh", kind="player", **KESH)
    table.call(kesh, "Blaster")
    table.spend()
    assert sum(table.dice().values()) == 6  # 3D+1 doubled
    table.act("prepare", kesh)
    assert sum(table.dice().values()) > 6
    table.set_to(kesh, wounds=3)
    wounded = sum(table.dice().values())
    table.set_to(kesh, wounds=0)
    assert sum(table.dice().values()) > wounded
    assert table.now(kesh).value("force_points") == 0
    table.call()
    assert table.now(kesh).value("force_points") == 1


def boosts(table: Played, person: Person) -> int:
    table.call(person, "Ranged")
    return table.dice().get("boost", 0)


def test_what_is_for_the_next_ally_is_neither_for_its_giver_nor_for_the_other_side(table: Played) -> None:
    ann, ben = (table.add(name, "narrative", "player", **GUNNER) for name in ("Ann", "Ben"))
    thug, boss = (table.add(name, "narrative", **GUNNER) for name in ("Thug", "Boss"))
    for giver, ally, others in ((ann, ben, (ann, thug)), (thug, boss, (ann, ben, thug))):
        boosts(table, giver)
        roll = whole(table, ("advantage",), ("success",))
        table.buy(roll, "boost_next_ally")
        assert [boosts(table, one) for one in (*others, ally)] == [0] * len(others) + [1]
        whole(table)
        assert carried(table.state) == ()


def test_what_is_carried_to_the_open_call_joins_and_leaves_it(table: Played) -> None:
    ann, ben = (table.add(name, "narrative", "player", **GUNNER) for name in ("Ann", "Ben"))
    boosts(table, ann)
    roll = whole(table, ("advantage", "advantage"), ("advantage", "success"))
    assert boosts(table, ben) == 0
    table.buy(roll, "boost_next_ally", for_person=ben)
    assert table.dice()["boost"] == 1
    first = table.state.last_number
    table.buy(roll, "boost_any_ally_next", for_person=ben)
    assert table.dice()["boost"] == 2
    table.undo(change=first)
    assert table.dice()["boost"] == 1
    table.redo()
    assert table.dice()["boost"] == 2
    whole(table)
    assert carried(table.state) == ()  # both were thrown
    table.undo()
    assert (table.dice()["boost"], len(carried(table.state))) == (2, 2)


def test_a_wound_is_taken_back_by_its_number_also_after_the_call_that_it_met_was_thrown(table: Played) -> None:
    ann = table.add("Ann", "heroic", **GUARD)
    table.call(ann, "Blades")
    table.set_to(ann, condition=2)
    wound = table.state.last_number
    assert table.dice()["setback"] == 2
    whole(table)
    table.undo(change=wound)
    assert (table.now(ann).value("condition"), table.state.asked.id) == (0, "")
    table.redo()
    assert (table.now(ann).value("condition"), table.state.asked.id) == (2, "")


def test_no_point_is_lost_on_a_throw_that_it_does_not_change(table: Played) -> None:
    [kesh] = table.scene("d6-wild", "Kesh", kind="player", **KESH)
    table.tell(ChangeTable, name="Weather", dice="2D", rows=(Row(least=2, most=12, words="Rain"),))
    table.call(kesh, table="Weather")
    for _ in range(2):
        with pytest.raises(Conflict, match="a point changes nothing of this roll"):
            table.spend()
    assert (table.now(kesh).value("force_points"), table.dice()) == (1, {"pip": 2})
    table.call(kesh, "Perception", table="Weather")
    table.spend()
    assert (table.now(kesh).value("force_points"), sum(table.dice().values())) == (0, 4)
