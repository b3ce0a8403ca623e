"""Everything a display may draw, frozen. ``TableState.to_json`` is the body of ``GET /api/state``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any

from tableside.errors import BadChange, did_you_mean, without_folders
from tableside.rules import PoolNames
from tableside.rules.people import Person
from tableside.rules.turns import HIGH_TO_LOW, TurnOrder
from tableside.table.call import Call, may_know_odds
from tableside.table.change import LOST, Change, Part
from tableside.table.destiny_pool import Destiny, Side
from tableside.table.play import NO_ASK, NO_CONTEST, Ask, Carried, Contest, Initiative, OwnTable, Player, Session, Setup
from tableside.table.roll import Original, Roll, RollDie, Source
from tableside.table.standings import Standing, standings_json
from tableside.words import say, told_all

__all__ = [
    "Change",
    "Destiny",
    "Original",
    "Part",
    "Phase",
    "Roll",
    "RollDie",
    "Side",
    "Source",
    "TableState",
    "Trouble",
]

_SHOWN_ROLLS = 30
_BRIEF = ("id", "name", "kind", "game", "trackers", "members", "role", "colour", "emblem")
"""What a list of people shows of somebody."""
"""So many rolls are sent with each state; older ones are asked for."""


class Phase(StrEnum):
    """What the camera sees on the tray; ``by_hand`` where the settings switch it off."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    STILL = "still"
    NO_CAMERA = "no_camera"
    BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that does not work while the table goes on, in the three parts of an error.

    :ivar part: what it concerns, one word such as ``"camera"``; a part has at most one trouble.
    :ivar since: epoch seconds.
    """

    part: str
    what: str
    where: str = ""
    hint: str = ""
    since: float

    def to_json(self, *, sees_folders: bool = False) -> dict[str, Any]:
        """Return its words. Folders of this machine, which name its user, are only for those who look after it."""
        told = {"what": self.what, "where": self.where, "hint": self.hint}
        if not sees_folders:
            told = {key: without_folders(text) for key, text in told.items()}
        return {"part": self.part, **told, "since": self.since, "words": told_all(what=told["what"], hint=told["hint"])}


_USUAL = PoolNames()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """What is happening now.

    :ivar revision: grows with every state shown, also over a restart.
    :ivar rested: the revision with which the tray last came to rest, 0 before it has. A display that skips states
        sees by it that something moved.
    :ivar rolls: newest first, as many as are at hand.
    :ivar changes: the newest changes, oldest first, as many as can be undone.
    :ivar destiny_flips: the game knows points that turn over when they are spent.
    :ivar turn_order: of the game of the fight, or of the table's where nobody fights.
    :ivar trackers: values by game, name and owner; what is not there has its default.
    :ivar is_testing: the lamps are being tested.
    :ivar people: characters and things of the scene. :ivar carried: what was bought for later calls.
    :ivar tables: the group's own. :ivar laid: dice that were laid in the tray for the open call.
    :ivar call: the open call with its dice and chances. :ivar contest: the call of several, and ``standings`` of it.
    :ivar points: of who acts, in a game whose points are each character's own; ``who``, and a number by name.
    """

    revision: int = 0
    phase: Phase = Phase.EMPTY
    rested: int = 0
    destiny: Destiny = field(default_factory=Destiny)
    rolls: tuple[Roll, ...] = ()
    trouble: tuple[Trouble, ...] = ()
    changes: tuple[Change, ...] = ()
    game: str = ""
    game_title: str = ""
    destiny_names: PoolNames = _USUAL
    destiny_flips: bool = True
    turn_order: TurnOrder = HIGH_TO_LOW
    session: Session = field(default_factory=Session)
    players: tuple[Player, ...] = ()
    asked: Ask = NO_ASK
    contest: Contest = NO_CONTEST
    setup: Setup = field(default_factory=Setup)
    trackers: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    initiative: Initiative = field(default_factory=Initiative)
    is_testing: bool = False
    people: tuple[Person, ...] = ()
    carried: tuple[Carried, ...] = ()
    tables: tuple[OwnTable, ...] = ()
    laid: Mapping[str, int] = field(default_factory=dict)
    call: Call | None = None
    standings: tuple[Standing, ...] = ()
    points: Mapping[str, Any] | None = None

    @property
    def roll(self) -> Roll | None:
        """The newest roll."""
        return self.rolls[0] if self.rolls else None

    @property
    def open_roll(self) -> Roll | None:
        """The newest roll that all may see, unless a hidden one came after it."""
        return self.roll if self.roll and not self.roll.is_hidden else None

    @property
    def last_change(self) -> Change | None:
        return self.changes[-1] if self.changes else None

    @property
    def last_number(self) -> int:
        return self.changes[-1].number if self.changes else 0

    def person(self, person_id: str) -> Person | None:
        return next((person for person in self.people if person.id == person_id), None) if person_id else None

    def table(self, name: str) -> OwnTable:
        """Return the group's own table of this name, or raise :class:`BadChange`."""
        for table in self.tables:
            if table.name.casefold() == name.casefold():
                return table
        raise BadChange(
            say("no table {=name}", name=name),
            where="tables",
            hint=did_you_mean(name, [one.name for one in self.tables]),
        )

    def find_roll(self, roll_id: str) -> Roll | None:
        return next((roll for roll in self.rolls if roll.id == roll_id), None)

    def is_taken_back(self, roll_id: str) -> bool:
        """Tell whether a person took this roll back. One that the table has not heard of yet was not."""
        for change in reversed(self.changes):
            roll = change.after.roll or change.before.roll
            if roll is not None and roll.id == roll_id:
                return change.after.roll is None
        return False

    def brought_by(self, roll_id: str) -> int | None:
        """Return the number of the change that brought a roll; whoever takes that back undoes the roll."""
        for change in self.changes:
            if change.after.roll is not None and change.after.roll.id == roll_id and not change.undoes:
                return change.number if change.before.roll is None else None
        return None

    def asked_before(self, roll_id: str) -> Ask | None:
        """Return the call that a roll answered, as long as that change is at hand."""
        for change in self.changes:
            if change.after.roll is not None and change.after.roll.id == roll_id:
                return change.before.asked
        return None

    def standing_changes(self) -> Iterator[Change]:
        """Return the changes that no other took back, newest first; an undo is one of them."""
        gone: set[int] = set()
        for change in reversed(self.changes):
            if change.number not in gone:
                gone.add(change.undoes)
                yield change

    def to_undo(self, *, only_open: bool, only_of: str) -> Change | None:
        """Return the newest change that was not taken back.

        :param only_open: of those that everybody may read. :param only_of: of those of this device, ``""`` for all.
        """
        for change in self.standing_changes():
            is_within = (not only_open or self.may_tell(change)) and only_of in ("", change.device)
            if not change.undoes and change.kind != LOST and is_within:
                return change
        return None

    def may_tell(self, change: Change) -> bool:
        """Tell whether everybody may read this change: it tells of no roll that is hidden, or hidden again."""
        roll = change.after.roll or change.before.roll
        now = self.find_roll(roll.id) if roll else None
        return not change.is_hidden and not (now and now.is_hidden)

    def to_json(
        self, *, now: float, sees_hidden: bool = False, sees_folders: bool = False, undoes_of: str = ""
    ) -> dict[str, Any]:
        """Return the form of the contract. ``history`` is newest first, starts with ``roll`` and is brief.

        :param sees_hidden: for the game master; all others are told that there is a hidden roll, and no more.
        :param sees_folders: where files are is told as well.
        :param undoes_of: for a device that takes back its own changes alone.
        """
        rolls = [roll for roll in self.rolls if sees_hidden or not roll.is_hidden]
        changes = [change for change in self.changes if sees_hidden or self.may_tell(change)]
        is_behind = bool(self.roll and self.roll.is_hidden and not sees_hidden)
        roll = None if is_behind or not rolls else rolls[0]
        asked = self.asked if self.asked.id and (sees_hidden or not self.asked.is_hidden) else None
        last = changes[-1] if changes else None
        undo = self.to_undo(only_open=not sees_hidden, only_of=undoes_of)
        return {
            "revision": self.revision,
            "phase": self.phase.value,
            "rested": self.rested,
            "destiny": self.destiny.to_json(),
            "destiny_names": self.destiny_names.to_json(),
            "destiny_flips": self.destiny_flips,
            "game": self.game,
            "game_title": self.game_title,
            "roll": roll.to_json() if roll else None,
            "hidden": {"at": self.rolls[0].at} if is_behind else None,
            "question": roll.question if roll else None,
            "history": [roll.brief_json() for roll in rolls[:_SHOWN_ROLLS]],
            "trouble": [trouble.to_json(sees_folders=sees_folders) for trouble in self.trouble],
            "session": self.session.to_json(),
            "players": [{"id": player.id, "name": player.name} for player in self.players],
            "asked": asked.to_json() if asked else None,
            "call": self._call_json(sees_hidden=sees_hidden),
            "contest": standings_json(self.contest, self.standings, sees_hidden=sees_hidden),
            "people": [self._brief_person(person) for person in self.people],
            "points": self.points,
            "tables": [{"name": table.name, "dice": table.dice, "opens": table.is_opening} for table in self.tables],
            "setup": self.setup.to_json(),
            "trackers": [
                {"game": game, "name": name, "owner": owner, "value": value}
                for (game, name, owner), value in sorted(self.trackers.items())
            ],
            "initiative": self._initiative_json(),
            "testing": self.is_testing,
            "last_change": None if last is None else change_json(last),
            "undo": None if undo is None else _undo_json(undo),
            "now": now,
        }

    def _call_json(self, *, sees_hidden: bool) -> dict[str, Any] | None:
        if self.call is None or (self.asked.is_hidden and not sees_hidden):
            return None
        return self.call.seen(odds=may_know_odds(self.asked, sees_hidden=sees_hidden)).to_json()

    def _initiative_json(self) -> dict[str, Any]:
        """Return the order; ``level`` are the slots that may change places with the one after them."""
        now, order = self.initiative, self.turn_order
        level = [one.id for one, other in pairwise(now.slots) if now.are_level(one, other, order)]
        return now.to_json() | {
            "numbers": list(order.numbers),
            "sides_choose": order.sides_choose,
            "level": level,
        }

    def _brief_person(self, person: Person) -> dict[str, Any]:
        """Return what a list of people shows of somebody."""
        form = person.to_json()
        shown = {name: form[name] for name in _BRIEF}
        return shown | {"carried": [one.to_json() for one in self.carried if one.to == person.id]}


def _undo_json(change: Change) -> dict[str, Any]:
    """Return what an undo would take back: its kind, whose act it was and when."""
    roll = change.after.roll or change.before.roll
    asked = change.after.asked if change.kind == "ask" else None
    whose = change.by or (roll.by if roll else "") or (asked.player if asked else "")
    told = {"what": change.kind, "whose": whose, "at": change.at, "number": change.number}
    if change.is_grave:
        told |= {"asks": True, "sentence": change.sentence, "words": told_all(sentence=change.sentence)}
    return told


def change_json(change: Change) -> dict[str, Any]:
    """Return what a page says of a change."""
    return {
        "sentence": change.sentence,
        "words": told_all(sentence=change.sentence),
        "by": change.by,
        "at": change.at,
        "number": change.number,
        "id": change.id,
        "kind": change.kind,
        "undoes": change.undoes,
    }
