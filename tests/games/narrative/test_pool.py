from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.games.narrative import GAME
from tableside.games.narrative.checks import TURNS
from tableside.games.narrative.combat import hit_damage
from tableside.games.narrative.numbered import d10, d100, face_of_number
from tableside.games.narrative.pool import Pool, Rating, combined, level_pool, range_level
from tests.rules.case import Waiting, names_of

POOLS = st.builds(Pool, **dict.fromkeys(("ability", "proficiency", "difficulty", "challenge"), st.integers(0, 6)))
SIDES = st.sampled_from(["ability", "difficulty"])


def upgraded_one_by_one(low: int, high: int, times: int) -> tuple[int, int]:
    for _ in range(times):
        low, high = (low - 1, high + 1) if low else (1, high)
    return low, high


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 12))
def test_many_upgrades_are_one_upgrade_many_times(low: int, high: int, times: int) -> None:
    pool = Pool(difficulty=low, challenge=high).upgrade("difficulty", times)
    assert (pool.difficulty, pool.challenge) == upgraded_one_by_one(low, high, times)


@given(POOLS, SIDES, st.integers(0, 12))
def test_an_upgrade_leaves_the_other_side_alone_and_takes_no_die_away(pool: Pool, side: str, times: int) -> None:
    after = pool.upgrade(side, times)
    assert len(after) >= len(pool)
    other = ("difficulty", "challenge") if side == "ability" else ("ability", "proficiency")
    assert [getattr(after, name) for name in other] == [getattr(pool, name) for name in other]


@given(POOLS, SIDES, st.integers(0, 12))
def test_a_downgrade_keeps_the_number_of_dice(pool: Pool, side: str, times: int) -> None:
    assert len(pool.downgrade(side, times)) == len(pool)


@given(st.integers(0, 8), st.integers(0, 8))
def test_characteristic_and_skill_may_change_places(characteristic: int, skill: int) -> None:
    straight = Rating(characteristic=characteristic, skill=skill).pool()
    assert straight == Rating(characteristic=skill, skill=characteristic).pool()
    assert len(straight) == max(characteristic, skill)


def test_changes_are_made_in_the_order_of_the_rules() -> None:
    wanted = GAME.tray({"dice": {"difficulty": 1}, "upgrade_difficulty": 2, "downgrade_difficulty": 1})
    assert dict(wanted.dice) == {"difficulty": 2}


def test_a_zero_is_ten_alone_and_zero_in_a_pair() -> None:
    assert (d10(0), d100(0, 0), d100(4, 0), d100(0, 7)) == (10, 100, 40, 7)


def test_a_miss_has_no_damage() -> None:
    assert hit_damage(9, 0) is None
    assert hit_damage(9, 2) == 11


def test_initiative_goes_by_success_then_advantage_then_players_first() -> None:
    slots = [
        Waiting(name="raider", rank=(1, 2)),
        Waiting(name="pilot", rank=(1, 2), is_player=True),
        Waiting(name="medic", rank=(2, -1), is_player=True),
        Waiting(name="droid", rank=(1, 3), is_player=True),
    ]
    assert names_of(TURNS, slots) == ["medic", "droid", "pilot", "raider"]
    assert TURNS.rank({"success": 0, "failure": 2, "advantage": 1, "threat": 0}, {}) == (-2, 1)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Pool(ability=-1), "-1 ability dice cannot be thrown"),
        (lambda: Pool.of({"abilty": 1}), "Did you mean ability"),
        (lambda: Pool().upgrade("dificulty"), "Did you mean difficulty"),
        (lambda: Pool().upgrade("ability", -1), "-1 times"),
        (lambda: Rating(characteristic=-2), "characteristic is -2"),
        (lambda: combined([]), "no skill was given"),
        (lambda: level_pool("averge"), "Did you mean average"),
        (lambda: range_level("ranged", "engaged"), "no ranged attack at range 'engaged'"),
        (lambda: range_level("melee", "engaged", ruleset="cor"), "Did you mean core"),
        (lambda: d10(10), "10 is not on the die"),
        (lambda: face_of_number("ability", 9), "It has the numbers 1 to 8"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()
