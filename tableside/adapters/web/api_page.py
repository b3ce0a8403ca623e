"""The description of the API as people read it, at the end of the guide's page: every address, and what bodies hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tableside.adapters.web.openapi import openapi_document

_Schema = Mapping[str, Any]
_REF = re.compile(r"#/components/schemas/(\w+)")
_OF_EACH = {"id", "by"}
"""Keys of every change; the page says them once."""


def api_tables() -> str:
    """Return the addresses with what each takes, and the things that bodies and answers hold, as Markdown."""
    document = openapi_document()
    things: Mapping[str, _Schema] = document["components"]["schemas"]
    bodies = set()
    lines = ["## Every address", ""]
    for address, ways in sorted(document["paths"].items()):
        for way, told in ways.items():
            lines += [f"### `{way.upper()} {address}`", "", f"{told['summary'].rstrip('.')}.", ""]
            asked = [one for one in told.get("parameters", ()) if one["in"] == "query"]
            keys = [(one["name"], one["schema"] | {"description": one["description"]}) for one in asked]
            if body := _REF.search(str(told.get("requestBody", ""))):
                bodies.add(body[1])
                taken = things[body[1]]["properties"].items()
                keys += [(name, told) for name, told in taken if name not in _OF_EACH]
            lines += _rows(keys, things)
    lines += ["## What they hold", ""]
    for name, thing in sorted(things.items()):
        if name not in bodies and "properties" in thing:
            lines += [f"### {name}", "", thing.get("description", ""), "", *_rows(thing["properties"].items(), things)]
    return "\n".join(lines)


def _rows(keys: Iterable[tuple[str, _Schema]], things: Mapping[str, _Schema]) -> list[str]:
    rows = [
        f"| `{name}` | {_kind(told, things)} | {told.get('description', '').replace('|', chr(92) + '|')} |"
        for name, told in keys
    ]
    return ["| key | kind | |", "|---|---|---|", *rows, ""] if rows else []


def _kind(told: _Schema, things: Mapping[str, _Schema]) -> str:
    """Say what a value is: a thing of this page, its choices or its type."""
    if "$ref" in told:
        name = told["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})" if "properties" in things[name] else _kind(things[name], things)
    if "enum" in told:
        return ", ".join(f"`{one}`" if one else "nothing" for one in told["enum"])
    if "anyOf" in told:
        return " or ".join(dict.fromkeys(_kind(one, things) for one in told["anyOf"]))
    if isinstance(told.get("items"), dict):
        return f"list of {_kind(told['items'], things)}"
    return str(told.get("type", "anything"))
