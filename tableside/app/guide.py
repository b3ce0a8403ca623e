"""Parts of the guide that are made where they are read, as the code or the machine says them: settings and licences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from tableside import paths
from tableside.config import SECTIONS, Settings, words_of_section
from tableside.setting import toml_of

_EXTRAS = ("pi", "mqtt", "heic")
"""Extras that a running table may use; those for building, training and testing are not handed on."""
_FROM_THE_SYSTEM = frozenset({"picamera2"})
"""Named among the extras so that pip finds the system's package, which brings what it needs along."""


def made_parts() -> Mapping[str, Callable[[], str]]:
    """Return what is made at the end of a page of the guide, by the page's name."""
    return {"settings": settings_tables, "licences": licence_tables}


def settings_tables() -> str:
    """Return a table for each section of the settings."""
    parts = []
    for section in SECTIONS:
        part, words, rows = Settings().section(section), words_of_section(section), []
        for key in fields(part):
            value = getattr(part, key.name)
            usual = "not set" if value is None else f"`{toml_of(value)}`"
            rows.append((f"`{key.name}`", usual, words[key.name].rstrip(".")))
        parts.append(f"## [{section}]\n\n{_table(('setting', 'usual', 'means'), rows)}")
    return "\n".join(parts)


def licence_tables() -> str:
    """Return the packages that run here and those that the pages carry, each with its licence."""
    vendor = tomllib.loads((paths.web_folder() / "vendor" / "vendor.toml").read_text(encoding="utf-8"))
    carried = [(one["name"], one["version"], one["licence"]) for one in vendor["package"]]
    return (
        f"## Packages that run here\n\n{_table(('package', 'version', 'licence'), packages())}\n"
        f"## Packages that the pages carry\n\n{_table(('package', 'version', 'licence'), carried)}"
    )


def packages() -> list[tuple[str, str, str]]:
    """Return the installed packages that a running table uses: name, version and licence."""
    found: dict[str, tuple[str, str, str]] = {}
    wanted = ["tableside"]
    while wanted:
        name = wanted.pop()
        if name in found or name in _FROM_THE_SYSTEM:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:  # an extra that is not installed, or for another machine
            continue
        found[name] = (name, package.version, _licence_of(package))
        for line in package.requires or ():
            extra = re.search(r"extra == .(\w+)", line)
            if extra is None or (name == "tableside" and extra[1] in _EXTRAS):
                wanted.append(re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", line)[0]).lower())
    return [found[name] for name in sorted(found) if name != "tableside"]


def _licence_of(package: Distribution) -> str:
    """Return a package's licence as its makers name it."""
    told = package.metadata
    kinds = [kind.rpartition("::")[2].strip() for kind in told.get_all("Classifier", []) if kind.startswith("License")]
    names: list[str] = [
        *told.get_all("License-Expression", []),
        ", ".join(kinds),
        *told.get_all("License", []),
        "not named",
    ]
    return next(name.partition("\n")[0] for name in names if name)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = tuple(head)
    lines = [names, ("---",) * len(names), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)
