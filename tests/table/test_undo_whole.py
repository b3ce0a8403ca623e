"""Whatever was done, an undo gives back what was, and a redo what is: evenings drawn at random in every game."""

from __future__ import annotations

import random
import uuid
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from tableside.dice import Face
from tableside.errors import TableError, TablesideError
from tableside.games import d6_companion, d6_wild, heroic, narrative
from tableside.rules import Game
from tableside.table import Side, Table, TableState
from tableside.table.kept import LOST
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    CorrectDie,
    Do,
    DoAct,
    DoPerson,
    EndSession,
    EnterRoll,
    EnterThrow,
    Redo,
    ShownDie,
    StartSession,
    TakeRoll,
    Turn,
    Undo,
)
from tableside.table.shown import outcome_json, spends_of, state_json
from tests.conftest import SYSTEM
from tests.table.test_rounds import BRAND, KESH, OSKARA, ROOK

GAMES: list[tuple[Game, dict[str, Any], list[dict[str, Any]]]] = [
    (d6_wild.GAME, KESH, [{"difficulty": 11}, {"actions": 2}, {"force_point": True}, {"character_points": 1}, {}]),
    (d6_companion.GAME, ROOK, [{"difficulty": 9}, {"actions": 3}, {"force_point": True}, {}]),
    (heroic.GAME, BRAND, [{"difficulty": "hard"}, {"boosts": [2]}, {}]),
    (narrative.GAME, OSKARA, [{"difficulty": "average"}, {"setback": 1}, {"boost": 2}, {}]),
]
_FACES: dict[str, tuple[Face, ...]] = {kind.name: kind.faces for one in SYSTEM.sets for kind in one.types}
_KEPT = ("people", "rolls", "destiny", "asked", "contest", "initiative", "trackers", "session", "setup", "agenda")


def facts(state: TableState) -> dict[str, Any]:
    """Return what an undo has to give back; a shared tracker at nothing is as one that nobody moved."""
    moved = {key: value for key, value in state.trackers.items() if value}
    rolls = tuple(replace(roll, version=0) for roll in state.rolls)  # a version is never used twice
    kept = {name: getattr(state, name) for name in _KEPT}
    return kept | {"trackers": moved, "rolls": rolls}


def shown(rnd: random.Random, pool: dict[str, int]) -> tuple[ShownDie, ...]:
    return tuple(ShownDie(type=kind, face=rnd.choice(_FACES[kind])) for kind, n in pool.items() for _ in range(n))


def next_step(rnd: random.Random, state: TableState, game: Game, asks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the class of a message and its fields."""
    who, other = (one.id for one in rnd.sample(state.people, 2))
    roll = rnd.choice(state.rolls[:3]) if state.rolls else None
    person = state.person(who)
    pool = dict(state.asked.tray.dice) if state.asked.tray else {}
    waits = roll and roll.awaits
    steps: list[dict[str, Any]] = [
        {"kind": ChangeDestiny, "do": Do.SPEND, "side": rnd.choice(list(Side))},
        {"kind": ChangeInitiative, "do": Turn.CALL, "who": rnd.choice(["all", "players", "others", (who, other)])},
        {"kind": ChangeInitiative, "do": Turn.ADD, "who": person.name, "rank": (rnd.randrange(5),)},
        {"kind": ChangeInitiative, "do": rnd.choice([Turn.NEXT, Turn.NEXT, Turn.DELAY, Turn.CLEAR])},
        {"kind": DoAct, "act": rnd.choice(game.characters.acts).name, "who": rnd.choice(["", who])},
        {"kind": CallRoll, "who": who, "skill": person.skills[0].name, "ask": rnd.choice(asks), "against": other},
        {"kind": CallRoll, "who": who, "skill": person.skills[0].name, "others": (other,)},
        {"kind": ChangePerson, "do": DoPerson.CHANGE, "person": {"id": who, "name": rnd.choice(["Cai", "Dee"])}},
        {"kind": rnd.choice([EndSession, StartSession])},
    ]
    for weapon in person.weapons:
        hit = {"weapon": weapon.name, "against": other, "is_damage": bool(weapon.damage) and rnd.random() < 0.4}
        steps.append({"kind": CallRoll, "who": who, **hit})
    steps += [{"kind": CallRoll, "who": who, "skill": one.name} for one in person.skills]
    if pool:
        steps += 6 * [{"kind": EnterRoll, "dice": shown(rnd, pool), "uses_ask": True}]
    if roll:
        die = rnd.randrange(len(roll.dice)) if roll.dice else 0
        kind = roll.dice[die].type if roll.dice else "pip"
        face = rnd.choice(_FACES[kind])
        steps.append({"kind": CorrectDie, "roll_id": roll.id, "index": die, "type": kind, "face": face})
        steps.append({"kind": TakeRoll, "roll_id": roll.id})
        spends = [one.name for one in spends_of(state, roll, SYSTEM) if one.affordable]
        steps += [{"kind": BuySpend, "roll_id": roll.id, "name": name} for name in rnd.sample(spends, len(spends))[:3]]
        effects = outcome_json(state, roll, SYSTEM)["effects"]
        steps += (
            3 * [{"kind": ApplyEffect, "roll_id": roll.id, "effect": 0, "to": rnd.choice([who, other])}] * len(effects)
        )
    if waits:
        steps += 6 * [{"kind": EnterThrow, "roll_id": roll.id, "dice": shown(rnd, dict(waits.dice))}]
    return rnd.choice(steps)


@pytest.mark.parametrize(("game", "form", "asks"), GAMES, ids=lambda one: one.name if isinstance(one, Game) else "")
@pytest.mark.parametrize("seed", [7, 1311])
def test_an_undo_gives_back_what_was_and_a_redo_what_is(
    table: Table, game: Game, form: dict[str, Any], asks: list[dict[str, Any]], seed: int
) -> None:
    rnd = random.Random(seed)

    def tell(kind: type[Any], **more: Any) -> TableState:
        at = float(table.state.last_number)
        return table.ask(kind(id=str(uuid.UUID(int=rnd.getrandbits(128))), at=at, **more))

    tell(ChooseGame, game=game.name)
    for name, of in (("Ann", "player"), ("Ben", "player"), ("Thug", "person"), ("Gang", "group")):
        more = {"members": 3} if of == "group" else {}
        tell(ChangePerson, do=DoPerson.ADD, person={**form, "name": name, "kind": of, "game": game.name, **more})
    done, refused = 0, 0
    while done < 60 and refused < 600:
        before = table.state
        step = next_step(rnd, before, game, asks)
        try:
            after = tell(**step)
        except TablesideError as error:
            if type(error) is TableError:
                raise AssertionError(f"{step} broke the table") from error
            refused += 1
            assert facts(table.state) == facts(before)
            continue
        if after.last_number == before.last_number:
            continue
        done += 1
        state_json(after, now=1.0)
        assert facts(tell(Undo, change=after.last_number)) == facts(before), step
        assert facts(tell(Redo)) == facts(after), step
    state = table.state
    for change in [one for one in islice(state.standing_changes(), 20) if not one.undoes]:  # also what others built on
        try:
            tell(Undo, change=change.number)
        except TablesideError:
            assert facts(table.state) == facts(state)
        else:
            assert facts(tell(Redo)) == facts(state), change.sentence
    assert (done, all(change.kind != LOST for change in table.state.changes)) == (60, True)
