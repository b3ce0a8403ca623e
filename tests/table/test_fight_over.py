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
from tableside.table.messages import (
    BuySpend,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    ChangeTracker,
    ChooseGame,
    Do,
    DoPerson,
    EndSession,
    SentPerson,
    StartSession,
    Turn,
)
from tableside.table.shown import spends_of, state_json
from tests.conftest import SYSTEM, carried
from tests.table.played import Played
from tests.table.test_rounds import BRAND, KESH, OSKARA, ROOK, state_of


def opposing(table: Played, *people: Person) -> None:
    for rank, one in enumerate(people):
        table.turn(Turn.ADD, who=one.name, side="npc", rank=(9 - rank,))


def states(table: Played, person: Person) -> list[str]:
    return [one.name for one in table.now(person).states]


def wound(table: Played, shooter: Person, target: Person) -> None:
    """Wound somebody by 5 beyond a Strength of 9."""
    table.call(target, "Strength")
    withstood = table.roll(3, *[3] * (sum(table.dice().values()) - 1)).rolls[0]
    total = dict(withstood.net)["total"]
    table.call(shooter, weapon="Pistol", is_damage=True, against=withstood)
    table.roll(2, 2, 4, total + 5 - 8)
    table.apply(target)


def test_who_is_wounded_falls_and_has_no_more_actions_in_this_round_of_a_fight(table: Played) -> None:
    kesh, foe = table.scene("d6-wild", "Kesh", "Foe", **KESH)
    assert PRONE.to_json() == state_of("d6-wild", "Prone")
    opposing(table, kesh, foe)
    for wounds in (2, 3):  # wounded, and wounded twice
        wound(table, kesh, foe)
        assert (table.now(foe).value("wounds"), states(table, foe)) == (wounds, ["Prone", "No more actions"])
        with pytest.raises(Conflict, match="Foe cannot act: No more actions"):
            table.call(foe, "Dodge")
        with pytest.raises(GameError, match="cannot act"):
            table.act("prepare", foe)
        table.call(foe, "Strength", overrules=True)
        table.turn()
        table.turn()
        assert states(table, foe) == ["Prone"]
        table.call(foe, "Dodge")
        table.call()
    table.undo(9)  # the second wound, with all that followed
    assert table.now(foe).value("wounds") == 2


def test_without_a_fight_no_round_keeps_the_wounded_from_acting(table: Played) -> None:
    kesh, foe = (table.add(name, "d6-wild", **KESH) for name in ("Kesh", "Foe"))
    wound(table, kesh, foe)
    assert states(table, foe) == ["Prone"]
    table.call(foe, "Dodge")


