"""An evening with a Wild Die. The names of rules in the comments are those of the reference text ``d6-wild.md``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.evening import Evening, effects, total

DAMAGE = {"code": "5D", "purpose": "damage"}


@pytest.mark.slow
def test_an_evening(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-wild") as evening:
        _arrivals(evening)
        _wild_die(evening)
        _points(evening)
        _firefight(evening)
        _wounds(evening)
        _knocked_out(evening)
        _circumstances(evening)
        _dying_and_healing(evening)


def _arrivals(evening: Evening) -> None:
    evening.add(
        "Vex",
        skills={"Blaster": {"code": "4D+2"}, "Dodge": {"code": "4D+1", "role": "dodge"},
                "Strength": {"code": "3D", "role": "resist"}, "Search": {"code": "3D+1"}},
        weapons=[{"name": "Pistol", "skill": "Blaster", "ask": {"band": "easy", "role": "attack"}, "damage": DAMAGE},
                 {"name": "Stunner", "skill": "Blaster", "ask": {"band": "easy", "role": "attack"},
                  "damage": {"code": "5D", "purpose": "stun_damage"}}],
        trackers={"force_points": {"value": 1}, "character_points": {"value": 5}},
    )  # fmt: skip
    evening.add(
        "Thug", "person",
        skills={"Blaster": {"code": "4D"}, "Dodge": {"code": "3D", "role": "dodge"},
                "Strength": {"code": "3D", "role": "resist"}},
        weapons=[{"name": "Rifle", "skill": "Blaster", "ask": {"band": "moderate"}, "damage": DAMAGE}],
        defences={"cover": "1/4"},
    )  # fmt: skip
    assert evening.copy("Thug", 2) == ["Thug 2", "Thug 3"]


def _wild_die(evening: Evening) -> None:
    # wild_roll: 3 + 5 + 2, wild 6 then 4, and 2 pips: 22
    assert evening.call("Vex", "Blaster") == {"pip": 3, "wild": 1}
    roll = evening.throw("pip 3 5 2, wild 6")
    assert roll["awaits"]["name"] == "wild_again"
    evening.power_fails()  # while the Wild Die is thrown again
    roll = evening.throw_on(roll, "wild 4")
    assert total(roll) == 22
    # 6 + 6 + 3 and 1 pip: 16; sixes on ordinary dice start no chain
    assert evening.call("Vex", "Search", difficulty=15) == {"pip": 2, "wild": 1}
    roll = evening.throw("pip 6 6, wild 3")
    assert (total(roll), roll["succeeded"], roll["awaits"]) == (16, True, None)
    # A first 1 complicates and counts as 1: 4 + 2 + 1 + 1 = 8 of 6
    evening.call("Vex", "Search", band="easy")
    roll = evening.throw("pip 4 2, wild 1")
    assert (total(roll), roll["succeeded"], roll["net"]["complication"]) == (8, True, 1)


def _points(evening: Evening) -> None:
    # force_point: 4D+1 becomes 8D+2, and still one Wild Die
    assert evening.call("Vex", "Dodge") == {"pip": 3, "wild": 1}
    assert evening.flip("light") == {"pip": 7, "wild": 1}
    assert evening.tracker("Vex", "force_points") == 0
    evening.power_fails()  # between the point and the throw
    roll = evening.throw("pip 1 2 3 4 5 6 1, wild 2")
    assert total(roll) == 26  # 22 + 2 + 2 pips
    evening.act("round")
    assert evening.refused("api/ask", {"who": evening.id_of("Vex"), "skill": "Dodge", "ask": {"force_point": True}})
    # character_points: 13 with 6 and then 5 is 24. 5 + 2 + 4 + 2 pips = 13 of 20
    evening.call("Vex", "Blaster", difficulty=20)
    roll = evening.throw("pip 4 3 2, wild 2")
    assert (total(roll), roll["succeeded"]) == (13, False)
    evening.buy(roll, "character_points")
    assert evening.tracker("Vex", "character_points") == 4
    roll = evening.throw_on(roll, "pip 6")
    roll = evening.throw_on(roll, "pip 5")  # a six on an added die is thrown again
    assert (total(roll), roll["succeeded"]) == (24, True)


def _firefight(evening: Evening) -> None:
    # reaction: the dodge is the difficulty, even below the base of 6. 1 + 1 + 2 = 4
    assert evening.call("Thug 2", "Dodge") == {"pip": 2, "wild": 1}
    dodge = evening.throw("pip 1 1, wild 2")
    # cover 1/4 is 1D more: 4 + 3 = 7. 2 + 1 + 1 + 2 + 2 pips = 8 of 7
    evening.call("Vex", weapon="Pistol", against=dodge["id"])
    roll = evening.throw_on(evening.throw("pip 2 1 1, wild 2"), "pip 3")
    assert (total(roll), roll["difficulty"], roll["succeeded"]) == (8, 7, True)
    # damage: 15 less 12 is 3, stunned. 3D: 4 + 4 + 4 = 12; 5D: 3 + 3 + 3 + 3 + 3 = 15
    assert evening.call("Thug 2", "Strength") == {"pip": 2, "wild": 1}
    strength = evening.throw("pip 4 4, wild 4")
    assert evening.call("Vex", damage="Pistol", against=strength["id"]) == {"pip": 4, "wild": 1}
    roll = evening.throw("pip 3 3 3 3, wild 3")
    assert roll["outcome"]["effects"][0]["words"] == "Stunned"
    evening.power_fails()  # between the throw and the stun
    evening.apply(roll, "Thug 2")
    assert (evening.tracker("Thug 2", "wounds"), evening.tracker("Thug 2", "stuns")) == (1, 1)
    # wound_track: stunned, 1D less of everything
    assert evening.call("Thug 2", weapon="Rifle", against="Vex") == {"pip": 2, "wild": 1}
    # moderate is 11: 3 + 3 + 4 = 10 misses
    assert not evening.throw("pip 3 3, wild 4")["succeeded"]


def _wounds(evening: Evening) -> None:
    # Strength 12 against 16: 4, wounded
    evening.call("Thug", "Strength")
    strength = evening.throw("pip 4 4, wild 4")
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 4 3 3 3, wild 3")
    assert effects(roll) == [("wounds", {"set": 2})]
    evening.apply(roll, "Thug")
    evening.apply(roll, "Thug")  # another phone: it counts once
    assert evening.tracker("Thug", "wounds") == 2
    # For plain wounded no penalty is printed (I10): 4D
    assert evening.call("Thug", weapon="Rifle") == {"pip": 3, "wild": 1}
    evening.undo()
    # wounded and wounded: wounded twice, 2D less
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 4 4 4 4, wild 4")  # 20 less 12 is 8
    evening.apply(roll, "Thug")
    assert evening.tracker("Thug", "wounds") == 3
    assert evening.call("Thug", weapon="Rifle") == {"pip": 1, "wild": 1}
    evening.undo()
    # wounded twice and wounded: incapacitated, 10D minutes
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 4 3 3 3, wild 3")
    assert evening.apply(roll, "Thug") == ["Unconscious for 10D minutes"]
    assert evening.tracker("Thug", "wounds") == 4
    follow = evening.roll(roll["id"])["applied"][0]["follows"][0]["ask"]
    assert evening.call("Thug", **follow) == {"pip": 10}  # no Wild Die
    assert total(evening.throw("pip 6 1 2 3 4 5 6 1 2 3")) == 33
    # incapacitated and wounded: mortally wounded. mortal_check: 2D below the rounds is death
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 4 3 3 3, wild 3")
    assert evening.apply(roll, "Thug") == ["Mortally wounded: two dice each round"]
    assert evening.call("Thug", purpose="dying", rounds=5) == {"pip": 2}
    assert evening.throw("pip 4 1")["headline"] == "5 in round 5: lives on"
    evening.call("Thug", purpose="dying", rounds=6)
    assert evening.throw("pip 4 1")["headline"] == "5 in round 6: dies"
    evening.leaves("Thug")
    assert evening.refused(f"api/rolls/{roll['id']}/apply", {"effect": 0, "to": evening.id_of("Thug")})


def _knocked_out(evening: Evening) -> None:
    # stun_weapon: 17 less 12 is 5, worse than stunned: unconscious for 2D minutes
    evening.call("Thug 3", "Strength")
    strength = evening.throw("pip 4 4, wild 4")
    evening.call("Vex", damage="Stunner", against=strength["id"])
    roll = evening.throw("pip 4 4 3 3, wild 3")
    assert effects(roll) == [("unconscious", {"set": 1})]
    assert evening.apply(roll, "Thug 3") == ["Unconscious for 2D minutes"]
    assert evening.tracker("Thug 3", "unconscious") == 1
    evening.undo()
    assert evening.tracker("Thug 3", "unconscious") == 0
    # stun_count: with two counted, a third stun reaches Strength 3D. 12 less 12 is 0, stunned
    evening.change("Thug 3", trackers={"stuns": 2})
    evening.call("Vex", damage="Pistol", against=strength["id"])
    roll = evening.throw("pip 3 3 3 1, wild 2")
    assert evening.apply(roll, "Thug 3") == ["Unconscious for 2D minutes"]


def _circumstances(evening: Evening) -> None:
    # scale: a speeder shoots a starfighter, 6 less 2 is 4D more
    called = evening.call("Vex", "Blaster", role="attack", scale="speeder", other_scale="starfighter", difficulty=10)
    assert called == {"pip": 7, "wild": 1}
    assert evening.throw("pip 1 1 1 1 1 1 1, wild 2")["succeeded"]  # 9 + 2 pips = 11
    # multi_action: two actions, 1D less; prepare: 1D more; rush: half of 4D
    assert evening.call("Vex", "Blaster", actions=2) == {"pip": 2, "wild": 1}
    assert evening.call("Vex", "Blaster", prepared=True) == {"pip": 4, "wild": 1}
    assert evening.call("Vex", "Blaster", rushed=True) == {"pip": 1, "wild": 1}
    # combined_action: three characters give 1D
    assert evening.call("Vex", "Search", bonus="1D") == {"pip": 3, "wild": 1}
    # melee_modifier: armed against unarmed, 10 on the attack: 3 + 2 + 1 + 1 + 10 = 17
    evening.call("Vex", "Search", role="attack", against_unarmed=True)
    assert total(evening.throw("pip 3 2, wild 1")) == 17
    # called_shot, 10-50 cm: 1D on the difficulty: 6 + 5 = 11. 4 + 3 + 1 + 2 + 2 = 12
    evening.call("Vex", "Blaster", band="easy", called_shot="10-50 cm")
    roll = evening.throw_on(evening.throw("pip 4 3 1, wild 2"), "pip 5")
    assert (roll["difficulty"], roll["succeeded"]) == (11, True)
    # hit_location: 8 is the head, 9 the right arm
    assert evening.call(purpose="hit_location") == {"pip": 2}
    assert evening.throw("pip 5 3")["headline"] == "8: head"
    evening.call(purpose="hit_location")
    assert evening.throw("pip 5 4")["headline"] == "9: right arm"
    # A die too few: the call becomes what lies there, its pips stay. 4 + 3 + 2 + 2 = 11
    evening.call("Vex", "Blaster", difficulty=12)
    roll = evening.throw("pip 4 3, wild 2")
    assert roll["succeeded"] is None
    roll = evening.take(roll)
    assert (total(roll), roll["succeeded"]) == (11, False)
    # The difficulty was 10, after all
    assert evening.ask_anew(roll, difficulty=10)["succeeded"]


def _dying_and_healing(evening: Evening) -> None:
    evening.add("Moll", skills={"Strength": {"code": "3D", "role": "resist"}, "Dexterity": {"code": "2D+1"},
                                "Climbing": {"attribute": "Dexterity"}, "Piloting": {"attribute": "Dexterity",
                                                                                    "advanced": True}})  # fmt: skip
    # skill_default: without a code the attribute, and no advanced skill
    assert evening.call("Moll", "Climbing", difficulty=10) == {"pip": 1, "wild": 1}
    assert evening.refused("api/ask", {"who": evening.id_of("Moll"), "skill": "Piloting"})
    # ranged_difficulty: medium is moderate, 11
    evening.call("Vex", "Blaster", range="medium")
    assert evening.throw("pip 4 3 1, wild 2")["difficulty"] == 11
    # limb_kill: 28 less 12 is 16, killed; at an arm it is a mortal wound, and the arm is gone
    evening.call("Moll", "Strength")
    strength = evening.throw("pip 4 4, wild 4")
    evening.call("Vex", damage="Pistol", against=strength["id"], location="left_arm")
    roll = evening.throw_on(evening.throw("pip 6 6 5 4, wild 6"), "wild 1")  # 21 + 6 + 1
    assert roll["headline"] == "Mortally wounded, the left arm is destroyed"
    assert evening.apply(roll, "Moll") == ["Mortally wounded: two dice each round"]
    # mortal_check: the rounds count by themselves, and each asks for two dice
    assert "Moll: Two dice for a life." in evening.act("round")
    assert "Moll: Two dice for a life." in evening.act("round")
    assert evening.call("Moll", purpose="dying") == {"pip": 2}
    assert evening.throw("pip 1 1")["headline"] == "2 in round 2: lives on"
    # stabilize: moderate, 11. 5 + 3 + 2 = 10 fails; 12 holds, and no round is counted any more
    evening.call(code="3D", purpose="first_aid", against="Moll")
    assert effects(evening.throw("pip 5 3, wild 2")) == []
    evening.call(code="3D", purpose="first_aid", against="Moll")
    roll = evening.throw("pip 5 4, wild 3")
    assert effects(roll) == [("stabilised", {"set": 1})]
    evening.apply(roll, "Moll")
    evening.act("round")
    assert evening.tracker("Moll", "mortal_rounds") == 2
    # with no medpac within the hour she dies; with one she lives
    evening.act("hour")
    assert evening.tracker("Moll", "wounds") == 6
    evening.undo()
    evening.act("saved", "Moll")
    evening.act("hour")
    assert evening.tracker("Moll", "wounds") == 5
    # natural_healing: wounded twice, three days and Strength; the group chooses, as the numbers are lost
    evening.change("Moll", trackers={"wounds": 3})
    assert evening.call("Moll", "Strength", purpose="healing") == {"pip": 2, "wild": 1}
    roll = evening.throw("pip 4 4, wild 4")
    assert effects(roll) == [("wounds", -1), ("wounds", 1)]
    evening.apply(roll, "Moll", 0)
    assert evening.tracker("Moll", "wounds") == 2
    evening.undo()
    evening.apply(roll, "Moll", 1)
    assert evening.tracker("Moll", "wounds") == 4
