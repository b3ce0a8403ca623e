"""A narrative social scene with a group check, from an empty table to its end, each number worked out beside it.

Shorthand as in ``narrative.md``: A ability, P proficiency, B boost, D difficulty, C challenge, K setback; S success,
F failure, Av advantage, Th threat, De despair.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.whole.evening import Evening, effects, left


def test_a_social_scene(tmp_path: Path) -> None:
    with Evening(tmp_path, "narrative") as evening:
        _arrive(evening)
        _together(evening)
        _bargain(evening)
        _threatened(evening)
        _afterwards(evening)


def act(evening: Evening, name: str, who: str = "") -> None:
    evening.gm("api/acts", {"act": name, "who": evening.id_of(who) if who else ""})


def _skill(characteristic: int, ranks: int, used: str = "") -> dict[str, Any]:
    return {"characteristic": characteristic, "skill": ranks} | ({"skill_used": used} if used else {})


def _arrive(evening: Evening) -> None:
    # M19: two players throw L and Dk Dk: 1 light, 2 dark
    evening.call(purpose="destiny", players=2, label="Destiny")
    evening.gm("api/destiny", {"do": "set", "from_roll": evening.throw("force light dark+dark")["id"]})
    assert evening.destiny == (1, 2)
    evening.add(
        "Oskara",
        skills={"Leadership": _skill(3, 1, "leadership"), "Discipline": _skill(2, 1, "discipline"),
                "Streetwise": _skill(2, 2)},
        trackers={"wounds": {"value": 0, "most": 12}, "strain": {"value": 0, "most": 11}, "committed": {"most": 2}},
    )  # fmt: skip
    evening.add("Vex", skills={"Streetwise": _skill(3, 1), "Medicine": _skill(3, 2)})
    evening.add("Captain", "person", skills={"Discipline": _skill(3, 2), "Coercion": _skill(2, 2)})


def _together(evening: Evening) -> None:
    # one leads, the other helps: the best of 2 2 and 3 1 is 3 2: 1 A 2 P
    body = {"who": evening.id_of("Oskara"), "skill": "Streetwise", "helpers": [evening.id_of("Vex")],
            "ask": {"difficulty": "average"}}  # fmt: skip
    assert evening.gm("api/ask", body)["call"]["dice"] == {"ability": 1, "proficiency": 2, "difficulty": 2}
    # S + S Av - F = 1 S; Av - Th = 0: they find the captain
    roll = evening.throw("ability success, proficiency success+advantage -, difficulty failure threat")
    assert left(roll) == {"success": 1}
    # each for themselves: who hears more? 1 S against 2 S
    body = {"who": evening.id_of("Oskara"), "skill": "Streetwise", "others": [evening.id_of("Vex")],
            "ask": {"difficulty": "easy"}}  # fmt: skip
    evening.gm("api/ask", body)
    first = evening.throw("proficiency success -, difficulty -")
    second = evening.throw("ability success success, proficiency -, difficulty -")
    assert (first["by"], second["by"]) == ("Oskara", "Vex")
    ranked = evening.gm("api/state")["contest"]["places"]
    assert [one["name"] for one in ranked] == ["Vex", "Oskara"]


def _bargain(evening: Evening) -> None:
    # Leadership 3 1 against the captain's Discipline 3 2: 2 A 1 P 1 D 2 C; a light point makes 1 A 2 P of 2 A 1 P
    called = evening.call("Oskara", "Leadership", against="Captain")
    assert called == {"ability": 2, "proficiency": 1, "difficulty": 1, "challenge": 2}
    assert evening.flip("light") == {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 2}
    assert evening.destiny == (0, 3)
    # S + S S + Av Av - F - Th = 2 S 1 Av: bystanders are swayed (M30)
    roll = evening.throw(
        "ability success, proficiency success+success advantage+advantage, difficulty failure, challenge threat -"
    )
    assert left(roll) == {"success": 2, "advantage": 1}
    evening.buy(roll, "affects_bystanders")
    assert evening.spends(roll)["support_lasts_more_scenes_or_more_effective"]


def _threatened(evening: Evening) -> None:
    # Coercion 2 2 against Discipline 2 1: 2 P 1 D 1 C
    assert evening.call("Captain", "Coercion", against="Oskara") == {
        "proficiency": 2, "difficulty": 1, "challenge": 1,
    }  # fmt: skip
    evening.throw("proficiency success success, difficulty -, challenge -")
    # a hard fear check: 1 A 1 P 3 D; S - F F = -1: afraid
    assert evening.call("Oskara", "Discipline", purpose="fear", difficulty="hard") == {
        "ability": 1, "proficiency": 1, "difficulty": 3,
    }  # fmt: skip
    roll = evening.throw("ability success, proficiency -, difficulty failure+failure - -")
    assert (roll["headline"], effects(roll)) == ("Afraid", [("fear", {"set": 1})])
    evening.apply(roll, "Oskara")
    # a setback die lies in the next check
    assert evening.call("Oskara", "Streetwise", difficulty="easy") == {
        "proficiency": 2, "difficulty": 1, "setback": 1,
    }  # fmt: skip
    evening.throw("proficiency success -, difficulty -, setback -")
    # a Force power: the rating of 2 less the committed die; L L is 2 points
    act(evening, "commit", "Oskara")
    assert evening.call("Oskara", purpose="force") == {"force": 1}
    assert evening.throw("force light+light")["headline"] == "2 Force points"
    act(evening, "release", "Oskara")
    # 2 dice: L and Dk Dk. A dark point costs 1 strain, and turns a light point, of which there is none left
    evening.call("Oskara", purpose="force")
    roll = evening.throw("force light dark+dark")
    assert evening.refused(f"api/rolls/{roll['id']}/spends", {"name": "use_costly_point"}) == (
        "there is no light point left"
    )
    evening.gm("api/destiny", {"do": "spend", "side": "dark"})
    assert evening.destiny == (1, 2)
    evening.buy(roll, "use_costly_point")
    evening.buy(evening.roll(roll["id"]), "use_costly_point")
    assert evening.destiny == (0, 3)
    assert (evening.tracker("Oskara", "strain"), evening.tracker("Oskara", "conflict")) == (2, 2)
    assert evening.roll(roll["id"])["headline"] == "3 Force points"


def _afterwards(evening: Evening) -> None:
    act(evening, "encounter")
    assert evening.tracker("Oskara", "fear") == 0
    # 7 of 12 wounds are more than half: average. S S + S - F = 2 S; Av = 1
    evening.change("Oskara", trackers={"wounds": 7})
    assert evening.call("Vex", "Medicine", against="Oskara", purpose="medicine")["difficulty"] == 2
    roll = evening.throw("ability success+success, proficiency success advantage, difficulty failure -")
    assert effects(roll) == [("wounds", -2)]  # the strain goes with it
    evening.apply(roll, "Oskara", 0)
    assert (evening.tracker("Oskara", "wounds"), evening.tracker("Oskara", "strain")) == (5, 1)
    act(evening, "night", "Oskara")
    assert (evening.tracker("Oskara", "wounds"), evening.tracker("Oskara", "strain")) == (4, 0)
