"""What the symbols of a roll may be spent on, as suggestions: tables of the narrative game in words.

What marks "section 10" is known only from the published game, so it stands behind the setting ``spending``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tableside.games.narrative import combat
from tableside.games.narrative.ask import Ask, ForcePower
from tableside.games.narrative.ask import Attack as AttackAsk
from tableside.games.narrative.gear import GEAR, VICIOUS_STEP, Weapon
from tableside.rules.form import answers
from tableside.rules.game import Outcome, Spend
from tableside.words import say

PERSONAL_SOURCE, STARSHIP_SOURCE = "section 10", "M29, S000 Table 7-5"


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleRow:
    """One row of what the game master may spend threats or despairs on; 0 where that does not buy it."""

    threat: int = 0
    despair: int = 1
    options: tuple[str, ...]


PERSONAL_TROUBLE = (
    TroubleRow(threat=1, options=("suffer_strain", "lose_maneuver_benefit")),
    TroubleRow(threat=2, options=("enemy_free_maneuver", "boost_target_next", "setback_own_side_next")),
    TroubleRow(threat=3, options=("fall_prone", "enemy_edge")),
    TroubleRow(options=("out_of_ammunition", "upgrade_difficulty_own_side_next", "tool_damaged")),
)
"""Personal combat, from the published game; S000 has lost the table."""

STARSHIP_TROUBLE = (
    TroubleRow(threat=1, options=("lose_maneuver_benefit", "suffer_system_strain")),
    TroubleRow(threat=2, options=("enemy_free_maneuver", "boost_target_next", "setback_own_side_next")),
    TroubleRow(threat=3, options=("drop_in_order", "enemy_edge")),
    TroubleRow(options=("weapon_system_offline", "upgrade_difficulty_own_side_next", "minor_collision")),
)
"""Starships and vehicles, Table 7-6 of the published game, which S000 names and has lost."""

GENERAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "advantage": ("recover_strain", "extra_maneuver", "finish_faster", "find_opening"),
        "triumph": ("stronger_effect",),
        "threat": ("fall_prone", "lose_cover", "take_longer", "suffer_strain", "enemy_free_maneuver"),
        "despair": ("weapon_jams", "out_of_ammunition", "stronger_trouble"),
    }
)
"""Typical uses of one symbol (M04, S000)."""

MANEUVERS = frozenset({"free_maneuver", "free_pilot_only_maneuver", "extra_maneuver"})
"""Options that are a maneuver of whoever buys them; no more than two are made in a turn (M29)."""

FIGHT = frozenset(
    {
        *MANEUVERS,
        "critical_hit",
        "weapon_quality",
        "cancel_target_defense",
        "ignore_surroundings",
        "ignore_terrain",
        "defense_up",
        "target_drops_weapon",
        "force_veer_off",
        "something_vital",
        "lose_maneuver_benefit",
        "enemy_free_maneuver",
        "enemy_edge",
        "fall_prone",
        "lose_cover",
        "drop_in_order",
        "minor_collision",
        "out_of_ammunition",
        "weapon_jams",
        "weapon_system_offline",
    }
)
"""Options that mean something only in a fight: of maneuvers, defences, ammunition and the order of turns."""

ATTACK = frozenset(
    {
        "critical_hit",
        "weapon_quality",
        "cancel_target_defense",
        "target_drops_weapon",
        "out_of_ammunition",
        "weapon_jams",
        "weapon_system_offline",
    }
)
"""Options of weapons, which mean something only with an attack."""

SOCIAL = ("charm", "coercion", "deception", "discipline", "leadership")
"""Skills that are used with words alone: no tool is damaged."""

DAMAGING = frozenset({"disable_component", "destroy_component", "disable_gear_or_limb", "destroy_gear"})
"""Options that stand in place of damage that is dealt (M29)."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "boost_next_allied_active": "Boost to an ally's next piloting, gunnery, computers or mechanics",
        "notice_point": "Notice one important point",
        "critical_hit": "A critical hit",
        "weapon_quality": "Activate a quality of the weapon",
        "free_maneuver": "A free maneuver at once",
        "setback_target_next": "Setback to the target's next check",
        "boost_any_ally_next": "Boost to any ally's next check, or your own",
        "disable_component": "Put out a component instead of damage",
        "ignore_terrain": "Ignore bad terrain until your next turn ends",
        "free_pilot_only_maneuver": "One more pilot's maneuver, within the limit",
        "force_veer_off": "The target veers off: Aim or Stay on Target ends",
        "upgrade_difficulty_target_next": "Upgrade the target's next difficulty",
        "upgrade_ally_next": "Upgrade any ally's next check",
        "something_vital": "Do something that turns the fight",
        "destroy_component": "Destroy a component instead of damage",
        "recover_strain": "Recover one strain",
        "boost_next_ally": "Boost to the next ally",
        "cancel_target_defense": "No defence for the target this round",
        "ignore_surroundings": "Ignore the surroundings until your next turn ends",
        "disable_gear_or_limb": "Disable gear or a limb instead of damage",
        "defense_up": "One more defence until your next turn ends",
        "target_drops_weapon": "The target drops its weapon",
        "destroy_gear": "Destroy a piece of the target's gear",
        "suffer_strain": "Suffer one strain",
        "lose_maneuver_benefit": "Lose the benefit of a maneuver",
        "enemy_free_maneuver": "An enemy gets a free maneuver",
        "boost_target_next": "Boost to the target's next check",
        "setback_own_side_next": "Setback to your or an ally's next check",
        "fall_prone": "Fall prone",
        "enemy_edge": "The enemy gains an edge",
        "suffer_system_strain": "The ship suffers one system strain",
        "drop_in_order": "The ship acts after the last enemy of the round",
        "weapon_system_offline": "A weapon system is out until it is repaired",
        "minor_collision": "A minor collision",
        "out_of_ammunition": "The weapon runs out of ammunition",
        "upgrade_difficulty_own_side_next": "Upgrade your or an ally's next difficulty",
        "tool_damaged": "A tool or weapon is damaged",
        "extra_maneuver": "An extra maneuver",
        "finish_faster": "Finish faster",
        "find_opening": "Find an opening",
        "stronger_effect": "A strong effect that the table agrees on",
        "lose_cover": "Lose cover",
        "take_longer": "Take longer",
        "weapon_jams": "The weapon jams",
        "stronger_trouble": "Strong trouble that the game master sets",
        "downgrade_one_challenge_on_own_next_action": "Downgrade a challenge die of your next action",
        "extra_insight": "An extra insight into the situation",
        "boost_allies_discipline_next_round": "Boost to the allies' Discipline next round",
        "resolve_weakens": "Your resolve weakens",
        "only_one_maneuver_next_round": "Only one maneuver in the next round",
        "support_lasts_more_scenes_or_more_effective": "The support lasts more scenes or works better",
        "affects_bystanders": "Bystanders are swayed, too",
        "target_becomes_follower": "The target joins as a lasting follower",
        "part_of_lie_shows": "Part of the lie shows",
        "liar_known_or_target_exploits_lie": "The lie harms your name or serves the target",
    }
)
"""What people read for the names in the tables."""

