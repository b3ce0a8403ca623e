"""The cases of D6 with a Wild Die."""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.code import Code
from tableside.rules.d6.outcome import two_dice
from tableside.rules.d6_wild import combat, rolls
from tableside.rules.d6_wild.game import tray_dice, wild_roll
from tests.rules.case import Case, Play, Waiting, names_of


def _wild_roll(given: Case) -> Case:
    roll = wild_roll(given["faces"], given["wild"], Code.of(given["code"]).pips)
    return {"total": roll.total, "rerolls": roll.rerolls, "complication": roll.complication}


def _wild_pool(given: Case) -> Case:
    ordinary, wild = tray_dice(Code.of(given["code"]))
    return {"wild_dice": wild, "ordinary_dice": ordinary, "physical_dice": ordinary + wild}


def _band(task: str) -> Case:
    band = rolls.find_band(task)
    return {
        "min": band.least,
        "max": band.most,
        "random_roll_min": band.least_code and str(band.least_code),
        "random_roll_max": band.most_code and str(band.most_code),
    }


def _check(given: Case) -> Case:
    margin = rolls.margin(given["total"], given["difficulty"])
    return {"margin": margin, "success": margin >= 0}


def _skill_default(given: Case) -> Case:
    skill = given["skill"] and Code.of(given["skill"])
    code = rolls.code_for(skill, Code.of(given["attribute"]), advanced=given["advanced"])
    return {"allowed": code is not None, "code": code and str(code)}


def _initiative(given: Case) -> Case:
    if "totals" in given:
        return {"chooses_order": rolls.chooses_order(given["totals"])}
    sides = given["sides"].items()
    return {"rollers": {name: str(rolls.initiative_roller(map(Code.of, side["perceptions"]))) for name, side in sides}}


def _turn_order(given: Case) -> Case:
    slots = []
    for side in ("second_side", "first_side"):
        for actor in given[side]:
            code = Code.of(actor["perception"])
            rank = (code.dice, code.pips, actor["actions"])
            slots.append(Waiting(name=actor["name"], rank=rank, is_player=side == "first_side"))
    most = max(slot.rank[2] for slot in slots)
    segments = [names_of(rolls.TURNS, slots, segment=n, players_first=True) for n in range(most + 1)]
    assert segments[most] == []
    return {"order": [name for names in segments for name in names]}


def _multi_action(given: Case) -> Case:
    penalty = rolls.penalty_dice(given["actions"], given.get("extra_reactions", 0))
    return {"penalty_dice": penalty, "code": str(Code.of(given["code"]).plus(-penalty))}


def _combined_action(given: Case) -> Case:
    told: Case = {}
    if "command" in given:
        command = Code.of(given["command"])
        told["max_commanded"] = rolls.most_commanded(command)
        told["command_code"] = str(rolls.command_code(command, also_works=given.get("also_works", False)))
    if "combining" in given:
        missed = 0 if given.get("command_success", True) else given["missed_by"]
        told["bonus"] = str(rolls.command_bonus(given["combining"], missed_by=missed))
    return told


def _rush(given: Case) -> Case:
    return {"code": str(rolls.rushed(Code.of(given["code"]))), "time": given["normal_time"] / 2}


def _force_point(given: Case) -> Case:
    return {
        "code": str(rolls.with_force_point(Code.of(given["code"]))),
        "rounds": rolls.FORCE_POINT_ROUNDS,
        "max_points": rolls.FORCE_POINTS_AT_ONCE,
    }


def _range(given: Case) -> Case:
    task = combat.RANGES[given["range"]]
    return {"task": task} | _band(task)


def _dice(count: int | None) -> Case:
    return {"direct_hit_possible": count is not None, "add_roll_to_difficulty": count and str(Code(dice=count))}


def _scale(given: Case) -> Case:
    bonus = combat.scale_bonus(given["attacker"], given["target"])
    return {
        "attack_bonus_dice": bonus.attack,
        "resist_bonus_dice": bonus.resist,
        "dodge_bonus_dice": bonus.dodge,
        "damage_bonus_dice": bonus.damage,
    }


