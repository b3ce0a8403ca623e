"""The queue of answers that cost much: one is worked out at a time, so that the table's writer finds its turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

_View = TypeVar("_View", bound=Callable[..., Any])


def one_at_a_time(turn: threading.Lock) -> Callable[[_View], _View]:
    """Return what makes a view wait for its turn."""

    def waiting(view: _View) -> _View:
        @wraps(view)
        def in_turn(*parts: Any, **named: Any) -> Any:
            with turn:
                return view(*parts, **named)

        return in_turn  # type: ignore[return-value]

    return waiting
