"""Histories of evenings in all four games, each written by a version of tableside whose form it keeps.

``table`` is of early November 2026, ``by_difference`` of the last version that took changes back by difference.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tableside.adapters.sqlite_store import SqliteStore
from tableside.dice import find_sets
from tableside.errors import Conflict
from tableside.table import System, Table
from tableside.table.kept import change_from_text, change_to_text
from tableside.table.messages import ChangeDestiny, Do, Redo, Undo
from tableside.table.shown import state_json

HERE = Path(__file__).parent / "history"
FROM_THE_GAME = {"game_title", "destiny_names", "destiny_flips", "initiative"}
"""Keys of a state in which today's rules name what the history holds."""


def as_far_as(old: Any, now: Any) -> Any:
    """Return what is told now without the keys that an old version did not know; an empty object may go."""
    if isinstance(old, dict) and isinstance(now, dict):
        return {key: as_far_as(one, now[key]) if key in now else {} for key, one in old.items()}
    if isinstance(old, list) and isinstance(now, list) and len(old) == len(now):
        return [as_far_as(one, other) for one, other in zip(old, now, strict=True)]
    return now


VERSIONS = ("table", "by_difference")


def bodies(version: str) -> list[str]:
    with closing(sqlite3.connect(f"file:{HERE / version}.sqlite?mode=ro&immutable=1", uri=True)) as history:
        return [body for (body,) in history.execute("SELECT body FROM change ORDER BY number")]


@pytest.fixture
def version(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", VERSIONS[0]))


@pytest.fixture
def table(version: str, tmp_path: Path) -> Iterator[Table]:
    file = shutil.copy(HERE / f"{version}.sqlite", tmp_path / "table.sqlite")
    table = Table(System(sets=find_sets(["narrative", "pips", "percentile"])), SqliteStore(file), clock=lambda: 0.0)
    yield table
    table.close()


@pytest.mark.parametrize("version", VERSIONS, indirect=True)
def test_an_old_history_shows_the_state_that_it_showed(table: Table, version: str) -> None:
    expected: dict[str, Any] = json.loads((HERE / f"{version}.json").read_text(encoding="utf-8"))
    for one in expected.get("people", ()):
        assert one.pop("carried", []) == []  # it is among the states since
    state = as_far_as(expected, state_json(table.state, now=0.0, sees_hidden=True))
    assert {key for key in expected if key not in FROM_THE_GAME and state[key] != expected[key]} == set()
    assert state["initiative"]["slots"] == expected["initiative"]["slots"]


def test_old_histories_hold_every_kind_of_change() -> None:
    kinds = {json.loads(body)["kind"] for version in VERSIONS for body in bodies(version)}
    assert kinds == {
        "act", "adjustment", "ask", "correction", "destiny", "game", "initiative", "people", "players", "reading",
        "redo", "roll", "session", "spend", "tables", "throw", "tracker", "undo",
    }  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_every_change_of_an_old_history_is_written_again_as_it_was(version: str) -> None:
    for body in bodies(version):
        kept = json.loads(body)
        again = json.loads(change_to_text(change_from_text(body)))
        for part in ("before", "after"):  # what a round held is among the states since, and the actions done beside
            for key, person in (kept[part].get("people") or {}).items():
                held = person and person.pop("round", None)
                assert not held or (held["ask"], held["done"]) == ({}, again[part]["people"][key]["done"])
        assert as_far_as(kept, again) == kept


@pytest.mark.parametrize("version", VERSIONS[1:], indirect=True)
def test_what_an_older_version_wrote_is_undone_from_the_newest_on_alone(table: Table) -> None:
    older, last = list(islice((one.number for one in table.state.standing_changes() if not one.undoes), 2))[::-1]
    with pytest.raises(Conflict, match="another version of tableside wrote it"):
        table.ask(Undo(id="older", at=1.0, change=older))
    before = table.state.people, table.state.rolls
    table.ask(Undo(id="newest", at=1.0, change=last))
    table.ask(Undo(id="older now", at=1.0, change=older))
    table.ask(Redo(id="again", at=1.0))
    with pytest.raises(Conflict, match="another version"):
        table.ask(Redo(id="and again", at=1.0))
    table.ask(ChangeDestiny(id="new", at=1.0, do=Do.SET, light=1, dark=1))
    table.ask(Undo(id="newer", at=1.0))
    assert (table.state.people, table.state.rolls) == before or older


def test_an_old_history_goes_on(table: Table) -> None:
    last, wounds = table.state.last_number, table.state.trackers["d6-companion", "wounds", "Oskara"]
    state = table.ask(Undo(id="back", at=1.0))
    assert state.last_number == last + 1
    assert (wounds, [player.name for player in state.players]) == (1, ["Vex", "Oskara", "Jax of the Rim"])
