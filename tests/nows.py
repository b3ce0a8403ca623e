"""Brings a table to each row of ``now.toml``, over its API."""

from __future__ import annotations

import tomllib
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from tableside.dice import Alternative, DieReading, Doubt, Reading, Status
from tableside.table import Table
from tableside.table.kept import Phase
from tableside.table.messages import NewRoll, ShowPhase
from tests.conftest import ROOT

_TOLD = tomllib.loads((ROOT / "tests" / "now.toml").read_text(encoding="utf-8"))
ROWS: list[dict[str, Any]] = _TOLD["row"]
Call = Callable[..., tuple[int, Any]]


def title(row: Mapping[str, Any]) -> str:
    return " ".join(str(one) for one in (row["number"], row["name"], row.get("title", "")) if one)


class Scene:
    """A table that is brought to rows.

    :param call: sends a body to an address and returns status and answer, as a game master. Without one it reads it.
    """

    def __init__(self, table: Table, call: Call) -> None:
        self._table = table
        self.call = call
        self.ids: dict[str, str] = {}

    @property
    def now(self) -> dict[str, Any]:
        return self.state["now"]  # type: ignore[no-any-return]

    @property
    def state(self) -> dict[str, Any]:
        _, state = self.call("/api/state")
        return state  # type: ignore[no-any-return]

    def bring_to(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Do a row's steps and return what is next then."""
        self._table.ask(ShowPhase(at=1.0, phase=Phase.BY_HAND))
        for step in (f"scene {row['scene']}", *row["steps"]):
            self.do(step)
        return self.now

    def send(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send something that the table takes."""
        status, told = self.call(path, self.meant(body) | {"id": str(uuid.uuid4())})
        assert status in (200, 201, 202), (path, told)
        return told

    def meant(self, told: Any) -> Any:
        """Return what is told with ids in place of names."""
        if isinstance(told, Mapping):
            return {name: self.meant(one) for name, one in told.items()}
        if isinstance(told, list):
            return [self.meant(one) for one in told]
        if not isinstance(told, str) or not told.startswith("@"):
            return told
        return self._table.state.rolls[0].id if told == "@roll" else self.ids[told[1:]]

    def do(self, step: str | list[Any]) -> None:
        """Do one step."""
        if not isinstance(step, str):
            self.send(*step)
            return
        word, _, of = step.partition(" ")
        match word:
            case "scene":
                for one in _TOLD["scene"][of]:
                    self.do(one)
            case "add":
                told = self.send("/api/people", {"do": "add", "person": _TOLD["cast"][of]})
                self.ids[of] = told["people"][-1]["id"]
            case "throw":
                dice = [{"type": kind, "face": face} for kind, faces in _TOLD["throw"][of].items() for face in faces]
                self.send("/api/rolls", {"dice": dice, "uses_ask": True})
            case "phase":
                self._table.ask(ShowPhase(at=1.0, phase=Phase(of)))
            case "unsure":
                self._table.ask(NewRoll(id=str(uuid.uuid4()), at=1.0, reading=_unsure()))
            case _:
                found = next(one for one in self.now["also"] if one["key"] == of) if of else self.now[word]
                self.send(found["request"]["path"], found["request"]["body"])


def _unsure() -> Reading:
    """Return dice of Oskara's Mechanics, of which one may show a success or not."""
    faces: list[tuple[str, tuple[str, ...]]] = [
        ("ability", ("success",)), ("proficiency", ()), ("difficulty", ()), ("difficulty", ()),
    ]  # fmt: skip
    dice = [
        DieReading(
            type=kind, face=face, center=(40 * n, 40), outline=(), confidence=0.6, alternatives=other, status=status,
            doubt=Doubt.LEAN if other else None,
        )
        for n, (kind, face) in enumerate(faces, start=1)
        for other in [(Alternative(type="ability", face=(), confidence=0.3),) if n == 1 else ()]
        for status in [Status.UNSURE if other else Status.SURE]
    ]  # fmt: skip
    return Reading(width=200, height=100, dice=tuple(dice))
