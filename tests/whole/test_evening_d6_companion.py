"""An evening with dice codes. The names of rules in comments are those of the reference text ``d6-companion.md``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.evening import Evening, effects, total

DAMAGE = {"code": "5D", "purpose": "damage"}


@pytest.mark.slow
def test_an_evening(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-companion") as evening:
        _arrivals(evening)
        _codes(evening)
        _shot(evening)
        _wounds(evening)
        _stuns(evening)
        _circumstances(evening)
        _ships(evening)
        _what_a_character_has(evening)


def _arrivals(evening: Evening) -> None:
    evening.add(
        "Vex",
        skills={"Blaster": {"code": "4D"}, "Dodge": {"code": "5D+2"}, "Piloting": {"code": "4D+2"},
                "Astrogation": {"code": "5D"}, "Strength": {"code": "3D"}},
        weapons=[{"name": "Pistol", "skill": "Blaster", "ask": {"band": "easy"}, "damage": DAMAGE},
                 {"name": "Stunner", "skill": "Blaster", "ask": {"band": "easy"},
                  "damage": {"code": "5D", "purpose": "stun_damage"}}],
        trackers={"force_points": {"value": 1}},
    )  # fmt: skip
    evening.add(
        "Thug", "person",
        skills={"Blaster": {"code": "3D+1"}, "Dodge": {"code": "4D"}, "Strength": {"code": "2D+2"},
                "Dexterity": {"code": "3D+2"}, "stamina": {"code": "4D"}},
        weapons=[{"name": "Rifle", "skill": "Blaster", "ask": {"band": "moderate"}, "damage": DAMAGE}],
    )  # fmt: skip
    assert evening.copy("Thug", 2) == ["Thug 2", "Thug 3"]


def _codes(evening: Evening) -> None:
    # dice_total: 4D+2 with 4, 1, 3, 1 is 11; difficulty_check: against 14 it fails by 3
    assert evening.call("Vex", "Piloting", difficulty=14) == {"pip": 4}
    roll = evening.throw("pip 4 1 3 1")
    assert (total(roll), roll["succeeded"]) == (11, False)
    # code_in_play: 4D+2 and 2D+1 is 6D+3; 3 pips are no die: 6 + 3 = 9, moderate is 11
    assert evening.call("Vex", "Piloting", add="2D+1", band="moderate") == {"pip": 6}
    roll = evening.throw("pip 1 1 1 1 1 1")
    assert (total(roll), roll["difficulty"], roll["succeeded"]) == (9, 11, False)
    # force_point: 5D+2 becomes 10D+4; the one point is spent
    assert evening.call("Vex", "Dodge", difficulty=24) == {"pip": 5}
    assert evening.flip("light") == {"pip": 10}
    assert evening.tracker("Vex", "force_points") == 0
    evening.power_fails()  # between the point and the throw
    roll = evening.throw("pip 2 2 2 2 2 2 2 2 2 2")
    assert (total(roll), roll["succeeded"]) == (24, True)  # equal is enough (I1)
    evening.act("round")
    assert evening.refused("api/ask", {"who": evening.id_of("Vex"), "skill": "Dodge", "ask": {"force_point": True}})
    # multi_action: three actions, 5D+2 becomes 3D+2; preparation: 1D more
    assert evening.call("Vex", "Dodge", actions=3) == {"pip": 3}
    assert evening.call("Vex", "Blaster", prepared=True) == {"pip": 5}
    # nothing is thrown at 0D (I11)
    assert evening.refused("api/ask", {"who": evening.id_of("Vex"), "skill": "Blaster", "ask": {"actions": 5}})
    # uncertainty: 5D and 3 more, 27; the game master's three show 13: 14, which is success against 13
    assert evening.call("Vex", "Astrogation", uncertainty=3, difficulty=13) == {"pip": 8}
    roll = evening.throw("pip 6 6 4 3 3 2 2 1")
    assert roll["succeeded"] is None
    roll = evening.throw_on(roll, "pip 6 4 3")
    assert (total(roll), roll["succeeded"]) == (14, True)
    # combined_action: three shooters with 3D: 6 pips on 3D
    evening.call(code="3D", pips=6)
    assert total(evening.throw("pip 1 2 3")) == 12


def _shot(evening: Evening) -> None:
    # reaction: a dodge of 18 against a short range, 6: a combat reaction makes it 18
    assert evening.call("Thug", "Dodge") == {"pip": 4}
    dodge = evening.throw("pip 5 4 4 5")
    evening.call("Vex", weapon="Pistol", against=dodge["id"])
    roll = evening.throw("pip 6 6 5 2")  # 19
    assert (roll["difficulty"], roll["succeeded"]) == (18, True)
    # a full reaction is added: 6 + 18 = 24
    evening.call("Vex", weapon="Pistol", against=dodge["id"], reaction="full")
    assert evening.throw("pip 6 6 5 2")["difficulty"] == 24
    # Strength 2D+2: 5 + 5 + 2 = 12. personal_damage, SR 12: DR 6 to 11 is a stun
    assert evening.call("Thug", "Strength") == {"pip": 2}
    strength = evening.throw("pip 5 5")
    assert total(strength) == 12
    assert evening.call("Vex", damage="Pistol", against=strength["id"]) == {"pip": 5}
    roll = evening.throw("pip 3 2 2 2 2")  # 11
    assert effects(roll) == [("stuns", 1)]
    evening.power_fails()  # between the throw and the stun
    evening.apply(roll, "Thug")
    evening.apply(roll, "Thug")  # another phone: it counts once
    assert evening.tracker("Thug", "stuns") == 1
    # stun_track: 1D less of everything but Strength
    assert evening.call("Thug", weapon="Rifle", against="Vex") == {"pip": 2}
    assert total(evening.throw("pip 5 4")) == 10  # 1 pip; moderate is 11
    assert evening.call("Thug", "Strength") == {"pip": 2}
    evening.undo()


def _wounds(evening: Evening) -> None:
    evening.change("Thug", trackers={"stuns": 0})
    # Strength 12: DR 12 to 23 wounds. 4 + 4 + 3 + 2 + 2 = 15. wound_state: 1D less
    evening.call("Thug", "Strength")
    strength = evening.throw("pip 5 5")
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 4 4 3 2 2")
    assert effects(roll) == [("wounds", {"set": 1})]
    evening.apply(roll, "Thug")
    assert evening.call("Thug", weapon="Rifle") == {"pip": 2}
    evening.undo()
    # DR 24 to 35: incapacitated. 6 + 6 + 4 + 4 + 4 = 24
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 6 6 4 4 4")
    assert evening.apply(roll, "Thug") == ["Incapacitated"]
    evening.undo()
    assert evening.tracker("Thug", "wounds") == 1
    # The number of Strength was wrong: 8. 24 is three times that: mortally wounded
    roll = evening.ask_anew(roll, against=8)
    assert effects(roll) == [("wounds", {"set": 3})]
    assert evening.apply(roll, "Thug") == ["Mortally wounded: two dice each round"]
    # mortal_check: 2D
    follow = evening.roll(roll["id"])["applied"][0]["follows"][0]["ask"]
    assert evening.call("Thug", **follow) == {"pip": 2}  # the wound takes nothing of these
    assert evening.throw("pip 1 1")["headline"] == "2 in round 1: lives on"
    evening.call(against="Thug", purpose="dying", rounds=5)
    assert evening.throw("pip 4 1")["headline"] == "5 in round 5: lives on"
    evening.call(against="Thug", purpose="dying", rounds=6)
    assert evening.throw("pip 4 1")["headline"] == "5 in round 6: dies"
    # 2 x 5 is below 12: nothing
    evening.call("Vex", damage="Pistol", against=strength["id"])
    assert effects(evening.throw("pip 1 1 1 1 1")) == []
    evening.leaves("Thug")
    assert evening.refused(f"api/rolls/{roll['id']}/apply", {"effect": 0, "to": evening.id_of("Thug")})


def _stuns(evening: Evening) -> None:
    # A stun attack, SR 8: 16 to 23 are two stuns, 24 is unconscious
    evening.call("Thug 2", "Strength")
    strength = evening.throw("pip 3 3")
    evening.call("Vex", damage="Stunner", against=strength["id"])
    roll = evening.throw("pip 4 3 3 3 3")  # 16
    assert effects(roll) == [("stuns", 2)]
    assert evening.apply(roll, "Thug 2") == []
    # Dexterity 3D+2 with three stuns: immobile
    evening.call("Vex", damage="Stunner", against=strength["id"])
    roll = evening.throw("pip 3 3 3 2 1")  # 12: one stun
    assert evening.apply(roll, "Thug 2") == ["Immobile: no skills of Dexterity"]
    assert evening.tracker("Thug 2", "stuns") == 3
    # stamina 4D with four: unconscious
    evening.call("Vex", damage="Stunner", against=strength["id"])
    assert evening.apply(evening.throw("pip 3 3 3 2 1"), "Thug 2") == ["Unconscious"]
    evening.call("Thug 3", "Strength")
    strength = evening.throw("pip 3 3")
    evening.call("Vex", damage="Stunner", against=strength["id"])
    roll = evening.throw("pip 6 6 6 3 3")  # 24
    assert effects(roll) == [("unconscious", {"set": 1})]
    assert evening.apply(roll, "Thug 3") == ["Unconscious"]
    assert evening.tracker("Thug 3", "wounds") == 0


def _circumstances(evening: Evening) -> None:
    # fire_modifier: prone 2 and medium cover 2 on short, 6: 10
    evening.call("Vex", weapon="Pistol", fire=["prone", "medium_cover"])
    assert evening.throw("pip 4 3 2 1")["difficulty"] == 10
    # die_cap: 5, 2, 3, 6 with cap 3 count 5
    evening.call("Vex", "Blaster", cap=3)
    assert total(evening.throw("pip 5 2 3 6")) == 5
    # scale_cap: a speeder's gun at a person: cap 5
    evening.call("Vex", "Blaster", chart="to_hit", scale="speeder", target_scale="character")
    assert total(evening.throw("pip 6 5 1 1")) == 7
    # overspeed: 4D+2 and 2D, four actions: 3D+2; moderate 11 and 3: 14. 11 fails
    called = evening.call("Vex", "Piloting", add="2D", actions=4, overspeed=1, difficulty=11)
    assert called == {"pip": 3}
    roll = evening.throw("pip 4 3 2")
    assert (total(roll), roll["difficulty"], roll["succeeded"]) == (11, 14, False)
    evening.act("round")  # what was declared holds until then
    # opposed_roll: a tie in a contest that asks for more has no winner (I2)
    evening.call("Vex", "Blaster", difficulty=14, more_than=True)
    assert not evening.throw("pip 6 4 3 1")["succeeded"]
    # missile_difficulty: two speed actions, 2D more: 6 + 3 + 2 = 11
    evening.call("Vex", "Blaster", band="easy", missile=2)
    roll = evening.throw_on(evening.throw("pip 6 3 2 1"), "pip 3 2")
    assert (roll["difficulty"], roll["succeeded"]) == (11, True)
    # A die too few: it is taken as it lies. 4 + 3 + 2 = 9 of 6
    evening.call("Vex", weapon="Pistol")
    roll = evening.throw("pip 4 3 2")
    assert roll["succeeded"] is None
    roll = evening.take(roll)
    assert (total(roll), roll["succeeded"]) == (9, True)


def _ships(evening: Evening) -> None:
    evening.add("Fighter", "thing", skills={"Hull": {"code": "2D"}, "Maneuver": {"code": "2D+2"}})
    evening.add("Corvette", "thing", skills={"Hull": {"code": "4D"}, "Gunnery": {"code": "4D+2"}})
    # guns_modifier: 12 guns, 4D+2 and 2D and 2D+1: 8D+3; damage 4D and 2D+1: 6D+1
    assert evening.call("Corvette", "Gunnery", add="2D", guns=12) == {"pip": 8}
    assert total(evening.throw("pip 1 1 1 1 1 1 1 1")) == 11
    assert evening.call(code="4D", guns=12, purpose="ship_damage") == {"pip": 6}
    evening.undo()
    # starship_damage: hull 8. 16 is twice that: severely damaged; ions 8 once: 1D
    evening.call("Fighter", "Hull")
    hull = evening.throw("pip 5 3")
    evening.call(code="4D", purpose="ion_damage", against=hull["id"])
    roll = evening.throw("pip 4 3 1 1")  # 9
    assert effects(roll) == [("ionized", 1)]
    evening.apply(roll, "Fighter")
    # all codes of the ship but the hull
    assert evening.call("Fighter", "Maneuver") == {"pip": 1}
    assert evening.call("Fighter", "Hull") == {"pip": 2}
    evening.undo()
    evening.call(code="4D", purpose="ship_damage", against=hull["id"])
    roll = evening.throw("pip 5 5 5 2")  # 17
    assert effects(roll) == [("ship_damage", {"set": 3})]
    evening.apply(roll, "Fighter")
    # capital_damage: hull 10, 25 is twice: 2 pips, each takes a pip off everything but the hull
    evening.call("Corvette", "Hull")
    hull = evening.throw("pip 4 3 2 1")
    evening.call(code="6D", pips=1, purpose="capital_damage", against=hull["id"])
    roll = evening.throw("pip 6 6 5 4 2 1")  # 24 + 1
    assert effects(roll) == [("capital_damage", 2)]
    evening.apply(roll, "Corvette")
    assert evening.call("Corvette", "Gunnery") == {"pip": 4}
    assert total(evening.throw("pip 1 1 1 1")) == 4  # 4D+2 less 2 pips
    evening.call("Corvette", "Hull")
    assert total(evening.throw("pip 4 3 2 1")) == 10
    # 9 pips destroy it
    evening.change("Corvette", trackers={"capital_damage": 7})
    evening.call(code="6D", pips=1, purpose="capital_damage", against=hull["id"])
    assert evening.apply(evening.throw("pip 6 6 5 4 2 1"), "Corvette") == ["Destroyed"]


def _what_a_character_has(evening: Evening) -> None:
    # a roll to beat is the difficulty of what has none of its own: 1 + 1 + 1 + 1 + 1 = 5
    evening.add("Kesh", skills={"Control": {"code": "5D"}}, trackers={"dark_side_points": {"value": 1}})
    evening.call("Kesh", "Control")
    theirs = evening.throw("pip 1 1 1 1 1")
    evening.call("Vex", "Piloting", against=theirs["id"])
    assert evening.throw("pip 4 1 3 1")["difficulty"] == 5
    # dark_side_consume: one point, one die
    assert evening.call("Kesh", purpose="consumed") == {"pip": 1}
    assert evening.throw("pip 2")["headline"] == "Not lost to the Dark Side"
    # force_training: a pip of 5D costs 5 with a better teacher
    train = {"act": "train", "who": evening.id_of("Kesh"), "skill": "Control", "ask": {"teacher": "7D"}}
    assert evening.refused("api/acts", train) == "it costs 5, and there are 0"
    # capital_shields: no facing is left that could lose a die
    evening.add("Cruiser", "thing", skills={"Shields": {"code": "3D"}}, trackers={"facings_lost": {"value": 5}})
    ask = {"who": evening.id_of("Cruiser"), "skill": "Shields", "ask": {"purpose": "increase_shield"}}
    evening.refused("api/ask", ask)
