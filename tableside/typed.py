"""Values of a type, built from what was sent or kept, and what a type is like, whichever threads ask first."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

_T = TypeVar("_T")
_alone = threading.Lock()
_known: set[Any] = set()


def built(form: Any, kind: type[_T]) -> _T:
    """Return the value of this type that a form of plain values describes.

    :raises msgspec.ValidationError: where it describes none.
    """
    look_at(kind)
    return msgspec.convert(form, kind)


def decoded(text: bytes | str, kind: type[_T]) -> _T:
    """Return the value of this type that a text in JSON describes.

    :raises msgspec.DecodeError: where it describes none. :raises UnicodeDecodeError: where it is no UTF-8.
    """
    look_at(kind)
    return msgspec.json.decode(text, type=kind)


@cache
def type_info(kind: Any) -> inspect.Type:
    """Return what a type is like."""
    look_at(kind)
    return inspect.type_info(kind)


def look_at(kind: Any) -> None:
    """Have msgspec look at a type and all that it holds, before anything of msgspec uses it.

    Two threads that have msgspec 0.22 do so for the first time at once end the process.
    """
    if kind not in _known:
        with _alone:
            msgspec.json.Decoder(kind)
        _known.add(kind)
