"""The narrative game's cases, played through what a table uses: a call, its tray, its throws and its purchases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tableside.dice import Die, find_sets
from tableside.errors import BadAsk, Conflict
from tableside.games.narrative import GAME, checks, combat, gear, numbered
from tableside.games.narrative import pool as pools
from tableside.games.narrative.net import net_result
from tableside.games.narrative.odds import odds_of
from tableside.games.narrative.options import OPTIONS
from tableside.games.narrative.pool import Rating
from tableside.games.narrative.spends import prices_of
from tableside.rules import Game
from tableside.table import TableState
from tableside.table.acts import pool_after
from tableside.table.kept import Destiny, Side
from tableside.table.messages import ChangeDestiny, Do
from tests.rules.case import Case, Play

(_SET,) = find_sets(["narrative"])
_BLANK = (Die(type="ability", face=()),)


def key(title: str) -> str:
    """Return the name of what a reference sheet has by its title: ``"Helping hand"`` is ``helping_hand``."""
    return re.sub(r"\W+", "_", title.lower()).strip("_")


def sheet(name: str, game: Game = GAME) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a reference sheet."""
    return next(one.rows for one in game.reference if one.name == name)


def tray(**ask: Any) -> Case:
    """Return the dice that a call asks for."""
    wanted = GAME.tray(ask)
    return {"pool": dict(wanted.dice) if wanted else {}}


def _left(*, success: int, advantage: int, triumph: int = 0, despair: int = 0) -> dict[str, int]:
    """Return answers that leave these symbols of a blank die."""
    plain = success - triumph + despair
    return {
        "success": max(plain, 0), "failure": max(-plain, 0), "advantage": max(advantage, 0),
        "threat": max(-advantage, 0), "triumph": triumph, "despair": despair,
    }  # fmt: skip


