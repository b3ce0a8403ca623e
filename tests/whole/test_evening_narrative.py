"""An evening with the symbol dice. The marks M01 to M33 are those of the reference text ``narrative.md``.

Shorthand in the comments: A ability, P proficiency, B boost, D difficulty, C challenge, K setback; S success,
F failure, Av advantage, Th threat, Tr triumph, De despair.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.evening import Evening, effects, left, total

RIFLE = {"attack": "ranged", "purpose": "attack", "range": "medium", "damage": 9, "critical": 3}
KNIFE = {"attack": "melee", "purpose": "attack", "range": "engaged", "weapon": "vibroknife"}


@pytest.mark.slow
def test_an_evening(tmp_path: Path) -> None:
    with Evening(tmp_path, "narrative") as evening:
        _arrivals(evening)
        _slicing(evening)
        _fight(evening)
        _criticals(evening)
        _mistakes(evening)
        _late(evening)


def _arrivals(evening: Evening) -> None:
    evening.add(
        "Oskara",
        skills={"Mechanics": {"characteristic": 2, "skill": 1}, "Ranged heavy": {"characteristic": 3, "skill": 2},
                "Cool": {"characteristic": 2, "skill": 1}},
        weapons=[{"name": "Carbine", "skill": "Ranged heavy", "ask": RIFLE}],
        defences={"soak": 3, "setback": 1},
        trackers={"wounds": {"value": 0, "most": 12}, "strain": {"value": 3, "most": 11}},
    )  # fmt: skip
    evening.add(
        "Vex",
        skills={"Computers": {"characteristic": 3, "skill": 2}, "Deception": {"characteristic": 3, "skill": 1},
                "Melee": {"characteristic": 3, "skill": 1}},
        weapons=[{"name": "Vibroknife", "skill": "Melee", "ask": KNIFE}],
        trackers={"wounds": {"value": 0, "most": 11}, "strain": {"value": 0, "most": 12}},
    )  # fmt: skip
    evening.add(
        "Guard", "person", skills={"Discipline": {"characteristic": 2, "skill": 1}},
        defences={"soak": 3}, trackers={"wounds": {"value": 0, "most": 10}},
    )  # fmt: skip
    evening.add(
        "Troopers", "group", members=4, skills={"Ranged heavy": {"characteristic": 3}, "Cool": {"characteristic": 3}},
        weapons=[{"name": "Carbine", "skill": "Ranged heavy", "ask": RIFLE}],
        defences={"soak": 5}, trackers={"wounds": {"value": 0, "most": 5}},
    )  # fmt: skip
    # M19: L, Dk Dk, Dk, L L: light 3, dark 3
    assert evening.call(purpose="destiny", players=4) == {"force": 4}
    roll = evening.throw("force light dark+dark dark light+light")
    evening.gm("api/destiny", {"do": "set", "from_roll": roll["id"]})
    assert evening.destiny == (3, 3)


def _slicing(evening: Evening) -> None:
    # M05: 2 and 1 are 1 A 1 P. M06: average 2 D. Section 9: 50.20 %
    assert evening.call("Oskara", "Mechanics", difficulty="average") == {
        "ability": 1,
        "proficiency": 1,
        "difficulty": 2,
    }
    assert evening.odds() == pytest.approx(0.5020, abs=5e-5)
    # S + S Av against Th and a blank: 2 S, 1 Av - 1 Th = 0
    assert left(evening.throw("ability success, proficiency success+advantage, difficulty threat -")) == {"success": 2}

    # 3 and 2: 1 A 2 P against 2 D, 70.04 %. M21: a helping hand makes 3 P, 74.55 %; M20: light 3 dark 3 becomes 2 and 4
    assert evening.call("Vex", "Computers", difficulty="average") == {"ability": 1, "proficiency": 2, "difficulty": 2}
    assert evening.odds() == pytest.approx(0.7004, abs=5e-5)
    assert evening.flip("light") == {"proficiency": 3, "difficulty": 2}
    assert evening.odds() == pytest.approx(0.7455, abs=5e-5)
    assert evening.destiny == (2, 4)
    evening.power_fails()  # between the point and the throw
    # S S and Av Av against F and Th: 2 - 1 = 1 S, 2 - 1 = 1 Av
    roll = evening.throw("proficiency success+success advantage+advantage -, difficulty failure threat")
    assert left(roll) == {"success": 1, "advantage": 1}
    evening.buy(roll, "boost_next_ally", to="Oskara")  # section 10: 1 Av, B to the next ally
    assert evening.carried("Oskara") == [{"boost": 1}]
    assert not any(evening.spends(roll).values())

    # Hard is 3 D; the carried B lies in it. M21: raising the stakes makes one D a C; dark 4 gives 3 and 3
    called = evening.call("Oskara", "Mechanics", difficulty="hard")
    assert called == {"ability": 1, "proficiency": 1, "boost": 1, "difficulty": 3}
    assert evening.flip("dark") == {"ability": 1, "proficiency": 1, "boost": 1, "difficulty": 2, "challenge": 1}
    assert evening.destiny == (3, 3)
    # M03: S, S, S against De (an F) : 3 - 1 = 2 S, and the De stays
    roll = evening.throw("boost success, ability success, proficiency success, challenge despair, difficulty - -")
    assert left(roll) == {"success": 2, "despair": 1}
    assert evening.player.refused(
        f"api/rolls/{roll['id']}/spends", {"name": "tool_damaged"}
    ).startswith("threats and despairs")  # fmt: skip
    evening.buy(roll, "upgrade_difficulty_own_side_next", by="gm")

    # M11: 1 D upgraded once is 1 C
    assert evening.call("Oskara", "Mechanics", difficulty="easy") == {"ability": 1, "proficiency": 1, "challenge": 1}
    # Tr counts as S: 1 S; 2 Av - 1 Th = 1 Av; the Tr stays
    roll = evening.throw("ability advantage+advantage, proficiency triumph, challenge threat")
    assert left(roll) == {"success": 1, "advantage": 1, "triumph": 1}
    evening.buy(roll, "recover_strain", of="advantage")
    assert evening.tracker("Oskara", "strain") == 2  # 3 less 1
    evening.buy(roll, "upgrade_ally_next", of="triumph", to="Vex")

    # 1 A 2 P upgraded once: 3 P. S S S against F F and F: 0, which is no success (D8)
    assert evening.call("Vex", "Computers", difficulty="average") == {"proficiency": 3, "difficulty": 2}
    roll = evening.throw("proficiency success success success, difficulty failure+failure failure")
    assert (left(roll), roll["succeeded"]) == ({}, False)

    # M15: 3 and 1 are 2 A 1 P; Discipline 2 and 1 resists Deception with 1 D 1 C
    called = evening.call("Vex", "Deception", against="Guard")
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 1, "challenge": 1}
    # S, S S against F: 2 S; Th Th
    roll = evening.throw("ability success -, proficiency success+success, difficulty failure, challenge threat+threat")
    assert left(roll) == {"success": 2, "threat": 2}
    evening.buy(roll, "suffer_strain", by="gm")
    evening.buy(roll, "suffer_strain", by="gm")
    assert evening.tracker("Vex", "strain") == 2


def _fight(evening: Evening) -> None:
    # Section 10: by successes, then advantages, players first on a tie. 3 more than the first are 3 ranks: 3 P
    assert evening.call("Oskara", "Cool", purpose="initiative") == {"ability": 1, "proficiency": 1}
    first = evening.throw("ability success, proficiency success+advantage")
    assert evening.call("Troopers", "Cool", purpose="initiative") == {"proficiency": 3}
    second = evening.throw("proficiency success success advantage")
    evening.gm("api/initiative", {"do": "add", "side": "npc", "roll": second["id"]})
    order = evening.gm("api/initiative", {"do": "add", "side": "player", "roll": first["id"]})["initiative"]["slots"]
    assert [slot["side"] for slot in order] == ["player", "npc"]

    # M08: medium is 2 D. S + S S = 3 S, 2 Av - 1 Th = 1 Av. M26: 9 + 3 = 12, less a soak of 5 = 7
    called = evening.call("Oskara", weapon="Carbine", against="Troopers")
    assert called == {"ability": 1, "proficiency": 2, "difficulty": 2}
    roll = evening.throw("ability success, proficiency success+success advantage+advantage, difficulty threat -")
    assert effects(roll) == [("wounds", 7)]
    evening.power_fails()  # between the throw and the wounds
    assert evening.apply(roll, "Troopers") == ["1 of them falls"]  # 7 is beyond 5 once
    assert (evening.tracker("Troopers", "wounds"), evening.standing("Troopers")) == (7, 3)

    # 3 stand: rank 2, so 1 A 2 P; 2 D; Oskara's defence is 1 K. S S - F = 1 S; 9 + 1 - 3 = 7
    called = evening.call("Troopers", weapon="Carbine", against="Oskara")
    assert called == {"ability": 1, "proficiency": 2, "difficulty": 2, "setback": 1}
    roll = evening.throw(
        "ability success, proficiency success advantage+advantage, difficulty threat -, setback failure"
    )
    assert effects(roll) == [("wounds", 7)]
    assert evening.apply(roll, "Oskara") == []
    assert evening.tracker("Oskara", "wounds") == 7  # of 12

    # S S + S + S = 4 S: 13 - 3 = 10, and 17 is beyond 12
    evening.call("Troopers", weapon="Carbine", against="Oskara")
    roll = evening.throw("ability success+success, proficiency success success, difficulty - -, setback -")
    assert effects(roll) == [("wounds", 10)]
    assert evening.apply(roll, "Oskara") == ["A critical injury"]
    assert evening.tracker("Oskara", "wounds") == 17

    # A miss: S against F F
    evening.call("Troopers", weapon="Carbine", against="Oskara")
    roll = evening.throw("ability success, proficiency - -, difficulty failure failure, setback -")
    assert (effects(roll), roll["succeeded"]) == ([], False)


def _criticals(evening: Evening) -> None:
    rows = [{"from": 1, "to": 30, "words": "Nick"}, {"from": 31, "to": 60, "words": "Slash"},
            {"from": 61, "to": 200, "words": "Crippled"}]  # fmt: skip
    evening.gm("api/tables", {"name": "Critical injuries", "dice": "d100", "rows": rows})
    # M24: tens 2, ones 7: 27; she has none yet
    evening.call(against="Oskara", purpose="critical", table="Critical injuries", label="Critical")
    roll = evening.throw("d100 20, d10 7")
    assert (total(roll), roll["row"]) == (27, "Nick")
    evening.apply(roll, "Oskara")
    assert evening.tracker("Oskara", "critical_injuries") == 1

    # 3 and 1: 2 A 1 P; M08: engaged is 2 D. 2 S, 3 Av - 1 Th = 2 Av
    # M32: vibroknife 3, critical 2, Pierce 2, Vicious 1: 3 + 2 = 5, less 3 - 2 = 1 of the soak: 4
    called = evening.call("Vex", weapon="Vibroknife", against="Guard")
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 2}
    roll = evening.throw("ability success success+advantage, proficiency advantage+advantage, difficulty threat -")
    assert (effects(roll), left(roll)) == ([("wounds", 4)], {"success": 2, "advantage": 2})
    evening.buy(roll, "critical_hit")  # M27: a rating of 2 with 2 Av
    assert not any(evening.spends(roll).values())
    evening.apply(roll, "Guard")
    follow = evening.roll(roll["id"])["bought"][0]["follow"]["ask"]
    # Vicious 1 adds 10. M24: 4-0 is 40; 50 with it
    evening.call(against="Guard", table="Critical injuries", label="Critical", **follow)
    roll = evening.throw("d100 40, d10 0")
    assert (total(roll), roll["row"]) == (50, "Slash")
    evening.apply(roll, "Guard")
    # One injury adds 10: 0-0 is 100, 110 with it
    evening.call(against="Guard", purpose="critical", table="Critical injuries", label="Critical")
    roll = evening.throw("d100 00, d10 0")
    assert (total(roll), roll["row"]) == (110, "Crippled")
    evening.apply(roll, "Guard")
    assert evening.tracker("Guard", "critical_injuries") == 2


def _mistakes(evening: Evening) -> None:
    # 17 of 12 is out of the fight; a stimpack heals 5, and 12 is not beyond 12
    call = {"who": evening.id_of("Oskara"), "skill": "Mechanics", "ask": {"difficulty": "average"}}
    assert "Oskara cannot act" in evening.refused("api/ask", call)
    evening.act("stimpack", "Oskara")
    assert evening.tracker("Oskara", "wounds") == 12
    # One D too few lies there. S + S = 2 S, Th
    evening.call("Oskara", "Mechanics", difficulty="average")
    roll = evening.throw("ability success, proficiency success, difficulty threat")
    assert (roll["short"], roll["succeeded"]) == ({"difficulty": 1}, None)
    roll = evening.take(roll)
    assert (roll["short"], roll["succeeded"], left(roll)) == ({}, True, {"success": 2, "threat": 1})

    # 1 S at 9 is 10; less 5 is 5. With a soak of 2 it is 8
    evening.call("Oskara", weapon="Carbine", against="Troopers")
    roll = evening.throw("ability success, proficiency - -, difficulty - -")
    assert effects(roll) == [("wounds", 5)]
    roll = evening.ask_anew(roll, soak=2)
    assert effects(roll) == [("wounds", 8)]
    evening.undo()
    assert effects(evening.roll(roll["id"])) == [("wounds", 5)]
    assert evening.apply(roll, "Troopers") == ["1 of them falls"]  # 12 is beyond 10
    evening.undo()
    assert evening.standing("Troopers") == 3
    evening.apply(roll, "Troopers")
    evening.apply(roll, "Troopers")  # another phone: it counts once
    assert (evening.tracker("Troopers", "wounds"), evening.standing("Troopers")) == (12, 2)

    # M18: 5 D, and a light point: 3 and 3 become 2 and 4. No helping hand on it
    called = evening.call("Vex", "Computers", difficulty="impossible")
    assert called == {"ability": 1, "proficiency": 2, "difficulty": 5}
    assert evening.destiny == (2, 4)
    assert evening.refused("api/destiny", {"do": "spend", "side": "light"})
    evening.undo()  # nobody rolls for it
    assert evening.destiny == (3, 3)


def _late(evening: Evening) -> None:
    # M16: 3 and 2 with 2 and 3: the lowest are 2 and 2, 2 P
    assert evening.call("Vex", "Computers", second_characteristic=2, second_skill=3) == {"proficiency": 2}
    assert left(evening.throw("proficiency success triumph")) == {"success": 2, "triumph": 1}

    # M14: Adversary 2: 2 D become 2 C. With one more: 2 C 1 D; dark 3 gives 4 and 2
    evening.add("Captain", "person", defences={"adversary": 2, "soak": 4})
    called = evening.call("Oskara", weapon="Carbine", against="Captain")
    assert called == {"ability": 1, "proficiency": 2, "challenge": 2}
    assert evening.flip("dark") == {"ability": 1, "proficiency": 2, "challenge": 2, "difficulty": 1}
    assert evening.destiny == (4, 2)
    # S S - F F - De = -1: a miss, 3 S are needed
    roll = evening.throw("ability success, proficiency success -, challenge failure+failure despair, difficulty -")
    assert (left(roll), roll["succeeded"]) == ({"failure": 1, "despair": 1}, False)

    # Long is 3 D: 2 C 1 D. Tr is an S: 9 + 1 - 4 = 6
    called = evening.call("Oskara", weapon="Carbine", against="Captain", range="long")
    assert called == {"ability": 1, "proficiency": 2, "challenge": 2, "difficulty": 1}
    roll = evening.throw("ability -, proficiency triumph -, challenge - -, difficulty -")
    assert effects(roll) == [("wounds", 6)]
    assert evening.spends(roll)["critical_hit"]  # M27: one Tr, whatever the rating
    evening.apply(roll, "Captain")

    # M10: 1 D, upgraded twice, downgraded once: 2 D
    called = evening.call(
        "Oskara", "Mechanics", difficulty="easy", upgrade_difficulty=2, downgrade_difficulty=1
    )  # fmt: skip
    assert called == {"ability": 1, "proficiency": 1, "difficulty": 2}
    assert left(evening.throw("ability -, proficiency advantage, difficulty - -")) == {"advantage": 1}

    # M23: a 0 alone is 10. M24: tens 0, ones 7: 7
    assert total(evening.throw("d10 0")) == 10
    assert total(evening.throw("d100 00, d10 7")) == 7

    # Strain at its threshold is no more than that; one more is beyond it. Threats: 1 each
    evening.change("Vex", trackers={"strain": 11})
    evening.call("Vex", "Computers", difficulty="easy")
    roll = evening.throw("ability success, proficiency success -, difficulty threat+threat")
    evening.buy(roll, "suffer_strain", by="gm")
    assert evening.tracker("Vex", "strain") == 12
    evening.buy(roll, "suffer_strain", by="gm")
    assert evening.tracker("Vex", "strain") == 13
    evening.change("Vex", trackers={"strain": 0})  # who is beyond it is out
    # M12: no C is left, so that nothing is downgraded
    assert evening.call("Vex", "Computers", difficulty="easy", downgrade_difficulty=1)["difficulty"] == 1
    evening.throw("ability -, proficiency - -, difficulty failure")
    # M09: two helps and one hindrance are B B K, none cancels another
    called = evening.call("Vex", "Computers", boost=2, setback=1)
    assert called == {"ability": 1, "proficiency": 2, "boost": 2, "setback": 1}
    evening.throw("ability -, proficiency - -, boost - -, setback -")
    evening.leaves("Guard")
    # section 10: skilled help uses the best of both: 3 and 3
    assert evening.call("Vex", "Computers", helper_characteristic=1, helper_skill=3) == {"proficiency": 3}
    evening.throw("proficiency - - success")
    # section 10: both roll the same task, and most net successes win: 2 against 1
    hard = {"difficulty": "hard"}
    evening.call("Oskara", "Mechanics", **hard)
    hers = evening.throw("ability success, proficiency success, difficulty - - -")
    evening.call("Vex", "Computers", **hard)
    his = evening.throw("ability success, proficiency - success, difficulty failure - -")
    assert (left(hers), left(his)) == ({"success": 2}, {"success": 1})
    assert evening.standing("Troopers") == 2
    # a dark point costs a strain, and turns a light point, while there is one
    evening.add("Kesh", trackers={"strain": {"value": 0, "most": 9}, "committed": {"value": 0, "most": 2}})
    evening.gm("api/destiny", {"do": "set", "light": 0, "dark": 3})
    evening.call("Kesh", purpose="force")
    roll = evening.throw("force light dark+dark")
    told = evening.refused(f"api/rolls/{roll['id']}/spends", {"name": "use_costly_point"})
    assert told == "there is no light point left"
    evening.gm("api/destiny", {"do": "set", "light": 1, "dark": 2})
    evening.buy(roll, "use_costly_point")
    assert (evening.destiny, evening.tracker("Kesh", "strain")) == ((0, 3), 1)
