"""Whoever follows a recipe of CONTRIBUTING gets what it promises: each row is put into a copy of the program."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pages import section

PAGE = ROOT / "CONTRIBUTING.md"
FOLLOW = """
import json, sys, traceback
sys.path.append(sys.argv[1])
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_turn import OSKARA, TROOPERS, throw
from tableside.table import MemoryStore
from tableside.table.messages import *
failed = {}
for heading, script in json.load(sys.stdin).items():
    table = Played(SYSTEM, MemoryStore())
    try:
        exec(script, {**globals(), "table": table})
    except Exception:
        failed[heading] = traceback.format_exc()
    table.close()
print(json.dumps(failed))
"""
"""Follows scripts by their headings, each at a table of its own, and prints which failed."""


def row(heading: str) -> str:
    """Return the block of code of a recipe."""
    found = re.search(r"^```\w+\n(.*?)^```", section(PAGE, heading), re.M | re.S)
    assert found, heading
    return found[1]


def into(file: str, before: str, *, after: str = "") -> Callable[[Path, str], None]:
    """Return what puts a row into a file of the copy, before or after a text that stands there once."""

    def put(copy: Path, text: str) -> None:
        path = copy / file
        whole = path.read_text(encoding="utf-8")
        mark = before or after
        assert whole.count(mark) == 1, mark
        text = text.rstrip() + ("\n\n" if file.endswith(".toml") else ",\n")
        path.write_text(whole.replace(mark, text + mark if before else mark + text), encoding="utf-8")

    return put


def camera(copy: Path, text: str) -> None:
    folder = copy / "tableside" / "adapters" / "camera" / "postcard"
    folder.mkdir()
    (folder / "__init__.py").write_text(text, encoding="utf-8")


FOLLOWED: dict[str, tuple[Callable[[Path, str], None], str]] = {
    "How do I add a lamp or a button?": (
        into("tableside/adapters/gpio/parts.py", "", after="LAMPS = (\n"),
        """
from pathlib import Path
from tableside.config import PinSettings, parse_settings, Settings
from tableside.adapters.gpio.parts import PARTS, Rhythm
settings = parse_settings({"pins": {"fight": [4]}}, file=Path("tableside.toml"))
assert settings.pins.pins()["fight"] == (4,)
assert "# burns while somebody fights\\nfight = []" in Settings().to_toml(is_explained=True)
assert PARTS["fight"].shows(table.state).rhythm is Rhythm.OFF
table.tell(ChangeInitiative, do=Turn.ADD, side="npc", rank=(1, 0), who="Trooper")
assert PARTS["fight"].shows(table.state).rhythm is Rhythm.STEADY
table.tell(Undo)
assert PARTS["fight"].shows(table.state).rhythm is Rhythm.OFF
""",
    ),
    "How do I add a camera?": (
        camera,
        """
from pathlib import Path
from tableside.adapters.camera.kind import kinds
from tableside.config import parse_settings
from tableside.app.checkup import check_up
photo = Path(sys.argv[1]) / "tableside" / "samples" / "empty.jpg"
settings = parse_settings({"camera": {"kind": "postcard", "path": str(photo)}, "pins": {"factory": "none"}}, file=photo)
made = dict(kinds())["postcard"].make(settings.camera, lambda seconds: None, None)
for _ in range(2):
    made.open()
    assert next(made.frames()).picture.shape[2] == 3
    made.close()
told = {finding.part: finding.text for finding in check_up(settings)}
assert told["postcard"] == "one picture"
""",
    ),
    "How do I add something to spend symbols on?": (
        into("tableside/games/narrative/options.py", '    O("finish_faster"'),
        """
oskara = table.add(**OSKARA)
strained = {"strain": {"value": 3, "most": 12}}
table.tell(ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "trackers": strained})
table.tell(CallRoll, who=oskara.id, ask={"characteristic": 2, "difficulty": "easy"})
roll = throw(table, ability=[("advantage", "advantage"), ("success",)], difficulty=[()]).rolls[0]
table.tell(BuySpend, roll_id=roll.id, name="catch_breath")
strain = lambda: next(one for one in table.state.people if one.id == oskara.id).value("strain")
assert strain() == 1
table.tell(Undo)
assert strain() == 3
table.tell(BuySpend, roll_id=roll.id, name="catch_breath")
assert strain() == 1
""",
    ),
    "How do I add a condition?": (
        into("tableside/games/narrative/ready.toml", '[[state]]\nname = "Aiming"'),
        """
from tableside.rules import find_game
from tableside.table.shown import state_json
oskara = table.add(**OSKARA)
ready = next(one for one in find_game("narrative").ready.to_json()["states"] if one["name"] == "Blinded")
state = {key: value for key, value in ready.items() if key in ("name", "until", "ask", "against")}
table.tell(ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "begins": [state]})
call = dict(who=oskara.id, ask={"characteristic": 2, "difficulty": "easy"})
table.tell(CallRoll, **call)
assert dict(table.state.asked.tray.dice)["setback"] == 2
table.tell(ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "ends": ["Blinded"]})
table.tell(CallRoll, **call)
assert "setback" not in dict(table.state.asked.tray.dice)
""",
    ),
    "How do I add something that comes next?": (
        into("tableside/table/now.py", '    Row(name="idle"'),
        """
table.tell(StartSession)
assert table.state.now.name == "idle"
number = table.state.now.number
for n in range(31):
    table.add(**OSKARA | {"name": f"Guest {n}"})
assert (table.state.now.name, table.state.now.whose, table.state.now.acts.act.key) == ("crowded", "master", "tidy")
assert table.state.now.number > number
number = table.state.now.number
table.tell(Undo)
assert table.state.now.name == "idle"
assert table.state.now.number > number
""",
    ),
}


@pytest.mark.slow
def test_each_recipe_is_followed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tableside", tmp_path / "tableside", ignore=shutil.ignore_patterns("__pycache__", "*.jpg"))
    for name in ("web", "models", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    for heading, (put, _) in FOLLOWED.items():
        put(tmp_path, row(heading))
    paths = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    scripts = json.dumps({heading: script for heading, (_, script) in FOLLOWED.items()})
    command = [sys.executable, "-c", FOLLOW, str(ROOT)]
    done = subprocess.run(command, cwd=tmp_path, env=paths, input=scripts, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout) == {}


def test_every_recipe_with_a_row_is_followed() -> None:
    headings = re.findall(r"^## (How do I add .+)$", PAGE.read_text(encoding="utf-8"), re.M)
    with_rows = {one for one in headings if re.search(r"\bOne (?:row|folder)\b", section(PAGE, one)[:200])}
    assert with_rows == set(FOLLOWED)
