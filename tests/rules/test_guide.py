"""The page on adding a game: its example is a game."""

from __future__ import annotations

import re
import textwrap
from fractions import Fraction
from types import ModuleType
from typing import ClassVar

import pytest

from tableside.errors import BadAsk
from tableside.rules import Game
from tests.conftest import ROOT
from tests.rules.asks import pips
from tests.rules.laws import GameLaws


def example() -> Game:
    """Return the game that the page shows."""
    page = (ROOT / "tableside" / "rules" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert found
    module = ModuleType("two_dice")
    exec(textwrap.dedent(found[1]), module.__dict__)
    made = module.GAME
    assert isinstance(made, Game)
    return made


@pytest.fixture
def game() -> Game:
    return example()


class TestLaws(GameLaws):
    game = example()
    asked: ClassVar = {"difficulty": 7}


def test_the_example_of_the_guide_plays(game: Game) -> None:
    assert game.play((pips(3, 5),), {"difficulty": 8}).succeeded
    assert dict(game.play((pips(3),), {"difficulty": 8}).short) == {"pip": 1}
    assert dict(game.odds({"difficulty": 7}).chances)["success"] == Fraction(21, 36)
    with pytest.raises(BadAsk, match="Did you mean difficulty"):
        game.tray({"dificulty": 7})
