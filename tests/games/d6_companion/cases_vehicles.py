"""The cases of movement and starships in D6 with dice codes, played by asks, throws, effects and acts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tableside.errors import BadAsk
from tableside.games.d6_companion import GAME, movement, ships
from tableside.games.d6_companion.rolls import BANDS
from tableside.rules.characters import Opposed, fill_answers, perform_act
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Person, PersonKind
from tests.rules.asks import pips
from tests.rules.case import Case, Play

CHARACTERS = GAME.characters
_TIMES = {">1x": 1, ">2x": 2, ">3x": 3}
_SHIP = Person(id="s", name="Ship", game=GAME.name, kind=PersonKind.THING)
_NUMBER = re.compile(r"(-?[0-9]+)")


def _pool(ask: Mapping[str, Any]) -> str:
    return GAME.odds(ask).pool


def _scored(ask: Mapping[str, Any], total: int) -> Outcome:
    return GAME.play((pips(2),), {"code": "1D", "pips": total - 2, **ask})


def _after(outcome: Outcome, before: Person = _SHIP) -> Person:
    for effect in outcome.effects[:1]:
        before = CHARACTERS.apply_effect(before, effect)
    return before


def _step(outcome: Outcome, rule: str) -> str:
    return next((str(step.text) for step in outcome.steps if step.rule == rule), "")


def _moved(total: int, difficulty: int, **ask: Any) -> Outcome:
    """Return the outcome of a movement roll; its code has dice enough for all actions."""
    wanted = {"purpose": "movement", "code": "20D", "difficulty": difficulty, **ask}
    count = Code.of(_pool({**wanted, "code": "12D"})).dice + 8
    return GAME.play((pips(*[1] * count),), {**wanted, "pips": total - count})


def _movement_roll(given: Case) -> Case:
    names = ("speed_actions", "overspeed_actions", "other_actions")
    actions = sum(given.get(name, 0) for name in names)
    terrain = given["base_difficulty"] if "base_difficulty" in given else given["difficulty"]
    ask = {"purpose": "movement", "code": given["operator_skill"], "actions": actions, "difficulty": terrain,
           "speed_actions": given["speed_actions"], "overspeed": given.get("overspeed_actions", 0)}  # fmt: skip
    ask |= {"add": given["speed_code"]} if "speed_code" in given else {}
    code = Code.of(_pool(ask))
    whole = Code.of(given["operator_skill"]).dice + (Code.of(given["speed_code"]).dice if "speed_code" in given else 0)
    outcome = GAME.play((pips(*[1] * code.dice),), ask)
    return {"penalty_dice": whole - code.dice, "code": str(code), "difficulty": outcome.difficulty}


def _movement_failure(given: Case) -> Case:
    if given.get("regain_control"):
        control = "stopped" if given["stopped_by_collision"] else "lost"
        return {"difficulty": _moved(30, given["base_difficulty"], control_lost=control).difficulty}
    overspeed = given["overspeed_actions"]
    base = given["difficulty"] - 3 * overspeed
    outcome = _moved(given["total"], base, speed_actions=given["speed_actions"], overspeed=overspeed)
    lost, action = map(int, _NUMBER.findall(_step(outcome, "movement_failure")))
    assert (outcome.difficulty, outcome.effects[0].tracker) == (given["difficulty"], "control")
    return {
        "success": outcome.succeeded,
        "missed_by": given["difficulty"] - given["total"],
        "speed_actions_lost": lost,
        "control_lost_during_speed_action": action,
    }


def _move_distance(given: Case) -> Case:
    if given.get("minimum"):
        return {"metres": movement.MOVERS[given["mover"]].least}
    ask = {"speed_actions": given.get("crawl_speed_dice", given.get("speed_actions", 1)),
           "mover": given.get("mover", "character"), "crawling": "crawl_speed_dice" in given,
           "half_speed": given.get("half_speed", False),
           "elsewhere": given.get("secondary_medium", False)}  # fmt: skip
    return {"metres": int(_step(_moved(30, 3, **ask), "move_distance").partition(" ")[0])}


def _speed_limit(given: Case) -> Case:
    most = 0
    try:
        while GAME.tray({"purpose": "movement", "code": "30D", "add": given["base_speed"], "speed_actions": most + 1}):
            most += 1
    except BadAsk:
        return {"max_speed_actions": most}
    raise AssertionError("no limit")


def _overspeed(given: Case) -> Case:
    count = given["overspeed_actions"]
    with_it, without = _moved(60, 3, overspeed=count), _moved(60, 3)
    far = [int(_step(one, "move_distance").partition(" ")[0]) for one in (with_it, without)]
    ask = {"purpose": "movement", "code": "9D", "difficulty": 3}
    assert with_it.difficulty is not None
    return {
        "all_codes_penalty_dice": 9 - Code.of(_pool(ask | {"overspeed": count})).dice,
        "difficulty_modifier": with_it.difficulty - 3,
        "extra_speed_actions_if_success": (far[0] - far[1]) // 10,
    }


def _maneuver(given: Case) -> Case:
    if "winner" in given or "winner_over_loser" in given:
        loser = given.get("loser", 10)
        winner = given.get("winner") or loser * _TIMES[given["winner_over_loser"]] + 1
        outcome = _scored({"purpose": "maneuver", "difficulty": loser}, winner)
    else:
        assert not given["opponent_takes_maneuver"]
        outcome = _moved(10 if given["movement_roll_success"] else 2, 3, unmet=True)
        outcome = outcome if given["movement_roll_success"] else _scored({}, 5)
    return {"reserved_speed_actions": _after(outcome).value("reserved")}


def _ramming(given: Case) -> Case:
    times = _TIMES[given["winner_over_loser"]]
    won = {hits: _scored({"purpose": "ramming", "difficulty": 10, "hits": hits}, 10 * times + 1)
           for hits in ("person", "vehicle")}  # fmt: skip
    if times == 3:
        return {"difficulty_modifier": None, "occupants_roll_collision": False} | {
            name: _hurt(won[hits]) for name, hits in (("character", "person"), ("vehicle", "vehicle"))
        }
    loser = _after(won["vehicle"])
    succeeds = given.get("loser_movement_roll") == "success"
    told: Case = {}
    for name, mover in (("character", "character"), ("vehicle", "repulsorlift")):
        answers = fill_answers(CHARACTERS, loser, ask={"purpose": "movement", "mover": mover, "code": "1D"}).answers
        outcome = _moved(50 if succeeds else 4, 5, mover=mover, rammed=answers["rammed"])
        assert outcome.difficulty is not None
        told |= {"difficulty_modifier": outcome.difficulty - 5, name: _hurt(outcome)}
        told["occupants_roll_collision"] = any("occupants" in step.text for step in outcome.steps)
    return told


def _hurt(outcome: Outcome) -> str:
    """Return what a ram did to a person or a vehicle, by its tracks."""
    for effect in outcome.effects:
        if effect.tracker in ("wounds", "ship_damage") and effect.set is not None:
            return (movement.WOUNDS if effect.tracker == "wounds" else movement.DAMAGES)[effect.set]
    return "none"


def _collision(given: Case) -> Case:
    movers = {"speeder": "repulsorlift", "starfighter": "starfighter_or_capital"}
    ask = {"purpose": "collision", "mover": movers.get(given["mover"], given["mover"]),
           "speed_actions": given["speed_actions_min"]}  # fmt: skip
    row = movement.collision(given["mover"], given["speed_actions_min"])
    by_speed = {_pool(ask | {"kmh": kmh}) for kmh in (row.least_kmh, row.most_kmh) if kmh is not None}
    assert by_speed == {_pool(ask)}
    return {"damage": _pool(ask), "kmh_min": row.least_kmh, "kmh_max": row.most_kmh}


def _weapon_range(given: Case) -> Case:
    if "damage" in given:
        return {"class": ships.weapon_class(Code.of(given["damage"]))}
    damage = {"light": "2D+2", "medium": "3D", "heavy": "5D"}.get(given["weapon"])
    mounted = given["mount"] if damage else f"{given['mount']}_{given['weapon']}"
    ask = {"mounted": mounted} | ({"gun_damage": damage} if damage else {})
    if "distance" in given:
        outcome = _scored(ask | {"metres": given["distance"]}, 30)
        name, (least, most) = next((one, ends) for one, ends in BANDS.items() if ends[0] == outcome.difficulty)
        range_of = {"easy": "short", "moderate": "medium", "difficult": "long"}[name]
        return {"range": range_of, "difficulty_min": least, "difficulty_max": most}
    ranges = ships.ranges_of(GAME.form.check(ask, game=GAME.name))
    ends = {"short": ranges.short, "medium": ranges.medium, "long": ranges.long}
    return {name: pair and list(pair) for name, pair in ends.items()}


def _astrogation(given: Case) -> Case:
    ask: dict[str, Any] = {"purpose": "astrogation"}
    ask["hours_saved"] = given.get("hours_saved", 0) - given.get("hours_extra", 0)
    told: Case = {}
    if "base_difficulty" in given:
        told["difficulty"] = _scored(ask | {"difficulty": given["base_difficulty"]}, 30).difficulty
    if "base_hours" in given:
        ask |= {"hours": given["base_hours"], "difficulty": 3}
        most = 0
        try:
            while _scored(ask | {"hours_saved": most + 1}, 60):
                most += 1
        except BadAsk:
            told["hours_saved_max"] = most
        outcome = _scored(ask | {"hours_saved": min(ask["hours_saved"], most)}, 60)
        told["hours"] = int(_NUMBER.findall(str(outcome.steps[-1].text))[0])
    return told


def _evasion(given: Case) -> Case:
    full = given["kind"] == "full"
    if "evasion_code" in given:
        # The compulsory speed action of a full evasion costs the evasion nothing (I12).
        ask = {"code": given["evasion_code"], "purpose": "evasion", "full_reaction": full}
        return {"evasion_code": _pool(ask | {"actions": sum(given["actions"].values())})}
    ship = _after(_scored({"purpose": "evasion", "full_reaction": full}, given["evasion_roll"]))

    def disturbed(skill: str) -> Outcome:
        answers = fill_answers(
            CHARACTERS,
            Person.from_json({**ship.to_json(), "skills": [{"name": skill, "ask": {"code": "1D"}}]}),
            skill=skill,
            ask={"difficulty": 10, "pips": 30},
        ).answers
        return GAME.play((pips(2),), answers)

    gunner, other, shields = disturbed("Gunnery"), disturbed("Sensors"), disturbed("Shields")
    assert gunner.difficulty is not None
    assert other.difficulty is not None
    return {
        "own_gunners_difficulty_modifier": gunner.difficulty - 10,
        "other_actions_difficulty_modifier": other.difficulty - 10,
        "shield_roll_modifier": dict(shields.net)["total"] - 32,
    }


def _shields(given: Case) -> Case:
    roll = given["shield_roll"]
    if "full_evasion_roll" in given:
        ask = {"purpose": "shields", "own_evasion": given["full_evasion_roll"], "aboard": "shields"}
        return {"shield_roll_after_evasion": dict(_scored(ask, roll).net)["total"]}
    ship = _after(_scored({"purpose": "shields"}, roll))
    shot = {"difficulty": given["difficulty"], "attack": "ranged_weapon"}
    answers = fill_answers(CHARACTERS, None, opposed=Opposed(target=ship), ask=shot).answers
    outcome = _scored(answers, given["attack_total"])
    result = (
        "miss"
        if not outcome.succeeded
        else "hit_hull_only"
        if "alone" in outcome.sentence
        else "hit_shields_add_to_hull"
    )
    number = given["difficulty"] + answers["shields"]
    assert not outcome.succeeded or f"{number} is the number" in _step(outcome, "shields")
    return {"shield_number": number, "result": result}


def _starship_damage(given: Case) -> Case:
    if given.get("result") == "dead_controls":
        ship = _after(_scored({"purpose": "ion_damage", "against": 9}, 28))
        refused = False
        try:
            fill_answers(CHARACTERS, ship, ask={"code": "4D"})
        except BadAsk:
            refused = True
        assert refused
        ship = perform_act(CHARACTERS, ship, "round", {}).person
        left = Code.of(_pool(fill_answers(CHARACTERS, ship, ask={"code": "9D"}).answers)).dice
        return {"round_0": "no actions for one round", "next_round_penalty_dice": 9 - left}
    if given.get("result") == "lightly_damaged":
        worked = given["shields_effective"]
        ship = _after(_scored({"purpose": "ship_damage", "against": 9, "shields_worked": worked}, 8))
        lasts = 0
        while ship.value("ionized") + ship.value("ionized_before"):
            ship, lasts = perform_act(CHARACTERS, ship, "round", {}).person, lasts + 1
        assert lasts == (0 if worked else 2)
        return {
            "effect": "lose_shield_generator" if ship.value("generators") else "ionized_1D",
            "hull_reduced": False,
            "lasts": "rest of this round and the next round",
        }
    damage, hull = given.get("damage_total"), given.get("hull_total", 20)
    if "comparison" in given:
        halves = next(row.halves for row in ships.SHIP_DAMAGE if row.comparison == given["comparison"])
        damage = hull * halves // 2 + 1
    words = {}
    for name, purpose in (("ion_cannon", "ion_damage"), ("other_attack", "ship_damage")):
        headline = _scored({"purpose": purpose, "against": hull}, damage or 0).headline
        found = re.fullmatch(r"Ionized by (\dD)", headline)
        words[name] = f"ionized_{found[1]}" if found else headline.lower().replace(" ", "_")
    return words


def _tractor_beam(given: Case) -> Case:
    if "sublight_total" in given:
        outcome = _scored({"purpose": "tractor_beam", "difficulty": given["beam_total"]}, given["sublight_total"])
        return {"breaks_free": not _after(outcome).value("held")}
    ask = {"purpose": "tractor_beam", "overspeed_done": given["successful_overspeed"]}
    return {"ship_rolls": _pool(ask | {"code": given["sublight_code"]}), "beam_rolls": given["beam_code"]}


def _missile(given: Case) -> Case:
    waiting = _scored({"difficulty": given["base_difficulty"], "missile": given["target_speed_actions"]}, 30)
    return {"add_roll": str(Code(dice=waiting.awaits.count))}


MECHANICS: Mapping[str, Play] = {
    "speed_limit": _speed_limit,
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
    "missile_difficulty": _missile,
    "tractor_beam": _tractor_beam,
}
