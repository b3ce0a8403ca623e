"""An evening of the heroic game. The marks H01 to H20 are those of the reference text ``heroic.md``.

Shorthand in the comments: A ability, P proficiency, B boost, D difficulty, C challenge, K setback; S success,
F failure, Av advantage, Th threat, Tr triumph, De despair.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.evening import Evening, effects, left

SWORD = {"purpose": "attack", "power": "basic_melee", "weapon": 4, "damage_ability": 3}
CLUB = {"purpose": "attack", "power": "basic_melee", "weapon": 5, "damage_ability": 4}
BOW = {"purpose": "attack", "power": "basic_ranged", "weapon": 3, "damage_ability": 2}
CONDITIONS = ("normal", "winded", "fatigued", "exhausted", "crippled")


@pytest.mark.slow
def test_an_evening(tmp_path: Path) -> None:
    with Evening(tmp_path, "heroic") as evening:
        _arrivals(evening)
        _initiative(evening)
        _duel(evening)
        _soak_and_distance(evening)
        _track(evening)
        _down(evening)
        _refused(evening)


def _arrivals(evening: Evening) -> None:
    evening.add(
        "Brand",
        skills={"Blade": {"ability": 3, "skill": 2}, "Vigilance": {"ability": 2, "skill": 1},
                "Athletics": {"ability": 3, "skill": 1}},
        weapons=[{"name": "Sword", "skill": "Blade", "ask": SWORD}],
        defences={"threshold": 5, "defense": "reflex", "defense_abilities": [2, 1], "defense_rank": 1},
        trackers={"stamina": {"value": 3, "most": 5}},
    )  # fmt: skip
    evening.add(
        "Yara", skills={"Bow": {"ability": 3, "skill": 1}, "Vigilance": {"ability": 3, "skill": 0}},
        weapons=[{"name": "Bow", "skill": "Bow", "ask": BOW}],
        defences={"threshold": 4}, trackers={"stamina": {"value": 4, "most": 4}},
    )  # fmt: skip
    evening.add(
        "Ogre", "person", skills={"Club": {"ability": 3, "skill": 1}, "Vigilance": {"ability": 2, "skill": 0}},
        weapons=[{"name": "Club", "skill": "Club", "ask": CLUB}],
        defences={"threshold": 5, "defense": "reflex", "defense_abilities": [3, 2], "defense_rank": 2},
        trackers={"stamina": {"value": 1}},
    )  # fmt: skip
    evening.add(
        "Troll", "person",
        defences={"threshold": 5, "soak": 2, "defense": "fortitude", "defense_abilities": [3, 2]},
    )  # fmt: skip


def _initiative(evening: Evening) -> None:
    # H11: by Tr, then S, then Av, then players: 1 Tr 2 Av, then the player's 2 S, then the ogre's 2 S
    assert evening.call("Ogre", "Vigilance", purpose="initiative") == {"ability": 2}
    ogre = evening.throw("ability success success")
    assert evening.call("Yara", "Vigilance", purpose="initiative") == {"ability": 3}
    yara = evening.throw("ability success success -")
    assert evening.call("Brand", "Vigilance", purpose="initiative") == {"ability": 1, "proficiency": 1}
    brand = evening.throw("ability advantage+advantage, proficiency triumph")
    for roll, side in ((ogre, "npc"), (yara, "player"), (brand, "player")):
        slots = evening.gm("api/initiative", {"do": "add", "side": side, "roll": roll["id"]})["initiative"]["slots"]
    assert [slot["side"] for slot in slots] == ["player", "player", "npc"]
    assert slots[0]["rank"][0] == 1  # the triumph


def _duel(evening: Evening) -> None:
    # H15: 3 and 2 against Agility 3, Reflex 2: 1 A 2 P 1 D 2 C
    called = evening.call("Brand", weapon="Sword", against="Ogre")
    assert called == {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 2}
    # S + S S - F = 2 S, Av - Th = 0. H20: 4 + 3 + 2 = 9. H05: once 5, not staggered: staggered
    roll = evening.throw(
        "ability success, proficiency success+success advantage, difficulty -, challenge failure threat"
    )
    assert (left(roll), effects(roll)) == ({"success": 2}, [("condition", {"set": 0})])
    evening.power_fails()  # between the throw and the wound
    evening.apply(roll, "Ogre")
    assert (evening.tracker("Ogre", "condition"), evening.tracker("Ogre", "staggered")) == (0, 1)

    # 9 again, on a staggered one: one step, winded
    evening.call("Brand", weapon="Sword", against="Ogre")
    roll = evening.throw("ability success, proficiency success success, difficulty failure, challenge - -")
    assert effects(roll) == [("condition", {"set": 1})]
    evening.apply(roll, "Ogre")
    evening.apply(roll, "Ogre")  # it counts once
    assert evening.tracker("Ogre", "condition") == 1

    # 3 and 1 against Reflex 2 and 1: 2 A 1 P 1 D 1 C; H06: winded adds 1 K
    called = evening.call("Ogre", weapon="Club", against="Brand")
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 1, "challenge": 1, "setback": 1}
    # S + S - F = 1 S: 5 + 4 + 1 = 10, twice 5: staggered and one step
    roll = evening.throw("ability success -, proficiency success, difficulty -, challenge failure, setback -")
    assert effects(roll) == [("condition", {"set": 1})]
    evening.apply(roll, "Brand")
    assert (evening.tracker("Brand", "condition"), evening.tracker("Brand", "staggered")) == (1, 1)
    evening.undo()
    assert (evening.tracker("Brand", "condition"), evening.tracker("Brand", "staggered")) == (0, 0)
    evening.apply(roll, "Brand")

    # Winded: 1 K more. 2 S; Av + Av Av - Th = 2 Av. H12: the second maneuver is one advantage, a third never is made
    called = evening.call("Brand", weapon="Sword", against="Ogre")
    assert called == {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 2, "setback": 1}
    roll = evening.throw(
        "ability success+advantage, proficiency advantage+advantage success, difficulty -, "
        "challenge threat -, setback -"
    )
    assert left(roll) == {"success": 2, "advantage": 2}
    evening.buy(roll, "second_maneuver")
    assert evening.refused(f"api/rolls/{roll['id']}/spends", {"name": "second_maneuver"})
    may = {"second_maneuver": False, "boost_next_ally": True, "opportunity": True}  # it stays among the purchases
    assert evening.spends(roll) == may
    evening.buy(roll, "opportunity")  # A11: set aside
    assert not any(evening.spends(roll).values())
    evening.apply(roll, "Ogre")
    assert evening.tracker("Ogre", "condition") == 2  # 9 on the staggered: fatigued

    # H08: Steady takes one stamina and one step up, and staggered goes
    evening.change("Brand", trackers={"condition": 0, "staggered": 0, "stamina": 2})
    # Fatigued is 2 K, and H16: one who leaves the taunter out has 1 K more. S against F: a miss
    called = evening.call("Ogre", weapon="Club", against="Brand", taunted=True)
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 1, "challenge": 1, "setback": 3}
    roll = evening.throw("ability success -, proficiency -, difficulty -, challenge -, setback failure - -")
    assert (effects(roll), roll["succeeded"]) == ([], False)


def _soak_and_distance(evening: Evening) -> None:
    # H14: 3 and 2, rank 0: 3 D. H10: soak 2 makes 7 of a threshold of 5; 3 + 2 + 1 = 6 does nothing
    called = evening.call("Yara", weapon="Bow", against="Troll")
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 3}
    roll = evening.throw("ability success -, proficiency -, difficulty - - -")
    assert (roll["succeeded"], effects(roll)) == (True, [])
    # Of fire nothing is soaked: 6 of 5 staggers
    roll = evening.ask_anew(roll, soak=0)
    assert effects(roll) == [("condition", {"set": 0})]
    called = evening.call("Yara", weapon="Bow", against="Troll", soak=0, vulnerability=2, long_range=True)
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 3, "setback": 1}  # A8: long range is 1 K
    roll = evening.throw("ability success -, proficiency -, difficulty - - -, setback -")
    assert effects(roll) == [("condition", {"set": 0})]  # 6 + 2 = 8: once
    evening.apply(roll, "Troll")
    # H02: a feat gives 2 and an ally 1: 2 B
    called = evening.call("Yara", "Bow", boosts=[2, 1], difficulty="average")
    assert called == {"ability": 2, "proficiency": 1, "boost": 2, "difficulty": 2}
    assert evening.throw("ability - -, proficiency -, boost success -, difficulty - -")["succeeded"]
    # Two D too few lie there; the call becomes what was thrown
    evening.call("Brand", "Athletics", difficulty="hard")
    roll = evening.throw("ability success success, proficiency -, difficulty failure")
    assert roll["short"] == {"difficulty": 2}
    assert left(evening.take(roll)) == {"success": 1}


def _track(evening: Evening) -> None:
    # H06: 1 A 2 P against 2 D on each row; H09: one A
    chances = (6455 / 9216, 3799 / 6144, 5573 / 10368, 10667 / 18432, 114493 / 221184)
    saves = (1 / 2, 3 / 8, 5 / 18, 11 / 32, 25 / 96)
    adds = ({}, {"setback": 1}, {"setback": 2}, {"difficulty": 1}, {"challenge": 1})
    for row, added in enumerate(adds):
        if row:
            evening.change("Brand", trackers={"condition": row})
        called = evening.call("Brand", "Blade", difficulty="average")
        wanted = {"ability": 1, "proficiency": 2, **added}
        assert called == {**wanted, "difficulty": 2 + added.get("difficulty", 0)}, CONDITIONS[row]
        assert evening.odds() == pytest.approx(chances[row], abs=1e-9)
        assert evening.call("Brand", purpose="save") == {"ability": 1, **added}
        assert evening.odds() == pytest.approx(saves[row], abs=1e-9)
    assert evening.throw("ability success, challenge -")["headline"] == "Saved"
    evening.call("Brand", purpose="save")
    assert evening.throw("ability success, challenge failure")["headline"] == "Not saved"


def _down(evening: Evening) -> None:
    # H07: crippled and staggered, 10 of 5 are two steps, past helpless: unconscious, with 1 stamina
    evening.change("Ogre", trackers={"condition": 4, "staggered": 1})
    evening.call("Brand", weapon="Sword", against="Ogre")  # crippled himself: 1 C more
    roll = evening.throw(
        "ability success, proficiency success success, difficulty -, challenge - - -"
    )  # fmt: skip
    assert effects(roll) == [("condition", {"set": 5})]  # 4 + 3 + 3 = 10
    assert evening.apply(roll, "Ogre") == ["Unconscious: 1 stamina left"]
    assert evening.refused("api/ask", {"who": evening.id_of("Ogre"), "weapon": "Club"})  # no actions
    # Unconscious: a step costs one stamina (A4), and with none left comes death
    evening.call("Brand", weapon="Sword", against="Ogre")
    roll = evening.throw("ability success, proficiency - -, difficulty -, challenge - - -")  # 8 of 5: one step
    assert evening.apply(roll, "Ogre") == ["Dead"]
    assert evening.tracker("Ogre", "stamina") == 0
    # Below the threshold nothing is felt
    evening.change("Troll", defences={"threshold": 9, "defense_abilities": [1]})
    assert evening.call("Yara", weapon="Bow", against="Troll")["difficulty"] == 1
    roll = evening.throw("ability success -, proficiency success, difficulty -")
    assert effects(roll) == []  # 3 + 2 + 2 = 7 of 9
    # Helpless awake: crippled, 5 of 5
    evening.change(
        "Troll", defences={"threshold": 7, "defense_abilities": [1]}, trackers={"condition": 4, "staggered": 1}
    )
    evening.call("Yara", weapon="Bow", against="Troll")
    roll = evening.throw("ability success -, proficiency success, difficulty -")
    assert evening.apply(roll, "Troll") == ["Helpless: no actions"]
    assert evening.tracker("Troll", "unconscious") == 0
    # A helpless one still saves: nothing is added on that row
    assert evening.call("Troll", purpose="save") == {"ability": 1}
    evening.throw("ability -")
    # H01, M11: all is upgraded, so a D joins: 1 D twice is 1 C, then 1 C 1 D
    called = evening.call("Yara", "Bow", difficulty="easy", upgrade_difficulty=2)
    assert called == {"ability": 2, "proficiency": 1, "challenge": 1, "difficulty": 1}
    # S + S against De (an F): 1 S, the De stays
    roll = evening.throw("ability success success, proficiency -, challenge despair, difficulty -")
    assert left(roll) == {"success": 1, "despair": 1}
    assert evening.call("Yara", "Vigilance", difficulty="simple") == {"ability": 3}
    assert not evening.throw("ability advantage - -")["succeeded"]  # no S at all


def _refused(evening: Evening) -> None:
    # H17: level 1 is 1 each and four points, none above 3
    cheat = {"name": "Cheat", "kind": "player", "defences": {"level": 1, "abilities": [4, 2, 1, 1, 1, 1]}}
    told = evening.refused("api/people", {"do": "add", "person": cheat})
    assert told == "these are no abilities of level 1"
    # H20: a grapple is against Athletics 3 and 1: 2 D 1 C; only who is grabbed is grappled, and held the harder
    evening.add("Wolf", "person", skills={"Athletics": {"ability": 3, "skill": 1}}, defences={"threshold": 5})
    body = {"who": evening.id_of("Yara"), "skill": "Bow", "against": evening.id_of("Wolf"),
            "against_skill": "Athletics", "ask": {"purpose": "attack", "power": "basic_grapple"}}  # fmt: skip
    assert evening.refused("api/ask", body) == "Wolf is not grabbed"
    evening.change("Wolf", trackers={"held": 1})
    pool = evening.gm("api/ask", body)["call"]["dice"]
    assert pool == {"ability": 2, "proficiency": 1, "difficulty": 2, "challenge": 1}
    roll = evening.throw("ability success -, proficiency -, difficulty - -, challenge -")
    assert effects(roll) == [("held", {"set": 2})]
    evening.apply(roll, "Wolf")
    assert evening.tracker("Wolf", "held") == 2
    # H04, H14: Reflex by the abilities, rank 1: 1 D 1 C
    bear = {"abilities": [4, 3, 2, 1, 1, 1], "defense": "reflex", "defense_ranks": {"reflex": 1}, "threshold_base": 4}
    evening.add("Bear", "person", defences=bear)
    called = evening.call("Yara", weapon="Bow", against="Bear")
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 1, "challenge": 1}
    # H12: no incidental twice in a turn
    evening.change("Yara", trackers={"condition": 2, "stamina": 3})
    evening.act("steady", "Yara")
    steady = {"act": "steady", "who": evening.id_of("Yara"), "ask": {}}
    assert evening.refused("api/acts", steady) == "no incidental twice in a turn"