SHORT: Mapping[str, str] = MappingProxyType(
    {
        "boost_next_allied_active": "Boost a crew member",
        "notice_point": "Notice one detail",
        "weapon_quality": "Use a weapon quality",
        "free_maneuver": "A free maneuver",
        "setback_target_next": "Setback the target",
        "boost_any_ally_next": "Boost any ally",
        "disable_component": "Put out a component",
        "ignore_terrain": "Ignore bad terrain",
        "free_pilot_only_maneuver": "One pilot's maneuver",
        "force_veer_off": "The target veers off",
        "upgrade_difficulty_target_next": "Harder for the target",
        "upgrade_ally_next": "Upgrade an ally",
        "something_vital": "Something vital",
        "destroy_component": "Destroy a component",
        "boost_next_ally": "Boost the next ally",
        "cancel_target_defense": "Ignore their defence",
        "ignore_surroundings": "Ignore surroundings",
        "disable_gear_or_limb": "Disable gear or limb",
        "defense_up": "One more defence",
        "target_drops_weapon": "Target drops weapon",
        "destroy_gear": "Destroy the gear",
        "lose_maneuver_benefit": "A maneuver is lost",
        "enemy_free_maneuver": "Enemy free maneuver",
        "boost_target_next": "Boost the target",
        "setback_own_side_next": "Setback your side",
        "enemy_edge": "Enemy gains an edge",
        "suffer_system_strain": "One system strain",
        "drop_in_order": "Acts last this round",
        "weapon_system_offline": "Weapon system out",
        "out_of_ammunition": "Ammunition is out",
        "upgrade_difficulty_own_side_next": "Harder for your side",
        "tool_damaged": "Tool or weapon damaged",
        "stronger_effect": "A strong effect",
        "stronger_trouble": "Strong trouble",
        "downgrade_one_challenge_on_own_next_action": "Downgrade a challenge",
        "extra_insight": "An extra insight",
        "boost_allies_discipline_next_round": "Boost their Discipline",
        "only_one_maneuver_next_round": "Just one maneuver",
        "support_lasts_more_scenes_or_more_effective": "Longer, better support",
        "affects_bystanders": "Sways bystanders",
        "target_becomes_follower": "A lasting follower",
        "liar_known_or_target_exploits_lie": "The lie backfires",
    }
)
"""What stands on a card, where a title is longer than that."""


