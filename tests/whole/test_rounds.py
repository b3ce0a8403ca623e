"""Three rounds in which attacks, reactions and what is bought for others come in any order, in every game.

What is right is kept beside, in a few dictionaries: who declared how much, who dodged for how much, who has which dice.
The first round passes by a tap, in the other two there is an order.
The power fails and a throw is taken back now and then.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.whole.evening import Evening, total

_ROUNDS, _ACTS = 3, 5
_FIGHTERS = {"Ann": "player", "Bo": "player", "Foe": "person"}
_CODES = {"Blaster": 5, "Dodge": 6}
_BASE = 6


@dataclass
class Round:
    """What is known of the round: actions and reactions on top that were declared, and what was dodged for."""

    actions: dict[str, int] = field(default_factory=dict)
    extra: Counter[str] = field(default_factory=Counter)
    dodged: dict[str, int] = field(default_factory=dict)

    def less(self, who: str) -> int:
        return self.actions.get(who, 1) - 1 + self.extra[who]


def throws(rnd: random.Random, pool: Counter[str]) -> str:
    """Return dice without a six, so that nothing is thrown again."""
    return ", ".join(f"{kind} {' '.join(str(rnd.randrange(2, 6)) for _ in range(n))}" for kind, n in pool.items() if n)


def count(text: str) -> int:
    return sum(int(word) for word in text.replace(",", "").split() if word.isdigit())


def rounds(evening: Evening) -> Iterator[None]:
    """Pass the rounds, one after each turn of the loop; from the second on there is an order."""
    for number in range(_ROUNDS):
        if number == 1:
            for name, kind in _FIGHTERS.items():
                side = "player" if kind == "player" else "npc"
                evening.gm("api/initiative", {"do": "add", "who": name, "side": side, "rank": [3]})
        yield
        now = evening.gm("api/state")["initiative"]
        if not now["slots"]:
            evening.act("round")
            continue
        for _ in range(40):
            if evening.gm("api/initiative", {"do": "next"})["initiative"]["round"] > now["round"]:
                break
        else:
            raise AssertionError(f"round {now['round']} does not end")


def thrown(evening: Evening, rnd: random.Random, pool: Counter[str]) -> tuple[dict[str, Any], int]:
    """Throw a pool of the call; sometimes the throw is taken back first, or the power fails."""
    text = throws(rnd, pool)
    if rnd.random() < 0.25:
        evening.throw(throws(rnd, pool))
        evening.undo()
    elif rnd.random() < 0.1:
        evening.power_fails()
    return evening.throw(text), count(text)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["d6-wild", "d6-companion"])
def test_reactions_hold_for_their_round_and_are_of_who_threw_them(tmp_path: Path, game: str) -> None:
    rnd = random.Random(game)
    with Evening(tmp_path, game) as evening:
        for name, kind in _FIGHTERS.items():
            skills = {skill: {"code": f"{dice}D"} for skill, dice in _CODES.items()} | {"Perception": {"code": "3D"}}
            gun = {"name": "Gun", "skill": "Blaster", "ask": {"range": "short", "difficulty": _BASE}}
            gun["ask"] = {name: value for name, value in gun["ask"].items() if game == "d6-wild" or name != "range"}
            evening.add(name, kind, skills=skills | {"Dexterity": {"code": "3D"}}, weapons=[gun])
        for _ in rounds(evening):
            now = Round()
            for _ in range(_ACTS):
                who, other = rnd.sample(list(_FIGHTERS), 2)
                ask: dict[str, int] = {}
                if who not in now.actions and rnd.random() < 0.4:
                    now.actions[who] = ask["actions"] = rnd.choice((2, 3))
                is_dodge = rnd.random() < 0.4
                if is_dodge and game == "d6-wild" and rnd.random() < 0.3 and not now.extra[who]:
                    now.extra[who] = ask["extra_reactions"] = 1
                if is_dodge:
                    pool = evening.call(who, "Dodge", **ask)
                    assert pool.total() == _CODES["Dodge"] - now.less(who)
                    _, now.dodged[who] = thrown(evening, rnd, pool)
                    continue
                pool = evening.call(who, weapon="Gun", against=other, **ask)
                assert pool.total() == _CODES["Blaster"] - now.less(who)
                roll, shown = thrown(evening, rnd, pool)
                reaction = now.dodged.get(other, _BASE)
                wanted = reaction if game == "d6-wild" else max(reaction, _BASE)
                assert (total(roll), roll["difficulty"], roll["succeeded"]) == (shown, wanted, shown >= wanted)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["narrative", "heroic"])
def test_what_is_bought_for_others_joins_their_next_check_alone(tmp_path: Path, game: str) -> None:
    rnd = random.Random(game)
    rated = {"narrative": {"characteristic": 2, "skill": 1}, "heroic": {"ability": 2, "skill": 1}}[game]
    with Evening(tmp_path, game) as evening:
        for name, kind in _FIGHTERS.items():
            evening.add(name, kind, skills={"Vigilance": rated, "Charm": rated})
        lent: Counter[str] = Counter()  # for the next ally, by whose it is
        own: Counter[str] = Counter()
        setbacks: Counter[str] = Counter()
        for _ in rounds(evening):
            for _ in range(_ACTS):
                who, other = rnd.sample(list(_FIGHTERS), 2)
                allies = [one for one in _FIGHTERS if one != who and _FIGHTERS[one] == _FIGHTERS[who]]
                pool = evening.call(who, rnd.choice(("Vigilance", "Charm")), against="", difficulty="easy")
                boosts = own[who] + sum(lent[one] for one in allies)
                wanted = {"boost": min(boosts, 1) if game == "heroic" else boosts, "setback": setbacks[who]}
                assert {name: pool[name] for name in wanted} == wanted, who
                text = "ability success, proficiency advantage+advantage, difficulty -"
                text += "".join(f", {kind} {' '.join('-' * pool[kind])}" for kind in ("boost", "setback") if pool[kind])
                if rnd.random() < 0.25:
                    evening.throw(text)
                    evening.undo()
                elif rnd.random() < 0.1:
                    evening.power_fails()
                roll = evening.throw(text)
                own[who] = setbacks[who] = 0
                for one in allies:
                    lent[one] = 0
                match rnd.randrange(3):
                    case 0:
                        evening.buy(roll, "boost_next_ally")
                        lent[who] += 1
                    case 1:
                        evening.buy(roll, "boost_next_ally", to=other)
                        own[other] += 1
                    case 2 if game == "narrative":
                        evening.buy(roll, "setback_target_next", to=other)
                        setbacks[other] += 1
