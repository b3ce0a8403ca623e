"""What all games share, from a form to its odds. Pure, immutable, standard library and msgspec only."""

from tableside.rules.game import Game, Mood, Outcome, PoolNames, find_game, game_for, game_names, wrong_games
from tableside.rules.throws import Throw

__all__ = ["Game", "Mood", "Outcome", "PoolNames", "Throw", "find_game", "game_for", "game_names", "wrong_games"]
