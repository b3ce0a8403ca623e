"""Combat on the narrative dice: hits, criticals, and what symbols may be spent on (S000 chapters 5 to 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendRow:
    """One row of a spending table.

    :ivar advantage: advantages it costs; 0 where only triumphs buy it.
    :ivar triumph: triumphs that buy it instead.
    """

    name: str
    advantage: int = 0
    triumph: int = 1
    options: tuple[str, ...]

    def is_in_reach(self, *, net_advantage: int, triumph: int) -> bool:
        return triumph >= self.triumph or (self.advantage > 0 and net_advantage >= self.advantage)


STARSHIP_SPENDING = (
    SpendRow(
        name="adv1",
        advantage=1,
        options=("boost_next_allied_active", "notice_point", "critical_hit", "weapon_quality"),
    ),
    SpendRow(
        name="adv2",
        advantage=2,
        options=("free_maneuver", "setback_target_next", "boost_any_ally_next"),
    ),
    SpendRow(
        name="adv3",
        advantage=3,
        options=("disable_component", "ignore_terrain", "free_pilot_only_maneuver", "force_veer_off"),
    ),
    SpendRow(
        name="triumph1",
        options=("upgrade_difficulty_target_next", "upgrade_ally_next", "something_vital"),
    ),
    SpendRow(name="triumph2", triumph=2, options=("destroy_component",)),
)
"""S000 Table 7-5. The limits of the rows for 3 advantages and for triumphs are those of the published table."""

PERSONAL_SPENDING = (
    SpendRow(name="adv1", advantage=1, options=("recover_strain", "boost_next_ally", "notice_point")),
    SpendRow(name="adv2", advantage=2, options=("free_maneuver", "setback_target_next", "boost_any_ally_next")),
    SpendRow(
        name="adv3",
        advantage=3,
        options=(
            "cancel_target_defense",
            "ignore_surroundings",
            "disable_gear_or_limb",
            "defense_up",
            "target_drops_weapon",
        ),
    ),
    SpendRow(
        name="triumph1",
        options=("upgrade_difficulty_target_next", "upgrade_ally_next", "something_vital"),
    ),
    SpendRow(name="triumph2", triumph=2, options=("destroy_gear",)),
)
"""Personal combat, from the published game; S000 has lost the table."""


SKILL_SPENDING: Mapping[str, Mapping[str, str]] = {
    "discipline": {
        "success": "downgrade_one_challenge_on_own_next_action",
        "advantage": "extra_insight",
        "triumph": "boost_allies_discipline_next_round",
        "threat": "resolve_weakens",
        "despair": "only_one_maneuver_next_round",
    },
    "leadership": {
        "success": "support_lasts_more_scenes_or_more_effective",
        "advantage": "affects_bystanders",
        "triumph": "target_becomes_follower",
    },
    "deception": {
        "threat": "part_of_lie_shows",
        "despair": "liar_known_or_target_exploits_lie",
    },
}
"""S000 skill descriptions; what is missing is lost in the text."""


def failure_size(net_success: int, *, ruleset: str = "core") -> int | None:
    """Return how bad a failure is: the summary sheet sizes it, the core book does not."""
    return -net_success if ruleset == "summary" and net_success < 0 else None