def _damage(given: Case) -> Case:
    if "margin_min" in given:
        (row,) = [row for row in combat.DAMAGE if (row.least, row.most) == (given["margin_min"], given["margin_max"])]
        return {"result": row.result}
    margin = rolls.margin(given["damage_total"], given["strength_total"])
    return {"margin": margin, "result": combat.damage_result(margin)}


def _stun_weapon(given: Case) -> Case:
    result = combat.stun_result(rolls.margin(given["damage_total"], given["strength_total"]))
    return {"result": result, "minutes_roll": str(combat.STUNNED_MINUTES) if result == "unconscious" else None}


def _melee(given: Case) -> Case:
    defence, attack = combat.melee_modifiers(**given)
    return {"defence_modifier": defence, "attack_modifier": attack}


def _stun_count(given: Case) -> Case:
    out = combat.stunned_out(Code.of(given["strength"]), given["stuns_affecting"])
    return {"unconscious": out, "minutes_roll": str(combat.STUNNED_MINUTES) if out else None}


def _hit_location(given: Case) -> Case:
    if "faces" in given:
        total = two_dice(given["faces"])
        return {"total": total, "location": combat.hit_location(total)}
    locations = {combat.hit_location(total) for total in range(given["roll_min"], given["roll_max"] + 1)}
    return {"location": "/".join(sorted(locations))}


def _limb_kill(given: Case) -> Case:
    assert given["result"] == "killed"
    state, destroyed = combat.kill_at(given["location"])
    return {"state": state, "limb_destroyed": destroyed}


def _natural_healing(given: Case) -> Case:
    healing = combat.HEALING[given["state"]]
    return {
        "rest_days": healing.rest_days,
        "roll": "strength",
        "may_improve_to": healing.better,
        "may_worsen_to": healing.worse,
    }


MECHANICS: Mapping[str, Play] = {
    "wild_roll": _wild_roll,
    "wild_pool": _wild_pool,
    "difficulty_scale": lambda c: _band(c["task"]),
    "difficulty_check": _check,
    "skill_default": _skill_default,
    "initiative": _initiative,
    "turn_order": _turn_order,
    "multi_action": _multi_action,
    "combined_action": _combined_action,
    "character_points": lambda c: {"total": rolls.with_points(c["base_total"], c["points"]), "complication": False},
    "character_point_limit": lambda c: {"max_points": rolls.point_limit(c["use"])},
    "force_point": _force_point,
    "prepare": lambda c: {"code": str(rolls.prepared(Code.of(c["code"])))},
    "rush": _rush,
    "ranged_difficulty": _range,
    "melee_modifier": _melee,
    "reaction": lambda c: {
        "difficulty": combat.reaction_difficulty(c["reaction_total"]),
        "rest_of_round": True,
    },
    "called_shot": lambda c: _dice(combat.CALLED_SHOTS[c["target_size"]]),
    "obscurity": lambda c: _dice(combat.OBSCURITY[c["condition"]]),
    "cover": lambda c: _dice(combat.COVER[c["cover"]]),
    "scale_modifier": lambda c: {"modifier_dice": combat.SCALES[c["scale"]]},
    "scale": _scale,
    "damage": _damage,
    "stun_weapon": _stun_weapon,
    "wound_track": lambda c: {"state": combat.worsened(c["state"], c["new_result"])},
    "wound_penalty": lambda c: {"penalty_dice": combat.wound_penalty(c["state"])},
    "stun_count": _stun_count,
    "unconscious_time": lambda c: {"minutes_roll": str(combat.UNCONSCIOUS_MINUTES[c["state"]])},
    "mortal_check": lambda c: {
        "total": two_dice(c["faces"]),
        "dies": combat.dies(c["rounds"], c["faces"]),
    },
    "stabilize": lambda _: {"difficulty": combat.STABILIZE_DIFFICULTY, "then": combat.STABILIZED_THEN},
    "hit_location": _hit_location,
    "limb_kill": _limb_kill,
    "natural_healing": _natural_healing,
}
