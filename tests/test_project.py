"""What holds for the project as a whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

SOURCES = [
    path
    for folder in ("tableside", "models", "tests", "tools", "web", "hardware", "docs")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".css", ".html"} and "data" not in path.relative_to(ROOT).parts[1:2]
]


def test_the_rules_load_nothing_but_the_standard_library_and_msgspec() -> None:
    games = "import sys; from tableside.rules import find_game, game_names; [find_game(name) for name in game_names()]"
    script = f"{games}; print(*{{name.split('.')[0] for name in sys.modules}})"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    msgspec = {"msgspec", "typing_extensions"}  # the second it loads where something else has installed it
    ours_or_standard = {*sys.stdlib_module_names, *msgspec, "tableside", "__main__", "sitecustomize"}
    foreign = {name for name in shown if name not in ours_or_standard and not name.startswith(("_", "__editable"))}
    assert not foreign


def test_no_text_names_a_path_of_the_machine_it_was_written_on() -> None:
    pattern = re.compile(r"(^|[^A-Za-z0-9_.])/(work|root)/")
    texts = [*SOURCES, ROOT / "README.md", ROOT / "pyproject.toml"]
    found = [str(path) for path in texts if path != Path(__file__) and pattern.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_the_networks_together_stay_under_five_megabytes() -> None:
    assert sum(path.stat().st_size for path in (ROOT / "models").glob("*.onnx")) <= 5_000_000
