from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.games.heroic import GAME
from tableside.games.heroic.combat import boost_of, defense_abilities, power_damage
from tableside.games.heroic.hurt import CONDITIONS, Health, felt_damage, row, soaked_threshold, steps_down, types_of
from tests.games.narrative.cases import sheet

ROWS = list(CONDITIONS)
HEALTHS = st.builds(
    Health, condition=st.sampled_from(ROWS[:-1]), staggered=st.booleans(), stamina=st.integers(0, 5)
) | st.builds(
    Health, condition=st.just("helpless"), staggered=st.just(True), unconscious=st.booleans(), stamina=st.integers(0, 5)
)


PRINTED = {row[0].lower(): tuple(map(float, row[2:])) for row in sheet("condition_track", GAME) if row[2] != "-"}


@pytest.mark.parametrize("condition", PRINTED)
def test_the_dice_of_a_condition_give_the_printed_odds(condition: str) -> None:
    reference = {"ability": 1, "proficiency": 2, "difficulty": 2}
    chances = dict(GAME.odds({"dice": reference, "condition": condition}).chances)
    ours = [float(chances[name]) * 100 for name in ("success", "advantage", "threat", "despair")]
    assert ours == pytest.approx(PRINTED[condition], abs=0.13)


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


def test_of_equal_chances_the_target_with_challenge_dice_is_hardest() -> None:
    plain, red = GAME.ease({"dice": {"difficulty": 1}}), GAME.ease({"dice": {"challenge": 1}})
    assert red < plain
    assert GAME.ease({"dice": {"difficulty": 3, "ability": 2}}) < GAME.ease({"dice": {"difficulty": 1, "ability": 2}})


def test_bare_hands_add_no_weapon() -> None:
    assert power_damage("basic_melee", ability=3, net_success=1) == 4


def test_beyond_long_range_there_is_no_target() -> None:
    far = {"ability": 1, "short_range": 10, "long_range_most": 20}
    trays = [GAME.tray(far | {"distance": distance}) for distance in (10, 11, 20)]
    assert [dict(one.dice) for one in trays if one] == [{"ability": 1}, *[{"ability": 1, "setback": 1}] * 2]
    with pytest.raises(GameError, match=r"the target is 21 squares away\. It reaches 20 squares"):
        GAME.tray(far | {"distance": 21})


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Health(condition="winde"), "Did you mean winded"),
        (lambda: Health(stamina=-1), "stamina is -1"),
        (lambda: Health().hit(5, 0), "a threshold of 0"),
        (lambda: types_of([], ["fyre"]), "Did you mean fire"),
        (lambda: felt_damage(1, {"holly": 1}, []), "Did you mean holy"),
        (lambda: defense_abilities("reflexes"), "Did you mean reflex"),
        (lambda: power_damage("basic_melle", ability=1, net_success=1), "Did you mean basic_melee"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()
