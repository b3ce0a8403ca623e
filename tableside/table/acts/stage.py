"""What a roll still wants before anything else goes on: an answer, dice, somebody to be hurt, a further throw."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from tableside.errors import GameError
from tableside.rules.characters import resisting_skill, skills_for
from tableside.rules.people import ROLLER, Effect, Follow
from tableside.table.acts.answers import answers_of
from tableside.table.kept import Call, Roll, TableState
from tableside.table.system import System

_BY_WHO_BROUGHT_IT = ("percentile", "critical")
"""Purposes of a call that whoever brought an injury throws, not whom it is about."""


class Stage(StrEnum):
    """How far a roll is. A call waits for all but the last."""

    DOUBT = "doubt"
    WRONG = "wrong"
    MORE = "more"
    APPLY = "apply"
    STEP = "step"
    DONE = ""


class OpenEffect(NamedTuple):
    """An effect that nobody has got yet: its place in the roll, and the id of whom it concerns, if known."""

    place: int
    effect: Effect
    to: str


class Further(NamedTuple):
    """A throw that a roll calls for: the key of its words with their values, whose it is, and the body of its call."""

    key: str
    values: Mapping[str, Any]
    whose: str
    body: Mapping[str, Any]

    def is_called(self, call: Call) -> bool:
        """Tell whether a call is the one for it."""
        wanted = (self.body.get("who", ""), self.body.get("weapon", ""), self.body.get("damage", False))
        is_same = wanted == (call.who, call.weapon, call.is_damage) and self.body.get("skill", "") == call.skill
        return bool(call.id) and is_same and self.body.get("ask", {}).items() <= {**call.given}.items()


def stage_of(state: TableState, roll: Roll, system: System) -> Stage:
    """Return how far a roll is."""
    if asks(roll, system):
        return Stage.DOUBT
    if roll.short:
        return Stage.WRONG
    if roll.awaits is not None or roll.choices:
        return Stage.MORE
    if open_effects(state, roll, system):
        return Stage.APPLY
    return Stage.STEP if steps_of(state, roll, system) else Stage.DONE


def asks(roll: Roll, system: System) -> bool:
    """Tell whether a roll has a question that its result hangs on."""
    if roll.suspects or roll.sure:
        return bool(roll.suspects)
    answers = answers_of(roll, system)
    return len(answers) < 2 or any(one.matters for one in answers)


def concerned(roll: Roll, effect: Effect, system: System) -> str:
    """Return the id of whom an effect of a roll concerns, of a crew's maybe the ship; ``""`` where none is told."""
    if effect.on != ROLLER:
        return roll.against
    is_ship = bool(roll.aboard) and system.find_game(roll.game).characters.is_of_thing(effect)
    return roll.aboard if is_ship else roll.who


def open_effects(state: TableState, roll: Roll, system: System) -> list[OpenEffect]:
    """Return what a roll does to somebody and nobody has got yet. What names nobody is open in a fight alone."""
    done = {one.effect for one in roll.applied}
    has_chosen = any(n < len(roll.effects) and roll.effects[n].is_either for n in done)
    return [
        OpenEffect(index, effect, to)
        for index, effect in enumerate(roll.effects)
        if index not in done
        and not (effect.is_either and has_chosen)
        and effect.on != "table"
        and ((to := concerned(roll, effect, system)) or state.initiative.slots)
    ]


def steps_of(state: TableState, roll: Roll, system: System) -> list[Further]:
    """Return the throws that a whole roll calls for, the likeliest first: to resist, for damage, for what it bought."""
    bought = [one.follow for one in roll.bought if one.follow and one.follow.ask is not None]
    return [*_damage_throws(state, roll, system), *(follow_call(state, roll, one, roll.against) for one in bought)]


def follow_call(state: TableState, roll: Roll, follow: Follow, whom: str) -> Further:
    """Return the throw that a limit or a purchase calls for. Where the group has one table of that kind, it is for it.

    :param whom: the id of whom it is about.
    """
    person, ask = state.person(whom), dict(follow.ask or {})
    label = ": ".join([follow.words, *([person.name] if person else [])])
    body: dict[str, Any] = {"game": roll.game, "ask": ask, "label": label}
    if ask.get("purpose") not in _BY_WHO_BROUGHT_IT:
        return Further("follow", {"what": follow.words}, whom, body | {"player": person.name if person else roll.by})
    tables = [one.name for one in state.tables if one.dice == "d100"]
    body |= (
        {"player": roll.by} | ({"against": whom} if whom else {}) | ({"table": tables[0]} if len(tables) == 1 else {})
    )
    return Further("follow", {"what": follow.words}, roll.who, body)


def _damage_throws(state: TableState, roll: Roll, system: System) -> list[Further]:
    """Return, after a hit, what the target resists with, and the damage; then the damage against that throw."""
    try:
        characters = system.find_game(roll.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return []
    resisting = (*skills_for(characters, "resists"), *skills_for(characters, "ship_resists"))
    older = state.rolls[state.rolls.index(roll) + 1 :]
    before = older[0] if older else None
    is_after = roll.label in resisting and before is not None and before.against == roll.who and _is_hit(before)
    shot = roll if _is_hit(roll) else before if is_after else None
    shooter = state.person(shot.who) if shot else None
    armed = (state.person(shot.aboard) or shooter) if shot else None
    weapon = next((one for one in armed.weapons if one.name == shot.weapon), None) if armed and shot else None
    if (
        shot is None
        or shooter is None
        or weapon is None
        or not weapon.damage
        or not characters.form.filled_by("damage")
    ):
        return []
    body = {"who": shooter.id, "weapon": weapon.name, "damage": True, "label": weapon.name}
    body |= {"aboard": shot.aboard} if shot.aboard else {}
    damage = Further(
        "roll_damage", {"weapon": weapon.name}, shooter.id,
        body | {"against": {"last_total": roll.id} if is_after else shot.against},
    )  # fmt: skip
    target = state.person(shot.against)
    skill = resisting_skill(characters, target) if target and not is_after else ""
    if target is None or not skill or target.find_skill(skill) is None:
        return [damage]
    return [
        Further("resist", {"who": target.id, "skill": skill}, target.id, {"who": target.id, "skill": skill}),
        damage,
    ]


def _is_hit(roll: Roll) -> bool:
    return bool(roll.weapon and roll.succeeded)
