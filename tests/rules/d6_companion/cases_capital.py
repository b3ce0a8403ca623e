"""The cases of capital ships in D6 with dice codes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tableside.rules.code import Code
from tableside.rules.d6_companion import capital
from tests.rules.case import Case, Play


def _attack(given: Case) -> Case:
    own = given.get("own_guns", given.get("guns"))
    hit = capital.guns_modifier(own + given.get("coordinated_guns", 0))
    damage = capital.guns_modifier(own)
    return {
        "modifier": str(hit),
        "to_hit_modifier": str(hit),
        "damage_modifier": str(damage),
        "to_hit_code": str(capital.hit_code(Code.of(given["fire_control"]), Code.of(given["crew"]), hit)),
        "damage_code": str(capital.damage_code(Code.of(given["weapon_damage"]), damage)),
    }


def _damage(given: Case) -> Case:
    if "comparison" in given:
        hull = 20
        times = re.fullmatch(r"DR>=(?:(\d)x)?HR", given["comparison"])
        total = {"2xDR<HR": 9, "DR<HR": 19}.get(given["comparison"]) or hull * int((times and times[1]) or 1)
    else:
        total, hull = given["damage_total"], given["hull_total"]
    done = capital.capital_damage(total, hull)
    words = "no_effect" if not done.pips + done.shield_pips else "1_shield_pip" if done.shield_pips else "damage"
    return {
        "damage_pips": done.pips,
        "shield_pips": done.shield_pips,
        "ion_dice": done.ion_dice,
        "beam_or_missile": words,
    }


def _state(given: Case) -> Case:
    pips = given["ship_damage_pips"]
    return {"state": capital.ship_state(pips), "all_actions_modifier": capital.modifier_words(pips)}


def _boxes(given: Case) -> Case:
    opened, blacked = capital.boxes(Code.of(given["code"]), given["row_boxes"])
    return {"open_boxes": opened, "blacked_boxes": blacked}


def _command(given: Case) -> Case:
    told: Case = {}
    if "extra_haste_orders" in given:
        told["haste_orders_cost_dice"] = capital.HASTE_ORDER_DICE * given["extra_haste_orders"]
    if "officer_commanded" in given:
        told["officer_actions_penalty_dice"] = 0 if given["officer_commanded"] else capital.UNCOMMANDED_PENALTY
    if "bonus_actions" in given:
        told["subordinate_bonus_pips"] = told["command_skill_uses"] = given["bonus_actions"]
    return told


def _targeting(given: Case) -> Case:
    aim = capital.aimed(given["target"], given.get("vital_location_levels", 0))
    dice = {"hit_modifier": aim.hit, "damage_modifier": aim.damage, "target_hull_modifier": aim.hull}
    return {name: f"{count:+d}D" if count else "0D" for name, count in dice.items()}


def _counter_battery(given: Case) -> Case:
    if "points_on_weapon" in given:
        return {"weapon": capital.point_state(given["points_on_weapon"], capital.WEAPON_STATES)}
    return {"damage_points": sum(capital.shared_points(given["damage_pips"], given["guns_firing"], 1))}


def _swarm(given: Case) -> Case:
    if "starfighters" in given:
        return {"modifier": str(capital.guns_modifier(given["starfighters"]))}
    return {"starfighter": capital.point_state(given["points_on_starfighter"], capital.SWARM_STATES)}


def _shields(given: Case) -> Case:
    if given["use"] == "shut_down_facing":
        return {
            "difficulty": capital.SHUT_DOWN_DIFFICULTY,
            "declared_penalty_dice": capital.SHUT_DOWN_PENALTY,
        }
    return {
        "difficulty": capital.INCREASE_DIFFICULTY,
        "facing_shield_code": str(capital.increased_shield(Code.of(given["facing_shield_code"]))),
        "rounds": capital.INCREASE_ROUNDS,
        "other_shield_rolls_penalty_dice": capital.INCREASE_PENALTY,
    }


MECHANICS: Mapping[str, Play] = {
    "guns_modifier": lambda c: {"modifier": str(capital.guns_modifier(c["guns"]))},
    "capital_attack": _attack,
    "capital_damage": _damage,
    "capital_state": _state,
    "ship_boxes": _boxes,
    "command_allocation": _command,
    "starship_tactics": lambda c: dict(zip(("difficulty", "success"), capital.TACTICS[c["use"]], strict=True)),
    "targeting": _targeting,
    "counter_battery": _counter_battery,
    "starfighter_swarm": _swarm,
    "capital_ram": lambda c: {"damage_code": str(capital.ram_code(Code.of(c["hull"]), c["speed_actions"]))},
    "capital_shields": _shields,
    "crew_quality": lambda c: dict(
        zip(("imperial", "rebel"), map(list, capital.CREWS[c["quality"]]), strict=True),
    ),
}
