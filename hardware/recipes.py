"""The recipes of ``recipes.md``: each one's settings, read from the page itself, so that its picture cannot differ."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.pinmap import Wire, wires
from tableside.adapters.gpio.parts import PARTS
from tableside.config import Settings, parse_settings

PAGE = Path(__file__).parent / "recipes.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One recipe.

    :ivar wires: those whose settings it names. :ivar text: of its whole section.
    """

    name: str
    settings: Settings
    wires: tuple[Wire, ...]
    text: str

    @property
    def picture(self) -> str:
        return f"recipe-{self.name}.svg"


def read_recipes(page: Path = PAGE) -> Sequence[Recipe]:
    """Return the recipes in order.

    :raises SettingsError: when the settings of one are wrong.
    """
    found = []
    for section in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.M)[1:]:
        toml = re.search(r"^```toml\n(.*?)^```", section, re.M | re.S)
        if toml is None:
            continue
        name = re.sub(r"[^a-z]+", "-", section.splitlines()[0].lower()).strip("-")
        raw = tomllib.loads(toml[1])
        settings = parse_settings(raw, file=page)
        named = [key for key in raw.get("pins", {}) if key in PARTS]
        chosen = tuple(wire for wire in wires(settings.pins) if wire.setting in named)
        found.append(Recipe(name=name, settings=settings, wires=chosen, text=section))
    return found
