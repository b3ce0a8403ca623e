"""What lasts from one roll to the next: whose it is, what for and until when. Each step is taken after an undo and a
restart as well; the names of rules are those of the reference texts.
"""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest
from msgspec.structs import replace

from tableside.errors import BadAsk, Conflict, GameError
from tableside.rules import find_game
from tableside.rules.characters import members_left, reaction_to, why_out
from tableside.rules.people import Effect, Gauge, Lasting, Person
from tableside.table import MemoryStore
from tableside.table.kept import Part, change_from_text
from tableside.table.messages import ChangeTracker, EnterThrow, NamePlayer, ShownDie, Turn
from tests.conftest import SYSTEM, carried
from tests.table.played import Played
from tests.table.test_fight_over import opposing
from tests.table.test_rounds import KESH, ROOK


def again(table: Played) -> Played:
    """Return a table that starts over with what this one has on disk, and knows the same."""
    other = Played(SYSTEM, MemoryStore(table.saved_since(0, limit=1000)))
    other.close()
    assert (other.state.people, other.state.initiative) == (table.state.people, table.state.initiative)
    assert (other.state.asked, other.state.rolls) == (table.state.asked, table.state.rolls)
    return other


def calls(table: Played, person: Person, skill: str, **more: Any) -> int:
    """Return how many dice somebody throws for a skill, here and after a restart."""
    table.call(person, skill, **more)
    again(table)
    return sum(table.dice().values())


CREW: dict[str, Any] = {
    "skills": [{"name": name, "ask": {"characteristic": 2, "skill": 1}}
               for name in ("Discipline", "Piloting", "Charm", "Cool")],
    "trackers": {"wounds": {"value": 0, "most": 12}, "strain": {"value": 0, "most": 10}},
}  # fmt: skip


def disciplined(table: Played, who: Person, bought: str, face: tuple[str, ...], **ask: Any) -> None:
    """Buy something with a throw of Discipline."""
    table.call(who, "Discipline", ask={"difficulty": "easy", **ask})
    boosts: list[tuple[str, Any]] = [("boost", ())] * table.dice().get("boost", 0)
    given: list[tuple[str, Any]] = [("ability", ("success",)), ("proficiency", ("triumph",)), ("difficulty", ())]
    if "challenge" in table.dice():
        given[-1] = ("challenge", face)
    roll = table.throw(*given, *boosts).rolls[0]
    table.buy(roll, bought)


# an extra reaction comes on top (d6-wild.md, multi_action)


def test_a_reaction_on_top_is_none_of_the_actions_that_were_declared(table: Played) -> None:
    table.choose("d6-wild")
    kesh, foe = table.add("Kesh", "d6-wild", "player", **KESH), table.add("Foe", "d6-wild", **KESH)
    table.turn(Turn.ADD, who="Kesh", rank=(4,))
    table.turn(Turn.ADD, who="Foe", side="npc", rank=(2,))
    assert calls(table, kesh, "Piloting", ask={"actions": 2}) == 6
    table.throw_all()
    table.turn()
    assert calls(table, kesh, "Dodge", ask={"extra_reactions": 1}) == 2  # 4D less 1D, less 1D on top
    table.throw_all()
    order = table.turn().initiative
    assert (order.segment, order.current and order.current.who) == (1, "Kesh")  # the second turn comes
    assert calls(table, kesh, "Piloting") == 5
    table.undo(2)
    table.redo()
    assert again(table).state.initiative.current == order.current
    assert foe.done == 0


