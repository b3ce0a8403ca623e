"""Where the table keeps its log: the port, a working fake in memory, and the form of a change as text."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from msgspec.structs import replace

from tableside.errors import GameError, StoreError
from tableside.rules import find_game
from tableside.rules.characters import Characters, read_older
from tableside.rules.people import Person
from tableside.table.kept.state import Change, Part


class Store(Protocol):
    """An append-only log of changes. Any thread may read it; one writes."""

    def changes(self) -> Iterator[Change]:
        """Yield every change, oldest first."""
        ...

    def page(self, *, before: int, limit: int) -> list[Change]:
        """Return the newest changes with lower numbers than ``before``, newest first."""
        ...

    def since(self, number: int, *, limit: int) -> list[Change]:
        """Return the oldest changes with higher numbers than ``number``, oldest first."""
        ...

    def of_roll(self, roll_id: str) -> list[Change]:
        """Return every change of a roll, oldest first."""
        ...

    def append(self, changes: Sequence[Change]) -> None:
        """Put these changes on disk, all or none, before returning.

        :raises StoreError: where they are not there.
        """
        ...

    def has(self, change_id: str) -> bool:
        """Tell whether a change of this id was ever put here."""
        ...

    def reserved(self) -> int:
        """Return the highest revision that may have been shown."""
        ...

    def reserve(self, revision: int) -> None:
        """Put on disk that revisions up to this one may be shown."""
        ...

    def close(self) -> None:
        """Give everything back. Closing twice is no error."""
        ...


class MemoryStore:
    """A store that lasts as long as its object: give it to a new table for a restart.

    :ivar is_full: set it, and every write fails as it does on a full disk.
    """

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self.is_full = False
        self._changes: list[Change] = list(changes)
        self._reserved = 0

    def changes(self) -> Iterator[Change]:
        yield from tuple(self._changes)

    def page(self, *, before: int, limit: int) -> list[Change]:
        return [change for change in reversed(self._changes) if change.number < before][:limit]

    def since(self, number: int, *, limit: int) -> list[Change]:
        return [change for change in self._changes if change.number > number][:limit]

    def of_roll(self, roll_id: str) -> list[Change]:
        return [one for one in self._changes if roll_id in {**one.before.rolls_by_id, **one.after.rolls_by_id}]

    def append(self, changes: Sequence[Change]) -> None:
        self._check()
        ids = {change.id for change in self._changes}
        if any(change.id in ids for change in changes):
            raise StoreError("a change of that id is there already", where="memory", hint="Report this as a bug.")
        self._changes.extend(changes)

    def has(self, change_id: str) -> bool:
        return any(change.id == change_id for change in self._changes)

    def reserved(self) -> int:
        return self._reserved

    def reserve(self, revision: int) -> None:
        self._check()
        self._reserved = max(self._reserved, revision)

    def close(self) -> None:
        pass

    def _check(self) -> None:
        if self.is_full:
            raise StoreError("no space left", where="memory", hint="Set is_full to False.")


def change_to_text(change: Change) -> str:
    """Return the change as one line of JSON."""
    return json.dumps(change.to_json(), ensure_ascii=False, separators=(",", ":"))


def checksum(text: bytes) -> int:
    """Return the CRC-32 of a change's text in UTF-8: it tells every flipped bit, which JSON does not."""
    return zlib.crc32(text)


def _with_people_of_now(part: Part) -> Part:
    """Return a part whose people have as what lasts what their game counted in an older version, or counts no more."""
    now: dict[str, Person | None] = {}
    for key, one in (part.people or {}).items():
        with suppress(GameError):  # an old log may tell of a game that is no longer installed
            now[key] = one and _as_counted(one, find_game(one.game).characters)
    return replace(part, people={**part.people, **now}) if part.people else part


def _as_counted(person: Person, characters: Characters) -> Person:
    counted = {one.name for one in characters.trackers}
    person = read_older(characters, person)
    trackers = {name: gauge for name, gauge in person.trackers.items() if name in counted}
    return replace(person, trackers=trackers)


def change_from_text(text: str) -> Change:
    """Return the change. What an older log did not know of has its default.

    :raises ValueError: where the text is not one.
    """
    try:
        change = Change.from_json(json.loads(text))
        return replace(change, before=_with_people_of_now(change.before), after=_with_people_of_now(change.after))
    except (ArithmeticError, RecursionError) as error:
        raise ValueError(f"not a change: {error!r}") from error
