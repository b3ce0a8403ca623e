from __future__ import annotations

from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.games.d6_companion.combat import (
    DAMAGE,
    TURNS,
    damage_row,
    overcome,
    reaction_applies,
    reaction_difficulty,
)
from tableside.games.d6_companion.rolls import (
    BANDS,
    FIRE_MODIFIERS,
    MOST_MULTIPLE,
    SCALES,
    band,
    capped,
    combine_limit,
    combined,
    fire_modifier,
    improved,
    multiple,
    scale_cap,
)
from tableside.games.d6_companion.ships import SHIP_DAMAGE
from tableside.rules import find_game
from tableside.rules.characters import fill_answers, perform_act
from tableside.rules.code import Code
from tableside.rules.people import Effect, Person
from tests.rules.case import Waiting, names_of
from tests.rules.laws import GameLaws

CHARACTERS = find_game("d6-companion").characters
CODES = st.builds(Code, dice=st.integers(0, 12), pips=st.integers(0, 8))
FACES = st.lists(st.integers(1, 6), max_size=12)


@given(FACES, st.integers(1, 6))
def test_a_cap_loses_no_die_and_counts_none_above_it(faces: list[int], cap: int) -> None:
    counted, discarded = capped(faces, cap)
    assert Counter(counted) + Counter(discarded) == Counter(faces)
    assert all(face <= cap for face in counted)
    assert all(face > cap for face in discarded)


@given(CODES, CODES)
def test_an_improvement_keeps_the_worth_and_leaves_at_most_two_pips(one: Code, other: Code) -> None:
    both = improved(one, other)
    assert both.pips in (0, 1, 2)
    assert 3 * both.dice + both.pips == 3 * (one.dice + other.dice) + one.pips + other.pips


def test_a_total_capped_to_nothing_is_exceeded_as_often_as_any_chart_asks() -> None:
    assert multiple(3, 0, strict=True) == MOST_MULTIPLE
    assert multiple(0, 0, strict=True) == 0


@given(st.integers(0, 80), st.integers(1, 40))
def test_more_damage_never_does_less(damage: int, strength: int) -> None:
    assert DAMAGE.index(damage_row(damage + 1, strength)) >= DAMAGE.index(damage_row(damage, strength))


def test_against_no_strength_any_damage_does_its_worst() -> None:
    assert damage_row(1, 0).other_attack == "mortal_wound"


@pytest.mark.parametrize("table", ["to_hit", "maneuver", "damage"])
def test_nothing_caps_a_code_against_its_own_scale(table: str) -> None:
    assert {scale_cap(table, scale, scale) for scale in SCALES} == {6}


def test_over_the_limit_the_bonus_is_lost() -> None:
    lead, supporters = Code.of("4D"), [Code.of("6D")] * 3
    assert combined(lead, supporters, limit=4)[0] == 18
    assert combined(lead, supporters, limit=3)[0] == -3


def test_with_ample_time_any_number_may_combine() -> None:
    assert combine_limit([Code.of("2D")], ample_time=True) is None


def test_a_full_reaction_adds_and_a_combat_reaction_takes_the_higher() -> None:
    assert reaction_difficulty(10, 7, full=True) == 17
    assert reaction_difficulty(10, 7, full=False) == 10


def test_a_parry_stops_what_a_dodge_does_not() -> None:
    assert reaction_applies(skill="melee_parry", attack="melee_weapon")
    assert not reaction_applies(skill="dodge", attack="melee_weapon")


def test_equal_dexterity_lets_the_game_master_speak_first() -> None:
    pair = [Waiting(name="pilot", rank=(3, 1), is_player=True), Waiting(name="raider", rank=(3, 1))]
    assert names_of(TURNS, pair) == names_of(TURNS, pair, segment=1) == ["raider", "pilot"]


def test_a_stun_wears_off_after_the_next_round() -> None:
    fighter = CHARACTERS.apply_effect(Person(id="x", name="Vex"), Effect(tracker="stuns", change=2))
    counted = []
    for _ in range(3):
        counted.append(fill_answers(CHARACTERS, fighter, ask={"code": "4D"}).answers.get("stuns", 0))
        fighter = perform_act(CHARACTERS, fighter, "round", {}).person
    assert counted == [2, 2, 0]


def test_pips_do_not_hold_off_stuns() -> None:
    assert overcome(Code.of("3D+2"), 3)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: capped([1], 7), "a die cap of 7"),
        (lambda: scale_cap("tohit", "walker", "walker"), "Did you mean to_hit"),
        (lambda: scale_cap("damage", "walkr", "walker"), "Did you mean walker"),
        (lambda: band("esay"), "Did you mean easy"),
        (lambda: fire_modifier(["windw"]), "Did you mean window"),
        (
            lambda: perform_act(CHARACTERS, Person(id="x", name="Vex"), "declare", {"haste": 2, "reaction_haste": 1}),
            "may only",
        ),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()


class TestLaws(GameLaws):
    game = find_game("d6-companion")
    asked: ClassVar = {"code": "3D+1", "difficulty": 11}


def test_what_is_met_in_play_is_looked_up_first_and_has_the_numbers_of_the_rules() -> None:
    sheets = {sheet.name: sheet.rows for sheet in find_game("d6-companion").reference}
    names = list(sheets)
    assert names[:7] == [
        "difficulties", "fire", "damage", "ship_damage", "scale_to_hit", "scale_maneuver", "scale_damage",
    ]  # fmt: skip
    last = [name for name in names if name in ("adventure", "verdict") or name.startswith("star_warriors")]
    assert names[-len(last) :] == last
    assert [row[1] for row in sheets["difficulties"]] == [f"{least}-{most}" for least, most in BANDS.values()]
    assert [int(row[1]) for row in sheets["fire"]] == list(FIRE_MODIFIERS.values())
    assert len(sheets["damage"]) == len(DAMAGE)
    assert len(sheets["ship_damage"]) == len(SHIP_DAMAGE)
    for table in ("to_hit", "maneuver", "damage"):
        for thrown, row in zip(SCALES, sheets[f"scale_{table}"], strict=True):
            caps = [scale_cap(table, thrown, other) for other in SCALES]
            assert [None if cell == "-" else int(cell) for cell in row[1:]] == caps


def test_a_purpose_asks_for_what_it_can_use_and_the_card_for_the_rest() -> None:
    game = find_game("d6-companion")

    def asked(purpose: str, *, is_card: bool = True) -> set[str]:
        drawn = {"purpose", "code", "dice", "pips", "actions", "force_point", "add", "difficulty"}
        left = [field for field in game.form.fields if not field.is_setting and field.name not in drawn]
        filled = game.form.filled_by("card") if is_card else ()
        wanted = {field.name for field in left if all(n == "purpose" and purpose in names for n, names in field.only)}
        return wanted - {*filled}

    assert asked("damage") == {"cap", "chart", "scale", "target_scale", "against"}
    assert asked("dying") == asked("healing") == asked("consumed") == set()
    assert asked("medpac") == {"prepared", "uncertainty", "band", "patient"}
    assert len(asked("check")) <= 25
    assert max(len(asked(name)) for name, _ in game.form.field("purpose", game=game.name).choices) == len(
        asked("check")
    )
    assert {"wounded", "stuns", "medpacs"} <= asked("medpac", is_card=False)
