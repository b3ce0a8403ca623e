"""Settings and dice sets in TOML: how the type of a key is written, from TOML to a value of that type, and back.

A key is a field of a dataclass. Its type says all that is checked: ``bool``, ``str``,
``Literal["auto", "none"]`` for a choice of words, ``Annotated[int, Meta(ge=0, le=9)]`` for a number within limits, and
the types below.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from tableside.errors import did_you_mean

_Above: TypeAlias = Annotated[int, Meta(gt=0)]


def must(be: str, *, may_be_one: bool = False) -> Meta:
    """Return what is said of a value that is wrong: what it must be.

    :param may_be_one: of a list, that its only member may stand without brackets.
    """
    return Meta(extra={"must": be, "may_be_one": may_be_one})


Size: TypeAlias = Annotated[tuple[_Above, _Above], must("[width, height]")]
Names: TypeAlias = Annotated[tuple[str, ...], must("a list of names in quotes")]
Pins: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=27)], ...], must("BCM pin numbers from 0 to 27", may_be_one=True)
]
"""BCM numbers."""
File: TypeAlias = Annotated[Path | None, must("a path in quotes")]


def secret_text() -> Any:
    """Declare a setting that is never printed, be it by ``config``, in an error or in a log."""
    return field(default="", repr=False, metadata={"secret": True})


def path_of(address: str) -> str:
    """Return the path of a web address, ``""`` where it is none."""
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        return ""
    return (parts.path or "/") if is_web else ""


def section_of(
    kind: type[Any],
    raw: Mapping[str, Any],
    *,
    base: Path = Path(),
    without: Collection[str] = (),
    besides: Collection[str] = (),
) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """Return the values of a section by the fields of its dataclass, and all problems: a key, what and what next.

    :param base: what relative paths begin at. :param without: fields that no section holds.
    :param besides: keys that are read apart.
    """
    known = {key.name: key for key in fields(kind) if key.name not in without}
    types = get_type_hints(kind, include_extras=True)
    values: dict[str, Any] = {}
    problems = []
    for name, value in raw.items():
        if name in besides:
            continue
        if name not in known:
            problems.append((name, "unknown setting", did_you_mean(name, {*known, *besides})))
            continue
        try:
            is_secret = bool(known[name].metadata.get("secret"))
            values[name] = value_of(types[name], value, base=base, is_secret=is_secret)
        except ValueError as error:
            problems.append((name, str(error), ""))
    return values, problems


def value_of(kind: Any, value: Any, *, base: Path, is_secret: bool = False) -> Any:
    """Return what TOML holds as a value of the setting's type.

    :param base: what relative paths begin at. :param is_secret: an error must not repeat the value.
    :raises ValueError: saying what it must be.
    """

    def path(_: type[Any], text: Any) -> Path:
        if not isinstance(text, str) or not text:
            raise ValueError("no path")
        try:
            return (base / Path(text).expanduser()).absolute()  # Flask looks for others beside its own code
        except RuntimeError as error:
            raise ValueError("no such home folder") from error

    is_whole = isinstance(value, int) and not isinstance(value, bool)
    given: Any = value
    if is_whole and get_origin(kind) is Literal:
        given = str(value)
    elif is_whole and _meta(kind, "extra", {}).get("may_be_one"):
        given = [value]
    elif isinstance(value, dict):  # a table of names with values
        given = list(value.items())
    try:
        return msgspec.convert(given, kind, dec_hook=path)
    except msgspec.ValidationError as error:
        shown = "what is there" if is_secret else repr(value)
        raise ValueError(f"must be {_expectation(kind, value)}, not {shown}") from error


def _expectation(kind: Any, value: Any) -> str:
    """Say what a value of this type is."""
    must = _meta(kind, "extra", {}).get("must")
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if must:
        return str(must)
    if get_origin(plain) is Literal:
        return f"one of {', '.join(get_args(plain))}"
    if plain in (int, float):
        is_number = isinstance(value, int if plain is int else int | float) and not isinstance(value, bool)
        if is_number:
            return f"from {_meta(kind, 'ge')} to {_meta(kind, 'le')}"
        return "a whole number" if plain is int else "a number"
    return "true or false" if plain is bool else "text"


def _meta(kind: Any, name: str, otherwise: Any = None) -> Any:
    """Return a limit of a type, or what it says besides."""
    found = (getattr(one, name) for one in getattr(kind, "__metadata__", ()) if isinstance(one, Meta))
    return next((one for one in found if one is not None), otherwise)


def toml_of(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(toml_of(item) for item in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Path):
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007F")
    return str(value)