def test_strength_that_has_nothing_to_reach_withstands_damage(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    for ask, points in (({}, 5), ({"difficulty": 12}, 2), ({"band": "easy"}, 2)):
        table.call(kesh, "Strength", ask=ask)
        roll = table.roll(2, 3, 3).rolls[0]
        table.set_to(kesh, character_points=9)
        for _ in range(points):
            table.buy(roll, "character_points")
            table.throw_on(roll, ("pip", "2"))
            roll = table.state.rolls[0]
        assert dict(roll.net)["total"] == 8 + 2 * points
        with pytest.raises(BadChange, match="cannot be bought"):
            table.buy(roll, "character_points")


def test_a_reaction_on_top_costs_a_die_until_the_round_is_over(table: Played) -> None:
    kesh, foe = table.scene("d6-wild", "Kesh", "Foe", **KESH)
    opposing(table, kesh, foe)
    table.call(kesh, "Dodge", ask={"extra_reactions": 1})
    table.roll(2, 3, 3)
    for _ in range(2):
        table.call(kesh, "Piloting")
        assert sum(table.dice().values()) == 6
        table.call(kesh, "Strength")  # what withstands damage is no action
        assert sum(table.dice().values()) == 3
        table.call()
    table.turn()
    table.turn()
    table.call(kesh, "Piloting")
    assert sum(table.dice().values()) == 7


def test_the_immobile_use_what_is_known_to_be_no_skill_of_dexterity(table: Played) -> None:
    skills = [*ROOK["skills"], {"name": "Perception", "ask": {"code": "6D"}},
              {"name": "Barter", "ask": {"code": "5D+1", "attribute": "Perception"}}]  # fmt: skip
    rook = table.add("Rook", "d6-companion", "player", **{**ROOK, "skills": skills})
    table.set_to(rook, stuns=3)  # Dexterity 3D+2
    for skill, left in (("Perception", 3), ("Barter", 2)):
        table.call(rook, skill)
        assert table.dice() == {"pip": left}
    for skill in ("Blaster", "Dexterity"):
        with pytest.raises(Conflict, match="Immobile"):
            table.call(rook, skill)
    table.set_to(rook, unconscious=1)  # and who sleeps uses none
    with pytest.raises(Conflict, match="Unconscious"):
        table.call(rook, "Perception")


@pytest.mark.parametrize(
    ("game", "form", "skill", "hurt"),
    [("narrative", OSKARA, "Cool", {"wounds": 13}), ("d6-wild", KESH, "Piloting", {"unconscious": 1}),
     ("d6-companion", ROOK, "Blaster", {"wounds": 3})],
)  # fmt: skip
def test_who_is_out_helps_nobody_until_better_unless_the_master_says_so(
    table: Played, game: str, form: dict[str, Any], skill: str, hurt: dict[str, int]
) -> None:
    one, other = table.scene(game, "One", "Other", kind="player", **form)
    called = {"who": one.id, "skill": skill, "helpers": (other.id,)}
    table.call(**called)
    table.set_to(other, **hurt)
    with pytest.raises(Conflict, match="Other cannot act"):
        table.call(**called)
    table.call(**called, overrules=True)
    table.undo(2)
    table.call(**called)
    held = [{"name": "Held", "bars": "actions"}]
    table.change(other, states=held)
    with pytest.raises(Conflict, match="Other cannot act: Held"):
        table.call(**called)
    table.call(**called, overrules=True)


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
    table: Played, game: str, form: dict[str, Any], hurt: dict[str, int], act: str
) -> None:
    [one] = table.scene(game, "One", kind="player", **form)
    table.act(act, one)
    table.undo()
    table.set_to(one, **hurt)
    with pytest.raises(GameError, match="One cannot act"):
        table.act(act, one)


LASTING = [
    ("narrative", OSKARA, {"maneuvers": 2}, {"wounds": 4, "fear": 1}),
    ("heroic", BRAND, {"maneuvers": 2, "combat_advantage": 1, "steadied": 1}, {"condition": 2}),
    ("d6-wild", KESH, {"stunned_rounds": 2, "wounds": 1}, {"stuns": 2}),
    ("d6-companion", ROOK, {"free_haste": 2, "stuns": 1, "stuns_before": 1}, {"wounds": 1}),
]


@pytest.mark.parametrize("how", ["clear", "last slot", "another game", "session", "encounter"])
@pytest.mark.parametrize(("game", "form", "over", "stays"), LASTING)
def test_what_counts_by_turns_and_rounds_ends_with_the_fight_however_it_ends(
    table: Played, game: str, form: dict[str, Any], over: dict[str, int], stays: dict[str, int], how: str
) -> None:
    [one] = table.scene(game, "One", kind="player", **form)
    opposing(table, one)
    table.set_to(one, **over, **stays)
    before = table.now(one)
    match how:
        case "clear":
            table.turn(Turn.CLEAR)
        case "last slot":
            table.turn(Turn.REMOVE, slot=table.state.initiative.slots[0].id)
        case "encounter":
            table.act("encounter")
            over, stays = over | {"fear": 1}, {name: n for name, n in stays.items() if name != "fear"}
        case "another game":
            table.choose("narrative" if game == "heroic" else "heroic")
        case _:
            table.tell(StartSession)
            over, stays = over | {"fear": 1}, {name: n for name, n in stays.items() if name != "fear"}  # and its scene
    after = table.now(one)
    after = after if after.game == game else after.in_game(game, None)  # so it waits for the way back
    assert {name: after.value(name) for name in over} == dict.fromkeys(over, 0)
    assert {name: after.value(name) for name in stays} == stays
    table.undo(change=table.state.last_number)
    assert table.now(one).trackers == before.trackers
    assert [slot.who for slot in table.state.initiative.slots] == ["One"]


