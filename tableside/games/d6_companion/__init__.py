"""The D6 game with dice codes, die caps and uncertainty dice."""

from tableside.games.d6_companion.game import GAME

__all__ = ["GAME"]
