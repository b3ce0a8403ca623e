"""What a table keeps beside its rolls: session, players, what is asked, trackers and the order of initiative."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.record import Record, Worded
from tableside.rules import PoolNames, Throw
from tableside.rules.code import Code
from tableside.rules.people import Follow
from tableside.rules.turns import TurnOrder


class Session(Record, frozen=True, kw_only=True):
    """One evening of play. The first begins by itself, with number 0."""

    number: int = 0
    title: str = ""
    at: float = 0.0


class Player(Record, frozen=True, kw_only=True):
    """Somebody at the table, known by the name that rolls and trackers carry.

    :ivar device: what this one joined with, and may change the name with.
    """

    optional = ("device",)

    id: str
    name: str
    device: str = ""


class Seen(StrEnum):
    """Who sees the exact odds before the roll."""

    ALL = "all"
    GM = "gm"
    NOBODY = "nobody"


class Ask(Record, frozen=True, kw_only=True, rename={"is_hidden": "hidden", "is_damage": "damage"}):
    """What the next roll is for. An ask without an id is none.

    :ivar answers: the answers to the game's form; ``given`` are those of them that were sent.
    :ivar player: who rolls. :ivar label: what for. :ivar by: the name of who called it.
    :ivar is_hidden: the roll is for the game master's eyes alone.
    :ivar tray: which dice to throw, where the answers tell.
    :ivar who: the id of the person whose call it is; ``skill`` and ``weapon`` are names of what that one uses.
    :ivar is_damage: the damage of the weapon is rolled, not the attack.
    :ivar against: the id of the person it is made against. :ivar against_skill: what that one resists with, where it
        was named. :ivar last_total: the id of the roll that it has to beat.
    :ivar table: the name of the group's own table that the total is looked up in.
    :ivar carried: ids of what was carried to this call and lies in its answers.
    :ivar targets: ids of all whom it is made against, where ``against`` is the hardest of several.
    :ivar contest: the id of the call of several that this is one of. :ivar helpers: ids of who help.
    :ivar led_by: the id of the roll that leads them.
    """

    optional = (
        "given", "by", "who", "skill", "weapon", "against", "last_total", "table", "carried", "contest", "helpers",
        "targets", "against_skill", "is_damage", "led_by",
    )  # fmt: skip

    id: str = ""
    at: float = 0.0
    game: str = ""
    answers: Mapping[str, Any] = {}
    given: Mapping[str, Any] = {}
    player: str = ""
    label: str = ""
    by: str = ""
    is_hidden: bool = False
    odds_for: Seen = Seen.GM
    tray: Throw | None = None
    who: str = ""
    skill: str = ""
    weapon: str = ""
    against: str = ""
    last_total: str = ""
    table: str = ""
    carried: tuple[str, ...] = ()
    contest: str = ""
    helpers: tuple[str, ...] = ()

    @property
    def again(self) -> dict[str, Any]:
        """What calls the same once more, in the form of ``POST /api/ask``."""
        whose = {"who": self.who} if self.who else {"game": self.game, "player": self.player}
        against = {"last_total": self.last_total} if self.last_total else self.against
        used = {
            "targets": list(self.targets),
            "against_skill": self.against_skill,
            "damage": self.is_damage,
            "table": self.table,
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

    targets: tuple[str, ...] = ()
    against_skill: str = ""
    is_damage: bool = False
    led_by: str = ""


NO_ASK = Ask()


class Entrant(Record, frozen=True, kw_only=True):
    """One of several who roll under one call.

    :ivar who: the id of the person, ``""`` for a player without a character. :ivar name: of the person or the player.
    :ivar skill: what this one uses, where it is another skill than the call's.
    """

    optional = ("skill",)

    who: str = ""
    name: str
    skill: str = ""


class Contest(Record, frozen=True, kw_only=True, rename={"is_hidden": "hidden"}):
    """A call of several, each of whom rolls in turn. One without an id is none.

    Who has rolled, and in which order they end, is told by the rolls.

    :ivar entrants: those who are named, in the order in which they are called.
    :ivar label: what for. The other fields are those of each one's :class:`Ask`.
    """

    id: str = ""
    game: str = ""
    label: str = ""
    skill: str = ""
    entrants: tuple[Entrant, ...] = ()
    given: Mapping[str, Any] = {}
    against: str = ""
    against_skill: str = ""
    last_total: str = ""
    table: str = ""
    added: int = 0
    is_hidden: bool = False
    odds_for: Seen = Seen.GM


NO_CONTEST = Contest()


class Carried(Worded, frozen=True, kw_only=True):
    """Something that was bought and lies in a later call.

    :ivar to: the id of the person it is for, or ``""`` for whoever is called next.
    :ivar source: the roll that bought it. :ivar giver: the name of who did. :ivar ask: answers that it adds.
    """

    id: str
    to: str = ""
    source: str = ""
    giver: str = ""
    ask: Mapping[str, Any] = {}


class Bought(Worded, frozen=True, kw_only=True, rename={"by_person": "by"}):
    """Something that a roll bought; ``words`` say what.

    :ivar of: what it was paid with, and ``count`` how many. :ivar to: the id of the person that it is for.
    :ivar follow: the throw that it calls for.
    """

    optional = ("to", "follow")

    id: str
    name: str
    of: str
    count: int
    by_person: str = ""
    to: str = ""
    follow: Follow | None = None


class Applied(Worded, frozen=True, kw_only=True):
    """An effect of a roll that was applied; ``words`` say what.

    :ivar effect: its place among the roll's effects, from 0. :ivar to: the id of the person.
    :ivar follows: what the person's trackers then called for.
    """

    effect: int
    to: str
    follows: tuple[Follow, ...] = ()


class TableRow(Record, frozen=True, kw_only=True, rename={"least": "from", "most": "to"}):
    """A row of a table of the group's own: what a total from ``least`` to ``most`` means."""

    least: int
    most: int
    words: str