def test_the_opportunity_pool_is_of_one_encounter(table: Played) -> None:
    [brand] = table.scene("heroic", "Brand", kind="player", **BRAND)
    opposing(table, brand)
    guest = table.add("Guest", "d6-wild", states=[{"name": "Aiming", "until": "round"}])
    table.call(brand, "Vigilance")
    roll = table.throw(("ability", ("advantage",)), ("proficiency", ("advantage",))).rolls[0]
    for _ in range(2):
        table.buy(roll, "opportunity")
    assert table.state.trackers["heroic", "opportunity", ""] == 2
    table.turn(Turn.CLEAR)
    assert (table.state.trackers["heroic", "opportunity", ""], states(table, guest)) == (0, ["Aiming"])
    table.undo()
    assert table.state.trackers["heroic", "opportunity", ""] == 2


def test_a_session_gives_back_what_a_call_took_that_nobody_threw_and_keeps_no_dice_for_later(table: Played) -> None:
    one, other = table.scene("narrative", "One", "Other", kind="player", **OSKARA)
    table.call(one, "Cool", ask={"difficulty": "easy"})
    roll = table.throw(("ability", ("advantage",)), ("proficiency", ("advantage",)), ("difficulty", ())).rolls[0]
    table.buy(roll, "boost_any_ally_next", for_person=other)
    assert len(carried(table.state)) == 1
    state = table.tell(EndSession)
    assert carried(state) == ()
    assert len(carried(table.undo(change=state.last_number))) == 1
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.call(kesh, "Piloting", ask={"force_point": True})
    assert table.now(kesh).value("force_points") == 0
    state = table.tell(EndSession)
    assert (table.now(kesh).value("force_points"), state.asked.id) == (1, "")
    table.undo(change=state.last_number)
    assert (table.now(kesh).value("force_points"), sum(table.dice().values())) == (0, 14)


def test_who_is_restrained_is_not_let_go_by_a_grab(table: Played) -> None:
    brand, ogre = table.scene("heroic", "Brand", "Ogre", kind="player", **BRAND)
    for power, held in (("basic_grab", 1), ("basic_grapple", 2), ("basic_grab", 2)):
        table.call(brand, "Vigilance", against=ogre, ask={"purpose": "attack", "power": power})  # fmt: skip
        table.throw(("ability", ("success",)), ("proficiency", ()))
        table.apply(ogre)
        assert table.now(ogre).value("held") == held
    table.act("release", ogre)
    assert table.now(ogre).value("held") == 0


def test_copies_of_somebody_have_done_nothing_yet(table: Played) -> None:
    rook, foe = table.scene("d6-companion", "Rook", "Foe", **ROOK)
    table.call(rook, "Dodge", ask={"actions": 2})
    table.roll(6, 6, 6)
    copy = table.tell(ChangePerson, do=DoPerson.COPY, person={"id": rook.id}, count=1).people[-1]
    for target, reaction in ((rook, 18), (copy, None)):
        table.call(foe, weapon="Pistol", against=target)
        assert table.state.asked.answers.get("reaction_total") == reaction
    brand = table.add("Brand", "heroic", **BRAND)
    table.set_to(brand, maneuvers=2, condition=1)
    for other in table.tell(ChangePerson, do=DoPerson.COPY, person={"id": brand.id}, count=2).people[-2:]:
        assert (other.value("maneuvers"), other.value("condition")) == (0, 1)
    assert table.now(brand).value("maneuvers") == 2


def test_what_the_charts_do_not_allow_is_not_called_either(table: Played) -> None:
    table.choose("d6-companion")
    skills = [{"name": "Gunnery", "ask": {"code": "6D"}}, {"name": "Shields", "ask": {"code": "4D"}}]
    gunner = table.add("Gunner", "d6-companion", "thing", skills=skills)
    impossible = {"chart": "to_hit", "scale": "death_star", "target_scale": "walker"}
    with pytest.raises(BadAsk, match="is not possible"):
        table.call(gunner, "Gunnery", ask=impossible)
    with pytest.raises(BadAsk, match="the device has no code"):
        table.call(ask={"purpose": "technology", "code": "4D", "band": "easy"})
    for lost in (4, 5):  # of six facings
        table.set_to(gunner, facings_lost=lost)
        if lost == 5:
            with pytest.raises(BadAsk, match="5 facings are lost"):
                table.call(gunner, "Shields", ask={"purpose": "increase_shield"})
        else:
            table.call(gunner, "Shields", ask={"purpose": "increase_shield"})
            assert table.state.asked.answers["facings_lost"] == lost
    assert find_game("d6-companion").tray({**impossible, "scale": "capital", "code": "2D"}) is not None


