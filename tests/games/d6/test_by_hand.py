"""Rolls of the D6 games, each number of which was worked out by hand from the texts."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.rules import find_game
from tests.rules.asks import pips, wild

COMPANION, WILD = find_game("d6-companion"), find_game("d6-wild")

CODES: list[tuple[dict[str, Any], list[list[Die]], str, str]] = [
    # 4+1+3+1 and two pips
    ({"code": "4D+2"}, [pips(4, 1, 3, 1)], "11", "4 + 1 + 3 + 1 + 2 pips = 11."),
    # 5D+2 less 2D for three actions
    ({"code": "5D+2", "actions": 3, "difficulty": 3}, [pips(2, 3, 4)], "Success 11", "3 actions, 2D less: 3D+2."),
    # 4D+2 and 4D less 3D for four speed actions
    ({"code": "4D+2", "add": "4D", "actions": 4}, [pips(1, 2, 3, 4, 5)], "17", "4 actions, 3D less: 5D+2."),
    # moderate is 11, an overspeed action 3 more
    (
        {"code": "4D+2", "add": "2D", "actions": 4, "band": "moderate", "overspeed": 1},
        [pips(1, 2, 3)],
        "Failure 8",
        "Overspeed: difficulty 14.",
    ),
    ({"code": "4D", "band": "very_easy"}, [pips(1, 1, 1, 1)], "Success 4", "Difficulty very easy, 3 to 5: 3."),
    # the 2 and the 3 count, the 5 and the 6 do not
    ({"code": "4D", "cap": 3}, [pips(5, 2, 3, 6)], "5", "Die cap 3: 5, 6 count nothing."),
    ({"code": "3D", "cap": 5}, [pips(5, 2, 6)], "7", "Die cap 5: 6 counts nothing."),
    # a speeder's gunner at a person: cap 5
    (
        {"code": "2D", "chart": "to_hit", "scale": "speeder"},
        [pips(5, 2)],
        "7",
        "Die cap 5, speeder against character: every die counts.",
    ),
    # the printed example: 27 less 13
    (
        {"code": "5D", "uncertainty": 3, "difficulty": 13},
        [pips(6, 5, 4, 3, 2, 1, 4, 2), pips(6, 4, 3)],
        "Success 14",
        "The game master's 3D take 13 off: 14.",
    ),
    ({"code": "5D+2", "force_point": True}, [pips(*[3] * 10)], "34", "A Force Point doubles dice and pips: 10D+4."),
    # three stuns in a round
    ({"code": "4D+2", "stuns": 3}, [pips(3)], "5", "Stunned, 3D less: 1D+2."),
    # Strength 12: 11 is a stun, 12 a wound, 24 would put down
    (
        {"code": "2D", "purpose": "damage", "against": 12},
        [pips(6, 5)],
        "One stun, 1D less",
        "11 against 12, DR<SR: one stun, 1D less.",
    ),
    ({"code": "2D", "purpose": "damage", "against": 12}, [pips(6, 6)], "Wound", "12 against 12, DR>=SR: wound."),
    (
        {"code": "2D", "purpose": "stun_damage", "against": 5},
        [pips(6, 5)],
        "Two stuns, 2D less",
        "11 against 5, DR>=2xSR: two stuns, 2D less.",
    ),
    # twice 5 is 10, three times 15
    (
        {"code": "2D", "purpose": "capital_damage", "against": 5},
        [pips(6, 6)],
        "2 pips of damage",
        "12 against 5, DR>=2xHR: 2 pips of damage.",
    ),
    (
        {"code": "2D", "purpose": "capital_damage", "against": 13},
        [pips(6, 6)],
        "1 shield pip",
        "12 against 13, DR<HR: 1 shield pip.",
    ),
    (
        {"code": "2D", "purpose": "capital_ion_damage", "against": 25},
        [pips(6, 6)],
        "Nothing",
        "12 against 25, 2xDR<HR: nothing.",
    ),
    (
        {"code": "2D", "purpose": "ion_damage", "against": 7},
        [pips(6, 6)],
        "Ionized by 1D",
        "12 against 7, DR>SR: ionized by 1D.",
    ),
    ({"code": "2D", "purpose": "ship_damage", "against": 9}, [pips(4, 4)], "Lightly damaged", "Ionized by 1D."),
    # the printed example: 2D and 4D+2 and 2D+1 for twelve guns
    ({"code": "2D", "add": "4D+2", "guns": 12}, [pips(*[3] * 8)], "27", "12 guns add 2D+1: 8D+3."),
    ({"code": "2D", "guns": 2}, [pips(2, 2)], "6", "2 guns add +2: 2D+2."),
    # evasion 18 against a short range
    (
        {"code": "4D", "difficulty": 6, "reaction": "combat", "reaction_total": 18},
        [pips(3, 4, 5, 2)],
        "Failure 14",
        "A combat reaction, the higher counts: difficulty 18.",
    ),
    # 6, prone 2, light cover 1, and the roll of 8
    (
        {"code": "4D", "band": "easy", "fire": ["prone", "light_cover"], "reaction": "full", "reaction_total": 8},
        [pips(3, 4, 5, 2)],
        "Failure 14",
        "A full reaction adds its roll: difficulty 17.",
    ),
    (
        {"code": "4D", "difficulty": 6, "missile": 2},
        [pips(3, 4, 5, 2), pips(4, 3)],
        "Success 14",
        "2D more on the difficulty, 7: 13.",
    ),
]

WILDS: list[tuple[dict[str, Any], list[list[Die]], str, str]] = [
    ({"code": "4D+2"}, [[*pips(3, 5, 2), wild(6)], [wild(4)]], "22", "3 + 5 + 2 + 6 + 4 + 2 pips = 22."),
    ({"code": "3D+1"}, [[*pips(6, 6), wild(3)]], "16", "6 + 6 + 3 + 1 pip = 16."),
    # 3+5+2, the Wild Die 6, 6 and a later 1, two pips
    (
        {"code": "4D+2", "difficulty": 30},
        [[*pips(3, 5, 2), wild(6)], [wild(6)], [wild(1)]],
        "Failure 25",
        "25 against at least 30: failure.",
    ),
    (
        {"code": "4D+2", "difficulty": 13},
        [[*pips(3, 5, 2), wild(1)]],
        "Success 13",
        "The Wild Die shows a first one (a complication, and the 1 is added): 13.",
    ),
    # 13, a six and a five, and 2 for the six
    (
        {"code": "3D", "character_points": 2, "difficulty": 25},
        [[*pips(4, 4), wild(5)], pips(6, 5), pips(2)],
        "Success 26",
        "2 character points add 13: 26.",
    ),
    ({"code": "1D", "character_points": 1}, [[wild(5)], pips(2)], "7", "1 character point adds 2: 7."),
    (
        {"code": "4D+1", "force_point": True},
        [[*pips(*[3] * 7), wild(2)]],
        "25",
        "A Force Point doubles dice and pips: 8D+2.",
    ),
    ({"code": "4D", "actions": 2, "extra_reactions": 1}, [[*pips(4), wild(5)]], "9", "3 actions, 2D less: 2D."),
    ({"code": "5D+2", "rushed": True}, [[*pips(4), wild(5)]], "11", "Half the time, half the dice: 2D+2."),
    # a speeder shoots a starfighter: 6 less 2
    (
        {"code": "2D", "role": "attack", "scale": "speeder", "other_scale": "starfighter"},
        [[*pips(*[4] * 5), wild(5)]],
        "25",
        "Speeder against starfighter, 4D more: 6D.",
    ),
    (
        {"code": "2D", "role": "damage", "scale": "death_star", "other_scale": "capital"},
        [[*pips(*[1] * 13), wild(2)]],
        "15",
        "Death star against capital, 12D more: 14D.",
    ),
    # armed against unarmed: 10 for an attack, 5 for a parry
    (
        {"code": "2D", "against_unarmed": True, "difficulty": 11},
        [[*pips(4), wild(5)]],
        "Success 19",
        "Armed against unarmed: +10 pips.",
    ),
    (
        {"code": "2D", "against_unarmed": True, "role": "dodge"},
        [[*pips(4), wild(5)]],
        "14",
        "Armed against unarmed: +5 pips.",
    ),
    (
        {"code": "2D", "against_unarmed": True, "purpose": "damage", "against": 3},
        [[*pips(4), wild(5)]],
        "Wounded",
        "9 less 3 = 6: wounded.",
    ),
    ({"code": "2D", "against_unarmed": True, "role": "resist"}, [[*pips(4), wild(5)]], "9", "4 + 5 = 9."),
    (
        {"code": "3D", "band": "very_easy", "obscurity": "poor light"},
        [[*pips(4, 4), wild(5)], pips(3)],
        "Success 13",
        "Obscurity, poor light: 1D is added to the difficulty.",
    ),
    # the reaction of 4, a die for the small target and two for the cover: 4 + 6
    (
        {"code": "3D", "reaction_total": 4, "cover": "1/2", "called_shot": "10-50 cm"},
        [[*pips(4, 4), wild(5)], pips(1, 2, 3)],
        "Success 13",
        "The difficulty's dice: 4 + 6 = 10.",
    ),
    ({"code": "3D", "purpose": "damage", "against": 9}, [[*pips(4, 4), wild(5)]], "Wounded", "13 less 9 = 4: wounded."),
    (
        {"code": "3D", "purpose": "damage", "against": 4},
        [[*pips(4, 4), wild(5)]],
        "Incapacitated",
        "Unconscious for 10D minutes.",
    ),
    (
        {"code": "3D", "purpose": "stun_damage", "against": 9},
        [[*pips(4, 4), wild(5)]],
        "Unconscious",
        "Unconscious for 2D minutes.",
    ),
    (
        {"code": "3D", "purpose": "stun_damage", "against": 10},
        [[*pips(4, 4), wild(5)]],
        "Stunned",
        "13 less 10 = 3: stunned.",
    ),
    ({"code": "4D", "state": "wounded_twice"}, [[*pips(4), wild(5)]], "9", "Wounded twice, 2D less: 2D."),
    ({"code": "5D", "state": "incapacitated"}, [[wild(5)]], "5", "Incapacitated, 4D less: 1D."),
    # two work together: two pips
    ({"code": "3D", "bonus": "+2"}, [[*pips(4, 4), wild(5)]], "15", "A combined action adds +2: 3D+2."),
    # five work together: a die and two pips
    ({"code": "3D", "bonus": "1D+2"}, [[*pips(4, 4, 4), wild(5)]], "19", "A combined action adds 1D+2: 4D+2."),
]


@pytest.mark.parametrize(("ask", "throws", "headline", "step"), CODES)
def test_a_roll_with_dice_codes(ask: dict[str, Any], throws: list[list[Die]], headline: str, step: str) -> None:
    outcome = COMPANION.play(throws, ask)
    assert outcome.headline == headline
    assert step in [step.text for step in outcome.steps]


@pytest.mark.parametrize(("ask", "throws", "headline", "step"), WILDS)
def test_a_roll_with_a_wild_die(ask: dict[str, Any], throws: list[list[Die]], headline: str, step: str) -> None:
    outcome = WILD.play(throws, ask)
    assert outcome.headline == headline
    assert step in [step.text for step in outcome.steps]


@pytest.mark.parametrize(
    ("ask", "most"),
    [
        ({}, 2),
        ({"role": "attack"}, 2),
        ({"purpose": "damage"}, 2),
        ({"role": "dodge"}, 5),
        ({"role": "resist"}, 5),
        ({"use": "specialization"}, 5),
        ({"role": "resist", "use": "attack"}, 2),
    ],
)
def test_the_role_of_a_roll_tells_how_many_character_points_it_takes(ask: dict[str, Any], most: int) -> None:
    assert WILD.tray({"code": "3D", "character_points": most} | ask) is not None
    offered = [spend for spend, _ in WILD.odds({"code": "2D", "difficulty": 9} | ask).spends]
    assert len([spend for spend in offered if spend.name == "character_points"]) == most
    if most < 5:
        with pytest.raises(BadAsk, match=f"it is 0 to {most}"):
            WILD.tray({"code": "3D", "character_points": most + 1} | ask)


def test_a_point_is_named_once_with_what_it_brings() -> None:
    ask = {"code": "2D", "difficulty": 9}
    (spend,) = WILD.spends(WILD.play(([*pips(3), wild(2)],), ask), ask)
    assert f"{spend.price_words()}: {spend.title}" == "1 character point: One more die"
    titles = [spend.title for spend, _ in WILD.odds(ask).spends]
    assert titles[:2] == ["1 character point: a die, after the roll", "2 character points: a die each, after the roll"]


def test_no_point_is_offered_while_a_throw_is_still_owed() -> None:
    ask = {"code": "3D", "difficulty": 14}
    owed = WILD.play(([*pips(4, 4), wild(6)],), ask)
    assert (owed.succeeded, WILD.spends(owed, ask)) == (True, ())


def test_a_throw_that_is_awaited_adds_no_step() -> None:
    waiting = COMPANION.play([pips(3, 4)], {"code": "2D", "difficulty": 6, "missile": 2})
    assert waiting.awaits is not None
    assert [step.rule for step in waiting.steps] == ["dice_total", "dice_total"]


def test_the_dead_throw_nothing() -> None:
    with pytest.raises(BadAsk, match=r"state is 'killed'. The dead throw nothing"):
        WILD.tray({"code": "5D", "state": "killed"})


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("d6-wild", {"cover": "full"}),
        ("d6-wild", {"obscurity": "thick smoke"}),
        ("d6-wild", {"called_shot": "1-10 cm"}),
        ("d6-companion", {"fire": ["prone"]}),
        ("d6-companion", {"missile": 1}),
        ("d6-companion", {"overspeed": 1}),
        ("d6-companion", {"reaction": "combat", "reaction_total": 18}),
    ],
)
def test_what_changes_a_difficulty_needs_one(name: str, ask: dict[str, Any]) -> None:
    with pytest.raises(BadAsk, match=f"{next(iter(ask))} stands without a difficulty"):
        find_game(name).tray({"code": "3D"} | ask)


def test_the_odds_of_uncertainty_name_both_sides_dice() -> None:
    assert COMPANION.odds({"code": "5D+1", "uncertainty": 3}).pool == "8D+1 less 3D"
    assert COMPANION.odds({"code": "2D", "missile": 1, "difficulty": 3}).pool == "2D against 1D+3"


def test_a_band_is_offered_with_its_numbers() -> None:
    assert dict(COMPANION.form.field("band", game="d6-companion").choices)["very_easy"] == "Very easy, 3 to 5"


@pytest.mark.parametrize(
    ("ask", "throws", "difficulty", "pips_added"),
    [
        ({"code": "2D+1", "band": "easy", "fire": ["prone"]}, [pips(3, 4)], 8, 1),
        ({"code": "2D", "difficulty": 6, "reaction": "combat", "reaction_total": 18}, [pips(3, 4)], 18, 0),
        ({"code": "2D", "difficulty": 6, "missile": 1}, [pips(3, 4), pips(5)], 11, 0),
        ({"code": "2D", "difficulty": 6, "missile": 1}, [pips(3, 4)], None, 0),
        ({"code": "3D", "difficulty": 12, "owned": 2}, [pips(3, 4)], 12, 0),
        ({"code": "2D-1"}, [pips(3, 4)], None, -1),
        ({"code": "2D", "difficulty": 11, "reaction_total": 4}, [[*pips(3), wild(4)]], 4, 0),
        ({"code": "2D", "difficulty": 20}, [[*pips(3), wild(6)]], 20, 0),
        ({"code": "2D", "difficulty": 20, "cover": "1/4"}, [[*pips(3), wild(6)]], None, 0),
        ({"code": "2D", "difficulty": 20, "cover": "1/4"}, [[*pips(3), wild(6)], [wild(2)], pips(5)], 25, 0),
    ],
)
def test_the_outcome_says_what_the_total_was_compared_with(
    ask: dict[str, Any], throws: list[list[Die]], difficulty: int | None, pips_added: int
) -> None:
    game = WILD if any(die.type == "wild" for throw in throws for die in throw) else COMPANION
    outcome = game.play(throws, ask)
    assert (outcome.difficulty, outcome.pips) == (difficulty, pips_added)
    assert outcome.to_json()["difficulty"] == difficulty
