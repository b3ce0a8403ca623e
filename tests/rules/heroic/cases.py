"""The heroic game's cases."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tableside.rules.heroic import hurt, play
from tableside.rules.narrative.odds import odds_of
from tableside.rules.narrative.pool import Pool, Rating
from tests.rules.case import Case, Play, Waiting, names_of
from tests.rules.narrative import cases as narrative

_ODDS = ("success", "advantage", "threat", "despair")


def _fraction(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def _steps(damage: int, threshold: int, staggered: bool) -> Case:
    steps, staggers = hurt.steps_down(damage, threshold, staggered=staggered)
    return {"steps_down": steps, "becomes_staggered": staggers}


def _damage_steps(given: Case) -> Case:
    threshold = given.get("threshold", 5)
    return _steps(given.get("damage", given.get("multiple", 0) * threshold), threshold, given["staggered"])


def _take_damage(given: Case) -> Case:
    health = hurt.Health(**{key: given[key] for key in ("condition", "staggered", "unconscious", "stamina")})
    return _health(health.hit(given["damage"], given["threshold"]))


def _health(health: hurt.Health) -> Case:
    return {
        "condition": health.condition,
        "staggered": health.staggered,
        "unconscious": health.unconscious,
        "stamina": health.stamina,
        "dead": health.dead,
    }


def _steady(given: Case) -> Case:
    before = hurt.Health(**given)
    after = before.steadied()
    return {"allowed": after is not None} | _health(after or before)


def _condition_odds(given: Case) -> Case:
    pool = hurt.pool_in(given["condition"], Pool.of(given["reference_pool"]))
    chances = odds_of(pool.counts()).chances()
    return {
        "pool": pool.counts(),
        "printed_percent": dict(zip(_ODDS, hurt.PRINTED_ODDS[given["condition"]], strict=True)),
        "exact": {name: _fraction(chances[name]) for name in _ODDS},
        "percent": {name: f"{float(round(chances[name] * 100, 6)):.6f}" for name in _ODDS},
        "tolerance_points": 0.06,
    }


def _condition_change(given: Case) -> Case:
    rows = list(hurt.CONDITIONS)
    assert rows.index(given["condition"]) == rows.index(given["from"]) + 1
    return dict(zip(_ODDS, hurt.PRINTED_CHANGES[given["condition"]], strict=True))


def _saving_odds(given: Case) -> Case:
    pool = hurt.pool_in(given["condition"], Pool.of(given["base_pool"]))
    return {"pool": pool.counts(), "exact": _fraction(odds_of(pool.counts()).chances()["success"])}


def _soak(given: Case) -> Case:
    threshold = hurt.soaked_threshold(given["threshold"], given["soak"], given["types"])
    return {"effective_threshold": threshold} | _steps(given["damage"], threshold, given["staggered"])


def _vulnerability(given: Case) -> Case:
    damage = hurt.felt_damage(given["damage"], given["vulnerability"], given["types"])
    return {"effective_damage": damage} | _steps(damage, given["threshold"], given["staggered"])


def _initiative(given: Case) -> Case:
    slots = []
    for roll in given["rolls"]:
        rank = play.TURNS.rank(roll, {})
        assert rank is not None
        slots.append(Waiting(name=roll["name"], rank=rank, is_player=roll["player"]))
    return {"order": names_of(play.TURNS, slots)}


def _initiative_pool(given: Case) -> Case:
    rating = Rating(characteristic=given["wisdom_or_linked_ability"], skill=given["vigilance"])
    return {"pool": rating.pool().counts()}


def _talk(given: Case) -> Case:
    few, usual, many = play.talk_words(given["seconds"])
    return {"min": few, "average": usual, "max": many}


def _attack_pool(given: Case) -> Case:
    attacker, defense = given["attacker"], given["defense"]
    pool = Rating(characteristic=attacker["ability"], skill=attacker["skill"]).pool()
    return {"pool": (pool + play.defense_pool([defense["ability"]], defense["rank"])).counts()}


def _hardest(given: Case) -> Case:
    targets = {name: Pool.of(pool) for name, pool in given["targets"].items()}
    return {"roll_against": play.hardest_target(Pool.of(given["attacker_pool"]), targets)}


def _area(side: int) -> Case:
    return {"side": side, "squares": side**2}


def _range_band(given: Case) -> Case:
    dice = play.long_range_dice(given["distance"], short=given["short"], long=given["long"])
    return {"targetable": dice is not None, "long_range_penalty": bool(dice)}


def _power_damage(given: Case) -> Case:
    power = given["power"].removesuffix("_weapon").removesuffix("_unarmed")
    damage = play.power_damage(
        power,
        ability=given["ability"],
        net_success=given["net_success"],
        weapon=given.get("weapon", 0),
    )
    return {"hit": damage is not None, "damage": damage or 0}


def _opportunity(given: Case) -> Case:
    after = play.after_cost(given["pool"], given["cost"])
    return {"allowed": after is not None, "pool_after": given["pool"] if after is None else after}


def _helpless(given: Case) -> Case:
    health = hurt.Health(condition=given["condition"])
    return {"staggered": health.is_staggered, "can_act": health.can_act}


MECHANICS: Mapping[str, Play] = {
    "upgrade": narrative.MECHANICS["upgrade"],
    "net_result": narrative.MECHANICS["net_result"],
    "boost_stack": lambda c: {"boost": play.boost_of(c["sources"])},
    "damage_threshold": lambda c: {"threshold": hurt.threshold_of(**c)},
    "stamina_max": lambda c: {"stamina": hurt.most_stamina(**c)},
    "damage_steps": _damage_steps,
    "condition_order": lambda _: {"order": list(hurt.CONDITIONS)},
    "take_damage": _take_damage,
    "helpless_counts_staggered": _helpless,
    "steady": _steady,
    "stamina_restore": lambda c: {"restored": c["after"] == hurt.STAMINA_BACK_AFTER},
    "stamina_effect_allowed": lambda c: {"allowed": c["stamina"] > 0},
    "condition_dice": lambda c: {"add": hurt.CONDITIONS[c["condition"]].counts()},
    "condition_odds": _condition_odds,
    "condition_odds_change": _condition_change,
    "condition_apply": lambda c: {"pool": hurt.pool_in(c["condition"], Pool.of(c["pool"])).counts()},
    "saving_throw_timing": lambda _: {"when": hurt.SAVE_TIME},
    "saving_throw_result": lambda c: dict.fromkeys(("saved", "effect_ends"), hurt.saved(c["net_success"])),
    "saving_throw_odds": _saving_odds,
    "soak": _soak,
    "vulnerability": _vulnerability,
    "damage_types": lambda _: {"types": list(hurt.DAMAGE_TYPES)},
    "damage_type_of": lambda c: {"types": list(hurt.types_of(c["keywords"], c["named_types"]))},
    "initiative_order": _initiative,
    "initiative_pool": _initiative_pool,
    "second_maneuver": lambda c: {"allowed": play.may_take_second_maneuver(**c)},
    "maneuver_max": lambda _: {"max": play.MANEUVERS_A_TURN},
    "incidental_allowed": lambda c: {"allowed": play.may_do_incidental(c["incidental"], c["already_done_this_turn"])},
    "talk_words": _talk,
    "taunt_penalty_applies": lambda c: {"penalty": bool(play.taunt_dice(c["taunted_by"], c["targets"]))},
    "taunt_current": lambda c: {"taunted_by": c["new"] or c["current"]},
    "defense_pool": lambda c: {"pool": play.defense_pool(c["abilities"], c["rank"]).counts()},
    "defense_abilities": lambda c: {"abilities": list(play.defense_abilities(c["defense"]))},
    "attack_pool": _attack_pool,
    "attack_hardest_target": _hardest,
    "abilities": lambda _: {
        "abilities": list(play.ABILITIES),
        "min": play.ABILITY_RANGE[0],
        "max": play.ABILITY_RANGE[1],
    },
    "level1_abilities": lambda c: {"valid": play.is_first_level(c["scores"])},
    "ability_zero": lambda c: {"dead": c["score"] < play.ABILITY_RANGE[0]},
    "feat_cap": lambda _: {"max": play.FEATS},
    "power_recharge": lambda c: {"recharges_after": play.RECHARGES[c["frequency"]]},
    "power_provokes": lambda c: {"provokes": play.PROVOKING[c["range"]]},
    "burst_area": lambda c: _area(play.burst_side(c["radius"])),
    "blast_area": lambda c: _area(c["size"]),
    "range_band": _range_band,
    "power_outcome": lambda c: {
        "hit": c["net_success"] >= 1,
        "miss": c["net_success"] < 1,
        "effect_applies": True,
    },
    "power_damage": _power_damage,
    "opportunity_cost": _opportunity,
}
