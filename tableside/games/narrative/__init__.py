"""The narrative game: seven dice with symbols."""

from tableside.games.narrative.game import GAME

__all__ = ["GAME"]
