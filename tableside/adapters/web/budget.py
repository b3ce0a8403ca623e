"""What each sender may take of the server: streams, connections, bodies, time of the processor, guesses.

Who sends is known from the head of a request. A stranger is an address of IPv4, or a network of IPv6 that one household
has; what strangers take together leaves the table's own screen, game masters and paired phones their share.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

REFUSED = "tableside.refused"
"""What the server puts beside a request that is refused for its head: the error."""
_STRANGERS_AT_WORK = 2
"""Requests of strangers that are worked out at the same time."""
_WORK_SECONDS = 60.0
"""So long it is remembered how much of the processor somebody took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who sends, as far as it matters for what is left to the others.

    :ivar role: what it is to the table, for which places are kept; ``None`` for a stranger.
    :ivar key: what one limit counts together: a paired device or an address; ``""`` for no such limit, as this machine.
    """

    role: str | None = None
    key: str = ""


class Places:
    """A number of places of one kind.

    :param most: of all. :param each: of one sender. :param kept: so many of all are for these roles alone.
    """

    def __init__(self, most: int, *, each: int, kept: Mapping[str, int]) -> None:
        self._most, self._each, self._kept = most, each, kept
        self._taken: list[Sender] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._taken)

    def take(self, sender: Sender) -> bool:
        """Take a place, and tell whether there was one."""
        with self._lock:
            taken = Counter(one.role for one in self._taken)
            others = sum(max(0, kept - taken[role]) for role, kept in self._kept.items() if role is not sender.role)
            has_room = self._most - len(self._taken) > others and not self.has_all(sender)
            if has_room:
                self._taken.append(sender)
            return has_room

    def leave(self, sender: Sender) -> None:
        """Give a place back."""
        with self._lock:
            self._taken.remove(sender)

    def has_all(self, sender: Sender) -> bool:
        """Tell whether a sender has as many as one may have."""
        return bool(sender.key) and sum(one.key == sender.key for one in self._taken) >= self._each


class Used:
    """How much each sender has used lately.

    :param seconds: so long after the first use all of it is forgotten.
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._of: dict[str, tuple[float, float]] = {}

    def add(self, key: str, amount: float) -> None:
        now = self._clock()
        self._of = {one: used for one, used in self._of.items() if now - used[0] < self._seconds}
        began, before = self._of.get(key, (now, 0.0))
        self._of[key] = began, before + amount

    def of(self, key: str) -> float:
        began, amount = self._of.get(key, (0.0, 0.0))
        return amount if self._clock() - began < self._seconds else 0.0

    def clear(self, key: str) -> None:
        self._of.pop(key, None)


class Turns:
    """Whose request is worked out next: who takes part never waits, and few strangers are worked for at a time.

    Of those who wait it is the turn of the one whose answers took the least time of the processor lately.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_work = Places(_STRANGERS_AT_WORK, each=1, kept={})
        self._waiting: dict[asyncio.Future[None], Sender] = {}
        self._used = Used(_WORK_SECONDS, clock=clock)

    def ask(self, sender: Sender) -> asyncio.Future[None]:
        """Return what is done once it is this sender's turn; who cancels it has left."""
        turn = asyncio.get_running_loop().create_future()
        if sender.role is not None:
            turn.set_result(None)
        else:
            self._waiting[turn] = sender
            self._begin()
        return turn

    def give_back(self, sender: Sender, seconds: float) -> None:
        """End a turn that took so many seconds of the processor."""
        if sender.role is None:
            self._used.add(sender.key, seconds)
            self._at_work.leave(sender)
            self._begin()

    def _begin(self) -> None:
        self._waiting = {turn: one for turn, one in self._waiting.items() if not turn.done()}
        for turn, sender in sorted(self._waiting.items(), key=lambda one: self._used.of(one[1].key)):
            if self._at_work.take(sender):
                turn.set_result(None)
                del self._waiting[turn]
