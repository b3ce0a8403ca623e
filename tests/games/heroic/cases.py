"""The heroic game's cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tableside.errors import BadAsk, Conflict, GameError
from tableside.games.heroic import GAME, combat, hurt
from tableside.games.narrative.pool import Pool, Rating
from tableside.rules.acts import find_act
from tableside.rules.characters import perform_act
from tableside.rules.people import Gauge, Person
from tableside.table import System, TableState
from tableside.table.acts import pay
from tests.games.narrative import cases as narrative
from tests.rules.case import Case, Play, Waiting, names_of

_ODDS = ("success", "advantage", "threat", "despair")


def _tray(**ask: Any) -> Case:
    """Return the dice that a call asks for."""
    wanted = GAME.tray(ask)
    return {"pool": dict(wanted.dice) if wanted else {}}


def _printed(name: str, condition: str) -> list[Any]:
    """Return the numbers of a row of the track."""
    row = next(row for row in narrative.sheet(name, GAME) if row[0].lower() == condition)
    return [float(cell) if cell.lstrip("-").replace(".", "").isdecimal() else cell for cell in row[1:]]


def _known(what: str) -> list[int]:
    """Return the numbers of a line about characters."""
    (text,) = [how for name, how in narrative.sheet("characters", GAME) if name == what]
    return [int(number) for number in re.findall(r"\d+", text)]


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
    ask = {"dice": given["reference_pool"], "condition": given["condition"]}
    chances = dict(GAME.odds(ask).chances)
    return {
        **_tray(**ask),
        "printed_percent": dict(zip(_ODDS, _printed("condition_track", given["condition"])[1:], strict=True)),
        "exact": {name: _fraction(chances[name]) for name in _ODDS},
        "percent": {name: f"{float(round(chances[name] * 100, 6)):.6f}" for name in _ODDS},
        "tolerance_points": 0.06,
    }


def _condition_change(given: Case) -> Case:
    rows = list(hurt.CONDITIONS)
    assert rows.index(given["condition"]) == rows.index(given["from"]) + 1
    return dict(zip(_ODDS, _printed("condition_changes", given["condition"]), strict=True))


def _saving_odds(given: Case) -> Case:
    ask = {"purpose": "save", "save_dice": given["base_pool"], "condition": given["condition"]}
    return _tray(**ask) | {"exact": _fraction(dict(GAME.odds(ask).chances)["success"])}


def _soak(given: Case) -> Case:
    threshold = hurt.soaked_threshold(given["threshold"], given["soak"], given["types"])
    return {"effective_threshold": threshold} | _steps(given["damage"], threshold, given["staggered"])


def _vulnerability(given: Case) -> Case:
    damage = hurt.felt_damage(given["damage"], given["vulnerability"], given["types"])
    return {"effective_damage": damage} | _steps(damage, given["threshold"], given["staggered"])


def _initiative(given: Case) -> Case:
    slots = []
    for roll in given["rolls"]:
        rank = combat.TURNS.rank(roll, {})
        assert rank is not None
        slots.append(Waiting(name=roll["name"], rank=rank, is_player=roll["player"]))
    return {"order": names_of(combat.TURNS, slots)}


def _initiative_pool(given: Case) -> Case:
    rating = Rating(characteristic=given["wisdom_or_linked_ability"], skill=given["vigilance"])
    return {"pool": rating.pool().counts()}


def _talk(given: Case) -> Case:
    few, many, usual = (words * given["seconds"] // 6 for words in _known("Words in a round"))
    return {"min": few, "average": usual, "max": many}


def _attack_pool(given: Case) -> Case:
    defense = given["defense"]
    against = {"defense_abilities": [defense["ability"]], "defense_rank": defense["rank"]}
    return _tray(purpose="attack", **given["attacker"], **against)


def _hardest(given: Case) -> Case:
    attacker = Pool.of(given["attacker_pool"])
    asks = {name: {"dice": (attacker + Pool.of(pool)).counts()} for name, pool in given["targets"].items()}
    return {"roll_against": min(asks, key=lambda name: GAME.ease(asks[name]))}


def _taunted(given: Case) -> Case:
    is_out = bool(given["taunted_by"]) and given["taunted_by"] not in given["targets"]
    return {"penalty": _tray(ability=1, taunted=is_out) != _tray(ability=1)}


def _area(side: int) -> Case:
    return {"side": side, "squares": side**2}


def _range_band(given: Case) -> Case:
    ask = {"distance": given["distance"], "short_range": given["short"], "long_range_most": given["long"]}
    try:
        return {"targetable": True, "long_range_penalty": _tray(ability=1, **ask) != _tray(ability=1)}
    except BadAsk:
        return {"targetable": False, "long_range_penalty": False}


def _power_damage(given: Case) -> Case:
    power = given["power"].removesuffix("_weapon").removesuffix("_unarmed")
    damage = combat.power_damage(
        power, ability=given["ability"], net_success=given["net_success"], weapon=given.get("weapon", 0)
    )
    return {"hit": damage is not None, "damage": damage or 0}


def _opportunity(given: Case) -> Case:
    pool = {("heroic", "opportunity", ""): given["pool"]}
    try:
        call = ("", "heroic", {"opportunity_cost": given["cost"]})
        after = pay(TableState(trackers=pool), System(sets=()), call, ("", "", {}))
    except Conflict:
        return {"allowed": False, "pool_after": given["pool"]}
    return {"allowed": True, "pool_after": after.trackers["heroic", "opportunity", ""]}


def _back(name: str) -> list[str]:
    """Return after which rests a tracker is full again, as somebody who has used it up rests."""
    most = Gauge(value=0, most=3)
    spent = GAME.characters.check(Person(id="1", name="Brand", game="heroic", trackers={name: most}))
    rests = [find_act(rest, GAME.characters.acts).name for rest in ("short_rest", "extended_rest")]
    return [rest for rest in rests if perform_act(GAME.characters, spent, rest, {}).person.value(name)]


def _recharge(given: Case) -> Case:
    costs = list(GAME.form.costs({"frequency": given["frequency"]}))
    return {"recharges_after": _back(costs[0])[0] if costs else None}


def _provokes(given: Case) -> Case:
    wanted = GAME.tray({"ability": 1, "reach": given["range"]})
    return {"provokes": wanted is not None and "provokes" in wanted.sentence}


def _save_time() -> str:
    told = dict(narrative.sheet("characters", GAME))["Saving throw"]
    return told.removeprefix("at the ").replace(" the", "").replace(" ", "_")


def _first_level(given: Case) -> Case:
    person = Person(id="1", name="Brand", game="heroic", defences={"level": 1, "abilities": given["scores"]})
    try:
        GAME.characters.check(person)
    except GameError:
        return {"valid": False}
    return {"valid": True}


def _helpless(given: Case) -> Case:
    health = hurt.Health(condition=given["condition"])
    return {"staggered": health.is_staggered, "can_act": health.can_act}


MECHANICS: Mapping[str, Play] = {
    "upgrade": narrative.MECHANICS["upgrade"],
    "net_result": narrative.MECHANICS["net_result"],
    "boost_stack": lambda c: {"boost": combat.boost_of(c["sources"])},
    "damage_threshold": lambda c: {"threshold": hurt.threshold_of(**c)},
    "stamina_max": lambda c: {"stamina": hurt.most_stamina(**c)},
    "damage_steps": _damage_steps,
    "condition_order": lambda _: {"order": list(hurt.CONDITIONS)},
    "take_damage": _take_damage,
    "helpless_counts_staggered": _helpless,
    "steady": _steady,
    "stamina_restore": lambda c: {"restored": c["after"] in _back("stamina")},
    "stamina_effect_allowed": lambda c: {"allowed": c["stamina"] > 0},
    "condition_dice": lambda c: {"add": hurt.CONDITIONS[c["condition"]].counts()},
    "condition_odds": _condition_odds,
    "condition_odds_change": _condition_change,
    "condition_apply": lambda c: _tray(dice=c["pool"], condition=c["condition"]),
    "saving_throw_timing": lambda _: {"when": _save_time()},
    "saving_throw_result": lambda c: dict.fromkeys(("saved", "effect_ends"), hurt.saved(c["net_success"])),
    "saving_throw_odds": _saving_odds,
    "soak": _soak,
    "vulnerability": _vulnerability,
    "damage_types": lambda _: {"types": list(hurt.DAMAGE_TYPES)},
    "damage_type_of": lambda c: {"types": list(hurt.types_of(c["keywords"], c["named_types"]))},
    "initiative_order": _initiative,
    "initiative_pool": _initiative_pool,
    "second_maneuver": lambda c: {"allowed": combat.may_take_second_maneuver(**c)},
    "maneuver_max": lambda _: {"max": combat.MANEUVERS_A_TURN},
    "incidental_allowed": lambda c: {"allowed": combat.may_do_incidental(c["incidental"], c["already_done_this_turn"])},
    "talk_words": _talk,
    "taunt_penalty_applies": _taunted,
    "taunt_current": lambda c: {"taunted_by": c["new"] or c["current"]},
    "defense_pool": lambda c: {"pool": combat.defense_pool(c["abilities"], c["rank"]).counts()},
    "defense_abilities": lambda c: {"abilities": list(combat.defense_abilities(c["defense"]))},
    "attack_pool": _attack_pool,
    "attack_hardest_target": _hardest,
    "abilities": lambda _: {
        "abilities": list(combat.ABILITIES),
        "min": combat.ABILITY_RANGE[0],
        "max": combat.ABILITY_RANGE[1],
    },
    "level1_abilities": _first_level,
    "ability_zero": lambda c: {"dead": c["score"] < combat.ABILITY_RANGE[0]},
    "feat_cap": lambda _: {"max": _known("Feats")[0]},
    "power_recharge": _recharge,
    "power_provokes": _provokes,
    "burst_area": lambda c: _area(combat.burst_side(c["radius"])),
    "blast_area": lambda c: _area(c["size"]),
    "range_band": _range_band,
    "power_outcome": lambda c: {"hit": c["net_success"] >= 1, "miss": c["net_success"] < 1, "effect_applies": True},
    "power_damage": _power_damage,
    "opportunity_cost": _opportunity,
}
