"""The heroic fantasy game (S004): the narrative dice, other names for the pool of points."""

from __future__ import annotations

from tableside.rules.game import PoolNames
from tableside.rules.narrative import NarrativeGame

GAME = NarrativeGame(
    name="heroic",
    title="Heroic fantasy",
    pool_names=PoolNames(pool="Story points", light="Players", dark="Game master"),
)
