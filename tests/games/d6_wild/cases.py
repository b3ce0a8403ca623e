"""The cases of D6 with a Wild Die, played as a table plays them: by asks, throws, people, effects and acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.d6_wild import GAME, combat, rolls
from tableside.games.d6_wild.combat import STATES
from tableside.rules.characters import fill_answers, followups
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Effect, Person, Skill
from tests.rules.asks import pips, wild
from tests.rules.case import Case, Play, Waiting, names_of

CHARACTERS = GAME.characters
ONE = Code(dice=1)


def pool(ask: Mapping[str, Any]) -> str:
    """Return the code that an ask throws."""
    return GAME.odds(ask).pool


def scored(ask: Mapping[str, Any], total: int) -> Outcome:
    """Return the outcome of a roll with this total."""
    return GAME.play(([wild(2)],), {"code": "1D", "pips": total - 2, **ask})


def person(**trackers: int) -> Person:
    """Return a character of this game."""
    found = CHARACTERS.check(Person(id="x", name="Vex", game=GAME.name))
    for name, value in trackers.items():
        found = found.with_value(CHARACTERS.tracker(name), value)
    return found


def state_of(one: Person) -> str:
    return STATES[one.value("wounds")]


def _wild_roll(given: Case) -> Case:
    throws = [[*pips(*given["faces"]), wild(given["wild"][0])], *([wild(face)] for face in given["wild"][1:])]
    outcome = GAME.play(throws, {"code": given["code"]})
    again = sum(1 for face in given["wild"] if face == 6)
    return {"total": dict(outcome.net)["total"], "rerolls": again, "complication": "complication" in dict(outcome.net)}


def _wild_pool(given: Case) -> Case:
    wanted = GAME.tray({"code": given["code"]})
    dice = dict(wanted.dice)
    return {"wild_dice": dice["wild"], "ordinary_dice": dice["pip"], "physical_dice": wanted.count}


def _band(task: str) -> Case:
    band = rolls.find_band(task)
    return {
        "min": band.least,
        "max": band.most,
        "random_roll_min": band.least_code and str(band.least_code),
        "random_roll_max": band.most_code and str(band.most_code),
    }


def _check(given: Case) -> Case:
    outcome = scored({"difficulty": given["difficulty"]}, given["total"])
    assert outcome.difficulty is not None
    return {"margin": given["total"] - outcome.difficulty, "success": outcome.succeeded}


def _skill_default(given: Case) -> Case:
    learned = {"code": given["skill"]} if given["skill"] else {}
    actor = Person(
        id="x",
        name="Vex",
        game=GAME.name,
        skills=(
            Skill(name="Dexterity", ask={"code": given["attribute"]}),
            Skill(name="Blaster", ask={"attribute": "Dexterity", "advanced": given["advanced"], **learned}),
        ),
    )
    try:
        answers = fill_answers(CHARACTERS, actor, skill="Blaster").answers
    except BadAsk:
        return {"allowed": False, "code": None}
    return {"allowed": True, "code": pool(answers)}


def _slots(side: list[Case], *, is_player: bool) -> list[Waiting]:
    codes = [(one, Code.of(one["perception"])) for one in side]
    return [
        Waiting(name=one["name"], rank=(code.dice, code.pips, one["actions"]), is_player=is_player)
        for one, code in codes
    ]


def _initiative(given: Case) -> Case:
    order = GAME.turn_order
    assert isinstance(order, rolls.SideOrder)
    if "totals" in given:
        (one, first), (other, second) = given["totals"].items()
        slots = [Waiting(name=one, rank=(3, 0, 1, first), is_player=True), Waiting(name=other, rank=(3, 0, 1, second))]
        return {"chooses_order": names_of(order, slots)[0]}
    names = list(given["sides"])
    slots = [
        Waiting(name=name, rank=(code.dice, code.pips, 1), is_player=name == names[0])
        for name in names
        for code in map(Code.of, given["sides"][name]["perceptions"])
    ]
    rollers = {name: str(order.thrown_for(slots, is_player=name == names[0])) for name in names}
    assert all(code in order.title(slots) for code in rollers.values())
    return {"rollers": rollers}


def _turn_order(given: Case) -> Case:
    slots = _slots(given["second_side"], is_player=False) + _slots(given["first_side"], is_player=True)
    most = max(slot.rank[2] for slot in slots)
    segments = [names_of(GAME.turn_order, slots, segment=n, players_first=True) for n in range(most + 1)]
    assert segments[most] == []
    return {"order": [name for names in segments for name in names]}


def _multi_action(given: Case) -> Case:
    code = Code.of(pool({"code": given["code"], **_without(given, "code")}))
    return {"penalty_dice": Code.of(given["code"]).dice - code.dice, "code": str(code)}


def _without(given: Case, *names: str) -> Case:
    return {name: value for name, value in given.items() if name not in names}


def _combined_action(given: Case) -> Case:
    told: Case = {}
    if "command" in given:
        told["max_commanded"] = rolls.most_commanded(Code.of(given["command"]))
        told["command_code"] = pool({"code": given["command"], "actions": 2 if given.get("also_works") else 1})
    if "combining" in given:
        missed = 0 if given.get("command_success", True) else given["missed_by"]
        bonus = rolls.command_bonus(given["combining"], missed_by=missed)
        thrown = Code.of(pool({"code": "1D", "bonus": str(bonus)}))
        told["bonus"] = str(Code(dice=thrown.dice - ONE.dice, pips=thrown.pips))
    return told


def _character_points(given: Case) -> Case:
    ask = {
        "code": "1D",
        "pips": given["base_total"] - 2,
        "character_points": len(given["points"]),
        "use": "specialization",
    }
    throws: list[list[Die]] = [[wild(2)]]
    chains = [list(chain) for chain in given["points"]]
    while chains:
        throws.append(pips(*(chain[0] for chain in chains)))
        chains = [chain[1:] for chain in chains if chain[0] == 6]
    net = dict(GAME.play(throws, ask).net)
    return {"total": net["total"], "complication": "complication" in net}


def _point_limit(given: Case) -> Case:
    ask = {"code": "1D", "use": given["use"]}
    spent = 0
    while GAME.spends(scored(ask | {"character_points": 0}, 5), ask | {"character_points": spent}):
        spent += 1
    return {"max_points": spent}


def _rush(given: Case) -> Case:
    return {"code": pool({"code": given["code"], "rushed": True}), "time": given["normal_time"] / 2}


def _force_point(given: Case) -> Case:
    """A point is spent on the call; a second is refused, and with the round it is over."""
    answers = CHARACTERS.flip({"code": given["code"]}, "light")
    assert answers is not None
    try:
        CHARACTERS.flip(answers, "light")
    except BadAsk:
        most = 1
    return {"code": pool(answers), "rounds": 1, "max_points": most}


def _range(given: Case) -> Case:
    (step,) = [step for step in scored({"range": given["range"]}, 30).steps if step.rule == "difficulty_scale"]
    task = str(step.text).removeprefix("Difficulty ").partition(",")[0].replace(" ", "_")
    return {"task": task} | _band(task)


def _more_difficult(name: str, chosen: str) -> Case:
    try:
        outcome = scored({"difficulty": 10, name: chosen}, 30)
    except BadAsk:
        return {"direct_hit_possible": False, "add_roll_to_difficulty": None}
    assert outcome.awaits.by_gm
    return {"direct_hit_possible": True, "add_roll_to_difficulty": str(Code(dice=outcome.awaits.count))}


def _scale(given: Case) -> Case:
    def more(role: str, own: str, other: str) -> int:
        return Code.of(pool({"code": "1D", "role": role, "scale": own, "other_scale": other})).dice - 1

    one, other = given["attacker"], given["target"]
    return {
        "attack_bonus_dice": more("attack", one, other),
        "resist_bonus_dice": more("resist", other, one),
        "dodge_bonus_dice": more("dodge", other, one),
        "damage_bonus_dice": more("damage", one, other),
    }


def _hurt(total: int, against: int, **ask: Any) -> tuple[Outcome, Person]:
    """Return what damage does, and a healthy person after it."""
    outcome = scored({"purpose": "damage", "against": against, **ask}, total)
    one = person()
    for effect in outcome.effects[:1]:
        one = CHARACTERS.apply_effect(one, effect)
    return outcome, one


def _damage(given: Case) -> Case:
    if "margin_min" in given:
        most = given["margin_min"] + 40 if given["margin_max"] is None else given["margin_max"]
        (state,) = {state_of(_hurt(10 + n, 10)[1]) for n in (given["margin_min"], most)}
        return {"result": state}
    outcome, after = _hurt(given["damage_total"], given["strength_total"])
    margin = given["damage_total"] - given["strength_total"]
    return {"margin": margin, "result": state_of(after) if outcome.effects else "no_effect"}


def _stun_weapon(given: Case) -> Case:
    outcome, after = _hurt(given["damage_total"], given["strength_total"], purpose="stun_damage")
    if not after.value("unconscious"):
        return {"result": state_of(after) if outcome.effects else "no_effect", "minutes_roll": None}
    return {"result": "unconscious", "minutes_roll": _minutes(after)}


def _minutes(after: Person) -> str | None:
    """Return the throw that follows for somebody who is out."""
    follows = followups(CHARACTERS, after, before=person())
    wanted = next((GAME.tray(one.ask) for one in follows if one.ask), None)
    return None if wanted is None else str(Code(dice=wanted.count))


def _melee(given: Case) -> Case:
    unequal = given["armed"] and given["opponent_unarmed"] and not given["opponent_natural_weapons"]

    def more(role: str) -> int:
        return Code.of(pool({"code": "2D", "role": role, "against_unarmed": unequal})).pips

    return {"defence_modifier": more("dodge"), "attack_modifier": more("attack")}


def _wound_track(given: Case) -> Case:
    one = person(wounds=STATES.index(given["state"]))
    return {
        "state": state_of(CHARACTERS.apply_effect(one, Effect(tracker="wounds", set=STATES.index(given["new_result"]))))
    }


def _wound_penalty(given: Case) -> Case:
    one = person(wounds=STATES.index(given["state"]))
    answers = fill_answers(CHARACTERS, one, ask={"code": "6D"}).answers
    return {"penalty_dice": 6 - Code.of(pool(answers)).dice}


def _stun_count(given: Case) -> Case:
    strength = Skill(name="Strength", ask={"code": given["strength"]})
    before = person(stuns=given["stuns_affecting"] - 1)
    one = Person.from_json({**before.to_json(), "skills": [strength.to_json()]})
    after = CHARACTERS.apply_effect(one, Effect(tracker="stuns", change=1))
    follows = followups(CHARACTERS, after, before=one)
    wanted = GAME.tray(follows[0].ask or {}) if follows else None
    return {"unconscious": bool(follows), "minutes_roll": wanted and str(Code(dice=wanted.count))}


def _dying(given: Case) -> Case:
    outcome = GAME.play((pips(*given["faces"]),), {"purpose": "dying", "rounds": given["rounds"]})
    return {"total": dict(outcome.net)["total"], "dies": outcome.succeeded is False}


def _stabilize(_: Case) -> Case:
    outcome = scored({"purpose": "first_aid"}, 11)
    assert scored({"purpose": "first_aid"}, 10).effects == ()
    band = next(name for name, band in rolls.BANDS.items() if band.least == outcome.difficulty)
    return {"difficulty": band, "then": outcome.effects[0].words.partition(": ")[2]}


def _hit_location(given: Case) -> Case:
    def place(*faces: int) -> str:
        headline = GAME.play((pips(*faces),), {"purpose": "hit_location"}).headline
        return headline.partition(": ")[2].replace(" ", "_")

    if "faces" in given:
        return {"total": sum(given["faces"]), "location": place(*given["faces"])}
    sums = range(given["roll_min"], given["roll_max"] + 1)
    return {"location": "/".join(sorted({place(max(n - 6, 1), n - max(n - 6, 1)) for n in sums}))}


def _limb_kill(given: Case) -> Case:
    assert given["result"] == "killed"
    outcome, after = _hurt(30, 10, location=given["location"])
    return {"state": state_of(after), "limb_destroyed": "destroyed" in outcome.headline}


def _natural_healing(given: Case) -> Case:
    one = person(wounds=STATES.index(given["state"]))
    answers = fill_answers(CHARACTERS, one, ask={"code": "3D", "purpose": "healing"}).answers
    outcome = GAME.play(([*pips(3, 4), wild(2)],), answers)
    hurt = person(wounds=STATES.index(given["state"]))
    ends = {one.words.partition(":")[0]: state_of(CHARACTERS.apply_effect(hurt, one)) for one in outcome.effects}
    rest = next((step.text for step in outcome.steps if "days of rest" in step.text), "")
    better = ends.get("Better")
    return {
        "rest_days": int(rest.split()[1]) if rest else None,
        "roll": "strength",
        "may_improve_to": None if better == "healthy" else better,
        "may_worsen_to": ends.get("Worse"),
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
    "character_points": _character_points,
    "character_point_limit": _point_limit,
    "force_point": _force_point,
    "prepare": lambda c: {"code": pool({"code": c["code"], "prepared": True})},
    "rush": _rush,
    "ranged_difficulty": _range,
    "melee_modifier": _melee,
    "reaction": lambda c: {
        "difficulty": scored(
            {"difficulty": c["base_difficulty"], "reaction_total": c["reaction_total"]}, 30
        ).difficulty,
        "rest_of_round": True,
    },
    "called_shot": lambda c: _more_difficult("called_shot", c["target_size"]),
    "obscurity": lambda c: _more_difficult("obscurity", c["condition"]),
    "cover": lambda c: _more_difficult("cover", c["cover"]),
    "scale_modifier": lambda c: {"modifier_dice": combat.SCALES[c["scale"]]},
    "scale": _scale,
    "damage": _damage,
    "stun_weapon": _stun_weapon,
    "wound_track": _wound_track,
    "wound_penalty": _wound_penalty,
    "stun_count": _stun_count,
    "unconscious_time": lambda c: {"minutes_roll": _minutes(person(wounds=STATES.index(c["state"])))},
    "mortal_check": _dying,
    "stabilize": _stabilize,
    "hit_location": _hit_location,
    "limb_kill": _limb_kill,
    "natural_healing": _natural_healing,
}
