from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.d6_companion.capital import (
    GUNS,
    capital_damage,
    damage_modifier,
    guns_modifier,
    modifier_words,
    shared_points,
)
from tableside.rules import find_game
from tableside.rules.characters import perform_act
from tableside.rules.code import Code
from tableside.rules.people import Person, PersonKind, Skill
from tests.rules.asks import pips

GAME = find_game("d6-companion")
PRINTED = [
    "0D",
    "0D+2",
    "1D",
    "1D+1",
    "1D+2",
    "2D",
    "2D+1",
    "2D+2",
    "3D",
    "3D+1",
    "3D+2",
    "4D",
    "4D+1",
    "4D+2",
    "5D",
    "5D+1",
]


@pytest.mark.parametrize(("guns", "code"), list(zip(GUNS, PRINTED, strict=True)))
def test_the_guns_chart_is_the_printed_one(guns: int, code: str) -> None:
    assert str(guns_modifier(guns)) == code


@given(st.integers(1, 999))
def test_another_gun_never_takes_away(guns: int) -> None:
    assert guns_modifier(guns + 1) >= guns_modifier(guns)


def test_beyond_the_chart_the_last_row_holds() -> None:
    assert guns_modifier(9_999) == guns_modifier(250)


@given(st.integers(0, 400), st.integers(1, 40))
def test_more_damage_never_does_a_ship_less(damage: int, hull: int) -> None:
    assert capital_damage(damage + 1, hull).pips >= capital_damage(damage, hull).pips


def test_nine_times_the_hull_is_the_worst() -> None:
    assert capital_damage(10_000, 1).pips == 9


def test_three_pips_of_damage_cost_a_die() -> None:
    assert str(damage_modifier(7)) == "2D+1"


@pytest.mark.parametrize(
    ("pips", "words", "code"),
    [
        (0, "0", "4D+1"),
        (1, "-1 pip", "4D"),
        (2, "-2 pips", "4D-1"),
        (3, "-1D", "3D+1"),
        (4, "-1D-1", "3D"),
        (5, "-1D-2", "3D-1"),
        (6, "-2D", "2D+1"),
        (7, "-2D-1", "2D"),
        (8, "-2D-2", "2D-1"),
    ],
)
def test_each_pip_of_damage_costs_a_pip_of_what_the_ship_does(pips: int, words: str, code: str) -> None:
    assert modifier_words(pips) == words
    game = find_game("d6-companion")
    assert game.odds({"code": "4D+1", "ship_damage": pips}).pool == code
    dice = [Die(type="pip", face=("1",))] * Code.of(code).dice
    steps = [step.text for step in game.play((dice,), {"code": "4D+1", "ship_damage": pips}).steps]
    assert any(f"of damage to the ship, {words}: {code}." in text for text in steps) is bool(pips)


def test_a_ship_with_nine_pips_of_damage_does_nothing() -> None:
    with pytest.raises(BadAsk, match=r"ship_damage is 9\. .* 9 destroy the ship"):
        find_game("d6-companion").tray({"code": "4D", "ship_damage": 9})


@given(st.integers(0, 20), st.integers(1, 20), st.integers(1, 9))
def test_points_are_shared_as_evenly_as_can_be_and_none_is_lost(pips: int, guns: int, weapons: int) -> None:
    shares = shared_points(pips, guns, weapons)
    assert sum(shares) == pips * guns
    assert max(shares) - min(shares) <= 1


def test_more_points_than_three_still_destroy() -> None:
    ask = {"code": "9D", "purpose": "capital_damage", "against": 9, "guns": 7}
    for aim in ("weapon_beam", "swarm"):
        assert "destroyed" in GAME.play((pips(*[1] * 9, 1, 1),), {**ask, "guns": 8, "aim": aim}).sentence


@pytest.mark.parametrize(("own", "other", "steps"), [(0, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 2), (5, 0, 1), (1, 5, 2)])
def test_a_ship_turns_a_facing_for_each_reserved_action(own: int, other: int, steps: int) -> None:
    characters = GAME.characters
    ship = Person(id="s", name="Ship", game=GAME.name, kind=PersonKind.THING)
    for reserved in range(4):
        turned = ship.with_value(characters.tracker("reserved"), reserved).with_value(characters.tracker("facing"), own)
        if reserved < steps:
            with pytest.raises(BadAsk, match="A maneuver reserves speed actions"):
                perform_act(characters, turned, "turn", {"facing": other})
        else:
            after = perform_act(characters, turned, "turn", {"facing": other}).person
            assert (after.value("facing"), after.value("reserved")) == (other, reserved - steps)


def test_more_orders_than_command_has_dice_are_refused() -> None:
    skills = (Skill(name="Command", ask={"code": "3D"}),)
    ship = Person(id="s", name="Ship", game=GAME.name, kind=PersonKind.THING, skills=skills)
    orders = {"officers": ["pilot", "gunner"], "haste_orders": 1}
    assert perform_act(GAME.characters, ship, "command", orders).words == "0D of command left"
    with pytest.raises(BadAsk, match="4 orders, and command is 3D"):
        perform_act(GAME.characters, ship, "command", {**orders, "bonus_pilot": 1})


def test_all_ships_are_looked_up_and_their_codes_are_codes() -> None:
    sheets = {sheet.name: sheet.rows for sheet in GAME.reference}
    ships = {row[0]: row[1:] for row in sheets["capital_ships"]}
    assert len(ships) == 22
    assert all(Code.of(code) for codes in ships.values() for code in codes[1:])
    assert {row[0] for row in sheets["capital_guns"]} <= ships.keys()
    assert ("ISD I", "60", "turbolaser battery", "4D", "5D") in sheets["capital_guns"]
