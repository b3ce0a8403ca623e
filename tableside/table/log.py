"""The JSON form of a change, as it stands in the table's log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tableside.dice import Face, Point, Status
from tableside.dice.reading import Alternative, Suspect
from tableside.rules import Throw
from tableside.table.state import Change, Destiny, Original, Part, Roll, RollDie, Source


def change_to_text(change: Change) -> str:
    """Return the change as one line of JSON."""
    found = {
        "number": change.number,
        "id": change.id,
        "at": change.at,
        "by": change.by,
        "kind": change.kind,
        "sentence": change.sentence,
        "before": _part_json(change.before),
        "after": _part_json(change.after),
        "undoes": change.undoes,
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def change_from_text(text: str) -> Change:
    """Return the change.

    :raises ValueError: where the text is not one.
    """
    try:
        raw = json.loads(text)
        return Change(
            number=int(raw["number"]),
            id=str(raw["id"]),
            at=float(raw["at"]),
            by=str(raw["by"]),
            kind=str(raw["kind"]),
            sentence=str(raw["sentence"]),
            before=_part(raw["before"]),
            after=_part(raw["after"]),
            undoes=int(raw["undoes"]),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"not a change: {error!r}") from error


def _part_json(part: Part) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if part.destiny is not None:
        found["destiny"] = part.destiny.to_json()
    if part.roll is not None:
        found["roll"] = part.roll.to_json()
    return found


def _part(raw: Mapping[str, Any]) -> Part:
    destiny, roll = raw.get("destiny"), raw.get("roll")
    return Part(
        destiny=None if destiny is None else Destiny(light=int(destiny["light"]), dark=int(destiny["dark"])),
        roll=None if roll is None else _roll(roll),
    )


def _roll(raw: Mapping[str, Any]) -> Roll:
    succeeded = raw["succeeded"]
    return Roll(
        id=str(raw["id"]),
        at=float(raw["at"]),
        game=str(raw["game"]),
        source=Source(raw["source"]),
        by=str(raw["by"]),
        label=str(raw["label"]),
        dice=tuple(_die(die) for die in raw["dice"]),
        suspects=tuple(
            Suspect(
                center=_point(suspect["center"]),
                outline=_outline(suspect["outline"]),
                confidence=float(suspect["confidence"]),
            )
            for suspect in raw["suspects"]
        ),
        ask=dict(raw["ask"]),
        net=tuple((str(name), int(value)) for name, value in raw["net"].items()),
        outcome=str(raw["outcome"]),
        succeeded=None if succeeded is None else bool(succeeded),
        headline=str(raw["headline"]),
        sentence=str(raw["sentence"]),
        awaits=_throw(raw["awaits"]) if raw.get("awaits") else None,
        short=tuple((str(name), int(gap)) for name, gap in raw.get("short", {}).items()),
        width=int(raw["width"]),
        height=int(raw["height"]),
        pictures=int(raw["pictures"]),
        version=int(raw["version"]),
    )


def _throw(raw: Mapping[str, Any]) -> Throw:
    return Throw(
        name=str(raw["name"]),
        dice=tuple((str(name), int(count)) for name, count in raw["dice"].items()),
        sentence=str(raw["sentence"]),
        by_gm=bool(raw["by_gm"]),
    )


def _die(raw: Mapping[str, Any]) -> RollDie:
    original = raw.get("original")
    return RollDie(
        type=str(raw["type"]),
        face=_face(raw["face"]),
        center=None if raw["center"] is None else _point(raw["center"]),
        outline=_outline(raw["outline"]),
        confidence=float(raw["confidence"]),
        status=Status(raw["status"]),
        alternatives=tuple(
            Alternative(type=str(one["type"]), face=_face(one["face"]), confidence=float(one["confidence"]))
            for one in raw["alternatives"]
        ),
        original=None
        if original is None
        else Original(
            type=str(original["type"]), face=_face(original["face"]), confidence=float(original["confidence"])
        ),
    )


def _face(raw: Any) -> Face:
    return tuple(str(symbol) for symbol in raw)


def _point(raw: Any) -> Point:
    return float(raw[0]), float(raw[1])


def _outline(raw: Any) -> tuple[Point, ...]:
    return tuple(_point(point) for point in raw)
