"""Destiny points: the pool at the start of a session, what a point buys and whom it passes to (S000, S002)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tableside.errors import GameError, did_you_mean
from tableside.rules.narrative.pool import LEVELS, Pool

Spender = Literal["player", "gm"]

SPENDING_ORDER = ("roller", "target", "others")
"""Who decides first on a check (S002 step 4)."""

USES = ("helping_hand", "raising_the_stakes", "special_ability", "luck")
"""What a point buys (S002 Destiny)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destiny:
    """Light and dark points; their sum never changes in play."""

    light: int = 0
    dark: int = 0

    def spend(self, spender: Spender, count: int = 1) -> Destiny | None:
        """Return the pool after the points have passed to the other side, or ``None`` where they are not there.

        Players spend light points only, the game master dark points only.
        """
        if spender not in ("player", "gm"):
            raise GameError(f"{spender!r} cannot spend", where="destiny", hint="Spenders are player and gm.")
        if count < 1:
            raise GameError(f"{count} points cannot be spent", where="destiny", hint="Spend 1 or more.")
        moved = count if spender == "player" else -count
        after = Destiny(light=self.light - moved, dark=self.dark + moved)
        return after if after.light >= 0 and after.dark >= 0 else None


def destiny_dice(players: int) -> int:
    """Return how many Force dice start a session: one a player, none for the game master."""
    return players


def destiny_from(rolls: Iterable[Sequence[str]]) -> Destiny:
    """Return the pool that these faces of Force dice give. Light and dark do not cancel."""
    symbols = [symbol for face in rolls for symbol in face]
    for symbol in symbols:
        if symbol not in ("light", "dark"):
            raise GameError(f"{symbol!r} is on no Force die", where="destiny", hint="They show light and dark.")
    return Destiny(light=symbols.count("light"), dark=symbols.count("dark"))


def pool_after(pool: Pool, use: str) -> Pool:
    """Return the pool of dice after a point was spent on it. Luck and special abilities change no dice."""
    if use not in USES:
        raise GameError(f"no use {use!r}", where="destiny", hint=did_you_mean(use, USES))
    side = {"helping_hand": "ability", "raising_the_stakes": "difficulty"}.get(use)
    return pool.upgrade(side) if side else pool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpossibleTask:
    """An attempt at what cannot be done (S000 optional rule): a light point buys the attempt and nothing else.

    :ivar destiny: the pool after it; unchanged where the attempt is not allowed.
    """

    allowed: bool
    destiny: Destiny
    difficulty_dice: int = LEVELS["impossible"]
    destiny_cost: int = 1
    more_destiny_by_player: bool = False


def try_impossible(destiny: Destiny) -> ImpossibleTask:
    """Return whether a player may try, and what it costs."""
    after = destiny.spend("player")
    return ImpossibleTask(allowed=after is not None, destiny=after or destiny)
