"""Acts without dice: what somebody does, or what passes with time, and what it does to trackers. Declared as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from tableside.errors import GameError, did_you_mean
from tableside.record import Record, Worded
from tableside.rules.form import Form, Forms, ShownField
from tableside.rules.people import Barred, Follow, Lasting, Person, PersonKind


@cache
def _form_of(asks: type[Form]) -> Forms[Any]:
    return Forms(asks)


class ShownAct(Record, frozen=True, kw_only=True, rename={"is_for_all": "for_all", "is_with_skill": "with_skill"}):
    """An act as pages get it."""

    name: str
    title: str
    form: tuple[ShownField, ...]
    kinds: tuple[PersonKind, ...]
    is_for_all: bool
    is_with_skill: bool
    help: str
    source: str


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
    :ivar prepares: what lasts on who does it from then on; nobody has it twice, nor acts besides in a round before it.
    :ivar sets: the values that trackers get.
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
    prepares: Lasting | None = None
    sets: tuple[tuple[str, int], ...] = ()
    passes: Passes = ""
    help: str = ""
    source: str = ""

    @property
    def form(self) -> Forms[Any]:
        return _form_of(self.asks)

    @property
    def shown(self) -> ShownAct:
        """What a page needs to offer it."""
        return ShownAct(
            name=self.name, title=self.title, form=tuple(one.shown for one in self.form), kinds=self.kinds,
            is_for_all=self.is_for_all, is_with_skill=self.is_with_skill, help=self.help, source=self.source,
        )  # fmt: skip


NEW_ROUND = Act(
    name="round",
    title="A round passes",
    is_for_all=True,
    resets=("turn", "round"),
    help="In a fight it passes by itself with the last turn.",
)
ENCOUNTER = Act(
    name="encounter",
    title="The encounter ends",
    is_for_all=True,
    resets=("scene", "turn", "round"),
    help="And with it its fight, and what lasts for a scene.",
)
"""In every game something lasts for a round, and something for a scene."""


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
