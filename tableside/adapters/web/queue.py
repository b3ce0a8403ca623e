"""The queue of answers that cost much: one is worked out at a time, so that the table's writer finds its turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import request

from tableside.adapters.web import guard
from tableside.adapters.web.pairing import Role
from tableside.errors import Busy

_View = TypeVar("_View", bound=Callable[..., Any])
_MOST_STRANGERS = 16
"""So many who are not paired wait at most: who takes part never waits behind more."""


class Queue:
    """A queue for one kind of answers.

    :ivar strangers: how many who are not paired are in it.
    """

    def __init__(self, most_strangers: int = _MOST_STRANGERS) -> None:
        self._turn = threading.Lock()
        self._count = threading.Lock()
        self._most = most_strangers
        self.strangers = 0

    def one_at_a_time(self, view: _View) -> _View:
        """Return the view, which waits for its turn.

        :raises Busy: where too many strangers wait; a paired device and the table's own screen always may.
        """

        @wraps(view)
        def in_turn(*parts: Any, **named: Any) -> Any:
            is_stranger = guard.caller().role is Role.VIEWER
            with self._count:
                if is_stranger and self.strangers >= self._most:
                    hint = "Ask again in a moment, or pair this device."
                    raise Busy("too many ask for this at once", where=request.path, hint=hint)
                self.strangers += is_stranger
            try:
                with self._turn:
                    return view(*parts, **named)
            finally:
                with self._count:
                    self.strangers -= is_stranger

        return in_turn  # type: ignore[return-value]