def test_haste_that_is_declared_orders_the_round_and_costs_no_damage_a_die(table: Played) -> None:
    table.choose("d6-companion")
    table.add("Rook", "d6-companion", **ROOK)
    slower = [{**one, "ask": {"code": "3D+1"}} if one["name"] == "Dexterity" else one for one in ROOK["skills"]]
    foe = table.add("Foe", "d6-companion", **{**ROOK, "skills": slower})
    weapon = {"name": "Gun", "skill": "Blaster", "ask": {"difficulty": 5}, "damage": {"code": "5D"}}
    table.change(foe, weapons=[weapon])
    table.turn(Turn.CALL, who="all")

    def order() -> list[str]:
        return [slot.who for slot in table.state.initiative.slots]

    for haste in (1, 2):
        table.act("declare", foe, ask={"haste": haste})
    declared = table.state.last_number
    table.call(foe, weapon="Gun")
    assert table.dice() == {"pip": 1}
    table.call(foe, weapon="Gun", is_damage=True)
    assert table.dice() == {"pip": 5}
    table.call(foe, "Strength")  # what withstands damage is no action either
    assert table.dice() == {"pip": 3}
    table.call()
    for _ in range(2):  # the segments of declaring
        turn = table.turn().last_number
    assert order() == ["Foe", "Rook"]  # the hasty first
    table.undo(change=declared)
    assert [(slot.who, slot.rank[2]) for slot in table.state.initiative.slots if slot.who == "Foe"] == [("Foe", 1)]
    table.redo()
    assert [slot.rank[2] for slot in table.state.initiative.slots] == [2, 0]
    assert table.state.turn_before == turn
    table.turn()
    turn = table.turn().last_number
    assert (table.state.initiative.round, order(), [slot.rank[2] for slot in table.state.initiative.slots]) == (
        2, ["Foe", "Rook"], [0, 0],
    )  # fmt: skip
    assert table.state.turn_before == turn
    table.undo(change=turn)
    assert (order(), table.now(foe).declared("haste", 0)) == (["Foe", "Rook"], 2)


@pytest.mark.parametrize(
    ("ends", "more"),
    [(ChangeInitiative, {"do": Turn.CLEAR}), (ChooseGame, {"game": "narrative"}), (EndSession, {}), (StartSession, {})],
)
@pytest.mark.parametrize("thrown", [0, 1])
def test_who_is_still_called_to_a_fight_that_is_over_begins_no_other(
    table: Played, ends: type[Any], more: dict[str, Any], thrown: int
) -> None:
    table.choose("heroic")
    for name in ("Ann", "Bor", "Cai"):
        table.add(name, "heroic", "player", **BRAND)
    table.tell(StartSession)
    table.turn(Turn.CALL, who="all")
    for _ in range(thrown):
        table.throw(("ability", "success"), ("proficiency", ()))
    called = table.state
    table.tell(ends, **more)
    assert (table.state.asked.id, table.state.waiting, table.state.initiative.slots) == ("", [], ())
    table.throw(("ability", "success"), ("proficiency", ()))  # somebody throws all the same: it is no slot
    assert table.state.initiative.slots == ()
    table.undo()
    table.undo(change=called.last_number + 1)
    assert (table.state.asked, table.state.contest) == (called.asked, called.contest)
    table.throw(("ability", "success"), ("proficiency", ()))
    assert len(table.state.initiative.slots) == thrown + 1


def test_a_call_of_several_ends_with_the_session_and_who_has_rolled_stays_ranked(table: Played) -> None:
    ann, ben, cai = (table.add(name, "narrative", **OSKARA) for name in ("Ann", "Ben", "Cai"))
    table.call(ann, "Cool", others=(ben, cai))
    table.throw(("ability", "success"), ("proficiency", ()))
    table.tell(EndSession)
    assert ([one.name for one in table.state.contest.entrants], table.state.waiting) == (["Ann"], [])
    with pytest.raises(Conflict, match="no session runs"):
        table.tell(EndSession)
    table.undo(change=table.state.last_number)
    assert [one.name for one in table.state.waiting] == ["Ben", "Cai"]


def test_another_check_stays_called_where_a_fight_is_over(table: Played) -> None:
    ann, ben = (table.add(name, "narrative", **OSKARA) for name in ("Ann", "Ben"))
    opposing(table, ann, ben)
    table.call(ann, "Cool", others=(ben,))
    table.turn(Turn.CLEAR)
    assert (table.state.asked.who, [one.name for one in table.state.waiting]) == (ann.id, ["Ann", "Ben"])


