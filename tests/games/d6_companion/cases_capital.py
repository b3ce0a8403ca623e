"""The cases of capital ships in D6 with dice codes, played by asks, throws, effects and acts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tableside.errors import BadAsk
from tableside.games.d6_companion import GAME, capital
from tableside.games.d6_companion.rolls import BANDS
from tableside.rules.characters import fill_answers, followups, perform_act
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Person, PersonKind
from tests.rules.asks import pips
from tests.rules.case import Case, Play

CHARACTERS = GAME.characters
DESTROYED = capital.DESTROYED_PIPS


def _ship(codes: Mapping[str, str] | None = None, **trackers: int) -> Person:
    skills = [{"name": name, "ask": {"code": code}} for name, code in (codes or {}).items()]
    found = Person.from_json({"id": "s", "name": "Ship", "game": GAME.name, "kind": "thing", "skills": skills})
    assert found.kind is PersonKind.THING
    found = CHARACTERS.check(found)
    for name, value in trackers.items():
        found = found.with_value(CHARACTERS.tracker(name), value)
    return found


def _pool(ask: Mapping[str, Any]) -> str:
    return GAME.odds(ask).pool


def _scored(ask: Mapping[str, Any], total: int) -> Outcome:
    count = Code.of(_pool({"code": "9D", "difficulty": 0, **ask})).dice
    sure = {"code": "9D", **ask}
    bare = dict(GAME.play((pips(*[1] * count),), sure).net)["total"]
    return GAME.play((pips(*[1] * count),), sure | {"pips": total - bare})


def _hit(pips_of_damage: int, **ask: Any) -> Outcome:
    """Return the outcome of a hit that does so many pips of damage."""
    return _scored({"purpose": "capital_damage", "against": 20, **ask}, 20 * pips_of_damage)


def _after(outcome: Outcome, before: Person | None = None, *, on: str = "target") -> Person:
    before = before or _ship()
    for effect in outcome.effects:
        if effect.on == on:
            before = CHARACTERS.apply_effect(before, effect)
    return before


def _modifier(guns: int) -> str:
    """Return what so many guns add to a code."""
    thrown = Code.of(_pool({"code": "1D", "guns": guns}))
    return str(Code(dice=thrown.dice - 1, pips=thrown.pips))


def _attack(given: Case) -> Case:
    own, others = given.get("own_guns", given.get("guns")), given.get("coordinated_guns", 0)
    hit = {"code": given["crew"], "add": given["fire_control"], "guns": own, "coordinated": others}
    damage = {"code": given["weapon_damage"], "guns": own, "coordinated": others, "purpose": "capital_damage"}
    return {
        "modifier": _modifier(own + others),
        "to_hit_modifier": _modifier(own + others),
        "damage_modifier": _modifier(own),
        "to_hit_code": _pool(hit),
        "damage_code": _pool(damage),
    }


def _damage(given: Case) -> Case:
    total, hull = given.get("damage_total"), given.get("hull_total", 20)
    if "comparison" in given:
        times = re.fullmatch(r"DR>=(?:(\d)x)?HR", given["comparison"])
        total = {"2xDR<HR": 9, "DR<HR": 19}.get(given["comparison"]) or hull * int((times and times[1]) or 1)
    beam = _after(_scored({"purpose": "capital_damage", "against": hull}, total))
    ion = _after(_scored({"purpose": "capital_ion_damage", "against": hull}, total))
    done, shield = beam.value("capital_damage"), beam.value("shield_damage")
    return {
        "damage_pips": done,
        "shield_pips": shield,
        "ion_dice": ion.value("ionized"),
        "beam_or_missile": "1_shield_pip" if shield else "damage" if done else "no_effect",
    }


def _state(given: Case) -> Case:
    """Each pip costs a pip; at 3, 6 and 9 the ship is in another state, which is said when it comes to it."""
    now = given["ship_damage_pips"]
    reached = [n for n in (3, 6, 9) if n <= now]
    before, after = (_ship(capital_damage=n) for n in ((reached or [now])[-1] - bool(reached), now))
    follows = [follow.words for follow in followups(CHARACTERS, after, before=before)]
    if now < DESTROYED:
        left = Code.of(_pool(fill_answers(CHARACTERS, after, ask={"code": "4D"}).answers))
        assert 3 * left.dice + left.pips == 12 - now
    state = follows[0].lower().replace(" ", "_") if follows else None
    return {"state": state, "all_actions_modifier": capital.modifier_words(now)}


def _boxes(given: Case) -> Case:
    """A row is used up when as many pips of damage are on it as boxes are open."""
    ship = _ship({"Fire control": given["code"]})
    hurt = 0
    while not followups(CHARACTERS, ship, before=ship.with_value(CHARACTERS.tracker("fire_control_damage"), hurt - 1)):
        hurt += 1
        ship = ship.with_value(CHARACTERS.tracker("fire_control_damage"), hurt)
    rows = {cells[0]: int(cells[1]) for sheet in GAME.reference if sheet.name == "ship_record" for cells in sheet.rows}
    assert given["row_boxes"] in rows.values()
    return {"open_boxes": hurt, "blacked_boxes": given["row_boxes"] - hurt}


def _left(ship: Person, **ask: Any) -> int:
    """Return the dice of command that are left after orders."""
    return int(perform_act(CHARACTERS, ship, "command", ask).words.partition("D")[0])


def _command(given: Case) -> Case:
    ship = _ship({"Command": given.get("command", "5D"), "Gunnery": "4D"})
    told: Case = {}
    if "extra_haste_orders" in given:
        officers = ["pilot", "gunner", "shields"][: given["officers_commanded"]]
        without = _left(ship, officers=officers)
        told["haste_orders_cost_dice"] = without - _left(
            ship, officers=officers, haste_orders=given["extra_haste_orders"]
        )
    if "officer_commanded" in given:
        officers = ["gunner"] if given["officer_commanded"] else []
        after = perform_act(CHARACTERS, ship, "command", {"officers": officers}).person
        told["officer_actions_penalty_dice"] = (
            4 - Code.of(_pool(fill_answers(CHARACTERS, after, skill="Gunnery").answers)).dice
        )
    if "bonus_actions" in given:
        ask = {"officers": ["gunner"], "bonus_gunner": given["bonus_actions"]}
        after = perform_act(CHARACTERS, ship, "command", ask).person
        told["subordinate_bonus_pips"] = Code.of(_pool(fill_answers(CHARACTERS, after, skill="Gunnery").answers)).pips
        told["command_skill_uses"] = _left(ship, officers=["gunner"]) - _left(ship, **ask)
    return told


def _tactics(given: Case) -> Case:
    outcome = _scored({"purpose": "tactics", "tactic": given["use"]}, 60)
    gained = outcome.sentence.rpartition(": success. ")[2].rstrip(".")
    if given["use"] == "anticipate":
        assert _after(outcome, on="roller").value("free_haste") == 1
    return {"difficulty": _band(outcome), "success": gained[:1].lower() + gained[1:]}


def _band(outcome: Outcome) -> str:
    return next(name for name, ends in BANDS.items() if ends[0] == outcome.difficulty)


def _targeting(given: Case) -> Case:
    vital = given.get("vital_location_levels", 0) + (given["target"] == "vital_location")
    aim = "" if given["target"] == "vital_location" else given["target"]
    ask: dict[str, Any] = {"code": "9D", "vital": vital} | ({"aim": aim} if aim else {})
    thrown = {
        "hit_modifier": Code.of(_pool(ask)).dice - 9,
        "damage_modifier": Code.of(_pool(ask | {"purpose": "capital_damage", "penetrated": True})).dice - 9,
        "target_hull_modifier": Code.of(_pool(ask | {"purpose": "hull"})).dice - 9,
    }
    return {name: f"{count:+d}D" if count else "0D" for name, count in thrown.items()}


def _counter_battery(given: Case) -> Case:
    if "points_on_weapon" in given:
        outcome = _hit(given["points_on_weapon"], aim="weapon_beam", guns=1)
        return {"weapon": _pointed(outcome)}
    outcome = _hit(given["damage_pips"], aim="weapon_beam", guns=given["guns_firing"], weapons=1)
    found = re.search(r"1 with (\d+) points?:", outcome.sentence)
    assert found
    return {"damage_points": int(found[1])}


def _pointed(outcome: Outcome) -> str:
    return outcome.sentence.rpartition(": ")[2].rstrip(".")


def _swarm(given: Case) -> Case:
    if "starfighters" in given:
        return {"modifier": _modifier(given["starfighters"])}
    outcome = _hit(given["points_on_starfighter"], aim="swarm", guns=1)
    return {"starfighter": _pointed(outcome).replace(" ", "_")}


def _ram(given: Case) -> Case:
    ask = {"purpose": "capital_ram", "code": given["hull"], "speed_actions": given["speed_actions"]}
    return {"damage_code": _pool(ask)}


def _shields(given: Case) -> Case:
    if given["use"] == "shut_down_facing":
        outcome = _scored({"purpose": "shut_down_shield"}, 60)
        assert _after(outcome, on="roller").value("facings_lost") == 1
        return {
            "difficulty": _band(outcome),
            "declared_penalty_dice": 9 - Code.of(_pool({"purpose": "shut_down_shield", "code": "9D"})).dice,
        }
    outcome = _scored({"purpose": "increase_shield"}, 60)
    ship = _after(outcome, _ship({"Shields": "4D"}), on="roller")
    assert ship.value("facings_lost") == 1
    try:
        _scored({"purpose": "increase_shield", "facings_lost": 5}, 60)
    except BadAsk:
        refused = True
    assert refused
    rounds, others = 0, 4 - Code.of(_pool(fill_answers(CHARACTERS, ship, skill="Shields").answers)).dice
    while ship.has_state("strained"):
        ship, rounds = perform_act(CHARACTERS, ship, "round", {}).person, rounds + 1
    code = given["facing_shield_code"]
    doubled = Code.of(_pool({"purpose": "shields", "code": "1D", "add": code, "increased": True}))
    return {
        "difficulty": _band(outcome),
        "facing_shield_code": str(Code(dice=doubled.dice - 1, pips=doubled.pips)),
        "rounds": rounds,
        "other_shield_rolls_penalty_dice": others,
    }


def _crew(given: Case) -> Case:
    (sheet,) = [one for one in GAME.reference if one.name == "crews"]
    imperial, rebel = next(
        row[1:] for row in sheet.rows if row[0].lower().replace(" ", "_").replace("-", "_") == given["quality"]
    )
    return {"imperial": _ends(imperial), "rebel": _ends(rebel)}


def _ends(words: str) -> list[str | None]:
    if words.endswith(" and up"):
        return [words.removesuffix(" and up"), None]
    return list(words.split(" to "))


MECHANICS: Mapping[str, Play] = {
    "guns_modifier": lambda c: {"modifier": _modifier(c["guns"])},
    "capital_attack": _attack,
    "capital_damage": _damage,
    "capital_state": _state,
    "ship_boxes": _boxes,
    "command_allocation": _command,
    "starship_tactics": _tactics,
    "targeting": _targeting,
    "counter_battery": _counter_battery,
    "starfighter_swarm": _swarm,
    "capital_ram": _ram,
    "capital_shields": _shields,
    "crew_quality": _crew,
}
