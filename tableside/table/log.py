"""The JSON form of a change, as it stands in the table's log."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tableside.dice import Die, Doubt, Face, Point, Status
from tableside.dice.reading import Alternative, Suspect
from tableside.rules import Mood, PoolNames, Throw
from tableside.rules.game import Choice
from tableside.table.change import Change, Part
from tableside.table.play import Ask, Initiative, Player, Seen, Session, Setup, Slot, Tracked
from tableside.table.pool import Destiny
from tableside.table.roll import Dismissed, Original, Roll, RollDie, Source
from tableside.words import heard, told_all


def change_to_text(change: Change) -> str:
    """Return the change as one line of JSON."""
    return json.dumps(change_values(change), ensure_ascii=False, separators=(",", ":"))


def checksum(text: bytes) -> int:
    """Return the CRC-32 of a change's text in UTF-8: it tells every flipped bit, which JSON does not."""
    return zlib.crc32(text)


def change_values(change: Change) -> dict[str, Any]:
    """Return the change as JSON values, complete: it can be read back."""
    told = {
        "number": change.number,
        "id": change.id,
        "at": change.at,
        "by": change.by,
        "kind": change.kind,
        "sentence": change.sentence,
        "words": told_all(sentence=change.sentence),
        "before": _part_json(change.before),
        "after": _part_json(change.after),
        "undoes": change.undoes,
    }
    return told | {"device": change.device} if change.device else told


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
            sentence=heard(raw.get("words", {}).get("sentence"), str(raw["sentence"])),
            before=_part(raw["before"]),
            after=_part(raw["after"]),
            undoes=int(raw["undoes"]),
            device=str(raw.get("device", "")),
        )
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"not a change: {error!r}") from error


def _part_json(part: Part) -> dict[str, Any]:
    told = {
        "destiny": part.destiny,
        "roll": part.roll,
        "session": part.session,
        "asked": part.asked,
        "setup": part.setup,
        "tracked": part.tracked,
        "initiative": part.initiative,
    }
    found: dict[str, Any] = {name: value.to_json() for name, value in told.items() if value is not None}
    if part.players is not None:
        found["players"] = [_player_json(player) for player in part.players]
    return found


def _player_json(player: Player) -> dict[str, str]:
    return player.to_json() | {"device": player.device} if player.device else player.to_json()


def _part(raw: Mapping[str, Any]) -> Part:
    """Return the part; what an older log did not know of is left out of it."""
    found: dict[str, Any] = {}
    for name, read in _READS.items():
        if raw.get(name) is not None:
            found[name] = read(raw[name])
    return Part(**found)


def _destiny(raw: Mapping[str, Any]) -> Destiny:
    return Destiny(light=int(raw["light"]), dark=int(raw["dark"]))


def _session(raw: Mapping[str, Any]) -> Session:
    return Session(number=int(raw["number"]), title=str(raw["title"]), at=float(raw["at"]))


def _players(raw: Sequence[Mapping[str, Any]]) -> tuple[Player, ...]:
    return tuple(
        Player(id=str(player["id"]), name=str(player["name"]), device=str(player.get("device", ""))) for player in raw
    )


def _asked(raw: Mapping[str, Any]) -> Ask:
    return Ask(
        id=str(raw["id"]),
        at=float(raw["at"]),
        game=str(raw["game"]),
        answers=dict(raw["answers"]),
        player=str(raw["player"]),
        label=str(raw["label"]),
        is_hidden=bool(raw["hidden"]),
        odds_for=Seen(raw["odds_for"]),
        tray=_throw(raw["tray"]) if raw["tray"] else None,
    )


def _setup(raw: Mapping[str, Any]) -> Setup:
    names = raw["names"]
    return Setup(
        game=str(raw["game"]),
        names=PoolNames(**{key: str(name) for key, name in names.items()}) if names else None,
        settings={str(game): dict(answers) for game, answers in raw["settings"].items()},
    )


def _tracked(raw: Mapping[str, Any]) -> Tracked:
    return Tracked(game=str(raw["game"]), name=str(raw["name"]), owner=str(raw["owner"]), value=int(raw["value"]))