@pytest.mark.parametrize(("ends", "more"), [(ChangeInitiative, {"do": Turn.CLEAR}), (ChooseGame, {"game": "d6-wild"})])
def test_a_power_that_waits_to_be_thrown_gives_nothing_back_into_a_pool_that_is_over(
    table: Played, ends: type[Any], more: dict[str, Any]
) -> None:
    [brand] = table.scene("heroic", "Brand", **BRAND)
    opposing(table, brand)
    table.tell(ChangeTracker, name="opportunity", value=5)
    table.call(brand, weapon="Fire", ask={"opportunity_cost": 3})
    called = table.state

    def pool() -> int:
        return table.state.trackers["heroic", "opportunity", ""]

    assert pool() == 2
    table.tell(ends, **more)
    table.call()
    assert (pool(), table.state.asked.id, table.state.initiative.slots) == (0, "", ())
    table.undo(change=called.last_number + 1)
    assert (pool(), table.state.asked) == (2, called.asked)
    table.call()  # in the fight it comes back
    assert pool() == 5


@pytest.mark.parametrize("ends", [EndSession, StartSession])
def test_a_point_of_the_evening_before_does_not_turn_over_in_the_pool_of_this_one(
    table: Played, ends: type[Any]
) -> None:
    table.tell(StartSession)
    ann = table.add("Ann", "narrative", "player", **OSKARA)
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=3)
    table.call(ann, "Cool")
    table.spend()
    before = table.state
    table.tell(ends)
    table.tell(ChangeDestiny, do=Do.SET, light=4, dark=1)
    table.call()
    assert (table.state.destiny.light, table.state.destiny.dark) == (4, 1)
    table.undo()
    table.undo(change=before.last_number + 1)
    assert (table.state.destiny, table.state.asked) == (before.destiny, before.asked)


