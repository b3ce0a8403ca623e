"""The cases of D6 with dice codes."""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.code import Code
from tableside.rules.d6_companion import GAME, adventure, combat, conversion, rolls
from tests.rules.asks import pips
from tests.rules.case import Case, Play, Waiting, names_of
from tests.rules.d6_companion import cases_capital, cases_force, cases_vehicles


def _dice_total(given: Case) -> Case:
    code = Code.of(given["code"])
    assert len(given["faces"]) == code.dice
    return {"dice_sum": sum(given["faces"]), "pips": code.pips, "total": sum(given["faces"]) + code.pips}


def _in_play(given: Case) -> Case:
    return {"code": str(rolls.in_play(map(Code.of, given["add"]), map(Code.of, given.get("subtract", []))))}


def _band(name: str, bands: Mapping[str, str] | None = None) -> Case:
    least, most = rolls.band(name, bands)
    return {"min": least, "max": most}


def _medpac(given: Case) -> Case:
    told = _band(given["patient"], rolls.MEDPAC_BANDS)
    if "base" in given:
        told["difficulty"] = rolls.medpac_difficulty(given["base"], given["medpacs_used_today"])
    return told


def _check(given: Case) -> Case:
    margin = given["total"] - given["difficulty"]
    return {"margin": margin, "success": margin >= 0}


def _multi_action(given: Case) -> Case:
    actions = given["actions"] if isinstance(given["actions"], dict) else {"any": given["actions"]}
    penalty = rolls.penalty_dice(actions, free_haste=given.get("free_haste", 0))
    code = Code.of(given["code"]).plus(-penalty) if "code" in given else None
    return {"penalty_dice": penalty, "code": code and str(code)}


def _combined(given: Case) -> Case:
    limit = None if given.get("troopers_in_sight_of_target") else given.get("limit")
    bonus, code = rolls.combined(
        Code.of(given["lead"]), [Code.of(text) for text in given["supporters"]], actions=given["actions"], limit=limit
    )
    return {"bonus_pips": bonus, "code": str(code)}


def _combined_limit(given: Case) -> Case:
    if "command" in given:
        code = Code.of(given["command"]).plus(-given.get("other_actions", 0))
        return {"command_code": str(code), "max_combining": rolls.combine_limit([code], ample_time=False)}
    codes = [Code.of(text) for text in given["skill_codes"]]
    told: Case = {"max_combining": rolls.combine_limit(codes, ample_time=given["time"] == "ample")}
    if given.get("coordinator_also_works"):
        coordinator = codes[0].plus(-rolls.penalty_dice({"coordinate": 1, "work": 1}))
        told |= {"coordinator_code": str(coordinator), "enough_for_three": coordinator.dice >= 3}
    return told


def _uncertainty(given: Case) -> Case:
    if "allowed_uncertainty_dice" in given:
        least, most = rolls.UNCERTAINTY_DICE
        return {"min": least, "max": most, "combat_skills": False}
    code, more = Code.of(given["code"]), given["uncertainty_dice"]
    player = given["player_total"] if "player_total" in given else sum(given["player_faces"]) + code.pips
    master = given["gm_total"] if "gm_total" in given else sum(given["gm_faces"])
    roll = rolls.Uncertain(player_total=player, gm_total=master)
    return {
        "dice_for_player": code.dice + more,
        "dice_for_gm": more,
        "player_total": roll.player_total,
        "gm_total": roll.gm_total,
        "result": roll.result,
        "success": roll.result >= given["difficulty"],
    }


def _opposed(given: Case) -> Case:
    winner, times = rolls.opposed(given["active"], given["passive"], strict=given["rule"] == "greater")
    return {"winner": winner, "multiple": times}


def _die_cap(given: Case) -> Case:
    counted, discarded = rolls.capped(given["faces"], given["cap"])
    return {
        "counted": list(counted),
        "discarded": list(discarded),
        "total": sum(counted) + Code.of(given["code"]).pips,
    }


def _scale_cap(given: Case) -> Case:
    if "target_scale" not in given:
        caps = {to: rolls.scale_cap(given["table"], given["die_code_scale"], to) for to in rolls.SCALES}
        return {"caps": caps}
    cap = rolls.scale_cap(given["table"], given["die_code_scale"], given["target_scale"])
    return {"cap": cap, "possible": cap is not None}


def _round_order(given: Case) -> Case:
    if given["segment"] == "resolve":
        slots = [Waiting(name=a["name"], rank=(0, 0, a["haste"], a["movement"])) for a in given["actions"]]
    else:
        codes = [(f, Code.of(f["dexterity"])) for f in given["characters"]]
        slots = [Waiting(name=f["name"], rank=(code.dice, code.pips), is_player=f["pc"]) for f, code in codes]
    segment = ("declare_actions", "declare_reactions", "resolve").index(given["segment"])
    return {"order": names_of(combat.TURNS, slots, segment=segment)}


def _haste(given: Case) -> Case:
    if "declared" in given:
        actions = {"haste": given["declared"], "shots": given["shots"], "speed": given["speed_actions"]}
        return {"penalty_dice": rolls.penalty_dice(actions)}
    first, second = given["declared_segment_1"], given["declared_segment_2"]
    return {
        "allowed": combat.may_declare_haste(first, second),
        "action_haste": first,
        "reaction_haste": second,
        "haste_actions": second,
    }


