"""The odds of whole attacks, against the counting of every throw of all their dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from tableside.dice import find_sets
from tableside.errors import BadAsk
from tableside.games.d6_wild.odds import wild_total
from tableside.rules import find_game
from tableside.rules.code import Code

(SYMBOLS,) = find_sets(["narrative"])
POOL = {"proficiency": 1, "ability": 1, "difficulty": 2}
CHAIN = 5
"""So many throws of a Wild Die are counted; what goes on is what the two may differ by."""


def nets() -> Iterator[int]:
    """Yield the net successes of every throw of the pool, counted symbol by symbol."""
    worth = {"success": 1, "triumph": 1, "failure": -1, "despair": -1}
    dice = [SYMBOLS.type(name).faces for name, count in POOL.items() for _ in range(count)]
    for faces in product(*dice):
        yield sum(worth.get(symbol, 0) for face in faces for symbol in face)


def shares(counted: Counter[str]) -> dict[str, Fraction]:
    return {name: Fraction(count, counted.total()) for name, count in counted.items()}


def told(ends: tuple[tuple[str, Fraction], ...]) -> dict[str, Fraction]:
    return {str(words): chance for words, chance in ends if chance}


def test_an_attack_with_symbol_dice_hits_and_passes_soak_as_often_as_counted() -> None:
    game = find_game("narrative")
    ask = {"dice": POOL, "purpose": "attack", "damage": 3, "soak": 5, "pierce": 1, "success": 1}
    counted: Counter[str] = Counter()
    for net in nets():
        net += 1  # the one that counts without being thrown
        felt = 3 + net - (5 - 1)
        counted["Miss" if net < 1 else f"{felt} damage" if felt > 0 else "A hit that does nothing"] += 1
    attack = game.attack(ask)
    assert told(attack.ends) == shares(counted)
    assert dict(game.odds(ask).chances)["success"] == attack.hits
    assert dict(attack.at_least())["2 damage"] == Fraction(sum(net + 1 >= 3 for net in nets()), counted.total())


def test_a_heroic_attack_does_to_its_target_what_counting_says() -> None:
    ask = {"dice": POOL, "purpose": "attack", "power": "basic_melee", "weapon": 2, "damage_ability": 2, "threshold": 3}
    rows = ("normal", "winded", "fatigued")
    counted: Counter[str] = Counter()
    for net in nets():
        times = (4 + net + 1) // 3  # each time the damage holds the threshold and its soak; the first one staggers
        if net < 1:
            counted["Miss"] += 1
        else:
            counted[f"{rows[times - 1].capitalize()} and staggered" if times else "A hit that does nothing"] += 1
    attack = find_game("heroic").attack({**ask, "vulnerability": 1})
    assert told(attack.ends) == shares(counted)
    plain = find_game("heroic").attack({name: value for name, value in ask.items() if name != "threshold"})
    assert dict(plain.at_least())["6 damage"] == Fraction(sum(net >= 2 for net in nets()), sum(1 for _ in nets()))


def test_an_attack_with_codes_hurts_as_often_as_counted() -> None:
    """Damage is capped at 5 for its scale, Strength at 6, and the attack has to beat 7."""
    dice, pips = 2, range(1, 7)
    sums = list(product(pips, repeat=dice))
    hits = Fraction(sum(a + b + 1 >= 7 for a, b in sums), 36)
    chart = ((6, "Mortal wound"), (4, "Incapacitated"), (2, "Wound"), (1, "One stun, 1D less"))
    counted: Counter[str] = Counter()
    for damage, strength in product(sums, sums):
        dealt, held = sum(face for face in damage if face <= 5) + 2, sum(strength)
        counted[next((words for halves, words in chart if 2 * dealt >= halves * held), "nothing")] += 1
    attack = find_game("d6-companion").attack(
        {"code": "2D+1", "difficulty": 7}, damage={"code": "2D+2", "cap": 5}, resists={"code": "2D"}
    )
    assert attack.hits == hits
    assert {str(words): chance for words, chance in attack.ends[2:]} == {
        words: hits * share for words, share in shares(counted).items() if words != "nothing"
    }
    assert attack.hurts == hits * (1 - shares(counted).get("nothing", Fraction(0)))


def wild(first_one: str) -> Iterator[tuple[int, Fraction]]:
    """Yield the totals of 2D, one of them the Wild Die, with their chances, the last six of a long chain as the end."""
    for plain in range(1, 7):
        for length in range(1, CHAIN + 1):
            for last in range(1, 7):
                if last == 6 and length < CHAIN:
                    continue
                chance = Fraction(1, 6) * Fraction(1, 6**length)
                total = plain + 6 * (length - 1) + last
                if length == 1 and last == 1 and first_one != "counts":
                    total = 0 if first_one == "highest" else plain
                yield total, chance


@pytest.mark.parametrize("first_one", ["counts", "nothing", "highest"])
def test_an_attack_with_a_wild_die_hurts_as_often_as_counted(first_one: str) -> None:
    game = find_game("d6-wild")
    least = {"Stunned": 0, "Wounded": 4, "Incapacitated": 9, "Mortally wounded": 13, "Killed": 16}
    ask = {"code": "2D", "difficulty": 7, "first_one": first_one}
    attack = game.attack(ask, damage={"code": "2D+3"}, resists={"code": "2D"})
    assert attack is not None
    leads: Counter[int] = Counter()
    for (one, chance), (two, share) in product(wild(first_one), repeat=2):
        leads[one + 3 - two] += chance * share
    hits = sum(chance for total, chance in wild(first_one) if total >= 7)
    assert attack.hits == hits == dict(game.odds(ask).chances)["success"]
    unknown = Fraction(2, 6**CHAIN)
    for words, chance in attack.at_least():
        counted = hits * sum(share for lead, share in leads.items() if lead >= least[str(words)])
        assert abs(chance - counted) <= unknown
    assert sum(chance for _, chance in attack.ends) == 1


def test_two_wild_dice_that_may_be_thrown_for_ever_leave_nothing_out() -> None:
    """Each is as likely ahead as behind, which no counting that ends can show."""
    one = wild_total(Code(dice=3), first_one="nothing")
    ahead, level_or_ahead = one.exceeds(one, 1), one.exceeds(one, 0)
    assert ahead == 1 - level_or_ahead
    limited = wild_total(Code(dice=3), first_one="nothing", throws=3)
    assert sum(limited.closed.values()) == limited.denominator
    assert not limited.open


@pytest.mark.parametrize(
    ("game", "ask"),
    [
        ("narrative", {"dice": POOL}),
        ("narrative", {"dice": POOL, "purpose": "attack"}),
        ("heroic", {"dice": POOL, "purpose": "attack", "power": "basic_grab"}),
        ("d6-companion", {"code": "3D", "difficulty": 5}),
        ("d6-wild", {"code": "3D"}),
    ],
)
def test_what_tells_no_damage_is_no_whole_attack(game: str, ask: dict[str, object]) -> None:
    assert find_game(game).attack(ask) is None


def test_a_strength_that_was_thrown_is_a_number() -> None:
    for name in ("d6-companion", "d6-wild"):
        attack = find_game(name).attack({"code": "3D", "difficulty": 3}, damage={"code": "4D", "against": 200})
        assert attack.hurts < Fraction(1, 10**6)


def test_points_that_come_after_the_roll_are_no_part_of_a_plan() -> None:
    with pytest.raises(BadAsk, match="character points"):
        find_game("d6-wild").attack(
            {"code": "3D", "difficulty": 3}, damage={"code": "4D", "character_points": 1}, resists={"code": "2D"}
        )


def test_symbols_that_are_added_count_in_the_odds() -> None:
    game = find_game("narrative")
    for more in (1, -2):
        ask = {"dice": POOL, "success": max(more, 0), "failure": max(-more, 0)}
        prospect = game.odds(ask)
        counted = Fraction(sum(net + more >= 1 for net in nets()), sum(1 for _ in nets()))
        assert dict(prospect.chances)["success"] == counted
        (upgraded, *_) = [chance for spend, chance in prospect.spends if spend.name == "helping_hand"]
        assert upgraded == dict(game.odds({**ask, "helping_hand": 1}).chances)["success"]
