"""The cases of the Force and of equipment in D6 with dice codes, played by asks, throws, effects and acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.games.d6_companion import GAME, gear
from tableside.games.d6_companion.force import needs_of
from tableside.games.d6_companion.powers import POWERS, Need
from tableside.games.d6_companion.rolls import BANDS, improved
from tableside.rules.characters import Opposed, fill_answers, followups, perform_act
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Person
from tests.rules.asks import pips
from tests.rules.case import Case, Play

CHARACTERS = GAME.characters
VEX = CHARACTERS.check(Person(id="x", name="Vex", game=GAME.name))


def _with(**trackers: int) -> Person:
    found = VEX
    for name, value in trackers.items():
        found = found.with_value(CHARACTERS.tracker(name), value)
    return found


def _skilled(**codes: str) -> Person:
    skills = [{"name": name, "ask": {"code": code}} for name, code in codes.items()]
    return Person.from_json({**_with(character_points=99).to_json(), "skills": skills})


def _power(power: str, *totals: int, **ask: Any) -> Outcome:
    """Return the outcome of a power whose rolls have these totals: each is one die with pips."""
    skills = list(needs_of(POWERS[power]))
    codes = {skill: f"{len(skills)}D{total - 2:+d}" for skill, total in zip(skills, totals, strict=True)}
    return GAME.play([pips(2)] * len(totals), {"purpose": "power", "power": power, **codes, **ask})


def _applied(outcome: Outcome, *, on: str = "target", before: Person = VEX) -> Person:
    for effect in outcome.effects:
        if effect.on == on:
            before = CHARACTERS.apply_effect(before, effect)
    return before


def _times(given: Case) -> int:
    return int(given["roll_vs_difficulty"].strip(">=x"))


def _dark_side_call(given: Case) -> Case:
    caller = _with(dark_side_calls=given["earlier_calls_this_adventure"])
    ask = {"purpose": "dark_side_call", "code": "1D", "harm": given["harm_intended"], "actions": 3}
    outcome = GAME.play(
        (pips(2),), fill_answers(CHARACTERS, caller, ask=ask | {"code": f"1D{given.get('total', 0) - 2:+d}"}).answers
    )
    after = _applied(outcome, on="roller", before=caller)
    assert after.value("dark_side_calls") == caller.value("dark_side_calls") + 1
    return {
        "difficulty": outcome.difficulty,
        "success": outcome.succeeded,
        "force_points": after.value("force_points") - caller.value("force_points"),
        "dark_side_points": after.value("dark_side_points"),
    }


def _consumed(given: Case) -> Case:
    before = _with(dark_side_points=given["dark_side_points"] - 1)
    after = _with(dark_side_points=given["dark_side_points"])
    (follow,) = followups(CHARACTERS, after, before=before)
    return {"consumed": GAME.play((pips(given["face"]),), follow.ask or {}).succeeded is False}


def _force_training(given: Case) -> Case:
    if given.get("learn_new_skill"):
        done = perform_act(CHARACTERS, _skilled(), "learn", {"points": given["skill_points_spent"]})
        return {"weeks": int(done.words.split()[5])}
    teacher = {"teacher": given["teacher"]} if given.get("teacher") else {}
    done = perform_act(CHARACTERS, _skilled(Control=given["skill"]), "train", teacher, skill="Control")
    assert str(done.person.skills[0].ask["code"]) == str(improved(Code.of(given["skill"]), Code(pips=1)))
    return {"skill_points": 99 - done.person.value("character_points")}


def _power_total(given: Case) -> Case:
    """What a skill allows is said when it grows to this code."""
    before = improved(Code.of(given["skill"]), Code(pips=-1))
    done = perform_act(CHARACTERS, _skilled(Control=str(before)), "train", {}, skill="Control")
    return {"max_powers": int(done.words.partition("; ")[2].split()[0])}


def _power_roll(given: Case) -> Case:
    if "difficulty" in given:
        band = next(name for name, ends in BANDS.items() if ends[0] == given["difficulty"])
        assert band == "moderate"
        outcome = _power("instinctive astrogation", 30, unmastered=not given["mastered"])
        return {"difficulty": outcome.difficulty}
    powers = {("control", "sense"): "projective telepathy", ("control", "sense", "alter"): "telekinetic kill"}
    caller = _skilled(**given["skills"])
    ask = {"purpose": "power", "power": powers[tuple(given["power_skills"])], "case_sense": "willing", "resist": 1,
           "actions": 1 + given["other_actions"]}  # fmt: skip
    pools = GAME.odds(fill_answers(CHARACTERS, caller, ask=ask).answers).pool.split(", ")
    return dict(zip(given["power_skills"], pools, strict=True))


def _emptiness(given: Case) -> Case:
    if "phase" in given:
        return {"success": _power("emptiness", given["roll"], case_control=given["phase"]).succeeded}
    if "emptiness_roll" in given:
        entered = _power("emptiness", given["emptiness_roll"], case_control="enter")
        target = _applied(entered, on="roller")
        answers = fill_answers(CHARACTERS, None, opposed=Opposed(target=target), ask={"purpose": "power"}).answers
        assert given["hostile_power_difficulty"] == BANDS["moderate"][0]
        hostile = _power("instinctive astrogation", 60, target_emptiness=answers["target_emptiness"])
        return {"difficulty": hostile.difficulty}
    left = _power("emptiness", 30, case_control="leave", dark_points=given["dark_side_points"])
    assert "for as long as the emptiness lasted" in left.sentence
    bonus = _applied(left, on="roller").value("force_bonus")
    return {"bonus_to_force_rolls": bonus, "bonus_hours": given["hours_empty"]}


def _force_of_will(given: Case) -> Case:
    """The hostile power is one of Sense at this difficulty, against the will that was rolled."""
    assert given["difficulty"] == BANDS["moderate"][0]
    target = _applied(_power("force of will", given["will_roll"]), on="roller")
    answers = fill_answers(CHARACTERS, None, opposed=Opposed(target=target), ask={"purpose": "power"}).answers
    outcome = _power("instinctive astrogation", given["attack_total"], target_will=answers["target_will"])
    lost = _applied(outcome).value("will_lost")
    result = "full_effect" if outcome.succeeded else "blocked_and_weakened" if lost else "no_effect"
    return {
        "protection_number": given["difficulty"] + answers["target_will"],
        "result": result,
        "will_code_penalty_dice": lost,
    }


def _farseeing(given: Case) -> Case:
    """Present, past and future have difficulties of their own; the Sense roll is the lower multiple."""
    times = _times(given)

    def right(seen: str, control: int) -> str:
        outcome = _power("farseeing", 9 * control, 10 * times, seen=seen, case_sense="unwilling", resist=10)
        return outcome.sentence.partition("seen: ")[2].rstrip(".")

    assert right("present", 3) == right("past", 9)
    return {"past_or_present": right("past", 9), "future": right("future", 9)}


def _postcognition(given: Case) -> Case:
    total = 6 * _times(given) + (1 if _times(given) == 1 else 0)
    outcome = _power("postcognition", total, case_sense="under 2 hours")
    return {"detail": outcome.sentence.partition("past: ")[2].rstrip(".")}


def _dim_senses(given: Case) -> Case:
    target = _applied(_power("dim other's senses", 30, 10 * _times(given), resist=10))
    watcher = Person.from_json({**target.to_json(), "skills": [{"name": "Search", "ask": {"code": "6D"}}]})
    left = GAME.odds(fill_answers(CHARACTERS, watcher, skill="Search").answers).pool
    return {"perception_penalty_dice": 6 - Code.of(left).dice}


def _inflict_pain(given: Case) -> Case:
    after = _applied(_power("inflict pain", 30, 10 * _times(given), resist=10))
    return {"result": "unconscious" if after.value("unconscious") else f"stun_{after.value('stuns')}"}


_WOUNDS = ("no_effect", "wound", "incapacitated", "mortal_wound")


def _injure(given: Case) -> Case:
    outcome = _power("injure/kill", given["alter_total"], resist=given["target_total"])
    after = _applied(outcome)
    return {
        "result": _WOUNDS[after.value("wounds")],
        "dark_side_points": _applied(outcome, on="roller").value("dark_side_points"),
    }


def _telekinesis(given: Case) -> Case:
    outcome = _power("telekinesis", 99, kg=given["mass_kg"])
    assert outcome.difficulty is not None
    label = next(
        name for name, (least, _) in reversed(BANDS.items()) if name != "very_difficult" and outcome.difficulty >= least
    )
    return {"label": label, "difficulty_modifier": outcome.difficulty - BANDS[label][0]}


def _looked_up(sheet: str, row: str) -> str:
    """Return what a reference sheet says behind the first cell of a row."""
    (found,) = [one for one in GAME.reference if one.name == sheet]
    return {cells[0]: cells[1] for cells in found.rows}[row]


def _technology(code: str, **ask: Any) -> tuple[Outcome, int]:
    """Return the outcome of a technology roll that succeeds, and the skill points that it cost."""
    outcome = GAME.play((pips(2),), {"purpose": "technology", "code": "1D", "pips": 60, "device": code, **ask})
    return outcome, sum(-effect.change for effect in outcome.effects if effect.tracker == "character_points")


def _equipment_cost(given: Case) -> Case:
    scale = {"device_scale": given["scale"]} if "scale" in given else {}
    told: Case = {}
    if scale:
        outcome, points = _technology("4D", **scale)
        cost = str(outcome.effects[0].words)
        told["time_per_pip"] = cost.rpartition(", ")[2]
        told["credits_per_skill_point"] = int(cost.split(", ")[1].split()[0]) // points
    if "code" in given:
        ask = scale | {"enhancing": given.get("enhancing", False)}
        ask["dexterity_kept"] = given.get("dexterity_penalty_bought_off", False)
        code, total, credits = given["code"], 0, 0
        for _ in range(given["pips"]):  # a roll for each pip
            outcome, points = _technology(code, **ask)
            total, credits = total + points, credits + int(str(outcome.effects[0].words).split(", ")[1].split()[0])
            code = outcome.sentence.partition("It works: ")[2].split()[0]
        told |= {"skill_points": total, "code": code}
        if scale:
            count, unit = told["time_per_pip"].split()
            told |= {"credits": credits, f"{unit.removesuffix('s')}s": int(count) * given["pips"]}
    if "original_code" in given:
        original, now = (Code.of(given[name]) for name in ("original_code", "code"))
        number = gear.pip_number(original, now)
        told |= {"pip_number": number, "roll": _difficulty_of(number)}
    return told


def _difficulty_of(pip: int) -> str:
    """Return how difficult the technology roll for a pip above the original code is."""
    outcome, _ = _technology(str(improved(Code.of("4D"), Code(pips=pip - 1))), original="4D")
    return next(name for name, ends in BANDS.items() if ends[0] == outcome.difficulty)


def _hyperdrive(given: Case) -> Case:
    (sheet,) = [one for one in GAME.reference if one.name == "hyperdrives"]
    return {"skill_points": next(int(row[2]) for row in sheet.rows if row[:2] == (given["from"], given["to"]))}


def _droid_build(given: Case) -> Case:
    def dice(row: str, code: Code) -> Case:
        return {"building_dice": int(_looked_up("droids", row)) * code.dice}

    if "attribute" in given:
        more = Code.of(given["to"]).dice - Code.of(given["from"]).dice
        return dice("Attribute, a die more", Code(dice=more))
    if "speed_above_dexterity" in given:
        return dice("Speed above Dexterity, a die", Code.of(given["speed_above_dexterity"]))
    if "armor" in given:
        return dice("Armor, a die", Code.of(given["armor"]))
    return dice("Skill, a die", Code.of(given["skill_increase"]))


def _need(need: Need) -> Case:
    cases = dict(need.cases)
    told: Case = {f"by_{need.by}": cases} if need.by else cases
    return told | ({"add": list(need.add)} if need.add else {})


def _force_power(given: Case) -> Case:
    power = POWERS[given["power"]]
    told: Case = {name: _need(need) for name, need in needs_of(power).items()}
    return told | {"dark_side_point": power.dark_side_point}


MECHANICS: Mapping[str, Play] = {
    "dark_side_call": _dark_side_call,
    "dark_side_consume": _consumed,
    "power_total": _power_total,
    "force_training": _force_training,
    "power_roll": _power_roll,
    "force_difficulty": lambda c: {"label": _looked_up("old_numbers", str(c["old_number"])).lower().replace(" ", "_")},
    "emptiness": _emptiness,
    "force_of_will": _force_of_will,
    "force_power": _force_power,
    "farseeing": _farseeing,
    "postcognition": _postcognition,
    "dim_senses": _dim_senses,
    "inflict_pain": _inflict_pain,
    "injure_kill": _injure,
    "telekinesis": _telekinesis,
    "equipment_cost": _equipment_cost,
    "technology_roll": lambda c: {"difficulty": _difficulty_of(c["pip_number"])},
    "hyperdrive_cost": _hyperdrive,
    "droid_build": _droid_build,
}
