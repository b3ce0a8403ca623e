"""The installed games: each keeps to the laws, and each says what the rest of the program asks of it."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import tests.rules
from tableside.dice import Die
from tableside.errors import GameError
from tableside.rules import find_game, game_for, game_names
from tests.rules.laws import GameLaws

BOTH = {"triumph": "triumph", "despair": "despair"}


def test_every_game_that_is_installed_is_held_to_the_laws() -> None:
    for module in pkgutil.walk_packages(tests.rules.__path__, "tests.rules."):
        importlib.import_module(module.name)
    assert {laws.game.name for laws in GameLaws.__subclasses__()} >= set(game_names())


@pytest.mark.parametrize(
    ("game", "dice", "moods"),
    [
        ("narrative", [("proficiency", "triumph"), ("challenge", "despair")], BOTH),
        ("heroic", [("proficiency", "triumph")], {"triumph": "triumph"}),
        ("d6-wild", [("wild", "1"), ("pip", "6")], {"despair": "complication"}),
        ("d6-companion", [("pip", "1"), ("pip", "6")], {}),
    ],
)
def test_the_game_says_which_mood_a_result_has(game: str, dice: list[tuple[str, str]], moods: dict[str, str]) -> None:
    outcome = find_game(game).score([Die(type=kind, face=(face,)) for kind, face in dice], {})
    assert outcome.to_json()["moods"] == moods


@pytest.mark.parametrize(
    ("types", "game"),
    [
        ("", "narrative"),
        ("ability force", "narrative"),
        ("d100 d10", "narrative"),
        ("pip pip", "d6-companion"),
        ("pip wild", "d6-wild"),
        ("wild", "d6-wild"),
    ],
)
def test_the_dice_in_the_tray_suggest_the_game(types: str, game: str) -> None:
    assert game_for([Die(type=name, face=("1",)) for name in types.split()]).name == game


@pytest.mark.parametrize("types", ["ability pip", "bone"])
def test_dice_of_no_one_game_are_named(types: str) -> None:
    with pytest.raises(GameError, match=f"no game is played with these dice: {', '.join(types.split())}"):
        game_for([Die(type=name, face=()) for name in types.split()])


@pytest.mark.parametrize("game", ["narrative", "heroic"])
def test_a_throw_of_dice_with_points_alone_makes_the_pool(game: str) -> None:
    force = [Die(type="force", face=face) for face in (("light", "light"), ("dark",), ("light",))]
    assert find_game(game).score(force, {}).sets_pool == (3, 1)
    assert find_game(game).score([*force, Die(type="ability", face=())], {}).sets_pool is None


def test_the_throw_that_is_asked_for_the_pool_makes_it() -> None:
    game = find_game("narrative")
    ask = {**game.pool_ask, "players": 2}
    wanted = game.tray(ask)
    assert wanted is not None
    assert wanted.dice == (("force", 2),)
    assert game.score([Die(type="force", face=("dark",))] * 2, ask).sets_pool == (0, 2)


@pytest.mark.parametrize(
    ("die", "worth"),
    [
        (Die(type="ability", face=("advantage", "success")), {"net success": 1, "net advantage": 1}),
        (Die(type="challenge", face=("despair",)), {"net success": -1}),
        (Die(type="pip", face=("5",)), {"pips": 5}),
        (Die(type="d10", face=("7",)), {"pips": 7}),
        (Die(type="setback", face=()), {}),
    ],
)
def test_a_face_is_worth_what_its_game_says(die: Die, worth: dict[str, int]) -> None:
    assert game_for([die]).worth(die) == worth