def test_what_a_finished_roll_is_said_to_have_spent_is_paid(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.call(kesh, "Blaster", ask={"difficulty": 14})
    roll = table.roll(2, 3, 3).rolls[0]
    for points, left in ((2, 3), (1, 4), (0, 5), (1, 4)):
        table.tell(ChangeRoll, roll_id=roll, ask={"character_points": points})
        assert table.now(kesh).value("character_points") == left
    table.tell(ChangeRoll, roll_id=roll, label="At the door")
    table.set_to(kesh, character_points=0)
    with pytest.raises(Conflict, match="Kesh has 0 character points"):
        table.tell(ChangeRoll, roll_id=roll, ask={"character_points": 2})
    table.undo(3)
    assert table.now(kesh).value("character_points") == 5


@pytest.mark.parametrize("game", ["narrative", "heroic", "d6-wild", "d6-companion"])
def test_an_encounter_ends_with_its_order_its_scene_and_who_is_called_for_a_place(table: Played, game: str) -> None:
    table.choose(game)
    lasts = [{"name": until, "until": until} for until in ("turn", "next", "round", "scene")]
    ann, bo = (table.add(name, game, "player", states=lasts) for name in ("Ann", "Bo"))
    opposing(table, ann)
    table.turn(Turn.CALL, who=(bo.id,))
    before = table.state
    table.act("encounter", ann)  # for one of them alone
    assert (states(table, ann), len(states(table, bo)), table.state.initiative) == ([], 4, before.initiative)
    table.undo()
    for _ in range(2):
        after = table.act("encounter")
        assert (states(table, ann), states(table, bo), after.initiative.slots, after.asked.id) == ([], [], (), "")
        table.undo()
        assert (table.state.people, table.state.initiative) == (before.people, before.initiative)
        assert table.state.asked == before.asked


LEAVING = [("narrative", OSKARA), ("heroic", BRAND), ("d6-wild", KESH), ("d6-companion", ROOK)]


@pytest.mark.parametrize(("game", "form"), LEAVING)
def test_who_leaves_the_scene_leaves_the_order_and_the_call(table: Played, game: str, form: dict[str, Any]) -> None:
    table.choose(game)
    thugs = [table.add("Thug", game, **form) for _ in range(3)]  # all three of one name
    table.turn(Turn.CALL, who="others", by_table=True)
    with pytest.raises(Conflict, match="nobody is left to call"):
        table.turn(Turn.CALL, who="others", by_table=True)
    for _ in thugs:  # whose turn it is, of all who have that name
        acting, points = table.state.acting(table.state.initiative.current), state_json(table.state, now=1.0)["points"]
        assert points is None or points["who"] == acting.id
        table.turn()
    second = thugs[1]
    table.call(second, form["skills"][0]["name"])
    before = table.state
    after = table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": second.id})
    assert {slot.person for slot in after.initiative.slots} == {thugs[0].id, thugs[2].id}
    assert after.asked.id == ""
    again = table.undo()
    assert (again.initiative, again.asked, len(again.people)) == (before.initiative, before.asked, 3)
    for one in thugs:
        after = table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": one.id})
    assert after.initiative.slots == ()
    table.undo()
    assert [slot.person for slot in table.state.initiative.slots] == [thugs[2].id]


def test_a_point_on_the_call_of_one_who_leaves_is_no_longer_spent(table: Played) -> None:
    table.choose("narrative")
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    ann = table.add("Ann", "narrative", "player", **OSKARA)
    table.call(ann, "Cool", ask={"difficulty": "hard"})
    table.spend()
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": ann.id})
    assert (table.state.destiny.light, table.state.destiny.dark) == (2, 1)
    table.undo()
    assert (table.state.destiny.light, table.state.asked.answers["helping_hand"]) == (1, 1)


def test_nobody_is_called_twice_where_slots_are_free_again_in_a_later_round(table: Played) -> None:
    table.choose("narrative")
    ann, thug = table.add("Ann", "narrative", "player", **OSKARA), table.add("Thug", "narrative", **OSKARA)
    table.turn(Turn.CALL, who="others", by_table=True)
    opposing(table, ann)
    for _ in range(2):
        table.turn()
    late = table.add("Late", "narrative", **OSKARA)
    table.set_to(thug, maneuvers=2)
    for _ in range(2):
        slots = table.turn(Turn.CALL, who="all", by_table=True).initiative.slots
        assert ({slot.person for slot in slots}, len(slots)) == ({ann.id, thug.id, late.id}, 3)
        table.undo()
    # nobody took a turn for the thug, whose turn ends with the round all the same
    for _ in range(2):
        table.turn()
    assert (table.state.initiative.round, table.now(thug).value("maneuvers")) == (3, 0)


@pytest.mark.parametrize(("game", "form"), LEAVING)
def test_what_lasts_until_the_next_turn_ends_outlasts_the_round(table: Played, game: str, form: dict[str, Any]) -> None:
    table.choose(game)
    lasts = [{"name": until, "until": until} for until in ("turn", "next", "round")]
    ann, idle = (table.add(name, game, **form, states=lasts) for name in ("Ann", "Idle"))
    opposing(table, table.add("Foe", game, "player", **form), ann)
    found: dict[int, set[str]] = {}
    for _ in range(3 * len(table.state.initiative.slots) * 3):
        order = table.state.initiative
        current = order.current
        if not current.who:
            table.turn(Turn.CLAIM, slot=current.id, who="Foe" if current.is_player else "Ann")
        found.setdefault(order.round, set(states(table, ann)))
        table.turn()
    # in the first round all last; the next turn of hers ends within the second
    assert (found[1], found[2], found[3]) == ({"turn", "next", "round"}, {"next"}, set())
    assert states(table, idle) == []
    acts = find_game(game).characters.acts
    for act in {passing(acts, "turn_end"), passing(acts, "turn_begin")} - {""}:
        table.set_to(ann, maneuvers=2)
        table.change(ann, states=lasts)
        table.act(act, ann)  # "Next" ends the turn, and what lasts until then
        assert (len(states(table, ann)), table.now(ann).value("maneuvers")) == (3, 0)
    table.change(ann, states=lasts)
    table.turn(Turn.CLEAR)
    assert states(table, ann) == []  # no turn follows


@pytest.mark.parametrize(("game", "form"), LEAVING[2:])
def test_a_combined_action_is_one_of_everybody_who_takes_part(table: Played, game: str, form: dict[str, Any]) -> None:
    lead, helper, other = table.scene(game, "Lead", "Helper", "Other", kind="player", **form)
    opposing(table, lead, helper, other)
    table.call(lead, "Blaster", helpers=(helper,))
    table.throw(*[(kind, "2") for kind, n in table.dice().items() for _ in range(n)])
    assert [table.now(one).done for one in (lead, helper, other)] == [1, 1, 0]
    table.undo()
    assert [table.now(one).done for one in (lead, helper, other)] == [0, 0, 0]


@pytest.mark.parametrize("what", ["skills", "weapons"])
def test_what_is_called_by_its_name_has_one_of_its_own(table: Played, what: str) -> None:
    ann = table.add("Ann", "narrative", **{what: [{"name": "Cool"}, {"name": "Cool head"}]})
    for names, fault in ((("Cool", " "), "has no name"), (("Calm", "Cool", " cool "), f"two {what} are called  cool ")):
        sent = {what: [{"name": name} for name in names]}
        for do, more in ((DoPerson.ADD, {"name": "Bo"}), (DoPerson.CHANGE, {"id": ann.id})):
            with pytest.raises(ValidationError, match=fault):
                table.tell(ChangePerson, do=do, person=convert({**more, **sent}, SentPerson))
    assert table.state.people == (ann,)


@pytest.mark.parametrize(("game", "act"), [("narrative", "turn"), ("heroic", "turn"), ("d6-wild", "round")])
def test_without_a_fight_an_act_ends_what_lasts_for_a_turn_or_a_round(table: Played, game: str, act: str) -> None:
    table.choose(game)
    lasts = [{"name": until, "until": until} for until in ("turn", "next", "round", "scene")]
    ann = table.add("Ann", game, "player", states=lasts)
    for left in (["next", "scene"], ["scene"], ["scene"]):
        table.act(act, ann)
        assert states(table, ann) == left


def test_a_slot_of_a_side_is_passed_while_who_brought_it_is_out(table: Played) -> None:
    table.choose("narrative")
    ann, thug, boss = (
        table.add(name, "narrative", "player" if name == "Ann" else "person", **OSKARA)
        for name in ("Ann", "Thug", "Boss")
    )
    opposing(table, thug, ann, boss)
    table.set_to(thug, strain=11)
    rounds: dict[int, list[str]] = {}
    for number in range(8):
        order = table.state.initiative
        rounds.setdefault(order.round, []).append(order.current.person)
        table.turn()
        if number == 3:
            table.set_to(thug, strain=0)
    # the first turn of all had begun as he fell
    assert rounds == {
        1: [thug.id, ann.id, boss.id], 2: [ann.id, boss.id], 3: [thug.id, ann.id, boss.id],
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "words", "tracker"), [
    ("thing", "A critical hit", "critical_hits"), ("person", "A critical injury", "critical_injuries"),
])  # fmt: skip
def test_a_critical_says_whether_it_is_of_a_ship_or_of_somebody(
    table: Played, kind: str, words: str, tracker: str
) -> None:
    table.choose("narrative")
    ann, foe = table.add("Ann", "narrative", "player", **OSKARA), table.add("Foe", "narrative", kind)
    for number in (1, 2):
        table.call(ann, against=foe, ask={"purpose": "critical"})
        roll = table.throw(("d100", "30"), ("d10", "4")).rolls[0]
        assert (roll.headline, roll.effects[0].words) == (str(24 + 10 * number), words)
        for _ in range(2):
            table.apply(foe, roll)
            assert table.now(foe).value(tracker) == number


