"""Records and small mechanics that the reference cases do not reach."""

from __future__ import annotations

import pytest

from tableside.errors import GameError
from tableside.rules.heroic.play import FEATS
from tableside.rules.heroic.powers import BASIC, CharacterClass, Power, Race, with_feat


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
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()  # type: ignore[operator]
