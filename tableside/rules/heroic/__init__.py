"""The heroic game, played with the narrative dice."""

from tableside.rules.heroic.game import GAME

__all__ = ["GAME"]
