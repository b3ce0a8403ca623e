"""Acts without dice: what somebody does, or what passes with time, and what it does to trackers. Declared as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from tableside.errors import GameError, did_you_mean
from tableside.record import Worded
from tableside.rules.form import Form, Forms
from tableside.rules.people import Barred, Follow, Person, PersonKind


@cache
def _form_of(asks: type[Form]) -> Forms[Any]:
    return Forms(asks)


Passes = Literal["", "round", "turn_end", "turn_begin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that is done without dice.

    :ivar asks: what it asks, as a class of answers.
    :ivar kinds: who can do it; nobody named means everybody.
    :ivar is_for_all: it passes for everybody of the scene at once, such as a round, where nobody is named.
    :ivar is_for_living: the dead are past it.
    :ivar is_deed: somebody does it by themselves, which nobody does who is out.
    :ivar takes: what it takes of a turn; who is barred from that does it not.
    :ivar is_with_skill: it needs the name of a skill.
    :ivar resets: values of ``Tracker.resets``: these trackers go back to their default.
    :ivar passes: when it passes by itself in a fight: with each round, or where somebody's turn ends or begins.
    """

    name: str
    title: str
    asks: type[Form] = Form
    kinds: tuple[PersonKind, ...] = ()
    is_for_all: bool = False
    is_for_living: bool = False
    is_deed: bool = False
    takes: Barred = ""
    is_with_skill: bool = False
    resets: tuple[str, ...] = ()
    passes: Passes = ""
    help: str = ""
    source: str = ""

    @property
    def form(self) -> Forms[Any]:
        return _form_of(self.asks)

    def to_json(self) -> dict[str, Any]:
        """Return what a page needs to offer it."""
        return {
            "name": self.name,
            "title": self.title,
            "form": self.form.to_json(),
            "kinds": [kind.value for kind in self.kinds],
            "for_all": self.is_for_all,
            "with_skill": self.is_with_skill,
            "help": self.help,
            "source": self.source,
        }


ENCOUNTER = Act(
    name="encounter",
    title="The encounter ends",
    is_for_all=True,
    resets=("encounter", "turn", "round"),
    help="And with it its fight, and what lasts for a scene.",
)
"""In every game something lasts for a scene."""


class Done(Worded, frozen=True, kw_only=True):
    """What an act made of somebody; ``words`` say what happened, none where nothing did.

    :ivar follows: what it calls for next.
    """

    person: Person
    follows: tuple[Follow, ...] = ()


def passing(acts: Sequence[Act], when: Passes) -> str:
    """Return the name of the act that passes then, ``""`` where none does."""
    return next((act.name for act in acts if act.passes == when), "")


def find_act(name: str, acts: Sequence[Act]) -> Act:
    """Return the act of this name, or raise :class:`GameError`."""
    for act in acts:
        if act.name == name:
            return act
    hint = did_you_mean(name, [act.name for act in acts]) if acts else "This game has none."
    raise GameError("no act {=name}", name=repr(name), where="act", hint=hint)
