"""The heroic game from the ask to the hit."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import pytest

from tableside.errors import BadAsk
from tableside.rules import find_game
from tableside.rules.people import Person
from tests.rules.asks import symbols
from tests.rules.laws import GameLaws

GAME = find_game("heroic")
SWORD = {"purpose": "attack", "power": "basic_melee", "weapon": 4, "damage_ability": 3}


@pytest.mark.parametrize(
    ("ask", "dice"),
    [
        ({"ability": 3, "skill": 2}, {"ability": 1, "proficiency": 2}),
        (
            {"ability": 3, "skill": 2, "defense_abilities": [3, 2], "defense_rank": 2},
            {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 2},
        ),
        ({"ability": 2, "boosts": [2, 1, 1]}, {"ability": 2, "boost": 2}),
        ({"ability": 2, "condition": "winded", "setback": 1}, {"ability": 2, "setback": 2}),
        ({"ability": 3, "condition": "crippled"}, {"ability": 3, "challenge": 1}),
        (
            {"ability": 1, "difficulty": "easy", "condition": "exhausted", "upgrade_difficulty": 2},
            {"ability": 1, "challenge": 2},
        ),
        ({"ability": 1, "taunted": True, "long_range": True}, {"ability": 1, "setback": 2}),
        ({"ability": 1, "taunted": True, "taunt_dice": {"difficulty": 1}}, {"ability": 1, "difficulty": 1}),
        ({"purpose": "save"}, {"ability": 1}),
        ({"purpose": "save", "taunted": True}, {"ability": 1}),  # it is no attack that leaves anybody out
        ({"purpose": "initiative", "ability": 2, "taunted": True}, {"ability": 2}),
        ({"purpose": "save", "condition": "fatigued"}, {"ability": 1, "setback": 2}),
        ({"purpose": "save", "save_dice": {"ability": 2}, "condition": "helpless"}, {"ability": 2}),
        ({"condition": "winded"}, {}),
    ],
)
def test_the_ask_tells_which_dice_should_lie_there(ask: dict[str, object], dice: dict[str, int]) -> None:
    wanted = GAME.tray(ask)
    assert (dict(wanted.dice) if wanted else {}) == dice


def test_the_helpless_are_said_to_take_no_actions_and_have_the_dice_where_the_master_lets_them() -> None:
    wanted = GAME.tray({"ability": 3, "condition": "helpless"})
    assert (dict(wanted.dice), "The helpless take no actions." in wanted.sentence) == ({"ability": 3}, True)
    saves = GAME.tray({"purpose": "save", "condition": "helpless"})
    assert "helpless" not in (saves.sentence if saves else "helpless")


@pytest.mark.parametrize(
    ("condition", "chance"),
    [("normal", "1/2"), ("winded", "3/8"), ("fatigued", "5/18"), ("exhausted", "11/32"), ("crippled", "25/96")],
)
def test_a_saving_throw_has_the_chances_of_the_table(condition: str, chance: str) -> None:
    prospect = GAME.odds({"purpose": "save", "condition": condition})
    assert dict(prospect.chances)["success"] == Fraction(chance)


def test_a_save_ends_the_effect() -> None:
    assert GAME.play((symbols("ability:success"),), {"purpose": "save"}).headline == "Saved"
    outcome = GAME.play((symbols("ability:advantage"),), {"purpose": "save"})
    assert (outcome.headline, outcome.succeeded) == ("Not saved", False)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({}, "Hit for 9. Success"),
        ({"threshold": 10}, "Hit for 9. The target feels nothing."),
        ({"threshold": 9}, "Hit for 9. The target is normal and staggered."),
        ({"threshold": 5, "soak": 4}, "The target is normal and staggered."),
        ({"threshold": 5, "vulnerability": 1}, "The target is winded and staggered."),
        ({"threshold": 4, "target_staggered": True}, "The target is fatigued and staggered."),
        ({"threshold": 9, "target_condition": "crippled", "target_staggered": True}, "The target is helpless."),
        ({"threshold": 4, "target_condition": "crippled", "target_stamina": 1}, "The target is helpless."),
        (
            {"threshold": 4, "target_condition": "crippled", "target_staggered": True, "target_stamina": 1},
            "The target is unconscious with 1 stamina.",
        ),
        (
            {"threshold": 4, "target_condition": "helpless", "target_unconscious": True, "target_stamina": 2},
            "The target is unconscious with 1 stamina.",
        ),
        (
            {
                "threshold": 4,
                "target_condition": "helpless",
                "target_unconscious": True,
                "target_stamina": 2,
                "stamina_each_step": True,
            },
            "The target is dead.",
        ),
    ],
)
def test_a_hit_does_to_the_target_what_its_threshold_says(target: dict[str, object], words: str) -> None:
    outcome = GAME.play((symbols("ability:success,success"),), SWORD | target)
    assert outcome.headline == "Hit for 9"
    assert words in outcome.sentence


def test_a_miss_does_nothing() -> None:
    outcome = GAME.play((symbols("ability:advantage"),), SWORD | {"threshold": 1})
    assert (outcome.headline, outcome.sentence.startswith("Miss.")) == ("Miss", True)


def bought(thrown: str, **ask: object) -> dict[str, str]:
    """Return what may be bought, with who chooses."""
    return {spend.name: spend.by for spend in GAME.spends(GAME.play((symbols(thrown),), ask), ask)}


def test_an_advantage_helps_an_ally_and_in_a_fight_buys_a_second_maneuver_or_is_set_aside() -> None:
    assert list(bought("ability:advantage")) == ["boost_next_ally"]
    fight = ["second_maneuver", "boost_next_ally", "opportunity"]
    assert list(bought("ability:advantage", in_fight=True)) == fight
    assert list(bought("ability:advantage", purpose="attack")) == fight
    assert list(bought("ability:advantage", in_fight=True, maneuvers=2)) == fight[1:]
    assert bought("ability:advantage", purpose="initiative") == {}


def test_a_triumph_has_a_strong_effect_and_what_hinders_is_for_the_game_master() -> None:
    assert bought("proficiency:triumph ability:advantage") == {"boost_next_ally": "roller", "stronger_effect": "roller"}
    assert bought("ability:success difficulty:threat") == {"trouble": "gm"}
    both = "ability:success,success difficulty:threat,threat challenge:despair"
    assert bought(both) == {"trouble": "gm", "stronger_trouble": "gm"}
    assert bought("ability:success difficulty:threat ability:advantage") == {}  # they cancel


def test_no_ability_is_below_one() -> None:
    for ask in ({"ability": 0}, {"abilities": [2, 0, 1, 1, 1, 1]}):
        with pytest.raises(BadAsk, match="from 1 to 10"):
            GAME.tray(ask)
    zero = Person(id="b", name="Brand", game="heroic", defences={"abilities": [2, 0, 1, 1, 1, 1]})
    with pytest.raises(BadAsk):  # without a level, too
        GAME.characters.check(zero)


def test_trackers_follow_condition_and_stamina() -> None:
    trackers = {tracker.name: tracker for tracker in GAME.trackers}
    assert trackers["condition"].steps == ("normal", "winded", "fatigued", "exhausted", "crippled", "helpless")
    assert trackers["stamina"].resets == "extended rest"


def test_initiative_is_a_rank() -> None:
    outcome = GAME.play((symbols("proficiency:triumph ability:advantage,advantage"),), {"purpose": "initiative"})
    assert (outcome.succeeded, outcome.headline) == (None, "1 triumph, 1 success, 2 advantages")


class TestLaws(GameLaws):
    game = find_game("heroic")
    asked: ClassVar = {"ability": 2, "skill": 1, "difficulty": "easy"}
