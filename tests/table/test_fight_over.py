"""What a fight, a session and a wound leave: who is out helps nobody, and what counts by rounds ends with them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import ValidationError, convert

from tableside.errors import BadAsk, BadChange, Conflict, GameError
from tableside.games.d6_wild.characters import PRONE
from tableside.rules import find_game
from tableside.rules.acts import passing
from tableside.rules.people import Person
from tableside.table import Side, Table
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    ChangeTracker,
    ChooseGame,
    Do,
    DoAct,
    DoPerson,
    EndSession,
    EnterThrow,
    LastTotal,
    Redo,
    SentPerson,
    ShownDie,
    StartSession,
    Turn,
    Undo,
)
from tableside.table.shown import spends_of, state_json
from tests.conftest import SYSTEM, carried
from tests.table.test_rounds import (
    BRAND,
    KESH,
    OSKARA,
    ROOK,
    add,
    dice,
    now,
    pips,
    set_to,
    state_of,
    tell,
    throw,
    wild,
)


def opposing(table: Table, *people: Person) -> None:
    for rank, one in enumerate(people):
        tell(table, ChangeInitiative, do=Turn.ADD, who=one.name, side="npc", rank=(9 - rank,))


def states(table: Table, person: Person) -> list[str]:
    return [one.name for one in now(table, person).states]


def wound(table: Table, shooter: Person, target: Person) -> None:
    """Wound somebody by 5 beyond a Strength of 9."""
    tell(table, CallRoll, who=target.id, skill="Strength")
    withstood = wild(table, 3, *[3] * (sum(dice(table).values()) - 1)).rolls[0]
    total = dict(withstood.net)["total"]
    tell(table, CallRoll, who=shooter.id, weapon="Pistol", is_damage=True, against=LastTotal(last_total=withstood.id))
    wild(table, 2, 2, 4, total + 5 - 8)
    tell(table, ApplyEffect, roll_id=table.state.rolls[0].id, effect=0, to=target.id)


def test_who_is_wounded_falls_and_has_no_more_actions_in_this_round_of_a_fight(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    kesh, foe = (add(table, name, "d6-wild", **KESH) for name in ("Kesh", "Foe"))
    assert PRONE.to_json() == state_of("d6-wild", "Prone")
    opposing(table, kesh, foe)
    for wounds in (2, 3):  # wounded, and wounded twice
        wound(table, kesh, foe)
        assert (now(table, foe).value("wounds"), states(table, foe)) == (wounds, ["Prone", "No more actions"])
        with pytest.raises(Conflict, match="Foe cannot act: No more actions"):
            tell(table, CallRoll, who=foe.id, skill="Dodge")
        with pytest.raises(GameError, match="cannot act"):
            tell(table, DoAct, who=foe.id, act="prepare")
        tell(table, CallRoll, who=foe.id, skill="Strength", overrules=True)
        tell(table, ChangeInitiative, do=Turn.NEXT)
        tell(table, ChangeInitiative, do=Turn.NEXT)
        assert states(table, foe) == ["Prone"]
        tell(table, CallRoll, who=foe.id, skill="Dodge")
        tell(table, CallRoll)
    for _ in range(9):  # the second wound, with all that followed
        tell(table, Undo)
    assert now(table, foe).value("wounds") == 2


def test_without_a_fight_no_round_keeps_the_wounded_from_acting(table: Table) -> None:
    kesh, foe = (add(table, name, "d6-wild", **KESH) for name in ("Kesh", "Foe"))
    wound(table, kesh, foe)
    assert states(table, foe) == ["Prone"]
    tell(table, CallRoll, who=foe.id, skill="Dodge")


def test_strength_that_has_nothing_to_reach_withstands_damage(table: Table) -> None:
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    for ask, points in (({}, 5), ({"difficulty": 12}, 2), ({"band": "easy"}, 2)):
        tell(table, CallRoll, who=kesh.id, skill="Strength", ask=ask)
        roll = wild(table, 2, 3, 3).rolls[0]
        set_to(table, kesh, character_points=9)
        for _ in range(points):
            tell(table, BuySpend, roll_id=roll.id, name="character_points")
            tell(table, EnterThrow, roll_id=roll.id, dice=(ShownDie(type="pip", face=("2",)),))
            roll = table.state.rolls[0]
        assert dict(roll.net)["total"] == 8 + 2 * points
        with pytest.raises(BadChange, match="cannot be bought"):
            tell(table, BuySpend, roll_id=roll.id, name="character_points")


def test_a_reaction_on_top_costs_a_die_until_the_round_is_over(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    kesh, foe = (add(table, name, "d6-wild", **KESH) for name in ("Kesh", "Foe"))
    opposing(table, kesh, foe)
    tell(table, CallRoll, who=kesh.id, skill="Dodge", ask={"extra_reactions": 1})
    wild(table, 2, 3, 3)
    for _ in range(2):
        tell(table, CallRoll, who=kesh.id, skill="Piloting")
        assert sum(dice(table).values()) == 6
        tell(table, CallRoll, who=kesh.id, skill="Strength")  # what withstands damage is no action
        assert sum(dice(table).values()) == 3
        tell(table, CallRoll)
    tell(table, ChangeInitiative, do=Turn.NEXT)
    tell(table, ChangeInitiative, do=Turn.NEXT)
    tell(table, CallRoll, who=kesh.id, skill="Piloting")
    assert sum(dice(table).values()) == 7


def test_the_immobile_use_what_is_known_to_be_no_skill_of_dexterity(table: Table) -> None:
    skills = [*ROOK["skills"], {"name": "Perception", "ask": {"code": "6D"}},
              {"name": "Barter", "ask": {"code": "5D+1", "attribute": "Perception"}}]  # fmt: skip
    rook = add(table, "Rook", "d6-companion", "player", **{**ROOK, "skills": skills})
    set_to(table, rook, stuns=3)  # Dexterity 3D+2
    for skill, left in (("Perception", 3), ("Barter", 2)):
        tell(table, CallRoll, who=rook.id, skill=skill)
        assert dice(table) == {"pip": left}
    for skill in ("Blaster", "Dexterity"):
        with pytest.raises(Conflict, match="Immobile"):
            tell(table, CallRoll, who=rook.id, skill=skill)
    set_to(table, rook, unconscious=1)  # and who sleeps uses none
    with pytest.raises(Conflict, match="Unconscious"):
        tell(table, CallRoll, who=rook.id, skill="Perception")


@pytest.mark.parametrize(
    ("game", "form", "skill", "hurt"),
    [("narrative", OSKARA, "Cool", {"wounds": 13}), ("d6-wild", KESH, "Piloting", {"unconscious": 1}),
     ("d6-companion", ROOK, "Blaster", {"wounds": 3})],
)  # fmt: skip
def test_who_is_out_helps_nobody_until_better_unless_the_master_says_so(
    table: Table, game: str, form: dict[str, Any], skill: str, hurt: dict[str, int]
) -> None:
    tell(table, ChooseGame, game=game)
    one, other = (add(table, name, game, "player", **form) for name in ("One", "Other"))
    called = {"who": one.id, "skill": skill, "helpers": (other.id,)}
    tell(table, CallRoll, **called)
    set_to(table, other, **hurt)
    with pytest.raises(Conflict, match="Other cannot act"):
        tell(table, CallRoll, **called)
    tell(table, CallRoll, **called, overrules=True)
    tell(table, Undo)
    tell(table, Undo)
    tell(table, CallRoll, **called)
    held = [{"name": "Held", "bars": "actions"}]
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": other.id, "states": held})
    with pytest.raises(Conflict, match="Other cannot act: Held"):
        tell(table, CallRoll, **called)
    tell(table, CallRoll, **called, overrules=True)


DEEDS = [
    ("narrative", OSKARA, {"strain": 11}, "maneuver"),
    ("heroic", BRAND, {"condition": 5}, "maneuver"),
    ("d6-wild", KESH, {"wounds": 4}, "prepare"),
    ("d6-companion", ROOK, {"wounds": 2}, "prepare"),
    ("d6-companion", ROOK, {"unconscious": 1}, "surprise"),
    ("d6-companion", {**ROOK, "trackers": {"prone": {"value": 1}}}, {"stuns": 3}, "rise"),
]


@pytest.mark.parametrize(("game", "form", "hurt", "act"), DEEDS)
def test_who_is_out_does_nothing_without_dice_either(
    table: Table, game: str, form: dict[str, Any], hurt: dict[str, int], act: str
) -> None:
    tell(table, ChooseGame, game=game)
    one = add(table, "One", game, "player", **form)
    tell(table, DoAct, who=one.id, act=act)
    tell(table, Undo)
    set_to(table, one, **hurt)
    with pytest.raises(GameError, match="One cannot act"):
        tell(table, DoAct, who=one.id, act=act)


LASTING = [
    ("narrative", OSKARA, {"maneuvers": 2}, {"wounds": 4, "fear": 1}),
    ("heroic", BRAND, {"maneuvers": 2, "combat_advantage": 1, "steadied": 1}, {"condition": 2}),
    ("d6-wild", KESH, {"stunned_rounds": 2, "wounds": 1}, {"stuns": 2}),
    ("d6-companion", ROOK, {"free_haste": 2, "stuns": 1, "stuns_before": 1}, {"wounds": 1}),
]


@pytest.mark.parametrize("how", ["clear", "last slot", "another game", "session", "encounter"])
@pytest.mark.parametrize(("game", "form", "over", "stays"), LASTING)
def test_what_counts_by_turns_and_rounds_ends_with_the_fight_however_it_ends(
    table: Table, game: str, form: dict[str, Any], over: dict[str, int], stays: dict[str, int], how: str
) -> None:
    tell(table, ChooseGame, game=game)
    one = add(table, "One", game, "player", **form)
    opposing(table, one)
    set_to(table, one, **over, **stays)
    before = now(table, one)
    match how:
        case "clear":
            tell(table, ChangeInitiative, do=Turn.CLEAR)
        case "last slot":
            tell(table, ChangeInitiative, do=Turn.REMOVE, slot=table.state.initiative.slots[0].id)
        case "encounter":
            tell(table, DoAct, act="encounter")
            over, stays = over | {"fear": 1}, {name: n for name, n in stays.items() if name != "fear"}
        case "another game":
            tell(table, ChooseGame, game="narrative" if game == "heroic" else "heroic")
        case _:
            tell(table, StartSession)
            over, stays = over | {"fear": 1}, {name: n for name, n in stays.items() if name != "fear"}  # and its scene
    after = now(table, one)
    after = after if after.game == game else after.in_game(game, None)  # so it waits for the way back
    assert {name: after.value(name) for name in over} == dict.fromkeys(over, 0)
    assert {name: after.value(name) for name in stays} == stays
    tell(table, Undo, change=table.state.last_number)
    assert now(table, one).trackers == before.trackers
    assert [slot.who for slot in table.state.initiative.slots] == ["One"]


def test_the_opportunity_pool_is_of_one_encounter(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    brand = add(table, "Brand", "heroic", "player", **BRAND)
    opposing(table, brand)
    tell(table, CallRoll, who=brand.id, skill="Vigilance")
    roll = throw(table, ("ability", ("advantage",)), ("proficiency", ("advantage",))).rolls[0]
    for _ in range(2):
        tell(table, BuySpend, roll_id=roll.id, name="opportunity")
    assert table.state.trackers["heroic", "opportunity", ""] == 2
    tell(table, ChangeInitiative, do=Turn.CLEAR)
    assert table.state.trackers["heroic", "opportunity", ""] == 0
    tell(table, Undo)
    assert table.state.trackers["heroic", "opportunity", ""] == 2


def test_a_session_gives_back_what_a_call_took_that_nobody_threw_and_keeps_no_dice_for_later(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one, other = (add(table, name, "narrative", "player", **OSKARA) for name in ("One", "Other"))
    tell(table, CallRoll, who=one.id, skill="Cool", ask={"difficulty": "easy"})
    roll = throw(table, ("ability", ("advantage",)), ("proficiency", ("advantage",)), ("difficulty", ())).rolls[0]
    tell(table, BuySpend, roll_id=roll.id, name="boost_any_ally_next", for_person=other.id)
    assert len(carried(table.state)) == 1
    state = tell(table, EndSession)
    assert carried(state) == ()
    assert len(carried(tell(table, Undo, change=state.last_number))) == 1
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, CallRoll, who=kesh.id, skill="Piloting", ask={"force_point": True})
    assert now(table, kesh).value("force_points") == 0
    state = tell(table, EndSession)
    assert (now(table, kesh).value("force_points"), state.asked.id) == (1, "")
    tell(table, Undo, change=state.last_number)
    assert (now(table, kesh).value("force_points"), sum(dice(table).values())) == (0, 14)


def test_who_is_restrained_is_not_let_go_by_a_grab(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    brand, ogre = (add(table, name, "heroic", "player", **BRAND) for name in ("Brand", "Ogre"))
    for power, held in (("basic_grab", 1), ("basic_grapple", 2), ("basic_grab", 2)):
        tell(table, CallRoll, who=brand.id, skill="Vigilance", against=ogre.id,
             ask={"purpose": "attack", "power": power})  # fmt: skip
        throw(table, ("ability", ("success",)), ("proficiency", ()))
        tell(table, ApplyEffect, roll_id=table.state.rolls[0].id, effect=0, to=ogre.id)
        assert now(table, ogre).value("held") == held
    tell(table, DoAct, who=ogre.id, act="release")
    assert now(table, ogre).value("held") == 0


def test_copies_of_somebody_have_done_nothing_yet(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    rook, foe = (add(table, name, "d6-companion", **ROOK) for name in ("Rook", "Foe"))
    tell(table, CallRoll, who=rook.id, skill="Dodge", ask={"actions": 2})
    throw(table, *pips(6, 6, 6))
    copy = tell(table, ChangePerson, do=DoPerson.COPY, person={"id": rook.id}, count=1).people[-1]
    for target, reaction in ((rook, 18), (copy, None)):
        tell(table, CallRoll, who=foe.id, weapon="Pistol", against=target.id)
        assert table.state.asked.answers.get("reaction_total") == reaction
    brand = add(table, "Brand", "heroic", **BRAND)
    set_to(table, brand, maneuvers=2, condition=1)
    for other in tell(table, ChangePerson, do=DoPerson.COPY, person={"id": brand.id}, count=2).people[-2:]:
        assert (other.value("maneuvers"), other.value("condition")) == (0, 1)
    assert now(table, brand).value("maneuvers") == 2


def test_what_the_charts_do_not_allow_is_not_called_either(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    skills = [{"name": "Gunnery", "ask": {"code": "6D"}}, {"name": "Shields", "ask": {"code": "4D"}}]
    gunner = add(table, "Gunner", "d6-companion", "thing", skills=skills)
    impossible = {"chart": "to_hit", "scale": "death_star", "target_scale": "walker"}
    with pytest.raises(BadAsk, match="is not possible"):
        tell(table, CallRoll, who=gunner.id, skill="Gunnery", ask=impossible)
    with pytest.raises(BadAsk, match="the device has no code"):
        tell(table, CallRoll, ask={"purpose": "technology", "code": "4D", "band": "easy"})
    for lost in (4, 5):  # of six facings
        set_to(table, gunner, facings_lost=lost)
        if lost == 5:
            with pytest.raises(BadAsk, match="5 facings are lost"):
                tell(table, CallRoll, who=gunner.id, skill="Shields", ask={"purpose": "increase_shield"})
        else:
            tell(table, CallRoll, who=gunner.id, skill="Shields", ask={"purpose": "increase_shield"})
            assert table.state.asked.answers["facings_lost"] == lost
    assert find_game("d6-companion").tray({**impossible, "scale": "capital", "code": "2D"}) is not None


def test_haste_that_is_declared_orders_the_round_and_costs_no_damage_a_die(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    add(table, "Rook", "d6-companion", **ROOK)
    slower = [{**one, "ask": {"code": "3D+1"}} if one["name"] == "Dexterity" else one for one in ROOK["skills"]]
    foe = add(table, "Foe", "d6-companion", **{**ROOK, "skills": slower})
    weapon = {"name": "Gun", "skill": "Blaster", "ask": {"difficulty": 5}, "damage": {"code": "5D"}}
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": foe.id, "weapons": [weapon]})
    tell(table, ChangeInitiative, do=Turn.CALL, who="all")

    def order() -> list[str]:
        return [slot.who for slot in table.state.initiative.slots]

    for haste in (1, 2):
        tell(table, DoAct, who=foe.id, act="declare", ask={"haste": haste})
    declared = table.state.last_number
    tell(table, CallRoll, who=foe.id, weapon="Gun")
    assert dice(table) == {"pip": 1}
    tell(table, CallRoll, who=foe.id, weapon="Gun", is_damage=True)
    assert dice(table) == {"pip": 5}
    tell(table, CallRoll, who=foe.id, skill="Strength")  # what withstands damage is no action either
    assert dice(table) == {"pip": 3}
    tell(table, CallRoll)
    for _ in range(2):  # the segments of declaring
        turn = tell(table, ChangeInitiative, do=Turn.NEXT).last_number
    assert order() == ["Foe", "Rook"]  # the hasty first
    tell(table, Undo, change=declared)
    assert [(slot.who, slot.rank[2]) for slot in table.state.initiative.slots if slot.who == "Foe"] == [("Foe", 1)]
    tell(table, Redo)
    assert [slot.rank[2] for slot in table.state.initiative.slots] == [2, 0]
    assert table.state.turn_before == turn
    tell(table, ChangeInitiative, do=Turn.NEXT)
    turn = tell(table, ChangeInitiative, do=Turn.NEXT).last_number
    assert (table.state.initiative.round, order(), [slot.rank[2] for slot in table.state.initiative.slots]) == (
        2, ["Foe", "Rook"], [0, 0],
    )  # fmt: skip
    assert table.state.turn_before == turn
    tell(table, Undo, change=turn)
    assert (order(), now(table, foe).declared("haste", 0)) == (["Foe", "Rook"], 2)


@pytest.mark.parametrize(
    ("ends", "more"),
    [(ChangeInitiative, {"do": Turn.CLEAR}), (ChooseGame, {"game": "narrative"}), (EndSession, {}), (StartSession, {})],
)
@pytest.mark.parametrize("thrown", [0, 1])
def test_who_is_still_called_to_a_fight_that_is_over_begins_no_other(
    table: Table, ends: type[Any], more: dict[str, Any], thrown: int
) -> None:
    tell(table, ChooseGame, game="heroic")
    for name in ("Ann", "Bor", "Cai"):
        add(table, name, "heroic", "player", **BRAND)
    tell(table, StartSession)
    tell(table, ChangeInitiative, do=Turn.CALL, who="all")
    for _ in range(thrown):
        throw(table, ("ability", "success"), ("proficiency", ()))
    called = table.state
    tell(table, ends, **more)
    assert (table.state.asked.id, table.state.waiting, table.state.initiative.slots) == ("", [], ())
    throw(table, ("ability", "success"), ("proficiency", ()))  # somebody throws all the same: it is no slot
    assert table.state.initiative.slots == ()
    tell(table, Undo)
    tell(table, Undo, change=called.last_number + 1)
    assert (table.state.asked, table.state.contest) == (called.asked, called.contest)
    throw(table, ("ability", "success"), ("proficiency", ()))
    assert len(table.state.initiative.slots) == thrown + 1


def test_a_call_of_several_ends_with_the_session_and_who_has_rolled_stays_ranked(table: Table) -> None:
    ann, ben, cai = (add(table, name, "narrative", **OSKARA) for name in ("Ann", "Ben", "Cai"))
    tell(table, CallRoll, who=ann.id, skill="Cool", others=(ben.id, cai.id))
    throw(table, ("ability", "success"), ("proficiency", ()))
    tell(table, EndSession)
    assert ([one.name for one in table.state.contest.entrants], table.state.waiting) == (["Ann"], [])
    with pytest.raises(Conflict, match="no session runs"):
        tell(table, EndSession)
    tell(table, Undo, change=table.state.last_number)
    assert [one.name for one in table.state.waiting] == ["Ben", "Cai"]


def test_another_check_stays_called_where_a_fight_is_over(table: Table) -> None:
    ann, ben = (add(table, name, "narrative", **OSKARA) for name in ("Ann", "Ben"))
    opposing(table, ann, ben)
    tell(table, CallRoll, who=ann.id, skill="Cool", others=(ben.id,))
    tell(table, ChangeInitiative, do=Turn.CLEAR)
    assert (table.state.asked.who, [one.name for one in table.state.waiting]) == (ann.id, ["Ann", "Ben"])


@pytest.mark.parametrize(("ends", "more"), [(ChangeInitiative, {"do": Turn.CLEAR}), (ChooseGame, {"game": "d6-wild"})])
def test_a_power_that_waits_to_be_thrown_gives_nothing_back_into_a_pool_that_is_over(
    table: Table, ends: type[Any], more: dict[str, Any]
) -> None:
    tell(table, ChooseGame, game="heroic")
    brand = add(table, "Brand", "heroic", **BRAND)
    opposing(table, brand)
    tell(table, ChangeTracker, name="opportunity", value=5)
    tell(table, CallRoll, who=brand.id, weapon="Fire", ask={"opportunity_cost": 3})
    called = table.state

    def pool() -> int:
        return table.state.trackers["heroic", "opportunity", ""]

    assert pool() == 2
    tell(table, ends, **more)
    tell(table, CallRoll)
    assert (pool(), table.state.asked.id, table.state.initiative.slots) == (0, "", ())
    tell(table, Undo, change=called.last_number + 1)
    assert (pool(), table.state.asked) == (2, called.asked)
    tell(table, CallRoll)  # in the fight it comes back
    assert pool() == 5


@pytest.mark.parametrize("ends", [EndSession, StartSession])
def test_a_point_of_the_evening_before_does_not_turn_over_in_the_pool_of_this_one(
    table: Table, ends: type[Any]
) -> None:
    tell(table, StartSession)
    ann = add(table, "Ann", "narrative", "player", **OSKARA)
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=3)
    tell(table, CallRoll, who=ann.id, skill="Cool")
    tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    before = table.state
    tell(table, ends)
    tell(table, ChangeDestiny, do=Do.SET, light=4, dark=1)
    tell(table, CallRoll)
    assert (table.state.destiny.light, table.state.destiny.dark) == (4, 1)
    tell(table, Undo)
    tell(table, Undo, change=before.last_number + 1)
    assert (table.state.destiny, table.state.asked) == (before.destiny, before.asked)


def test_what_a_finished_roll_is_said_to_have_spent_is_paid(table: Table) -> None:
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"difficulty": 14})
    roll = wild(table, 2, 3, 3).rolls[0]
    for points, left in ((2, 3), (1, 4), (0, 5), (1, 4)):
        tell(table, ChangeRoll, roll_id=roll.id, ask={"character_points": points})
        assert now(table, kesh).value("character_points") == left
    tell(table, ChangeRoll, roll_id=roll.id, label="At the door")
    set_to(table, kesh, character_points=0)
    with pytest.raises(Conflict, match="Kesh has 0 character points"):
        tell(table, ChangeRoll, roll_id=roll.id, ask={"character_points": 2})
    tell(table, Undo)
    tell(table, Undo)
    tell(table, Undo)
    assert now(table, kesh).value("character_points") == 5


@pytest.mark.parametrize("game", ["narrative", "heroic", "d6-wild", "d6-companion"])
def test_an_encounter_ends_with_its_order_its_scene_and_who_is_called_for_a_place(table: Table, game: str) -> None:
    tell(table, ChooseGame, game=game)
    lasts = [{"name": until, "until": until} for until in ("turn", "next", "round", "scene")]
    ann, bo = (add(table, name, game, "player", states=lasts) for name in ("Ann", "Bo"))
    opposing(table, ann)
    tell(table, ChangeInitiative, do=Turn.CALL, who=(bo.id,))
    before = table.state
    tell(table, DoAct, act="encounter", who=ann.id)  # for one of them alone
    assert (states(table, ann), len(states(table, bo)), table.state.initiative) == ([], 4, before.initiative)
    tell(table, Undo)
    for _ in range(2):
        after = tell(table, DoAct, act="encounter")
        assert (states(table, ann), states(table, bo), after.initiative.slots, after.asked.id) == ([], [], (), "")
        tell(table, Undo)
        assert (table.state.people, table.state.initiative) == (before.people, before.initiative)
        assert table.state.asked == before.asked


LEAVING = [("narrative", OSKARA), ("heroic", BRAND), ("d6-wild", KESH), ("d6-companion", ROOK)]


@pytest.mark.parametrize(("game", "form"), LEAVING)
def test_who_leaves_the_scene_leaves_the_order_and_the_call(table: Table, game: str, form: dict[str, Any]) -> None:
    tell(table, ChooseGame, game=game)
    thugs = [add(table, "Thug", game, **form) for _ in range(3)]  # all three of one name
    tell(table, ChangeInitiative, do=Turn.CALL, who="others", by_table=True)
    with pytest.raises(Conflict, match="nobody is left to call"):
        tell(table, ChangeInitiative, do=Turn.CALL, who="others", by_table=True)
    for _ in thugs:  # whose turn it is, of all who have that name
        acting, points = table.state.acting(table.state.initiative.current), state_json(table.state, now=1.0)["points"]
        assert acting is not None
        assert points is None or points["who"] == acting.id
        tell(table, ChangeInitiative, do=Turn.NEXT)
    second = thugs[1]
    tell(table, CallRoll, who=second.id, skill=form["skills"][0]["name"])
    before = table.state
    after = tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": second.id})
    assert {slot.person for slot in after.initiative.slots} == {thugs[0].id, thugs[2].id}
    assert after.asked.id == ""
    again = tell(table, Undo)
    assert (again.initiative, again.asked, len(again.people)) == (before.initiative, before.asked, 3)
    for one in thugs:
        after = tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": one.id})
    assert after.initiative.slots == ()
    tell(table, Undo)
    assert [slot.person for slot in table.state.initiative.slots] == [thugs[2].id]


def test_a_point_on_the_call_of_one_who_leaves_is_no_longer_spent(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    ann = add(table, "Ann", "narrative", "player", **OSKARA)
    tell(table, CallRoll, who=ann.id, skill="Cool", ask={"difficulty": "hard"})
    tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": ann.id})
    assert (table.state.destiny.light, table.state.destiny.dark) == (2, 1)
    tell(table, Undo)
    assert (table.state.destiny.light, table.state.asked.answers["helping_hand"]) == (1, 1)


def test_nobody_is_called_twice_where_slots_are_free_again_in_a_later_round(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann, thug = add(table, "Ann", "narrative", "player", **OSKARA), add(table, "Thug", "narrative", **OSKARA)
    tell(table, ChangeInitiative, do=Turn.CALL, who="others", by_table=True)
    opposing(table, ann)
    for _ in range(2):
        tell(table, ChangeInitiative, do=Turn.NEXT)
    late = add(table, "Late", "narrative", **OSKARA)
    set_to(table, thug, maneuvers=2)
    for _ in range(2):
        slots = tell(table, ChangeInitiative, do=Turn.CALL, who="all", by_table=True).initiative.slots
        assert ({slot.person for slot in slots}, len(slots)) == ({ann.id, thug.id, late.id}, 3)
        tell(table, Undo)
    # nobody took a turn for the thug, whose turn ends with the round all the same
    for _ in range(2):
        tell(table, ChangeInitiative, do=Turn.NEXT)
    assert (table.state.initiative.round, now(table, thug).value("maneuvers")) == (3, 0)


@pytest.mark.parametrize(("game", "form"), LEAVING)
def test_what_lasts_until_the_next_turn_ends_outlasts_the_round(table: Table, game: str, form: dict[str, Any]) -> None:
    tell(table, ChooseGame, game=game)
    lasts = [{"name": until, "until": until} for until in ("turn", "next", "round")]
    ann, idle = (add(table, name, game, **form, states=lasts) for name in ("Ann", "Idle"))
    opposing(table, add(table, "Foe", game, "player", **form), ann)
    found: dict[int, set[str]] = {}
    for _ in range(3 * len(table.state.initiative.slots) * 3):
        order = table.state.initiative
        current = order.current
        assert current is not None
        if not current.who:
            tell(table, ChangeInitiative, do=Turn.CLAIM, slot=current.id, who="Foe" if current.is_player else "Ann")
        found.setdefault(order.round, set(states(table, ann)))
        tell(table, ChangeInitiative, do=Turn.NEXT)
    # in the first round all last; the next turn of hers ends within the second
    assert (found[1], found[2], found[3]) == ({"turn", "next", "round"}, {"next"}, set())
    assert states(table, idle) == []
    acts = find_game(game).characters.acts
    for act in {passing(acts, "turn_end"), passing(acts, "turn_begin")} - {""}:
        set_to(table, ann, maneuvers=2)
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": ann.id, "states": lasts})
        tell(table, DoAct, who=ann.id, act=act)  # "Next" ends the turn, and what lasts until then
        assert (len(states(table, ann)), now(table, ann).value("maneuvers")) == (3, 0)
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": ann.id, "states": lasts})
    tell(table, ChangeInitiative, do=Turn.CLEAR)
    assert states(table, ann) == []  # no turn follows


@pytest.mark.parametrize(("game", "form"), LEAVING[2:])
def test_a_combined_action_is_one_of_everybody_who_takes_part(table: Table, game: str, form: dict[str, Any]) -> None:
    tell(table, ChooseGame, game=game)
    lead, helper, other = (add(table, name, game, "player", **form) for name in ("Lead", "Helper", "Other"))
    opposing(table, lead, helper, other)
    tell(table, CallRoll, who=lead.id, skill="Blaster", helpers=(helper.id,))
    throw(table, *[(kind, "2") for kind, n in dice(table).items() for _ in range(n)])
    assert [now(table, one).done for one in (lead, helper, other)] == [1, 1, 0]
    tell(table, Undo)
    assert [now(table, one).done for one in (lead, helper, other)] == [0, 0, 0]


@pytest.mark.parametrize("what", ["skills", "weapons"])
def test_what_is_called_by_its_name_has_one_of_its_own(table: Table, what: str) -> None:
    ann = add(table, "Ann", "narrative", **{what: [{"name": "Cool"}, {"name": "Cool head"}]})
    for names, fault in (
        (("Cool", " "), "has no name"),
        (("Calm", "Cool", " cool "), f"two {what} are called  cool "),
    ):
        sent = {what: [{"name": name} for name in names]}
        for do, more in ((DoPerson.ADD, {"name": "Bo"}), (DoPerson.CHANGE, {"id": ann.id})):
            with pytest.raises(ValidationError, match=fault):
                tell(table, ChangePerson, do=do, person=convert({**more, **sent}, SentPerson))
    assert table.state.people == (ann,)


@pytest.mark.parametrize(("game", "act"), [("narrative", "turn"), ("heroic", "turn"), ("d6-wild", "round")])
def test_without_a_fight_an_act_ends_what_lasts_for_a_turn_or_a_round(table: Table, game: str, act: str) -> None:
    tell(table, ChooseGame, game=game)
    lasts = [{"name": until, "until": until} for until in ("turn", "next", "round", "scene")]
    ann = add(table, "Ann", game, "player", states=lasts)
    for left in (["next", "scene"], ["scene"], ["scene"]):
        tell(table, DoAct, act=act, who=ann.id)
        assert states(table, ann) == left


def test_a_slot_of_a_side_is_passed_while_who_brought_it_is_out(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann, thug, boss = (
        add(table, name, "narrative", "player" if name == "Ann" else "person", **OSKARA)
        for name in ("Ann", "Thug", "Boss")
    )
    opposing(table, thug, ann, boss)
    set_to(table, thug, strain=11)
    rounds: dict[int, list[str]] = {}
    for number in range(8):
        order = table.state.initiative
        assert order.current is not None
        rounds.setdefault(order.round, []).append(order.current.person)
        tell(table, ChangeInitiative, do=Turn.NEXT)
        if number == 3:
            set_to(table, thug, strain=0)
    # the first turn of all had begun as he fell
    assert rounds == {
        1: [thug.id, ann.id, boss.id], 2: [ann.id, boss.id], 3: [thug.id, ann.id, boss.id],
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "words", "tracker"), [
    ("thing", "A critical hit", "critical_hits"), ("person", "A critical injury", "critical_injuries"),
])  # fmt: skip
def test_a_critical_says_whether_it_is_of_a_ship_or_of_somebody(
    table: Table, kind: str, words: str, tracker: str
) -> None:
    tell(table, ChooseGame, game="narrative")
    ann, foe = add(table, "Ann", "narrative", "player", **OSKARA), add(table, "Foe", "narrative", kind)
    for number in (1, 2):
        tell(table, CallRoll, who=ann.id, against=foe.id, ask={"purpose": "critical"})
        roll = throw(table, ("d100", "30"), ("d10", "4")).rolls[0]
        assert (roll.headline, roll.effects[0].words) == (str(24 + 10 * number), words)
        for _ in range(2):
            tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=foe.id)
            assert now(table, foe).value(tracker) == number


@pytest.mark.parametrize(("game", "skill"), [("narrative", "Cool"), ("heroic", "Vigilance")])
def test_dice_that_a_person_has_add_up_as_people_write_them_and_as_numbers(table: Table, game: str, skill: str) -> None:
    tell(table, ChooseGame, game=game)
    asks = [{"dice": "2k"}, {"dice": {"setback": 1, "boost": 1}}, {"dice": "1b 1k"}]
    lasts = [{"name": f"{number}", "ask": ask} for number, ask in enumerate(asks)]
    ann = add(table, "Ann", game, states=lasts, skills=[{"name": skill, "ask": {"dice": "1a"}}])
    for more in ("1d", {"difficulty": 1}):
        tell(table, CallRoll, who=ann.id, skill=skill, ask={"dice": more})
        assert dice(table) == {"ability": 1, "boost": 2, "setback": 4, "difficulty": 1}
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": ann.id, "states": lasts[:1]})
    assert dice(table) == {"ability": 1, "setback": 2, "difficulty": 1}


def test_what_counts_for_a_session_is_told_until_the_next_begins(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann = add(table, "Ann", "narrative", "player", **OSKARA)
    tell(table, StartSession)
    set_to(table, ann, conflict=3, wounds=2)
    tell(table, EndSession)
    assert now(table, ann).value("conflict") == 3
    tell(table, StartSession)
    assert (now(table, ann).value("conflict"), now(table, ann).value("wounds")) == (0, 2)
    tell(table, Undo, change=table.state.last_number)
    assert (now(table, ann).value("conflict"), table.state.session.number) == (3, 1)
    tell(table, CallRoll, who=ann.id, skill="Cool")
    throw(table, ("ability", ()), ("proficiency", ()))  # which begins it, too
    assert (now(table, ann).value("conflict"), table.state.session.number) == (0, 2)
    set_to(table, ann, conflict=1)
    tell(table, CallRoll, who=ann.id, skill="Cool")
    throw(table, ("ability", ()), ("proficiency", ()))
    assert now(table, ann).value("conflict") == 1
    for _ in range(4):
        tell(table, Undo)
    assert (now(table, ann).value("conflict"), table.state.session.number) == (3, 1)


def test_a_second_maneuver_that_is_bought_may_be_made_before_the_first(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    ann = add(table, "Ann", "heroic", "player", **BRAND)
    opposing(table, ann)

    def buy() -> None:
        tell(table, CallRoll, who=ann.id, skill="Vigilance", ask={"difficulty": "easy"})
        face = ("advantage", "advantage")
        roll = throw(table, ("ability", face), ("proficiency", face), ("difficulty", ())).rolls[0]
        tell(table, BuySpend, roll_id=roll.id, name="second_maneuver")

    def move(**ask: str) -> None:
        tell(table, DoAct, act="maneuver", who=ann.id, ask=ask)

    for order in ((buy, move), (move, buy)):
        for step in order:
            step()
        assert now(table, ann).value("maneuvers") == 2
        with pytest.raises(GameError, match="no third maneuver"):
            move(by="no_action")
        tell(table, ChangeInitiative, do=Turn.NEXT)
        assert (now(table, ann).value("maneuvers"), states(table, ann)) == (0, [])
    move()
    with pytest.raises(GameError, match="has its price"):  # what was bought was of that turn
        move()


def test_a_maneuver_that_is_bought_is_one_of_the_two_of_a_turn_and_costs_no_strain(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann = add(table, "Ann", "narrative", "player", **OSKARA)
    opposing(table, ann)

    def shoot() -> tuple[str, bool]:
        """Return the id of a roll, and whether it may buy a maneuver."""
        shot = {"purpose": "attack", "attack": "ranged", "range": "close"}
        tell(table, CallRoll, who=ann.id, skill="Cool", ask=shot)
        face = ("advantage", "advantage")
        roll = throw(table, ("ability", face), ("proficiency", face), ("difficulty", ())).rolls[0]
        return roll.id, any(one.name == "free_maneuver" for one in spends_of(table.state, roll, SYSTEM))

    def buy() -> None:
        tell(table, BuySpend, roll_id=shoot()[0], name="free_maneuver")

    def move() -> None:
        tell(table, DoAct, act="maneuver", who=ann.id)

    for steps, strain in (((buy, move), 0), ((move, buy), 0), ((move, move), 2)):
        for step in steps:
            step()
        assert (now(table, ann).value("maneuvers"), now(table, ann).value("strain")) == (2, strain)
        assert not shoot()[1]  # M29: fewer than two were made this turn
        with pytest.raises(GameError, match="no third maneuver"):
            move()
        current = tell(table, ChangeInitiative, do=Turn.NEXT).initiative.current
        assert current is not None
        tell(table, ChangeInitiative, do=Turn.CLAIM, slot=current.id, who="Ann")
        assert (now(table, ann).value("maneuvers"), states(table, ann)) == (0, [])


@pytest.mark.parametrize(("wounds", "stunned", "later"), [(2, 6, 7), (3, 4, 5)])
def test_a_stun_takes_a_die_of_this_round_and_the_next_whatever_else_one_is(
    table: Table, wounds: int, stunned: int, later: int
) -> None:
    # "-1D to everything for the rest of this round and the next", twice wounded 2D (d6-wild.md, wound_track).
    tell(table, ChooseGame, game="d6-wild")
    kesh, foe = (add(table, name, "d6-wild", **KESH) for name in ("Kesh", "Foe"))
    set_to(table, kesh, wounds=wounds)

    def left() -> int:
        tell(table, CallRoll, who=kesh.id, skill="Piloting")
        return sum(dice(table).values())

    assert left() == later
    for _ in range(2):  # a second one takes no second die
        tell(table, CallRoll, who=foe.id, weapon="Pistol", is_damage=True, against=kesh.id, ask={"against": 12})
        roll = wild(table, 3, 3, 3, 4).roll
        assert roll is not None
        hit = tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=kesh.id).last_number
        assert (now(table, kesh).value("wounds"), left()) == (wounds, stunned)
    tell(table, Undo, change=hit)
    assert (now(table, kesh).value("stuns"), left()) == (1, stunned)
    for count in (stunned, later):
        tell(table, DoAct, act="round")
        assert left() == count
    tell(table, Undo)  # the call
    tell(table, Undo)  # the round
    assert left() == stunned
