"""Bodies: of requests, JSON objects with known keys, each checked by its type, and of answers, the forms of records."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from flask import Request, Response, jsonify
from msgspec import inspect

from tableside import typed
from tableside.errors import BadChange, TablesideError, did_you_mean
from tableside.record import Record
from tableside.table.messages import Line, Signed

_Kind = TypeVar("_Kind", bound=msgspec.Struct)
_PLACE = re.compile(r"(?:at|in) `\$\.?([^`]*)`$")
_STEP = re.compile(r"\[[^\]]*\]|[^.\[]+")
_NAMED = re.compile(r"field `([^`]*)`")
_UNPRINTABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters, other separators of lines, and what turns the direction of letters or has no width."""
_MOST_SHOWN = 200  # letters of what was sent


class NoBody(msgspec.Struct, frozen=True, kw_only=True):
    """An empty object."""


class ReadBody(msgspec.Struct, frozen=True, kw_only=True):
    """Read the tray once more; the id is that of an act, which may be sent twice."""

    id: str = ""


class PressBody(msgspec.Struct, frozen=True, kw_only=True):
    """Press or release a drawn button."""

    pressed: bool


class SeenBody(msgspec.Struct, frozen=True, kw_only=True):
    """Show a trouble no more, which somebody has seen.

    :ivar trouble: its id.
    """

    trouble: Line


class SeenTrouble(Record, frozen=True, kw_only=True):
    """The id of a trouble that somebody has seen."""

    seen: str


class Health(Record, frozen=True, kw_only=True):
    """Whether all works, and if not, why."""

    ok: bool
    reasons: tuple[str, ...]


def told(value: Record | Iterable[Record]) -> Response:
    """Return the answer that tells one record or several."""
    return jsonify(value.to_json() if isinstance(value, Record) else [one.to_json() for one in value])


def message_of(request: Request, kind: type[_Kind], **given: Any) -> _Kind:
    """Return the request as a message of this kind, of now.

    :param given: fields that the address holds.
    :raises BadChange: where the body is wrong.
    """
    found = _object_of(request, kind, without={*getattr(kind, "inner", ()), *given})
    if issubclass(kind, Signed):
        found["id"] = _id_of(found.get("id"), request.path)
    return _build(kind, {**found, **given, "at": time.time()}, request.path)


def body_of(request: Request, kind: type[_Kind]) -> _Kind:
    """Return the request's body.

    :raises BadChange: where it is wrong.
    """
    return _build(kind, _object_of(request, kind, without=frozenset()), request.path)


def _object_of(request: Request, kind: type[_Kind], *, without: Any) -> dict[str, Any]:
    """Return the body as an object of known keys that has all it must have."""
    sent, where = request.get_data(), request.path
    try:  # it takes neither half a character nor a number that is none, as RFC 8259 has it
        found = msgspec.json.decode(sent) if sent else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # RecursionError: brackets by the thousand
        found = None
    if not isinstance(found, dict):
        raise BadChange("the body is not a JSON object", where=where, hint="Send an object in braces.")
    known = {field.encode_name: field for field in fields_of(kind) if field.name not in without}
    for key in found:
        if key not in known or not key.isprintable():
            raise BadChange(
                f"unknown key {key[:40]!r}", where=where, hint=did_you_mean(key[:40], known) or "Send an empty object."
            )
    needed = sorted(key for key, field in known.items() if field.required and key != "id")
    for key in needed:
        if key not in found:
            raise BadChange(f"{key} is missing", where=where, hint=f"Send {', '.join(needed)}.")
    return dict(_without_null(found, known))


def _build(kind: type[_Kind], found: Mapping[str, Any], where: str) -> _Kind:
    try:
        built = typed.built(found, kind)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, BadChange):  # the message's own check
            raise BadChange(error.__cause__.what, where=where, hint=error.__cause__.hint) from error
        if isinstance(error.__cause__, TablesideError):
            raise error.__cause__ from error
        what, hint = _words(kind, found, str(error))
        raise BadChange(what, where=where, hint=hint) from error
    for path, extra in _unprintable(found, typed.type_info(kind), ""):
        what, hint = extra.get("fault", "is no line of text"), extra.get("hint", "Send one line of text.")
        raise BadChange(f"{path} {what}", where=where, hint=hint)
    return built


