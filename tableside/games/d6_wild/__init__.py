"""The D6 game with a Wild Die."""

from tableside.games.d6_wild.game import GAME

__all__ = ["GAME"]