def weapon_of(given: AttackAsk) -> tuple[int | None, int | None]:
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


def pierce_of(given: AttackAsk) -> int:
    """Return the rank of Pierce."""
    return _rank("pierce", given.weapon, given.pierce)


def vicious_of(given: Ask) -> int:
    """Return the rank of Vicious."""
    return _rank("vicious", given.weapon, given.vicious)


def soak_left(given: AttackAsk) -> int:
    """Return the soak that counts: Pierce ignores as much of it as its rank."""
    return max(given.soak - pierce_of(given), 0)


def may_activate(given: AttackAsk) -> bool:
    """Tell whether the weapon may have a quality to activate; of one that is not named nobody knows."""
    gear = GEAR.get(given.weapon)
    return given.quality_cost is not None or not isinstance(gear, Weapon) or gear.activates


def damage_dealt(net_success: int, given: AttackAsk) -> int | None:
    """Return the damage of an attack before soak, ``None`` for a miss or an unknown weapon."""
    damage, _ = weapon_of(given)
    return None if damage is None else combat.hit_damage(damage, net_success, bonus=given.damage_bonus)


def spends_of(outcome: Outcome, given: Ask) -> tuple[Spend, ...]:
    """Return what may be bought with the symbols that are left, the cheapest first."""
    net = dict(outcome.net)
    found = [*_hit_spends(net, given), *_skill_spends(net, given.skill_used)]
    match given.spending:
        case "personal" if not given.of_ships:
            found += _row_spends(combat.PERSONAL_SPENDING, PERSONAL_TROUBLE, net, PERSONAL_SOURCE)
        case "personal" | "starship":
            found += _row_spends(combat.STARSHIP_SPENDING, STARSHIP_TROUBLE, net, STARSHIP_SOURCE)
        case "general":
            found += [
                _spend(name, net, ((of, 1),), "M04, S000") for of, names in GENERAL.items() if net[of] for name in names
            ]
    # The tables name critical hits and qualities, too, at a cost of their own: these are told above.
    own, made = {"critical_hit", "weapon_quality"}, given.maneuvers
    if not combat.may_take_free_maneuver(made):
        own |= MANEUVERS
    if not (isinstance(given, AttackAsk) or given.in_fight):
        own |= FIGHT
    if not isinstance(given, AttackAsk):
        own |= ATTACK
    if not _may_hurt(net, given):
        own |= DAMAGING
    if given.skill_used in SOCIAL:
        own |= {"tool_damaged"}
    shown = [spend for spend in found if spend.name not in own or spend.source.startswith(("M27", "M28"))]
    named = {spend.name: spend for spend in reversed(shown)}
    for name in named.keys() & MANEUVERS:  # each that is bought is made at once
        named[name] = replace(named[name], sets=tuple(answers(Ask, maneuvers=made + 1).items()))
    return tuple(named.values())[::-1]


