from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.rules.heroic.hurt import (
    CONDITIONS,
    PRINTED_ODDS,
    Health,
    felt_damage,
    pool_in,
    row,
    soaked_threshold,
    steps_down,
    types_of,
)
from tableside.rules.heroic.play import (
    boost_of,
    defense_abilities,
    hardest_target,
    long_range_dice,
    power_damage,
    taunt_dice,
)
from tableside.rules.narrative.odds import odds_of
from tableside.rules.narrative.pool import Pool

ROWS = list(CONDITIONS)
HEALTHS = st.builds(
    Health, condition=st.sampled_from(ROWS[:-1]), staggered=st.booleans(), stamina=st.integers(0, 5)
) | st.builds(
    Health,
    condition=st.just("helpless"),
    staggered=st.just(True),
    unconscious=st.booleans(),
    stamina=st.integers(0, 5),
)


@pytest.mark.parametrize("condition", PRINTED_ODDS)
def test_the_dice_of_a_condition_give_the_printed_odds(condition: str) -> None:
    chances = odds_of(pool_in(condition, Pool(ability=1, proficiency=2, difficulty=2)).counts()).chances()
    ours = [float(chances[name]) * 100 for name in ("success", "advantage", "threat", "despair")]
    assert ours == pytest.approx(PRINTED_ODDS[condition], abs=0.13)


@given(HEALTHS, st.integers(0, 60), st.integers(1, 12))
def test_a_hit_never_heals(before: Health, damage: int, threshold: int) -> None:
    after = before.hit(damage, threshold)
    assert row(after.condition) >= row(before.condition)
    assert after.is_staggered or not before.is_staggered
    assert after.stamina <= before.stamina
    assert after == before or damage >= threshold


@given(st.integers(1, 12), st.integers(0, 60))
def test_staggering_stands_for_one_step(threshold: int, damage: int) -> None:
    already, _ = steps_down(damage, threshold, staggered=True)
    steps, staggers = steps_down(damage, threshold, staggered=False)
    assert already == steps + staggers


@given(HEALTHS)
def test_steady_costs_one_stamina_and_never_hurts(before: Health) -> None:
    after = before.steadied()
    if after is not None:
        assert after.stamina == before.stamina - 1
        assert row(after.condition) <= row(before.condition)
        assert not after.staggered


def test_steady_at_normal_takes_away_staggering_or_is_not_used() -> None:
    assert Health(staggered=True, stamina=1).steadied() == Health(stamina=0)
    assert Health(stamina=1).steadied() is None


def test_the_unconscious_lose_a_stamina_a_hit_or_by_choice_a_step() -> None:
    out = Health(condition="helpless", staggered=True, unconscious=True, stamina=3)
    assert out.hit(10, 5).stamina == 2
    assert out.hit(10, 5, stamina_each_step=True).stamina == 1
    assert out.hit(50, 5, stamina_each_step=True).dead


def test_someone_else_wakes_the_unconscious() -> None:
    out = Health(condition="helpless", staggered=True, unconscious=True, stamina=1)
    assert out.moved_up() == Health(condition="crippled", stamina=1)


def test_untyped_damage_is_neither_soaked_nor_felt_more() -> None:
    assert soaked_threshold(5, {"weapon": 2}, ()) == 5
    assert felt_damage(3, {"fire": 2}, ()) == 3


def test_no_source_gives_no_boost() -> None:
    assert boost_of([]) == 0


def test_who_is_not_taunted_may_attack_whom_they_like() -> None:
    assert taunt_dice("", ["wizard"]) == Pool()


def test_of_equal_chances_the_target_with_challenge_dice_is_hardest() -> None:
    targets = {"plain": Pool(), "also plain": Pool()}
    assert hardest_target(Pool(), targets) == "plain"
    assert hardest_target(Pool(), targets | {"red": Pool(challenge=1)}) == "red"


def test_bare_hands_add_no_weapon() -> None:
    assert power_damage("basic_melee", ability=3, net_success=1) == 4


def test_beyond_long_range_there_is_no_target() -> None:
    assert long_range_dice(21, short=10, long=20) is None


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Health(condition="winde"), "Did you mean winded"),
        (lambda: Health(stamina=-1), "stamina is -1"),
        (lambda: Health().hit(5, 0), "a threshold of 0"),
        (lambda: pool_in("criple", Pool()), "Did you mean crippled"),
        (lambda: types_of([], ["fyre"]), "Did you mean fire"),
        (lambda: felt_damage(1, {"holly": 1}, []), "Did you mean holy"),
        (lambda: defense_abilities("reflexes"), "Did you mean reflex"),
        (lambda: hardest_target(Pool(), {}), "no target was given"),
        (lambda: power_damage("basic_melle", ability=1, net_success=1), "Did you mean basic_melee"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()  # type: ignore[operator]
