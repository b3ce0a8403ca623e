"""A fight with dice codes over HTTP: surprise, segments, haste, a knocked-out foe and the end of it all.

Numbers are worked out beside each step; names of rules are those of the reference text ``d6-companion.md``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.whole.evening import Evening, effects

BLASTER = {
    "name": "Blaster",
    "skill": "Blaster",
    "ask": {"about": "short"},
    "damage": {"code": "4D", "purpose": "damage"},
}
STUN = {
    "name": "Stun",
    "skill": "Blaster",
    "ask": {"about": "short"},
    "damage": {"code": "4D", "purpose": "stun_damage"},
}


def test_a_fight(tmp_path: Path) -> None:
    with Evening(tmp_path, "d6-companion") as evening:
        _meet(evening)
        _first_round(evening)
        _second_round(evening)
        _over(evening)


def act(evening: Evening, name: str, who: str, **ask: Any) -> None:
    evening.gm("api/acts", {"act": name, "who": evening.id_of(who), "ask": ask})


def turn(evening: Evening, **body: Any) -> tuple[int, int, str]:
    """Do something to the order, and return the round, the segment and whose turn it is."""
    order = evening.gm("api/initiative", body)["initiative"]
    current = next((slot["who"] for slot in order["slots"] if slot["id"] == order["current"]), "")
    return order["round"], order["segment"], current


def _meet(evening: Evening) -> None:
    skills = {"Blaster": {"code": "5D"}, "Dodge": {"code": "4D+2"}, "Strength": {"code": "3D+1"},
              "Dexterity": {"code": "3D+1"}, "Perception": {"code": "4D"}}  # fmt: skip
    evening.add("Rook", skills=skills, weapons=[BLASTER, STUN])
    skills = {"Blaster": {"code": "4D"}, "Strength": {"code": "2D+1"}, "Dexterity": {"code": "2D+2"},
              "Perception": {"code": "5D"}, "stamina": {"code": "6D"}}  # fmt: skip
    evening.add("Guard", "person", skills=skills, weapons=[BLASTER])
    evening.add("Droid", "person", skills={"Blaster": {"code": "3D"}, "Dexterity": {"code": "4D"}}, weapons=[BLASTER])
    # round_order: nothing is thrown; in segment 1 the lowest Dexterity declares first
    assert turn(evening, do="call", who="all") == (1, 0, "Guard")


def _first_round(evening: Evening) -> None:
    # surprise: 2 free haste; haste 3 is one paid level: 5D - 1D; with two shots 5D - 2D
    act(evening, "surprise", "Rook")
    act(evening, "declare", "Rook", haste=3)
    assert evening.call("Rook", weapon="Blaster", against="Guard") == {"pip": 4}
    assert evening.call("Rook", weapon="Stun", against="Guard", actions=2) == {"pip": 3}
    # segment 1 and 2, in which all declare, pass by one tap each: the highest first; then by haste: Rook
    assert [turn(evening, do="next")[1:] for _ in range(2)] == [(1, "Droid"), (2, "Rook")]
    assert evening.throw("pip 4 2 1")["succeeded"]  # 7; short is 6
    # 12 against a Strength of 2D+1, 3 + 2 + 1 = 6: at least twice, two stuns
    evening.call("Guard", "Strength")
    strength = evening.throw("pip 3 2")
    evening.call("Rook", damage="Stun", against=strength["id"])
    roll = evening.throw("pip 3 3 3 3")
    assert effects(roll) == [("stuns", 2)]
    # stun_track: Dexterity 2D+2 and two stuns: immobile, but 5D - 2D of Perception is left
    assert evening.apply(roll, "Guard") == ["Immobile: no skills of Dexterity"]
    assert evening.refused("api/ask", {"who": evening.id_of("Guard"), "weapon": "Blaster"}).startswith(
        "Guard cannot act"
    )
    assert evening.call("Guard", "Perception") == {"pip": 3}
    # a reaction: 1 + 2 + 2 + 2 pips = 7 for the Droid's shot, with haste 3 and now two actions: 4D+2 - 2D
    assert evening.call("Rook", "Dodge") == {"pip": 2}
    evening.throw("pip 1 4")
    evening.power_fails()
    evening.call("Droid", weapon="Blaster", against="Rook")
    roll = evening.throw("pip 2 2 2")
    assert (roll["difficulty"], roll["succeeded"]) == (7, False)
    # the Guard is passed: after the Droid the round is over
    assert turn(evening, do="next") == (1, 2, "Droid")
    assert turn(evening, do="next") == (2, 0, "Rook")


def _second_round(evening: Evening) -> None:
    # haste, surprise and the dodge are of the round before; the stuns still count for the Guard
    assert evening.call("Rook", "Blaster") == {"pip": 5}
    assert evening.call("Guard", "Perception") == {"pip": 3}
    evening.call("Droid", weapon="Blaster", against="Rook")
    assert evening.throw("pip 2 2 2")["difficulty"] == 6
    # the turn before is given back, and with it the round: surprised and hastened again
    turn_before = evening.running.table.state.turn_before
    evening.gm("api/undo", {"change": turn_before})
    assert evening.call("Rook", "Blaster") == {"pip": 3}
    assert turn(evening, do="next") == (2, 0, "Rook")


def _over(evening: Evening) -> None:
    # the fight is over in the middle of a round: no haste, no stun, no penalty is left
    act(evening, "declare", "Rook", haste=2)
    assert evening.call("Rook", "Blaster") == {"pip": 3}
    evening.gm("api/initiative", {"do": "clear"})
    assert evening.call("Rook", "Blaster") == {"pip": 5}
    assert evening.call("Guard", weapon="Blaster", against="Rook") == {"pip": 4}
    evening.undo()
    evening.undo()
    evening.undo()  # both calls, and the end
    assert evening.call("Rook", "Blaster") == {"pip": 3}