def _reaction(given: Case) -> Case:
    haste = {key: given.get(key, 0) for key in ("attack_haste", "reaction_haste")}
    applies = combat.reaction_applies(**haste, skill=given.get("skill", ""), attack=given.get("attack", ""))
    told: Case = {"applies": applies, "simultaneous": haste["attack_haste"] == haste["reaction_haste"]}
    if given.get("minimum_reaction_haste"):
        told["reaction_haste"] = haste["attack_haste"]
    if "base_difficulty" in given:
        base, full = given["base_difficulty"], given["kind"] == "full"
        told["difficulty"] = combat.reaction_difficulty(base, given["reaction_roll"], full=full) if applies else base
    return told


def _stance(given: Case) -> Case:
    return {"difficulty": given["base_difficulty"] + (combat.PRONE_MODIFIER if given["target"] == "prone" else 0)}


def _personal_damage(given: Case) -> Case:
    if "comparison" in given:
        (row,) = [row for row in combat.DAMAGE if row.comparison == given["comparison"]]
        return {"stun_attack": row.stun_attack, "other_attack": row.other_attack}
    totals = {}
    for side in ("damage", "strength"):
        if f"{side}_total" in given:
            totals[side] = given[f"{side}_total"]
        else:
            counted, _ = rolls.capped(given[f"{side}_faces"], given.get(f"{side}_cap", 6))
            totals[side] = sum(counted) + Code.of(given[f"{side}_code"]).pips
    row = combat.damage_row(totals["damage"], totals["strength"])
    return {
        "damage_total": totals["damage"],
        "strength_total": totals["strength"],
        "stun_attack": row.stun_attack,
        "other_attack": row.other_attack,
    }


def _stun_track(given: Case) -> Case:
    told: Case = {"strength_reduced": False}
    if "results_this_round" in given:
        told["penalty_dice"] = combat.stun_penalty({0: given["results_this_round"]}, 0)
    if "results_by_round" in given:
        by_round = {int(when): results for when, results in given["results_by_round"].items()}
        told["penalty_dice"] = combat.stun_penalty(by_round, given["at_round"])
    stuns = given.get("stuns_this_round", given.get("stuns", 0))
    if "dexterity" in given:
        told["immobile"] = combat.overcome(Code.of(given["dexterity"]), stuns)
    if "stamina" in given:
        told["unconscious"] = combat.overcome(Code.of(given["stamina"]), stuns)
    return told


def _wound_state(given: Case) -> Case:
    assert given["state"] == "wounded"
    return {"penalty_dice": combat.WOUNDED_PENALTY}


def _mortal_check(given: Case) -> Case:
    outcome = GAME.score(pips(*given["faces"]), {"purpose": "dying", "rounds": given["rounds_since"]})
    return {"total": dict(outcome.net)["total"], "dies": outcome.succeeded is False}


def _adventure(given: Case) -> Case:
    if "points" in given:
        return {"verdict": adventure.verdict(given["points"])}
    task = adventure.find_task(given["task"])
    burden = adventure.BURDEN_PENALTY if given.get("burdened") else 0
    several = len(task.bands) > 1
    return {
        "difficulty": list(task.bands) if several else task.bands[0],
        "rolls": len(task.bands),
        "may_combine": task.may_combine,
        "failure": task.failure,
        "damage_per_failure": task.failure,
        "penalty_dice": task.penalty_dice + burden,
    }


MECHANICS: Mapping[str, Play] = {
    "dice_total": _dice_total,
    "code_in_play": _in_play,
    "improve_step": lambda c: {"code": str(rolls.improved(Code.of(c["code"]), Code(pips=c["pips"])))},
    "improve_add": lambda c: {"code": str(rolls.improved(*map(Code.of, c["codes"])))},
    "force_point": lambda c: {"code": str(Code.of(c["code"]).times(2))},
    "difficulty_scale": lambda c: _band(c["task"]),
    "difficulty_check": _check,
    "combat_difficulty": lambda c: _band(c["range"], rolls.COMBAT_BANDS),
    "knowledge_difficulty": lambda c: _band(c["level"], rolls.KNOWLEDGE_BANDS),
    "general_knowledge_difficulty": lambda c: _band(c["level"], rolls.GENERAL_KNOWLEDGE_BANDS),
    "medpac_difficulty": _medpac,
    "fire_modifier": lambda c: {"difficulty_modifier": rolls.fire_modifier(c.values())},
    "multi_action": _multi_action,
    "combined_action": _combined,
    "combined_limit": _combined_limit,
    "combined_allowed": lambda c: {"may_combine": rolls.may_combine(c["skill"])},
    "uncertainty": _uncertainty,
    "opposed_roll": _opposed,
    "die_cap": _die_cap,
    "scale_cap": _scale_cap,
    "round_order": _round_order,
    "haste": _haste,
    "reaction": _reaction,
    "preparation": lambda c: {"code": str(Code.of(c["code"]).plus(int(c["prepared_last_round"])))},
    "stance": _stance,
    "personal_damage": _personal_damage,
    "stun_track": _stun_track,
    "wound_state": _wound_state,
    "mortal_check": _mortal_check,
    "grenade_scatter": lambda c: {
        "roll": str(combat.SCATTER[c["range"]]),
        "unit": "metres",
        "metres": sum(c.get("faces", [])),
    },
    "surprise": lambda c: {"free_haste": combat.SURPRISE_HASTE * c["surprised_opponent"], "penalty_dice": 0},
    **cases_vehicles.MECHANICS,
    **cases_force.MECHANICS,
    **cases_capital.MECHANICS,
    "adventure_check": _adventure,
    "star_warriors": lambda c: dict(conversion.converted(c["table"], Code.of(c["code"]))),
    "star_warriors_offset": lambda c: dict(conversion.with_offset(c["base"], c["offset"])),
}