def _shown_by(dice: str) -> tuple[int, int]:
    """Return the least and the largest number that a table's dice show, ``d100`` or a code."""
    sided = re.fullmatch(r"[dw](\d+)", dice.strip(), re.IGNORECASE)
    if sided:
        return 1, int(sided[1])
    try:
        code = Code.of(dice)
    except GameError:
        return 1, 1
    return code.dice + code.pips, 6 * code.dice + code.pips


class OwnTable(Record, frozen=True, kw_only=True, rename={"is_opening": "opens"}):
    """A table of the group's own, such as critical injuries.

    :ivar dice: what is thrown for it, such as ``"d100"``, ``"d10"``, ``"1D"`` or ``"2D"``.
    :ivar is_opening: it is thrown for where a session begins, such as obligation or duty.
    """

    optional = ("is_opening",)

    name: str
    dice: str = "d100"
    rows: tuple[TableRow, ...] = ()
    is_opening: bool = False

    def words(self, total: int) -> str:
        """Return what a total means, ``""`` for nothing.

        Beyond what the dice show, the row at that end counts, if the rows reach as far as the dice. Where they do not,
        as for an obligation of 45 in a hundred, the rest of the dice means nothing.
        """
        if not self.rows:
            return ""
        ordered = sorted(self.rows, key=lambda row: row.least)
        (lowest, highest), first, last = _shown_by(self.dice), ordered[0].least, ordered[-1].most
        if last >= highest:
            total = min(total, last)
        if first <= lowest:
            total = max(total, first)
        return next((row.words for row in ordered if row.least <= total <= row.most), "")


class Setup(Record, frozen=True, kw_only=True):
    """What is played, and how this table names things.

    :ivar game: the chosen game, or ``""`` to go by the settings or the dice.
    :ivar names: the table's own names of its pool, where it has any.
    :ivar settings: for each game the answers that stay from roll to roll.
    :ivar looks: for each type that differs from others by colour alone, as a person showed it: its colour and that of
        the others, as ``#rrggbb``.
    """

    optional = ("looks",)

    game: str = ""
    names: PoolNames | None = None
    settings: Mapping[str, Mapping[str, Any]] = {}
    looks: Mapping[str, tuple[str, str]] = {}

    def answers(self, game: str) -> dict[str, Any]:
        return dict(self.settings.get(game, {}))


class Tracked(Record, frozen=True, kw_only=True):
    """The value of one tracker.

    :ivar owner: whose it is, or ``""`` where the table shares it.
    """

    game: str
    name: str
    owner: str = ""
    value: int

    @property
    def key(self) -> tuple[str, str, str]:
        return self.game, self.name, self.owner


