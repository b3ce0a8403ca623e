"""Requests' bodies: JSON objects with known keys, each checked by the type that a message gives its field."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec
from flask import Request
from msgspec import inspect

from tableside.errors import BadChange, TablesideError, did_you_mean
from tableside.table.messages import Line, Signed

_Kind = TypeVar("_Kind", bound=msgspec.Struct)
_PLACE = re.compile(r" - at `\$\.?([^`]*)`$")
_MOST_SHOWN = 200  # letters of what was sent


class NoBody(msgspec.Struct, frozen=True, kw_only=True):
    """An empty object."""


class PressBody(msgspec.Struct, frozen=True, kw_only=True):
    """Press or release a drawn button."""

    pressed: bool


def message_of(request: Request, kind: type[_Kind], **given: Any) -> _Kind:
    """Return the request as a message of this kind, of now.

    :param given: fields that the address holds.
    :raises BadChange: where the body is wrong.
    """
    found = _object_of(request, kind, without={*getattr(kind, "inner", ()), *given})
    if issubclass(kind, Signed):
        found["id"] = _id_of(found.get("id"), request.path)
    return _built(kind, {**found, **given, "at": time.time()}, request.path)


def body_of(request: Request, kind: type[_Kind]) -> _Kind:
    """Return the request's body.

    :raises BadChange: where it is wrong.
    """
    return _built(kind, _object_of(request, kind, without=frozenset()), request.path)


def _object_of(request: Request, kind: type[_Kind], *, without: Any) -> dict[str, Any]:
    """Return the body as an object of known keys that has all it must have."""
    try:
        found = request.get_json(force=True, silent=True)
    except RecursionError:  # brackets within brackets by the thousand
        found = None
    if found is None and not request.get_data():
        found = {}
    where = request.path
    if not isinstance(found, dict):
        raise BadChange("the body is not a JSON object", where=where, hint="Send an object in braces.")
    known = {field.encode_name: field for field in fields_of(kind) if field.name not in without}
    for key in found:
        if key not in known or not key.isprintable():
            raise BadChange(f"unknown key {key[:40]!r}", where=where, hint=did_you_mean(key[:40], known))
    needed = sorted(key for key, field in known.items() if field.required and key != "id")
    for key in needed:
        if key not in found:
            raise BadChange(f"{key} is missing", where=where, hint=f"Send {', '.join(needed)}.")
    return dict(_without_null(found, known))


def _built(kind: type[_Kind], found: Mapping[str, Any], where: str) -> _Kind:
    try:
        built = msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, BadChange):  # the message's own check
            raise BadChange(error.__cause__.what, where=where, hint=error.__cause__.hint) from error
        if isinstance(error.__cause__, TablesideError):
            raise error.__cause__ from error
        place = _PLACE.search(str(error))
        what, hint = _words(kind, found, place[1] if place else "")
        raise BadChange(what, where=where, hint=hint) from error
    for field in fields_of(kind):
        value = found.get(field.encode_name)
        if isinstance(value, str) and not value.isprintable() and _extra(field).get("fault") == _LINE["fault"]:
            raise BadChange(f"{field.encode_name} {_LINE['fault']}", where=where, hint=_LINE["hint"])
    return built


def _words(kind: type[_Kind], found: Mapping[str, Any], place: str) -> tuple[str, str]:
    """Return what is wrong at a place such as ``dice[0].face``, as the type of that field says it, and what to send."""
    key = re.split(r"[.\[]", place, maxsplit=1)[0]
    field = next((field for field in fields_of(kind) if field.encode_name == key), None)
    if field is None:
        return "the body is not what belongs here", "See /api/openapi.json."
    value, extra, types = found[key], _extra(field), _types(field.type)
    number = re.match(r"\[(\d+)\]", place[len(key) :])
    if number and "each" in extra:
        what, hint = extra["each"]
        return f"{value[int(number[1])]!r}"[:_MOST_SHOWN] + f" {what}", hint
    if "fault" in extra:
        return f"{key} {extra['fault']}", extra["hint"]
    choices = _choices(field.type)
    if choices:
        return f"{key} is {str(value)[:40]!r}", f"Send one of {', '.join(choices)}."
    if inspect.BoolType in types:
        return f"{key} is neither true nor false", "Send true or false."
    return f"{key} is not what belongs there", "See /api/openapi.json."


@cache
def fields_of(kind: Any) -> tuple[inspect.Field, ...]:
    """Return the fields of a class of messages with their types."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    return told.fields


def _plain(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(kind, inspect.Metadata):
        return _plain(kind.type)
    if isinstance(kind, inspect.UnionType):
        return tuple(one for part in kind.types for one in _plain(part))
    return (kind,)


def _types(kind: inspect.Type) -> set[type[inspect.Type]]:
    return {type(one) for one in _plain(kind)}


def _extra(field: inspect.Field) -> Mapping[str, Any]:
    parts = [field.type]
    while parts:
        part = parts.pop()
        if isinstance(part, inspect.Metadata):
            if part.extra:
                return part.extra
            parts.append(part.type)
        elif isinstance(part, inspect.UnionType):
            parts += part.types
    return {}


_LINE = _extra(inspect.Field("", "", inspect.type_info(Line)))


def _choices(kind: inspect.Type) -> list[str]:
    found: list[str] = []
    for one in _plain(kind):
        if isinstance(one, inspect.EnumType):
            found += [str(choice.value) for choice in one.cls]
        elif isinstance(one, inspect.LiteralType):
            found += [str(choice) for choice in one.values]
    return found


def _without_null(found: Mapping[str, Any], known: Mapping[str, inspect.Field]) -> Iterator[tuple[str, Any]]:
    """Yield the body's keys and values. A ``null`` says nothing: a text is empty then, a number or a flag left out."""
    for key, value in found.items():
        types = _types(known[key].type) if value is None and key != "id" else set()
        if inspect.StrType in types:
            yield key, ""
        elif known[key].required or not {inspect.IntType, inspect.BoolType} & types:
            yield key, value


def _id_of(value: Any, where: str) -> str:
    """Return the id of the change, a new one where none is sent."""
    if value is None:
        return str(uuid.uuid4())
    try:
        return str(uuid.UUID(value))
    except (ValueError, AttributeError, TypeError) as error:
        raise BadChange("id is no UUID", where=where, hint="Send a new UUID with every change.") from error