def _unprintable(value: Any, kind: inspect.Type, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield where a text cannot be shown in one line, however deep, with what its type says."""
    if isinstance(value, str):
        extra = _extra(kind)
        if _UNPRINTABLE.search(value) or ("\n" in value and "has_lines" not in extra):
            yield path, extra
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _unprintable(one, _inside(kind, "[]"), f"{path}[{number}]")
    elif isinstance(value, dict):
        for key, one in value.items():
            if _UNPRINTABLE.search(key) or "\n" in key:
                yield path or "the body", {}
            inner = _inside(kind, key)
            yield from _unprintable(
                one, inner if inner is not kind else _inside(kind, "[...]"), f"{path}.{key}"[not path :]
            )


def _words(kind: type[_Kind], found: Mapping[str, Any], error: str) -> tuple[str, str]:
    """Return what is wrong, as the type of the innermost field around it says it, and what to send."""
    place = _PLACE.search(error)
    path = place[1] if place else ""
    inner = typed.type_info(kind)
    extra: Mapping[str, Any] = {}
    value: Any = found
    for step in _STEP.findall(path):
        inner = _inside(inner, step)
        if isinstance(value, list) and step[1:-1].isdecimal():
            value = value[int(step[1:-1])]
        else:  # the path does not say which key of an object it is
            value = value.get(step) if isinstance(value, dict) else None
        extra = _extra(inner) or (extra if step.startswith("[") else {})
        if "each" in extra and step.startswith("["):
            what, hint = extra["each"]
            return f"{value!r}"[:_MOST_SHOWN] + f" {what}", hint
    key = path.replace("[...]", "") or "the body"
    known = {field.encode_name for one in _plain(inner) if isinstance(one, inspect.StructType) for field in one.fields}
    names = _NAMED.search(error)
    if names and known:
        name = names[1][:40]
        if "unknown" in error:
            return f"unknown key {name!r} in {key}", did_you_mean(name, known)
        return f"{name} is missing in {key}", "See /api/openapi.json."
    if "fault" in extra:
        return f"{key} {extra['fault']}", extra["hint"]
    choices = _choices(inner)
    if choices:
        return f"{key} is {str(value)[:40]!r}", f"Send one of {', '.join(choices)}."
    if any(isinstance(one, inspect.BoolType) for one in _plain(inner)):
        return f"{key} is neither true nor false", "Send true or false."
    return f"{key} is not what belongs there", "See /api/openapi.json."


def _inside(kind: inspect.Type, step: str) -> inspect.Type:
    """Return the type of a field, or of what a list or an object holds."""
    for one in _plain(kind):
        if isinstance(one, inspect.StructType) and not step.startswith("["):
            return next((field.type for field in one.fields if field.encode_name == step), kind)
        if isinstance(one, inspect.DictType) and step == "[...]":
            return one.value_type
        if isinstance(one, inspect.VarTupleType | inspect.ListType) and step.startswith("["):
            return one.item_type
    return kind


def fields_of(kind: Any) -> tuple[inspect.Field, ...]:
    """Return the fields of a class of messages with their types."""
    inspected = typed.type_info(kind)
    assert isinstance(inspected, inspect.StructType)
    return inspected.fields


def _plain(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(kind, inspect.Metadata):
        return _plain(kind.type)
    if isinstance(kind, inspect.UnionType):
        return tuple(one for part in kind.types for one in _plain(part))
    return (kind,)


def _extra(kind: inspect.Type) -> Mapping[str, Any]:
    parts = [kind]
    while parts:
        part = parts.pop()
        if isinstance(part, inspect.Metadata):
            if part.extra:
                return part.extra
            parts.append(part.type)
        elif isinstance(part, inspect.UnionType):
            parts += part.types
    return {}


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
        types = {type(one) for one in _plain(known[key].type)} if value is None and key != "id" else set()
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
