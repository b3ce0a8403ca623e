"""Change one line of the program at a time and see that a test fails: ``python -m tests.mutations [WORD...]``.

Each row of ``mutations.toml`` names a file, a text that occurs in it once, what takes its place, and the tests that
have to see it. The program is copied first, so that nothing here is touched. With words, only rows that have one of
them in their file or text. Exit status 1 where a mutation lived.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

ROWS = Path(__file__).parent / "mutations.toml"
_KEPT = ("tableside", "tests", "web", "docs", "hardware", "install", "pyproject.toml", "README.md", "start")
_LEFT = shutil.ignore_patterns("__pycache__", "node_modules", "*.pyc")
_SECONDS = 900
_NONE_CHOSEN = 5
"""How pytest ends where no test is slow, or each is."""


def rows() -> list[dict[str, Any]]:
    """Return the rows in order."""
    found: list[dict[str, Any]] = tomllib.loads(ROWS.read_text(encoding="utf-8"))["mutation"]
    return found


def is_seen(row: dict[str, Any], copy: Path) -> bool:
    """Tell whether one of its tests fails with the mutation. They have to pass without it, which the suite shows."""
    path = copy / row["file"]
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace(row["old"], row["new"]), encoding="utf-8")
    try:
        return any(_fails(row, copy, marks) for marks in ("not slow", "slow"))
    finally:
        path.write_text(whole, encoding="utf-8")


def _fails(row: dict[str, Any], copy: Path, marks: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-m", marks, *row["tests"]]
    hidden = {name: value for name, value in os.environ.items() if name != "CI"}
    try:
        done = subprocess.run(command, cwd=copy, env=hidden, timeout=_SECONDS, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in (0, 1, _NONE_CHOSEN):
        sys.exit(
            f"{row['file']}: {row['old']}: pytest ended with {done.returncode}.\n{(done.stdout + done.stderr)[-2000:]}"
        )
    return done.returncode == 1


def main(words: list[str]) -> int:
    """Try every row and tell which lived."""
    wanted = [row for row in rows() if not words or any(word in row["file"] + row["old"] for word in words)]
    lived = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "main"
        copy.mkdir()
        for name in _KEPT:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name, ignore=_LEFT)
            else:
                shutil.copy2(ROOT / name, copy / name)
        (copy / "models").symlink_to(ROOT / "models")
        if (ROOT.parent / "shared").is_dir():
            (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        for row in wanted:
            seen = is_seen(row, copy)
            lived += not seen
            print("seen " if seen else "LIVED", row["file"], row["old"].strip(), sep="  ", flush=True)
    print(f"{len(wanted) - lived} of {len(wanted)} mutations seen")
    return bool(lived)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
