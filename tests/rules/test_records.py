"""Records and small mechanics that the reference cases do not reach."""

from __future__ import annotations

import pytest

from tableside.errors import GameError
from tableside.rules import find_game
from tableside.rules.code import Code
from tableside.rules.d6_companion.fleet import (
    CAPITAL_SHIPS,
    STRENGTH_WEAPONS,
    coordinated,
    find_ship,
    reachable_facings,
)
from tableside.rules.heroic.play import FEATS
from tableside.rules.heroic.powers import BASIC, CharacterClass, Power, Race, with_feat


def test_the_guns_of_all_ships_hit_and_those_of_one_do_damage() -> None:
    frigate = find_ship("Escort frigate")
    to_hit, damage = coordinated(frigate.guns[0], 12, Code.of("4D+2"), other_guns=(12,))
    assert (str(to_hit), str(damage)) == ("10D+2", "6D+1")
    with pytest.raises(GameError, match="Ion and other guns cannot be coordinated"):
        coordinated(frigate.guns[0], 12, Code.of("4D"), other_guns=(4,), other_types=("ion",))


def test_all_ships_of_the_table_are_there() -> None:
    assert len(CAPITAL_SHIPS) == 22
    assert sum(gun.count for gun in find_ship("Super SD").guns) == 1040
    assert find_ship("Torpedo sphere").guns[0].damage is None
    assert all(ship.hull.dice for ship in CAPITAL_SHIPS.values())


@pytest.mark.parametrize(
    ("facing", "actions", "reached"),
    [(0, 0, (0,)), (0, 1, (0, 1, 5)), (0, 2, (0, 1, 2, 3, 4, 5)), (4, 1, (3, 4, 5))],
)
def test_a_ship_turns_a_facing_for_each_reserved_action(facing: int, actions: int, reached: tuple[int, ...]) -> None:
    assert reachable_facings(facing, actions) == reached


def test_the_pips_of_a_weapon_are_only_added_to_strength() -> None:
    pool = find_game("d6-companion").odds({"code": "2D+1", "add": str(STRENGTH_WEAPONS["crude vibroaxe"])}).pool
    assert pool == "3D+3"


def test_the_six_basic_powers_are_as_printed() -> None:
    assert list(BASIC) == [
        "basic_melee",
        "basic_ranged",
        "basic_retaliate",
        "basic_grab",
        "basic_grapple",
        "steady",
    ]
    assert {name for name, power in BASIC.items() if power.is_attack} == {
        "basic_melee",
        "basic_ranged",
        "basic_retaliate",
        "basic_grab",
    }
    assert [name for name, power in BASIC.items() if power.provokes] == ["basic_ranged"]
    assert all(power.recharges_after is None for power in BASIC.values())


def test_a_power_hits_misses_and_does_what_it_always_does() -> None:
    burst = Power(name="burst", frequency="daily", hit="burns", miss="singes", effect="lights up")
    assert burst.happens(1) == ("burns", "lights up")
    assert burst.happens(0) == ("singes", "lights up")
    assert burst.recharges_after == "extended_rest"
    assert BASIC["steady"].happens(-3) == ("one step up the condition track",)


def test_a_class_gives_a_rank_in_its_defence() -> None:
    knight = CharacterClass(
        name="knight", threshold=5, stamina=4, defense="fortitude", primary="melee", secondary=("leadership", "riding")
    )
    assert (knight.defense_rank("fortitude"), knight.defense_rank("reflex")) == (1, 0)


def test_a_seventh_feat_takes_the_place_of_one() -> None:
    feats = tuple(f"feat {number}" for number in range(FEATS - 1))
    full = with_feat(feats, "sixth")
    assert len(full) == FEATS
    assert with_feat(full, "new", instead_of="feat 2") == ("feat 0", "feat 1", "new", "feat 3", "feat 4", "sixth")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Power(name="p", frequency="dayly"), "power p: frequency is 'dayly'. Did you mean daily"),
        (lambda: Power(name="p", keywords=("fyre",)), "keyword is 'fyre'. Did you mean fire"),
        (lambda: Power(name="p", attack=("melee", "reflexes")), "defence is 'reflexes'. Did you mean reflex"),
        (lambda: Power(name="p", opportunity_cost=-1), "cost -1, level 1"),
        (lambda: Race(name="elf", skills=("stealth",)), "1 skills. It names 2 skills"),
        (
            lambda: CharacterClass(name="k", threshold=1, stamina=1, defense="will", primary="a", secondary=("b", "c")),
            "Did you mean willpower",
        ),
        (
            lambda: CharacterClass(
                name="k", threshold=-1, stamina=1, defense="reflex", primary="a", secondary=("b", "c")
            ),
            "a base below zero",
        ),
        (lambda: with_feat(("a",) * FEATS, "new"), "6 feats are the most. Name one to replace"),
        (lambda: find_ship("Victory 2"), "Did you mean Victory"),
        (lambda: reachable_facings(6, 1), "Facings are 0 to 5"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()  # type: ignore[operator]