def test_without_an_order_a_reaction_on_top_costs_its_die_until_a_new_round(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.choose("d6-wild")
    assert calls(table, kesh, "Piloting", ask={"actions": 2}) == 6
    table.throw_all()
    assert calls(table, kesh, "Dodge", ask={"extra_reactions": 1}) == 2
    table.throw_all()
    for left in (5, 7):
        assert calls(table, kesh, "Piloting") == left
        table.call()
        table.act("round")
    table.undo(4)
    assert calls(table, kesh, "Piloting") == 5


# several crew, one round: an evasion holds while the shields roll (d6-companion.md, evasion_side_effects, reaction)


@pytest.mark.parametrize("is_ordered", [True, False])
def test_a_ship_evades_for_the_whole_round_whatever_its_crew_rolls(table: Played, *, is_ordered: bool) -> None:
    table.choose("d6-companion")
    codes = {"Evasion": "4D", "Shields": "2D", "Gunnery": "3D"}
    gun = {"name": "Laser", "skill": "Gunnery", "ask": {"about": "short"}}
    form = {"skills": [{"name": name, "ask": {"code": code}} for name, code in codes.items()], "weapons": [gun]}
    ship, foe = (table.add(name, "d6-companion", "thing", **form) for name in ("Ship", "Foe"))
    if is_ordered:
        opposing(table, ship, foe)
    table.call(ship, "Evasion")
    table.roll(6, 6, 3, 3)

    def difficulty() -> int | None:
        asked = table.call(foe, weapon="Laser", against=ship).asked
        assert again(table).state.asked == asked
        found: int | None = asked.answers.get("reaction_total")
        return found

    for skill in ("Shields", "Gunnery", "Shields"):
        assert difficulty() == 18
        table.call(ship, skill)
        table.throw_all()
    assert difficulty() == 18
    table.act("round")
    assert difficulty() is None
    table.undo(2)
    assert difficulty() == 18


# preparing takes a whole round, for one roll of the next (d6-companion.md, preparation)


def test_who_prepares_does_nothing_else_and_has_one_die_in_the_next_round_alone(table: Played) -> None:
    [rook] = table.scene("d6-companion", "Rook", kind="player", **ROOK)
    table.act("prepare", rook)
    assert calls(table, rook, "Blaster") == 3  # in the same round: nothing yet
    table.throw_all()
    table.act("round")
    assert calls(table, rook, "Blaster") == 3  # and nothing later, as this one did something else
    table.call()
    table.act("prepare", rook)
    assert calls(table, rook, "Strength") == 3  # what withstands damage is nothing that one does
    table.throw_all()
    table.act("round")
    for left in (4, 3):
        assert calls(table, rook, "Blaster") == left
        table.throw_all()
    with pytest.raises(GameError, match="has acted in this round"):
        table.act("prepare", rook)
    table.act("round")
    table.act("prepare", rook)
    table.act("round")
    assert calls(table, rook, "Blaster") == 4
    table.act("round")  # who waits two rounds has lost it, in the open call, too
    assert sum(table.dice().values()) == 3
    table.undo()
    assert sum(table.dice().values()) == 4


# rising is an action (d6-companion.md, multi_action)


def test_who_rises_has_a_die_less_for_all_else_of_the_round(table: Played) -> None:
    [rook] = table.scene("d6-companion", "Rook", kind="player", **ROOK)
    table.act("drop", rook)
    assert calls(table, rook, "Dodge") == 4
    table.act("rise", rook)
    for left in (3, 4):
        assert calls(table, rook, "Dodge") == left
        table.act("round")
    table.act("drop", rook)
    table.call(rook, "Dodge", ask={"actions": 3})  # three are declared, rising among them
    table.throw_all()
    table.act("rise", rook)
    assert calls(table, rook, "Dodge") == 2
    table.undo(2)
    assert (table.now(rook).has_state("Prone"), table.now(rook).done) == (True, 1)


# a point of the Dark Side is used in its round or gone (d6-companion.md, dark_side_call)


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize("is_used", [True, False])
def test_a_point_of_the_dark_side_is_used_in_its_round_or_gone(table: Played, own: int, *, is_used: bool) -> None:
    [rook] = table.scene(
        "d6-companion", "Rook", kind="player", **{**ROOK, "trackers": {"force_points": {"value": own}}}
    )
    table.call(rook, "Dexterity", ask={"purpose": "dark_side_call"})
    roll = table.roll(6, 6, 6).rolls[0]
    table.apply(rook, roll)
    assert (table.now(rook).value("force_points"), table.now(rook).value("dark_side_points")) == (own + 1, 1)
    if is_used:
        table.call(rook, "Blaster")
        table.spend()
        table.throw_all()
        assert table.now(rook).value("force_points") == own
    passed = table.state.last_number + 1
    for _ in range(2):
        table.act("round")
        assert table.now(rook).value("force_points") == own
        again(table)
    table.undo(change=passed)
    assert table.now(rook).value("force_points") == own + (not is_used)


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize("is_thrown", [True, False])
def test_so_it_is_where_the_round_passes_while_its_call_is_open(table: Played, own: int, *, is_thrown: bool) -> None:
    [rook] = table.scene(
        "d6-companion", "Rook", kind="player", **{**ROOK, "trackers": {"force_points": {"value": own}}}
    )
    table.call(rook, "Dexterity", ask={"purpose": "dark_side_call"})
    roll = table.roll(6, 6, 6).rolls[0]
    table.apply(rook, roll)
    table.call(rook, "Blaster")
    table.spend()
    table.act("round")
    assert table.now(rook).value("force_points") == own
    if is_thrown:
        table.throw_all()
    else:
        table.call()
        table.act("round")
    for _ in range(2):
        assert table.now(rook).value("force_points") == own
        table.act("round")
    assert not any(one.lends for one in table.now(rook).states)


# narrative.md, M29 and M30


def test_a_boost_for_some_skills_waits_for_one_of_them(table: Played) -> None:
    ann, bo = table.scene("narrative", "Ann", "Bo", kind="player", **CREW)
    table.call(ann, "Piloting", ask={"difficulty": "easy", "of_ships": True})
    roll = table.throw(("ability", ("advantage",)), ("proficiency", ("success",)), ("difficulty", ())).rolls[0]
    table.buy(roll, "boost_next_allied_active")
    for _ in range(2):
        table.call(bo, "Charm")
        assert "boost" not in table.dice()
        table.throw_all()
        assert len(carried(table.state)) == 1
    again(table)
    table.call(bo, "Piloting")
    assert table.dice()["boost"] == 1
    table.throw_all()
    assert carried(table.state) == ()
    table.undo()
    assert (table.dice()["boost"], len(carried(table.state))) == (1, 1)
    table.call(ann, "Piloting")  # for an ally, not for her who bought it
    assert "boost" not in table.dice()


def test_what_nobody_of_the_scene_bought_is_of_whoever_rolls_next_and_of_one_alone(table: Played) -> None:
    ann, bo = table.scene("narrative", "Ann", "Bo", kind="player", **CREW)
    roll = table.throw(("ability", ("advantage",)), ("proficiency", ("success", "advantage"))).rolls[0]
    table.buy(roll, "boost_next_ally")
    for who, left in ((ann, 1), (bo, 1), (ann, 1)):
        table.call(who, "Charm")
        assert table.dice().get("boost", 0) == left
    table.throw_all()
    again(table)
    for who in (ann, bo):
        table.call(who, "Charm")
        assert "boost" not in table.dice()
    table.undo(3)
    assert table.dice()["boost"] == 1


def test_boosts_of_discipline_hold_for_all_such_checks_of_the_next_round(table: Played) -> None:
    table.choose("narrative")
    ann, bo, foe = (
        table.add(name, "narrative", kind, **CREW)
        for name, kind in (("Ann", "player"), ("Bo", "player"), ("Foe", "person"))
    )
    disciplined(table, ann, "boost_allies_discipline_next_round", ())

    def boosts(who: Person, skill: str) -> int:
        table.call(who, skill)
        again(table)
        return table.dice().get("boost", 0)

    assert boosts(bo, "Discipline") == 0  # the next round has not begun
    table.throw_all()
    table.act("round")
    for _ in range(2):
        assert [boosts(bo, "Charm"), boosts(foe, "Discipline"), boosts(ann, "Discipline")] == [0, 0, 0]
        assert boosts(bo, "Discipline") == 1
        table.throw_all()
    table.act("round")
    assert boosts(bo, "Discipline") == 0
    table.undo(2)
    assert boosts(bo, "Discipline") == 1


def test_despair_of_discipline_leaves_one_maneuver_in_the_next_round(table: Played) -> None:
    [ann] = table.scene("narrative", "Ann", kind="player", **CREW)
    disciplined(table, ann, "only_one_maneuver_next_round", ("despair",), upgrade_difficulty=1)
    for _ in range(2):  # this round has two yet
        table.act("maneuver", ann)
    table.act("round")
    again(table)
    table.act("maneuver", ann)
    for _ in range(2):
        with pytest.raises(GameError, match="no second maneuver"):
            table.act("maneuver", ann)
    table.act("round")
    for _ in range(2):
        table.act("maneuver", ann)
    assert table.now(ann).value("maneuvers") == 2


def test_a_slot_that_nobody_took_is_of_who_rolls_in_it(table: Played) -> None:
    table.choose("narrative")
    ann, bo, foe = (
        table.add(name, "narrative", kind, **CREW)
        for name, kind in (("Ann", "player"), ("Bo", "player"), ("Foe", "person"))
    )
    for side in ("player", "npc", "player"):
        table.turn(Turn.ADD, side=side, rank=(2,))
    order = [slot.side for slot in table.state.initiative.slots]
    assert order[0] == "player"

    def current() -> str:
        slot = table.state.initiative.current
        return slot.who if slot else "nobody"

    table.call(foe, "Cool")
    table.throw_all()
    assert current() == ""  # of the other side
    table.act("maneuver", ann)
    table.call(ann, "Cool")
    table.throw_all()
    assert current() == "Ann"
    table.call(bo, "Cool")  # in her turn
    table.throw_all()
    assert current() == "Ann"
    again(table)
    table.turn()
    assert table.now(ann).value("maneuvers") == 0  # her turn is over
    table.undo()
    assert (current(), table.now(ann).value("maneuvers")) == ("Ann", 1)


# Force powers (d6-companion.md, wound_state, power results)


JEDI = {**ROOK, "skills": [*ROOK["skills"], *({"name": name, "ask": {"code": "8D"}} for name in ("control", "alter"))]}


def uses(table: Played, who: Person, power: str, to: Person, **ask: Any) -> None:
    """Use a power that succeeds, and apply what it does."""
    table.call(who, ask={"purpose": "power", "power": power, **ask}, against=to, label=power)
    for _ in range(3):
        if table.state.asked.id:
            table.roll(*[6] * sum(table.dice().values()))
            continue
        waits = table.state.rolls[0].awaits
        if waits is not None:
            shown = tuple(ShownDie(type="pip", face=("6",)) for _ in range(sum(dict(waits.dice).values())))
            table.tell(EnterThrow, roll_id=table.state.rolls[0], dice=shown)
    table.apply(to)


def test_who_controls_a_pain_loses_no_die_to_the_wound_until_the_next_one(table: Played) -> None:
    rook, other = table.scene("d6-companion", "Rook", "Other", kind="player", **JEDI)
    for who, power, ask in (
        (rook, "control pain", {"case_control": "wounded"}),
        (other, "control another's pain", {"case_alter": "wounded"}),
    ):
        table.set_to(who, wounds=1)
        assert calls(table, who, "Dodge") == 3
        uses(table, rook, power, who, **ask)
        for _ in range(2):
            table.act("round")
            assert calls(table, who, "Dodge") == 4
    table.call(other, ask={"purpose": "damage", "code": "3D", "against": 9}, against=rook)
    roll = table.roll(3, 3, 3).rolls[0]  # at least: a wound
    table.apply(rook, roll)
    assert (table.now(rook).value("wounds"), table.now(rook).has_state("Pain is controlled")) == (2, False)
    table.undo()
    assert table.now(rook).has_state("Pain is controlled")


@pytest.mark.parametrize("wounds", [2, 3])
@pytest.mark.parametrize("power", ["remain conscious", "return to consciousness"])
def test_who_stays_awake_acts_as_wounded_for_a_round_and_not_twice_in_a_row(
    table: Played, power: str, wounds: int
) -> None:
    rook, other = table.scene("d6-companion", "Rook", "Other", kind="player", **JEDI)
    characters = find_game("d6-companion").characters
    table.set_to(rook, wounds=wounds)
    own = power == "remain conscious"
    case = "incapacitated" if wounds == 2 else "mortally_wounded"
    uses(table, rook if own else other, power, rook, **{"case_control" if own else "case_alter": case})
    assert why_out(characters, table.now(rook)) == ""
    assert calls(table, rook, "Dodge") == 3  # 1D less
    table.act("round")
    assert why_out(characters, again(table).state.people[0]) != ""
    with pytest.raises(Conflict, match="cannot act"):
        table.call(rook, "Dodge")
    again_ask = {"purpose": "power", "power": "remain conscious", "case_control": case}
    with pytest.raises(Conflict, match="Not twice in a row"):
        table.call(rook, ask=again_ask)
    table.act("round")
    table.call(rook, ask=again_ask)


# what is refused, with its reason


def test_uncertainty_is_never_of_combat_and_an_hour_always_remains(table: Played) -> None:
    [rook] = table.scene("d6-companion", "Rook", **ROOK)
    for call in ({"weapon": "Pistol"}, {"skill": "Dodge"}, {"skill": "Blaster"}):
        with pytest.raises(BadAsk, match="no uncertainty dice"):
            table.call(rook, **call, ask={"uncertainty": 2})
    with pytest.raises(BadAsk, match="no uncertainty dice"):
        table.call(ask={"code": "4D", "about": "short", "uncertainty": 2})
    assert calls(table, rook, "Dexterity", ask={"uncertainty": 2}) == 5
    journey = {"purpose": "astrogation", "code": "4D", "hours": 3}
    with pytest.raises(BadAsk, match="3 hours saved of 3"):
        table.call(ask={**journey, "hours_saved": 3})
    table.call(ask={**journey, "hours_saved": 2})


FIGHTER: dict[str, Any] = {
    "skills": [{"name": "Blades", "ask": {"ability": 3, "skill": 1}}],
    "weapons": [{"name": name, "skill": "Blades", "ask": {"purpose": "attack", "power": name, "difficulty": "easy"}}
                for name in ("basic_melee", "basic_grab", "basic_grapple")],
    "trackers": {"stamina": {"value": 4, "most": 8}},
}  # fmt: skip


def test_only_who_is_grabbed_is_grappled_and_an_action_that_is_done_pays_for_no_maneuver(table: Played) -> None:
    ann, orc = table.scene("heroic", "Ann", "Orc", kind="player", **FIGHTER)
    with pytest.raises(GameError, match="is not grabbed"):
        table.call(ann, weapon="basic_grapple", against=orc)
    table.set_to(orc, held=1)
    table.call(ann, weapon="basic_grapple", against=orc)
    table.call(ann, weapon="basic_grab", against=orc)
    table.throw_all()  # it is a maneuver of its own
    table.act("maneuver", ann)
    table.act("maneuver", ann, ask={"by": "no_action"})
    with pytest.raises(Conflict, match="No action"):
        table.call(ann, weapon="basic_melee", against=orc)
    table.undo()
    table.call(ann, weapon="basic_melee", against=orc)
    table.throw_all()
    again(table)
    for _ in range(2):
        with pytest.raises(GameError, match="has its price"):
            table.act("maneuver", ann, ask={"by": "no_action"})
    table.act("maneuver", ann, ask={"by": "combat_advantage"})
    table.act("round")
    table.act("maneuver", ann)
    table.act("maneuver", ann, ask={"by": "no_action"})


def test_a_point_is_added_before_the_next_one_rolls(table: Played) -> None:
    # A point is added after its roll was seen, and before the next character rolls (character_points).
    kesh, other = (table.add(name, "d6-wild", "player", **KESH) for name in ("Kesh", "Other"))
    table.call(kesh, "Blaster")
    roll = table.roll(2, 3, 4).rolls[0]
    table.call(kesh, "Perception")
    table.roll(2, 3)  # by the same one: nobody else has rolled
    table.buy(roll, "character_points")
    table.undo()
    table.call(other, "Perception")
    table.roll(2, 3)
    for _ in range(2):
        with pytest.raises(Conflict, match="somebody else has rolled since"):
            table.buy(roll, "character_points")
    table.undo()
    table.buy(roll, "character_points")


@pytest.mark.parametrize(
    ("purpose", "capped"),
    [("check", 3), ("damage", 6), ("evasion", 6), ("maneuver", 6), ("hull", 6), ("ship_damage", 6)],
)
def test_the_purpose_tells_the_chart_of_both_scales(table: Played, purpose: str, capped: int) -> None:
    # scale_cap: a starfighter hits a character with 3 at most; damage and maneuver have no such cap
    other = {"check": 6, "damage": 2, "evasion": 4, "maneuver": 4, "hull": 2, "ship_damage": 2}
    table.choose("d6-companion")
    for own, target, cap in (("starfighter", "character", capped), ("character", "starfighter", other[purpose])):
        table.call(ask={"purpose": purpose, "code": "5D", "scale": own, "target_scale": target})
        roll = table.roll(2, 3, 4, 5, 6).rolls[0]
        assert dict(roll.net)["total"] == sum(face for face in (2, 3, 4, 5, 6) if face <= cap)


def test_a_critical_injury_fells_one_of_a_group_by_the_tap_that_buys_it(table: Played) -> None:
    table.choose("narrative")
    gun = {"name": "Gun", "skill": "Cool", "ask": {"purpose": "attack", "range": "close", "damage": 5, "critical": 2}}
    ann = table.add("Ann", "narrative", "player", **{**CREW, "weapons": [gun]})
    gang = table.add("Gang", "narrative", "group", members=3, trackers={"wounds": {"value": 0, "most": 4}})
    foe = table.add("Foe", "narrative", **CREW)

    def hit(who: Person) -> list[Any]:
        table.call(ann, weapon="Gun", against=who)
        roll = table.throw(
            *[("ability", ("success", "advantage")), ("proficiency", ("advantage", "advantage"))],
            *[
                (kind, ())
                for kind, n in table.dice().items()
                if kind not in ("ability", "proficiency")
                for _ in range(n)
            ],
        ).rolls[0]
        return [one.follow for one in table.buy(roll, "critical_hit").rolls[0].bought]

    characters = find_game("narrative").characters
    for left in (2, 1, 0):
        assert hit(gang) == [None]
        assert members_left(characters, again(table).state.people[1]) == left
    table.undo()
    assert members_left(characters, table.now(gang)) == 1
    assert [bool(one) for one in hit(foe)] == [True]  # for all others it is thrown


# what belongs to somebody follows whoever is renamed


def test_trackers_of_a_player_follow_the_name_and_are_of_nobody_who_has_it_later(table: Played) -> None:
    table.choose("d6-companion")
    player = table.tell(NamePlayer, name="Ann").players[0]
    table.tell(ChangeTracker, name="wounds", owner="Ann", value=2)

    def wounds() -> dict[str, int]:
        return {owner: n for (_, name, owner), n in again(table).state.trackers.items() if name == "wounds" and n}

    table.tell(NamePlayer, player_id=player.id, name="Bea")
    assert wounds() == {"Bea": 2}
    table.tell(NamePlayer, name="Ann")
    assert wounds() == {"Bea": 2}
    table.undo(2)
    assert wounds() == {"Ann": 2}
    table.redo()
    table.tell(NamePlayer, player_id=player.id, name="")
    assert wounds() == {}
    table.undo()
    assert wounds() == {"Bea": 2}


def test_a_power_that_was_used_is_used_whatever_it_is_called_since(table: Played) -> None:
    table.choose("heroic")
    fire, ice = ({"name": name, "skill": "Blades", "ask": {"purpose": "attack", "power": "own", "frequency": often,
                  "difficulty": "easy"}} for name, often in (("Fire", "encounter"), ("Ice", "daily")))  # fmt: skip
    ann = table.add("Ann", "heroic", "player", **{**FIGHTER, "weapons": [fire, ice]})
    table.call(ann, weapon="Fire")
    table.throw_all()
    renamed = [{**fire, "name": "Flame"}, ice]
    table.change(ann, weapons=renamed)
    again(table)
    with pytest.raises(Conflict, match="used already"):
        table.call(ann, weapon="Flame")
    table.call(ann, weapon="Ice")
    table.act("short_rest")
    table.call(ann, weapon="Flame")
    table.change(ann, weapons=[ice, fire])  # in another order
    assert table.now(ann).used == {}


def test_one_tap_passes_what_all_declare(table: Played) -> None:
    table.choose("d6-companion")
    crew = [table.add(f"Rook {n}", "d6-companion", "player", **ROOK) for n in range(6)]
    table.turn(Turn.CALL, who="all")
    for number in (1, 2):
        taps = 0
        while table.state.initiative.round == number:
            table.turn()
            taps += 1
        assert taps == 2 + len(crew)
    table.undo()
    assert (table.state.initiative.round, table.state.initiative.segment) == (2, 2)
    again(table)


def test_what_lasts_is_taken_off_one_by_one_and_put_on_by_anybody(table: Played) -> None:
    ann, bo = (table.add(name, "narrative", "player", **CREW) for name in ("Ann", "Bo"))
    for state in (
        {"name": "Boost", "id": "1", "ask": {"boost": 1}, "once": True, "until": "evening"},
        {"name": "Boost", "id": "2", "ask": {"boost": 1}, "once": True, "until": "evening"},
        {"name": "Silver tongue", "ask": {"boost": 1}, "skills": ["Charm"], "until": ""},
    ):
        table.change(ann, begins=[state])
    for skill, count in (("Charm", 3), ("Cool", 2)):
        table.call(ann, skill)
        assert table.dice()["boost"] == count
    table.change(ann, ends=["1"])
    assert table.dice()["boost"] == 1
    table.throw_all()
    for act in ("round", "encounter"):
        table.act(act)
    table.call(ann, "Charm")
    assert table.dice()["boost"] == 1  # a talent never ends
    assert [one.name for one in again(table).state.people[0].states] == ["Silver tongue"]
    table.call(bo, "Charm")
    assert "boost" not in table.dice()


@pytest.mark.parametrize("is_of_table", [True, False])
@pytest.mark.parametrize(("joins", "thrown_by", "ticks"), [("all", 1, ()), ("wounds", 2, ("Slow",)),
                                                          ("nothing", 3, ("wounded", "Slow"))])  # fmt: skip
def test_what_does_not_join_by_itself_stays_in_the_call_not_ticked(
    table: Played, joins: str, thrown_by: int, ticks: tuple[str, ...], *, is_of_table: bool
) -> None:
    table.choose("d6-companion", settings={"joins": joins} if is_of_table else {})
    slow = {"name": "Slow", "ask": {"less": 1}}
    quick = {"name": "Quick", "skills": ["Blaster"], "until": "", "ask": {"pips": 2}, "words": "Draws first."}
    rook = table.add("Rook", "d6-companion", "player", **ROOK, states=[slow, quick])
    table.set_to(rook, wounds=1)
    if not is_of_table:
        table.change(rook, joins=joins)
    for _ in range(2):
        assert calls(table, rook, "Blaster") == thrown_by
        assert table.state.asked.answers["pips"] == 2  # a talent is part of what somebody can do
        assert {one.key for one in table.state.asked.joins if not one.is_on} == {*ticks}
        assert calls(table, rook, "Blaster", ticked=ticks) == 1
        table.set_to(rook, wounds=0)  # what is ticked follows the card, too
        assert sum(table.dice().values()) == 2
        table.undo()
        again(table)
        table.throw_all()
    table.call(rook, "Dodge")
    assert "pips" not in table.state.asked.answers


def test_a_talent_of_a_skill_joins_the_damage_of_its_weapons_alone(table: Played) -> None:
    low = {"name": "Aims low", "skills": ["Blaster"], "until": "", "damage": {"pips": 2}}
    for game, form in (("d6-wild", KESH), ("d6-companion", ROOK)):
        table.choose(game)
        fists = {"name": "Fists", "skill": "Strength", "damage": {"code": "2D", "purpose": "damage"}}
        gun = {**form["weapons"][0], "damage": {"code": "4D", "purpose": "damage"}}
        who = table.add("Bo", game, "player", **{**form, "weapons": [gun, fists]}, states=[low])
        for more, joined in (({}, 0), ({"is_damage": True}, 2)):
            table.call(who, weapon="Pistol", **more)
            assert table.state.asked.answers.get("pips", 0) == joined
        table.call(who, weapon="Fists", is_damage=True)
        assert "pips" not in table.state.asked.answers


@pytest.mark.parametrize(("joins", "strain", "setback", "yellow"), [("all", 2, 1, 2), ("wounds", 0, 0, 0)])
def test_fear_the_strain_of_a_second_maneuver_and_ranks_of_minions_are_rules_that_a_book_may_lack(
    table: Played, joins: str, strain: int, setback: int, yellow: int
) -> None:
    table.choose("narrative", settings={"joins": joins})
    ann = table.add("Ann", "narrative", "player", **CREW)
    gang = table.add("Gang", "narrative", "group", members=3, skills=[{"name": "Cool", "ask": {"characteristic": 2}}])
    table.set_to(ann, fear=1)
    table.call(ann, "Cool")
    assert table.dice().get("setback", 0) == setback
    table.call(ann, "Cool", ticked=("fear",))
    assert table.dice()["setback"] == 1
    table.call(gang, "Cool")
    assert table.dice().get("proficiency", 0) == yellow
    table.call(gang, "Cool", ticked=("ranks",))
    assert table.dice()["proficiency"] == 2
    table.call(ann, "Charm", against=gang, against_skill="Cool")
    assert table.dice().get("challenge", 0) == yellow
    for _ in range(2):
        table.act("maneuver", ann)
    assert (table.now(ann).value("strain"), table.now(ann).joins) == (strain, "")


def test_what_an_older_version_carried_and_declared_is_read_as_what_lasts() -> None:
    was = {
        "id": "a", "name": "Ann", "kind": "player", "game": "d6-wild", "states": [],
        "round": {"ask": {"actions": 2, "force_point": True}, "done": 1, "reactions": {"dodge": "r1"}},
    }  # fmt: skip
    person = Person.from_json({**Person(id="a", name="Ann").to_json(), **was})
    assert (person.done, person.declared("actions", 1), person.declared("force_point", False)) == (1, 2, True)
    assert (
        reaction_to(find_game("d6-wild").characters, person, find_game("d6-wild").form.build({"range": "short"}))
        == "r1"
    )
    assert Person.from_json(person.to_json()) == person
    one = {"id": "c", "to": "a", "source": "", "giver": "Bo", "ask": {"boost": 1}, "words": "A boost", "said": None}
    part = Part.from_json({"carried": [one]})
    assert part.carried is not None
    change = {"number": 2, "id": "x", "at": 1.0, "by": "", "kind": "spend", "sentence": "", "undoes": 0}
    added = {
        **change,
        "number": 1,
        "id": "w",
        "kind": "people",
        "before": {},
        "after": {"people": {"a": was | {"round": None}}},
    }
    bought = {**change, "before": {}, "after": {"carried": [one]}}
    used = {**change, "number": 3, "id": "y", "before": {"carried": [one]}, "after": {}}
    states: list[tuple[Lasting, ...]] = []
    for log in ([added, bought], [added, bought, used]):
        table = Played(SYSTEM, MemoryStore(change_from_text(json.dumps(one)) for one in log))
        table.close()
        states.append(table.state.people[0].states)
    assert [(one.name, one.giver, dict(one.ask), one.is_once) for one in states[0]] == [
        ("A boost", "Bo", {"boost": 1}, True)
    ]
    assert states[1] == ()


def test_what_a_game_counted_in_an_older_version_is_read_as_what_lasts(table: Played) -> None:
    counted = {"prone": 1, "haste": 2, "reaction_haste": 3, "shields": 9, "gunner_orders": 3, "evasion": 0, "wounds": 1}
    was = {"id": "a", "name": "Ann", "kind": "thing", "game": "d6-companion",
           "trackers": {name: {"value": n, "most": None} for name, n in counted.items()}}  # fmt: skip
    change = {"number": 1, "id": "x", "at": 1.0, "by": "", "kind": "people", "sentence": "", "undoes": 0}
    older = MemoryStore([change_from_text(json.dumps({**change, "before": {}, "after": {"people": {"a": was}}}))])
    table = Played(SYSTEM, older)
    table.close()
    (ann,) = table.state.people
    assert {one.key for one in ann.states} == {"Prone", "haste", "reaction_haste", "shields", "gunner_orders"}
    assert {name: gauge.value for name, gauge in ann.trackers.items() if gauge.value} == {"wounds": 1}
    characters = find_game("d6-companion").characters
    assert characters.rank(ann)[2] == 2
    assert characters.apply_effect(ann, Effect(tracker="evasion", set=7)).declared("own_evasion", 0) == 7
    assert characters.check(replace(ann, states=(), trackers={"prone": Gauge(value=1)})).has_state("Prone")


# nine rows that were mended before, after a restart


def test_reactions_wounds_and_shields_are_the_same_after_a_restart(table: Played) -> None:
    one, other = table.scene("d6-companion", "One", "Other", **ROOK)
    for who in (one, other):
        table.call(who, "Dodge")
        table.throw_all()
    table.set_to(one, wounds=1, stuns=1)
    damage = {"purpose": "damage", "code": "5D"}
    for call in (
        {"who": one.id, "weapon": "Pistol", "against": other.id},
        {"who": other.id, "weapon": "Pistol", "against": one.id},
        {"who": other.id, "weapon": "Axe", "against": one.id},
        {"who": one.id, "ask": damage},
        {"who": one.id, "weapon": "Pistol", "helpers": (other.id,)},
    ):
        asked = table.call(**call).asked
        there = Played(SYSTEM, MemoryStore(table.saved_since(0, limit=1000)))
        there.call()
        assert there.call(**call).asked.answers == asked.answers
        there.close()


def test_a_stun_of_two_rounds_ends_as_it_would_have_after_a_restart(table: Played) -> None:
    # wound_track: a die of this round and the next, whatever else one is
    kesh, foe = table.scene("d6-wild", "Kesh", "Foe", **KESH)
    table.set_to(kesh, wounds=2)
    table.call(foe, weapon="Pistol", is_damage=True, against=kesh, ask={"against": 12})
    roll = table.roll(3, 3, 3, 4).rolls[0]
    table.apply(kesh, roll)
    at = table
    for left in (6, 6, 7):
        with closing(at.restart()) as there:
            there.call(kesh, "Piloting")
            assert sum(there.dice().values()) == left
            there.call()
            there.act("round")
            at = there


def test_the_last_box_of_the_shields_goes_before_the_ship_s_after_a_restart(table: Played) -> None:
    # capital_shields: the ninth pip to the shields, the tenth to the ship
    [ship] = table.scene("d6-companion", "Ship", kind="thing", skills=[{"name": "Shields", "ask": {"code": "3D"}}])
    table.set_to(ship, shield_damage=8)
    at = table
    for left in ((9, 0), (9, 1)):
        with closing(at.restart()) as there:
            ask = {"purpose": "capital_damage", "code": "3D", "against": 9, "shields_worked": True}
            there.call(ask=ask, against=ship)
            roll = there.roll(3, 3, 3).rolls[0]
            there.apply(ship, roll)
            assert (there.now(ship).value("shield_damage"), there.now(ship).value("capital_damage")) == left
            at = there


def test_who_leads_fire_is_the_same_after_a_restart_and_so_are_an_order_and_its_turn(table: Played) -> None:
    table.choose("d6-companion")
    crew = [
        table.add(f"Gunner {n}", "d6-companion", skills=[{"name": "Blaster", "ask": {"code": "3D"}}]) for n in (1, 2)
    ]
    skills = [{"name": name, "ask": {"code": "3D"}} for name in ("Command", "Blaster")]
    captain = table.add("Captain", "d6-companion", skills=skills)
    table.call(captain, "Command")
    order = table.roll(3, 3, 3).rolls[0]
    shot = {"who": crew[0].id, "skill": "Blaster", "helpers": (crew[1].id, captain.id), "led_by": order.id}
    asked = table.call(**shot, ask={"about": "short"}).asked
    table.call()
    [kesh] = table.scene("d6-wild", "Kesh", **KESH)
    table.call(kesh, "Perception")
    placed = table.roll(3, 3).rolls[0]
    with closing(table.restart()) as there:
        there.call(**shot, game="d6-companion", ask={"about": "short"})
        assert there.state.asked.answers == asked.answers
        there.call()
        slots = there.turn(Turn.ADD, roll_id=placed).initiative.slots
        assert [(slot.who, slot.side) for slot in slots] == [("Kesh", "npc")]
        seen = there.state.initiative
        passed = there.turn(slot=slots[0].id, round=seen.round, segment=seen.segment)
        with closing(there.restart()) as other:  # another device, which saw the round before
            late = other.turn(slot=slots[0].id, round=seen.round, segment=seen.segment)
            assert late.initiative == passed.initiative


def test_an_undo_leaves_out_what_sends_a_tracker_that_the_game_counts_no_more(table: Played) -> None:
    [ann] = table.scene("d6-companion", "Ann", kind="player", **ROOK)
    table.tell(NamePlayer, name="Ann")
    for value in (1, 3):
        table.set_to(ann, emptiness=value)
    table.tell(ChangeTracker, name="emptiness", owner="Ann", value=2)
    table.call(ann, "Blaster")
    table.set_to(ann, wounds=1)
    log = [json.dumps(one.to_json()).replace("emptiness", "gone") for one in table.saved_since(0, limit=100)]
    for undone, gone in {2: {4, 5, 6, 7, 8}, 3: {4, 5, 6}, 4: {5, 6}, 6: set(), 7: set(), 8: set()}.items():
        with closing(Played(SYSTEM, MemoryStore(change_from_text(one) for one in log))) as there:
            change = there.undo(change=undone).last_change
            assert {*change.left_out} == gone
            assert [one.value("wounds") for one in again(there).state.people] == ([undone != 8] if undone > 2 else [])
            there.redo()
            assert there.now(ann).value("wounds") == 1


@pytest.mark.parametrize("is_of_table", [True, False])
@pytest.mark.parametrize(("joins", "free", "hurt", "lent"), [("all", 2, -1, 2), ("wounds", 0, -1, 2),
                                                            ("nothing", 0, 0, 3)])  # fmt: skip
def test_a_helper_s_wounds_free_haste_and_hurt_parts_join_as_all_does(
    table: Played, joins: str, free: int, hurt: int, lent: int, *, is_of_table: bool
) -> None:
    own = {} if is_of_table else {"joins": joins}
    table.choose("d6-companion", settings={"joins": joins} if is_of_table else {})
    skills = [{"name": name, "ask": {"code": "3D"}} for name in ("Search", "Gunnery")]
    ann, bo = (table.add(name, "d6-companion", "player", skills=skills, **own) for name in ("Ann", "Bo"))
    table.set_to(bo, wounds=1)
    table.set_to(ann, free_haste=2, fire_control_damage=1)
    table.call(ann, "Search", helpers=(bo,))
    assert table.state.asked.answers["pips"] == lent
    table.call(ann, "Gunnery")
    answers = table.state.asked.answers
    assert (answers.get("free_haste", 0), answers.get("pips", 0)) == (free, hurt)
    ticks = tuple(one.key for one in table.state.asked.joins if not one.is_on)
    table.call(ann, "Gunnery", ticked=ticks)
    answers = table.state.asked.answers
    assert (answers["free_haste"], answers["pips"]) == (2, -1)
    again(table)
