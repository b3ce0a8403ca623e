"""Odds of the D6 games against throwing every throw there is."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from tableside.errors import BadAsk
from tableside.games.d6_wild.odds import FIRST_ONE, wild_odds
from tableside.rules import find_game
from tableside.rules.odds import PLAIN, capped_die, sum_without_highest, totals
from tests.rules.asks import pips, wild

COMPANION, WILD = find_game("d6-companion"), find_game("d6-wild")
FACES = range(1, 7)


def throws(count: int) -> Iterator[tuple[int, ...]]:
    return itertools.product(FACES, repeat=count)


def chains(upto: int) -> dict[int, Fraction]:
    """Return the chance of each sum of a die that is thrown again after a six, followed as far as the sum matters."""
    found: dict[int, Fraction] = {}
    sixes = 0
    while 6 * sixes <= upto:
        found |= {6 * sixes + face: Fraction(1, 6 ** (sixes + 1)) for face in range(1, 6)}
        sixes += 1
    return found


def wild_slowly(ordinary: int, points: int, first_one: str, upto: int) -> dict[int, Fraction]:
    """Return the chance of each total up to a number, one throw after the other."""
    found: Counter[int] = Counter()
    for faces in throws(ordinary):
        for ends in itertools.product(chains(upto).items(), repeat=1 + points):
            total, chance = sum(faces), Fraction(1, 6**ordinary)
            for value, share in ends:
                total, chance = total + value, chance * share
            if ends[0][0] == 1 and first_one in ("nothing", "highest"):
                total -= 1 + (max(faces, default=0) if first_one == "highest" else 0)
            if total <= upto:
                found[total] += chance
    return dict(found)


@pytest.mark.parametrize("cap", FACES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_totals_under_a_cap_are_those_of_every_throw(count: int, cap: int) -> None:
    every = Counter(sum(face for face in faces if face <= cap) for faces in throws(count))
    found = totals((capped_die(cap), count))
    assert dict(found.ways) == dict(every)
    assert found.denominator == 6**count


@pytest.mark.parametrize(("count", "taken"), [(1, 2), (2, 2), (3, 2)])
def test_what_uncertainty_takes_off_is_counted_throw_by_throw(count: int, taken: int) -> None:
    every = Counter(sum(faces[:count]) - sum(faces[count:]) for faces in throws(count + taken))
    found = totals((PLAIN, count)).less(totals((PLAIN, taken)))
    assert dict(found.ways) == dict(every)


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_taking_away_the_highest_is_counted_throw_by_throw(count: int) -> None:
    assert sum_without_highest(count) == Counter(sum(faces) - max(faces, default=0) for faces in throws(count))


@pytest.mark.parametrize("first_one", FIRST_ONE)
@pytest.mark.parametrize(("dice", "points"), [(1, 0), (2, 0), (3, 0), (1, 1), (2, 1), (1, 2)])
def test_wild_totals_are_those_of_every_throw(dice: int, points: int, first_one: str) -> None:
    upto = 26
    found = wild_odds(dice, points=points, first_one=first_one).all
    slowly = wild_slowly(dice - 1, points, first_one, upto)
    assert {total: found.chance(total) for total in found.ways if total <= upto} == slowly
    for number in range(upto + 2):
        assert found.at_least(number) == 1 - sum(share for total, share in slowly.items() if total < number)


@pytest.mark.parametrize("most", [1, 2])
def test_the_odds_of_a_wild_die_that_is_thrown_so_often_at_most_are_those_of_every_throw(most: int) -> None:
    ask = {"code": "2D", "difficulty": 12, "wild_throws": most}
    chance = Fraction(0)
    for plain, first, again in throws(3):
        made = [[*pips(plain), wild(first)], *([[wild(again)]] if first == 6 and most == 2 else [])]
        outcome = WILD.play(made, ask)
        assert outcome.awaits is None
        chance += Fraction(bool(outcome.succeeded), 216)
    odds = dict(WILD.odds(ask).chances)
    assert odds["success"] == chance
    assert odds["wild_again"] == (0 if most == 1 else Fraction(1, 6))


@pytest.mark.parametrize("first_one", FIRST_ONE)
def test_success_with_a_complication_is_a_part_of_success(first_one: str) -> None:
    odds = wild_odds(3, 1, first_one=first_one)
    for difficulty in range(20):
        both = odds.success_with_complication(difficulty)
        ones = [sum(faces) for faces in throws(2)]
        highest = [max(faces) for faces in throws(2)]
        taken = {"counts": [0] * 36, "nothing": [1] * 36, "highest": [1 + top for top in highest]}.get(first_one)
        reached = sum(total + 1 + 1 - off >= difficulty for total, off in zip(ones, taken or ones, strict=True))
        assert both == (Fraction(reached, 216) if taken else 0)
        assert both <= odds.success(difficulty)


def test_a_random_difficulty_is_weighed_throw_by_throw() -> None:
    odds = WILD.odds({"code": "2D", "band": "easy", "random": True})
    wild_only = wild_slowly(1, 0, "counts", 24)
    slowly = sum(
        Fraction(1, 36) * (1 - sum(share for total, share in wild_only.items() if total < sum(gm))) for gm in throws(2)
    )
    assert dict(odds.chances)["success"] == slowly


@pytest.mark.parametrize("ask", [{}, {"cap": 4}, {"more_than": True}, {"add": "1D+1"}, {"actions": 2}])
def test_the_odds_of_a_code_are_what_the_game_says_of_every_throw(ask: dict[str, object]) -> None:
    whole = {"code": "2D+1", "difficulty": 7} | ask
    wanted = COMPANION.tray(whole)
    outcomes = [COMPANION.play((pips(*faces),), whole).succeeded for faces in throws(wanted.count)]
    assert dict(COMPANION.odds(whole).chances)["success"] == Fraction(outcomes.count(True), len(outcomes))


def test_the_odds_under_uncertainty_are_what_the_game_says_of_both_throws() -> None:
    ask = {"code": "1D", "uncertainty": 2, "difficulty": 3, "cap": 5}
    every = Counter((*sorted(faces[:3]), *sorted(faces[3:])) for faces in throws(5))  # their order never matters
    won = sum(n for faces, n in every.items() if COMPANION.play((pips(*faces[:3]), pips(*faces[3:])), ask).succeeded)
    assert dict(COMPANION.odds(ask).chances)["success"] == Fraction(won, 6**5)


def test_the_odds_of_a_missile_are_what_the_game_says_of_both_throws() -> None:
    ask = {"code": "2D", "missile": 1, "difficulty": 4}
    outcomes = [COMPANION.play((pips(*faces[:2]), pips(faces[2])), ask).succeeded for faces in throws(3)]
    assert dict(COMPANION.odds(ask).chances)["success"] == Fraction(outcomes.count(True), 6**3)


@pytest.mark.parametrize("first_one", FIRST_ONE)
def test_the_odds_with_a_wild_die_are_what_the_game_says_of_every_throw(first_one: str) -> None:
    ask = {"code": "3D", "difficulty": 13, "first_one": first_one}
    chance = Fraction(0)
    for faces in throws(3):
        outcome = WILD.play(([*pips(*faces[:2]), wild(faces[2])],), ask)
        if outcome.succeeded:
            chance += Fraction(1, 216)
        elif outcome.awaits:
            for again in range(1, 6):
                second = WILD.play(([*pips(*faces[:2]), wild(6)], [wild(again)]), ask).succeeded
                chance += Fraction(bool(second), 216 * 6)
            chance += Fraction(1, 216 * 6)  # two sixes reach 13 with any other dice
    assert dict(WILD.odds(ask).chances)["success"] == chance


def test_a_point_is_worth_what_a_roll_with_one_more_open_die_is() -> None:
    ask = {"code": "2D", "difficulty": 12}
    spends = {(spend.name, dict(spend.sets)[spend.name]): chance for spend, chance in WILD.odds(ask).spends}
    for points in (1, 2):
        slowly = wild_slowly(1, points, "counts", 11)
        assert spends["character_points", points] == 1 - sum(slowly.values())
    doubled = dict(WILD.odds({"code": "4D", "difficulty": 12}).chances)["success"]
    assert spends["force_point", True] == doubled
    assert ("character_points", 3) not in spends


def test_a_force_point_doubles_the_code_of_the_companion() -> None:
    ((spend, chance),) = COMPANION.odds({"code": "2D+1", "difficulty": 12}).spends
    assert spend.name == "force_point"
    assert chance == dict(COMPANION.odds({"code": "4D+2", "difficulty": 12}).chances)["success"]


@pytest.mark.parametrize("game", [COMPANION, WILD])
def test_where_doubling_is_more_than_can_be_thrown_it_is_not_offered(game: object) -> None:
    spends = game.odds({"code": "60D", "difficulty": 200}).spends
    assert "force_point" not in [spend.name for spend, _ in spends]


@pytest.mark.parametrize("game", [COMPANION, WILD])
def test_odds_need_a_code(game: object) -> None:
    with pytest.raises(BadAsk, match="no code was given"):
        game.odds({"difficulty": 10})


def test_the_odds_of_a_total_far_out_are_exact() -> None:
    odds = wild_odds(1, reach=61)
    assert odds.success(61) == Fraction(1, 6**10)
    with pytest.raises(ValueError, match="lies beyond"):
        wild_odds(1).success(500)
