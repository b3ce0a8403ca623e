"""The cases of movement and starships in D6 with dice codes."""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.code import Code
from tableside.rules.d6_companion import movement, ships
from tableside.rules.d6_companion.rolls import COMBAT_BANDS, band, multiple
from tests.rules.case import Case, Play

_TIMES = {">1x": 1, ">2x": 2, ">3x": 3}


def _movement_roll(given: Case) -> Case:
    names = ("speed_actions", "overspeed_actions", "other_actions")
    actions = sum(given.get(name, 0) for name in names)
    speed = Code.of(given["speed_code"]) if "speed_code" in given else None
    terrain = given["base_difficulty"] if "base_difficulty" in given else given["difficulty"]
    return {
        "penalty_dice": actions - 1,
        "code": str(movement.movement_code(Code.of(given["operator_skill"]), speed, actions=actions)),
        "difficulty": movement.movement_difficulty(terrain, given.get("overspeed_actions", 0)),
    }


def _movement_failure(given: Case) -> Case:
    if given.get("regain_control"):
        stopped = given["stopped_by_collision"]
        return {"difficulty": movement.regain_difficulty(given["base_difficulty"], stopped=stopped)}
    missed = given["difficulty"] - given["total"]
    lost = movement.lost_actions(missed, given["speed_actions"])
    return {
        "success": missed <= 0,
        "missed_by": missed,
        "speed_actions_lost": lost,
        "control_lost_during_speed_action": given["speed_actions"] - lost + 1,
    }


def _move_distance(given: Case) -> Case:
    if "crawl_speed_dice" in given:
        return {"metres": movement.CRAWL_METRES * given["crawl_speed_dice"]}
    mover = movement.find_mover(given["mover"])
    if given.get("minimum"):
        return {"metres": mover.least}
    if given.get("half_speed"):
        return {"metres": mover.half}
    return {"metres": given["speed_actions"] * (mover.elsewhere if given.get("secondary_medium") else mover.full)}


def _overspeed(given: Case) -> Case:
    count = given["overspeed_actions"]
    return {
        "all_codes_penalty_dice": count,
        "difficulty_modifier": movement.movement_difficulty(0, count),
        "extra_speed_actions_if_success": count,
    }


def _maneuver(given: Case) -> Case:
    if "winner_over_loser" in given:
        times = _TIMES[given["winner_over_loser"]]
    elif "winner" in given:
        times = multiple(given["winner"], given["loser"], strict=True)
    else:
        assert not given["opponent_takes_maneuver"]
        times = movement.NO_MANEUVER_TIMES if given["movement_roll_success"] else 0
    return {"reserved_speed_actions": movement.reserved_actions(times)}


def _ramming(given: Case) -> Case:
    succeeds = given.get("loser_movement_roll") == "success"
    ram = movement.ram(_TIMES[given["winner_over_loser"]], movement_succeeds=succeeds)
    return {
        "difficulty_modifier": ram.difficulty,
        "character": ram.character,
        "vehicle": ram.vehicle,
        "occupants_roll_collision": ram.occupants_collide,
    }


def _collision(given: Case) -> Case:
    row = movement.collision(given["mover"], given["speed_actions_min"])
    return {"damage": str(row.damage), "kmh_min": row.least_kmh, "kmh_max": row.most_kmh}


def _weapon_range(given: Case) -> Case:
    if "damage" in given:
        return {"class": ships.weapon_class(Code.of(given["damage"]))}
    ranges = ships.weapon_ranges(given["mount"], given["weapon"])
    if "distance" in given:
        name = ranges.band(given["distance"])
        assert name is not None
        least, most = band(name, COMBAT_BANDS)
        return {"range": name, "difficulty_min": least, "difficulty_max": most}
    ends = {"short": ranges.short, "medium": ranges.medium, "long": ranges.long}
    return {name: pair and list(pair) for name, pair in ends.items()}


def _astrogation(given: Case) -> Case:
    hours = {name: given.get(name, 0) for name in ("hours_saved", "hours_extra")}
    told: Case = {}
    if "base_difficulty" in given:
        told["difficulty"] = ships.astrogation_difficulty(given["base_difficulty"], **hours)
    if "base_hours" in given:
        most = ships.most_hours_saved(given["base_hours"])
        told["hours_saved_max"] = most
        told["hours"] = given["base_hours"] - min(hours["hours_saved"], most) + hours["hours_extra"]
    return told


def _evasion(given: Case) -> Case:
    full = given["kind"] == "full"
    if "evasion_code" in given:
        # The compulsory speed action of a full evasion costs the evasion nothing (I12).
        penalty = sum(given["actions"].values()) - (2 if full else 1)
        return {"evasion_code": str(Code.of(given["evasion_code"]).plus(-penalty))}
    effects = ships.evasion_effects(given["evasion_roll"], full=full)
    return {
        "own_gunners_difficulty_modifier": effects.own_gunners,
        "other_actions_difficulty_modifier": effects.other_actions,
        "shield_roll_modifier": effects.shield_rolls,
    }


def _shields(given: Case) -> Case:
    roll = given["shield_roll"]
    if "full_evasion_roll" in given:
        return {
            "shield_roll_after_evasion": roll
            + ships.evasion_effects(given["full_evasion_roll"], full=True).shield_rolls
        }
    difficulty = given["difficulty"]
    return {
        "shield_number": ships.shield_number(difficulty, roll),
        "result": ships.shield_result(given["attack_total"], difficulty=difficulty, shield_roll=roll),
    }


def _starship_damage(given: Case) -> Case:
    if given.get("result") == "dead_controls":
        return {
            "round_0": "no actions for one round",
            "next_round_penalty_dice": ships.DEAD_CONTROLS_PENALTY,
        }
    if given.get("result") == "lightly_damaged":
        return {
            "effect": ships.light_damage_effect(shields_effective=given["shields_effective"]),
            "hull_reduced": False,
            "lasts": ships.IONIZED_LASTS,
        }
    if "comparison" in given:
        (row,) = [row for row in ships.SHIP_DAMAGE if row.comparison == given["comparison"]]
    else:
        row = ships.ship_damage_row(given["damage_total"], given["hull_total"])
    return {"ion_cannon": row.ion_cannon, "other_attack": row.other_attack}


def _tractor_beam(given: Case) -> Case:
    if "sublight_total" in given:
        return {"breaks_free": ships.breaks_free(given["sublight_total"], given["beam_total"])}
    code = ships.breaking_code(Code.of(given["sublight_code"]), given["successful_overspeed"])
    return {"ship_rolls": str(code), "beam_rolls": given["beam_code"]}


MECHANICS: Mapping[str, Play] = {
    "speed_limit": lambda c: {"max_speed_actions": movement.most_speed_actions(Code.of(c["base_speed"]))},
    "movement_roll": _movement_roll,
    "movement_failure": _movement_failure,
    "move_distance": _move_distance,
    "overspeed": _overspeed,
    "maneuver": _maneuver,
    "ramming": _ramming,
    "collision": _collision,
    "weapon_range": _weapon_range,
    "astrogation": _astrogation,
    "evasion_side_effects": _evasion,
    "shields": _shields,
    "starship_damage": _starship_damage,
    "missile_difficulty": lambda c: {"add_roll": str(ships.missile_dice(c["target_speed_actions"]))},
    "tractor_beam": _tractor_beam,
}
