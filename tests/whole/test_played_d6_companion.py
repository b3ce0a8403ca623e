"""Four scenes with dice codes, each from an empty table to its end. Every number is worked out beside it by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.evening import Evening, effects, total


def test_a_chase_on_bikes_through_the_forest(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-companion") as evening:
        evening.add("Vex", skills={"Repulsorlift": {"code": "4D+2"}, "Body": {"code": "2D"}})
        evening.add("Scout", "person", skills={"Repulsorlift": {"code": "3D+2"}, "Body": {"code": "2D"}})
        bike = {"purpose": "movement", "mover": "repulsorlift", "add": "4D", "difficulty": 16}
        # 4D+2 and the bike's 4D are 8D+2; two speed actions cost 1D. 3+3+3+2+2+2+2+2 = 19: 2 x 250 m
        assert evening.call("Vex", "Repulsorlift", speed_actions=2, **bike) == {"pip": 7}
        assert "500 m" in evening.throw("pip 3 3 3 2 2 2 2")["sentence"]
        # 7D+2 less 2D. 3+2+2+2+1+2 = 12, 4 too few: 4 / 3 is 1 action lost, of 3 the third
        assert evening.call("Scout", "Repulsorlift", speed_actions=3, **bike) == {"pip": 5}
        roll = evening.throw("pip 3 2 2 2 1")
        assert "1 speed action is lost; control is lost in action 3" in roll["sentence"]
        assert effects(roll) == [("control", {"set": 1})]
        evening.apply(roll, "Scout")
        # more speed actions than 4D allows, 4, are refused
        assert evening.refused("api/ask", {"who": evening.id_of("Vex"), "skill": "Repulsorlift",
                                           "ask": {**bike, "speed_actions": 5}})  # fmt: skip
        evening.power_fails()
        evening.act("round")
        # control comes back at 5 more: 21. 4+4+3+3+2+2+2+2 = 22
        assert evening.call("Scout", "Repulsorlift", **bike) == {"pip": 7}
        roll = evening.throw("pip 4 4 3 3 2 2 2")
        assert (roll["difficulty"], effects(roll)) == (21, [("control", {"set": 0})])
        evening.apply(roll, "Scout")
        # a maneuver: 3D+2 and 1D give 3+3+2+1+2 = 11; 4D+2 and 2D give 5+4+4+3+3+2+2 = 23, more than twice
        evening.call("Scout", "Repulsorlift", add="1D")
        scout = evening.throw("pip 3 3 2 1")
        assert evening.call("Vex", "Repulsorlift", add="2D", purpose="maneuver", against=scout["id"]) == {"pip": 6}
        roll = evening.throw("pip 5 4 4 3 3 2")
        assert effects(roll) == [("reserved", {"set": 2})]
        evening.apply(roll, "Vex")
        evening.act("round")
        assert evening.tracker("Vex", "reserved") == 0
        # ramming with the body: 3D+2 and 2D give 2+2+2+2+1+2 = 11; 4D+2 and 2D give 4+4+3+3+2+2+2 = 20, more than once
        evening.call("Scout", "Repulsorlift", add="2D")
        scout = evening.throw("pip 2 2 2 2 1")
        evening.call("Vex", "Repulsorlift", add="2D", purpose="ramming", against=scout["id"])
        roll = evening.throw("pip 4 4 3 3 2 2")
        assert effects(roll) == [("rammed", {"set": 1})]
        evening.apply(roll, "Scout")
        # 5 more on the next movement, 21: 3+3+2+2+2+1+1+2 = 16 fails: heavily damaged, and the one action is lost
        evening.call("Scout", "Repulsorlift", **bike)
        roll = evening.throw("pip 3 3 2 2 2 1 1")
        assert effects(roll) == [("control", {"set": 1}), ("ship_damage", {"set": 2})]
        for effect in (0, 1):
            evening.apply(roll, "Scout", effect)
        assert (evening.tracker("Scout", "ship_damage"), evening.tracker("Scout", "rammed")) == (2, 0)
        # into a tree: one speed action of a speeder is 8D. Body 4+3 = 7; 8 x 2 = 16, twice that: severely damaged
        evening.call("Scout", "Body")
        body = evening.throw("pip 4 3")
        assert evening.call(purpose="collision", mover="repulsorlift", against=body["id"]) == {"pip": 8}
        roll = evening.throw("pip 2 2 2 2 2 2 2 2")
        evening.apply(roll, "Scout")
        assert evening.tracker("Scout", "ship_damage") == 3


def test_a_duel_of_starfighters(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-companion") as evening:
        evening.add(
            "Hawk", "thing",
            skills={"Starship piloting": {"code": "5D"}, "Starship gunnery": {"code": "4D+2"}, "Hull": {"code": "3D"},
                    "Shields": {"code": "2D"}},
            weapons=[{"name": "Laser", "skill": "Starship gunnery",
                      "ask": {"add": "2D", "mounted": "starfighter_laser_cannon"},
                      "damage": {"code": "5D", "purpose": "ship_damage"}},
                     {"name": "Ion", "skill": "Starship gunnery", "ask": {"add": "1D", "about": "short"},
                      "damage": {"code": "3D", "purpose": "ion_damage"}}],
        )  # fmt: skip
        evening.add(
            "Dart", "thing",
            skills={"Starship piloting": {"code": "4D"}, "Starship gunnery": {"code": "4D"}, "Hull": {"code": "2D"}},
            weapons=[{"name": "Laser", "skill": "Starship gunnery", "ask": {"add": "1D", "about": "short"},
                      "damage": {"code": "4D", "purpose": "ship_damage"}}],
        )  # fmt: skip
        # shields 4+3 = 7; a combat evasion of two actions, 4D: 3+3+2+2 = 10
        evening.call("Hawk", "Shields", purpose="shields")
        evening.apply(evening.throw("pip 4 3"), "Hawk")
        assert evening.call("Hawk", "Starship piloting", purpose="evasion", actions=2) == {"pip": 4}
        evasion = evening.throw("pip 3 3 2 2")
        assert effects(evasion) == []
        # short is 6, the evasion 10; 10 and 7 are 17. 4D and 1D: 4+3+3+3+2 = 15 hits, and the shields add to the hull
        assert evening.call("Dart", weapon="Laser", against=evasion["id"]) == {"pip": 5}
        roll = evening.throw("pip 4 3 3 3 2")
        assert (roll["difficulty"], roll["succeeded"]) == (10, True)
        assert "the shields add to the hull" in roll["sentence"]
        # hull 3D and shields 2D: 3+3+3+2+2 = 13. 2+2+2+1 = 7, at least half: light, which costs a generator
        evening.call("Hawk", "Hull", add="2D", purpose="hull")
        hull = evening.throw("pip 3 3 3 2 2")
        evening.call("Dart", damage="Laser", against=hull["id"], shields_worked=True)
        roll = evening.throw("pip 2 2 2 1")
        assert roll["headline"] == "Lightly damaged"
        evening.apply(roll, "Hawk")
        assert evening.tracker("Hawk", "generators") == 1
        evening.act("round")  # the two actions were of the last one
        # 12,000 m is medium for a laser cannon: 11. 4D+2 and 2D: 3+3+3+2+2+2+2 = 17
        evening.call("Hawk", weapon="Laser", against="Dart", metres=12_000)
        roll = evening.throw("pip 3 3 3 2 2 2")
        assert (roll["difficulty"], roll["succeeded"]) == (11, True)
        assert evening.refused("api/ask", {"who": evening.id_of("Hawk"), "weapon": "Laser", "ask": {"metres": 50_001}})
        # hull 4+3 = 7; 4+4+3+3+2 = 16 is twice that: severely damaged
        evening.call("Dart", "Hull", purpose="hull")
        hull = evening.throw("pip 4 3")
        evening.call("Hawk", damage="Laser", against=hull["id"])
        evening.apply(evening.throw("pip 4 4 3 3 2"), "Dart")
        assert evening.tracker("Dart", "ship_damage") == 3
        evening.power_fails()
        evening.act("round")
        assert evening.lasting("Hawk") == []
        # ions: hull 3+2 = 5; 6+5+5 = 16 is three times that: the controls are dead for a round
        evening.call("Dart", "Hull", purpose="hull")
        hull = evening.throw("pip 3 2")
        evening.call("Hawk", damage="Ion", against=hull["id"])
        roll = evening.throw("pip 6 5 5")
        assert roll["headline"] == "Dead controls"
        evening.apply(roll, "Dart")
        assert evening.refused("api/ask", {"who": evening.id_of("Dart"), "weapon": "Laser", "ask": {}})
        assert "Dart: Controls again, ionized by 3D." in evening.act("round")
        # a full evasion costs its speed action nothing: 4D less 3D. 5, which disturbs the own gunner: 6 and 5 are 11
        assert evening.call("Dart", "Starship piloting", purpose="evasion", full_reaction=True) == {"pip": 1}
        evasion = evening.throw("pip 5")
        evening.apply(evasion, "Dart")
        assert evening.call("Dart", weapon="Laser", against="Hawk") == {"pip": 2}  # 4D and 1D less 3D
        assert evening.throw("pip 5 5")["difficulty"] == 11
        # against the full evasion: 6 and 5 are 11. 4D+2 and 1D: 3+3+2+2+2+2 = 14
        evening.call("Hawk", weapon="Ion", against=evasion["id"], reaction="full")
        assert evening.throw("pip 3 3 2 2 2")["difficulty"] == 11
        # 6+6+5+4+3 = 24 against 5: destroyed
        evening.call("Hawk", damage="Laser", against=hull["id"])
        assert evening.apply(evening.throw("pip 6 6 5 4 3"), "Dart") == ["Destroyed"]


def _next_round(evening: Evening, number: int) -> None:
    """Let everybody declare, react and act: the round passes with the last turn."""
    while evening.gm("api/state")["initiative"]["round"] < number:
        evening.gm("api/initiative", {"do": "next"})


def test_a_battle_of_capital_ships_in_six_rounds(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-companion") as evening:
        guns = {"code": "4D", "purpose": "capital_damage", "guns": 12}
        evening.add(
            "Cruiser", "thing",
            skills={"Command": {"code": "5D"}, "Tactics": {"code": "4D"}, "Piloting": {"code": "5D"},
                    "Gunnery": {"code": "5D"}, "Hull": {"code": "6D"}, "Shields": {"code": "3D"}},
            weapons=[{"name": "Turbolasers", "skill": "Gunnery", "ask": {"add": "2D", "guns": 12}, "damage": guns},
                     {"name": "Ion cannon", "skill": "Gunnery", "ask": {"add": "3D", "guns": 20},
                      "damage": {"code": "3D", "purpose": "capital_ion_damage", "guns": 20}}],
        )  # fmt: skip
        evening.add(
            "Destroyer", "thing",
            skills={"Piloting": {"code": "4D"}, "Gunnery": {"code": "4D"}, "Hull": {"code": "4D"},
                    "Shields": {"code": "3D+1"}, "Maneuver": {"code": "1D"}},
            weapons=[{"name": "Turbolasers", "skill": "Gunnery", "ask": {"add": "4D", "guns": 10},
                      "damage": {"code": "5D", "purpose": "capital_damage", "guns": 10}}],
        )  # fmt: skip
        for name, side, rank in (("Cruiser", "player", [5]), ("Destroyer", "npc", [4])):
            evening.gm("api/initiative", {"do": "add", "side": side, "rank": rank, "who": name})

        def evades(faces: str) -> str:
            evening.call("Destroyer", "Piloting", add="1D")
            return str(evening.throw(f"pip {faces}")["id"])

        # Round 1. Tactics, moderate: 3+3+3+2 = 11: one free haste
        evening.call("Cruiser", "Tactics", purpose="tactics")
        evening.apply(evening.throw("pip 3 3 3 2"), "Cruiser")
        assert evening.tracker("Cruiser", "free_haste") == 1
        # Two officers, a haste order and a bonus: 4 of 5D. The shields have no order: 3D less 1D
        told = evening.act("command", "Cruiser", officers=["pilot", "gunner"], haste_orders=1, bonus_gunner=1)
        assert told == "Cruiser: 1D of command left"
        assert evening.call("Cruiser", "Shields", purpose="shields") == {"pip": 2}
        # Evasion 4D and 1D: 3+2+2+2+1 = 10. 5D, 2D and 2D+1 of 12 guns, a pip of the bonus: 9 x 2 and 2 = 20
        assert evening.call("Cruiser", weapon="Turbolasers", against=evades("3 2 2 2 1")) == {"pip": 9}
        roll = evening.throw("pip 2 2 2 2 2 2 2 2 2")
        assert (total(roll), roll["difficulty"]) == (20, 10)
        # Hull 3+2+2+2 = 9. 4D and 2D+1: 4+4+3+3+2+2+1 = 19, twice: 2 pips
        evening.call("Destroyer", "Hull", purpose="hull")
        hull = evening.throw("pip 3 2 2 2")
        assert evening.call("Cruiser", damage="Turbolasers", against=hull["id"]) == {"pip": 6}
        roll = evening.throw("pip 4 4 3 3 2 2")
        assert effects(roll) == [("capital_damage", 2)]
        evening.apply(roll, "Destroyer")
        _next_round(evening, 2)
        assert evening.lasting("Cruiser") == []
        # Round 2, at the maneuver: 3D less to hit. Evasion 2+2+2+2+1 = 9 less 2 pips. 6 x 2 and 1 = 13
        evasion = evades("2 2 2 2 1")
        assert total(evening.roll(evasion)) == 7
        assert evening.call("Cruiser", weapon="Turbolasers", against=evasion, aim="maneuver") == {"pip": 6}
        assert total(evening.throw("pip 2 2 2 2 2 2")) == 13
        # Through the shields 1D more: 7D+1. 7 x 2 and 1 = 15 against 9: a pip off the maneuver
        called = evening.call("Cruiser", damage="Turbolasers", against=hull["id"], aim="maneuver", penetrated=True)
        assert called == {"pip": 7}
        roll = evening.throw("pip 2 2 2 2 2 2 2")
        assert effects(roll) == [("maneuver_damage", 1)]
        evening.apply(roll, "Destroyer")
        evening.power_fails()
        _next_round(evening, 3)
        # Round 3, at ten guns: a pip of twelve guns is 12 points, 2 on two of them and 1 on eight
        evening.call("Cruiser", damage="Turbolasers", against=hull["id"], aim="weapon_beam", weapons=10)
        roll = evening.throw("pip 2 2 2 2 2 2")  # 13, once 9
        assert "2 with 2 points: out of action until repaired. 8 with 1 point: -1D fire control." in roll["sentence"]
        # The maneuver lacks a pip, the ship two: 3+2+2+2+1 = 10 less 3
        assert total(evening.roll(evades("3 2 2 2 1"))) == 7
        _next_round(evening, 4)
        # Round 4, ions: 20 guns count as 16, 2D+2. 3D and 2D+2: 3+3+2+2+2+2 = 14 against 9: 1D of ionization
        assert evening.call("Cruiser", damage="Ion cannon", against=hull["id"]) == {"pip": 5}
        roll = evening.throw("pip 3 3 2 2 2")
        assert effects(roll) == [("ionized", 1)]
        evening.apply(roll, "Destroyer")
        # Gunnery 4D, fire control 4D, 2D of 10 guns, less 1D and 2 pips
        assert evening.call("Destroyer", weapon="Turbolasers", against="Cruiser", difficulty=10) == {"pip": 9}
        assert total(evening.throw("pip 1 1 1 1 1 1 1 1 4")) == 10
        _next_round(evening, 5)
        # Round 5. Hull and shields of the cruiser: 9 x 3 = 27. 5D and 2D, still ionized, less 2 pips:
        # 3+3+3+3+2+2-2 = 14, at least half: a shield pip
        evening.call("Cruiser", "Hull", purpose="hull", add="3D")
        cruiser = evening.throw("pip 3 3 3 3 3 3 3 3 3")
        assert evening.call("Destroyer", damage="Turbolasers", against=cruiser["id"]) == {"pip": 6}
        roll = evening.throw("pip 3 3 3 3 2 2")
        assert effects(roll) == [("shield_damage", 1)]
        evening.apply(roll, "Cruiser")
        # More power, difficult: 16. Shields 3D less a pip, with 2D of a device: 5+5+4+3+0-1 = 16
        evening.call("Cruiser", "Shields", purpose="increase_shield", add="1D")
        roll = evening.throw("pip 5 5 4 3")
        assert (total(roll), roll["succeeded"]) == (16, True)
        evening.apply(roll, "Cruiser")
        assert (evening.tracker("Cruiser", "facings_lost"), evening.lasting("Cruiser")) == (1, ["Shields strained"])
        # The other facings lose 1D; the one with more power has 3D twice
        assert evening.call("Cruiser", "Shields", purpose="shields") == {"pip": 2}
        _next_round(evening, 6)
        # Round 6. The ram: 5D, 4+4+4+4+4 = 20, beats an evasion of 7
        evening.call("Cruiser", "Piloting", against=evades("3 2 2 2 1"), more_than=True)
        assert evening.throw("pip 4 4 4 4 4")["succeeded"]
        # Hull 6D and two speed actions: 8 x 5 = 40. Hull 4D and shields 3D+1: 7 and 1 = 8. Five times: 5 pips, 7 in all
        evening.call("Destroyer", "Hull", purpose="hull", add="3D+1")
        hull = evening.throw("pip 1 1 1 1 1 1 1")
        called = evening.call("Cruiser", "Hull", purpose="capital_ram", speed_actions=2, against=hull["id"])
        assert called == {"pip": 8}
        assert evening.apply(evening.throw("pip 5 5 5 5 5 5 5 5"), "Destroyer") == ["Severely damaged"]
        # The last salvo: 4+4+4+4+4+4+1 = 25 against 9: 2 pips, 9 in all
        evening.call("Destroyer", "Hull", purpose="hull")
        hull = evening.throw("pip 3 2 2 2")
        evening.call("Cruiser", damage="Turbolasers", against=hull["id"])
        assert evening.apply(evening.throw("pip 4 4 4 4 4 4"), "Destroyer") == ["Destroyed"]


def test_a_force_power_with_three_rolls(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-companion") as evening:
        evening.add("Kesh", skills={"Control": {"code": "5D"}, "Sense": {"code": "5D+1"}, "Alter": {"code": "5D"}},
                    trackers={"character_points": {"value": 7}})  # fmt: skip
        evening.add("Guard", "person", skills={"Perception": {"code": "3D"}, "Strength": {"code": "3D"}})
        mind = {"purpose": "power", "power": "affect mind", "case_control": "memories", "case_alter": "short"}
        # The guard resists with 3+3+2 = 8; he is a stranger, 2 more
        evening.call("Guard", "Perception")
        resists = evening.throw("pip 3 3 2")
        # Three skills are three actions: 3D, 3D+1, 3D. Memories: easy, 6. Sense: 8 and 2 = 10. Short: moderate, 11
        assert evening.call("Kesh", against=resists["id"], relationship=2, **mind) == {"pip": 3}
        # Of 216 throws of 3D 206 reach 6, 160 reach 9 (and a pip: 10), and a half 11
        assert evening.odds() == pytest.approx(206 / 216 * 160 / 216 / 2)
        roll = evening.throw("pip 4 1 1")  # 6 reaches 6
        evening.power_fails()
        assert (roll["succeeded"], roll["awaits"]["dice"]) == (None, {"pip": 3})
        roll = evening.throw_on(roll, "pip 4 4 1")  # 9 and 1 = 10 reaches 10
        roll = evening.throw_on(roll, "pip 6 4 1")  # 11 reaches 11
        assert (roll["succeeded"], roll["headline"]) == (True, "Affect mind: success")
        assert effects(roll) == []
        # Once more, not mastered: 5 more each. 10 misses 11, and nothing else is thrown
        evening.call("Kesh", against=resists["id"], unmastered=True, **mind)
        roll = evening.throw("pip 4 4 2")
        assert (roll["succeeded"], roll["awaits"], roll["difficulty"]) == (False, None, 11)
        # The dark way: control and sense easy, 6; alter against the guard's 8. 24 is three times 8: mortally wounded
        kill = {"purpose": "power", "power": "telekinetic kill"}
        evening.call("Kesh", against=resists["id"], alter="7D", **kill)
        roll = evening.throw_on(evening.throw_on(evening.throw("pip 3 2 1"), "pip 3 2 1"), "pip 6 6 6 5 1")
        assert effects(roll) == [("wounds", {"set": 3}), ("dark_side_points", 1)]
        assert evening.apply(roll, "Guard") == ["Mortally wounded: two dice each round"]
        assert evening.apply(roll, "Kesh", 1) == ["One die: lost to the Dark Side?"]
        # One point: a 1 is lost, a 2 is not
        assert evening.call("Kesh", purpose="consumed") == {"pip": 1}
        assert evening.throw("pip 2")["headline"] == "Not lost to the Dark Side"
        # A call for more: 6, as it is the first and meant to harm. 4+2 = 6
        evening.call("Kesh", code="2D", purpose="dark_side_call")
        roll = evening.throw("pip 4 2")
        assert (roll["difficulty"], roll["succeeded"]) == (6, True)
        evening.apply(roll, "Kesh")
        assert [evening.tracker("Kesh", name) for name in ("dark_side_points", "force_points", "dark_side_calls")] == [
            2, 2, 1,
        ]  # fmt: skip
        # Atonement takes one back, once an adventure; training a pip of Control, 5D, with a better teacher costs 5
        evening.act("atone", "Kesh")
        assert evening.tracker("Kesh", "dark_side_points") == 1
        assert evening.refused("api/acts", {"act": "atone", "who": evening.id_of("Kesh"), "ask": {}})
        told = evening.act("train", "Kesh", "Control", teacher="7D")
        assert told == "Kesh: Control 5D+1 for 5 skill points; 16 powers may be known"
        assert evening.tracker("Kesh", "character_points") == 2
        assert evening.refused(
            "api/acts", {"act": "train", "who": evening.id_of("Kesh"), "skill": "Control", "ask": {}}
        )
