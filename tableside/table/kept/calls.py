"""A call: what the next roll is for, of one or of several."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar

from tableside.record import Record
from tableside.rules import Throw
from tableside.rules.characters import Joining


class Seen(StrEnum):
    """Who sees the exact odds before the roll."""

    ALL = "all"
    GM = "gm"
    NOBODY = "nobody"


class CallFor(Record, frozen=True, kw_only=True, rename={"is_hidden": "hidden", "is_damage": "damage"}):
    """What a call is for, as it is sent, kept and priced, whoever rolls.

    :ivar game: ``""`` is the person's, else the table's. :ivar label: what for.
    :ivar skill: the name of what is used, and ``weapon`` of a weapon.
    :ivar aboard: the id of the thing whose weapon or skill it is, where one of its crew rolls.
    :ivar is_damage: the damage of the weapon is rolled, not the attack.
    :ivar given: the answers to the game's form that were sent.
    :ivar against: the id of the person it is made against. :ivar last_total: the id of the roll that it has to beat.
    :ivar against_skill: what the other side resists with, where it was named.
    :ivar targets: ids of all whom it is made against, where ``against`` is the hardest of several.
    :ivar table: the name of the group's own table that the total is looked up in. :ivar added: to the total of a throw
        for that table alone.
    :ivar ticked: the keys of what was ticked, as it does not join by itself.
    :ivar helpers: ids of who help. :ivar led_by: the id of the roll that leads them.
    :ivar is_hidden: the roll is for the game master's eyes alone. :ivar odds_for: who sees the odds before it.
    """

    optional: ClassVar[tuple[str, ...]] = (
        "given", "skill", "weapon", "against", "last_total", "table", "added", "helpers", "targets", "against_skill",
        "is_damage", "led_by", "ticked", "aboard",
    )  # fmt: skip

    game: str = ""
    label: str = ""
    skill: str = ""
    weapon: str = ""
    aboard: str = ""
    is_damage: bool = False
    given: Mapping[str, Any] = {}
    against: str = ""
    last_total: str = ""
    against_skill: str = ""
    targets: tuple[str, ...] = ()
    table: str = ""
    added: int = 0
    ticked: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    led_by: str = ""
    is_hidden: bool = False
    odds_for: Seen = Seen.GM

    @property
    def fields(self) -> dict[str, Any]:
        """What a call for the same holds, by the names of its fields."""
        return {name: getattr(self, name) for name in CallFor.__struct_fields__}


class Call(CallFor, frozen=True, kw_only=True, rename={"is_hidden": "hidden", "is_damage": "damage"}):
    """The call of one, filled from its people. One without an id is none.

    :ivar answers: the answers to the game's form.
    :ivar player: who rolls. :ivar by: the name of who called it. :ivar who: the id of the person whose call it is.
    :ivar tray: which dice to throw, where the answers tell.
    :ivar carried: ids of what was carried to this call and lies in its answers.
    :ivar contest: the id of the call of several that this is one of.
    :ivar held: answers that were declared for the round before, so that this call does not pay for them.
    :ivar joins: what joins it, or may be ticked.
    """

    optional: ClassVar[tuple[str, ...]] = (*CallFor.optional, "by", "who", "carried", "contest", "held", "joins")

    id: str = ""
    at: float = 0.0
    answers: Mapping[str, Any] = {}
    player: str = ""
    by: str = ""
    tray: Throw | None = None
    who: str = ""
    carried: tuple[str, ...] = ()
    contest: str = ""
    held: Mapping[str, Any] = {}
    joins: tuple[Joining, ...] = ()

    @property
    def again(self) -> dict[str, Any]:
        """What calls the same once more, in the form of ``POST /api/ask``."""
        whose = {"who": self.who} if self.who else {"game": self.game, "player": self.player}
        against = {"last_total": self.last_total} if self.last_total else self.against
        used = {
            "aboard": self.aboard,
            "targets": list(self.targets),
            "against_skill": self.against_skill,
            "damage": self.is_damage,
            "table": self.table,
            "ticked": list(self.ticked),
            "helpers": list(self.helpers),
            "led_by": self.led_by,
            "hidden": self.is_hidden,
        }
        return {
            **whose,
            "skill": self.skill,
            "weapon": self.weapon,
            "against": "" if self.targets else against,
            **{name: value for name, value in used.items() if value},
            "ask": dict(self.given),
            "label": self.label,
        }

    @property
    def declared(self) -> dict[str, Any]:
        """The answers that this call declares, and pays for."""
        return {name: value for name, value in self.answers.items() if self.held.get(name) != value}


NO_CALL = Call()


class Entrant(Record, frozen=True, kw_only=True):
    """One of several who roll under one call.

    :ivar who: the id of the person, ``""`` for a player without a character. :ivar name: of the person or the player.
    :ivar skill: what this one uses, where it is another skill than the call's.
    :ivar given: answers of this one's own, beside the call's.
    """

    optional = ("skill", "given")

    who: str = ""
    name: str
    skill: str = ""
    given: Mapping[str, Any] = {}


class Contest(CallFor, frozen=True, kw_only=True, rename={"is_hidden": "hidden", "is_damage": "damage"}):
    """A call of several, each of whom rolls in turn. One without an id is none.

    Who has rolled, and in which order they end, is told by the rolls.

    :ivar entrants: those who are named, in the order in which they are called.
    :ivar is_initiative: each roll is that one's slot in the order of a fight.
    :ivar overrules: also who is out may roll.
    """

    optional: ClassVar[tuple[str, ...]] = (*CallFor.optional, "is_initiative", "overrules")

    id: str = ""
    entrants: tuple[Entrant, ...] = ()
    is_initiative: bool = False
    overrules: bool = False

    def call_of(self, one: Entrant) -> str:
        """Return the id of the call of one of several, which is the same whenever this one is called."""
        return f"{self.id}-{one.who or one.name}"


NO_CONTEST = Contest()


class Called(Record, frozen=True, kw_only=True):
    """Who is called, now or later.

    :ivar id: of the call. :ivar who: the id of the person, ``""`` for a player without a character.
    :ivar contest: the id of the call of several that it is one of.
    """

    id: str
    who: str
    name: str
    label: str
    contest: str
