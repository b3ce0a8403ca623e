"""The narrative game: seven dice with symbols."""

from tableside.rules.narrative.game import GAME

__all__ = ["GAME"]
