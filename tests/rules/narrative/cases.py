"""The narrative game's cases."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tableside.dice import find_sets
from tableside.rules.narrative import GAME, combat, destiny, numbered, people
from tableside.rules.narrative import pool as pools
from tableside.rules.narrative.net import COLOURS, net_result
from tableside.rules.narrative.odds import odds_of
from tableside.rules.narrative.pool import Changes, Pool, Rating
from tests.rules.case import Case, Play

(_SET,) = find_sets(["narrative"])


def _looked_up(sheet: str, row: str) -> str:
    """Return what a reference sheet says behind the first cell of a row."""
    (found,) = [one for one in GAME.reference if one.name == sheet]
    return dict(row[:2] for row in found.rows)[row]


def _pool(pool: Pool) -> Case:
    return {"pool": pool.counts()}


def _die_faces(given: Case) -> Case:
    die = _SET.type(given["die"])
    return {"sides": len(die.faces), "colour": COLOURS[die.name], "faces": [sorted(face) for face in die.faces]}


def _die_symbol_totals(given: Case) -> Case:
    faces = _SET.type(given["die"]).faces
    symbols = [symbol for face in faces for symbol in face]
    return {"blank": faces.count(())} | {symbol: symbols.count(symbol) for symbol in set(symbols)}


def _symbol_on_dice(given: Case) -> Case:
    return {"dice": [t.name for t in _SET.types if any(given["symbol"] in face for face in t.faces)]}


def _symbol_count_range(given: Case) -> Case:
    counts = [len(face) for face in _SET.type(given["die"]).faces]
    return {"min": min(counts), "max": max(counts)}


def _net_result(given: Case) -> Case:
    symbols: list[str] = []
    for die in given["faces"]:
        symbols += _SET.type(die["die"]).check_face(die["symbols"])
    net = net_result(symbols)
    return {
        "net_success": net.net_success,
        "net_advantage": net.net_advantage,
        "triumph": net.triumph,
        "despair": net.despair,
        "succeeded": net.succeeded,
        "light": net.light,
        "dark": net.dark,
    }


def _pool_full(given: Case) -> Case:
    base = Rating(characteristic=given.get("characteristic", 0), skill=given.get("skill", 0)).pool()
    changes = Changes(
        add=Pool(boost=given.get("boost", 0), setback=given.get("setback", 0)),
        upgrade_ability=given.get("upgrade_ability", 0),
        upgrade_difficulty=given.get("upgrade_difficulty", 0),
        downgrade_ability=given.get("downgrade_ability", 0),
        downgrade_difficulty=given.get("downgrade_difficulty", 0),
        remove=Pool.of(given.get("remove", {})),
    )
    return _pool(changes.apply(base + pools.level_pool(given.get("difficulty", "simple"))))


def _range_difficulty(given: Case) -> Case:
    level = pools.range_level(given["attack"], given["range"], ruleset=given.get("ruleset", "core"))
    return {"level": level} | _pool(pools.level_pool(level))


def _combined(given: Case) -> Case:
    rating = pools.combined(Rating(**part) for part in given["parts"])
    return {"characteristic": rating.characteristic, "skill": rating.skill} | _pool(rating.pool())


def _destiny_from(given: Case) -> Case:
    made = destiny.destiny_from(given["rolls"])
    return {"light": made.light, "dark": made.dark}


def _destiny_spend(given: Case) -> Case:
    before = destiny.Destiny(light=given["light"], dark=given["dark"])
    after = before.spend(given["spender"], given.get("count", 1))
    kept = after or before
    return {"allowed": after is not None, "light": kept.light, "dark": kept.dark}


def _impossible(given: Case) -> Case:
    task = destiny.try_impossible(destiny.Destiny(light=given["light"], dark=given["dark"]))
    return {
        "allowed": task.allowed,
        "difficulty_dice": task.difficulty_dice,
        "destiny_cost": task.destiny_cost,
        "benefit": None,
        "more_destiny_by_player": task.more_destiny_by_player,
        "light": task.destiny.light,
        "dark": task.destiny.dark,
    }


def _combat_damage(given: Case) -> Case:
    damage = combat.hit_damage(given["base_damage"], given["net_success"], bonus=given.get("bonus", 0))
    return {"hit": damage is not None, "damage": damage or 0}


def _via(ways: tuple[str, ...]) -> Case:
    return {"available": bool(ways), "via": list(ways)}


def _critical(given: Case) -> Case:
    return _via(
        combat.critical_payments(
            given["critical_rating"],
            net_advantage=given["net_advantage"],
            triumph=given["triumph"],
            hit=given["hit"],
            damage_past_armor=given["damage_past_armor"],
        )
    )


def _spend_row(given: Case) -> Case:
    row = combat.find_row(given["row"])
    cost = {"advantage": row.advantage, "or_triumph": row.triumph} if row.advantage else {"triumph": row.triumph}
    return {"cost": cost, "options": list(row.options)}


def _gear(given: Case) -> Case:
    item = people.find_gear(given["name"])
    if isinstance(item, people.Armor):
        return {"soak": item.soak} | ({"defense": item.defense} if item.defense else {})
    return {
        "skill": item.skill,
        "damage": item.damage,
        "critical": item.critical,
        "range": item.range,
        "qualities": dict(item.qualities),
    }


def _odds(given: Case) -> Case:
    odds = odds_of(given["pool"])
    names = {"advantage": "p_net_advantage", "threat": "p_net_threat"}
    return {names.get(name, f"p_{name}"): _chance(share) for name, share in odds.chances().items()}


def _chance(share: Fraction) -> Case:
    # Ten decimals, halves to even, without passing through a float.
    tenths = round(share * 10**10)
    return {"exact": f"{share.numerator}/{share.denominator}", "decimal": f"{tenths // 10**10}.{tenths % 10**10:010d}"}


MECHANICS: Mapping[str, Play] = {
    "die_faces": _die_faces,
    "die_symbol_totals": _die_symbol_totals,
    "number_to_face": lambda c: {"symbols": sorted(numbered.face_of_number(c["die"], c["number"]))},
    "die_category": lambda _: {
        "positive": list(pools.POSITIVE),
        "negative": list(pools.NEGATIVE),
        "resource": list(pools.RESOURCE),
    },
    "upgrade_pairs": lambda _: dict(pools.UPGRADED),
    "symbol_on_dice": _symbol_on_dice,
    "die_symbol_count_range": _symbol_count_range,
    "typical_pool_size": lambda _: dict(zip(("min", "max"), pools.TYPICAL_DICE, strict=True)),
    "pool_basic": lambda c: _pool(Rating(**c).pool()),
    "difficulty_level": lambda c: _pool(pools.level_pool(c["level"])),
    "range_difficulty": _range_difficulty,
    "pool_full": _pool_full,
    "boost_setback_cancel": lambda c: _pool(Changes(add=Pool(**c)).apply(Pool())),
    "upgrade": lambda c: _pool(Pool.of(c["pool"]).upgrade(c["side"], c["times"])),
    "downgrade": lambda c: _pool(Pool.of(c["pool"]).downgrade(c["side"], c["times"])),
    "adversary": lambda c: _pool(pools.against_ranks(Pool.of(c["pool"]), c["ranks"])),
    "combined_check": _combined,
    "opposed_check": lambda c: _pool(pools.opposed(Rating(**c["active"]), Rating(**c["opponent"]))),
    "skill_characteristic": lambda c: {"skills": list(people.SKILLS[c["characteristic"]])},
    "characteristic_scale": lambda c: {"meaning": _looked_up("characteristics", str(c["rating"]))},
    "characteristic_cap": lambda c: {"max": int(_looked_up("characteristic_caps", c["when"]))},
    "destiny_generate": _destiny_from,
    "destiny_dice_count": lambda c: {"force_dice": destiny.destiny_dice(c["players"])},
    "destiny_spend": _destiny_spend,
    "destiny_spend_order": lambda _: {"order": list(destiny.SPENDING_ORDER)},
    "destiny_uses": lambda _: {"uses": list(destiny.USES)},
    "destiny_effect": lambda c: _pool(destiny.pool_after(Pool.of(c["pool"]), c["effect"])),
    "impossible_task": _impossible,
    "d10": lambda c: {"value": numbered.d10(c["shown"])},
    "d100": lambda c: {"value": numbered.d100(c["tens"], c["ones"])},
    "d100_uses": lambda _: {"uses": list(numbered.PERCENTILE_USES)},
    "net_result": _net_result,
    "failure_magnitude": lambda c: {"magnitude": combat.failure_size(c["net_success"], ruleset=c["ruleset"])},
    "damage_from_success": lambda c: {"added_damage": combat.added_damage(c["net_success"])},
    "combat_damage": _combat_damage,
    "critical": _critical,
    "weapon_quality": lambda c: _via(
        combat.payments(c["cost"], net_advantage=c["net_advantage"], triumph=c["triumph"])
    ),
    "weapon_quality_default_cost": lambda _: {"advantage": combat.QUALITY_COST},
    "starship_spend_row": _spend_row,
    "starship_spend_options": lambda c: {"options": list(combat.options_in_reach(**c))},
    "free_maneuver_allowed": lambda c: {"allowed": combat.may_take_free_maneuver(c["maneuvers_this_turn"])},
    "who_spends": lambda c: {"spender": combat.who_spends(c["symbol"])},
    "skill_spend": lambda c: {"effect": combat.skill_effect(c["skill"], c["symbol"])},
    "skill_resists": lambda c: {"resists": list(people.RESISTS[c["skill"]])},
    "skill_opposed_by": lambda c: {"opposed_by": list(people.OPPOSED_BY[c["skill"]])},
    "gear": _gear,
    "odds": _odds,
}
