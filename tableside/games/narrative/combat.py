"""Combat on the narrative dice: what a weapon does, what hits, and who spends (S000 chapters 5 to 7)."""

from __future__ import annotations

from tableside.errors import GameError, did_you_mean
from tableside.games.narrative.ask import Ask, Attack
from tableside.games.narrative.gear import GEAR, Weapon

QUALITY_COST = 2
"""Advantages that an active weapon quality usually costs (S000 Item qualities)."""

MANEUVERS_A_TURN = 2
"""No advantage buys more maneuvers than this in one turn (S000 Table 7-5)."""


def added_damage(net_success: int) -> int:
    """Return the damage that the successes of a hit add: one each."""
    return max(net_success, 0)


def hit_damage(base: int, net_success: int, *, bonus: int = 0) -> int | None:
    """Return the damage before armor, or ``None`` for a miss."""
    return base + bonus + added_damage(net_success) if net_success >= 1 else None


def who_spends(symbol: str) -> str:
    """Return ``"roller"`` for what helps the roller and ``"gm"`` for what hinders (S000 steps 4 and 5)."""
    sides = {"advantage": "roller", "triumph": "roller", "threat": "gm", "despair": "gm"}
    if symbol not in sides:
        raise GameError(f"{symbol!r} is not spent", where="spending", hint=did_you_mean(symbol, sides))
    return sides[symbol]


def may_take_free_maneuver(maneuvers_this_turn: int) -> bool:
    """Return whether an advantage may still buy a maneuver."""
    return maneuvers_this_turn < MANEUVERS_A_TURN


def failure_size(net_success: int, *, ruleset: str = "core") -> int | None:
    """Return how bad a failure is: the summary sheet sizes it, the core book does not."""
    return -net_success if ruleset == "summary" and net_success < 0 else None


def weapon_of(given: Attack) -> tuple[int | None, int | None]:
    """Return the damage and the critical rating: as entered, else of the weapon."""
    gear, damage, critical = GEAR.get(given.weapon), given.damage, given.critical
    if isinstance(gear, Weapon):
        damage = gear.damage if damage is None else damage
        critical = gear.critical if critical is None else critical
    return damage, critical


def _rank(quality: str, weapon: str, entered: int | None) -> int:
    """Return the rank of a quality that is always on: as entered, else of the weapon."""
    gear = GEAR.get(weapon)
    return entered if entered is not None else gear.rank(quality) if isinstance(gear, Weapon) else 0


def pierce_of(given: Attack) -> int:
    """Return the rank of Pierce."""
    return _rank("pierce", given.weapon, given.pierce)


def vicious_of(given: Ask) -> int:
    """Return the rank of Vicious."""
    return _rank("vicious", given.weapon, given.vicious)


def soak_left(given: Attack) -> int:
    """Return the soak that counts: Pierce ignores as much of it as its rank."""
    return max(given.soak - pierce_of(given), 0)


def may_activate(given: Attack) -> bool:
    """Tell whether the weapon may have a quality to activate; of one that is not named nobody knows."""
    gear = GEAR.get(given.weapon)
    return given.quality_cost is not None or not isinstance(gear, Weapon) or gear.activates


def damage_dealt(net_success: int, given: Attack) -> int | None:
    """Return the damage of an attack before soak, ``None`` for a miss or an unknown weapon."""
    damage, _ = weapon_of(given)
    return None if damage is None else hit_damage(damage, net_success, bonus=given.damage_bonus)
