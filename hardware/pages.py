"""Tables that pages take from the code: each stands between ``<!-- made: NAME -->`` and ``<!-- end -->``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hardware import budget, cables, optics, shopping
from hardware.pinmap import Wire, wires
from hardware.recipes import read_recipes
from hardware.sizes import Sizes
from tableside.adapters.gpio.parts import PARTS

FOLDER = Path(__file__).parent
_MADE = re.compile(r"(<!-- made: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def pin_table(chosen: Sequence[Wire]) -> str:
    """Return a table of wires."""
    rows = ["| from | header | to |", "|---|---|---|"]
    rows += [f"| GPIO {wire.gpio} | pin {wire.pin} | {wire.title} |" for wire in chosen]
    return "\n".join(rows)


def setting_table() -> str:
    """Return a table of what there is, with its setting and its usual pins."""
    rows = ["| what | setting in `[pins]` | GPIO |", "|---|---|---|"]
    for part in PARTS.values():
        rows.append(f"| {part.means} | `{part.name}` | {', '.join(map(str, part.pins)) or 'none'} |")
    return "\n".join(rows)


def tables() -> Mapping[str, Callable[[], str]]:
    """Return how each table is made, by name."""
    made: dict[str, Callable[[], str]] = {
        "settings": setting_table,
        "budget": lambda: budget.table(wires()),
        "heights": lambda: optics.table(Sizes()),
        "cables": lambda: cables.table(Sizes()),
        "lamps": lambda: shopping.table(wires()),
    }
    for recipe in read_recipes():
        made[f"pins-{recipe.name}"] = lambda recipe=recipe: pin_table(recipe.wires)  # type: ignore[misc]
        made[f"parts-{recipe.name}"] = lambda recipe=recipe: shopping.words(recipe.wires)  # type: ignore[misc]
    return made


def filled(page: str) -> str:
    """Return a page with its tables made anew.

    :raises KeyError: for a table that nobody makes.
    """
    known = tables()
    return _MADE.sub(lambda found: f"{found[1]}{known[found[2]]()}\n{found[3]}", page)