def _bought(ask: dict[str, Any]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return what a roll of a blank die may buy, with its prices."""
    return {one.name: one.prices for one in GAME.spends(GAME.play((_BLANK,), ask), ask)}


def _die_faces(given: Case) -> Case:
    die = _SET.type(given["die"])
    colours = {key(name): colour for name, colour, *_ in sheet("dice")}
    return {"sides": len(die.faces), "colour": colours[die.name], "faces": [sorted(face) for face in die.faces]}


def _die_symbol_totals(given: Case) -> Case:
    faces = _SET.type(given["die"]).faces
    symbols = [symbol for face in faces for symbol in face]
    return {"blank": faces.count(())} | {symbol: symbols.count(symbol) for symbol in set(symbols)}


def _symbol_on_dice(given: Case) -> Case:
    return {"dice": [t.name for t in _SET.types if any(given["symbol"] in face for face in t.faces)]}


def _symbol_count_range(given: Case) -> Case:
    counts = [len(face) for face in _SET.type(given["die"]).faces]
    return {"min": min(counts), "max": max(counts)}


def _categories(_: Case) -> Case:
    kinds: dict[str, list[str]] = {}
    for name, _, kind, _ in sheet("dice"):
        kinds.setdefault(kind, []).append(key(name))
    return dict(kinds)


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


def _range_difficulty(given: Case) -> Case:
    level = pools.range_level(given["attack"], given["range"], ruleset=given.get("ruleset", "core"))
    return {"level": level} | tray(dice={}, **given)


def _combined(given: Case) -> Case:
    one, *others = given["parts"]
    rating, rest = (pools.combined(Rating(**part) for part in parts) for parts in (given["parts"], others))
    second = {"second_characteristic": rest.characteristic, "second_skill": rest.skill}
    return {"characteristic": rating.characteristic, "skill": rating.skill} | tray(**one, **second)


def _opposed(given: Case) -> Case:
    opponent = {f"opponent_{name}": value for name, value in given["opponent"].items()}
    return tray(**given["active"], **opponent)


def _destiny_from(given: Case) -> Case:
    thrown = [Die(type="force", face=tuple(face)) for face in given["rolls"]]
    made = GAME.play((thrown,), {**GAME.form.asking("pool"), "players": len(thrown)}).sets_pool
    return made.to_json()


def _spent(light: int, dark: int, side: Side, count: int = 1) -> Destiny | None:
    state = TableState(destiny=Destiny(light=light, dark=dark))
    message = ChangeDestiny(id="1", at=0.0, do=Do.SPEND, side=side, count=count)
    try:
        return pool_after(state, message, most=99)
    except Conflict:
        return None


def _destiny_spend(given: Case) -> Case:
    side = Side.LIGHT if given["spender"] == "player" else Side.DARK
    after = _spent(given["light"], given["dark"], side, given.get("count", 1))
    kept = after or Destiny(light=given["light"], dark=given["dark"])
    return {"allowed": after is not None, "light": kept.light, "dark": kept.dark}


def _destiny_effect(given: Case) -> Case:
    side = {"helping_hand": "light", "raising_the_stakes": "dark"}.get(given["effect"])
    ask = {"dice": given["pool"]}
    return tray(**(GAME.characters.flip(ask, side) or ask) if side else ask)


def _spending_order(_: Case) -> Case:
    (told,) = [one.help for one in GAME.reference if one.name == "destiny"]
    order = [told.index(word) for word in ("Who rolls", "the target", "all others")]
    return {"order": ["roller", "target", "others"] if order == sorted(order) else []}


def _impossible(given: Case) -> Case:
    ask: dict[str, Any] = {"difficulty": "impossible", "dice": {}}
    (point,) = GAME.points(ask)
    after = _spent(given["light"], given["dark"], Side(point[0]), point[1])
    kept = after or Destiny(light=given["light"], dark=given["dark"])
    try:
        tray(**(GAME.characters.flip(ask, "light") or {}))
        may_spend_more = True
    except BadAsk:
        may_spend_more = False
    return {
        "allowed": after is not None,
        "difficulty_dice": tray(**ask)["pool"]["difficulty"],
        "destiny_cost": point[1],
        "benefit": None,
        "more_destiny_by_player": may_spend_more,
        "light": kept.light,
        "dark": kept.dark,
    }


def _combat_damage(given: Case) -> Case:
    damage = combat.hit_damage(given["base_damage"], given["net_success"], bonus=given.get("bonus", 0))
    return {"hit": damage is not None, "damage": damage or 0}


def _via(prices: tuple[tuple[str, int], ...]) -> Case:
    return {"available": bool(prices), "via": [of for of, _ in prices]}


def _critical(given: Case) -> Case:
    left = _left(success=int(given["hit"]), advantage=given["net_advantage"], triumph=given["triumph"])
    soak = 0 if given["damage_past_armor"] else 99
    ask = {"purpose": "attack", "critical": given["critical_rating"], "damage": 5, "soak": soak, **left}
    return _via(_bought(ask).get("critical_hit", ()))


def _quality(given: Case) -> Case:
    left = _left(success=1, advantage=given["net_advantage"], triumph=given["triumph"])
    ask = {"purpose": "attack", "quality_cost": given["cost"], **left}
    return _via(_bought(ask).get("weapon_quality", ()))


def _skill_spend(given: Case) -> Case:
    symbol = given["symbol"]
    sign = -1 if symbol == "threat" else 1 if symbol == "advantage" else 0
    counts = {symbol: 1} if symbol in ("triumph", "despair") else {}
    ask = {"skill_used": given["skill"], "spending": "none"}
    ask |= _left(success=2 if symbol == "success" else 0, advantage=sign, **counts)
    (effect,) = [name for name, prices in _bought(ask).items() if prices == ((symbol, 1),)]
    return {"effect": effect}


def _spend_row(given: Case) -> Case:
    price = {"adv": "A", "triumph": "T"}[given["row"][:-1]] + given["row"][-1]
    (first, count), *other = prices_of(next(one for one in OPTIONS if one.starship == price), "starship")
    cost = {first: count, **{f"or_{of}": n for of, n in other}}
    return {"cost": cost, "options": [one.name for one in OPTIONS if one.starship == price]}


def _spend_options(given: Case) -> Case:
    net = {"advantage": given["net_advantage"], "triumph": given["triumph"]}
    helpful = [one for one in OPTIONS if one.starship[:1] in ("A", "T")]
    in_reach = [one for one in helpful if any(net[of] >= n for of, n in prices_of(one, "starship"))]
    return {"options": [one.name for one in in_reach]}


def _gear(given: Case) -> Case:
    item = gear.GEAR[given["name"]]
    if isinstance(item, gear.Armor):
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
    "die_category": _categories,
    "upgrade_pairs": lambda _: {key(low): key(high) for low, _, _, high in sheet("dice") if high != "-"},
    "symbol_on_dice": _symbol_on_dice,
    "die_symbol_count_range": _symbol_count_range,
    "typical_pool_size": lambda _: dict(zip(("min", "max"), map(int, sheet("pools")[0]), strict=True)),
    "pool_basic": lambda c: tray(**c),
    "difficulty_level": lambda c: tray(dice={}, difficulty=c["level"]),
    "range_difficulty": _range_difficulty,
    "pool_full": lambda c: tray(dice={}, **c),
    "boost_setback_cancel": lambda c: tray(dice={}, **c),
    "upgrade": lambda c: tray(dice=c["pool"], **{f"upgrade_{c['side']}": c["times"]}),
    "downgrade": lambda c: tray(dice=c["pool"], **{f"downgrade_{c['side']}": c["times"]}),
    "adversary": lambda c: tray(dice=c["pool"], adversary=c["ranks"]),
    "combined_check": _combined,
    "opposed_check": _opposed,
    "skill_characteristic": lambda c: {"skills": list(checks.SKILLS[c["characteristic"]])},
    "characteristic_scale": lambda c: {"meaning": dict(sheet("characteristics"))[str(c["rating"])]},
    "characteristic_cap": lambda c: {"max": int(dict(sheet("characteristic_caps"))[c["when"]])},
    "destiny_generate": _destiny_from,
    "destiny_dice_count": lambda c: {
        "force_dice": tray(**GAME.form.asking("pool"), players=c["players"])["pool"]["force"]
    },
    "destiny_spend": _destiny_spend,
    "destiny_spend_order": _spending_order,
    "destiny_uses": lambda _: {"uses": [key(use) for use, _ in sheet("destiny")]},
    "destiny_effect": _destiny_effect,
    "impossible_task": _impossible,
    "d10": lambda c: {"value": numbered.d10(c["shown"])},
    "d100": lambda c: {"value": numbered.d100(c["tens"], c["ones"])},
    "d100_uses": lambda _: {"uses": [key(use) for use, _ in sheet("percentile")]},
    "net_result": _net_result,
    "failure_magnitude": lambda c: {"magnitude": combat.failure_size(c["net_success"], ruleset=c["ruleset"])},
    "damage_from_success": lambda c: {"added_damage": combat.added_damage(c["net_success"])},
    "combat_damage": _combat_damage,
    "critical": _critical,
    "weapon_quality": _quality,
    "weapon_quality_default_cost": lambda _: {"advantage": combat.QUALITY_COST},
    "starship_spend_row": _spend_row,
    "starship_spend_options": _spend_options,
    "free_maneuver_allowed": lambda c: {"allowed": combat.may_take_free_maneuver(c["maneuvers_this_turn"])},
    "who_spends": lambda c: {"spender": combat.who_spends(c["symbol"])},
    "skill_spend": _skill_spend,
    "skill_resists": lambda c: {"resists": list(checks.RESISTS[c["skill"]])},
    "skill_opposed_by": lambda c: {"opposed_by": list(checks.OPPOSED_BY[c["skill"]])},
    "gear": _gear,
    "odds": _odds,
}