class Slot(Worded, frozen=True, kw_only=True, rename={"is_done": "done"}):
    """A place in the order of initiative, which anybody of its side may claim.

    :ivar rank: the numbers by which the game orders it; a roll gives them, or a person.
    :ivar roll: the id of the roll that gave it.
    """

    id: str
    side: Literal["player", "npc"]
    rank: tuple[int, ...] = ()
    who: str = ""
    is_done: bool = False
    roll: str = ""

    @property
    def is_player(self) -> bool:
        return self.side == "player"


class Initiative(Record, frozen=True, kw_only=True):
    """The order of a fight: slots from first to last, and the round.

    :ivar game: the game that orders it, whatever is played in between.
    :ivar segment: of the round, from 0, and ``title`` what is done in it.
    :ivar players_first: which side acts first, where sides choose and one has.
    """

    texts = ("title",)

    slots: tuple[Slot, ...] = ()
    round: int = 0
    game: str = ""
    segment: int = 0
    title: str = ""
    players_first: bool | None = None

    @property
    def current(self) -> Slot | None:
        """The first slot that has not acted yet."""
        return next((slot for slot in self.slots if not slot.is_done), None)

    def find(self, slot_id: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.id == slot_id), None)

    def claimed(self, slot: Slot) -> Initiative:
        """Return the order with this slot in place of the one of its id."""
        return replace(self, slots=tuple(slot if old.id == slot.id else old for old in self.slots))

    def with_slot(self, slot: Slot, order: TurnOrder) -> Initiative:
        """Return the order with this slot added."""
        return replace(self, slots=(*self.slots, slot), round=max(self.round, 1)).sorted(order)

    def without(self, slot_id: str) -> Initiative:
        return replace(self, slots=tuple(slot for slot in self.slots if slot.id != slot_id))

    def sorted(self, order: TurnOrder) -> Initiative:
        """Return the order as the game wants it in this segment; who has no turn in it comes last, and is done."""
        acting = order.turns(self.slots, segment=self.segment, players_first=self.players_first)
        ids = {slot.id for slot in acting}
        others = (replace(slot, is_done=True) for slot in self.slots if slot.id not in ids)
        title = order.title(self.slots, segment=self.segment, players_first=self.players_first)
        return replace(self, slots=(*acting, *others), title=title)

    def are_level(self, one: Slot, other: Slot, order: TurnOrder) -> bool:
        """Tell whether the rules leave two slots level, so that people choose which is first."""
        pairs = (one, other), (other, one)
        return all(order.turns(p, segment=self.segment, players_first=self.players_first) == p for p in pairs)

    def moved(self, slot: Slot, before: Slot | None, order: TurnOrder) -> Initiative | None:
        """Return the order with a slot before another one, or last; ``None`` where it would pass one not level."""
        if slot is before:
            return self
        slots = [one for one in self.slots if one.id != slot.id]
        slots.insert(len(slots) if before is None else slots.index(before), slot)
        old, new = self.slots.index(slot), slots.index(slot)
        passed = self.slots[min(old, new) : max(old, new) + 1]
        is_right = all(self.are_level(slot, one, order) for one in passed if one.id != slot.id)
        return replace(self, slots=tuple(slots)) if is_right else None

    def delayed(self) -> Initiative:
        """Return the order with the current slot after the one that acts next; the same where nobody acts after it."""
        current = self.current
        later = next((slot for slot in self.slots if not slot.is_done and slot is not current), None)
        if current is None or later is None:
            return self
        slots = [slot for slot in self.slots if slot is not current]
        slots.insert(slots.index(later) + 1, current)
        return replace(self, slots=tuple(slots))

    def next(self, order: TurnOrder) -> Initiative:
        """Return the order after the current slot has acted; then the next segment begins, or a new round."""
        current = self.current
        after = self.claimed(replace(current, is_done=True)) if current else self
        if after.current is not None:
            return after
        ready = tuple(replace(slot, is_done=False) for slot in after.slots)
        if order.turns(ready, segment=self.segment + 1, players_first=self.players_first):
            return replace(after, slots=ready, segment=self.segment + 1).sorted(order)
        if order.is_by_side:
            ready = tuple(replace(slot, who="") for slot in ready)
        return replace(after, slots=ready, segment=0, round=after.round + 1).sorted(order)

    def to_json(self) -> dict[str, Any]:
        return Record.to_json(self) | {"current": self.current.id if self.current else None}