@pytest.mark.parametrize(("game", "skill"), [("narrative", "Cool"), ("heroic", "Vigilance")])
def test_dice_that_a_person_has_add_up_as_people_write_them_and_as_numbers(
    table: Played, game: str, skill: str
) -> None:
    table.choose(game)
    asks = [{"dice": "2k"}, {"dice": {"setback": 1, "boost": 1}}, {"dice": "1b 1k"}]
    lasts = [{"name": f"{number}", "ask": ask} for number, ask in enumerate(asks)]
    ann = table.add("Ann", game, states=lasts, skills=[{"name": skill, "ask": {"dice": "1a"}}])
    for more in ("1d", {"difficulty": 1}):
        table.call(ann, skill, ask={"dice": more})
        assert table.dice() == {"ability": 1, "boost": 2, "setback": 4, "difficulty": 1}
    table.change(ann, states=lasts[:1])
    assert table.dice() == {"ability": 1, "setback": 2, "difficulty": 1}


def test_what_counts_for_a_session_is_told_until_the_next_begins(table: Played) -> None:
    [ann] = table.scene("narrative", "Ann", kind="player", **OSKARA)
    table.tell(StartSession)
    table.set_to(ann, conflict=3, wounds=2)
    table.tell(EndSession)
    assert table.now(ann).value("conflict") == 3
    table.tell(StartSession)
    assert (table.now(ann).value("conflict"), table.now(ann).value("wounds")) == (0, 2)
    table.undo(change=table.state.last_number)
    assert (table.now(ann).value("conflict"), table.state.session.number) == (3, 1)
    table.call(ann, "Cool")
    table.throw(("ability", ()), ("proficiency", ()))  # which begins it, too
    assert (table.now(ann).value("conflict"), table.state.session.number) == (0, 2)
    table.set_to(ann, conflict=1)
    table.call(ann, "Cool")
    table.throw(("ability", ()), ("proficiency", ()))
    assert table.now(ann).value("conflict") == 1
    table.undo(4)
    assert (table.now(ann).value("conflict"), table.state.session.number) == (3, 1)


