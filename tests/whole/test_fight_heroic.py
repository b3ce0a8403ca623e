"""A heroic fight of four rounds with saves and steps, from an empty table to its end, each number worked out beside it.

Shorthand as in ``heroic.md``: A ability, P proficiency, B boost, D difficulty, C challenge, K setback; S success,
F failure, Av advantage, Th threat.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.whole.evening import Evening, effects, left

SWORD = {"purpose": "attack", "power": "basic_melee", "weapon": 4, "damage_ability": 3, "defense": "reflex"}
FLAMES = {
    "purpose": "attack", "power": "own", "weapon": 6, "damage_ability": 0, "damage_types": ["fire"], "reach": "area",
    "burst": 1, "defense": "reflex", "frequency": "encounter", "opportunity_cost": 1, "short_range": 5,
    "long_range_most": 10,
}  # fmt: skip
CLUB = {"purpose": "attack", "power": "basic_melee", "weapon": 5, "damage_ability": 4, "defense": "reflex"}


def test_a_fight_of_four_rounds(tmp_path: Path) -> None:
    with Evening(tmp_path, "heroic") as evening:
        _arrive(evening)
        _first(evening)
        _second(evening)
        _third(evening)
        _fourth(evening)


def act(evening: Evening, name: str, who: str = "", **ask: Any) -> None:
    evening.gm("api/acts", {"act": name, "who": evening.id_of(who) if who else "", "ask": ask})


def refused(evening: Evening, name: str, who: str, **ask: Any) -> str:
    return evening.refused("api/acts", {"act": name, "who": evening.id_of(who), "ask": ask})


def _arrive(evening: Evening) -> None:
    # H17: level 1 is 1 each and four points: 3 3 1 1 1 1. H04: base 4 and Vitality 3 are 7; H08: base 2 and 3 are 5
    brand = {"level": 1, "abilities": [3, 3, 1, 1, 1, 1], "defense_ranks": {"reflex": 1}, "threshold_base": 4,
             "stamina_base": 2}  # fmt: skip
    skills = [
        {"name": "Blade", "ask": {"ability": 3, "skill": 2}},
        {"name": "Flame", "ask": {"ability": 2, "skill": 2}},
    ]
    weapons = [
        {"name": "Sword", "skill": "Blade", "ask": SWORD},
        {"name": "Flames", "skill": "Flame", "ask": FLAMES},
    ]
    wrong = {"name": "Cheat", "kind": "player", "defences": brand | {"abilities": [4, 2, 1, 1, 1, 1]}}
    assert evening.refused("api/people", {"do": "add", "person": wrong}) == "these are no abilities of level 1"
    evening.bring(
        {"name": "Brand", "kind": "player", "defences": brand, "skills": skills,
         "weapons": weapons,
         "trackers": {"encounter_powers": {"value": 1, "most": 1}}}
    )  # fmt: skip
    assert evening.tracker("Brand", "stamina") == 5
    # H14: Reflex of Agility 2 and Intellect 1, rank 1: 1 D 1 C. The troll: 3 and 1, rank 2: 1 D 2 C
    evening.bring(
        {"name": "Ogre", "kind": "person", "skills": [{"name": "Club", "ask": {"ability": 3, "skill": 1}}],
         "weapons": [{"name": "Club", "skill": "Club", "ask": CLUB}],
         "defences": {"abilities": [4, 3, 2, 1, 1, 1], "defense_ranks": {"reflex": 1}, "threshold": 5,
                      "soaks": {"weapon": 1, "fire": 2}},
         "trackers": {"stamina": {"value": 1}}}
    )  # fmt: skip
    evening.bring(
        {"name": "Troll", "kind": "person", "skills": [{"name": "Athletics", "ask": {"ability": 3, "skill": 1}}],
         "defences": {"abilities": [4, 3, 3, 1, 1, 1], "defense_ranks": {"reflex": 2}, "threshold": 5,
                      "vulnerabilities": {"fire": 2}},
         "trackers": {"stamina": {"value": 0}}}
    )  # fmt: skip


def _first(evening: Evening) -> None:
    # 3 and 2 against the ogre's Reflex: 1 A 2 P 1 D 1 C
    assert evening.call("Brand", weapon="Sword", against="Ogre") == {
        "ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 1,
    }  # fmt: skip
    # S + S + S - F = 2 S, Av = 1. 4 + 3 + 2 = 9; 5 and soak 1 are 6: once, staggered. The advantage is set aside (A11)
    roll = evening.throw("ability success, proficiency success success+advantage, difficulty failure, challenge -")
    assert (left(roll), effects(roll)) == ({"success": 2, "advantage": 1}, [("condition", {"set": 0})])
    evening.apply(roll, "Ogre")
    assert (evening.tracker("Ogre", "condition"), evening.tracker("Ogre", "staggered")) == (0, 1)
    evening.buy(roll, "opportunity")
    # the ogre: 3 and 1 against Agility 1, Reflex 1: 2 A 1 P 1 C. S + S + S = 3: 5 + 4 + 3 = 12, threshold 7: staggered
    assert evening.call("Ogre", weapon="Club", against="Brand") == {"ability": 2, "proficiency": 1, "challenge": 1}
    roll = evening.throw("ability success success, proficiency success, challenge -")
    evening.apply(roll, "Brand")
    assert (evening.tracker("Brand", "condition"), evening.tracker("Brand", "staggered")) == (0, 1)


def _second(evening: Evening) -> None:
    # A14: the flames take both; the troll's 1 D 2 C are harder than 1 D 1 C. 8 squares are beyond short: 1 K (A8)
    ask = {"who": evening.id_of("Brand"), "weapon": "Flames", "ask": {"distance": 8},
           "targets": [evening.id_of("Ogre"), evening.id_of("Troll")]}  # fmt: skip
    state = evening.gm("api/ask", ask)
    assert state["call"]["dice"] == {"proficiency": 2, "difficulty": 1, "challenge": 2, "setback": 1}
    assert state["asked"]["against"] == evening.id_of("Troll")
    # H19: area provokes, and a burst of 1 is 3 by 3
    assert state["asked"]["tray"]["sentence"].endswith("It provokes those who stand near. It fills 3 by 3 squares.")
    # the use of the encounter and the opportunity are taken
    assert evening.tracker("Brand", "encounter_powers") == 0
    assert {one["name"]: one["value"] for one in state["trackers"]}["opportunity"] == 0
    assert evening.refused("api/ask", ask | {"ask": {"distance": 11}}) == "the target is 11 squares away"
    # S S + S - F = 2: 6 + 2 = 8 of fire
    roll = evening.throw("proficiency success+success success, difficulty failure, challenge - -, setback -")
    assert left(roll) == {"success": 2}
    # the ogre soaks 2 of fire: 5 + 2 = 7, once 7 in 8, already staggered: one step
    evening.apply(roll, "Ogre")
    assert evening.tracker("Ogre", "condition") == 1
    # the troll feels 2 more: 10, twice 5: staggered and one step
    evening.apply(roll, "Troll")
    assert (evening.tracker("Troll", "condition"), evening.tracker("Troll", "staggered")) == (1, 1)
    # the power is used up until a short rest
    assert evening.refused("api/ask", ask).startswith("Brand has 0")
    # H08: Steady takes a stamina and the staggering; H12: not twice in a turn
    act(evening, "steady", "Brand")
    assert (evening.tracker("Brand", "stamina"), evening.tracker("Brand", "staggered")) == (4, 0)
    assert refused(evening, "steady", "Brand") == "no incidental twice in a turn"


def _third(evening: Evening) -> None:
    # H12: a second maneuver grants combat advantage, and there is no third
    act(evening, "turn", "Brand")
    act(evening, "maneuver", "Brand")
    assert refused(evening, "maneuver", "Brand") == "a second maneuver has its price"
    act(evening, "maneuver", "Brand", by="combat_advantage")
    assert (evening.tracker("Brand", "maneuvers"), evening.tracker("Brand", "combat_advantage")) == (2, 1)
    assert refused(evening, "maneuver", "Brand", by="no_action") == "no third maneuver"
    # H20: a grapple is Brawn against Athletics 3 and 1: 2 D 1 C; only who is grabbed is grappled
    body = {"who": evening.id_of("Brand"), "skill": "Blade", "against": evening.id_of("Troll"),
            "against_skill": "Athletics", "ask": {"purpose": "attack", "power": "basic_grapple"}}  # fmt: skip
    assert evening.refused("api/ask", body) == "Troll is not grabbed"
    evening.change("Troll", trackers={"held": 1})
    assert evening.gm("api/ask", body)["call"]["dice"] == {
        "ability": 1, "proficiency": 2, "difficulty": 2, "challenge": 1,
    }  # fmt: skip
    roll = evening.throw("ability success, proficiency - -, difficulty - -, challenge -")
    assert effects(roll) == [("held", {"set": 2})]
    evening.apply(roll, "Troll")
    act(evening, "release", "Troll")
    assert evening.tracker("Troll", "held") == 0
    # H09: the ogre, winded, saves with 1 A 1 K; S against F: not saved. S: saved
    assert evening.call("Ogre", purpose="save") == {"ability": 1, "setback": 1}
    assert evening.throw("ability success, setback failure")["headline"] == "Not saved"
    evening.call("Ogre", purpose="save")
    assert evening.throw("ability success, setback -")["headline"] == "Saved"


def _fourth(evening: Evening) -> None:
    # H02: 2 B and 1 B are 2 B. S S + S S + S S + S = 7, with S + S of the boosts 9: 4 + 3 + 9 = 16
    assert evening.call("Brand", weapon="Sword", against="Ogre", boosts=[2, 1]) == {
        "ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 1, "boost": 2,
    }  # fmt: skip
    roll = evening.throw(
        "ability success+success, proficiency success+success success+success, difficulty -, challenge -, "
        "boost success success"
    )
    # 16 in 6 are 2 steps: winded, fatigued, exhausted
    assert effects(roll) == [("condition", {"set": 3})]
    evening.apply(roll, "Ogre")
    # H06: exhausted is 1 D more
    assert evening.call("Ogre", weapon="Club", against="Brand")["difficulty"] == 1
    # H07: the troll, crippled and staggered, takes 10 of its 5: unconscious, and without stamina dead
    evening.change("Troll", trackers={"condition": 4})
    evening.call("Brand", weapon="Sword", against="Troll")
    roll = evening.throw("ability success+success, proficiency success -, difficulty -, challenge - -")
    assert evening.apply(roll, "Troll") == ["Dead"]  # 4 + 3 + 3 = 10
    # the fight is over: a short rest brings the power back, an extended one the stamina
    act(evening, "short_rest")
    assert (evening.tracker("Brand", "encounter_powers"), evening.tracker("Brand", "stamina")) == (1, 4)
    act(evening, "extended_rest")
    assert evening.tracker("Brand", "stamina") == 5
