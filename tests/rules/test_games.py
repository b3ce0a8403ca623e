"""The installed games: each keeps to the laws, and each says what the rest of the program asks of it."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.games
from tableside.dice import Die, find_sets
from tableside.dice.sets import SIDES
from tableside.errors import GameError
from tableside.rules import find_game, game_for, game_names
from tableside.rules.game import Points
from tests.conftest import ROOT
from tests.rules.laws import GameLaws

BOTH = {"triumph": "triumph", "despair": "despair"}


def test_every_game_that_is_installed_is_held_to_the_laws() -> None:
    for module in pkgutil.walk_packages(tests.games.__path__, "tests.games."):
        importlib.import_module(module.name)
    assert {laws.game.name for laws in GameLaws.__subclasses__()} >= set(game_names())


COMMON_WORDS = {"difficulty"}
"""Names of dice that are also words of the form in which rolls are told."""
KNOWS_A_GAME = {"tableside/adapters/foundry/addresses.py", "tableside/tray/card.py"}
"""Writes dice as a system of Foundry takes them, which is played with the narrative dice alone; knows which dice of the
sets that ship are printed on the test card."""


def quoted(path: Path) -> Iterator[str]:
    """Return the texts that stand in quotes in a program, whole; pages also have words between backticks."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
        yield from (value for value in found if isinstance(value, str))
    else:
        yield from (match[2] for match in re.finditer(r"""(["'`])([a-z0-9_-]+)\1""", text))


def test_nothing_but_its_own_package_names_a_game_or_its_dice() -> None:
    packages = {path.parent for path in (ROOT / "tableside" / "games").glob("*/__init__.py")}
    dice = {kind.name for one in find_sets() for kind in one.types} - SIDES.keys() - {"d100"} - COMMON_WORDS
    games = {form for name in game_names() for form in (name, name.replace("-", "_"))}
    known, places = dice | games, {path.name for path in packages}
    named = {}
    for path in sorted([*(ROOT / "tableside").rglob("*.py"), *(ROOT / "web").rglob("*.js")]):
        where = path.relative_to(ROOT).as_posix()
        if packages.isdisjoint(path.parents) and "web/vendor/" not in where:
            found = {text for text in quoted(path) if text in known}
            text = path.read_text(encoding="utf-8")
            found |= {name for name in places if f"tableside.games.{name}" in text}
            named |= {where: found} if found else {}
    assert named.keys() == KNOWS_A_GAME


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
    outcome = find_game(game).play(([Die(type=kind, face=(face,)) for kind, face in dice],), {})
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
    assert find_game(game).play((force,), {}).sets_pool == Points(light=3, dark=1)
    assert find_game(game).play(([*force, Die(type="ability", face=())],), {}).sets_pool is None


def test_the_throw_that_is_asked_for_the_pool_makes_it() -> None:
    game = find_game("narrative")
    ask = {**game.form.asking("pool"), "players": 2}
    wanted = game.tray(ask)
    assert wanted.dice == (("force", 2),)
    assert game.play(([Die(type="force", face=("dark",))] * 2,), ask).sets_pool == Points(light=0, dark=2)


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


def test_who_names_a_game_loads_no_other_and_no_acts_of_a_table() -> None:
    code = "import sys; from tableside.app import readers; readers.find_game('heroic'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "tableside.games.heroic" in loaded
    assert not [name for name in loaded if name.startswith(("tableside.table", "tableside.games.d6"))]