def test_a_second_maneuver_that_is_bought_may_be_made_before_the_first(table: Played) -> None:
    [ann] = table.scene("heroic", "Ann", kind="player", **BRAND)
    opposing(table, ann)

    def buy() -> None:
        table.call(ann, "Vigilance", ask={"difficulty": "easy"})
        face = ("advantage", "advantage")
        roll = table.throw(("ability", face), ("proficiency", face), ("difficulty", ())).rolls[0]
        table.buy(roll, "second_maneuver")

    def move(**ask: str) -> None:
        table.act("maneuver", ann, ask=ask)

    for order in ((buy, move), (move, buy)):
        for step in order:
            step()
        assert table.now(ann).value("maneuvers") == 2
        with pytest.raises(GameError, match="no third maneuver"):
            move(by="no_action")
        table.turn()
        assert (table.now(ann).value("maneuvers"), states(table, ann)) == (0, [])
    move()
    with pytest.raises(GameError, match="has its price"):  # what was bought was of that turn
        move()


def test_a_maneuver_that_is_bought_is_one_of_the_two_of_a_turn_and_costs_no_strain(table: Played) -> None:
    [ann] = table.scene("narrative", "Ann", kind="player", **OSKARA)
    opposing(table, ann)

    def shoot() -> tuple[str, bool]:
        """Return the id of a roll, and whether it may buy a maneuver."""
        shot = {"purpose": "attack", "attack": "ranged", "range": "close"}
        table.call(ann, "Cool", ask=shot)
        face = ("advantage", "advantage")
        roll = table.throw(("ability", face), ("proficiency", face), ("difficulty", ())).rolls[0]
        return roll.id, any(one.name == "free_maneuver" for one in spends_of(table.state, roll, SYSTEM))

    def buy() -> None:
        table.tell(BuySpend, roll_id=shoot()[0], name="free_maneuver")

    def move() -> None:
        table.act("maneuver", ann)

    for steps, strain in (((buy, move), 0), ((move, buy), 0), ((move, move), 2)):
        for step in steps:
            step()
        assert (table.now(ann).value("maneuvers"), table.now(ann).value("strain")) == (2, strain)
        assert not shoot()[1]  # M29: fewer than two were made this turn
        with pytest.raises(GameError, match="no third maneuver"):
            move()
        current = table.turn().initiative.current
        table.turn(Turn.CLAIM, slot=current.id, who="Ann")
        assert (table.now(ann).value("maneuvers"), states(table, ann)) == (0, [])


@pytest.mark.parametrize(("wounds", "stunned", "later"), [(2, 6, 7), (3, 4, 5)])
def test_a_stun_takes_a_die_of_this_round_and_the_next_whatever_else_one_is(
    table: Played, wounds: int, stunned: int, later: int
) -> None:
    # "-1D to everything for the rest of this round and the next", twice wounded 2D (d6-wild.md, wound_track).
    kesh, foe = table.scene("d6-wild", "Kesh", "Foe", **KESH)
    table.set_to(kesh, wounds=wounds)

    def left() -> int:
        table.call(kesh, "Piloting")
        return sum(table.dice().values())

    assert left() == later
    for _ in range(2):  # a second one takes no second die
        table.call(foe, weapon="Pistol", is_damage=True, against=kesh, ask={"against": 12})
        roll = table.roll(3, 3, 3, 4).roll
        hit = table.apply(kesh, roll).last_number
        assert (table.now(kesh).value("wounds"), left()) == (wounds, stunned)
    table.undo(change=hit)
    assert (table.now(kesh).value("stuns"), left()) == (1, stunned)
    for count in (stunned, later):
        table.act("round")
        assert left() == count
    table.undo(2)  # the call, the round
    assert left() == stunned
