"""The cases of D6 with dice codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.errors import BadAsk
from tableside.games.d6_companion import GAME, combat, rolls
from tableside.games.d6_companion.lasts import lasting
from tableside.games.d6_companion.movement import WOUNDS
from tableside.rules.characters import Opposed, fill_answers, followups, perform_act
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Person, PersonKind, Skill
from tests.games.d6_companion import cases_capital, cases_force, cases_vehicles
from tests.rules.asks import pips
from tests.rules.case import Case, Play, Waiting, names_of

CHARACTERS = GAME.characters


def pool(ask: Mapping[str, Any]) -> str:
    """Return the code that an ask throws."""
    return GAME.odds(ask).pool


def faces(total: int, count: int) -> list[int]:
    """Return so many faces of this total."""
    found = [1] * count
    for place in range(count):
        found[place] += min(5, total - sum(found))
    assert sum(found) == total
    return found


def scored(ask: Mapping[str, Any], total: int) -> Outcome:
    """Return the outcome of a roll with this total."""
    return GAME.play((pips(2),), {"code": "1D", "pips": total - 2, **ask})


def person(codes: Mapping[str, str] | None = None, *, kind: PersonKind = PersonKind.PLAYER, **trackers: int) -> Person:
    """Return somebody of this game, with the codes of skills."""
    skills = {"Dodge": "9D", "Strength": "9D", **(codes or {})}
    one = Person(
        id="x",
        name="Vex",
        game=GAME.name,
        kind=kind,
        skills=tuple(Skill(name=name, ask={"code": code}) for name, code in skills.items()),
    )
    one = CHARACTERS.check(one)
    for name, value in trackers.items():
        one = one.with_value(CHARACTERS.tracker(name), value)
    return one


def _dice_total(given: Case) -> Case:
    code = Code.of(given["code"])
    assert len(given["faces"]) == code.dice
    return {"dice_sum": sum(given["faces"]), "pips": code.pips, "total": sum(given["faces"]) + code.pips}


def _in_play(given: Case) -> Case:
    """Codes are added in a call, with pips of any size; dice that are taken off are those of further actions."""
    first, *others = map(Code.of, given["add"])
    more = Code()
    for code in others:
        more = more.plus(code.dice, code.pips)
    less = Code()
    for code in map(Code.of, given.get("subtract", [])):
        less = less.plus(code.dice, code.pips)
    ask = {"code": str(first), "add": str(more), "actions": 1 + less.dice, "pips": -less.pips}
    return {"code": pool(ask)}


def _band(name: str, bands: Mapping[str, str] | None = None) -> Case:
    least, most = rolls.band(name, bands)
    return {"min": least, "max": most}


def _medpac(given: Case) -> Case:
    told = _band(given["patient"], rolls.MEDPAC_BANDS)
    patient = person(wounds=WOUNDS.index(given["patient"]), medpacs=given.get("medpacs_used_today", 0))
    ask = {"code": "1D", "purpose": "medpac"} | ({"difficulty": given["base"]} if "base" in given else {})
    outcome = scored(fill_answers(CHARACTERS, None, opposed=Opposed(target=patient), ask=ask).answers, 30)
    if "base" not in given:
        assert outcome.difficulty == told["min"]
    (effect,) = outcome.effects
    assert CHARACTERS.apply_effect(patient, effect).value("medpacs") == patient.value("medpacs") + 1
    return told | {"difficulty": outcome.difficulty}


def _check(given: Case) -> Case:
    outcome = scored({"difficulty": given["difficulty"]}, given["total"])
    assert outcome.difficulty is not None
    return {"margin": given["total"] - outcome.difficulty, "success": outcome.succeeded}


NO_ACTIONS = ("half_speed_walk", "drop_prone", "dark_side_call")
"""The help of the field for actions names these."""


def _multi_action(given: Case) -> Case:
    actions = given["actions"] if isinstance(given["actions"], dict) else {"any": given["actions"]}
    counted = sum(times for kind, times in actions.items() if kind not in (*NO_ACTIONS, "haste"))
    ask = {"actions": counted, "haste": actions.get("haste", 0), "free_haste": given.get("free_haste", 0)}
    base = given.get("code", "9D")
    code = pool({"code": base, **ask})
    return {"penalty_dice": Code.of(base).dice - Code.of(code).dice, "code": code}


def _combined(given: Case) -> Case:
    limit = None if given.get("troopers_in_sight_of_target") else given.get("limit")
    bonus, code = rolls.combined(
        Code.of(given["lead"]), [Code.of(text) for text in given["supporters"]], actions=given["actions"], limit=limit
    )
    return {"bonus_pips": bonus, "code": str(code)}


def _combined_limit(given: Case) -> Case:
    if "command" in given:
        code = Code.of(pool({"code": given["command"], "actions": 1 + given.get("other_actions", 0)}))
        return {"command_code": str(code), "max_combining": rolls.combine_limit([code], ample_time=False)}
    codes = [Code.of(text) for text in given["skill_codes"]]
    told: Case = {"max_combining": rolls.combine_limit(codes, ample_time=given["time"] == "ample")}
    if given.get("coordinator_also_works"):
        coordinator = Code.of(pool({"code": str(codes[0]), "actions": 2}))
        told |= {"coordinator_code": str(coordinator), "enough_for_three": coordinator.dice >= 3}
    return told


def _uncertainty(given: Case) -> Case:
    if "allowed_uncertainty_dice" in given:
        least, most = rolls.UNCERTAINTY_DICE
        return {"min": least, "max": most, "combat_skills": False}
    more = given["uncertainty_dice"]
    wanted = GAME.tray({"code": given["code"], "uncertainty": more})
    ask = {"code": given["code"], "uncertainty": more, "difficulty": given["difficulty"]}
    player = given.get("player_faces") or faces(given["player_total"] - Code.of(given["code"]).pips, wanted.count)
    waiting = GAME.play((pips(*player),), ask)
    assert waiting.awaits.by_gm
    master = given.get("gm_faces") or faces(given["gm_total"], waiting.awaits.count)
    outcome = GAME.play([pips(*player), pips(*master)], ask)
    return {
        "dice_for_player": wanted.count,
        "dice_for_gm": waiting.awaits.count,
        "player_total": dict(waiting.net)["total"],
        "gm_total": sum(master),
        "result": dict(outcome.net)["total"],
        "success": outcome.succeeded,
    }


def _opposed(given: Case) -> Case:
    """Who throws more wins; in a contest that asks for more a tie has no winner (I2)."""
    strict = given["rule"] == "greater"

    def beats(one: int, other: int) -> bool:
        outcome = scored({"difficulty": other, "more_than": strict}, one)
        return outcome.succeeded is True

    active, passive = given["active"], given["passive"]
    winner = "active" if beats(active, passive) else "passive" if beats(passive, active) else None
    larger, smaller = max(active, passive), min(active, passive)
    return {"winner": winner, "multiple": rolls.multiple(larger, smaller, strict=strict) if winner else 0}


def _die_cap(given: Case) -> Case:
    outcome = GAME.play((pips(*given["faces"]),), {"code": given["code"], "cap": given["cap"]})
    counted, discarded = rolls.capped(given["faces"], given["cap"])
    assert all(f"drops {', '.join(map(str, discarded))}" in outcome.sentence for _ in discarded[:1])
    return {"counted": list(counted), "discarded": list(discarded), "total": dict(outcome.net)["total"]}


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
        fighter = perform_act(CHARACTERS, person(), "declare", {"haste": given["declared"]}).person
        ask = {"code": "9D", "actions": given["shots"] + given["speed_actions"]}
        return {"penalty_dice": 9 - Code.of(pool(fill_answers(CHARACTERS, fighter, ask=ask).answers)).dice}
    first, second = given["declared_segment_1"], given["declared_segment_2"]
    fighter = perform_act(CHARACTERS, person(), "declare", {"haste": first}).person
    told: Case = {"action_haste": first, "reaction_haste": second, "haste_actions": second}
    if second < first:  # 0 in the second segment is no declaration; what is less than before is refused
        try:
            perform_act(CHARACTERS, fighter, "declare", {"haste": first + 1, "reaction_haste": second + 1})
        except BadAsk:
            return told | {"allowed": False}
        return told | {"allowed": True}
    fighter = perform_act(CHARACTERS, fighter, "declare", {"haste": first, "reaction_haste": second}).person
    answers = fill_answers(CHARACTERS, fighter, ask={"code": "9D"}).answers
    return {
        "allowed": True,
        "action_haste": answers["haste"],
        "reaction_haste": fighter.declared("haste_declared", 0),
        "haste_actions": 9 - Code.of(pool(answers)).dice,
    }


def _reaction(given: Case) -> Case:
    ask: dict[str, Any] = {"haste": given.get("attack_haste", 0), "reaction_haste": given.get("reaction_haste", 0)}
    ask |= {"attack": given["attack"], "reaction_skill": given["skill"]} if "skill" in given else {}
    base, roll = given.get("base_difficulty", 6), given.get("reaction_roll", 20)
    ask |= {"difficulty": base, "reaction": given.get("kind", "combat"), "reaction_total": roll, "code": "9D"}

    def difficulty(haste: int) -> int | None:
        return GAME.play((pips(*[1] * (9 - ask["haste"])),), ask | {"reaction_haste": haste}).difficulty

    told: Case = {"difficulty": difficulty(ask["reaction_haste"])}
    told |= {"applies": told["difficulty"] != base, "simultaneous": ask["haste"] == ask["reaction_haste"]}
    if given.get("minimum_reaction_haste"):
        told["reaction_haste"] = next(n for n in range(20) if difficulty(n) != base)
    return told


def _stance(given: Case) -> Case:
    target = person()
    if given["target"] == "prone":
        target = perform_act(CHARACTERS, target, "drop", {}).person
    ask = {"difficulty": given["base_difficulty"], "code": "1D", "attack": "ranged_weapon"}
    return {
        "difficulty": scored(
            fill_answers(CHARACTERS, None, opposed=Opposed(target=target), ask=ask).answers, 30
        ).difficulty
    }


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


def _stunned(before: Person, results: list[str]) -> Person:
    """Return somebody after these results of one round."""
    for result in results:
        outcome = scored({"purpose": "stun_damage", "against": 10}, 10 if result == "stun_1" else 20)
        for effect in outcome.effects:
            before = CHARACTERS.apply_effect(before, effect)
    return before


def _stun_track(given: Case) -> Case:
    codes = {"Dexterity": given.get("dexterity", "9D"), "stamina": given.get("stamina", "9D")}
    fighter = person(codes)
    before = fighter
    if "results_by_round" in given:
        by_round = {int(when): results for when, results in given["results_by_round"].items()}
        for when in range(min(by_round), given["at_round"] + 1):
            if when > min(by_round):
                fighter = perform_act(CHARACTERS, fighter, "round", {}).person
            before, fighter = fighter, _stunned(fighter, by_round.get(when, []))
    else:
        stuns = given.get("stuns_this_round", given.get("stuns", 0))
        fighter = _stunned(fighter, given.get("results_this_round", ["stun_1"] * stuns))
    follows = [follow.words for follow in followups(CHARACTERS, fighter, before=before)]
    told = {skill: 12 - Code.of(pool(fill_answers(CHARACTERS, fighter, skill=skill, ask={"code": "12D"}).answers)).dice
            for skill in ("Dodge", "Strength")}  # fmt: skip
    return {
        "penalty_dice": told["Dodge"],
        "strength_reduced": told["Strength"] > 0,
        "immobile": "Immobile: no skills of Dexterity" in follows,
        "unconscious": "Unconscious" in follows,
    }


def _wound_state(given: Case) -> Case:
    assert given["state"] == "wounded"
    return {"penalty_dice": combat.WOUNDED_PENALTY}


def _mortal_check(given: Case) -> Case:
    outcome = GAME.play((pips(*given["faces"]),), {"purpose": "dying", "rounds": given["rounds_since"]})
    return {"total": dict(outcome.net)["total"], "dies": outcome.succeeded is False}


def _scatter(given: Case) -> Case:
    ask = {"purpose": "scatter", "about": given["range"]}
    wanted = GAME.tray(ask)
    thrown = given.get("faces", [1] * wanted.count)
    assert GAME.play((pips(*thrown),), ask).headline == f"It lands {sum(thrown)} m off"
    return {"roll": str(Code(dice=wanted.count)), "unit": "metres", "metres": sum(thrown)}


def _surprise(given: Case) -> Case:
    assert given["surprised_opponent"]
    fighter = perform_act(CHARACTERS, person().with_state(lasting("haste", 2)), "surprise", {}).person
    left = pool(fill_answers(CHARACTERS, fighter, ask={"code": "4D"}).answers)
    return {"free_haste": fighter.value("free_haste"), "penalty_dice": 4 - Code.of(left).dice}


def _sheet(name: str) -> dict[str, tuple[str, ...]]:
    """Return the rows of a reference sheet by their first cells."""
    (sheet,) = [one for one in GAME.reference if one.name == name]
    return {row[0]: row[1:] for row in sheet.rows}


def _adventure(given: Case) -> Case:
    if "points" in given:
        return {"verdict": _sheet("verdict")[str(given["points"])][0]}
    skill, difficulty, together, failure = _sheet("adventure")[given["task"]]
    bands = [one.lower().replace(" ", "_") for one in difficulty.split(", ")]
    both = " and " in skill
    return {
        "difficulty": bands if len(bands) > 1 else bands[0],
        "rolls": len(bands),
        "may_combine": together == "yes",
        "failure": "" if failure == "-" else failure,
        "damage_per_failure": failure,
        "penalty_dice": int(both) + bool(given.get("burdened")),
    }


def _star_warriors(given: Case) -> Case:
    rows, code = _sheet(f"star_warriors_{given['table']}"), Code.of(given["code"])
    if given["table"] == "weapon_damage":
        return {"gun_power": max(int(row[0]) for least, row in rows.items() if Code.of(least) <= code)}
    (sheet,) = [one for one in GAME.reference if one.name == f"star_warriors_{given['table']}"]
    names = [title.lower().replace(" ", "_") for title in sheet.columns[1:]]
    return {name: int(cell) for name, cell in zip(names, rows[str(code)], strict=True) if cell != "-"}


def _offset(given: Case) -> Case:
    """The sheet says that a ship's figure is the printed one and its offset."""
    (sheet,) = [one for one in GAME.reference if one.name == "star_warriors_sublight"]
    assert "this and its offset" in sheet.help
    return {name: figure + given["offset"].get(name, 0) for name, figure in given["base"].items()}


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
    "grenade_scatter": _scatter,
    "surprise": _surprise,
    **cases_vehicles.MECHANICS,
    **cases_force.MECHANICS,
    **cases_capital.MECHANICS,
    "adventure_check": _adventure,
    "star_warriors": _star_warriors,
    "star_warriors_offset": _offset,
}