def _initiative(raw: Mapping[str, Any]) -> Initiative:
    slots = (
        Slot(
            id=str(slot["id"]),
            is_player=slot["side"] == "player",
            rank=tuple(int(number) for number in slot["rank"]),
            words=heard(slot.get("said"), str(slot["words"])),
            who=str(slot["who"]),
            is_done=bool(slot["done"]),
            roll=str(slot["roll"]),
        )
        for slot in raw["slots"]
    )
    return Initiative(
        slots=tuple(slots),
        round=int(raw["round"]),
        game=str(raw.get("game", "")),
        segment=int(raw.get("segment", 0)),
        title=heard(raw.get("words", {}).get("title"), str(raw.get("title", ""))),
        players_first=raw.get("players_first"),
    )


def _roll(raw: Mapping[str, Any]) -> Roll:
    succeeded, words = raw["succeeded"], raw.get("words", {})
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
        dismissed=tuple(_dismissed(one) for one in raw.get("dismissed", [])),
        ask=dict(raw["ask"]),
        net=tuple((str(name), int(value)) for name, value in raw["net"].items()),
        outcome=str(raw["outcome"]),
        succeeded=None if succeeded is None else bool(succeeded),
        difficulty=None if raw.get("difficulty") is None else int(raw["difficulty"]),
        pips=int(raw.get("pips", 0)),
        headline=heard(words.get("headline"), str(raw["headline"])),
        sentence=heard(words.get("sentence"), str(raw["sentence"])),
        moods=tuple((Mood(mood), str(name)) for mood, name in raw.get("moods", {}).items()),
        sets_pool=(int(raw["sets_pool"]["light"]), int(raw["sets_pool"]["dark"])) if raw.get("sets_pool") else None,
        awaits=_throw(raw["awaits"]) if raw.get("awaits") else None,
        short=tuple((str(name), int(gap)) for name, gap in raw.get("short", {}).items()),
        choices=tuple(
            Choice(title=str(one["title"]), sets=tuple(one["ask"].items())) for one in raw.get("choices", [])
        ),
        width=int(raw["width"]),
        height=int(raw["height"]),
        pictures=int(raw["pictures"]),
        version=int(raw["version"]),
        is_hidden=bool(raw.get("hidden", False)),
        session=int(raw.get("session", 0)),
    )


def _throw(raw: Mapping[str, Any]) -> Throw:
    dice = tuple((str(name), int(count)) for name, count in raw["dice"].items())
    fewest = sum(count for _, count in dice)
    return Throw(
        name=str(raw["name"]),
        dice=dice,
        sentence=heard(raw.get("words", {}).get("sentence"), str(raw["sentence"])),
        by_gm=bool(raw["by_gm"]),
        more=int(raw.get("most", fewest)) - fewest,
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
        doubt=Doubt(raw["doubt"]) if raw.get("doubt") else None,
        colour=str(raw.get("colour", "")),
        original=None
        if original is None
        else Original(
            type=str(original["type"]), face=_face(original["face"]), confidence=float(original["confidence"])
        ),
        throw=int(raw.get("throw", 0)),
        is_told=bool(raw.get("told", False)),
    )


def _dismissed(raw: Mapping[str, Any]) -> Dismissed:
    return Dismissed(
        center=None if raw["center"] is None else _point(raw["center"]),
        outline=_outline(raw["outline"]),
        confidence=float(raw["confidence"]),
        read=Die(type=str(raw["type"]), face=_face(raw["face"])) if "type" in raw else None,
        throw=int(raw.get("throw", 0)),
    )


def _face(raw: Any) -> Face:
    return tuple(str(symbol) for symbol in raw)


def _point(raw: Any) -> Point:
    return float(raw[0]), float(raw[1])


def _outline(raw: Any) -> tuple[Point, ...]:
    return tuple(_point(point) for point in raw)


_READS: Mapping[str, Callable[[Any], Any]] = {
    "destiny": _destiny,
    "roll": _roll,
    "session": _session,
    "players": _players,
    "asked": _asked,
    "setup": _setup,
    "tracked": _tracked,
    "initiative": _initiative,
}