def force_spends(outcome: Outcome, given: ForcePower) -> tuple[Spend, ...]:
    """Return the use of a Force point of the other side, while one is left (published rule).

    Each costs a strain, and who is of the light side a conflict; the first turns a point of destiny, too.
    """
    is_dark, used = given.dark_side, given.costly_points
    side = "light" if is_dark else "dark"
    if used >= dict(outcome.net)[side]:
        return ()
    title = "Use a light Force point: one strain" if is_dark else "Use a dark Force point: one strain, one conflict"
    if not used:
        title = say("{use}, and a point of destiny turns", use=title)
    sets = tuple(answers(ForcePower, costly_points=used + 1).items())
    short = "Use a light point" if is_dark else "Use a dark point"
    return (
        Spend(
            name="use_costly_point", title=title, short=short, prices=((side, 1),), sets=sets, source=PERSONAL_SOURCE
        ),
    )


def _hit_spends(net: Mapping[str, int], given: Ask) -> Iterable[Spend]:
    if not isinstance(given, AttackAsk) or not net["success"]:
        return
    _, critical = weapon_of(given)
    if critical is not None and _may_hurt(net, given) and _in_reach(net, critical):
        spend = _spend("critical_hit", net, (("advantage", critical), ("triumph", 1)), "M27, S000")
        more = VICIOUS_STEP * vicious_of(given)
        title = say("A critical hit: {n} more on the percentile throw", n=more)
        yield replace(spend, title=title, short=spend.title) if more else spend
    cost = given.quality_cost or combat.QUALITY_COST
    if may_activate(given) and _in_reach(net, cost):
        yield _spend("weapon_quality", net, (("advantage", cost), ("triumph", 1)), "M28, S000")


def _may_hurt(net: Mapping[str, int], given: Ask) -> bool:
    """Tell whether it is a hit that deals damage past armor; of a weapon that is not named nobody knows."""
    if not isinstance(given, AttackAsk) or not net["success"]:
        return False
    dealt = damage_dealt(net["success"], given)
    return dealt is None or dealt > soak_left(given)


def _row_spends(
    rows: Iterable[combat.SpendRow], trouble: Iterable[TroubleRow], net: Mapping[str, int], source: str
) -> Iterable[Spend]:
    reached = [row for row in rows if row.is_in_reach(net_advantage=net["advantage"], triumph=net["triumph"])]
    # A triumph is rather spent on what it alone buys than in place of advantages that are wanting.
    for row in sorted(reached, key=lambda row: row.advantage > net["advantage"]):
        prices = (("advantage", row.advantage), ("triumph", row.triumph))
        yield from (_spend(name, net, prices, source) for name in row.options)
    for bad in trouble:
        if net["despair"] >= bad.despair or 0 < bad.threat <= net["threat"]:
            prices = (("threat", bad.threat), ("despair", bad.despair))
            yield from (_spend(name, net, prices, PERSONAL_SOURCE) for name in bad.options)


def _skill_spends(net: Mapping[str, int], skill: str) -> Iterable[Spend]:
    for symbol, name in combat.SKILL_SPENDING.get(skill, {}).items():
        # The one success that the check needs is not left over.
        if net[symbol] >= (2 if symbol == "success" else 1):
            yield _spend(name, net, ((symbol, 1),), f"M30, S000 {skill.capitalize()}")


def _in_reach(net: Mapping[str, int], cost: int) -> bool:
    return net["triumph"] >= 1 or net["advantage"] >= cost


def _spend(name: str, net: Mapping[str, int], prices: Iterable[tuple[str, int]], source: str) -> Spend:
    """Return what is within reach, with the prices that the roll can pay: no triumph where none was rolled."""
    kept = tuple((of, count) for of, count in prices if 0 < count <= net[of])
    by = "roller" if kept[0][0] == "success" else combat.who_spends(kept[0][0])
    return Spend(name=name, title=TITLES[name], short=SHORT.get(name, ""), prices=kept, by=by, source=source)
