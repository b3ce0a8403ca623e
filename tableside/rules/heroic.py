"""The heroic fantasy game on the narrative dice (S004). Its own trackers come with the full games."""

from __future__ import annotations

from tableside.rules.game import PoolNames
from tableside.rules.narrative import NarrativeGame

GAME = NarrativeGame(
    name="heroic",
    title="Heroic fantasy",
    pool_names=PoolNames(pool="Story points", light="Players", dark="Game master"),
)
