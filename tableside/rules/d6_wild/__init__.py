"""The D6 game with a Wild Die."""

from tableside.rules.d6_wild.game import GAME

__all__ = ["GAME"]
