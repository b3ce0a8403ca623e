"""The heroic game, played with the narrative dice."""

from tableside.games.heroic.game import GAME

__all__ = ["GAME"]
