"""Random asks of any form, and dice as words."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tableside.dice import Die, find_sets
from tableside.rules import Game
from tableside.rules.form import Field, Kind

SETS = {dice_set.name: dice_set for dice_set in find_sets([])}


def answers(field: Field) -> st.SearchStrategy[Any]:
    """Return right answers to a field, small enough to be worked out in a test."""
    numbers = st.integers(field.least, min(field.most, field.least + 12))
    names = [name for name, _ in field.choices]
    match field.kind:
        case Kind.FLAG:
            return st.booleans()
        case Kind.CHOICE:
            return st.sampled_from(names)
        case Kind.CHOICES:
            return st.lists(st.sampled_from(names), max_size=3)
        case Kind.CODE:
            return st.builds("{}D{:+d}".format, st.integers(0, 8), st.integers(-3, 5))
        case Kind.POOL:
            return st.dictionaries(st.sampled_from(names), st.integers(0, 3), max_size=3)
        case Kind.FACES:
            return st.lists(numbers, max_size=3)
    return numbers | st.integers(field.least, field.most) if field.most < 100 else numbers


def asks(game: Game) -> st.SearchStrategy[dict[str, Any]]:
    """Return asks in which a few fields are filled in."""
    return st.lists(st.sampled_from(game.form.fields), max_size=5, unique_by=lambda field: field.name).flatmap(
        lambda fields: st.fixed_dictionaries({field.name: answers(field) for field in fields})
    )


def any_dice(game: Game, *, most: int = 8) -> st.SearchStrategy[list[Die]]:
    """Return dice of one of the sets that the game is played with."""
    return st.sampled_from([SETS[name] for name in game.dice_sets]).flatmap(
        lambda one: st.lists(
            st.sampled_from([Die(type=kind.name, face=face) for kind in one.types for face in kind.distinct_faces]),
            max_size=most,
        )
    )


def symbols(text: str) -> list[Die]:
    """Return dice from words such as ``"ability:success,advantage difficulty:"``."""
    found = []
    for word in text.split():
        name, _, shown = word.partition(":")
        face = SETS["narrative"].type(name).check_face(filter(None, shown.split(",")))
        found.append(Die(type=name, face=face))
    return found


def pips(*values: int) -> list[Die]:
    """Return six-sided dice."""
    return [Die(type="pip", face=(str(value),)) for value in values]


def wild(value: int) -> Die:
    """Return a Wild Die."""
    return Die(type="wild", face=(str(value),))
