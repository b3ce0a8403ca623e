"""Throws for a table in D6 with a Wild Die: plain dice, nothing thrown again."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.d6_wild.ask import TABLES
from tableside.games.d6_wild.combat import (
    _LOCATIONS,
    CALLED_SHOTS,
    COVER,
    DAMAGE,
    HEALING,
    OBSCURITY,
    SCALES,
    hit_location,
)
from tableside.games.d6_wild.rolls import BANDS
from tableside.rules import find_game
from tests.rules.asks import pips, wild

GAME = find_game("d6-wild")
PAIRS = list(product(range(1, 7), repeat=2))


@pytest.mark.parametrize(
    ("faces", "headline"),
    [
        ((1, 1), "2: left leg"),
        ((1, 3), "4: left leg"),
        ((1, 4), "5: left arm"),
        ((3, 3), "6: torso"),
        ((1, 6), "7: torso"),
        ((5, 3), "8: head"),
        ((6, 3), "9: right arm"),
        ((6, 4), "10: right leg"),
        ((6, 6), "12: right leg"),
    ],
)
def test_two_plain_dice_say_where_a_hit_lands(faces: tuple[int, int], headline: str) -> None:
    outcome = GAME.play((pips(*faces),), {"purpose": "hit_location"})
    assert (outcome.headline, outcome.word, outcome.awaits, outcome.short) == (headline, "total", None, ())
    assert outcome.sentence == f"{faces[0]} + {faces[1]} = {headline}."


@pytest.mark.parametrize("purpose", TABLES)
def test_a_die_in_the_wild_dies_colour_is_a_die_like_any_other_in_a_table(purpose: str) -> None:
    ask = {"purpose": purpose, "rounds": 3}
    for thrown in ([*pips(1), wild(6)], [wild(6), wild(1)], pips(6, 1)):
        outcome = GAME.play((thrown,), ask)
        assert (dict(outcome.net), outcome.awaits, "Wild Die is missing" in outcome.sentence) == (
            {"total": 7},
            None,
            False,
        )
        assert GAME.spends(outcome, ask) == ()


def test_the_dying_live_while_two_dice_show_as_many_as_there_were_rounds() -> None:
    for faces in PAIRS:
        for rounds in (1, 2, 5, 6, 12, 13):
            outcome = GAME.play((pips(*faces),), {"purpose": "dying", "rounds": rounds})
            assert outcome.succeeded is (sum(faces) >= rounds)
            words = "lives on" if outcome.succeeded else "dies"
            assert outcome.headline == f"{sum(faces)} in round {rounds}: {words}"


def test_where_nobody_told_the_rounds_only_the_total_is_said() -> None:
    outcome = GAME.play((pips(2, 4),), {"purpose": "dying"})
    assert (outcome.headline, outcome.succeeded) == ("6", None)


@pytest.mark.parametrize(("state", "dice"), [("healthy", 2), ("stunned", 2), ("incapacitated", 10)])
def test_minutes_are_thrown_by_what_knocked_one_out(state: str, dice: int) -> None:
    ask = {"purpose": "minutes", "state": state}
    wanted = GAME.tray(ask)
    assert wanted.dice == (("pip", dice),)
    assert GAME.play((pips(*[6] * dice),), ask).headline == f"{6 * dice} minutes"


def test_a_throw_for_another_table_takes_the_dice_that_are_asked_for() -> None:
    assert GAME.play((pips(6, 6, 6),), {"purpose": "table", "code": "3D+1"}).sentence == "6 + 6 + 6 + 1 pip = 19."
    assert GAME.play((pips(6),), {"purpose": "table"}).sentence == "6."
    assert GAME.play((pips(6),), {"purpose": "table", "dice": 2}).short == (("pip", 1),)


def test_nothing_changes_the_dice_of_a_table() -> None:
    ask = {"purpose": "hit_location", "code": "5D", "actions": 3, "state": "incapacitated", "force_point": True}
    wanted = GAME.tray(ask)
    assert wanted.dice == (("pip", 2),)


@pytest.mark.parametrize("thrown", [pips(5), pips(5, 3, 2)])
def test_another_number_of_dice_is_said(thrown: list[Die]) -> None:
    outcome = GAME.play((thrown,), {"purpose": "hit_location"})
    assert outcome.word == "undecided"
    assert outcome.short == (("pip", 2 - len(thrown)),)


def test_the_odds_of_a_table_are_counted_from_all_throws() -> None:
    places = dict(GAME.odds({"purpose": "hit_location"}).chances)
    counted: dict[str, Fraction] = {}
    for faces in PAIRS:
        name = hit_location(sum(faces))
        counted[name] = counted.get(name, Fraction()) + Fraction(1, 36)
    assert places == counted
    lives = dict(GAME.odds({"purpose": "dying", "rounds": 6}).chances)["success"]
    assert lives == Fraction(sum(sum(faces) >= 6 for faces in PAIRS), 36)
    with pytest.raises(BadAsk, match="no code was given"):
        GAME.odds({"purpose": "table"})


def test_a_roll_without_a_wild_die_says_how_a_table_is_asked_for() -> None:
    sentence = GAME.play((pips(5, 3),), {}).sentence
    assert sentence.endswith("which of these is it? A throw for a table has none: ask for it as one.")


def test_the_destroyed_limb_is_told_of_limbs_alone() -> None:
    def rules(*faces: int) -> list[str]:
        return [step.rule for step in GAME.play((pips(*faces),), {"purpose": "hit_location"}).steps]

    asked = [rules(1, 4), rules(5, 3)]
    assert asked == [["I12", "hit_location", "limb_kill"], ["I12", "hit_location"]]


def test_what_is_looked_up_has_the_numbers_that_the_rules_work_with() -> None:
    sheets = {sheet.name: sheet.rows for sheet in GAME.reference}

    def ends(least: int, most: int | None) -> str:
        return f"{least}+" if most is None else f"{least}-{most}"

    assert [row[1] for row in sheets["difficulties"]] == [ends(band.least, band.most) for band in BANDS.values()]
    assert [(row[0], row[1].lower().replace(" ", "_")) for row in sheets["damage"]] == [
        (ends(row.least, row.most), row.result) for row in DAMAGE
    ]
    assert [int(row[1].rstrip("D")) for row in sheets["scale"]] == list(SCALES.values())
    added = {row[0].lower(): row[1].rstrip("D") for row in sheets["harder"]}
    known = {
        **{f"cover {name}": dice for name, dice in COVER.items() if dice},
        **OBSCURITY,
        **{f"called shot, {name}": dice for name, dice in CALLED_SHOTS.items()},
    }
    assert {name: int(dice) for name, dice in added.items() if name != "full cover"} == known
    assert [row[1].lower().replace(" ", "_") for row in sheets["location"]] == [name for _, name in _LOCATIONS]
    healed = [(row[0].partition(",")[0], row[2]) for row in sheets["healing"][:4]]
    assert {state.lower().replace(" ", "_"): better.lower().replace(" ", "_") for state, better in healed} == {
        name: row.better for name, row in HEALING.items()
    }


@pytest.mark.parametrize(
    ("ask", "pips_added"),
    [({"code": "3D+2"}, 2), ({"code": "3D-1"}, -1), ({"dice": 3, "pips": 4}, 4), ({"code": "3D+1", "pips": 2}, 3)],
)
def test_pips_count_for_another_table_and_not_where_a_hit_lands(ask: dict[str, object], pips_added: int) -> None:
    asked = {"purpose": "table", **ask}
    thrown = pips(4, 2, 5)
    assert dict(GAME.play((thrown,), asked).net)["total"] == 11 + pips_added
    taken = GAME.characters.as_thrown(pips(4, 2), asked)  # a die too few lies there: it is taken as it lies
    outcome = GAME.play((pips(4, 2),), taken)
    assert (dict(outcome.net)["total"], outcome.short) == (6 + pips_added, ())
    assert GAME.odds(asked).bars[0][0] == str(3 + pips_added)
    assert dict(GAME.play((pips(4, 3),), {"purpose": "hit_location", **ask}).net)["total"] == 7
    assert dict(GAME.play((pips(4, 3),), {"purpose": "dying", "rounds": 8, **ask}).net)["total"] == 7
