"""Write the tables of ``settings.md`` anew: ``python docs/settings.py``.

What a setting means is said once, where it is defined: by ``:ivar NAME:`` in the docstring of its section's class, and
for a lamp or a button by its row of ``tableside/adapters/gpio/parts.py``.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from tableside.adapters.gpio.parts import PARTS
from tableside.config import SECTIONS, Settings
from tableside.record import words_of
from tableside.setting import toml_of

FILE = Path(__file__).parent / "settings.md"
_HEAD = ["| setting | usual | means |", "|---|---|---|"]


def table(name: str) -> str:
    """Return the table of a section.

    :raises KeyError: for a setting that nothing is said of.
    """
    part, words = Settings().section(name), words_of(SECTIONS[name])
    if name == "pins":
        words |= {key: row.means for key, row in PARTS.items()}
    rows = []
    for key in fields(part):
        value = getattr(part, key.name)
        usual = "not set" if value is None else f"`{toml_of(value)}`"
        rows.append(f"| `{key.name}` | {usual} | {words[key.name].rstrip('.')} |")
    return "\n".join([*_HEAD, *rows])


def page(text: str) -> str:
    """Return the page with its tables as they should be; everything between them stays."""
    for name in SECTIONS:
        head, begin, rest = text.partition(f"## [{name}]\n")
        before, after = re.split(r"(?:^\|.*\n)+", rest, maxsplit=1, flags=re.M)
        text = f"{head}{begin}{before}{table(name)}\n{after}"
    return text


if __name__ == "__main__":
    FILE.write_text(page(FILE.read_text(encoding="utf-8")), encoding="utf-8")
