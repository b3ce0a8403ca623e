"""Write the list of third-party licences anew: ``python docs/licences.py``. Needs the extras whose packages are listed.

pip-licenses reads the licences from the installed packages; which packages there are follows from ``pyproject.toml``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PAGE = Path(__file__).parent / "licences.md"
EXTRAS = ("pi", "mqtt", "heic")
"""Extras that a running table may use; those for building, training and testing are not handed on."""
FROM_THE_SYSTEM = frozenset({"picamera2"})
"""Named among the extras so that pip finds the system's package, which brings what it needs along."""
_LIST = re.compile(r"(<!-- made: packages -->\n).*?(<!-- end -->)", re.S)


def declared(project: Mapping[str, object] | None = None) -> set[str]:
    """Return the names of the packages that pip fetches for a running table, by ``pyproject.toml``."""
    told = project or tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*told["dependencies"]]  # type: ignore[misc]
    for extra in EXTRAS:
        wanted += told["optional-dependencies"].get(extra, [])  # type: ignore[index]
    return {canonicalize_name(Requirement(line).name) for line in wanted} - FROM_THE_SYSTEM


def with_their_own(names: Iterable[str]) -> set[str]:
    """Return the packages and all that they need in turn, as far as they are installed here."""
    found: set[str] = set()
    wanted = [canonicalize_name(name) for name in names]
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        found.add(name)
        try:
            needs = [Requirement(line) for line in requires(name) or []]
        except PackageNotFoundError:
            continue
        wanted += [
            canonicalize_name(one.name) for one in needs if one.marker is None or one.marker.evaluate({"extra": ""})
        ]
    return found


def table() -> str:
    """Return the list as a table in Markdown.

    :raises SystemExit: naming the packages that are not installed.
    """
    names = with_their_own(declared())
    told = subprocess.run(
        [sys.executable, "-m", "piplicenses", "--format=json", "--with-urls", "--with-system", "--from=mixed",
         "--packages", *names],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    known = {canonicalize_name(one["Name"]): one for one in json.loads(told.stdout)}
    rows = ["| package | licence | from |", "|---|---|---|"]
    kept = {row.split("|")[1].strip(): row for row in PAGE.read_text(encoding="utf-8").splitlines() if row[:2] == "| "}
    for name in sorted(names):
        if name in known:
            one = known[name]
            licence = " ".join(one["License"].split())
            address = one["URL"] if one["URL"] != "UNKNOWN" else "the package index"
            rows.append(f"| {name} | {licence} | {address} |")
        elif name in kept:  # for another machine, such as a Pi
            rows.append(kept[name])
        else:
            raise SystemExit(f"{name} is not installed here and not on the page. Install it, or write its row by hand.")
    return "\n".join(rows)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_LIST.sub(lambda found: f"{found[1]}{table()}\n{found[2]}", page), encoding="utf-8")
