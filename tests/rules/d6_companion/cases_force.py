"""The cases of the Force and of equipment in D6 with dice codes."""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.code import Code
from tableside.rules.d6_companion import force, gear
from tableside.rules.d6_companion.powers import Need, find_power
from tableside.rules.d6_companion.rolls import band, improved
from tests.rules.case import Case, Play


def _times(given: Case) -> int:
    return int(given["roll_vs_difficulty"].strip(">=x"))


def _dark_side_call(given: Case) -> Case:
    difficulty = force.call_difficulty(given["earlier_calls_this_adventure"], harm_intended=given["harm_intended"])
    success = given.get("total", 0) >= difficulty
    return {
        "difficulty": difficulty,
        "success": success,
        "force_points": int(success),
        "dark_side_points": int(success),
    }


def _force_training(given: Case) -> Case:
    if given.get("learn_new_skill"):
        return {"weeks": force.learning_weeks(given["skill_points_spent"])}
    teacher = Code.of(given["teacher"]) if given.get("teacher") else None
    return {"skill_points": force.training_cost(Code.of(given["skill"]), teacher)}


def _power_roll(given: Case) -> Case:
    if "difficulty" in given:
        return {"difficulty": force.power_difficulty(given["difficulty"], mastered=given["mastered"])}
    used = {name: Code.of(given["skills"][name]) for name in given["power_skills"]}
    return {name: str(code) for name, code in force.power_codes(used, given["other_actions"]).items()}


def _emptiness(given: Case) -> Case:
    if "phase" in given:
        return {"success": given["roll"] >= band(given["difficulty"])[0]}
    if "emptiness_roll" in given:
        return {"difficulty": given["emptiness_roll"] + given["hostile_power_difficulty"]}
    bonus = force.emptiness_bonus(given["dark_side_points"])
    return {"bonus_to_force_rolls": bonus, "bonus_hours": given["hours_empty"]}


def _force_of_will(given: Case) -> Case:
    roll = {"difficulty": given["difficulty"], "will_roll": given["will_roll"]}
    result, penalty = force.will_result(given["attack_total"], **roll)
    return {
        "protection_number": force.protection_number(**roll),
        "result": result,
        "will_code_penalty_dice": penalty,
    }


def _telekinesis(given: Case) -> Case:
    label, more = force.lifting(given["mass_kg"])
    return {"label": label, "difficulty_modifier": more}


def _equipment_cost(given: Case) -> Case:
    told: Case = {}
    price = gear.find_price(given["scale"]) if "scale" in given else None
    if price:
        told |= {"time_per_pip": price.time, "credits_per_skill_point": price.credits}
    if "code" in given:
        code, pips = Code.of(given["code"]), given["pips"]
        points = gear.improvement_points(
            code,
            pips,
            enhancing=given.get("enhancing", False),
            dexterity_kept=given.get("dexterity_penalty_bought_off", False),
        )
        told |= {"skill_points": points, "code": str(improved(code, Code(pips=pips)))}
        if price:
            told |= {"credits": points * price.credits, f"{price.unit}s": price.count * pips}
    if "original_code" in given:
        number = gear.pip_number(Code.of(given["original_code"]), Code.of(given["code"]))
        told |= {"pip_number": number, "roll": gear.technology_band(number)}
    return told


def _droid_build(given: Case) -> Case:
    if "attribute" in given:
        return {"building_dice": gear.DROID_ATTRIBUTE * (Code.of(given["to"]).dice - Code.of(given["from"]).dice)}
    if "speed_above_dexterity" in given:
        return {"building_dice": gear.DROID_SPEED * Code.of(given["speed_above_dexterity"]).dice}
    if "armor" in given:
        return {"building_dice": gear.DROID_ARMOR * Code.of(given["armor"]).dice}
    return {"building_dice": Code.of(given["skill_increase"]).dice}


def _need(need: Need) -> Case:
    cases = dict(need.cases)
    told: Case = {f"by_{need.by}": cases} if need.by else cases
    return told | ({"add": list(need.add)} if need.add else {})


def _force_power(given: Case) -> Case:
    power = find_power(given["power"])
    skills = {"control": power.control, "sense": power.sense, "alter": power.alter}
    told: Case = {name: _need(need) for name, need in skills.items() if need}
    return told | {"dark_side_point": power.dark_side_point}


MECHANICS: Mapping[str, Play] = {
    "dark_side_call": _dark_side_call,
    "dark_side_consume": lambda c: {"consumed": force.is_consumed(c["dark_side_points"], c["face"])},
    "power_total": lambda c: {"max_powers": force.most_powers(Code.of(c["skill"]))},
    "force_training": _force_training,
    "power_roll": _power_roll,
    "force_difficulty": lambda c: {"label": force.OLD_NUMBERS[c["old_number"]]},
    "emptiness": _emptiness,
    "force_of_will": _force_of_will,
    "force_power": _force_power,
    "farseeing": lambda c: dict(zip(("past_or_present", "future"), force.FARSEEN[_times(c)], strict=True)),
    "postcognition": lambda c: {"detail": force.POSTCOGNITION[_times(c)]},
    "dim_senses": lambda c: {"perception_penalty_dice": force.DIMMED_SENSES[_times(c)]},
    "inflict_pain": lambda c: {"result": force.INFLICTED_PAIN[_times(c)]},
    "injure_kill": lambda c: {
        "result": force.injury(c["alter_total"], c["target_total"]),
        "dark_side_points": 1,
    },
    "telekinesis": _telekinesis,
    "equipment_cost": _equipment_cost,
    "technology_roll": lambda c: {"difficulty": gear.technology_band(c["pip_number"])},
    "hyperdrive_cost": lambda c: {"skill_points": gear.hyperdrive_points(c["from"], c["to"])},
    "droid_build": _droid_build,
}
