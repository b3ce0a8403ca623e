"""One setting: how it is declared, from TOML to a value of its own type, and back. Standard library only."""

from __future__ import annotations

from dataclasses import Field, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


def limits(default: Any, *, least: float | None = None, most: float | None = None) -> Any:
    """Declare a number within limits."""
    return field(default=default, metadata={"least": least, "most": most})


def one_of(default: str, *choices: str) -> Any:
    """Declare a choice of words."""
    return field(default=default, metadata={"choices": choices})


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


def value_of(key: Field[Any], value: Any, base: Path) -> Any:
    """Return what TOML holds as a value of the setting's own type.

    :param base: what relative paths begin at.
    :raises ValueError: saying what it must be.
    """
    kind = str(key.type)
    if kind == "Path | None":
        if not isinstance(value, str) or not value:
            raise ValueError(f"must be a path in quotes, not {value!r}")
        return base / Path(value).expanduser()
    if key.type == tuple[int, ...]:
        pins = [value] if _is_whole(value) else value
        if not isinstance(pins, list) or not all(_is_whole(pin) and 0 <= pin <= 27 for pin in pins):
            raise ValueError(f"must be BCM pin numbers from 0 to 27, not {value!r}")
        return tuple(pins)
    if kind == "tuple[int, int]":
        if not isinstance(value, list) or len(value) != 2 or not all(_is_whole(n) and n > 0 for n in value):
            raise ValueError(f"must be [width, height], not {value!r}")
        return tuple(value)
    if kind == "tuple[float, float, float]":
        if not isinstance(value, list) or len(value) != 3 or not all(_is_share(share) for share in value):
            raise ValueError(f"must be three numbers above 0 and up to 1, not {value!r}")
        return tuple(float(share) for share in value)
    if kind == "tuple[str, ...]":
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise ValueError(f"must be a list of names in quotes, not {value!r}")
        return tuple(value)
    if kind == "str":
        return _word(key, value)
    if kind == "bool":
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, not {value!r}")
        return value
    return _number(key, value, whole=kind == "int")


def _word(key: Field[Any], value: Any) -> str:
    choices = key.metadata.get("choices")
    value = str(value) if choices and _is_whole(value) else value
    if not isinstance(value, str) or (choices and value not in choices):
        told = "what is there" if key.metadata.get("secret") else repr(value)
        raise ValueError(f"must be {'one of ' + ', '.join(choices) if choices else 'text'}, not {told}")
    return value


def _number(key: Field[Any], value: Any, *, whole: bool) -> int | float:
    if not _is_whole(value) and (whole or not isinstance(value, float)):
        raise ValueError(f"must be a {'whole ' if whole else ''}number, not {value!r}")
    least, most = key.metadata["least"], key.metadata["most"]
    if not least <= value <= most:
        raise ValueError(f"must be from {least} to {most}, not {value!r}")
    return int(value) if whole else float(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and 0 < value <= 1


def toml_of(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, tuple):
        return f"[{', '.join(toml_of(item) for item in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Path):
        return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
